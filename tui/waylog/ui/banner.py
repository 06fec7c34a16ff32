"""The lines above the tray: problems, or else what the tutorial asks for; and below, what a player proposes."""

from __future__ import annotations

import re
from collections.abc import Callable

from waylog.rules.odds import percent
from waylog.snapshot import Snapshot
from waylog.store.edit_conflicts import EditConflict
from waylog.store.entries import LogEntry
from waylog.store.proposals import Proposal
from waylog.ui.draw.cell_width import cells_of
from waylog.ui.draw.line_view import LineView, Page
from waylog.ui.draw.palette import CellLine, Palette, wrap_text
from waylog.ui.key_names import key_name
from waylog.words.changes import describe_value
from waylog.words.place_names import PlaceNames, name_place, names_of

Played = Callable[[EditConflict], LogEntry | None]
"""The entry that played the other value of an edit conflict."""
Advice = Callable[[], str]
"""Returns what the tutorial asks for next; keys stand in brackets."""
_MOST, _MOST_ADVICE, _MOST_PROPOSAL = 4, 6, 2
_SHARE = 3
"""In a tall window, a problem may take one line in so many."""
_KEY = re.compile(r"(\[[^\]]+\])")
_NAMES = re.compile(r"`([^`]*)`")
"""A name in a file, as messages mark it."""


def trouble(snapshot: Snapshot, played: Played) -> str:
    """Return each problem with the keys that settle it, the gravest first; empty if there is none."""
    problems = [_NAMES.sub(r"“\1”", str(problem)) for problem in snapshot.problems if not problem.unfinished]
    more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
    if snapshot.held:
        retry, drop = key_name("held.write", "W"), key_name("held.drop", "D")
        return f"“{snapshot.held.words}” could not be saved, so it has not happened. {retry} retry · {drop} discard"
    if snapshot.asked:
        asked = snapshot.asked
        return f"{asked.about}. {key_name('conflict.file', 'F')}: {asked.keep} · {key_name('conflict.played', 'P')}: {asked.update}"
    if snapshot.broken and problems:
        return f"{problems[0]}{more} — playing on from the last good version; Waylog leaves the file alone until you fix it"
    if snapshot.unsaved:
        return snapshot.unsaved
    if snapshot.conflicts:
        return _changed_twice(snapshot.conflicts, played, names_of(snapshot))
    if problems:
        return f"{problems[0]}{more}"
    return "Read-only: nothing can be played from here" if snapshot.read_only else ""


def _changed_twice(conflicts: tuple[EditConflict, ...], played: Played, names: PlaceNames) -> str:
    conflict = conflicts[0]
    act, file, value = played(conflict), describe_value(conflict.file), describe_value(conflict.played)
    by = f" (“{act.heading}”, {act.at:%H:%M})" if act else ""
    more = f" (and {len(conflicts) - 1} more)" if len(conflicts) > 1 else ""
    return (
        f"{name_place(conflict.path, names)} was changed twice{more}: to {file} in the file ({conflict.entry.at:%H:%M}), to {value} "
        f"in play{by}. {key_name('conflict.file', 'F')} keeps {file} · {key_name('conflict.played', 'P')} takes {value}"
    )


def proposal_text(proposal: Proposal, position: int, total: int) -> str:
    """Return what a player proposes, and what it is most likely to bring or why it can't be played now."""
    text = proposal.summary
    if total > 1:
        text = f"{position} of {total} · {text}"
    if proposal.act and proposal.act.faces:
        text += f", real dice {' '.join(map(str, proposal.act.faces))}"
    if proposal.act is None and proposal.why:
        text += f" — {proposal.why.reason}"
    elif proposal.odds:
        likely = max(proposal.odds.spread.chances, key=lambda each: each.chance)
        if likely.mood is not None:  # The likeliest of many sums says nothing.
            text += f" ({likely.label} {percent(likely.chance)})"
    return text


def proposal_keys(proposal: Proposal, total: int) -> str:
    """Return the keys for a proposal, in brackets, each with what it does."""
    play = f"[{key_name('proposal.play', 'Y')}] play " if proposal.act else ""
    more = f" [{key_name('proposal.next', 'shift+right')}] next" if total > 1 else ""
    return f"{play}[{key_name('proposal.decline', 'Z')}] decline{more}"


class Banner(LineView[None]):
    """The widget that draws `trouble` in as many lines as it needs, or else the hint of the tutorial, and below it one proposal."""

    def __init__(self, snapshot: Snapshot, played: Played, advice: Advice | None = None) -> None:
        super().__init__(id="banner")
        self._played, self._advice = played, advice
        self._text = trouble(snapshot, played)
        self._is_advice = False
        self._proposals = snapshot.proposals
        self._shown = ""
        """The id of the proposal that is shown."""

    @property
    def proposal(self) -> Proposal | None:
        """The proposal that is shown; None if no player has proposed anything."""
        return self._proposals[self._position] if self._proposals else None

    @property
    def _position(self) -> int:
        return next((at for at, each in enumerate(self._proposals) if each.id == self._shown), 0)

    def step(self, by: int) -> None:
        """Show the next proposal, or the one before; after the last comes the first."""
        if self._proposals:
            self._shown = self._proposals[(self._position + by) % len(self._proposals)].id
            self.repaint()

    def show(self, snapshot: Snapshot) -> None:
        """Show another snapshot."""
        text = trouble(snapshot, self._played)
        is_advice = self._advice is not None and not text
        if self._advice and is_advice:
            text = self._advice()
        if (text, is_advice, snapshot.proposals) != (self._text, self._is_advice, self._proposals):
            at = self._position
            self._text, self._is_advice, self._proposals = text, is_advice, snapshot.proposals
            if self._proposals and all(each.id != self._shown for each in self._proposals):
                # The one that was shown is answered, and the next one takes its place.
                self._shown = self._proposals[min(at, len(self._proposals) - 1)].id
            self.repaint()

    def lines_at(self, width: int, height: int) -> int:
        """Return how many lines it takes at that width, in a window of that height; 0 if there is nothing to say."""
        most = _MOST_ADVICE if self._is_advice else max(_MOST, height // _SHARE)
        return len(self._parts(width, most)) + len(self._proposal_parts(width))

    def _parts(self, width: int, most: int) -> list[str]:
        return wrap_text(self._text, width - 4, most)

    def _proposal_parts(self, width: int) -> list[str]:
        if not (proposal := self.proposal):
            return []
        room, total = width - 4, len(self._proposals)
        text, keys = proposal_text(proposal, self._position + 1, total), proposal_keys(proposal, total)
        if cells_of(text) + 1 + cells_of(keys) <= room:
            return [f"{text} {keys}"]
        # The keys have a line to themselves: however long the text is, they are never cut.
        return [*wrap_text(text, room, _MOST_PROPOSAL), *wrap_text(keys, room, 1)]

    def render_page(self, ink: Palette, width: int, height: int) -> Page[None]:
        proposed = self._proposal_parts(width)
        below = [_advice_line(part, ink, width, is_first=not index) for index, part in enumerate(proposed)]
        return Page([*self._render_text(ink, width, height - len(below)), *below])

    def _render_text(self, ink: Palette, width: int, height: int) -> list[CellLine]:
        parts = self._parts(width, max(1, height))
        if self._is_advice:
            return [_advice_line(part, ink, width, is_first=not index) for index, part in enumerate(parts)]
        return [
            CellLine(width).add("   " if index else " ! ", ink.alert).add(part, ink.alert).fill(" ", ink.alert)
            for index, part in enumerate(parts)
        ]


def _advice_line(part: str, ink: Palette, width: int, *, is_first: bool) -> CellLine:
    line = CellLine(width).add(" ▸ " if is_first else "   ", ink.accent)
    for text in _KEY.split(part):
        line.add(text, ink.key if _KEY.fullmatch(text) else ink.plain)
    return line
