"""The strips of a widget that draws its own lines: made once for a size and a theme, until they are stale."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.style import Style
from textual.geometry import Size
from textual.strip import Strip
from textual.widget import Widget

from waylog.widgets.ink import Ink, Line, ink_of

Draw = Callable[[Ink, int, int], Sequence[Line]]
"""The lines for a width and a height."""


def base_of(widget: Widget) -> Style:
    """The widget's own colours, which everything in it is laid on."""
    return widget.visual_style.rich_style


class Drawing:
    """What a widget looks like."""

    def __init__(self, widget: Widget, draw: Draw) -> None:
        self._widget, self._draw = widget, draw
        self._strips: list[Strip] | None = None
        self._drawn_for: tuple[Size, str] | None = None
        self._base = Style.null()

    def stale(self) -> None:
        """Draw it anew, without a new layout."""
        self._strips = None
        self._widget.refresh()

    def strip(self, y: int) -> Strip:
        """One line."""
        wanted = (self._widget.size, self._widget.app.theme)
        if self._strips is None or wanted != self._drawn_for:
            self._base, self._drawn_for = base_of(self._widget), wanted
            ink = ink_of(self._widget)
            size = self._widget.size
            self._strips = [line.strip(self._base) for line in self._draw(ink, size.width, size.height)]
        return self._strips[y] if y < len(self._strips) else Strip.blank(self._widget.size.width, self._base)
