"""What the wayfinder's app does when somebody asks for a pause: cover the window, and go on as the wayfinder chooses."""

from __future__ import annotations

from collections.abc import Callable

from textual.screen import Screen

from waylog.app.table_sync import refusal_of_error
from waylog.store.pause import ask_for_pause, end_pause
from waylog.table import Table
from waylog.ui.main_screen import MainScreen
from waylog.ui.views.pause import PauseScreen, WayfinderPauseScreen


class PauseCommands:
    """The commands about pauses. What can't be done is said in the window."""

    def __init__(
        self,
        table: Table,
        frame: MainScreen,
        push_screen: Callable[[Screen[str | None], Callable[[str | None], None]], object],
        do: Callable[[Callable[[], object]], None],
    ) -> None:
        """`do` lets the table do something, and shows what came of it."""
        self._table, self._frame, self._push_screen, self._do = table, frame, push_screen, do

    def ask(self) -> bool:
        """Pause the game on every screen. Return False if that isn't possible."""
        try:
            ask_for_pause(self._table.folder)
        except OSError as trouble:
            self._frame.refuse(refusal_of_error(trouble))
            return False
        return True

    def cover(self, mark: str) -> None:
        """Cover the window. What was typed is still there afterwards. The screen has the class `mark`."""
        screen = PauseScreen if self._table.read_only else WayfinderPauseScreen
        self._push_screen(screen(classes=mark), self._go_on)

    def _go_on(self, choice: str | None) -> None:
        """End the pause. A rewind is asked about in the window, as always."""
        try:
            end_pause(self._table.folder)
        except OSError as trouble:
            self._frame.refuse(refusal_of_error(trouble))
        if choice == "rewind":
            self._frame.action_ask_rewind()
        elif choice == "fade":
            self._do(lambda: self._table.play(self._table.understand("scene")))
