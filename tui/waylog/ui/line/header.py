"""The first line of what lies over the tray: what it is for, and the keys that work in it."""

from __future__ import annotations

from collections.abc import Sequence

from waylog.ui.draw.palette import CellLine, Palette
from waylog.ui.line import dice_allocation

_ROOMY = 60
"""Cells from which on it says more than how it is left."""
_USUAL = (("↑↓", "choose"), ("Tab", "completes"), ("Enter", "confirms"), ("Esc", "closes"))
_FIELDS = (("↑↓", "choose"), ("Tab", "next field"), ("Enter", "confirms"), ("Esc", "closes"))
"""Where more than one text is asked for."""


def head(title: str, ink: Palette, width: int, *, moving: bool, fields: bool = False) -> CellLine:
    """The title in full, and as many of the keys as it leaves room for.

    `moving`: dice are moved. `fields`: more than one text is asked for.
    """
    usual = _FIELDS if fields else _USUAL
    wide, narrow = (
        (dice_allocation.HINTS, dice_allocation.FEW_HINTS) if moving else (usual, usual[-2 if fields else -1 :])
    )
    if fields and not moving:
        narrow = (usual[1], usual[-1])
    line = CellLine(width).add("─ ", ink.rule).add(title, ink.accent).add(" ", ink.rule)
    hints = wide if width >= _ROOMY and line.cells_left > _cells(wide) + 1 else narrow
    if line.cells_left > _cells(hints) + 1:
        line.fill("─", ink.rule, until=width - _cells(hints) - 1).add(" ", ink.rule)
        for key, does in hints:
            line.add(key, ink.key).add(f" {does}  ", ink.dim)
    return line.fill("─", ink.rule)


def _cells(hints: Sequence[tuple[str, str]]) -> int:
    return sum(len(key) + len(does) + 3 for key, does in hints)
