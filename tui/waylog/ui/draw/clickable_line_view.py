"""Widgets that render their own lines, and send only those that have changed.

A page is what a view draws, and what a click in it means: its lines, with the areas that can be clicked.

A view is written so: `show` takes data in and calls `repaint`; `render_page` reads the state of the view and returns a `Page`; an event
handler looks up in `page`, the last one, where the mouse is, changes the state or posts a message, and calls `repaint`. Functions whose
names begin with `render`, or that are given a `Palette`, change nothing: all that they find out is in the page that they return. What
takes long and serves many renderings is kept by `prepare`.

`drawn_screen.py` puts the views together.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import zip_longest
from typing import Generic, TypeVar

from rich.style import Style
from textual import events
from textual.geometry import Offset, Region, Size
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from waylog.ui.draw.cell_lines import CellLine, DrawnStyles, StyledText, cells_of, drawn_styles
from waylog.ui.draw.colours import Palette, ink_of
from waylog.ui.draw.drawn_screen import DrawnScreen
from waylog.values import NamedTuple, dataclass

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
        self._whole_page = self.page
        """The same, as it was rendered."""
        self.scroll = 0
        """How far the view is scrolled: as the last page says, or as an action wants it for the next."""
        self.terms: Sequence[str] = ()
        """Folded words that are marked wherever they stand."""
        self._covered = 0
        self._is_aside = self._drawn_aside = False
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

    def stand_aside(self, *, aside: bool) -> None:
        """While something else has the keys, the cursor of the view is faint: only one thing at a time looks as if Enter meant it."""
        self._is_aside = aside
        self.before_frame(self._show_aside)

    def _show_aside(self) -> None:
        if self._is_aside == self._drawn_aside:  # What has changed with it has drawn the view already.
            return
        if self._waits_for_layout or not self.is_attached or not self.is_painted:
            return
        before, self._drawn_aside = self.page.lines, self._is_aside
        self.page = self._with_faint_cursor(self._whole_page, ink_of(self))
        self._send_changes(before, self.size)

    def least_lines(self, ink: Palette, width: int, height: int) -> int:  # noqa: ARG002 - most views use all
        """Return how many of the lines of a window of that size the view needs, so that it cuts and hides nothing more. The others may
        be given to the parts below it.
        """
        return height

    def used_lines(self, ink: Palette, width: int, height: int) -> int:  # noqa: ARG002 - most views use all
        """Return how many of the lines of a window of that size the view fills. The others are blank: while they are covered, nothing is
        hidden, and nothing is drawn smaller than before.
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
        self._send_changes(before, size)

    def _send_changes(self, before: Sequence[CellLine], size: Size) -> None:
        """Have the screen send the cells in which the page differs from the lines before."""
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
        self._whole_page, self._drawn_aside = page, self._is_aside
        self.page = self._with_faint_cursor(page, ink)
        self.scroll = self.page.scroll

    def _with_faint_cursor(self, page: Page[T], ink: Palette) -> Page[T]:
        """Return a page as it looks now: with its cursor, or with a faint one."""
        if not self._is_aside:
            return page
        return page._replace(lines=[line.without_bar(ink.under_cursor, ink.dim) for line in page.lines])

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
