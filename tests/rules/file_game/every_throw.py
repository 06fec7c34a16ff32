"""Every way in which dice can fall, with its chance: found by typing every face in turn."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TypeVar

from waylog.rules.file_game.dice_readings import DiceGroup, TableDie, Throw, ThrowRules, roll_pool
from waylog.rules.model.dice import DiceWanted, TypedDice
from waylog.rules.model.odds import Ratio

T = TypeVar("T")


def every_way(roll: Callable[[Throw], T]) -> Mapping[T, Ratio]:
    """The chance of each thing that a function of dice can return."""
    found: dict[T, Ratio] = defaultdict(Ratio)
    typed: list[tuple[tuple[int, ...], Ratio]] = [((), Ratio(1))]
    while typed:
        faces, chance = typed.pop()
        try:
            found[roll(TypedDice(faces).roll)] += chance
        except DiceWanted as wanted:
            sides = wanted.dice[0].sides
            typed += [((*faces, face), chance / sides) for face in range(1, sides + 1)]
    return found


@cache
def tables(pool: Sequence[DiceGroup], rules: ThrowRules) -> Mapping[tuple[TableDie, ...], Ratio]:
    """The chance of each table that a pool leaves."""
    return every_way(lambda throw: roll_pool(pool, rules, throw))
