"""Limits: how large and how deeply nested a TOML file may be, and which numbers can be written again."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final

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
    return f"the file has {size:,} bytes; Waylog reads and writes files of up to {cap:,}"


def find_crowd(data: bytes) -> str:
    """Return the message for a file with too many values to be read; empty for any other. It takes no time."""
    count = sum(map(data.count, (b",", b"=", b"[")))
    return f"too many values: about {count:,}; the most is {MOST_VALUES:,}" if count > MOST_VALUES else ""


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
    match = re.search(_LONG_CODE, text)
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
