"""Help: what can be done here and now, grouped by purpose. Typing searches it; Enter does what is selected."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby, zip_longest

from textual import events

from waylog.ui.draw.cell_width import cells_of
from waylog.ui.draw.line_view import HitArea, Page
from waylog.ui.draw.palette import CellLine, Palette, wrap_text
from waylog.ui.key_hints import KeyHint
from waylog.ui.line.header import foot
from waylog.ui.line.line_editor import LineEditor
from waylog.ui.views.list_view import ListView
from waylog.ui.views.overlay import Overlay

_KEYS = 14
"""The greatest width of the column of keys; longer ones wrap."""
_NARROW = 64
"""In windows narrower than this, the list takes the whole width."""
_COLUMN = 36
"""The width of each column when two stand side by side."""


def search_keys(hints: Sequence[KeyHint], text: str) -> Sequence[KeyHint]:
    """Return the hints that contain every word of `text`, or whose key is `text`."""
    words = text.lower().split()
    return [
        hint
        for hint in hints
        if text.strip() == hint.key or all(word in f"{hint.does} {hint.group}".lower() for word in words)
    ]


class _KeyList(ListView[int], can_focus=False):
    """The hints that were found, under the headings of their groups. Each takes as many lines as it needs."""

    def __init__(self, hints: Sequence[KeyHint]) -> None:
        super().__init__()
        self._hints = hints
        self._text = ""
        self.shown: Sequence[KeyHint] = hints
        """The hints that were found."""

    def count(self) -> int:
        return len(self.shown)

    def list_found(self, text: str) -> None:
        """List the hints that contain a text."""
        self._text, self.shown = text, search_keys(self._hints, text)
        self.cursor = self.scroll = 0
        self.repaint()

    def render_page(self, ink: Palette, width: int, height: int) -> Page[int]:
        count = f"{len(self.shown)} of {len(self._hints)}" if self._text else f"{len(self._hints)} keys here"
        head = CellLine(width).add("Help ", ink.accent)
        head.fill("─", ink.rule, until=width - cells_of(count) - 1).add(f" {count}", ink.dim)
        search = CellLine(width).add("/ ", ink.key)
        search.add(f"{self._text}", ink.strong).add(" ", ink.caret) if self._text else search.add(
            "type to search", ink.dim
        )
        keys = foot((("⏎", "do it"), ("↑↓", "choose"), ("Esc", "close")), ink, width)
        room = max(1, height - 4)
        page = self.in_window(self._render_groups(ink, width, room), self.cursor, room, ink).below([head, search])
        blank = [CellLine(width) for _ in range(height - len(page.lines) - 1)]
        return page._replace(lines=[*page.lines, *blank, keys])

    def _render_groups(self, ink: Palette, width: int, room: int) -> Page[int]:
        """Draw the groups one below the other, or in two columns if there is room and they need it."""
        blocks = self._render_blocks(ink, width)
        if width < 2 * _COLUMN or len(_stack_pages(blocks).lines) <= room:
            return _stack_pages(blocks)
        blocks = self._render_blocks(ink, width // 2 - 1)
        ways = ((_stack_pages(blocks[:half]), _stack_pages(blocks[half:])) for half in range(1, len(blocks) + 1))
        left, right = min(ways, key=lambda way: max(len(page.lines) for page in way))
        start = width // 2 + 1
        lines = [
            CellLine(width).join(one or CellLine(width)).to(start).join(other or CellLine(width))
            for one, other in zip_longest(left.lines, right.lines)
        ]
        return Page(lines, [*left.areas, *(area._replace(x=start) for area in right.areas)])

    def _render_blocks(self, ink: Palette, width: int) -> Sequence[Page[int]]:
        """Return a page for each group."""
        longest = max((cells_of(hint.key) for hint in self.shown), default=1)
        size, blocks = min(longest, _KEYS, width // 4), list[Page[int]]()
        for group, numbered in groupby(enumerate(self.shown), lambda pair: pair[1].group):
            lines, areas = [CellLine(width).add(group, ink.accent)], list[HitArea[int]]()
            for index, hint in numbered:
                drawn = _hint(hint, ink, width, size, here=index == self.cursor)
                areas.append(HitArea(0, len(lines), width, len(drawn), index))
                lines += drawn
            blocks.append(Page(lines, areas))
        return blocks


def _stack_pages(blocks: Sequence[Page[int]]) -> Page[int]:
    """Stack pages, with a blank line between them."""
    lines, areas = list[CellLine](), list[HitArea[int]]()
    for block in blocks:
        if lines:
            lines.append(CellLine(block.lines[0].width))
        areas += [area.shift_down(len(lines)) for area in block.areas]
        lines += block.lines
    return Page(lines, areas)


def _hint(hint: KeyHint, ink: Palette, width: int, size: int, *, here: bool) -> Sequence[CellLine]:
    """Draw a key in its column, what it does beside it, and why not. Each wraps within its column."""
    keys, start = wrap_text(hint.key, size), size + 4
    does = f"{hint.does}  ✗ {hint.why_not}" if hint.why_not else hint.does
    parts = [does] if cells_of(does) <= width - start else wrap_text(hint.does, width - start)
    if hint.why_not and parts != [does]:
        parts += [f"{'  ' if n else '✗ '}{part}" for n, part in enumerate(wrap_text(hint.why_not, width - start - 2))]
    lines = list[CellLine]()
    for key, part in zip_longest(keys, parts, fillvalue=""):
        line = CellLine(width).add("▸ " if here and not lines else "  ", ink.key)
        line.add(key, ink.dim if hint.why_not else ink.key).to(start).add(part, ink.dim if hint.why_not else ink.plain)
        lines.append(line.over(ink.under_cursor) if here else line)
    return lines


_STEPS = {"down": 1, "tab": 1, "up": -1, "shift+tab": -1, "pagedown": 10, "pageup": -10, "home": -999, "end": 999}
"""Keys that move the cursor, and by how many hints."""
_LEAVES = ("escape", "f1", "ctrl+c")


class KeysScreen(Overlay[str], inherit_bindings=False):
    """The help screen. It closes with the key to press, or with nothing."""

    CSS_PATH = "keys.tcss"

    def __init__(self, hints: Sequence[KeyHint]) -> None:
        self._list = _KeyList(hints)
        super().__init__(self._list)
        self._editor = LineEditor()

    @property
    def keys(self) -> Sequence[KeyHint]:
        """The hints that are listed."""
        return self._list.shown

    def fit(self) -> None:
        self.set_class(self.app.size.width < _NARROW, "-narrow")

    def on_key(self, event: events.Key) -> None:
        """Move the cursor, type into the search, run the selected hint, or close. While nothing is typed, the key for
        help closes it.
        """
        event.stop()
        event.prevent_default()
        text = self._editor.text
        if event.key in _STEPS:
            self._list.action_step(_STEPS[event.key])
        elif event.key == "enter":
            self.leave(self._list.shown[self._list.cursor].press if self._list.shown else "")
        elif (event.key in _LEAVES and not (text and event.key == "escape")) or (event.character == "?" and not text):
            self.leave("")
        elif event.key == "escape":
            self._search("")
        elif event.is_printable and event.character and (text or event.character != "/"):
            self._search(text + event.character)
        elif self._editor.consume_key(event.key):
            self._search(self._editor.text)

    def _search(self, text: str) -> None:
        self._editor.set(text)
        self._list.list_found(text)

    def on_click(self, event: events.Click) -> None:
        """A click on a hint runs it; a click elsewhere closes."""
        if event.widget is not self._list:
            self.leave("")
        elif (index := self._list.target_at(event)) is not None:
            self.leave(self._list.shown[index].press)
