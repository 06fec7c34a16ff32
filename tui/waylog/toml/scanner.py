"""Find the statements of a TOML text and the place of every value.

The text has already been accepted by a TOML parser, so the scanner looks for ends and never judges. Simple lines take
one regular expression; all others use the exact, slower functions.

Line and column of every key and value of a text, for messages. Only a problem needs them.
"""

import re
from collections.abc import Iterator, Mapping
from enum import Enum
from itertools import islice
from typing import NamedTuple

import tomli

from waylog.toml.values import Path, line_and_column

_STRING = (
    r'"""(?:[^"\\]++|\\[\s\S]|"{1,2}(?!"))*+"{3,5}'
    r"|'''(?:[^']++|'{1,2}(?!'))*+'{3,5}"
    r'|"(?:[^"\\\n]++|\\.)*+"'
    r"|'[^'\n]*+'"
)
_ONE_LINE_STRING = r'"(?!"")(?:[^"\\\n]++|\\.)*+"|' + r"'(?!'')[^'\n]*+'"
_BARE_VALUE = r"[^\s,\[\]{}\"'#]++(?:[ ][0-9][0-9:.+\-Zz]*+)?"

_SIMPLE = re.compile(
    rf"""[ \t]*+(?:
        ([A-Za-z0-9_.-]++)[ \t]*+=[ \t]*+
        ({_ONE_LINE_STRING}|{_BARE_VALUE}|\[(?:[^\[\]{{}}"'#\n]++|{_ONE_LINE_STRING})*+\])
      | \[([A-Za-z0-9_.-]++)\]
    )?[ \t\r]*+(?:\#[^\n]*+)?(?:\n|\Z)""",
    re.VERBOSE,
)
_TOKEN = re.compile(rf"{_STRING}|#[^\n\r]*+|[\[\]{{}}]")
"""One pattern instead of three, because compiling each takes half a millisecond of every shell command."""
_KEY_PART = r'[ \t]*+(?:([A-Za-z0-9_-]++)|("(?:[^"\\\n]++|\\.)*+")|' + r"'([^'\n]*+)')[ \t]*+(\.)?"
_BLANK = r"[ \t]*+"
_GAP = r"[ \t\r\n,]*+"
_ARRAY_GAP = r"(?:[ \t\r\n,]++|#[^\n]*+)*+"


class StatementKind(Enum):
    """The kinds of statements."""

    TRIVIA = "blank line or comment line"
    PAIR = "key = value"
    HEADER = "[table] or [[table]]"


class Statement:
    """One statement with its line end. It never changes; the joined statements are the text. Equal only to itself."""

    __slots__ = ("depth", "key_at", "kind", "path", "text", "value_at", "value_end")

    # No dataclass: compiling one takes most of a millisecond, which every shell command would wait for.
    def __init__(
        self,
        text: str,
        kind: StatementKind,
        path: Path = (),
        depth: int = 0,
        key_at: int = 0,
        value_at: int = 0,
        value_end: int = 0,
    ) -> None:
        self.text, self.kind = text, kind
        self.path = path
        """The full path of the key or table. Elements of an array of tables appear in it as "0", "1"…"""
        self.depth = depth
        """How many parts of the path belong to the table that contains the statement."""
        self.key_at, self.value_at, self.value_end = key_at, value_at, value_end

    def with_text(self, text: str, value_end: int | None = None) -> "Statement":
        """Return the same statement with another text, in which its value may end elsewhere."""
        end = self.value_end if value_end is None else value_end
        return Statement(text, self.kind, self.path, self.depth, self.key_at, self.value_at, end)

    def blank(self) -> bool:
        """Whether it is an empty line."""
        return self.kind is StatementKind.TRIVIA and "#" not in self.text

    def comment(self) -> bool:
        """Whether it is a line with only a comment."""
        return self.kind is StatementKind.TRIVIA and "#" in self.text


class ValueSpan(NamedTuple):
    """A written value: its statement, and the positions of its key and itself in the statement's text."""

    piece: Statement
    key_at: int
    value_at: int
    value_end: int

    def text(self) -> str:
        """Return the value's source text."""
        return self.piece.text[self.value_at : self.value_end]

    def inline_table(self) -> bool:
        """Whether the value is written as { … }."""
        return self.piece.text[self.value_at] == "{"


class InlineItem(NamedTuple):
    """One `key = value` directly inside an inline table."""

    parts: Path
    key_at: int
    value_at: int
    value_end: int


class StatementIndex:
    """All statements of a text, and the values that they define."""

    __slots__ = ("headers", "inner", "pairs", "pieces")

    def __init__(self, pieces: list[Statement]) -> None:
        self.pieces = pieces
        self.pairs: dict[Path, Statement] = {}
        self.inner: dict[Path, ValueSpan] = {}
        """The values inside inline tables."""
        self.headers: dict[Path, Statement] = {}

    def find(self, path: Path) -> ValueSpan | None:
        """Return the written value at a path; None for tables with a header or made by dotted keys, and for missing
        values.
        """
        piece = self.pairs.get(path)
        if piece is not None:
            return ValueSpan(piece, piece.key_at, piece.value_at, piece.value_end)
        return self.inner.get(path)

    def copy(self) -> "StatementIndex":
        """Return a copy with the same statements."""
        twin = StatementIndex(self.pieces[:])
        twin.pairs, twin.inner, twin.headers = self.pairs.copy(), self.inner.copy(), self.headers.copy()
        return twin

    def add(self, piece: Statement) -> None:
        """Add a statement's paths to the lookups."""
        if piece.kind is StatementKind.PAIR:
            self.pairs[piece.path] = piece
            if piece.text[piece.value_at] == "{":
                for parts, spot in inner_values(piece):
                    self.inner[piece.path + parts] = spot
        elif piece.kind is StatementKind.HEADER:
            self.headers[piece.path] = piece

    def drop(self, piece: Statement) -> None:
        """Remove a statement's paths from the lookups."""
        if piece.kind is StatementKind.PAIR:
            del self.pairs[piece.path]
            if piece.text[piece.value_at] == "{":
                for parts, _ in inner_values(piece):
                    del self.inner[piece.path + parts]
        elif piece.kind is StatementKind.HEADER:
            del self.headers[piece.path]


def scan(text: str, table: Path = ()) -> StatementIndex:
    """Return the index of a text that the parser has accepted, and that starts inside `table`."""
    index = StatementIndex([])
    pieces, pairs, headers = index.pieces, index.pairs, index.headers
    counts: dict[Path, int] = {}
    match, pair, trivia, header = _SIMPLE.match, StatementKind.PAIR, StatementKind.TRIVIA, StatementKind.HEADER
    depth, at, end = len(table), 0, len(text)
    while at < end:
        found = match(text, at)
        if found is None:
            piece = _exact(text, at, table, counts)
            index.add(piece)
            if piece.kind is header:
                table, depth = piece.path, len(piece.path)
            pieces.append(piece)
            at += len(piece.text)
            continue
        stop = found.end()
        group = found.lastindex
        if group == 2:
            key = found[1]
            path = (*table, *key.split(".")) if "." in key else (*table, key)
            start, value_end = found.span(2)
            piece = Statement(text[at:stop], pair, path, depth, found.start(1) - at, start - at, value_end - at)
            pairs[path] = piece
        elif group is None:
            piece = Statement(text[at:stop], trivia)
        else:
            table = tuple(found[3].split("."))
            if counts:
                table = _resolve_header(table, counts)
            depth = len(table)
            piece = Statement(text[at:stop], header, table, 0, found.start(3) - at)
            headers[table] = piece
        pieces.append(piece)
        at = stop
    return index


def comments(text: str) -> list[str]:
    """Return every comment in a text that starts and ends outside strings."""
    return [found for found in _TOKEN.findall(text) if found[0] == "#"]


def value_end(text: str, at: int) -> int:
    """Return the end of the value that starts at `at`."""
    first = text[at]
    if first in "\"'":
        found = _TOKEN.match(text, at)
    elif first in "[{":
        ends = _bracket_ends(text, at)
        return ends.get(at, len(text))
    else:
        found = re.compile(_BARE_VALUE).match(text, at)
    return found.end() if found else at


def inline_items(text: str, at: int, ends: Mapping[int, int] | None = None) -> Iterator[InlineItem]:
    """Return the items directly inside the inline table that opens at `at`, in order."""
    if ends is None:
        ends = _bracket_ends(text, at)
    at = _skip(_GAP, text, at + 1)
    while text[at] != "}":
        parts, equals = _key(text, at)
        start = _skip(_BLANK, text, equals + 1)
        end = ends[start] if start in ends else value_end(text, start)
        yield InlineItem(parts, at, start, end)
        at = _skip(_GAP, text, end)


def items(text: str, at: int) -> Iterator[int]:
    """Return the start of each value directly inside the array that opens at `at`, in order."""
    ends = _bracket_ends(text, at)
    at = _skip(_ARRAY_GAP, text, at + 1)
    while text[at] != "]":
        yield at
        at = _skip(_ARRAY_GAP, text, ends[at] if at in ends else value_end(text, at))


def inner_values(piece: Statement) -> Iterator[tuple[Path, ValueSpan]]:
    """Return every value inside a statement's inline table, at any depth, by its path below the statement's."""
    ends = _bracket_ends(piece.text, piece.value_at)
    waiting: list[tuple[Path, int]] = [((), piece.value_at)]
    while waiting:
        above, at = waiting.pop()
        for entry in inline_items(piece.text, at, ends):
            path = above + entry.parts
            yield path, ValueSpan(piece, entry.key_at, entry.value_at, entry.value_end)
            if piece.text[entry.value_at] == "{":
                waiting.append((path, entry.value_at))


def _exact(text: str, at: int, table: Path, counts: dict[Path, int]) -> Statement:
    """Return the statement at `at`, which isn't a simple line."""
    key_at = _skip(_BLANK, text, at)
    if text[key_at] == "[":
        many = text.startswith("[[", key_at)
        parts, closing = _key(text, key_at + 1 + many)
        path = _resolve_header(parts, counts)
        if many:  # It is a new element of this array of tables.
            number = counts.get(path, 0)
            counts[path] = number + 1
            path = (*path, str(number))
        key_at = _skip(_BLANK, text, key_at + 1 + many)
        return Statement(text[at : _line_end(text, closing)], StatementKind.HEADER, path, 0, key_at - at)
    parts, equals = _key(text, key_at)
    start = _skip(_BLANK, text, equals + 1)
    end = value_end(text, start)
    whole = text[at : _line_end(text, end)]
    return Statement(whole, StatementKind.PAIR, table + parts, len(table), key_at - at, start - at, end - at)


def _key(text: str, at: int) -> tuple[Path, int]:
    """Return a possibly dotted key, and the position after it."""
    parts: list[str] = []
    while found := re.compile(_KEY_PART).match(text, at):
        bare, basic, literal, dot = found.groups()
        if basic is not None:
            bare = tomli.loads(f"k = {basic}")["k"] if "\\" in basic else basic[1:-1]
        parts.append(bare if bare is not None else literal)
        at = found.end()
        if dot is None:
            break
    return tuple(parts), at


def _bracket_ends(text: str, at: int) -> dict[int, int]:
    """Return the end of each array and inline table within the one that opens at `at`, by its start."""
    ends: dict[int, int] = {}
    unclosed: list[int] = []
    for found in _TOKEN.finditer(text, at):
        first = text[found.start()]
        if first in "[{":
            unclosed.append(found.start())
        elif first in "]}":
            ends[unclosed.pop()] = found.end()
            if not unclosed:
                break
    return ends


def _resolve_header(parts: Path, counts: dict[Path, int]) -> Path:
    """Return the path of a header, with the numbers of the array elements that contain it."""
    if not counts:
        return parts
    path: Path = ()
    for part in parts[:-1]:
        path = (*path, part)
        if path in counts:
            path = (*path, str(counts[path] - 1))
    return (*path, parts[-1])


def _line_end(text: str, at: int) -> int:
    """Return the end of the line that contains `at`, after its line end."""
    newline = text.find("\n", at)
    return len(text) if newline < 0 else newline + 1


def _skip(pattern: str, text: str, at: int) -> int:
    """Return the position after a match of the pattern, which may be empty."""
    found = re.compile(pattern).match(text, at)
    return found.end() if found else at


def key_positions(index: StatementIndex) -> dict[Path, tuple[int, int]]:
    """Return line and column where each key is first written. A table's own header comes before everything else."""
    made: dict[Path, tuple[int, int]] = {}
    positions: dict[Path, tuple[int, int]] = {}
    line = 1
    for piece in index.pieces:
        if piece.kind is not StatementKind.TRIVIA:
            place = (line, piece.key_at + 1)
            positions[piece.path] = place
            for count in range(piece.depth + 1, len(piece.path)):
                made.setdefault(piece.path[:count], place)
        line += piece.text.count("\n")
    first = {id(piece): positions[piece.path][0] for piece in index.pairs.values()} if index.inner else {}
    for path, spot in index.inner.items():
        row, column = line_and_column(spot.piece.text, spot.key_at)
        positions[path] = (first[id(spot.piece)] + row - 1, column)
    return made | positions


def inner_position(
    index: StatementIndex, keys: Mapping[Path, tuple[int, int]], path: Path, *, of_value: bool
) -> tuple[int, int] | None:
    """Return line and column of a value within an array, or of its key if it has one, given those of all keys; None if there is
    none.
    """
    outer = next((count for count in range(len(path) - 1, 0, -1) if index.find(path[:count])), 0)
    spot = index.find(path[:outer]) if outer else None
    if spot is None or spot.piece.text[spot.value_at] != "[":
        return None
    text, key_at, value_at = spot.piece.text, spot.key_at, spot.value_at
    for key in path[outer:]:
        inner: tuple[int, int] | None = None
        if text[value_at] == "[" and key.isdecimal():
            inner = next(((item, item) for item in islice(items(text, value_at), int(key), None)), None)
        elif text[value_at] == "{":
            named = (one for one in inline_items(text, value_at) if one.parts == (key,))
            inner = next(((one.key_at, one.value_at) for one in named), None)
        if inner is None:
            return None
        key_at, value_at = inner
    first = keys[path[:outer]][0] - text.count("\n", 0, spot.key_at)
    row, column = line_and_column(text, value_at if of_value else key_at)
    return first + row - 1, column


def value_position(key: tuple[int, int], spot: ValueSpan) -> tuple[int, int]:
    """Return line and column of the value whose key is at `key`. In TOML they are on the same line."""
    return key[0], key[1] + spot.value_at - spot.key_at
