"""The folder of a campaign on disk: the lock, whole-file writes, and telling one version of a file from another.

A campaign may come from a stranger, or lie where other accounts can look. So nothing below its folder is written through a
symbolic link, no pipe or device is waited for, and a file that is being written can be read by its owner alone.
"""

from __future__ import annotations

import errno
import fcntl
import itertools
import os
import stat
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


class CampaignBusy(Exception):
    """Another program has held the campaign's lock for longer than any act takes."""


@dataclass(frozen=True, slots=True)
class FileSignature:
    """What tells a version of a file from another without reading it. Every editor changes at least one of these."""

    device: int
    inode: int
    size: int
    modified: int
    changed: int
    sure: bool = field(compare=False)
    """A later version has another one. Not so while the clock of the file system stands where it stood at the last change."""


def file_signature(path: Path) -> FileSignature | None:
    """The file as it stands, or None if there is none."""
    try:
        found = path.stat()
    except OSError:
        return None
    sure = time.time_ns() - found.st_ctime_ns > _TICK
    return FileSignature(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns, sure)


@contextmanager
def lock_campaign(folder: Path, patience: float | None = None) -> Iterator[None]:
    """Hold the campaign for one act. The kernel lets go of it when a process dies. Raises `CampaignBusy` or `OSError`.

    While another program holds it, this waits for `patience` seconds, by default for longer than any act takes. Only an
    account that may write the campaign can hold the lock: whoever may just look on delays nobody.
    """
    patience = _PATIENCE if patience is None else patience
    descriptor = open_inside(folder / ".lock", os.O_RDWR | os.O_CREAT)
    try:
        _narrow(descriptor, folder)
        deadline = time.monotonic() + patience
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() >= deadline:
                    raise CampaignBusy("another program holds this campaign; nothing was done") from None
                time.sleep(0.002)
        yield
    finally:
        with suppress(OSError):  # whatever the system says, it is closed, and what was done is done
            os.close(descriptor)


def _narrow(descriptor: int, folder: Path) -> None:
    """Take the lock file's permissions from everybody who may not write the campaign file. Earlier versions made it 0644."""
    with suppress(OSError):  # it is another account's, or the file system knows no modes
        mode = stat.S_IMODE(os.fstat(descriptor).st_mode)
        if not mode & ~0o600:
            return
        writers = (folder / FILE).stat().st_mode & 0o022
        allowed = 0o600 | writers | writers << 1
        if mode & ~allowed:
            os.fchmod(descriptor, mode & allowed)


def open_inside(path: Path, flags: int, mode: int = 0o600) -> int:
    """Open a regular file of the campaign to write it, and give its descriptor. Raises `OSError` in plain words.

    A symbolic link in its place is not followed, and a pipe is not waited for.
    """
    try:
        descriptor = os.open(path, flags | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY, mode)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise OSError(errno.ELOOP, f"{path.name} is a symbolic link, and nothing is written through one") from None
        if error.errno == errno.ENXIO:
            raise OSError(errno.ENXIO, f"{path.name} is a pipe and not a file") from None
        raise
    _check_regular(descriptor, path)
    return descriptor


def open_to_read(path: Path, most: int) -> int:
    """Open a regular file of at most `most` bytes and give its descriptor. Never waits for a pipe. Raises `OSError`."""
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
    if (size := _check_regular(descriptor, path).st_size) > most:
        os.close(descriptor)
        raise OSError(errno.EFBIG, f"{path.name} has {size:,} bytes; only files of up to {most:,} are read")
    return descriptor


def _check_regular(descriptor: int, path: Path) -> os.stat_result:
    """What the system says of an open file. Closes it and raises `OSError` when it is no regular one."""
    found = os.fstat(descriptor)
    if stat.S_ISREG(found.st_mode):
        return found
    os.close(descriptor)
    raise OSError(errno.EINVAL, f"{path.name} is a folder, a device or a pipe and not a file")


def make_inside(folder: Path, mode: int = 0o777) -> None:
    """Make a folder of the campaign, if it is not there yet. Raises `OSError`, also for a symbolic link in its place."""
    with suppress(OSError):
        # Nearly always it is there, and looking costs a fifth of what a refused `mkdir` and its exception do.
        if stat.S_ISDIR(os.lstat(folder).st_mode):
            return
    try:
        folder.mkdir(mode)
    except FileExistsError:
        if folder.is_symlink():
            reason = f"{folder.name} is a symbolic link, and nothing is written through one"
            raise OSError(errno.ELOOP, reason) from None
        if not folder.is_dir():
            raise


def write_beside(path: Path, data: bytes) -> Path:
    """A durable file with `data` next to `path`, with its mode. Raises `OSError` and leaves nothing behind.

    It has its name only when it is whole, so that what a crash leaves can be told apart (see `versions`). Until then only
    its owner can read it.
    """
    beside = path.with_name(f".{path.name}.{os.getpid()}-{next(_numbers)}.tmp")
    part = beside.with_suffix(".part")
    mode = path.stat().st_mode & 0o777 if path.exists() else 0o644 & ~_umask()
    descriptor = _open_private(part)
    try:
        try:
            view = memoryview(data)
            while view:
                written = os.write(descriptor, view)
                if not written:  # a file system that takes nothing more would be asked for ever
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                view = view[written:]
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


def _open_private(path: Path) -> int:
    """A new, empty file that only its owner can read, in the place of what a crash may have left under that name."""
    path.unlink(missing_ok=True)
    return open_inside(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL)


def _umask() -> int:
    """What new files are to be kept from others. While it is asked, another thread's new file is kept from all of them."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def put_in_place(beside: Path, path: Path) -> Path | None:
    """Replace the file at `path` by the one at `beside`. Return where the old file is now, or None if there was none.

    This survives a power cut only after the caller has called `sync` for the folder. The two files change places in one
    step, so that a version that somebody saved a moment ago is kept. If the file system can't do that, the old version is
    copied first. Raises `OSError`.
    """
    if not path.exists():
        beside.rename(path)
        return None
    if _exchange(beside, path):
        return beside
    import shutil  # two milliseconds that a start need not wait for

    part = beside.with_suffix(".part")
    seen = None
    while seen != (seen := file_signature(path)):  # it is the version that is replaced, and not one before it
        os.close(_open_private(part))
        shutil.copy2(path, part)  # the mode comes last
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
