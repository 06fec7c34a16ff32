"""Changes to a TOML text, one statement at a time: what is not asked for is never touched."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, Final

import tomli

from waylog.campaign.scan import Entry, Index, Kind, Path, Piece, Spot, entries, scan, value_end
from waylog.campaign.spelling import plain, render, render_block, render_key, same


class EditRefused(Exception):
    """The change can't be made without touching something else, so nothing was changed; says why."""


class Absent:
    """The type of `ABSENT`."""

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT: Final = Absent()
"""Stands for a value that isn't there."""


def lookup(tree: dict[str, Any], path: Path) -> Any:
    """The value at a path of keys, or `ABSENT`; arrays of tables are not looked into."""
    node: Any = tree
    for part in path:
        if not isinstance(node, dict) or part not in node:
            return ABSENT
        node = node[part]
    return node


class Draft:
    """A text being changed: its pieces, the plain values it should have, and a record of what was touched."""

    def __init__(self, index: Index, tree: dict[str, Any], line_end: str, careful: bool) -> None:
        """With `careful`, each way of adding something is tried on the parser before it is taken."""
        self.index = index.copy()
        self.tree = tree
        self.removed: list[str] = []
        """Texts that went, for counting the comments in them."""
        self.added: list[str] = []
        self.touched: set[Piece] = set()
        """Pieces, old and new, that differ between before and after."""
        self._line_end = line_end
        self._careful = careful

    def set(self, path: Path, value: Any, spelling: str | None) -> None:
        """Make `path` hold `value`, spelled as given if that is a true spelling of it."""
        if not path:
            raise EditRefused("a change needs a key")
        value = plain(value)
        self._refuse_arrays_and_values_above(path)
        now = lookup(self.tree, path)
        spot = self.index.find(path)
        spelled = spelling if spelling is not None and spells(spelling, value) else None
        if spelled is None and now is not ABSENT and same(now, value):
            return
        if isinstance(now, dict) and isinstance(value, dict) and not (spot and spelled):
            self._set_table(path, now, value)
            return
        if spot:
            self._replace(spot, spelled or render(value))
        elif isinstance(now, list):
            raise EditRefused(f"{render_key(path)} is an array of tables, which is only changed by hand")
        else:
            if now is not ABSENT:
                self.remove(path)
            self._add(path, value, spelled)
        self.tree = planted(self.tree, path, value)

    def remove(self, path: Path) -> None:
        """Take out `path` and all below it; refused if it isn't there."""
        self._refuse_arrays_and_values_above(path)
        if not path or lookup(self.tree, path) is ABSENT:
            raise EditRefused(f"{render_key(path)} isn't in the file")
        container = self._inline_above(path)
        if container is not None:
            self._remove_inline(path, container)
        else:
            for header in self._pieces_of(path, Kind.HEADER):
                self._remove_block(header)
            for pair in self._pieces_of(path, Kind.PAIR):
                self._take_out(pair)
        self.tree = self._pruned(planted(self.tree, path, ABSENT), path)

    # What a change is made of

    def _set_table(self, path: Path, now: dict[str, Any], value: dict[str, Any]) -> None:
        """Change a table into another by its differences only."""
        for key, item in value.items():
            if key not in now or not same(now[key], item):
                self.set((*path, key), item, None)
        for key in now:
            if key not in value:
                self.remove((*path, key))
        if lookup(self.tree, path) is ABSENT:
            self._add(path, value, None)
            self.tree = planted(self.tree, path, value)

    def _replace(self, spot: Spot, spelled: str) -> None:
        """Put another spelling in the place of a written value."""
        old = spot.piece
        self.removed.append(spot.text())
        self.added.append(spelled)
        self._respell(old, old.text[: spot.value_at] + spelled + old.text[spot.value_end :])

    def _add(self, path: Path, value: Any, spelled: str | None) -> None:
        """Write what isn't there yet, in the first way that holds."""
        ways = [way for way in self._ways(path, value, spelled) if way is not None]
        if not self._careful:
            ways[0](self)
            return
        goal = planted(self.tree, path, value)
        for way in ways:
            trial = Draft(self.index, self.tree, self._line_end, careful=False)
            way(trial)
            try:
                reached = tomli.loads("".join(piece.text for piece in trial.index.pieces))
            except tomli.TOMLDecodeError:
                continue
            if same(reached, goal):
                way(self)
                return
        raise EditRefused(f"there is no safe place for {render_key(path)} in the file")

    def _ways(self, path: Path, value: Any, spelled: str | None) -> Iterator[Callable[[Draft], None] | None]:
        """How something absent can be written, best first."""
        text = spelled or render(value)
        as_block = isinstance(value, dict) and spelled is None and self._inline_above(path) is None
        if as_block and not self._siblings_are_lines(path):
            yield lambda draft: draft._insert_block(path, value)
        for count in range(len(path) - 1, -1, -1):
            yield self._line_way(path, count, text)
        if as_block:
            yield lambda draft: draft._insert_block(path, value)

    def _line_way(self, path: Path, count: int, text: str) -> Callable[[Draft], None] | None:
        """Adding `path` as one key where its first `count` parts are written; None if they aren't."""
        above, below = path[:count], path[count:]
        spot = self.index.find(above)
        if spot is not None:
            return lambda draft: draft._insert_inline(above, f"{render_key(below)} = {text}")
        if not above or above in self.index.headers:
            return lambda draft: draft._insert_line(*draft._end_of_body(above), f"{render_key(below)} = {text}")
        line = self._last_dotted_line(above)
        if line is None:
            return None
        key = render_key(path[line.depth :])
        return lambda draft: draft._insert_line(draft.index.pieces.index(line) + 1, line, f"{key} = {text}")

    # Whole lines and blocks

    def _insert_line(self, at: int, neighbour: Piece | None, statement: str) -> None:
        """Write a line of its own, indented as its neighbour, in the table that the neighbour stands in."""
        indent = ""
        table: Path = ()
        if neighbour is not None:
            indent = neighbour.text[: len(neighbour.text) - len(neighbour.text.lstrip(" \t"))]
            table = neighbour.path if neighbour.kind is Kind.HEADER else neighbour.path[: neighbour.depth]
        self._insert(at, f"{indent}{statement}{self._line_end_near(at)}", table)

    def _insert_block(self, path: Path, table: Mapping[str, Any]) -> None:
        """Write a table under a header of its own, behind the last one that stands beside it."""
        at = self._end_of_siblings(path[:-1])
        line_end = self._line_end_near(at)
        blank = line_end if at else ""
        self._insert(at, blank + render_block(path, table, line_end), ())

    def _insert(self, at: int, text: str, table: Path) -> None:
        """Put new statements before the piece at `at`. A text without a last line end stays one."""
        pieces = self.index.pieces
        self.added.append(text)
        if at and not pieces[at - 1].text.endswith("\n"):
            line_end = self._line_end_near(at)
            self._relink(pieces[at - 1], replace(pieces[at - 1], text=pieces[at - 1].text + line_end))
            text = text.removesuffix(line_end)
        fresh = scan(text, table).pieces
        for piece in fresh:
            self.index.add(piece)
        self.touched.update(fresh)
        pieces[at:at] = fresh

    def _take_out(self, piece: Piece) -> None:
        """Remove one statement with its line. A text without a last line end stays one."""
        pieces = self.index.pieces
        at = pieces.index(piece)
        self.removed.append(piece.text)
        self.touched.add(piece)
        self.index.drop(piece)
        del pieces[at]
        if at == len(pieces) and pieces and not piece.text.endswith("\n"):
            last = pieces[-1]
            self._relink(last, replace(last, text=last.text.removesuffix("\n").removesuffix("\r")))

    def _remove_block(self, header: Piece) -> None:
        """Remove a header, the comments right above it, one blank line above those, and all up to its last key."""
        pieces = self.index.pieces
        start = top = pieces.index(header)
        while top and pieces[top - 1].comment() and not pieces[top - 1].text.startswith("#:"):
            top -= 1
        if top and pieces[top - 1].blank():
            top -= 1
        stop = start + 1
        for at in range(start + 1, len(pieces)):
            if pieces[at].kind is Kind.HEADER:
                break
            if pieces[at].kind is Kind.PAIR:
                stop = at + 1
        below = stop
        while below < len(pieces) and pieces[below].comment():
            below += 1
        if below == len(pieces) or pieces[below].blank():
            stop = below
        for piece in pieces[top:stop]:
            self._take_out(piece)

    # Inline tables

    def _insert_inline(self, above: Path, statement: str) -> None:
        """Add a key behind the last one of an inline table."""
        spot = self._spot(above)
        text = spot.piece.text
        there = list(entries(text, spot.value_at))
        at = there[-1].value_end if there else spot.value_at + 1
        self.added.append(statement)
        self._respell(spot.piece, text[:at] + (", " if there else "") + statement + text[at:])

    def _remove_inline(self, path: Path, above: Path) -> None:
        """Take a key, or all dotted keys that begin with it, out of an inline table."""
        below = path[len(above) :]
        while True:
            spot = self._spot(above)
            there = list(entries(spot.piece.text, spot.value_at))
            number = next((n for n, entry in enumerate(there) if entry.parts[: len(below)] == below), None)
            if number is None:
                return
            self._cut_entry(spot.piece, there, number)

    def _cut_entry(self, piece: Piece, there: list[Entry], number: int) -> None:
        """Remove one entry of an inline table and the comma that goes with it."""
        entry = there[number]
        if number + 1 < len(there):
            start, stop = entry.key_at, there[number + 1].key_at
        else:
            start, stop = (there[number - 1].value_end if number else entry.key_at), entry.value_end
        self.removed.append(piece.text[entry.key_at : entry.value_end])
        self._respell(piece, piece.text[:start] + piece.text[stop:])

    def _respell(self, old: Piece, text: str) -> None:
        """Exchange a statement for the same key with another value."""
        self.index.drop(old)
        end = value_end(text, old.value_at)
        new = replace(old, text=text, value_end=end)
        self.index.add(new)
        self._exchange(old, new)

    def _relink(self, old: Piece, new: Piece) -> None:
        """Exchange a piece for one that differs in its line end only."""
        self.index.drop(old)
        self.index.add(new)
        self._exchange(old, new)

    def _exchange(self, old: Piece, new: Piece) -> None:
        pieces = self.index.pieces
        pieces[pieces.index(old)] = new
        self.touched.update((old, new))

    # Finding the place

    def _end_of_body(self, table: Path) -> tuple[int, Piece | None]:
        """Where a new key of a table goes, and the line it is modelled on."""
        pieces = self.index.pieces
        header = self.index.headers[table] if table else None
        start = pieces.index(header) + 1 if header else 0
        at, model = start, header
        for number in range(start, len(pieces)):
            piece = pieces[number]
            if piece.kind is Kind.HEADER:
                break
            if piece.kind is Kind.PAIR:
                at, model = number + 1, piece
        if model is None:
            at = self._top()
        return at, model

    def _top(self) -> int:
        """Where the first key of a file without top-level keys goes: below the comments about the whole file."""
        pieces = self.index.pieces
        first = next((n for n, piece in enumerate(pieces) if piece.kind is Kind.HEADER), None)
        if first is None:
            return len(pieces)
        above = self._above_comments(first)
        if above == 0 and pieces[0].text.startswith("#:"):
            return 1
        return above

    def _end_of_siblings(self, parent: Path) -> int:
        """Where a new table below `parent` goes: behind the last block of that family, otherwise at the end."""
        pieces = self.index.pieces
        count = len(parent)
        last = None
        if parent:
            numbers = (n for n, p in enumerate(pieces) if p.kind is Kind.HEADER and p.path[:count] == parent)
            last = max(numbers, default=None)
        following = len(pieces)
        if last is not None:
            headers = (n for n in range(last + 1, len(pieces)) if pieces[n].kind is Kind.HEADER)
            following = next(headers, len(pieces))
        return self._above_comments(following)

    def _above_comments(self, at: int) -> int:
        """Above the comments that belong to what stands at `at`, and above the blank lines over those."""
        pieces = self.index.pieces
        if at < len(pieces):
            while at and pieces[at - 1].comment():
                at -= 1
        while at and pieces[at - 1].blank():
            at -= 1
        return at

    def _last_dotted_line(self, above: Path) -> Piece | None:
        """The last key line whose dotted key makes the table `above`."""
        count = len(above)
        for piece in reversed(self.index.pieces):
            if piece.kind is Kind.PAIR and piece.depth < count < len(piece.path) and piece.path[:count] == above:
                return piece
        return None

    def _siblings_are_lines(self, path: Path) -> bool:
        """Whether the tables beside a new one are all written { … } on a line."""
        parent = lookup(self.tree, path[:-1])
        if not isinstance(parent, dict):
            return False
        tables = [key for key, value in parent.items() if isinstance(value, dict)]
        return bool(tables) and len(path) > 1 and all((*path[:-1], key) in self.index.pairs for key in tables)

    def _pieces_of(self, path: Path, kind: Kind) -> list[Piece]:
        """All statements of a kind that are about `path` or something below it."""
        count = len(path)
        return [piece for piece in self.index.pieces if piece.kind is kind and piece.path[:count] == path]

    def _inline_above(self, path: Path) -> Path | None:
        """The nearest table above `path` that is written { … }."""
        for count in range(len(path) - 1, 0, -1):
            spot = self.index.find(path[:count])
            if spot is not None and spot.inline_table():
                return path[:count]
        return None

    def _spot(self, path: Path) -> Spot:
        spot = self.index.find(path)
        if spot is None:
            raise EditRefused(f"{render_key(path)} isn't written in one place")
        return spot

    def _line_end_near(self, at: int) -> str:
        """The line end of the line before, otherwise that of the file."""
        above = self.index.pieces[at - 1].text if at else ""
        if above.endswith("\n"):
            return "\r\n" if above.endswith("\r\n") else "\n"
        return self._line_end

    def _refuse_arrays_and_values_above(self, path: Path) -> None:
        for count in range(1, len(path)):
            above = lookup(self.tree, path[:count])
            if isinstance(above, list):
                raise EditRefused(f"{render_key(path[:count])} is an array, which is only changed as a whole")
            if above is not ABSENT and not isinstance(above, dict):
                raise EditRefused(f"{render_key(path[:count])} is a value and has no keys of its own")

    def _pruned(self, tree: dict[str, Any], path: Path) -> dict[str, Any]:
        """The tree without the tables that were only there because something was in them."""
        for count in range(len(path) - 1, 0, -1):
            above = path[:count]
            if lookup(tree, above) != {} or above in self.index.headers or self.index.find(above):
                break
            tree = planted(tree, above, ABSENT)
        return tree


def planted(tree: dict[str, Any], path: Path, value: Any) -> dict[str, Any]:
    """A tree with another value at a path, sharing all the rest; `ABSENT` takes the key out."""
    key, *rest = path
    if rest:
        return {**tree, key: planted(tree.get(key, {}), tuple(rest), value)}
    if value is ABSENT:
        return {other: item for other, item in tree.items() if other != key}
    return {**tree, key: value}


def spells(spelling: str, value: Any) -> bool:
    """Whether a text is a spelling of exactly this value and of nothing else."""
    text = f"v = {spelling}"
    try:
        read = tomli.loads(text)
    except (ValueError, RecursionError):
        return False
    return same(read, {"v": value}) and value_end(text, 4) == len(text)
