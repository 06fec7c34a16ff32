"""What has changed, in words for people: one way on every screen."""

from __future__ import annotations

from waylog.rules.changes import Change, Value, format_path


def describe_change(change: Change) -> str:
    """`ship.focus  0 → 1`"""
    return f"{format_path(change.path)}  {describe_value(change.before)} → {describe_value(change.after)}"


def describe_value(value: Value | None) -> str:
    """A value as a person would say it: what is not there, or empty, is a dash, and what holds other values is not told."""
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
