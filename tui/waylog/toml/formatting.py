"""Format values as TOML, and compare values as a person who reads the file would."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping
from datetime import UTC, date, datetime, time
from typing import Any

from waylog.toml.edits import Path

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
            return _integer(value)
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
            raise NotRepresentable(f"TOML has no {type(value).__name__}")


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
            return {_plain_key(key): copy_plain(item) for key, item in value.items()}
        case list() | tuple():
            return [copy_plain(item) for item in value]
        case _:
            return value


def _plain_key(key: object) -> str:
    if not isinstance(key, str):
        raise NotRepresentable(f"a key must be text, not {type(key).__name__}")
    return key


def _is_visible(text: str) -> bool:
    """Return whether nothing in the text is invisible, without a pattern to compile."""
    return text.isprintable() and (text.isascii() or max(text) < "\U000e0000")


def _string(text: str) -> str:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise NotRepresentable("the text contains half a character and can't be saved") from None
    if _is_visible(text) and '"' not in text and "\\" not in text:
        return f'"{text}"'
    return '"' + re.sub(_HIDDEN, _escape, text) + '"'


def _escape(found: re.Match[str]) -> str:
    """Return the code for an invisible or control character, so that it can be seen in the file."""
    character = found[0]
    number = ord(character)
    return _SHORT_ESCAPES.get(character) or (f"\\u{number:04X}" if number <= 0xFFFF else f"\\U{number:08X}")


def _integer(number: int) -> str:
    try:
        return str(int(number))
    except ValueError:
        raise NotRepresentable("the number has too many digits") from None


def _moment(moment: datetime | time) -> str:
    """Return a date with a time, or a time. An offset must be whole minutes, and only a date with a time can have one."""
    if isinstance(moment, time):
        if moment.tzinfo is not None:
            raise NotRepresentable("TOML has no offsets for a time of day")
        return moment.isoformat()
    offset = moment.utcoffset()
    if offset is None:
        return moment.isoformat()
    if offset.total_seconds() % 60:
        raise NotRepresentable("TOML only has offsets of whole minutes")
    if not offset:
        return moment.replace(tzinfo=UTC).isoformat().replace("+00:00", "Z")
    return moment.isoformat()
