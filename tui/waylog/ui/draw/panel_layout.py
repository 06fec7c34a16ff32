"""How the panels of a view stand: in columns, as large as there is room for, and all of them reachable. In a low window rows share
lines, then those that only describe fold away, and at last all that isn't vital (`drawn_panels.py`).

`PanelLayout` has the place of every row. The Bridge lays its columns out by itself (`bridge_layout.py`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Protocol

from waylog.rules.model.panels import Panel, Row
from waylog.ui.draw.cell_lines import CellLine
from waylog.ui.draw.colours import DIFFERS, Palette
from waylog.ui.draw.drawn_panels import MARGIN, DrawnPanel, PackedRow, Room
from waylog.values import NamedTuple, dataclass, field, replace

_TWO_COLUMNS, _THREE_COLUMNS = 64, 108
"""The widths from which on a view has so many columns of panels."""
_FEW_COLUMNS = 2
"""Columns that are few."""
_SIDE_BY_SIDE = 96
"""The width from which on a scene's panels stand side by side."""
_ASKED = 6
"""Lines that a scene's questions take below its panels, more often than not."""
_LOW_SCENE = 24
"""The height of a scene below which its panels stand without blank lines between them."""


class Column(NamedTuple):
    """Panels below one another."""

    x: int
    slots: Sequence[DrawnPanel]
    rooms: Sequence[Room] = ()
    """The room for the rows of each panel; empty if it is that of the whole sheet."""
    gap: int = 1
    """Lines between its panels."""

    @property
    def height(self) -> int:
        """The lines of a column whose rooms are set, with those between its panels."""
        heights = (slot.height(room, full=False) for slot, room in zip(self.slots, self.rooms, strict=True))
        return sum(heights) + self.gap * (len(self.slots) - 1)

    def with_rooms(self, default: Room) -> Iterator[tuple[DrawnPanel, Room]]:
        """Yield its panels, each with how its rows are drawn."""
        return zip(self.slots, self.rooms or [default] * len(self.slots), strict=True)


_Bands = Sequence[Sequence[Column]]
"""Bands across the window, and the columns of each."""


@dataclass(frozen=True, slots=True)
class RowPosition:
    """The place of a row."""

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
    """Every line in parts, and the place of each row."""

    width: int
    room: Room = Room.LARGE
    bands: _Bands = ()
    unfolded: frozenset[int] = frozenset()
    """Rows that are in full whatever the room, by their index in `places`."""
    between: int = 1
    """Lines between bands."""
    lines: list[list[LinePart]] = field(default_factory=list)
    places: list[RowPosition] = field(default_factory=list)
    whole: dict[tuple[tuple[int, int], ...], CellLine] = field(default_factory=dict)
    """Complete lines, by the start and the identity of each of their parts. Every row is drawn once."""
    lit: frozenset[str] = frozenset()
    """The keys of the rows that are marked, because they differ now."""
    hidden: dict[tuple[int, int], frozenset[str]] = field(default_factory=dict)
    """By line and column of a title, the keys of the rows below it that have no line of their own."""

    def __post_init__(self) -> None:
        self.hidden = {}
        for band in self.bands:
            top = len(self.lines) + self.between if self.lines else 0
            for column in band:
                y = top
                for slot, room in column.with_rooms(self.room):
                    title, first = y, len(self.places)
                    y = self._put(slot, column.x, y, room) + column.gap
                    rows = (place.row.key for place in self.places[first:] if not place.height)
                    self.hidden[title, column.x] = frozenset(rows)

    def _put(self, slot: DrawnPanel, x: int, y: int, room: Room) -> int:
        """Place a panel from line `y` on. Return the line after it."""
        if room is Room.LINE:
            head, rows, end = slot.title_line
            self._add(y, LinePart(x, head, None))
            below = self._put_packed(slot, x, y if rows else y + 1, room)
            self._add(y, LinePart(x + slot.width - end.width, end, None))
            return below
        for line in slot.title(room):
            y = self._add(y, LinePart(x, line, None))
        if room < Room.CLOSE:
            y = self._put_packed(slot, x, y, room)
            return self._flush(y, [LinePart(x, line, None) for line in slot.names(room)])
        for number, row in enumerate(slot.panel.rows):
            index = len(self.places)
            made = slot.row(number, room, full=index in self.unfolded)
            self.places.append(RowPosition(row, x, y, slot.width, len(made.lines), y + made.head))
            for line in made.lines:
                y = self._add(y, LinePart(x, line, index))
        return y

    def _put_packed(self, slot: DrawnPanel, x: int, y: int, room: Room) -> int:
        """Place the rows of a panel that share lines. Hidden rows get the place where they would stand."""
        first = len(self.places)
        cells = {cell.number: (line, cell) for line in slot.pack_rows(room) for cell in line}
        here: Sequence[PackedRow] = ()
        """The line that rows are put into."""
        tall, below = 0, list[LinePart]()
        for number, row in enumerate(slot.panel.rows):
            index, unfolded = first + number, first + number in self.unfolded
            under = slot.open_row(number, room).under if unfolded else ()
            if number in cells:
                line, cell = cells[number]
                # A row that is cut has its line to itself.
                drawn_lines = slot.open_row(number, room).lines if unfolded else cell.lines
                if line is not here:
                    y, here, below = self._flush(y + tall, below), line, []
                    tall = max(len(one.lines) for one in line)
                tall = max(tall, len(drawn_lines))
                self.places.append(RowPosition(row, x + cell.x, y, cell.width, tall + len(under), y))
                for offset, drawn in enumerate(drawn_lines):
                    self._add(y + offset, LinePart(x + cell.x, drawn, index))
                below += [LinePart(x, drawn, index) for drawn in under]
            else:
                at = y + tall + len(below)
                self.places.append(RowPosition(row, x, at, slot.width, len(under), at))
                below += [LinePart(x, drawn, index) for drawn in under]
        return self._flush(y + tall, below)

    def _flush(self, y: int, parts: Sequence[LinePart]) -> int:
        """Place parts below one another. Return the line after them."""
        for part in parts:
            y = self._add(y, part)
        return y

    def _add(self, y: int, piece: LinePart) -> int:
        while len(self.lines) <= y:
            self.lines.append([])
        self.lines[y].append(piece)
        return y + 1

    def line_of(self, index: int) -> tuple[int, int]:
        """Return where a row's line begins: the column, and the line in it. Packed rows share one."""
        row = self.places[index]
        starts = [column.x for band in self.bands for column in band if column.x <= row.x]
        return max(starts, default=row.x), row.head

    def _rows(self) -> Iterator[tuple[DrawnPanel, int, Room]]:
        """Yield the rows in the order of `places`: the panel, the number in it, and the room."""
        for column in (column for band in self.bands for column in band):
            for slot, room in column.with_rooms(self.room):
                yield from ((slot, number, room) for number in range(len(slot.panel.rows)))

    @property
    def is_in_full(self) -> bool:
        """Whether no row is cut or hidden."""
        return all(
            index in self.unfolded or not slot.more(number, room)
            for index, (slot, number, room) in enumerate(self._rows())
        )

    def has_words(self, y: int) -> bool:
        """Whether a line isn't blank."""
        return any(part.line.used for part in self.lines[y])

    def end_below(self, y: int) -> int:
        """Return where the last column ends that goes on below a line; the end of the line if columns stand in bands."""
        starts = sorted(column.x for band in self.bands for column in band)
        last = max((part.x for parts in self.lines[y + 1 :] for part in parts if part.line.used), default=self.width)
        after = (start - MARGIN for start in starts if start > last)
        return next(after, self.width) if len(self.bands) == 1 else self.width

    def with_open_row(self, cursor: int) -> PanelLayout:
        """Return the layout with the row under the cursor in full, in its place; this layout itself if nothing of it is cut."""
        here = next(islice(self._rows(), cursor, None), None)
        if here is None or cursor in self.unfolded or not here[0].more(*here[1:]):
            return self
        return replace(self, unfolded=self.unfolded | {cursor}, lines=[], places=[])

    def line(self, y: int, cursor: int | None, ink: Palette) -> CellLine:
        """Return a line over the whole width, with a mark at the row under the cursor, which is lit in all of its lines. Without the cursor
        it is the same object each time.
        """
        place = self.places[cursor] if cursor is not None and cursor < len(self.places) else None
        has_cursor = place is not None and place.y <= y < place.y + max(1, place.height)
        is_head = place is not None and place.head == y
        if not (has_cursor or self.lit):
            return self._whole(y)
        indexes = {index for _, _, index in self.lines[y] if index is not None}
        lit = {index for index in indexes if self.places[index].head == y and self.places[index].row.key in self.lit}
        above = {x for x, _, _ in self.lines[y] if not self.lit.isdisjoint(self.hidden.get((y, x), ()))}
        if not (has_cursor or lit or above):
            return self._whole(y)
        whole = CellLine(self.width)
        for x, piece, index in self.lines[y]:
            here = has_cursor and index == cursor and piece.used > 0
            if index in lit:
                piece = piece.over(ink.differs)
                whole.to(x - MARGIN).add("▸" if here and is_head else " ", ink.key).add(DIFFERS, ink.differs)
            elif here and is_head:
                whole.to(x - MARGIN).add("▸ ", ink.key)
            elif x in above:
                whole.to(x - MARGIN + 1).add(DIFFERS, ink.differs)
            whole.to(x).join(piece.over(ink.under_cursor) if here else piece)
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
    """Returns the places of panels that are drawn with so much room, or with every row in full."""

    def __call__(self, room: Room, *, full: bool) -> _Bands: ...


def layout_panels(
    panels: Sequence[Panel], ink: Palette, width: int, height: int, most: Room = Room.LARGE, *, scrolls: bool = False
) -> PanelLayout:
    """Lay out panels for a window of that size. If even the closest layout doesn't fit, it is longer than `height`,
    with nothing cut.

    Nothing is ever cut in a window that `scrolls` line by line.
    """
    drawn_for = dict[int, Sequence[DrawnPanel]]()

    def split(count: int, room: Room, *, full: bool) -> Sequence[Column]:
        while True:
            each = (width - MARGIN) // count
            if count not in drawn_for:
                people = list[DrawnPanel]()
                drawn_for[count] = [
                    DrawnPanel(panel, ink, each - MARGIN, alike=people if panel.place == "crew" else ())
                    for panel in panels
                ]
                people += (slot for slot in drawn_for[count] if slot.panel.place == "crew")
            slots = drawn_for[count]
            groups = split_columns([slot.height(room, full=full) for slot in slots], count)
            if len(groups) == count:
                return [Column(MARGIN + n * each, slots[group.start : group.stop]) for n, group in enumerate(groups)]
            # A column that would stay empty leaves its room to the others.
            count = len(groups)

    def columns(room: Room, *, full: bool) -> _Bands:
        most = 3 if width >= _THREE_COLUMNS else 2 if width >= _TWO_COLUMNS else 1
        found = split(max(1, min(len(panels), most)), room, full=full)
        if len(found) > _FEW_COLUMNS and not is_even(found, room):
            # Fewer columns that have everything are better than one that is half empty, or than cut rows.
            fewer = split(_FEW_COLUMNS, room, full=True)
            found = fewer if is_even(fewer, room) else found
        return [found]

    def is_even(found: Sequence[Column], room: Room) -> bool:
        """Return whether all rows are in sight in full, and no column ends before two thirds of the tallest."""
        tall = [sum(slot.height(room, full=True) + 1 for slot in column.slots) - 1 for column in found]
        return max(tall) <= height and 3 * min(tall) >= 2 * max(tall)

    found = _roomiest(columns, width, height, most, Room.NOTES if scrolls else Room.BRIEF)
    if found is None:
        # A layout that has to be scrolled anyway needs no cuts.
        bands = columns(Room.CLOSE, full=True)
        # Players read from the top: a panel that begins is worth more to them than an even end.
        bands = bands if scrolls else _level_columns(bands, height)
        found = PanelLayout(width, Room.CLOSE, bands, frozenset(range(sum(len(panel.rows) for panel in panels))))
    return found


def _level_columns(bands: _Bands, height: int) -> _Bands:
    """Return columns in full of which none ends more than half a window above another. Where one would, each panel stands in the column
    that is shortest by then; if that isn't enough, a panel goes on in the next column, under its name. So scrolling to the end doesn't
    leave half of the window empty.
    """
    (columns,) = bands
    slots = [*_slots(bands)]
    filled = [list[DrawnPanel]() for _ in columns]
    for slot in slots[:-1]:
        min(filled, key=_tall).append(slot)
    filled[-1].append(slots[-1])  # What adds one more stays the last.
    groups: Sequence[Sequence[DrawnPanel]]
    for groups in ([column.slots for column in columns], filled):
        tall = [_tall(group) for group in groups]
        if max(tall) - min(tall) <= height // 2:
            return [[column._replace(slots=group) for column, group in zip(columns, groups, strict=True)]]
    limits = range(_tall(slots) // len(columns), _tall(slots))
    groups = next(groups for limit in limits if len(groups := _flow_panels(slots, limit)) <= len(columns))
    return [[column._replace(slots=group) for column, group in zip(columns, groups, strict=False)]]


def _tall(slots: Iterable[DrawnPanel]) -> int:
    """Return the lines of panels in full, each with the blank one below."""
    return sum(slot.height(Room.CLOSE, full=True) + 1 for slot in slots)


def _flow_panels(slots: Sequence[DrawnPanel], limit: int) -> Sequence[Sequence[DrawnPanel]]:
    """Distribute panels in their order over columns of so many lines. What doesn't fit of a panel stands in the next column."""
    columns, used = [list[DrawnPanel]()], 0
    for slot in slots:
        start = 0
        for number in range(len(slot.panel.rows)):
            lines = len(slot.row(number, Room.CLOSE, full=True).lines)
            begins = number == start
            above = begins * (len(slot.title(Room.CLOSE)) + bool(used))
            if used and used + above + lines > limit:
                columns[-1] += [slot.part(start, number)] if not begins else []
                columns.append([])
                start, used, above = number, 0, 1
            used += above + lines
        columns[-1].append(slot.part(start, len(slot.panel.rows)))
    return columns


def layout_bands(
    panels: Sequence[Panel], ink: Palette, width: int, height: int, most: Room = Room.LARGE
) -> PanelLayout:
    """Lay out a scene: some panels side by side, the others across the window. The last may continue below the window."""
    bands = list[list[Panel]]()
    for panel in panels:
        if panel.beside and bands and width >= _SIDE_BY_SIDE:
            bands[-1].append(panel)
        else:
            bands.append([panel])
    placed = list[list[Column]]()
    for band in bands:
        each = (width - MARGIN) // len(band)
        slots = [DrawnPanel(panel, ink, each - MARGIN, runs_on=panel is panels[-1]) for panel in band]
        placed.append([Column(MARGIN + number * each, [slot]) for number, slot in enumerate(slots)])
    found = _roomiest(lambda room, *, full: placed, width, height - _ASKED, most)  # noqa: ARG005 - they lie there in any case
    # As many open dice as possible are in sight at once, whatever has to be cut.
    layout = found or PanelLayout(width, Room.CLOSE, placed)
    # In a low window, a tray with options covers half of them.
    return replace(layout, between=0, lines=[], places=[]) if height < _LOW_SCENE else layout


def _roomiest(arranged: _Arranged, width: int, height: int, most: Room, least: Room = Room.CLOSE) -> PanelLayout | None:
    """Return the layout with the most room that fits; None if none does."""
    for room in (room for room in reversed(Room) if least <= room <= most):
        bands = arranged(room, full=False)
        heights = [slot.height(room, full=False) for slot in _slots(bands)]
        if _lines(bands, heights) <= height:
            return PanelLayout(width, room, bands, open_rows(bands, heights, room, height))
    return None


def _slots(bands: _Bands) -> Iterator[DrawnPanel]:
    return (slot for band in bands for column in band for slot in column.slots)


def _lines(bands: _Bands, heights: Sequence[int]) -> int:
    """Return the height of a sheet whose panels have these heights, with a line between them."""
    high = iter(heights)
    return max(
        1,
        sum(
            max(sum(next(high) + column.gap for _ in column.slots) - column.gap + 1 for column in band)
            for band in bands
        )
        - 1,
    )


def open_rows(bands: _Bands, heights: Sequence[int], room: Room, height: int, *, texts: bool = False) -> frozenset[int]:
    """Return the rows that are in full anyway, as long as the sheet is in sight with them: first those whose own words
    would be cut, then, unless only `texts` are wanted, those that lack a description, each from the top on.
    """
    found, high = set[int](), list(heights)
    rows = [(which, slot, number) for which, slot in enumerate(_slots(bands)) for number in range(len(slot.panel.rows))]
    for index, (which, slot, number) in sorted(
        enumerate(rows), key=lambda item: not item[1][1].cuts_words(item[1][2], room)
    ):
        more = 0 if texts and not slot.cuts_words(number, room) else slot.more(number, room)
        high[which] += more
        if more and _lines(bands, high) <= height:
            found.add(index)
        else:
            high[which] -= more
    return frozenset(found)


def split_columns(heights: Sequence[int], count: int) -> list[range]:
    """Distribute panels in their order over `count` columns, so that the tallest column is as short as possible."""
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
