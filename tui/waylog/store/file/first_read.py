"""What a start reads: the campaign file once nobody is writing it, and earlier versions where this one is not enough.

Recognise a save that is still being written.

Many programs empty a file and write it again in pieces. Between the pieces it may be valid TOML that lacks its end, so
a file that has lost something counts only when it hasn't changed for a while.
"""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

from waylog.rules.codec.changes import Change
from waylog.rules.codec.changes import Path as ValuePath
from waylog.rules.game import Game
from waylog.rules.model.state import State
from waylog.store.file.campaign_file import CampaignFile, read_campaign_file
from waylog.store.file.edit_base import MarkedState, state_after
from waylog.store.file.history import FileHistory
from waylog.store.file.placed_versions import checksum
from waylog.store.files import FILE, FileSignature, file_signature
from waylog.store.log.log import Log
from waylog.toml.document import ABSENT, Document, Problem, UnreadableFile, lookup, read_bytes
from waylog.values import NamedTuple, replace

STILL = 1.6
"""Seconds without a change after which a file that has lost something counts as complete."""
STILL_WHILE_OPEN = 10.0
"""The same while another program has the file open for writing."""
_ENDING = 48
"""Bytes at the end of a file, which a save in pieces writes last."""


def looks_cut(before: bytes, now: bytes) -> bool:
    """Whether the file is shorter than before, or has another end."""
    return len(now) < len(before) or now[-_ENDING:] != before[-_ENDING:]


class Stillness:
    """Measures how long a file has not changed."""

    def __init__(self) -> None:
        self._found: FileSignature | None = None
        self._since = 0.0

    def seconds(self, found: FileSignature | None, path: Path) -> float:
        """Return the seconds since the last change of the file at `path`, read with that signature."""
        now = time.monotonic()
        if found is None or found != self._found:
            self._found, self._since = found, now
        by_clock = _now_there(path.parent) - found.changed / 1e9 if found else 0.0
        # If the clock was set back, only this process's own observation counts.
        return max(now - self._since, by_clock)

    def enough(self, found: FileSignature | None, path: Path) -> bool:
        """Whether the file at `path`, read with that signature, has been unchanged for long enough to count as
        complete.
        """
        still = self.seconds(found, path)
        if still < STILL:
            return False
        if still >= STILL_WHILE_OPEN or found is None:
            return True
        # Its writer may just have written the rest and closed it.
        return not is_written(found) and file_signature(path) == found


def _now_there(folder: Path) -> float:
    """Return the time by the clock of the folder's file system, which may differ from that of this machine, as on a file server.

    Where no file can be made, nothing can be taken in either, and this machine's clock will do.
    """
    import tempfile  # Few files look cut short.

    with suppress(OSError), tempfile.TemporaryFile(dir=folder) as made:
        return os.fstat(made.fileno()).st_ctime
    return time.time()


def is_written(found: FileSignature) -> bool:
    """Whether some program has that file open for writing, as far as the system shows."""
    with suppress(OSError):
        return any(_writes(process, found) for process in Path("/proc").iterdir() if process.name.isdigit())
    return False


def _writes(process: Path, found: FileSignature) -> bool:
    with suppress(OSError):  # The process belongs to another account, or has ended.
        for handle in Path(process, "fd").iterdir():
            with suppress(OSError):
                status = handle.stat()
                if (status.st_dev, status.st_ino) == (found.device, found.inode):
                    flags = Path(process, "fdinfo", handle.name).read_text().partition("flags:")[2].split()[0]
                    if int(flags, 8) & os.O_ACCMODE != os.O_RDONLY:
                        return True
    return False


_LOOK = 0.05
"""Seconds between two looks, at start-up, at a file that is being written."""


class EarlierState(NamedTuple):
    """The state according to an earlier version of the file and the log alone."""

    before: CampaignFile
    marked: MarkedState


def read_finished_file(history: FileHistory, stillness: Stillness) -> tuple[Document, FileSignature | None]:
    """Read the campaign file once nobody seems to be writing it. Raises `UnreadableFile`."""
    deadline = time.monotonic() + STILL_WHILE_OPEN + _LOOK
    while True:
        seen = file_signature(history.path)
        data = read_bytes(history.path)
        if file_signature(history.path) == seen and not _is_cut(history, stillness, data, seen):
            return Document.parse(data, FILE), seen
        if time.monotonic() > deadline:
            raise UnreadableFile(
                Problem(FILE, 1, 1, "another program keeps writing to it; try again when that is done")
            )
        time.sleep(_LOOK)


def _is_cut(history: FileHistory, stillness: Stillness, data: bytes, seen: FileSignature | None) -> bool:
    """Whether somebody may be writing the file, judged by its earlier versions."""
    if history.is_regular(data) or stillness.enough(seen, history.path):
        return False
    if len(data) < history.last_size():
        return True
    earlier = history.earlier()
    with suppress(UnreadableFile):
        return bool(earlier) and looks_cut(read_bytes(earlier[-1])[-len(data) :], data)
    return False


def with_true_mark(history: FileHistory, file: CampaignFile) -> CampaignFile:
    """Return a version that Waylog wrote or took in, with its true mark, which may differ from the one in its text."""
    seen = history.seen.of(checksum(file.document.data))
    entry = seen and seen.entry
    return replace(file, mark=entry) if entry else file


def last_good_state(game: Game, log: Log, history: FileHistory, file: CampaignFile) -> State:
    """Return the contents of a file, with illegal values replaced by those last logged, or those of the first
    version.
    """
    state, earlier = file.state, history.earlier()
    for path in file.faulty:
        value = _last_logged_value(log, path)
        if value is ABSENT and earlier:
            with suppress(UnreadableFile):
                value = lookup(Document.parse(read_bytes(earlier[0]), FILE).tree, path)
        if value is not ABSENT:
            with suppress(ValueError):
                state = game.apply_changes(state, [Change(path, None, value)])
    return state


def _last_logged_value(log: Log, path: ValuePath) -> Any:
    """Return the last value in the log at a path; `ABSENT` if there is none."""
    for number in sorted(log.entries_changing(path), reverse=True):
        with suppress(KeyError):
            for change in reversed(log.entry(number).changes):
                if change.path == path[: len(change.path)]:
                    return lookup({"": change.after}, ("", *path[len(change.path) :]))
    return ABSENT


def state_from_history(game: Game, log: Log, history: FileHistory, file: CampaignFile) -> EarlierState | None:
    """Return the newest readable earlier version, and the state that it and the log give. None if there is none.

    A version that is ahead of both `file` and the log is left from before somebody put older copies of these back.
    """
    stale: EarlierState | None = None
    newest = max(log.mark.number, file.mark.number)
    for path in reversed(history.earlier()):
        if history.mark_of(path).number > newest:
            continue
        with suppress(UnreadableFile):
            before = read_campaign_file(game, Document.parse(read_bytes(path), path.name), None)
            before = replace(before, mark=history.mark_of(path))
            state = state_after(game, log, before.state, before.mark.number)
            found = EarlierState(before, MarkedState(state, max(before.mark, log.mark)))
            seen = history.seen.of(checksum(before.document.data))
            if seen is None or seen.entry is not None:
                return found
            stale = stale or found  # This version lacked what had been played, but it is better than nothing.
    return stale
