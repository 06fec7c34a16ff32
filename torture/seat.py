"""The app as a person has it: in a terminal, which must be as it was found when the app has left."""

from __future__ import annotations

import os
import re
import select
import signal
import sys
import termios
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from bench.terminal import NotShown, Terminal

_MODE = re.compile(rb"\x1b\[\?([0-9;]+)([hl])")
_KEYS = re.compile(rb"\x1b\[([><])[0-9;]*u")
_FROM_THE_START = {b"7", b"25"}
"""Modes that are on before anybody changes anything: lines wrap, the cursor shows."""
_PATIENCE = 60.0
FIRST = r"(?s)CPU.*HUL.*NAV"
"""What is on the first screen and on no other."""


def environment(home: Path) -> dict[str, str]:
    """What programs are told: nothing of the person's own settings, and an editor that ends at once, should a click open one."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("WAYLOG", "TEXTUAL", "XDG_"))}
    found = os.pathsep.join(str(Path(path).resolve()) for path in sys.path)
    return {
        **kept,
        "PYTHONPATH": found,
        "HOME": str(home),
        "TERM": "xterm-256color",
        "LANG": "C.UTF-8",
        "VISUAL": "true",
    }


class Seat(Terminal):
    """One run of the app in a terminal that remembers how it was."""

    def __init__(self, command: Sequence[str], home: Path) -> None:
        self.raw = bytearray()
        """All that it has written."""
        super().__init__(command, environment(home), home)
        self._found = termios.tcgetattr(self._pty)
        self._hung_up = False

    def _chunk(self, data: bytes) -> Any:
        self.raw += data
        return super()._chunk(data)

    def type(self, keys: str) -> None:
        """Press keys, and wait for nothing. Raises `NotShown` when the app has ended, for then nobody takes them."""
        if select.select([self._process], [], [], 0)[0]:
            self.settled()
            raise NotShown(f"{keys!r}: it has ended: {self.said or self.text}")
        os.write(self._pty, keys.encode())

    def left_alone(self, seconds: float) -> None:
        """Let it write what it likes for so long."""
        deadline = time.monotonic() + seconds
        while (left := deadline - time.monotonic()) > 0:
            self._taken(left)

    def signalled(self, number: signal.Signals) -> None:
        """Send a signal to the app."""
        os.kill(self.pid, number)

    def hang_up(self) -> None:
        """The line goes dead."""
        nothing = os.open(os.devnull, os.O_RDWR)
        os.dup2(nothing, self._pty)
        os.close(nothing)
        self._hung_up = True

    def stopped(self) -> bool:
        """Wait until the app is stopped. False when it won't be."""
        return self._waited("T")

    def _waited(self, state: str) -> bool:
        deadline = time.monotonic() + _PATIENCE
        while time.monotonic() < deadline:
            self._taken(0.005)
            if Path(f"/proc/{self.pid}/stat").read_text().rpartition(")")[2].split()[0] == state:
                while self._taken(0.02):
                    pass
                return True
        return False

    def ended(self, patience: float = _PATIENCE, before_it_is_gone: Callable[[], object] = lambda: None) -> int | None:
        """Wait until the app has ended; gives its exit code. None when it goes on and on."""
        deadline = time.monotonic() + patience
        while time.monotonic() < deadline:
            if select.select([self._process], [], [], 0 if self._taken(0.005) else 0.005)[0]:
                while self._taken(0):
                    pass
                before_it_is_gone()
                _, status = os.waitpid(self.pid, 0)
                self.pid = 0
                return os.waitstatus_to_exitcode(status)
        return None

    def _taken(self, wait: float) -> bool:
        return not self._hung_up and super()._taken(wait)

    def changed(self) -> str:
        """What of the terminal is not as it was found; empty when all is."""
        on, keys = set(_FROM_THE_START), 0
        for mode in _MODE.finditer(self.raw):
            names = set(mode[1].split(b";"))
            on = on | names if mode[2] == b"h" else on - names
        for pushed in _KEYS.finditer(self.raw):
            keys = max(0, keys + (1 if pushed[1] == b">" else -1))
        parts = [f"mode {name.decode()} left {'on' if name in on else 'off'}" for name in sorted(on ^ _FROM_THE_START)]
        if keys:
            parts.append("keys left in another protocol")
        if termios.tcgetattr(self._pty) != self._found:
            parts.append("the line's own settings are others")
        return ", ".join(parts)

    @property
    def said(self) -> str:
        """What was written after the screen was given back."""
        return bytes(self.raw).rpartition(b"\x1b[?1049l")[2].decode(errors="replace")


def app(home: Path, campaign: Path, *before: str, verb: str = "open") -> Seat:
    """The app on a campaign. `before` goes in front of the command: another module, with its arguments."""
    module = before or ("waylog",)
    return Seat([sys.executable, "-m", *module, verb, campaign.name, "--dir", str(campaign.parent)], home)
