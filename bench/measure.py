"""Figures, and what they are held to. Nearly all are ratios of two programs that ran in turn, on the same machine."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from statistics import median, quantiles
from typing import TypeVar

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Measure:
    """One figure, with where it should be and where it must be."""

    name: str
    """Which promise it measures: `P1`."""
    what: str
    value: float
    unit: str
    """× for a ratio."""
    target: float
    limit: float
    seen: str = ""
    """The figures that a ratio is made of."""

    @property
    def verdict(self) -> str:
        if self.value <= self.target:
            return "ok"
        return "slow" if self.value <= self.limit else "OVER"


def interleaved(rounds: int, runs: Mapping[str, Callable[[], T]]) -> dict[str, list[T]]:
    """What each run gives, `rounds` times. They take turns, in a new order each round, so that noise hits all alike."""
    results: dict[str, list[T]] = {name: [] for name in runs}
    for _ in range(rounds):
        for name in random.sample(list(runs), len(runs)):
            results[name].append(runs[name]())
    return results


def p95(values: Sequence[float]) -> float:
    """The value that 95 of 100 stay under."""
    return quantiles(values, n=20, method="inclusive")[-1] if len(values) > 1 else values[0]


def ratio(
    name: str, what: str, own: Sequence[float], anchor: Sequence[float], target: float, limit: float, unit: str = "ms"
) -> Measure:
    """The median of `own` over the median of `anchor`."""
    upper, lower = median(own), median(anchor)
    # What can't be told from nothing is as good as nothing.
    value = upper / lower if lower else float(upper > 0)
    return Measure(name, what, value, "×", target, limit, f"{upper:.3g} / {lower:.3g} {unit}")


def tail_ratio(
    name: str, what: str, own: Sequence[float], anchor: Sequence[float], target: float, limit: float
) -> Measure:
    """The 95th percentile of `own` over the median of `anchor`."""
    upper, lower = p95(own), median(anchor)
    return Measure(name, what, upper / lower, "×", target, limit, f"{upper:.3g} / {lower:.3g} ms")


def plain(name: str, what: str, values: Sequence[float], unit: str, target: float, limit: float) -> Measure:
    """The median, where the promise is a figure and no ratio."""
    return Measure(name, what, median(values), unit, target, limit, f"p95 {p95(values):.3g} {unit}")
