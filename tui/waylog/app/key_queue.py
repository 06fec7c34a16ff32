"""Keys and pastes on their way to the main screen: a key that comes soon after another waits until that one is done.

A key is done when all messages that it caused have been handled. Without this, keys that are typed faster than the window can
follow would go to a part that the key before is about to close.
"""

from __future__ import annotations

from collections import deque

from textual import events

_LONGEST = 0.1
"""The longest time, in seconds, that a key waits until the one before it is done."""

_PAUSE = 0.3
"""The time, in seconds, after which somebody who types no key has paused."""


class KeyQueue:
    """The keys and pastes that wait, and whether the last one that was handled is done."""

    def __init__(self) -> None:
        self._waiting = deque[events.Key | events.Paste]()
        self._handled_time = 0.0
        """When the last key that was handled was pressed."""
        self._handled = self._done = 0
        """The numbers of the last key that was handled, and of the last one that is done."""

    def __len__(self) -> int:
        """Return how many keys wait."""
        return len(self._waiting)

    @property
    def is_done(self) -> bool:
        """Whether the last key that was handled is done."""
        return self._done == self._handled

    def is_resting(self, now: float) -> bool:
        """Whether nobody types at the time `now`, in the seconds of events: the next key is probably not about to come."""
        return self.is_done and not self._waiting and now - self._handled_time >= _PAUSE

    def add(self, event: events.Key | events.Paste) -> bool:
        """Add a key. Return whether the first key that waits should be handled now."""
        self._waiting.append(event)
        return self.is_done or event.time - self._handled_time >= _LONGEST

    def take(self) -> events.Key | events.Paste | None:
        """Remove the first key and return it; None if none waits."""
        if not self._waiting:
            return None
        event = self._waiting.popleft()
        self._handled_time = event.time
        return event

    def number_handled(self) -> int:
        """Note that a key has been handled, and return its number, for `finish`."""
        self._handled += 1
        return self._handled

    def finish(self, number: int) -> bool:
        """Note that a key and all before it are done. Return whether the first key that waits should be handled now."""
        self._done = number
        return self.is_done and bool(self._waiting)
