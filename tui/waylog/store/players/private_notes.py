"""What a player notes for themselves: a text file in their own state folder, which no program of the wayfinder opens.

It is not in the campaign, because whoever owns the campaign's account can read everything in it. For the same reason a player who joins
with a key on the wayfinder's account has no place that the wayfinder can't open: then the notes say so.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path
from zlib import crc32

from waylog.rules.model.moves import Move, Text
from waylog.store.files import open_inside

PRIVATE = Move("private", (), "Private note", (Text("text", "Note", required=True),))
"""What a player's program offers beside the moves of the players' file. It is never sent."""
_MOST = 20


class PrivateNotes:
    """The private notes of one player in one campaign."""

    def __init__(self, state: Path, campaign: Path, player: str) -> None:
        campaign = campaign.resolve()
        self._file = state / "notes" / f"{campaign.name}-{crc32(os.fsencode(campaign)):08x}-{player}.txt"
        self._campaign = campaign

    def add(self, text: str) -> str:
        """Write a note at the end. Return who can read it, in words. Raises `OSError`."""
        self._file.parent.mkdir(0o700, parents=True, exist_ok=True)
        descriptor = open_inside(self._file, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
        with open(descriptor, "a", encoding="utf-8") as file:  # noqa: PTH123 - a descriptor has no path
            file.write(f"{' '.join(text.split())}\n")
        with suppress(OSError):
            if self._campaign.stat().st_uid == os.geteuid():
                return "the note is kept on this account, so its owner can read it, too"
        return "only you can read this note"

    def read(self) -> tuple[str, ...]:
        """Return the latest notes, oldest first."""
        with suppress(OSError, ValueError):
            return tuple(self._file.read_text("utf-8").splitlines()[-_MOST:])
        return ()
