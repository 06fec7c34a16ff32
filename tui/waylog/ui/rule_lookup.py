"""The rules of what the person is looking at, on top of the window, and rulings that are written there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from textual.geometry import Spacing
from textual.screen import Screen

from waylog.rules.facts import NoteFact
from waylog.rules.moves import Refusal
from waylog.ui.act_flow import ActFlow
from waylog.ui.layout import Rect
from waylog.ui.line.choices import PromptRequest
from waylog.ui.menus import TITLES, line_for_ruling
from waylog.ui.views.sheet import SCENE
from waylog.ui.window import Window

if TYPE_CHECKING:
    from waylog.ui.line.line_input import LineInput
    from waylog.ui.views.rule import RuleAnswer


class RuleLookup:
    """Finds the rules that are meant, and shows them."""

    def __init__(self, screen: Screen[None], window: Window, flow: ActFlow) -> None:
        self._screen, self._window, self._flow = screen, window, flow
        self.refused_by: str | None = None
        """The clause of the refusal that the last key has removed."""

    def show(self, id_: str) -> None:
        """Show a rule: the given one, that of a refusal or question, or that of what is under the cursor."""
        if ids := (id_,) if id_ else self._rules_here():
            self._open(ids)
        else:
            self.search()

    def search(self) -> None:
        """Open the line that searches the rules."""
        self._flow.ask(PromptRequest(TITLES[""], text="rule "))

    def show_of_line(self, line: LineInput) -> None:
        """Show the rules of the command line, which continues afterwards."""
        from waylog.ui.line.line_input import rules_of_line

        if ids := rules_of_line(line, self._window.snapshot.reference):
            self._open(ids)

    def _rules_here(self) -> Sequence[str]:
        """Return the ids of the rules of what the person is looking at, the nearest first."""
        shown, tray = self._window.snapshot, self._window.tray
        reference = shown.reference
        asked = reference.about_move(tray.selected_follow_up) if tray.selected_follow_up else ()
        latest = [fact.clause for entry in shown.act for fact in entry.facts if isinstance(fact, NoteFact)]
        offered = [move.id for _, move in tray.choices]
        names = (self.refused_by, *asked, *self._window.view.topics(), *latest, *offered)
        return reference.about(*filter(None, names))

    def _open(self, ids: Sequence[str]) -> None:
        from waylog.ui.views.rule import RuleScreen

        window, size = self._window, self._screen.size
        frame = window.frame
        body = frame.body if frame else Rect(0, 0, size.width, size.height)
        bottom = body.bottom - (frame.covered if frame else 0)
        # The scene has the open dice in its upper half.
        above = bottom // 2 if window.tab == SCENE else 0
        free = Spacing(above, size.width - body.width, size.height - bottom)
        screen = RuleScreen(window.snapshot.reference, ids, free, may_leave=not window.typing)
        self._screen.app.push_screen(screen, self._go_on)

    def _go_on(self, answer: RuleAnswer | None) -> None:
        """Continue after the rules: with a search, or by writing a ruling."""
        if answer is None:
            return
        if answer.wants == "search":
            self.search()
            return
        line = line_for_ruling(self._window.snapshot.moves, self._window.snapshot.reference, answer.id)
        if isinstance(line, Refusal):
            self._window.refuse(line)
        else:
            self._flow.ask(line)
