"""Names for paths of a campaign, as on the screens: rows and their owners, clocks, decks, sessions and timers."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from waylog.rules.changes import Change, Path, format_path
from waylog.rules.facts import NoteFact
from waylog.snapshot import Snapshot
from waylog.store.entries import LogEntry
from waylog.words.changes import describe_value

_EVERYBODY: Path = ("crew",)
PlaceNames = Mapping[str, str]
"""By the path in the campaign: `Odile` for `crew.odile`, `Vitality` for `crew.odile.vitality`."""


def names_of(snapshot: Snapshot) -> PlaceNames:
    """Return the names of rows and their owners on the screens, by key."""
    rows = {row.key: row.label.lstrip("#0123456789 ") or row.label for panel in snapshot.panels for row in panel.rows}
    panels = {panel.key: panel.title for panel in snapshot.panels if panel.key}
    clocks = {f"clocks.{key}": clock.name for key, clock in snapshot.clocks.items()}
    sessions = {f"sessions.{key}": f"Session {key}" for key in snapshot.sessions}
    decks = {f"decks.{key}": deck.name for key, deck in snapshot.decks.items()}
    timers = {f"timers.{key}": timer.name for key, timer in snapshot.timers.items()}
    return {**rows, **panels, **clocks, **sessions, **decks, **timers, format_path(_EVERYBODY): "all"}


def name_change(change: Change, names: PlaceNames) -> str:
    """Return `Odile: Vitality  3 → 2`. A value that no screen shows is called by its path."""
    return f"{name_place(change.path, names)}  {describe_value(change.before)} → {describe_value(change.after)}"


def name_place(path: Path, names: PlaceNames) -> str:
    """Return the owner, then the last part that has a name, then the words of the file for the rest of the path."""
    known = [
        (length, name)
        for length in range(1, len(path) + 1)
        if (name := names.get(format_path(path[:length]))) and path[:length] != _EVERYBODY
    ]
    if not known:
        return format_path(path)
    (_, owner), (length, part) = known[0], known[-1]
    rest = [word.replace("_", " ") for word in path[length:]]
    words = " ".join([part, *rest] if len(known) > 1 else rest)
    return f"{owner}: {words}" if words else owner


def untold_changes(act: Sequence[LogEntry]) -> Iterator[Change]:
    """Yield the changes of an act that no note mentions: all those of an undo, and those of an entry without notes.

    Changes of cards, and of whole people and things, always have notes.
    """
    for entry in act:
        if entry.undoes or not any(isinstance(fact, NoteFact) for fact in entry.facts):
            for each in entry.shown_changes:
                if each.path[0] != "decks" and not isinstance(each.before, dict) and not isinstance(each.after, dict):
                    yield each
