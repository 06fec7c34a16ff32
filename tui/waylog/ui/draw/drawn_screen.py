"""The screen that puts its widgets together at once, and the compositor that sends only the cells that have changed.

Textual draws a window once its parts have told each other by messages what has changed, nothing more is to be handled, and a
timer has woken up. Waylog's views know the cells that have changed, and telling takes longer than drawing them. So `MainScreen` is a
`DrawnScreen`, with a compositor of its own: a key is on screen as soon as it is handled. A part that one key tells several things gives
its update to `before_frame`, so that it renders once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from rich.color import Color as RichColor
from rich.console import Console
from textual import events
from textual._compositor import ChopsUpdate, Compositor, CompositorMap, LayoutUpdate, ReflowResult
from textual.geometry import NULL_REGION, NULL_SPACING, Region, Size
from textual.map_geometry import MapGeometry
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
        self._blanks: dict[int, tuple[int, RichColor | None]] = {}
        """By line, the column from which on the terminal shows nothing but blanks, and their colour."""

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

    def _arrange_root(
        self,
        root: Widget,
        size: Size,
        visible_only: bool = True,  # noqa: ARG002 - as Textual calls it
    ) -> tuple[CompositorMap, set[Widget]]:
        """Place the parts of the window where its layout says. Textual would look at each for parts of its own and for what is scrolled in
        it, of which there is nothing here.
        """
        window, whole = size.region, ((0, 0, 0),)
        placed = {
            widget: MapGeometry(
                region,
                (*whole, (0, order, -number)),
                window,
                region.size,
                region.shrink(widget.styles.gutter).size,
                region,
                NULL_SPACING,
            )
            for number, (region, _, _, widget, order, *_) in enumerate(
                reversed(root.layout.arrange(root, list(root.children), size))
            )
            if widget.is_mounted
        }
        placed[root] = MapGeometry(window, whole, window, size, size, window, NULL_SPACING)
        return placed, set(placed)

    def render_full_update(self, simplify: bool = False) -> LayoutUpdate:
        """Return the whole window: nobody knows what the terminal shows."""
        self._forget_blanks()
        return super().render_full_update(simplify)

    def render_partial_update(self) -> ChopsUpdate:
        """Return what has changed since the last time."""
        spans = self._regions_to_spans(self._take_changed())
        parts = [(widget, region, region.intersection(clip)) for widget, (region, clip) in self.visible_widgets.items()]
        pieces = [piece for y, start, stop in spans for piece in _pieces(parts, y, start, stop)]
        return CellsUpdate([(x, y, cells) for x, y, strip in pieces if (cells := self.unsent_cells(x, y, strip))])

    def unsent_cells(self, x: int, y: int, strip: Strip) -> Strip:
        """Return what of these cells has to be sent: not the blanks at the end of the line that the terminal shows there already."""
        width, end = self.size.width, x + strip.cell_length
        shown_from, colour = self._blanks.get(y, (width, None))
        if end < width:
            self._blanks[y] = max(shown_from, end), colour
            return strip
        *_, (text, style, _) = strip
        if style is None or style.reverse or style.underline or style.strike:
            self._blanks[y] = width, None
            return strip
        blank_from = width - len(text) + len(text.rstrip(" "))
        is_same = shown_from < width and style.bgcolor == colour
        self._blanks[y] = min(blank_from, shown_from) if is_same and blank_from <= x else blank_from, style.bgcolor
        return strip.crop(0, max(blank_from, shown_from, x) - x) if is_same else strip

    def _forget_blanks(self) -> None:
        self._blanks.clear()

    def _take_changed(self) -> list[Region]:
        """Return the changed parts of the window, each once."""
        changed = [region.intersection(self.size.region) for region in self._dirty_regions]
        self._dirty_regions.clear()
        return changed


def _pieces(
    parts: Sequence[tuple[Widget, Region, Region]], y: int, start: int, stop: int
) -> Iterator[tuple[int, int, Strip]]:
    """Yield column, line and cells of each part that is visible between two columns of a line. Each part has its place and what is seen of
    it, and those in front come first.
    """
    uncovered = [(start, stop)]
    for widget, region, seen in parts:
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
        self._due = dict[Callable[[], object], None]()
        """What is to be called before the next frame, in this order."""

    def before_frame(self, update: Callable[[], object]) -> None:
        """Call a function that updates what is drawn. In `draw_at_once` it is called at the end, once for all changes of one key, and
        otherwise at once.
        """
        if self._is_held:
            self._due[update] = None
            self._is_asked = True
        else:
            update()

    def _call_due(self) -> None:
        while self._due:
            update = next(iter(self._due))
            del self._due[update]
            update()

    async def _on_idle(self, event: events.Idle) -> None:  # noqa: ARG002 - as Textual calls it
        """Have Textual draw a frame if one is due. `Screen` handles the event, too."""
        if self._due:
            self._update_timer.resume()

    def _on_timer_update(self) -> None:
        self._call_due()
        super()._on_timer_update()

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
        """Whether the last layout has given the widget a place in the window, with a cell at least."""
        region, _ = self._compositor.visible_widgets.get(widget, (NULL_REGION, NULL_REGION))
        return bool(region)

    def draw_changes(self, widget: Widget) -> None:
        """Draw with the next frame the cells of a widget that it keeps as changed."""
        self._dirty_widgets.add(widget)
        self.check_idle()

    def draw_with_layout(self, widget: Widget) -> None:
        """Draw with the frame of the layout that goes on the cells of a widget that it keeps as changed."""
        self._compositor.update_widgets({widget})

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
            is_last = self._is_asked and self.is_running and not self.has_messages
            if is_last:
                self._call_due()
        finally:
            self._is_held = False
        if is_last:
            self._on_timer_update()
        elif self._is_asked and self.is_running:
            self.check_idle()
