"""Keep a table and its files together while the app runs: what others write comes in, and the file follows the log.

Keys and pastes on their way to the main screen: a key that comes soon after another waits until that one is done.

A key is done when all messages that it caused have been handled. Without this, keys that are typed faster than the window can
follow would go to a part that the key before is about to close. A letter that is refused was often the first of a word: the rest of
that word does nothing, until the person pauses.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from math import inf
from time import monotonic
from typing import Protocol

from textual import events

from waylog.rules.model.moves import ActRefused, Refusal
from waylog.store.files import CampaignBusy
from waylog.store.players.pause_and_presence import Attendance
from waylog.table import LogWriteFailed, Table
from waylog.ui.main_screen import MainScreen

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


_HELD = 2.0
"""Seconds after which the person is told that another program holds the campaign, and after which a failed save is
tried again.
"""
_GATHER = 0.1
"""Seconds in which acts are gathered before the campaign file is written. The log has each of them at once."""
_FIRST_CHECK = 2.0
"""Seconds after which the players' file is compared with the campaign. That takes as long as several keys, so it waits for the
first ones.
"""

_LONGEST = 3.0
"""The time, in seconds, after which one is played even if the person types without a pause."""


class SyncHost(Protocol):
    """What `TableSync` needs of the app."""

    @property
    def frame(self) -> MainScreen:
        """The window, where a person is told something."""
        ...

    def show_table(self) -> None:
        """Show what is different at the table."""
        ...

    def set_timer(self, delay: float, callback: Callable[[], object], /) -> object:
        """Call a function after so many seconds."""
        ...


class TableSync:
    """Looks at what editors and other windows have written, and settles after acts."""

    def __init__(self, table: Table, app: SyncHost) -> None:
        self._table, self._app = table, app
        self._attendance = Attendance(table.players_folder)
        self._due = False
        self._settling = False
        self._held_since: float | None = None
        self._failed_at: float | None = None
        self._answered = 0.0

    def look_first(self) -> None:
        """Clear up after a crash and tell the person, before anything is saved: a save holds the lock and would delay
        the message.
        """
        self.look()
        if self._table.read_only:
            return
        if self._table.file_is_behind():
            self.settle_soon()
        else:
            # The campaign file is complete. The players' file nearly always is, but it may have been removed or be of an older version.
            self._app.set_timer(_FIRST_CHECK, self.settle_soon)

    def look(self, *, busy: bool = False) -> None:
        """Take in what others have written. While another program holds the campaign, look again later.

        While the person is `busy` typing, no proposal is played without asking: that takes as long as several keys.
        """
        if not self._table.read_only:  # be there for players, and say once why they can't reach this program
            before = self._attendance.trouble
            self._attendance.hold(self._table.snapshot.players)
            if (trouble := self._attendance.trouble) and trouble != before:
                self._app.frame.refuse(Refusal(trouble))
        try:
            answers = not busy or monotonic() - self._answered >= _LONGEST
            if answers:
                self._answered = monotonic()
            changed = self._table.refresh(patience=0, answers=answers)
        except CampaignBusy:
            self._wait_for_the_holder()
            return
        except (LogWriteFailed, OSError) as error:
            self._app.frame.refuse(refusal_of_error(error))
            return
        self._held_since = None
        self._app.show_table()
        if line := self._table.take_recovery_text():
            self._app.frame.say(line)
        is_due = changed or self._table.has_new_reader
        if is_due if self._failed_at is None else changed or monotonic() - self._failed_at > _HELD:
            self.settle_soon()

    def _wait_for_the_holder(self) -> None:
        """Wait for another program that holds the campaign. Usually it does so only for a moment, and nobody needs to
        be told.
        """
        if self._held_since is None:
            self._held_since = monotonic()
        elif monotonic() - self._held_since > _HELD:
            self._app.frame.refuse(
                Refusal("another program holds this campaign; what was written there is shown afterwards")
            )

    def end(self) -> None:
        """Let players' windows know that nobody sees proposals any more."""
        self._attendance.end()

    def settle_soon(self) -> None:
        """Bring the file up to the log a little later: painting and further acts go first."""
        self._due = True
        if not self._settling:
            self._settling = True
            self._app.set_timer(_GATHER, self.settle)

    async def settle(self) -> None:
        """Bring the file up to the log, off the event loop, one at a time, and once more if something was played meanwhile."""
        try:
            while self._due:
                self._due = False
                settled = await asyncio.to_thread(self._table.settle)
                self._failed_at = None if settled else monotonic()
        finally:
            self._settling = False
        self._app.show_table()


def refusal_of_error(error: Exception) -> Refusal:
    """Return what went wrong, for the person."""
    if isinstance(error, ActRefused):
        return error.refusal
    if isinstance(error, OSError):
        return Refusal((error.strerror or str(error)).lower())
    return Refusal(str(error))
