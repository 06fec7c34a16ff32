"""The history of a value: the acts that changed it, newest first, on top of the current view."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType

from waylog.rules.codec.changes import Change, Path, Value
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.store.log.grouped_acts_and_texts import describe_entries
from waylog.ui.draw.cell_lines import CellLine, foot, wrap_text
from waylog.ui.draw.clickable_line_view import Page
from waylog.ui.draw.colours import Palette, ink_of
from waylog.ui.views.list_view import ListView, margin_line
from waylog.ui.views.overlays_and_choosers import Overlay
from waylog.values import dataclass
from waylog.words.sentences import describe_change

_BESIDE = 48
"""The width from which on an entry stands beside its number and its time."""
_ROOMY = 60
"""The width of a window from which on the list leaves some of the view in sight."""
_INDENT = 4
_WIDEST, _TALLEST, _LOW = 100, 24, 24
"""The largest size of the list, its border included, and the height of a window below which it may take the whole of it."""
_BORDER = 4
"""Cells of the border and of the blanks beside it."""
NEVER = "No log entry has changed this value."


@dataclass(frozen=True, slots=True)
class ValueHistory:
    """A value and its history."""

    label: str
    """Its label in the view from which the history was opened."""
    owner: str
    """The name of its owner on the screens; empty without one."""
    path: Path
    """The path of the value in the campaign file."""
    entries: Sequence[LogEntry]
    """The entries that changed it, newest first."""


class _HistoryList(ListView[int], can_focus=False):
    """The entries with their changes, and a cursor."""

    def __init__(self, because: ValueHistory) -> None:
        super().__init__()
        self._because = because

    def count(self) -> int:
        return len(self._because.entries)

    def number_of(self, index: int | None) -> int | None:
        """Return the number of an entry in this list; None if there is none."""
        return self._because.entries[index].number if index is not None and index < self.count() else None

    def select(self, target: int) -> None:
        """Leave the cursor where it is, because the screen closes with the entry that was clicked."""

    def render_page(self, ink: Palette, width: int, height: int) -> Page[int]:
        because = self._because
        name = f"{because.owner}: {because.label}" if because.owner else because.label
        title = CellLine(width).add(f"Why · {name} ", ink.accent).fill("─", ink.rule)
        room = max(1, height - 2)
        if because.entries:
            page = super().render_page(ink, width, room)
        else:
            page = Page([CellLine(width).add(part, ink.plain) for part in wrap_text(NEVER, width)][:room])
        page = page.below([title])
        blank = [CellLine(width) for _ in range(height - 1 - len(page.lines))]
        keys = (*((("⏎", "to the log"), ("↑↓", "choose")) if because.entries else ()), ("Esc", "close"))
        return page._replace(lines=[*page.lines, *blank, foot(keys, ink, width)])

    def height_at(self, ink: Palette, width: int) -> int:
        """Return the height of the whole list at that width, with its title and its keys."""
        items = sum(len(self.render_item(index, ink, width)) for index in range(self.count()))
        return 3 + (items or len(wrap_text(NEVER, width)))

    def render_item(self, index: int, ink: Palette, width: int) -> Sequence[CellLine]:
        entry, here = self._because.entries[index], index == self.cursor
        room = width >= _BESIDE
        head = margin_line(width, ink, here=here)
        head.add(f"{entry.number:>4}  " if room else "", ink.dim).add(f"{entry.at:%d %b %H:%M}  ", ink.dim)
        indent = head.used if room else _INDENT
        first, *rest = wrap_text(describe_entries((entry,)).sentence, width - indent) or [""]
        if room:
            head.add(first, ink.strong)
        else:
            rest = [first, *rest]
        below = [CellLine(width).to(indent).add(part, ink.strong) for part in rest]
        for change in entry.changes:
            about = _about(self._because.path, change)
            if about:
                words = describe_change(about, within=self._because.path)
                below += [CellLine(width).to(indent).add(part, ink.plain) for part in wrap_text(words, width - indent)]
        return [line.over(ink.under_cursor) if here else line for line in (head, *below)]


def _about(asked: Path, change: Change) -> Change | None:
    """Return what a change did to the value, if anything. If a whole thing was added or removed, this is the part of it
    that was asked about.
    """
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


class WhyScreen(Overlay[int | None], inherit_bindings=False):
    """The screen closes with the number of the entry to show in the log, or with None."""

    CSS_PATH = "why.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j,tab", "step(1)", "Earlier", id="why.down", tooltip="Previous entry"),
        Binding("up,k,shift+tab", "step(-1)", "Later", id="why.up", tooltip="Next entry"),
        Binding("pagedown,space", "step(8)", "Page down", id="why.pagedown", tooltip="Down 8 entries"),
        Binding("pageup", "step(-8)", "Page up", id="why.pageup", tooltip="Up 8 entries"),
        Binding("enter", "go", "To the log", id="why.go", tooltip="Show the entry in the log"),
        Binding("escape,w,q,ctrl+c", "close", "Close", id="why.close", tooltip="Back"),
    ]

    def __init__(self, because: ValueHistory) -> None:
        self._reasons = _HistoryList(because)
        super().__init__(self._reasons)

    def fit(self) -> None:
        """Be as tall as the list; take the whole of a narrow window, and of a low one in which the list would be cut otherwise."""
        (columns, lines), listed = self.app.size, self._reasons
        width = min(_WIDEST, columns * 9 // 10) - _BORDER
        needed, room = listed.height_at(ink_of(listed), width) + 2, lines * 4 // 5
        is_whole = columns < _ROOMY or (lines < _LOW and needed > room)
        self.set_class(is_whole, "-narrow")
        listed.styles.height = "100%" if is_whole else min(_TALLEST, room, needed)

    def action_step(self, by: int) -> None:
        """Move the cursor."""
        self._reasons.action_step(by)

    def action_go(self) -> None:
        """Close, and go to the entry in the log."""
        self.leave(self._reasons.number_of(self._reasons.cursor))

    def action_close(self) -> None:
        """Close."""
        self.leave(None)

    def on_click(self, event: events.Click) -> None:
        """A click on an entry goes to it in the log; a click elsewhere closes."""
        self.leave(self._reasons.number_of(self._reasons.target_at(event)))
