"""A pause that anybody at the table may ask for, without a name: the file `inbox/pause` beside the campaign.

While the file has a text, the game is paused on every screen. Only the wayfinder's account writes the file, so its owner shows
nothing: other accounts ask through the pipe of `attendance`, and the wayfinder's program writes the file for them. When the
wayfinder's screen shows the pause, a second line says so. Until then nobody at the table can know that the wayfinder has seen
it, and players' screens say that it should be said aloud. The log doesn't mention pauses.
"""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from enum import Enum, auto
from pathlib import Path

from waylog.store.inbox import FOLDER, make_inbox, open_inbox
from waylog.store.lock_and_replace import check_regular

_NAME = "pause"
_ASKED = b"Somebody asks for a pause.\n"
_SHOWN = _ASKED + b"The wayfinder's screen shows it.\n"
_FLAGS = os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY


class PauseState(Enum):
    """How far a pause has come."""

    NONE = auto()
    ASKED = auto()
    """Players' screens show it."""
    SHOWN = auto()
    """The wayfinder's screen shows it, too."""


def read_pause(folder: Path) -> PauseState:
    """Return the state of the pause in the campaign at `folder`. Raises `OSError` if it can't be found out."""
    try:
        with open_inbox(folder) as inbox:
            found = os.stat(_NAME, dir_fd=inbox, follow_symlinks=False)
    except FileNotFoundError:
        return PauseState.NONE
    if not stat.S_ISREG(found.st_mode):
        return PauseState.ASKED
    return PauseState.SHOWN if found.st_size == len(_SHOWN) else PauseState.ASKED if found.st_size else PauseState.NONE


def is_paused(folder: Path) -> bool:
    """Return whether the game is paused, as far as this account can see."""
    with suppress(OSError):
        return read_pause(folder) is not PauseState.NONE
    return False


def ask_for_pause(folder: Path) -> None:
    """Pause the game, as an account that may write the file. Raises `OSError`."""
    make_inbox(folder)
    if read_pause(folder) is PauseState.NONE:
        _write(folder, _ASKED)


def mark_shown(folder: Path) -> None:
    """Tell players' screens that the wayfinder's screen shows the pause. Where that can't be written, they go on saying that it
    doesn't.
    """
    with suppress(OSError):
        if read_pause(folder) is PauseState.ASKED:
            _write(folder, _SHOWN)


def end_pause(folder: Path) -> None:
    """Let the game go on. Raises `OSError`."""
    with suppress(FileNotFoundError), open_inbox(folder) as inbox:
        _remove(inbox)


def tidy_pause(folder: Path) -> None:
    """Take from other accounts the right to write the file, which earlier versions gave them."""
    with suppress(OSError), open_inbox(folder) as inbox:
        found = os.stat(_NAME, dir_fd=inbox, follow_symlinks=False)
        if stat.S_ISREG(found.st_mode) and found.st_mode & 0o022:
            os.chmod(_NAME, 0o644, dir_fd=inbox)


def _write(folder: Path, text: bytes) -> None:
    """Write the file. What is in its place and is no file is removed. Raises `OSError`."""
    with open_inbox(folder) as inbox:
        with suppress(FileNotFoundError):
            if not stat.S_ISREG(os.stat(_NAME, dir_fd=inbox, follow_symlinks=False).st_mode):
                _remove(inbox)
        descriptor = os.open(_NAME, os.O_WRONLY | os.O_CREAT | _FLAGS, 0o644, dir_fd=inbox)
    check_regular(descriptor, folder / FOLDER / _NAME)
    try:
        os.pwrite(descriptor, text, 0)
        os.ftruncate(descriptor, len(text))
        with suppress(PermissionError):  # Only its owner may.
            os.fchmod(descriptor, 0o644)
            os.utime(descriptor, (0, 0))
    finally:
        os.close(descriptor)


def _remove(inbox: int) -> None:
    """Remove the file, or an empty folder in its place. Raises `OSError`."""
    try:
        os.unlink(_NAME, dir_fd=inbox)
    except IsADirectoryError:
        os.rmdir(_NAME, dir_fd=inbox)
