"""One panel as it is drawn with so much room: each of its rows alone, or several that share a line."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from waylog.rules.panels import ClockRow, DiceRow, FacesRow, MarkRow, Panel, Rank, Row, TextRow, Tone
from waylog.ui.draw import clock_face
from waylog.ui.draw.cell_width import cells_of
from waylog.ui.draw.clock_face import FaceSize
from waylog.ui.draw.palette import CellLine, Palette, wrap_text
from waylog.ui.draw.rows import EMPTY, TONE_SIGNS, DrawnRow, draw_clock, draw_row, draw_short, draw_under
from waylog.values import NamedTuple, dataclass, field

MARGIN = 2
"""Cells beside and between columns."""
_NAME = 23
"""Cells for a label whatever the column: a module's number and twenty of its name."""
_WIDE_CLOCK = 32
"""Cells of a column from which on it has clocks of the middle size."""
_MOST_COLUMNS = 4
"""Columns of rows that share lines, at most."""
_UNCUT = 100_000
"""Cells in which nothing is cut."""
_RUNNING_ON = 5
"""Lines of what may run on below that have to be in sight."""


class Room(IntEnum):
    """How generously rows are drawn."""

    VITAL = -3
    """Only what is vital, and what is not as it should be; the rest has no line, until the cursor is on it."""
    BRIEF = -2
    """Like packed, without the rows that only describe."""
    PACKED = -1
    """Short rows share a line, and what a row is about is left out."""
    CLOSE = 0
    """One line a row, but for those that are unfolded."""
    NOTES = 1
    """Texts and notes in full, and dice that lie open as chips."""
    WIDE = 2
    """An empty line between rows."""
    LARGE = 3
    """Dice as tall as three lines."""


class PackedRow(NamedTuple):
    """A row that shares a line with others."""

    number: int
    x: int
    """Its first cell, from the panel's."""
    width: int
    lines: Sequence[CellLine]


class OpenedRow(NamedTuple):
    """A packed row with the cursor on it."""

    lines: Sequence[CellLine]
    """What stands in its place; nothing where it has none."""
    under: Sequence[CellLine]
    """What stands under the line that it shares."""


_ShortRow = tuple[int, Sequence[CellLine]]
"""The number of a row, and its lines, each no longer than it need be."""


def _pack(rows: Sequence[_ShortRow], width: int) -> Sequence[Sequence[PackedRow]]:
    """Return rows in lines of so many cells: in equal columns, or close behind one another if that takes fewer lines."""
    ways = [_in_columns(rows, width, columns) for columns in range(1, _MOST_COLUMNS + 1)]
    shortest = min((*ways, _flow_rows(rows, width)), key=len)
    return [[_cut_row(row) for row in line] for line in shortest]


def _in_columns(rows: Sequence[_ShortRow], width: int, columns: int) -> Sequence[Sequence[PackedRow]]:
    """Return rows in lines of equal columns. A wide row spans several columns. No line is cut yet."""
    each = (width + MARGIN) // columns
    lines, free = list[list[PackedRow]](), 0
    for number, drawn in rows:
        span = -(-(_widest(drawn) + MARGIN) // each) if len(drawn) == 1 else columns
        if span > free:
            lines.append([])
            free = columns
        x = (columns - free) * each
        lines[-1].append(PackedRow(number, x, min(span * each - MARGIN, width - x), drawn))
        free = max(0, free - span)
    return lines


def _flow_rows(rows: Sequence[_ShortRow], width: int) -> Sequence[Sequence[PackedRow]]:
    lines, used = list[list[PackedRow]](), width
    for number, drawn in rows:
        wide = width if len(drawn) > 1 else _widest(drawn)
        if used + wide > width:
            lines.append([])
            used = 0
        lines[-1].append(PackedRow(number, used, wide, drawn))
        used += wide + MARGIN
    return lines


def _cut_row(row: PackedRow) -> PackedRow:
    """Return the row with lines that end where the next row begins, also under the cursor."""
    return row._replace(lines=[CellLine(row.width).join(line) for line in row.lines])


def _widest(lines: Sequence[CellLine]) -> int:
    return max((line.used for line in lines), default=0)


def _is_amiss(row: Row) -> bool:
    """Whether the row says that something is not as it should be."""
    match row:
        case MarkRow(_, _, is_held, state):
            return not is_held and state != EMPTY
        case TextRow(_, _, _, tone):
            return tone in (Tone.WARN, Tone.BAD)
        case _:
            return False


@dataclass(slots=True)
class DrawnPanel:
    """A panel in so many cells. A row is drawn once in each way that it is asked for."""

    panel: Panel
    ink: Palette
    width: int
    runs_on: bool = False
    """Below the window's end, too: so it needn't be cut for room."""
    title: list[CellLine] = field(default_factory=list)
    _label: int = 0
    _drawn: dict[tuple[int, bool, bool], DrawnRow] = field(default_factory=dict)
    _packed: dict[Room, Sequence[Sequence[PackedRow]]] = field(default_factory=dict)
    _open_rows: dict[tuple[int, Room], OpenedRow] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.panel.absent:
            self.ink = self.ink.grey
        self.title = _title(self.panel, self.ink, self.width)
        longest = max((cells_of(row.label) for row in self.panel.rows), default=0)
        self._label = min(longest, max(8, self.width * 2 // 5, min(_NAME, self.width - 13)))

    def is_hidden(self, number: int, room: Room) -> bool:
        """With so little room a row has no line of its own."""
        row = self.panel.rows[number]
        if room > Room.BRIEF or row.rank is Rank.VITAL:
            return False
        return row.rank is Rank.ABOUT or (room is Room.VITAL and not _is_amiss(row))

    def pack_rows(self, room: Room) -> Sequence[Sequence[PackedRow]]:
        """Return where rows lie that share lines, line by line."""
        if room not in self._packed:
            shown = [n for n in range(len(self.panel.rows)) if not self.is_hidden(n, room)]
            self._packed[room] = _pack([(n, self._short(n, room)) for n in shown], self.width)
        return self._packed[room]

    def _short(self, number: int, room: Room) -> Sequence[CellLine]:
        row = self.panel.rows[number]
        if isinstance(row, ClockRow):
            lines = draw_clock(row, self.ink, self.width, self._clock_size(room), full=False)
            return lines if room is Room.VITAL else [*lines, CellLine(self.width)]
        return [draw_short(row, self.ink, self.width)]

    def _clock_size(self, room: Room) -> FaceSize | None:
        if room is Room.VITAL:
            return None
        return clock_face.MEDIUM if room is Room.PACKED and self.width >= _WIDE_CLOCK else clock_face.SMALL

    def least_height(self, room: Room) -> int:
        """Return lines that have to be in sight whatever the rows say, without drawing any: those of the clocks."""
        size = self._clock_size(room) if room < Room.CLOSE else None
        return sum(size.height + 1 for row in self.panel.rows if isinstance(row, ClockRow)) if size else 0

    def open_row(self, number: int, room: Room) -> OpenedRow:
        """Return a packed row with all that it says, for the cursor on it."""
        way = number, room
        if way not in self._open_rows:
            self._open_rows[way] = self._open(number, room)
        return self._open_rows[way]

    def _open(self, number: int, room: Room) -> OpenedRow:
        row = self.panel.rows[number]
        if isinstance(row, ClockRow):
            short = () if self.is_hidden(number, room) else self._short(number, room)
            whole = draw_clock(row, self.ink, self.width, self._clock_size(room), full=True)
            if short and len(whole) >= len(short) > 1:
                whole.append(CellLine(self.width))
            return OpenedRow([*whole, *short[len(whole) :]], ())
        if self.is_hidden(number, room):
            return OpenedRow((), draw_row(row, self.ink, self.width, self._label, full=True, large=False).lines)
        if draw_short(row, self.ink, _UNCUT).used > self.width:
            return OpenedRow(draw_row(row, self.ink, self.width, self._label, full=True, large=False).lines, ())
        return OpenedRow(tuple(self._short(number, room)), draw_under(row, self.ink, self.width))

    def row(self, number: int, room: Room, *, full: bool) -> DrawnRow:
        """Return a row as it is drawn with so much room; with `full`, none of its text is cut."""
        row = self.panel.rows[number]
        room = max(room, Room.NOTES) if self.runs_on else room
        large = (isinstance(row, DiceRow) and room is Room.LARGE) or (isinstance(row, FacesRow) and room >= Room.NOTES)
        way = number, full or room >= Room.NOTES, large
        if way not in self._drawn:
            self._drawn[way] = draw_row(row, self.ink, self.width, self._label, full=way[1], large=large)
        return self._drawn[way]

    def has_own_text(self, number: int) -> bool:
        """Whether a row is a text itself, and not a value with a description."""
        return isinstance(self.panel.rows[number], TextRow)

    def more(self, number: int, room: Room) -> int:
        """Lines that a row has more in full; none where nothing of it is cut."""
        if room < Room.CLOSE:
            whole = self.open_row(number, room)
            shown = 0 if self.is_hidden(number, room) else len(self._short(number, room))
            return len(whole.lines) + len(whole.under) - shown
        return len(self.row(number, room, full=True).lines) - len(self.row(number, room, full=False).lines)

    def is_cut(self, number: int, room: Room) -> bool:
        """A packed row that has a line of its own doesn't say all that it has to say there."""
        row = self.panel.rows[number]
        if self.is_hidden(number, room):
            return False
        if isinstance(row, ClockRow):
            return self.more(number, room) > 0
        return draw_short(row, self.ink, _UNCUT).used > self.width

    def air(self, number: int, room: Room) -> int:
        """Empty lines above a row. Large dice have enough of it around them."""
        large = room is Room.LARGE and isinstance(self.panel.rows[number], DiceRow)
        return 1 if number and room >= Room.WIDE and not large else 0

    def height(self, room: Room, *, full: bool) -> int:
        """Lines that have to be in sight."""
        if room < Room.CLOSE:
            return len(self.title) + sum(max(len(cell.lines) for cell in line) for line in self.pack_rows(room))
        rows = range(len(self.panel.rows))
        lines = len(self.title) + sum(len(self.row(n, room, full=full).lines) + self.air(n, room) for n in rows)
        return min(lines, _RUNNING_ON) if self.runs_on else lines


def _title(panel: Panel, ink: Palette, width: int) -> list[CellLine]:
    """Return the title with its tags. Their reasons are beside them if there is room; tags that don't fit are under the title."""
    *above, last = wrap_text(panel.title, width) or ["—"]
    first = [CellLine(width).add(part, ink.accent) for part in above]
    line = CellLine(width).add(last, ink.accent)
    line.add("  ▸ next" if panel.next else "", ink.key)
    if panel.role and cells_of(panel.role) + 6 <= line.cells_left:
        line.add(f"  {panel.role}", ink.dim)
    line.add(" ", ink.plain)
    for with_why in (True, False):
        tags = CellLine(width)
        for tag in panel.tags:
            why = f": {tag.why}" if tag.why and with_why else ""
            tags.add(" ·" if tags.used else "", ink.dim)
            tags.add(f" {TONE_SIGNS[tag.tone]}{tag.text}{why}", ink.tones[tag.tone])
        if tags.used < min(width, line.cells_left + 1):
            return [*first, line.fill("─", ink.rule, until=width - tags.used).join(tags)]
    under = [
        CellLine(width).to(2).add("  " if index else TONE_SIGNS[tag.tone], style).add(part, style)
        for tag in panel.tags
        for style in (ink.tones[tag.tone],)
        for index, part in enumerate(wrap_text(tag.text, width - 4))
    ]
    return [*first, line.fill("─", ink.rule), *under]
