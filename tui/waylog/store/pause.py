"""A pause that anybody at the table may ask for, without a name: the file `inbox/pause` beside the campaign.

While the file has a text, the game is paused on every screen. Every request writes the same bytes, and a second request
changes nothing. The wayfinder's program replaces the file when play goes on. The log doesn't mention pauses.

The owner of the file must not show who asked. So the wayfinder's program creates it, empty, before anybody asks. If no such
program has run, the file is missing: then whoever asks creates it, and is its owner while the game is paused. The time of the
file is set to 0 if its owner asked; otherwise the file system records when it was written.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from waylog.store.lock_and_replace import open_inside

_FILE = Path("inbox", "pause")
_TEXT = b"Somebody asks for a pause.\n"
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL


def is_paused(folder: Path) -> bool:
    """Return whether somebody has asked for a pause in the campaign at `folder`."""
    try:
        found = os.lstat(folder / _FILE)
    except OSError:
        return False
    return not stat.S_ISREG(found.st_mode) or found.st_size > 0


def prepare(folder: Path) -> None:
    """Create the empty file, if there is an inbox without one. Other accounts may write into it."""
    with suppress(OSError):
        descriptor = open_inside(folder / _FILE, _NEW)
        try:
            os.fchmod(descriptor, 0o666)
            os.utime(descriptor, (0, 0))
        finally:
            os.close(descriptor)


def ask_for_pause(folder: Path) -> None:
    """Pause the game. Raises `OSError` if this account may not."""
    path = folder / _FILE
    path.parent.mkdir(exist_ok=True)
    if is_paused(folder):
        return
    try:
        descriptor = open_inside(path, os.O_WRONLY)
    except FileNotFoundError:
        descriptor = open_inside(path, os.O_WRONLY | os.O_CREAT, 0o644)
    try:
        os.pwrite(descriptor, _TEXT, 0)
        with suppress(PermissionError):  # only its owner may set it
            os.utime(descriptor, (0, 0))
    finally:
        os.close(descriptor)


def end_pause(folder: Path) -> None:
    """Let the game go on. Raises `OSError`."""
    path = folder / _FILE
    path.unlink(missing_ok=True)
    prepare(folder)
