"""The keys that work here and now, over whatever is on screen."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest

from textual import events
from textual.app import ComposeResult
from textual.screen import ModalScreen

from waylog.ui.draw.cell_width import cells_of
from waylog.ui.draw.line_view import LineView, Page
from waylog.ui.draw.palette import CellLine, Palette, wrap_text
from waylog.ui.views.list_view import in_window
from waylog.values import dataclass

_KEYS = 14
"""Cells that the column of keys has at most; keys that need more go on under themselves."""
_NARROW = 64
"""Columns of a window below which all of it is the list's."""


@dataclass(frozen=True, slots=True)
class KeyHint:
    """One key and what it does; `why_not` says why it does nothing now."""

    key: str
    does: str
    why_not: str = ""
    group: str = ""


class _KeyList(LineView[None]):
    """Hints one under another, each in as many lines as it needs."""

    def __init__(self, hints: Sequence[KeyHint]) -> None:
        super().__init__()
        self._hints = hints

    def scroll_by(self, by: int) -> None:
        """On or back by lines."""
        self.scroll += by
        self.repaint()

    def render_page(self, ink: Palette, width: int, height: int) -> Page[None]:
        lines: list[CellLine] = []
        group = None
        longest = max((cells_of(hint.key) for hint in self._hints), default=1)
        size = min(longest, _KEYS, width // 4)
        for hint in self._hints:
            if hint.group != group:
                group = hint.group
                if lines:
                    lines.append(CellLine(width))
                lines.append(CellLine(width).add(group, ink.accent))
            lines += _hint(hint, ink, width, size)
        return in_window(Page(lines), None, self.scroll, 0, height, ink)


def _hint(hint: KeyHint, ink: Palette, width: int, size: int) -> Iterator[CellLine]:
    """The keys in their column, what they do beside them, and why not; each goes on under itself."""
    keys, start = wrap_text(hint.key, size), size + 4
    does = f"{hint.does}  ✗ {hint.why_not}" if hint.why_not else hint.does
    lines = [does] if cells_of(does) <= width - start else wrap_text(hint.does, width - start)
    if hint.why_not and lines != [does]:
        lines += [f"{'  ' if n else '✗ '}{part}" for n, part in enumerate(wrap_text(hint.why_not, width - start - 2))]
    for key, part in zip_longest(keys, lines, fillvalue=""):
        line = CellLine(width).to(2).add(key, ink.dim if hint.why_not else ink.key).to(start)
        yield line.add(part, ink.dim if hint.why_not else ink.plain)


_SCROLLS = {"down": 1, "j": 1, "up": -1, "k": -1, "pagedown": 10, "space": 10, "pageup": -10}
_SCROLLS |= {"end": 999, "G": 999, "home": -999, "g": -999}
"""Keys that scroll, and by how many lines."""


class KeysScreen(ModalScreen[None], inherit_bindings=False):
    """Any key leaves, but those that scroll."""

    CSS_PATH = "keys.tcss"

    def __init__(self, hints: Sequence[KeyHint]) -> None:
        super().__init__()
        self._hints = _KeyList(hints)

    def compose(self) -> ComposeResult:
        yield self._hints

    def on_resize(self, event: events.Resize) -> None:
        self.set_class(event.size.width < _NARROW, "-narrow")

    def on_key(self, event: events.Key) -> None:
        event.stop()
        by = _SCROLLS.get(event.key)
        if by is None:
            self._leave()
        else:
            self._hints.scroll_by(by)

    def on_click(self) -> None:
        """A click leaves too."""
        self._leave()

    def _leave(self) -> None:
        """Once: the next key of a burst may come before this one has had its effect."""
        if self.is_current:
            self.dismiss()
