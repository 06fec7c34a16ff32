"""The folder of a campaign on disk: the lock, whole-file writes, and telling one version of a file from another."""

from __future__ import annotations

import ctypes
import errno
import fcntl
import itertools
import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NamedTuple

FILE = "campaign.toml"
"""What makes a folder a campaign."""
KEPT_VERSIONS = 30
_PATIENCE = 10.0
_AT_FDCWD, _EXCHANGE = -100, 2
_BESIDE = re.compile(r"\..+\.(\d+)-\d+\.(?:part|tmp|old)")
"""A file on its way to another name, and the process that made it."""
_ABANDONED = 60.0
"""Seconds after which such a file is nobody's, whatever process now has that number."""
_numbers = itertools.count(1)
"""Threads of one process may each be at one."""
_MARK = re.compile(rb'^log = "(\d+):(\d+)"', re.MULTILINE)


class Busy(Exception):
    """Another program has held the campaign's lock for longer than any act takes."""


class Signature(NamedTuple):
    """What tells a version of a file from another without reading it. Every editor changes at least one of these."""

    device: int
    inode: int
    size: int
    modified: int
    changed: int


def signature(path: Path) -> Signature | None:
    """The file as it stands, or None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    return Signature(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)


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

    It has its name only when it is whole, so that what a crash leaves can be told apart (see `sweep`).
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}-{next(_numbers)}.tmp")
    part = beside.with_suffix(".part")
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o644
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC | os.O_NOFOLLOW, mode)
    try:
        try:
            view = memoryview(data)
            while view:
                written = os.write(descriptor, view)
                if not written:  # a file system that takes nothing more would be asked for ever
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                view = view[written:]
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
        return part.rename(beside)
    except OSError:
        with suppress(OSError):
            part.unlink()
        raise


def put_in_place(beside: Path, path: Path) -> Path | None:
    """Make `beside` the file at `path`, durably. What stood there is now at `beside`; None if nothing did.

    The two change places in one step, so that a version somebody saved a moment ago is held, not lost. Where the file
    system can't do that, the old version is copied aside first.
    """
    old: Path | None = beside
    if not path.exists():
        beside.rename(path)
        old = None
    elif not _exchange(beside, path):
        import shutil  # two milliseconds that a start need not wait for

        part = beside.with_suffix(".part")
        shutil.copy2(path, part)
        aside = part.rename(beside.with_suffix(".old"))
        beside.replace(path)
        old = aside
    sync(path.parent)
    return old


def _exchange(one: Path, other: Path) -> bool:
    """Let two files change places in one step. False where the file system can't."""
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


def keep_version(old: Path, history: Path, name: str) -> None:
    """Move an old version of the campaign file into its history, and forget the oldest beyond `KEPT_VERSIONS`."""
    history.mkdir(exist_ok=True)
    old.replace(history / name)
    versions = sorted(history.glob("*.toml"), key=lambda path: (path.stat().st_mtime_ns, path.name))
    for path in versions[:-KEPT_VERSIONS]:
        with suppress(FileNotFoundError):
            path.unlink()


def left_over(folder: Path) -> list[Path]:
    """Files that processes which are gone have left in a folder."""
    return [path for path in folder.glob(".*") if (made := _BESIDE.fullmatch(path.name)) and _gone(int(made[1]), path)]


def _gone(pid: int, path: Path) -> bool:
    try:
        os.kill(pid, 0)
        return pid != os.getpid() and time.time() - path.stat().st_mtime > _ABANDONED
    except (ProcessLookupError, FileNotFoundError):
        return True
    except PermissionError:
        return False


def sweep(folder: Path, history: Path) -> list[str]:
    """Clear away what a crash has left in a folder, and tell which versions are kept. Only with the lock held.

    A file that was never finished goes, for the log has what it was to say. A whole one may be what a person saved in the
    moment of the crash, so it is kept among the versions.
    """
    kept = []
    for path in left_over(folder):
        with suppress(OSError):  # another start will do
            if path.suffix == ".part":
                path.unlink()
            else:
                name = _version_name(path, history)
                keep_version(path, history, name)
                kept.append(name.removesuffix(".toml"))
    return kept


def _version_name(path: Path, history: Path) -> str:
    """The name of a version among those that are there: after its mark."""
    mark = _MARK.search(path.read_bytes())
    stem = f"{int(mark[1]):04}-{int(mark[2]):06}" if mark else "0000-000000"
    names = (f"{stem}{turn}.toml" for turn in ("", *(f"-{count}" for count in range(2, KEPT_VERSIONS + 2))))
    return next((name for name in names if not (history / name).exists()), f"{stem}.toml")


def sync(folder: Path) -> None:
    """Make the names in a folder durable."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
