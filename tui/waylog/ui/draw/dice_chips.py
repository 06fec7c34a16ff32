"""Dice that lie open, as chips with their figures if there is room, otherwise as figures in brackets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from waylog.rules.dice import Face
from waylog.ui.draw.cell_width import cells_of
from waylog.ui.draw.palette import CellLine, Palette

_LEAST = 3
"""The width inside a chip."""


def chips(dice: Sequence[Face], ink: Palette, width: int, margin: int) -> list[CellLine]:
    """Return three lines for as many dice as fit. A six-sided die is a plain box; any other has its size below, and a
    word above.
    """
    lines = []
    for row in _rows(dice, [max(_LEAST, cells_of(die.source)) + 3 for die in dice], width - margin):
        top, middle, under = (CellLine(width).to(margin) for _ in range(3))
        for die in row:
            inside = max(_LEAST, cells_of(die.source))
            top.add(f"╭{die.source.center(inside, '─')}╮ ", ink.held)
            middle.add("│", ink.held).add(f"{die.face}".center(inside), ink.strong).add("│ ", ink.held)
            under.add(f"╰{_size(die).center(inside, '─')}╯ ", ink.held)
        lines += [top, middle, under]
    return lines


def figures(dice: Sequence[Face], ink: Palette, first: CellLine, margin: int) -> list[CellLine]:
    """Continue the line `first` with `[6] [5] [8/d8] [4 kept]`."""
    texts = [_figure_text(die) for die in dice]
    rows = _rows(dice, [cells_of(text) + 1 for text in texts], first.width - margin)
    lines = [first]
    for number, row in enumerate(rows):
        line = lines[-1] if not number else CellLine(first.width).to(margin)
        for die in row:
            line.add(_figure_text(die), ink.strong).add(" ", ink.plain)
        lines[number:] = [line]
    return lines


def _figure_text(die: Face) -> str:
    size = f"/{_size(die)}" if die.sides != 6 else ""
    return f"[{die.face}{size} {die.source}]" if die.source else f"[{die.face}{size}]"


def _size(die: Face) -> str:
    return "" if die.sides == 6 else f"d{die.sides}"


def _rows(dice: Sequence[Face], sizes: Sequence[int], room: int) -> Iterator[list[Face]]:
    """Put the dice into lines of that width, in their order."""
    row, used = list[Face](), 0
    for die, size in zip(dice, sizes, strict=True):
        if row and used + size > room:
            yield row
            row, used = [], 0
        row.append(die)
        used += size
    if row:
        yield row
