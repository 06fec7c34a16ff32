"""The log of a campaign: one file for each session, only ever appended to. It is the truth if the power fails.

Each entry is a block with a checksum of itself, so that one which was cut short is recognised, and with the checksum of
the entry before it, so that a lost one is noticed. People may add comments between the blocks.

A block is durable and whole when it is written, or it is gone again, as on a full disk. What a crash has left half written is moved to a
file beside the log when the campaign is opened.
"""

from __future__ import annotations

import errno
import os
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from contextlib import suppress
from itertools import pairwise, zip_longest
from pathlib import Path
from time import sleep

from waylog.rules.codec.changes import Path as ValuePath
from waylog.rules.codec.changes import format_path
from waylog.rules.model.state import EntryKind
from waylog.store.files_and_lock import FILE, make_inside, open_inside, open_to_read, sync
from waylog.store.log.entries_and_version_0_1 import FARTHEST, LogEntry, Mark, decode_entry, encode_entry
from waylog.store.log.verification import (
    BEGINNING,
    CHECK,
    HEAD,
    LARGEST,
    NUMBER,
    LogIndex,
    LogVerification,
    absent_log_text,
    end_of_remarks,
    headers,
    index_blocks,
    is_begun,
    log_file_names,
    map_log_file,
    open_log_file,
    parse_number,
)
from waylog.toml.document import Problem, UnreadableFile, format_value
from waylog.values import NamedTuple

_TURNS = 100
"""The most files that are set aside under one name."""


class SetAside(NamedTuple):
    """An incomplete end of the log that was moved to a separate file."""

    path: Path
    """The separate file."""
    numbers: Sequence[int]
    """The numbers of the entries in it, as far as they can be read."""


def write_block(path: Path, block: bytes, end: int, mode: int, spoiled: set[Path]) -> None:
    """Append a block to the log file at `path`, which ends at `end`, and make it durable. A new file gets that mode.

    Raises `OSError`, with the file as it was, if the block can't be written completely. After a failed fsync nobody knows
    what the disk holds of the file, so it is added to `spoiled`. A block that is complete but can't be removed again counts
    as written, because every reader of the log finds it.
    """
    descriptor = open_inside(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, mode)
    try:
        whole, written = False, 0
        try:
            written = os.write(descriptor, block)
            whole = written == len(block)
            if not whole:
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            try:
                os.fsync(descriptor)
            except OSError:
                spoiled.add(path)
                raise
            if not end:
                sync(path.parent)
                sync(path.parent.parent)
        except OSError:
            if _cut_back(descriptor, end, written) or not whole:
                raise
    finally:
        with suppress(OSError):  # By now the block is durable, or the error says that it isn't.
            os.close(descriptor)


def _cut_back(descriptor: int, size: int, written: int) -> bool:
    """Cut `written` bytes from a file that had `size` bytes. Return False if the system refuses, or if others have written too."""
    try:
        if os.fstat(descriptor).st_size > size + written:
            return False
        os.ftruncate(descriptor, size)
    except OSError:
        return False
    return True


def set_aside(log_file: Path, end: int, text: bytes) -> Path:
    """Write the torn `text` from behind `end` to a file beside the log, and return that. An existing file with other contents is kept."""
    for turn in range(1, _TURNS):
        aside = log_file.with_suffix(f".torn-{end}" + (f"-{turn}" if turn > 1 else ""))
        with open(open_inside(aside, os.O_RDWR | os.O_CREAT), "rb+") as file:  # noqa: PTH123 - it has no path
            if not text.startswith(
                file.read(LARGEST)
            ):  # After a crash in this function, the file may hold all or part of the text.
                continue
            file.seek(0)
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        return aside
    raise OSError(errno.EEXIST, f"there are too many files like {log_file.stem}.torn-{end}")


def cut_torn_end(log_file: Path, end: int) -> SetAside | None:
    """Move what a log file has behind `end` to a separate file, and return that; None if another program is writing. Raises `OSError`."""
    with open(open_inside(log_file, os.O_RDWR), "rb+") as file:  # noqa: PTH123 - a descriptor has no path
        file.seek(end)
        torn = file.read(LARGEST)
        aside = set_aside(log_file, end, torn)
        if os.fstat(file.fileno()).st_size != end + len(torn):
            return None  # It has grown.
        file.truncate(end)
        os.fsync(file.fileno())
    return SetAside(aside, [int(number[1]) for number in re.finditer(NUMBER, torn)])


def torn_entry_text(aside: SetAside, highest: int, known: int) -> str:
    """Return what happened to an incomplete end of a log whose highest entry is `highest`. The campaign file has those up to `known`."""
    first, *others = aside.numbers or [highest + 1]
    if first > max(known, highest) and not others:
        return f"An interrupted action was not carried out. Its partial log entry is in log/{aside.path.name}"
    return f"The end of the log is damaged. The unreadable part is in log/{aside.path.name}"


_SESSION = rb"(?m)^session = (\d{1,15})\b"
_UNDOES = rb"(?m)^undoes\s*="
_SCENES = rb'(?m)^(?:act|kind)\s*=\s*"(?:scene|session begin)'
_REWINDS = rb'(?m)^(?:act|kind) = "rewind"'
_TAIL = 4 * 1024
_ENDING = 256 * 1024
"""Bytes that contain the latest forty entries, unless some of them change half a campaign."""
_TOGETHER = 64
"""The most entries that are read at one time."""
_SEEN = 32
"""Bytes before the end of the read part that must be unchanged; otherwise the file was rewritten."""
_STILL, _TRIES = 0.25, 50
"""Seconds for which the log has to stay as it is, so that no other program is writing to it; and how often to look meanwhile."""
TITLE = "# Waylog's log. Entries are only ever added. Read it freely, but please don't edit it.\n"


class LostEntries(NamedTuple):
    """The entries that this process has read of a log which was then replaced by one without the last of them."""

    last: int
    """The number of that entry."""
    check: str
    """The checksum of the last block."""
    entries: dict[int, LogEntry]
    """All that were read, also those that the log still has."""


class LogOvertaken(OSError):
    """Another program wrote an entry of the same number at the same moment. It came first, so it counts and this one doesn't."""

    def __init__(self) -> None:
        super().__init__(errno.EAGAIN, "another program wrote to the log at the same moment")


class Log:
    """The log's files. Entries that were read are kept in memory; `follow` finds those that others append."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._spoiled: set[Path] = set()
        self._listed: tuple[list[str], list[Path]] = [], []
        """The files when they were last looked for: their names and paths."""
        self.begins_behind = 0
        """The entry after which the log begins, for a campaign that came without its log."""
        self.lost: LostEntries | None = None
        """The entries that somebody has taken away from the log since this process read them, as by putting an older copy in its place."""
        self._forget()

    def _forget(self) -> None:
        self._entries: dict[int, LogEntry] = {}
        self._held: dict[EntryKind, tuple[int, bool]] = {}
        self._indexes: dict[Path, LogIndex] = {}
        self._firsts: dict[Path, int] = {}
        self._file = self._folder / "0001.toml"
        self._near = self._file
        self._together = 1
        """How many entries the next read brings if it goes on from the last one."""
        self._end = 0
        self._seen = b""
        self._verification = LogVerification(self._folder)
        self._check = ""
        self.last: LogEntry | None = None
        self.highest = 0
        """The highest number in the log, including entries that can't be read."""

    @property
    def file(self) -> int:
        """The number of the file that is being written."""
        return int(self._file.stem)

    @property
    def mark(self) -> Mark:
        """The mark of the last entry."""
        return Mark(self.last.number if self.last else 0, self.file)

    def files(self) -> list[Path]:
        """Return the files, oldest first: one for each session, or more if the disk failed during it."""
        names = log_file_names(self._folder)
        if names != self._listed[0]:
            self._listed = names, [self._folder / name for name in names]
        return [*self._listed[1]]

    def follow(self) -> None:
        """Read entries that were appended since the last call; at the first call, those at the end of the log.

        A last block that isn't complete is left unread: an append may be in progress, or was cut short (see `mend`).
        """
        if self.last is not None and not self.is_as_seen():
            if self._check:  # Without a checksum the entry can't be found again.
                self.lost = self.lost or LostEntries(self.last.number, self._check, self._entries)
            self._forget()
        if self.last is None:
            self._first_look()
        else:
            if self._size(self._file) != self._end:
                self._read_from(self._file, self._end)
            while (following := self._next_file()).is_file():
                self._read_from(following, 0)
        if self.lost and self.contains(f'\ncheck = "{self.lost.check}"'.encode()):
            self.lost = None

    def put_back(self) -> bool:
        """Append the lost entries again, as far as this process has read them. Only with the lock held, after `follow` and `mend`.

        Return False, with the log unchanged, if it has other entries in their place. Raises `OSError` as `append` does.
        """
        if self.lost is None:
            return False
        known, last = self.lost.entries, self.last
        same = last and last.number in known and encode_entry(last) == encode_entry(known[last.number])
        if self.highest >= self.lost.last or (last and last.number in known and not same):
            return False
        for number in sorted(known):
            if number > self.highest:
                self.append(known[number])
        self.lost = None
        return True

    def is_as_seen(self) -> bool:
        """Whether the part that was read is unchanged. If not, somebody has rewritten the file."""
        try:
            descriptor = open_to_read(self._file, LARGEST)
            try:
                return os.pread(descriptor, len(self._seen), self._end - len(self._seen)) == self._seen
            finally:
                os.close(descriptor)
        except OSError:
            return False

    def _first_look(self) -> None:
        """Read the end of the newest file that has an entry."""
        for path in reversed(self.files()):
            size = self._size(path)
            for back in (_TAIL, _TAIL * 32, size):
                self._read_from(path, max(0, size - back))
                if self.last is not None:
                    return
                if back >= size:
                    break

    def _read_from(self, path: Path, start: int) -> None:
        """Keep the entries from `start` on. What follows the last complete block, apart from comments, is left unread."""
        with open_log_file(path) as file:
            file.seek(start)
            text = file.read()
        if path != self._file:
            self._file, self._end = path, 0
        starts = headers(text)
        end = starts[0] if starts else 0
        seen = set[int]()
        is_tail = self.last is None and start > 0
        for header, following in pairwise([*starts, len(text)]):
            check = re.compile(CHECK).search(text, header, following)
            if check is None and following == len(text):
                break
            end = check.end() if check else following
            block = text[header:end]
            found = re.search(NUMBER, block)
            number = int(found[1]) if found else 0
            if number in seen or (number <= self.highest and self._is_in_file(number, path, start)):
                continue  # Two programs wrote it at one time. The first entry of a number counts.
            seen.add(number)
            self._check = check[1].decode() if check else ""
            is_later = number > self.highest
            if 0 < number <= FARTHEST:
                self.highest = max(self.highest, number)
            # What stands before the end that is read may say that an entry in it is one too many.
            if not is_tail or (len(seen) > 1 and is_later):
                with suppress(UnreadableFile):
                    self._keep(decode_entry(block, path.name))
        end = end_of_remarks(text, end)
        if (start == 0 or self.last is not None) and not is_begun(text[end:]):
            # This isn't the remains of an interrupted append, so it is damage and stays for a person to repair.
            end = len(text)
        self._end = start + end
        self._seen = text[max(0, end - _SEEN) : end]

    def _is_in_file(self, number: int, path: Path, end: int) -> bool:
        """Whether an entry of that number is in the part of the file before `end`, which was read already."""
        return path == self._file and end == self._end > 0 and self._index(path).place(number) is not None

    def _next_file(self) -> Path:
        return self._folder / f"{self.file + 1:04}.toml"

    def stands(self) -> bool:
        """Whether nothing was appended since the last call of `follow`."""
        following = f"{self._folder}/{self.file + 1:04}.toml"
        return self._size(self._file) == self._end and not os.path.isfile(following)  # noqa: PTH113 - twice a second

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
        """Move an incomplete last block to a separate file, and return it. Only with the lock held, after `follow`.

        Where locks don't reach, it may be a block that another program is still writing. So it has to stay as it is for a moment.
        """
        while (size := self._size(self._file)) > self._end:
            sleep(_STILL)
            self.follow()
            if self._size(self._file) == size:
                break
        if self._size(self._file) <= self._end:
            return None
        make_inside(self._folder)
        return cut_torn_end(self._file, self._end)

    def append(self, entry: LogEntry) -> None:
        """Append an entry and make it durable. Only with the lock held, after `follow` and `mend`.

        Raises `OSError`, with the log unchanged, if the entry can't be written completely. An entry that is complete
        but can't be removed again counts as written, because every reader of the log finds it. Raises `LogOvertaken` if another
        program wrote at the same moment, which only happens where locks don't reach; then the entry doesn't count.
        """
        if self._begins(entry) or self._file in self._spoiled:
            self._begin_file()
        if entry.number > FARTHEST:
            raise OSError(errno.EOVERFLOW, f"entry numbers can't go above {FARTHEST:,}. Correct the one that does")
        first = self._end == 0
        written = encode_entry(entry, self._check)
        late = absent_log_text(self.begins_behind) if self.begins_behind and self.last is None else ""
        block = (f"{TITLE}{late}\n".encode() if first else b"\n") + written
        make_inside(self._folder)
        mode = self._mode() if first else 0o600
        write_block(self._file, block, self._end, mode, self._spoiled)
        try:
            added = self._read_added(entry.number, block)
        except LogOvertaken:
            raise
        except OSError:  # The entry is durable. That it can't be read back at this moment doesn't undo it.
            added = block
        self._verification.count_appended(self._file, self._end, added)
        self._end += len(added)
        self._seen = block[-_SEEN:]
        self._check = written[-10:-2].decode()
        self._keep(entry)

    def _begin_file(self) -> None:
        """Go on in a new file: each session has its own. After a failed fsync, nobody knows what the disk holds of the old one.

        Raises `LogOvertaken` if another program has just written to the old one.
        """
        old, end, new = self._file, self._end, self._next_file()
        if old not in self._spoiled:
            if not end:
                return  # Nothing is in it yet.
            # The new file is there before the look at the old one: whoever writes to that later finds the new one (see `_is_in_next_file`).
            os.close(open_inside(new, os.O_WRONLY | os.O_CREAT, self._mode()))
            if self._size(old) != end:
                raise LogOvertaken
        self._file, self._end = new, 0

    def _read_added(self, number: int, block: bytes) -> bytes:
        """Return what was added to the file, up to the end of the block that was just written. Mostly that is the block.

        Raises `LogOvertaken` if it isn't the first entry of its number.
        """
        with open_log_file(self._file) as file:
            file.seek(self._end)
            text = file.read()
        at = text.find(block)
        others = {int(found[1]) for found in re.finditer(NUMBER, text[:at])}
        if at < 0 or number in others or self._is_in_next_file(number):
            raise LogOvertaken
        return text[: at + len(block)]

    def _is_in_next_file(self, number: int) -> bool:
        """Whether another program has just begun the next file, and with an entry of that number, which is the one that counts."""
        following = self._next_file()
        for _ in range(_TRIES):
            if not following.is_file():
                return False
            if first := self._first_number(following):
                return first <= number
            sleep(_STILL / _TRIES)
        return False

    def _mode(self) -> int:
        """Return the mode of a new log file: the same readers as the campaign file."""
        try:
            return (self._folder.parent / FILE).stat().st_mode & 0o666
        except OSError:
            return 0o644

    # -- damage -------------------------------------------------------------------------------------------------

    def verify(self, most: int) -> bool:
        """Verify the checksums of about `most` more bytes, newest file first. Return True if there was something to
        verify.

        Each part is verified once. Raises `OSError` if the folder can't be read.
        """
        sizes = {path: self._end if path == self._file else self._size(path) for path in self.files()}
        return self._verification.verify(sizes, most)

    def verify_newest(self, most: int) -> None:
        """Verify as much of the file that is being written, which may have grown since the last look."""
        self._verification.verify_newest(self._file, self._end, most)

    def problems(self) -> tuple[Problem, ...]:
        """Return the missing and damaged entries in the verified part of the log. A disk error doesn't make this fail."""
        return self._verification.problems(self._file)

    # -- reading ------------------------------------------------------------------------------------------------

    def end_at(self, entry: LogEntry | None) -> None:
        """Take an entry for the last one, to read the log as it was then; None for an empty log. Nothing may be appended or followed
        until the log ends where it does.
        """
        self.last = entry

    def _begins(self, entry: LogEntry) -> bool:
        """Whether the entry's session differs from that of the latest entry that has one."""
        if self.last is None or entry.session in (0, self.last.session):
            return False
        earlier = re.findall(_SESSION, self._ending())
        return not earlier or int(earlier[-1]) != entry.session

    def entry(self, number: int) -> LogEntry:
        """Return the entry with that number. Raises `KeyError` if there is none that can be read."""
        if number not in self._entries:
            # A caller that goes back from entry to entry will go on.
            self._together = min(_TOGETHER, 2 * self._together) if number + 1 in self._entries else 1
            self._read_around(number, max(1, number + 1 - self._together))
        return self._entries[number]

    def since(self, number: int) -> list[LogEntry]:
        """Return the readable entries after that number, oldest first."""
        return [*self.backwards(number + 1)][::-1]

    def backwards(self, down_to: int = 1) -> Iterator[LogEntry]:
        """Yield the readable entries, newest first. Unused numbers cost nothing."""
        number = self.last.number if self.last else 0
        together = 1
        while number >= max(1, down_to):
            if number not in self._entries:
                # A caller that reads far back will go on, so read more entries at one time.
                self._read_around(number, max(down_to, number + 1 - together))
                together = min(_TOGETHER, 2 * together)
            if number in self._entries:
                yield self._entries[number]
                number -= 1
            else:
                number = self._before(number)

    def _before(self, number: int) -> int:
        """Return the number of the entry before that one, 0 for the first. Numbers increase from file to file."""
        for path in reversed(self.files()):
            if found := self._index(path).before(number):
                return found
        return 0

    def may_hold(self, kind: EntryKind) -> bool:
        """Whether one of the latest entries may be of that kind. The end of the log is read once.

        Only for kinds whose value is also the first words of an entry of 0.1.
        """
        newest = self.last.number if self.last else 0
        if newest < self.highest:  # The log is read as it was earlier, and its end says nothing.
            return True
        if kind not in self._held:
            line = rb'\n(?:act|kind)\s*=\s*"' + kind.value.encode()
            self._held[kind] = newest, re.search(line, self._ending()) is not None
        known, has_kind = self._held[kind]
        has_kind = has_kind or any(entry.kind is kind for entry in self.backwards(known + 1))
        self._held[kind] = newest, has_kind
        return has_kind

    def _ending(self) -> bytes:
        """Return the last part of the log's text."""
        text = b""
        for path in reversed(self.files()):
            with open_log_file(path) as file:
                file.seek(max(0, self._size(path) - _ENDING + len(text)))
                text = file.read() + text
            if len(text) >= _ENDING:
                break
        return text

    def entries_changing(self, path: ValuePath) -> list[int]:
        """Return the numbers of the entries that changed the value at `path`, a part of it, or the table that contains
        it.
        """
        whole = [re.escape(format_value(format_path(path[:count]))[1:-1].encode()) for count in range(1, len(path) + 1)]
        wanted = re.compile(rb'path = "(?:' + b"|".join(whole) + rb')"|path = "' + whole[-1] + rb"\.")
        found = []
        for file in self.files():
            index = self._index(file)
            starts = index.starts
            if not starts:
                continue
            with map_log_file(file) as text:
                places = {bisect_right(starts, match.start()) - 1 for match in wanted.finditer(text)}
                numbers = ((parse_number(text, starts[place]), starts[place]) for place in sorted(places) if place >= 0)
                found += [number for number, at in numbers if number and index.place(number) == at]
        return found

    def contains(self, block: bytes) -> bool:
        """Whether a complete entry that counts, undone or not, has these bytes."""
        for path in filter(self._size, reversed(self.files())):
            with map_log_file(path) as text:
                end = self._end if path == self._file else len(text)
                at = text.find(block, 0, end)
                while at >= 0:
                    index = self._index(path)
                    place = bisect_right(index.starts, at) - 1
                    if place < 0 or index.place(parse_number(text, index.starts[place])) == index.starts[place]:
                        return True
                    at = text.find(block, at + 1, end)
        return False

    def find_undos(self, start: int, stop: int) -> list[int]:
        """Return the numbers of the entries from `start` up to but not including `stop` that undo others, without
        reading the rest.
        """
        return self._find(_UNDOES, start, stop)

    def find_scenes(self, start: int, stop: int) -> list[int]:
        """Return the numbers of the entries in that range that may begin a scene or a session."""
        return self._find(_SCENES, start, stop)

    def _find(self, line: bytes, start: int, stop: int) -> list[int]:
        found = list[int]()
        files = self.files()
        for path, following in zip_longest(files, files[1:]):
            if self._first_number(path) >= stop or (following and 0 < self._first_number(following) <= start):
                continue
            index = self._index(path)
            first = bisect_left(index.numbers, start)
            last = bisect_left(index.numbers, stop)
            if first == last:
                continue
            with map_log_file(path) as text:
                offsets = sorted(index.offsets[first:last])
                end = text.find(HEAD, offsets[-1])
                part = text[offsets[0] : end if end >= 0 else len(text)]
            for match in re.finditer(line, part):
                number = re.compile(NUMBER).search(part, part.rfind(BEGINNING, 0, match.start()))
                found += [int(number[1])] if number else []
        return found

    def find_rewinds(self, number: int) -> tuple[range, list[int]]:
        """Return the numbers of the file that an entry is in, and those of the rewinds that may have undone an entry with such a
        number. They are in that file or in the next one, as no scene outlasts its session.
        """
        files = self.files()
        firsts = [self._first_number(path) for path in files]
        at = max(0, bisect_right(firsts, number) - 1)
        found = list[int]()
        for path in (path for path in files[at : at + 2] if self._size(path)):
            with map_log_file(path) as text:
                starts = {text.rfind(BEGINNING, 0, match.start()) for match in re.finditer(_REWINDS, text)}
                found += sorted(parse_number(text, start) for start in starts if start >= 0)
        return range(*[*firsts[at : at + 2], FARTHEST][:2]), found

    def _read_around(self, number: int, down_to: int | None = None) -> None:
        """Read the block of an entry, and blocks before it in the same file down to `down_to`."""
        for path in self._where(number):
            index = self._index(path)
            if index.place(number) is None:
                continue
            self._near = path
            with map_log_file(path) as text:
                for wanted in range(number, (number if down_to is None else down_to) - 1, -1):
                    at = index.place(wanted)
                    # If an entry is in two files, the later one counts, and only the first read finds it.
                    if (
                        at is None
                        or (wanted != number and wanted in self._entries)
                        or wanted == index.numbers[-1] < number
                    ):
                        continue
                    end = text.find(HEAD, at)
                    block = text[at : end if end >= 0 else len(text)]
                    check = re.search(CHECK, block)
                    with suppress(UnreadableFile):
                        self._keep(decode_entry(block[: check.end()] if check else block, path.name))
            return

    def _where(self, number: int) -> Iterator[Path]:
        """Return the files, newest first, preceded by the one in which the last entry was found: the next is mostly in
        it too.

        After a disk failure, the last entry of a file may be in the next one again; that copy counts.
        """
        if self._index(self._near).place(number + 1) is not None:
            yield self._near
        files = self.files()[::-1]
        yield from (path for path in files if self._first_number(path) <= number)
        yield from (path for path in files if self._first_number(path) > number)

    def _first_number(self, path: Path) -> int:
        """Return the number of the first entry of a file; 0 if it can't be read."""
        if path not in self._firsts:
            with suppress(OSError), open_log_file(path) as file:
                if found := re.search(NUMBER, file.read(_TAIL)):
                    self._firsts[path] = int(found[1])
        return self._firsts.get(path, 0)

    def _index(self, path: Path) -> LogIndex:
        """Return the index of a file, as of its current size."""
        size = self._end if path == self._file else self._size(path)
        cached = self._indexes.get(path)
        if cached is None or cached.size != size:
            found = self._verification.report(path, 0 if path == self._file else size)
            in_order = found is not None and not (found.missing or found.problems)
            cached = self._indexes[path] = index_blocks(path, size, in_order=in_order)
        return cached
