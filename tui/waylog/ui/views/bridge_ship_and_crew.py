"""The views of ship, crew and scene: panels made by the game, and a cursor that moves through their rows; and the Bridge, where ship, crew
and clocks stand together, as an overview in which nothing moves with the cursor.

The rows and their marks are those of the game's panels (`panels.py` or `crew_and_panels.py` of each game), and the clocks.
`draw/rows.py` draws a row, `draw/panel_layout.py` a panel, and `draw/bridge_layout.py` says where they stand on the Bridge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message

from waylog.rules.codec.changes import NEW, format_path, parse_path
from waylog.rules.common.common_rules import Memo
from waylog.rules.model.panels import ClockRow, MarkRow, Panel, Rank, Row, Tag, TextRow, Tone
from waylog.snapshot_and_act_preview import Snapshot
from waylog.store.log.entries_and_version_0_1 import Entries
from waylog.ui.draw.bridge_layout import LEAST_LOG, layout_over_log, most_room
from waylog.ui.draw.cell_lines import CellLine
from waylog.ui.draw.clickable_line_view import HitArea, Page
from waylog.ui.draw.colours import Palette
from waylog.ui.draw.drawn_panels import Room, without_repeats
from waylog.ui.draw.panel_layout import PanelLayout, layout_bands, layout_panels
from waylog.ui.draw.rows import row_text
from waylog.ui.draw.window_layout_and_key_names import BRIDGE, SCENE, Rect, key_name
from waylog.ui.parts.clock_strip import clock_rows, moved_clocks
from waylog.ui.parts.top_bar_banner_and_log_tail import LogTail, render_tail, tail_heading
from waylog.ui.views.list_view import ListView, in_window
from waylog.values import dataclass


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


_LayOut = Callable[[Sequence[Panel], Palette, int, int, Room], PanelLayout]
"""Returns the layout of panels in so many cells and lines, with that room at most."""
_AT_REST = 2
"""The greatest height of the tray while nothing is typed or asked."""


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
        self._without_clocks = _leave_out_clocks(self._panels)
        self._lists_clocks = True
        self._folded = self._layout = PanelLayout(0)
        """Where the rows lie. `_layout` has the row under the cursor in full."""
        self._folded_for: object = None
        self._bridge_layout, self._whole_height = Memo(layout_over_log), Memo(_whole_height)
        self._listing_layout = Memo(layout_over_log)
        """Lays out the Bridge with the clocks among its rows, also to see whether they are in sight there; the other one without them."""
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
        self._panels, self._without_clocks = panels, _leave_out_clocks(panels)
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

    def list_clocks(self, *, shown: bool) -> None:
        """Show the clocks on the Bridge, or leave them to the strip."""
        if shown != self._lists_clocks:
            self._lists_clocks = shown
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
        self._prepare_layout(ink, width, height, most_room(entries, height) if over_log else Room.LARGE, entries)
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
        if is_full or self._place == SCENE or (self._place == BRIDGE and self._lists_clocks):
            return height
        if self._place == BRIDGE:
            entries = self._logged.entries if self._may_have_log else None
            most = most_room(entries, height)
            lines = len(self._bridge_layout(self._without_clocks, ink, width, height, most, entries).lines)
            return min(height, lines + (LEAST_LOG + 1 if entries and lines + LEAST_LOG <= height else 0))
        lines = self._whole_height(self._panels, ink, width, height)
        has_log = self._may_have_log and height - lines - 1 >= LEAST_LOG
        return lines + has_log * (LEAST_LOG + 1)

    def shows_clocks(self, ink: Palette, place: Rect, covered: int, *, log_below: bool) -> bool:
        """Whether all clocks are in sight from the top of a view of that size of which so many lines are covered."""
        if self._place != BRIDGE:
            return False
        entries = self._logged.entries if log_below else None
        most = most_room(entries, place.height)
        layout = self._listing_layout(self._panels, ink, place.width, place.height, most, entries)
        clocks = [row for row in layout.places if row.row.key.startswith("clocks.")]
        if any(Room.LINE in column.rooms for band in layout.bands for column in band):
            return False
        ends = (row.y + row.height for row in clocks)
        # The last face has a blank line under it.
        return all(not layout.has_words(y) for y in range(place.height - covered, max(ends, default=0)))

    def _prepare_layout(self, ink: Palette, width: int, height: int, most: Room, entries: int | None) -> None:
        """Lay the panels out, if they, the window or the `entries` that need a line below them, None if the log isn't there, aren't those
        of the last time.
        """
        panels = self._panels if self._lists_clocks else self._without_clocks
        before, wanted = self._layout, (panels, ink, width, height, most, entries)

        def lay_out(most: Room) -> PanelLayout:
            if self._place == BRIDGE:
                layout = self._listing_layout if self._lists_clocks else self._bridge_layout
                return layout(panels, ink, width, height, most, entries)
            return self._lay_out(panels, ink, width, height, most)

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


def _leave_out_clocks(panels: Sequence[Panel]) -> tuple[Panel, ...]:
    return tuple(panel for panel in panels if panel.place != "clocks")


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
