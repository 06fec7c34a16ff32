"""A pause that anybody at the table may ask for, without a name: the file `inbox/pause` beside the campaign.

While the file exists, the game is paused on every screen. All requests are the same: the same bytes, and the same time, which is
that of no clock. A second request changes nothing. The wayfinder's program removes the file when play goes on, and no log
knows of it.
"""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path

from waylog.store.lock_and_replace import open_inside

_FILE = Path("inbox", "pause")
_TEXT = b"Somebody asks for a pause.\n"


def is_paused(folder: Path) -> bool:
    """Return whether somebody has asked for a pause in the campaign at `folder`."""
    try:
        os.lstat(folder / _FILE)
    except OSError:
        return False
    return True


def ask_for_pause(folder: Path) -> None:
    """Pause the game. Raises `OSError` if this account may not."""
    path = folder / _FILE
    path.parent.mkdir(exist_ok=True)
    with suppress(FileExistsError):
        descriptor = open_inside(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
        try:
            os.write(descriptor, _TEXT)
            os.utime(descriptor, (0, 0))
        finally:
            os.close(descriptor)


def end_pause(folder: Path) -> None:
    """Let the game go on. Raises `OSError`."""
    (folder / _FILE).unlink(missing_ok=True)
