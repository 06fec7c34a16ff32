"""One version of one TOML file that people edit by hand: strict to read, and changed only where a change is meant.

Everything that isn't the changed value stays byte for byte: comments, order, spacing, odd spellings, line ends. Each change
is read back and compared with what was meant before anybody sees it.
"""

from __future__ import annotations

import errno
import os
import re
import stat
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final, NamedTuple

import tomli

from waylog.campaign.draft import ABSENT, Absent, Draft, EditRefused, lookup
from waylog.campaign.scan import Index, Kind, Path, comments, items, scan
from waylog.campaign.spelling import Unspeakable, render, same

__all__ = [
    "ABSENT",
    "LARGEST",
    "Document",
    "Edit",
    "EditRefused",
    "Missing",
    "Path",
    "Problem",
    "Unreadable",
    "lookup",
    "read_bytes",
    "render",
    "same",
]

LARGEST: Final = 8 * 1024 * 1024
"""The most bytes a file may have."""
DEEPEST: Final = 100
"""The most tables and arrays that may lie in one another."""

_BOM: Final = b"\xef\xbb\xbf"
_LONG_NUMBER = re.compile(r"[0-9_]{4300,}")
_LONG_CODE = re.compile(r"\b0[xob][0-9a-fA-F_]{3500,}")
"""What may be a number of more digits than Python turns into text, which are 4,300."""
_SPEAKABLE: Final = 14_000
"""Bits of a number that certainly has no more digits than that."""


@dataclass(frozen=True)
class Problem:
    """Something wrong in a file, where it is, and what would be right."""

    file: str
    line: int
    column: int
    message: str
    clause: str | None = None

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.message}"


class Unreadable(Exception):
    """A file that can't be taken in at all; holds why, with places."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


class Missing(Unreadable):
    """There is no such file."""


class Edit(NamedTuple):
    """One change: what `path` is to hold, or `ABSENT` to take it out; `spelling` is how a person had written that value."""

    path: Path
    value: Any
    spelling: str | None = None


@dataclass(frozen=True, eq=False)
class Document:
    """One version of a TOML file; every change gives another one. Build it with `parse`."""

    name: str
    data: bytes = field(repr=False)
    """Exactly the bytes of the file."""
    tree: dict[str, Any] = field(repr=False)
    """Its plain values. Not to be changed."""
    text: str = field(repr=False)
    """Its text without a byte order mark."""
    _index: Index | None = field(default=None, repr=False)
    _places: dict[Path, tuple[int, int]] = field(default_factory=dict, repr=False)

    @classmethod
    def parse(cls, data: bytes, name: str) -> Document:
        """Read TOML 1.0 in strict UTF-8; `Unreadable` says where it isn't."""
        if len(data) > LARGEST:
            raise Unreadable(Problem(name, 1, 1, _too_large(len(data), LARGEST)))
        text = _decoded(data, name)
        try:
            tree = tomli.loads(text)
        except tomli.TOMLDecodeError as error:
            raise Unreadable(Problem(name, error.lineno, error.colno, _worded(error.msg))) from None
        except RecursionError:
            raise Unreadable(Problem(name, *_place_of_depth(text), _TOO_DEEP)) from None
        except ValueError:
            found = _LONG_NUMBER.search(text)
            line, column = _line_and_column(text, found.start() if found else 0)
            raise Unreadable(Problem(name, line, column, "the number has too many digits to be read")) from None
        if _deeper_than(tree, DEEPEST):
            raise Unreadable(Problem(name, *_place_of_depth(text), _TOO_DEEP))
        if (place := unspeakable(text, tree)) is not None:
            line, column = _line_and_column(text, place)
            raise Unreadable(Problem(name, line, column, "the number has too many digits to be read"))
        return cls(name, data, tree, text)

    def spelling(self, path: Path) -> str | None:
        """The value at `path` as it is written; None if nothing is written there, or a table with a header."""
        spot = self.index.find(path)
        return spot.text() if spot else None

    def place(self, path: Path) -> tuple[int, int]:
        """Line and column of the key, or of the nearest thing above it that is written.

        What lies in an array, or in an array of tables, is named by its number: `("face", "0", "text")`.
        """
        if not self._places:
            self._places.update(_all_places(self.index))
        for count in range(len(path), 0, -1):
            if path[:count] in self._places:
                return self._places[path[:count]]
            if item := self._place_of_item(path[:count]):
                return item
        return (1, 1)

    def _place_of_item(self, path: Path) -> tuple[int, int] | None:
        """Where a value in an array begins."""
        spot = self.index.find(path[:-1])
        if spot is None or spot.piece.text[spot.value_at] != "[" or not path[-1].isdecimal():
            return None
        text = spot.piece.text
        at = next(islice(items(text, spot.value_at), int(path[-1]), None), None)
        if at is None:
            return None
        first = self._places[path[:-1]][0] - text.count("\n", 0, spot.key_at)
        row, column = _line_and_column(text, at)
        return first + row - 1, column

    def set(self, path: Path, value: Any, spelling: str | None = None) -> Document:
        """The document with `value` at `path`. A table is changed by its differences, or written as a new block.

        `spelling` is used as it is if it spells exactly this value. `EditRefused` if it can't be done safely.
        """
        return self.edit([Edit(path, value, spelling)])

    def remove(self, path: Path) -> Document:
        """The document without `path`: its line, or all its blocks with the comments right above them."""
        return self.edit([Edit(path, ABSENT)])

    def edit(self, edits: Sequence[Edit]) -> Document:
        """The document after all changes, in order, or none: `EditRefused` says why."""
        line_end = "\r\n" if "\r\n" in self.text[: self.text.find("\n") + 1] else "\n"
        draft = Draft(self.index, self.tree, line_end)
        try:
            for path, value, spelling in edits:
                if isinstance(value, Absent):
                    draft.remove(path)
                else:
                    draft.set(path, value, spelling)
        except Unspeakable as error:
            raise EditRefused(str(error)) from error
        text = draft.splice.text()
        tree = _guarded(self.text, text, self.index, draft)
        data = (_BOM if self.data.startswith(_BOM) else b"") + text.encode("utf-8")
        if len(data) > LARGEST:
            raise EditRefused(_too_large(len(data), LARGEST))
        return Document(self.name, data, tree, text, draft.splice.index)

    @property
    def index(self) -> Index:
        """Where everything stands, worked out when it is first needed."""
        if self._index is None:
            object.__setattr__(self, "_index", scan(self.text))
        assert self._index is not None
        return self._index


def _guarded(old: str, new: str, before: Index, draft: Draft) -> dict[str, Any]:
    """The plain values of a changed text, after proof that it says what was meant and that nothing else was touched."""
    try:
        tree = tomli.loads(new)
    except (ValueError, RecursionError) as error:
        raise EditRefused(f"the file could no longer be read after this change ({error})") from error
    if not same(tree, draft.tree) or _deeper_than(tree, DEEPEST):
        raise EditRefused("the file would not say what was meant after this change")
    here, there = Counter(comments(new)), Counter(comments(old))
    for text in draft.splice.removed:
        here.update(comments(text))
    for text in draft.splice.added:
        there.update(comments(text))
    if here != there:
        raise EditRefused("a comment would be lost with this change")
    if "".join(piece.text for piece in before.pieces) != old:
        raise EditRefused("the file isn't understood to the last byte")
    touched = draft.splice.touched
    if [p for p in before.pieces if p not in touched] != [p for p in draft.splice.index.pieces if p not in touched]:
        raise EditRefused("something else would be touched by this change")
    return tree


def read_bytes(path: str | os.PathLike[str], cap: int = LARGEST) -> bytes:
    """What is in a regular file of at most `cap` bytes; never waits for a pipe and never reads a device.

    `Missing` if there is no such file, otherwise `Unreadable` with the reason.
    """
    name = os.fspath(path)
    try:
        handle = os.open(name, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
        try:
            return _read_handle(handle, name, cap)
        finally:
            os.close(handle)
    except FileNotFoundError:
        raise Missing(Problem(name, 1, 1, "there is no such file")) from None
    except OSError as error:
        words = _SYSTEM_WORDS.get(error.errno or 0) or (error.strerror or "the system gives no reason").lower()
        raise Unreadable(Problem(name, 1, 1, f"can't be read: {words}")) from error
    except ValueError:
        raise Unreadable(Problem(name, 1, 1, "can't be read: no file can have such a name")) from None


_SYSTEM_WORDS = {
    errno.EACCES: "you have no permission to read it",
    errno.ELOOP: "its symbolic links lead round in a circle",
    errno.ENAMETOOLONG: "its name is too long",
    errno.ENOTDIR: "part of its path is a file and not a folder",
    errno.ENXIO: "it is a socket or pipe and not a file",
    errno.EIO: "the disk reports an error",
}


def _read_handle(handle: int, name: str, cap: int) -> bytes:
    status = os.fstat(handle)
    if not stat.S_ISREG(status.st_mode):
        kind = "a folder" if stat.S_ISDIR(status.st_mode) else "a device or pipe"
        raise Unreadable(Problem(name, 1, 1, f"can't be read: it is {kind} and not a file"))
    size, parts = status.st_size, list[bytes]()
    room = cap + 1
    while size <= cap and room > 0 and (part := os.read(handle, min(room, 1 << 20))):
        parts.append(part)
        room -= len(part)
    if size > cap or room <= 0:
        raise Unreadable(Problem(name, 1, 1, _too_large(max(size, cap + 1), cap)))
    return b"".join(parts)


_TOO_DEEP = f"tables or arrays lie in one another more than {DEEPEST} deep; Waylog reads no deeper"


def _too_large(size: int, cap: int) -> str:
    return f"the file has {size:,} bytes; Waylog reads and writes files of up to {cap:,}"


def _decoded(data: bytes, name: str) -> str:
    """The text without its byte order mark; `Unreadable` with the place of the first bad byte."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise Unreadable(Problem(name, 1, 1, "the file is UTF-16; save it as UTF-8"))
    body = data.removeprefix(_BOM)
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        good = body[: error.start].decode("utf-8")
        line, column = _line_and_column(good, len(good))
        message = f"the byte 0x{body[error.start]:02X} is not UTF-8; save the file as UTF-8"
        raise Unreadable(Problem(name, line, column, message)) from None


def _worded(message: str) -> str:
    """The parser's words as the middle of a sentence."""
    return message[:1].lower() + message[1:]


def _line_and_column(text: str, at: int) -> tuple[int, int]:
    """Line and column, both from 1."""
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


def _deeper_than(tree: dict[str, Any], most: int) -> bool:
    """Whether anything lies more than `most` tables and arrays deep."""
    level: list[dict[str, Any] | list[Any]] = [tree]
    for _ in range(most):
        level = [item for holder in level for item in _items(holder) if isinstance(item, dict | list)]
        if not level:
            return False
    return True


def unspeakable(text: str, tree: dict[str, Any]) -> int | None:
    """Where in a TOML text a number stands that Python reads and won't turn into text again."""
    found = _LONG_CODE.search(text)
    return found.start() if found and _has_long_number(tree) else None


def _has_long_number(value: Any) -> bool:
    match value:
        case dict() | list():
            return any(map(_has_long_number, _items(value)))
        case int():
            return value.bit_length() > _SPEAKABLE
        case _:
            return False


def _items(holder: dict[str, Any] | list[Any]) -> Iterator[Any]:
    return iter(holder.values() if isinstance(holder, dict) else holder)


def _place_of_depth(text: str) -> tuple[int, int]:
    """About where a text nests deepest: the line with the most brackets and dots."""
    lines = text.split("\n")
    deepest = max(range(len(lines)), key=lambda number: sum(map(lines[number].count, "[{.")))
    return deepest + 1, len(lines[deepest]) - len(lines[deepest].lstrip()) + 1


def _all_places(index: Index) -> dict[Path, tuple[int, int]]:
    """Where each key is first written; a table's own header counts before all else."""
    made: dict[Path, tuple[int, int]] = {}
    own: dict[Path, tuple[int, int]] = {}
    line = 1
    for piece in index.pieces:
        if piece.kind is not Kind.TRIVIA:
            place = (line, piece.key_at + 1)
            own[piece.path] = place
            for count in range(piece.depth + 1, len(piece.path)):
                made.setdefault(piece.path[:count], place)
        line += piece.text.count("\n")
    first = {id(piece): own[piece.path][0] for piece in index.pairs.values()} if index.inner else {}
    for path, spot in index.inner.items():
        row, column = _line_and_column(spot.piece.text, spot.key_at)
        own[path] = (first[id(spot.piece)] + row - 1, column)
    return made | own
