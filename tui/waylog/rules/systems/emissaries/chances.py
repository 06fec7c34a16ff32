"""Exact chances of dice of mixed sizes: what the two best come to, and what all of them do.

Both are counted, not listed. That the best die is at most `a` and the next best at most `b` has a chance of its own, a
product over the dice; what lies between neighbouring ones is the chance of just these two. The sum of all is one die after
another, added to every sum so far.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import prod

Tally = Mapping[int, Fraction]
"""The chance of each sum that can come up, smallest first; they add up to 1."""


def best_two(dice: Sequence[int], there: Sequence[int] = ()) -> Tally:
    """What the two highest come to of dice with these sides, and of faces that lie `there` already.

    Of one die it is what that shows; of none, 0.
    """
    return _best_two(tuple(sorted(dice)), tuple(sorted(there)[-2:]))


def total(dice: Sequence[int], there: Sequence[int] = ()) -> Tally:
    """What dice with these sides, and faces that lie `there` already, come to in all."""
    lie = sum(there)
    return {value + lie: chance for value, chance in _total(tuple(sorted(dice))).items()}


def average(tally: Tally) -> Fraction:
    """The mean."""
    return sum((value * chance for value, chance in tally.items()), start=Fraction(0))


@lru_cache(128)
def _best_two(dice: tuple[int, ...], there: tuple[int, ...]) -> Tally:
    ways: dict[int, int] = {}
    for (best, second), count in _ways_of_two(dice).items():
        value = sum(sorted((best, second, *there))[-2:])
        ways[value] = ways.get(value, 0) + count
    return _tally(ways, prod(dice))


def _ways_of_two(dice: tuple[int, ...]) -> Mapping[tuple[int, int], int]:
    """In how many throws the best die is this and the next best that; 0 stands for a die that is not there."""
    if len(dice) < 2:
        return {(face, 0): 1 for face in range(1, dice[0] + 1)} if dice else {(0, 0): 1}
    sizes, top = Counter(dice), max(dice)
    within = [[_within(sizes, best, second) for second in range(best + 1)] for best in range(top + 1)]
    ways = {}
    for best in range(1, top + 1):
        for second in range(1, best + 1):
            below = within[best - 1][min(second, best - 1)]
            lower = within[best - 1][min(second - 1, best - 1)]
            ways[best, second] = within[best][second] - below - within[best][second - 1] + lower
    return ways


def _within(sizes: Mapping[int, int], best: int, second: int) -> int:
    """In how many throws no die shows more than `best` and at most one more than `second`."""
    if second == 0:
        return 0
    low = 1
    for sides, count in sizes.items():
        low *= min(second, sides) ** count
    # One die lies between the two, and the others don't.
    between = (
        count * (min(best, sides) - min(second, sides)) * low // min(second, sides) for sides, count in sizes.items()
    )
    return low + sum(between)


@lru_cache(128)
def _total(dice: tuple[int, ...]) -> Tally:
    ways = [1]
    for sides in dice:
        # A window of `sides` ways slides along: each sum takes in the one below it and lets the one out of reach go.
        window, after = 0, [0]
        for value in range(len(ways) + sides - 1):
            window += ways[value] if value < len(ways) else 0
            window -= ways[value - sides] if value >= sides else 0
            after.append(window)
        ways = after
    return _tally(dict(enumerate(ways)), prod(dice))


def _tally(ways: Mapping[int, int], throws: int) -> Tally:
    return {value: Fraction(ways[value], throws) for value in sorted(ways) if ways[value]}
