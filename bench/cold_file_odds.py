"""Prints how many milliseconds of processor time the slowest odds take of rolls as games in files have them, in a new process.

With spends: for each number of tokens in hand, as a table shows them before a roll.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from waylog.rules.file_game.dice_readings import Band, Keep, Reading, ReadingKind, RollPlan
from waylog.rules.file_game.dice_throws_and_cards import DiceGroup, ThrowRules
from waylog.rules.file_game.odds.odds_with_spends import best_odds
from waylog.rules.file_game.odds.odds_without_spends import exact_odds
from waylog.rules.file_game.roll_and_effect_format import ExplodeRule
from waylog.rules.file_game.spends import Picked, RaiseDie, RaiseTotal, Reroll, Spend, StepOutcome
from waylog.rules.model.facts import OutcomeGrade

if TYPE_CHECKING:
    Rolls = Mapping[str, tuple[RollPlan, tuple[Spend, ...], int]]

FIASCO, DRAWBACK, SUCCESS, CRITICAL = OutcomeGrade


def bands(drawback: int, success: int, critical: Band) -> tuple[Band, ...]:
    """Four outcomes: from which value on each of them begins."""
    return (
        Band("bad", "", FIASCO),
        Band("partly", "", DRAWBACK, drawback),
        Band("good", "", SUCCESS, success),
        critical,
    )


def roll(dice: str, reading: Reading, outcomes: tuple[Band, ...], rules: ThrowRules | None = None) -> RollPlan:
    """Dice in short, such as `1d6 1d8`, and `/1d8` for one of the other side."""
    pairs = (group.partition("d") for group in dice.split())
    pool = tuple(DiceGroup(int(count.lstrip("/")), f"d{size}", against=count[0] == "/") for count, _, size in pairs)
    return RollPlan(pool, reading, outcomes, rules or ThrowRules())


SIXES = bands(4, 6, Band("best", "", CRITICAL, 6, matches=2))
MOVES = bands(7, 10, Band("best", "", CRITICAL, 12))
UNDER = bands(0, 0, Band("best", "", CRITICAL, 0, doubles=True))
HITS = bands(1, 2, Band("best", "", CRITICAL, 4))
SUM, HIGHEST = Reading(ReadingKind.SUM, 2), Reading(ReadingKind.HIGHEST)
ROLLS: Rolls = {
    "six d6, the highest, raised": (roll("6d6", HIGHEST, SIXES), (Spend("raise", RaiseDie(), "focus"),), 3),
    "six d6, the highest, rerolled": (roll("6d6", HIGHEST, SIXES), (Spend("reroll", Reroll(), "focus"),), 3),
    "four d6, the highest, pushed": (
        roll("4d6", HIGHEST, SIXES),
        (Spend("push", Reroll(Picked.NONE, more=1), "focus", 2, 1), Spend("step", StepOutcome(), "focus", 3, 1)),
        6,
    ),
    "2d6 and a stat, rerolled": (roll("2d6", SUM, MOVES), (Spend("again", Reroll(Picked.ALL), "focus"),), 2),
    "a d20 with advantage": (
        roll("2d20", Reading(ReadingKind.SUM, 5, keep=Keep(1)), bands(10, 15, Band("best", "", CRITICAL, face_low=20))),
        (Spend("raise", RaiseTotal(2), "focus"),),
        3,
    ),
    "four Fate dice, rerolled": (roll("4dF", SUM, bands(0, 2, Band("best", "", CRITICAL, 4))), (Spend("again", Reroll(once=False), "focus"), Spend("raise", RaiseTotal(2), "focus")), 2),
    "d100 under a skill, with luck": (
        roll("1d100", Reading(ReadingKind.UNDER, target=55), UNDER),
        (Spend("luck", RaiseTotal(), "luck"),),
        5,
    ),
    "ten d10 that explode": (
        roll("10d10", Reading(ReadingKind.COUNT, target=8), HITS, ThrowRules(explosion=ExplodeRule(times=5))),
        (),
        0,
    ),
    "eight d6, sixes, pushed": (
        roll("8d6", Reading(ReadingKind.COUNT, target=6), HITS),
        (Spend("push", Reroll(Picked.ALL, 2, 5), "focus", limit=1),),
        1,
    ),
    "two d20 against one, the lowest rerolled": (
        roll("2d20 /1d20", Reading(ReadingKind.SUM, keep=Keep(1)), bands(0, 1, Band("best", "", CRITICAL, 10))),
        (Spend("again", Reroll(Picked.LOWEST), "hull", limit=1),),
        1,
    ),
    "a pair of two d8 and two d4, the lowest rerolled": (
        roll("2d8 2d4", Reading(ReadingKind.MATCH), (Band("bad", "", FIASCO), Band("good", "", SUCCESS, 2))),
        (Spend("again", Reroll(Picked.LOWEST), "hull", limit=1),),
        1,
    ),
    "step dice": (roll("1d6 1d8 1d10", Reading(ReadingKind.SUM, keep=Keep(2)), MOVES), (), 0),
    "matching sets of seven d10": (roll("7d10", Reading(ReadingKind.MATCH), bands(2, 3, Band("best", "", CRITICAL, 4))), (), 0),
}  # fmt: skip


def timed(plan: RollPlan, spends: tuple[Spend, ...], tokens: int) -> float:
    """Milliseconds for the odds as they are, and with each number of tokens."""
    began = time.process_time()
    if spends:
        best_odds(plan, spends, [None, *(((spends[0].token, count),) for count in range(1, tokens + 1))])
    else:
        exact_odds(plan)
    return (time.process_time() - began) * 1000


if __name__ == "__main__":
    gc.disable()  # As commands do; the app looks for garbage as rarely.
    print(max(timed(*one) for one in ROLLS.values()))
