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
from waylog.widgets.panels import Layout, laid_out, laid_out_in_bands

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
        self._layout = Layout(0)
        self._strips: dict[int, Strip] = {}
        self._drawn_for: object = None

    def show(self, snapshot: Snapshot) -> None:
        """Draw another moment, the cursor on the same row where it is still there."""
        panels = _panels(snapshot, self._place)
        if panels == self._panels:
            return
        key = self.row.key if self.row else ""
        self._panels = panels
        keys = [row.key for panel in panels for row in panel.rows]
        self._cursor = keys.index(key) if key in keys else min(self._cursor, max(0, len(keys) - 1))
        if self._drawn_for == (self.size, self.app.theme):
            self._lay_out_again()
        else:
            # Out of sight there is no size; back in it, it may be the very one that the old lines were drawn for.
            self._drawn_for = None
            self.refresh()

    def _lay_out_again(self) -> None:
        """Draw only the lines that have become others."""
        ink, before = ink_of(self), self._layout
        self._layout = self._lay_out(self._panels, ink, self.size.width, self.size.height, before.room)
        top = self._top
        if len(self._layout.lines) == len(before.lines):
            for y in range(len(before.lines)):
                if before.line(y, None, ink).spans != self._layout.line(y, None, ink).spans:
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
        """Walk the rows, over the columns in their order."""
        last = len(self._layout.places) - 1
        self._go(max(0, min(last, self._cursor + by)))

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
        before, self._cursor = self._layout.places[self._cursor], index
        place = self._layout.places[index]
        if self._bring_into_view(place.y, place.height):
            self._strips.clear()
            self.refresh()
            return
        for changed in (before, place):
            self._strips.pop(changed.head, None)
            self.refresh(Region(changed.x - 2, changed.head - self._top, changed.width + 2, 1))

    def _bring_into_view(self, y: int, height: int) -> bool:
        """Bring lines into view; the title above the first row of a panel too, where it fits. True when that moved anything."""
        window, before = max(1, self.size.height), self._top
        wanted = max(0, y - 1)
        self._top = max(min(self._top, wanted), y + height - window)
        self._top = max(0, min(self._top, len(self._layout.lines) - 1))
        return self._top != before

    def on_click(self, event: events.Click) -> None:
        """The cursor to the row under the mouse; a second click opens it."""
        for index, place in enumerate(self._layout.places):
            y = event.y + self._top
            if place.y <= y < place.y + place.height and place.x <= event.x < place.x + place.width:
                if index == self._cursor and event.chain > 1:
                    self.action_open()
                self._go(index)

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
            self._layout = self._lay_out(self._panels, ink, self.size.width, self.size.height)
            self._strips, self._drawn_for, self._top = {}, wanted, 0
            if self._layout.places:
                place = self._layout.places[self._cursor]
                self._bring_into_view(place.y, place.height)
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
            line.right("↓ more ", ink.key)
        return line


def _panels(snapshot: Snapshot, place: str) -> tuple[Panel, ...]:
    return tuple(panel for panel in snapshot.panels if panel.place == place)
