"""The adviser: the best ways to see a raise and to make one, from the dice that lie open (EG-23).

It is exact, and looks at every way. What is *best* means one thing everywhere: what is put forward adds up to as little as
possible, so that the most is left; of ways that are equal there, the one with fewer dice; and of those the one that
leaves the highest dice, compared one by one from the top.

Ways to see with one die or two are looked at one by one. With three or more there may be a million (2²⁰ for twenty dice),
so they are counted rather than listed: for the dice from each place on, sorted from the top, and for each number of them,
a whole number whose bits are the sums they can come to. One more die is a shift and an `or`, so n dice take n²/2 of those;
then one walk from the top keeps each die that can be spared. For a raise every pair of different faces is looked at, 55 at
most, against what the other side's one, two and all dice come to. Twenty dice against twenty take a fifth of a
millisecond, and two hundred against two hundred less than a frame.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from itertools import combinations

from waylog.values import dataclass

Faces = tuple[int, ...]
"""Faces of dice, highest first."""


@dataclass(frozen=True, slots=True)
class Way:
    """Dice to put forward, and what that leaves."""

    dice: Faces
    left: Faces

    @property
    def total(self) -> int:
        """What they come to."""
        return sum(self.dice)


@dataclass(frozen=True, slots=True)
class Sees:
    """How a raise can be seen; None where it can't be done so."""

    reverse: Way | None = None
    """With one die (EG-15)."""
    block: Way | None = None
    """With two."""
    blow: Way | None = None
    """With three or more."""
    fewest: Way | None = None
    """With as few dice as it takes; None where no dice do it."""


class Stop(IntEnum):
    """What a raise keeps the other side from doing. Each includes those before it."""

    NOTHING = 0
    REVERSE = 1
    BLOCK = 2
    SEE = 3


@dataclass(frozen=True, slots=True)
class RaiseOption:
    """Two dice to raise with, what that leaves, and what it keeps everybody on the other side from doing."""

    way: Way
    stops: Stop


def sees(pool: Sequence[int], raised: int) -> Sees:
    """The best ways to see a raise that comes to `raised`, with dice that show the faces of `pool`."""
    dice = tuple(sorted(pool, reverse=True))
    reach = _reach(dice)
    reverse = _best(dice, reach, raised, 1, 1)
    block = _best(dice, reach, raised, 2, 2)
    blow = _best(dice, reach, raised, 3, len(dice))
    least = _least_dice(dice, raised)
    return Sees(reverse, block, blow, _best(dice, reach, raised, least, least) if least else None)


def raises(pool: Sequence[int], others: Sequence[Sequence[int]], kept: Sequence[int] = ()) -> tuple[RaiseOption, ...]:
    """Every raise that can be made, those that stop the most first, and of these the best first.

    `others` are the dice that each on the other side may see with. `kept` are dice of one's own, not in `pool`, that have
    reversed a blow: both dice are of them, or one if there is one (EG-16).
    """
    top = max((max(dice, default=0) for dice in others), default=0)
    two = max((sum(sorted(dice)[-2:]) for dice in others), default=0)
    everything = max((sum(dice) for dice in others), default=0)
    found = []
    for pair in _pairs(pool, kept):
        total = sum(pair)
        stops = Stop((total > top) + (total > two) + (total > everything))
        found.append(RaiseOption(Way(pair, _remaining_dice((*pool, *kept), pair)), stops))
    return tuple(sorted(found, key=_worse))


def _worse(offer: RaiseOption) -> tuple[int, int, Faces]:
    """The smaller, the better: by what it stops, what it costs, and what it leaves."""
    return -offer.stops, offer.way.total, tuple(-face for face in offer.way.left)


def _pairs(pool: Sequence[int], kept: Sequence[int]) -> set[Faces]:
    """The different pairs of faces that may be put forward as a raise, each highest first."""
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
"""By place and by number of dice: the sums that so many of the dice from that place on can come to, as bits."""


def _reach(dice: Faces) -> _Reach:
    """What can be reached from each place; one place more than there are dice."""
    reach: _Reach = [[1]]
    for face in reversed(dice):
        after = reach[-1]
        without = [*after, 0]
        with_it = [0, *(sums << face for sums in after)]
        reach.append([one | other for one, other in zip(without, with_it, strict=True)])
    reach.reverse()
    return reach


def _least_dice(dice: Faces, raised: int) -> int:
    """How many dice it takes at least; 0 when all of them don't do it."""
    total = 0
    for count, face in enumerate(dice, 1):
        total += face
        if total >= raised:
            return count
    return 0


def _best(dice: Faces, reach: _Reach, raised: int, least: int, most: int) -> Way | None:
    """The best way with `least` to `most` dice."""
    found: tuple[int, int] | None = None
    for count in range(least, min(most, len(dice)) + 1):
        beyond = reach[0][count] >> raised
        if beyond:
            total = raised + (beyond & -beyond).bit_length() - 1
            found = min(found, (total, count)) if found else (total, count)
    return _pick_to_total(dice, reach, *found) if found else None


def _pick_to_total(dice: Faces, reach: _Reach, total: int, count: int) -> Way:
    """`count` dice that come to `total`, each die from the top kept where it can be spared."""
    forward, left = list[int](), list[int]()
    for place, face in enumerate(dice):
        after = reach[place + 1]
        if count < len(after) and after[count] >> total & 1:
            left.append(face)
        else:
            forward.append(face)
            total, count = total - face, count - 1
    return Way(tuple(forward), tuple(left))
