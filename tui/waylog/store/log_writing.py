"""Write to a log file so that nothing is half there: a block is durable and whole, or it is gone again."""

from __future__ import annotations

import errno
import os
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from waylog.store.lock_and_replace import open_inside, sync
from waylog.store.log_index import LARGEST
from waylog.values import NamedTuple

_TURNS = 100
"""The most files that are set aside under one name."""


class SetAside(NamedTuple):
    """An incomplete end of the log that was moved to a separate file."""

    path: Path
    """The separate file."""
    numbers: Sequence[int]
    """The numbers of the entries in it, as far as they can be read."""


def write_block(path: Path, block: bytes, end: int, mode: int, spoiled: set[Path]) -> None:
    """Append a block to the log file at `path`, which ends at `end`, and make it durable. A new file gets that mode.

    Raises `OSError`, with the file as it was, if the block can't be written completely. After a failed fsync nobody knows
    what the disk holds of the file, so it is added to `spoiled`. A block that is complete but can't be removed again counts
    as written, because every reader of the log finds it.
    """
    descriptor = open_inside(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, mode)
    try:
        whole, written = False, 0
        try:
            written = os.write(descriptor, block)
            whole = written == len(block)
            if not whole:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            try:
                os.fsync(descriptor)
            except OSError:
                spoiled.add(path)
                raise
            if not end:
                sync(path.parent)
                sync(path.parent.parent)
        except OSError:
            if _cut_back(descriptor, end, written) or not whole:
                raise
    finally:
        with suppress(OSError):  # By now the block is durable, or the error says that it isn't.
            os.close(descriptor)


def _cut_back(descriptor: int, size: int, written: int) -> bool:
    """Cut `written` bytes from a file that had `size` bytes. Return False if the system refuses, or if others have written too."""
    try:
        if os.fstat(descriptor).st_size > size + written:
            return False
        os.ftruncate(descriptor, size)
    except OSError:
        return False
    return True


def set_aside(log_file: Path, end: int, text: bytes) -> Path:
    """Write the torn `text` from behind `end` to a file beside the log, and return that. An existing file with other contents is kept."""
    for turn in range(1, _TURNS):
        aside = log_file.with_suffix(f".torn-{end}" + (f"-{turn}" if turn > 1 else ""))
        with open(open_inside(aside, os.O_RDWR | os.O_CREAT), "rb+") as file:  # noqa: PTH123 - it has no path
            if not text.startswith(
                file.read(LARGEST)
            ):  # After a crash in this function, the file may hold all or part of the text.
                continue
            file.seek(0)
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        return aside
    raise OSError(errno.EEXIST, f"there are too many files like {log_file.stem}.torn-{end}")
