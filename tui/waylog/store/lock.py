"""The lock of a campaign, which keeps two programs from writing at once, and how long a program waits for it."""

from __future__ import annotations

import errno
import fcntl
import itertools
import os
import re
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import cache
from pathlib import Path

from waylog.store.files import FILE, LOCK, now_there, open_inside

_CLAIM = ".lock.claim"
_LONGEST_WAIT_FOR_LOCK = 10.0
ABANDONED = 60.0
"""Seconds after which what a process has left on its way belongs to none, even if one has its number."""
_numbers = itertools.count(1)
"""Several threads of one process may each want the lock."""


class CampaignBusy(Exception):
    """Another program has held the campaign's lock for longer than any act takes."""


@contextmanager
def lock_campaign(folder: Path, patience: float | None = None) -> Iterator[None]:
    """Hold the campaign's lock for one act. Raises `CampaignBusy` or `OSError`.

    The kernel releases the lock when a process ends. On some network folders it doesn't keep out the programs of other
    machines; a claim does: a link that only one program at a time can make, and that says who made it. While another
    program holds either, this waits for `patience` seconds, by default longer than any act takes. Only an account that
    may write the campaign can hold the lock, so readers never delay anybody.
    """
    deadline = time.monotonic() + (_LONGEST_WAIT_FOR_LOCK if patience is None else patience)
    descriptor = open_inside(folder / LOCK, os.O_RDWR | os.O_CREAT)
    claim, mine = folder / _CLAIM, f"{_machine()}:{os.getpid()}:{next(_numbers)}"
    try:
        _narrow(descriptor, folder)
        while not (_take_lock(descriptor) and _make_claim(claim, mine)):
            if time.monotonic() >= deadline:
                raise CampaignBusy("another program is using this campaign. Nothing was done")
            time.sleep(0.002)
        try:
            yield
        finally:
            with suppress(OSError):  # Somebody may have taken it for abandoned meanwhile.
                if _read(claim) == mine:
                    os.unlink(claim)  # noqa: PTH108
    finally:
        with suppress(OSError):  # Whatever the system reports, the descriptor is closed and the work is done.
            os.close(descriptor)


def _take_lock(descriptor: int) -> bool:
    """Lock an open file. Return False while another program holds it. Where files can't be locked, the claim has to do."""
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno not in (errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP):
            raise
    return True


def _make_claim(path: Path, mine: str) -> bool:
    """Make the claim at `path`, with the lock held. Return False while another program has it.

    Where no link can be made, or what is in its place can't be removed, the lock has to do.
    """
    with suppress(OSError):
        try:
            os.symlink(mine, path)  # noqa: PTH211 - in each act
        except FileExistsError:
            with suppress(FileNotFoundError):  # It was taken back, and another program may have made its own by now.
                return (
                    _is_abandoned(path, made_by := _read(path))
                    and _take_away(path, made_by)
                    and _make_claim(path, mine)
                )
            return False
    return True


def _take_away(path: Path, made_by: str) -> bool:
    """Remove an abandoned claim. Return False if another program has just done that, and has made its own. Raises `OSError`."""
    aside = path.with_name(f"{path.name}.{os.getpid()}")
    path.rename(aside)
    try:
        if _read(aside) == made_by:
            return True
        with suppress(FileExistsError):
            os.link(aside, path, follow_symlinks=False)
        return False
    finally:
        aside.unlink()


def _read(claim: Path) -> str:
    """Return who has made a claim. Raises `OSError` if something else is in its place."""
    return os.readlink(claim)  # noqa: PTH115 - in each act, and `Path` takes three times as long


def _is_abandoned(path: Path, made_by: str) -> bool:
    """Whether nobody will take a claim back: a crash has left it. Raises `OSError`.

    A program of this machine has ended if it doesn't hold the lock. Where the lock excludes nobody, its process shows it. Nothing
    shows whether a program of another machine has ended, so its claim is abandoned after a minute.
    """
    who = re.fullmatch(r"([^:]+):(\d{1,9}):\d+", made_by)
    if who is None or abs(now_there(path.parent) - path.lstat().st_mtime) > ABANDONED:
        return True
    return who[1] == _machine() and (_lock_excludes(path.parent) or has_ended(int(who[2])))


@cache
def _machine() -> str:
    """Return what distinguishes this machine from others: the id of the running kernel, or a name where it has none."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    except OSError:
        return os.uname().nodename.replace(":", "-")


def _lock_excludes(folder: Path) -> bool:
    """Whether the lock, which this process holds, keeps out other programs of this machine."""
    descriptor = open_inside(folder / LOCK, os.O_RDWR)
    try:
        return not _take_lock(descriptor)
    finally:
        os.close(descriptor)


def has_ended(pid: int) -> bool:
    """Whether there is no process with that number on this machine."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    except PermissionError:  # It belongs to another account.
        pass
    return False


def _narrow(descriptor: int, folder: Path) -> None:
    """Remove the lock file's permissions for accounts that may not write `campaign.toml` in `folder`.

    Earlier versions created the lock file with mode 0644. `descriptor` is the open lock file. Permissions are never
    added. If they can't be changed, nothing happens.
    """
    with suppress(OSError):  # The file belongs to another account, or the file system has no modes.
        mode = stat.S_IMODE(os.fstat(descriptor).st_mode)
        if not mode & ~0o600:
            return
        writers = (folder / FILE).stat().st_mode & 0o022
        allowed = 0o600 | writers | writers << 1
        if mode & ~allowed:
            os.fchmod(descriptor, mode & allowed)
