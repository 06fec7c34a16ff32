"""What players see: in a window of their own (`waylog watch`), or in the wayfinder's, by one key."""

from __future__ import annotations

from enum import IntEnum
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget

from waylog.projection import Projection
from waylog.screens.hints import named
from waylog.screens.keys import Hint, KeysScreen
from waylog.widgets import players
from waylog.widgets.drawing import Drawing
from waylog.widgets.ink import Ink, Line, wrapped
from waylog.widgets.panels import more_below
from waylog.widgets.small import HEIGHT, WIDTH

_WIDE = 100
"""Cells from which on the log stands beside the rest."""
WAITING = "Nothing to see yet: it begins when the wayfinder opens the campaign."


class Part(IntEnum):
    """What scrolls."""

    SHEET = 0
    LOG = 1


class PlayersView(Widget):
    """Ship, crew, clocks and log, as players may see them; the newest of the log is always in sight at first."""

    def __init__(self, seen: Projection | None) -> None:
        super().__init__()
        self._seen = seen
        self._trouble = ""
        self._moved = [0, 0]
        self._most = [0, 0]
        self._scrolling = Part.SHEET
        self._log_area = (0, 0)
        self._drawing = Drawing(self, self._draw)
        self._due = False

    def show(self, seen: Projection | None, trouble: str = "") -> None:
        """Draw another moment. `trouble` is said above what was seen last."""
        if (seen, trouble) != (self._seen, self._trouble):
            self._seen, self._trouble = seen, trouble
            self._drawing.stale()

    def scroll_part(self, by: int, part: Part | None = None) -> None:
        """Move the sheet down, or the log back in time; the other way with less than 0."""
        part = self._scrolling if part is None else part
        # The log's end is where it stands at rest: up is back in time.
        by = -by if part is Part.LOG else by
        self._moved[part] = max(0, min(self._most[part], self._moved[part] + by))
        self._draw_soon()

    def change_part(self) -> None:
        """Let the keys scroll the other part."""
        self._scrolling = Part.LOG if self._scrolling is Part.SHEET else Part.SHEET
        self._draw_soon()

    def _draw_soon(self) -> None:
        """Once for all keys that have come until then."""
        if not self._due:
            self._due = True
            self.call_later(self._draw_due)

    def _draw_due(self) -> None:
        self._due = False
        self._drawing.stale()

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """The wheel scrolls what is under it."""
        self.scroll_part(3, self._part_at(event))

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """The wheel scrolls what is under it."""
        self.scroll_part(-3, self._part_at(event))

    def _part_at(self, event: events.MouseEvent) -> Part:
        left, top = self._log_area
        return Part.LOG if event.x >= left and event.y >= top else Part.SHEET

    def render_line(self, y: int) -> Strip:
        return self._drawing.strip(y)

    # -- drawing ------------------------------------------------------------------------------------------------

    def _draw(self, ink: Ink, width: int, height: int) -> list[Line]:
        if width < WIDTH or height < HEIGHT:
            return [Line(width).add(f"Waylog needs {WIDTH}×{HEIGHT}", ink.plain)]
        if self._seen is None:
            waiting = [Line(width).to(2).add(part, ink.dim) for part in wrapped(self._trouble or WAITING, width - 4)]
            return [Line(width).right(" ? keys ", ink.dim), Line(width), *waiting]
        head = [players.title(self._seen, ink, width)]
        if self._trouble:
            head.append(Line(width).add(f" ! {self._trouble}", ink.alert).fill(" ", ink.alert))
        below = self._beside if width >= _WIDE else self._stacked
        return [*head, *below(self._seen, ink, width, height - len(head), len(head))]

    def _beside(self, seen: Projection, ink: Ink, width: int, height: int, top: int) -> list[Line]:
        """The sheet on the left; clocks and the log on the right."""
        left = width * 3 // 5
        sheet = self._cut(Part.SHEET, players.sheet(seen, ink, left, height - 1), height - 1, ink)
        clocks = players.clocks(seen, ink, width - left)[: height // 2]
        self._log_area = (left, top + len(clocks))
        right = [*clocks, *self._log(seen, ink, width - left, height - len(clocks))]
        blank = Line(width)
        return [
            Line(width).join(sheet[y - 1] if 0 < y <= len(sheet) else blank).to(left).join(right[y])
            for y in range(height)
        ]

    def _stacked(self, seen: Projection, ink: Ink, width: int, height: int, top: int) -> list[Line]:
        """Clocks and the sheet above, the log below."""
        rest = max(height // 3, 4)
        above = height - rest
        lines = players.clocks(seen, ink, width)
        lines += [Line(width)] if lines else []
        lines += players.sheet(seen, ink, width, max(1, above - len(lines)))
        shown = self._cut(Part.SHEET, lines, above, ink)
        self._log_area = (0, top + above)
        return [*shown, *[Line(width)] * (above - len(shown)), *self._log(seen, ink, width, rest)]

    def _log(self, seen: Projection, ink: Ink, width: int, height: int) -> list[Line]:
        """A line that parts it from the rest, and its end, or what lies so far back."""
        head = Line(width).to(2).add("Log ", ink.accent)
        if self._scrolling is Part.LOG:
            head.add("↑↓ ", ink.key)
        lines, room = players.acts(seen, ink, width), height - 1
        self._most[Part.LOG] = max(0, len(lines) - room)
        self._moved[Part.LOG] = min(self._moved[Part.LOG], self._most[Part.LOG])
        end = len(lines) - self._moved[Part.LOG]
        shown = lines[max(0, end - room) : end]
        return [head.fill("─", ink.rule, until=width - 2), *shown, *[Line(width)] * (room - len(shown))]

    def _cut(self, part: Part, lines: list[Line], height: int, ink: Ink) -> list[Line]:
        """As many lines as there is room for, from where it was scrolled to."""
        self._most[part] = max(0, len(lines) - height)
        start = self._moved[part] = min(self._moved[part], self._most[part])
        shown = lines[start : start + height]
        if start + height < len(lines):
            shown[-1] = more_below(shown[-1], ink)
        return shown


class LookingScreen(Screen[None], inherit_bindings=False):
    """A screen on which nothing can be done but look."""

    CSS_PATH = "players.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "scroll_by(1)", "Down", id="players.down", tooltip="A line down"),
        Binding("up,k", "scroll_by(-1)", "Up", id="players.up", tooltip="A line up"),
        Binding("pagedown,space", "scroll_by(10)", "Further down", id="players.pagedown", tooltip="Ten lines down"),
        Binding("pageup,b", "scroll_by(-10)", "Further up", id="players.pageup", tooltip="Ten lines up"),
        Binding("home,g", "scroll_by(-9999)", "Top", id="players.home", tooltip="To the top"),
        Binding("end,G", "scroll_by(9999)", "Bottom", id="players.end", tooltip="To the bottom"),
        Binding("tab", "other_part", "Sheet or log", id="players.part", tooltip="Scroll the log, or the rest again"),
        Binding("question_mark,f1", "keys", "Keys", id="players.keys", tooltip="The keys that work here"),
    ]

    def __init__(self, seen: Projection | None) -> None:
        super().__init__()
        self._view = PlayersView(seen)

    def compose(self) -> ComposeResult:
        yield self._view

    def show(self, seen: Projection | None, trouble: str = "") -> None:
        """Draw another moment. `trouble` is said above what was seen last."""
        self._view.show(seen, trouble)

    def action_scroll_by(self, by: int) -> None:
        """Scroll."""
        self._view.scroll_part(by)

    def action_other_part(self) -> None:
        """Let the keys scroll the other part."""
        self._view.change_part()

    def action_keys(self) -> None:
        """Show the keys."""
        bindings = (key for key in (*self.BINDINGS, *self.app.BINDINGS) if isinstance(key, Binding))
        self.app.push_screen(KeysScreen([Hint(named(key.key), key.tooltip) for key in bindings]))


class PlayersScreen(LookingScreen, inherit_bindings=False):
    """In the wayfinder's window: what players see at this moment, until a key closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *LookingScreen.BINDINGS,
        Binding("escape,p,q", "close", "Close", id="players.close", tooltip="Back to where you were"),
    ]

    def action_close(self) -> None:
        """Once: the next key of a burst may come before this one has had its effect."""
        if self.is_current:
            self.dismiss()
