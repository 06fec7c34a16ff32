"""Changes in words, the same on every screen."""

from __future__ import annotations

from waylog.rules.changes import Change, Path, Value, format_path


def describe_change(change: Change, within: Path = ()) -> str:
    """Return `ship.focus 0 → 1`. Of the path, the part that leads to `within` is left out."""
    path = change.path[len(within) :] if change.path[: len(within)] == within else change.path
    values = f"{describe_value(change.before)} → {describe_value(change.after)}"
    return f"{format_path(path)}  {values}" if path else values


def describe_value(value: Value | None) -> str:
    """Return a value in words. Something missing or empty is a dash, and something that holds other values is left out."""
    match value:
        case None | "" | []:
            return "–"
        case bool():
            return "yes" if value else "no"
        case dict():
            return "…" if value else "–"
        case list():
            return ", ".join(map(describe_value, value))
        case _:
            return str(value)
