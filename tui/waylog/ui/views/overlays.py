"""The screen of a pause that somebody at the table has asked for: a sentence, and the keys by which play goes on.

`Overlay`, the base of the screens that lie over the main one: it shows one view, gives it its place, and closes once.

A list to choose one thing from, over the window: campaigns, games. What is typed searches it.

The gallery of themes: a list beside the window, which shows the theme under the cursor at once.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.screen import ModalScreen

from waylog.rules.model.facts import OutcomeGrade
from waylog.rules.model.moves import Refusal
from waylog.ui.draw.layout import overlay_height
from waylog.ui.draw.line_view import HitArea, LineView, Page
from waylog.ui.draw.palette import CellLine, Palette, cells_of, foot, head, wrap_text
from waylog.ui.line.line_editor import LineEditor
from waylog.ui.views.list_view import ListView, in_window, margin_line
from waylog.values import dataclass

T = TypeVar("T")


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

    def fit(self) -> None:
        """Give the view its place. A subclass without one of its own leaves that to its stylesheet."""

    def fit_at_foot(self, wanted: int) -> None:
        """Give the view the whole width at the foot of the window, and so many lines if there is room for them."""
        columns, lines = self.app.size
        self._overlaid.styles.width = columns
        self._overlaid.styles.height = overlay_height(lines, wanted)
        self._overlaid.repaint()

    def leave(self, result: T) -> None:
        """Close with a result, once: the next key of a burst may come before the screen is gone."""
        if self.is_current:
            self.dismiss(result)


_ROOMY = 60
"""Columns from which on what a row is stands beside its name."""
_STEPS = {"down": 1, "tab": 1, "up": -1, "shift+tab": -1, "pagedown": 8, "pageup": -8, "home": -999, "end": 999}
_FRAME = 4
"""Lines beside the list: the title, a blank one, what is searched for or what is wrong, and the keys."""


class ChooserRow(NamedTuple):
    """A thing to choose."""

    name: str
    note: str = ""
    """What it is, in a few words."""


_TAKEN, _LEFT = True, False
"""How the screen closes: a row was taken, or none."""
Take = Callable[[int], Refusal | None]
"""Takes the row of that number. Returns why that isn't possible."""


class _ChooserList(ListView[int], can_focus=False):
    def __init__(self, title: str, rows: Sequence[ChooserRow]) -> None:
        super().__init__()
        self._title, self._rows = title, rows
        self.found = [*range(len(rows))]
        """The rows that have what is searched for, by their numbers."""
        self.text = ""
        self.refusal: Refusal | None = None

    def count(self) -> int:
        return len(self.found)

    def step(self, by: int) -> None:
        """Move the cursor by so many rows. A step of one wraps around: from the last row to the first, and the other way."""
        if abs(by) == 1 and self.found:
            self.move_to((self.cursor + by) % len(self.found))
        else:
            self.action_step(by)

    def narrow(self, text: str) -> None:
        """Show the rows that have every word of a text."""
        words = text.lower().split()
        self.text, self.refusal, self.cursor = text, None, 0
        self.found = [
            number
            for number, row in enumerate(self._rows)
            if all(word in f"{row.name} {row.note}".lower() for word in words)
        ]
        self.repaint()

    def _names_end(self, width: int) -> int:
        """Return the column where the descriptions of rows begin beside their names, in a large window."""
        return min(max(cells_of(each.name) for each in self._rows), width // 2) + 5

    def _is_shown_whole(self, row: ChooserRow, width: int) -> bool:
        return not row.note or (width >= _ROOMY and self._names_end(width) + cells_of(row.note) <= width)

    def render_item(self, index: int, ink: Palette, width: int) -> Sequence[CellLine]:
        row, here = self._rows[self.found[index]], index == self.cursor
        line = margin_line(width, ink, here=here)
        if width < _ROOMY:  # What the row is stands below the list.
            line.add(row.name, ink.strong)
        else:
            end = self._names_end(width)
            line.add(row.name, ink.strong, most=end - 5).to(end).add(row.note, ink.dim)
        return [line.over(ink.under_cursor) if here else line]

    def render_page(self, ink: Palette, width: int, height: int) -> Page[int]:
        page = super().render_page(ink, width, max(1, height - _FRAME)).below([head(self._title, ink, width)])
        lines = [*page.lines, *(CellLine(width) for _ in range(height - _FRAME + 2 - len(page.lines)))]
        if not self.found:
            lines[1] = CellLine(width).to(2).add(f"Nothing has “{self.text}” in it", ink.dim)
        note = CellLine(width).to(2)
        if self.refusal:
            note.add(f"✗ {self.refusal.reason}", ink.bad)
        elif self.text:
            note.add("find › ", ink.key).add(self.text, ink.strong).add(" ", ink.caret)
        elif self.found and not self._is_shown_whole(row := self._rows[self.found[self.cursor]], width):
            *above, last = wrap_text(row.note, width - 4, 2)
            lines[-1:] = [CellLine(width).to(2).add(text, ink.dim) for text in above] or lines[-1:]
            note.add(last, ink.dim)
        keys = foot((("⏎", "choose"), ("↑↓", "move"), ("letters", "search"), ("Esc", "leave")), ink, width)
        return Page([*lines, note, keys], page.areas, page.scroll, page.block)


class ChooserScreen(Overlay[bool], inherit_bindings=False):
    """Closes with True once a row was taken, or with False."""

    CSS_PATH = "overlays.tcss"

    def __init__(self, title: str, rows: Sequence[ChooserRow], take: Take) -> None:
        """`take` is called with the number of the row that was chosen."""
        self._list = _ChooserList(title, rows)
        super().__init__(self._list)
        self._rows, self._take = len(rows), take
        self._editor = LineEditor()

    def fit(self) -> None:
        self.fit_at_foot(self._rows + _FRAME)

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


_PAUSED = "The game is paused. Somebody at the table has asked for it."
_NOBODY = "Nobody sees who asked, and no file keeps it."
_MARGIN = 2
_LOST = "The pause has not reached the wayfinder."
_ONLY_HERE = "The game is paused, but the pause has not reached the wayfinder."
_BIG = (
    " ███  ██  █   █   ███ █████",
    "█    █  █  █ █     █    █  ",
    " ██  ████   █      █    █  ",
    "   █ █  █   █      █    █  ",
    "███  █  █   █     ███   █  ",
    "",
    " ██  █     ██  █  █ ███ ",
    "█  █ █    █  █ █  █ █  █",
    "████ █    █  █ █  █ █  █",
    "█  █ █    █  █ █  █ █  █",
    "█  █ ████  ██   ██  ███ ",
)
"""SAY IT ALOUD."""
_PLAIN = "SAY IT ALOUD"
CHOICES = (
    ("r", "rewind", "rewind the scene (asks first)"),
    ("f", "fade", "fade out, and begin a new scene"),
    ("g", "go_on", "go on"),
)
"""What the wayfinder can do: the key, the result of the screen, and what it does."""
_WHEN_LOST = (("x", "again", "ask again"), ("Esc", "back", "back to the game"))
"""The same for a player whose pause has not reached the wayfinder."""


class _PauseText(LineView[str], can_focus=False):
    """The sentence in the middle of the window, above the wayfinder's choices. A click on a choice is the same as its key."""

    def __init__(self, choices: Sequence[tuple[str, str, str]]) -> None:
        super().__init__()
        self._choices = choices
        self._lost = ""
        """Why the pause has not reached the wayfinder."""

    def show(self, lost: str, choices: Sequence[tuple[str, str, str]]) -> None:
        """Show why the pause has not reached the wayfinder; with an empty text, that the game is paused."""
        if (lost, choices) != (self._lost, self._choices):
            self._lost, self._choices = lost, choices
            if self.is_attached:
                self.repaint()

    def render_page(self, ink: Palette, width: int, height: int) -> Page[str]:
        room = max(1, width - 2 * _MARGIN)
        if self._lost:
            small = [
                (part, ink.strong)
                for text in (_LOST if self._choices else _ONLY_HERE, self._lost)
                for part in wrap_text(text, room)
            ]
            # In a small window the letters go before the blank lines.
            is_tight = height < len(_BIG) + len(small) + len(self._choices) + 2
            big = [part for part in _BIG if part or not is_tight]
            fits = height >= len(big) + len(small) + len(self._choices) and room >= len(_BIG[0])
            sentences = [(part, ink.bad) for part in (big if fits else (_PLAIN,))]
            sentences += [*([] if is_tight else [("", ink.plain)]), *small]
        else:
            is_tight = False
            sentences = [(part, ink.strong) for part in wrap_text(_PAUSED, room)]
            sentences += [(part, ink.dim) for part in wrap_text(_NOBODY, room)]
        lines = [CellLine(width).to(max(0, (width - len(part)) // 2)).add(part, style) for part, style in sentences]
        areas = list[HitArea[str]]()
        left = max(_MARGIN, width // 2 - 18)
        for key, result, does in self._choices:
            if not (areas or is_tight):
                lines.append(CellLine(width))
            areas.append(HitArea(left, len(lines), width - left, 1, result))
            lines.append(CellLine(width).to(left).add(key, ink.key).add(f"  {does}", ink.plain))
        above = max(0, (height - len(lines)) // 2)
        blank = [CellLine(width)]
        page = Page(lines, areas).below(blank * above)
        return Page([*page.lines, *blank * (height - len(page.lines))][:height], page.areas)


class PauseScreen(ModalScreen[str | None], inherit_bindings=False):
    """The whole window of a player while the game is paused, or while a pause has not reached the wayfinder. The app closes it."""

    CSS_PATH = "overlays.tcss"
    BINDINGS: ClassVar[list[BindingType]] = []
    _choices: ClassVar[Sequence[tuple[str, str, str]]] = ()

    def __init__(self, classes: str) -> None:
        super().__init__(classes=classes)
        self._text = _PauseText(self._choices)

    def compose(self) -> ComposeResult:
        yield self._text

    def on_click(self, event: events.Click) -> None:
        """Take the choice that is clicked."""
        if event.widget is self._text and (result := self._text.target_at(event)):
            self.action_choose(result)

    def action_choose(self, result: str) -> None:
        """Close with what was chosen, once: the next key may come before the screen is gone."""
        if self.is_current:
            self.dismiss(result)


class PlayersPauseScreen(PauseScreen, inherit_bindings=False):
    """The same in a player's window, which says in large letters if the pause has not reached the wayfinder."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("x", "answer('again')", "Ask again", id="pause.again", tooltip="Ask for a pause again"),
        Binding("escape,enter,q", "answer('back')", "Back", id="pause.back", tooltip="Back to the game"),
    ]

    def __init__(self, answer: Callable[[str], None]) -> None:
        """`answer` gets `again` or `back`."""
        super().__init__("paused")
        self._answer = answer

    def show(self, lost: str, *, paused: bool) -> None:
        """Show why the pause has not reached the wayfinder, if it hasn't. If the game is `paused`, there is nothing to choose."""
        self._text.show(lost, _WHEN_LOST if lost and not paused else ())

    def action_answer(self, result: str) -> None:
        """Ask again, or go back."""
        self._answer(result)

    def action_choose(self, result: str) -> None:
        """A click is the same as a key."""
        self._answer(result)


class WayfinderPauseScreen(PauseScreen, inherit_bindings=False):
    """The same for the wayfinder, who says how play goes on. It closes with `rewind`, `fade` or `go_on`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "choose('rewind')", "Rewind", id="pause.rewind", tooltip="Rewind the scene"),
        Binding("f", "choose('fade')", "Fade out", id="pause.fade", tooltip="Begin a new scene"),
        Binding("g", "choose('go_on')", "Go on", id="pause.go", tooltip="Go on"),
    ]
    _choices = CHOICES


_WIDTH = 34
_SAMPLE = 9
"""Lines of the sample below the list."""
_OUTCOMES = {
    OutcomeGrade.FIASCO: "✗ Fiasco",
    OutcomeGrade.DRAWBACK: "! Success with drawback",
    OutcomeGrade.SUCCESS: "✓ Success",
    OutcomeGrade.CRITICAL: "★ Critical success",
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
    lines += [CellLine(width).to(2).add(text, ink.moods[grade]) for grade, text in _OUTCOMES.items()]
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

    CSS_PATH = "overlays.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j,tab,ctrl+t", "step(1)", "Next", id="themes.down", tooltip="Next theme"),
        Binding("up,k,shift+tab", "step(-1)", "Previous", id="themes.up", tooltip="Previous theme"),
        Binding("enter", "keep", "Keep", id="themes.keep", tooltip="Keep this theme"),
        Binding("escape,q,ctrl+c", "close", "Close", id="themes.close", tooltip="Back to the theme before"),
        Binding("ctrl+q,ctrl+d", "app.leave", "Quit", id="themes.quit", tooltip="Leave"),
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
