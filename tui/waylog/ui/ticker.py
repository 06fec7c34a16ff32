"""Count timers down on a screen: wake at each second while one runs, and never otherwise (NM-47)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from time import time

from waylog.store.countdowns import Countdown, describe_left, find_ended

_BEHIND = 0.01
"""Seconds after the full second at which it wakes, so that this second is surely over."""


class Ticker:
    """Follows the timers that a screen shows."""

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
    every = " · ".join(f"{one.name} {each}" for one, each in zip(timers, left, strict=True))
    more = f" +{len(left) - 1}" if len(left) > 1 else ""
    return tuple(dict.fromkeys((every, f"{timers[0].name} {left[0]}{more}", f"{left[0]}{more}")))
