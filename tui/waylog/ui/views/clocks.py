"""The clocks: what is coming, how near it is, and what it does meanwhile. Closed ones stand at the end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from rich.style import Style
from textual.binding import Binding, BindingType
from textual.message import Message

from waylog.rules.common.clocks import Clock, ClockKind
from waylog.snapshot import Snapshot
from waylog.ui.draw import clock_face
from waylog.ui.draw.cards import HIDDEN
from waylog.ui.draw.cell_width import cells_of
from waylog.ui.draw.line_view import HitArea, Page
from waylog.ui.draw.palette import CellLine, Palette, wrap_text
from waylog.ui.views.list_view import ListView, margin_line

_WIDE = 58
"""Cells that a drawn clock with its words wants."""


class ClocksView(ListView[int]):
    """Every clock of the campaign."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j,tab", "step(1)", "Next", id="clocks.down", tooltip="Next clock below"),
        Binding("up,k,shift+tab", "step(-1)", "Previous", id="clocks.up", tooltip="Next clock above"),
        Binding("right,l", "across(1)", "Right", id="clocks.right", tooltip="Next clock"),
        Binding("left,h", "across(-1)", "Left", id="clocks.left", tooltip="Previous clock"),
        Binding("home,g", "across(-999)", "First", id="clocks.home", tooltip="First clock"),
        Binding("end,G", "across(999)", "Last", id="clocks.end", tooltip="Last clock"),
        Binding("plus,equals_sign", "wanted('tick', 1)", "Fill a segment", id="clocks.fill", tooltip="Fill a segment"),
        Binding("minus", "wanted('tick', -1)", "Empty a segment", id="clocks.empty", tooltip="Empty a segment"),
        Binding(
            "full_stop,greater_than_sign",
            "wanted('time', 0)",
            "Time passes",
            id="clocks.time",
            tooltip="Time passes: advance every death and augury clock",
        ),
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
            tooltip="Show or hide its progress (hidden: ?)",
        ),
        Binding(
            "o",
            "wanted('outcome', 0)",
            "Show its ending",
            id="clocks.outcome",
            tooltip="Show or hide its ending",
        ),
        Binding("x", "wanted('close', 0)", "Close", id="clocks.close", tooltip="Close or reopen the clock"),
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
        """Something is to be done with a clock: `tick`, `time`, `close`, what of it is shown, or `menu` for a list."""

        key: str
        verb: str
        by: int

    def __init__(self, snapshot: Snapshot) -> None:
        super().__init__(id="clocks")
        self._clocks = _order_clocks(snapshot.clocks)

    def show(self, snapshot: Snapshot) -> None:
        """Draw another moment, the cursor on a new clock, or on the same one where it is still there."""
        clocks = _order_clocks(snapshot.clocks)
        if clocks == self._clocks:
            return
        before = [key for key, _ in self._clocks]
        cursor_key = before[self.cursor] if before else ""
        self._clocks = clocks
        keys = [key for key, _ in clocks]
        # What is done next is about the clock that was just begun.
        cursor_key = next((key for key in reversed(keys) if key not in before), cursor_key)
        self.move_to(keys.index(cursor_key) if cursor_key in keys else self.cursor)

    def go_to(self, key: str) -> None:
        """Put the cursor on a clock."""
        self.move_to(next((index for index, (known, _) in enumerate(self._clocks) if known == key), self.cursor))

    def count(self) -> int:
        return len(self._clocks)

    def action_step(self, by: int) -> None:
        """To another clock, by a whole line of them; first on in one that is taller than the window."""
        if self._clocks and not self.read_on(by):
            self.action_across(by * _columns(*self.size))

    def action_across(self, by: int) -> None:
        """To another clock, by so many."""
        if self._clocks:
            self.move_to(self.cursor + by)

    def action_open(self) -> None:
        """Ask for everything that can be done with the clock under the cursor."""
        self.action_wanted("menu", 0)

    def action_wanted(self, verb: str, by: int) -> None:
        """Say what is to be done with the clock under the cursor."""
        key = self._clocks[self.cursor][0] if self._clocks else ""
        self.post_message(self.ActRequested(key, verb, by))

    # -- rendering ----------------------------------------------------------------------------------------------

    def render_page(self, ink: Palette, width: int, height: int) -> Page[int]:
        if not self._clocks:
            hint = CellLine(width).to(2).add("No clocks yet. ", ink.dim).add("c", ink.key)
            return Page([hint.add(" new clock:  Hull breach 6 catastrophe", ink.dim)])
        faces, columns = _has_faces(width, height), _columns(width, height)
        page = self._layout(ink, width, columns, faces=faces, whole=False)
        if faces and len(page.lines) < height:
            # Where there is room for every word of every clock, nothing is cut and nothing moves with the cursor.
            whole = self._layout(ink, width, columns, faces=faces, whole=True)
            page = whole if len(whole.lines) <= height else page
        return self.in_window(page, self.cursor, height, ink)

    def _layout(self, ink: Palette, width: int, columns: int, *, faces: bool, whole: bool) -> Page[int]:
        """Every clock in its place: the one under the cursor in full, and with `whole` all that are not closed."""
        each = width // columns
        blocks = [
            _block(
                clock,
                ink,
                each - 2,
                here=index == self.cursor,
                drawn=faces and not clock.closed,
                whole=(whole and not clock.closed) or index == self.cursor,
            )
            for index, (_, clock) in enumerate(self._clocks)
        ]
        lines, areas = list[CellLine](), list[HitArea[int]]()
        for start in range(0, len(blocks), columns):
            group = blocks[start : start + columns]
            top = len(lines)
            for y in range(max(map(len, group))):
                line = CellLine(width)
                for column, block in enumerate(group):
                    if y < len(block):
                        line.to(column * each).join(block[y])
                lines.append(line)
            areas += [
                HitArea(column * each, top, each, len(block), start + column) for column, block in enumerate(group)
            ]
            if any(len(block) > 1 for block in group) and start + columns < len(blocks):
                lines.append(CellLine(width))
        return Page(lines, areas)


def _has_faces(width: int, height: int) -> bool:
    """A window of that size has room for clocks as rings."""
    return height >= clock_face.HEIGHT * 2 and width >= 36


def _columns(width: int, height: int) -> int:
    return max(1, width // _WIDE) if _has_faces(width, height) else 1


def _block(clock: Clock, ink: Palette, width: int, *, here: bool, drawn: bool, whole: bool) -> list[CellLine]:
    """One clock: its face with words beside it, or one line, with what does not fit in it below where it is `whole`."""
    lines = (_draw_clock if drawn else _draw_brief)(clock, ink, width, here=here, whole=whole)
    return [line.over(ink.under_cursor) if here else line for line in lines]


def _draw_clock(clock: Clock, ink: Palette, width: int, *, here: bool, whole: bool) -> list[CellLine]:
    face, left = clock_face.face(clock, ink), clock_face.WIDTH + 4
    words = [
        CellLine(width - left).add(part, style)
        for number, (text, style) in enumerate(_clock_texts(clock, ink))
        for part in wrap_text(text, width - left, None if whole else 2 if number else 1)
    ]
    if not whole and len(words) > clock_face.HEIGHT:
        last = words[clock_face.HEIGHT - 1]
        words[clock_face.HEIGHT - 1] = last.add(" …", ink.dim) if last.cells_left > 1 else last.with_end("…", ink.dim)
        del words[clock_face.HEIGHT :]
    lines = []
    for y in range(max(clock_face.HEIGHT, len(words))):
        line = margin_line(width, ink, here=here and y == clock_face.HEIGHT // 2)
        if y < clock_face.HEIGHT:
            line.join(face[y])
        lines.append(line.to(left).join(words[y]) if y < len(words) else line)
    return lines


def _draw_brief(clock: Clock, ink: Palette, width: int, *, here: bool, whole: bool) -> list[CellLine]:
    line = margin_line(width, ink, here=here)
    clock_face.inline(clock, ink, line).add("  " if clock.shows_count else f" {HIDDEN} ", ink.dim)
    (name, style), (state, how), *rest = _clock_texts(clock, ink)
    fits = cells_of(name) <= line.cells_left
    line.add(name, ink.dim if clock.closed else style)
    if not whole:
        return [line.add(f"  {state}", ink.dim if clock.closed else how)]
    below = [] if fits else [(name, style)]
    if fits and cells_of(state) + 2 <= line.cells_left:
        line.add(f"  {state}", ink.dim if clock.closed else how)
    else:
        below.append((state, how))
    return [
        line,
        *(CellLine(width).to(4).add(part, how) for text, how in (*below, *rest) for part in wrap_text(text, width - 5)),
    ]


def _clock_texts(clock: Clock, ink: Palette) -> list[tuple[str, Style]]:
    """Its name, how it stands, and whatever else there is to say of it."""
    state, style = _state(clock), ink.dim
    if clock.full:
        # A push clock counts up to what the crew wants.
        mark, style = ("✓ full", ink.held) if clock.kind is ClockKind.PUSH else ("✗ full", ink.bad)
        state = f"{mark} · {state}"
    rest = (
        (clock.outcome and f"→ {clock.outcome}", ink.plain),
        (clock_face.WHILE_IT_RUNS[clock.running] if clock.runs else "", ink.warn),
        (clock.when_full and f"when full: {clock.when_full}", ink.dim),
        (clock.notes, ink.dim),
    )
    return [(clock.name or "(no name)", ink.strong), (state, style), *((text, how) for text, how in rest if text)]


def _order_clocks(clocks: Mapping[str, Clock]) -> tuple[tuple[str, Clock], ...]:
    return tuple(sorted(clocks.items(), key=lambda item: item[1].closed))


def _state(clock: Clock) -> str:
    parts = [clock.kind.value]
    if clock.closed:
        parts.append("closed")
    if not clock.seen:
        parts.append(f"{HIDDEN} hidden from players")
        if not clock.count_seen:
            parts.append(f"once shown: ?/{clock.segments}")
        if clock.outcome:
            parts.append(f"once shown: {'with' if clock.allows_outcome else 'without'} its ending")
        return " · ".join(parts)
    if not clock.count_seen:
        parts.append(f"{HIDDEN} players see ?/{clock.segments}")
    if clock.outcome and not clock.shows_outcome:
        parts.append(f"{HIDDEN} ending hidden")
    return " · ".join(parts)
