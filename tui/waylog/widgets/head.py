"""The first line of what lies over the tray: what it is for, and the keys that work in it."""

from __future__ import annotations

from collections.abc import Sequence

from waylog.widgets import remap
from waylog.widgets.ink import Ink, Line

_ROOMY = 60
"""Cells from which on it says more than how it is left."""
_USUAL = (("↑↓", "pick"), ("Tab", "completes"), ("Enter", "plays"), ("Esc", "closes"))


def head(title: str, ink: Ink, width: int, *, moving: bool) -> Line:
    """The title in full, and as many of the keys as it leaves room for. `moving`: dice are moved."""
    wide, narrow = (remap.HINTS, remap.FEW_HINTS) if moving else (_USUAL, _USUAL[-1:])
    line = Line(width).add("─ ", ink.rule).add(title, ink.accent).add(" ", ink.rule)
    hints = wide if width >= _ROOMY and line.left > _cells(wide) + 1 else narrow
    if line.left > _cells(hints) + 1:
        line.fill("─", ink.rule, until=width - _cells(hints) - 1).add(" ", ink.rule)
        for key, does in hints:
            line.add(key, ink.key).add(f" {does}  ", ink.dim)
    return line.fill("─", ink.rule)


def _cells(hints: Sequence[tuple[str, str]]) -> int:
    return sum(len(key) + len(does) + 3 for key, does in hints)
