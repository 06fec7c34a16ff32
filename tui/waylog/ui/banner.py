"""The lines above the tray that report problems, or else what the tutorial asks for."""

from __future__ import annotations

import re
from collections.abc import Callable

from waylog.rules.changes import format_path
from waylog.snapshot import Snapshot
from waylog.store.edit_merge import EditConflict
from waylog.store.entries import LogEntry
from waylog.ui.draw.changes import describe_value
from waylog.ui.draw.line_view import LineView, Page
from waylog.ui.draw.palette import CellLine, Palette, wrap_text

Played = Callable[[EditConflict], LogEntry | None]
"""The entry that played the other value of an edit conflict."""
Advice = Callable[[], str]
"""Returns what the tutorial asks for next; keys stand in brackets."""
_MOST, _MOST_ADVICE = 4, 6
_KEY = re.compile(r"(\[[^\]]+\])")


def trouble(snapshot: Snapshot, played: Played) -> str:
    """Return each problem with the keys that settle it, the gravest first; empty if there is none."""
    problems = [problem for problem in snapshot.problems if not problem.unfinished]
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    if snapshot.held:
        return f"“{snapshot.held.words}” could not be saved, so it has not happened. W retry · D discard"
    if snapshot.asked:
        asked = snapshot.asked
        return f"{asked.about}. F: {asked.keep} · P: {asked.update}"
    if snapshot.broken and problems:
        return f"{problems[0]}{more} — playing on from the last good version; Waylog leaves the file alone until you fix it"
    if snapshot.unsaved:
        return snapshot.unsaved
    if snapshot.conflicts:
        return _changed_twice(snapshot.conflicts, played)
    if problems:
        return f"{problems[0]}{more}"
    return "Read-only: nothing can be played from here" if snapshot.read_only else ""


def _changed_twice(conflicts: tuple[EditConflict, ...], played: Played) -> str:
    conflict = conflicts[0]
    hand, act = conflict.entry, played(conflict)
    by = f"{act.number} “{act.words}”, {act.at:%H:%M}" if act else "in play"
    more = f" (and {len(conflicts) - 1} more)" if len(conflicts) > 1 else ""
    return (
        f"{format_path(conflict.path)} was changed twice{more}. "
        f"F keeps the file's {describe_value(conflict.file)} (by hand, {hand.number}, {hand.at:%H:%M}) · "
        f"P takes the played {describe_value(conflict.played)} ({by})"
    )


class Banner(LineView[None]):
    """The widget that draws `trouble` in as many lines as it needs, and otherwise what the tutorial says."""

    def __init__(self, snapshot: Snapshot, played: Played, advice: Advice | None = None) -> None:
        super().__init__(id="banner")
        self._played, self._advice = played, advice
        self._text = trouble(snapshot, played)
        self._is_advice = False

    def show(self, snapshot: Snapshot) -> None:
        """Show another snapshot."""
        text = trouble(snapshot, self._played)
        is_advice = self._advice is not None and not text
        if self._advice and is_advice:
            text = self._advice()
        if (text, is_advice) != (self._text, self._is_advice):
            self._text, self._is_advice = text, is_advice
            self.repaint()

    def lines_at(self, width: int) -> int:
        """Return how many lines it needs in a window of that width; 0 if there is nothing to say."""
        return min(_MOST_ADVICE if self._is_advice else _MOST, len(self._parts(width)))

    def _parts(self, width: int) -> list[str]:
        return wrap_text(self._text, width - 4)

    def render_page(self, ink: Palette, width: int, height: int) -> Page[None]:
        parts = self._parts(width)
        if len(parts) > height > 0:
            parts = [*parts[: height - 1], " ".join(parts[height - 1 :])]
        if self._is_advice:
            return Page([_advice_line(part, ink, width, is_first=not index) for index, part in enumerate(parts)])
        return Page(
            [
                CellLine(width).add("   " if index else " ! ", ink.alert).add(part, ink.alert).fill(" ", ink.alert)
                for index, part in enumerate(parts)
            ]
        )


def _advice_line(part: str, ink: Palette, width: int, *, is_first: bool) -> CellLine:
    line = CellLine(width).add(" ▸ " if is_first else "   ", ink.accent)
    for text in _KEY.split(part):
        line.add(text, ink.key if _KEY.fullmatch(text) else ink.plain)
    return line
