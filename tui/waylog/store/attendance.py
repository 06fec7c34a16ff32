"""Whether the wayfinder has the campaign open, so that proposals are seen: a lock on the file `inbox/attended`.

The system releases the lock when a program ends, however it ends. It is only used for a hint to players.
"""

from __future__ import annotations

import fcntl
import os
from contextlib import suppress
from pathlib import Path

from waylog.store.lock_and_replace import open_inside
from waylog.store.pause import prepare

_FILE = Path("inbox", "attended")
_SAFE = os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY


class Attendance:
    """The lock of a program that reads the inbox of one campaign. If several programs do, one of them holds it, and makes the
    file for a pause.
    """

    def __init__(self, folder: Path) -> None:
        self._path = folder / _FILE
        self._held: int | None = None

    def hold(self) -> None:
        """Take the lock, if there is an inbox and no other program has the lock. Keep it until `end`, or until the program ends."""
        if self._held is not None or not self._path.parent.is_dir():
            return
        with suppress(OSError):
            descriptor = open_inside(self._path, os.O_RDWR | os.O_CREAT, 0o644)
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except OSError:
                os.close(descriptor)
            else:
                self._held = descriptor
                prepare(self._path.parent.parent)

    def end(self) -> None:
        """Release the lock."""
        if self._held is not None:
            os.close(self._held)
            self._held = None


def is_attended(folder: Path) -> bool:
    """Return whether the wayfinder has the campaign open. True if that can't be found out."""
    try:
        descriptor = os.open(folder / _FILE, os.O_RDONLY | _SAFE)
    except FileNotFoundError:
        return False
    except OSError:
        return True
    try:
        # A shared lock, so that several players can look at the same time.
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return True
    finally:
        os.close(descriptor)
    return False
