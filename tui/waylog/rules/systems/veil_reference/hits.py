"""Hits against a difficulty: how they are counted, what they come to, and the exact chances of it.

Dice may have different targets: those of helpers do. Outcomes are moods, worst first: `FIASCO` for fewer hits than the
difficulty, `DRAWBACK` for as many, `SUCCESS` for more.
"""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from functools import cache

from waylog.rules.systems.veil_reference.naming import times
from waylog.rules.turns import Mood

OUTCOMES = (Mood.FIASCO, Mood.DRAWBACK, Mood.SUCCESS)
TOP_TARGET, LOW_TARGET = 6, 3
"""Where a target starts, and the lowest to which help brings it (RF-05)."""
MOST_HELP = TOP_TARGET - LOW_TARGET
"""As many things as help at all (RF-05)."""

Tally = tuple[Fraction, Fraction, Fraction]
"""The chances of fewer, as many and more hits than the difficulty; they add up to 1."""


def target(helps: int) -> int:
    """The face that is a hit with so many things to help (RF-05)."""
    return max(LOW_TARGET, TOP_TARGET - helps)


def on(least: int) -> str:
    """`5+`, or `6` where no other face is a hit."""
    return f"{least}+" if least < TOP_TARGET else f"{least}"


def hitting(faces: Sequence[int], targets: Sequence[int]) -> tuple[int, ...]:
    """The faces that meet or beat their targets (RF-06)."""
    return tuple(face for face, least in zip(faces, targets, strict=True) if face >= least)


def outcome_of(hits: int, difficulty: int) -> Mood:
    """More hits than the difficulty, as many, or fewer (RF-06)."""
    return Mood.SUCCESS if hits > difficulty else Mood.DRAWBACK if hits == difficulty else Mood.FIASCO


@cache
def chances(targets: tuple[int, ...], difficulty: int) -> Tally:
    """The exact chances of d6 with these targets against a difficulty."""
    ways = [1]
    for least in targets:
        missed = [count * (least - 1) for count in (*ways, 0)]
        hit = [count * (7 - least) for count in (0, *ways)]
        ways = [miss + more for miss, more in zip(missed, hit, strict=True)]
    throws = 6 ** len(targets)
    counts = dict.fromkeys(OUTCOMES, 0)
    for hits, count in enumerate(ways):
        counts[outcome_of(hits, difficulty)] += count
    return (
        Fraction(counts[Mood.FIASCO], throws),
        Fraction(counts[Mood.DRAWBACK], throws),
        Fraction(counts[Mood.SUCCESS], throws),
    )


def hits_told(hits: tuple[int, ...], difficulty: int) -> str:
    """`3 hits, 5 6 5, against difficulty 2`."""
    faces = f" ({' '.join(map(str, hits))})" if hits else ""
    return f"{times(len(hits), 'hit')}{faces} against difficulty {difficulty}"
