"""A screen that can be drawn at once. `MainScreen` is one, so that a key is on screen as soon as it is handled.

Textual draws a window once its parts have told each other by messages what has changed, nothing more is to be handled, and a
timer has woken up. Waylog's views know the cells that have changed, and telling takes longer than drawing them.

Puts a window together. `MainScreen` has it in the place of Textual's own compositor, for the sake of every key.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from rich.console import Console
from textual._compositor import ChopsUpdate, Compositor, ReflowResult
from textual.geometry import Region, Size
from textual.screen import Screen
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


class DrawnScreen(Screen[None], inherit_bindings=False):
    """A screen that is drawn at the end of `draw_at_once`, or as Textual does it, by itself after any other change."""

    AUTO_FOCUS = ""

    def __init__(self) -> None:
        super().__init__()
        self._compositor = LineCompositor()
        self._is_held = False
        """Drawing waits for the end of `draw_at_once`."""
        self._is_asked = False
        """Textual has been asked meanwhile to draw."""

    def check_idle(self) -> None:
        if self._is_held:
            self._is_asked = True
        else:
            super().check_idle()

    def refresh(
        self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False
    ) -> DrawnScreen:
        """Draw the window again, or lay it out. A layout draws what it has placed or moved, and nothing else: Textual would draw
        all of the window once more after a part was mounted.
        """
        return super().refresh(*regions, repaint=repaint and not layout, layout=layout, recompose=recompose)

    def has_placed(self, widget: Widget) -> bool:
        """Whether the last layout has given the widget a place in the window."""
        return widget in self._compositor.visible_widgets

    def draw_changes(self, widget: Widget) -> None:
        """Draw with the next frame the cells of a widget that it keeps as changed."""
        self._dirty_widgets.add(widget)
        self.check_idle()

    def place_parts(self) -> None:
        """Have the layout place the parts again before the next frame."""
        self._clear_arrangement_cache()
        self.refresh(repaint=False, layout=True)

    @property
    def has_messages(self) -> bool:
        """Whether messages of the app, of the screen or of its parts wait to be handled."""
        return any(each.message_queue_size for each in (self.app, self, *self.children))

    @contextmanager
    def draw_at_once(self) -> Iterator[None]:
        """Draw at the end what changes in the `with` block. If messages wait, which may change more, Textual draws all of it
        after them.
        """
        if self._is_held:
            yield
            return
        self._is_held, self._is_asked = True, False
        try:
            yield
        finally:
            self._is_held = False
        if not self._is_asked or not self.is_running:
            return
        if self.has_messages:
            self.check_idle()
        else:
            self._on_timer_update()
