"""Change lists that are laid out over several lines: items come and go, and every comment and line that stays is kept."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import Enum
from typing import Any

from waylog.toml.scanner import comments, value_end
from waylog.toml.values import format_value


class _LexemeKind(Enum):
    BRACKET = "]"
    COMMA = ","
    SPACE = " "
    COMMENT = "#"
    END = "\n"
    ITEM = "item"
    GONE = "taken out"


_TOKEN = re.compile(r"(\])|(,)|([ \t]++)|(#[^\r\n]*+)|(\r?\n)")
_KINDS = tuple(_LexemeKind)


@dataclass(slots=True, eq=False)
class _Lexeme:
    """A part of the list's text. Equal only to itself."""

    kind: _LexemeKind
    text: str


_Line = list[_Lexeme]


def update_array(text: str, old: Sequence[Any], new: Sequence[Any]) -> str:
    """Return the list in `text`, laid out over several lines, with the items `new` instead of `old`.

    Items that stay keep their source, line and comment. A new item is placed like the one before it: on a line of its
    own, or behind it. The comment of a removed item becomes a line of its own.
    """
    layout = _ArrayText(text)
    for start, stop, fresh in _differences([*map(format_value, old)], [*map(format_value, new)]):
        layout.insert(stop, fresh)
        layout.take_out(start, stop)
    return layout.text()


def _differences(old: list[str], new: list[str]) -> Iterator[tuple[int, int, list[str]]]:
    """Return which slices of `old` are replaced, and by what."""
    head, shorter = 0, min(len(old), len(new))
    while head < shorter and old[head] == new[head]:
        head += 1
    tail = 0
    while tail < shorter - head and old[-1 - tail] == new[-1 - tail]:
        tail += 1
    matcher = SequenceMatcher(None, old[head : len(old) - tail], new[head : len(new) - tail], autojunk=False)
    for kind, start, stop, first, last in matcher.get_opcodes():
        if kind != "equal":
            yield head + start, head + stop, new[head + first : head + last]


class _ArrayText:
    """The text of a list as lines. An item over several lines counts as one line."""

    def __init__(self, text: str) -> None:
        self._lines: list[_Line] = [[_Lexeme(_LexemeKind.BRACKET, "[")]]
        at = 1
        while at < len(text):
            part = _TOKEN.match(text, at)
            end = part.end() if part else value_end(text, at)
            kind = _KINDS[part.lastindex - 1] if part and part.lastindex else _LexemeKind.ITEM
            self._lines[-1].append(_Lexeme(kind, text[at:end]))
            if kind is _LexemeKind.END:
                self._lines.append([])
            at = end
        self._items = [(line, token) for line in self._lines for token in line if token.kind is _LexemeKind.ITEM]
        self._shared = {id(line) for line in self._lines if sum(token.kind is _LexemeKind.ITEM for token in line) > 1}
        found = next((token for line in self._lines for token in line if token.kind is _LexemeKind.END), None)
        self._end = found.text if found else "\n"
        laid = [line for line in self._lines[1:-1] or self._lines[1:] if line[0].kind is not _LexemeKind.END]
        self._indent = _indent(laid[0]) if laid and laid[0][0].text != "]" else "  "
        tokens = [token for line in self._lines for token in line]
        behind = tokens[tokens.index(self._items[-1][1]) + 1 :] if self._items else []
        self._trailing = not self._items or any(token.kind is _LexemeKind.COMMA for token in behind)

    def insert(self, at: int, fresh: Sequence[str]) -> None:
        """Put new items before item number `at` of the original ones."""
        if not fresh:
            return
        items = [_Lexeme(_LexemeKind.ITEM, text) for text in fresh]
        if not self._items:
            self._lines[-1:-1] = self._new_lines(items, self._indent)
            return
        line, neighbour = self._items[max(0, at - 1)]
        beside = line.index(neighbour) + (at > 0)
        if id(line) in self._shared:
            gap = [(_LexemeKind.COMMA, ","), (_LexemeKind.SPACE, " ")]
        elif at and line[-1].kind is _LexemeKind.END:
            below = self._lines.index(line) + 1
            self._lines[below:below] = self._new_lines(items, self._indent_of(line))
            return
        elif not at and line is not self._lines[0]:
            self._lines[1:1] = self._new_lines(items, self._indent_of(line))
            return
        else:
            gap = [(_LexemeKind.END, self._end), (_LexemeKind.SPACE, self._indent_of(line))]
        for item in items if at else reversed(items):
            between = [_Lexeme(kind, text) for kind, text in gap]
            line[beside:beside] = [*between, item] if at else [item, *between]
            beside += len(between) + 1 if at else 0

    def _new_lines(self, items: Sequence[_Lexeme], indent: str) -> list[_Line]:
        return [[_Lexeme(_LexemeKind.SPACE, indent), item, _Lexeme(_LexemeKind.END, self._end)] for item in items]

    def _indent_of(self, line: _Line) -> str:
        return self._indent if line is self._lines[0] else _indent(line)

    def take_out(self, start: int, stop: int) -> None:
        """Remove the original items from number `start` to before `stop`."""
        for _, token in self._items[start:stop]:
            token.kind = _LexemeKind.GONE

    def text(self) -> str:
        """Return the list as it is now."""
        self._mend_commas()
        return "".join(token.text for line in self._lines for token in self._tidy_line(line))

    def _mend_commas(self) -> None:
        """Put one comma between two items, on the line of the old one, and keep the last comma as it was."""
        last: tuple[_Line, _Lexeme] | None = None
        comma: _Lexeme | None = None
        missing: list[tuple[_Line, _Lexeme]] = []
        for line in self._lines:
            for token in line:
                if token.kind is _LexemeKind.ITEM:
                    if last and not comma:
                        missing.append(last)
                    last, comma = (line, token), None
                elif token.kind is _LexemeKind.COMMA:
                    if last and not comma:
                        comma = token
                    else:
                        token.kind = _LexemeKind.GONE
        if comma and not self._trailing:
            comma.kind = _LexemeKind.GONE
        elif last and self._trailing and not comma:
            missing.append(last)
        for line, token in missing:
            line.insert(line.index(token) + 1, _Lexeme(_LexemeKind.COMMA, ","))

    def _tidy_line(self, line: _Line) -> _Line:
        """Return the line without removed items and the space around them; empty if nothing else was on it."""
        if not any(token.kind is _LexemeKind.GONE for token in line):
            return line
        kept: _Line = []
        bare = not any(token.kind is _LexemeKind.ITEM for token in line)
        for token in line:
            match token.kind:
                case _LexemeKind.GONE:
                    for comment in comments(token.text):
                        self._on_a_line_of_its_own(kept, _Lexeme(_LexemeKind.COMMENT, comment))
                        kept += [_Lexeme(_LexemeKind.END, self._end), _Lexeme(_LexemeKind.SPACE, self._indent_of(line))]
                case _LexemeKind.SPACE if kept and kept[-1].kind is _LexemeKind.SPACE:
                    if not _begins_a_line(kept):
                        kept[-1] = token
                case _LexemeKind.COMMENT if bare:
                    self._on_a_line_of_its_own(kept, token)
                case _LexemeKind.END:
                    _drop_space(kept)
                    if kept and kept[-1].kind is not _LexemeKind.END:
                        kept.append(token)
                case _:
                    kept.append(token)
        return kept

    def _on_a_line_of_its_own(self, kept: _Line, comment: _Lexeme) -> None:
        """Add a comment after everything else on the line."""
        if not (
            not kept
            or kept[-1].kind is _LexemeKind.END
            or (kept[-1].kind is _LexemeKind.SPACE and _begins_a_line(kept))
        ):
            _drop_space(kept)
            kept += [_Lexeme(_LexemeKind.END, self._end), _Lexeme(_LexemeKind.SPACE, self._indent)]
        kept.append(comment)


def _indent(line: _Line) -> str:
    return line[0].text if line[0].kind is _LexemeKind.SPACE else ""


def _begins_a_line(kept: _Line) -> bool:
    """Whether the last token, a space, is the first on its line."""
    return len(kept) == 1 or kept[-2].kind is _LexemeKind.END


def _drop_space(kept: _Line) -> None:
    if kept and kept[-1].kind is _LexemeKind.SPACE:
        kept.pop()
