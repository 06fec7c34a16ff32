"""Timers as they run: when each ends, how much is left of it in words, and what counts them down on a screen (NM-47)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from math import ceil
from time import time
from typing import ClassVar

from waylog.rules.model.clocks_situations_and_timers import Timer, Timers
from waylog.values import dataclass

_BEHIND = 0.01
"""Seconds after the full second at which it wakes, so that this second is surely over."""


@dataclass(frozen=True, slots=True)
class Countdown:
    """A timer that is running, or that has ended since the latest act."""

    PACKED: ClassVar = ("name", "ends", "seen_by")

    name: str
    ends: int
    """The time at which it ends, in seconds since 1970."""
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


class Ticker:
    """Follows the timers that a screen shows. It wakes at each second while one runs, and never otherwise."""

    def __init__(
        self,
        later: Callable[[float, Callable[[], object]], object],
        tick: Callable[[Sequence[Countdown]], object],
        clock: Callable[[], float] = time,
    ) -> None:
        """`later` calls a function after so many seconds. `tick` gets the timers that have ended since the last call, if any have."""
        self._later, self._tick, self._clock = later, tick, clock
        self._timers: Sequence[Countdown] = ()
        self._seen_at = clock()
        self._due = False

    def follow(self, timers: Sequence[Countdown]) -> None:
        """Follow these timers from now on."""
        self._timers = timers
        self._wake_later()

    def forms(self) -> Sequence[str]:
        """Return the timers in words as they are now: all of them, then shorter and shorter forms; nothing without timers."""
        return countdown_forms(self._timers, self._clock())

    def _wake_later(self) -> None:
        now = self._clock()
        if not self._due and any(one.ends > now for one in self._timers):
            self._due = True
            self._later(1 - now % 1 + _BEHIND, self._wake)

    def _wake(self) -> None:
        self._due = False
        before, self._seen_at = self._seen_at, self._clock()
        self._tick(find_ended(self._timers, before, self._seen_at))
        self._wake_later()


def countdown_forms(timers: Sequence[Countdown], now: float) -> Sequence[str]:
    """Return the timers with what is left of each: all of them, the first with how many more there are, and without its name."""
    if not timers:
        return ()
    left = [describe_left(one, now) for one in timers]
    # Without the word, what is left reads like a time of day.
    named = [f"{one.name} {each}{' left' * (now < one.ends)}" for one, each in zip(timers, left, strict=True)]
    more = f" +{len(left) - 1}" if len(left) > 1 else ""
    shorter = (f"{named[0]}{more}", f"{timers[0].name} {left[0]}{more}", f"{left[0]}{more}")
    return tuple(dict.fromkeys((" · ".join(named), *shorter)))


def run_out(ended: Sequence[Countdown]) -> str:
    """Return a sentence about timers that have run out; empty if there are none. A hidden one is not named."""
    names = [one.name if one.seen and not one.seen_by else "A hidden timer" for one in ended]
    return f"{' and '.join(names)} {'has' if len(names) == 1 else 'have'} run out" if names else ""
