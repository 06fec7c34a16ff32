"""Panels of a sheet, laid out in columns: as large as the room allows, all of them reachable where there is little."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field
from enum import IntEnum
from itertools import islice
from typing import NamedTuple, Protocol

from waylog.rules.panels import DiceRow, FacesRow, Panel, Row
from waylog.ui.draw.cell_width import cells_of
from waylog.ui.draw.palette import CellLine, Palette, wrap_text
from waylog.ui.draw.rows import TONE_SIGNS, DrawnRow, draw_row
from waylog.ui.layout import panel_columns
from waylog.values import dataclass

_MARGIN = 2
_NAME = 23
"""Cells for a label whatever the column: a module's number and twenty of its name."""
_SIDE_BY_SIDE = 96
"""Cells from which on a scene's panels lie beside one another."""
_RUNNING_ON = 5
"""Lines of what may run on below that have to be in sight."""


class Room(IntEnum):
    """How generously rows are drawn."""

    CLOSE = 0
    """One line a row, but for those that are unfolded."""
    NOTES = 1
    """Texts and notes in full, and dice that lie open as chips."""
    WIDE = 2
    """An empty line between rows."""
    LARGE = 3
    """Dice as tall as three lines."""


@dataclass(slots=True)
class _Slot:
    """A panel in so many cells. A row is drawn once in each way that it is asked for."""

    panel: Panel
    ink: Palette
    width: int
    runs_on: bool = False
    """Below the window's end, too: so it needn't be cut for room."""
    title: list[CellLine] = field(init=False)
    _label: int = field(init=False)
    _drawn: dict[tuple[int, bool, bool], DrawnRow] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.title = _title(self.panel, self.ink, self.width)
        longest = max((cells_of(row.label) for row in self.panel.rows), default=0)
        self._label = min(longest, max(8, self.width * 2 // 5, min(_NAME, self.width - 13)))

    def row(self, number: int, room: Room, *, full: bool) -> DrawnRow:
        """A row as it is drawn with so much room; with `full` nothing that it says is cut, however little that is."""
        row = self.panel.rows[number]
        room = max(room, Room.NOTES) if self.runs_on else room
        large = (isinstance(row, DiceRow) and room is Room.LARGE) or (isinstance(row, FacesRow) and room >= Room.NOTES)
        way = number, full or room >= Room.NOTES, large
        if way not in self._drawn:
            self._drawn[way] = draw_row(row, self.ink, self.width, self._label, full=way[1], large=large)
        return self._drawn[way]

    def more(self, number: int, room: Room) -> int:
        """Lines that a row has more in full; none where nothing of it is cut."""
        return len(self.row(number, room, full=True).lines) - len(self.row(number, room, full=False).lines)

    def air(self, number: int, room: Room) -> int:
        """Empty lines above a row. Large dice have enough of it around them."""
        large = room is Room.LARGE and isinstance(self.panel.rows[number], DiceRow)
        return 1 if number and room >= Room.WIDE and not large else 0

    def height(self, room: Room, *, full: bool) -> int:
        """Lines that have to be in sight."""
        rows = range(len(self.panel.rows))
        lines = len(self.title) + sum(len(self.row(n, room, full=full).lines) + self.air(n, room) for n in rows)
        return min(lines, _RUNNING_ON) if self.runs_on else lines


_Bands = Sequence[Sequence[tuple[int, Sequence[_Slot]]]]
"""Bands across the window; in each its columns, by where they begin, of panels below one another."""


@dataclass(frozen=True, slots=True)
class RowPosition:
    """Where a row is drawn."""

    row: Row
    x: int
    y: int
    width: int
    height: int
    head: int
    """The line with its label, which the cursor marks."""


class LinePart(NamedTuple):
    """A part of a line."""

    x: int
    line: CellLine
    place: int | None
    """Its row, in `PanelLayout.places`."""


@dataclass(slots=True)
class PanelLayout:
    """Every line in pieces, and where each row lies."""

    width: int
    room: Room = Room.LARGE
    bands: _Bands = ()
    unfolded: frozenset[int] = frozenset()
    """Rows that are in full whatever the room, by their index in `places`."""
    lines: list[list[LinePart]] = field(default_factory=list)
    places: list[RowPosition] = field(default_factory=list)
    whole: dict[tuple[tuple[int, int], ...], CellLine] = field(default_factory=dict)
    """Lines that are put together, by where their pieces begin and the identity of each; every row is drawn once."""

    def __post_init__(self) -> None:
        for band in self.bands:
            top = len(self.lines) + 1 if self.lines else 0
            for x, slots in band:
                y = top
                for slot in slots:
                    y = self._put(slot, x, y) + 1

    def _put(self, slot: _Slot, x: int, y: int) -> int:
        """A panel from line `y` on; gives the line behind it."""
        for line in slot.title:
            y = self._add(y, LinePart(x, line, None))
        for number, row in enumerate(slot.panel.rows):
            y += slot.air(number, self.room)
            index = len(self.places)
            made = slot.row(number, self.room, full=index in self.unfolded)
            self.places.append(RowPosition(row, x, y, slot.width, len(made.lines), y + made.head))
            for line in made.lines:
                y = self._add(y, LinePart(x, line, index))
        return y

    def _add(self, y: int, piece: LinePart) -> int:
        while len(self.lines) <= y:
            self.lines.append([])
        self.lines[y].append(piece)
        return y + 1

    def with_open_row(self, cursor: int) -> PanelLayout:
        """With the row under the cursor in full, in its place; this very layout where nothing of it is cut."""
        rows = ((slot, number) for slot in _slots(self.bands) for number in range(len(slot.panel.rows)))
        here = next(islice(rows, cursor, None), None)
        if here is None or cursor in self.unfolded or not here[0].more(here[1], self.room):
            return self
        return PanelLayout(self.width, self.room, self.bands, self.unfolded | {cursor}, whole=self.whole)

    def line(self, y: int, cursor: int | None, ink: Palette) -> CellLine:
        """One line over the whole width, the row under the cursor marked; the very same line each time where no cursor marks it."""
        if cursor is None or cursor >= len(self.places) or self.places[cursor].head != y:
            return self._whole(y)
        whole = CellLine(self.width)
        for x, piece, index in self.lines[y]:
            if index == cursor:
                whole.to(x - _MARGIN).add("▸ ", ink.key).join(piece.over(ink.under_cursor))
            else:
                whole.to(x).join(piece)
        return whole

    def _whole(self, y: int) -> CellLine:
        pieces = tuple((x, id(piece)) for x, piece, _ in self.lines[y])
        if pieces not in self.whole:
            line = CellLine(self.width)
            for x, piece, _ in self.lines[y]:
                line.to(x).join(piece)
            self.whole[pieces] = line
        return self.whole[pieces]


class _Arranged(Protocol):
    """Where panels lie when they are drawn with so much room, or with every row in full."""

    def __call__(self, room: Room, *, full: bool) -> _Bands: ...


def layout_panels(
    panels: Sequence[Panel], ink: Palette, width: int, height: int, most: Room = Room.LARGE, *, scrolls: bool = False
) -> PanelLayout:
    """The panels for a window of that size; longer than `height`, with nothing cut, when even the closest way does not fit.

    Nothing is ever cut in a window that `scrolls` line by line.
    """
    drawn_for = dict[int, Sequence[_Slot]]()

    def columns(room: Room, *, full: bool) -> _Bands:
        count = max(1, min(len(panels), panel_columns(width)))
        while True:
            each = (width - _MARGIN) // count
            if count not in drawn_for:
                drawn_for[count] = [_Slot(panel, ink, each - _MARGIN) for panel in panels]
            slots = drawn_for[count]
            groups = _split([slot.height(room, full=full) for slot in slots], count)
            if len(groups) == count:
                return [[(_MARGIN + n * each, slots[group.start : group.stop]) for n, group in enumerate(groups)]]
            # A column that would stay empty is room for the others.
            count = len(groups)

    found = _roomiest(columns, width, height, most, Room.NOTES if scrolls else Room.CLOSE)
    if found is None:
        # What has to be scrolled anyway needs no cuts.
        bands = columns(Room.CLOSE, full=True)
        found = PanelLayout(width, Room.CLOSE, bands, frozenset(range(sum(len(panel.rows) for panel in panels))))
    return found


def layout_bands(
    panels: Sequence[Panel], ink: Palette, width: int, height: int, most: Room = Room.LARGE
) -> PanelLayout:
    """A scene: panels beside one another that belong so, each other one across the window; the last may run on below."""
    bands = list[list[Panel]]()
    for panel in panels:
        if panel.beside and bands and width >= _SIDE_BY_SIDE:
            bands[-1].append(panel)
        else:
            bands.append([panel])
    placed = [list(_side_by_side(band, ink, width, panels[-1])) for band in bands]
    found = _roomiest(lambda room, *, full: placed, width, height, most)  # noqa: ARG005 - they lie there in any case
    # Dice are played against each other: as many as can be are in sight at once, whatever has to be cut.
    return found or PanelLayout(width, Room.CLOSE, placed)


def _side_by_side(
    band: Sequence[Panel], ink: Palette, width: int, last: Panel
) -> Iterator[tuple[int, Sequence[_Slot]]]:
    each = (width - _MARGIN) // len(band)
    for number, panel in enumerate(band):
        yield _MARGIN + number * each, [_Slot(panel, ink, each - _MARGIN, runs_on=panel is last)]


def _roomiest(arranged: _Arranged, width: int, height: int, most: Room, least: Room = Room.CLOSE) -> PanelLayout | None:
    """With as much room as there is; None where there is too little for any way."""
    for room in (room for room in reversed(Room) if least <= room <= most):
        bands = arranged(room, full=False)
        heights = [slot.height(room, full=False) for slot in _slots(bands)]
        if _lines(bands, heights) <= height:
            return PanelLayout(width, room, bands, _open_rows(bands, heights, room, height))
    return None


def _slots(bands: _Bands) -> Iterator[_Slot]:
    return (slot for band in bands for _, slots in band for slot in slots)


def _lines(bands: _Bands, heights: Sequence[int]) -> int:
    """How long a sheet is whose panels are so high, with a line between them."""
    high = iter(heights)
    return sum(max(sum(next(high) + 1 for _ in slots) for _, slots in band) for band in bands) - 1


def _open_rows(bands: _Bands, heights: Sequence[int], room: Room, height: int) -> frozenset[int]:
    """Rows that are in full all the same, from the top, as long as the sheet is in sight with them."""
    found, high, index = set[int](), list(heights), 0
    for which, slot in enumerate(_slots(bands)):
        for number in range(len(slot.panel.rows)):
            more = slot.more(number, room)
            high[which] += more
            if more and _lines(bands, high) <= height:
                found.add(index)
            else:
                high[which] -= more
            index += 1
    return frozenset(found)


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


def _title(panel: Panel, ink: Palette, width: int) -> list[CellLine]:
    """The title with its tags; those that don't fit beside it stand under it, in full."""
    line = CellLine(width).add(panel.title or "—", ink.accent, most=width).add(" ", ink.plain)
    tags = CellLine(width)
    marks_text = [f" {TONE_SIGNS[tag.tone]}{tag.text}" for tag in panel.tags]
    for tag, text in zip(panel.tags, marks_text, strict=True):
        tags.add(text, ink.tones[tag.tone])
    if sum(map(cells_of, marks_text)) <= line.cells_left:
        return [line.fill("─", ink.rule, until=width - tags.used).join(tags)]
    under = [
        CellLine(width).to(2).add("  " if index else TONE_SIGNS[tag.tone], style).add(part, style)
        for tag in panel.tags
        for style in (ink.tones[tag.tone],)
        for index, part in enumerate(wrap_text(tag.text, width - 4))
    ]
    return [line.fill("─", ink.rule), *under]
