"""The clocks: what is coming, how near it is, and what it does meanwhile. Closed ones stand at the end."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from waylog.rules.clocks import Clock, Kind
from waylog.snapshot import Snapshot
from waylog.widgets import ring
from waylog.widgets.cards import HIDDEN
from waylog.widgets.drawing import Drawing
from waylog.widgets.ink import Ink, Line, wrapped

_WIDE = 58
"""Cells that a drawn clock with its words wants."""


class ClocksScreen(Widget, can_focus=True):
    """Every clock of the campaign."""

    FOCUS_ON_CLICK = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j,tab", "step(1, 1)", "Next", id="clocks.down", tooltip="To the clock below"),
        Binding("up,k,shift+tab", "step(-1, 1)", "Previous", id="clocks.up", tooltip="To the clock above"),
        Binding("right,l", "step(1, 0)", "Right", id="clocks.right", tooltip="To the next clock"),
        Binding("left,h", "step(-1, 0)", "Left", id="clocks.left", tooltip="To the clock before"),
        Binding("home,g", "step(-999, 0)", "First", id="clocks.home", tooltip="To the first clock"),
        Binding("end,G", "step(999, 0)", "Last", id="clocks.end", tooltip="To the last clock"),
        Binding("plus,equals_sign", "wanted('tick', 1)", "Fill one", id="clocks.fill", tooltip="Fill a segment"),
        Binding("minus", "wanted('tick', -1)", "Empty one", id="clocks.empty", tooltip="Empty a segment"),
        Binding(
            "full_stop,greater_than_sign",
            "wanted('time', 0)",
            "Time passes",
            id="clocks.time",
            tooltip="Time passes: tick every death and augury clock",
        ),
        Binding(
            "v",
            "wanted('all', 0)",
            "Show or hide",
            id="clocks.show",
            tooltip="Show the clock to the players, or hide it",
        ),
        Binding("V", "wanted('count', 0)", "Show its count", id="clocks.count", tooltip="Show them its count, or a ?"),
        Binding(
            "o", "wanted('outcome', 0)", "Show its outcome", id="clocks.outcome", tooltip="Show or hide its outcome"
        ),
        Binding("x", "wanted('close', 0)", "Close", id="clocks.close", tooltip="Close the clock, or open it again"),
        Binding(
            "enter",
            "wanted('menu', 0)",
            "What can be done",
            id="clocks.open",
            tooltip="Everything that can be done with this clock",
        ),
    ]

    @dataclass
    class Wanted(Message):
        """Something is to be done with a clock: `tick`, `time`, `close`, what of it is shown, or `menu` for a list."""

        key: str
        verb: str
        by: int

    def __init__(self, snapshot: Snapshot) -> None:
        super().__init__(id="clocks")
        self._clocks = _ordered(snapshot.clocks)
        self._cursor = 0
        self._top = 0
        self._columns = 1
        self._spots: list[tuple[int, int, int, int]] = []
        self._drawing = Drawing(self, self._draw)

    def show(self, snapshot: Snapshot) -> None:
        """Draw another moment, the cursor on the same clock where it is still there."""
        clocks = _ordered(snapshot.clocks)
        if clocks == self._clocks:
            return
        held = self._clocks[self._cursor][0] if self._clocks else ""
        self._clocks = clocks
        keys = [key for key, _ in clocks]
        self._cursor = keys.index(held) if held in keys else min(self._cursor, max(0, len(keys) - 1))
        self._drawing.stale()

    def action_step(self, by: int, down: int) -> None:
        """To another clock; down and up by a whole line of them."""
        if self._clocks:
            by = by * (self._columns if down else 1)
            wanted = self._cursor + by
            self._cursor = max(0, min(len(self._clocks) - 1, wanted))
            self._drawing.stale()

    def action_wanted(self, verb: str, by: int) -> None:
        """Say what is to be done with the clock under the cursor."""
        key = self._clocks[self._cursor][0] if self._clocks else ""
        self.post_message(self.Wanted(key, verb, by))

    def on_click(self, event: events.Click) -> None:
        """The cursor to the clock under the mouse; a second click opens it."""
        for index, (x, y, width, height) in enumerate(self._spots):
            if x <= event.x < x + width and y <= event.y - self.styles.padding.top + self._top < y + height:
                if index == self._cursor and event.chain > 1:
                    self.action_wanted("menu", 0)
                self._cursor = index
                self._drawing.stale()

    def on_mouse_scroll_down(self) -> None:
        """The wheel walks."""
        self.action_step(1, 1)

    def on_mouse_scroll_up(self) -> None:
        """The wheel walks."""
        self.action_step(-1, 1)

    def render_line(self, y: int) -> Strip:
        return self._drawing.strip(y)

    def _draw(self, ink: Ink, width: int, height: int) -> list[Line]:
        if not self._clocks:
            hint = Line(width).to(2).add("No clock is running. ", ink.dim).add("c", ink.key)
            return [hint.add(" starts one:  Hull breach 6 catastrophe", ink.dim)]
        drawn = height >= ring.HEIGHT * 2 and width >= 36
        self._columns = max(1, width // _WIDE) if drawn else 1
        each = width // self._columns
        blocks = [
            self._block(clock, ink, each - 2, here=index == self._cursor, drawn=drawn and not clock.closed)
            for index, (_, clock) in enumerate(self._clocks)
        ]
        lines = self._arranged(blocks, width, each)
        self._scroll(height)
        shown = lines[self._top : self._top + height]
        if self._top + height < len(lines) and shown:
            shown[-1].right("↓ more ", ink.key)
        return shown

    def _arranged(self, blocks: Sequence[list[Line]], width: int, each: int) -> list[Line]:
        lines: list[Line] = []
        self._spots = []
        for start in range(0, len(blocks), self._columns):
            group = blocks[start : start + self._columns]
            top = len(lines)
            for y in range(max(map(len, group))):
                line = Line(width)
                for column, block in enumerate(group):
                    if y < len(block):
                        line.to(column * each).join(block[y])
                lines.append(line)
            self._spots += [(column * each, top, each, len(block)) for column, block in enumerate(group)]
            if any(len(block) > 1 for block in group):
                lines.append(Line(width))
        return lines

    def _scroll(self, height: int) -> None:
        _, y, _, size = self._spots[self._cursor]
        self._top = max(min(self._top, y), y + size - height, 0)

    def _block(self, clock: Clock, ink: Ink, width: int, *, here: bool, drawn: bool) -> list[Line]:
        """One clock: its face with words beside it, or one line."""
        sign = "▸ " if here else "  "
        if not drawn:
            line = Line(width).add(sign, ink.key)
            ring.inline(clock, ink, line).add("  " if clock.shows_count else f" {HIDDEN} ", ink.dim)
            line.add(clock.name or "(no name)", ink.dim if clock.closed else ink.strong)
            line.add(f"  {_state(clock)}", ink.dim)
            return [line.over(ink.under_cursor) if here else line]
        words = self._words(clock, ink, width - ring.WIDTH - 4)
        lines = []
        for y, face in enumerate(ring.face(clock, ink)):
            line = Line(width).add(sign if y == 2 else "  ", ink.key).join(face).to(ring.WIDTH + 4)
            if y < len(words):
                line.join(words[y])
            lines.append(line.over(ink.under_cursor) if here else line)
        return lines

    def _words(self, clock: Clock, ink: Ink, width: int) -> list[Line]:
        lines = [Line(width).add(clock.name or "(no name)", ink.strong)]
        state = wrapped(_state(clock), width)[:2]
        if clock.full:
            # A push clock counts up to what the crew wants.
            full, style = ("✓ full", ink.held) if clock.kind is Kind.PUSH else ("✗ full", ink.bad)
            lines.append(Line(width).add(full, style).add(f" · {_state(clock)}", ink.dim))
        else:
            lines += [Line(width).add(part, ink.dim) for part in state]
        for text, style in (
            (clock.outcome and f"→ {clock.outcome}", ink.plain),
            (ring.WHILE_IT_RUNS[clock.running] if clock.runs else "", ink.warn),
            (clock.when_full and f"effect once full: {clock.when_full}", ink.dim),
            (clock.notes, ink.dim),
        ):
            lines += [Line(width).add(part, style) for part in wrapped(text, width)[:2]]
        return lines[: ring.HEIGHT]


def _ordered(clocks: Mapping[str, Clock]) -> tuple[tuple[str, Clock], ...]:
    return tuple(sorted(clocks.items(), key=lambda item: item[1].closed))


def _state(clock: Clock) -> str:
    parts = [clock.kind.value]
    if clock.closed:
        parts.append("closed")
    if not clock.seen:
        parts.append(f"{HIDDEN} hidden from the players")
        return " · ".join(parts)
    if not clock.count_seen:
        parts.append(f"{HIDDEN} players see ?/{clock.segments}")
    if clock.outcome and not clock.shows_outcome:
        parts.append(f"{HIDDEN} outcome hidden")
    return " · ".join(parts)
