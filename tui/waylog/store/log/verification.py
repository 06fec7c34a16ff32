"""Missing and damaged entries: each is compared with its checksum, and with the number and checksum of the one before
it.

Nothing here changes a file. A log file is verified in parts, each of them once: `Log` verifies some of it at every start and act, and
`problems` all of it, for the command `check`. A comment in the log such as `# Known
to be missing: 17-19` says that these entries need no more reports.

Where the entries of a log file are: opened and mapped safely, and each block found without reading the others.
"""

from __future__ import annotations

import mmap
import os
import re
import zlib
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import pairwise
from pathlib import Path
from typing import BinaryIO

from waylog.store.files_and_lock import describe_error, open_to_read
from waylog.store.log.entries_and_version_0_1 import FARTHEST, Mark, decode_entry
from waylog.toml.document import Document, Problem, UnreadableFile
from waylog.values import NamedTuple, dataclass, field

CHECK = rb'(?m)^check = "([0-9a-f]{8})"[ \t\r]*\n'
NUMBER = rb"(?m)^number = (\d{1,15})\b"
REMARKS = rb"(?:[ \t]*(?:#[^\n]*)?(?:\r?\n|\Z))*"
_PLAIN = rb"\[\[entry\]\]\nnumber = (\d{1,9})\n"
"""The start of an entry as Waylog writes it. People may write it differently."""
_HEADER = rb"(?m)\[\[entry\]\][ \t\r]*$"
_NEWLINE = ord("\n")
_LINE = b'\ncheck = "'
_AFTER = rb'(?m)^after = "([0-9a-f]{8})"'
_MARKERS = rb"(?m)^(?:<{7}|={7}|>{7}|\|{7})(?: |\r?$)"
_KNOWN = rb"(?m)^# Known to be missing: (\d{1,12})-(\d{1,12})\b"
"""A comment that names entries which need no more reports."""
_MOST = 200
"""The most problems of one file that are kept."""
_LONGEST = 60
"""The most letters of what an entry did, in a message."""
AT_A_START, AT_A_LOOK, AT_AN_ACT = 1024 * 1024, 512 * 1024, 1024
"""Bytes of the log that are verified at one time; more would cause a noticeable delay. A megabyte takes ten
milliseconds.
"""
_IN_GIT = "git has left conflict markers in the log. To join the two logs, type: waylog conflicts CAMPAIGN join"


@dataclass(frozen=True, slots=True)
class Report:
    """The results for one file of the log, as far as it has been read."""

    end: int = 0
    """The number of verified bytes, up to the end of the last whole entry."""
    lines: int = 0
    """The number of lines in them."""
    first: int = 0
    """The number of the first entry; 0 while there is none."""
    place: int = 1
    """The line where it begins."""
    after: str = ""
    """The checksum that it names for the entry before it, if any."""
    last: int = 0
    """The highest number."""
    check: str = ""
    """The checksum of the last entry, as written in it."""
    missing: tuple[tuple[int, int, int], ...] = ()
    """The missing numbers: first, last, and the line where they belong."""
    known: tuple[tuple[int, int], ...] = ()
    """The numbers that comments say are missing: first and last."""
    problems: tuple[Problem, ...] = field(default=())
    """All other problems."""


class _LogReader:
    """One part of a file that is being verified."""

    def __init__(self, text: bytes, name: str, found: Report, *, decode: bool) -> None:
        self._text, self._name, self._decode = text, name, decode
        self._counted, self._line = 0, found.lines + 1
        self._before = found
        self._first, self._place, self._after = found.first, found.place, found.after
        self._last, self._check, self._known = found.last, found.check, [*found.known]
        self._missing = [*found.missing]
        self._problems = [*found.problems]

    def _line_of(self, at: int) -> int:
        self._line += self._text.count(b"\n", self._counted, at)
        self._counted = at
        return self._line

    def _tell(self, line: int, message: str, column: int = 1) -> None:
        if len(self._problems) < _MOST:
            self._problems.append(Problem(self._name, line, column, message))

    def run(self, *, to_the_end: bool) -> Report:
        """Verify every whole entry. With `to_the_end`, also report what follows the last one."""
        text, end = self._text, 0
        for header, following in pairwise([*headers(text), len(text)]):
            if not self._decode and (after := self._as_expected(end, header, following)):
                end = after
                continue
            check = re.compile(CHECK).search(text, header, following)
            if check is None and following == len(text) and not to_the_end:
                break
            self._between(end, header)
            self._entry(header, check, following)
            end = check.end() if check else following
        if to_the_end:
            self._between(end, len(text))
            end = len(text)
        return Report(
            self._before.end + end,
            self._line_of(end) - 1,
            self._first,
            self._place,
            self._after,
            self._last,
            self._check,
            tuple(self._missing),
            tuple(self._known),
            tuple(self._problems),
        )

    def _as_expected(self, start: int, header: int, following: int) -> int:
        """Return the end of the next entry if it is sound and nothing precedes it; 0 if it needs a closer look.

        Nearly all entries pass this quick check, and start-up has no time for more.
        """
        text, found = self._text, re.compile(_PLAIN).match(self._text, header)
        line = text.find(_LINE, header, following)
        if found is None or line < 0 or text[start:header] != b"\n" or text[line + 18 : line + 20] != b'"\n':
            return 0
        number, check = int(found[1]), text[line + 10 : line + 18]
        if not self._first or number != self._last + 1 or b"%08x" % zlib.crc32(text[header : line + 1]) != check:
            return 0
        if text[line - 18 : line - 9] == b'after = "' and text[line - 9 : line - 1] != self._check.encode():
            return 0
        self._last, self._check = number, check.decode()
        return line + 20

    def _between(self, start: int, end: int) -> None:
        """Report anything but comments between two entries."""
        remarks = re.compile(REMARKS).match(self._text, start, end)
        at = remarks.end() if remarks else start
        self._known += [(int(found[1]), int(found[2])) for found in re.compile(_KNOWN).finditer(self._text, start, at)]
        if at >= end:
            return
        if marker := re.compile(_MARKERS).search(self._text, at, end):
            self._tell(self._line_of(marker.start()), _IN_GIT)
        else:
            self._tell(self._line_of(at), "this part of the log is damaged: it is neither an entry nor a comment")

    def _entry(self, header: int, check: re.Match[bytes] | None, following: int) -> None:
        line = self._line_of(header)
        block = self._text[header : check.end() if check else following]
        number = re.search(NUMBER, block)
        sound = check is not None and int(check[1], 16) == zlib.crc32(self._text[header : check.start()])
        if not sound or self._decode or number is None or int(number[1]) > FARTHEST:
            if marker := re.search(_MARKERS, block):
                self._tell(line + block.count(b"\n", 0, marker.start()), _IN_GIT)
            elif not self._can_be_read(block, line):
                pass
            elif check is None and following == len(self._text):
                self._tell(line, "the last log entry is incomplete. The next action moves it to a separate file")
            elif check is None:
                self._tell(line, "the end of a log entry is missing. Waylog uses the entry as it is now")
            elif not sound:
                self._tell(line, "a log entry was changed after it was written. Waylog uses it as it is now")
        whole = check is not None or following < len(self._text)
        if whole and number is not None and 0 < int(number[1]) <= FARTHEST:
            after = re.search(_AFTER, block)
            if self._count(int(number[1]), line, after[1].decode() if after else ""):
                self._check = check[1].decode() if check else ""
            else:
                self._tell(line, describe_double(int(number[1]), block, self._name))

    def _can_be_read(self, block: bytes, line: int) -> bool:
        try:
            decode_entry(block, self._name)
        except UnreadableFile as unreadable:
            (problem,) = unreadable.problems
            self._tell(line + problem.line - 1, problem.message, problem.column)
            return False
        return True

    def _count(self, number: int, line: int, after: str) -> bool:
        """Compare an entry's number, and the checksum that it names, with the entry before it. Return whether it counts."""
        if not self._first:
            self._first, self._last, self._place, self._after = number, number, line, after
            return True
        if number < self._first:
            self._tell(line, behind(number, self._last))
            if number < self._first - 1:
                self._missing.insert(0, (number + 1, self._first - 1, self._place))
            self._first = number
            return True
        if number > self._last + 1:
            self._missing.append((self._last + 1, number - 1, line))
        elif number <= self._last:
            if self._forget_missing(number):
                self._tell(line, behind(number, self._last))
            else:
                return False
        elif after and self._check and after != self._check:
            self._tell(line, written_behind_another(number))
        self._last = max(self._last, number)
        return True

    def _forget_missing(self, number: int) -> bool:
        """Remove a number from the missing ones, because it was found after all."""
        for place, (first, last, line) in enumerate(self._missing):
            if first <= number <= last:
                parts = [(first, number - 1, line), (number + 1, last, line)]
                self._missing[place : place + 1] = [part for part in parts if part[0] <= part[1]]
                return True
        return False


def headers(text: bytes) -> list[int]:
    """Return the offset, in bytes, of each line `[[entry]]`. Such a line begins an entry."""
    # Searching for fixed bytes is many times faster than looking at the start of each line.
    starts = (match.start() for match in re.finditer(_HEADER, text))
    return [start for start in starts if start == 0 or text[start - 1] == _NEWLINE]


def verify_file(text: bytes, name: str, found: Report, *, decode: bool = False, to_the_end: bool = False) -> Report:
    """Return the report on a log file, after `text` that continues what `found` covers.

    An incomplete last entry is left for the next call, except with `to_the_end`. With `decode`, entries with a correct
    checksum are read too.
    """
    return _LogReader(text, name, found, decode=decode).run(to_the_end=to_the_end)


def unread(name: str, size: int, error: OSError) -> Report:
    """Return the report on a file with `size` bytes that the system doesn't let us read."""
    return Report(size, problems=(Problem(name, 1, 1, f"can't be read: {describe_error(error)}"),))


def behind(number: int, last: int) -> str:
    """Return the message for entry `number` that stands in the log below entry `last`, although its number isn't higher."""
    return f"entry {number} doesn't belong below entry {last}"


def describe_double(number: int, block: bytes, name: str) -> str:
    """Return the message for an entry whose number an earlier one has."""
    did = ""
    with suppress(UnreadableFile):
        did = f": {decode_entry(block, name).heading[:_LONGEST]}"
    return f"entry {number} is here twice. Only the first one counts, so Waylog ignores this one{did}"


def written_behind_another(number: int) -> str:
    """Return the message for an entry that names another checksum than that of the entry before it."""
    return f"entry {number} doesn't belong after this entry {number - 1}: it was written after a different entry {number - 1}"


def join_reports(reports: Sequence[tuple[str, Report | None]], *, in_full: bool = False) -> Iterator[Problem]:
    """Return all problems in consecutive files of the log, given with their names; the report of an unread file is
    None.

    `in_full` adds how to end a message about missing entries.
    """
    last: int | None = 0
    check = ""
    known = [span for _, report in reports if report for span in report.known]

    for name, report in reports:
        if report is None:
            last, check = None, ""
            continue
        if not report.first and report.problems:
            last, check = None, ""  # Nobody knows what was there.
        if report.first:
            if last is None:
                last = report.first - 1
            if report.first > last + 1 and not _is_known(known, last + 1, report.first - 1):
                yield _gap(name, report.place, last + 1, report.first - 1, in_full=in_full)
            # After a disk failure, the last entry of a file is in the next one again.
            elif report.first < last:
                yield Problem(name, report.place, 1, behind(report.first, last))
            elif report.first == last + 1 and report.after and check and report.after != check:
                yield Problem(name, report.place, 1, written_behind_another(report.first))
            last, check = max(last, report.last), report.check
        gaps = [
            _gap(name, line, first, to, in_full=in_full)
            for first, to, line in report.missing[:_MOST]
            if not _is_known(known, first, to)
        ]
        yield from sorted((*gaps, *report.problems), key=lambda problem: (problem.line, problem.column))


def _is_known(known: Sequence[tuple[int, int]], first: int, to: int) -> bool:
    """Whether a person has said of these entries that they are missing."""
    return any(begin <= first and to <= end for begin, end in known)


def _gap(name: str, line: int, first: int, to: int, *, in_full: bool) -> Problem:
    ending = f". If that is all right, add the line “# Known to be missing: {first}-{to}” here" if in_full else ""
    return Problem(name, line, 1, f"{missing_text(first, to)} missing here{ending}")


SOME_MISSING_SINCE = "some entries since then are missing from the log"


def no_entry_text(number: int, last: int) -> str:
    """Return why an entry can't be looked at that isn't in the log, of which `last` is the last."""
    return f"there is no entry {number}. {f'The last one is {last}' if last else 'The log is empty'}"


def missing_text(first: int, last: int) -> str:
    """Return missing entries as the subject of a sentence, with its verb."""
    return f"entry {first} is" if first == last else f"entries {first} to {last} are"


def shortened_log_text(last: int, known: int) -> str:
    """Return the message for a campaign file at entry `known`, with a log that ends at `last`."""
    there = f"the log ends with entry {last}" if last else "there is no log"
    return f"this file is up to date with entry {known}, but {there}: {missing_text(last + 1, known)} missing"


def absent_log_text(last: int) -> str:
    """Return the comment for a log that begins after entry `last`, because the campaign came without its log."""
    return f"# Known to be missing: 1-{last}\n"


HEAD = b"\n[[entry]]"
BEGINNING = b"[[entry]]"
LARGEST = 64 * 1024 * 1024
"""The most bytes in a log file: some 170,000 entries. Each session has a file of its own."""


_NAME = r"[0-9]{4}\.toml"
"""The names of log files."""


class LogVerification:
    """The verified part of each file of a log, and the problems found in it."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._sizes: dict[Path, int] = {}
        """The files when they were last verified, oldest first, with their bytes."""
        self._reports: dict[Path, Report] = {}
        self._names: dict[Path, str] = {}
        self._problems: tuple[Problem, ...] | None = ()
        """The problems in all reports; None if a report has changed since they were last combined."""

    def verify(self, sizes: dict[Path, int], most: int) -> bool:
        """Verify the checksums of about `most` more bytes, newest file first. Return True if there was something to
        verify.

        `sizes` are the bytes of each file that may be read, oldest first. A file that can't be read is reported like
        damage.
        """
        began = most
        if sizes != self._sizes:
            self._sizes, self._problems = sizes, None
        for path, size in reversed(sizes.items()):
            most = self._verify_file(path, size, most)
        return most < began

    def verify_newest(self, path: Path, size: int, most: int) -> None:
        """Verify as much of the newest file alone. An act does this: the others have not changed since the last look."""
        if path not in self._sizes:
            self._sizes, self._problems = {**self._sizes, path: size}, None
        self._verify_file(path, size, most)

    def _verify_file(self, path: Path, size: int, most: int) -> int:
        """Verify as much of a file. Return how many bytes of `most` are left."""
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
        self._keep(path, found)
        return most

    def _keep(self, path: Path, found: Report) -> None:
        if self._reports.get(path) is not found:
            self._reports[path], self._problems = found, None

    def count_appended(self, path: Path, end: int, block: bytes) -> None:
        """Count a block that was appended at `end` as verified if everything before it is, so that it needn't be read."""
        found = self._reports.get(path, Report())
        if found.end == end:
            self._keep(path, verify_file(block, self._name(path), found, to_the_end=True))

    def _part(self, path: Path, start: int, end: int, most: int) -> bytes:
        """Return part of a file's bytes, with at least one whole entry."""
        with open_log_file(path) as file:
            file.seek(start)
            text = file.read(min(most, end - start))
            while re.search(CHECK, text) is None and (more := file.read(min(len(text), end - start - len(text)))):
                text += more
        return text

    def problems(self, newest: Path) -> tuple[Problem, ...]:
        """Return the missing and damaged entries in the verified part of the log.

        Nothing is said of a file until all of it is verified, except of the `newest`, which grows.
        """
        if self._problems is None:
            sizes = {**self._sizes, newest: 0} if newest in self._sizes else self._sizes
            reports = [(self._name(path), self.report(path, size)) for path, size in sizes.items()]
            self._problems = tuple(join_reports(reports))
        return self._problems

    def report(self, path: Path, least: int) -> Report | None:
        """Return the report on a file; None until `least` bytes of it are verified."""
        found = self._reports.get(path)
        return None if found is None or found.end < least else found

    def _name(self, path: Path) -> str:
        """Return the name of a file in messages. It is cached, because each act needs the names of all files."""
        if path not in self._names:
            self._names[path] = f"{self._folder.name}/{path.name}"
        return self._names[path]


def problems(folder: Path, name: str, file: Document | None = None) -> Iterator[Problem]:
    """Return every problem in the log's files: entries that are missing, unreadable or changed.

    Places call the folder `name`. With the campaign's `file`, also report if that is ahead of the log.
    """
    reports = list[tuple[str, Report | None]]()
    for path in log_files(folder):
        shown = f"{name}/{path.name}"
        try:
            with open_log_file(path) as opened:
                text = opened.read()
        except OSError as error:
            reports.append((shown, unread(shown, 0, error)))
            continue
        reports.append((shown, verify_file(text, shown, Report(), decode=True, to_the_end=True)))
    last = max((report.last for _, report in reports if report), default=0)
    # A campaign file that came without its log is fine.
    begun = reports or any((folder.parent / "history").glob("*.toml"))
    if file is not None and begun:
        yield from ahead(file, last)
    yield from join_reports(reports, in_full=True)


def place_of_entry(folder: Path, number: int) -> tuple[str, int]:
    """Return the name of the log file that has an entry, and the line of its number, from 1; an empty name if none has it."""
    for path in log_files(folder):
        with open_log_file(path) as opened:
            lines = opened.read().splitlines()
        if (wanted := f"number = {number}".encode()) in lines:
            return path.name, lines.index(wanted) + 1
    return "", 1


def ahead(file: Document, last: int) -> Iterator[Problem]:
    """Return the problem of a campaign file that is ahead of the log, whose last entry is `last`; or None."""
    try:
        known = Mark.read(str(file.tree.get("log", Mark()))).number
    except ValueError:
        return
    if known > last:
        yield Problem(file.name, *file.position(("log",)), shortened_log_text(last, known))


class LogIndex(NamedTuple):
    """The offsets of the blocks of one file."""

    numbers: Sequence[int]
    """The numbers of the entries, counting up; a range if the file leaves none out."""
    offsets: Sequence[int]
    """The offset of each entry's block."""
    starts: Sequence[int]
    """The offset of every block, including blocks without a number."""
    size: int

    def place(self, number: int) -> int | None:
        """Return the offset of that entry's block."""
        at = bisect_left(self.numbers, number)
        return self.offsets[at] if at < len(self.numbers) and self.numbers[at] == number else None

    def before(self, number: int) -> int:
        """Return the highest number below that one; 0 if there is none."""
        at = bisect_left(self.numbers, number)
        return self.numbers[at - 1] if at else 0


def log_files(folder: Path) -> list[Path]:
    """Return the files of a log, oldest first: one for each session, or more if the disk failed during it."""
    return [folder / name for name in log_file_names(folder)]


def log_file_names(folder: Path) -> list[str]:
    """Return the names of these files."""
    try:
        with os.scandir(folder) as found:
            return sorted(entry.name for entry in found if re.fullmatch(_NAME, entry.name) and entry.is_file())
    except (FileNotFoundError, NotADirectoryError, PermissionError):
        return []


@contextmanager
def open_log_file(path: Path) -> Iterator[BinaryIO]:
    """Open a log file for reading. Raises `OSError` if it is too large or not a regular file."""
    with open(open_to_read(path, LARGEST), "rb") as file:  # noqa: PTH123 - a descriptor has no path
        yield file


@contextmanager
def map_log_file(path: Path, size: int = 0) -> Iterator[mmap.mmap | bytes]:
    """Map a log file, or its beginning, into memory. Raises `OSError`."""
    with open_log_file(path) as file:
        # Another program may have cut the file since somebody looked at its size.
        if not (there := os.fstat(file.fileno()).st_size):
            yield b""
            return
        with mmap.mmap(file.fileno(), min(size, there), access=mmap.ACCESS_READ) as text:
            yield text


def index_blocks(path: Path, size: int, *, in_order: bool) -> LogIndex:
    """Find the blocks of a file. A file that is `in_order` leaves out no number and has none twice."""
    starts: list[int] = []
    if not size:
        return LogIndex((), (), starts, size)
    with map_log_file(path, size) as text:
        at = text.find(HEAD)
        while at >= 0:
            starts.append(at + 1)
            at = text.find(HEAD, at + 1)
        if starts and in_order:
            numbers = range(first := parse_number(text, starts[0]), first + len(starts))
            if parse_number(text, starts[-1]) == numbers[-1]:
                return LogIndex(numbers, starts, starts, size)
        # If an entry is there twice, the first one counts.
        found = sorted({parse_number(text, start): start for start in reversed(starts)}.items())
    return LogIndex([number for number, _ in found], [start for _, start in found], starts, size)


def parse_number(text: mmap.mmap | bytes, offset: int) -> int:
    """Return the number of the entry at that offset."""
    found = re.search(NUMBER, text[offset : offset + 200])
    return int(found[1]) if found else 0


def end_of_remarks(text: bytes, start: int) -> int:
    """Return the end of the comments that begin at `start`."""
    remarks = re.compile(REMARKS).match(text, start)
    return remarks.end() if remarks else start


def is_begun(text: bytes) -> bool:
    """Whether the text after the last complete entry may be the start of another one, from an append that is in
    progress or was cut short.

    A power cut may leave zeros in its place.
    """
    beginning = text.lstrip(b" \t\r\n\0")
    return beginning.startswith(BEGINNING) or BEGINNING.startswith(beginning)
