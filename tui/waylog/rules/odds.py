"""Exact odds as fractions, and a forecast of consequences."""

from __future__ import annotations

from waylog.rules.facts import NoteFact, OutcomeGrade
from waylog.rules.ratio import Ratio
from waylog.values import dataclass


@dataclass(frozen=True, slots=True)
class Chance:
    """The probability of one outcome."""

    outcome: str
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

    dice: str
    """The pool in words: `3d6: NAV 2 + AFTERBURNERS`."""
    spread: Spread
    spends: tuple[Spread, ...] = ()
    """The odds with tokens spent in the best way: one spread for each number of tokens."""
    reasons: tuple[NoteFact, ...] = ()
    """The reasons for the roll's type and dice, such as the clause that makes it Desperate."""
    forecast: tuple[NoteFact, ...] = ()
    """The consequences of bad outcomes, in words and figures."""


def percent(chance: Ratio) -> str:
    """Return a chance as people say it: `12.5 %`. Only an impossible one is `0 %`, and only a certain one `100 %`."""
    # In whole numbers, as each key that is typed shows a dozen of them and fractions take ten times as long.
    share, whole = chance.numerator, chance.denominator
    if 0 < 2000 * share < whole:
        return "<0.1 %"
    if 1999 * whole < 2000 * share < 2000 * whole:
        return ">99.9 %"
    return f"{100 * share / whole:.1f}".removesuffix(".0") + " %"
