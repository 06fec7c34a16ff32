"""The log of a campaign: one file a session, only ever appended to, and the truth if the power fails.

Each entry is a block that ends with a checksum of itself, so that one which was cut short is known for what it is; and it names
the checksum of the one before it, so that one which is lost is missed. People may leave remarks between the blocks.
"""

from __future__ import annotations

import errno
import mmap
import os
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO, NamedTuple

from waylog.rules.changes import Path as ValuePath
from waylog.rules.changes import format_path
from waylog.rules.state import EntryKind
from waylog.store.entries import FARTHEST, LogEntry, Mark, decode_entry, encode_entry
from waylog.store.lock_and_replace import FILE, make_inside, open_inside, open_to_read, sync
from waylog.store.log_damage import (
    CHECK,
    NUMBER,
    REMARKS,
    Report,
    absent_log_text,
    headers,
    join_reports,
    shortened_log_text,
    unread,
    verify_file,
)
from waylog.toml.document import Document, Problem, UnreadableFile, format_value

_HEAD = b"\n[[entry]]"
_SESSION = re.compile(rb"^session = (\d{1,15})\b", re.MULTILINE)
_BEGINNING = b"[[entry]]"
_NAME = re.compile(r"[0-9]{4}\.toml")
"""How a file of the log is called."""
_LARGEST = 64 * 1024 * 1024
"""The most bytes that a file of the log may have: some 170,000 entries, and a session has a file of its own."""
_TAIL = 4 * 1024
_ENDING = 256 * 1024
"""Bytes that hold the latest forty entries, unless some change half a campaign each."""
AT_A_START, AT_A_LOOK, AT_AN_ACT = 1024 * 1024, 512 * 1024, 16 * 1024
"""Bytes of the log that are verified at once: more would be felt then. A megabyte takes ten milliseconds."""
_TOGETHER = 64
"""Entries that are read together at most."""
_TURNS = 100
"""Files that are set aside under one name."""
_SEEN = 32
"""Bytes before the end of what was read that must still be there, or the file was rewritten."""
TITLE = "# Waylog's log: it only ever grows. Read it as you like, and leave it is.\n"


class _Index(NamedTuple):
    """Where the blocks of one file begin."""

    numbers: Sequence[int]
    """Of the entries, counting up: a range in a file that leaves none out."""
    offsets: Sequence[int]
    """Where the block of each of them begins."""
    starts: Sequence[int]
    """Where every block begins, also one without a number."""
    size: int

    def place(self, number: int) -> int | None:
        """Where the block of that entry begins."""
        at = bisect_left(self.numbers, number)
        return self.offsets[at] if at < len(self.numbers) and self.numbers[at] == number else None

    def before(self, number: int) -> int:
        """The highest number under that one; 0 if there is none."""
        at = bisect_left(self.numbers, number)
        return self.numbers[at - 1] if at else 0


class SetAside(NamedTuple):
    """The end of the log that was no whole entry."""

    path: Path
    """Where it lies now."""
    numbers: Sequence[int]
    """Of the entries in it, as far as they can be read."""


class Log:
    """The log's files. What was read is kept; what others append is found by `follow`."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._spoiled: set[Path] = set()
        self.begins_behind = 0
        """The entry behind which the log of a campaign begins that came without its log."""
        self._forget()

    def _forget(self) -> None:
        self._entries: dict[int, LogEntry] = {}
        self._held: dict[EntryKind, tuple[int, bool]] = {}
        self._indexes: dict[Path, _Index] = {}
        self._file = self._folder / "0001.toml"
        self._near = self._file
        self._end = 0
        self._seen = b""
        self._listed: Sequence[Path] = ()
        """The files when they were verified last."""
        self._reports: dict[Path, Report] = {}
        self._joined: tuple[list[tuple[Path, Report | None]], tuple[Problem, ...]] = [], ()
        """The reports that were looked at last, and what they tell."""
        self._check = ""
        self.last: LogEntry | None = None
        self.highest = 0
        """The highest number in the log, also of an entry that can't be read."""

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
        try:
            with os.scandir(self._folder) as found:
                names = [entry.name for entry in found if _NAME.fullmatch(entry.name) and entry.is_file()]
        except (FileNotFoundError, NotADirectoryError, PermissionError):
            return []
        return [self._folder / name for name in sorted(names)]

    def follow(self) -> None:
        """Take in entries that were appended since the last look; at the first look, those at the end of the log.

        A last block that is not finished is left unread: an append may be under way, or was cut short (see `mend`).
        """
        if self.last is not None and not self.is_as_seen():
            self._forget()
        if self.last is None:
            self._first_look()
            return
        if self._size(self._file) != self._end:
            self._read_from(self._file, self._end)
        while (following := self._next_file()).is_file():
            self._read_from(following, 0)

    def is_as_seen(self) -> bool:
        """What was read last still stands where it stood: nobody has rewritten the file."""
        try:
            descriptor = open_to_read(self._file, _LARGEST)
            try:
                return os.pread(descriptor, len(self._seen), self._end - len(self._seen)) == self._seen
            finally:
                os.close(descriptor)
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
        with _reading(path) as file:
            file.seek(start)
            text = file.read()
        self._file = path
        starts = headers(text)
        end = starts[0] if starts else 0
        for header, following in pairwise([*starts, len(text)]):
            check = CHECK.search(text, header, following)
            if check is None and following == len(text):
                break
            end = check.end() if check else following
            block = text[header:end]
            self._check = check[1].decode() if check else ""
            if (number := NUMBER.search(block)) and int(number[1]) <= FARTHEST:
                self.highest = max(self.highest, int(number[1]))
            with suppress(UnreadableFile):
                self._keep(decode_entry(block, path.name))
        end = _end_of_remarks(text, end)
        if (start == 0 or self.last is not None) and not _is_begun(text[end:]):
            # Not what an append leaves that was cut short, so it is damage: it stays where it is, to be put right.
            end = len(text)
        self._end = start + end
        self._seen = text[max(0, end - _SEEN) : end]

    def _next_file(self) -> Path:
        return self._folder / f"{self.file + 1:04}.toml"

    def stands(self) -> bool:
        """Nothing was appended since the last look."""
        return self._size(self._file) == self._end and not self._next_file().is_file()

    @staticmethod
    def _size(path: Path) -> int:
        try:
            return os.stat(path).st_size  # noqa: PTH116 - several times in each act, and `Path.stat` takes three times as long
        except OSError:
            return 0

    def _keep(self, entry: LogEntry) -> None:
        self._entries[entry.number] = entry
        self.highest = max(self.highest, entry.number)
        if self.last is None or entry.number > self.last.number:
            self.last = entry

    def mend(self) -> SetAside | None:
        """Set aside a last block that was cut short, and tell where it lies now. Only with the lock held, after `follow`."""
        if self._size(self._file) <= self._end:
            return None
        make_inside(self._folder)
        with open(open_inside(self._file, os.O_RDWR), "rb+") as file:  # noqa: PTH123 - a descriptor has no path
            file.seek(self._end)
            torn = file.read(_LARGEST)
            aside = self._set_aside(torn)
            file.truncate(self._end)
            os.fsync(file.fileno())
        return SetAside(aside, [int(number[1]) for number in NUMBER.finditer(torn)])

    def _set_aside(self, text: bytes) -> Path:
        """A file beside the log that holds `text`. What another one of that name holds stays."""
        for turn in range(1, _TURNS):
            aside = self._file.with_suffix(f".torn-{self._end}" + (f"-{turn}" if turn > 1 else ""))
            with open(open_inside(aside, os.O_RDWR | os.O_CREAT), "rb+") as file:  # noqa: PTH123 - it has no path
                if not text.startswith(file.read(_LARGEST)):  # all or a part of it is there if a crash came in between
                    continue
                file.seek(0)
                file.write(text)
                file.flush()
                os.fsync(file.fileno())
            return aside
        raise OSError(errno.EEXIST, f"there are too many files like {self._file.stem}.torn-{self._end}")

    def append(self, entry: LogEntry) -> None:
        """Write the entry behind the others and make it durable. Only with the lock held, and after `follow` and `mend`.

        Raises `OSError` with the log as it was when it can't be written whole. An entry that stands there whole and can't
        be cut off again counts as written, as everybody who reads the log finds it.
        """
        if self._begins(entry) or self._file in self._spoiled:
            # A session has a file of its own; and after a failed fsync nobody knows what the disk holds of that file.
            self._file, self._end = self._next_file(), 0
        if entry.number > FARTHEST:
            raise OSError(errno.EOVERFLOW, f"no entry can have a number above {FARTHEST:,}; mend the one that has it")
        first = self._end == 0
        written = encode_entry(entry, self._check)
        late = absent_log_text(self.begins_behind) if self.begins_behind and self.last is None else ""
        block = (f"{TITLE}{late}\n".encode() if first else b"\n") + written
        make_inside(self._folder)
        mode = self._mode() if first else 0o600
        descriptor = open_inside(self._file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, mode)
        try:
            whole = False
            try:
                whole = os.write(descriptor, block) == len(block)
                if not whole:
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
                if _cut_back(descriptor, self._end) or not whole:
                    raise
        finally:
            with suppress(OSError):  # by now it is durable, or was said not to be
                os.close(descriptor)
        self._count_as_verified(block)
        self._end += len(block)
        self._seen = block[-_SEEN:]
        self._check = written[-10:-2].decode()
        self._keep(entry)

    def _mode(self) -> int:
        """Who may read a new file of the log: whoever may read the campaign's."""
        try:
            return (self._folder.parent / FILE).stat().st_mode & 0o666
        except OSError:
            return 0o644

    # -- damage -------------------------------------------------------------------------------------------------

    def verify(self, most: int) -> bool:
        """Hold about so many bytes more against their checksums, the newest file first. True when there was something to do.

        What was verified once is known. A file that can't be read is told of, like damage. Raises `OSError` when the folder
        can't be read.
        """
        began = most
        self._listed = self.files()
        for path in reversed(self._listed):
            size = self._end if path == self._file else self._size(path)
            found = self._reports.get(path, Report())
            if found.end > size:
                found = Report()
            while most > 0 and found.end < size:
                try:
                    text = self._part(path, found.end, size, most)
                except OSError as error:
                    found = unread(self._name(path), size, error)
                    break
                found = verify_file(text, self._name(path), found, to_the_end=found.end + len(text) >= size)
                most -= max(1, len(text))
            self._reports[path] = found
        return most < began

    def _count_as_verified(self, block: bytes) -> None:
        """Verify what was appended from memory, where all before it is verified: the next look need not read it again."""
        found = self._reports.get(self._file, Report())
        if found.end == self._end:
            self._reports[self._file] = verify_file(block, self._name(self._file), found, to_the_end=True)

    def _part(self, path: Path, start: int, end: int, most: int) -> bytes:
        """Some of a file's bytes, with one whole entry at least."""
        with _reading(path) as file:
            file.seek(start)
            text = file.read(min(most, end - start))
            if CHECK.search(text) is None:
                text += file.read(end - start - len(text))
        return text

    def problems(self) -> tuple[Problem, ...]:
        """What is missing or damaged in as much of the log as was verified. An error of the disk can't make this fail."""
        reports = [(path, self._report(path)) for path in self._listed]
        if reports != self._joined[0]:
            reports_in_order = join_reports([(self._name(path), report) for path, report in reports])
            self._joined = reports, tuple(reports_in_order)
        return self._joined[1]

    def _report(self, path: Path) -> Report | None:
        """The report on a file; None until all of it is verified."""
        found = self._reports.get(path)
        return None if found is None or (path != self._file and found.end < self._size(path)) else found

    def _name(self, path: Path) -> str:
        return f"{self._folder.name}/{path.name}"

    # -- reading ------------------------------------------------------------------------------------------------

    def _begins(self, entry: LogEntry) -> bool:
        """Whether its session is another than that of the latest entry that has one."""
        if self.last is None or entry.session in (0, self.last.session):
            return False
        earlier = _SESSION.findall(self._ending())
        return not earlier or int(earlier[-1]) != entry.session

    def entry(self, number: int) -> LogEntry:
        """The entry with that number. Raises `KeyError` when there is none, or none that can be read."""
        if number not in self._entries:
            self._read_around(number)
        return self._entries[number]

    def since(self, number: int) -> list[LogEntry]:
        """The entries after that one, oldest first, without those that can't be read."""
        return [*self.backwards(number + 1)][::-1]

    def backwards(self, down_to: int = 1) -> Iterator[LogEntry]:
        """The entries that can be read, newest first. Numbers that there is no entry of cost nothing."""
        number = self.last.number if self.last else 0
        together = 1
        while number >= max(1, down_to):
            if number not in self._entries:
                # Whoever goes far back goes on: then more of them are read at once.
                self._read_around(number, max(down_to, number + 1 - together))
                together = min(_TOGETHER, 2 * together)
            if number in self._entries:
                yield self._entries[number]
                number -= 1
            else:
                number = self._before(number)

    def _before(self, number: int) -> int:
        """The number of the entry before that one, 0 if it is the first. They count up from file to file."""
        for path in reversed(self.files()):
            if found := self._index(path).before(number):
                return found
        return 0

    def may_hold(self, kind: EntryKind) -> bool:
        """Whether one of the latest entries may be of that kind. Reads the end of the log once, and remembers.

        Only for kinds whose value is what an entry of 0.1 has as its words.
        """
        newest = self.last.number if self.last else 0
        if kind not in self._held:
            self._held[kind] = newest, kind.value.encode() in self._ending()
        known, has_kind = self._held[kind]
        has_kind = has_kind or any(entry.kind is kind for entry in self.backwards(known + 1))
        self._held[kind] = newest, has_kind
        return has_kind

    def _ending(self) -> bytes:
        """The last part of the text."""
        text = b""
        for path in reversed(self.files()):
            with _reading(path) as file:
                file.seek(max(0, self._size(path) - _ENDING + len(text)))
                text = file.read() + text
            if len(text) >= _ENDING:
                break
        return text

    def entries_changing(self, path: ValuePath) -> list[int]:
        """The numbers of the entries that changed the value at `path`, a part of it, or the table it stands in."""
        whole = [re.escape(format_value(format_path(path[:count]))[1:-1].encode()) for count in range(1, len(path) + 1)]
        wanted = re.compile(rb'path = "(?:' + b"|".join(whole) + rb')"|path = "' + whole[-1] + rb"\.")
        found = []
        for file in self.files():
            index = self._index(file)
            starts = index.starts
            if not starts:
                continue
            with _map_file(file) as text:
                places = {bisect_right(starts, match.start()) - 1 for match in wanted.finditer(text)}
                found += [_parse_number(text, starts[place]) for place in sorted(places) if place >= 0]
        return [number for number in found if number]

    def _read_around(self, number: int, down_to: int | None = None) -> None:
        """Read the block of one entry, by the offsets of its file; and those of entries before it in that file, as told."""
        for path in self._where(number):
            index = self._index(path)
            if index.place(number) is None:
                continue
            self._near = path
            with _map_file(path) as text:
                for wanted in range(number, (number if down_to is None else down_to) - 1, -1):
                    at = index.place(wanted)
                    # Of one that stands in two files the later one counts, which only the first look at it may tell.
                    if (
                        at is None
                        or (wanted != number and wanted in self._entries)
                        or wanted == index.numbers[-1] < number
                    ):
                        continue
                    end = text.find(_HEAD, at)
                    block = text[at : end if end >= 0 else len(text)]
                    check = CHECK.search(block)
                    with suppress(UnreadableFile):
                        self._keep(decode_entry(block[: check.end()] if check else block, path.name))
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
        cached = self._indexes.get(path)
        if cached is None or cached.size != size:
            found = self._report(path)
            in_order = found is not None and not (found.missing or found.problems)
            cached = self._indexes[path] = _index_blocks(path, size, in_order=in_order)
        return cached


@contextmanager
def _reading(path: Path) -> Iterator[BinaryIO]:
    """A file of the log, to be read. Raises `OSError` for what is no regular file, and for one that is too large."""
    with open(open_to_read(path, _LARGEST), "rb") as file:  # noqa: PTH123 - a descriptor has no path
        yield file


@contextmanager
def _map_file(path: Path, size: int = 0) -> Iterator[mmap.mmap]:
    """The bytes of a file of the log, or of its beginning, without reading them all. Raises `OSError` or `ValueError`."""
    with _reading(path) as file, mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ) as text:
        yield text


def _cut_back(descriptor: int, size: int) -> bool:
    """Take from a file what stands behind `size`. False when the system won't."""
    try:
        os.ftruncate(descriptor, size)
    except OSError:
        return False
    return True


def _end_of_remarks(text: bytes, start: int) -> int:
    """Where remarks end that begin at `start`."""
    remarks = REMARKS.match(text, start)
    return remarks.end() if remarks else start


def _is_begun(text: bytes) -> bool:
    """What follows the last whole entry may be the beginning of another one, as an append leaves that is under way or was cut.

    A power cut may leave zeros in its place.
    """
    beginning = text.lstrip(b" \t\r\n\0")
    return beginning.startswith(_BEGINNING) or _BEGINNING.startswith(beginning)


def _index_blocks(path: Path, size: int, *, in_order: bool) -> _Index:
    """Where the blocks of a file begin. One that was found to be `in_order` leaves no number out and has none twice."""
    starts: list[int] = []
    if not size:
        return _Index((), (), starts, size)
    with _map_file(path, size) as text:
        at = text.find(_HEAD)
        while at >= 0:
            starts.append(at + 1)
            at = text.find(_HEAD, at + 1)
        if starts and in_order:
            first = _parse_number(text, starts[0])
            return _Index(range(first, first + len(starts)), starts, starts, size)
        # Of an entry that stands there twice the later one counts.
        found = sorted({_parse_number(text, start): start for start in starts}.items())
    return _Index([number for number, _ in found], [start for _, start in found], starts, size)


def _parse_number(text: mmap.mmap, offset: int) -> int:
    """The number of the entry that begins there."""
    found = NUMBER.search(text[offset : offset + 200])
    return int(found[1]) if found else 0


def problems(folder: Path, name: str, file: Document | None = None) -> Iterator[Problem]:
    """Everything wrong in the log's files: entries that are missing, can't be read, or are not as they were written.

    The folder is called `name` there. With the campaign's `file`, also that it has come further than the log.
    """
    reports = list[tuple[str, Report | None]]()
    for path in Log(folder).files():
        shown = f"{name}/{path.name}"
        try:
            with _reading(path) as opened:
                text = opened.read()
        except OSError as error:
            reports.append((shown, unread(shown, 0, error)))
            continue
        reports.append((shown, verify_file(text, shown, Report(), decode=True, to_the_end=True)))
    last = max((report.last for _, report in reports if report), default=0)
    # A campaign file that came without its log is none the worse for it.
    begun = reports or any((folder.parent / "history").glob("*.toml"))
    if file is not None and begun:
        yield from ahead(file, last)
    yield from join_reports(reports, in_full=True)


def ahead(file: Document, last: int) -> Iterator[Problem]:
    """The campaign's file has come further than the log, which ends with the entry `last`."""
    try:
        known = Mark.read(str(file.tree.get("log", Mark()))).number
    except ValueError:
        return
    if known > last:
        yield Problem(file.name, *file.position(("log",)), shortened_log_text(last, known))
