"""One version of a TOML file that people edit by hand. It is parsed strictly, and only what is meant to change is
changed.

Every other byte stays: comments, order, spacing, unusual source texts, line ends. Each change is read back and compared
with the intended result before anybody sees it.
"""

import errno
import os
import re
import stat
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import tomli

from waylog.toml.values import (
    ABSENT,
    DEEPEST,
    LARGEST,
    Edit,
    EditRefused,
    Path,
    find_crowd,
    find_long_number,
    format_value,
    is_too_deep,
    line_and_column,
    lookup,
    size_error,
)

if TYPE_CHECKING:
    from waylog.toml.scanner import StatementIndex

__all__ = [
    "ABSENT",
    "LARGEST",
    "Document",
    "Edit",
    "EditRefused",
    "FileMissing",
    "Path",
    "Problem",
    "UnreadableFile",
    "format_value",
    "lookup",
    "read_bytes",
]

BOM: Final = b"\xef\xbb\xbf"
_LONG_NUMBER = r"[0-9_]{4300,}"
"""Text that may be a number with more digits than the 4,300 that Python converts to text."""


class Problem(NamedTuple):
    """A problem in a file: its place, and what would be right."""

    file: str
    line: int
    column: int
    message: str
    clause: str | None = None
    unfinished: bool = False
    """It is about something that is still being made."""

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}: {self.message}"


class UnreadableFile(Exception):
    """A file that can't be used at all. Has the problems with their places."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


class FileMissing(UnreadableFile):
    """The file doesn't exist."""


class Document:
    """One version of a TOML file. It never changes: every change returns another one. `parse` creates it."""

    # No dataclass: compiling one takes most of a millisecond, which every shell command would wait for.
    def __init__(
        self, name: str, data: bytes, tree: dict[str, Any], text: str, index: "StatementIndex | None" = None
    ) -> None:
        self.name = name
        self.data = data
        """The bytes of the file."""
        self.tree = tree
        """Its plain values. Don't change them."""
        self.text = text
        """Its text without a byte order mark."""
        self._index = index
        self._places: dict[Path, tuple[int, int]] = {}

    @classmethod
    def parse(cls, data: bytes, name: str) -> "Document":
        """Parse TOML 1.0 in strict UTF-8. Raises `UnreadableFile`, with the place of the problem."""
        if len(data) > LARGEST:
            raise UnreadableFile(Problem(name, 1, 1, size_error(len(data), LARGEST)))
        if crowd := find_crowd(data):
            raise UnreadableFile(Problem(name, 1, 1, crowd))
        text = _decode_utf8(data, name)
        try:
            tree = tomli.loads(text)
        except tomli.TOMLDecodeError as error:
            raise UnreadableFile(Problem(name, error.lineno, error.colno, _describe_parse_error(error.msg))) from None
        except RecursionError:
            raise UnreadableFile(Problem(name, *_place_of_depth(text), _TOO_DEEP)) from None
        except ValueError:
            found = re.search(_LONG_NUMBER, text)
            line, column = line_and_column(text, found.start() if found else 0)
            raise UnreadableFile(Problem(name, line, column, "the number has too many digits to be read")) from None
        if is_too_deep(tree):
            raise UnreadableFile(Problem(name, *_place_of_depth(text), _TOO_DEEP))
        if (place := find_long_number(text, tree)) is not None:
            line, column = line_and_column(text, place)
            raise UnreadableFile(Problem(name, line, column, "the number has too many digits to be read"))
        return cls(name, data, tree, text)

    def spelling(self, path: Path) -> str | None:
        """Return the source text of the value at `path`; None if there is none, or if it is a table with a header."""
        spot = self.index.find(path)
        return spot.text() if spot else None

    def position(self, path: Path, *, of_value: bool = False) -> tuple[int, int]:
        """Return the line and column of the key, or with `of_value` of the value; if it isn't in the file, of the
        nearest table above it.

        An item of an array, or of an array of tables, is named by its number: `("face", "0", "text")`.
        """
        from waylog.toml.scanner import inner_position, key_positions, value_position

        if not self._places:
            self._places.update(key_positions(self.index))
        for count in range(len(path), 0, -1):
            if place := self._places.get(path[:count]):
                spot = self.index.find(path[:count]) if of_value else None
                return value_position(place, spot) if spot else place
            if inner := inner_position(self.index, self._places, path[:count], of_value=of_value):
                return inner
        return (1, 1)

    def set(self, path: Path, value: Any, spelling: str | None = None) -> "Document":
        """Return the document with `value` at `path`. A table is changed by its differences, or written as a new block.

        `spelling` is used as the source text if it means exactly this value. Raises `EditRefused` if the change can't
        be made safely.
        """
        return self.edit([Edit(path, value, spelling)])

    def remove(self, path: Path) -> "Document":
        """Return the document without `path`: without its line, or all its blocks with the comments directly above
        them.
        """
        return self.edit([Edit(path, ABSENT)])

    def edit(self, edits: Sequence[Edit], *, missing_ok: bool = False) -> "Document":
        """Return the document after all changes, in order. Raises `EditRefused` if one can't be made; then none is.

        With `missing_ok`, removing a value that isn't there does nothing.
        """
        # Most documents are only read, so the editing code is loaded with the first edit.
        from waylog.toml.editor import apply_edits

        text, tree, index = apply_edits(self.text, self.tree, self.index, edits, missing_ok=missing_ok)
        data = (BOM if self.data.startswith(BOM) else b"") + text.encode("utf-8")
        if len(data) > LARGEST:
            raise EditRefused(size_error(len(data), LARGEST))
        return Document(self.name, data, tree, text, index)

    @property
    def index(self) -> "StatementIndex":
        """The statements of the file. Computed when first needed."""
        if self._index is None:
            from waylog.toml.scanner import scan

            self._index = scan(self.text)
        assert self._index is not None
        return self._index


def read_bytes(path: str | os.PathLike[str], cap: int = LARGEST) -> bytes:
    """Return the contents of a regular file of at most `cap` bytes. Never waits for a pipe and never reads a device.

    Raises `FileMissing` if there is no such file, otherwise `UnreadableFile` with the reason.
    """
    name = os.fspath(path)
    try:
        handle = os.open(name, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY)
        try:
            status = os.fstat(handle)
            if not stat.S_ISREG(status.st_mode):
                kind = "a folder" if stat.S_ISDIR(status.st_mode) else "a device or pipe"
                raise UnreadableFile(Problem(name, 1, 1, f"can't be read: it is {kind}, not a file"))
            size, parts = status.st_size, list[bytes]()
            room = cap + 1
            while size <= cap and room > 0 and (part := os.read(handle, min(room, 1 << 20))):
                parts.append(part)
                room -= len(part)
            if size > cap or room <= 0:
                raise UnreadableFile(Problem(name, 1, 1, size_error(max(size, cap + 1), cap)))
            return b"".join(parts)
        finally:
            os.close(handle)
    except FileNotFoundError:
        raise FileMissing(Problem(name, 1, 1, "there is no such file")) from None
    except OSError as error:
        words = _SYSTEM_WORDS.get(error.errno or 0) or (error.strerror or "the system gives no reason").lower()
        raise UnreadableFile(Problem(name, 1, 1, f"can't be read: {words}")) from error
    except ValueError:
        raise UnreadableFile(Problem(name, 1, 1, "can't be read: no file can have such a name")) from None


_SYSTEM_WORDS = {
    errno.EACCES: "you don't have permission",
    errno.ELOOP: "its symbolic links form a loop",
    errno.ENAMETOOLONG: "its name is too long",
    errno.ENOTDIR: "part of its path is a file, not a folder",
    errno.ENXIO: "it is a socket or pipe, not a file",
    errno.EIO: "the disk reports an error",
}


_TOO_DEEP = f"tables and arrays are nested too deeply: Waylog can read at most {DEEPEST} levels"


def _decode_utf8(data: bytes, name: str) -> str:
    """Return the text without its byte order mark. Raises `UnreadableFile` with the place of the first wrong byte."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise UnreadableFile(Problem(name, 1, 1, "the file is UTF-16: save it as UTF-8"))
    body = data.removeprefix(BOM)
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError as error:
        good = body[: error.start].decode("utf-8")
        line, column = line_and_column(good, len(good))
        message = f"the byte 0x{body[error.start]:02X} is not UTF-8: save the file as UTF-8"
        raise UnreadableFile(Problem(name, line, column, message)) from None


_NAMED = r"\(.*\)"
_PARSER_WORDS = (
    ("Cannot declare ", "[{}] appears twice: write all its values under one header"),
    ("Cannot redefine namespace ", "{} is already a table, so it can't be defined again"),
    ("Cannot mutate immutable namespace ", "{} is a table in braces, so all its values must be inside the braces"),
    ("Cannot append to ", "{} is already a list, so it can't be extended here"),
    ("Cannot overwrite a value", "this key appears twice in its table, or is both a value and a table"),
    ("Duplicate inline table key", "this key appears twice in this table"),
    (
        "Invalid value",
        "this is not a valid value. Text needs quotation marks, a flag is true or false, and a list ends with `]`",
    ),
    ("Invalid statement", "there should be a key, a [header] or a # comment here"),
    (
        "Invalid initial character",
        "there should be a key here. A table in braces must end on the line where it starts, with no comma after its last value",
    ),
    ("Expected '='", "`=` is missing after the key"),
    ("Expected ']", "the header is not closed: `]` is missing"),
    ("Expected newline", "the line should end after the value, and the next key needs a line of its own"),
    ("Unclosed array", "the list before this is not closed: a comma or `]` is missing"),
    (
        "Unclosed inline table",
        "the table in braces is not closed: a comma or `}}` is missing. Such a table must fit on one line",
    ),
    (r"Illegal character '\n'", "a quotation mark is missing at the end of the line"),
    ("Unterminated string", "quotation marks are missing"),
    ('Expected "', "a quotation mark is missing"),
    ("Unescaped", r"`\` has a special meaning in a text: write it twice, or put the text in single quotation marks"),
)
"""The parser's messages, with messages for people that say what would be right."""


def _describe_parse_error(message: str) -> str:
    """Return the parser's message for the middle of a sentence."""
    for start, message_form in _PARSER_WORDS:
        if message.startswith(start):
            from ast import literal_eval  # Few files need this module.

            named = re.search(_NAMED, message)
            return message_form.format(".".join(map(str, literal_eval(named[0]))) if named else "this key")
    return message[:1].lower() + message[1:]


def _place_of_depth(text: str) -> tuple[int, int]:
    """Return roughly where a text nests deepest: at the line with the most brackets and dots."""
    lines = text.split("\n")
    deepest = max(range(len(lines)), key=lambda number: sum(map(lines[number].count, "[{.")))
    return deepest + 1, len(lines[deepest]) - len(lines[deepest].lstrip()) + 1
