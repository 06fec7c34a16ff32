"""The Bridge: ship, crew and clocks together, as an overview in which nothing moves with the cursor.

Its rows and their marks are those of the game's panels (`panels.py` of each game), and the clocks. `SheetView` has the cursor and the end
of the log below; here is what the Bridge consists of, and where it stands. `draw/rows.py` draws a row, `draw/panels.py` a panel.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from waylog.rules.model.panels import DiceRow, Panel, Rank, Row, Tag, TextRow, Tone
from waylog.snapshot import Snapshot
from waylog.ui.draw.colours import Palette
from waylog.ui.draw.panel_layout import Column, PanelLayout, open_rows
from waylog.ui.draw.panels import MARGIN, DrawnPanel, Room
from waylog.ui.draw.window_layout_and_key_names import GAP, key_name
from waylog.ui.parts.clock_strip import clock_rows, moved_clocks

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


def bridge_panels(snapshot: Snapshot) -> tuple[Panel, ...]:
    """Return the panels of the Bridge: those of ship and crew, and one of the open clocks."""
    rows = clock_rows(snapshot.clocks, moved_clocks(snapshot))
    running = sum(not row.clock.full for row in rows)
    counted = f"{running} running" + (f", {len(rows) - running} full" if len(rows) > running else "")
    none = f"No clocks yet. {key_name('clock', 'c')} starts one"
    empty: tuple[Row, ...] = (TextRow("clocks", "", none, Tone.DIM, rank=Rank.VITAL),)
    clocks = Panel("clocks", "clocks", "Clocks", rows or empty, (Tag(counted, Tone.DIM),) if rows else ())
    return (*(panel for panel in snapshot.panels if panel.place in ("ship", "crew")), clocks)


def layout_bridge(
    panels: Sequence[Panel],
    ink: Palette,
    width: int,
    height: int,
    most: Room = Room.LARGE,
    spare: int = 0,
) -> PanelLayout:
    """Lay out ship, crew and clocks in columns of their own, each with as much room as it can have in `height` lines.
    Ship and crew have `most` at most. If a column is longer than `height` anyway, all of them may use `spare` lines more, or be as long
    as that one.
    """
    groups, right = list[Sequence[DrawnPanel]](), width - _EDGE
    ship, crew, clocks = ([panel for panel in panels if panel.place == place] for place in ("ship", "crew", "clocks"))
    places = [[*ship, *crew, *clocks]]
    if right >= _TWO_COLUMNS:
        places = [ship, crew, clocks] if right >= _THREE_COLUMNS else [[*ship, *clocks], crew]
    places = [group for group in places if group]
    each = (right - MARGIN - GAP * (len(places) - 1)) // len(places)
    if ship and places == [[*ship, *clocks], crew]:
        # The clocks stand where they leave the log more room.
        others = [ship, [*crew, *clocks]]
        lines = {panel.key: DrawnPanel(panel, ink, each).height(Room.PACKED, full=False) for panel in panels}
        places = min((places, others), key=lambda two: max(sum(lines[panel.key] for panel in one) for one in two))
    starts = [MARGIN + number * (each + GAP) for number in range(len(places))]
    for x, group in zip(starts, places, strict=True):
        wide, people = (right if x == starts[-1] else x + each) - x, list[DrawnPanel]()
        slots = [DrawnPanel(panel, ink, wide, peers=people if panel.place == "crew" else ()) for panel in group]
        people += [slot for slot in slots if slot.panel.place == "crew"]
        groups.append(slots)
    columns = [_fill_column(x, slots, height, most) for x, slots in zip(starts, groups, strict=True)]
    if (overflowing := max((column.height for column in columns), default=0)) > height:
        height = max(overflowing, height + spare)
        columns = [_fill_column(x, slots, height, most) for x, slots in zip(starts, groups, strict=True)]
    unfolded, first = set[int](), 0
    longest = min(height, max((column.height for column in columns), default=0))
    for column in columns:
        rows: Iterable[int] = ()
        if column.rooms[0] is Room.CLOSE:
            heights = [slot.height(Room.CLOSE, full=False) for slot in column.slots]
            rows = open_rows([[column]], heights, Room.CLOSE, height)
        elif column.rooms[0] < Room.CLOSE:
            rows = _open_packed_rows(column, height, longest)
        unfolded |= {first + row for row in rows}
        first += sum(len(slot.panel.rows) for slot in column.slots)
    return PanelLayout(width, most, [columns], frozenset(unfolded))


def _fill_column(x: int, slots: Sequence[DrawnPanel], height: int, most: Room) -> Column:
    """Return a column with as much room for each panel as it can have in `height` lines, or with the least."""
    only_clocks = all(slot.panel.place == "clocks" for slot in slots)
    column = Column(x, slots)
    for room, gap in _CLOCK_WAYS if only_clocks else [way for way in _SHEET_WAYS if way[0] <= most]:
        if sum(slot.least_height(room) for slot in slots) > height:
            continue
        column = Column(x, slots, [room] * len(slots), gap)
        if column.height <= height:
            break
    roomy, tight = _give_room(column, height, most), _give_room(column._replace(gap=0), height, most)

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
    for room, who in ((Room.LARGE, dice),) if roomy else ((Room.BRIEF, teams), (Room.PACKED, teams)):
        for team in who:
            wanted = [room if index in team and before < room else before for index, before in enumerate(rooms)]
            if room <= most and column._replace(rooms=wanted).height <= height:
                rooms = wanted
    return column._replace(rooms=rooms)


def _open_packed_rows(column: Column, height: int, longest: int) -> Iterable[int]:
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
