"""The real command on a pseudo-terminal, and what a person sees of it."""

from __future__ import annotations

import os
import pty
import select
import signal
import struct
import sys
import termios
import time
import traceback
from collections.abc import Callable, Mapping
from contextlib import suppress
from fcntl import ioctl
from pathlib import Path

import pyte

from tests.kit.warm_start import WarmStarter

_PATIENCE = 120.0


def opened(
    name: str,
    campaigns: Path,
    home: Path,
    columns: int = 80,
    lines: int = 24,
    *,
    command: str = "open",
    variables: Mapping[str, str] | None = None,
) -> Terminal:
    """A window on a campaign, by its name in that folder, or on the list of campaigns without a name and a command; `variables` are set
    in its environment too.
    """
    environment = {**os.environ, "HOME": str(home), "TERM": "xterm-256color", "WAYLOG_CAMPAIGNS": str(campaigns)}
    environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    environment |= variables or {}
    return Terminal([sys.executable, "-m", "waylog", *filter(None, (command, name))], environment, columns, lines)


class Terminal:
    """A command on a pseudo-terminal, and what a person would see of it."""

    def __init__(
        self, command: list[str] | Callable[[], object], environment: dict[str, str], columns: int = 80, lines: int = 24
    ) -> None:
        """`command` is a program with its arguments, or a function that runs one in the new process."""
        self.screen = pyte.Screen(columns, lines)
        self._stream = pyte.ByteStream(self.screen)
        self._rows = [""] * lines
        self.raw = b""
        # Test runners that work side by side tell programs of a terminal that is not this one.
        environment = {name: value for name, value in environment.items() if name not in ("COLUMNS", "LINES")}
        starter = WarmStarter.running
        if starter and not callable(command) and starter.can_start(command, environment):
            self._terminal, line = pty.openpty()
            termios.tcsetwinsize(line, (lines, columns))
            self.pid = starter.start(command, environment, (line, line, line), terminal=True)
            os.close(line)
            return
        self.pid, self._terminal = pty.fork()
        if self.pid == 0:
            # Before it begins: a change of size that comes while it starts has nobody to hear it.
            ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
            if not callable(command):
                # Whoever runs the tests in the background may have these ignored, and a program keeps that.
                for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGHUP):
                    signal.signal(number, signal.SIG_DFL)
                os.execvpe(command[0], command, environment)
            os.environ.clear()
            os.environ.update(environment)
            # What the tests print goes elsewhere.
            sys.stdin = sys.__stdin__ = os.fdopen(0)  # type: ignore[misc]
            sys.stdout = sys.__stdout__ = os.fdopen(1, "w")  # type: ignore[misc]
            sys.stderr = sys.__stderr__ = os.fdopen(2, "w")  # type: ignore[misc]
            try:
                command()
            except BaseException:  # noqa: BLE001 - this process must not go on with the tests
                traceback.print_exc()
            finally:
                sys.stderr.flush()
                os._exit(0)

    def press(self, keys: str) -> None:
        """Type keys."""
        os.write(self._terminal, keys.encode())

    def send(self, *pieces: bytes) -> None:
        """Send bytes. Each piece is sent when the one before it has been read, so that no read brings two of them."""
        for piece in pieces:
            self._flood(piece)
            end = time.monotonic() + _PATIENCE
            while self._unread:
                assert time.monotonic() < end, "what was sent is not read"
                self._look(0.01)

    def _flood(self, data: bytes) -> None:
        """Send more than the line holds at once: what comes back is taken in meanwhile, or neither side would go on."""
        end = time.monotonic() + _PATIENCE
        while data:
            assert time.monotonic() < end, "what is sent is not taken"
            if self._look(0.01) and select.select([], [self._terminal], [], 0.1)[1]:
                data = data[os.write(self._terminal, data[:1024]) :]
                end = time.monotonic() + _PATIENCE

    def _look(self, wait: float) -> bool:
        """Take in what comes within that time. True when nothing does."""
        if not select.select([self._terminal], [], [], wait)[0]:
            return True
        self._read(time.monotonic() + _PATIENCE)
        return False

    @property
    def _unread(self) -> int:
        """Bytes that were sent and not yet read."""
        line = os.open(f"/proc/{self.pid}/fd/0", os.O_RDONLY | os.O_NOCTTY)
        try:
            return int.from_bytes(ioctl(line, termios.FIONREAD, bytes(4)), sys.byteorder)
        finally:
            os.close(line)

    def resize(self, columns: int, lines: int) -> None:
        """Make the window another size."""
        ioctl(self._terminal, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))

    @property
    def peak(self) -> int:
        """The most memory it has had, in MB."""
        status = Path(f"/proc/{self.pid}/status").read_text()
        return int(status.partition("VmHWM:")[2].split()[0]) // 1024

    def until(self, seen: Callable[[str], bool], case: object = "") -> None:
        """Follow the screen until it looks like that. `case` is named when it never does."""
        end = time.monotonic() + _PATIENCE
        while not seen(self.text):
            assert time.monotonic() < end, f"{case}\n{self.text}"
            if not self._read(end):
                assert seen(self.text), self.text
                return

    @property
    def echoes(self) -> bool:
        """Whether the terminal itself prints what is typed and waits for Enter, as it does for a shell."""
        modes: int = termios.tcgetattr(self._terminal)[3]
        return modes & (termios.ECHO | termios.ICANON) != 0

    def quit(self) -> int:
        """Press Ctrl+Q until it ends, as it asks first if a text is typed; gives the exit code."""
        end = time.monotonic() + _PATIENCE
        while (found := os.waitpid(self.pid, os.WNOHANG))[0] == 0:
            assert time.monotonic() < end, self.text
            with suppress(OSError):  # it has just ended
                self.press("\x11")
                self._look(0.2)
        self.pid = 0
        return os.waitstatus_to_exitcode(found[1])

    def end(self) -> int:
        """Follow to the end; gives the exit code."""
        end = time.monotonic() + _PATIENCE
        while self._read(end):
            assert time.monotonic() < end
        _, status = os.waitpid(self.pid, 0)
        self.pid = 0
        return os.waitstatus_to_exitcode(status)

    def stall(self) -> None:
        """Read nothing any more, and wait until the program has something to write that is not taken."""
        before, waiting, end = -1, 0, time.monotonic() + _PATIENCE
        while waiting < 4000 or waiting != before:
            assert time.monotonic() < end, f"no more than {waiting} bytes to read"
            self.press("\x14")
            time.sleep(0.2)
            before, waiting = waiting, self._unseen

    @property
    def _unseen(self) -> int:
        """Bytes that it has written and nobody has read."""
        return int.from_bytes(ioctl(self._terminal, termios.FIONREAD, bytes(4)), sys.byteorder)

    def end_unread(self) -> int:
        """Wait for the end without reading, and read only then; gives the exit code."""
        end = time.monotonic() + _PATIENCE
        while (found := os.waitpid(self.pid, os.WNOHANG))[0] == 0:
            assert time.monotonic() < end, "it does not end"
            time.sleep(0.02)
        self.pid = 0
        while self._read(end):
            pass
        return os.waitstatus_to_exitcode(found[1])

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
        """What is on the screen, line by line. Only lines that were written to are put together anew: it is asked after every read."""
        for row in self.screen.dirty:
            cells = self.screen.buffer[row]
            # The second half of a wide character is empty.
            self._rows[row] = "".join([cells[column].data for column in range(self.screen.columns)])
        self.screen.dirty.clear()
        return "\n".join(self._rows)

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
