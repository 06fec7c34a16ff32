"""Format values as TOML, and compare values as a person who reads the file would.

The parts of a change to a TOML document: a path, the new value, and its source text.

Limits: how large and how deeply nested a TOML file may be, and which numbers can be written again.
"""

import math
import re
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime, time
from typing import Any, Final, NamedTuple

Path = tuple[str, ...]


class EditRefused(Exception):
    """The change can't be made without altering something else, so nothing was changed. Says why."""


class Absent:
    """The type of `ABSENT`."""

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = Absent()
"""Stands for a missing value."""


class Edit(NamedTuple):
    """One change: the new value of `path`, or `ABSENT` to remove it. `spelling` is the source text that a person gave
    that value.
    """

    path: Path
    value: Any
    spelling: str | None = None


def lookup(tree: dict[str, Any], path: Path) -> Any:
    """Return the value at a path of keys, or `ABSENT`. Arrays of tables are not searched."""
    node: Any = tree
    for part in path:
        if not isinstance(node, dict) or part not in node:
            return ABSENT
        node = node[part]
    return node


def line_and_column(text: str, at: int) -> tuple[int, int]:
    """Return line and column of a position in a text, both counted from 1."""
    return text.count("\n", 0, at) + 1, at - text.rfind("\n", 0, at)


_BARE_KEY = r"[A-Za-z0-9_-]+"
_SHORT_ESCAPES = {"\b": "\\b", "\t": "\\t", "\n": "\\n", "\f": "\\f", "\r": "\\r", '"': '\\"', "\\": "\\\\"}
_HIDDEN = '[\\x00-\\x1f"\\\\\\x7f-\\x9f\u00ad\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\U000e0000-\U000e0fff]'


class NotRepresentable(ValueError):
    """TOML can't represent this value."""


def format_value(value: object) -> str:
    """Return a value as TOML, always on one line. Raises `NotRepresentable`."""
    match value:
        case bool():
            return "true" if value else "false"
        case str():
            return _string(value)
        case int():
            try:
                return str(int(value))
            except ValueError:
                raise NotRepresentable("the number has too many digits") from None
        case float():
            return repr(value)
        case datetime() | time():
            return _moment(value)
        case date():
            return value.isoformat()
        case list() | tuple():
            return "[" + ", ".join(format_value(item) for item in value) + "]"
        case Mapping():
            pairs = ", ".join(f"{format_key((key,))} = {format_value(item)}" for key, item in value.items())
            return f"{{ {pairs} }}" if pairs else "{}"
        case _:
            raise NotRepresentable(f"TOML can't hold a value of type {type(value).__name__}")


def format_key(parts: Path) -> str:
    """Return a key, dotted if it has several parts, and quoted only if necessary."""
    return ".".join(part if re.fullmatch(_BARE_KEY, part) else _string(part) for part in parts)


def format_table(path: Path, table: Mapping[str, Any], line_end: str, indent: str = "") -> str:
    """Return a table as `[path]` and its keys. Tables in it follow as blocks of their own, each after a blank line."""
    below = {key: value for key, value in table.items() if isinstance(value, Mapping)}
    lines = [f"[{format_key(path)}]"]
    lines += [f"{format_key((key,))} = {format_value(value)}" for key, value in table.items() if key not in below]
    text = "".join(f"{indent}{line}{line_end}" for line in lines)
    for key, value in below.items():
        text += line_end + format_table((*path, key), value, line_end, indent)
    return text


def is_same_value(one: object, other: object) -> bool:
    """Whether two values are the same and of the same type: 1 is neither 1.0 nor true, NaN equals NaN, and the order of
    keys doesn't matter.
    """
    if type(one) is not type(other):
        return False
    match one, other:
        case dict(), dict():
            return one.keys() == other.keys() and all(is_same_value(value, other[key]) for key, value in one.items())
        case list(), list():
            return len(one) == len(other) and all(map(is_same_value, one, other))
        case float(), float():
            if math.isnan(one) or math.isnan(other):
                return math.isnan(one) and math.isnan(other)
            return one == other and math.copysign(1.0, one) == math.copysign(1.0, other)
        case datetime(), datetime():
            return one.isoformat() == other.isoformat()
        case _:
            return one == other


def copy_plain(value: Any) -> Any:
    """Return a copy made of dicts and lists, as a parser returns them, sharing nothing with the original."""
    match value:
        case Mapping():
            for key in value:
                if not isinstance(key, str):
                    raise NotRepresentable(f"a key must be text, not {type(key).__name__}")
            return {key: copy_plain(item) for key, item in value.items()}
        case list() | tuple():
            return [copy_plain(item) for item in value]
        case _:
            return value


def _string(text: str) -> str:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise NotRepresentable("the text contains an incomplete character, so it can't be saved") from None
    # Most texts have nothing invisible, and a command need not compile the pattern to know that.
    is_visible = text.isprintable() and (text.isascii() or max(text) < "\U000e0000")
    if is_visible and '"' not in text and "\\" not in text:
        return f'"{text}"'
    return '"' + re.sub(_HIDDEN, _escape, text) + '"'


def _escape(found: re.Match[str]) -> str:
    """Return the code for an invisible or control character, so that it can be seen in the file."""
    character = found[0]
    number = ord(character)
    return _SHORT_ESCAPES.get(character) or (f"\\u{number:04X}" if number <= 0xFFFF else f"\\U{number:08X}")


def _moment(moment: datetime | time) -> str:
    """Return a date with a time, or a time. An offset must be whole minutes, and only a date with a time can have one."""
    if isinstance(moment, time):
        if moment.tzinfo is not None:
            raise NotRepresentable("in TOML, a time of day can't have a time-zone offset")
        return moment.isoformat()
    offset = moment.utcoffset()
    if offset is None:
        return moment.isoformat()
    if offset.total_seconds() % 60:
        raise NotRepresentable("in TOML, a time-zone offset must be a whole number of minutes")
    if not offset:
        return moment.replace(tzinfo=UTC).isoformat().replace("+00:00", "Z")
    return moment.isoformat()


LARGEST: Final = 8 * 1024 * 1024
"""The most bytes a file may have."""
MOST_VALUES: Final = 150_000
"""The most commas, equals signs and opening brackets of a file, which are roughly its values. It is parsed in a second."""
DEEPEST: Final = 100
"""The most levels of nested tables and arrays."""

_LONG_CODE = r"\b0[xob][0-9a-fA-F_]{3500,}"
"""A number in hexadecimal, octal or binary digits that may have more than 4,300 decimal digits."""
_SPEAKABLE: Final = 14_000
"""Python can't convert a number of more than 4,300 decimal digits to text. A number with this many bits has fewer."""


def size_error(size: int, cap: int) -> str:
    """Return the message for a file of `size` bytes where `cap` are allowed."""
    return f"the file is {size:,} bytes long, but Waylog reads and writes only files of up to {cap:,} bytes"


def find_crowd(data: bytes) -> str:
    """Return the message for a file with too many values to be read; empty for any other. It takes no time."""
    count = sum(map(data.count, (b",", b"=", b"[")))
    return f"too many values: about {count:,} (the limit is {MOST_VALUES:,})" if count > MOST_VALUES else ""


def is_too_deep(tree: dict[str, Any]) -> bool:
    """Return whether tables and arrays are nested in more than `DEEPEST` levels."""
    level: list[dict[str, Any] | list[Any]] = [tree]
    for _ in range(DEEPEST):
        level = [item for holder in level for item in _items(holder) if isinstance(item, dict | list)]
        if not level:
            return False
    return True


def find_long_number(text: str, tree: dict[str, Any]) -> int | None:
    """Return the offset of a number that Python can read but not turn into text again, or None."""
    # Few files have such a number, and a search for a pattern in a large one takes long.
    match = re.search(_LONG_CODE, text) if any(code in text for code in ("0x", "0o", "0b")) else None
    return match.start() if match and _has_long_number(tree) else None


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
