"""Where ship, crew and clocks stand on the Bridge: each in columns of its own where there is room, and above the end of the log. In the
lowest windows, everybody has one line before anybody has rows.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence

from waylog.rules.model.panels import DiceRow, Panel
from waylog.ui.draw.colours import Palette
from waylog.ui.draw.drawn_panels import MARGIN, DrawnPanel, Room
from waylog.ui.draw.panel_layout import Column, PanelLayout, open_rows
from waylog.ui.draw.window_layout_and_key_names import GAP
from waylog.values import NamedTuple

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
    (Room.LINE, 0),
)
"""The ways to draw a column of the bridge, with the lines between its panels, in the order in which they are tried."""
_CLOCK_WAYS = ((Room.PACKED, 0), (Room.BRIEF, 0), (Room.VITAL, 0), (Room.LINE, 0))
"""The same for the column of clocks."""
_SHORTEST_LOG, _ROOMY_LOG = 3, 3
"""The lines of a log with one line of an entry; and those that the log has beyond the least, before a text on ship or crew has its own."""
USUAL_TRAY = 2
"""The lines that a tray has more than at rest more often than not. Everybody is in sight above it, and so are clocks or their strip."""
_UNLIMITED = 100_000
"""Lines in which everything has room."""
LEAST_LOG = 4
"""The least height of the log below the bridge, heading included."""
_SHORT_LOG = 5
"""The Bridge's height has to be so many times the entries of a log for which no row is shortened."""


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
        columns, limit = _fill_columns(groups, limit, height, spare, most)
        longest = height - _ROOMY_LOG if spare else 0
        if limit <= height:  # Otherwise the log has given its lines to rows, not to descriptions.
            longest = min(limit, max(longest, _tallest(columns)))
        return _open_columns(_level_crew(columns), limit, longest, most)

    def cost(way: _Arrangement) -> tuple[int, int]:
        # What scrolls is worst. A row is worth as much as a line of the log.
        return max(way.limit, height + spare), way.limit + way.lacking

    found = stand_in(usual, height)
    limits = (*range(height + 1, height + spare - _SHORTEST_LOG + 1), height + spare)
    # What stands in one line has all the lines already but those under a usual tray.
    in_lines = any(Room.LINE in column.rooms for column in found.columns)
    for limit in limits[-1:] if in_lines else limits:
        found = min(found, stand_in(usual, limit), key=cost) if found.lacking else found
    limit = found.limit if found.limit in limits else height
    as_large = min(min(_rooms_of("clocks", found.columns), default=Room.VITAL), Room.PACKED)
    as_roomy = min(_rooms_of("crew", found.columns), default=Room.VITAL)
    # In two columns, people stand together unless rows of theirs had no line then. What stands further down may be under a question.
    is_wide = len(usual) > 2
    may_split, longest = is_wide or as_roomy <= Room.NAMED, _UNLIMITED if is_wide else found.longest
    # Somebody stands under the ship only where people don't even have a line for each row elsewhere.
    under_ship = as_roomy < Room.CLOSE or not is_wide
    ways = [way for way in others if under_ship or all(panel.place != "crew" for panel in way[0])]
    for places in ways if found.lacking else ():
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
        under_ship = ([[*ship, *moved], stay, clocks] for stay, moved in people[1:])
        under_both = ([[*ship, *moved[:1]], stay, [*clocks, *moved[1:]]] for stay, moved in people[2:])
        return [*moving, *([ship, stay, [*clocks, *moved]] for stay, moved in people[1:]), *under_ship, *under_both]
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
        return _tallest(self.columns)


def _tallest(columns: Sequence[Column]) -> int:
    """Return the lines of the longest column."""
    return max((column.height for column in columns), default=0)


def _open_columns(columns: Sequence[Column], limit: int, longest: int, most: Room) -> _Arrangement:
    """Return columns with the rows that are in full anyway. Texts may make a column as long as `longest`."""
    opened, first, lacking = set[int](), 0, 0
    for column in columns:
        rows: Collection[int] = ()
        if column.rooms[0] is Room.CLOSE:
            rows = _open_close_rows(column, limit)
        elif column.rooms[0] < Room.CLOSE:
            rows = _open_packed_rows(column, limit, longest)
        for index, (slot, number, room) in enumerate(_rows(column)):
            if index in rows or room > Room.CLOSE:
                continue
            if slot.is_hidden(number, room):
                lacking += 0 if slot.is_hidden(number, most) else 2 if room <= Room.VITAL else 1
            else:
                lacking += slot.more(number, room) > 0 if room is Room.CLOSE else slot.is_cut(number, room)
        opened |= {first + row for row in rows}
        first += sum(len(slot.panel.rows) for slot in column.slots)
    return _Arrangement(columns, limit, frozenset(opened), lacking)


def layout_over_log(
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
    spare = max(spare, USUAL_TRAY)
    return layout_bridge(panels, ink, width, height - spare, most, spare)


def _is_long(entries: int, height: int) -> bool:
    return entries > height // _SHORT_LOG


def most_room(entries: int | None, height: int) -> Room:
    """Return the most room for rows of a Bridge of that height above a log of so many entries."""
    return Room.BRIEF if entries and _is_long(entries, height) else Room.LARGE


def _fill_columns(
    groups: Sequence[tuple[int, Sequence[DrawnPanel]]], limit: int, height: int, spare: int, most: Room
) -> tuple[Sequence[Column], int]:
    """Return columns that have as much room as they can have in `limit` lines, or else in all of them, and the lines that they may have."""

    def fill(limit: int, least: Room = Room.VITAL) -> Sequence[Column]:
        # Where the log leaves its lines, what the tray covers is worth more than lines between panels.
        airy = height + max(0, spare - USUAL_TRAY)
        return [_fill_column(x, slots, limit, most, least, airy) for x, slots in groups]

    columns = fill(limit)
    if _tallest(columns) <= limit:
        return columns, limit
    limit, seen = height + spare, height + spare - USUAL_TRAY
    if _tallest(fill(seen)) <= seen:
        return fill(limit), limit
    # Everybody in one line is worth more than all rows of some.
    columns = fill(seen, Room.LINE)
    longer = _tallest(columns)
    return (columns, seen) if longer <= seen else (fill(longer, Room.LINE), longer)


def _fill_column(x: int, slots: Sequence[DrawnPanel], height: int, most: Room, least: Room, airy: int) -> Column:
    """Return a column with as much room for each panel as it can have in `height` lines, or with the `least`. It has lines between its
    panels if it isn't longer than `airy` with them.
    """
    only_clocks = all(slot.panel.place == "clocks" for slot in slots)
    # Below clocks, which have discs only in packed rows, the others are packed too.
    packed = bool(slots) and slots[0].panel.place == "clocks"
    most_here = min(most, Room.PACKED) if packed else most
    column = Column(x, slots)
    for room, gap in _CLOCK_WAYS if only_clocks else _SHEET_WAYS:
        if (
            room < least
            or (room > most_here and not only_clocks)
            or sum(slot.least_height(room) for slot in slots) > height
        ):
            continue
        column = Column(x, slots, [room] * len(slots), gap)
        if column.height <= (min(height, airy) if gap else height):
            break
    roomy = _give_room(column, min(height, airy) if column.gap else height, most)
    if not column.gap:
        return roomy
    tight = _give_room(column._replace(gap=0), height, most)

    def says(column: Column) -> tuple[int, int]:
        """Return how much of its rows a column has room for: their rooms, and how many rows that would be cut are in full."""
        if column.rooms[0] < Room.CLOSE:
            return sum(column.rooms), len(_open_cut_rows(column, height))
        return sum(column.rooms), len(_open_close_rows(column, height, texts=True))

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
    # In one line a panel may lack what is vital.
    in_lines = Room.LINE in rooms
    lacking = [team for team in teams if in_lines and any(column.slots[index].lacks_vital for index in team)]
    roomy = all(room >= Room.NOTES for room in rooms)
    for room, who in (
        ((Room.LARGE, dice),)
        if roomy
        else (
            (Room.VITAL, lacking),
            (Room.VITAL, teams),
            (Room.NAMED, teams),
            (Room.BRIEF, teams),
            (Room.PACKED, teams),
        )
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


def _open_close_rows(column: Column, height: int, *, texts: bool = False) -> Collection[int]:
    """Return the rows of a column with a line for each that are in full anyway: those of which words would be cut and, unless only `texts`
    are wanted or the column has given up the lines between its panels for those, the ones that lack a description.
    """
    heights = [slot.height(Room.CLOSE, full=False) for slot in column.slots]
    return open_rows([[column]], heights, Room.CLOSE, height, texts=texts or not column.gap)


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
