"""How likely the faces of one die are that is rolled by the rules of a game: with rerolls, explosions, and points for faces; and how much
work odds may be.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Hashable, Mapping
from functools import lru_cache
from math import prod
from typing import TypeVar

from waylog.rules.file_game.dice_throws_and_cards import DieKind, ThrowRules

Ways = dict[int, int]
"""In how many equally likely ways each number comes up."""


def point_ways(kind: DieKind, rules: ThrowRules, points: Callable[[int], int]) -> Ways:
    """Return the ways to the points of one die, those of its explosions included."""
    explosion = rules.explosion
    if not explosion or explosion.adds:
        found: Ways = defaultdict(int)
        for face, ways in face_weights(kind, rules).items():
            found[points(face)] += ways
        return found
    return _chain_ways(first_weights(kind, rules), kind, rules, points, explosion.times)


def face_weights(kind: DieKind, rules: ThrowRules) -> Ways:
    """Return how likely each face of a die is that has been rolled by the rules, compared with the others."""
    first = first_weights(kind, rules)
    if rules.explosion and rules.explosion.adds:
        return _chain_ways(first, kind, rules, lambda face: face, rules.explosion.times)
    return first


def first_weights(kind: DieKind, rules: ThrowRules) -> Ways:
    """Return how likely each face is, once those to reroll have been rerolled."""
    if kind.copies:
        return dict(zip(kind.faces, kind.copies, strict=True))
    again = sum(face in rules.reroll for face in kind.faces)
    if not again:
        return Counter(kind.faces)  # Several faces may have the same symbols.
    weights = {face: again + (0 if face in rules.reroll else len(kind.faces)) for face in kind.faces}
    return {face: weight for face, weight in weights.items() if weight}


def count_throws(kind: DieKind, rules: ThrowRules) -> int:
    """Return in how many ways a die can fall that `die_throws` tells apart, at most."""
    explosion = rules.explosion
    if not explosion or explosion.adds:
        return len(kind.faces)
    bursting = sum(explosion.bursts(kind.top, face) for face in kind.faces)
    return sum(len(kind.faces) * bursting**length for length in range(explosion.times + 1))


def die_throws(kind: DieKind, rules: ThrowRules) -> Mapping[tuple[int, ...], int]:
    """Return how likely each way is that a die can fall, compared with the others: its face, and those of the dice that it brings."""
    explosion = rules.explosion
    if not explosion or explosion.adds:
        return {(face,): weight for face, weight in face_weights(kind, rules).items()}
    # Throws that are not made would have gone any way.
    chains: dict[tuple[int, ...], int] = {
        (face,): weight * len(kind.faces) ** explosion.times for face, weight in first_weights(kind, rules).items()
    }
    for length in range(1, explosion.times + 1):
        longer: dict[tuple[int, ...], int] = {}
        for faces, weight in chains.items():
            if len(faces) < length or not explosion.bursts(kind.top, faces[-1]):
                longer[faces] = weight
            else:
                for face in kind.faces:
                    longer[*faces, face] = weight // len(kind.faces)
        chains = longer
    return chains


def _chain_ways(first: Ways, kind: DieKind, rules: ThrowRules, points: Callable[[int], int], times: int) -> Ways:
    """Return the ways to the points of a die and up to `times` explosions of it, added up."""
    later = _chain_ways(dict.fromkeys(kind.faces, 1), kind, rules, points, times - 1) if times else {0: 1}
    whole = sum(later.values())
    found: Ways = defaultdict(int)
    for face, ways in first.items():
        if times and rules.explosion and rules.explosion.bursts(kind.top, face):
            for more, later_ways in later.items():
                found[points(face) + more] += ways * later_ways
        else:
            found[points(face)] += ways * whole
    return found


def multiply_ways(*parts: Ways) -> Ways:
    """Return the ways to each sum of numbers, one of each part.

    The ways are the digits of one whole number each, as Python multiplies nothing faster.
    """
    low = sum(min(part) for part in parts)
    size = prod(sum(part.values()) for part in parts).bit_length() // 8 + 1
    whole = 1
    for part in parts:
        least = min(part)
        whole *= sum(ways << (8 * size * (number - least)) for number, ways in part.items())
    data = whole.to_bytes(-(-whole.bit_length() // (8 * size)) * size, "little")
    digits = (int.from_bytes(data[at : at + size], "little") for at in range(0, len(data), size))
    return {low + place: ways for place, ways in enumerate(digits) if ways}


MOST_STEPS = 12_000
"""The most steps for the odds of one roll: about 50 milliseconds of a processor of 2020."""


class TooMany(Exception):
    """The odds would take too long."""


R = TypeVar("R")


def remembers(function: Callable[..., R]) -> Callable[..., R]:
    """Keep what a function returned for the last 256 sets of arguments, and where it raised `TooMany`. It never returns None."""

    @lru_cache(256)
    def find(*args: Hashable) -> R | None:
        try:
            return function(*args)
        except TooMany:
            return None

    def call(*args: Hashable) -> R:
        if (found := find(*args)) is None:
            raise TooMany
        return found

    return call


class Work:
    """The work for one roll: counted while it is done, so that it ends in time on any machine, and always at the same point."""

    def __init__(self, most: int = MOST_STEPS) -> None:
        self._most, self._steps = most, 0

    def count(self, steps: int) -> None:
        """Count work: 1 for each way that dice may fall. Raises `TooMany`."""
        self._steps += steps
        self.expect(0)

    def expect(self, steps: int) -> None:
        """Raise `TooMany` if `steps` more would be over the limit. They are not counted."""
        if self._steps + steps > self._most:
            raise TooMany
