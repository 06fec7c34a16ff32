"""Dice of a game in a file: their kinds, the pools that they make, and how a pool is rolled.

A kind has faces that are whole numbers and equally likely: a d6 has 1 to 6, a Fate die −1, 0 and 1, a d66 the numbers 11 to 66 whose
digits are 1 to 6. Some kinds are rolled as other dice: a d66 as two d6, a Fate die as a d3 whose 1, 2 and 3 mean −1, 0 and 1.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

from waylog.rules.dice import Die, Face
from waylog.rules.dice_notation import NotDice
from waylog.values import dataclass, replace

MOST_DICE = 20
"""The most dice in a pool, those of the other side and those that are added later included."""
MOST_EXPLOSIONS = 5
_MOST_SIDES = 20
_SIZE = re.compile(r"d([0-9]{1,3})")


@dataclass(frozen=True, slots=True)
class DieKind:
    """A kind of die."""

    name: str
    faces: tuple[int, ...]
    """Lowest first, equally likely."""
    sides: tuple[int, ...]
    """The sides of the dice that are rolled for one of these."""

    @property
    def top(self) -> int:
        """The highest face."""
        return self.faces[-1]

    @property
    def has_digits(self) -> bool:
        """Whether its face is two digits, which may be doubles."""
        return self.name in ("d66", "d100")

    def face(self, rolled: Sequence[int]) -> int:
        """Return the face that the rolled dice mean, one for each of `sides`."""
        if len(rolled) == 2:
            return 10 * rolled[0] + rolled[1]
        return self.faces[rolled[0] - 1]


@lru_cache(64)
def parse_die(text: str) -> DieKind:
    """Return the kind of die: `d2` to `d20`, `d66`, `d100`, or `dF` for a Fate die. Raises `NotDice`."""
    name = text.strip().lower()
    if name == "df":
        return DieKind("dF", (-1, 0, 1), (3,))
    if name == "d66":
        return DieKind("d66", tuple(10 * tens + units for tens in range(1, 7) for units in range(1, 7)), (6, 6))
    size = _SIZE.fullmatch("d100" if name == "d%" else name)
    sides = int(size[1]) if size else 0
    if 2 <= sides <= _MOST_SIDES or sides == 100:
        return DieKind(f"d{sides}", tuple(range(1, sides + 1)), (sides,))
    raise NotDice(f"“{text[:20]}” is not a die: write d2 to d{_MOST_SIDES}, d66, d100 or dF")


@dataclass(frozen=True, slots=True)
class DiceGroup:
    """Dice of one kind, for one reason."""

    count: int
    die: str
    label: str = ""
    """What they are for: `NAV`, `help`."""
    against: bool = False
    """They are the other side's."""


@dataclass(frozen=True, slots=True)
class Explosion:
    """Dice that show a high face bring more dice."""

    times: int = 1
    """How often in a row, for each die of the pool."""
    at: int | None = None
    """The lowest face that does; None for each die's highest face."""
    adds: bool = False
    """The new face is added to the die. Otherwise it is a die of its own."""

    def bursts(self, kind: DieKind, face: int) -> bool:
        """Whether a die that was just rolled brings another."""
        return face >= (kind.top if self.at is None else self.at)


@dataclass(frozen=True, slots=True)
class ThrowRules:
    """What happens to dice while they are rolled, before anybody reads them."""

    reroll: tuple[int, ...] = ()
    """A die of the pool that shows one of these faces is rolled once more, and the new face stands."""
    explosion: Explosion | None = None


@dataclass(frozen=True, slots=True)
class TableDie:
    """A die on the table."""

    die: str
    face: int
    label: str = ""
    against: bool = False
    final: bool = False
    """It was rerolled, and may not be rerolled again."""


Throw = Callable[[Sequence[Die]], Sequence[Face]]
"""Rolls dice, or takes the faces that a person types."""


def roll_pool(pool: Sequence[DiceGroup], rules: ThrowRules, throw: Throw) -> tuple[TableDie, ...]:
    """Roll a pool, with its rerolls and explosions. The dice come in the order of the pool, those of explosions at the end.

    May raise what `throw` raises, such as `DiceWanted`.
    """
    return roll_by_rules([TableDie(g.die, 0, g.label, g.against) for g in pool for _ in range(g.count)], rules, throw)


def roll_by_rules(dice: Sequence[TableDie], rules: ThrowRules, throw: Throw) -> tuple[TableDie, ...]:
    """Roll these dice, whatever they show, with their rerolls and explosions."""
    table = list(roll_dice(dice, throw))
    again = [place for place, die in enumerate(table) if die.face in rules.reroll]
    for place, die in zip(again, roll_dice([table[place] for place in again], throw), strict=True):
        table[place] = die
    explosion = rules.explosion
    if not explosion:
        return tuple(table)
    # The dice that were rolled last, each with its place on the table.
    last = list(enumerate(table))
    for _ in range(explosion.times):
        burst = [(place, die) for place, die in last if explosion.bursts(parse_die(die.die), die.face)]
        rolled = roll_dice([die for _, die in burst], throw)
        last = []
        for (place, _), die in zip(burst, rolled, strict=True):
            if explosion.adds:
                table[place] = replace(die, face=table[place].face + die.face)
                last.append((place, die))
            else:
                table.append(die)
                last.append((len(table) - 1, die))
    return tuple(table)


def roll_dice(dice: Sequence[TableDie], throw: Throw) -> tuple[TableDie, ...]:
    """Return the dice with new faces."""
    wanted = [Die(die.label or die.die, sides) for die in dice for sides in parse_die(die.die).sides]
    rolled = [face.face for face in throw(wanted)] if wanted else []
    found = []
    for die in dice:
        kind = parse_die(die.die)
        found.append(replace(die, face=kind.face(rolled[: len(kind.sides)])))
        del rolled[: len(kind.sides)]
    return tuple(found)
