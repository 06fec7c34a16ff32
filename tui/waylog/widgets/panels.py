"""Panels of a sheet, laid out in columns: as large as the room allows, all of them reachable where there is little."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace
from enum import IntEnum
from typing import assert_never

from waylog.rules.panels import DiceRow, FacesRow, MarkRow, Panel, PipsRow, Row, TextRow, Tone
from waylog.values import dataclass
from waylog.widgets.cells import cells_of
from waylog.widgets.faces import chips, figures
from waylog.widgets.ink import Ink, Line, wrapped

_MARGIN = 2
_MOST_PIPS = 12
_TOP = "╭───╮"
EMPTY = "empty"
"""The state of a place for something that is not there."""
_NAME = 23
"""Cells for a label whatever the column: a module's number and twenty of its name."""
_TONE_SIGNS = {Tone.PLAIN: "", Tone.GOOD: "✓ ", Tone.WARN: "! ", Tone.BAD: "✗ ", Tone.DIM: "· "}


class Room(IntEnum):
    """How generously rows are drawn."""

    CLOSE = 0
    """One line a row."""
    NOTES = 1
    """Notes in full, under their row."""
    WIDE = 2
    """An empty line between rows."""
    LARGE = 3
    """Dice as tall as three lines."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a row is drawn."""

    row: Row
    x: int
    y: int
    width: int
    height: int

    @property
    def head(self) -> int:
        """The line with its label, which the cursor marks."""
        return self.y + (1 if self.tall else 0)

    tall: bool = False
    """Drawn with tall dice, its label in the second line."""


@dataclass(slots=True)
class Layout:
    """Every line in pieces, and where each row lies."""

    width: int
    room: Room = Room.LARGE
    lines: list[list[tuple[int, Line, int | None]]] = field(default_factory=list)
    """For each line: column, piece, and the index of its row in `places`."""
    places: list[Place] = field(default_factory=list)

    def line(self, y: int, cursor: int | None, ink: Ink) -> Line:
        """One line over the whole width, the row under the cursor marked."""
        whole = Line(self.width)
        for x, piece, index in self.lines[y]:
            if index is None or index != cursor or y != self.places[index].head:
                whole.to(x).join(piece)
            else:
                whole.to(x - _MARGIN).add("▸ ", ink.key).join(piece.over(ink.under_cursor))
        return whole


def laid_out(panels: Sequence[Panel], ink: Ink, width: int, height: int, most: Room = Room.LARGE) -> Layout:
    """The panels for a window of that size; longer than `height` when even the closest way does not fit."""
    count = max(1, min(len(panels), 3 if width >= 108 else 2 if width >= 64 else 1))
    layout = Layout(width)
    for room in [room for room in reversed(Room) if room <= most]:
        layout = _columns(panels, ink, width, count, room)
        if len(layout.lines) <= height:
            break
    return layout


def _columns(panels: Sequence[Panel], ink: Ink, width: int, count: int, room: Room) -> Layout:
    each = (width - _MARGIN) // count
    drawn = [_panel(panel, ink, each - _MARGIN, room) for panel in panels]
    groups = _split([len(lines) for lines in drawn], count)
    if len(groups) < count:
        # A column that would stay empty is room for the others.
        return _columns(panels, ink, width, len(groups), room)
    layout = Layout(width, room)
    for column, group in enumerate(groups):
        x, y = _MARGIN + column * each, 0
        for lines in (drawn[index] for index in group):
            _put(layout, lines, x, y, each - _MARGIN)
            y += len(lines) + 1
    return layout


_SIDE_BY_SIDE = 96
"""Cells from which on a scene's panels lie beside one another."""
_RUNNING_ON = 5
"""Lines of what may run on below that have to be in sight."""


def laid_out_in_bands(panels: Sequence[Panel], ink: Ink, width: int, height: int, most: Room = Room.LARGE) -> Layout:
    """A scene: panels beside one another that belong so, each other one across the window; the last may run on below."""
    bands = list[list[Panel]]()
    for panel in panels:
        if panel.beside and bands and width >= _SIDE_BY_SIDE:
            bands[-1].append(panel)
        else:
            bands.append([panel])
    layout = Layout(width)
    for room in [room for room in reversed(Room) if room <= most]:
        layout, y, needed = Layout(width, room), 0, 0
        for band in bands:
            each = (width - _MARGIN) // len(band)
            # What runs on below needn't be cut for room.
            full = max(room, Room.NOTES)
            drawn = [_panel(one, ink, each - _MARGIN, full if one is panels[-1] else room) for one in band]
            for column, lines in enumerate(drawn):
                _put(layout, lines, _MARGIN + column * each, y, each - _MARGIN)
            # The last panel has to be in sight with a few lines, all others in full.
            sizes = [len(lines) for lines in drawn]
            needed = y + max((*sizes[:-1], min(sizes[-1], _RUNNING_ON) if band is bands[-1] else sizes[-1]))
            y += max(sizes) + 1
        if needed <= height:
            break
    return layout


def _put(layout: Layout, lines: Sequence[tuple[Line, Row | None]], x: int, y: int, width: int) -> None:
    held: Row | None = None
    for offset, (line, row) in enumerate(lines):
        while len(layout.lines) <= y + offset:
            layout.lines.append([])
        if row is not None and row is held:
            last = layout.places[-1]
            layout.places[-1] = replace(last, height=last.height + 1)
        elif row is not None:
            layout.places.append(
                Place(row, x, y + offset, width, 1, line.used > 0 and line.text.lstrip().startswith(_TOP))
            )
        held = row
        layout.lines[y + offset].append((x, line, None if row is None else len(layout.places) - 1))


def _split(heights: Sequence[int], count: int) -> list[range]:
    """Panels in their order over `count` columns, so that the tallest column is as short as can be."""
    limit = max([*heights, 1])
    while True:
        groups, start, tall = list[range](), 0, 0
        for index, height in enumerate(heights):
            if tall and tall + height > limit:
                groups.append(range(start, index))
                start, tall = index, 0
            tall += height + 1
        groups.append(range(start, len(heights)))
        if len(groups) <= count:
            return groups
        limit += 1


def _panel(panel: Panel, ink: Ink, width: int, room: Room) -> list[tuple[Line, Row | None]]:
    """A panel's lines, each with the row it belongs to."""
    lines: list[tuple[Line, Row | None]] = [(line, None) for line in _title(panel, ink, width)]
    label = min(
        max((cells_of(row.label) for row in panel.rows), default=0), max(8, width * 2 // 5, min(_NAME, width - 13))
    )
    for number, row in enumerate(panel.rows):
        if room >= Room.WIDE and number and not (room is Room.LARGE and isinstance(row, DiceRow)):
            lines.append((Line(width), None))
        lines.extend((line, row) for line in _row(row, ink, width, label, room))
    return lines


def _title(panel: Panel, ink: Ink, width: int) -> list[Line]:
    """The title with its tags; those that don't fit beside it stand under it, in full."""
    line = Line(width).add(panel.title or "—", ink.accent, most=width).add(" ", ink.plain)
    tags = Line(width)
    said = [f" {_TONE_SIGNS[tag.tone]}{tag.text}" for tag in panel.tags]
    for tag, text in zip(panel.tags, said, strict=True):
        tags.add(text, ink.tones[tag.tone])
    if sum(map(cells_of, said)) <= line.left:
        return [line.fill("─", ink.rule, until=width - tags.used).join(tags)]
    under = [
        Line(width).to(2).add("  " if index else _TONE_SIGNS[tag.tone], style).add(part, style)
        for tag in panel.tags
        for style in (ink.tones[tag.tone],)
        for index, part in enumerate(wrapped(tag.text, width - 4))
    ]
    return [line.fill("─", ink.rule), *under]


def _row(row: Row, ink: Ink, width: int, label: int, room: Room) -> list[Line]:
    match row:
        case DiceRow():
            return _dice_row(row, ink, width, label, room)
        case PipsRow():
            head = _head(row, ink, width, label)
            return _noted(_pips(row, ink, head), row.note, ink, width, room)
        case MarkRow():
            return _noted(_mark(row, ink, width, label), row.note, ink, width, room)
        case FacesRow():
            return _faces_row(row, ink, width, label, room)
        case TextRow():
            sign = _TONE_SIGNS[row.tone] if row.tone is not Tone.PLAIN else ""
            parts = wrapped(sign + row.text, width - label - 4) or [""]
            most = 4 if room >= Room.NOTES else 1
            if len(parts) > most:
                parts = [*parts[: most - 1], " ".join(parts[most - 1 :])]
            first = _head(row, ink, width, label).add(parts[0], ink.tones[row.tone])
            return [first, *(Line(width).to(label + 4).add(part, ink.tones[row.tone]) for part in parts[1:])]
        case _:
            assert_never(row)


def _mark(row: MarkRow, ink: Ink, width: int, label: int) -> Line:
    """`✓ there`, `✗ gone`, and `·` for a place where nothing was that could be lost."""
    if row.state == EMPTY:
        return Line(width).add("· ", ink.dim).add(row.label, ink.dim, most=label).to(label + 4).add(row.state, ink.dim)
    line = Line(width).add("✓ " if row.held else "✗ ", ink.held if row.held else ink.lost)
    line.add(row.label, ink.strong if row.held else ink.plain, most=label).to(label + 4)
    return line.add(row.state, ink.dim if row.held else ink.lost).add("  ", ink.plain)


def _head(row: Row, ink: Ink, width: int, label: int) -> Line:
    return Line(width).to(2).add(row.label, ink.strong, most=label).to(label + 4)


def _noted(line: Line, note: str, ink: Ink, width: int, room: Room) -> list[Line]:
    """The row with its note: behind it where it fits or must, or on lines of its own."""
    if not note:
        return [line]
    if room is Room.CLOSE or cells_of(note) <= line.left:
        return [line.add(note, ink.dim)]
    under = wrapped(note, width - 4)[:3]
    return [line, *(Line(width).to(4).add(part, ink.dim) for part in under)]


def _pips(row: PipsRow, ink: Ink, line: Line) -> Line:
    if max(row.value, row.top) <= _MOST_PIPS and line.left >= 2 * max(row.value, row.top) + 6:
        line.add("● " * min(row.value, row.top), ink.held).add("✦ " * max(0, row.value - row.top), ink.key)
        line.add("○ " * max(0, row.top - max(0, row.value)), ink.dim).add(" ", ink.plain)
    return line.add(f"{row.value}", ink.strong).add(f"/{row.top}  ", ink.dim)


def _dice_row(row: DiceRow, ink: Ink, width: int, label: int, room: Room) -> list[Line]:
    words = f"{row.count} {'die' if row.count == 1 else 'dice'}"
    # Where there are no dice there is nothing to make large.
    fits = row.count > 0 and row.count * 6 + cells_of(words) + 2 <= width - label - 4
    if room is Room.LARGE and fits:
        top = Line(width).to(label + 4).add(f"{_TOP} " * row.count, ink.held)
        middle = _head(row, ink, width, label).add("│ ◆ │ " * row.count, ink.held).add(f" {words}", ink.dim)
        under = Line(width).to(label + 4).add("╰───╯ " * row.count, ink.held)
        return _noted_large([top, middle, under], row.note, ink)
    line = _head(row, ink, width, label)
    if row.count <= _MOST_PIPS and line.left >= 2 * row.count + cells_of(words) + 2:
        line.add("◆ " * max(0, row.count), ink.held).add(" ", ink.plain)
    return _noted(line.add(f"{words}  ", ink.dim), row.note, ink, width, room)


def _faces_row(row: FacesRow, ink: Ink, width: int, label: int, room: Room) -> list[Line]:
    """Dice that lie open, all of them whatever the room, with what is said of them above or behind."""
    if room is Room.CLOSE or not row.dice:
        lines = figures(row.dice, ink, _head(row, ink, width, label), label + 4)
        lines[-1].add(" " if row.dice else "no dice  ", ink.dim).add(row.note, ink.dim)
        return lines
    head = _head(row, ink, width, min(cells_of(row.label), width - 8))
    return [head.add(row.note, ink.dim), *chips(row.dice, ink, width, 4)]


def _noted_large(lines: list[Line], note: str, ink: Ink) -> list[Line]:
    if note and lines[2].left > cells_of(note):
        lines[2].add(f" {note}", ink.dim)
    elif note:
        lines.append(Line(lines[0].width).to(4).add(note, ink.dim))
    return lines
