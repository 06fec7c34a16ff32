"""The log, newest at the bottom. Only the entries that are on screen are read, so its length costs nothing."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message

from waylog.rules.facts import NoteFact, OutcomeFact, RollFact
from waylog.rules.state import EntryKind
from waylog.snapshot import Snapshot
from waylog.store.entries import Entries, LogEntry
from waylog.store.visibility import Visibility
from waylog.toml.document import UnreadableFile
from waylog.ui.draw import dice
from waylog.ui.draw.cards import HIDDEN, sight_of
from waylog.ui.draw.changes import describe_change
from waylog.ui.draw.line_view import Page
from waylog.ui.draw.odds import SIGNS
from waylog.ui.draw.palette import CellLine, Palette, wrap_text
from waylog.ui.views.list_view import ListView, margin_line, stack

_LOST = LogEntry(0, datetime(1, 1, 1, tzinfo=UTC), "")
_BORDERS = (EntryKind.SCENE, EntryKind.REWIND, EntryKind.SESSION_BEGINS, EntryKind.SESSION_ENDS)
"""Entries that part one stretch of play from the next."""
_NEAR = 100
"""How many entries later an undo is looked for."""


_EntryBlock = tuple[int, Sequence[CellLine]]
"""An entry's number, and its lines."""


class LogView(ListView[int]):
    """Everything that was done, with its chain of follow-ups. Items are entries by their numbers; it is scrolled to the last in sight."""

    WHEEL = 3
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j,tab", "step(1)", "Later", id="log.down", tooltip="Next entry"),
        Binding("up,k,shift+tab", "step(-1)", "Earlier", id="log.up", tooltip="Previous entry"),
        Binding("pagedown,space", "page(1)", "Page on", id="log.pagedown", tooltip="Page down"),
        Binding("pageup,b", "page(-1)", "Page back", id="log.pageup", tooltip="Page up"),
        Binding("home,g", "step(-999999999)", "First", id="log.home", tooltip="First entry"),
        Binding("end,G", "step(999999999)", "Latest", id="log.end", tooltip="Latest entry"),
        Binding("enter", "open", "Unfold", id="log.unfold", tooltip="Expand or collapse the entry"),
        Binding(
            "x",
            "take_back",
            "Undo",
            id="log.take_back",
            tooltip="Undo the action of this entry",
        ),
    ]

    @dataclass
    class EntryUndoRequested(Message):
        """The act that an entry belongs to is to be taken back."""

        number: int

    def __init__(self, snapshot: Snapshot, entries: Entries) -> None:
        super().__init__(id="log")
        self._entries = entries
        self._sight = sight_of(snapshot)
        self._count = self.cursor = self.scroll = snapshot.entries
        self._open: set[int] = set()
        self._seen = set[int]()
        self._takers: dict[int, list[int]] = {}

    def show(self, snapshot: Snapshot) -> None:
        """Draw another moment. A cursor on the latest entry follows the log, and so does any while nobody looks at it."""
        if snapshot.entries == self._count:
            return
        self._sight = sight_of(snapshot)
        latest = self.cursor >= self._count or not self.display
        self._count = snapshot.entries
        if latest:
            self.cursor = self.scroll = self._count
        self.repaint()

    def go_to(self, number: int) -> None:
        """The cursor to an entry, unfolded."""
        self._open.add(number)
        self.move_to(number)

    # -- moving -------------------------------------------------------------------------------------------------

    def move_to(self, index: int) -> None:
        self.cursor = max(1, min(self._count, index)) if self._count else 0
        self.repaint()

    def action_page(self, by: int) -> None:
        """A windowful on, or back."""
        seen = [area.target for area in self.page.areas]
        if by < 0:
            self.cursor = self.scroll = max(1, min(min(seen, default=1), self._count))
            self.repaint()
        else:
            page = max(1, len(seen) - 1)
            self.scroll = min(self._count, self.scroll + page)
            self.move_to(max(self.cursor + page, self.scroll))

    def action_open(self) -> None:
        """Show or hide all that the entry did."""
        self._open ^= {self.cursor}
        self.repaint()

    def action_take_back(self) -> None:
        """Ask for the entry's act to be taken back."""
        if self._count:
            self.post_message(self.EntryUndoRequested(self.cursor))

    def select(self, target: int) -> None:
        """The cursor to the entry; a click where it is already unfolds it."""
        if target == self.cursor:
            self.action_open()
        else:
            self.move_to(target)

    # -- rendering ----------------------------------------------------------------------------------------------

    def render_page(self, ink: Palette, width: int, height: int) -> Page[int]:
        if not self._count:
            return Page([CellLine(width).to(2).add("No log entries yet.", ink.dim)])
        last = max(self.scroll, self.cursor)
        blocks = self._up_from(last, ink, width, height)
        if blocks[0][0] > self.cursor:
            blocks = self._down_from(self.cursor, ink, width, height)
            last = blocks[-1][0]
        whole = stack(blocks, width)
        # The cursor's entry shows from its first line. Few entries stand at the foot of the window.
        first = next(area.y for area in whole.areas if area.target == self.cursor)
        page = whole.part(min(first, len(whole.lines) - height), height)
        lines = list(page.lines)
        if newer := self._count - page.areas[-1].target:
            lines[-1] = lines[-1].with_end(f"{newer} newer ↓ ", ink.key)
        return Page(lines, page.areas, last)

    def _up_from(self, number: int, ink: Palette, width: int, height: int) -> list[_EntryBlock]:
        """Blocks that end with that entry, oldest first, enough to fill the window."""
        blocks: list[_EntryBlock] = []
        filled = 0
        while number >= 1 and filled < height:
            blocks.insert(0, self._block(number, ink, width))
            filled += len(blocks[0][1])
            number -= 1
        return blocks

    def _down_from(self, number: int, ink: Palette, width: int, height: int) -> list[_EntryBlock]:
        blocks: list[_EntryBlock] = []
        filled = 0
        while number <= self._count and filled < height:
            blocks.append(self._block(number, ink, width))
            filled += len(blocks[-1][1])
            number += 1
        return blocks

    def _block(self, number: int, ink: Palette, width: int) -> _EntryBlock:
        entry = self._read(number)
        if entry is _LOST:
            return number, [CellLine(width).to(2).add(f"{number:>6}  can't be read", ink.bad)]
        here = number == self.cursor
        begins = _begins(entry)
        if begins and self._is_undone(number):
            begins = ""
        head = _separator(entry, begins, ink, width, here=here) if begins else self._head(entry, ink, width, here=here)
        lines = [head]
        if number in self._open:
            lines += _detail_lines(entry, self._sight, ink, width)
        return number, [lines[0].over(ink.under_cursor) if here else lines[0], *lines[1:]]

    def _head(self, entry: LogEntry, ink: Palette, width: int, *, here: bool) -> CellLine:
        undone = self._is_undone(entry.number)
        line = margin_line(width, ink, here=here)
        if width >= 64:
            line.add(f"{entry.number:>6}  {entry.at:%d %b %H:%M}  ", ink.dim)
        if entry.root != entry.number:
            line.add("└ ", ink.rule)
        all_hidden = self._sight.hides_entry(entry)
        if all_hidden:
            line.add(f"{HIDDEN} ", ink.dim)
        alone = all(isinstance(fact, NoteFact) and _says(entry.words, fact.text) for fact in entry.facts) and not undone
        most = line.cells_left if alone else max(12, width // 2)
        line.add(entry.words, ink.struck if undone else ink.strong, most=most)
        if undone:
            return line.add("  (undone)", ink.dim)
        line.add("  ", ink.plain)
        for fact in entry.facts:
            match fact:
                case RollFact(_, thrown):
                    sign = _sign(not all_hidden and not self._sight.fact(fact))
                    dice.inline(thrown, ink, line.add(sign, ink.dim))
                case OutcomeFact(_, label, mood, who):
                    line.add(f"{SIGNS[mood]} {label}  ", ink.moods[mood])
                    line.add(f"{who}  " if who else "", ink.dim)
                case NoteFact(text) if not _says(entry.words, text):
                    sign = _sign(not all_hidden and not self._sight.fact(fact))
                    line.add(f"{sign}{text}  ", ink.dim)
                case _:
                    pass
        return line

    def _is_undone(self, number: int) -> bool:
        """Whether an entry that still holds took it back. An undo stands near what it undoes, so only so far is looked."""
        for later in range(number + 1, min(self._count, number + _NEAR) + 1):
            if later not in self._seen:
                self._seen.add(later)
                for undone in self._read(later).undoes:
                    self._takers.setdefault(undone, []).append(later)
        return any(not self._is_undone(taker) for taker in self._takers.get(number, ()))

    def _read(self, number: int) -> LogEntry:
        """An entry; one without words where it can't be read."""
        try:
            return self._entries(number)
        except (KeyError, UnreadableFile, OSError):
            return _LOST


def _begins(entry: LogEntry) -> str:
    """What an entry parts from all before it: a scene, or a session; empty for others (NM-40, NM-43)."""
    if entry.kind not in _BORDERS:
        return ""
    return next((fact.text for fact in entry.facts if isinstance(fact, NoteFact)), entry.words)


def _separator(entry: LogEntry, says: str, ink: Palette, width: int, *, here: bool) -> CellLine:
    """A line across the log. A session's is a double one."""
    glyph = "═" if entry.kind.is_session else "─"
    line = CellLine(width).add("▸ " if here else glyph * 2, ink.key if here else ink.rule)
    if width >= 64:
        line.add(f"{entry.number:>6}  {entry.at:%d %b %H:%M}  ", ink.dim)
    line.add(f"{glyph * 2} ", ink.rule).add(says, ink.accent, most=line.cells_left - 2).add(" ", ink.rule)
    return line.fill(glyph, ink.rule)


def _sign(secret: bool) -> str:
    return f"{HIDDEN} " if secret else ""


def _says(words: str, text: str) -> bool:
    """The words hold that text already, however it is quoted there."""
    return text in words or text in words.replace('\\"', '"').replace("\\\\", "\\")


def _detail_lines(entry: LogEntry, sight: Visibility, ink: Palette, width: int) -> list[CellLine]:
    """Facts with their clauses, then what they changed."""
    lines: list[CellLine] = []
    indent = 10 if width >= 64 else 4
    if sight.hides_entry(entry):
        lines.append(CellLine(width).to(indent).add(f"{HIDDEN} hidden from players", ink.dim))
    if entry.faces is not None:
        lines.append(CellLine(width).to(indent).add(f"real dice: {' '.join(map(str, entry.faces))}", ink.dim))
    for fact in entry.facts:
        sign = _sign(not sight.fact(fact))
        match fact:
            case RollFact(what, thrown):
                start = f"{sign}{what}  "
                lines.append(dice.inline(thrown, ink, CellLine(width).to(indent).add(start, ink.dim)))
            case OutcomeFact(_, label, mood, who):
                lines.append(
                    CellLine(width).to(indent).add(f"{SIGNS[mood]} {label}", ink.moods[mood]).add(f"  {who}", ink.dim)
                )
            case NoteFact(text, clause):
                start = sign + (f"{text} ({clause})" if clause else text)
                lines += [
                    CellLine(width).to(indent).add(part, ink.plain) for part in wrap_text(start, width - indent - 2)
                ]
    for change in entry.shown_changes:
        lines.append(CellLine(width).to(indent).add(describe_change(change), ink.dim))
    return [*lines, CellLine(width)]
