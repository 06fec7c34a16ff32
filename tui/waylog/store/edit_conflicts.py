"""Edit conflicts: values that both a person and play have changed. A merge finds them (`edit_merge`); the log keeps them until they
are settled.
"""

from __future__ import annotations

from itertools import islice
from typing import Any

from waylog.rules.changes import Path
from waylog.rules.state import EntryKind
from waylog.store.entries import LogEntry
from waylog.store.log import Log
from waylog.store.undo import effective_entries
from waylog.values import dataclass

_RECENT = 40
"""Unsettled conflicts are shown for so many entries."""


@dataclass(frozen=True, slots=True)
class EditConflict:
    """A value that the file and play changed differently since the edit's base."""

    path: Path
    file: Any
    """The file's value, which holds."""
    played: Any
    """The value that play had given it."""
    entry: LogEntry
    """The entry that took the file's value. Undoing it restores play's value."""


def open_conflicts(log: Log) -> tuple[EditConflict, ...]:
    """Return unsettled conflicts: their entry holds, was not kept, and the value has not changed since."""
    if not log.may_hold(
        EntryKind.AGAINST_PLAY
    ):  # Most logs have no conflict, and this check is cheaper than reading their entries.
        return ()
    found, changed, kept = [], set[Path](), set[int]()
    for entry in islice(effective_entries(log), _RECENT):
        if entry.kind is EntryKind.KEEP:
            kept.add(entry.settles)
        elif entry.kind is EntryKind.AGAINST_PLAY and entry.number not in kept:
            found += [EditConflict(c.path, c.after, c.before, entry) for c in entry.changes if c.path not in changed]
        changed.update(change.path for change in entry.changes)
    return tuple(reversed(found))
