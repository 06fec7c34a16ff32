"""What the screens call the places of a campaign: rows, who or what they belong to, and clocks."""

from __future__ import annotations

from collections.abc import Mapping

from waylog.rules.changes import Change, Path, format_path
from waylog.snapshot import Snapshot
from waylog.ui.draw.changes import describe_value

_EVERYBODY: Path = ("crew",)
PlaceNames = Mapping[str, str]
"""By the path in the campaign: `Odile` for `crew.odile`, `Vitality` for `crew.odile.vitality`."""


def names_of(snapshot: Snapshot) -> PlaceNames:
    """What the screens call rows and what they belong to, by key."""
    rows = {row.key: row.label.lstrip("#0123456789 ") or row.label for panel in snapshot.panels for row in panel.rows}
    panels = {panel.key: panel.title for panel in snapshot.panels if panel.key}
    clocks = {f"clocks.{key}": clock.name for key, clock in snapshot.clocks.items()}
    return {**rows, **panels, **clocks, format_path(_EVERYBODY): "all"}


def name_change(change: Change, names: PlaceNames) -> str:
    """`Odile: Vitality  3 → 2`. A place that no screen shows is called by its path."""
    return f"{_name_place(change.path, names)}  {describe_value(change.before)} → {describe_value(change.after)}"


def _name_place(path: Path, names: PlaceNames) -> str:
    """Who or what it belongs to, then the last part with a name, then the file's words for what no screen names."""
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
