"""The real command in a real terminal, as far as there can be one in a test."""

from __future__ import annotations

import os
import pty
import select
import signal
import struct
import sys
import termios
import time
from collections.abc import Callable, Iterator
from fcntl import ioctl
from pathlib import Path

import pyte
import pytest

from tests.screens.playing import CAMPAIGN
from tests.small_table import written

_PATIENCE = 20.0


class Terminal:
    """A command on a pseudo-terminal, and what a person would see of it."""

    def __init__(self, command: list[str], environment: dict[str, str], columns: int = 80, lines: int = 24) -> None:
        self.screen = pyte.Screen(columns, lines)
        self._stream = pyte.ByteStream(self.screen)
        self.raw = b""
        self.pid, self._terminal = pty.fork()
        if self.pid == 0:
            os.execvpe(command[0], command, environment)
        ioctl(self._terminal, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    def press(self, keys: str) -> None:
        """Type keys."""
        os.write(self._terminal, keys.encode())

    def until(self, seen: Callable[[str], bool]) -> None:
        """Follow the screen until it looks like that."""
        end = time.monotonic() + _PATIENCE
        while not seen(self.text):
            assert time.monotonic() < end, self.text
            if not self._read(end):
                assert seen(self.text), self.text
                return

    def end(self) -> int:
        """Follow to the end; gives the exit code."""
        end = time.monotonic() + _PATIENCE
        while self._read(end):
            assert time.monotonic() < end
        _, status = os.waitpid(self.pid, 0)
        self.pid = 0
        return os.waitstatus_to_exitcode(status)

    def _read(self, end: float) -> bool:
        ready, _, _ = select.select([self._terminal], [], [], max(0.0, end - time.monotonic()))
        assert ready, self.text
        try:
            data = os.read(self._terminal, 65536)
        except OSError:
            return False
        self.raw += data
        self._stream.feed(data)
        return bool(data)

    @property
    def text(self) -> str:
        return "\n".join(self.screen.display)

    def stopped(self) -> None:
        """Follow until it has been stopped; the screen is empty then."""
        end = time.monotonic() + _PATIENCE
        while os.waitpid(self.pid, os.WUNTRACED | os.WNOHANG)[0] == 0:
            assert time.monotonic() < end
            if select.select([self._terminal], [], [], 0.05)[0]:
                self._read(end)
        while select.select([self._terminal], [], [], 0.05)[0]:
            self._read(end)
        self.screen.reset()

    def hang_up(self) -> None:
        """The line goes dead."""
        os.close(self._terminal)

    def close(self) -> None:
        """End what still runs."""
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)


@pytest.fixture
def terminal(tmp_path: Path, home: Path) -> Iterator[Terminal]:
    """The app on a campaign."""
    written(tmp_path / "tenacity", CAMPAIGN)
    environment = {**os.environ, "HOME": str(home), "TERM": "xterm-256color", "WAYLOG_CAMPAIGNS": str(tmp_path)}
    environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    opened = Terminal([sys.executable, "-m", "waylog", "open", "tenacity"], environment)
    yield opened
    opened.close()


_RESTORED = (b"\x1b[?1049l", b"\x1b[?25h", b"\x1b[?1000l", b"\x1b[?2004l", b"\x1b[?1004l")


def _restored(terminal: Terminal) -> bool:
    """Every mode that was switched on was switched off again."""
    return all(mode in terminal.raw for mode in _RESTORED)


def test_start_roll_and_quit(terminal: Terminal, tmp_path: Path) -> None:
    """From the command to a logged roll and out again, with the terminal as it was and the file brought up to the log."""
    terminal.until(lambda text: "CORE" in text)
    terminal.press("rn")
    terminal.until(lambda text: "Fiasco" in text or "fiasco" in text)
    terminal.press(" 35\r")
    terminal.until(lambda text: "roll nav" in text and "real dice" in text)
    terminal.press("q")
    assert terminal.end() == 0
    assert _restored(terminal)
    assert 'act = "roll nav"' in (tmp_path / "tenacity" / "log" / "0001.toml").read_text()
    assert 'log = "0001:1"' in (tmp_path / "tenacity" / "campaign.toml").read_text()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_the_terminal_as_it_was(terminal: Terminal, number: signal.Signals) -> None:
    """Being told to end is leaving in good order, with a code that says why."""
    terminal.until(lambda text: "CORE" in text)
    os.kill(terminal.pid, number)
    assert terminal.end() == 128 + number
    assert _restored(terminal)


def test_a_line_that_goes_dead_ends_the_app(terminal: Terminal) -> None:
    """A terminal that is gone is noticed; nothing stays behind."""
    terminal.until(lambda text: "CORE" in text)
    terminal.hang_up()
    _, status = os.waitpid(terminal.pid, 0)
    terminal.pid = 0
    assert os.waitstatus_to_exitcode(status) != 1, "left in good order, not by a failure"


def test_suspended_and_back(terminal: Terminal) -> None:
    """Ctrl+Z gives the terminal back; on coming back everything is there again, and keys work."""
    terminal.until(lambda text: "CORE" in text)
    terminal.press("\x1a")
    terminal.stopped()
    assert _restored(terminal)
    os.kill(terminal.pid, signal.SIGCONT)
    terminal.until(lambda text: "CORE" in text)
    terminal.press("2")
    terminal.until(lambda text: "Vitality" in text)
    terminal.press("q")
    assert terminal.end() == 0


@pytest.mark.parametrize("key", ["\x03", "\x04", "\x11"])
def test_every_key_that_people_quit_with_quits(terminal: Terminal, key: str) -> None:
    """Ctrl+C, Ctrl+D and Ctrl+Q."""
    terminal.until(lambda text: "CORE" in text)
    terminal.press(key)
    assert terminal.end() == 0
