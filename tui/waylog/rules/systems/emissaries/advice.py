"""The adviser: the best ways to see a raise and to make one with the open dice (EG-23). It is exact and considers every
way.

*Best* means the same everywhere: the dice put forward add up to as little as possible, so that most is left; among
equal ways, the one with fewer dice; among those, the one that leaves the highest dice, compared one by one from the
top.

Ways to see with one or two dice are tried one by one. With three or more dice there may be a million ways (2²⁰ for
twenty dice), so they are counted instead: for the dice from each position on, sorted from the top, and for each number
of them, a whole number stores the possible sums as bits. Adding one die is a shift and an `or`, so n dice take n²/2 of
these steps. Then one pass from the top keeps each die that can be spared.

For a raise, every pair of different faces is tried, at most 55, against the sums that one, two and all dice of the
other side can reach. Twenty dice against twenty take a fifth of a millisecond; two hundred against two hundred take
less than one frame of the screen.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from itertools import combinations

from waylog.values import dataclass

Faces = tuple[int, ...]
"""Faces of dice, highest first."""


@dataclass(frozen=True, slots=True)
class DiceSplit:
    """Dice to put forward, and the dice that stay."""

    dice: Faces
    left: Faces

    @property
    def total(self) -> int:
        """Their sum."""
        return sum(self.dice)


@dataclass(frozen=True, slots=True)
class Sees:
    """The best ways to see a raise; None for a way that isn't possible."""

    reverse: DiceSplit | None = None
    """The best way to reverse the raise, with one die (EG-15)."""
    block: DiceSplit | None = None
    """The best way to block or dodge, with two dice (EG-15)."""
    blow: DiceSplit | None = None
    """The best way to take the blow, with three or more dice (EG-15)."""
    fewest: DiceSplit | None = None
    """The way with the fewest dice; None if no dice are enough."""


class Stop(IntEnum):
    """The ways to see that a raise prevents. Each includes those before it."""

    NOTHING = 0
    REVERSE = 1
    BLOCK = 2
    SEE = 3


@dataclass(frozen=True, slots=True)
class RaiseOption:
    """Two dice to raise with, the dice that stay, and what the raise prevents for everybody on the other side."""

    split: DiceSplit
    stops: Stop


def sees(pool: Sequence[int], raised: int) -> Sees:
    """Return the best ways to see a raise of `raised` with dice of the faces in `pool`."""
    dice = tuple(sorted(pool, reverse=True))
    reach = _reach(dice)
    reverse = _best(dice, reach, raised, 1, 1)
    block = _best(dice, reach, raised, 2, 2)
    blow = _best(dice, reach, raised, 3, len(dice))
    least = _least_dice(dice, raised)
    return Sees(reverse, block, blow, _best(dice, reach, raised, least, least) if least else None)


def raises(pool: Sequence[int], others: Sequence[Sequence[int]], kept: Sequence[int] = ()) -> tuple[RaiseOption, ...]:
    """Return every raise, those that prevent the most first, and among these the best first.

    `others` are the dice with which each opponent may see. `kept` are the raiser's dice that reversed a blow and are
    not in `pool`: they have to be among the two dice (EG-16).
    """
    top = max((max(dice, default=0) for dice in others), default=0)
    two = max((sum(sorted(dice)[-2:]) for dice in others), default=0)
    everything = max((sum(dice) for dice in others), default=0)
    found = []
    for pair in _pairs(pool, kept):
        total = sum(pair)
        stops = Stop((total > top) + (total > two) + (total > everything))
        found.append(RaiseOption(DiceSplit(pair, _remaining_dice((*pool, *kept), pair)), stops))
    return tuple(sorted(found, key=_worse))


def _worse(offer: RaiseOption) -> tuple[int, int, Faces]:
    """Return a key to sort raises: by what they prevent, what they cost, and what they leave. Smaller is better."""
    return -offer.stops, offer.split.total, tuple(-face for face in offer.split.left)


def _pairs(pool: Sequence[int], kept: Sequence[int]) -> set[Faces]:
    """Return the different pairs of faces for a raise, each with the higher face first."""
    if len(kept) == 1:
        return {(max(kept[0], mate), min(kept[0], mate)) for mate in pool}
    return set(combinations(sorted(kept or pool, reverse=True), 2))


def _remaining_dice(pool: Sequence[int], taken: Sequence[int]) -> Faces:
    dice = list(pool)
    for face in taken:
        dice.remove(face)
    return tuple(sorted(dice, reverse=True))


# -- ways to see -----------------------------------------------------------------------------------------------------

_Reach = list[list[int]]
"""By position and number of dice: the sums that so many of the dice from that position on can reach, as bits."""


def _reach(dice: Faces) -> _Reach:
    """Return the sums that can be reached from each position, with one position after the last die."""
    reach: _Reach = [[1]]
    for face in reversed(dice):
        after = reach[-1]
        without = [*after, 0]
        with_it = [0, *(sums << face for sums in after)]
        reach.append([one | other for one, other in zip(without, with_it, strict=True)])
    reach.reverse()
    return reach


def _least_dice(dice: Faces, raised: int) -> int:
    """Return how many dice are needed at least; 0 if all of them are not enough."""
    total = 0
    for count, face in enumerate(dice, 1):
        total += face
        if total >= raised:
            return count
    return 0


def _best(dice: Faces, reach: _Reach, raised: int, least: int, most: int) -> DiceSplit | None:
    """Return the best way with `least` to `most` dice."""
    found: tuple[int, int] | None = None
    for count in range(least, min(most, len(dice)) + 1):
        beyond = reach[0][count] >> raised
        if beyond:
            total = raised + (beyond & -beyond).bit_length() - 1
            found = min(found, (total, count)) if found else (total, count)
    return _pick_to_total(dice, reach, *found) if found else None


def _pick_to_total(dice: Faces, reach: _Reach, total: int, count: int) -> DiceSplit:
    """Return `count` dice with the sum `total`. From the top, each die is kept back if it can be spared."""
    forward, left = list[int](), list[int]()
    for place, face in enumerate(dice):
        after = reach[place + 1]
        if count < len(after) and after[count] >> total & 1:
            left.append(face)
        else:
            forward.append(face)
            total, count = total - face, count - 1
    return DiceSplit(tuple(forward), tuple(left))
