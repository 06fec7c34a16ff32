"""Which acts of a log hold, and which of them undo and redo would take: read from the entries alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from waylog.campaign.log import Entry, Log

UNDO, REDO = "undo", "redo"


@dataclass(frozen=True, slots=True)
class Takeable:
    """What can be taken back and put back now."""

    undo: tuple[Entry, ...] = ()
    """The entries of the latest act that holds, oldest first."""
    redo: Entry | None = None
    """The undo that nothing has followed since."""


def takeable(log: Log) -> Takeable:
    """What undo and redo would take in the log as it stands."""
    redo: Entry | None = None
    for entry in holding(log):
        if entry.words == REDO:
            continue
        if entry.words == UNDO:
            redo = redo or entry
            continue
        return Takeable(act_of(log, entry), redo)
    return Takeable((), redo)


def holding(log: Log) -> Iterator[Entry]:
    """The entries that no later one takes back, newest first. What was undone and put back again holds."""
    gone: set[int] = set()
    number = log.last.number if log.last else 0
    while number > 0:
        try:
            entry = log.entry(number)
        except KeyError:
            return
        if number not in gone:
            gone.update(entry.undoes)
            yield entry
        number -= 1


def act_of(log: Log, entry: Entry) -> tuple[Entry, ...]:
    """All entries of the act that `entry` ends, oldest first."""
    found = [entry]
    for earlier in holding(log):
        if earlier.number < entry.number and earlier.root == entry.root:
            found.append(earlier)
        if earlier.number <= entry.root:
            break
    return tuple(reversed(found))
