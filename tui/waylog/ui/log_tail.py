"""The end of the log beside a view: the latest entries in full. It always follows; the log view has the whole log."""

from __future__ import annotations

from textual import events
from textual.message import Message

from waylog.snapshot import Snapshot
from waylog.store.entries import Entries
from waylog.store.logged_acts import latest_acts
from waylog.ui.draw.line_view import HitArea, LineView, Page
from waylog.ui.draw.logged_act import render_act
from waylog.ui.draw.palette import CellLine, Palette
from waylog.ui.key_names import key_name
from waylog.values import dataclass
from waylog.words.acts import sight_of


class LogTail(LineView[int]):
    """The widget with the latest entries, newest at the bottom. A click on one goes to it in the log view."""

    @dataclass
    class EntrySelected(Message):
        """An entry was clicked."""

        number: int

    def __init__(self, snapshot: Snapshot, entries: Entries) -> None:
        super().__init__(id="tail")
        self._snapshot, self._entries = snapshot, entries

    def show(self, snapshot: Snapshot) -> None:
        """Show another snapshot."""
        before, self._snapshot = self._snapshot, snapshot
        if snapshot.entries != before.entries:
            self.repaint()

    def on_click(self, event: events.Click) -> None:
        """Go to the entry under the mouse."""
        number = self.target_at(event)
        if number is not None:
            self.post_message(self.EntrySelected(number))

    def render_page(self, ink: Palette, width: int, height: int) -> Page[int]:
        return render_tail(self._snapshot, self._entries, ink, width, height - 1).below([tail_heading(ink, width)])


def tail_heading(ink: Palette, width: int) -> CellLine:
    """Return the heading above the end of the log."""
    says = " follows "
    return CellLine(width).to(2).add("Log ", ink.accent).fill("─", ink.rule, until=width - len(says)).add(says, ink.dim)


def render_tail(snapshot: Snapshot, entries: Entries, ink: Palette, width: int, height: int) -> Page[int]:
    """Return the latest entries in at most `height` lines. The oldest of them may lack its first lines."""
    sight = sight_of(snapshot)
    lines, areas = list[CellLine](), list[HitArea[int]]()
    for act in latest_acts(entries, snapshot.entries):
        if len(lines) >= height:
            break
        block = render_act(act, sight, ink, width, whole=not act.undone)
        lines[:0] = block
        areas = [HitArea(0, 0, width, len(block), act.first.number), *(area.shift_down(len(block)) for area in areas)]
    if not lines:
        return Page(
            [CellLine(width).to(1).add(f"Nothing is logged yet. {key_name('note', 'n')} writes a note", ink.dim)]
        )
    return Page(lines, areas).part(max(0, len(lines) - height), height)
