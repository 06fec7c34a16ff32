"""Widgets that render their own lines, and send only those that have changed; and the screen that puts them together at once.

A page is what a view draws, and what a click in it means: its lines, with the areas that can be clicked.

A view is written so: `show` takes data in and calls `repaint`; `render_page` reads the state of the view and returns a `Page`; an event
handler looks up in `page`, the last one, where the mouse is, changes the state or posts a message, and calls `repaint`. Functions whose
names begin with `render`, or that are given a `Palette`, change nothing: all that they find out is in the page that they return. What
takes long and serves many renderings is kept by `prepare`.

Textual draws a window once its parts have told each other by messages what has changed, nothing more is to be handled, and a
timer has woken up. Waylog's views know the cells that have changed, and telling takes longer than drawing them. So `MainScreen` is a
`DrawnScreen`, with a compositor of its own: a key is on screen as soon as it is handled. A part that one key tells several things gives
its update to `before_frame`, so that it renders once.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import zip_longest
from typing import Generic, NamedTuple, TypeVar

from rich.color import Color as RichColor
from rich.console import Console
from rich.style import Style
from textual import events
from textual._compositor import ChopsUpdate, Compositor, CompositorMap, LayoutUpdate, ReflowResult
from textual.geometry import NULL_REGION, NULL_SPACING, Offset, Region, Size
from textual.map_geometry import MapGeometry
from textual.message import Message
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from waylog.ui.draw.cell_lines import CellLine, DrawnStyles, StyledText, cells_of, drawn_styles
from waylog.ui.draw.colours import Palette, ink_of
from waylog.values import dataclass

T_co = TypeVar("T_co", covariant=True)


class HitArea(NamedTuple, Generic[T_co]):
    """A rectangle of cells in a page, and what a click there means."""

    x: int
    y: int
    width: int
    height: int
    target: T_co

    def shift_down(self, lines: int) -> HitArea[T_co]:
        """Return the same area so many lines further down."""
        return self._replace(y=self.y + lines)


class Page(NamedTuple, Generic[T_co]):
    """The result of rendering a view."""

    lines: Sequence[CellLine]
    areas: Sequence[HitArea[T_co]] = ()
    """The areas that can be clicked. If some overlap, the first counts."""
    scroll: int = 0
    """The distance that the view is scrolled, in a unit of its own. The next rendering finds it in `LineView.scroll`."""
    block: tuple[int, int] = (1, 1)
    """The height of the item under the cursor, and the height that the window has for it."""

    def target_at(self, x: int, y: int) -> T_co | None:
        """Return the target of a click on a cell; None if there is nothing to click on."""
        return next(
            (
                area.target
                for area in self.areas
                if area.x <= x < area.x + area.width and area.y <= y < area.y + area.height
            ),
            None,
        )

    def part(self, top: int, height: int) -> Page[T_co]:
        """Return so many lines of the page from `top` on. If `top` is below 0, blank lines come first."""
        width = self.lines[0].width if self.lines else 0
        lines = [*([CellLine(width)] * -top), *self.lines[max(0, top) :]][:height]
        areas = [area.shift_down(-top) for area in self.areas]
        return self._replace(
            lines=lines, areas=[area for area in areas if area.y + area.height > 0 and area.y < height]
        )

    def below(self, lines: Sequence[CellLine]) -> Page[T_co]:
        """Return the page with other lines above it."""
        return self._replace(lines=[*lines, *self.lines], areas=[area.shift_down(len(lines)) for area in self.areas])


class SplitPage(NamedTuple, Generic[T_co]):
    """A page in two parts, one at the top of a window and one at its bottom, with blank lines between them."""

    top: Page[T_co]
    bottom: Page[T_co]

    @property
    def rows(self) -> int:
        """The height of both parts."""
        return len(self.top.lines) + len(self.bottom.lines)

    def fill(self, width: int, height: int) -> Page[T_co]:
        """Return the whole page in exactly `height` lines. If it has more, the top part is cut."""
        blank = [CellLine(width) for _ in range(height - self.rows)]
        under = self.bottom.below([*self.top.lines, *blank])
        whole = Page(under.lines, [*self.top.areas, *under.areas], self.top.scroll)
        return whole.part(max(0, len(whole.lines) - height), height)


class CellRange(NamedTuple):
    """The cells of a page from one to another, line by line as text is read. Both ends are part of it."""

    start: Offset
    end: Offset

    def columns(self, y: int, width: int) -> range:
        """Return the columns of it in one line."""
        if not self.start.y <= y <= self.end.y:
            return range(0)
        return range(self.start.x if y == self.start.y else 0, min(width, self.end.x + 1) if y == self.end.y else width)


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


T = TypeVar("T")


_SELECTED = Style(reverse=True)
_NO_LINE = CellLine(0)


class LineView(Widget, Generic[T]):
    """A widget whose lines `render_page` renders. `T` is what a click in it can mean. Dragging over it selects text."""

    @dataclass
    class TextSelected(Message):
        """A text was selected with the mouse, and the button let go."""

        cells_text: str

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - as `Widget` calls it
        super().__init__(id=id)
        self.page: Page[T] = Page(())
        """The last page."""
        self.scroll = 0
        """How far the view is scrolled: as the last page says, or as an action wants it for the next."""
        self.terms: Sequence[str] = ()
        """Folded words that are marked wherever they stand."""
        self._covered = 0
        self._strips: dict[int, Strip] = {}
        self._painted_for: tuple[Size, str] | None = None
        self._drawn_styles = DrawnStyles(Style.null())
        self._drag_from: Offset | None = None
        """Where the mouse button went down."""
        self._cells: CellRange | None = None
        self._has_padding = False
        self._waits_for_layout = False
        """The page has changed, and is rendered with the next layout."""

    def render_page(self, ink: Palette, width: int, height: int) -> Page[T]:
        """Return the lines for a window of that size, at most `height` of them. Changes nothing.

        `height` leaves out lines that are covered; `prepare` gets the whole height, so that a layout stays while the
        tray grows.
        """
        raise NotImplementedError

    def prepare(self, ink: Palette, width: int, height: int) -> None:
        """Work out what `render_page` needs and is worth keeping. It is called before each rendering."""

    def cover(self, rows: int, lasting: int) -> None:  # noqa: ARG002 - a view whose layout keeps clear of those that last asks
        """From now on, something covers so many lines at the bottom. What is rendered keeps clear of them. `lasting` of them stay
        covered when what goes with the next keys has gone, such as a line that is typed.
        """
        if rows != self._covered:
            self._covered = rows
            self.repaint()

    def least_lines(self, ink: Palette, width: int, height: int) -> int:  # noqa: ARG002 - most views use all
        """Return how many of the lines of a window of that size the view needs, so that it cuts and hides nothing more. The others may
        be given to the parts below it.
        """
        return height

    def before_frame(self, update: Callable[[], object]) -> None:
        """Call a function that updates the view: once for all changes of one key, where the screen draws them at once."""
        screen = self.screen if self.is_attached else None
        if isinstance(screen, DrawnScreen):
            screen.before_frame(update)
        else:
            update()

    def repaint(self) -> None:
        """Render again and send the cells that changed, without a new layout of the window."""
        self._select_cells(None)
        screen = self.screen if self.is_attached else None
        if screen is None or (isinstance(screen, DrawnScreen) and not screen.has_placed(self)):
            # When it is shown again, its size may be the one that its old lines were rendered for.
            self._painted_for = None
            return
        if self._waits_for_layout:
            return
        # `size` looks the widget up in the window.
        size = self.size
        if self._painted_for != (size, self.app.theme):
            self.forget_page()
            return
        before = self.page.lines
        self._take_page(size)
        regions = []
        for y, (line, new) in enumerate(zip_longest(before, self.page.lines, fillvalue=_NO_LINE)):
            if line is not new and (cells := changed_cells(line.spans, new.spans)):
                self._strips.pop(y, None)
                regions.append(Region(cells.start, y, min(cells.stop, size.width) - cells.start, 1))
        if regions:
            self._send(regions)

    def repaint_with_layout(self) -> None:
        """Render again with the layout of the window that follows, which may give the view another size."""
        self._select_cells(None)
        self._painted_for, self._waits_for_layout = None, True

    def _send(self, regions: Sequence[Region]) -> None:
        """Have the screen send these cells with its next frame."""
        screen = self.screen
        if isinstance(screen, DrawnScreen) and not self._has_padding:
            # `refresh` draws the same, but two messages later.
            self._repaint_regions.update(regions)
            screen.draw_changes(self)
        else:
            self.refresh(*regions)

    def forget_page(self) -> None:
        """Render everything anew: the colours have changed under the same name."""
        self._painted_for = None
        self.refresh()

    @property
    def is_painted(self) -> bool:
        """Whether the last page was rendered for the current size and theme."""
        return self._painted_for == (self.size, self.app.theme)

    def target_at(self, event: events.MouseEvent) -> T | None:
        """Return the target under the mouse; None where there is nothing to click on, and at the end of a selection, which is no click."""
        if self._cells:
            return None
        at = event.get_content_offset(self)
        return None if at is None else self.page.target_at(at.x, at.y)

    def _size_updated(
        self,
        size: Size,
        virtual_size: Size,
        container_size: Size,
        layout: bool = True,  # noqa: ARG002 - as Textual calls it
    ) -> bool:
        """Take another size, as Textual says while it lays out the window.

        Textual would lay the window out once more for what is scrolled in a widget, of which there is nothing here, and would draw
        the widget again with the next key: each key that makes the tray grow would then draw the tray three times.
        """
        waits, self._waits_for_layout = self._waits_for_layout, False
        if (size, container_size) == (self._size, self._container_size):
            if waits and isinstance(self.screen, DrawnScreen):
                self._repaint_regions.add(size.region)
                self.screen.draw_with_layout(self)
            return False
        waiting = set(self._repaint_regions) if size == self.outer_size else set()
        changed = super()._size_updated(size, virtual_size, container_size, layout=False)
        # What has changed and is not sent yet is still to be sent: the layout draws only what it moves or resizes.
        self._repaint_regions.clear()
        self._repaint_regions.update(waiting)
        return changed

    def render_lines(self, crop: Region) -> list[Strip]:
        """Return the lines of the widget that `crop` covers, cut to its columns. Textual calls this to draw that part.

        A widget with padding or a border uses Textual's own method. Other widgets don't, because that method looks for
        borders and padding at each line, which takes as long as drawing the line.
        """
        # `size` looks the widget up in the window. Without padding it is the size that the layout gave last.
        if self._has_padding or self._painted_for != (self._size, self.app.theme):
            if not self.is_painted:
                self._paint_all()
            if self._has_padding:
                return super().render_lines(crop)
        return [self._strip(y).crop(*crop.column_span) for y in crop.line_range]

    def render_line(self, y: int) -> Strip:
        """Return one line without the padding around it."""
        return self._strip(y)

    # -- selecting with the mouse -------------------------------------------------------------------------------

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """A selection may begin here, and the one before ends."""
        self._select_cells(None)
        self._drag_from = event.get_content_offset(self) if event.button == 1 else None

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Select from where the button went down to the cell under the mouse."""
        if self._drag_from is None:
            return
        width, height = self.size
        x, y = event.offset
        here = Offset(max(0, min(x, width - 1)), max(0, min(y, height - 1)))
        if not event.button or (here == self._drag_from and not self._cells):
            return
        self.capture_mouse()
        start, end = sorted((self._drag_from, here), key=lambda at: (at.y, at.x))
        self._select_cells(CellRange(start, end))

    def on_mouse_up(self) -> None:
        """The selection is complete."""
        self._drag_from = None
        self.release_mouse()
        if self._cells:
            lines = list[str]()
            for y in range(self._cells.start.y, self._cells.end.y + 1):
                columns = self._cells.columns(y, self.size.width)
                lines.append(self._strip(y).crop(columns.start, columns.stop).text.rstrip())
            self.post_message(self.TextSelected("\n".join(lines).strip("\n")))

    def _select_cells(self, cells: CellRange | None) -> None:
        """Mark these cells in place of those that were marked before."""
        before, self._cells = self._cells, cells
        for y in {y for each in (before, cells) if each for y in range(each.start.y, each.end.y + 1)}:
            if before is None or cells is None or before.columns(y, 9999) != cells.columns(y, 9999):
                self._strips.pop(y, None)
                self._send([Region(0, y, self.size.width, 1)])

    def _mark_cells(self, strip: Strip, y: int) -> Strip:
        columns = self._cells.columns(y, self.size.width) if self._cells else range(0)
        if not columns:
            return strip
        before, after = strip.crop(0, columns.start), strip.crop(columns.stop, self.size.width)
        return Strip.join([before, strip.crop(columns.start, columns.stop).apply_style(_SELECTED), after])

    # -- lines --------------------------------------------------------------------------------------------------

    def _take_page(self, size: Size) -> None:
        ink, (width, height) = ink_of(self), size
        self.prepare(ink, width, height)
        page = self.render_page(ink, width, max(1, height - self._covered))
        if self.terms:
            page = page._replace(lines=[line.mark_words(self.terms, ink.found) for line in page.lines])
        self.page = page
        self.scroll = self.page.scroll

    def _paint_all(self) -> None:
        size = self.size
        self._take_page(size)
        # The widget's own colours are the background of everything in it.
        self._has_padding = any(self.gutter)
        self._drawn_styles = drawn_styles(
            self.visual_style.rich_style, tuple(self.get_line_filters()), self.background_colors[1]
        )
        self._strips, self._painted_for = {}, (size, self.app.theme)

    def _strip(self, y: int) -> Strip:
        if y not in self._strips:
            lines = self.page.lines
            line = lines[y] if y < len(lines) else CellLine(self.size.width)
            self._strips[y] = self._mark_cells(line.strip(self._drawn_styles), y)
        return self._strips[y]


def text_between(line: CellLine, start: int, stop: int) -> str:
    """Return what a line says in the columns from `start` up to `stop`."""
    return line.strip(DrawnStyles(Style.null())).crop(start, stop).text


def changed_cells(before: Sequence[StyledText], after: Sequence[StyledText]) -> range:
    """Return the columns in which two lines differ; empty if they are alike."""
    if before is after:
        return range(0)
    least, alike, last = min(len(before), len(after)), 0, 0
    while alike < least and before[alike] == after[alike]:
        alike += 1
    if alike == len(before) == len(after):
        return range(0)
    while last < least - alike and before[-1 - last] == after[-1 - last]:
        last += 1
    start = _cells(before[:alike])
    one, other = (spans[alike : len(spans) - last] for spans in (before, after))
    changed, instead = _cells(one), _cells(other)
    # Ends that are alike stand in the same columns only if the parts before them have the same width.
    stop = start + (changed if changed == instead else max(_cells(before[alike:]), _cells(after[alike:])))
    if one and other:
        # A cursor's mark often takes the place of two blanks in a wider gap.
        start += _blanks_alike(one[0], other[0], str.lstrip)
        stop -= _blanks_alike(one[-1], other[-1], str.rstrip) if changed == instead else 0
    return range(start, max(start, stop))


def _blanks_alike(one: StyledText, other: StyledText, strip: Callable[[str, str], str]) -> int:
    """Return how many blanks two spans share on one side."""
    return min(len(text) - len(strip(text, " ")) for text in (one.text, other.text)) if one.style == other.style else 0


def _cells(spans: Sequence[StyledText]) -> int:
    text = "".join([text for text, _ in spans])
    return len(text) if text.isascii() else sum([cells_of(text) for text, _ in spans])
