"""The view of the clocks. Closed ones stand at the end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import ceil
from typing import ClassVar

from rich.style import Style
from textual.binding import Binding, BindingType
from textual.message import Message

from waylog.rules.codec.changes import NEW
from waylog.rules.model.clocks_situations_and_timers import Clock, ClockKind
from waylog.snapshot_and_act_preview import Snapshot
from waylog.store.log.grouped_acts_and_texts import only_for
from waylog.ui.draw import clock_face
from waylog.ui.draw.cell_lines import CellLine, cells_of, fold, wrap_text
from waylog.ui.draw.clickable_line_view import HitArea, Page
from waylog.ui.draw.clock_face import FaceSize, full_sign
from waylog.ui.draw.colours import Palette
from waylog.ui.draw.dice import HIDDEN, mention_words
from waylog.ui.draw.rows import clock_text, cut_lines
from waylog.ui.draw.window_layout_and_key_names import GAP, clock_columns
from waylog.ui.parts.clock_strip import moved_clocks, order_clocks
from waylog.ui.views.list_view import ListView, margin_line
from waylog.values import NamedTuple, dataclass
from waylog.words.sentences import with_readers

_LEAST_WIDTHS = {
    clock_face.GIANT: 56,
    clock_face.HUGE: 48,
    clock_face.LARGE: 44,
    clock_face.MEDIUM: 34,
    clock_face.SMALL: 30,
}
"""The width of a column from which on clocks have that size, if all clocks of the campaign fit then."""
_ONLY_WHOLE = (clock_face.GIANT, clock_face.HUGE)
"""The sizes that clocks have only if every word beside them fits, too."""
_EVERY = 9999
"""More lines, and cells, than a clock has."""
_SIDE = 2
"""Cells left of a face, and between it and the words beside it."""
_EDGE = 1
"""Cells that stay free at the right edge, as in the other views."""


class _Grid(NamedTuple):
    """How the open clocks are placed."""

    columns: int
    size: FaceSize | None
    """The size of their faces; None if they are bars."""
    whole: frozenset[int] = frozenset()
    """The clocks of which nothing is cut, by their numbers, besides the one under the cursor."""


class ClocksView(ListView[int]):
    """Every clock of the campaign."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j,tab", "step(1)", "Next", id="clocks.down", tooltip="Next clock"),
        Binding("up,k,shift+tab", "step(-1)", "Previous", id="clocks.up", tooltip="Previous clock"),
        Binding("right,l", "across(1)", "Right", id="clocks.right", tooltip="Next clock"),
        Binding("left,h", "across(-1)", "Left", id="clocks.left", tooltip="Previous clock"),
        Binding("home,g", "across(-999)", "First", id="clocks.home", tooltip="First clock"),
        Binding("end,G", "across(999)", "Last", id="clocks.end", tooltip="Last clock"),
        Binding("plus,equals_sign", "wanted('tick', 1)", "Fill a segment", id="clocks.fill", tooltip="Fill a segment"),
        Binding("minus", "wanted('tick', -1)", "Empty a segment", id="clocks.empty", tooltip="Empty a segment"),
        Binding(
            "v",
            "wanted('all', 0)",
            "Show or hide",
            id="clocks.show",
            tooltip="Show the clock to players, or hide it",
        ),
        Binding(
            "V",
            "wanted('count', 0)",
            "Show its progress",
            id="clocks.count",
            tooltip="Show or hide its progress (if hidden, players see ?)",
        ),
        Binding(
            "o",
            "wanted('outcome', 0)",
            "Show its ending",
            id="clocks.outcome",
            tooltip="Show or hide its ending",
        ),
        Binding("K", "wanted('close', 0)", "Close", id="clocks.close", tooltip="Close or reopen the clock"),
        Binding(
            "enter",
            "open",
            "Actions",
            id="clocks.open",
            tooltip="Actions for this clock",
        ),
    ]

    @dataclass
    class ActRequested(Message):
        """Something is to be done with a clock: `tick`, `time`, `close`, the part of it to show, or `menu` for a list."""

        key: str
        verb: str
        by: int

    def __init__(self, snapshot: Snapshot) -> None:
        super().__init__(id="clocks")
        self._clocks, self._moved = order_clocks(with_readers(snapshot)), moved_clocks(snapshot)
        self._differs = snapshot.differs
        self._find_mentions = snapshot.find_mentions
        self._whole: Page[int] = Page(())
        """Every clock in its place, including those out of sight."""
        self._grid = _Grid(1, None)
        self._grid_for: object = None
        self._kept_clear = 0
        """Lines at the foot that are covered for longer."""
        self._needed: dict[tuple[Palette, int] | tuple[Palette, int, int], int] = {}
        """How many lines the clocks need in a window of some width, and how many they fill in one of some width and height."""

    def show(self, snapshot: Snapshot) -> None:
        """Show another snapshot. The cursor goes to a new clock, otherwise it stays on the same one if that still exists."""
        clocks, moved = order_clocks(with_readers(snapshot)), moved_clocks(snapshot)
        if (clocks, moved, snapshot.differs) == (self._clocks, self._moved, self._differs):
            return
        self._differs = snapshot.differs
        before = [key for key, _ in self._clocks]
        cursor_key = before[self.cursor] if before else ""
        self._clocks, self._moved, self._needed = clocks, moved, {}
        keys = [key for key, _ in clocks]
        # What is done next is usually about the clock that was just started.
        cursor_key = next((key for key in reversed(keys) if key not in before), cursor_key)
        self.move_to(keys.index(cursor_key) if cursor_key in keys else self.cursor)

    def go_to(self, key: str) -> None:
        """Put the cursor on a clock."""
        self.move_to(next((index for index, (known, _) in enumerate(self._clocks) if known == key), self.cursor))

    @property
    def edited_path(self) -> tuple[str, ...]:
        return ("clocks", self.current_key or NEW)

    @property
    def current_key(self) -> str:
        """The key of the clock under the cursor; empty if there is none."""
        return self._clocks[self.cursor][0] if self.cursor < len(self._clocks) else ""

    @property
    def hint_words(self) -> Mapping[str, str]:
        if self.cursor >= len(self._clocks):
            return dict.fromkeys(
                ("clocks.open", "clocks.fill", "clocks.empty", "clocks.show", "clocks.close", "time"), ""
            )
        clock = self._clocks[self.cursor][1]
        words = {"clocks.open": "Actions", "clocks.close": "Reopen" if clock.closed else "Close"}
        if clock.full:
            words["close"] = ""  # The key of this view does it.
        if clock.closed:
            return words | dict.fromkeys(("clocks.fill", "clocks.empty", "clocks.show"), "")
        return words | {"clocks.fill": "Fill", "clocks.empty": "Empty", "clocks.show": "Hide" if clock.seen else "Show"}

    def count(self) -> int:
        return len(self._clocks)

    def searchable(self) -> Sequence[tuple[int, str]]:
        clocks = enumerate(clock for _, clock in self._clocks)
        return [(index, f"{one.name} {one.kind} {one.outcome} {one.notes} {one.when_full}") for index, one in clocks]

    def action_step(self, by: int) -> None:
        """Move the cursor up or down. A clock that is taller than the window is scrolled first."""
        if not self._clocks or self.read_on(by):
            return
        here = next((area for area in self._whole.areas if area.target == self.cursor), None)
        if here is None:
            return
        beyond = [area for area in self._whole.areas if (area.y - here.y) * by > 0]
        if beyond:
            y = min((area.y for area in beyond), key=lambda y: abs(y - here.y))
            self.move_to(min((a for a in beyond if a.y == y), key=lambda a: abs(a.x - here.x)).target)

    def action_across(self, by: int) -> None:
        """Move the cursor by so many clocks."""
        if self._clocks:
            self.move_to(self.cursor + by)

    def copied_text(self) -> str:
        return clock_text(self._clocks[self.cursor][1]) if self._clocks else ""

    def topics(self) -> Sequence[str]:
        if not self._clocks:
            return ("clocks",)
        key, clock = self._clocks[self.cursor]
        return (f"clock {clock.kind}", f"clocks.{key}.filled")

    def action_open(self) -> None:
        """Ask for everything that can be done with the clock under the cursor."""
        self.action_wanted("menu", 0)

    def action_wanted(self, verb: str, by: int) -> None:
        """Ask for something to be done with the clock under the cursor."""
        key = self._clocks[self.cursor][0] if self._clocks else ""
        self.post_message(self.ActRequested(key, verb, by))

    # -- rendering ----------------------------------------------------------------------------------------------

    def cover(self, rows: int, lasting: int) -> None:
        """Keep the clocks clear of what stays, such as a question. Under a line that is typed, they stay where they are."""
        super().cover(rows, lasting)
        if lasting != self._kept_clear:
            self._kept_clear = lasting
            self.repaint()

    def prepare(self, ink: Palette, width: int, height: int) -> None:
        height -= self._kept_clear
        wanted = self._clocks, ink, width, height
        if wanted != self._grid_for:
            self._grid, self._grid_for = self._choose_grid(ink, width, height), wanted
        self._whole = self._lay_out(ink, width, self._grid)
        if self._grid.size is None and self._grid.columns == 1 and len(self._whole.lines) < height:
            self._whole = self._lay_out(ink, width, self._fill_bars(ink, width, height))

    def _fill_bars(self, ink: Palette, width: int, height: int) -> _Grid:
        """Return the bars with the words of as many more of them as there is room for while the cursor is where it is."""
        grid, lines = self._grid, len(self._whole.lines)
        for shown, area in zip(
            self._whole.areas, self._lay_out(ink, width, self._whole_bars(width)).areas, strict=True
        ):
            if lines + area.height - shown.height <= height:
                grid = grid._replace(whole=grid.whole | {area.target})
                lines += area.height - shown.height
        return grid

    def least_lines(self, ink: Palette, width: int, height: int) -> int:
        place = ink, width
        if place not in self._needed:
            bars = self._whole_bars(width)
            # Of those that are closed, only the one under the cursor is whole.
            heights = (len(self._lay_out(ink, width, bars, cursor=at).lines) for at in range(-1, len(self._clocks)))
            self._keep_count(place, max(heights))
        return min(height, self._needed[place])

    def used_lines(self, ink: Palette, width: int, height: int) -> int:
        place = ink, width, height
        if place not in self._needed:
            grid = self._choose_grid(ink, width, height)
            # Bars fill a window with words where they can.
            lines = len(self._lay_out(ink, width, grid).lines) if grid.size else self.least_lines(ink, width, height)
            self._keep_count(place, max(1, lines))
        return self._needed[place]

    def _keep_count(self, place: tuple[Palette, int] | tuple[Palette, int, int], lines: int) -> None:
        self._needed[place] = lines

    def _whole_bars(self, width: int) -> _Grid:
        """Return the lowest grid in which nothing of a clock that isn't closed is cut."""
        open_count = sum(not clock.closed for _, clock in self._clocks)
        return _Grid(_bar_columns(width, open_count), None, frozenset(range(len(self._clocks))))

    def _choose_grid(self, ink: Palette, width: int, height: int) -> _Grid:
        """Return the grid with the largest faces with which every word is in sight, so that nothing moves with the cursor;
        failing that, the one with the largest faces with which every face is. Where faces have no room, bars have as many of the
        words as there is room for.
        """
        cut: _Grid | None = None
        every = frozenset(range(len(self._clocks)))
        for grid in _grids(self._clocks, width, height):
            if cut and grid.size is clock_face.SMALL:
                break  # Slices that can be counted are worth more than every word.
            whole = grid._replace(whole=every)
            if len(self._lay_out(ink, width, whole).lines) <= height:
                return whole
            if grid.size not in _ONLY_WHOLE:
                cut = cut or grid
        bars = self._whole_bars(width)
        return self._add_words(cut or bars._replace(whole=frozenset()), ink, width, height)

    def _add_words(self, grid: _Grid, ink: Palette, width: int, height: int) -> _Grid:
        """Return a grid with the words of as many clocks as it has room for wherever the cursor is: the one under it is in full."""
        whole = grid._replace(whole=frozenset(range(len(self._clocks))))
        least, most = (self._lay_out(ink, width, each, cursor=-1).areas for each in (grid, whole))
        extra = [tall.height - low.height for tall, low in zip(most, least, strict=True)]
        for index in range(len(extra)):
            more = grid._replace(whole=grid.whole | {index})
            under = max((lines for at, lines in enumerate(extra) if at not in more.whole), default=0)
            if len(self._lay_out(ink, width, more, cursor=-1).lines) + under <= height:
                grid = more
        return grid

    def render_page(self, ink: Palette, width: int, height: int) -> Page[int]:
        if not self._clocks:
            hint = CellLine(_EVERY).add("No clocks yet. ", ink.dim).add("c", ink.key)
            hint.add(" new clock, such as Hull breach 6 catastrophe", ink.dim)
            return Page([CellLine(width).to(_SIDE).join(line) for line in fold(hint, width - _SIDE - _EDGE)])
        return self.in_window(self._whole, self.cursor, height, ink)

    def _lay_out(self, ink: Palette, width: int, grid: _Grid, cursor: int | None = None) -> Page[int]:
        """Place every clock, closed ones below. The one under the cursor is in full."""
        cursor = self.cursor if cursor is None else cursor
        open_count = sum(not clock.closed for _, clock in self._clocks)
        beside = _bar_columns(width, len(self._clocks) - open_count)

        def is_whole(index: int) -> bool:
            return index == cursor or (index in grid.whole and index < open_count)

        def draw(index: int, words: int = 0) -> list[CellLine]:
            """Draw a clock. One that isn't whole has at least so many lines beside its face."""
            key, clock = self._clocks[index]
            return _block(
                clock,
                ink,
                _column_width(width, beside if clock.closed else grid.columns),
                None if clock.closed else grid.size,
                here=index == cursor,
                moved=key in self._moved,
                lit=f"clocks.{key}" in self._differs,
                most=_EVERY if is_whole(index) else words,
            )

        # Beside a taller clock, one that is cut has room for more words.
        cut = [index for index in range(open_count if grid.size else 0) if not is_whole(index)]
        drawn = {index: draw(index) for index in range(len(self._clocks)) if index not in cut}
        for index in cut:
            start = index - index % grid.columns
            beside_it = range(start, min(start + grid.columns, open_count))
            drawn[index] = draw(
                index, max((len(drawn[at]) - 1 for at in beside_it if at in drawn and at not in cut), default=0)
            )
        blocks = [drawn[index] for index in range(len(self._clocks))]
        for block, (_, clock) in zip(blocks, self._clocks, strict=True):
            if words := mention_words(self._find_mentions(clock.name, clock.outcome, clock.notes)):
                block.insert(1, CellLine(block[0].width).to(2).add(words, ink.warn))
        page: Page[int] = _side_by_side(blocks[:open_count], 0, width, grid.columns, blank=grid.size is not None)
        if open_count == len(blocks):
            return page
        between = [*page.lines, CellLine(width)] if page.lines else []
        closed = _side_by_side(blocks[open_count:], open_count, width, beside, blank=False).below(between)
        return Page(closed.lines, [*page.areas, *closed.areas])


def _side_by_side(
    blocks: Sequence[Sequence[CellLine]], first: int, width: int, columns: int, *, blank: bool
) -> Page[int]:
    """Put blocks into columns, row by row. The first of them is item number `first`."""
    each = _column_width(width, columns) + GAP
    lines, areas = list[CellLine](), list[HitArea[int]]()
    for start in range(0, len(blocks), columns):
        group = blocks[start : start + columns]
        if blank and lines:
            lines.append(CellLine(width))
        areas += [
            HitArea(column * each, len(lines), each - GAP, len(block), first + start + column)
            for column, block in enumerate(group)
        ]
        for y in range(max(map(len, group))):
            line = CellLine(width)
            for column, block in enumerate(group):
                if y < len(block):
                    line.to(column * each).join(block[y])
            lines.append(line)
    return Page(lines, areas)


def _bar_columns(width: int, count: int) -> int:
    """Return in how many columns so many bars stand. Fewer than there is room for leave their cells to each other."""
    return max(1, min(clock_columns(width), count))


def _column_width(width: int, columns: int) -> int:
    return (width - _EDGE - GAP * (columns - 1)) // columns


def _grids(clocks: Sequence[tuple[str, Clock]], width: int, height: int) -> Iterator[_Grid]:
    """Yield the grids with which every face is in sight, the largest faces first, and with as many columns as possible."""
    open_count = sum(not clock.closed for _, clock in clocks)
    most = clock_columns(width)
    below = 1 + ceil((len(clocks) - open_count) / most) if open_count < len(clocks) else 0
    for size, least in _LEAST_WIDTHS.items():
        for columns in range(most, 0, -1):
            high = ceil(open_count / columns) * (size.height + 2) - 1 + below
            if _column_width(width, columns) >= least and high <= height:
                yield _Grid(columns, size)


def _block(
    clock: Clock, ink: Palette, width: int, size: FaceSize | None, *, here: bool, moved: bool, lit: bool, most: int
) -> list[CellLine]:
    """Draw a clock: a heading over its face with words beside it, in so many lines at most if the face has fewer; or one line, with
    what doesn't fit below it if every word is wanted.
    """
    if size is None:
        lines = _draw_brief(clock, ink, width, here=here, lit=lit, whole=most == _EVERY)
        return [line.over(ink.under_cursor) if here else line for line in lines]
    heading = _heading(clock, ink, width, here=here, lit=lit)
    return [
        heading.over(ink.under_cursor) if here else heading,
        *_draw_beside(clock, ink, width, size, moved=moved, most=most),
    ]


def _heading(clock: Clock, ink: Palette, width: int, *, here: bool, lit: bool) -> CellLine:
    """Draw `The grain convoy ──────── ✗ full`."""
    tags = CellLine(width)
    if clock.full:
        tags.add(f" {full_sign(clock)} full", ink.held if clock.kind is ClockKind.PUSH else ink.bad)
    tags.add("" if clock.seen and not clock.seen_by else f" {HIDDEN}", ink.dim)
    line = margin_line(width, ink, here=here, lit=lit)
    line.add(clock.name or "(no name)", ink.differs if lit else ink.accent, most=width - 3 - tags.used)
    return line.add(" ", ink.rule).fill("─", ink.rule, until=width - tags.used).join(tags)


def _draw_beside(clock: Clock, ink: Palette, width: int, size: FaceSize, *, moved: bool, most: int) -> list[CellLine]:
    """Draw the face, with the count and everything else beside it."""
    face, left = clock_face.draw_face(clock.segments, clock.filled, ink, size), _SIDE + size.width + _SIDE
    count = CellLine(width - left).add(f"{clock.filled}/{clock.segments}", ink.accent if moved else ink.strong)
    words = [count.add(f"  {clock.kind.value}", ink.dim)]
    for text, style in _clock_texts(clock, ink):
        words += [CellLine(width - left).add(part, style) for part in wrap_text(text, width - left)]
    words = cut_lines(words, max(most, size.height), ink)
    lines = []
    for y in range(max(size.height, len(words))):
        line = CellLine(width)
        if y < size.height:
            line.to(_SIDE).join(face[y])
        lines.append(line.to(left).join(words[y]) if y < len(words) else line)
    return lines


def _draw_brief(clock: Clock, ink: Palette, width: int, *, here: bool, lit: bool, whole: bool) -> list[CellLine]:
    """Draw `▰▰▰▱▱▱ 3/6 Hull breach catastrophe`, with everything else below."""
    line = margin_line(width, ink, here=here, lit=lit)
    clock_face.inline(clock, ink, line).add("  " if clock.shows_count else f" {HIDDEN} ", ink.dim)
    name, style = clock.name or "(no name)", ink.differs if lit else ink.dim if clock.closed else ink.strong
    fits = cells_of(name) <= line.cells_left
    # Of a closed clock, that it is closed is worth more than the end of its name.
    line.add(name, style, most=line.cells_left - cells_of("  closed") if clock.closed else None)
    kind, sign = clock.kind.value, full_sign(clock)
    states = ["closed"] if clock.closed else [f"{sign} full  {kind}", f"{sign} full", sign] if clock.full else [kind]
    state = next((each for each in states if cells_of(each) + 2 <= line.cells_left), states[-1] if clock.full else "")
    line.add(f"  {state}" if state else "", ink.dim)
    if not whole:
        return [line]
    texts = [] if fits else [(name, ink.strong)]
    texts += [] if state.endswith(kind) else [(f"full, {kind}" if state == sign else kind, ink.dim)]
    texts += _clock_texts(clock, ink)
    return [
        line,
        *(CellLine(width).to(4).add(part, how) for text, how in texts for part in wrap_text(text, width - 5)),
    ]


def _clock_texts(clock: Clock, ink: Palette) -> list[tuple[str, Style]]:
    """Return everything about a clock besides its name, its count and its kind."""
    texts = (
        (clock.outcome, ink.plain),
        (clock_face.WHILE_IT_RUNS[clock.running] if clock.runs else "", ink.warn),
        (clock.when_full and f"when full: {clock.when_full}", ink.dim),
        (_hidden_text(clock), ink.dim),
        (clock.notes, ink.dim),
        (_once_shown(clock), ink.dim),
    )
    return [(text, style) for text, style in texts if text]


def _hidden_text(clock: Clock) -> str:
    """Return what is hidden from players."""
    if not clock.seen:
        return f"{HIDDEN} hidden from players"
    parts = [f"{HIDDEN} {only_for(clock.seen_by)}"] if clock.seen_by else []
    parts += [] if clock.count_seen else [f"{HIDDEN} players see ?/{clock.segments}"]
    if clock.outcome and not clock.shows_outcome:
        parts.append(f"{HIDDEN} ending hidden")
    return " · ".join(parts)


def _once_shown(clock: Clock) -> str:
    """Return what players will see of a hidden clock once it is shown."""
    if clock.seen:
        return ""
    hidden = [] if clock.count_seen else ["its progress"]
    hidden += ["its ending"] if clock.outcome and not clock.allows_outcome else []
    if hidden:
        return f"when shown: players won't see {' or '.join(hidden)}"
    return "when shown: players will see its ending too" if clock.outcome else ""
