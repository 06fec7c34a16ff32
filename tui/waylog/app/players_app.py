"""The players' app: it shows one file and follows it. It knows no campaign and changes nothing."""

from __future__ import annotations

import gc
from pathlib import Path
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.screen import Screen

from waylog.app.base_app import THEMES, BaseApp, defer_signals
from waylog.settings import SettingsFile
from waylog.store.lock_and_replace import FileSignature, file_signature
from waylog.store.players_file import FILE, UnreadablePlayersFile, decode_projection
from waylog.store.projection import Projection
from waylog.toml.document import FileMissing, UnreadableFile, read_bytes
from waylog.ui.views.players import ReadOnlyScreen

_LOOK = 0.5
"""Seconds between two looks at the file."""
GONE = "The campaign is no longer there. This is its last known state."


class PlayersApp(BaseApp, inherit_bindings=False):
    """The players' view of a campaign, on one terminal. It can't be suspended, because there may be no shell to go back to."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,ctrl+q,ctrl+c,ctrl+d", "leave", "Quit", id="quit", tooltip="Leave"),
        THEMES,
    ]

    def __init__(self, folder: Path, theme: str | None = None, chosen: SettingsFile | None = None) -> None:
        super().__init__(theme, chosen)
        self._path = folder / FILE
        self._known: FileSignature | None = None
        self._seen: Projection | None = None

    def get_default_screen(self) -> Screen[None]:
        self._window = ReadOnlyScreen(None)
        return self._window

    def on_mount(self) -> None:
        self._look()
        self.set_interval(_LOOK, self._look)
        self.heed_endings()
        gc.enable()

    def _look(self) -> None:
        """Show the file, if it has changed since the last look."""
        self.watch_theme_file()
        found = file_signature(self._path)
        if found == self._known:
            return
        self._known = found
        trouble = ""
        try:
            self._seen = decode_projection(read_bytes(self._path))
        except FileMissing:
            trouble = GONE if self._seen else ""
        except UnreadablePlayersFile as error:
            trouble = str(error)
        except UnreadableFile as unreadable:
            trouble = f"{FILE} {unreadable.problems[0].message}"
        if self._seen:
            self.set_window_title(self._seen.name)
        self._window.show(self._seen, trouble)


def watch(folder: Path, *, theme: str | None = None, chosen: SettingsFile | None = None) -> int:
    """Follow a campaign until the person leaves. Return the exit code. Raises what went wrong, once the terminal is
    restored.
    """
    with defer_signals():
        app = PlayersApp(folder, theme, chosen)
        app.run()
    return app.result()
