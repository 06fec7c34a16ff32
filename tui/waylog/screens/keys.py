"""The keys that work here and now, over whatever is on screen."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.app import ComposeResult
from textual.screen import ModalScreen
from textual.strip import Strip
from textual.widget import Widget

from waylog.values import dataclass
from waylog.widgets.cells import cells_of
from waylog.widgets.drawing import Drawing
from waylog.widgets.ink import Ink, Line


@dataclass(frozen=True, slots=True)
class Hint:
    """One key and what it does; `why_not` says why it does nothing now."""

    key: str
    does: str
    why_not: str = ""
    group: str = ""


class _Hints(Widget):
    """Hints in as many columns as there is room for."""

    def __init__(self, hints: Sequence[Hint]) -> None:
        super().__init__()
        self._hints = hints
        self._top = 0
        self._length = 0
        self._drawing = Drawing(self, self._draw)

    def page(self, by: int) -> bool:
        """On or back by lines; False when all of it shows."""
        top = max(0, min(self._length - self.size.height, self._top + by))
        moved, self._top = top != self._top, top
        self._drawing.stale()
        return moved

    def render_line(self, y: int) -> Strip:
        return self._drawing.strip(y)

    def _draw(self, ink: Ink, width: int, height: int) -> list[Line]:
        lines: list[Line] = []
        group = None
        size = max((cells_of(hint.key) for hint in self._hints), default=1)
        for hint in self._hints:
            if hint.group != group:
                group = hint.group
                if lines:
                    lines.append(Line(width))
                lines.append(Line(width).add(group, ink.accent))
            line = Line(width).to(2).add(hint.key, ink.dim if hint.why_not else ink.key, most=size).to(size + 4)
            line.add(hint.does, ink.dim if hint.why_not else ink.plain)
            lines.append(line.add(f"  ✗ {hint.why_not}", ink.dim) if hint.why_not else line)
        self._length = len(lines)
        shown = lines[self._top : self._top + height]
        if self._top + height < len(lines) and shown:
            shown[-1].right("↓ more ", ink.key)
        return shown


_SCROLLS = {"down": 1, "j": 1, "up": -1, "k": -1, "pagedown": 10, "space": 10, "pageup": -10}
_SCROLLS |= {"end": 999, "G": 999, "home": -999, "g": -999}
"""Keys that scroll, and by how many lines."""


class KeysScreen(ModalScreen[None], inherit_bindings=False):
    """Any key leaves, but those that scroll."""

    CSS_PATH = "keys.tcss"

    def __init__(self, hints: Sequence[Hint]) -> None:
        super().__init__()
        self._hints = _Hints(hints)

    def compose(self) -> ComposeResult:
        yield self._hints

    def on_key(self, event: events.Key) -> None:
        event.stop()
        by = _SCROLLS.get(event.key)
        if by is None:
            self._leave()
        else:
            self._hints.page(by)

    def on_click(self) -> None:
        """A click leaves too."""
        self._leave()

    def _leave(self) -> None:
        """Once: the next key of a burst may come before this one has had its effect."""
        if self.is_current:
            self.dismiss()
