"""Plan changes to a TOML document: which statement is changed, and what the file should say afterwards. Each change is
read back and compared with the intended result before anybody sees it.

`Splice` changes the text, one statement at a time, and touches nothing else. It doesn't know what the file should say: the plan
decides that, and the parser checks the result.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import tomli

from waylog.toml.scanner import (
    Statement,
    StatementIndex,
    StatementKind,
    ValueSpan,
    comments,
    inline_items,
    scan,
    value_end,
)
from waylog.toml.values import (
    ABSENT,
    Absent,
    Edit,
    EditRefused,
    NotRepresentable,
    Path,
    copy_plain,
    format_key,
    format_table,
    format_value,
    is_same_value,
    is_too_deep,
    lookup,
)


class Splice:
    """A text in pieces that is being changed, with a record of the changes."""

    def __init__(self, index: StatementIndex, line_end: str) -> None:
        """Start from a copy of `index`; `line_end` is the file's own."""
        self.index = index.copy()
        self.removed: list[str] = []
        """The removed texts, for counting the comments in them."""
        self.added: list[str] = []
        self.touched: set[Statement] = set()
        """The statements, old and new, that differ between before and after."""
        self.line_end = line_end
        self._open_end = bool(index.pieces) and not index.pieces[-1].text.endswith("\n")

    def text(self) -> str:
        """Return the text as it is now."""
        return "".join(piece.text for piece in self.index.pieces)

    def exchange_value(self, spot: ValueSpan, spelled: str) -> None:
        """Replace a written value by another source text."""
        self.removed.append(spot.text())
        self.added.append(spelled)
        self.exchange_items(spot, spelled)

    def exchange_items(self, spot: ValueSpan, spelled: str) -> None:
        """Replace a written value by another source text with exactly the same comments, which is checked."""
        old = spot.piece
        self._respell(old, old.text[: spot.value_at] + spelled + old.text[spot.value_end :])

    def insert_line(self, at: int, neighbour: Statement | None, statement: str) -> None:
        """Add a line, indented like its neighbour and in the same table."""
        indent = ""
        table: Path = ()
        if neighbour is not None:
            indent = neighbour.text[: len(neighbour.text) - len(neighbour.text.lstrip(" \t"))]
            table = neighbour.path if neighbour.kind is StatementKind.HEADER else neighbour.path[: neighbour.depth]
        self._insert(at, f"{indent}{statement}{self._line_end_near(at)}", table)

    def insert_block(self, path: Path, table: Mapping[str, Any]) -> None:
        """Add a table with a header of its own, after the last one next to it."""
        at = self._end_of_siblings(path[:-1])
        line_end = self._line_end_near(at)
        blank = line_end if at else ""
        self._insert(at, blank + format_table(path, table, line_end), ())

    def _insert(self, at: int, text: str, table: Path) -> None:
        """Put new statements before the piece at `at`. A text without a final line end still has none afterwards."""
        pieces = self.index.pieces
        self.added.append(text)
        if at and not pieces[at - 1].text.endswith("\n"):
            line_end = self._line_end_near(at)
            self._relink(pieces[at - 1], pieces[at - 1].with_text(pieces[at - 1].text + line_end))
            text = text.removesuffix(line_end)
        elif not pieces and self._open_end:
            text = text.removesuffix(self.line_end)
        fresh = scan(text, table).pieces
        for piece in fresh:
            self.index.add(piece)
        self.touched.update(fresh)
        pieces[at:at] = fresh

    def take_out(self, piece: Statement) -> None:
        """Remove a statement with its line. A text without a final line end still has none afterwards."""
        at = self.index.pieces.index(piece)
        self._take_out(at, at + 1)

    def _take_out(self, start: int, stop: int) -> None:
        pieces = self.index.pieces
        gone = pieces[start:stop]
        for piece in gone:
            self.removed.append(piece.text)
            self.index.drop(piece)
        self.touched.update(gone)
        del pieces[start:stop]
        if start < len(pieces) or gone[-1].text.endswith("\n"):
            return
        # The text had no final line end, so what is now the last line has none either; an empty one goes with it.
        while pieces:
            last = pieces[-1]
            text = last.text.removesuffix("\n").removesuffix("\r")
            if text:
                self._relink(last, last.with_text(text))
                return
            self.touched.add(pieces.pop())

    def remove_block(self, header: Statement) -> None:
        """Remove a header, the comments directly above it, one blank line above those, and everything down to its last
        key.
        """
        pieces = self.index.pieces
        start = top = pieces.index(header)
        while top and pieces[top - 1].comment() and not pieces[top - 1].text.startswith("#:"):
            top -= 1
        if top and pieces[top - 1].blank():
            top -= 1
        stop = start + 1
        for at in range(start + 1, len(pieces)):
            if pieces[at].kind is StatementKind.HEADER:
                break
            if pieces[at].kind is StatementKind.PAIR:
                stop = at + 1
        below = stop
        while below < len(pieces) and pieces[below].comment():
            below += 1
        if below == len(pieces) or pieces[below].blank():
            stop = below
        self._take_out(top, stop)

    # Inline tables

    def insert_inline(self, above: Path, statement: str) -> None:
        """Add a key after the last one of an inline table."""
        spot = self._spot(above)
        text = spot.piece.text
        there = list(inline_items(text, spot.value_at))
        # In an empty table it goes amid the blanks: those of `{  }` were on both sides of a key that was removed.
        at = there[-1].value_end if there else (spot.value_at + spot.value_end) // 2
        self.added.append(statement)
        self._respell(spot.piece, text[:at] + (", " if there else "") + statement + text[at:])

    def remove_inline(self, path: Path, above: Path) -> None:
        """Remove a key, or all dotted keys that begin with it, from an inline table."""
        below = path[len(above) :]
        while True:
            spot = self._spot(above)
            there = list(inline_items(spot.piece.text, spot.value_at))
            number = next((n for n, entry in enumerate(there) if entry.parts[: len(below)] == below), None)
            if number is None:
                return
            piece, entry = spot.piece, there[number]
            # Its comma goes, too: the one behind it, or before it if it is the last.
            if number + 1 < len(there):
                start, stop = entry.key_at, there[number + 1].key_at
            else:
                start, stop = (there[number - 1].value_end if number else entry.key_at), entry.value_end
            self.removed.append(piece.text[entry.key_at : entry.value_end])
            self._respell(piece, piece.text[:start] + piece.text[stop:])

    def _respell(self, old: Statement, text: str) -> None:
        """Replace a statement by one with the same key and another value."""
        self.index.drop(old)
        end = value_end(text, old.value_at)
        new = old.with_text(text, end)
        self.index.add(new)
        self._exchange(old, new)

    def _relink(self, old: Statement, new: Statement) -> None:
        """Replace a piece by one that differs only in its line end."""
        self.index.drop(old)
        self.index.add(new)
        self._exchange(old, new)

    def _exchange(self, old: Statement, new: Statement) -> None:
        pieces = self.index.pieces
        pieces[pieces.index(old)] = new
        self.touched.update((old, new))

    # Finding the place

    def end_of_body(self, table: Path) -> tuple[int, Statement | None]:
        """Return where a new key of a table goes, and the line it is modelled on."""
        pieces = self.index.pieces
        header = self.index.headers[table] if table else None
        start = pieces.index(header) + 1 if header else 0
        at, model = start, header
        for number in range(start, len(pieces)):
            piece = pieces[number]
            if piece.kind is StatementKind.HEADER:
                break
            if piece.kind is StatementKind.PAIR:
                at, model = number + 1, piece
        if model is None:
            # The first top-level key goes below the comments about the whole file.
            first = next((n for n, piece in enumerate(pieces) if piece.kind is StatementKind.HEADER), None)
            at = len(pieces) if first is None else self._above_comments(first)
            if first is not None and at == 0 and pieces[0].text.startswith("#:"):
                at = 1
        return at, model

    def _end_of_siblings(self, parent: Path) -> int:
        """Return where a new table below `parent` goes: after the last block of the nearest related table, or at the
        end.
        """
        pieces = self.index.pieces
        last = None
        for count in range(len(parent), 0, -1):
            family = parent[:count]
            numbers = (n for n, p in enumerate(pieces) if p.kind is StatementKind.HEADER and p.path[:count] == family)
            last = max(numbers, default=None)
            if last is not None:
                break
        following = len(pieces)
        if last is not None:
            headers = (n for n in range(last + 1, len(pieces)) if pieces[n].kind is StatementKind.HEADER)
            following = next(headers, len(pieces))
        return self._above_comments(following)

    def _above_comments(self, at: int) -> int:
        """Return the position above the comments that belong to the statement at `at`, and above the blank lines before
        them.
        """
        pieces = self.index.pieces
        if at < len(pieces):
            while at and pieces[at - 1].comment():
                at -= 1
        while at and pieces[at - 1].blank():
            at -= 1
        return at

    def last_dotted_line(self, above: Path) -> Statement | None:
        """Return the last line whose dotted key makes the table `above`."""
        count = len(above)
        for piece in reversed(self.index.pieces):
            if (
                piece.kind is StatementKind.PAIR
                and piece.depth < count < len(piece.path)
                and piece.path[:count] == above
            ):
                return piece
        return None

    def pieces_of(self, path: Path, kind: StatementKind) -> list[Statement]:
        """Return all statements of a kind about `path` or something below it."""
        count = len(path)
        return [piece for piece in self.index.pieces if piece.kind is kind and piece.path[:count] == path]

    def _spot(self, path: Path) -> ValueSpan:
        spot = self.index.find(path)
        assert spot is not None, "this is called only for values that are in the file"
        return spot

    def _line_end_near(self, at: int) -> str:
        """Return the line end of the line before, otherwise that of the file."""
        above = self.index.pieces[at - 1].text if at else ""
        if above.endswith("\n"):
            return "\r\n" if above.endswith("\r\n") else "\n"
        return self.line_end


def apply_edits(
    text: str, tree: dict[str, Any], index: StatementIndex, edits: Sequence[Edit], *, missing_ok: bool
) -> tuple[str, dict[str, Any], StatementIndex]:
    """Return a TOML text after all edits, in order, with its plain values and its statements. `EditRefused` says why it can't be done;
    then no edit is made.

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
    return new, _verify(text, index, new, draft), draft.splice.index


def _verify(old: str, index: StatementIndex, new: str, draft: EditSession) -> dict[str, Any]:
    """Return the plain values of the new text, after proof that it holds the intended values and that nothing else changed."""
    try:
        tree = tomli.loads(new)
    except (ValueError, RecursionError) as error:
        raise EditRefused(f"this change would make the file unreadable ({error})") from error
    if not is_same_value(tree, draft.tree) or is_too_deep(tree):
        raise EditRefused("this change would not produce the intended value")
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
        raise EditRefused("this change would also alter something else in the file")
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
        if spot and spelled and type(now) is type(value) and "#" in (written := spot.text()):
            # A source text in which a comment of the old one, perhaps a person's, is missing is not used.
            spelled = None if Counter(comments(written)) - Counter(comments(spelled)) else spelled
        if spelled is None and now is not ABSENT and is_same_value(now, value):
            return
        if isinstance(now, dict) and isinstance(value, dict) and not (spot and spelled):
            self._set_table(path, now, value)
            return
        if spot and spelled is None and isinstance(now, list) and isinstance(value, list) and "\n" in spot.text():
            from waylog.toml.arrays import update_array

            # A list over several lines is changed item by item.
            self.splice.exchange_items(spot, update_array(spot.text(), now, value))
        elif spot:
            self.splice.exchange_value(spot, spelled or format_value(value))
        elif isinstance(now, list):
            raise EditRefused(f"{format_key(path)} is an array of tables: change it by hand")
        else:
            if now is not ABSENT:
                self.remove(path)
            self._add(path, value, spelled)
        self.tree = with_value(self.tree, path, value)

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
        self.tree = with_value(self.tree, path, ABSENT)
        # Tables that existed only because of what was in them are gone, too.
        for count in range(len(path) - 1, 0, -1):
            above = path[:count]
            if lookup(self.tree, above) != {} or above in self.splice.index.headers or self.splice.index.find(above):
                break
            self.tree = with_value(self.tree, above, ABSENT)

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
        parent = lookup(self.tree, path[:-1])
        tables = [key for key, item in parent.items() if isinstance(item, dict)] if isinstance(parent, dict) else []
        beside_lines = len(path) > 1 and all((*path[:-1], key) in self.splice.index.pairs for key in tables)
        is_line = self._inline_above(path) is not None or (bool(tables) and beside_lines)
        if isinstance(value, dict) and not is_line and (spelled is None or self._beside_headers(path)):
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

    def _beside_headers(self, path: Path) -> bool:
        """Whether tables next to a new one have headers, and the table that contains them has none that could take a
        line.
        """
        above = path[:-1]
        beside = (
            header for header in self.splice.index.headers if len(header) >= len(path) and header[: len(above)] == above
        )
        return above not in self.splice.index.headers and next(beside, None) is not None

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


def with_value(tree: dict[str, Any], path: Path, value: Any) -> dict[str, Any]:
    """Return a tree with another value at a path, sharing the rest. `ABSENT` removes the key."""
    key, *rest = path
    if rest:
        return {**tree, key: with_value(tree.get(key, {}), tuple(rest), value)}
    if value is ABSENT:
        return {other: item for other, item in tree.items() if other != key}
    return {**tree, key: value}


def is_spelling_of(spelling: str, value: Any) -> bool:
    """Whether a text means exactly this value and nothing else."""
    text = f"v = {spelling}"
    try:
        read = tomli.loads(text)
    except (ValueError, RecursionError):
        return False
    return is_same_value(read, {"v": value}) and value_end(text, 4) == len(text)
