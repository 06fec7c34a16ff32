"""Rolled dice: faces of three lines if there is room, otherwise figures in brackets."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

from waylog.rules.dice import Face
from waylog.ui.draw.cell_width import cells_of
from waylog.ui.draw.palette import CellLine, Palette

WIDTH = 7
"""The width of a drawn face."""
GAP = 2
_BOX = 6
"""The width of a die as a small box, with the blank behind it."""
_LONGEST_SOURCE = 14
"""The width for the source of a die in a small box."""
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
    """Return the least width of drawn faces side by side."""
    return len(dice) * (WIDTH + GAP)


def named_dice_width(dice: Sequence[Face]) -> int:
    """Return their width with the full source of each die."""
    return len(dice) * max((WIDTH + GAP, *(len(str(die.face)) + cells_of(die.source) + GAP + 1 for die in dice)))


def faces(dice: Sequence[Face], ink: Palette, width: int) -> list[CellLine]:
    """Return four lines: the faces, and under each its figure and its source, as far apart as `width` allows."""
    each = max(WIDTH + GAP, width // max(1, len(dice)))
    lines = []
    for row in range(3):
        line = CellLine(width)
        for die in dice:
            line.add(_face(die, row), ink.dim if die.dropped else ink.die).add(" " * (each - WIDTH), ink.plain)
        lines.append(line)
    under = CellLine(width)
    for die in dice:
        start = under.used
        under.add(f"{die.face} ", ink.dim if die.dropped else ink.strong).add(die.source, ink.dim, most=each - 3).to(
            start + each
        )
    return [*lines, under]


def box_width(dice: Sequence[Face]) -> int:
    """Return the width of the dice as small boxes, with their sources under them."""
    return sum(_group_width(source, len(same)) for source, same in _by_source(dice))


def boxes(dice: Sequence[Face], ink: Palette, width: int) -> list[CellLine]:
    """Return four lines: dice as boxes with their figures, and under dice with the same source its name once."""
    lines = [CellLine(width) for _ in range(4)]
    for source, same in _by_source(dice):
        start = lines[0].used
        for die in same:
            face = f"{die.face}" if die.sides == 6 else f"{die.face}".rjust(2)
            for line, part in zip(lines, ("╭───╮", f"│{face.center(3)}│", "╰───╯"), strict=False):
                line.add(part, ink.dim if die.dropped else ink.strong).add(" ", ink.plain)
        size = "" if same[0].sides == 6 else f" d{same[0].sides}"
        lines[3].add(f"{source}{size}", ink.dim, most=_group_width(source, len(same)) - 1)
        for line in lines:
            line.to(start + _group_width(source, len(same)))
    return lines


def _by_source(dice: Sequence[Face]) -> Sequence[tuple[str, Sequence[Face]]]:
    """Group neighbours with the same source."""
    return [(source, [*same]) for (source, _), same in groupby(dice, key=lambda die: (die.source, die.sides))]


def _group_width(source: str, count: int) -> int:
    return max(count * _BOX, min(cells_of(source), _LONGEST_SOURCE)) + 1


def _face(die: Face, row: int) -> str:
    if die.sides == 6 and die.face in _PIPS:
        return _PIPS[die.face][row]
    return (f"d{die.sides}".center(WIDTH), str(die.face).center(WIDTH), _BLANK)[row]


def inline(dice: Sequence[Face], ink: Palette, line: CellLine) -> CellLine:
    """Return the faces as figures: `[3] [5] [5]`. Dice that aren't six-sided show their size. Those that don't count are in
    round brackets.
    """
    for die in dice:
        face = f"{die.face}" if die.sides == 6 else f"{die.face}/d{die.sides}"
        text, style = (f"({face})", ink.dim) if die.dropped else (f"[{face}]", ink.strong)
        line.add(text, style).add(" ", ink.plain)
    return line
