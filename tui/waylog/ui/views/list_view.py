"""Lists with a cursor: what a view of items must implement, and which part of something long is visible."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, ClassVar

from textual import events

from waylog.rules.model.moves import Refusal
from waylog.store.files_and_lock import FILE
from waylog.ui.draw.cell_lines import CellLine
from waylog.ui.draw.clickable_line_view import HitArea, LineView, Page, T, text_between
from waylog.ui.draw.colours import DIFFERS, Palette
from waylog.ui.line.choices import PromptRequest


class ListView(LineView[T], can_focus=True):
    """Items, one of them under the cursor; `T` is what an item is called in hit areas, for most views its index.

    A view has bindings to the actions `step(1)`, `step(-1)` and `open`, says how many items there are, and renders one:

        class Names(ListView[int]):
            def count(self) -> int:
                return len(self._names)

            def render_item(self, index: int, ink: Ink, width: int) -> Sequence[Line]:
                return [margin_line(width, ink, here=index == self.cursor).add(self._names[index], ink.plain)]

    The base moves the cursor, scrolls, marks that there is more below, and answers the wheel and clicks. A step first goes on in an item
    that is taller than the window. A view whose items lie otherwise than one under another overrides `render_page`, and returns a hit area
    for each of them; a view whose items are not numbered from 0 overrides `select`, too.
    """

    FOCUS_ON_CLICK = False
    WHEEL: ClassVar[int] = 1
    """The number of items by which a notch of the wheel moves the cursor."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - as `Widget` calls it
        super().__init__(id=id)
        self.cursor = 0
        self.within = 0
        """The first line in sight of the item under the cursor, if the item is taller than the window."""
        self._hit = False
        self._matches: Sequence[Any] = ()
        """The places that have all searched words."""
        self._came_from: Any = None
        """Where the cursor was when the search began."""

    def count(self) -> int:
        """Return how many items there are."""
        raise NotImplementedError

    def render_item(self, index: int, ink: Palette, width: int) -> Sequence[CellLine]:
        """Return the lines of one item."""
        raise NotImplementedError

    def render_page(self, ink: Palette, width: int, height: int) -> Page[T]:
        # An item is known by its index, unless the view overrides this.
        blocks: Iterator[tuple[Any, Sequence[CellLine]]] = (
            (index, self.render_item(index, ink, width)) for index in range(self.count())
        )
        return in_window(stack(blocks, width), self.cursor, self.scroll, self.within, height, ink)

    def in_window(self, whole: Page[T], item: T | None, height: int, ink: Palette) -> Page[T]:
        """Return the part of a page that is in sight, with that item in it, as close as possible to the current scroll
        position.
        """
        return in_window(whole, item, self.scroll, self.within, height, ink)

    def move_to(self, index: int) -> None:
        """Put the cursor on an item; on the first or last if there is no such item."""
        self.cursor, self.within = max(0, min(index, self.count() - 1)), 0
        self.repaint()

    def select(self, target: T) -> None:
        """Put the cursor on the item that was clicked."""
        if isinstance(target, int):
            self.move_to(target)

    def read_on(self, by: int) -> bool:
        """Scroll to the next or previous page of an item that is taller than the window. Return False if there is none."""
        within = next_page_start(self.within, by, *self.page.block)
        if within is None:
            return False
        self.within = within
        self.repaint()
        return True

    def action_step(self, by: int) -> None:
        """Move the cursor by this many items. A step of one first scrolls to the end of an item that is taller than the
        window.
        """
        if not (abs(by) == 1 and self.read_on(by)):
            self.move_to(self.cursor + by)

    def action_open(self) -> None:
        """Do what Enter does with the item under the cursor."""

    @property
    def hint_words(self) -> Mapping[str, str]:
        """The words of the hints for keys of this view, by the ids of their bindings, where those of the bindings don't fit;
        empty for a key that does nothing with the item under the cursor.
        """
        return {}

    def topics(self) -> Sequence[str]:
        """Return the paths, verbs and clause ids by which to look up the rules of the item under the cursor (`Reference.about`)."""
        return ()

    @property
    def edited_path(self) -> tuple[str, ...]:
        """The path in the campaign file of what is under the cursor; where there is nothing yet, of one that could be added.

        Empty where the file has nothing of what the view shows.
        """
        return ()

    @property
    def edited_file(self) -> str:
        """The file of what is under the cursor, in the campaign's folder."""
        return FILE

    @property
    def edit_line(self) -> PromptRequest | Refusal | None:
        """The line that edits what is under the cursor, or why nothing can; None where it has a form (`edited_path`)."""
        return None

    def copied_text(self) -> str:
        """Return the item under the cursor as text to copy: what is on the screen. Empty if there is none."""
        areas = [area for area in self.page.areas if area.target == self.cursor]
        lines = [
            text_between(line, area.x, area.x + area.width).removeprefix("▸").strip()
            for area in areas
            for line in self.page.lines[max(0, area.y) : area.y + area.height]
        ]
        return "\n".join(filter(None, lines))

    # -- searching ----------------------------------------------------------------------------------------------

    GOES_UP: ClassVar[bool] = False
    """Whether the next match is above, as in the log, whose newest entry is at the bottom."""

    def searchable(self) -> Sequence[tuple[Any, str]]:
        """Return every place that the cursor can be at, with its text."""
        return ()

    @property
    def place(self) -> Any:
        """The place of the cursor, as in `searchable`."""
        return self.cursor

    def go_to_place(self, place: Any) -> None:
        """Put the cursor at a place."""
        self.move_to(place)

    def begin_search(self) -> None:
        """Remember the place of the cursor, for `end_search`."""
        self._came_from = self.place, self.scroll, self.within

    def search(self, terms: Sequence[str]) -> None:
        """Mark folded words, and go to the first place from where the search began that has all of them."""
        self.terms = terms
        self.find_again()
        places = [place for place, _ in self.searchable()]
        start = self._came_from[0] if self._came_from else self.place
        behind = places[places.index(start) :] if start in places else places
        found = [place for place in behind if place in self._matches] or self._matches
        self.go_to_place(found[0] if found else start)
        self.repaint()

    def find_again(self) -> None:
        """Find the searched words again in what has changed."""
        from waylog.rules.language.similar_names import fold

        texts = ((place, fold(text)) for place, text in (self.searchable() if self.terms else ()))
        self._matches = [place for place, text in texts if all(term in text for term in self.terms)]

    def keep_search(self) -> None:
        """Keep the cursor where the search has led."""

    def step_match(self, by: int) -> bool:
        """Go to the next match, or with -1 to the previous one. After the last comes the first. False if there is none."""
        if not self._matches:
            return False
        places = [place for place, _ in self.searchable()]
        here = places.index(self.place) if self.place in places else 0
        order = [(places.index(place) - here) * by % len(places) or len(places) for place in self._matches]
        self.go_to_place(self._matches[order.index(min(order))])
        return True

    @property
    def finds_nothing(self) -> bool:
        """Whether it is certain that nothing matches what is searched."""
        return bool(self.terms) and not self._matches

    def describe_matches(self) -> str:
        """`3 of 17`"""
        if not self.terms:
            return ""
        total = len(self._matches)
        if self.place in self._matches:
            return f"{self._matches.index(self.place) + 1} of {total}"
        return f"{total} {'match' if total == 1 else 'matches'}" if total else "no match"

    def end_search(self, *, back: bool) -> None:
        """Remove the marks. With `back`, return to the place where the search began."""
        self.terms, self._matches = (), ()
        if back and self._came_from:
            place, self.scroll, self.within = self._came_from
            self.go_to_place(place)
        self._came_from = None
        self.repaint()

    def on_click(self, event: events.Click) -> None:
        """Put the cursor on the item under the mouse. A second click opens it, wherever the first one has moved it to."""
        if event.chain > 1:
            if self._hit:
                self.action_open()
            return
        target = self.target_at(event)
        self._hit = target is not None
        if target is not None:
            self.select(target)

    def on_mouse_scroll_down(self) -> None:
        """Move the cursor down."""
        self.action_step(self.WHEEL)

    def on_mouse_scroll_up(self) -> None:
        """Move the cursor up."""
        self.action_step(-self.WHEEL)


def margin_line(width: int, ink: Palette, *, here: bool, lit: bool = False) -> CellLine:
    """Return a line that begins with the cursor mark, and the sign of what is different now, or with blanks in their place."""
    return CellLine(width).add("▸" if here else " ", ink.key).add(DIFFERS if lit else " ", ink.differs)


def stack(blocks: Iterable[tuple[T | None, Sequence[CellLine]]], width: int) -> Page[T]:
    """Stack blocks of lines. Each block that belongs to an item is a hit area for it."""
    lines, areas = list[CellLine](), list[HitArea[T]]()
    for item, block in blocks:
        if item is not None:
            areas.append(HitArea(0, len(lines), width, len(block), item))
        lines += block
    return Page(lines, areas)


def in_window(
    whole: Page[T],
    item: T | None,
    scroll: int,
    within: int,
    height: int,
    ink: Palette,
    *,
    above: int = 0,
    shorter: Sequence[str] = (),
) -> Page[T]:
    """Return the lines of a page that fit into `height` lines, scrolled so that an item is in sight, with a mark if
    more lie below.

    The mark covers nothing of the item. If there is room, this many lines `above` the item are visible too, and then the mark may stand at
    the end of the item; everything above the first item is. Where the mark would cut what its line says, it is the first of the `shorter`
    ones that doesn't.
    """
    length = len(whole.lines)
    top, block = max(0, min(scroll, length - height)), (1, 1)
    area = next((area for area in whole.areas if area.target == item), None)
    if area is not None:
        first, size = area.y, area.height
        room = height if first + size == length or (above and above + size == height) else max(1, height - 1)
        above = first if area is whole.areas[0] and first < room else min(above, first, room - size)
        if above > 0:
            first, size = first - above, size + above
        top, block = in_sight(top, first, size, room, within), (size, room)
    page = whole.part(top, height)
    return Page(window(whole.lines, top, height, ink, shorter), page.areas, top, block)


def in_sight(top: int, first: int, size: int, height: int, within: int = 0) -> int:
    """Return the first line of a window of `height` lines so that a block of `size` lines is in sight, as close to
    `top` as possible.

    A block that is taller is shown from its start, or from `within` on.
    """
    if size > height:
        return first + min(within, size - height)
    return max(0, first + size - height, min(top, first))


def next_page_start(within: int, by: int, size: int, height: int) -> int | None:
    """Return the start of the next or previous page of a taller block; None if there is no more of it that way."""
    page = max(1, height - 1)
    wanted = max(0, min(size - height, within + (page if by > 0 else -page)))
    return wanted if wanted != max(0, min(size - height, within)) else None


def window(
    lines: Sequence[CellLine], top: int, height: int, ink: Palette, shorter: Sequence[str] = ()
) -> list[CellLine]:
    """Return the lines in sight from `top` on, with a mark on the last if more lie below."""
    shown = list(lines[top : top + height])
    if shown and top + height < len(lines):
        shown[-1] = shown[-1].with_end("↓ more ", ink.key, *shorter)
    return shown
