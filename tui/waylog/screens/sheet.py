"""The screens of the ship, the crew and the scene: the panels that the game has for them, and a cursor that walks their rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from waylog.rules.panels import Panel, Row
from waylog.snapshot import Snapshot
from waylog.widgets.drawing import base_of
from waylog.widgets.ink import Line, ink_of
from waylog.widgets.panels import Layout, Place, differing, laid_out, laid_out_in_bands, more_below

SCENE = "scene"
"""The place of what is there only while it lasts."""


class SheetScreen(Widget, can_focus=True):
    """Panels of one place: `ship`, `crew` or `scene`."""

    FOCUS_ON_CLICK = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j,tab", "step(1)", "Next row", id="sheet.down", tooltip="To the next row"),
        Binding("up,k,shift+tab", "step(-1)", "Row before", id="sheet.up", tooltip="To the row before"),
        Binding("right,l", "across(1)", "Right", id="sheet.right", tooltip="To the column on the right"),
        Binding("left,h", "across(-1)", "Left", id="sheet.left", tooltip="To the column on the left"),
        Binding("home,g", "step(-999)", "First row", id="sheet.home", tooltip="To the first row"),
        Binding("end,G", "step(999)", "Last row", id="sheet.end", tooltip="To the last row"),
        Binding("pagedown", "step(8)", "Further on", id="sheet.pagedown", tooltip="Eight rows on"),
        Binding("pageup", "step(-8)", "Further back", id="sheet.pageup", tooltip="Eight rows back"),
        Binding(
            "enter",
            "open",
            "What can be done here",
            id="sheet.open",
            tooltip="The moves about the row under the cursor",
        ),
        Binding("w", "why", "Why?", id="sheet.why", tooltip="The acts that made the row's value what it is"),
    ]

    @dataclass
    class Opened(Message):
        """The moves about a row are wanted."""

        row: Row

    @dataclass
    class Why(Message):
        """The acts that made a row's value what it is are wanted."""

        row: Row

    def __init__(self, place: str, snapshot: Snapshot) -> None:
        super().__init__(id=place)
        self._place = place
        self._lay_out = laid_out_in_bands if place == SCENE else laid_out
        self._panels: tuple[Panel, ...] = _panels(snapshot, place)
        self._cursor = 0
        self._top = 0
        self._folded = Layout(0)
        self._layout = Layout(0)
        """`_folded` with the row under the cursor in full."""
        self._clicked = False
        self._strips: dict[int, Strip] = {}
        self._drawn_for: object = None

    def show(self, snapshot: Snapshot) -> None:
        """Draw another moment, the cursor on the same row where it is still there."""
        panels = _panels(snapshot, self._place)
        if panels == self._panels:
            return
        key, was = self.row.key if self.row else "", self._cursor
        self._panels = panels
        keys = [row.key for panel in panels for row in panel.rows]
        self._cursor = keys.index(key) if key in keys else min(self._cursor, max(0, len(keys) - 1))
        if self._drawn_for == (self.size, self.app.theme):
            self._lay_out_again(was)
        else:
            # Out of sight there is no size; back in it, it may be the very one that the old lines were drawn for.
            self._drawn_for = None
            self.refresh()

    def _lay_out_again(self, was: int) -> None:
        """Draw only the lines that have become others. `was` is where the cursor stood."""
        ink, before = ink_of(self), self._layout
        self._folded = self._lay_out(self._panels, ink, self.size.width, self.size.height, before.room)
        self._layout = self._folded.opened(self._cursor)
        top = self._top
        if len(self._layout.lines) == len(before.lines):
            for y in range(len(before.lines)):
                if before.line(y, was, ink).spans != self._layout.line(y, self._cursor, ink).spans:
                    self._strips.pop(y, None)
                    self.refresh(Region(0, y - top, self.size.width, 1))
        else:
            self._drawn_for = None
            self.refresh()

    @property
    def row(self) -> Row | None:
        """The row under the cursor."""
        rows = [row for panel in self._panels for row in panel.rows]
        return rows[self._cursor] if self._cursor < len(rows) else None

    # -- moving -------------------------------------------------------------------------------------------------

    def action_step(self, by: int) -> None:
        """Walk the rows, over the columns in their order; first to the end of a row that is longer than the window."""
        if self._read_on(by):
            return
        last = len(self._layout.places) - 1
        self._go(max(0, min(last, self._cursor + by)))

    def _read_on(self, by: int) -> bool:
        """Move the row under the cursor where it goes on out of sight in that direction. False where all of it was seen."""
        if abs(by) > 1 or not self._layout.places:
            return False
        place, before, page = self._layout.places[self._cursor], self._top, max(1, self.size.height - 2)
        if by > 0:
            self._top = max(before, min(before + page, self._top_for(place)))
        else:
            self._top = min(before, max(before - page, place.y))
        if self._top != before:
            self._strips.clear()
            self.refresh()
        return self._top != before

    def action_across(self, by: int) -> None:
        """To the row beside this one, in the next column that has any."""
        places = self._layout.places
        if not places:
            return
        here = places[self._cursor]
        beside = [index for index, place in enumerate(places) if (place.x - here.x) * by > 0]
        if beside:
            column = min((places[index].x for index in beside), key=lambda x: abs(x - here.x))
            self._go(min((i for i in beside if places[i].x == column), key=lambda i: abs(places[i].y - here.y)))

    def action_open(self) -> None:
        """Ask for what can be done here."""
        if self.row:
            self.post_message(self.Opened(self.row))

    def action_why(self) -> None:
        """Ask why the row is what it is."""
        if self.row:
            self.post_message(self.Why(self.row))

    def _go(self, index: int) -> None:
        if not self._layout.places or index == self._cursor:
            return
        before, was = self._layout, self._cursor
        self._cursor, self._layout = index, self._folded.opened(index)
        if self._bring_into_view():
            self._strips.clear()
            self.refresh()
            return
        last = self._top + self.size.height - 1
        for y, x, width in differing(before, was, self._layout, index):
            self._strips.pop(y, None)
            if self._top <= y <= last:
                self.refresh(Region(x, y - self._top, width, 1))
        if (len(before.lines) - 1 > last) != (len(self._layout.lines) - 1 > last):
            # There is something below that was not, or no more.
            self._strips.pop(last, None)
            self.refresh(Region(0, self.size.height - 1, self.size.width, 1))

    def _top_for(self, place: Place) -> int:
        """The line that is on top when a row is just in sight to its end, and above the word that there is more."""
        end, lines = place.y + place.height, len(self._layout.lines)
        return end + (1 if end < lines else 0) - max(1, self.size.height)

    def _bring_into_view(self) -> bool:
        """Bring the cursor's row into view; the title above the first row of a panel too, where it fits. True when that moved anything."""
        place, before = self._layout.places[self._cursor], self._top
        wanted = max(min(before, max(0, place.y - 1)), self._top_for(place))
        # Of what is longer than the window the beginning comes first. No empty lines below while there are lines above.
        self._top = max(0, min(wanted, place.y, len(self._layout.lines) - max(1, self.size.height)))
        return self._top != before

    def on_click(self, event: events.Click) -> None:
        """The cursor to the row under the mouse; a second click opens it, wherever it has moved to by then."""
        if event.chain > 1:
            if self._clicked:
                self.action_open()
            return
        y = event.y + self._top
        rows = [
            index
            for index, place in enumerate(self._layout.places)
            if place.y <= y < place.y + place.height and place.x <= event.x < place.x + place.width
        ]
        self._clicked = bool(rows)
        if rows:
            self._go(rows[0])

    def on_mouse_scroll_down(self) -> None:
        """The wheel walks."""
        self.action_step(1)

    def on_mouse_scroll_up(self) -> None:
        """The wheel walks."""
        self.action_step(-1)

    # -- drawing ------------------------------------------------------------------------------------------------

    def render_line(self, y: int) -> Strip:
        ink = ink_of(self)
        wanted = (self.size, self.app.theme)
        if wanted != self._drawn_for:
            # A line of air above, where the window has it to spare.
            self._folded = self._lay_out(self._panels, ink, self.size.width, self.size.height)
            self._layout = self._folded.opened(self._cursor)
            self._strips, self._drawn_for, self._top = {}, wanted, 0
            if self._layout.places:
                self._bring_into_view()
        at = y + self._top
        if at not in self._strips:
            self._strips[at] = self._line(at, y).strip(base_of(self))
        return self._strips[at]

    def _line(self, at: int, y: int) -> Line:
        ink = ink_of(self)
        lines = len(self._layout.lines)
        if not self._layout.places and at == 0:
            return Line(self.size.width).to(2).add("Nothing here yet.", ink.dim)
        line = self._layout.line(at, self._cursor, ink) if at < lines else Line(self.size.width)
        if y == self.size.height - 1 and at < lines - 1:
            return more_below(line, ink)
        return line


def _panels(snapshot: Snapshot, place: str) -> tuple[Panel, ...]:
    return tuple(panel for panel in snapshot.panels if panel.place == place)
