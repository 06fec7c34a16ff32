"""`Overlay`, the base of the screens that lie over the main one: it shows one view, gives it its place, and closes once.

`ChooserScreen`: a list to choose one thing from, such as a campaign or a game. What is typed searches it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol, TypeVar, runtime_checkable

from textual import events
from textual.app import ComposeResult
from textual.screen import ModalScreen

from waylog.rules.model.moves import Refusal
from waylog.ui.draw.cell_lines import CellLine, cells_of, foot, head, wrap_text
from waylog.ui.draw.clickable_line_view import LineView, Page
from waylog.ui.draw.colours import Palette
from waylog.ui.draw.window_layout_and_key_names import overlay_height
from waylog.ui.line.choice_list import rank_names
from waylog.ui.line.line_editor_and_recall import LineEditor
from waylog.ui.views.list_view import ListView, margin_line
from waylog.words.sentences import with_capital

T = TypeVar("T")


@runtime_checkable
class HoldsKeys(Protocol):
    """An app in which keys wait while one screen closes and another one may open."""

    def hold_keys(self) -> None:
        """Let keys wait until what follows from the end of a screen is shown."""
        ...

    def take_late(self, event: events.Key | events.Paste) -> None:
        """Handle a key that came to a screen after that had closed."""
        ...


class Overlay(ModalScreen[T], inherit_bindings=False):
    """A screen over the main one. A subclass passes its view on, handles keys and clicks, and calls `leave`.

    `fit` is called when the screen opens and whenever the window has another size.
    """

    def __init__(self, view: LineView[Any]) -> None:
        super().__init__()
        self._overlaid = view

    def compose(self) -> ComposeResult:
        yield self._overlaid

    def on_mount(self) -> None:
        self.fit()

    def on_resize(self) -> None:
        self.fit()

    async def on_event(self, event: events.Event) -> None:
        """Leave keys to the app that come after the screen has closed: the rest of a burst is for what is shown then."""
        if isinstance(event, events.Key | events.Paste) and not self.is_current and isinstance(self.app, HoldsKeys):
            self.app.take_late(event)
        else:
            await super().on_event(event)

    def fit(self) -> None:
        """Give the view its place. A subclass without one of its own leaves that to its stylesheet."""

    def fit_at_foot(self, wanted: int) -> None:
        """Give the view the whole width at the foot of the window, and so many lines if there is room for them."""
        columns, lines = self.app.size
        self.place_alone(columns, overlay_height(lines, wanted))

    def place_alone(self, width: int, height: int) -> None:
        """Give the view so many cells and lines, as far as the window has them."""
        self._overlaid.styles.width = width
        self._overlaid.styles.height = min(self.app.size.height, height)
        self._overlaid.repaint()

    def leave(self, result: T) -> None:
        """Close with a result, once: the next key of a burst may come before the screen is gone, and is for what follows."""
        if self.is_current:
            self.dismiss(result)
            if isinstance(self.app, HoldsKeys):
                self.app.hold_keys()


_ROOMY = 60
"""Columns from which on what a row is stands beside its name."""
_SOME = 16
"""Cells beside a name that are enough for the beginning of a description."""
_STEPS = {"down": 1, "tab": 1, "up": -1, "shift+tab": -1, "pagedown": 8, "pageup": -8, "home": -999, "end": 999}
_FRAME = 4
"""Lines beside the list: the title, a blank one, what is searched for or what is wrong, and the keys."""
_BESIDE_NAME = 4
"""Cells before a name and behind it."""
_MOST_BELOW = 3
"""The most lines below the list."""
_WIDEST = 100
"""Columns of a list in the middle of the window."""


class ChooserRow(NamedTuple):
    """A thing to choose."""

    name: str
    note: str = ""
    """A description in a few words; may be empty."""
    group: str = ""
    """The heading of the rows that it stands among. Rows without one are set apart by a blank line."""
    also: str = ""
    """Another name to find it by, which is not shown."""
    about: str = ""
    """What follows the description where every row has room for that; otherwise only the row under the cursor says it."""

    @property
    def in_full(self) -> str:
        """The description and what follows it."""
        return " · ".join(filter(None, (self.note, self.about)))


_TAKEN, _LEFT = True, False
"""How the screen closes: a row was taken, or none."""
Take = Callable[[int], Refusal | None]
"""Takes the row of that number. Returns why that isn't possible."""


class _ChooserList(ListView[int], can_focus=False):
    def __init__(self, title: str, rows: Sequence[ChooserRow], about: str) -> None:
        super().__init__()
        self._title, self._rows, self._about = title, rows, about
        self.found = [*range(len(rows))]
        """The rows that have what is searched for, by their numbers."""
        self.text = ""
        self.refusal: Refusal | None = None
        self._is_whole = False
        """Whether every description stands beside its row in full."""
        self._has_abouts = False
        """Whether what follows the descriptions stands there, too."""
        self._needed = 0
        """The lines that everything takes."""

    def count(self) -> int:
        return len(self.found)

    def fit(self, width: int, most: int) -> int:
        """Return how many lines everything takes at that width. Descriptions are in full if that takes at most so many."""
        around = (
            _FRAME + sum(len(self._heading(index)) for index in range(len(self._rows))) + len(self._lines_about(width))
        )
        for has_abouts in (True, False):
            self._has_abouts, self._is_whole = has_abouts, width >= _ROOMY
            self._needed = around + sum(len(self._describe(row, width)) for row in self._rows)
            if self._is_whole and self._needed <= most:
                return self._needed
        self._is_whole = False
        self._needed = around + len(self._rows)
        return self._needed

    def _describe(self, row: ChooserRow, width: int) -> Sequence[str]:
        """Return the description of a row in the lines that it has beside the name."""
        note = row.in_full if self._has_abouts else row.note
        return (self._is_whole and wrap_text(note, width - self._names_end(width, row) - 1)) or [note]

    def step(self, by: int) -> None:
        """Move the cursor by so many rows. A step of one wraps around: from the last row to the first, and the other way."""
        if abs(by) == 1 and self.found:
            self.move_to((self.cursor + by) % len(self.found))
        else:
            self.action_step(by)

    def narrow(self, text: str) -> None:
        """Show the rows that fit a text, those that fit best first."""
        self.text, self.refusal, self.cursor = text, None, 0
        found = rank_names([(row.name, row.note, row.also) for row in self._rows], text)
        self.found = sorted(found, key=lambda number: not self._rows[number].name.lower().startswith(text.lower()))
        self.repaint()

    def _heading(self, index: int) -> Sequence[str]:
        """Return the lines above a row: what begins a group, while nothing is searched for."""
        group = self._rows[index].group
        if self.text or (index and group == self._rows[index - 1].group) or not (index or group):
            return ()
        return (*([""] if index else []), *([group] if group else []))

    def _lines_about(self, width: int) -> Sequence[str]:
        return (*wrap_text(self._about, width - 4), "") if self._about else ()

    def _names_end(self, width: int, row: ChooserRow) -> int:
        """Return the column where the description of a row begins beside its name: the same for all rows, or for those of its group if
        some descriptions would be cut; and right behind the name, if they are cut nevertheless.
        """
        most = width * 3 // 5 if self._is_whole else width // 2
        for rows in (self._rows, [each for each in self._rows if each.group == row.group]):
            end = min(max(cells_of(each.name) for each in rows), most) + _BESIDE_NAME
            if self._is_whole or (width >= _ROOMY and all(end + cells_of(each.note) < width for each in rows)):
                return end
        return cells_of(row.name) + _BESIDE_NAME

    def _lines_below(self, row: ChooserRow, width: int, *, is_tight: bool) -> Sequence[str]:
        """Return what stands below the list of a row whose description isn't whole beside its name. Where the list has no lines to spare,
        what follows the description has no more than one.
        """
        if not (self._is_whole or self._names_end(width, row) + cells_of(row.note) < width):
            return wrap_text(row.note if is_tight else row.in_full, width - 4, _MOST_BELOW)
        return () if self._has_abouts or not row.about else wrap_text(row.in_full, width - 4, 1 if is_tight else 2)

    def render_item(self, index: int, ink: Palette, width: int) -> Sequence[CellLine]:
        row, here = self._rows[self.found[index]], index == self.cursor
        lines = [margin_line(width, ink, here=here)]
        end = self._names_end(width, row)
        first, *more = self._describe(row, width)
        lines[0].add(row.name, ink.strong, most=end - _BESIDE_NAME).to(end)
        if self._is_whole or end + min(_SOME, cells_of(first)) < width:
            lines[0].add(first, ink.dim, most=width - end - 1)
        lines += [CellLine(width).to(end).add(part, ink.dim) for part in more]
        above = [CellLine(width).to(2).add(text, ink.accent) for text in self._heading(self.found[index])]
        return [*above, *(line.over(ink.under_cursor) if here else line for line in lines)]

    def render_page(self, ink: Palette, width: int, height: int) -> Page[int]:
        about = self._lines_about(width)
        about = about if height > _FRAME + len(about) + 4 else ()
        # In a small window, rows are worth more than blank lines.
        tight = int(self._needed > height)
        about = about[: len(about) - tight]
        # As many for each row, so that the list stays where it is.
        below = [self._lines_below(self._rows[number], width, is_tight=bool(tight)) for number in self.found]
        room = height - _FRAME - len(about) + tight - max(0, max(map(len, below), default=0) - 2 + tight)
        top = [head(self._title, ink, width), *(CellLine(width).to(2).add(text, ink.plain) for text in about)]
        page = super().render_page(ink, width, max(1, room)).below(top)
        lines = [*page.lines, *(CellLine(width) for _ in range(height - _FRAME + 2 - len(page.lines)))]
        if not self.found:
            lines[len(top)] = CellLine(width).to(2).add(f"Nothing contains “{self.text}”", ink.dim)
        note = CellLine(width).to(2)
        if self.refusal:
            note.add(f"✗ {with_capital(self.refusal.reason)}", ink.bad)
        elif self.text:
            note.add("find › ", ink.key).add(self.text, ink.strong).add(" ", ink.caret)
        elif self.found and (parts := below[self.cursor]):
            above = [CellLine(width).to(2).add(text, ink.dim) for text in parts[:-1]]
            lines[len(lines) - len(above) :] = above
            note.add(parts[-1], ink.dim)
        keys = foot((("⏎", "choose"), ("↑↓", "move"), ("letters", "search"), ("Esc", "leave")), ink, width)
        return Page([*lines, note, keys], page.areas, page.scroll, page.block)


class ChooserScreen(Overlay[bool], inherit_bindings=False):
    """Closes with True once a row was taken, or with False."""

    CSS_PATH = "overlays_and_choosers.tcss"

    def __init__(self, title: str, rows: Sequence[ChooserRow], take: Take, about: str = "", at: int = 0) -> None:
        """`take` is called with the number of the row that was chosen. The cursor is `at` one of them. With a sentence `about` it, the
        list is in the middle of the window, where there is nothing else.
        """
        self._list = _ChooserList(title, rows, about)
        self._list.cursor = at
        super().__init__(self._list)
        self._take = take
        self._is_alone = bool(about)
        self.set_class(self._is_alone, "-alone")
        self._editor = LineEditor()

    def fit(self) -> None:
        columns, lines = self.app.size
        if self._is_alone:
            width = min(columns, _WIDEST)
            # One line more, so that a description of two lines stands apart from the list.
            self.place_alone(width, self._list.fit(width, lines - 1) + 1)
        elif self.has_class("-top"):  # Neither is there anything else then.
            self.place_alone(columns, self._list.fit(columns, lines))
        else:
            self.fit_at_foot(self._list.fit(columns, lines - 1))

    def on_key(self, event: events.Key) -> None:
        """Move, search, choose or leave."""
        event.stop()
        event.prevent_default()
        text = self._editor.text
        if event.key in _STEPS:
            self._list.step(_STEPS[event.key])
        elif event.key == "enter":
            self._choose()
        elif event.key == "ctrl+c" or (event.key == "escape" and not text):
            self.leave(_LEFT)
        elif event.key == "escape":
            self._editor.set("")
            self._list.narrow("")
        elif self._editor.consume_key(event.key):
            self._list.narrow(self._editor.text)
        elif event.is_printable and event.character:
            self._editor.insert(event.character)
            self._list.narrow(self._editor.text)

    def _choose(self) -> None:
        if self._list.found:
            refusal = self._take(self._list.found[self._list.cursor])
            self._list.refusal = refusal
            if refusal is None:
                self.leave(_TAKEN)
            self._list.repaint()

    def on_click(self, event: events.Click) -> None:
        """A click chooses."""
        target = self._list.target_at(event)
        if target is not None:
            self._list.move_to(target)
            self._choose()
