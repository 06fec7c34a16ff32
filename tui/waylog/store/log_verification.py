"""Verify the files of a log in parts, each of them once, and say what is missing or damaged in them.

`Log` verifies some of it at every start and act; `problems` verifies all of it, for the command `check`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from waylog.store.entries import Mark
from waylog.store.log_damage import CHECK, Report, join_reports, shortened_log_text, unread, verify_file
from waylog.store.log_index import log_files, open_log_file
from waylog.toml.document import Document, Problem

AT_A_START, AT_A_LOOK, AT_AN_ACT = 1024 * 1024, 512 * 1024, 1024
"""Bytes of the log that are verified at one time; more would cause a noticeable delay. A megabyte takes ten
milliseconds.
"""


class LogVerification:
    """How far each file of a log is verified, and what was found."""

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


def ahead(file: Document, last: int) -> Iterator[Problem]:
    """Return the problem of a campaign file that is ahead of the log, whose last entry is `last`; or None."""
    try:
        known = Mark.read(str(file.tree.get("log", Mark()))).number
    except ValueError:
        return
    if known > last:
        yield Problem(file.name, *file.position(("log",)), shortened_log_text(last, known))
