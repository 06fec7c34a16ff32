"""The first and the last line of what lies over the tray: a title with a note at the right end, and the keys."""

from __future__ import annotations

from collections.abc import Sequence

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


def foot(keys: Sequence[tuple[str, str]], ink: Palette, width: int) -> CellLine:
    """Return the keys and what each of them does. The last one, which leaves, is always there; of the others, those that fit."""
    sizes = [cells_of(f"{key} {does}") for key, does in keys]
    line = CellLine(width).to(1)
    for number, (key, does) in enumerate(keys):
        gap = 2 if line.used > 1 else 0
        last = gap + 2 + sizes[-1] if number < len(keys) - 1 else gap
        if line.used + sizes[number] + last <= width:
            line.to(line.used + gap).add(key, ink.key).add(f" {does}", ink.dim)
    return line


CLOSE, QUIT = "Esc", "Ctrl+Q"
"""The keys that close an input, and that quit, as the question before a text is discarded names them."""


def discard_question(key: str) -> str:
    """Return the question before a key discards a text."""
    return f"Discard what you have typed? {key} again. Any other key goes on"
