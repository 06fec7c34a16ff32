"""Exact chances, as fractions, and what would follow."""

from __future__ import annotations

from fractions import Fraction

from waylog.rules.facts import NoteFact, OutcomeGrade
from waylog.values import dataclass


@dataclass(frozen=True, slots=True)
class Chance:
    """How likely one outcome is."""

    outcome: str
    label: str
    mood: OutcomeGrade | None
    chance: Fraction


@dataclass(frozen=True, slots=True)
class Spread:
    """The chances of every outcome, worst first; they add up to 1. `label` says under which condition: `with 2 Focus`."""

    label: str
    chances: tuple[Chance, ...]


@dataclass(frozen=True, slots=True)
class Odds:
    """What a roll may bring, before it is made."""

    dice: str
    """The pool in words: `3d6: NAV 2 + AFTERBURNERS`."""
    spread: Spread
    spends: tuple[Spread, ...] = ()
    """The same with tokens spent as well as they can be, one spread for each number of tokens in hand."""
    reasons: tuple[NoteFact, ...] = ()
    """Why the roll is what it is: which clause makes it Desperate, what caps it."""
    forecast: tuple[NoteFact, ...] = ()
    """What the bad outcomes would do now, in words and figures."""
