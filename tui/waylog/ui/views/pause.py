"""The screen of a pause that somebody at the table has asked for: a sentence, and the keys by which play goes on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from waylog.ui.draw.cell_lines import CellLine, wrap_text
from waylog.ui.draw.clickable_line_view import HitArea, LineView, Page
from waylog.ui.draw.colours import Palette
from waylog.ui.draw.large_letters_and_dice import big_text

_PAUSED = "The game is paused at the request of somebody at the table."
_NOBODY = "Nobody sees who asked, and the name isn't saved anywhere."
_MARGIN = 2
_LOST = "The pause has not reached the wayfinder."
_ONLY_HERE = "The game is paused, but the wayfinder doesn't know yet."
_ALOUD = "SAY IT ALOUD"
_BIG = big_text(_ALOUD, 30)
CHOICES = (
    ("r", "rewind", "rewind the scene (asks first)"),
    ("f", "fade", "fade out and start a new scene"),
    ("g", "go_on", "go on"),
)
"""The wayfinder's choices: for each its key, the result of the screen, and the words for it."""
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
            fits = height >= len(big) + len(small) + len(self._choices) and room >= max(map(len, _BIG))
            sentences = [(part, ink.bad) for part in (big if fits else (_ALOUD,))]
            sentences += [*([] if is_tight else [("", ink.plain)]), *small]
        else:
            is_tight = False
            sentences = [(part, ink.strong) for part in wrap_text(_PAUSED, room)]
            sentences += [(part, ink.dim) for part in wrap_text(_NOBODY, room)]
        sentences = sentences[
            : max(1, height - len(self._choices))
        ]  # What can be chosen is worth more than the end of the advice.
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

    CSS_PATH = "pause.tcss"
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
        Binding("f", "choose('fade')", "Fade out", id="pause.fade", tooltip="Start a new scene"),
        Binding("g", "choose('go_on')", "Go on", id="pause.go", tooltip="Go on"),
    ]
    _choices = CHOICES
