"""What has changed, in words for people: one way on every screen."""

from __future__ import annotations

from waylog.rules.changes import Change, Value, dotted


def told(change: Change) -> str:
    """`ship.focus  0 → 1`"""
    return f"{dotted(change.path)}  {said(change.before)} → {said(change.after)}"


def said(value: Value | None) -> str:
    """A value as a person would say it: what is not there, or empty, is a dash, and what holds other values is not told."""
    match value:
        case None | "" | []:
            return "–"
        case bool():
            return "yes" if value else "no"
        case dict():
            return "…" if value else "–"
        case list():
            return ", ".join(map(said, value))
        case _:
            return str(value)
