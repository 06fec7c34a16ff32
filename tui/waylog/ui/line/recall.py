"""The lines that were typed before, from the log: an empty command line goes back through them, newest first."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from waylog.rules.state import EntryKind
from waylog.store.entries import Entries
from waylog.store.logged_acts import LoggedActs
from waylog.toml.document import UnreadableFile

_TYPED = frozenset(
    (
        *(EntryKind.PLAY, EntryKind.CARD, EntryKind.EFFECT, EntryKind.SET, EntryKind.NOTE, EntryKind.SECRET),
        *(EntryKind.SCENE, EntryKind.SESSION_BEGINS, EntryKind.SESSION_ENDS, EntryKind.SESSION),
    )
)
"""The kinds of entries whose words are a command. The others are about the log or the file."""
_MOST = 50
"""Lines that can be recalled."""
_FAR = 500
"""Entries that are looked through for them."""


def recent_lines(entries: Entries, count: int) -> Sequence[str]:
    """Return the commands of the latest acts of a log with `count` entries, the newest first and each once.

    An entry that can't be read is passed over, and so is one of a scene that was rewound (NM-43).
    """
    found, acts = dict[str, None](), LoggedActs(entries, count)
    for number in range(count, max(0, count - _FAR), -1):
        if len(found) == _MOST:
            break
        try:
            entry = entries(number)
        except (KeyError, UnreadableFile, OSError):
            continue
        if not acts.rewind_of(number) and entry.kind in _TYPED and entry.root == entry.number and entry.words:
            found.setdefault(entry.words)
    return tuple(found)


class RecalledLines:
    """The lines to go back to, and which of them the command line shows. They are read when the first is wanted."""

    def __init__(self, read: Callable[[], Sequence[str]]) -> None:
        self._read = read
        self._lines: Sequence[str] = ()
        self._back = 0
        """How many lines the command line has gone back. As long as it is not 0, it shows one of them."""

    def forget_place(self) -> None:
        """Begin with the newest line the next time, because the command line says something else now."""
        self._back = 0

    def step(self, by: int, typed: str) -> str | None:
        """Return the line before the one that is shown, or after it; an empty one after the newest.

        None if nothing has been recalled, and there is nothing to go back to or `typed` would be lost.
        """
        if self._back == 0:
            if by < 0 or typed:
                return None
            self._lines = self._read()
        wanted = min(self._back + by, len(self._lines))
        if wanted == self._back == 0:
            return None
        self._back = wanted
        return self._lines[wanted - 1] if wanted else ""
