"""The one line that is shown in a window that is too small."""

from __future__ import annotations

from waylog.ui.draw.line_view import LineView, Page
from waylog.ui.draw.palette import CellLine, Palette
from waylog.ui.layout import HEIGHT, WIDTH


class TooSmall(LineView[None]):
    """Says how much room is needed."""

    def __init__(self) -> None:
        super().__init__(id="small")

    def render_page(self, ink: Palette, width: int, height: int) -> Page[None]:  # noqa: ARG002 - one line is all it has
        text = f"Waylog needs {WIDTH}×{HEIGHT}; q quits" if width > 24 else f"needs {WIDTH}×{HEIGHT}"
        return Page([CellLine(width).add(text, ink.plain)])
