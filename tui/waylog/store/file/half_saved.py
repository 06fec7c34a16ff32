"""How a file is recognised that another program is still saving.

Many programs empty a file and write it again in pieces. Between the pieces it may be valid TOML that lacks its end, so
a file that has lost something counts only when it hasn't changed for a while (`Stillness`).
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

from waylog.store.file.history import FileHistory
from waylog.store.files import FILE, FileSignature, file_signature, now_there
from waylog.toml.document import Document, Problem, UnreadableFile, read_bytes

STILL = 1.6
"""Seconds without a change after which a file that has lost something counts as complete."""
STILL_WHILE_OPEN = 10.0
"""The same while another program has the file open for writing."""
_ENDING = 48
"""Bytes at the end of a file, which a save in pieces writes last."""


def looks_cut(before: bytes, now: bytes) -> bool:
    """Whether the file is shorter than before, or has another end."""
    return len(now) < len(before) or now[-_ENDING:] != before[-_ENDING:]


class Stillness:
    """Measures how long a file has not changed."""

    def __init__(self) -> None:
        self._found: FileSignature | None = None
        self._since = 0.0

    def seconds(self, found: FileSignature | None, path: Path) -> float:
        """Return the seconds since the last change of the file at `path`, read with that signature."""
        now = time.monotonic()
        if found is None or found != self._found:
            self._found, self._since = found, now
        by_clock = now_there(path.parent) - found.changed / 1e9 if found else 0.0
        # If the clock was set back, only this process's own observation counts.
        return max(now - self._since, by_clock)

    def enough(self, found: FileSignature | None, path: Path) -> bool:
        """Whether the file at `path`, read with that signature, has been unchanged for long enough to count as
        complete.
        """
        still = self.seconds(found, path)
        if still < STILL:
            return False
        if still >= STILL_WHILE_OPEN or found is None:
            return True
        # Its writer may just have written the rest and closed it.
        return not is_written(found) and file_signature(path) == found


def is_written(found: FileSignature) -> bool:
    """Whether some program has that file open for writing, as far as the system shows."""
    with suppress(OSError):
        return any(_writes(process, found) for process in Path("/proc").iterdir() if process.name.isdigit())
    return False


def _writes(process: Path, found: FileSignature) -> bool:
    with suppress(OSError):  # The process belongs to another account, or has ended.
        for handle in Path(process, "fd").iterdir():
            with suppress(OSError):
                status = handle.stat()
                if (status.st_dev, status.st_ino) == (found.device, found.inode):
                    flags = Path(process, "fdinfo", handle.name).read_text().partition("flags:")[2].split()[0]
                    if int(flags, 8) & os.O_ACCMODE != os.O_RDONLY:
                        return True
    return False


_LOOK = 0.05
"""Seconds between two looks, at start-up, at a file that is being written."""


def read_finished_file(history: FileHistory, stillness: Stillness) -> tuple[Document, FileSignature | None]:
    """Read the campaign file once nobody seems to be writing it. Raises `UnreadableFile`."""
    deadline = time.monotonic() + STILL_WHILE_OPEN + _LOOK
    while True:
        seen = file_signature(history.path)
        data = read_bytes(history.path)
        if file_signature(history.path) == seen and not _is_cut(history, stillness, data, seen):
            return Document.parse(data, FILE), seen
        if time.monotonic() > deadline:
            raise UnreadableFile(
                Problem(FILE, 1, 1, "another program keeps writing to this file: try again when it has finished")
            )
        time.sleep(_LOOK)


def _is_cut(history: FileHistory, stillness: Stillness, data: bytes, seen: FileSignature | None) -> bool:
    """Whether somebody may be writing the file, judged by its earlier versions."""
    if history.is_regular(data) or stillness.enough(seen, history.path):
        return False
    if len(data) < history.last_size():
        return True
    earlier = history.earlier()
    with suppress(UnreadableFile):
        return bool(earlier) and looks_cut(read_bytes(earlier[-1])[-len(data) :], data)
    return False
