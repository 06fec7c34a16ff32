"""The lines that were typed before, from the log: an empty command line goes back through them, newest first."""

from __future__ import annotations

from collections.abc import Sequence

from waylog.rules.state import EntryKind
from waylog.store.entries import Entries
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

    An entry that can't be read is passed over.
    """
    found = dict[str, None]()
    for number in range(count, max(0, count - _FAR), -1):
        if len(found) == _MOST:
            break
        try:
            entry = entries(number)
        except (KeyError, UnreadableFile, OSError):
            continue
        if entry.kind in _TYPED and entry.root == entry.number and entry.words:
            found.setdefault(entry.words)
    return tuple(found)
