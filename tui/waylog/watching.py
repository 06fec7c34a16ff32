"""The players' window: it shows what one file says, and follows it. It knows no campaign, and nothing can be done in it."""

from __future__ import annotations

import asyncio
import errno
import gc
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual.app import App
from textual.binding import Binding, BindingType
from textual.filter import LineFilter
from textual.screen import Screen

from waylog import themes
from waylog.campaign.folder import Signature, signature
from waylog.driver import Driver
from waylog.players_file import FILE, NotReadable, decoded
from waylog.projection import Projection
from waylog.screens.players import LookingScreen
from waylog.widgets.clean import Clean

_LOOK = 0.5
"""Seconds between two looks at the file."""
_ENDINGS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT, signal.SIGQUIT)
"""Signals that end it, with the terminal as it was."""
DEFAULT_THEME = "dark"
GONE = "The campaign is not there any more. This is how it was."


class Watching(App[None], inherit_bindings=False):
    """What players see of one campaign, on one terminal. It can't be suspended: there may be no shell to go back to."""

    ENABLE_COMMAND_PALETTE = False
    ALLOW_SELECT = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("q,ctrl+q,ctrl+c,ctrl+d", "leave", "Quit", id="quit", tooltip="Leave"),
    ]

    def __init__(self, folder: Path, theme: str | None = None) -> None:
        super().__init__(driver_class=Driver)
        self._path = folder / FILE
        self._known: Signature | None = None
        self._seen: Projection | None = None
        self.failure: BaseException | None = None
        self._ending: Callable[[Callable[[], None]], object] = self.call_later
        chosen = themes.theme(theme or DEFAULT_THEME)
        self.register_theme(chosen)
        self.theme = chosen.name

    def get_default_screen(self) -> Screen[None]:
        self._window = LookingScreen(None)
        return self._window

    def get_line_filters(self) -> Sequence[LineFilter]:
        return [*super().get_line_filters(), Clean()]

    def on_mount(self) -> None:
        self._look()
        self.set_interval(_LOOK, self._look)
        loop = asyncio.get_running_loop()
        if threading.current_thread() is threading.main_thread():
            for number in _ENDINGS:
                loop.add_signal_handler(number, self._ended, number)
            signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDINGS)
            self._ending = loop.call_soon_threadsafe
            threading.excepthook = self._thread_failed
        gc.enable()

    def _look(self) -> None:
        """Show what the file says, if it is another than at the last look."""
        found = signature(self._path)
        if found == self._known:
            return
        self._known = found
        trouble = ""
        try:
            self._seen = decoded(self._path.read_bytes())
        except FileNotFoundError:
            trouble = GONE if self._seen else ""
        except (NotReadable, OSError) as error:
            trouble = str(error) if isinstance(error, NotReadable) else f"{FILE}: {(error.strerror or '').lower()}"
        self._window.show(self._seen, trouble)

    # -- leaving ------------------------------------------------------------------------------------------------

    def action_leave(self) -> None:
        """Leave."""
        self.exit()

    def _ended(self, number: int) -> None:
        self.exit(return_code=128 + number)

    def _fatal_error(self) -> None:
        """An exception nobody foresaw: leave, and let `run` raise it. Textual would print it over the terminal."""
        self.failure = sys.exc_info()[1]
        self._close_messages_no_wait()

    def _thread_failed(self, args: threading.ExceptHookArgs) -> None:
        """An exception in a thread ends it as any other would. A terminal that has gone is no failure."""
        gone = isinstance(args.exc_value, OSError) and args.exc_value.errno in (errno.EIO, errno.EBADF, errno.EPIPE)
        if not gone:
            self.failure = args.exc_value
        self._ending(partial(self.exit, return_code=128 + signal.SIGHUP if gone else 1))


def watch(folder: Path, *, theme: str | None = None) -> int:
    """Look on until the person leaves; gives the exit code. Raises what went wrong inside, once the terminal is as it was."""
    signal.pthread_sigmask(signal.SIG_BLOCK, _ENDINGS)
    try:
        app = Watching(folder, theme)
        app.run()
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _ENDINGS)
    if app.failure is not None:
        raise app.failure
    return app.return_code or 0
