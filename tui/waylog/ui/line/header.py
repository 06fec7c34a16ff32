"""The first line of what lies over the tray: a title, and a note at the right end."""

from __future__ import annotations

from waylog.ui.draw.cell_width import cells_of
from waylog.ui.draw.palette import CellLine, Palette


def head(title: str, ink: Palette, width: int, note: str = "") -> CellLine:
    """Return the title in full, with the note at the right end if all of it fits."""
    line = CellLine(width).add("─ ", ink.rule).add(title, ink.accent).add(" ", ink.rule)
    if note and line.cells_left > cells_of(note) + 3:
        line.fill("─", ink.rule, until=width - cells_of(note) - 3).add(f" {note} ", ink.strong)
    return line.fill("─", ink.rule)


def has_room(title: str, width: int, note: str) -> bool:
    """Whether the whole note fits behind the title."""
    return width - cells_of(title) - 3 > cells_of(note) + 3
