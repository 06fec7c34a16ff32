"""Exact odds as fractions, and a forecast of consequences.

`Ratio` does what `Fraction` of the standard library does, as far as odds need it, and is equal to it. It is our own because that module
brings decimals and abstract numbers along: two milliseconds, which is more than the odds of most rolls take.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Sequence
from math import gcd
from typing import ClassVar, Protocol

from waylog.rules.model.dice import Die
from waylog.rules.model.facts import NoteFact, OutcomeGrade
from waylog.values import dataclass


class _Rational(Protocol):
    """A whole number, a `Ratio` or a `Fraction`."""

    @property
    def numerator(self) -> int: ...

    @property
    def denominator(self) -> int: ...


class Ratio:
    """A fraction in lowest terms, whose denominator is positive. It never changes."""

    __slots__ = ("denominator", "numerator")

    def __init__(self, numerator: int = 0, denominator: int = 1) -> None:
        """Raises `ZeroDivisionError` if the denominator is 0."""
        if not denominator:
            raise ZeroDivisionError(f"Ratio({numerator}, 0)")
        common = gcd(numerator, denominator) if denominator > 0 else -gcd(numerator, denominator)
        self.numerator, self.denominator = numerator // common, denominator // common

    def __repr__(self) -> str:
        return f"Ratio({self.numerator}, {self.denominator})"

    def __str__(self) -> str:
        return str(self.numerator) if self.denominator == 1 else f"{self.numerator}/{self.denominator}"

    @classmethod
    def parse(cls, text: str) -> Ratio:
        """Return the fraction that `str` gives: `5/36`, or `1`. Raises `ValueError` for any other text."""
        numerator, slash, denominator = text.partition("/")
        if slash and not int(denominator):
            raise ValueError(f"{text[:40]} divides by 0")
        return cls(int(numerator), int(denominator) if slash else 1)

    def __int__(self) -> int:
        """Return the whole number, without the decimals."""
        whole = abs(self.numerator) // self.denominator
        return whole if self.numerator >= 0 else -whole

    def __float__(self) -> float:
        return self.numerator / self.denominator

    def __bool__(self) -> bool:
        return bool(self.numerator)

    def __abs__(self) -> Ratio:
        return Ratio(abs(self.numerator), self.denominator)

    # -- comparing: also with whole numbers and those of the standard library --------------------------------------

    def __hash__(self) -> int:
        """Return the hash of equal numbers of other types."""
        modulus = sys.hash_info.modulus
        try:
            found = abs(self.numerator) % modulus * pow(self.denominator, -1, modulus) % modulus
        except ValueError:  # The denominator is a multiple of the modulus.
            found = sys.hash_info.inf
        return hash(found if self.numerator >= 0 else -found)

    def __eq__(self, other: object) -> bool:
        try:
            return (self.numerator, self.denominator) == (other.numerator, other.denominator)  # type: ignore[attr-defined]
        except AttributeError:
            return NotImplemented

    def __lt__(self, other: _Rational) -> bool:
        return self.numerator * other.denominator < other.numerator * self.denominator

    def __le__(self, other: _Rational) -> bool:
        return self.numerator * other.denominator <= other.numerator * self.denominator

    def __gt__(self, other: _Rational) -> bool:
        return self.numerator * other.denominator > other.numerator * self.denominator

    def __ge__(self, other: _Rational) -> bool:
        return self.numerator * other.denominator >= other.numerator * self.denominator

    # -- arithmetic ------------------------------------------------------------------------------------------------

    def __add__(self, other: _Rational) -> Ratio:
        whole = self.denominator * other.denominator
        return Ratio(self.numerator * other.denominator + other.numerator * self.denominator, whole)

    __radd__ = __add__

    def __neg__(self) -> Ratio:
        return Ratio(-self.numerator, self.denominator)

    def __sub__(self, other: _Rational) -> Ratio:
        whole = self.denominator * other.denominator
        return Ratio(self.numerator * other.denominator - other.numerator * self.denominator, whole)

    def __rsub__(self, other: _Rational) -> Ratio:
        return -self + other

    def __mul__(self, other: _Rational) -> Ratio:
        return Ratio(self.numerator * other.numerator, self.denominator * other.denominator)

    __rmul__ = __mul__

    def __truediv__(self, other: _Rational) -> Ratio:
        return Ratio(self.numerator * other.denominator, self.denominator * other.numerator)

    def __rtruediv__(self, other: _Rational) -> Ratio:
        return Ratio(other.numerator * self.denominator, other.denominator * self.numerator)

    def __pow__(self, times: int) -> Ratio:
        """Return its power. The exponent may be negative."""
        if times < 0:
            return Ratio(self.denominator**-times, self.numerator**-times)
        return Ratio(self.numerator**times, self.denominator**times)


@dataclass(frozen=True, slots=True)
class Chance:
    """The probability of one outcome."""

    PACKED: ClassVar = ("label", "mood", "chance")

    outcome: str
    """The outcome as the rules call it. Players are sent its label alone, and this is empty for them."""
    label: str
    mood: OutcomeGrade | None
    chance: Ratio


@dataclass(frozen=True, slots=True)
class Spread:
    """The probabilities of all outcomes, worst first; they add up to 1. `label` names a condition: `with 2 Focus`."""

    label: str
    chances: tuple[Chance, ...]


@dataclass(frozen=True, slots=True)
class Odds:
    """The odds of a roll, before it is made."""

    PACKED: ClassVar = ("act", "dice", "spread", "spends", "to_type")

    dice: str
    """The pool in words: `3d6: NAV 2 + AFTERBURNERS`."""
    spread: Spread
    spends: tuple[Spread, ...] = ()
    """The odds with tokens spent in the best way: one spread for each number of tokens."""
    reasons: tuple[NoteFact, ...] = ()
    """The reasons for the roll's type and dice, such as the clause that makes it Desperate."""
    forecast: tuple[NoteFact, ...] = ()
    """The consequences of bad outcomes, in words and figures."""
    act: str = ""
    """The roll with its answers, where odds of many rolls are kept for players; otherwise empty."""
    to_type: tuple[Die, ...] = ()
    """The dice to be typed by somebody who rolls real ones, in order, where the odds are kept for players; otherwise empty."""


def count_chances(chances: Iterable[Ratio]) -> Sequence[Ratio]:
    """Return how likely it is that so many of several things happen, from none to all, given how likely each is."""
    found = [Ratio(1)]
    for chance in chances:
        each = zip([*found, Ratio()], [Ratio(), *found], strict=True)
        found = [(1 - chance) * same + chance * fewer for same, fewer in each]
    return found


def percent(chance: Ratio) -> str:
    """Return a chance as people say it: `12.5 %`. Only an impossible one is `0 %`, and only a certain one `100 %`."""
    # In whole numbers, as each key that is typed shows a dozen of them and fractions take ten times as long.
    share, whole = chance.numerator, chance.denominator
    if 0 < 2000 * share < whole:
        return "<0.1 %"
    if 1999 * whole < 2000 * share < 2000 * whole:
        return ">99.9 %"
    return f"{100 * share / whole:.1f}".removesuffix(".0") + " %"


def name_chances(named: Iterable[tuple[object, Ratio]]) -> str:
    """Return chances as people read them: `Fiasco 12.5 %, Success 87.5 %`."""
    return ", ".join(f"{name} {percent(chance)}" for name, chance in named)


_MOST_RANGES = 60
"""More chances than any window or sentence has room for."""


def coarser_and_coarser(chances: Sequence[Chance]) -> Iterator[Sequence[Chance]]:
    """Yield the chances of numbers, and again with one less of them, until two are left: the least likely neighbours become one, as
    `2–8`. Of very many, as many share one from the beginning.
    """
    each = -(-len(chances) // _MOST_RANGES)
    parts = [chances[at : at + each] for at in range(0, len(chances), each)]
    ranges = [(part[0].label, part[-1].label, sum((one.chance for one in part), Ratio())) for part in parts]
    while True:
        names = (first if first == last else f"{first}–{last}" for first, last, _ in ranges)
        yield [Chance("", name, None, one[2]) for name, one in zip(names, ranges, strict=True)]
        if len(ranges) < 3:
            return
        at = min(range(len(ranges) - 1), key=lambda index: ranges[index][2] + ranges[index + 1][2])
        (first, _, one), (_, last, other) = ranges[at : at + 2]
        ranges[at : at + 2] = [(first, last, one + other)]


def list_chances(chances: Sequence[Chance], most: int) -> Sequence[Chance]:
    """Return what of chances is worth a list: outcomes are all named; many numbers share chances until `most` are left, and if all are
    equally likely, one stands for them: `each number`.
    """
    if any(one.mood is not None for one in chances):
        return chances
    chance = chances[0].chance
    if len(chances) > 1 and all(one.chance == chance and one.label.isdigit() for one in chances):
        return [Chance("", "each number", None, chance)]
    return next(each for each in coarser_and_coarser(chances) if len(each) <= most)
