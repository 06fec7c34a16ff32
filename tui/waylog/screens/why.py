"""Why a value is what it is: the acts that made it so, newest first, over whatever is on screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from textual.strip import Strip
from textual.widget import Widget

from waylog.campaign.entries import Entry
from waylog.rules.changes import Change, Path, Value, dotted
from waylog.values import dataclass
from waylog.widgets.change import told
from waylog.widgets.drawing import Drawing
from waylog.widgets.ink import Ink, Line, wrapped
from waylog.widgets.scrolling import window

NEVER = "No act of the log changed this: it is as the campaign file had it from the first."


@dataclass(frozen=True, slots=True)
class Because:
    """What is known about a value."""

    label: str
    """What it is called where it was asked about."""
    path: Path
    """Where it is in the campaign file."""
    entries: Sequence[Entry]
    """The entries that made it what it is, newest first."""


class _Reasons(Widget):
    """Each entry with what it changed, and a cursor."""

    def __init__(self, because: Because) -> None:
        super().__init__()
        self._because = because
        self._cursor = 0
        self._top = 0
        self._rows: list[int] = []
        self._drawing = Drawing(self, self._draw)

    @property
    def number(self) -> int | None:
        """The entry under the cursor."""
        return self._because.entries[self._cursor].number if self._because.entries else None

    def step(self, by: int) -> None:
        """To another entry."""
        self._cursor = max(0, min(len(self._because.entries) - 1, self._cursor + by))
        self._drawing.stale()

    def at(self, y: int) -> int | None:
        """The entry drawn in that line."""
        index = self._rows[y + self._top - 1] if y >= 1 and y + self._top - 1 < len(self._rows) else None
        return None if index is None else self._because.entries[index].number

    def render_line(self, y: int) -> Strip:
        return self._drawing.strip(y)

    def _draw(self, ink: Ink, width: int, height: int) -> list[Line]:
        because = self._because
        title = Line(width).add(f"Why · {because.label} ", ink.accent).add(f" {dotted(because.path)} ", ink.dim)
        keys = (
            Line(width).add(" Enter", ink.key).add(" to the log  ", ink.dim).add("Esc", ink.key).add(" closes", ink.dim)
        )
        title.fill("─", ink.rule, until=max(title.used, width - keys.used))
        if title.left >= keys.used:
            title.join(keys)
        if not because.entries:
            return [title, *(Line(width).add(part, ink.plain) for part in wrapped(NEVER, width))][:height]
        lines: list[Line] = []
        self._rows = []
        for index in range(len(because.entries)):
            block = list(self._block(index, ink, width))
            if index == self._cursor:
                first = len(lines)
                self._top = max(0, min(self._top, first), first + min(len(block), height - 1) - (height - 1))
            lines += block
            self._rows += [index] * len(block)
        return [title, *window(lines, self._top, height - 1, ink)]

    def _block(self, index: int, ink: Ink, width: int) -> Iterator[Line]:
        entry, here = self._because.entries[index], index == self._cursor
        head = Line(width).add("▸ " if here else "  ", ink.key)
        head.add(f"{entry.number:>4}  {entry.at:%d %b %H:%M}  ", ink.dim).add(entry.words, ink.strong)
        yield head.over(ink.under_cursor) if here else head
        for change in entry.changes:
            if about := _about(self._because.path, change):
                yield Line(width).to(8).add(told(about), ink.plain)


def _about(asked: Path, change: Change) -> Change | None:
    """What a change did to the value asked about, if it did; of what came or went as a whole, the part that was asked about."""
    size = len(change.path)
    if change.path[: len(asked)] == asked:
        return change
    if asked[:size] != change.path:
        return None
    before, after = (_part(value, asked[size:]) for value in (change.before, change.after))
    return change if before == after else Change(asked, before, after)


def _part(value: Value | None, path: Path) -> Value | None:
    for part in path:
        value = value.get(part) if isinstance(value, dict) else None
    return value


class WhyScreen(ModalScreen[int | None], inherit_bindings=False):
    """Closes with the entry to go to in the log, or with None."""

    CSS_PATH = "why.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j,tab", "step(1)", "Earlier", id="why.down", tooltip="To the entry before"),
        Binding("up,k,shift+tab", "step(-1)", "Later", id="why.up", tooltip="To the later entry"),
        Binding("pagedown,space", "step(8)", "Further back", id="why.pagedown", tooltip="Eight entries earlier"),
        Binding("pageup", "step(-8)", "Further on", id="why.pageup", tooltip="Eight entries later"),
        Binding("enter", "go", "To the log", id="why.go", tooltip="Show the entry in the log"),
        Binding("escape,w,q,ctrl+c", "close", "Close", id="why.close", tooltip="Back to where you were"),
    ]

    def __init__(self, because: Because) -> None:
        super().__init__()
        self._reasons = _Reasons(because)

    def compose(self) -> ComposeResult:
        yield self._reasons

    def action_step(self, by: int) -> None:
        """To another entry."""
        self._reasons.step(by)

    def action_go(self) -> None:
        """Leave for the entry in the log."""
        self._leave(self._reasons.number)

    def action_close(self) -> None:
        """Leave."""
        self._leave(None)

    def on_click(self, event: events.Click) -> None:
        """A click on an entry goes to it; one beside closes."""
        inside = self._reasons.region.contains(event.screen_x, event.screen_y)
        at = event.get_content_offset(self._reasons) if inside else None
        self._leave(self._reasons.at(at.y) if at else None)

    def _leave(self, number: int | None) -> None:
        """Once: the next key of a burst may come before this one has had its effect."""
        if self.is_current:
            self.dismiss(number)
