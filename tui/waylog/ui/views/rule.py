"""The window that shows a rule in plain words, over the view alone, so that dice, question and clocks stay in sight."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import ClassVar, Literal

from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Spacing

from waylog.rules.model.rules_reference import Reference
from waylog.toml.values import format_value
from waylog.ui.draw.cell_lines import CellLine, foot, wrap_text
from waylog.ui.draw.clickable_line_view import HitArea, Page
from waylog.ui.draw.colours import Palette, ink_of
from waylog.ui.views.list_view import ListView, margin_line
from waylog.ui.views.overlays_and_choosers import Overlay
from waylog.values import dataclass

_WIDEST = 76
_WHOLE = 88
"""In windows narrower than this, the rule takes the whole width."""
_LEAST = 5
"""The height of a rule in the smallest window."""
_LABEL = 13
_ROOMY = 52
"""The width from which on labels stand beside their texts."""


@dataclass(frozen=True, slots=True)
class RuleAnswer:
    """The person's next wish: to write a ruling on the rule, or to search the rules."""

    wants: Literal["ruling", "search"]
    id: str


class _RuleText(ListView[int], can_focus=False):
    """A rule, and the related rules that can be opened from it. The cursor is −1 while the text is read."""

    def __init__(self, reference: Reference, ids: Sequence[str], *, may_leave: bool) -> None:
        super().__init__()
        self._reference, self._here, self._may_leave = reference, tuple(ids), may_leave
        self.id_ = ids[0]
        self.cursor = -1
        self._before: list[str] = []

    @property
    def others(self) -> tuple[str, ...]:
        """The related rules, those about the same thing first."""
        return tuple(dict.fromkeys((*self._others_here, *self._reference.see_also(self.id_))))

    @property
    def _others_here(self) -> Sequence[str]:
        return [id_ for id_ in self._here if id_ != self.id_]

    def count(self) -> int:
        return len(self.others)

    def action_step(self, by: int) -> None:
        """Move the cursor to another related rule, once the text above them has been read to its end; and back."""
        if self.cursor < 0 and by > 0 and self._text_below():
            self.scroll += max(1, self.page.block[1] - 1)
            self.repaint()
        elif self.cursor + by < 0:
            self.cursor, self.scroll = -1, 0
            self.repaint()
        else:
            self.move_to(self.cursor + by)

    def _text_below(self) -> bool:
        """Whether some of the text is still out of sight when the first related rule is in sight."""
        return not self.page.areas and self.page.block[0] > self.scroll + self.page.block[1]

    def action_open(self) -> None:
        """Open the rule under the cursor."""
        if 0 <= self.cursor < self.count():
            self._before.append(self.id_)
            self._show(self.others[self.cursor])

    def go_back(self) -> None:
        """Go back to the rule from which this one was opened."""
        if self._before:
            self._show(self._before.pop())

    def _show(self, id_: str) -> None:
        self.id_, self.cursor, self.scroll = id_, -1, 0
        self.repaint()

    # -- rendering ----------------------------------------------------------------------------------------------

    def height_at(self, ink: Palette, width: int) -> int:
        """Return the height of the whole rule at that width."""
        return len(self._body(ink, width).lines) + 2

    def render_page(self, ink: Palette, width: int, height: int) -> Page[int]:
        body, room = self._body(ink, width), max(1, height - 2)
        page = self.in_window(body, self.cursor if self.cursor >= 0 else None, room, ink)
        lines = [self._head(ink, width), *page.lines]
        lines += [CellLine(width) for _ in range(height - 1 - len(lines))]
        areas = [area.shift_down(1) for area in page.areas]
        return Page([*lines, self._foot(ink, width)], areas, page.scroll, (len(body.lines), room))

    def _head(self, ink: Palette, width: int) -> CellLine:
        code = f" {self.id_} "
        title = CellLine(width).add(" ", ink.rule)
        title.add(f"{self._reference.clauses[self.id_].title} ", ink.accent, most=max(8, width - len(code) - 3))
        return (
            title.fill("─", ink.rule, until=max(title.used, width - len(code) - 1))
            .add(code, ink.dim)
            .fill("─", ink.rule)
        )

    def _foot(self, ink: Palette, width: int) -> CellLine:
        keys = [("↑↓", "choose")] if self.others else []
        keys += [("⏎", "open")] if self.cursor >= 0 else []
        keys += [("e", "write a ruling"), ("/", "search")] if self._may_leave else []
        keys += [("←", "back")] if self._before else []
        return foot([*keys, ("Esc", "close")], ink, width)

    def _body(self, ink: Palette, width: int) -> Page[int]:
        lines = list(self._texts(ink, width))
        areas = list[HitArea[int]]()
        headings = {0: "Also here", len(self._others_here): "See also"}
        for index, id_ in enumerate(self.others):
            if index in headings:
                lines += [CellLine(width), CellLine(width).to(2).add(headings[index], ink.dim)]
            here = index == self.cursor
            line = margin_line(width, ink, here=here)
            line.add(self._reference.clauses[id_].title, ink.plain, most=width - len(id_) - 6).right(
                id_, ink.dim, margin=2
            )
            areas.append(HitArea(0, len(lines), width, 1, index))
            lines.append(line.over(ink.under_cursor) if here else line)
        return Page(lines, areas)

    def _texts(self, ink: Palette, width: int) -> Iterator[CellLine]:
        reference, id_ = self._reference, self.id_
        yield from (
            CellLine(width).to(2).add(part, ink.plain) for part in wrap_text(reference.clauses[id_].text, width - 4)
        )
        if other := reference.replacement_of(id_):
            text = f"In this edition, “{reference.clauses[other].title}” applies instead"
            yield from (CellLine(width).to(2).add(part, ink.warn) for part in wrap_text(text, width - 4))
        yield CellLine(width)
        for rule in reference.house_rules_of(id_):
            style = ink.dim if rule.is_default else ink.strong
            value = f"“{rule.value}”" if isinstance(rule.value, str) else format_value(rule.value)
            text = f"{rule.about}. Now {value}{' (default)' if rule.is_default else ''}"
            yield from _label_text("House rule", text, style, ink, width)
        ruling = reference.rulings.get(id_)
        none = "none. Press e to write one" if self._may_leave else "none"
        yield from _label_text("Your ruling", ruling or none, ink.strong if ruling else ink.dim, ink, width)


def _label_text(label: str, text: str, style: Style, ink: Palette, width: int) -> Iterator[CellLine]:
    """Return a text beside its label, or under it if the window is narrow."""
    if width < _ROOMY:
        yield CellLine(width).to(2).add(label, ink.dim)
        yield from (CellLine(width).to(4).add(part, style) for part in wrap_text(text, width - 6))
        return
    for number, part in enumerate(wrap_text(text, width - _LABEL - 4)):
        yield CellLine(width).to(2).add("" if number else label, ink.dim).to(2 + _LABEL).add(part, style)


class RuleScreen(Overlay[RuleAnswer | None], inherit_bindings=False):
    """The screen closes with what the person wants next, or with None."""

    CSS_PATH = "rule.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j,tab,space,pagedown", "step(1)", "Next", id="rule.down", tooltip="Next related rule"),
        Binding("up,k,shift+tab,pageup", "step(-1)", "Previous", id="rule.up", tooltip="Previous related rule"),
        Binding("enter,right", "open", "Open", id="rule.open", tooltip="Open the related rule"),
        Binding("left,backspace", "back", "Back", id="rule.back", tooltip="Back to the previous rule"),
        Binding("e", "leave_for('ruling')", "Ruling", id="rule.ruling", tooltip="Write your ruling on this rule"),
        Binding("slash", "leave_for('search')", "Search", id="rule.search", tooltip="Search the rules"),
        Binding("escape,i,f1,q,ctrl+c", "close", "Close", id="rule.close", tooltip="Back"),
    ]

    def __init__(
        self, reference: Reference, ids: Sequence[str], free: Callable[[], Spacing], *, may_leave: bool = True
    ) -> None:
        """Show the first of these rules. `free` says how much of each side of the window stays free now.

        Without `may_leave`, rulings and search are off, because a line that is being typed waits for its end.
        """
        self._text = _RuleText(reference, ids, may_leave=may_leave)
        super().__init__(self._text)
        self._free, self._may_leave = free, may_leave

    def fit(self) -> None:
        """Fit the width and the height to the rule, right above the lines that stay free."""
        free, (columns, lines) = self._free(), self.app.size
        columns -= free.right
        # A frame shows where it ends if the view behind it can be seen at its side.
        frame = 2 if columns >= _WHOLE else 0
        self.set_class(bool(frame), "-framed")
        width = _WIDEST if frame else columns
        room = max(_LEAST, lines - free.top - free.bottom)
        self._text.styles.width = width
        self._text.styles.margin = (0, free.right, free.bottom, 0)
        self._text.styles.height = min(room, self._text.height_at(ink_of(self._text), width - frame) + frame)

    def action_step(self, by: int) -> None:
        """Move the cursor among the related rules."""
        self._text.action_step(by)

    def action_open(self) -> None:
        """Open the rule under the cursor."""
        self._text.action_open()
        self.fit()

    def action_back(self) -> None:
        """Go back to the rule before."""
        self._text.go_back()
        self.fit()

    def action_leave_for(self, wants: Literal["ruling", "search"]) -> None:
        """Close, to write a ruling or to search."""
        if self._may_leave:
            self.leave(RuleAnswer(wants, self._text.id_))

    def action_close(self) -> None:
        """Close."""
        self.leave(None)

    def on_click(self, event: events.Click) -> None:
        """A click on a related rule opens it; a click elsewhere closes."""
        target = self._text.target_at(event)
        if target is not None:
            self._text.cursor = target
            self.action_open()
        elif event.widget is not self._text:
            self.leave(None)
