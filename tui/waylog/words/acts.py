"""The names of acts in questions and messages, and what players see of an act."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress

from waylog.snapshot import Snapshot
from waylog.store.edit_conflicts import EditConflict
from waylog.store.entries import LogEntry, naming_entries
from waylog.store.logged_acts import describe_entries
from waylog.store.visibility import Visibility

_RECENT = 40
"""How many entries before a hand edit the act is searched for that it conflicts with."""


def sight_of(snapshot: Snapshot) -> Visibility:
    """Return what says which facts players see, as things are in this snapshot."""
    return Visibility(
        snapshot.clocks, snapshot.decks, snapshot.situations, snapshot.tables, snapshot.timers, snapshot.players
    )


def quote(text: str) -> str:
    """Return a text in quotation marks. Those that it has itself become single ones."""
    return f"“{text.replace('“', '‘').replace('”', '’')}”"


def describe_act(entries: tuple[LogEntry, ...]) -> str:
    """Return `“roll nav” (Fiasco) with its 2 follow-ups`."""
    roots = naming_entries(entries) or list(entries[:1])
    outcome = describe_entries(entries).outcome
    acts_text = " and ".join(quote(entry.heading) for entry in roots) + (f" ({outcome.label})" if outcome else "")
    after = len(entries) - len(roots)
    return acts_text + (f" with its {after} follow-up{'s' if after > 1 else ''}" if after else "")


def conflicting_entry(entries: Callable[[int], LogEntry], conflict: EditConflict) -> LogEntry | None:
    """Return the entry that had played the value that a person then changed by hand."""
    for number in range(conflict.entry.number - 1, max(0, conflict.entry.number - _RECENT), -1):
        with suppress(KeyError):  # An entry that can't be read is reported elsewhere.
            entry = entries(number)
            if any(change.path == conflict.path and change.after == conflict.played for change in entry.changes):
                return entry
    return None
