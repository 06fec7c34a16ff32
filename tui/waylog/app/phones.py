"""Phones, from an app: `waylog serve` runs beside it as a process of its own, so that no phone can delay a key.

The process writes what it serves into a pipe, and ends when nobody reads from it any more: with the app, however that ends.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from waylog.app.base_app import BaseApp, defer_signals
from waylog.settings import SettingsFile
from waylog.store.players.inbox_access_and_phone_keys import TABLE, PageAddress, ServeStatus, revoke
from waylog.ui.views.phones import PhonesScreen

_CHUNK = 64 * 1024
_ENDED = "The session has ended, so phones can no longer connect."


class PhonesProcess:
    """`waylog serve` beside an app. It needs no event loop, and outlives an app that is opened anew. `look` is called now and then."""

    def __init__(self, campaign: Path, state: Path, options: Sequence[str] = ()) -> None:
        """`state` is Waylog's state folder, `options` are those of `waylog serve` beside `--lan`."""
        self._campaign, self._state, self._options = campaign, state, options
        self._process: subprocess.Popen[bytes] | None = None
        self._read = b""
        self.status: ServeStatus | None = None
        self.trouble = ""

    @property
    def runs(self) -> bool:
        """Whether phones may come in, or soon may."""
        return self._process is not None

    def start(self, *, lan: bool) -> None:
        """Serve the page for phones: with `lan` to the local network, otherwise to this machine alone."""
        self.trouble, self._read = "", b""
        words = [os.fspath(self._campaign.resolve()), "--json", *self._options, *(["--lan"] if lan else [])]
        self._process = subprocess.Popen(
            [sys.executable, "-m", "waylog", "serve", *words],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # Ctrl+C in the app's terminal is the app's.
        )
        for pipe in (self._process.stdout, self._process.stderr):
            assert pipe
            os.set_blocking(pipe.fileno(), False)

    def stop(self) -> None:
        """Stop serving. Pages that are open lose their connection."""
        if self._process is not None:
            self._process.terminate()
            self._end()

    def renew(self, player: str) -> None:
        """Give a player a new code; the table's screen with an empty key."""
        with suppress(OSError):
            revoke(self._state, player or TABLE, self._campaign)
        self.wake()  # It looks seldom while no page is open.

    def wake(self) -> None:
        """Have the process look at the campaign and the codes now. Until it serves, it couldn't take the signal."""
        process = self._process
        if process is not None and self.status is not None:
            with suppress(OSError):
                process.send_signal(signal.SIGUSR1)

    def look(self) -> None:
        """Take in what the process says, and whether it has ended."""
        if self._process is None:
            return
        assert self._process.stdout
        *lines, self._read = (self._read + _read_pipe(self._process.stdout.fileno())).split(b"\n")
        if lines:
            tree = json.loads(lines[-1])
            if "addresses" in tree:
                self.status = ServeStatus(
                    tree["url"], tuple(PageAddress(**each) for each in tree["addresses"]), tree["trouble"]
                )
        if (code := self._process.poll()) is not None:
            assert self._process.stderr
            said_last = _read_pipe(self._process.stderr.fileno()).decode(errors="replace").strip().rpartition("\n")[2]
            self.trouble = said_last.removeprefix("waylog: ") if code else _ENDED
            self._end()

    def _end(self) -> None:
        assert self._process
        assert self._process.stdout
        assert self._process.stderr
        self._process.stdout.close()
        self._process.stderr.close()
        self._process, self.status = None, None


def _read_pipe(descriptor: int) -> bytes:
    """Return what is in a pipe; nothing if there is nothing."""
    try:
        return os.read(descriptor, _CHUNK)
    except BlockingIOError:
        return b""


class PhonesApp(BaseApp, inherit_bindings=False):
    """`waylog serve` on a terminal: the codes, and nothing else."""

    def __init__(self, phones: PhonesProcess, theme: str | None = None, chosen: SettingsFile | None = None) -> None:
        super().__init__(theme, chosen)
        self._phones = phones

    def on_mount(self) -> None:
        self.push_screen(PhonesScreen(self._phones, "end"), lambda _: self.exit())
        self.heed_endings()
        gc.enable()


def show_codes(phones: PhonesProcess, *, lan: bool, theme: str | None, chosen: SettingsFile | None) -> int:
    """Serve phones, and show their codes until the person leaves. Return the exit code. Raises what went wrong, once the terminal is
    restored.
    """
    phones.start(lan=lan)
    try:
        with defer_signals():
            app = PhonesApp(phones, theme, chosen)
            app.run()
    finally:
        phones.stop()
    return app.result()
