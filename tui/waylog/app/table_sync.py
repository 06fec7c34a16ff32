"""Keep a table and its files together while the app runs: what others write comes in, and the file follows the log."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import cached_property
from time import monotonic
from typing import TYPE_CHECKING, Protocol

from waylog.rules.model.moves import ActRefused, Refusal
from waylog.store.files_and_lock import CampaignBusy, describe_error
from waylog.table import LogWriteFailed, Table
from waylog.ui.main_screen import MainScreen

if TYPE_CHECKING:
    from waylog.store.players.pause_and_presence import Attendance

_HELD = 2.0
"""Seconds after which the person is told that another program holds the campaign, and after which a failed save is
tried again.
"""
_PAINT = 0.01
"""Seconds after an act in which its screen is painted before files are written. The log has the act at once."""
_GATHER = 0.1
"""Seconds after files were written in which further acts are gathered."""
_FIRST_CHECK = 2.0
"""Seconds after which the players' file is compared with the campaign. That takes as long as several keys, so it waits for the
first ones.
"""

_LONGEST = 3.0
"""The time, in seconds, after which a proposal is played, and the campaign file written, even if the person types without a pause."""


class SyncHost(Protocol):
    """The part of the app that `TableSync` uses."""

    @property
    def frame(self) -> MainScreen:
        """The window, where a person is told something."""
        ...

    def show_table(self) -> None:
        """Show what is different at the table."""
        ...

    @property
    def is_typing(self) -> bool:
        """Whether the person types: another key will probably come soon."""
        ...

    def wake_phones(self) -> None:
        """Have the phones' server look at what has just been written. Called in another thread."""
        ...

    def set_timer(self, delay: float, callback: Callable[[], object], /) -> object:
        """Call a function after so many seconds."""
        ...


class TableSync:
    """Looks at what editors and other windows have written, and settles after acts."""

    def __init__(self, table: Table, app: SyncHost) -> None:
        self._table, self._app = table, app
        self._players_folder = table.players_folder
        self._due = False
        self._behind_since: float | None = None
        """When the first act was played that the campaign file doesn't have."""
        self._settling, self._settled_at = False, -_GATHER
        self._held_since: float | None = None
        self._failed_at: float | None = None
        self._answered = 0.0

    @cached_property
    def _attendance(self) -> Attendance:
        """The presence of this window. It begins with the first look."""
        from waylog.store.players.pause_and_presence import Attendance  # The first frame doesn't wait for it.

        return Attendance(self._players_folder)

    def follow(self, table: Table) -> None:
        """Go on with another table of the same campaign."""
        self._table = table
        self._failed_at = self._held_since = None

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

    def look(self) -> bool:
        """Take in what others have written. While another program holds the campaign, look again later. Return whether to look again
        soon, because another player's proposal can be played: one look plays one of them, and then keys go first.

        While the person types, no proposal is played without asking: that takes as long as several keys.
        """
        if not self._table.read_only:  # be there for players, and say once why they can't reach this program
            before = self._attendance.trouble
            self._attendance.hold(self._table.snapshot.players)
            if (trouble := self._attendance.trouble) and trouble != before:
                self._app.frame.refuse(Refusal(trouble))
        try:
            answers = not self._app.is_typing or monotonic() - self._answered >= _LONGEST
            if answers:
                self._answered = monotonic()
            changed = self._table.refresh(patience=0, answers=answers)
        except CampaignBusy:
            # Usually another program holds it only for a moment, and nobody needs to be told.
            if self._held_since is None:
                self._held_since = monotonic()
            elif monotonic() - self._held_since > _HELD:
                self._app.frame.refuse(
                    Refusal(
                        "another program is using this campaign. Changes will appear when that program has finished"
                    )
                )
            return False
        except (LogWriteFailed, OSError) as error:
            self._app.frame.refuse(refusal_of_error(error))
            return False
        self._held_since = None
        self._app.show_table()
        if line := self._table.take_recovery_text():
            self._app.frame.say(line)
        is_due = changed or self._table.has_new_reader
        if is_due if self._failed_at is None else changed or monotonic() - self._failed_at > _HELD:
            self.settle_soon()
        return answers and changed and self._table.has_ready_proposal

    def end(self) -> None:
        """End the presence of this window, so that players' windows say that nobody sees proposals."""
        self._attendance.end()

    def settle_soon(self) -> None:
        """Bring the files up to the log a little later: painting goes first, and of acts in a row the others, too."""
        self._due = True
        if self._behind_since is None:
            self._behind_since = monotonic()
        self._plan()

    def _plan(self) -> None:
        if not self._settling:
            self._settling = True
            self._app.set_timer(max(_PAINT, self._settled_at + _GATHER - monotonic()), self.settle)

    async def settle(self) -> None:
        """Bring the files up to the log, off the event loop, one at a time, and once more if something was played meanwhile.

        Players wait for their file, and nobody for the campaign file: that one is written once the person pauses. Parsing a large one
        can't be interrupted, and keys would wait for it.
        """
        waits = self._app.is_typing and monotonic() - (self._behind_since or 0.0) < _LONGEST
        is_due, self._due = self._due, False
        if not waits:
            self._behind_since = None
        try:
            if is_due or not waits:
                settled = await asyncio.to_thread(self._table.settle, self._app.wake_phones, only_players=waits)
                self._failed_at = None if settled else monotonic()
                self._app.show_table()
        finally:
            self._settling, self._settled_at = False, monotonic()
        if self._due or waits:
            self._plan()


def refusal_of_error(error: Exception) -> Refusal:
    """Return what went wrong, for the person."""
    if isinstance(error, ActRefused):
        return error.refusal
    return Refusal(describe_error(error))
