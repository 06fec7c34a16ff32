"""Entries that are not half there: a block of a log file is durable and whole when it is written, or it is gone again, as on a full
disk. What a crash has left half written is moved to a file beside the log when the campaign is opened.
"""

from __future__ import annotations

import errno
import os
import re
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from waylog.store.files import open_inside, sync
from waylog.store.log.verification import LARGEST, NUMBER
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


def cut_torn_end(log_file: Path, end: int) -> SetAside | None:
    """Move what a log file has behind `end` to a separate file, and return that; None if another program is writing. Raises `OSError`."""
    with open(open_inside(log_file, os.O_RDWR), "rb+") as file:  # noqa: PTH123 - a descriptor has no path
        file.seek(end)
        torn = file.read(LARGEST)
        aside = set_aside(log_file, end, torn)
        if os.fstat(file.fileno()).st_size != end + len(torn):
            return None  # It has grown.
        file.truncate(end)
        os.fsync(file.fileno())
    return SetAside(aside, [int(number[1]) for number in re.finditer(NUMBER, torn)])


def torn_entry_text(aside: SetAside, highest: int, known: int) -> str:
    """Return what happened to an incomplete end of a log whose highest entry is `highest`. The campaign file has those up to `known`."""
    first, *others = aside.numbers or [highest + 1]
    if first > max(known, highest) and not others:
        return f"An interrupted action was not carried out. Its partial log entry is in log/{aside.path.name}"
    return f"The end of the log is damaged. The unreadable part is in log/{aside.path.name}"
