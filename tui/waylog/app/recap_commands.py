"""Commands of the wayfinder's app about recaps: write, show and copy one, and say who acted (NM-41)."""

from __future__ import annotations

from collections.abc import Callable

from textual.screen import Screen

from waylog.app.table_sync import refusal_of_error
from waylog.rules.moves import ActRefused, Refusal
from waylog.store.pace import NONE_YET
from waylog.store.recap_markdown import latest_recap, recap_text
from waylog.table import Table
from waylog.toml.document import UnreadableFile, read_bytes
from waylog.ui.key_names import key_name
from waylog.ui.main_screen import MainScreen
from waylog.ui.views.recap import RecapScreen
from waylog.values import replace


class RecapCommands:
    """The commands about recaps. The window says why one isn't possible."""

    def __init__(
        self,
        table: Table,
        frame: MainScreen,
        push_screen: Callable[[Screen[None]], object],
        copy: Callable[[str], str],
    ) -> None:
        """`copy` sends a text to the clipboard, and returns what to tell the person."""
        self._table, self._frame, self._push_screen, self._copy = table, frame, push_screen, copy

    def write(self) -> None:
        """Write the recap of the latest session into the campaign's folder, to hand to the players, and show it."""
        try:
            path = self._table.write_recap()
        except ActRefused as refused:
            starts = "" if self._table.read_only else f". {key_name('session', 's')} starts one"
            self._frame.refuse(replace(refused.refusal, reason=f"{refused.refusal.reason}{starts}"))
        except OSError as trouble:
            self._frame.refuse(refusal_of_error(trouble))
        else:
            news, text = f"Recap saved: {path.name}", self._text()
            self._frame.offer_copy(news, text)
            self._show(news, text)

    def read(self) -> None:
        """Show the latest recap that was written, as its file is now."""
        try:
            path = latest_recap(self._table.folder)
            text = read_bytes(path).decode(errors="replace") if path else ""
        except (UnreadableFile, OSError) as trouble:
            self._frame.refuse(refusal_of_error(trouble))
            return
        if path:
            self._show(f"Recap: {path.name}", text)
        else:
            self._frame.refuse(Refusal("no recap has been written yet"))

    def copy(self) -> None:
        """Copy the players' recap of the latest session."""
        try:
            self._frame.say(self._copy(self._text()))
        except ActRefused as refused:
            self._frame.refuse(refused.refusal)

    def say_pace(self) -> None:
        """Say in one quiet line who acted how much in this session."""
        pace = self._table.pace()
        self._frame.say(f"Who acted: {pace.who_acted}" if pace and pace.who_acted else NONE_YET)

    def _show(self, title: str, text: str) -> None:
        self._push_screen(RecapScreen(title, text, self._copy))

    def _text(self) -> str:
        return recap_text(self._table.recap())
