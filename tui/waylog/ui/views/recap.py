"""A recap to read, on top of the current view. A key copies all of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType

from waylog.ui.draw.cell_lines import CellLine, wrap_text
from waylog.ui.draw.clickable_page import HitArea, Page
from waylog.ui.draw.colours import Palette
from waylog.ui.draw.line_view import LineView
from waylog.ui.draw.markdown import draw_markdown
from waylog.ui.views.overlays import Overlay

_WHOLE = 100
"""In windows narrower than this, the recap takes the whole window."""
_WHEEL = 3
"""Lines that a notch of the wheel scrolls."""
_FAR = 99_999
"""More lines than any recap has."""
_HINTS = (("Esc", "close", "close"), ("y", "copy", "copy"))
_SCROLL_HINTS = (("Space", "next page", "page(1)"), ("b", "back", "page(-1)"), ("↑↓", "line", ""))
"""Keys, what they do, and the action of a click there."""


class _RecapText(LineView[str], can_focus=False):
    """The text of a recap below its title, above a line of keys. A click on a key is an action."""

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        self._title, self._text = title, text
        self._news = ""
        self._lines: Sequence[CellLine] = ()
        self._drawn_for: tuple[Palette, int] | None = None

    def say(self, news: str) -> None:
        """Show a message above the keys until the text is scrolled."""
        self._news = news
        self.repaint()

    def scroll_lines(self, by: int) -> None:
        """Scroll down by so many lines, or up with a negative number."""
        self._news = ""
        self.scroll = max(0, self.scroll + by)
        self.repaint()

    def scroll_pages(self, by: int) -> None:
        """Scroll by so many pages. The last line of one page is the first of the next."""
        self.scroll_lines(by * max(1, self.page.block[1] - 1))

    def on_mouse_scroll_down(self) -> None:
        """Scroll down."""
        self.scroll_lines(_WHEEL)

    def on_mouse_scroll_up(self) -> None:
        """Scroll up."""
        self.scroll_lines(-_WHEEL)

    # -- rendering ----------------------------------------------------------------------------------------------

    def prepare(self, ink: Palette, width: int, height: int) -> None:  # noqa: ARG002 - as `LineView` calls it
        if self._drawn_for != (ink, width):
            self._lines, self._drawn_for = draw_markdown(self._text, ink, width), (ink, width)

    def render_page(self, ink: Palette, width: int, height: int) -> Page[str]:
        news = [CellLine(width).add(part, ink.accent) for part in wrap_text(self._news, width, most=6)]
        total, room = len(self._lines), max(1, height - 2 - len(news))
        top = max(0, min(self.scroll, total - room))
        shown = [*self._lines[top : top + room], *(CellLine(width) for _ in range(room - total))]
        share = f" {(top + room) * 100 // total}%" if total > room else ""
        head = CellLine(width).add(f"{self._title} ", ink.accent, most=max(8, width - len(share)))
        head.fill("─", ink.rule, until=width - len(share)).add(share, ink.dim)
        foot, areas = _foot(ink, width, (*_HINTS, *(_SCROLL_HINTS if share else ())))
        areas = [area.shift_down(height - 1) for area in areas]
        return Page([head, *shown, *news, foot], areas, top, (total, room))


def _foot(ink: Palette, width: int, hints: Sequence[tuple[str, str, str]]) -> tuple[CellLine, Sequence[HitArea[str]]]:
    """Return the line of keys, as many as fit, and the cells where each can be clicked."""
    line, areas = CellLine(width), list[HitArea[str]]()
    for key, does, action in hints:
        start, size = line.used, len(key) + len(does) + 1
        if line.cells_left > size:
            line.add(key, ink.key).add(f" {does}  ", ink.dim)
            areas += [HitArea(start, 0, size, 1, action)] if action else []
    return line, areas


class RecapScreen(Overlay[None], inherit_bindings=False):
    """A screen with a recap. A key or a click beside the text closes it."""

    CSS_PATH = "recap.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "line(1)", "Down", id="recap.down", tooltip="Line down"),
        Binding("up,k", "line(-1)", "Up", id="recap.up", tooltip="Line up"),
        Binding("pagedown,space", "page(1)", "Page down", id="recap.pagedown", tooltip="Page down"),
        Binding("pageup,b", "page(-1)", "Page up", id="recap.pageup", tooltip="Page up"),
        Binding("home,g", f"line({-_FAR})", "Top", id="recap.home", tooltip="Top"),
        Binding("end,G", f"line({_FAR})", "Bottom", id="recap.end", tooltip="Bottom"),
        Binding("y", "copy", "Copy", id="recap.copy", tooltip="Copy the whole recap"),
        Binding("escape,q,ctrl+c", "close", "Close", id="recap.close", tooltip="Back"),
    ]

    def __init__(self, title: str, text: str, copy: Callable[[str], str]) -> None:
        """Show a recap in Markdown. `copy` copies a text and returns what to tell the person."""
        self._view = _RecapText(title, text)
        super().__init__(self._view)
        self._text, self._copy = text, copy

    def fit(self) -> None:
        self.set_class(self.app.size.width < _WHOLE, "-narrow")

    def action_line(self, by: int) -> None:
        """Scroll by so many lines."""
        self._view.scroll_lines(by)

    def action_page(self, by: int) -> None:
        """Scroll by so many pages."""
        self._view.scroll_pages(by)

    def action_copy(self) -> None:
        """Copy the whole recap as it stands in its file."""
        self._view.say(self._copy(self._text))

    def action_close(self) -> None:
        """Close."""
        self.leave(None)

    async def on_click(self, event: events.Click) -> None:
        """A click on a key's hint does what the key does; a click beside the recap closes it."""
        if event.widget is not self._view:
            self.action_close()
        elif action := self._view.target_at(event):
            await self.run_action(action)

    def on_line_view_text_selected(self, message: LineView.TextSelected) -> None:
        """Copy what was selected with the mouse, and say so here."""
        message.stop()
        self._view.say(self._copy(message.cells_text))
