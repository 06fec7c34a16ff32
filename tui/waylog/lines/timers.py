"""What line mode says of timers: what is left of each when it is asked, and once that one has run out (NM-47)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from time import time

from waylog.store.countdowns import Countdown, describe_left
from waylog.words.sentences import sentence


class TimerNews:
    """Knows which timers a person has been told of."""

    def __init__(self, clock: Callable[[], float] = time) -> None:
        self._clock = clock
        self._told: Sequence[Countdown] = ()

    def take_news(self, timers: Sequence[Countdown]) -> Iterator[str]:
        """Yield each timer that has run out, once."""
        now = self._clock()
        ended = [one for one in timers if one.ends <= now]
        new, self._told = [one for one in ended if one not in self._told], ended
        yield from (f"The timer {one.name} has run out." for one in new)

    def describe_running(self, timers: Sequence[Countdown]) -> Iterator[str]:
        """Yield what is left of each timer that runs, where other things are told as well."""
        now = self._clock()
        yield from (f"The timer {one.name}: {describe_left(one, now)}." for one in timers if one.ends > now)

    def describe(self, timers: Sequence[Countdown]) -> Iterator[str]:
        """Yield what is left of each timer."""
        now = self._clock()
        yield from (sentence(f"{one.name}: {describe_left(one, now)}") for one in timers)
        if not timers:
            yield "There are no timers."
