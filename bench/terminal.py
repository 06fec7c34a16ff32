"""A terminal for programs under measure: it answers what terminals answer, keeps a screen, and notes when bytes came.

For Linux: processor time, memory and wake-ups are read from the kernel.
"""

from __future__ import annotations

import codecs
import os
import re
import select
import signal
import termios
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

import pyte

COLUMNS, LINES = 120, 36
_QUIET = 0.06
"""Output is over when nothing came for so many seconds; the next frame of a burst is at most 0.034 away."""
_PATIENCE = 60.0

_ANSWERS = {
    rb"\x1b\[0?c": b"\x1b[?62;22c",
    rb"\x1b\[5n": b"\x1b[0n",
    rb"\x1b\[6n": b"\x1b[1;1R",
    rb"\x1b\[\?2026\$p": b"\x1b[?2026;2$y",
    rb"\x1b\[\?2048\$p": b"\x1b[?2048;0$y",
    rb"\x1b\]10;\?(?:\x07|\x1b\\)": b"\x1b]10;rgb:e0e0/e0e0/e0e0\x1b\\",
    rb"\x1b\]11;\?(?:\x07|\x1b\\)": b"\x1b]11;rgb:1010/1010/1010\x1b\\",
}
_QUESTION = re.compile(b"|".join(b"(%b)" % question for question in _ANSWERS))
_REPLIES = tuple(_ANSWERS.values())
_BEGIN, _END = b"\x1b[?2026h", b"\x1b[?2026l"
"""Between these a terminal shows nothing of what it is sent."""
_UNDRAWN = re.compile(r"\x1b\[[<=>?][^@-~]*[@-~]|\x1b[P_^X][^\x1b]*\x1b\\")
"""Modes and private sequences: they draw nothing, and the screen model would print parts of some."""
_UNFINISHED = re.compile(r"\x1b(?:\[[^@-~]*|[P_^X\]][^\x07\x1b]*\x1b?)?\Z")


class NotShown(Exception):
    """What was waited for did not come; says what, and what was on the screen."""


@dataclass(frozen=True, slots=True)
class _Chunk:
    """Bytes that came at once."""

    at: float
    data: bytes
    ends: bool
    """A frame ends in it."""
    visible: bool
    """A terminal has shown all that came up to here."""


@dataclass(frozen=True, slots=True)
class Drawn:
    """What one key brought. Times are milliseconds after the key."""

    first: float
    """Its first byte."""
    last: float
    """The last byte before output went quiet."""
    size: int
    """Bytes."""


@dataclass(frozen=True, slots=True)
class Rest:
    """What a program did while nobody touched it, each per second."""

    cpu: float
    """Milliseconds of processor time."""
    wakeups: float
    size: float
    """Bytes."""


class Terminal:
    """One program in a terminal of 120×36. Use it in a `with`: at the end the program is gone, one way or another."""

    def __init__(self, command: Sequence[str], environment: Mapping[str, str], folder: Path) -> None:
        self.size = 0
        """Bytes that have come so far."""
        self._gone = False
        self._unseen: list[_Chunk] = []
        self._asked = self._edge = b""
        self._held = False
        self._decode = codecs.getincrementaldecoder("utf-8")(errors="replace").decode
        self._cut = ""
        self._screen = pyte.Screen(COLUMNS, LINES)
        self._stream = pyte.Stream(self._screen)
        self.started = time.perf_counter()
        self.last = self.started
        """When the latest byte came."""
        self.pid, self._pty = os.forkpty()
        if self.pid == 0:
            self._become(command, environment, folder)
        self._process = os.pidfd_open(self.pid)

    @staticmethod
    def _become(command: Sequence[str], environment: Mapping[str, str], folder: Path) -> None:
        """In the child: turn into the program, or end without running anything of the parent's."""
        try:
            termios.tcsetwinsize(0, (LINES, COLUMNS))
            os.chdir(folder)
            os.execvpe(command[0], list(command), dict(environment))
        finally:
            os._exit(127)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.pid:
            os.kill(self.pid, signal.SIGKILL)
            os.waitpid(self.pid, 0)
        os.close(self._process)
        os.close(self._pty)

    # -- waiting ------------------------------------------------------------------------------------------------

    def shown(self, pattern: str, patience: float = _PATIENCE) -> float:
        """Wait until `pattern` is on the screen, and tell when it came. Raises `NotShown`.

        The screen is drawn only while nothing comes in, so that drawing it delays no clock.
        """
        wanted = re.compile(pattern)
        deadline = time.perf_counter() + patience
        while time.perf_counter() < deadline:
            if self._taken(_QUIET):
                continue
            while self._unseen:
                chunk = self._unseen.pop(0)
                self._draw(chunk.data)
                if chunk.visible and wanted.search(self.text):
                    return chunk.at
            if self._gone:
                break
        raise NotShown(f"never showed {pattern!r}:\n{self.text}")

    def settled(self, quiet: float = _QUIET) -> float:
        """Wait until nothing has come for `quiet` seconds, and tell when the last byte came."""
        deadline = time.perf_counter() + _PATIENCE
        while self._taken(quiet) and time.perf_counter() < deadline:
            pass
        for chunk in self._unseen:
            self._draw(chunk.data)
        self._unseen.clear()
        return self.last

    @property
    def text(self) -> str:
        """The screen as it was last drawn."""
        return "\n".join(self._screen.display)

    def _taken(self, wait: float) -> bool:
        """Take in what comes within `wait` seconds. False when nothing does."""
        if self._gone or not select.select([self._pty], [], [], wait)[0]:
            return False
        try:
            data = os.read(self._pty, 1 << 16)
        except OSError:
            data = b""
        if not data:
            self._gone = True
            return False
        self.last = time.perf_counter()
        self.size += len(data)
        self._unseen.append(self._chunk(data))
        self._answer(data)
        return True

    def _chunk(self, data: bytes) -> _Chunk:
        seen = self._edge + data
        self._edge = seen[1 - len(_END) :]
        begun, ended = seen.rfind(_BEGIN), seen.rfind(_END)
        if begun != ended:
            self._held = begun > ended
        return _Chunk(self.last, data, ended >= 0, not self._held)

    def _answer(self, data: bytes) -> None:
        asked = self._asked + data
        end = 0
        for found in _QUESTION.finditer(asked):
            os.write(self._pty, _REPLIES[(found.lastindex or 1) - 1])
            end = found.end()
        self._asked = asked[max(end, len(asked) - 16) :]

    # -- drawing ------------------------------------------------------------------------------------------------

    def _draw(self, data: bytes) -> None:
        text = self._cut + self._decode(data)
        unfinished = _UNFINISHED.search(text)
        whole = unfinished.start() if unfinished else len(text)
        self._cut = text[whole:]
        self._stream.feed(_UNDRAWN.sub("", text[:whole]))

    # -- keys ---------------------------------------------------------------------------------------------------

    def press(self, keys: str) -> Drawn:
        """Press keys, all at once, and wait until what they draw is drawn. Raises `NotShown` when they draw nothing."""
        self.settled(0)
        before, at = self.size, self.send(keys)
        if not self._taken(_PATIENCE):
            raise NotShown(f"{keys!r} drew nothing:\n{self.text}")
        first = self.last
        last = self.settled()
        return Drawn((first - at) * 1000, (last - at) * 1000, self.size - before)

    def frame(self, keys: str) -> float:
        """Press keys and wait for one whole frame, no longer: milliseconds. Raises `NotShown`."""
        self.settled(0)
        at = self.send(keys)
        deadline = at + _PATIENCE
        while self._taken(deadline - time.perf_counter()):
            if self._unseen[-1].ends:
                return (self.last - at) * 1000
        raise NotShown(f"{keys!r} drew nothing:\n{self.text}")

    def type(self, text: str) -> None:
        """Press keys one after another, as a person does: each when the one before it has been drawn."""
        for key in text:
            self.frame(key)
        self.settled()

    def send(self, keys: str) -> float:
        """Press keys, wait for nothing, and tell when they were pressed."""
        at = time.perf_counter()
        os.write(self._pty, keys.encode())
        return at

    def leave(self, keys: str) -> float:
        """Press keys that quit, and wait until the process is gone: milliseconds. Raises `NotShown` when it stays."""
        at = self.send(keys)
        while time.perf_counter() < at + _PATIENCE:
            ready, _, _ = select.select([self._process, *([] if self._gone else [self._pty])], [], [], 1)
            if self._process in ready:
                gone = time.perf_counter()
                os.waitpid(self.pid, 0)
                self.pid = 0
                return (gone - at) * 1000
            self._taken(0)
        raise NotShown(f"{keys!r} did not quit:\n{self.text}")

    # -- what it costs ------------------------------------------------------------------------------------------

    def cpu(self) -> float:
        """Milliseconds of processor time that the program and what it started have used."""
        return sum(map(cpu, self._family()))

    def memory(self) -> float:
        """The most memory it has held so far, in MB, with what it started."""
        return sum(_figure(pid, "VmHWM") for pid in self._family()) / 1024

    def rest(self, seconds: float) -> Rest:
        """Leave it alone for a while and watch."""
        self.settled()
        family = self._family()
        cpu, size, wakeups = self.cpu(), self.size, sum(map(_wakeups, family))
        end = time.perf_counter() + seconds
        while (left := end - time.perf_counter()) > 0:
            self._taken(left)
        cpu, size, wakeups = self.cpu() - cpu, self.size - size, sum(map(_wakeups, family)) - wakeups
        return Rest(cpu / seconds, wakeups / seconds, size / seconds)

    def _family(self) -> list[int]:
        family = [self.pid]
        for pid in family:
            for listed in Path(f"/proc/{pid}/task").glob("*/children"):
                family.extend(int(child) for child in listed.read_text().split())
        return family


def cpu(pid: int) -> float:
    """Return the milliseconds of processor time that a process has used."""
    # The kernel numbers a process's own clock like this; see clock_getcpuclockid(3).
    return time.clock_gettime((~pid << 3) | 2) * 1000


def _figure(pid: int, name: str) -> int:
    found = re.search(rf"^{name}:\s+(\d+)", Path(f"/proc/{pid}/status").read_text(), re.MULTILINE)
    return int(found[1]) if found else 0


def _wakeups(pid: int) -> int:
    return sum(
        int(found)
        for status in Path(f"/proc/{pid}/task").glob("*/status")
        for found in re.findall(r"^voluntary_ctxt_switches:\s+(\d+)", status.read_text(), re.MULTILINE)
    )
