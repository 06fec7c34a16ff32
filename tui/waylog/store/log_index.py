"""Where the entries of a log file are: opened and mapped safely, and each block found without reading the others."""

from __future__ import annotations

import mmap
import os
import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from waylog.store.lock_and_replace import open_to_read
from waylog.store.log_damage import NUMBER, REMARKS
from waylog.values import NamedTuple

HEAD = b"\n[[entry]]"
BEGINNING = b"[[entry]]"
LARGEST = 64 * 1024 * 1024
"""The most bytes in a log file: some 170,000 entries. Each session has a file of its own."""


_NAME = r"[0-9]{4}\.toml"
"""The names of log files."""


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
