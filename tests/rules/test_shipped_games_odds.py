"""The odds of the games in files that come with Waylog: as rolled against another library, with spends against plain play by hand."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from typing import Any, TypeVar

import icepool
import pytest

from tests.file_games import game_of
from tests.kit.thorough import cases
from waylog.rules.game import Game
from waylog.rules.language.command_parser import parse_act
from waylog.rules.model.answers import complete_answers
from waylog.rules.model.moves import ActRefused
from waylog.rules.model.odds import Odds, Ratio
from waylog.values import replace

BREAKERS, POST, ICE = (Game(game_of(name)) for name in ("breakers-yard", "long-post", "under-the-ice"))
Chances = Mapping[str, Ratio]
T = TypeVar("T")


def odds(game: Game, words: str, person: str, **values: Any) -> tuple[Odds, dict[str, Chances]]:
    """Return the odds of a roll by somebody with these values, and the chances with what is spent by its label."""
    fresh = game.fresh("Trial")
    sheet = fresh.sheet
    first = next(part for part in ("tug", "ship", "station") if hasattr(sheet, part))
    shared = {key.removeprefix("shared_"): value for key, value in values.items() if key.startswith("shared_")}
    own = {key: value for key, value in values.items() if not key.startswith("shared_")}
    crew = {**sheet.crew, person: replace(sheet.crew[person], **own)}
    state = replace(fresh, sheet=replace(sheet, crew=crew, **{first: replace(getattr(sheet, first), **shared)}))
    act = parse_act(game.moves(state), words)
    found = game.odds(state, act.move, complete_answers(act.move, act.answers))
    assert found
    return found, {spread.label: _of(spread) for spread in (found.spread, *found.spends)}


def _of(spread: Any) -> Chances:
    return {chance.outcome: chance.chance for chance in spread.chances if chance.chance}


def theirs(die: Any) -> Chances:
    """What another library says, by outcome."""
    return {str(outcome): Ratio(ways, die.denominator()) for outcome, ways in die.items() if ways}


def is_told(found: Mapping[str, Chances], label: str, expected: Chances) -> bool:
    """Whether these chances are told; with the label, unless they are those of another label."""
    return found[label] == expected if label in found else expected in found.values()


# -- playing in the best way, as plainly as can be ---------------------------------------------------------------------

Worth = tuple[Ratio, ...]
"""The mean grade, and then the chances of each outcome, worst first, each negative: of two, the larger is better."""


def certain(outcome: str, order: Sequence[str], grades: Sequence[int]) -> tuple[Worth, Chances]:
    """Return what an outcome is worth: its grade counts first, then outcomes of the worst grade, those of the worst two, and so on."""
    place = order.index(outcome)
    by_grade = tuple(Ratio(-(grades[place] <= grade)) for grade in dict.fromkeys(grades))
    within = tuple(Ratio(-(place <= other)) for other in range(len(order)))
    return (Ratio(grades[place]), *by_grade, *within), {outcome: Ratio(1)}


def mean(ways: Sequence[tuple[Worth, Chances]]) -> tuple[Worth, Chances]:
    """Return the mean of what comes up with equal chances."""
    count = len(ways)
    worth = tuple(sum(column, Ratio(0)) / count for column in zip(*(worth for worth, _ in ways), strict=True))
    outcomes = {outcome for _, chances in ways for outcome in chances}
    return worth, {
        outcome: sum((chances.get(outcome, Ratio(0)) for _, chances in ways), Ratio(0)) / count for outcome in outcomes
    }


def best(ways: Iterator[tuple[Worth, Chances]]) -> tuple[Worth, Chances]:
    """Return the best of several ways to go on."""
    return max(ways, key=lambda way: way[0])


D6 = range(1, 7)

# -- Breakers' Yard ----------------------------------------------------------------------------------------------------

YARD = ("bad", "partial", "good", "clean")


def read_pool(faces: Sequence[int], lowest: bool = False) -> str:
    """The highest of them; without dice, the lower of two."""
    face = min(faces) if lowest else max(faces)
    if face == 6 and not lowest and faces.count(6) > 1:
        return "clean"
    return "good" if face == 6 else "partial" if face > 3 else "bad"


@cache
def yard(faces: tuple[int, ...], push: bool, brace: bool, steps: int, lowest: bool) -> tuple[Worth, Chances]:
    """One more die, or a roll that went wrong turned into one at a price; each once. A die that comes later is read anew (BY-05)."""

    def ways() -> Iterator[tuple[Worth, Chances]]:
        order = YARD[:3] if lowest else YARD
        now = order[min(order.index(read_pool(faces, lowest)) + steps, len(order) - 1)]
        yield certain(now, YARD, range(4))
        if push:
            yield mean([yard(tuple(sorted((*faces, face))), False, brace, 0, lowest) for face in D6])
        if brace and now == "bad":
            yield yard(faces, push, False, steps + 1, lowest)

    return best(ways())


def thrown(dice: int, result: Callable[[tuple[int, ...]], T]) -> list[T]:
    """Return what comes of every throw of so many d6."""
    found: list[tuple[int, ...]] = [()]
    for _ in range(dice):
        found = [(*faces, face) for faces in found for face in D6]
    return [result(tuple(sorted(faces))) for faces in found]


@pytest.mark.parametrize("roll", ["cut", "read", "dare"])
@pytest.mark.parametrize("dice", range(5))
def test_breakers_yard(roll: str, dice: int) -> None:
    """0 to 4 dice, as rolled, with Stress, with Harm and with both."""
    if dice == 4 and roll != "cut":
        return
    skill, words = min(dice, 3), f"roll {roll} oda{' help' if dice == 4 else ''}"
    _, found = odds(BREAKERS, words, "oda", **{roll: skill})
    lowest, count = not dice, dice or 2
    pool = icepool.d6.pool(count)
    assert found["with nothing spent"] == theirs(pool.expand().map(lambda faces: read_pool(faces, lowest)))
    for label, push, brace in (("2 Stress", True, False), ("1 Harm", False, True), ("everything", True, True)):
        _, chances = mean(thrown(count, lambda faces: yard(faces, push, brace, 0, lowest)))  # noqa: B023 called at once
        assert is_told(found, f"with {label}", {o: c for o, c in chances.items() if c}), label


def test_breakers_yard_when_there_is_little_to_spend() -> None:
    """With 5 Stress nothing is pushed, and hurt people roll a die less."""
    found, chances = odds(BREAKERS, "roll cut oda", "oda", cut=3, stress=5, harm=2)
    assert (found.dice, [*chances]) == ("2d6: Cut", ["with nothing spent", "with 1 Harm"])
    assert chances["with nothing spent"] == theirs(icepool.d6.pool(2).expand().map(read_pool))


# -- The Long Post -----------------------------------------------------------------------------------------------------

POST_ORDER = ("miss", "mixed", "hit")


@cache
def post(free: tuple[int, ...], final: tuple[int, ...], plus: int, luck: int, favour: bool) -> tuple[Worth, Chances]:
    """Luck adds 1; a favour rolls the lower die again, once."""
    total = sum(free) + sum(final) + plus
    now = "hit" if total >= 10 else "mixed" if total >= 7 else "miss"

    def ways() -> Iterator[tuple[Worth, Chances]]:
        yield certain(now, POST_ORDER, range(3))
        if luck:
            yield post(free, final, plus + 1, luck - 1, favour)
        if favour:
            yield mean([post(free[1:], (face,), plus, luck, False) for face in D6])

    return best(ways())


@pytest.mark.parametrize("plus", range(-1, 4))
@pytest.mark.parametrize("luck", range(4))
def test_the_long_post(plus: int, luck: int) -> None:
    """Every stat with every number of Luck, alone and with a favour."""

    def banded(stat: int) -> Chances:
        return theirs(
            (2 @ icepool.d6 + stat).map(lambda total: "hit" if total > 9 else "mixed" if total > 6 else "miss")
        )

    def played(count: int, favour: bool) -> Chances:
        chances = mean(thrown(2, lambda faces: post(faces, (), plus, count, favour)))[1]
        return {outcome: chance for outcome, chance in chances.items() if chance}

    for roll in ("steer", "stand"):
        _, found = odds(POST, f"roll {roll} bel", "bel", luck=luck, **{roll: plus})
        assert found["with nothing spent"] == banded(plus)
        for count in range(1, luck + 1):
            assert found[f"with {count} Luck"] == played(count, False)
    _, found = odds(POST, "roll talk bel", "bel", luck=luck, talk=plus)
    assert found["with nothing spent"] == banded(plus)
    assert found["with 1 Favour"] == played(0, True)
    if luck:
        assert found[f"with {luck} Luck"] == played(luck, False)
        assert found["with everything spent"] == played(luck, True)


@pytest.mark.parametrize(("words", "by"), [("hard", -1), ("easy", 1), ("help easy", 2), ("help", 1), ("help hard", 0)])
def test_help_and_calls_of_the_long_post(words: str, by: int) -> None:
    """They change what is added; so do weariness and wear."""
    plain = odds(POST, "roll steer bel", "bel", steer=by)[1]
    assert odds(POST, f"roll steer bel {words}", "bel", steer=0)[1] == plain
    assert odds(POST, f"roll steer bel {words}", "bel", steer=2, weary=True, shared_wear=4)[1] == plain


# -- Under the Ice -----------------------------------------------------------------------------------------------------

ICE_ORDER, ICE_GRADES = ("fumble", "fail", "success", "best"), (0, 0, 2, 3)


def read_under(face: int, target: int) -> str:
    """At or under the target; two equal digits make it better or worse. 100 is 00."""
    doubles = face % 11 == 0 or face == 100
    return ("best" if doubles else "success") if face <= target else "fumble" if doubles else "fail"


@cache
def under(face: int, target: int, luck: bool, push: bool) -> tuple[Worth, Chances]:
    """After a failure, 10 Luck make it 10 easier, and 3 Sanity roll it again; each once."""
    now = read_under(face, target)

    def ways() -> Iterator[tuple[Worth, Chances]]:
        yield certain(now, ICE_ORDER, ICE_GRADES)
        if luck and now == "fail":
            yield under(face, target + 10, False, push)
        if push and now == "fail":
            yield any_throw(target, luck, False)

    return best(ways())


@cache
def any_throw(target: int, luck: bool, push: bool) -> tuple[Worth, Chances]:
    """Of a hundred faces, each as likely as any other."""
    return mean([under(face, target, luck, push) for face in range(1, 101)])


_TARGETS: Mapping[str, Callable[[int], int]] = {
    "plain": lambda skill: skill,
    "calm": lambda skill: skill + 20,
    "hard": lambda skill: skill // 2,
}


@pytest.mark.parametrize(
    ("roll", "call", "skill"),
    cases([*product(("craft", "watch", "body"), _TARGETS, (0, 1, 9, 10, 33, 50, 66, 89, 95))], 0, 4),
)
def test_under_the_ice(roll: str, call: str, skill: int) -> None:
    """Every call of every skill, with Luck, with another try, and with both. Nobody swims with time and light."""
    if (roll, call) == ("body", "calm"):
        with pytest.raises(ActRefused, match="Unknown word “calm”"):
            odds(ICE, "roll body irsa calm", "irsa", body=skill)
        return
    _, found = odds(ICE, f"roll {roll} irsa {call}", "irsa", **{roll: skill})
    aim = _TARGETS[call](skill)
    assert found["with nothing spent"] == theirs(icepool.d(100).map(lambda face: read_under(face, aim)))
    for label, luck, push in (("10 Luck", True, False), ("3 Sanity", False, True), ("everything", True, True)):
        chances = any_throw(aim, luck, push)[1]
        expected = {outcome: chance for outcome, chance in chances.items() if chance}
        assert is_told(found, f"with {label}", expected), label


@pytest.mark.parametrize(
    ("values", "by"), [({"sanity": 29}, 10), ({"shared_heat": 0}, 20), ({"sanity": 1, "shared_heat": 0}, 30)]
)
def test_fear_and_cold_of_under_the_ice(values: Mapping[str, int], by: int) -> None:
    """Each skill is so much harder; without enough Sanity nothing is tried again."""
    for roll in ("craft", "watch", "body"):
        found = odds(ICE, f"roll {roll} irsa", "irsa", **{roll: 60}, **values)[1]
        assert found["with nothing spent"] == theirs(icepool.d(100).map(lambda face: read_under(face, 60 - by)))
        assert ("with 3 Sanity" in found) is (values.get("sanity", 60) >= 3)


@pytest.mark.parametrize("sanity", [1, 30, 60, 95])
def test_sanity_of_under_the_ice(sanity: int) -> None:
    """At or under what is left of it, and nothing helps."""
    for call in ("glimpse", "horror"):
        found = odds(ICE, f"roll sanity irsa {call}", "irsa", sanity=sanity)[1]
        assert found == {"with nothing spent": {"breaks": Ratio(100 - sanity, 100), "holds": Ratio(sanity, 100)}}
