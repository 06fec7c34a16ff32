"""Plan changes to a TOML document: which statement is changed, and what the file should say afterwards. Each change is
read back and compared with the intended result before anybody sees it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import tomli

from waylog.toml.edits import ABSENT, Absent, Edit, EditRefused, Path, lookup
from waylog.toml.formatting import NotRepresentable, copy_plain, format_key, format_value, is_same_value
from waylog.toml.limits import is_too_deep
from waylog.toml.scanner import StatementIndex, StatementKind, ValueSpan, comments, value_end
from waylog.toml.splice import Splice


class Edited(NamedTuple):
    """A TOML text after its edits: the text, its plain values, and where each of its statements is."""

    text: str
    tree: dict[str, Any]
    statements: StatementIndex


def apply_edits(
    text: str, tree: dict[str, Any], index: StatementIndex, edits: Sequence[Edit], *, missing_ok: bool
) -> Edited:
    """Return a TOML text after all edits, in order. `EditRefused` says why it can't be done; then no edit is made.

    `tree` holds the plain values of `text`, `index` its statements. With `missing_ok`, removing a value that isn't there does nothing.
    """
    line_end = "\r\n" if "\r\n" in text[: text.find("\n") + 1] else "\n"
    draft = EditSession(index, tree, line_end)
    try:
        for path, value, spelling in edits:
            if isinstance(value, Absent):
                if not (missing_ok and lookup(draft.tree, path) is ABSENT):
                    draft.remove(path)
            else:
                draft.set(path, value, spelling)
    except NotRepresentable as error:
        raise EditRefused(str(error)) from error
    new = draft.splice.text()
    return Edited(new, _verify(text, index, new, draft), draft.splice.index)


def _verify(old: str, index: StatementIndex, new: str, draft: EditSession) -> dict[str, Any]:
    """Return the plain values of the new text, after proof that it holds the intended values and that nothing else changed."""
    try:
        tree = tomli.loads(new)
    except (ValueError, RecursionError) as error:
        raise EditRefused(f"this change would make the file unreadable ({error})") from error
    if not is_same_value(tree, draft.tree) or is_too_deep(tree):
        raise EditRefused("this change would not give the intended value")
    here, there = Counter(comments(new)), Counter(comments(old))
    for text in draft.splice.removed:
        here.update(comments(text))
    for text in draft.splice.added:
        there.update(comments(text))
    if here != there:
        raise EditRefused("this change would remove a comment")
    before = index.pieces
    if "".join(piece.text for piece in before) != old:
        raise EditRefused("part of the file could not be understood")
    touched = draft.splice.touched
    if [p for p in before if p not in touched] != [p for p in draft.splice.index.pieces if p not in touched]:
        raise EditRefused("this change would alter something else in the file")
    return tree


class EditSession:
    """A text being changed, and the plain values it should have."""

    def __init__(self, index: StatementIndex, tree: dict[str, Any], line_end: str) -> None:
        """Start from a copy of `index`; `tree` has the values before the change."""
        self.splice = Splice(index, line_end)
        self.tree = tree

    def set(self, path: Path, value: Any, spelling: str | None) -> None:
        """Give `path` a value. `spelling` is used as its source text if it means exactly this value."""
        if not path:
            raise EditRefused("a change needs a key")
        value = copy_plain(value)
        self._refuse_arrays_and_values_above(path)
        now = lookup(self.tree, path)
        spot = self.splice.index.find(path)
        spelled = spelling if spelling is not None and is_spelling_of(spelling, value) else None
        if spot and spelled and type(now) is type(value) and _loses_comments(spot.text(), spelled):
            spelled = None
        if spelled is None and now is not ABSENT and is_same_value(now, value):
            return
        if isinstance(now, dict) and isinstance(value, dict) and not (spot and spelled):
            self._set_table(path, now, value)
            return
        if spot:
            self._replace_value(spot, now, value, spelled)
        elif isinstance(now, list):
            raise EditRefused(f"{format_key(path)} is an array of tables; change it by hand")
        else:
            if now is not ABSENT:
                self.remove(path)
            self._add(path, value, spelled)
        self.tree = with_value(self.tree, path, value)

    def _replace_value(self, spot: ValueSpan, now: Any, value: Any, spelled: str | None) -> None:
        """Replace a written value by another. A list over several lines is changed item by item."""
        if spelled is None and isinstance(now, list) and isinstance(value, list) and "\n" in spot.text():
            from waylog.toml.arrays import update_array

            self.splice.exchange_items(spot, update_array(spot.text(), now, value))
        else:
            self.splice.exchange_value(spot, spelled or format_value(value))

    def remove(self, path: Path) -> None:
        """Remove `path` and everything below it. Raises `EditRefused` if it isn't there."""
        self._refuse_arrays_and_values_above(path)
        if not path or lookup(self.tree, path) is ABSENT:
            raise EditRefused(f"{format_key(path)} isn't in the file")
        container = self._inline_above(path)
        if container is not None:
            self.splice.remove_inline(path, container)
        else:
            for header in self.splice.pieces_of(path, StatementKind.HEADER):
                self.splice.remove_block(header)
            for pair in self.splice.pieces_of(path, StatementKind.PAIR):
                self.splice.take_out(pair)
        self.tree = self._without_empty_tables(with_value(self.tree, path, ABSENT), path)

    def _set_table(self, path: Path, now: dict[str, Any], value: dict[str, Any]) -> None:
        """Change a table into another by their differences."""
        for key, item in value.items():
            if key not in now or not is_same_value(now[key], item):
                self.set((*path, key), item, None)
        for key in now:
            if key not in value:
                self.remove((*path, key))
        if lookup(self.tree, path) is ABSENT:
            self._add(path, value, None)
            self.tree = with_value(self.tree, path, value)

    def _add(self, path: Path, value: Any, spelled: str | None) -> None:
        """Write a value at a path that the file doesn't have yet. `spelled` is its source text; None means the usual one.

        A table gets a header, such as `[crew.mara]`. It is written on one line if the table above it, or every table
        next to it, is written as { … }. A table with a source text gets a header only where `_beside_headers` is true.

        Everything else is written on one line, in the nearest table above it that the file has. The key is dotted if
        tables in between are missing: `mara.xp = 3` below `[crew]`.
        """
        if isinstance(value, dict) and self._stands_alone(path) and (spelled is None or self._beside_headers(path)):
            self.splice.insert_block(path, value)
            return
        text = spelled or format_value(value)
        count = len(path) - 1
        while not self._add_key(path, count, text):
            count -= 1

    def _add_key(self, path: Path, count: int, text: str) -> bool:
        """Write `path` as one key in the table of its first `count` parts. Return False if that table isn't written."""
        splice = self.splice
        above, statement = path[:count], f"{format_key(path[count:])} = {text}"
        if splice.index.find(above) is not None:
            splice.insert_inline(above, statement)
        elif not above or above in splice.index.headers:
            splice.insert_line(*splice.end_of_body(above), statement)
        elif (line := splice.last_dotted_line(above)) is not None:
            below = splice.index.pieces.index(line) + 1
            splice.insert_line(below, line, f"{format_key(path[line.depth :])} = {text}")
        else:
            return False
        return True

    def _stands_alone(self, path: Path) -> bool:
        """Whether a new table at `path` gets a header of its own."""
        return self._inline_above(path) is None and not self._siblings_are_lines(path)

    def _beside_headers(self, path: Path) -> bool:
        """Whether tables next to a new one have headers, and the table that contains them has none that could take a
        line.
        """
        above = path[:-1]
        beside = (
            header for header in self.splice.index.headers if len(header) >= len(path) and header[: len(above)] == above
        )
        return above not in self.splice.index.headers and next(beside, None) is not None

    def _siblings_are_lines(self, path: Path) -> bool:
        """Whether the tables next to a new one are all written as { … } on one line."""
        parent = lookup(self.tree, path[:-1])
        if not isinstance(parent, dict):
            return False
        tables = [key for key, value in parent.items() if isinstance(value, dict)]
        return bool(tables) and len(path) > 1 and all((*path[:-1], key) in self.splice.index.pairs for key in tables)

    def _inline_above(self, path: Path) -> Path | None:
        """Return the nearest table above `path` that is written as { … }."""
        for count in range(len(path) - 1, 0, -1):
            spot = self.splice.index.find(path[:count])
            if spot is not None and spot.inline_table():
                return path[:count]
        return None

    def _refuse_arrays_and_values_above(self, path: Path) -> None:
        for count in range(1, len(path)):
            above = lookup(self.tree, path[:count])
            if isinstance(above, list):
                raise EditRefused(f"{format_key(path[:count])} is an array, which can only be changed as a whole")
            if above is not ABSENT and not isinstance(above, dict):
                raise EditRefused(f"{format_key(path[:count])} is a value, so it has no keys")

    def _without_empty_tables(self, tree: dict[str, Any], path: Path) -> dict[str, Any]:
        """Return the tree without tables that existed only because of their contents."""
        for count in range(len(path) - 1, 0, -1):
            above = path[:count]
            if lookup(tree, above) != {} or above in self.splice.index.headers or self.splice.index.find(above):
                break
            tree = with_value(tree, above, ABSENT)
        return tree


def with_value(tree: dict[str, Any], path: Path, value: Any) -> dict[str, Any]:
    """Return a tree with another value at a path, sharing the rest. `ABSENT` removes the key."""
    key, *rest = path
    if rest:
        return {**tree, key: with_value(tree.get(key, {}), tuple(rest), value)}
    if value is ABSENT:
        return {other: item for other, item in tree.items() if other != key}
    return {**tree, key: value}


def _loses_comments(written: str, spelled: str) -> bool:
    """Whether a comment in the old source text of a value, perhaps a person's, is missing in the new one."""
    return "#" in written and bool(Counter(comments(written)) - Counter(comments(spelled)))


def is_spelling_of(spelling: str, value: Any) -> bool:
    """Whether a text means exactly this value and nothing else."""
    text = f"v = {spelling}"
    try:
        read = tomli.loads(text)
    except (ValueError, RecursionError):
        return False
    return is_same_value(read, {"v": value}) and value_end(text, 4) == len(text)
