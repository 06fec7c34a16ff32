"""What is left of everything in a window that is too small for it: one plain line."""

from __future__ import annotations

from textual.strip import Strip
from textual.widget import Widget

from waylog.widgets.drawing import Drawing
from waylog.widgets.ink import Ink, Line

WIDTH, HEIGHT = 30, 8


class Small(Widget):
    """Says how much room is wanted."""

    def __init__(self) -> None:
        super().__init__(id="small")
        self._drawing = Drawing(self, self._draw)

    def render_line(self, y: int) -> Strip:
        return self._drawing.strip(y)

    def _draw(self, ink: Ink, width: int, height: int) -> list[Line]:  # noqa: ARG002 - one line is all it has
        text = f"Waylog needs {WIDTH}×{HEIGHT}; q quits" if width > 24 else f"needs {WIDTH}×{HEIGHT}"
        return [Line(width).add(text, ink.plain)]
