"""When the timers of a campaign end, and how much is left of them (NM-47)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from math import ceil
from typing import ClassVar

from waylog.rules.model.timers import Timer, Timers
from waylog.values import dataclass


@dataclass(frozen=True, slots=True)
class Countdown:
    """A timer that is running, or that has ended since the latest act."""

    PACKED: ClassVar = ("name", "ends", "seen_by")

    name: str
    ends: int
    """When it ends, in seconds since 1970."""
    seen: bool = True
    """Whether players see it."""
    seen_by: tuple[str, ...] = ()
    """The names, or for the wayfinder the keys, of the players who alone see it; empty if all of them do."""

    def count_left(self, now: float) -> int:
        """Return the whole seconds that are left, rounded up; 0 from its end on. `now` is in seconds since 1970."""
        return max(0, ceil(self.ends - now))


def countdowns(timers: Timers, since: datetime | None) -> tuple[Countdown, ...]:
    """Return the timers that had not ended at `since`, the time of the latest act; the one that ends first comes first."""
    found = list[Countdown]()
    for one in timers.values():
        ends = find_end(one)
        if ends is not None and (since is None or ends >= since.timestamp()):
            found.append(Countdown(one.name, ends, one.seen, one.seen_by))
    return tuple(sorted(found, key=lambda one: one.ends))


def without_ended(timers: Timers, now: datetime) -> Timers:
    """Return the timers that had not ended at `now`, and those whose start can't be read, because nobody knows when they end."""
    left = {key: one for key, one in timers.items() if (ends := find_end(one)) is None or ends >= now.timestamp()}
    return left if len(left) < len(timers) else timers


def find_end(timer: Timer) -> int | None:
    """Return when a timer ends, in seconds since 1970; None if its start can't be read. A time without a zone is local."""
    try:
        return int(datetime.fromisoformat(timer.began).timestamp()) + timer.seconds
    except (ValueError, OverflowError, OSError):
        return None


def describe_left(one: Countdown, now: float) -> str:
    """Return what is left as `4:59` or `1:02:03`; `ended` from its end on."""
    left = one.count_left(now)
    if not left:
        return "ended"
    hours, minutes, seconds = left // 3600, left // 60 % 60, left % 60
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def find_ended(running: Sequence[Countdown], before: float, now: float) -> tuple[Countdown, ...]:
    """Return those that still ran at `before` and have ended by `now`."""
    return tuple(one for one in running if before < one.ends <= now)
