"""The views of ship, crew and scene: panels made by the game, and a cursor that moves through their rows; and the Bridge, where ship, crew
and clocks stand together, as an overview in which nothing moves with the cursor.

The rows and their marks are those of the game's panels (`panels.py` or `crew_and_panels.py` of each game), and the clocks.
`draw/rows.py` draws a row, `draw/panel_layout.py` a panel.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message

from waylog.rules.codec.changes import NEW, format_path, parse_path
from waylog.rules.common.common_rules import Memo
from waylog.rules.model.panels import ClockRow, DiceRow, MarkRow, Panel, Rank, Row, Tag, TextRow, Tone
from waylog.snapshot_and_act_preview import Snapshot
from waylog.store.log.entries_and_version_0_1 import Entries
from waylog.ui.draw.cell_lines import CellLine
from waylog.ui.draw.clickable_line_view import HitArea, Page
from waylog.ui.draw.colours import Palette
from waylog.ui.draw.drawn_panels import MARGIN, DrawnPanel, Room, without_repeats
from waylog.ui.draw.panel_layout import Column, PanelLayout, layout_bands, layout_panels, open_rows
from waylog.ui.draw.rows import row_text
from waylog.ui.draw.window_layout_and_key_names import BRIDGE, GAP, SCENE, Rect, key_name
from waylog.ui.parts.clock_strip import clock_rows, moved_clocks
from waylog.ui.parts.top_bar_banner_and_log_tail import LogTail, render_tail, tail_heading
from waylog.ui.views.list_view import ListView, in_window
from waylog.values import NamedTuple, dataclass

_THREE_COLUMNS, _TWO_COLUMNS = 104, 64
"""The widths from which on the bridge has three columns, or two."""
_EDGE = 1
"""Cells that stay free at the right edge of the bridge."""
_SHEET_WAYS = (
    (Room.NOTES, 1),
    (Room.CLOSE, 1),
    (Room.PACKED, 1),
    (Room.BRIEF, 1),
    (Room.BRIEF, 0),
    (Room.VITAL, 1),
    (Room.VITAL, 0),
)
"""The ways to draw a column of the bridge, with the lines between its panels, in the order in which they are tried."""
_CLOCK_WAYS = ((Room.PACKED, 0), (Room.BRIEF, 0), (Room.VITAL, 0))
"""The same for the column of clocks."""
_SHORTEST_LOG, _ROOMY_LOG = 3, 3
"""The lines of a log with one line of an entry; and those that the log has beyond the least, before a text on ship or crew has its own."""
_UNLIMITED = 100_000
"""Lines in which everything has room."""


def bridge_panels(snapshot: Snapshot) -> tuple[Panel, ...]:
    """Return the panels of the Bridge: those of ship and crew that don't only repeat others, and one of the open clocks."""
    rows = clock_rows(snapshot.clocks, moved_clocks(snapshot))
    running = sum(not row.clock.full for row in rows)
    counted = f"{running} running" + (f", {len(rows) - running} full" if len(rows) > running else "")
    none = f"No clocks yet. {key_name('clock', 'c')} starts one"
    empty: tuple[Row, ...] = (TextRow("clocks", "", none, Tone.DIM, rank=Rank.VITAL),)
    clocks = Panel("clocks", "clocks", "Clocks", rows or empty, (Tag(counted, Tone.DIM),) if rows else ())
    found = list[Panel]()
    for panel in snapshot.panels:
        # A game may say something again where its crew stands alone.
        known = {row.key for other in found for row in other.rows}
        if panel.place in ("ship", "crew") and not (panel.rows and all(row.key in known for row in panel.rows)):
            found.append(panel)
    return (*found, clocks)


def layout_bridge(
    panels: Sequence[Panel],
    ink: Palette,
    width: int,
    height: int,
    most: Room = Room.LARGE,
    spare: int = 0,
) -> PanelLayout:
    """Lay out ship, crew and clocks in columns of their own, each with as much room as it can have in `height` lines.
    Ship and crew have `most` at most. The log below needs `spare` lines. If a column is longer than `height` anyway, all of them may use
    these too, or be as long as that one; where more rows than lines are in full then, they may use some of them. Where rows would be cut or
    hidden, the last panels of ship or crew stand under those of another column, if fewer are then.
    """
    right = width - _EDGE
    usual, *others = _distribute(panels, 3 if right >= _THREE_COLUMNS else 2 if right >= _TWO_COLUMNS else 1)
    each = (right - MARGIN - GAP * (len(usual) - 1)) // len(usual) if usual else 0
    starts = [MARGIN + number * (each + GAP) for number in range(len(usual))]
    drawn, people = dict[tuple[int, int], DrawnPanel](), dict[int, list[DrawnPanel]]()

    def draw(panel: Panel, x: int) -> DrawnPanel:
        """Return a panel as it is drawn in the column that begins there."""
        wide = (right if x == starts[-1] else x + each) - x
        if (id(panel), wide) not in drawn:
            peers = people.setdefault(wide, []) if panel.place == "crew" else ()
            drawn[id(panel), wide] = DrawnPanel(panel, ink, wide, peers=peers)
            if panel.place == "crew":
                people[wide].append(drawn[id(panel), wide])
        return drawn[id(panel), wide]

    def stand_in(places: _Places, limit: int) -> _Arrangement:
        groups = [(x, [draw(panel, x) for panel in group]) for x, group in zip(starts, places, strict=True)]
        columns = [_fill_column(x, slots, limit, most) for x, slots in groups]
        if (overflowing := max((column.height for column in columns), default=0)) > limit:
            limit = max(overflowing, height + spare)
            columns = [_fill_column(x, slots, limit, most) for x, slots in groups]
        return _open_columns(_level_crew(columns), limit, height - _ROOMY_LOG if spare else 0, most)

    def cost(way: _Arrangement) -> tuple[int, int]:
        # What scrolls is worst. A row is worth as much as a line of the log.
        return max(way.limit, height + spare), way.limit + way.lacking

    found = stand_in(usual, height)
    limits = range(height + 1, height + spare - _SHORTEST_LOG + 1)
    for limit in limits:
        found = min(found, stand_in(usual, limit), key=cost) if found.lacking else found
    limit = found.limit if found.limit in limits else height
    as_large = min(min(_rooms_of("clocks", found.columns), default=Room.VITAL), Room.PACKED)
    as_roomy = min(_rooms_of("crew", found.columns), default=Room.VITAL)
    # In two columns, people stand together unless rows of theirs had no line then. What stands further down may be under a question.
    is_wide = len(usual) > 2
    may_split, longest = is_wide or as_roomy <= Room.NAMED, _UNLIMITED if is_wide else found.longest
    for places in others if found.lacking else ():
        other = stand_in(places, limit)
        # Clocks are no smaller because of what stands under them, and people say no less because some of them stand elsewhere.
        is_split = sum(bool(_rooms_of("crew", [column])) for column in other.columns) > 1
        says_enough = min(_rooms_of("crew", other.columns)) >= as_roomy
        if is_split and not (may_split and says_enough and other.longest <= longest):
            continue
        if min(_rooms_of("clocks", other.columns)) >= as_large:
            found = min(found, other, key=cost)
    return PanelLayout(width, most, [found.columns], found.opened)


_Places = Sequence[Sequence[Panel]]
"""The panels of each column."""
_MOST_MOVED = 3
"""Panels that may stand in another column than the others of the ship, or of the crew."""


def _distribute(panels: Sequence[Panel], count: int) -> Sequence[_Places]:
    """Return how panels may stand in so many columns: the usual way first."""
    ship, crew, clocks = ([panel for panel in panels if panel.place == place] for place in ("ship", "crew", "clocks"))
    if count == 1 or not (ship and crew and clocks):
        each = (
            [[*ship, *crew, *clocks]] if count == 1 else [ship, crew, clocks] if count > 2 else [[*ship, *clocks], crew]
        )
        return [[group for group in each if group]]
    parts, people = _split_end(ship), _split_end(crew)
    if count > 2:
        moving = [[stays, crew, [*clocks, *moved]] for stays, moved in parts]
        return [*moving, *([ship, stay, [*clocks, *moved]] for stay, moved in people[1:])]
    ways = [
        way
        for stays, moved in parts
        for way in ([[*stays, *clocks], [*crew, *moved]], [stays, [*crew, *clocks, *moved]])
    ]
    return [*ways, *([[*ship, *clocks, *moved], stay] for stay, moved in people[1:])]


def _split_end(panels: Sequence[Panel]) -> Sequence[tuple[Sequence[Panel], Sequence[Panel]]]:
    """Return the ways to keep panels or move the last of them: none, one, two and so on. At least one stays."""
    return [(panels[:first], panels[first:]) for first in range(len(panels), max(0, len(panels) - _MOST_MOVED - 1), -1)]


def _rooms_of(place: str, columns: Sequence[Column]) -> Collection[Room]:
    """Return the different rooms that the panels of a place have."""
    rooms = (zip(column.slots, column.rooms, strict=True) for column in columns)
    return {room for column in rooms for slot, room in column if slot.panel.place == place}


def _level_crew(columns: Sequence[Column]) -> Sequence[Column]:
    """Return columns in which all people are laid out alike, with as little room as those with the least have."""
    least = min(_rooms_of("crew", columns), default=Room.LARGE)

    def level(slot: DrawnPanel, room: Room) -> Room:
        return min(room, least) if slot.panel.place == "crew" else room

    return [
        column._replace(rooms=[level(slot, room) for slot, room in zip(column.slots, column.rooms, strict=True)])
        for column in columns
    ]


class _Arrangement(NamedTuple):
    """Columns whose rooms are set."""

    columns: Sequence[Column]
    limit: int
    """The lines that they may have."""
    opened: frozenset[int]
    """The rows that are in full anyway."""
    lacking: int
    """How many rows are cut, or are only named although they would have a line if there were all the room that they may have. Those that
    may lack their name as well count twice.
    """

    @property
    def longest(self) -> int:
        """The lines of its longest column."""
        return max((column.height for column in self.columns), default=0)


def _open_columns(columns: Sequence[Column], limit: int, free: int, most: Room) -> _Arrangement:
    """Return columns with the rows that are in full anyway. Texts may make a column longer than the longest up to `free` lines."""
    opened, first, lacking = set[int](), 0, 0
    longest = min(limit, max(free, *(column.height for column in columns)) if columns else 0)
    for column in columns:
        rows: Collection[int] = ()
        if column.rooms[0] is Room.CLOSE:
            heights = [slot.height(Room.CLOSE, full=False) for slot in column.slots]
            rows = open_rows([[column]], heights, Room.CLOSE, limit)
        elif column.rooms[0] < Room.CLOSE:
            rows = _open_packed_rows(column, limit, longest)
        for index, (slot, number, room) in enumerate(_rows(column)):
            if index in rows or room > Room.CLOSE:
                continue
            if slot.is_hidden(number, room):
                lacking += 0 if slot.is_hidden(number, most) else 2 if room is Room.VITAL else 1
            else:
                lacking += slot.more(number, room) > 0 if room is Room.CLOSE else slot.is_cut(number, room)
        opened |= {first + row for row in rows}
        first += sum(len(slot.panel.rows) for slot in column.slots)
    return _Arrangement(columns, limit, frozenset(opened), lacking)


def _layout_over_log(
    panels: Sequence[Panel], ink: Palette, width: int, height: int, most: Room, entries: int | None
) -> PanelLayout:
    """Lay out the Bridge in a window of that height, with a log below it of so many entries. Where they are so few that each can have
    a line, the foot stays free for more of them, and for results, if all rows are in full above it.
    """
    if entries and _is_long(entries, height):
        # On the bridge, the end of the log is worth more than descriptions.
        spare = LEAST_LOG + 1
        return layout_bridge(panels, ink, width, height - spare, min(most, Room.BRIEF), spare)
    spare = entries + 2 if entries else 0
    layout = layout_bridge(panels, ink, width, height - max(LEAST_LOG + 1, spare), most)
    if layout.is_in_full:
        return layout
    # Large dice take the most lines and say least.
    most = min(most, Room.NOTES)
    if entries is None:
        layout = layout_bridge(panels, ink, width, height - LEAST_LOG - 1, most)
        # A row that the tray would cover when it tells of an act is worth more than the end of a text.
        if all(place.height for place in layout.places):
            return layout
    return layout_bridge(panels, ink, width, height - spare, most, spare)


def _is_long(entries: int, height: int) -> bool:
    return entries > height // _SHORT_LOG


def _fill_column(x: int, slots: Sequence[DrawnPanel], height: int, most: Room) -> Column:
    """Return a column with as much room for each panel as it can have in `height` lines, or with the least."""
    only_clocks = all(slot.panel.place == "clocks" for slot in slots)
    # Below clocks, which have discs only in packed rows, the others are packed too.
    packed = bool(slots) and slots[0].panel.place == "clocks"
    ways = [way for way in _SHEET_WAYS if way[0] <= (min(most, Room.PACKED) if packed else most)]
    column = Column(x, slots)
    for room, gap in _CLOCK_WAYS if only_clocks else ways:
        if sum(slot.least_height(room) for slot in slots) > height:
            continue
        column = Column(x, slots, [room] * len(slots), gap)
        if column.height <= height:
            break
    roomy = _give_room(column, height, most)
    if not column.gap:
        return roomy
    tight = _give_room(column._replace(gap=0), height, most)

    def says(column: Column) -> tuple[int, int]:
        """Return how much of its rows a column has room for: their rooms, and how many rows that would be cut are in full."""
        return sum(column.rooms), len(_open_cut_rows(column, height)) if column.rooms[0] < Room.CLOSE else 0

    # What rows say is worth more than lines between panels.
    return tight if says(tight) > says(roomy) else roomy


def _give_room(column: Column, height: int, most: Room) -> Column:
    """Give the lines that a column leaves free to its panels: one after the other, and to all people or none. Dice take them last."""
    rooms = list(column.rooms)
    people = [index for index, slot in enumerate(column.slots) if slot.panel.place == "crew"]
    teams = [[index] for index in range(len(rooms)) if index not in people] + [people]
    dice = [
        [index] for index, slot in enumerate(column.slots) if all(isinstance(row, DiceRow) for row in slot.panel.rows)
    ]
    roomy = all(room >= Room.NOTES for room in rooms)
    for room, who in (
        ((Room.LARGE, dice),) if roomy else ((Room.NAMED, teams), (Room.BRIEF, teams), (Room.PACKED, teams))
    ):
        for team in who:
            wanted = [room if index in team and before < room else before for index, before in enumerate(rooms)]
            if room > most or wanted == rooms:
                continue
            after = column._replace(rooms=wanted)
            # What is cut has its lines before what is hidden has its names.
            words = sum(_open_cut_rows(after, _UNLIMITED).values()) if room is Room.NAMED else 0
            if after.height + words <= height:
                rooms = wanted
    return column._replace(rooms=rooms)


def _open_packed_rows(column: Column, height: int, longest: int) -> Collection[int]:
    """Return the rows of a column of short rows that are in full anyway: each that would be cut, as long as the column has at most
    `height` lines; and, all or none, the texts that have no line of their own, if it has at most `longest` with them.
    """
    found = _open_cut_rows(column, height)
    free = height - column.height - sum(found.values())
    texts = {
        index: slot.more(number, room)
        for index, (slot, number, room) in enumerate(_rows(column))
        if slot.has_own_text(number) and slot.is_hidden(number, room)
    }
    return found.keys() | texts.keys() if sum(texts.values()) <= free - (height - longest) else found


def _open_cut_rows(column: Column, height: int) -> Mapping[int, int]:
    """Return the rows of a column of short rows that would be cut and have room in `height` lines, each with the lines that it takes."""
    found, free = dict[int, int](), height - column.height
    for index, (slot, number, room) in enumerate(_rows(column)):
        if slot.is_cut(number, room) and (more := slot.more(number, room)) <= free:
            found[index] = more
            free -= more
    return found


def _rows(column: Column) -> Iterator[tuple[DrawnPanel, int, Room]]:
    """Yield the rows of a column whose rooms are set: the panel, the number in it, and the room."""
    for slot, room in zip(column.slots, column.rooms, strict=True):
        yield from ((slot, number, room) for number in range(len(slot.panel.rows)))


_LayOut = Callable[[Sequence[Panel], Palette, int, int, Room], PanelLayout]
"""Returns the layout of panels in so many cells and lines, with that room at most."""
_AT_REST = 2
"""The greatest height of the tray while nothing is typed or asked."""
LEAST_LOG = 4
"""The least height of the log below the bridge, heading included."""
_SHORT_LOG = 5
"""The Bridge's height has to be so many times the entries of a log for which no row is shortened."""


class SheetView(ListView[int]):
    """The panels of one place: `ship`, `crew` or `scene`; on the bridge, all of them with the clocks.

    The end of the log is below the bridge, if the window doesn't have it beside the view; below ship and crew, if
    lines are left under them. Its entries are targets below 0.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j,tab", "step(1)", "Next row", id="sheet.down", tooltip="Next row"),
        Binding("up,k,shift+tab", "step(-1)", "Previous row", id="sheet.up", tooltip="Previous row"),
        Binding("right,l", "across(1)", "Right", id="sheet.right", tooltip="Right column"),
        Binding("left,h", "across(-1)", "Left", id="sheet.left", tooltip="Left column"),
        Binding("home,g", "step(-999)", "First row", id="sheet.home", tooltip="First row"),
        Binding("end,G", "step(999)", "Last row", id="sheet.end", tooltip="Last row"),
        Binding("pagedown", "step(8)", "Page down", id="sheet.pagedown", tooltip="Down 8 rows"),
        Binding("pageup", "step(-8)", "Page up", id="sheet.pageup", tooltip="Up 8 rows"),
        Binding(
            "enter",
            "open",
            "Actions",
            id="sheet.open",
            tooltip="Actions for this row",
        ),
        Binding("w", "why", "Why?", id="sheet.why", tooltip="History of this value"),
    ]

    @dataclass
    class ActionsRequested(Message):
        """The moves of a row are wanted."""

        row: Row

    @dataclass
    class WhyRequested(Message):
        """The history of a row's value is wanted."""

        row: Row

    def __init__(self, place: str, snapshot: Snapshot, entries: Entries) -> None:
        super().__init__(id=place)
        self._place, self._snapshot, self._entries = place, snapshot, entries
        self._may_have_log = self._has_log = False
        self._logged = snapshot
        """The snapshot that the log below shows. It stays while the tray covers the log: new entries would be covered."""
        self._lay_out: _LayOut = layout_bands if place == SCENE else layout_panels
        self._panels: tuple[Panel, ...] = _panels(snapshot, place)
        self._folded = self._layout = PanelLayout(0)
        """Where the rows lie. `_layout` has the row under the cursor in full."""
        self._folded_for: object = None
        self._bridge_layout, self._whole_height = Memo(_layout_over_log), Memo(_whole_height)
        self._tail: Page[int] = Page(())
        """The end of the log, which stays the same while the cursor moves."""
        self._tail_for: tuple[Snapshot, object, int] | None = None
        """The snapshot, the colours with the width, and the lines that it was rendered for."""

    def show(self, snapshot: Snapshot) -> None:
        """Show another snapshot. The cursor stays on the same row if it still exists."""
        panels, before, self._snapshot = _panels(snapshot, self._place), self._snapshot, snapshot
        # Question after question, a scene may cover the log for an hour.
        if self._covered <= _AT_REST or before.question is not None:
            self._follow_log()
        if panels == self._panels:
            return
        self._panels = panels
        self.repaint()

    def cover(self, rows: int, lasting: int) -> None:
        super().cover(rows, lasting)
        if rows <= _AT_REST:
            self._follow_log()

    def _follow_log(self) -> None:
        """Let the log below show the latest entry."""
        before, self._logged = self._logged, self._snapshot
        if (self._has_log or not before.entries) and before.entries != self._logged.entries:
            self.repaint()

    def set_log_below(self, *, shown: bool) -> None:
        """Show the end of the log below the panels if there is room for it, or hide it."""
        shown = shown and self._place != SCENE
        if shown != self._may_have_log:
            self._may_have_log = shown
            self.repaint()

    def select(self, target: int) -> None:
        if target < 0:
            self.post_message(LogTail.EntrySelected(-target))
        else:
            super().select(target)

    @property
    def row(self) -> Row | None:
        """The row under the cursor, as it is now. On the Bridge, panels lie in another order than in the snapshot."""
        rows = {row.key: row for panel in self._panels for row in panel.rows}
        keys = [place.row.key for place in self._layout.places] or [*rows]
        return rows.get(keys[self.cursor]) if self.cursor < len(keys) else None

    @property
    def log_below(self) -> Iterator[str]:
        """The lines of the log that stand under the panels."""
        page = self.page
        return (
            line.text
            for area in page.areas
            if area.target < 0
            for line in page.lines[max(0, area.y) : area.y + area.height]
        )

    # -- moving and asking --------------------------------------------------------------------------------------

    def count(self) -> int:
        return len(self._layout.places)

    def move_to(self, index: int) -> None:
        """Put the cursor on a row; on the bridge, on the next one that has a line of its own."""
        rows, by = range(self.count()), 1 if index >= self.cursor else -1
        if self._place == BRIDGE and rows:
            index = max(0, min(index, len(rows) - 1))
            seen = [row for row in rows if self._layout.places[row].height]
            ahead = [row for row in seen if (row - index) * by >= 0]
            index = min(ahead or seen or [index], key=lambda row: abs(row - index))
        super().move_to(index)

    def searchable(self) -> Sequence[tuple[int, str]]:
        """Return every row that has a line of its own, the first of a panel with the panel's title and the rows that have none."""
        places, whole = {place.row.key: place for place in self._layout.places}, self._place != BRIDGE
        above = dict[str, str]()
        for panel in self._panels:
            seen = [row.key for row in panel.rows if row.key in places and places[row.key].height]
            hidden = [_row_text(row, whole=whole) for row in panel.rows if row.key not in seen]
            if seen:
                above[seen[0]] = " ".join((panel.title, panel.role, *(tag.text for tag in panel.tags), *hidden, ""))
        return [
            (index, above.get(place.row.key, "") + _row_text(place.row, whole=whole))
            for index, place in enumerate(self._layout.places)
            if place.height
        ]

    def go_to_place(self, place: int) -> None:
        # Keys may arrive before the view has been laid out for the first time.
        self.cursor, self.within = place, 0
        self.repaint()

    def action_across(self, by: int) -> None:
        """Move the cursor to the row beside it on its line, or else to the nearest line of the next column."""
        rows = self._layout.places
        if not rows:
            return
        here, (column, line) = rows[self.cursor], self._layout.line_of(self.cursor)
        places = {index: self._layout.line_of(index) for index, row in enumerate(rows) if row.height}
        columns = {x for x, _ in places.values() if (x - column) * by > 0}
        nearest = min(columns, key=lambda x: abs(x - column), default=None)
        # Small rows share a line of their column.
        beside = [i for i, place in places.items() if place == (column, line) and (rows[i].x - here.x) * by > 0]
        beside = beside or [i for i, (x, _) in places.items() if x == nearest]
        if beside:
            self.move_to(min(beside, key=lambda i: (abs(places[i][1] - line), abs(rows[i].x - here.x))))

    def action_open(self) -> None:
        """Ask for what can be done with the row; at the one that adds somebody, open the form."""
        if self.row and parse_path(self.row.key)[-1] == NEW:
            self.call_next(self.run_action, "app.edit")
        elif self.row:
            self.post_message(self.ActionsRequested(self.row))

    def copied_text(self) -> str:
        return row_text(self.row) if self.row else ""

    def topics(self) -> Sequence[str]:
        return (self.row.key,) if self.row else ()

    @property
    def edited_path(self) -> tuple[str, ...]:
        if self.row:
            return parse_path(self.row.key)
        return (self._place, NEW)

    def action_why(self) -> None:
        """Ask for the history of the row."""
        if self.row:
            self.post_message(self.WhyRequested(self.row))

    # -- rendering ----------------------------------------------------------------------------------------------

    def prepare(self, ink: Palette, width: int, height: int) -> None:
        entries = self._logged.entries if self._may_have_log else None
        over_log = self._place == BRIDGE and bool(entries)
        is_long = over_log and _is_long(self._logged.entries, height)
        self._prepare_layout(ink, width, height, Room.BRIEF if is_long else Room.LARGE, entries)
        layout = self._folded
        rest = height - len(layout.lines) - 1
        # A sheet with rows that unfold would move the log with each step of the cursor.
        self._has_log = over_log or (self._may_have_log and layout.room >= Room.NOTES and rest >= LEAST_LOG)
        if self._has_log:
            room, kept = height - self._covered - len(self._layout.lines) - 2, self._tail_for
            room += room == 1  # Of two lines, none stays blank.
            # Under a tray that has grown, more lines than are in sight are as good.
            least = room if kept is None or self._covered <= _AT_REST else max(room, kept[2])
            if kept is None or kept[0] is not self._logged or kept[1:] != ((ink, width), least):
                self._tail = render_tail(self._logged, self._entries, ink, width, max(1, room))
                self._tail_for = self._logged, (ink, width), room

    def least_lines(self, ink: Palette, width: int, height: int) -> int:
        is_full = self.is_painted and self._folded.width == width and len(self._folded.lines) >= height
        # Rows that fill the window take longest to lay out, and after the next act they hardly leave a line.
        if self._place in (BRIDGE, SCENE) or is_full:
            return height
        lines = self._whole_height(self._panels, ink, width, height)
        has_log = self._may_have_log and height - lines - 1 >= LEAST_LOG
        return lines + has_log * (LEAST_LOG + 1)

    def shows_clocks(self, ink: Palette, place: Rect, covered: int, *, log_below: bool) -> bool:
        """Whether all clocks are in sight from the top of a view of that size of which so many lines are covered."""
        if self._place != BRIDGE:
            return False
        entries = self._logged.entries if log_below else None
        most = Room.BRIEF if entries and _is_long(entries, place.height) else Room.LARGE
        layout = self._bridge_layout(self._panels, ink, place.width, place.height, most, entries)
        ends = (row.y + row.height for row in layout.places if row.row.key.startswith("clocks."))
        # The last face has a blank line under it.
        return all(not layout.has_words(y) for y in range(place.height - covered, max(ends, default=0)))

    def _prepare_layout(self, ink: Palette, width: int, height: int, most: Room, entries: int | None) -> None:
        """Lay the panels out, if they, the window or the `entries` that need a line below them, None if the log isn't there, aren't those
        of the last time.
        """
        before, wanted = self._layout, (self._panels, ink, width, height, most, entries)

        def lay_out(most: Room) -> PanelLayout:
            if self._place == BRIDGE:
                return self._bridge_layout(self._panels, ink, width, height, most, entries)
            return self._lay_out(self._panels, ink, width, height, most)

        if self._folded_for != wanted:
            under = before.places[self.cursor].row.key if self.cursor < len(before.places) else ""
            if self.is_painted:
                self._folded = lay_out(min(most, before.room))
                self.cursor = _find_row(self._folded, under, self.cursor)
            if not self.is_painted or len(self._folded.with_open_row(self.cursor).lines) != len(before.lines):
                # Rows get no more room than before as long as the sheet keeps its length. Otherwise the layout starts again.
                self._folded = lay_out(most)
                self.cursor = _find_row(self._folded, under, self.cursor)
                self.scroll = self.within = 0
            self._folded_for = wanted
        self._folded.lit = self._snapshot.differs
        # The bridge is an overview: nothing in it moves with the cursor.
        self._layout = self._folded if self._place == BRIDGE else self._folded.with_open_row(self.cursor)
        places = self._layout.places
        if self._place == BRIDGE and places and not places[min(self.cursor, len(places) - 1)].height:
            self.cursor = next((row for row, place in enumerate(places) if place.height), 0)

    def render_page(self, ink: Palette, width: int, height: int) -> Page[int]:
        layout = self._layout
        lines = [layout.line(y, self.cursor, ink) for y in range(len(layout.lines))]
        if not layout.places:
            lines[:1] = [CellLine(width).to(2).add("Nothing here yet.", ink.dim)]
        areas = [
            HitArea(place.x, place.y, place.width, place.height, index) for index, place in enumerate(layout.places)
        ]
        # A blank line, the heading, and at least one line of an entry; with only one, the blank line is another.
        if self._has_log and len(lines) + 3 <= height:
            gap = [CellLine(width)] if len(lines) + 3 < height else []
            log = self._tail.below([*lines, *gap, tail_heading(self._logged, ink, width)])
            entries = [area._replace(target=-area.target) for area in log.areas]
            return Page(log.lines[:height], [*areas, *entries])
        # The title above the first row of a panel is in sight with it.
        page = in_window(
            Page(lines, areas), self.cursor, self.scroll, self.within, height, ink, above=1, shorter=("↓ ", "↓")
        )
        last = page.scroll + height - 1
        if last + 1 < len(lines) and (end := layout.end_below(last)) < width:
            # The mark stands in the column that goes on.
            marked = CellLine(width).join(lines[last].part(0, end).with_end("↓ more", ink.key, "↓"))
            page = page._replace(lines=[*page.lines[:-1], marked.join(lines[last].part(end, width))])
        return page


def _row_text(row: Row, *, whole: bool) -> str:
    """Return the text of a row, without its numbers. The bridge has no room for the `whole` of it."""
    match row:
        case TextRow(_, label, words):
            return f"{label} {words}"
        case MarkRow(_, label, _, state, note):
            text = f"{label} {state} {note}"
        case ClockRow(_, label, clock):
            return f"{label} {clock.kind} {clock.outcome}"
        case _:
            text = f"{row.label} {row.note}"
    return f"{text} {row.about}" if whole else text


def _find_row(layout: PanelLayout, key: str, otherwise: int) -> int:
    """Return the place of the row with that key; if it is gone, the nearest one to `otherwise`."""
    keys = [place.row.key for place in layout.places]
    return keys.index(key) if key in keys else min(otherwise, max(0, len(keys) - 1))


def _whole_height(panels: Sequence[Panel], ink: Palette, width: int, height: int) -> int:
    """Return how many lines a sheet takes in a view of that size."""
    return len(layout_panels(panels, ink, width, height).lines)


def _panels(snapshot: Snapshot, place: str) -> tuple[Panel, ...]:
    if place == BRIDGE:
        return (*without_repeats(bridge_panels(snapshot)),)
    here = (panel for panel in snapshot.panels if panel.place == place)
    return (*without_repeats(here), *_adding_panels(snapshot, place))


def _adding_panels(snapshot: Snapshot, place: str) -> Iterator[Panel]:
    """Return the row that adds a person to the crew, in a game whose campaigns have a crew; or the first ship, where there may be none."""
    form = next((form for form in snapshot.forms() if form.tab == place), None) if place else None
    if form is not None and not snapshot.read_only:
        is_first = not any(parse_path(panel.key)[:1] == form.path[:1] for panel in snapshot.panels)
        if place == "ship" and not is_first:
            return
        edit = key_name("edit", "e")
        none = (
            f"None yet. {edit} adds the first one" if place == "ship" else f"Nobody yet. {edit} adds the first person"
        )
        text = none if is_first else f"{edit} opens a form"
        key = format_path(form.path)
        yield Panel(key, place, form.label, (TextRow(key, "", text, Tone.DIM, rank=Rank.ABOUT),))
