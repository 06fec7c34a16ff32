"""The known versions of a campaign file, by checksum: the file `history/known`, which is only appended to and drops its
oldest part.

A line is `SIZE:CRC32 ENTRY MARK`: a file with that content held the state after ENTRY and had MARK in its `log` line.
ENTRY is `-` for a save made from an older version, which lacked what had been played since. MARK is `-` for a file
without a `log` line. A line `filed NAME SIZE:CRC32 INODE MODIFIED AT` describes a version that was moved into the
history as NAME.toml, with the time of its last change and of the move, in nanoseconds. A line that a crash cut short is
skipped. Without the list, only a version's mark is known.
"""

from __future__ import annotations

import os
import re
import zlib
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from waylog.store.files import make_inside, open_inside
from waylog.store.log.entries import Mark
from waylog.toml.document import UnreadableFile, read_bytes
from waylog.values import NamedTuple

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
        found = (_parse_archived(line) for line in re.finditer(_FILED, self._read()))
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


def _parse_archived(line: re.Match[bytes]) -> ArchivedVersion:
    return ArchivedVersion(line[1].decode(), line[2].decode(), int(line[3]), int(line[4]), int(line[5]))


def _mark(text: bytes) -> Mark | None:
    file, _, number = text.partition(b":")
    return Mark(int(number), int(file)) if number else None


def checksum(data: bytes) -> str:
    """Return the size and CRC of a content, which distinguish it from others."""
    return f"{len(data)}:{zlib.crc32(data):08x}"
