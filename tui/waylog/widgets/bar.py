"""The one line at the top: where one is, what is played, and that `?` helps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from waylog.widgets.cells import cells_of
from waylog.widgets.drawing import Drawing
from waylog.widgets.ink import Ink, Line

_HELP = " ? keys "


class Bar(Widget):
    """Tabs with their keys, the campaign's name and game."""

    @dataclass
    class Picked(Message):
        """A tab was clicked; `tab` is its name, empty for the keys."""

        tab: str

    def __init__(self, tabs: Sequence[str], title: str, system: str) -> None:
        super().__init__(id="bar")
        self._tabs, self._title, self._system = tabs, title, system
        self._current = tabs[0]
        self._marks: tuple[str, ...] = ()
        self._places: list[tuple[int, int, str]] = []
        self._drawing = Drawing(self, self._draw)

    def show(self, current: str, title: str, marks: tuple[str, ...]) -> None:
        """Mark a tab. `marks` are states that hold on every screen: `Wrecked`."""
        if (current, title, marks) != (self._current, self._title, self._marks):
            self._current, self._title, self._marks = current, title, marks
            self._drawing.stale()

    def on_click(self, event: events.Click) -> None:
        """A tab under the mouse is opened."""
        for start, end, tab in self._places:
            if start <= event.x < end:
                self.post_message(self.Picked(tab))

    def render_line(self, y: int) -> Strip:
        return self._drawing.strip(y)

    def _draw(self, ink: Ink, width: int, height: int) -> list[Line]:  # noqa: ARG002 - one line is all it has
        line, self._places = Line(width), []
        for number, tab in enumerate(self._tabs, 1):
            name = tab.title() if width >= 36 else tab.title()[:2]
            text, start = f" {number} {name} ", line.used
            if tab == self._current:
                line.add(text, ink.cursor)
            else:
                line.add(f" {number} ", ink.key).add(f"{name} ", ink.plain)
            self._places.append((start, line.used, tab))
        for mark in self._marks:
            line.add(" ", ink.plain).add(f" ! {mark} ", ink.alert)
        end = width - (len(_HELP) if width >= 48 else 3)
        title = Line(max(0, end - line.used - 2)).add(self._title or "(no name)", ink.strong)
        if cells_of(self._system) + 3 <= title.left:
            title.add(f" · {self._system}", ink.dim)
        if title.width > 4:
            line.to(end - title.used - 1).join(title)
        line.to(end).add(" ? ", ink.key).add("keys " if width >= 48 else "", ink.dim)
        self._places.append((end, width, ""))
        return [line]
