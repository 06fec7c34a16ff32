"""The folder of a campaign on disk: the lock, whole-file writes, and telling one version of a file from another."""

from __future__ import annotations

import errno
import fcntl
import itertools
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import field
from pathlib import Path

from waylog.values import dataclass

FILE = "campaign.toml"
"""What makes a folder a campaign."""
PLAYERS = "players.toml"
"""What players may see of it."""
_PATIENCE = 10.0
_TICK = 50_000_000
"""Nanoseconds in which a file system's clock has gone on for certain: some know only a hundredth of a second."""
_AT_FDCWD, _EXCHANGE = -100, 2
_numbers = itertools.count(1)
"""Threads of one process may each be at one."""


class Busy(Exception):
    """Another program has held the campaign's lock for longer than any act takes."""


@dataclass(frozen=True, slots=True)
class Signature:
    """What tells a version of a file from another without reading it. Every editor changes at least one of these."""

    device: int
    inode: int
    size: int
    modified: int
    changed: int
    sure: bool = field(compare=False)
    """A later version has another one. Not so while the clock of the file system stands where it stood at the last change."""


def signature(path: Path) -> Signature | None:
    """The file as it stands, or None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    sure = time.time_ns() - found.st_ctime_ns > _TICK
    return Signature(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns, sure)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the campaign for one act. The kernel lets go of it when a process dies. Raises `Busy` or `OSError`."""
    descriptor = os.open(folder / ".lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
    try:
        deadline = time.monotonic() + _PATIENCE
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() > deadline:
                    raise Busy("another program holds this campaign; nothing was done") from None
                time.sleep(0.002)
        yield
    finally:
        with suppress(OSError):  # whatever the system says, it is closed, and what was done is done
            os.close(descriptor)


def written_beside(path: Path, data: bytes) -> Path:
    """A durable file with `data` next to `path`, with its mode. Raises `OSError` and leaves nothing behind.

    It has its name only when it is whole, so that what a crash leaves can be told apart (see `versions`).
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}-{next(_numbers)}.tmp")
    part = beside.with_suffix(".part")
    mode = path.stat().st_mode & 0o777 if path.exists() else None
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, 0o644)
    try:
        try:
            view = memoryview(data)
            while view:
                written = os.write(descriptor, view)
                if not written:  # a file system that takes nothing more would be asked for ever
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                view = view[written:]
            if mode is not None:
                with suppress(OSError):  # a file system that knows no modes
                    os.fchmod(descriptor, mode)
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        return part.rename(beside)
    except OSError:
        with suppress(OSError):
            part.unlink()
        raise


def put_in_place(beside: Path, path: Path) -> Path | None:
    """Make `beside` the file at `path`; durably, once the folder is synced. Gives where the one is that stood there, if any.

    The two change places in one step, so that a version somebody saved a moment ago is held, not lost. Where the file
    system can't do that, the old version is copied aside first.
    """
    if not path.exists():
        beside.rename(path)
        return None
    if _exchange(beside, path):
        return beside
    import shutil  # two milliseconds that a start need not wait for

    part = beside.with_suffix(".part")
    seen = None
    while seen != (seen := signature(path)):  # it is the version that is replaced, and not one before it
        shutil.copy2(path, part)
    aside = part.rename(beside.with_suffix(".old"))
    beside.replace(path)
    return aside


def _exchange(one: Path, other: Path) -> bool:
    """Let two files change places in one step. False where the file system can't."""
    import ctypes  # another two

    libc = ctypes.CDLL(None, use_errno=True)
    if not hasattr(libc, "renameat2"):
        return False
    result = libc.renameat2(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _EXCHANGE)
    if result == 0:
        return True
    number = ctypes.get_errno()
    if number in (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP):
        return False
    raise OSError(number, os.strerror(number), str(other))


def sync(folder: Path) -> None:
    """Make the names in a folder durable."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
