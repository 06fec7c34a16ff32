"""A line that is only there when something is wrong."""

from __future__ import annotations

from textual.strip import Strip
from textual.widget import Widget

from waylog.rules.changes import dotted
from waylog.snapshot import Snapshot
from waylog.widgets.drawing import Drawing
from waylog.widgets.ink import Ink, Line


def trouble(snapshot: Snapshot) -> str:
    """What a person has to know before anything else, gravest first; empty when all is well."""
    problems = snapshot.problems
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    if snapshot.held:
        return f"“{snapshot.held.words}” could not be written and has not happened; Ctrl+P writes it or lets it go"
    if snapshot.broken and problems:
        return f"{problems[0]}{more} — playing on from the last good state; nothing is written over the file"
    if snapshot.unsaved:
        return snapshot.unsaved
    if snapshot.conflicts:
        conflict = snapshot.conflicts[0]
        return f"{dotted(conflict.path)} was changed by hand and in play; the file's stands, Ctrl+P decides"
    if problems:
        return f"{problems[0]}{more}"
    return "Looking on: nothing can be played from here" if snapshot.read_only else ""


class Banner(Widget):
    """Draws `trouble`, and is not displayed when there is none."""

    def __init__(self, snapshot: Snapshot) -> None:
        super().__init__(id="banner")
        self._text = trouble(snapshot)
        self.display = bool(self._text)
        self._drawing = Drawing(self, self._draw)

    def show(self, snapshot: Snapshot) -> None:
        text = trouble(snapshot)
        if text != self._text:
            self._text = text
            self.display = bool(text)
            self._drawing.stale()

    def render_line(self, y: int) -> Strip:
        return self._drawing.strip(y)

    def _draw(self, ink: Ink, width: int, height: int) -> list[Line]:  # noqa: ARG002 - one line is all it has
        return [Line(width).add(f" ! {self._text}", ink.alert).fill(" ", ink.alert)]
