"""A game file has the dice of Veil Runners 2026: the same as in the Python game, for every number of dice, call and spend."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import combinations_with_replacement, product
from typing import Any

import pytest

from tests.file_games import game_of
from tests.kit.rules import outcomes
from tests.kit.thorough import cases
from tests.rules.veil_table import Y2026, campaign, odds, play
from waylog.rules.game import Game
from waylog.rules.model.facts import OutcomeGrade
from waylog.rules.model.odds import Odds, Ratio, Spread
from waylog.rules.model.state import State

FILE = Game(game_of("veil-dice"))
CALLS = ("standard", "risky", "desperate")
TOOLS = {
    0: (0, "", ""),
    1: (1, "", ""),
    2: (2, "", ""),
    3: (3, "", ""),
    4: (2, "primary", "primary"),
    5: (3, "primary", "primary"),
    6: (3, "primary hacking", "primary expert"),
}
"""Vitality and help with which somebody rolls so many dice, in the words of the Python game and of the file."""


def from_file(**values: Any) -> State:
    """Return a campaign of the file."""
    state, faults = FILE.read({"name": "Trial", **values})
    assert not [fault for fault in faults if not fault.lacking]
    return state


def ships(dice: int, focus: int) -> tuple[State, State]:
    """A ship whose NAV rolls so many dice, as the Python game and as the file has it."""
    core = {"NAV": min(dice, 4), "CPU": 4 - min(dice, 4), "HUL": 0}
    modules = {str(slot): {"name": f"M{slot}", "system": "NAV"} for slot in range(1, 1 + max(0, dice - 4))}
    python = campaign(Y2026, ship={"core": core, "focus": focus, "modules": modules})
    return python, from_file(ship={"nav": min(dice, 4), "modules": max(0, dice - 4), "focus": focus})


def people(dice: int, focus: int, quality: str) -> tuple[State, State]:
    """Somebody who rolls so many dice, as the Python game and as the file has them."""
    vitality = TOOLS[dice][0]
    member = {"vitality": vitality, "focus": focus, "advancements": [quality, "expert"], "expertise": "hacking"}
    own: dict[str, object] = {"vitality": vitality, "focus": focus, "skilled": True}
    own |= {"quality": "forceful" if quality == "forceful" else "steady"}
    return campaign(Y2026, crew={"mara": member}), from_file(crew={"mara": {"name": "Mara", **own}})


def chances(spread: Spread) -> Mapping[tuple[str, str, OutcomeGrade | None], Ratio]:
    """What can happen: word, name and grade of each outcome, with its chance."""
    return {(one.outcome, one.label, one.mood): one.chance for one in spread.chances if one.chance}


def assert_same(python: Odds, file: Odds) -> None:
    """As rolled, and with every number of Focus. The file shows the same chances once."""
    ours, theirs = ([chances(spread) for spread in (odds.spread, *odds.spends)] for odds in (file, python))
    assert ours == [one for place, one in enumerate(theirs) if one not in theirs[:place]]


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("dice", range(7))
def test_the_odds_of_the_ship_are_the_same(dice: int, call: str) -> None:
    """With 0 to 3 Focus."""
    for focus in range(4):
        python, file = ships(dice, focus)
        words = " ".join(["roll nav", *(f"m{slot}" for slot in range(1, dice - 3)), call])
        assert_same(odds(python, words, Y2026), odds(file, f"roll nav {call}", FILE))


@pytest.mark.parametrize(
    ("dice", "call", "quality"), cases([*product(range(1, 7), CALLS, ("forceful", "reckless"))], 0, 5)
)
def test_the_odds_of_people_are_the_same(dice: int, call: str, quality: str) -> None:
    """Whether they raise dice or roll them again."""
    _, theirs, ours = TOOLS[dice]
    for focus in range(4):
        python, file = people(dice, focus, quality)
        expected = odds(python, f"roll mara {theirs} {call}", Y2026)
        assert_same(expected, odds(file, f"roll crew mara {ours} {call}", FILE))


@pytest.mark.parametrize(("dice", "focus"), cases([*product(range(4), range(3))], 0))
def test_typed_dice_lead_to_the_same_with_every_raise(dice: int, focus: int) -> None:
    """The same rolls are asked about. The game raises all dice in one act, the file one after another, to the same outcome."""
    for faces in combinations_with_replacement(range(1, 7), dice or 2):
        words = " ".join(["roll nav", *map(str, faces)])
        python, file = (play(state, words, game) for state, game in zip(ships(dice, focus), (Y2026, FILE), strict=True))
        assert outcomes(python) == outcomes(file), words
        assert (Y2026.question(python.state) is None) is (FILE.question(file.state) is None), words
        if Y2026.question(python.state) is None:
            continue
        for raised in _raises(faces, focus):
            expected = outcomes(play(python.state, " ".join(["focus", *map(str, raised)]), Y2026))
            assert _raised_in_file(file.state, raised) == expected, (words, raised)


def _raises(faces: tuple[int, ...], focus: int) -> Iterator[tuple[int, ...]]:
    """Yield every way to raise dice by 1, up to as often as there is Focus."""
    for face in dict.fromkeys(faces) if focus else ():
        if face < 6:
            yield (face,)
            place = faces.index(face)
            raised = (*faces[:place], face + 1, *faces[place + 1 :])
            yield from ((face, *more) for more in _raises(raised, focus - 1))


def _raised_in_file(state: State, raised: tuple[int, ...]) -> list[str]:
    """Return the outcome in the file after these dice have been raised, each in an act of its own."""
    for face in raised:
        (found,) = (found for found in FILE.moves(state) if found.id == "focus")
        played = play(state, f"focus {face}" if found.asks else "focus", FILE)
        if outcomes(played):
            return outcomes(played)
        state = played.state
    return outcomes(play(state, "keep", FILE))
