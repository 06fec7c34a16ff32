"""Puts a window together. `MainScreen` has it in the place of Textual's own compositor, for the sake of every key."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from rich.console import Console
from textual._compositor import ChopsUpdate, Compositor, ReflowResult
from textual.geometry import Region, Size
from textual.strip import Strip
from textual.widget import Widget


class LineCompositor(Compositor):
    """Composes a window from the cells that have changed. Textual's own compositor asks every widget for all its lines at
    each key, and sends each line from the left edge of its widget.
    """

    def __init__(self) -> None:
        super().__init__()
        self._placed: dict[Widget, tuple[Region, Region]] = {}
        """The place and the visible part of each widget, as the last layout has drawn them."""

    def reflow(self, parent: Widget, size: Size) -> ReflowResult:
        """Lay the window out, and draw each part that has another place than after the last layout.

        Textual compares with its map of places, which it may replace between two layouts without drawing anything.
        """
        result = super().reflow(parent, size)
        before, self._placed = self._placed, dict(self.visible_widgets)
        self._dirty_regions |= {
            region.intersection(clip) for _, (region, clip) in before.items() ^ self._placed.items()
        }
        return result

    def render_partial_update(self) -> ChopsUpdate:
        """Return what has changed since the last time."""
        spans = self._regions_to_spans(self._take_changed())
        return CellsUpdate([piece for y, start, stop in spans for piece in self._pieces(y, start, stop)])

    def _take_changed(self) -> list[Region]:
        """Return the changed parts of the window, each once."""
        changed = [region.intersection(self.size.region) for region in self._dirty_regions]
        self._dirty_regions.clear()
        return changed

    def _pieces(self, y: int, start: int, stop: int) -> Iterator[tuple[int, int, Strip]]:
        """Yield column, line and cells of each widget that is visible between two columns of a line."""
        uncovered = [(start, stop)]
        for widget, (region, clip) in self.visible_widgets.items():  # The widgets in front come first.
            seen = region.intersection(clip)
            if not seen.y <= y < seen.bottom:
                continue
            behind = list[tuple[int, int]]()
            for left, right in uncovered:
                begin, end = max(left, seen.x), min(right, seen.right)
                if begin >= end:
                    behind.append((left, right))
                    continue
                yield begin, y, widget.render_lines(Region(begin - region.x, y - region.y, end - begin, 1))[0]
                behind += [(one, other) for one, other in ((left, begin), (end, right)) if one < other]
            uncovered = behind
            if not uncovered:
                return


class CellsUpdate(ChopsUpdate):
    """Cells to be drawn anew, each piece with its place."""

    def __init__(self, pieces: Sequence[tuple[int, int, Strip]]) -> None:
        super().__init__((), [], [])
        self._pieces = pieces

    def render_segments(self, console: Console) -> str:
        """Return the text for the terminal."""
        return "".join(f"\x1b[{y + 1};{x + 1}H{strip.render(console)}" for x, y, strip in self._pieces)
