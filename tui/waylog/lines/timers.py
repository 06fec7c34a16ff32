"""What line mode says about timers: the time left of each, and once when a timer has run out (NM-47)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from time import time

from waylog.store.countdowns import Countdown, describe_left
from waylog.words.sentences import sentence


class TimerNews:
    """Describes timers, and reports each that has run out once."""

    def __init__(self, clock: Callable[[], float] = time) -> None:
        self._clock = clock
        self._reported: Sequence[Countdown] = ()

    def take_news(self, timers: Sequence[Countdown]) -> Iterator[str]:
        """Yield each timer that has run out, once."""
        now = self._clock()
        ended = [one for one in timers if one.ends <= now]
        new, self._reported = [one for one in ended if one not in self._reported], ended
        yield from (f"The timer {one.name} has run out." for one in new)

    def describe_running(self, timers: Sequence[Countdown]) -> Iterator[str]:
        """Yield the time left of each running timer, as part of a longer description."""
        now = self._clock()
        yield from (f"The timer {one.name}: {describe_left(one, now)}." for one in timers if one.ends > now)

    def describe(self, timers: Sequence[Countdown]) -> Iterator[str]:
        """Yield the time left of each timer."""
        now = self._clock()
        yield from (sentence(f"{one.name}: {describe_left(one, now)}") for one in timers)
        if not timers:
            yield "There are no timers."
