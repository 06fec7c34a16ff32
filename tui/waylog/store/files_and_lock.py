"""Low-level access to a campaign's folder: writing whole files, and comparing versions of a file.

A campaign may come from a stranger, or be in a folder that other accounts can read. So nothing inside it is written
through a symbolic link, pipes and devices are never waited for, and a file is readable by its owner alone while it is
being written.

The lock of a campaign, which keeps two programs from writing at once, and how long a program waits for it.
"""

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

from waylog.toml.document import Problem, UnreadableFile
from waylog.values import dataclass, field

FILE = "campaign.toml"
"""The file that makes a folder a campaign."""
PLAYERS = "players.toml"
"""The file with everything that all players may see of it."""
INBOX = "inbox"
"""The folder with a folder for each player."""
OWN_FILE = "player.toml"
"""The file in a player's folder with everything that they may see, if that is more than all players see."""
LINES = "lines.toml"
"""The file with the lines and veils of its table."""
SEAL = ".seal"
"""The file with the seed of the session's dice, until the session ends."""
LOCK = ".lock"
"""The file that is locked for each act."""
_OF_A_CAMPAIGN = ("log", "history", LOCK, ".schema.json")
"""What Waylog puts beside the file of a campaign, and nobody beside a file that a link leads to."""
TICK = 50_000_000
"""Nanoseconds after which a file system's clock is certain to have advanced. Some have a resolution of a hundredth of a
second.
"""
_AT_FDCWD, _EXCHANGE = -100, 2
_numbers = itertools.count(1)
"""Several threads of one process may each write a file."""


def describe_error(error: Exception) -> str:
    """Return why something failed; what the system says, in small letters."""
    return (error.strerror or str(error)).lower() if isinstance(error, OSError) else str(error)


@dataclass(frozen=True, slots=True)
class FileSignature:
    """Distinguishes versions of a file without reading it. Every editor changes at least one of these values."""

    device: int
    inode: int
    size: int
    modified: int
    changed: int
    sure: bool = field(compare=False)
    """A later version is certain to differ. False while the file system's clock hasn't advanced since the last change."""


def file_signature(path: Path) -> FileSignature | None:
    """Return the signature of a file, or None if it doesn't exist."""
    try:
        found = path.stat()
    except OSError:
        return None
    sure = time.time_ns() - found.st_ctime_ns > TICK
    return FileSignature(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns, sure)


def real_file(folder: Path) -> Path:
    """Return the campaign file of a folder. A link is followed, so that saving keeps it a link, as in a folder of dotfiles.

    Raises `UnreadableFile` if it leads into another campaign: a campaign from a stranger would show that one, and each act would change it.
    """
    target, home = Path(os.path.realpath(folder / FILE)), Path(os.path.realpath(folder))
    for above in target.parents:
        if above == home:
            break
        if (above / FILE).exists() and any((above / name).exists() for name in _OF_A_CAMPAIGN):
            message = (
                f"this file is a link into another campaign, {above}. Put a copy in its place, or open that campaign"
            )
            raise UnreadableFile(Problem(FILE, 1, 1, message))
    return target


def now_there(folder: Path) -> float:
    """Return the time by the clock of the folder's file system, which may differ from that of this machine, as on a file server.

    Where no file can be made, nothing can be written either, and this machine's clock will do.
    """
    import tempfile  # Only what is left of a crash, or looks cut short, needs it.

    with suppress(OSError), tempfile.TemporaryFile(dir=folder) as made:
        return os.fstat(made.fileno()).st_ctime
    return time.time()


def open_inside(path: Path, flags: int, mode: int = 0o600) -> int:
    """Open a regular file of the campaign for writing, and return its descriptor. Raises `OSError` in plain words.

    A symbolic link in its place is not followed, and a pipe is not waited for.
    """
    try:
        descriptor = os.open(path, flags | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY, mode)
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise _link_error(path) from None
        if error.errno == errno.ENXIO:
            raise OSError(errno.ENXIO, f"{path.name} is a pipe, not a file") from None
        raise
    check_regular(descriptor, path)
    return descriptor


def open_to_read(path: Path, most: int) -> int:
    """Open a regular file of at most `most` bytes for reading, and return its descriptor. Never waits for a pipe.
    Raises `OSError`.
    """
    descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
    if (size := check_regular(descriptor, path).st_size) > most:
        os.close(descriptor)
        raise OSError(errno.EFBIG, f"{path.name} is {size:,} bytes long, but the limit is {most:,}")
    return descriptor


def check_regular(descriptor: int, path: Path) -> os.stat_result:
    """Return the status of an open file. If it isn't a regular file, close it and raise `OSError`."""
    found = os.fstat(descriptor)
    if stat.S_ISREG(found.st_mode):
        return found
    os.close(descriptor)
    raise OSError(errno.EINVAL, f"{path.name} is a folder, a device or a pipe, not a file")


def make_inside(folder: Path, mode: int | None = None) -> None:
    """Make a folder of the campaign, if it doesn't exist yet. Raises `OSError`, also for a symbolic link in its place.

    Without a `mode`, those who may read or write `campaign.toml` may do so there. Whatever the umask, not every account may write.
    """
    with suppress(OSError):
        # The folder nearly always exists, and a look costs a fifth of a failed `mkdir` with its exception.
        if stat.S_ISDIR(os.lstat(folder).st_mode):
            return
    try:
        folder.mkdir(_folder_mode(folder.parent) if mode is None else mode)
    except FileExistsError:
        if folder.is_symlink():
            raise _link_error(folder) from None
        if not folder.is_dir():
            raise


def _link_error(path: Path) -> OSError:
    return OSError(errno.ELOOP, f"{path.name} is a symbolic link, which is not allowed here")


def _folder_mode(campaign: Path) -> int:
    try:
        mode = (campaign / FILE).stat().st_mode
    except OSError:
        return 0o755
    readers = mode & 0o044
    return 0o700 | readers | readers >> 2 | (mode & 0o020)


def write_beside(path: Path, data: bytes) -> Path:
    """Write `data` to a durable file next to `path`, with the same mode. Raises `OSError` and leaves nothing behind.

    The file gets its name only when it is complete, so that the remains of a crash can be recognised (see `versions`).
    Until then only its owner can read it.
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
                if not written:  # A file system that accepts no more bytes would otherwise be tried for ever.
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                view = view[written:]
            with suppress(OSError):  # The file system has no modes.
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
    """Open a new, empty file that only its owner can read. It replaces a leftover of that name."""
    path.unlink(missing_ok=True)
    return open_inside(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL)


def _umask() -> int:
    """Return the process's umask. While it is read, files that other threads create are private."""
    mask = os.umask(0o077)
    os.umask(mask)
    return mask


def put_in_place(beside: Path, path: Path) -> Path | None:
    """Replace the file at `path` by the one at `beside`. Return where the old file is now, or None if there was none.

    This survives a power cut only after the caller has called `sync` for the folder. The two files change places in one
    step, so that a version that somebody saved a moment ago is kept. If the file system can't do that, the old version is
    copied first. A file that somebody makes at this moment, and may be about to write to, is such a version too, although it
    is empty: git takes a file away, makes it anew and then writes it. Raises `OSError`.
    """
    while not os.path.lexists(path):  # A link that leads nowhere is there.
        if _take_free_name(beside, path):
            return None
    if _exchange(beside, path):
        return beside
    import shutil  # Start-up saves two milliseconds by importing this here.

    part = beside.with_suffix(".part")
    seen = None
    while seen != (seen := file_signature(path)):  # Copy the version that is being replaced, not an earlier one.
        os.close(_open_private(part))
        shutil.copy2(path, part)  # Set the mode last.
    aside = part.rename(beside.with_suffix(".old"))
    beside.replace(path)
    return aside


def _take_free_name(beside: Path, path: Path) -> bool:
    """Rename a file. Return False if there is a file of that name by now. Raises `OSError`."""
    try:
        os.link(beside, path)
    except FileExistsError:
        return False
    except OSError:  # The file system has no hard links.
        beside.rename(path)
    else:
        beside.unlink()
    return True


def _exchange(one: Path, other: Path) -> bool:
    """Exchange two files in one step. Return False if the file system can't do that."""
    import ctypes  # Only a file that is replaced needs it.

    try:
        renameat2 = ctypes.CDLL(None, use_errno=True).renameat2
    except AttributeError:
        return False
    result = renameat2(_AT_FDCWD, os.fsencode(one), _AT_FDCWD, os.fsencode(other), _EXCHANGE)
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


def request_players_file(folder: Path) -> None:
    """Ask for the players' file, if a campaign has none: make an empty one, which the wayfinder's program fills. Raises `OSError`.

    It may be read by whoever may read the campaign file, which isn't opened.
    """
    try:
        mode = (folder / FILE).stat().st_mode & 0o777
        descriptor = open_inside(folder / PLAYERS, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
    except (FileExistsError, FileNotFoundError):  # It is there; or there is no campaign yet.
        return
    try:
        os.fchmod(descriptor, mode)  # Whatever the umask of the account.
    finally:
        os.close(descriptor)


def players_file_is_requested(folder: Path) -> bool:
    """Whether somebody has asked for the players' file and nothing has been written yet."""
    try:
        found = os.lstat(folder / PLAYERS)
    except OSError:
        return False
    return stat.S_ISREG(found.st_mode) and not found.st_size


_CLAIM = ".lock.claim"
_LONGEST_WAIT_FOR_LOCK = 10.0
ABANDONED = 60.0
"""Seconds after which what a process has left on its way belongs to none, even if one has its number."""
_lock_numbers = itertools.count(1)
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
    claim, mine = folder / _CLAIM, f"{_machine()}:{os.getpid()}:{next(_lock_numbers)}"
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
