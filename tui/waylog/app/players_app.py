"""The players' app: it shows one file and follows it. It knows no campaign and changes nothing."""

from __future__ import annotations

import gc
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.screen import Screen

from waylog.app.base_app import THEMES, BaseApp, defer_signals
from waylog.settings import SettingsFile
from waylog.store.attendance import PlayersPause, why_no_pause
from waylog.store.lock_and_replace import FileSignature, file_signature
from waylog.store.players_file import FILE, UnreadablePlayersFile, decode_projection
from waylog.store.projection import Projection
from waylog.toml.document import FileMissing, UnreadableFile, read_bytes
from waylog.ui.views.players import ReadOnlyScreen

if TYPE_CHECKING:
    from waylog.ui.views.pause import PlayersPauseScreen

_LOOK = 0.5
"""Seconds between two looks at the file."""
_NOTICE = 5.0
"""Seconds that a notice is shown."""
NO_PAUSE = "You can't ask for a pause here. If you need one, say it aloud. {}"
GONE = "The campaign is no longer there. This is its last known state."


class PlayersApp(BaseApp, inherit_bindings=False):
    """The players' view of a campaign, on one terminal. It can't be suspended, because there may be no shell to go back to."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,ctrl+q,ctrl+c,ctrl+d", "leave", "Quit", id="quit", tooltip="Leave"),
        Binding("x", "ask_for_pause", "Pause", id="players.pause", tooltip="Ask for a pause (twice, or held down)"),
        THEMES,
    ]

    def __init__(self, folder: Path, theme: str | None = None, chosen: SettingsFile | None = None) -> None:
        super().__init__(theme, chosen)
        self._folder, self._path = folder, folder / FILE
        self._trouble = self._notice = self._no_pause = ""
        self._pause = PlayersPause(folder)
        self._cover: PlayersPauseScreen | None = None
        self._known: FileSignature | None = None
        self._seen: Projection | None = None

    def get_default_screen(self) -> Screen[None]:
        self._window = ReadOnlyScreen(None)
        return self._window

    def on_mount(self) -> None:
        self._look()
        self.look_every(_LOOK, self._look)
        self.heed_endings()
        gc.enable()

    def _look(self) -> None:
        """Show the file, if it has changed since the last look, and a pause while there is one."""
        self.watch_theme_file()
        self._look_for_pause()
        found, why_not = file_signature(self._path), why_no_pause(self._folder)
        if found == self._known and why_not == self._no_pause:
            return
        self._no_pause = why_not
        self._known = found
        self._trouble = ""
        try:
            self._seen = decode_projection(read_bytes(self._path))
        except FileMissing:
            self._trouble = GONE if self._seen else ""
        except UnreadablePlayersFile as error:
            self._trouble = str(error)
        except UnreadableFile as unreadable:
            self._trouble = f"{FILE} {unreadable.problems[0].message}"
        if self._seen:
            self.set_window_title(self._seen.name)
        self._show()

    def _show(self) -> None:
        no_pause = NO_PAUSE.format(self._no_pause) if self._no_pause and self._seen else ""
        self._window.show(self._seen, self._trouble or self._notice or no_pause)

    # -- a pause ------------------------------------------------------------------------------------------------

    def action_ask_for_pause(self) -> None:
        """Ask for a pause at the second press. The first one says so."""
        if not self._notice:
            self._notify("Press x again to ask for a pause. Nobody sees who asked.")
            return
        self._answer_pause("again")

    def _notify(self, notice: str) -> None:
        """Show a line above the view for a few seconds."""
        self._notice = notice
        self._show()
        if notice:
            self.set_timer(_NOTICE, partial(self._notify, ""), name="notice")

    def _look_for_pause(self) -> None:
        """Cover the window while the game is paused, and while a pause has not reached the wayfinder."""
        pause = self._pause
        pause.look()
        if not (pause.paused or pause.lost):
            if self._cover is not None:
                self.pop_screen()
                self._cover = None
            return
        if self._cover is None:
            from waylog.ui.views.pause import PlayersPauseScreen  # Most games have no pause.

            self._cover = PlayersPauseScreen(self._answer_pause)
            self.push_screen(self._cover)
        self._cover.show(pause.lost, paused=pause.paused)

    def _answer_pause(self, result: str) -> None:
        """Ask for a pause, or forget one that has reached nobody."""
        if self._pause.paused:
            return
        if result == "again":
            self._pause.ask()
        else:
            self._pause.dismiss()
        self._look_for_pause()


def watch(folder: Path, *, theme: str | None = None, chosen: SettingsFile | None = None) -> int:
    """Follow a campaign until the person leaves. Return the exit code. Raises what went wrong, once the terminal is
    restored.
    """
    with defer_signals():
        app = PlayersApp(folder, theme, chosen)
        app.run()
    return app.result()
