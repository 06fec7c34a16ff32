"""The log's files as folded text, to find entries in without reading them: 100,000 in a few hundredths of a second.

A file is folded once, as a whole: lower case, no accents. What is found in it is the number of an entry, never a position.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from waylog.rules.language.similar_names import fold
from waylog.store.log.damage import open_log_file

_HEAD = b"[[entry]]"
_NUMBER = re.compile(rb"number = (\d{1,10})")
_ASCII = bytes(range(128))


class LogText:
    """The folded text of a log. `fold_next` may run in another thread; what is not folded yet is folded when it is needed."""

    def __init__(self, files: Callable[[], Sequence[Path]]) -> None:
        self._files = files
        self._folded: dict[Path, tuple[int, bytes]] = {}

    def fold_next(self) -> bool:
        """Fold the newest file that isn't yet. Return False if there is none."""
        for path in reversed(self._files()):
            if path not in self._folded:
                self._text(path)
                return True
        return False

    def forget(self) -> None:
        """Let go of what is folded."""
        self._folded = {}

    def numbers(self, clues: Sequence[bytes], before: int | None = None, files: int | None = None) -> Iterator[int]:
        """Yield the numbers of the entries that contain one of the folded clues, newest first; without clues, of all.

        `before` leaves out that number and later ones; `files` says how many of the newest files are searched. A file that
        can't be read has no entries. After each file comes a 0, so that the caller may pause.
        """
        for path in self._files()[::-1][:files]:
            text = self._text(path)
            yield from _numbers_in(text, clues or (_HEAD,), before)
            yield 0

    def values(self, key: bytes, files: int | None = None) -> list[str]:
        """Return each value that `key` has in the newest `files` log files (None: in all), once and folded.

        Values that contain a quotation mark or a backslash are left out.
        """
        pattern = re.compile(b'%s = "([^"\\\\]+)"' % key)
        found = {value: None for path in self._files()[::-1][:files] for value in pattern.findall(self._text(path))}
        return [value.decode() for value in found]

    def count_newest(self, clues: Sequence[bytes]) -> int:
        """Return how often the clues are in the newest file: the rarer they are, the less has to be read."""
        return sum(self._text(path).count(clue) for path in self._files()[-1:] for clue in clues)

    def _text(self, path: Path) -> bytes:
        """Return the folded text of a file as it is now. Files only grow, by whole entries."""
        known, folded = self._folded.get(path, (0, b""))
        with suppress(OSError):
            size = path.stat().st_size
            if size != known:
                start = known if size > known else 0
                with open_log_file(path) as file:
                    file.seek(start)
                    new = fold_bytes(file.read(size - start))
                folded = folded + new if start else new
                self._folded[path] = size, folded
        return folded


def fold_bytes(text: bytes) -> bytes:
    """Return UTF-8 text folded, like `fold`, with plain line ends, in a few passes over the whole of it."""
    folded = text.lower().replace(b"\r\n", b"\n")
    if folded.isascii():
        return folded
    for char in set(folded.translate(None, _ASCII).decode(errors="ignore")):
        plain = fold(char)
        if plain != char:
            folded = folded.replace(char.encode(), plain.encode())
    return folded


def _numbers_in(text: bytes, clues: Sequence[bytes], before: int | None) -> Iterator[int]:
    end = len(text)
    if before is not None:
        first = _NUMBER.search(text)
        if first is None or int(first[1]) >= before:
            return
        found = text.find(b"\nnumber = %d\n" % before)
        end = found if found >= 0 else end
    places = dict.fromkeys(clues, end)
    while True:
        for clue, place in places.items():
            if place >= end:
                places[clue] = text.rfind(clue, 0, end)
        at = max(places.values())
        start = text.rfind(_HEAD, 0, at + len(_HEAD)) if at >= 0 else -1
        if start < 0:
            return
        # A clue before the first head of a file is in its remarks.
        number = _NUMBER.search(text, start, start + 200)
        if number and (before is None or int(number[1]) < before):
            yield int(number[1])
        end = start
