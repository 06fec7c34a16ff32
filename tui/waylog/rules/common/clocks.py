"""Clocks, for every system: events that press on (NM-20…NM-29)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from enum import StrEnum
from typing import Annotated, ClassVar, Literal

from waylog.rules.changes import format_path
from waylog.rules.facts import NoteFact, OutcomeGrade
from waylog.rules.sheets import Between
from waylog.values import dataclass


class ClockKind(StrEnum):
    """What makes a clock advance (NM-20)."""

    PUSH = "push"
    CATASTROPHE = "catastrophe"
    DEATH = "death"
    AUGURY = "augury"


class WhileRunning(StrEnum):
    """What a clock does to play while it runs (NM-25)."""

    NOTHING = "nothing"
    DESPERATE = "desperate"
    EXPOSED = "exposed"


Segments = Literal[4, 6, 8, 10, 12]
SIZES: tuple[Segments, ...] = (4, 6, 8, 10, 12)


@dataclass(frozen=True, slots=True)
class Clock:
    """An event under way. Full when `fill_clock` reaches `segments`; it stays until it is closed (NM-26)."""

    ALWAYS_WRITTEN: ClassVar = ("name", "kind", "segments", "filled")

    name: Annotated[str, "What is coming"] = ""
    kind: Annotated[ClockKind, "push, catastrophe, death or augury"] = ClockKind.PUSH
    segments: Annotated[Segments, "4 short, 6 normal, 8 long, 10 or 12 extended"] = 6
    filled: Annotated[int, Between(0, 12, "NM-26"), "Segments that are full"] = 0
    outcome: Annotated[str, "What happens when it fills"] = ""
    notes: Annotated[str, "For the wayfinder"] = ""
    seen: Annotated[bool, "The players see the clock"] = True
    count_seen: Annotated[bool, "The players see how full it is; false shows them a ?"] = True
    outcome_seen: Annotated[Literal["by-kind", "yes", "no"], "The players see its outcome"] = "by-kind"
    running: Annotated[WhileRunning, "While it runs: nothing, desperate (all rolls) or exposed (the crew)"] = (
        WhileRunning.NOTHING
    )
    when_full: Annotated[str, "An act in words, offered when it fills: damage ship, lose integrity, …"] = ""
    closed: Annotated[bool, "Out of the way, and kept"] = False

    @property
    def full(self) -> bool:
        return self.filled >= self.segments

    @property
    def runs(self) -> bool:
        """Its running effect holds: it is neither closed nor full (NM-25)."""
        return not self.closed and not self.full

    @property
    def shows_count(self) -> bool:
        """The players see how full it is (NM-20)."""
        return self.seen and self.count_seen

    @property
    def shows_outcome(self) -> bool:
        """The players see what it leads to (NM-28)."""
        return self.seen and self.allows_outcome

    @property
    def allows_outcome(self) -> bool:
        """Whoever sees the clock sees what it leads to: as the file says, or else of all kinds but an augury (NM-28)."""
        return self.outcome_seen == "yes" or (self.outcome_seen == "by-kind" and self.kind is not ClockKind.AUGURY)


def advance(clock: Clock, mood: OutcomeGrade | None) -> int:
    """How many segments a roll of that mood fills on it (NM-21, NM-22); never more than are empty."""
    step = _STEPS.get((clock.kind, mood), 0) if mood else 0
    return 0 if clock.closed else min(step, clock.segments - clock.filled)


_STEPS: Mapping[tuple[ClockKind, OutcomeGrade], int] = {
    (ClockKind.PUSH, OutcomeGrade.SUCCESS): 1,
    (ClockKind.PUSH, OutcomeGrade.CRITICAL): 2,
    (ClockKind.CATASTROPHE, OutcomeGrade.DRAWBACK): 1,
    (ClockKind.CATASTROPHE, OutcomeGrade.FIASCO): 2,
}


def fill_clock(clock: Clock, by: int) -> Clock:
    """The clock `by` segments fuller, or emptier; never under 0 or over the top (NM-26)."""
    return replace(clock, filled=max(0, min(clock.segments, clock.filled + by)))


def running_reason(clocks: Mapping[str, Clock], effect: WhileRunning) -> NoteFact | None:
    """Why `effect` holds now: the clock that makes it so, one that the players see if there is one (NM-25)."""
    found = [(key, clock) for key, clock in clocks.items() if clock.running is effect and clock.runs]
    for key, clock in sorted(found, key=lambda item: not item[1].seen):
        about = (clock_path(key),)
        return NoteFact(f"while the clock “{clock.name}” runs", "NM-25", secret=not clock.seen, about=about)
    return None


def clock_path(key: str, *part: str) -> str:
    """What a fact is about that tells of a clock, or of a part of it: `fill_clock` or `outcome`."""
    return format_path(("clocks", key, *part))


def find_clock_names(text: str, clocks: Mapping[str, Clock]) -> tuple[str, ...]:
    """The keys of the clocks whose whole name is in a text, however it is capitalised."""
    return tuple(
        key
        for key, clock in clocks.items()
        if clock.name.strip() and re.search(rf"(?<!\w){re.escape(clock.name.strip())}(?!\w)", text, re.IGNORECASE)
    )


def new_key(name: str, taken: Mapping[str, object]) -> str:
    """A key for the campaign file made of a name: `Hull breach` → `hull-breach`, with a number if that is taken."""
    base = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40].rstrip("-") or "thing"
    key, count = base, 2
    while key in taken:
        key, count = f"{base}-{count}", count + 1
    return key
