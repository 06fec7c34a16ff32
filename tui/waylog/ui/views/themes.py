"""The gallery of themes: a list beside the window, which shows the theme under the cursor at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message

from waylog.rules.model.facts import OutcomeGrade
from waylog.ui.draw.cell_lines import CellLine, foot
from waylog.ui.draw.clickable_line_view import HitArea, Page
from waylog.ui.draw.colours import SIGNS, Palette
from waylog.ui.views.list_view import ListView, in_window, margin_line
from waylog.ui.views.overlays_and_choosers import Overlay
from waylog.values import dataclass

_WIDTH = 34
_SAMPLE = 9
"""Lines of the sample below the list."""
_OUTCOMES = {
    OutcomeGrade.FIASCO: "Fiasco",
    OutcomeGrade.DRAWBACK: "Success with drawback",
    OutcomeGrade.SUCCESS: "Success",
    OutcomeGrade.CRITICAL: "Critical success",
}


class _ThemeList(ListView[int], can_focus=True):
    """The names of the themes, above a sample drawn in the theme under the cursor."""

    @dataclass
    class Chosen(Message):
        """The theme under the cursor is to be kept."""

    def __init__(self, labels: Sequence[str], cursor: int) -> None:
        super().__init__()
        self._labels = labels
        self.cursor = cursor

    def count(self) -> int:
        return len(self._labels)

    def move_to(self, index: int) -> None:
        before = self.cursor
        super().move_to(index)
        if self.cursor != before:
            self.screen.post_message(ThemesScreen.Previewed(self.cursor))

    def action_open(self) -> None:
        """Keep the theme."""
        self.post_message(self.Chosen())

    def render_page(self, ink: Palette, width: int, height: int) -> Page[int]:
        head = [CellLine(width).add(" Themes ", ink.accent).fill("─", ink.rule)]
        lines, areas = list[CellLine](), list[HitArea[int]]()
        for index, label in enumerate(self._labels):
            here = index == self.cursor
            line = margin_line(width, ink, here=here).add(label, ink.plain)
            areas.append(HitArea(0, index, width, 1, index))
            lines.append(line.over(ink.under_cursor) if here else line)
        sample = _render_sample(ink, width) if height >= len(self._labels) + _SAMPLE + 2 else []
        keys = foot((("⏎", "keep"), ("↑↓", "look"), ("Esc", "back")), ink, width)
        room = max(1, height - len(head) - len(sample) - 1)
        page = in_window(Page(lines, areas), self.cursor, self.scroll, 0, room, ink).below(head)
        blank = [CellLine(width) for _ in range(height - len(page.lines) - len(sample) - 1)]
        return page._replace(lines=[*page.lines, *blank, *sample, keys])


def _render_sample(ink: Palette, width: int) -> Sequence[CellLine]:
    lines = [CellLine(width), CellLine(width).to(1).fill("─", ink.rule, until=width - 1)]
    lines += [
        CellLine(width).to(2).add(f"{SIGNS[grade]} {text}", ink.moods[grade]) for grade, text in _OUTCOMES.items()
    ]
    marks = CellLine(width).to(2).add("✓ held", ink.held).add("  ✗ lost", ink.lost).add("  6 ", ink.plain)
    clock = (
        CellLine(width)
        .to(2)
        .add("▰▰▰", ink.filled)
        .add("▱▱▱", ink.empty)
        .add("  3/6  ", ink.strong)
        .add("dim", ink.dim)
    )
    return [*lines, marks, clock, CellLine(width)]


class ThemesScreen(Overlay[int | None], inherit_bindings=False):
    """The screen of the gallery. It closes with the index of the theme to keep, or with None."""

    CSS_PATH = "themes.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j,tab,ctrl+t", "step(1)", "Next", id="themes.down", tooltip="Next theme"),
        Binding("up,k,shift+tab", "step(-1)", "Previous", id="themes.up", tooltip="Previous theme"),
        Binding("enter", "keep", "Keep", id="themes.keep", tooltip="Keep this theme"),
        Binding("escape,q,ctrl+c", "close", "Close", id="themes.close", tooltip="Back to the previous theme"),
        Binding("ctrl+q,ctrl+d", "app.leave", "Quit", id="themes.quit", tooltip="Quit"),
    ]

    @dataclass
    class Previewed(Message):
        """The cursor has moved to another theme, which is to be shown."""

        index: int

    def __init__(self, labels: Mapping[str, str], worn: str) -> None:
        """`labels` has the name of each theme and its label for people; `worn` is the current theme."""
        names = list(labels)
        self._list = _ThemeList(tuple(labels.values()), names.index(worn) if worn in names else 0)
        super().__init__(self._list)

    def fit(self) -> None:
        columns, lines = self.app.size
        # A frame shows where it ends if the view behind it can be seen at its side.
        frame = 2 if columns >= 2 * _WIDTH else 0
        self.set_class(bool(frame), "-framed")
        self._list.styles.width = _WIDTH + frame if frame else columns
        self._list.styles.margin = (1, 0, 0, 0)
        self._list.styles.height = min(self._list.count() + _SAMPLE + 2 + frame, lines - 1)

    def action_step(self, by: int) -> None:
        """Move to another theme. After the last comes the first."""
        self._list.move_to((self._list.cursor + by) % self._list.count())

    def action_keep(self) -> None:
        """Close and keep the theme."""
        self.leave(self._list.cursor)

    def action_close(self) -> None:
        """Close."""
        self.leave(None)

    def on__theme_list_chosen(self) -> None:
        self.action_keep()

    def on_click(self, event: events.Click) -> None:
        """Close if the click is beside the list."""
        if event.widget is not self._list:
            self.leave(None)
