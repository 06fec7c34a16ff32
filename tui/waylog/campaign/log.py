"""The log of a campaign: one file a session, only ever appended to, and the truth if the power fails.

Each entry is a block that ends with a checksum of itself, so that one which was cut short is known for what it is. People may
leave remarks between the blocks.
"""

from __future__ import annotations

import errno
import mmap
import os
import re
import zlib
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from waylog.campaign.document import Problem, Unreadable, render
from waylog.campaign.entries import Entry, Mark, decoded, encoded
from waylog.campaign.folder import sync
from waylog.rules.changes import Path as ValuePath
from waylog.rules.changes import dotted

_HEAD = b"\n[[entry]]"
_HEADER = re.compile(rb"^\[\[entry\]\][ \t\r]*$", re.MULTILINE)
_CHECK = re.compile(rb'^check = "([0-9a-f]{8})"[ \t\r]*\n', re.MULTILINE)
_NUMBER = re.compile(rb"^number = (\d{1,15})\b", re.MULTILINE)
_SESSION = re.compile(rb"^session = (\d{1,15})\b", re.MULTILINE)
_REMARKS = re.compile(rb"(?:[ \t]*(?:#[^\n]*)?(?:\r?\n|\Z))*")
_TAIL = 4 * 1024
_ENDING = 256 * 1024
"""Bytes that hold the latest forty entries, unless some change half a campaign each."""
_SEEN = 32
"""Bytes before the end of what was read that must still be there, or the file was rewritten."""
TITLE = "# Waylog's log: it only ever grows. Read it as you like, and leave it as it is.\n"


def _spans(starts: Sequence[int], end: int) -> Iterator[tuple[int, int]]:
    """From each start to the next, the last one to the end."""
    return zip(starts, [*starts[1:], end], strict=False)


class _Index(NamedTuple):
    """Where the blocks of one file begin."""

    offsets: Mapping[int, int] | Sequence[int]
    """By number; or of a file that leaves no number out, one after the other."""
    first: int
    size: int

    def place(self, number: int) -> int | None:
        """Where the block of that entry begins."""
        if isinstance(self.offsets, Mapping):
            return self.offsets.get(number)
        at = number - self.first
        return self.offsets[at] if 0 <= at < len(self.offsets) else None


class Log:
    """The log's files. What was read is kept; what others append is found by `follow`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._spoiled: set[Path] = set()
        self._forget()

    def _forget(self) -> None:
        self._entries: dict[int, Entry] = {}
        self._held: dict[str, tuple[int, bool]] = {}
        self._indexes: dict[Path, _Index] = {}
        self._file = self._folder / "0001.toml"
        self._near = self._file
        self._end = 0
        self._seen = b""
        self.last: Entry | None = None

    @property
    def file(self) -> int:
        """The number of the file that is being written."""
        return int(self._file.stem)

    @property
    def mark(self) -> Mark:
        """Where the log ends."""
        return Mark(self.last.number if self.last else 0, self.file)

    def files(self) -> list[Path]:
        """Oldest first: one for each session, unless the disk failed in the middle of it."""
        return sorted(path for path in self._folder.glob("[0-9][0-9][0-9][0-9].toml") if path.is_file())

    def follow(self) -> None:
        """Take in entries that were appended since the last look; at the first look, those at the end of the log.

        A last block that is not finished is left unread: an append may be under way, or was cut short (see `mend`).
        """
        if self.last is not None and not self._as_seen():
            self._forget()
        if self.last is None:
            self._first_look()
            return
        if self._size(self._file) != self._end:
            self._read_from(self._file, self._end)
        while (following := self._following()).is_file():
            self._read_from(following, 0)

    def _as_seen(self) -> bool:
        """What was read last still stands where it stood: nobody has rewritten the file."""
        try:
            with self._file.open("rb") as file:
                file.seek(self._end - len(self._seen))
                return file.read(len(self._seen)) == self._seen
        except OSError:
            return False

    def _first_look(self) -> None:
        """Read the end of the newest file that holds an entry, a good part at a time."""
        for path in reversed(self.files()):
            size = self._size(path)
            for back in (_TAIL, _TAIL * 32, size):
                self._read_from(path, max(0, size - back))
                if self.last is not None:
                    return
                if back >= size:
                    break

    def _read_from(self, path: Path, start: int) -> None:
        """Keep the entries from `start` on. What follows the last finished block, remarks aside, is left unread."""
        with path.open("rb") as file:
            file.seek(start)
            text = file.read()
        self._file = path
        headers = [match.start() for match in _HEADER.finditer(text)]
        end = headers[0] if headers else 0
        for header, following in _spans(headers, len(text)):
            check, last = _CHECK.search(text, header, following), following == len(text)
            if check is None and last:
                break
            stop = check.end() if check else following
            try:
                self._keep(decoded(text[header:stop], path.name))
            except Unreadable:
                if last:
                    break
            end = stop
        if remarks := _REMARKS.match(text, end):
            end = remarks.end()
        self._end = start + end
        self._seen = text[max(0, end - _SEEN) : end]

    def _following(self) -> Path:
        return self._folder / f"{self.file + 1:04}.toml"

    def stands(self) -> bool:
        """Nothing was appended since the last look."""
        return self._size(self._file) == self._end and not self._following().is_file()

    @staticmethod
    def _size(path: Path) -> int:
        try:
            return path.stat().st_size
        except OSError:
            return 0

    def _keep(self, entry: Entry) -> None:
        self._entries[entry.number] = entry
        if self.last is None or entry.number > self.last.number:
            self.last = entry

    def mend(self) -> Path | None:
        """Set aside a last block that was cut short, and tell where it lies now. Only with the lock held, after `follow`."""
        if self._size(self._file) <= self._end:
            return None
        with self._file.open("rb+") as file:
            file.seek(self._end)
            aside = self._file.with_suffix(f".torn-{self._end}")
            aside.write_bytes(file.read())
            file.truncate(self._end)
            os.fsync(file.fileno())
        return aside

    def append(self, entry: Entry) -> None:
        """Write the entry behind the others and make it durable. Only with the lock held, and after `follow` and `mend`.

        Raises `OSError` with the log as it was when it can't be written whole.
        """
        if self._begins(entry) or self._file in self._spoiled:
            # A session has a file of its own; and after a failed fsync nobody knows what the disk holds of that file.
            self._file, self._end = self._following(), 0
        first = self._end == 0
        block = (f"{TITLE}\n".encode() if first else b"\n") + encoded(entry)
        if first:
            self._folder.mkdir(exist_ok=True)
        descriptor = os.open(self._file, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC | os.O_NONBLOCK, 0o644)
        try:
            try:
                if os.write(descriptor, block) < len(block):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
                try:
                    os.fsync(descriptor)
                except OSError:
                    self._spoiled.add(self._file)
                    raise
                if first:
                    sync(self._folder)
                    sync(self._folder.parent)
            except OSError:
                os.ftruncate(descriptor, self._end)
                raise
        finally:
            with suppress(OSError):  # by now it is durable, or was said not to be
                os.close(descriptor)
        self._end += len(block)
        self._seen = block[-_SEEN:]
        self._keep(entry)

    def _begins(self, entry: Entry) -> bool:
        """Whether its session is another than that of the latest entry that has one."""
        if self.last is None or entry.session in (0, self.last.session):
            return False
        earlier = _SESSION.findall(self._ending())
        return not earlier or int(earlier[-1]) != entry.session

    def entry(self, number: int) -> Entry:
        """The entry with that number. Raises `KeyError` when there is none, or none that can be read."""
        if number not in self._entries:
            self._read_around(number)
        return self._entries[number]

    def since(self, number: int) -> list[Entry]:
        """The entries after that one, oldest first, without those that can't be read."""
        return [*self.backwards(number + 1)][::-1]

    def backwards(self, down_to: int = 1) -> Iterator[Entry]:
        """The entries that can be read, newest first. Numbers that there is no entry of cost nothing."""
        number = self.last.number if self.last else 0
        while number >= max(1, down_to):
            try:
                entry = self.entry(number)
            except KeyError:
                number = self._before(number)
                continue
            yield entry
            number -= 1

    def _before(self, number: int) -> int:
        """The number of the entry before that one, 0 if it is the first. They count up from file to file."""
        for path in reversed(self.files()):
            index = self._index(path)
            there = (
                index.offsets
                if isinstance(index.offsets, Mapping)
                else range(index.first, index.first + len(index.offsets))
            )
            if found := max((other for other in there if other < number), default=0):
                return found
        return 0

    def may_hold(self, words: str) -> bool:
        """Whether one of the latest entries may be of these words. Reads the end of the log once, and remembers."""
        newest = self.last.number if self.last else 0
        if words not in self._held:
            self._held[words] = newest, words.encode() in self._ending()
        known, held = self._held[words]
        later = (self._entries[number] for number in range(known + 1, newest + 1) if number in self._entries)
        held = held or any(entry.words == words for entry in later)
        self._held[words] = newest, held
        return held

    def _ending(self) -> bytes:
        """The last part of the text."""
        text = b""
        for path in reversed(self.files()):
            with path.open("rb") as file:
                file.seek(max(0, self._size(path) - _ENDING + len(text)))
                text = file.read() + text
            if len(text) >= _ENDING:
                break
        return text

    def touching(self, path: ValuePath) -> list[int]:
        """The numbers of the entries that changed the value at `path`, a part of it, or the table it stands in."""
        whole = [re.escape(render(dotted(path[:count]))[1:-1].encode()) for count in range(1, len(path) + 1)]
        wanted = re.compile(rb'path = "(?:' + b"|".join(whole) + rb')"|path = "' + whole[-1] + rb"\.")
        found = []
        for file in self.files():
            index = self._index(file)
            starts = sorted(index.offsets.values() if isinstance(index.offsets, Mapping) else index.offsets)
            if not starts:
                continue
            with file.open("rb") as opened, mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ) as text:
                places = {bisect_right(starts, match.start()) - 1 for match in wanted.finditer(text)}
                found += [_numbered(text, starts[place]) for place in sorted(places) if place >= 0]
        return [number for number in found if number]

    def _read_around(self, number: int) -> None:
        """Read the block of one entry, by the offsets of its file."""
        for path in self._where(number):
            at = self._index(path).place(number)
            if at is None:
                continue
            self._near = path
            with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as text:
                end = text.find(_HEAD, at)
                block = text[at : end if end >= 0 else len(text)]
            check = _CHECK.search(block)
            with suppress(Unreadable):
                self._keep(decoded(block[: check.end()] if check else block, path.name))
            return

    def _where(self, number: int) -> Iterator[Path]:
        """The files newest first, but before them the one in which an entry was found last: the next mostly stands there too.

        The last of a file may stand in the following one again, when the disk failed under it; then that one counts.
        """
        if self._index(self._near).place(number + 1) is not None:
            yield self._near
        yield from reversed(self.files())

    def _index(self, path: Path) -> _Index:
        """Where a file's blocks begin, as of its size now."""
        size = self._end if path == self._file else self._size(path)
        held = self._indexes.get(path)
        if held is None or held.size != size:
            held = self._indexes[path] = _indexed(path, size)
        return held


def _indexed(path: Path, size: int) -> _Index:
    offsets: list[int] = []
    if not size:
        return _Index(offsets, 0, size)
    with path.open("rb") as file, mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ) as text:
        at = text.find(_HEAD)
        while at >= 0:
            offsets.append(at + 1)
            at = text.find(_HEAD, at + 1)
        first, last = (_numbered(text, offsets[place]) for place in (0, -1)) if offsets else (0, 0)
        if offsets and last - first + 1 != len(offsets):
            return _Index({_numbered(text, offset): offset for offset in offsets}, first, size)
    return _Index(offsets, first, size)


def _numbered(text: mmap.mmap, offset: int) -> int:
    """The number of the entry that begins there."""
    found = _NUMBER.search(text[offset : offset + 200])
    return int(found[1]) if found else 0


def problems(folder: Path, name: str) -> Iterator[Problem]:
    """Everything wrong in the log's files: blocks that can't be read, and those that are not as they were written.

    The folder is called `name` there.
    """
    for path in Log(folder).files():
        text = path.read_bytes()
        headers = [match.start() for match in _HEADER.finditer(text)]
        for header, following in _spans(headers, len(text)):
            line = text.count(b"\n", 0, header) + 1
            check = _CHECK.search(text, header, following)
            file = f"{name}/{path.name}"
            try:
                decoded(text[header : check.end() if check else following], file)
            except Unreadable as unreadable:
                (problem,) = unreadable.problems
                yield replace(problem, line=line + problem.line - 1)
                continue
            if check is None:
                yield Problem(file, line, 1, "an entry of the log was cut short; the next act sets it aside")
            elif int(check[1], 16) != zlib.crc32(text[header : check.start()]):
                yield Problem(file, line, 1, "an entry of the log is not as it was written; it counts as it stands now")
