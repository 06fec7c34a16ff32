"""The way to the terminal: what is drawn goes out in the terminal's own characters, and one that takes nothing is given up in the end.

A terminal may stop taking output for ever: a frozen window, a line gone silent. While the app runs it is waited for. Once the
app is leaving, a second in which the terminal takes nothing ends the waiting.
"""

from __future__ import annotations

import os
import re
import select
import termios
from contextlib import suppress
from functools import lru_cache
from time import monotonic

from waylog.signs import encoder

_STUCK_AFTER = 1.0
"""Seconds in which a terminal has to take something while the app is leaving."""
_LONGEST = 5.0
"""Seconds after which the app no longer waits for a terminal while leaving, however much it has taken."""
_PIECE = 4096
_GATHERED = 65536
RESTORE = (
    b"\x18\x1b[?2026l\x1b[0m\x1b[?2004l\x1b[?7h\x1b[?2048l\x1b[?1000l\x1b[?1003l\x1b[?1015l\x1b[?1006l\x1b[?1016l"
    b"\x1b[<u\x1b[?1049l\x1b[?25h\x1b[?1004l\x1b[23;0t"
)
"""Sequences that switch off everything that the app may have switched on, even after a sequence that was cut short."""


class Output:
    """A file that one thread writes to, as Textual's writer does, and that another thread can make give up."""

    def __init__(self, descriptor: int, encoding: str, *, plain_signs: bool = False) -> None:
        self._descriptor = _reopen(descriptor)
        self._blocks = os.get_blocking(self._descriptor)
        self._encode = encoder(encoding, plain_signs=plain_signs)
        self._woken, self._wake = os.pipe()
        os.set_blocking(self._woken, False)
        self._gathered = bytearray()
        self._texts = self._sent = 0
        """How many texts the writing thread has taken, and how many of them it has sent."""
        self._leaving: float | None = None
        """When the app began to leave."""
        self.is_given_up = False

    def fileno(self) -> int:
        return self._descriptor

    def is_free(self, texts: int) -> bool:
        """Whether another thread may write: the writing thread has sent so many texts, writing never blocks, and the app isn't
        leaving.
        """
        return self._sent == texts and self._leaving is None and not self._blocks

    def write_at_once(self, text: str) -> bool:
        """Send as much of a text as the terminal takes without waiting. Return False if a rest is left for the writing thread to
        send. Call it only while `is_free`.
        """
        data, sent = self._encode(without_repeated_styles(text)), 0
        with suppress(OSError):  # The terminal takes nothing now; or it is gone, and the thread will find that out.
            sent = os.write(self._descriptor, data)
        self._gathered += data[sent:]
        return sent == len(data)

    def write(self, text: str) -> int:
        """Send a text, now or with what follows."""
        self._gathered += self._encode(without_repeated_styles(text))
        if len(self._gathered) >= _GATHERED:
            self.flush()
        self._texts += 1  # Last, so that the `flush` above doesn't count this text as sent.
        return len(text)

    def flush(self) -> None:
        """Send everything that waits. Raises `OSError` if the terminal is gone."""
        since = monotonic()
        while self._gathered and not self.is_given_up:
            ready, writable, _ = select.select([self._woken], [self._descriptor], [], self._rest(since))
            if ready:
                os.read(self._woken, _PIECE)
            if writable:
                with suppress(BlockingIOError):
                    del self._gathered[: os.write(self._descriptor, self._gathered[:_PIECE])]
                    since = monotonic()
            self.is_given_up = self._rest(since) == 0
        self._gathered.clear()
        # From here on another thread may write.
        self._sent = self._texts

    def _rest(self, since: float) -> float | None:
        """Return how much longer to wait for a terminal that has taken nothing since then; None for as long as it likes."""
        if self._leaving is None:
            return None
        return max(0.0, min(max(since, self._leaving) + _STUCK_AFTER, self._leaving + _LONGEST) - monotonic())

    def leave(self) -> None:
        """Say that the app is leaving. Safe in signal handlers."""
        if self._leaving is None:
            self._leaving = monotonic()
            os.write(self._wake, b"!")

    def stay(self) -> None:
        """Say that the app goes on, after it was suspended."""
        self._leaving, self.is_given_up = None, False

    def restore(self) -> None:
        """Restore a terminal that was given up, as far as it takes that."""
        with suppress(OSError, termios.error):
            termios.tcflush(self._descriptor, termios.TCOFLUSH)
            os.write(self._descriptor, RESTORE)


_STYLE = re.compile(r"(\x1b\[0m)?((?:\x1b\[\d+;\d+H)?)\x1b\[([\d;]*)m")
"""A style, and the end of the style right before it; between them the cursor may move."""
_STYLE_PART = re.compile(r"([34]8);(?:2(?:;\d+){3}|5;\d+)|\d+")
"""A colour, which 38 or 48 begins, or another attribute."""


def without_repeated_styles(text: str) -> str:
    """Return the same output with less to send: between two styles, only their difference is sent.

    Textual ends each style before the next one begins, so it sends the background again with nearly every word and line.
    """
    before = ""

    def replace(found: re.Match[str]) -> str:
        nonlocal before
        last, before = before, found[3]
        return found[2] + _style_change(last, before) if found[1] and last else found[0]

    return _STYLE.sub(replace, text)


_ENDS = {"1": "22", "2": "22", "3": "23", "4": "24", "7": "27", "9": "29", "38": "39", "48": "49"}
"""The code that ends each part of a style; bold and dim end together."""


@lru_cache(1024)
def _style_change(last: str, new: str) -> str:
    """Return the codes that change a terminal from one style to another."""
    before, after = ({part[1] or part[0]: part[0] for part in _STYLE_PART.finditer(style)} for style in (last, new))
    gone = before.keys() - after.keys()
    if not gone <= _ENDS.keys():
        return f"\x1b[0;{new}m"
    if gone & {"1", "2"}:
        before = {kind: part for kind, part in before.items() if kind not in ("1", "2")}
    ends = sorted({_ENDS[kind] for kind in gone})
    parts = [*ends, *(part for kind, part in after.items() if before.get(kind) != part)]
    return f"\x1b[{';'.join(parts)}m" if parts else ""


def _reopen(descriptor: int) -> int:
    """Open the same terminal by a descriptor that never blocks: what is set on the given one is set for the shell too."""
    names = [os.ctermid()]
    with suppress(OSError):
        names.insert(0, os.ttyname(descriptor))
    for name in names:
        with suppress(OSError):
            return os.open(name, os.O_WRONLY | os.O_NOCTTY | os.O_NONBLOCK | os.O_CLOEXEC)
    return descriptor
