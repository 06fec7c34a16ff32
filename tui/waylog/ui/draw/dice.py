"""Dice as they lie on the table: faces of three lines where there is room, figures in brackets where there is not."""

from __future__ import annotations

from collections.abc import Sequence

from waylog.rules.dice import Face
from waylog.ui.draw.cell_width import cells_of
from waylog.ui.draw.palette import CellLine, Palette

WIDTH = 7
"""Cells of a drawn face."""
GAP = 2
_PIPS = {
    1: ("       ", "   ●   ", "       "),
    2: (" ●     ", "       ", "     ● "),
    3: (" ●     ", "   ●   ", "     ● "),
    4: (" ●   ● ", "       ", " ●   ● "),
    5: (" ●   ● ", "   ●   ", " ●   ● "),
    6: (" ●   ● ", " ●   ● ", " ●   ● "),
}
_BLANK = " " * WIDTH


def width_of(dice: Sequence[Face]) -> int:
    """The cells that drawn faces take side by side, at least."""
    return len(dice) * (WIDTH + GAP)


def named_dice_width(dice: Sequence[Face]) -> int:
    """The cells that they take with what each was rolled for in full."""
    return len(dice) * max((WIDTH + GAP, *(len(str(die.face)) + cells_of(die.source) + GAP + 1 for die in dice)))


def faces(dice: Sequence[Face], ink: Palette, width: int) -> list[CellLine]:
    """Four lines: the faces, and under each its figure and what it was rolled for; as wide apart as `width` allows."""
    each = max(WIDTH + GAP, width // max(1, len(dice)))
    lines = []
    for row in range(3):
        line = CellLine(width)
        for die in dice:
            line.add(_face(die, row), ink.die).add(" " * (each - WIDTH), ink.plain)
        lines.append(line)
    under = CellLine(width)
    for die in dice:
        start = under.used
        under.add(f"{die.face} ", ink.strong).add(die.source, ink.dim, most=each - 3).to(start + each)
    return [*lines, under]


def _face(die: Face, row: int) -> str:
    if die.sides == 6 and die.face in _PIPS:
        return _PIPS[die.face][row]
    return (f"d{die.sides}".center(WIDTH), str(die.face).center(WIDTH), _BLANK)[row]


def inline(dice: Sequence[Face], ink: Palette, line: CellLine) -> CellLine:
    """The faces as figures: `[3] [5] [5]`; other dice than six-sided say so."""
    for die in dice:
        line.add(f"[{die.face}]" if die.sides == 6 else f"[{die.face}/d{die.sides}]", ink.strong).add(" ", ink.plain)
    return line
