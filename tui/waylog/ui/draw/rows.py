"""One row of a panel, drawn: on one line with what doesn't fit cut, or with every text of it in full."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import zip_longest
from typing import NamedTuple, assert_never

from waylog.rules.panels import DiceRow, FacesRow, MarkRow, PipsRow, Row, TextRow, Tone
from waylog.ui.draw.cell_width import cells_of
from waylog.ui.draw.dice_chips import chips, figures
from waylog.ui.draw.palette import CellLine, Palette, wrap_text

EMPTY = "empty"
"""The state of a place for something that is not there."""
TONE_SIGNS = {Tone.PLAIN: "", Tone.GOOD: "✓ ", Tone.WARN: "! ", Tone.BAD: "✗ ", Tone.DIM: "· "}
_MOST_PIPS = 12


class DrawnRow(NamedTuple):
    """The lines of a row."""

    lines: list[CellLine]
    head: int = 0
    """The one with its label."""


def draw_row(row: Row, ink: Palette, width: int, label: int, *, full: bool, large: bool) -> DrawnRow:
    """A row in so many cells, `label` of them for what it is called. With `full` nothing that it says is cut; `large` is for dice."""
    named = wrap_text(row.label, label) if full and cells_of(row.label) > label else [row.label]
    if isinstance(row, TextRow):
        return DrawnRow(_text(row, named, ink, width, label, full=full))
    made = _draw_marks(replace(row, label=named[0]), ink, width, label, full=full, large=large)
    under = [CellLine(width).to(2).add(part, ink.strong) for part in named[1:]]
    # The rest of a long name; below the dice where they are large.
    at = 2 * made.head + 1
    return DrawnRow([*made.lines[:at], *under, *made.lines[at:]], made.head)


def _draw_marks(
    row: DiceRow | PipsRow | MarkRow | FacesRow, ink: Palette, width: int, label: int, *, full: bool, large: bool
) -> DrawnRow:
    match row:
        case DiceRow():
            return _dice(row, ink, width, label, full=full, large=large)
        case PipsRow():
            return DrawnRow(_with_note(_pips(row, ink, _head(row.label, ink, width, label)), row.note, ink, full=full))
        case MarkRow():
            return DrawnRow(_with_note(_mark(row, ink, width, label), row.note, ink, full=full))
        case FacesRow():
            return DrawnRow(_faces(row, ink, width, label, full=full, large=large))
        case _:
            assert_never(row)


def _text(row: TextRow, named: Sequence[str], ink: Palette, width: int, label: int, *, full: bool) -> list[CellLine]:
    """Its name and its text beside one another, each in its column."""
    text = (TONE_SIGNS[row.tone] if row.tone is not Tone.PLAIN else "") + row.text
    parts = wrap_text(text, width - label - 4)
    if not full:
        parts = [" ".join(parts)]
    beside = zip_longest(named, parts, fillvalue="")
    return [_head(name, ink, width, label).add(part, ink.tones[row.tone]) for name, part in beside]


def _mark(row: MarkRow, ink: Palette, width: int, label: int) -> CellLine:
    """`✓ there`, `✗ gone`, and `·` for a place where nothing was that could be lost."""
    if row.state == EMPTY:
        return (
            CellLine(width).add("· ", ink.dim).add(row.label, ink.dim, most=label).to(label + 4).add(row.state, ink.dim)
        )
    line = CellLine(width).add("✓ " if row.held else "✗ ", ink.held if row.held else ink.lost)
    line.add(row.label, ink.strong if row.held else ink.plain, most=label).to(label + 4)
    return line.add(row.state, ink.dim if row.held else ink.lost)


def _head(name: str, ink: Palette, width: int, label: int) -> CellLine:
    return CellLine(width).to(2).add(name, ink.strong, most=label).to(label + 4)


def _with_note(line: CellLine, note: str, ink: Palette, *, full: bool, gap: int = 2) -> list[CellLine]:
    """The row with its note: behind it, so many cells away, where it fits or must; or on lines of its own."""
    if note and full and gap + cells_of(note) > line.cells_left:
        return [line, *_under(note, ink, line.width)]
    return [line.to(line.used + gap).add(note, ink.dim) if note else line]


def _under(note: str, ink: Palette, width: int) -> list[CellLine]:
    return [CellLine(width).to(4).add(part, ink.dim) for part in wrap_text(note, width - 4)]


def _pips(row: PipsRow, ink: Palette, line: CellLine) -> CellLine:
    if max(row.value, row.top) <= _MOST_PIPS and line.cells_left >= 2 * max(row.value, row.top) + 6:
        line.add("● " * min(row.value, row.top), ink.held).add("✦ " * max(0, row.value - row.top), ink.key)
        line.add("○ " * max(0, row.top - max(0, row.value)), ink.dim).add(" ", ink.plain)
    return line.add(f"{row.value}", ink.strong).add(f"/{row.top}", ink.dim)


def _dice(row: DiceRow, ink: Palette, width: int, label: int, *, full: bool, large: bool) -> DrawnRow:
    words = f"{row.count} {'die' if row.count == 1 else 'dice'}"
    # Where there are no dice there is nothing to make large.
    fits = row.count > 0 and row.count * 6 + cells_of(words) + 2 <= width - label - 4
    line = _head(row.label, ink, width, label)
    if large and fits:
        top = CellLine(width).to(label + 4).add("╭───╮ " * row.count, ink.held)
        middle = line.add("│ ◆ │ " * row.count, ink.held).add(f" {words}", ink.dim)
        under = CellLine(width).to(label + 4).add("╰───╯ " * row.count, ink.held)
        if row.note and under.cells_left > cells_of(row.note):
            return DrawnRow([top, middle, under.add(f" {row.note}", ink.dim)], head=1)
        return DrawnRow([top, middle, under, *_under(row.note, ink, width)], head=1)
    if 0 < row.count <= _MOST_PIPS and line.cells_left >= 2 * row.count + cells_of(words) + 2:
        line.add("◆ " * row.count, ink.held).add(" ", ink.plain)
    return DrawnRow(_with_note(line.add(words, ink.dim), row.note, ink, full=full))


def _faces(row: FacesRow, ink: Palette, width: int, label: int, *, full: bool, large: bool) -> list[CellLine]:
    """Dice that lie open, all of them whatever the room, with what is said of them above or behind."""
    if not large or not row.dice:
        lines = figures(row.dice, ink, _head(row.label, ink, width, label), label + 4)
        if not row.dice:
            lines[-1].add("no dice ", ink.dim)
        return [*lines[:-1], *_with_note(lines[-1], row.note, ink, full=full, gap=1)]
    head = _head(row.label, ink, width, min(cells_of(row.label), width - 8))
    return [*_with_note(head, row.note, ink, full=full, gap=0), *chips(row.dice, ink, width, 4)]
