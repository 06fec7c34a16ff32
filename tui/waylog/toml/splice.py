"""Make changes to a TOML text, one statement at a time, without touching anything else.

Nothing here knows what the file should say: `editor` decides that, and the parser checks the result.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from waylog.toml.edits import Path
from waylog.toml.formatting import format_table
from waylog.toml.scanner import (
    InlineItem,
    Statement,
    StatementIndex,
    StatementKind,
    ValueSpan,
    inline_items,
    scan,
    value_end,
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
        """The same for a source text with exactly the same comments as the old one, which is checked."""
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
        if start == len(pieces) and not gone[-1].text.endswith("\n"):
            self._open_the_end()

    def _open_the_end(self) -> None:
        """Remove the final line end, and with it an empty last line."""
        pieces = self.index.pieces
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
        at = there[-1].value_end if there else spot.value_at + 1
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
            self._cut_entry(spot.piece, there, number)

    def _cut_entry(self, piece: Statement, there: list[InlineItem], number: int) -> None:
        """Remove one item of an inline table with its comma."""
        entry = there[number]
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
            at = self._top()
        return at, model

    def _top(self) -> int:
        """Return where the first top-level key goes: below the comments about the whole file."""
        pieces = self.index.pieces
        first = next((n for n, piece in enumerate(pieces) if piece.kind is StatementKind.HEADER), None)
        if first is None:
            return len(pieces)
        above = self._above_comments(first)
        if above == 0 and pieces[0].text.startswith("#:"):
            return 1
        return above

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
        assert spot is not None, "this is only called for written values"
        return spot

    def _line_end_near(self, at: int) -> str:
        """Return the line end of the line before, otherwise that of the file."""
        above = self.index.pieces[at - 1].text if at else ""
        if above.endswith("\n"):
            return "\r\n" if above.endswith("\r\n") else "\n"
        return self.line_end
