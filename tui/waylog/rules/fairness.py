"""What fair dice come to: the exact distribution of a sum, and exact tests of how often each face came up.

No bell curve stands in for a distribution. Sums are worked out in units of 1 in 2**64 and single faces in floating point: both are exact to
more digits than anybody reads.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from math import exp, lgamma, log

from waylog.values import NamedTuple

_UNIT = 64
"""Chances of sums are whole numbers of units of 2 to the power of minus this."""
_SLOT = 20
"""Bytes for each chance of a sum while they are multiplied: for a product of two, added up to 2³⁰ times."""
_NEGLIGIBLE = 1e-18
"""Terms of a sum that are this much smaller than the largest are left out."""


class Tails(NamedTuple):
    """The chances that fair dice give less, the same and more than what came."""

    less: float
    same: float
    more: float

    @property
    def as_high(self) -> float:
        """The chance of this much or more."""
        return self.same + self.more

    @property
    def as_low(self) -> float:
        """The chance of this much or less."""
        return self.same + self.less

    @property
    def as_far(self) -> float:
        """The chance of being as far out at either end: twice the smaller tail, at most 1."""
        return min(1.0, 2 * min(self.as_high, self.as_low))


class FaceCount(NamedTuple):
    """How often one face of some dice came up."""

    sides: int
    face: int
    came: int
    dice: int
    """How many such dice were rolled."""

    @property
    def expected(self) -> float:
        """How often fair dice show it, on average."""
        return self.dice / self.sides

    @property
    def tails(self) -> Tails:
        """How likely fair dice are to show it so often."""
        return binomial_tails(self.came, self.dice, 1 / self.sides)


def sum_tails(dice: Mapping[int, int], came: int) -> Tails:
    """Return how likely a sum is, of so many dice by their sides. Raises `ValueError` for a sum that they can't have."""
    least, chances = 0, [1 << _UNIT]
    for sides, count in dice.items():
        first, of_kind = _sum_of_equal(sides, count)
        least, chances = least + first, _convolve(chances, of_kind)
    if not sum(dice.values()) <= came <= sum(sides * count for sides, count in dice.items()):
        raise ValueError(f"no such dice can total {came}")
    at, unit, every = came - least, 1 << _UNIT, sum(chances)
    less, same = sum(chances[: max(0, at)]), chances[at] if 0 <= at < len(chances) else 0
    return Tails(less / unit, same / unit, max(0, every - less - same) / unit)


def _sum_of_equal(sides: int, count: int) -> tuple[int, list[int]]:
    """Return the chances of the sums of equal dice, in units, and the sum that the first of them is for."""
    least, chances = 0, [1 << _UNIT]
    power, power_least = [(1 << _UNIT) // sides] * sides, 1
    while count:
        if count & 1:
            least, chances = _trim(least + power_least, _convolve(chances, power))
        count >>= 1
        if count:
            power_least, power = _trim(2 * power_least, _convolve(power, power))
    return least, chances


def _trim(least: int, chances: list[int]) -> tuple[int, list[int]]:
    """Leave out chances of less than a unit at both ends."""
    first = next(place for place, chance in enumerate(chances) if chance)
    last = next(place for place in range(len(chances), 0, -1) if chances[place - 1])
    return least + first, chances[first:last]


def _convolve(one: Sequence[int], other: Sequence[int]) -> list[int]:
    """Return the chances of the sum of two. All products are made at one time, as one product of two very long numbers."""
    packed = (
        int.from_bytes(b"".join(chance.to_bytes(_SLOT, "little") for chance in each), "little") for each in (one, other)
    )
    size = len(one) + len(other) - 1
    product = (next(packed) * next(packed)).to_bytes(size * _SLOT, "little")
    return [int.from_bytes(product[at : at + _SLOT], "little") >> _UNIT for at in range(0, size * _SLOT, _SLOT)]


def binomial_tails(came: int, count: int, chance: float) -> Tails:
    """Return how likely it is that something with this chance, more than 0 and less than 1, comes so often in so many tries."""
    same = exp(_log_binomial(came, count, chance))
    odds = chance / (1 - chance)
    less = same and _sum_from(same, (k / (count - k + 1) / odds for k in range(came, 0, -1)))
    more = same and _sum_from(same, ((count - k) / (k + 1) * odds for k in range(came, count)))
    if less < more:  # The smaller tail is exact to its last digits; the larger one is the rest.
        return Tails(less, same, max(0.0, 1 - less - same))
    return Tails(max(0.0, 1 - more - same), same, more)


def _log_binomial(came: int, count: int, chance: float) -> float:
    ways = lgamma(count + 1) - lgamma(came + 1) - lgamma(count - came + 1)
    return ways + came * log(chance) + (count - came) * log(1 - chance)


def _sum_from(first: float, ratios: Iterable[float]) -> float:
    """Return the sum of what follows `first`, where each term is the one before it times a ratio. The terms rise before they fall."""
    total, term, largest = 0.0, first, first
    for ratio in ratios:
        term *= ratio
        total, largest = total + term, max(largest, term)
        if ratio < 1 and term < largest * _NEGLIGIBLE:
            break
    return total


def count_faces(dice: Iterable[tuple[int, int]]) -> list[FaceCount]:
    """Return how often each face of some dice came up, also those that never did. Each die is its sides and its face."""
    shown = Counter(dice)
    of_kind = Counter[int]()
    for (sides, _), count in shown.items():
        of_kind[sides] += count
    return [
        FaceCount(sides, face, shown[sides, face], count)
        for sides, count in sorted(of_kind.items())
        for face in range(1, sides + 1)
    ]


def correct_for_many(chances: Sequence[float]) -> list[float]:
    """Return the results of several tests, corrected for their number by Holm's method: none is below 5 % in 95 of 100 cases in which
    nothing is unusual.
    """
    corrected, highest = [1.0] * len(chances), 0.0
    for rank, place in enumerate(sorted(range(len(chances)), key=chances.__getitem__)):
        highest = max(highest, min(1.0, (len(chances) - rank) * chances[place]))
        corrected[place] = highest
    return corrected
