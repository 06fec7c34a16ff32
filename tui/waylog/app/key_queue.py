"""Keys and pastes on their way to the main screen: a key that comes soon after another waits until that one is done.

A key is done when all messages that it caused have been handled. Without this, keys that are typed faster than the window can
follow would go to a part that the key before is about to close. A letter that is refused was often the first of a word: the rest of
that word does nothing, until the person pauses.
"""

from __future__ import annotations

from collections import deque
from math import inf

from textual import events

_LONGEST_WAIT = 0.1
"""The longest time, in seconds, that a key waits until the one before it is done."""

_PAUSE = 0.3
"""The time, in seconds, after which somebody who types no key has paused."""

WORD_PAUSE = 0.3
"""The time, in seconds, between two keys that don't belong to one word."""
STRAY = 0.7
"""The time, in seconds, in which an Enter behind a key that has acted by itself is taken for a habit."""
_IN_WORDS = ("enter", "backspace", "space")
"""The keys beside letters that one types with words."""


class KeyQueue:
    """The keys and pastes that wait, and whether the last one that was handled is done."""

    def __init__(self, *, swallows_enter: bool = False) -> None:
        """With `swallows_enter`, the first key is taken for a habit if it is Enter."""
        self._is_first = swallows_enter
        self._waiting = deque[events.Key | events.Paste]()
        self._handled_time = 0.0
        """When the last key that was taken was pressed."""
        self._before = inf
        """The time between that key and the one before it, if that one was typed; otherwise for ever."""
        self._was_typed = False
        """Whether that key is one of those that words are typed with."""
        self._is_enter = self._acted = False
        """Whether that key was Enter, and whether it has acted without one."""
        self.is_stray = False
        """Whether the key that was taken last is an Enter of habit: the key before it has acted just now, and needed none; or the
        campaign was chosen with Enter before.
        """
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
        return self.is_done or event.time - self._handled_time >= _LONGEST_WAIT

    def take(self) -> events.Key | events.Paste | None:
        """Remove the first key and return it; None if none waits."""
        if not self._waiting:
            return None
        event = self._waiting.popleft()
        is_enter = isinstance(event, events.Key) and event.key == "enter"
        follows = self._acted and event.time - self._handled_time < STRAY
        self.is_stray, self._is_first = is_enter and (follows or self._is_first), False
        self._acted, self._is_enter = False, is_enter
        self._before = event.time - self._handled_time if self._was_typed else inf
        self._handled_time = event.time
        self._was_typed = isinstance(event, events.Key) and (event.is_printable or event.key in _IN_WORDS)
        return event

    def note_act(self) -> None:
        """Note that the key that was taken last has acted."""
        self._acted = not self._is_enter

    @property
    def goes_on_with_word(self) -> bool:
        """Whether the key that was taken last was typed with the one before it, as the letters of a word are."""
        return self._was_typed and self._before < WORD_PAUSE

    def number_handled(self) -> int:
        """Note that a key has been handled, and return its number, for `finish`."""
        self._handled += 1
        return self._handled

    def finish(self, number: int) -> bool:
        """Note that a key and all before it are done. Return whether the first key that waits should be handled now."""
        self._done = number
        return self.is_done and bool(self._waiting)
