"""The versions of a campaign file: the one in its place, those before it, and what a crash has left beside it.

A person may save at any moment, also between two calls of a replacement, and a process may be killed between any two. So the
new version and the one in place change places in one step; what comes out is looked at; and if it is not what the new one
was made from, it is a person's save and goes back. What is about to happen is noted before, so that whoever finds the
folder half way knows what lies where.
"""

from __future__ import annotations

import os
import re
import time
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from waylog.store.campaign_file import CampaignFile
from waylog.store.entries import Mark
from waylog.store.known_versions import ArchivedVersion, KnownVersion, KnownVersions, checksum
from waylog.store.lock_and_replace import (
    FILE,
    PLAYERS,
    file_signature,
    make_inside,
    open_inside,
    put_in_place,
    sync,
    write_beside,
)
from waylog.toml.document import FileMissing, UnreadableFile, read_bytes

KEPT_VERSIONS = 30
_WRITTEN = "written"
"""In the history: what lay in place and what was written there last. It tells at once whether a person has edited it since."""
_ON_ITS_WAY = r"\.(\d+)-\d+\.(?:part|tmp|old|saved)"
"""How a file is called on its way to another name: after that, and the process that made it."""
_NUMBERED = re.compile(r"[0-9]{1,9}-[0-9]{1,9}(-[0-9]{1,3})?")
"""What a version is called that was in place: after the mark that it carries."""
_SAVED = ".saved"
"""The ending of one that a person has saved, whoever finds it."""
_ABANDONED = 60.0
"""Seconds after which such a file is nobody's, whatever process now has that number."""
_LATEST = 300
"""Seconds for which a version in the history is watched."""
_MARK = re.compile(rb'^log = "(\d{1,9}):(\d{1,9})"', re.MULTILINE)


class _WriteRecord(NamedTuple):
    """Checksums of the version that was in place and of the one that came there since or comes now, and where that lies till then."""

    held: str = "none"
    new: str = "none"
    beside: str = "none"


class Versions:
    """All versions of one campaign file. What changes anything is only for who holds the folder's lock."""

    def __init__(self, folder: Path) -> None:
        """Of the campaign in `folder`."""
        # Where a link leads, so that saving leaves it a link.
        self.path = Path(os.path.realpath(folder / FILE))
        self.exchanges = True
        """Two files can change places here, as far as is known. Where they can't, a save in that very moment is lost."""
        self._folder = folder
        self._history = folder / "history"
        self.seen = KnownVersions(self._history)
        """By checksum what was in place when."""
        self._filed: dict[str, ArchivedVersion] | None = None
        self._beside = re.compile(rf"\.(?:{re.escape(self.path.name)}|{re.escape(PLAYERS)}){_ON_ITS_WAY}")

    def all_versions(self) -> list[Path]:
        """Those that were in place, oldest first; then those that were put aside, as `saved-…` or `unreadable-…`."""
        others = (path for path in self._history.glob("*.toml") if not _NUMBERED.fullmatch(path.stem))
        return [*self.earlier(), *sorted(others, key=_order)]

    def mark_of(self, path: Path) -> Mark:
        """How far the log had come when an earlier version was in place, by its name."""
        file, number, *_ = path.stem.split("-")
        return Mark(int(number), int(file))

    def with_checksum(self, wanted: str) -> bytes | None:
        """The content of an earlier version."""
        for path in reversed(self.earlier()):
            with suppress(UnreadableFile):
                if checksum(data := read_bytes(path)) == wanted:
                    return data
        return None

    def last_size(self) -> int:
        """Bytes of the version that was written or taken in last; 0 when that isn't known."""
        size = self._read_record().new.partition(":")[0]
        return int(size) if size.isdecimal() else 0

    def earlier(self) -> list[Path]:
        """Those that were in place, oldest first, each named after the mark that it carries."""
        return sorted((path for path in self._history.glob("*.toml") if _NUMBERED.fullmatch(path.stem)), key=_order)

    def is_own_version(self, data: bytes) -> bool:
        """The file is what Waylog has written last, or has taken in; or nothing was ever written."""
        written, found = self._read_record(), checksum(data)
        if found == written.held:  # as long as the new one is still beside it: later somebody has put it back
            return self.path.with_name(f"{written.beside}.tmp").exists()
        return found == written.new if written != _WriteRecord() else not self.earlier()

    def keep_initial_version(self, file: CampaignFile) -> None:
        """Keep the file as it is when it is first played on: what a person changes later, with no window open, differs from it.

        Does nothing when there are earlier versions, or no room for one.
        """
        with suppress(OSError):
            if (self._history / _WRITTEN).exists() or self.earlier():
                return
            beside = write_beside(self.path, file.document.data)  # where the next start would look for it
            try:
                self.keep(beside, _stem_of(file.mark))
                self._note(_WriteRecord(new=checksum(file.document.data)))
                self.seen.add(_as_seen(file))
            finally:
                beside.unlink(missing_ok=True)

    def has_moved(self) -> bool:
        """The file has become a link, or the link leads elsewhere, since this was made."""
        return Path(os.path.realpath(self._folder / FILE)) != self.path

    def is_regular(self, data: bytes) -> bool:
        """The log has everything that this content says: Waylog wrote it last, or has taken it in last."""
        last = self.seen.last()
        noted = self._read_record() != _WriteRecord() and self.is_own_version(data)
        return noted or (last is not None and last.checksum == checksum(data))

    def remember(self, file: CampaignFile) -> None:
        """Put the version in place on the list, should a crash have kept it from that."""
        with suppress(OSError):
            if self.is_own_version(file.document.data):
                self.seen.add(_as_seen(file, whole=self._is_whole(file)))

    def _is_whole(self, file: CampaignFile) -> bool:
        seen = self.seen.of(checksum(file.document.data))
        return seen is None or seen.entry is not None

    def keep_copy(self, file: CampaignFile) -> None:
        """Keep a version in the history that somebody has replaced by an earlier one."""
        with suppress(OSError):
            self.keep(write_beside(self.path, file.document.data), _stem_of(file.mark))

    def record_merge(self, file: CampaignFile, *, whole: bool) -> None:
        """Note that what a person has saved is in the log, and whether it says all that the log does."""
        with suppress(OSError):  # without that note it is compared once more
            self._note(_WriteRecord(new=checksum(file.document.data)))
            self.seen.add(_as_seen(file, whole=whole))

    def put(self, beside: Path, file: CampaignFile, new: CampaignFile) -> CampaignFile | None:
        """Put the new version, written at `beside`, in the place of the one it was made from, which goes to the history.

        None, and nothing is changed, when the file is not that one any more. Raises `OSError`. Nothing is left at `beside` but
        what a person has saved, should it not go back; then it is found later.
        """
        if file_signature(self.path) != file.signature:
            beside.unlink()
            return None
        with suppress(OSError):  # without room for it the file itself still counts
            self._note(_WriteRecord(checksum(file.document.data), checksum(new.document.data), beside.stem))
        try:
            old = put_in_place(beside, self.path)
        except OSError:
            beside.unlink(missing_ok=True)
            raise
        self.exchanges = old in (None, beside)
        if old is not None and not _holds(old, file.document.data):
            self._give_back(old, new)
            return None
        sync(self.path.parent)
        with suppress(OSError):
            self.seen.add(_as_seen(new))
        if old is not None:
            with suppress(OSError):
                self._file_away(old, file)
            old.unlink(missing_ok=True)
        return replace(new, signature=file_signature(self.path))

    def _file_away(self, old: Path, file: CampaignFile) -> None:
        """Move what was swapped out into the history, and remember it: an editor may still be writing to it. Raises `OSError`."""
        name = self.keep(old, _stem_of(file.mark))
        found = (self._history / f"{name}.toml").stat()
        filed = ArchivedVersion(name, checksum(file.document.data), found.st_ino, found.st_mtime_ns, time.time_ns())
        self.open_in_editors()[name] = filed
        self.seen.note_archived(filed)

    # -- saves that come late -----------------------------------------------------------------------------------

    def open_in_editors(self) -> dict[str, ArchivedVersion]:
        """The versions in the history that an editor may still be writing to, by name."""
        if self._filed is None:
            self._filed = {filed.name: filed for filed in self.seen.archived_versions()[-KEPT_VERSIONS:]}
        return self._filed

    def late(self) -> list[Path]:
        """Versions in the history that somebody has written to since they were moved there."""
        if not self.open_in_editors():
            return []
        return [path for filed in [*self.open_in_editors().values()] if (path := self._written_since(filed))]

    def _written_since(self, filed: ArchivedVersion) -> Path | None:
        path = self._history / f"{filed.name}.toml"
        try:
            found = path.stat()
        except OSError:
            del self.open_in_editors()[filed.name]
            return None
        if found.st_ino != filed.inode or found.st_mtime_ns > filed.at + _LATEST * 10**9:
            del self.open_in_editors()[filed.name]  # a copy, or a person who edits the history
            return None
        if found.st_mtime_ns == filed.modified and int(filed.checksum.partition(":")[0]) == found.st_size:
            return None
        return path if _checksum_of(path) != filed.checksum else None

    def bring_back_late(self, late: Path) -> None:
        """Put a version that was written to after it was moved into the history in place again. Raises `OSError`.

        What is in place goes into the history. If that is a person's save, it is found by `leftover_files`.
        """
        del self.open_in_editors()[late.stem]
        aside = self.path.with_name(f".{self.path.name}.{os.getpid()}-{time.monotonic_ns()}{_SAVED}")
        out = put_in_place(late.rename(aside), self.path)
        if out is not None:
            out = out.rename(out.with_suffix(_SAVED))
            if self.is_regular(read_bytes(out)):
                self.keep(out, _stem_of(_mark_of(out)))
        sync(self.path.parent)

    def _give_back(self, old: Path, new: CampaignFile) -> None:
        """A person's save was in place after all: it goes back there, and is as new to everybody as if nothing had been."""
        out = self._back_in_place(old)
        if out is not None and _holds(out, new.document.data):
            out.unlink()
        elif out is not None:  # saved again meanwhile: the later one goes back, and the next turn finds the earlier
            self._back_in_place(out)
        sync(self.path.parent)

    def _back_in_place(self, saved: Path) -> Path | None:
        """Put what a person has saved in place. Gives what was there, under a name by which it is found if nobody goes on."""
        saved = saved.rename(saved.with_suffix(_SAVED))
        out = put_in_place(saved, self.path)
        return out and out.rename(out.with_suffix(_SAVED))

    def keep(self, old: Path, stem: str) -> str:
        """Move a file into the history, beside others of that name, and forget the oldest beyond `KEPT_VERSIONS`.

        Those that were in place and those that were put aside are counted apart. Gives its name. Raises `OSError`.
        """
        make_inside(self._history)
        turns = (stem, *(f"{stem}-{count}" for count in range(2, KEPT_VERSIONS + 3)))
        paths = (self._history / f"{turn}.toml" for turn in turns)
        kept = next((path for path in paths if _same(old, path)), self._history / f"{stem}.toml")
        old.replace(kept)
        numbered = _NUMBERED.fullmatch(stem) is not None
        earlier = set(self.earlier())
        alike = [path for path in self.all_versions() if path != kept and (path in earlier) == numbered]
        for path in alike[: max(0, len(alike) - KEPT_VERSIONS + 1)]:
            with suppress(FileNotFoundError):
                path.unlink()
        return kept.stem

    # -- what a crash has left ----------------------------------------------------------------------------------

    def leftover_files(self) -> list[Path]:
        """Files beside the campaign file that nobody is at any more, oldest first."""
        folders = {self.path.parent, self._history.parent}
        return sorted((path for folder in folders for path in folder.iterdir() if self._is_left(path)), key=_age)

    def _is_left(self, path: Path) -> bool:
        made = self._beside.fullmatch(path.name)
        if made is None or path.is_symlink() or not path.is_file():  # nothing else is ever left by a save
            return False
        return path.suffix == _SAVED or _has_ended(int(made[1]), path)

    def clear_up(self) -> tuple[list[Path], str]:
        """Finish or take back a replacement that a crash has left half way.

        Gives what else lies beside the file, to be taken in and then kept, and what there is to tell.
        """
        saves, message = list[Path](), ""
        written = self._read_record()
        for path in self.leftover_files():
            with suppress(OSError):  # another turn will do
                if path.suffix == ".part":
                    path.unlink()  # it was never finished; the log has what it was to say
                elif (found := _checksum_of(path)) == written.new:
                    path.unlink()
                elif found == written.held:
                    self.keep(path, _stem_of(_mark_of(path)))
                elif path.stem == written.beside and _checksum_of(self.path) == written.new:
                    message = f"What was saved in {self.path.name} while it was being replaced is in its place again"
                    out = self._back_in_place(path)
                    if out is not None and _checksum_of(out) == written.new:
                        out.unlink()
                    elif out is not None:
                        saves.append(out)
                else:
                    saves.append(path)
        return saves, message

    def archive_save(self, path: Path) -> str:
        """Keep a version that was saved and has no place any more. Gives its name. Raises `OSError`."""
        return self.keep(path, f"saved-{_stem_of(_mark_of(path))}")

    # -- the note -----------------------------------------------------------------------------------------------

    def _read_record(self) -> _WriteRecord:
        """What is noted; nothing where that can't be read."""
        try:
            record, _, rest = read_bytes(self._history / _WRITTEN).decode("utf-8", "surrogateescape").partition("\n")
        except UnreadableFile:
            return _WriteRecord()
        new, _, beside = rest.partition(" ")
        return _WriteRecord(record, new, beside)

    def _note(self, written: _WriteRecord) -> None:
        """Raises `OSError`, also for a pipe or a symbolic link, at once."""
        make_inside(self._history)
        note = open_inside(self._history / _WRITTEN, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        try:
            os.write(note, f"{written.held}\n{written.new} {written.beside}".encode("utf-8", "surrogateescape"))
        finally:
            os.close(note)


def _as_seen(file: CampaignFile, *, whole: bool = True) -> KnownVersion:
    """A version as the list names it."""
    return KnownVersion(checksum(file.document.data), file.mark if whole else None, file.own)


def _order(path: Path) -> tuple[str, list[int]]:
    """By the mark in the name, and of those that carry the same one by their turn."""
    head, *rest = path.stem.split("-")
    numbers = [int(part) for part in ((head, *rest) if head.isdecimal() else rest) if part.isdecimal()]
    return "" if head.isdecimal() else head, numbers


def _stem_of(mark: Mark) -> str:
    return f"{mark.file:04}-{mark.number:06}"


def _same(one: Path, other: Path) -> bool:
    """There is no other, or it holds the same."""
    try:
        return read_bytes(other) == read_bytes(one)
    except FileMissing:
        return True
    except UnreadableFile:
        return False


def _mark_of(path: Path) -> Mark:
    """The mark that a version carries, whatever else is in it; 0 if it can't be read."""
    try:
        found = _MARK.search(read_bytes(path))
    except UnreadableFile:
        found = None
    return Mark(int(found[2]), int(found[1])) if found else Mark(0, 0)


def _holds(path: Path, data: bytes) -> bool:
    """The file there is exactly that."""
    try:
        return read_bytes(path) == data
    except UnreadableFile:
        return False


def _checksum_of(path: Path) -> str:
    """That of a file; of none that can't be read."""
    try:
        return checksum(read_bytes(path))
    except UnreadableFile:
        return ""


def _has_ended(pid: int, path: Path) -> bool:
    try:
        os.kill(pid, 0)
        return pid != os.getpid() and time.time() - _age(path) > _ABANDONED
    except ProcessLookupError:
        return True
    except PermissionError:
        return False


def _age(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return 0
