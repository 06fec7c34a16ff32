"""The screen of a pause that somebody at the table has asked for: a sentence, and the keys by which play goes on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from waylog.ui.draw.line_view import HitArea, LineView, Page
from waylog.ui.draw.palette import CellLine, Palette, wrap_text

_PAUSED = "The game is paused. Somebody at the table has asked for it."
_NOBODY = "Nobody sees who asked, and no file keeps it."
_MARGIN = 2
CHOICES = (
    ("r", "rewind", "rewind the scene (asks first)"),
    ("f", "fade", "fade out, and begin a new scene"),
    ("g", "go_on", "go on"),
)
"""What the wayfinder can do: the key, the result of the screen, and what it does."""


class _PauseText(LineView[str], can_focus=False):
    """The sentence in the middle of the window, above the wayfinder's choices. A click on a choice is the same as its key."""

    def __init__(self, choices: Sequence[tuple[str, str, str]]) -> None:
        super().__init__()
        self._choices = choices

    def render_page(self, ink: Palette, width: int, height: int) -> Page[str]:
        room = max(1, width - 2 * _MARGIN)
        sentences = [(part, ink.strong) for part in wrap_text(_PAUSED, room)]
        sentences += [(part, ink.dim) for part in wrap_text(_NOBODY, room)]
        lines = [CellLine(width).to(max(0, (width - len(part)) // 2)).add(part, style) for part, style in sentences]
        areas = list[HitArea[str]]()
        left = max(_MARGIN, width // 2 - 18)
        for key, result, does in self._choices:
            if not areas:
                lines.append(CellLine(width))
            areas.append(HitArea(left, len(lines), width - left, 1, result))
            lines.append(CellLine(width).to(left).add(key, ink.key).add(f"  {does}", ink.plain))
        above = max(0, (height - len(lines)) // 2)
        blank = [CellLine(width)]
        page = Page(lines, areas).below(blank * above)
        return Page([*page.lines, *blank * (height - len(page.lines))][:height], page.areas)


class PauseScreen(ModalScreen[str | None], inherit_bindings=False):
    """The whole window of a player while the game is paused. It closes when the game goes on."""

    CSS_PATH = "pause.tcss"
    BINDINGS: ClassVar[list[BindingType]] = []
    _choices: ClassVar[Sequence[tuple[str, str, str]]] = ()

    def compose(self) -> ComposeResult:
        yield _PauseText(self._choices)


class WayfinderPauseScreen(PauseScreen, inherit_bindings=False):
    """The same for the wayfinder, who says how play goes on. It closes with `rewind`, `fade` or `go_on`."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "choose('rewind')", "Rewind", id="pause.rewind", tooltip="Rewind the scene"),
        Binding("f", "choose('fade')", "Fade out", id="pause.fade", tooltip="Begin a new scene"),
        Binding("g", "choose('go_on')", "Go on", id="pause.go", tooltip="Go on"),
    ]
    _choices = CHOICES

    def action_choose(self, result: str) -> None:
        """Close with what was chosen, once: the next key may come before the screen is gone."""
        if self.is_current:
            self.dismiss(result)

    def on_click(self, event: events.Click) -> None:
        """Take the choice that is clicked."""
        view = self.query_one(_PauseText)
        if event.widget is view and (result := view.target_at(event)):
            self.action_choose(result)
