"""Changes in words, the same on every screen."""

from __future__ import annotations

from waylog.rules.changes import Change, Value, format_path


def describe_change(change: Change) -> str:
    """Return `ship.focus 0 → 1`."""
    return f"{format_path(change.path)}  {describe_value(change.before)} → {describe_value(change.after)}"


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
