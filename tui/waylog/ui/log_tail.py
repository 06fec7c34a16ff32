"""The end of the log beside a view: the latest entries in full, always following. The whole log is a view of its own."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from textual import events
from textual.message import Message

from waylog.rules.facts import Fact, NoteFact
from waylog.rules.state import EntryKind
from waylog.snapshot import Snapshot
from waylog.store.entries import Entries, LogEntry
from waylog.store.visibility import Visibility
from waylog.toml.document import UnreadableFile
from waylog.ui.draw.act_lines import TIME, act_lines
from waylog.ui.draw.cards import HIDDEN, sight_of
from waylog.ui.draw.line_view import HitArea, LineView, Page
from waylog.ui.draw.palette import CellLine, Palette, wrap_text

_SEEN_BY_OTHERS = (EntryKind.UNDO, EntryKind.REDO, EntryKind.KEEP)
"""Entries that are seen by what they do to others."""
_BORDERS = (EntryKind.SCENE, EntryKind.REWIND, EntryKind.SESSION_BEGINS, EntryKind.SESSION_ENDS)
EMPTY = "Nothing is logged yet. r rolls, n writes a note"


class LogTail(LineView[int]):
    """Shows the latest entries, newest at the bottom. A click on one goes to it in the log."""

    @dataclass
    class EntrySelected(Message):
        """An entry was clicked."""

        number: int

    def __init__(self, snapshot: Snapshot, entries: Entries) -> None:
        super().__init__(id="tail")
        self._snapshot, self._entries = snapshot, entries

    def show(self, snapshot: Snapshot) -> None:
        """Draw another moment."""
        before, self._snapshot = self._snapshot, snapshot
        if snapshot.entries != before.entries:
            self.repaint()

    def on_click(self, event: events.Click) -> None:
        """Go to the entry under the mouse."""
        number = self.target_at(event)
        if number is not None:
            self.post_message(self.EntrySelected(number))

    def render_page(self, ink: Palette, width: int, height: int) -> Page[int]:
        return render_tail(self._snapshot, self._entries, ink, width, height - 1).below([_heading(ink, width)])


def _heading(ink: Palette, width: int) -> CellLine:
    says = " follows"
    return CellLine(width).add("Log ", ink.accent).fill("─", ink.rule, until=width - len(says)).add(says, ink.dim)


def render_tail(snapshot: Snapshot, entries: Entries, ink: Palette, width: int, height: int) -> Page[int]:
    """The latest entries in at most `height` lines. The oldest of them may lack its first lines."""
    sight = sight_of(snapshot)
    lines, areas = list[CellLine](), list[HitArea[int]]()
    undone = set[int]()
    number = snapshot.entries
    while number >= 1 and len(lines) < height:
        with suppress(KeyError, UnreadableFile, OSError):  # what can't be read is said in the log itself
            entry = entries(number)
            if number not in undone:
                undone |= set(entry.undoes)
            if entry.kind not in _SEEN_BY_OTHERS:
                block = _render_entry(entry, sight, ink, width, undone=number in undone)
                lines[:0] = block
                areas = [HitArea(0, 0, width, len(block), number), *(area.shift_down(len(block)) for area in areas)]
        number -= 1
    if not lines:
        return Page([CellLine(width).to(1).add(EMPTY, ink.dim)])
    return Page(lines, areas).part(max(0, len(lines) - height), height)


def _render_entry(entry: LogEntry, sight: Visibility, ink: Palette, width: int, *, undone: bool) -> list[CellLine]:
    if undone:
        words = CellLine(width).to(1).add(f"{entry.at:%H:%M}", ink.dim).to(TIME)
        return [words.add(_summary(entry), ink.struck, most=width - TIME - 9).add("  undone", ink.dim)]
    if entry.kind in _BORDERS:
        glyph = "═" if entry.kind.is_session else "─"
        line = CellLine(width).add(f"{glyph * 2} ", ink.rule).add(_summary(entry), ink.accent, most=width - 6)
        return [line.add(" ", ink.rule).fill(glyph, ink.rule)]
    if not entry.facts:
        parts = wrap_text(entry.heading, width - TIME - 1)
        at = CellLine(width).to(1).add(f"{entry.at:%H:%M}", ink.dim)
        return [(CellLine(width) if index else at).to(TIME).add(part, ink.plain) for index, part in enumerate(parts)]

    def sign(fact: Fact) -> str:
        return "" if sight.fact(fact) else f"{HIDDEN} "

    return [*act_lines(f"{entry.at:%H:%M}", entry.facts, ink, width, sign)]


def _summary(entry: LogEntry) -> str:
    """What an entry says in one line."""
    if entry.kind in _BORDERS:
        return next((fact.text for fact in entry.facts if isinstance(fact, NoteFact)), entry.heading)
    return entry.heading
