"""When a player last saw the game, and what they missed since. It is kept in the player's folder of the inbox, so it is the same for a
window, line mode and a phone.
"""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

from waylog.store.players.inbox import read_note, write_note
from waylog.store.shown.missed import what_was_missed
from waylog.store.shown.players_file import Projection

_NAME = "looked"


class LastLook:
    """Follows what one player sees."""

    def __init__(self, campaign: Path, player: str) -> None:
        self._campaign, self._player = campaign, player
        self._at: int | None = None
        self.missed: tuple[str, ...] = ()
        """What happened between the last time and this one, in at most ten lines."""

    def find_missed(self, seen: Projection) -> tuple[str, ...]:
        """Return what happened since they last saw the game, in at most ten lines. This changes nothing."""
        return what_was_missed(seen, self._player, self._last_time())

    def follow(self, seen: Projection) -> bool:
        """Note that the player sees this. Return whether it is the first that they see this time: then `missed` says what is new."""
        is_first, before = self._at is None, self._at or 0
        if is_first:
            self.missed, before = self.find_missed(seen), self._last_time()
        self._at = max(seen.when, before)
        if self._at != before:
            with suppress(OSError):  # Next time, the player reads more than they missed.
                write_note(self._campaign, self._player, _NAME, f"{self._at}")
        return is_first

    def _last_time(self) -> int:
        with suppress(ValueError):
            return int(read_note(self._campaign, self._player, _NAME))
        return 0
