"""The strips of a widget that draws its own lines: made once for a size and a theme, until they are stale."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rich.style import Style
from textual.geometry import Region, Size
from textual.strip import Strip
from textual.widget import Widget

from waylog.widgets.ink import Ink, Line, Span, ink_of

Draw = Callable[[Ink, int, int], Sequence[Line]]
"""The lines for a width and a height."""


def base_of(widget: Widget) -> Style:
    """The widget's own colours, which everything in it is laid on."""
    return widget.visual_style.rich_style


class Drawing:
    """What a widget looks like."""

    def __init__(self, widget: Widget, draw: Draw) -> None:
        self._widget, self._draw = widget, draw
        self._lines: Sequence[Line] = ()
        self._strips: dict[int, Strip] = {}
        self._drawn_for: tuple[Size, str] | None = None
        self._base = Style.null()

    def stale(self) -> None:
        """Draw it anew: only lines that have become others go to the screen, and without a new layout."""
        if self._drawn_for != self._wanted:
            # Out of sight a widget has no size. Back in it, it may have the very one that its old lines were drawn for.
            self._drawn_for = None
            self._widget.refresh()
            return
        before, size = self._lines, self._widget.size
        self._lines = self._draw(ink_of(self._widget), size.width, size.height)
        longest = max(len(before), len(self._lines))
        changed = [y for y in range(longest) if _spans(before, y) != _spans(self._lines, y)]
        for y in changed:
            self._strips.pop(y, None)
        if changed:
            self._widget.refresh(*(Region(0, y, size.width, 1) for y in changed))

    @property
    def _wanted(self) -> tuple[Size, str]:
        return self._widget.size, self._widget.app.theme

    def strip(self, y: int) -> Strip:
        """One line."""
        if self._drawn_for != self._wanted:
            self._base, self._drawn_for = base_of(self._widget), self._wanted
            size = self._widget.size
            self._lines, self._strips = self._draw(ink_of(self._widget), size.width, size.height), {}
        if y not in self._strips:
            width = self._widget.size.width
            line = self._lines[y] if y < len(self._lines) else Line(width)
            self._strips[y] = line.strip(self._base)
        return self._strips[y]


def _spans(lines: Sequence[Line], y: int) -> Sequence[Span]:
    return lines[y].spans if y < len(lines) else ()
