"""The screens of the ship, the crew and the scene: the panels that the game has for them, and a cursor that walks their rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message

from waylog.rules.panels import Panel, Row
from waylog.snapshot import Snapshot
from waylog.ui.draw.line_view import HitArea, Page
from waylog.ui.draw.palette import CellLine, Palette
from waylog.ui.draw.panels import PanelLayout, layout_bands, layout_panels
from waylog.ui.views.list_view import ListView, in_window

SCENE = "scene"
"""The place of what is there only while it lasts."""


class SheetView(ListView[int]):
    """Panels of one place: `ship`, `crew` or `scene`."""

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
        """The moves about a row are wanted."""

        row: Row

    @dataclass
    class WhyRequested(Message):
        """The acts that made a row's value what it is are wanted."""

        row: Row

    def __init__(self, place: str, snapshot: Snapshot) -> None:
        super().__init__(id=place)
        self._place = place
        self._lay_out = layout_bands if place == SCENE else layout_panels
        self._panels: tuple[Panel, ...] = _panels(snapshot, place)
        self._folded = self._layout = PanelLayout(0)
        """Where the rows lie; `_layout` has the row under the cursor in full."""
        self._folded_for: object = None

    def show(self, snapshot: Snapshot) -> None:
        """Show another moment, the cursor on the same row where it is still there."""
        panels = _panels(snapshot, self._place)
        if panels == self._panels:
            return
        key = self.row.key if self.row else ""
        self._panels = panels
        keys = [row.key for panel in panels for row in panel.rows]
        self.cursor = keys.index(key) if key in keys else min(self.cursor, max(0, len(keys) - 1))
        self.repaint()

    @property
    def row(self) -> Row | None:
        """The row under the cursor."""
        rows = [row for panel in self._panels for row in panel.rows]
        return rows[self.cursor] if self.cursor < len(rows) else None

    # -- moving and asking --------------------------------------------------------------------------------------

    def count(self) -> int:
        return len(self._layout.places)

    def action_across(self, by: int) -> None:
        """To the row beside this one, in the next column that has any."""
        places = self._layout.places
        if not places:
            return
        here = places[self.cursor]
        beside = [index for index, place in enumerate(places) if (place.x - here.x) * by > 0]
        if beside:
            column = min((places[index].x for index in beside), key=lambda x: abs(x - here.x))
            self.move_to(min((i for i in beside if places[i].x == column), key=lambda i: abs(places[i].y - here.y)))

    def action_open(self) -> None:
        """Ask for what can be done here."""
        if self.row:
            self.post_message(self.ActionsRequested(self.row))

    def action_why(self) -> None:
        """Ask why the row is what it is."""
        if self.row:
            self.post_message(self.WhyRequested(self.row))

    # -- rendering ----------------------------------------------------------------------------------------------

    def prepare(self, ink: Palette, width: int, height: int) -> None:
        before, wanted = self._layout, (self._panels, ink, width, height)
        if self._folded_for != wanted:
            if self.is_painted:
                self._folded = self._lay_out(self._panels, ink, width, height, before.room)
            if not self.is_painted or len(self._folded.with_open_row(self.cursor).lines) != len(before.lines):
                # Rows have no more room each than before, as long as the sheet keeps its length. Otherwise it begins anew.
                self._folded = self._lay_out(self._panels, ink, width, height)
                self.scroll = self.within = 0
            self._folded_for = wanted
        self._layout = self._folded.with_open_row(self.cursor)

    def render_page(self, ink: Palette, width: int, height: int) -> Page[int]:
        layout = self._layout
        lines = [layout.line(y, self.cursor, ink) for y in range(len(layout.lines))]
        if not layout.places:
            lines[:1] = [CellLine(width).to(2).add("Nothing here yet.", ink.dim)]
        areas = [
            HitArea(place.x, place.y, place.width, place.height, index) for index, place in enumerate(layout.places)
        ]
        # The title above the first row of a panel is in sight with it.
        return in_window(Page(lines, areas), self.cursor, self.scroll, self.within, height, ink, above=1)


def _panels(snapshot: Snapshot, place: str) -> tuple[Panel, ...]:
    return tuple(panel for panel in snapshot.panels if panel.place == place)
