"""The line of small clocks on every view that doesn't show the clocks itself. In large windows, it is a row of discs."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from textual import events
from textual.message import Message

from waylog.rules.common.common_rules import Memo
from waylog.rules.model.clocks_situations_and_timers import Clock, ClockKind
from waylog.rules.model.panels import ClockRow
from waylog.snapshot_and_act_preview import Snapshot
from waylog.ui.draw.cell_lines import CellLine, cells_of, cut
from waylog.ui.draw.clickable_line_view import HitArea, LineView, Page
from waylog.ui.draw.clock_face import MEDIUM, TINY, FaceSize, bar_lengths, draw_bar, full_sign
from waylog.ui.draw.colours import DIFFERS, Palette
from waylog.ui.draw.dice import HIDDEN
from waylog.ui.draw.rows import draw_clock
from waylog.ui.draw.window_layout_and_key_names import GAP, Rect
from waylog.values import NamedTuple, dataclass

_ARTICLES = ("the ", "a ", "an ")
_DISC_WAYS = ((MEDIUM, 1), (TINY, 2))
"""The sizes of discs with the rows of them that a strip has that cuts words, in the order in which they are tried."""
_BESIDE_DISC = 20
"""Cells beside a disc: for its words, and for the gap to the next one."""
_MOST_BARS = 4
"""Lines of bars, at most. A taller strip has discs."""
_EDGE = 1
"""Cells that stay free at the right edge, as in the views above."""
_SHORT_NAMES, _SHORTEST_NAMES = range(24, 11, -1), range(24, 6, -1)
"""The widths to which names are cut, one after another, until all clocks fit: beside bars, and without them."""


class StripEntry(NamedTuple):
    """A clock in the strip, with the texts that fit into the strip's width."""

    key: str
    clock: Clock
    name: str
    """The clock's name. It is shortened if the strip is narrow."""
    kind: str = ""
    """The clock's kind, drawn after its count. It is empty if the strip is narrow."""
    has_bar: bool = True

    @property
    def cells(self) -> int:
        """The width of the clock: `▰▰▱▱ Hull breach 2/4`, without the bar `Hull breach 2/4`, or `✗ Hull breach`."""
        return cells_of(" ".join(filter(None, ("▰" * sum(self.bar), self.sign, self.label, self.progress))))

    @property
    def bar(self) -> tuple[int, int]:
        """The full and the empty segments of its bar; none without a bar."""
        return bar_lengths(self.clock) if self.has_bar and not self.clock.full else (0, 0)

    @property
    def sign(self) -> str:
        """The sign of a full clock, in place of its bar and its count."""
        return full_sign(self.clock) if self.clock.full else ""

    @property
    def label(self) -> str:
        """Its name, with a mark if it is hidden from players, or from some of them."""
        return self.name if self.clock.seen and not self.clock.seen_by else f"{HIDDEN} {self.name}"

    @property
    def progress(self) -> str:
        """The count and the kind of a clock that isn't full."""
        count = f"{self.clock.filled}/{self.clock.segments}"
        return "" if self.clock.full else f"{count} · {self.kind}" if self.kind else count


class Strip(NamedTuple):
    """The clocks that fit into a line, and how many don't."""

    entries: Sequence[StripEntry]
    left_out: int = 0


def order_clocks(clocks: Mapping[str, Clock]) -> tuple[tuple[str, Clock], ...]:
    """Return clocks in the order in which the view of clocks shows them: those that still run in the order of the file,
    then full ones, then closed ones.
    """
    return tuple(sorted(clocks.items(), key=lambda item: (item[1].closed, item[1].full and not item[1].closed)))


def open_clocks(clocks: Mapping[str, Clock]) -> Sequence[tuple[str, Clock]]:
    """Return all clocks but closed ones, in the same order."""
    return [(key, clock) for key, clock in order_clocks(clocks) if not clock.closed]


def strip_clocks(clocks: Mapping[str, Clock]) -> Sequence[tuple[str, Clock]]:
    """Return the clocks of a strip in its order: the full ones first, because something is to be done about them."""
    return sorted(open_clocks(clocks), key=lambda item: not item[1].full)


def fit_clocks(clocks: Mapping[str, Clock], width: int) -> Strip:
    """Return as many clocks as there is room for.

    All are shortened at once: first the kinds are left out, then names are cut a little, then bars are left out, and names are cut to
    a few letters. Then the clocks that are farthest from full are left out; full clocks and the one nearest to full come last.
    """
    every = strip_clocks(clocks)
    nearest = max((clock.filled / clock.segments for _, clock in every if not clock.full), default=0.0)

    def worth(item: tuple[str, Clock]) -> tuple[bool, float, int]:
        _, clock = item
        part = clock.filled / clock.segments
        # Among clocks that are equally far, the one with the longest name is left out first.
        return clock.full or part == nearest, part, -cells_of(clock.name)

    kept = list(every)
    while kept and _cells(_shortest(kept), len(every) - len(kept)) > width:
        kept.remove(min(kept, key=worth))
    left_out = len(every) - len(kept)
    return Strip(next((way for way in _ways(kept) if _cells(way, left_out) <= width), ()), left_out)


def _ways(clocks: Sequence[tuple[str, Clock]]) -> Iterator[Sequence[StripEntry]]:
    """Yield the ways to show the same clocks, each shorter than the one before."""
    yield _entries(clocks, kinds=True)
    yield _entries(clocks)
    yield from (_entries(clocks, most) for most in _SHORT_NAMES)
    yield from (_entries(clocks, most, bars=False) for most in _SHORTEST_NAMES)


def _shortest(clocks: Sequence[tuple[str, Clock]]) -> Sequence[StripEntry]:
    return _entries(clocks, _SHORTEST_NAMES[-1], bars=False)


def flow_clocks(clocks: Mapping[str, Clock], width: int) -> Sequence[Strip]:
    """Return every clock with its whole name, in as many lines as that takes; a name that is longer than a line is cut."""
    lines = list[list[StripEntry]]()
    for entry in _entries(strip_clocks(clocks)):
        if lines and _cells([*lines[-1], entry], 0) <= width:
            lines[-1].append(entry)
        else:
            lines.append([entry])
    return [Strip(line if len(line) > 1 else [_cut_to_line(line[0], width)]) for line in lines]


def _cut_to_line(entry: StripEntry, width: int) -> StripEntry:
    """Return a clock that fits into a line of its own. Its count is worth more than the end of its name."""
    excess = _cells([entry], 0) - width
    return entry._replace(name=_short(entry.name, max(1, cells_of(entry.name) - excess))) if excess > 0 else entry


def _entries(
    clocks: Sequence[tuple[str, Clock]], most: int | None = None, *, kinds: bool = False, bars: bool = True
) -> list[StripEntry]:
    return [
        StripEntry(key, clock, _short(clock.name or "(no name)", most), clock.kind.value if kinds else "", bars)
        for key, clock in clocks
    ]


def _short(name: str, most: int | None) -> str:
    """Shorten a name to so many cells. Its article is left out before any of it is cut."""
    if most is None or cells_of(name) <= most:
        return name
    article = next((word for word in _ARTICLES if name.lower().startswith(word)), "")
    return cut(name[len(article) :], most).replace(" …", "…")


def _cells(entries: Sequence[StripEntry], left_out: int) -> int:
    gaps = 2 * max(0, len(entries) - 1)
    return 1 + sum(entry.cells for entry in entries) + gaps + (cells_of(f"  +{left_out}") if left_out else 0) + _EDGE


def moved_clocks(snapshot: Snapshot) -> frozenset[str]:
    """Return the keys of the clocks that the latest act moved."""
    changes = (change.path for entry in snapshot.act for change in entry.changes)
    return frozenset(path[1] for path in changes if len(path) > 2 and path[0] == "clocks" and path[2] == "filled")


class ClockStrip(LineView[str]):
    """The widget with the clocks in one line, or as discs if it has more than one. A click on one goes to it in the clocks view."""

    @dataclass
    class ClockSelected(Message):
        """A clock was clicked."""

        key: str

    def __init__(self, snapshot: Snapshot) -> None:
        super().__init__(id="strip")
        self._clocks, self._moved, self._differs = snapshot.clocks, moved_clocks(snapshot), snapshot.differs
        self._rows = clock_rows(self._clocks, self._moved)
        self._whole_discs = Memo(_whole_discs)

    def show(self, snapshot: Snapshot) -> None:
        """Show another snapshot."""
        shown = snapshot.clocks, moved_clocks(snapshot), snapshot.differs
        if shown != (self._clocks, self._moved, self._differs):
            self._clocks, self._moved, self._differs = shown
            self._rows = clock_rows(self._clocks, self._moved)
            self.repaint()

    @property
    def has_clocks(self) -> bool:
        """Whether there is a clock to show."""
        return any(not clock.closed for clock in self._clocks.values())

    def lines_at(self, ink: Palette, place: Rect, spare: Callable[[], int]) -> int:
        """Return in how many lines nothing of a clock is cut, with at most `spare` more than those of the place; 0 if that takes more."""
        if place.height > 1:
            discs = self._whole_discs(self._rows, ink, place.width, place.height + spare() - 2)
            return 2 + discs.height if discs else 0
        lines = len(flow_clocks(self._clocks, place.width))
        return lines if 1 < lines <= _MOST_BARS and lines <= 1 + spare() else 0

    def on_click(self, event: events.Click) -> None:
        """Go to the clock under the mouse."""
        key = self.target_at(event)
        if key is not None:
            self.post_message(self.ClockSelected(key))

    def render_page(self, ink: Palette, width: int, height: int) -> Page[str]:
        if height > _MOST_BARS:
            return render_discs(self._rows, ink, width, height, self._differs)
        strips = [fit_clocks(self._clocks, width)] if height == 1 else flow_clocks(self._clocks, width)
        lines, areas = list[CellLine](), list[HitArea[str]]()
        for y, strip in enumerate(strips):
            line = CellLine(width)
            for entry in strip.entries:
                start = line.used + 2 if line.used else 1
                line.to(start - 1).add(DIFFERS if f"clocks.{entry.key}" in self._differs else " ", ink.differs)
                render_entry(entry, ink, line, moved=entry.key in self._moved)
                areas.append(HitArea(start, y, line.used - start, 1, entry.key))
            if strip.left_out:
                line.to(line.used + 2).add(f"+{strip.left_out}", ink.dim)
            lines.append(line)
        return Page(lines, areas)


class _Discs(NamedTuple):
    """Clocks as discs, row by row."""

    each: int
    """The cells of a column, with the gap behind it."""
    rows: Sequence[Sequence[Sequence[CellLine]]]
    gap: int = 0
    """Lines between rows."""

    @property
    def height(self) -> int:
        """Its lines."""
        return sum(max(map(len, row)) for row in self.rows) + self.gap * (len(self.rows) - 1)


def clock_rows(clocks: Mapping[str, Clock], moved: frozenset[str]) -> tuple[ClockRow, ...]:
    """Return the clocks of a strip as rows of a panel."""
    return tuple(
        ClockRow(f"clocks.{key}", clock.name or "(no name)", clock, key in moved) for key, clock in open_clocks(clocks)
    )


def render_discs(
    clocks: Sequence[ClockRow], ink: Palette, width: int, height: int, differs: frozenset[str] = frozenset()
) -> Page[str]:
    """Draw the clocks as discs under a heading: with every word if there is room. Those that there is no room for are counted in
    the heading, and those that `differs` has are marked.
    """
    discs = _whole_discs(clocks, ink, width, height - 1)
    if discs is None:
        ways = ((size, _disc_columns(width, size) * rows) for size, rows in _DISC_WAYS)
        size, most = next((way for way in ways if len(clocks) <= way[1]), (TINY, _disc_columns(width, TINY) * 2))
        discs = _draw_discs(clocks[:most], ink, width, size, full=False)
    lines, areas = [CellLine(width) for _ in range(height)], list[HitArea[str]]()
    y, left = height - discs.height, iter(clocks)
    head = lines[y - 1].to(GAP).add("Clocks ", ink.accent)
    for row in discs.rows:
        for column, (block, clock) in enumerate(zip(row, left, strict=False)):
            x = GAP + column * discs.each
            if clock.key in differs:
                lines[y].to(x - 1).add(DIFFERS, ink.differs)
            for offset, drawn in enumerate(block):
                lines[y + offset].to(x).join(drawn)
            areas.append(HitArea(x, y, discs.each - GAP, len(block), clock.key.removeprefix("clocks.")))
        y += max(map(len, row)) + discs.gap
    left_out = len(clocks) - len(areas)
    counted = f" +{left_out}" if left_out else ""
    head.fill("─", ink.rule, until=width - GAP - cells_of(counted)).add(counted, ink.dim)
    return Page(lines, areas)


def _whole_discs(clocks: Sequence[ClockRow], ink: Palette, width: int, most: int) -> _Discs | None:
    """Return all clocks as the largest discs with which every word of them fits into so many lines; None if none do."""
    sizes = (size for size, _ in _DISC_WAYS) if clocks else ()
    drawn = (_draw_discs(clocks, ink, width, size, full=True) for size in sizes)
    return next((discs for discs in drawn if discs.height <= most), None)


def _draw_discs(clocks: Sequence[ClockRow], ink: Palette, width: int, size: FaceSize, *, full: bool) -> _Discs:
    columns = min(_disc_columns(width, size), max(1, len(clocks)))
    each = (width - GAP) // columns
    blocks = [draw_clock(clock, ink, each - GAP, size, full=full) for clock in clocks]
    return _Discs(each, [blocks[at : at + columns] for at in range(0, len(blocks), columns)], int(full))


def _disc_columns(width: int, size: FaceSize) -> int:
    return max(1, (width - GAP) // (size.width + _BESIDE_DISC))


def render_entry(entry: StripEntry, ink: Palette, line: CellLine, *, moved: bool) -> None:
    """Add a clock to a line."""
    if sum(entry.bar):
        draw_bar(entry.clock, ink, line).add(" ", ink.plain)
    full = ink.held if entry.clock.kind is ClockKind.PUSH else ink.bad
    line.add(f"{entry.sign} " if entry.sign else "", full).add(entry.label, ink.accent if moved else ink.plain)
    line.add(f" {entry.progress}" if entry.progress else "", ink.strong)
