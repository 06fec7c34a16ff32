"""What a view draws, and what a click in it means: the lines of a page, with the areas that can be clicked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Generic, NamedTuple, TypeVar

from textual.geometry import Offset

from waylog.ui.draw.cell_lines import CellLine

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
    """How far the view is scrolled, in a unit of its own. The next rendering finds it in `LineView.scroll`."""
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
