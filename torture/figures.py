"""Figures: what was done so many times, and how often it went wrong, which has to be never."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from enum import IntEnum
from pathlib import Path

from torture.disks import can_mount


@dataclass
class Tally:
    """One figure in the making: a promise, how often it was put to the test, and each time that it was not kept."""

    promise: str
    """Under what: `kill -9 while playing`."""
    counted: str
    """Of what there are so many: `kills`."""
    wrongs: tuple[str, ...]
    """What must not happen, each counted by itself: `acknowledged acts lost`."""
    wanted: int = 0
    """Fewer than so many prove nothing."""
    count: int = 0
    also: Counter[str] = field(default_factory=Counter)
    """What is worth telling and neither right nor wrong: `entries`."""
    faults: list[tuple[str, str]] = field(default_factory=list)
    """What went wrong, and where."""

    def did(self, number: int = 1) -> None:
        """Count what was put to the test."""
        self.count += number

    def wrong(self, kind: str, where: str) -> None:
        """Note that a promise was not kept."""
        assert kind in self.wrongs, kind
        self.faults.append((kind, where))

    def all_wrong(self, kind: str, where: str, faults: Iterable[object]) -> None:
        """Note each of some faults of one kind, found at one place."""
        for fault in faults:
            self.wrong(kind, f"{where}: {fault}")

    @property
    def kept(self) -> bool:
        """Nothing went wrong, often enough."""
        return not self.faults and self.count >= max(1, self.wanted)

    def __str__(self) -> str:
        found = Counter(kind for kind, _ in self.faults)
        parts = [f"{self.count:,} {self.counted}", *(f"{number:,} {name}" for name, number in self.also.items())]
        parts += [f"{found[kind]} {kind}" for kind in self.wrongs]
        short = f" (only {self.count:,} of {self.wanted:,})" if self.count < self.wanted else ""
        return f"{self.promise}: {', '.join(parts)}{short}"


class Form(IntEnum):
    """How much of a harness is run."""

    WHOLE = 0
    SHORT = 1
    """Minutes: what must hold before a change is taken."""
    TASTE = 2
    """Seconds: every promise of the harness is tried, few of its cases; which ones, the seed says."""


@dataclass(frozen=True)
class Work:
    """Where a harness works and how long it may."""

    folder: Path
    """An empty folder of its own."""
    form: Form
    seed: int

    def times(self, whole: int, short: int, taste: int) -> int:
        """How often to do something."""
        return (whole, short, taste)[self.form]


@dataclass(frozen=True)
class Harness:
    """One row of what is promised."""

    name: str
    about: str
    run: Callable[[Work], Iterator[Tally]]
    tools: tuple[str, ...] = ()
    """Programs it runs."""
    mounts: bool = False
    """It mounts file systems, which takes root."""

    def missing(self) -> str:
        """What keeps it from being run here; empty when nothing does."""
        tools = [tool for tool in self.tools if shutil.which(tool) is None]
        if tools:
            return f"{', '.join(tools)} not found"
        return "it mounts file systems, which takes root" if self.mounts and not can_mount() else ""
