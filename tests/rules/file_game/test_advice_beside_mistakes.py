"""What a game with mistakes says that its author can't have meant: all that no mistake may have to do with."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from tests.kit.thorough import few_at_a_desk
from tests.rules.file_game.test_advice import SOUND
from tests.rules.sound_games import sound_game
from waylog.rules.file_game.check import check_game
from waylog.rules.file_game.check_advice import advise_beside_mistakes

BOTH = (
    SOUND
    + """
[moves.bet]
who = "crew"
does = ["clear harm 1"]
amount = [1, "two"]
[moves.sing]
who = "crew"
label = "Rest"
does = ["gain nerve"]
"""
)
for right, wrong in (
    ("surf = { plus", "surf = { pluss"),
    ('["mark harm"]', '["mark harn"]'),
    ('target = "skill"', 'target = "skill"\noptions = { glass = {} }'),
    ("[moves.rest]", '[moves.rest]\nwhen = "harm > 3"'),
):
    BOTH = BOTH.replace(right, wrong)


def told(text: str) -> tuple[list[str], list[str]]:
    """The places of the mistakes in a game, and those of what its author can't have meant."""
    tree = tomllib.loads(text)
    mistakes = [".".join(flaw.path) for flaw in check_game(tree)[1]]
    return mistakes, [".".join(flaw.path) for flaw in advise_beside_mistakes(tree)]


def test_mistakes_and_advice_are_told_in_one_pass() -> None:
    """Three mistakes hide none of three other things, at their places in the file."""
    assert told(BOTH) == (
        ["dice.row.calls.surf.pluss", "after.row.back.0", "moves.bet.amount.1"],
        ["moves.sing", "dice.look.options.glass", "moves.rest"],
    )


LUCK = SOUND[: SOUND.index("[dice.row]")].replace(
    "[sheet.crew.start", "luck = { range = [0, 9], start = 9 }\n[sheet.crew.start", 1
)
LUCK += '[moves.rest]\nwho = "crew"\ndoes = ["clear harm", "mark harm", "gain luck"]\n'


@pytest.mark.parametrize(
    "mistake",
    [
        '[moves.bet]\nwho = "crew"\ndoes = ["spend luk"]',
        '[moves.bet]\nwho = "crew"\ndoes = ["spend fortune"]',
        '[moves.bet]\nwho = "crew"\ndoes = ["waste luck"]',
        '[moves.bet]\nwho = "crewe"\ndoes = ["spend luck 20d"]',
    ],
)
def test_nothing_is_said_that_something_with_a_mistake_may_change(mistake: str) -> None:
    """An effect that can't be read may be the one that lowers what nothing else lowers."""
    assert told(LUCK)[1] == []
    assert told(f'{LUCK}[moves.bet]\nwho = "crew"\ndoes = ["clear harm"]\namount = [1, "2 +"]')[1] == [
        "sheet.crew.each.luck"
    ]
    mistakes, advice = told(LUCK + mistake)
    assert mistakes
    assert advice == []


def _leaves(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[tuple[Any, ...], Any]]:
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, one in inner:
        yield from _leaves(one, (*path, key))
    if not isinstance(value, dict | list):
        yield path, value


@pytest.mark.parametrize("part", range(4))
def test_nothing_is_said_of_any_sound_game_with_a_mistake_in_it(part: int) -> None:
    """Whatever is wrong in it: a name, a formula, or the type of a value."""
    found = dict[int, list[str]]()
    for seed in range(part, few_at_a_desk(100), 4):
        random, tree = Random(seed), sound_game(seed)
        *above, key = random.choice([path for path, _ in _leaves(tree) if len(path) > 2])
        there: Any = tree
        for one in above:
            there = there[one]
        words = str(there[key]).split()
        there[key] = random.choice(([["x"]], f"{there[key]} zzyzx", " ".join((*words[:-1], "qwrtp"))))
        if check_game(tree)[1]:
            found[seed] = [flaw.message for flaw in advise_beside_mistakes(tree)]
    assert found == {seed: [] for seed in found}
