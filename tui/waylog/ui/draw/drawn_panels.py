"""The panels of a view, each one as it is drawn with so much room: its title, its rows, and what is folded away."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum

from waylog.rules.model.panels import ClockRow, DiceRow, FacesRow, MarkRow, Panel, PipsRow, Rank, Row, TextRow, Tone
from waylog.ui.draw import clock_face
from waylog.ui.draw.cell_lines import CellLine, cells_of, wrap_text
from waylog.ui.draw.clock_face import FaceSize
from waylog.ui.draw.colours import Palette
from waylog.ui.draw.rows import (
    EMPTY,
    TONE_SIGNS,
    DrawnRow,
    add_state,
    draw_clock,
    draw_row,
    draw_short,
    draw_under,
    name_value,
)
from waylog.values import NamedTuple, dataclass, field, replace

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
    """The room for rows: the less there is, the shorter they are drawn."""

    LINE = -5
    """One line for the title and, behind it, what is not as it should be and what is vital, as far as it has room there."""
    VITAL = -4
    """Only what is vital, and what is not as it should be; the rest has no line, until the cursor is on it."""
    NAMED = -3
    """Like vital, with the names of all that has no line below, where they don't fit into the title."""
    BRIEF = -2
    """Like packed, without the rows that only describe."""
    PACKED = -1
    """Short rows share a line, and what a row is about is left out."""
    CLOSE = 0
    """One line a row, but for those that are unfolded."""
    NOTES = 1
    """Texts and notes in full, and dice that lie open as chips."""
    LARGE = 2
    """Dice as tall as three lines."""


class PackedRow(NamedTuple):
    """A row that shares a line with others."""

    number: int
    x: int
    """Its first cell, from the panel's."""
    width: int
    lines: Sequence[CellLine]


class TitleLine(NamedTuple):
    """A panel in one line."""

    head: CellLine
    rows: Sequence[PackedRow]
    """Rows that stand behind the head, in the order of the panel."""
    end: CellLine
    """The rest of the line: what it has no room for, and the tags."""


class OpenedRow(NamedTuple):
    """A packed row with the cursor on it."""

    lines: Sequence[CellLine]
    """The lines in its place; none where it has no place."""
    under: Sequence[CellLine]
    """The lines under the one that it shares with other rows."""


_ShortRow = tuple[int, Sequence[CellLine]]
"""The number of a row, and its lines, each no longer than it need be."""


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
    peers: Sequence[DrawnPanel] = ()
    """The panels that are packed in the same way, such as those of all people."""
    alike: Sequence[DrawnPanel] = ()
    """The panels whose tags have reasons only if those of all of them do."""
    _label: int = 0
    _titles: dict[Room, tuple[Sequence[CellLine], Sequence[CellLine]]] = field(default_factory=dict)
    _line: TitleLine | None = None
    _drawn: dict[tuple[int, bool, bool], DrawnRow] = field(default_factory=dict)
    _shortened: dict[tuple[int, FaceSize | None], Sequence[CellLine]] = field(default_factory=dict)
    _ways: dict[Room, Sequence[Sequence[Sequence[PackedRow]]]] = field(default_factory=dict)
    _packed: dict[Room, Sequence[Sequence[PackedRow]]] = field(default_factory=dict)
    _open_rows: dict[tuple[int, Room], OpenedRow] = field(default_factory=dict)
    _lengths: dict[int, int] = field(default_factory=dict)
    _more: dict[tuple[int, Room], int] = field(default_factory=dict)
    _heights: dict[tuple[Room, bool], int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.panel.absent:
            self.ink = self.ink.grey
        longest = max((cells_of(row.label) for row in self.panel.rows), default=0)
        self._label = min(longest, max(8, self.width * 2 // 5, min(_NAME, self.width - 13)))
        if len(self.panel.rows) == 1 and isinstance(self.panel.rows[0], FacesRow):
            # Nothing stands above or below its dice that they would have to line up with.
            self._label = min(longest, self.width - 13)

    def part(self, start: int, end: int) -> DrawnPanel:
        """Return the panel with some of its rows; one that doesn't begin with the first says that it is continued."""
        if (start, end) == (0, len(self.panel.rows)):
            return self
        shown = replace(self.panel, rows=self.panel.rows[start:end])
        return DrawnPanel(
            replace(shown, role="continued", tags=(), next=False) if start else shown, self.ink, self.width
        )

    def is_hidden(self, number: int, room: Room) -> bool:
        """With so little room a row has no line of its own, and no place in that of the title."""
        row = self.panel.rows[number]
        if room is Room.LINE:
            return all(packed.number != number for packed in self.title_line.rows)
        if room > Room.BRIEF or row.rank is Rank.VITAL:
            return False
        return row.rank is Rank.ABOUT or (room <= Room.NAMED and not _is_amiss(row))

    @property
    def title_line(self) -> TitleLine:
        """The panel in one line."""
        if self._line is None:
            self._line = self._draw_title_line()
        return self._line

    @property
    def lacks_vital(self) -> bool:
        """Whether the panel in one line lacks something of what is vital or amiss."""
        placed = {packed.number for packed in self.title_line.rows}
        return any(not self.is_hidden(n, Room.VITAL) and n not in placed for n in range(len(self.panel.rows)))

    def _draw_title_line(self) -> TitleLine:
        panel, ink, rows = self.panel, self.ink, self.panel.rows
        tags = _tags(panel, ink, self.width - min(self.width // 2, cells_of(panel.title)) - MARGIN, reasons=False)
        head = CellLine(self.width - tags.used - 1).add(panel.title or "—", ink.accent)
        head.add("  ▸ next" if panel.next else "", ink.key)
        vital = [n for n in range(len(rows)) if not self.is_hidden(n, Room.VITAL)]
        # How somebody is comes first, then what is wrong, then what is as usual; and without notes rather than not at all.
        leads = vital[:1] if panel.place == "crew" else []
        vital.sort(key=lambda n: (n not in leads, not _is_amiss(rows[n])))
        whole, bare = (
            [_without_indent(draw_short(row, ink, self.width)) for row in some]
            for some in ([rows[n] for n in vital], [_without_note(rows[n]) for n in vital])
        )
        placed, free = dict[int, CellLine](), head.cells_left
        gap = MARGIN + 1  # for the cursor's mark, and a blank before it
        fits = sum(gap + drawn.used for drawn in whole) <= free
        for number, drawn in zip(vital, whole if fits else bare, strict=True):
            if gap + drawn.used <= free:
                placed[number] = drawn
                free -= gap + drawn.used
        if panel.role and cells_of(panel.role) + 2 <= free and len(placed) == len(vital):
            head.add(f"  {panel.role}", ink.dim)
        x, packed = head.used, list[PackedRow]()
        for number, drawn in sorted(placed.items()):
            packed.append(PackedRow(number, x + gap, drawn.used, [drawn]))
            x += gap + drawn.used
        hidden = [number for number in range(len(rows)) if number not in placed]
        amiss = sum(_is_amiss(rows[number]) for number in hidden)
        end = CellLine(self.width - x).add(" ", ink.plain)
        lost = CellLine(end.cells_left).add(f" ✗ {amiss} " if amiss else "", ink.lost)
        well = [rows[n] for n in hidden if _is_worth_naming(rows[n]) and not _is_amiss(rows[n])]
        named = _name_hidden(well, ink, end.cells_left - lost.used - tags.used)
        named = named if named.used + lost.used + tags.used <= end.cells_left else CellLine(0)
        end.fill("─", ink.rule, until=end.width - lost.used - named.used - tags.used)
        return TitleLine(head, packed, end.join(lost).join(named).join(tags))

    def title(self, room: Room) -> Sequence[CellLine]:
        """Return the lines of the title; where rows that are all right have no line of their own, they are named there."""
        return self._title_and_names(room)[0]

    def names(self, room: Room) -> Sequence[CellLine]:
        """Return the lines that name such rows below the others."""
        return self._title_and_names(room)[1]

    def _title_and_names(self, room: Room) -> tuple[Sequence[CellLine], Sequence[CellLine]]:
        room = min(room, Room.BRIEF)
        if room not in self._titles:
            hidden = [row for n, row in enumerate(self.panel.rows) if self.is_hidden(n, room) and _is_worth_naming(row)]
            reasons = all(_has_reasons(each.panel, each.ink, each.width) for each in (self, *self.alike, *self.peers))
            self._titles[room] = _title(
                self.panel, hidden, self.ink, self.width, below=room is Room.NAMED, reasons=reasons
            )
        return self._titles[room]

    def pack_rows(self, room: Room) -> Sequence[Sequence[PackedRow]]:
        """Return where rows lie that share lines, line by line: in equal columns, or close behind one another if that takes fewer
        lines.
        """
        if room is Room.LINE:
            return [self.title_line.rows]
        if room not in self._packed:
            heights = zip(*([len(way) for way in peer.ways(room)] for peer in self.peers or (self,)), strict=True)
            total = [sum(each) for each in heights]
            # Each line ends where the next row begins, also under the cursor.
            self._packed[room] = [
                [row._replace(lines=self._fill_cells(row)) for row in line]
                for line in self.ways(room)[total.index(min(total))]
            ]
        return self._packed[room]

    def _fill_cells(self, packed: PackedRow) -> Sequence[CellLine]:
        """Return the lines of a row over all its cells. Where a bar leaves some of them free, it has its clock's kind there."""
        lines = [CellLine(packed.width).join(cells) for cells in packed.lines]
        row = self.panel.rows[packed.number]
        return [add_state(lines[0], row.clock, self.ink)] if isinstance(row, ClockRow) and len(lines) == 1 else lines

    def ways(self, room: Room) -> Sequence[Sequence[Sequence[PackedRow]]]:
        """Return every way to lay out rows that share lines: in one, two or more columns, or close behind one another."""
        if room not in self._ways:
            rows = [(n, self._short(n, room)) for n in range(len(self.panel.rows)) if not self.is_hidden(n, room)]
            columns = (_in_columns(rows, self.width, count) for count in range(1, _MOST_COLUMNS + 1))
            self._ways[room] = (*columns, _flow_rows(rows, self.width))
        return self._ways[room]

    def _short(self, number: int, room: Room) -> Sequence[CellLine]:
        row = self.panel.rows[number]
        size = self._clock_size(room) if isinstance(row, ClockRow) else None
        if (number, size) not in self._shortened:
            self._shortened[number, size] = (
                [*draw_clock(row, self.ink, self.width, size, full=False), CellLine(self.width)]
                if isinstance(row, ClockRow) and size
                else [draw_short(row, self.ink, self.width)]
            )
        return self._shortened[number, size]

    def _clock_size(self, room: Room) -> FaceSize | None:
        """Return the size of a clock's face. None is for a bar, because in a still smaller face slices can't be told apart."""
        if room <= Room.NAMED or self.width < _WIDE_CLOCK:
            return None
        return clock_face.MEDIUM if room is Room.PACKED else clock_face.SMALL

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
            size = self._clock_size(room)
            whole = draw_clock(row, self.ink, self.width, size, full=True)
            if short and size is None and (line := self._packed_line(number, room)).width < self.width:
                whole[0] = line
            if short and len(whole) >= len(short) > 1:
                whole.append(CellLine(self.width))
            return OpenedRow([*whole, *short[len(whole) :]], ())
        if self.is_hidden(number, room):
            return OpenedRow((), draw_row(row, self.ink, self.width, self._label, full=True, large=False).lines)
        if self._short_length(number) > self.width:
            return OpenedRow(draw_row(row, self.ink, self.width, self._label, full=True, large=False).lines, ())
        # What stands under a line seems to be about the first row in it.
        is_named = bool(getattr(row, "about", "")) and self._packed_row(number, room).x > 0
        return OpenedRow(tuple(self._short(number, room)), draw_under(row, self.ink, self.width, named=is_named))

    def _packed_line(self, number: int, room: Room) -> CellLine:
        """Return the first line of a packed row, as wide as what it shares a line with leaves it."""
        packed = self._packed_row(number, room)
        return CellLine(packed.width).join(packed.lines[0])

    def _packed_row(self, number: int, room: Room) -> PackedRow:
        return next(each for line in self.pack_rows(room) for each in line if each.number == number)

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

    def cuts_words(self, number: int, room: Room) -> bool:
        """Whether a row that isn't in full lacks more than its description: part of a text, or of how a thing stands."""
        row = self.panel.rows[number]
        if not isinstance(row, MarkRow) or not row.note or not self.more(number, room):
            return isinstance(row, TextRow)
        bare = replace(row, about="")
        short, whole = (
            draw_row(bare, self.ink, self.width, self._label, full=full, large=False) for full in (False, True)
        )
        return len(whole.lines) > len(short.lines)

    def more(self, number: int, room: Room) -> int:
        """Lines that a row has more in full; none where nothing of it is cut."""
        if (number, room) not in self._more:
            self._more[number, room] = self._count_more(number, room)
        return self._more[number, room]

    def _count_more(self, number: int, room: Room) -> int:
        if room < Room.CLOSE:
            whole = self.open_row(number, room)
            shown = 0 if self.is_hidden(number, room) else len(self._short(number, room))
            return len(whole.lines) + len(whole.under) - shown
        return len(self.row(number, room, full=True).lines) - len(self.row(number, room, full=False).lines)

    def is_cut(self, number: int, room: Room) -> bool:
        """A packed row that has a line of its own doesn't say all that it has to say there."""
        row = self.panel.rows[number]
        if room is Room.LINE or self.is_hidden(number, room):
            return False
        if isinstance(row, ClockRow):
            return self.more(number, room) > 0
        return self._short_length(number) > self.width

    def _short_length(self, number: int) -> int:
        """Return the cells that a packed row would take if it weren't cut. A layout asks this of each row dozens of times."""
        if number not in self._lengths:
            self._lengths[number] = draw_short(self.panel.rows[number], self.ink, _UNCUT).used
        return self._lengths[number]

    def height(self, room: Room, *, full: bool) -> int:
        """Lines that have to be in sight."""
        if (room, full) not in self._heights:
            self._heights[room, full] = self._count_height(room, full=full)
        return self._heights[room, full]

    def _count_height(self, room: Room, *, full: bool) -> int:
        if room is Room.LINE:
            return 1
        if room < Room.CLOSE:
            packed = self.pack_rows(room)
            lines = len(self.title(room)) + len(self.names(room))
            return lines + sum(max(len(cell.lines) for cell in line) for line in packed)
        rows = range(len(self.panel.rows))
        lines = len(self.title(room)) + sum(len(self.row(n, room, full=full).lines) for n in rows)
        return min(lines, _RUNNING_ON) if self.runs_on else lines


def without_repeats(panels: Iterable[Panel]) -> Iterator[Panel]:
    """Yield panels without the row that only says what the title says already: somebody's role."""
    for panel in panels:
        rows = tuple(row for row in panel.rows if row.rank is not Rank.ABOUT or getattr(row, "text", "") != panel.role)
        yield panel if not panel.role or len(rows) == len(panel.rows) else replace(panel, rows=rows)


def _without_indent(line: CellLine) -> CellLine:
    return line.part(len(line.text) - len(line.text.lstrip()), line.used)


def _without_note(row: Row) -> Row:
    return replace(row, note="") if isinstance(row, DiceRow | PipsRow | MarkRow | FacesRow) else row


def _is_worth_naming(row: Row) -> bool:
    return row.rank is not Rank.ABOUT and not (isinstance(row, MarkRow) and row.state == EMPTY)


def _head(panel: Panel, ink: Palette, width: int) -> tuple[Sequence[CellLine], CellLine, Sequence[CellLine]]:
    """Return the first lines of a title, the one that the tags stand in, and the role if it has no room there."""
    *above, last = wrap_text(panel.title, width) or ["—"]
    line = CellLine(width).add(last, ink.accent)
    line.add("  ▸ next" if panel.next else "", ink.key)
    role = [CellLine(width).to(2).add(panel.role, ink.dim)] if panel.role else []
    if panel.role and cells_of(panel.role) + 6 <= line.cells_left:
        line.add(f"  {panel.role}", ink.dim)
        role = []
    return [CellLine(width).add(part, ink.accent) for part in above], line.add(" ", ink.plain), role


def _tags(panel: Panel, ink: Palette, width: int, *, reasons: bool) -> CellLine:
    tags = CellLine(width)
    for tag in panel.tags:
        why = f": {tag.why}" if tag.why and reasons else ""
        tags.add(" ·" if tags.used else "", ink.dim)
        tags.add(f" {TONE_SIGNS[tag.tone]}{tag.text}{why}", ink.tones[tag.tone])
    return tags


def _has_reasons(panel: Panel, ink: Palette, width: int) -> bool:
    """Whether the tags of a panel have room for their reasons beside the title."""
    _, line, _ = _head(panel, ink, width)
    return _tags(panel, ink, width, reasons=True).used < min(width, line.cells_left + 1)


def _title(
    panel: Panel, hidden: Sequence[Row], ink: Palette, width: int, *, below: bool, reasons: bool
) -> tuple[Sequence[CellLine], Sequence[CellLine]]:
    """Return the title with its tags, and lines that stand below the rows. With `reasons`, those of the tags are beside them; what
    doesn't fit is under the title: the role, and tags. As many of the hidden rows as fit have their names in the title; `below`, all of
    them have, in lines below the rows if they don't fit there.
    """
    first, line, role = _head(panel, ink, width)
    tags = _tags(panel, ink, width, reasons=reasons)
    if tags.used < min(width, line.cells_left + 1):
        room = line.cells_left - tags.used - 2
        names = _name_below(hidden, ink, width) if below and hidden else []
        if names and (len(names) > 1 or names[0].used > room):
            hidden = ()
        else:
            names = []
        named = _name_hidden(hidden, ink, room)
        line.fill("─", ink.rule, until=width - tags.used - named.used).join(named).join(tags)
        return [*first, line, *role], names
    under = list[CellLine]()
    for tag in panel.tags:
        style, text = ink.tones[tag.tone], f"{TONE_SIGNS[tag.tone]}{tag.text}"
        if under and cells_of(text) + 2 <= under[-1].cells_left:
            under[-1].add("  ", ink.dim).add(text, style)
        else:
            parts = enumerate(wrap_text(text, width - 4))
            under += [CellLine(width).to(4 if index else 2).add(part, style) for index, part in parts]
    return [*first, line.fill("─", ink.rule), *role, *under], ()


def _is_nothing(row: Row) -> bool:
    """Whether a row says that there is none of something."""
    match row:
        case DiceRow(count=count):
            return not count
        case PipsRow(value=value):
            return not value
        case TextRow(text=text):
            return text in ("", "0", "+0", "no", "none")
        case _:
            return False


def _name_below(rows: Sequence[Row], ink: Palette, width: int) -> list[CellLine]:
    """Return the names of rows that have no line of their own, in as many lines as they take."""
    lines = list[CellLine]()
    for row in rows:
        sign, name = "✓ " if isinstance(row, MarkRow) else "", name_value(row)
        if not lines or lines[-1].used + MARGIN + cells_of(sign + name) > width:
            lines.append(CellLine(width))
        lines[-1].to(max(MARGIN, lines[-1].used + MARGIN)).add(sign, ink.held).add(name, ink.plain)
    return lines


def _name_hidden(rows: Sequence[Row], ink: Palette, room: int) -> CellLine:
    """Return ` ✓ SEARCHLIGHT  ✓ Bilge Doors and 2 more ` or ` Stores 3/6  Coin 6 `; ` ✓ 4 whole ` if no name fits. A sign before the
    number would be a bonus. Texts have theirs after values; what is none or zero has its name last, and only where all have theirs.
    """
    rows = sorted(rows, key=lambda row: (_is_nothing(row), isinstance(row, TextRow)))
    worth = sum(not _is_nothing(row) for row in rows)
    line, all_of_them = CellLine(0), "whole" if all(isinstance(row, MarkRow) for row in rows) else "more"
    sign = "✓ " if any(isinstance(row, MarkRow) for row in rows) else ""
    ways = [
        (count, name)
        for name in (name_value, lambda row: row.label)
        for count in (len(rows), *range(min(worth, len(rows) - 1), 0, -1))
    ]
    for count, name in (*ways, (0, name_value), (-1, name_value)) if rows else ():
        line = CellLine(_UNCUT)
        for row in rows[: max(0, count)]:
            line.add(" ✓ " if isinstance(row, MarkRow) else " ", ink.held).add(f"{name(row)} ", ink.plain)
        if 0 < count < len(rows):
            line.add(f"and {len(rows) - count} more ", ink.dim)
        elif count <= 0:
            line.add(f" {sign}{len(rows)} {all_of_them if count == 0 else ''}".rstrip() + " ", ink.dim)
        if line.used <= room:
            break
    return line
