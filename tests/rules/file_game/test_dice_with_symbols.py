"""Dice with symbols: what they come to, how likely that is, and how they are typed and told. The game is like Genesys."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import product
from math import prod

import pytest

from tests.file_games import FOLDER
from waylog.rules.file_game.check import check_game
from waylog.rules.file_game.dice_readings import Band, Reading, ReadingKind, RollPlan, WhenShown
from waylog.rules.file_game.dice_throws_and_cards import DiceGroup, die_with_symbols, symbols_counted
from waylog.rules.file_game.odds.odds_without_spends import exact_odds
from waylog.rules.model.facts import OutcomeGrade
from waylog.rules.model.odds import Ratio

TEXT = (FOLDER / "far-lantern" / "game.toml").read_text()
TREE = tomllib.loads(TEXT)
GAME = check_game(TREE)[0]
COUNTED = symbols_counted(GAME)
Pool = Mapping[str, int]
POOLS: Sequence[Pool] = [
    {die: count for die, count in zip(TREE["faces"], counts, strict=True) if count}
    for counts in (
        *((0, 0, ability, difficulty, 0, 0) for ability in (1, 2, 3) for difficulty in (0, 1, 2)),
        *((0, 0, ability, 1, proficiency, 0) for ability in (0, 1, 2) for proficiency in (1, 2)),
        *((boost, setback, 1, 1, 1, 0) for boost in (0, 1) for setback in (0, 1)),
        *((0, 0, ability, difficulty, 1, 1) for ability in (0, 1) for difficulty in (0, 1)),
        *((boost, setback, 0, 0, 0, 1) for boost in (0, 1, 2) for setback in (1, 2)),
        *((0, setback, 0, 0, 2, 1) for setback in (0, 1)),
        (2, 2, 1, 1, 0, 0),
    )
]
_BANDS: Sequence[tuple[int | None, str]] = (
    (None, ""),
    (None, "symbols.advantage > 0"),
    (1, ""),
    (1, "symbols.advantage >= 0"),
    (1, "symbols.triumph > symbols.despair"),
)


def _plan(pool: Pool) -> RollPlan:
    """A roll of these dice, with the outcomes in `_BANDS`, which are called by their places."""
    groups = [DiceGroup(count, die_with_symbols(die, GAME, "success")) for die, count in pool.items()]
    bands = [
        Band(str(place), str(place), OutcomeGrade.SUCCESS, low, when=WhenShown(when) if when else None)
        for place, (low, when) in enumerate(_BANDS)
    ]
    return RollPlan(tuple(groups), Reading(ReadingKind.SYMBOLS, symbols=(*COUNTED,)), tuple(bands))


def _outcome(faces: Sequence[str]) -> str:
    """The outcome of these faces, as a person at the table counts them."""
    shown = Counter(word for face in faces for word in face.split())
    net = shown["success"] + shown["triumph"] - shown["failure"] - shown["despair"]
    more = shown["advantage"] - shown["threat"]
    if net < 1:
        return "1" if more > 0 else "0"
    if shown["triumph"] > shown["despair"]:
        return "4"
    return "3" if more >= 0 else "2"


@pytest.mark.parametrize("pool", POOLS, ids=str)
def test_odds_are_those_of_every_throw(pool: Pool) -> None:
    """The chance of each outcome is that which counting all throws gives."""
    dice = [Counter(TREE["faces"][die]).items() for die, count in pool.items() for _ in range(count)]
    throws = Counter[str]()
    for throw in product(*dice):
        throws[_outcome([face for face, _ in throw])] += prod(alike for _, alike in throw)
    expected = {outcome: Ratio(ways, throws.total()) for outcome, ways in throws.items()}
    assert {outcome: chance for outcome, chance in exact_odds(_plan(pool)).items() if chance} == expected
