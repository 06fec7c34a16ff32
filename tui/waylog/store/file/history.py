"""The versions of a campaign file: the one in place, earlier ones in the history, and the remains of a crash.

A person may save at any moment, even between two system calls of a replacement, and the process may be killed between
any two. So the new version and the one in place are exchanged in one step, and the one that comes out is checked. If it
is not the version that the new one was made from, it is a person's save and is put back. Each step is recorded first,
so that the next program knows what is where.

`PlacedVersions` knows versions by checksum: the file `history/known`, which is only appended to and drops its oldest part. A line
`SIZE:CRC32 ENTRY MARK` says that a file with that content held the state after ENTRY and had MARK in its `log` line.
ENTRY is `-` for a save made from an older version, which lacked what had been played since. MARK is `-` for a file
without a `log` line. A line `filed NAME SIZE:CRC32 INODE MODIFIED AT` describes a version that was moved into the
history as NAME.toml, with the time of its last change and of the move, in nanoseconds. A line that a crash cut short is
skipped. Without the list, only a version's mark is known.
"""

from __future__ import annotations

import os
import re
import time
import zlib
from collections.abc import Collection, Iterator
from contextlib import suppress
from pathlib import Path

from waylog.store.file.campaign_file_tables_and_scene_cards import CampaignFile
from waylog.store.files_and_lock import (
    ABANDONED,
    FILE,
    PLAYERS,
    file_signature,
    has_ended,
    make_inside,
    open_inside,
    put_in_place,
    real_file,
    sync,
    write_beside,
)
from waylog.store.log.entries_and_version_0_1 import Mark
from waylog.toml.document import FileMissing, UnreadableFile, read_bytes
from waylog.values import NamedTuple, replace

RESTORED_EDIT = "Restored your edit of {}, which you saved while Waylog was replacing the file"
_LARGEST = 128 * 1024
"""If the list is larger than this, in bytes, its older half is dropped. About 1,500 versions stay."""
_LINE = rb"(?m)^(\d+:[0-9a-f]{8}) (-|\d{1,9}:\d{1,12}) (-|\d{1,9}:\d{1,12})\n"
_FILED = rb"(?m)^filed ([0-9a-z-]+) (\d+:[0-9a-f]{8}) (\d+) (\d+) (\d+)\n"


class PlacedVersion(NamedTuple):
    """One version of the file."""

    checksum: str
    entry: Mark | None
    """The entry after which the state was in it; None if it lacked some of what had been played."""
    mark: Mark | None
    """The mark in its `log` line."""


class ArchivedVersion(NamedTuple):
    """A version that was moved into the history."""

    name: str
    checksum: str
    inode: int
    modified: int
    at: int


class PlacedVersions:
    """The list of one campaign. Only the holder of the folder's lock adds to it."""

    def __init__(self, history: Path) -> None:
        """Open the list of the campaign with that history folder."""
        self._path = history / "known"

    def _read(self) -> bytes:
        try:
            return read_bytes(self._path)
        except UnreadableFile:
            return b""

    def last(self) -> PlacedVersion | None:
        """Return the version that was in place last."""
        return next(self._newest_first(), None)

    def oldest(self) -> PlacedVersion | None:
        """Return the oldest version in the list."""
        found = re.search(_LINE, self._read())
        return found and _parse_known(found)

    def of(self, checksum: str) -> PlacedVersion | None:
        """Return the latest version with that content."""
        return next((seen for seen in self._newest_first() if seen.checksum == checksum), None)

    def last_with_mark(self, mark: Mark) -> PlacedVersion | None:
        """Return the latest version with that `mark`: the one that an editor with this mark has read or written last."""
        numbered = (seen for seen in self._newest_first() if seen.mark is not None)
        return next((seen for seen in numbered if seen.mark and seen.mark.number == mark.number), None)

    def _newest_first(self) -> Iterator[PlacedVersion]:
        for line in reversed(self._read().splitlines(keepends=True)):
            if found := re.fullmatch(_LINE, line):
                yield _parse_known(found)

    def archived_versions(self) -> list[ArchivedVersion]:
        """Return the versions that were moved into the history, oldest first, each name once."""
        found = (
            ArchivedVersion(line[1].decode(), line[2].decode(), int(line[3]), int(line[4]), int(line[5]))
            for line in re.finditer(_FILED, self._read())
        )
        return [*{filed.name: filed for filed in found}.values()]

    def add(self, seen: PlacedVersion) -> None:
        """Add a version, unless it is already the last one. Raises `OSError`."""
        if self.last() != seen:
            self._append(f"{seen.checksum} {seen.entry or '-'} {seen.mark or '-'}\n")

    def note_archived(self, filed: ArchivedVersion) -> None:
        """Add that a version was moved into the history. Raises `OSError`."""
        self._append(f"filed {filed.name} {filed.checksum} {filed.inode} {filed.modified} {filed.at}\n")

    def _append(self, line: str) -> None:
        make_inside(self._path.parent)
        handle = open_inside(self._path, os.O_RDWR | os.O_CREAT | os.O_APPEND)
        try:
            size = os.fstat(handle).st_size
            # End a line that was cut short, so that it doesn't spoil the next one.
            torn = size > 0 and os.pread(handle, 1, size - 1) != b"\n"
            os.write(handle, (b"\n" if torn else b"") + line.encode())
        finally:
            os.close(handle)
        if size > _LARGEST:
            self._drop_older_half()

    def _drop_older_half(self) -> None:
        kept = self._read()[-_LARGEST // 2 :].partition(b"\n")[2]
        beside = self._path.with_suffix(".part")
        with suppress(OSError):
            beside.unlink()
        handle = open_inside(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        try:
            whole = os.write(handle, kept) == len(kept)
        finally:
            os.close(handle)
        if whole:
            beside.replace(self._path)


def _parse_known(line: re.Match[bytes]) -> PlacedVersion:
    return PlacedVersion(line[1].decode(), _mark(line[2]), _mark(line[3]))


def _mark(text: bytes) -> Mark | None:
    file, _, number = text.partition(b":")
    return Mark(int(number), int(file)) if number else None


def checksum(data: bytes) -> str:
    """Return the size and CRC of a content, which distinguish it from others."""
    return f"{len(data)}:{zlib.crc32(data):08x}"


_MARK = rb'(?m)^log = "(\d{1,9}):(\d{1,9})"'


def version_order(path: Path) -> tuple[str, list[int]]:
    """Return a sort key: the mark in the name, then the number among those with the same mark."""
    head, *rest = path.stem.split("-")
    numbers = [int(part) for part in ((head, *rest) if head.isdecimal() else rest) if part.isdecimal()]
    return "" if head.isdecimal() else head, numbers


def version_name(mark: Mark) -> str:
    """Return the name of a version with that mark, without an ending."""
    return f"{mark.file:04}-{mark.number:06}"


def is_same_file(one: Path, other: Path) -> bool:
    """Whether there is no other file, or it has the same content."""
    try:
        return read_bytes(other) == read_bytes(one)
    except FileMissing:
        return True
    except UnreadableFile:
        return False


def mark_in(path: Path) -> Mark:
    """Return the number of the entry in a version's mark; 0 if it can't be read."""
    try:
        found = re.search(_MARK, read_bytes(path))
    except UnreadableFile:
        found = None
    return Mark(int(found[2]), int(found[1])) if found else Mark(0, 0)


def has_content(path: Path, data: bytes) -> bool:
    """Whether the file has exactly that content."""
    try:
        return read_bytes(path) == data
    except UnreadableFile:
        return False


def checksum_of(path: Path) -> str:
    """Return the checksum of a file; empty if it can't be read."""
    try:
        return checksum(read_bytes(path))
    except UnreadableFile:
        return ""


def writer_has_ended(pid: int, path: Path) -> bool:
    """Whether no process is working on a file any more that the process with that number made."""
    return has_ended(pid) or (pid != os.getpid() and time.time() - modification_time(path) > ABANDONED)


def modification_time(path: Path) -> float:
    """Return when a file was last changed, in seconds; 0 if it is gone."""
    try:
        return path.stat().st_mtime
    except FileNotFoundError:
        return 0


KEPT_VERSIONS = 30
_WRITTEN = "written"
"""A file in the history that records the version in place and the last one written. It shows at once whether a person
has edited the file since.
"""
_ON_ITS_WAY = r"\.(\d+)-\d+\.(?:part|tmp|old|saved)"
"""The ending of a file that is about to be renamed: the process that made it, and a kind."""
_NUMBERED = r"[0-9]{1,9}-[0-9]{1,9}(-[0-9]{1,3})?"
"""The name of a version that was in place, made from its mark."""
_SAVED = ".saved"
"""The ending of a version that a person saved, whoever finds it."""
_LATEST = 300
"""Seconds for which a version in the history is watched for late writes."""


class _WriteRecord(NamedTuple):
    """The checksums of the version that was in place and of the one that replaces it, and the name of the new one until
    then.
    """

    held: str = "none"
    new: str = "none"
    beside: str = "none"


def earlier_versions(folder: Path) -> list[Path]:
    """Return the versions of a campaign's file that were in place, oldest first."""
    found = (folder / "history").glob("*.toml")
    return sorted((path for path in found if re.fullmatch(_NUMBERED, path.stem)), key=version_order)


class FileHistory:
    """All versions of one campaign file. Methods that change something need the folder's lock."""

    def __init__(self, folder: Path) -> None:
        """Open the versions of the campaign in `folder`. Raises `UnreadableFile` for a file that is a link into another one."""
        self.path = real_file(folder)
        self.exchanges = True
        """Whether two files can be exchanged here, as far as is known. If not, a save at that very moment is lost."""
        self._folder = folder
        self._history = folder / "history"
        self.seen = PlacedVersions(self._history)
        """The known versions, by checksum."""
        self._filed: dict[str, ArchivedVersion] | None = None

    def all_versions(self) -> list[Path]:
        """Return the files of all versions: first those that were in place, oldest first, then those that were set aside, named
        `saved-…` or `unreadable-…`.
        """
        others = (path for path in self._history.glob("*.toml") if not re.fullmatch(_NUMBERED, path.stem))
        return [*self.earlier(), *sorted(others, key=version_order)]

    def mark_of(self, path: Path) -> Mark:
        """Return the number of the log entry that an earlier version was up to date with, from its name."""
        file, number, *_ = path.stem.split("-")
        return Mark(int(number), int(file))

    def with_checksum(self, wanted: str) -> bytes | None:
        """Return the content of an earlier version with that checksum."""
        for path in reversed(self.earlier()):
            with suppress(UnreadableFile):
                if checksum(data := read_bytes(path)) == wanted:
                    return data
        return None

    def last_size(self) -> int:
        """Return the size in bytes of the version that was last written or taken in; 0 if unknown."""
        size = self._read_record().new.partition(":")[0]
        return int(size) if size.isdecimal() else 0

    def earlier(self) -> list[Path]:
        """Return the versions that were in place, oldest first. Each is named after its mark."""
        return earlier_versions(self._history.parent)

    def is_own_version(self, data: bytes) -> bool:
        """Whether the file is the one that Waylog last wrote or took in; also True if nothing was ever written."""
        written, found = self._read_record(), checksum(data)
        if found == written.held:  # The new version is still beside it; otherwise somebody has restored the old one.
            return self.path.with_name(f"{written.beside}.tmp").exists()
        return found == written.new if written != _WriteRecord() else not self.earlier()

    def keep_initial_version(self, file: CampaignFile) -> None:
        """Keep the file as it is before the first act, so that an edit made later, with no window open, can be compared
        with it.

        Does nothing if there are earlier versions, or no space for one.
        """
        with suppress(OSError):
            if (self._history / _WRITTEN).exists() or self.earlier():
                return
            beside = write_beside(self.path, file.document.data)  # The next start would look for it there.
            try:
                self.keep(beside, version_name(file.mark))
                self._note(_WriteRecord(new=checksum(file.document.data)))
                self.seen.add(_as_seen(file))
            finally:
                beside.unlink(missing_ok=True)

    def has_moved(self) -> bool:
        """Whether the file has become a link, or its link has a new target, since this object was made."""
        return Path(os.path.realpath(self._folder / FILE)) != self.path

    def is_regular(self, data: bytes) -> bool:
        """Whether the log has everything in this content, because Waylog wrote it last, or took it in last."""
        last = self.seen.last()
        noted = self._read_record() != _WriteRecord() and self.is_own_version(data)
        return noted or (last is not None and last.checksum == checksum(data))

    def remember(self, file: CampaignFile) -> None:
        """Add the version in place to the list, in case a crash prevented that."""
        with suppress(OSError):
            if self.is_own_version(file.document.data):
                seen = self.seen.of(checksum(file.document.data))
                self.seen.add(_as_seen(file, whole=seen is None or seen.entry is not None))

    def keep_copy(self, file: CampaignFile) -> None:
        """Keep a version in the history that somebody has replaced by an earlier one."""
        with suppress(OSError):
            self.keep(write_beside(self.path, file.document.data), version_name(file.mark))

    def record_merge(self, file: CampaignFile, *, whole: bool) -> None:
        """Record that a saved version is in the log, and whether it contains everything that the log has."""
        with suppress(OSError):  # Without this record, the version is just compared once more.
            self._note(_WriteRecord(new=checksum(file.document.data)))
            self.seen.add(_as_seen(file, whole=whole))

    def put(self, beside: Path, file: CampaignFile, new: CampaignFile) -> CampaignFile | None:
        """Put the new version, written at `beside`, in the place of the version that it was made from, which goes into
        the history.

        Return None and change nothing if the file is no longer that version. Raises `OSError`. Nothing stays at
        `beside`, except a person's save that could not be put back; a later turn finds it.
        """
        if file_signature(self.path) != file.signature:
            beside.unlink()
            return None
        with suppress(OSError):  # If there is no space for the record, the file itself still counts.
            self._note(_WriteRecord(checksum(file.document.data), checksum(new.document.data), beside.stem))
        try:
            old = put_in_place(beside, self.path)
        except OSError:
            beside.unlink(missing_ok=True)
            raise
        self.exchanges = old in (None, beside)
        if old is not None and not has_content(old, file.document.data):
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
        """Move the replaced version, which is at `old`, into the history. Raises `OSError`.

        An editor may still have that file open and write to it. So the file's state at this time is recorded, and
        `late` can tell later whether somebody has written to it.
        """
        name = self.keep(old, version_name(file.mark))
        found = (self._history / f"{name}.toml").stat()
        filed = ArchivedVersion(name, checksum(file.document.data), found.st_ino, found.st_mtime_ns, time.time_ns())
        self.open_in_editors()[name] = filed
        self.seen.note_archived(filed)

    # -- late saves -------------------------------------------------------------------------------------------------

    def open_in_editors(self) -> dict[str, ArchivedVersion]:
        """Return the names of versions in the history that an editor may still be writing to."""
        if self._filed is None:
            self._filed = {filed.name: filed for filed in self.seen.archived_versions()[-KEPT_VERSIONS:]}
        return self._filed

    def late(self) -> list[Path]:
        """Return the versions in the history that were written to after they were moved there."""
        if not self.open_in_editors():
            return []
        return [path for filed in [*self.open_in_editors().values()] if (path := self._find_written(filed))]

    def _find_written(self, filed: ArchivedVersion) -> Path | None:
        path = f"{self._history}/{filed.name}.toml"
        try:
            found = os.stat(path)  # noqa: PTH116 - of up to thirty files, in each act and twice a second
        except OSError:
            del self.open_in_editors()[filed.name]
            return None
        if found.st_ino != filed.inode or found.st_mtime_ns > filed.at + _LATEST * 10**9:
            del self.open_in_editors()[filed.name]  # It is a copy, or a person edits the history.
            return None
        if found.st_mtime_ns == filed.modified and int(filed.checksum.partition(":")[0]) == found.st_size:
            return None
        return Path(path) if checksum_of(Path(path)) != filed.checksum else None

    def bring_back_late(self, late: Path) -> None:
        """Put a version that was written to in the history back in place. Raises `OSError`.

        The version that was in place goes into the history. If it is a person's save, `leftover_files` finds it.
        """
        del self.open_in_editors()[late.stem]
        aside = self.path.with_name(f".{self.path.name}.{os.getpid()}-{time.monotonic_ns()}{_SAVED}")
        out = put_in_place(late.rename(aside), self.path)
        if out is not None:
            out = out.rename(out.with_suffix(_SAVED))
            if self.is_regular(read_bytes(out)):
                self.keep(out, version_name(mark_in(out)))
        sync(self.path.parent)

    def _give_back(self, old: Path, new: CampaignFile) -> None:
        """Put a person's save back in place, and treat it as new."""
        out = self._back_in_place(old)
        if out is not None and has_content(out, new.document.data):
            out.unlink()
        elif (
            out is not None
        ):  # Somebody saved again meanwhile: put the later save back; the next turn finds the earlier one.
            self._back_in_place(out)
        sync(self.path.parent)

    def _back_in_place(self, saved: Path) -> Path | None:
        """Put a person's save in place. Return the path of the file that was there, which the next program finds if
        this one stops.
        """
        saved = saved.rename(saved.with_suffix(_SAVED))
        out = put_in_place(saved, self.path)
        return out and out.rename(out.with_suffix(_SAVED))

    def keep(self, old: Path, stem: str) -> str:
        """Move a file into the history under a free name, and delete the oldest beyond `KEPT_VERSIONS`.

        Versions that were in place and files set aside are counted separately. Return the name. Raises `OSError`.
        """
        make_inside(self._history)
        turns = (stem, *(f"{stem}-{count}" for count in range(2, KEPT_VERSIONS + 3)))
        paths = (self._history / f"{turn}.toml" for turn in turns)
        kept = next((path for path in paths if is_same_file(old, path)), self._history / f"{stem}.toml")
        old.replace(kept)
        numbered = re.fullmatch(_NUMBERED, stem) is not None
        earlier = set(self.earlier())
        alike = [path for path in self.all_versions() if path != kept and (path in earlier) == numbered]
        for path in alike[: max(0, len(alike) - KEPT_VERSIONS + 1)]:
            with suppress(FileNotFoundError):
                path.unlink()
        return kept.stem

    # -- after a crash ----------------------------------------------------------------------------------------------

    def leftover_files(self) -> list[Path]:
        """Return what interrupted saves have left beside the campaign file and in its history, oldest first."""
        folders = {self.path.parent, self._history.parent}
        return sorted(
            (path for folder in folders for path in folder.iterdir() if self._is_left(path)), key=modification_time
        )

    def _is_left(self, path: Path) -> bool:
        stem = next((stem for stem in (f".{self.path.name}", f".{PLAYERS}") if path.name.startswith(stem)), None)
        made = re.fullmatch(_ON_ITS_WAY, path.name.removeprefix(stem)) if stem else None
        if made is None or path.is_symlink() or not path.is_file():  # A save leaves no other kind of file.
            return False
        return path.suffix == _SAVED or writer_has_ended(int(made[1]), path)

    def clear_up(self) -> tuple[list[Path], str]:
        """Finish or reverse a replacement that a crash interrupted.

        Return the other files beside the campaign file, to be taken in and then kept, and messages for the person.
        """
        saves, message = list[Path](), ""
        written = self._read_record()
        for path in self.leftover_files():
            with suppress(OSError):  # The next turn will do.
                if path.suffix == ".part":
                    path.unlink()  # It was never completed; the log has everything that it would have said.
                elif (found := checksum_of(path)) == written.new or (self.path.exists() and path.samefile(self.path)):
                    path.unlink()
                elif found == written.held:
                    self.keep(path, version_name(mark_in(path)))
                elif path.stem == written.beside and checksum_of(self.path) == written.new:
                    message = RESTORED_EDIT.format(self.path.name)
                    out = self._back_in_place(path)
                    if out is not None and checksum_of(out) == written.new:
                        out.unlink()
                    elif out is not None:
                        saves.append(out)
                else:
                    saves.append(path)
        return saves, message

    def archive_save(self, path: Path) -> str:
        """Keep a version that was saved but isn't in place. Return its name. Raises `OSError`."""
        return self.keep(path, f"saved-{version_name(mark_in(path))}")

    # -- the record -------------------------------------------------------------------------------------------------

    def _read_record(self) -> _WriteRecord:
        """Return the record; an empty one if it can't be read."""
        try:
            record, _, rest = read_bytes(self._history / _WRITTEN).decode("utf-8", "surrogateescape").partition("\n")
        except UnreadableFile:
            return _WriteRecord()
        new, _, beside = rest.partition(" ")
        return _WriteRecord(record, new, beside)

    def _note(self, written: _WriteRecord) -> None:
        """Write the record. Raises `OSError`, also at once for a pipe or a symbolic link."""
        make_inside(self._history)
        note = open_inside(self._history / _WRITTEN, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        try:
            os.write(note, f"{written.held}\n{written.new} {written.beside}".encode("utf-8", "surrogateescape"))
        finally:
            os.close(note)


def _as_seen(file: CampaignFile, *, whole: bool = True) -> PlacedVersion:
    """Return a version as the list of known versions names it."""
    return PlacedVersion(checksum(file.document.data), file.mark if whole else None, file.own)


def no_version_text(version: str, there: Collection[str]) -> str:
    """Return why a version of the campaign file can't be restored that isn't there."""
    return f"there is no version “{version}”. Versions: {', '.join(there) or 'none'}"
