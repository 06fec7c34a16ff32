"""The terminal, without waiting: quitting and Escape are as quick as the keys that ask for them.

Textual's own driver looks up from its keyboard ten times a second, so quitting waits for two looks and Escape for one.
This one sleeps until a byte arrives, a time that the parser named is up, or `disable_input` wakes it.
"""

from __future__ import annotations

import os
import select
import signal
import termios
from codecs import getincrementaldecoder
from functools import partial
from typing import Any

from textual._parser import ParseError
from textual._time import get_time
from textual._xterm_parser import XTermParser
from textual.drivers.linux_driver import LinuxDriver

_ESCAPE = 0.025
"""How long an Escape may turn out to be the start of a longer key, in seconds; a slow line sends those in one piece too."""
_CHUNK = 4096


class _Parser(XTermParser):
    """Tells when it will have waited long enough."""

    @property
    def due(self) -> float | None:
        """When what has come so far counts as a key; None when nothing is half typed."""
        return self._timeout_time

    def hurry(self) -> None:
        """It has waited long enough."""
        self._timeout_time = get_time()


class Driver(LinuxDriver):
    """A Linux driver whose input thread can be woken, and which leaves when the terminal is gone."""

    def __init__(self, app: Any, **options: Any) -> None:
        super().__init__(app, **options)
        self._woken, self._wake = os.pipe()

    def disable_input(self) -> None:
        """Stop listening, now."""
        if not self.exit_event.is_set():
            os.write(self._wake, b"!")
        super().disable_input()

    def _sigcont_application(self, *_: object) -> None:
        """Go on after being stopped. A terminal that hangs up sends this signal too, and then there is nothing to go on with."""
        if not self._stands():
            return
        if not self._must_signal_resume:
            # Stopped by another hand than Ctrl+Z: what was left as it was is put down first.
            self.suspend_application_mode()
        super()._sigcont_application()

    def _stands(self) -> bool:
        """The terminal is still there."""
        try:
            termios.tcgetattr(self.fileno)
        except termios.error:
            return False
        return True

    def write(self, data: str) -> None:
        """Write, unless the terminal is gone: then nobody takes from the queue, and a full one would be waited on for ever."""
        if self._writer_thread is not None and self._writer_thread.is_alive():
            super().write(data)

    def close(self) -> None:
        """Let the writer finish, if it is still there."""
        if self._writer_thread is not None and self._writer_thread.is_alive():
            super().close()

    def run_input_thread(self) -> None:
        """Pass on keys until woken. When the terminal has gone, the app is told to leave."""
        parser = _Parser(self._debug)
        decode = getincrementaldecoder("utf-8")(errors="replace").decode
        try:
            while not self.exit_event.is_set():
                if not self._listened(parser, decode):
                    self.exit_event.wait()
        finally:
            os.read(self._woken, 1)
            try:
                for _ in parser.feed(""):
                    pass
            except (EOFError, ParseError):
                pass

    def _listened(self, parser: _Parser, decode: Any) -> bool:
        """Pass on what one wait brought. False when nothing will ever come again."""
        due = parser.due
        wait = None if due is None else max(0.0, min(due - get_time(), _ESCAPE))
        ready, _, _ = select.select([self.fileno, self._woken], [], [], wait)
        if self.fileno in ready:
            data = _read(self.fileno)
            if not data:
                self._loop.call_soon_threadsafe(partial(self._app.exit, return_code=128 + signal.SIGHUP))
                return False
            for event in parser.feed(decode(data)):
                self.process_message(event)
        elif not ready and due is not None:
            parser.hurry()
        for event in parser.tick():
            self.process_message(event)
        return True


def _read(descriptor: int) -> bytes:
    """What has been typed; nothing when the terminal has gone."""
    try:
        return os.read(descriptor, _CHUNK)
    except OSError:
        return b""
