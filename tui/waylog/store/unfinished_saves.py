"""Telling a save that is still being written from one that is done.

Many programs empty a file and write it anew, in pieces. What lies there meanwhile may be valid TOML with its end missing, so a
file that has lost something is only believed when it has stood still for a while.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path

from waylog.store.lock_and_replace import FileSignature, file_signature

STILL = 1.6
"""Seconds without any change after which a file that has lost something counts as saved."""
STILL_WHILE_OPEN = 10.0
"""The same while another program has the file open for writing."""
_ENDING = 48
"""Bytes at the end that a save in pieces writes last."""


def looks_cut(before: bytes, now: bytes) -> bool:
    """The file is shorter than it was, or does not end as it did."""
    return len(now) < len(before) or now[-_ENDING:] != before[-_ENDING:]


class Stillness:
    """For how long one file has not changed."""

    def __init__(self) -> None:
        self._found: FileSignature | None = None
        self._since = 0.0

    def seconds(self, found: FileSignature | None) -> float:
        """Seconds since the last change, of a file that is found so now."""
        now = time.monotonic()
        if found is None or found != self._found:
            self._found, self._since = found, now
        by_clock = time.time() - found.changed / 1e9 if found else 0.0
        # A clock that was set back tells nothing; what this process has watched itself does.
        return max(now - self._since, by_clock)

    def enough(self, found: FileSignature | None, path: Path) -> bool:
        """The file at `path`, which was read when it was found so, has stood still for long enough to be taken as it is."""
        still = self.seconds(found)
        if still < STILL:
            return False
        if still >= STILL_WHILE_OPEN or found is None:
            return True
        # Whoever wrote it may have written the rest just now, and have closed it.
        return not is_written(found) and file_signature(path) == found


def is_written(found: FileSignature) -> bool:
    """Some program has that file open for writing, as far as the system tells."""
    with suppress(OSError):
        return any(_writes(process, found) for process in Path("/proc").iterdir() if process.name.isdigit())
    return False


def _writes(process: Path, found: FileSignature) -> bool:
    with suppress(OSError):  # somebody else's process, or one that has ended
        for handle in Path(process, "fd").iterdir():
            with suppress(OSError):
                status = handle.stat()
                if (status.st_dev, status.st_ino) == (found.device, found.inode):
                    flags = Path(process, "fdinfo", handle.name).read_text().partition("flags:")[2].split()[0]
                    if int(flags, 8) & os.O_ACCMODE != os.O_RDONLY:
                        return True
    return False
