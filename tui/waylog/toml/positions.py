"""Line and column of every key and value of a text, for messages. Only a problem needs them."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from typing import NamedTuple

from waylog.toml.edits import Path, line_and_column
from waylog.toml.scanner import StatementIndex, StatementKind, ValueSpan, inline_items, items


class InnerPlace(NamedTuple):
    """Where a value within another begins, and its key; an item of an array is both."""

    key_at: int
    value_at: int


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
    text, found = spot.piece.text, InnerPlace(spot.key_at, spot.value_at)
    for key in path[outer:]:
        if (inner := _inner_place(text, found.value_at, key)) is None:
            return None
        found = inner
    first = keys[path[:outer]][0] - text.count("\n", 0, spot.key_at)
    row, column = line_and_column(text, found.value_at if of_value else found.key_at)
    return first + row - 1, column


def _inner_place(text: str, at: int, key: str) -> InnerPlace | None:
    """Return the place of an item by its number in the array at `at`, or of a key in the inline table there."""
    if text[at] == "[" and key.isdecimal():
        item = next(islice(items(text, at), int(key), None), None)
        return None if item is None else InnerPlace(item, item)
    if text[at] == "{":
        return next(
            (InnerPlace(one.key_at, one.value_at) for one in inline_items(text, at) if one.parts == (key,)), None
        )
    return None


def value_position(key: tuple[int, int], spot: ValueSpan) -> tuple[int, int]:
    """Return line and column of the value whose key is at `key`. In TOML they are on the same line."""
    return key[0], key[1] + spot.value_at - spot.key_at
