"""Every way in which dice can fall, with its chance: found by typing every face in turn."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache, partial
from itertools import product
from operator import attrgetter
from typing import TypeVar

from waylog.rules.file_game.dice_throws_and_cards import DiceGroup, TableDie, Throw, ThrowRules, parse_die, roll_pool
from waylog.rules.file_game.roll_and_effect_format import ExplodeRule
from waylog.rules.model.dice import DiceWanted, TypedDice
from waylog.rules.model.odds import Ratio
from waylog.values import replace

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
            thrown = [*product(*(range(1, die.sides + 1) for die in wanted.dice))]
            typed += [((*faces, *now), chance / len(thrown)) for now in thrown]
    return found


@cache
def tables(pool: Sequence[DiceGroup], rules: ThrowRules) -> Mapping[tuple[TableDie, ...], Ratio]:
    """The chance of each table that a pool leaves, its dice in order.

    Each die falls, is rerolled and explodes by itself, so that single dice are put together: the throws of four at once may be nine
    million.
    """
    found: Mapping[tuple[TableDie, ...], Ratio] = {(): Ratio(1)}
    for group in pool:
        faces = parse_die(group.die).faces
        alone = _tables_of_one(
            replace(group, count=1), tuple(face for face in rules.reroll if face in faces), rules.explosion
        )
        for _ in range(group.count):
            after: dict[tuple[TableDie, ...], Ratio] = defaultdict(Ratio)
            for table, chance in found.items():
                for die, part in alone.items():
                    after[in_order((*table, *die))] += chance * part
            found = after
    return found


@cache
def _tables_of_one(
    die: DiceGroup, reroll: tuple[int, ...], explosion: ExplodeRule | None
) -> Mapping[tuple[TableDie, ...], Ratio]:
    found: dict[tuple[TableDie, ...], Ratio] = defaultdict(Ratio)
    for table, chance in every_way(partial(roll_pool, (die,), ThrowRules(reroll, explosion))).items():
        found[in_order(table)] += chance
    return found


def in_order(table: Iterable[TableDie]) -> tuple[TableDie, ...]:
    """The dice of a table in order, so that equal tables are looked at once."""
    return tuple(sorted(table, key=attrgetter("against", "die", "label", "face", "final")))
