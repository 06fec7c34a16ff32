"""The lines above the tray: problems, or else what the tutorial asks for; and below, what a player proposes.

The end of the log beside a view: the latest entries in full. It always follows; the log view has the whole log.

The line at the top: the tabs, the timers, the campaign's name and game, and the key for the menu.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import product
from typing import TYPE_CHECKING

from textual import events
from textual.message import Message

from waylog.rules.codec.changes import join_names
from waylog.rules.model.moves import count_offers
from waylog.rules.model.odds import percent
from waylog.rules.model.panels import Tone
from waylog.snapshot_and_act_preview import Snapshot
from waylog.store.file.open_campaign import EditConflict
from waylog.store.log.entries_and_version_0_1 import Entries
from waylog.store.log.grouped_acts_and_texts import LoggedAct, latest_acts
from waylog.ui.draw.acts_in_log_and_tray import render_act, render_day
from waylog.ui.draw.cell_lines import CellLine, cells_of, wrap_text
from waylog.ui.draw.clickable_line_view import HitArea, LineView, Page
from waylog.ui.draw.colours import Palette
from waylog.ui.draw.dice import SEEN
from waylog.ui.draw.rows import cut_lines
from waylog.ui.draw.window_layout_and_key_names import key_name
from waylog.values import dataclass
from waylog.words.sentences import PlaceNames, conflicting_entry, name_place, names_of, sight_of, value_text

if TYPE_CHECKING:
    from waylog.store.players.proposals import Proposal

Advice = Callable[[], str]
"""Returns what to do next, as in the tutorial, or how to leave a copy; empty if there is nothing to say. Keys stand in brackets."""
_MOST, _MOST_ADVICE, _MOST_PROPOSAL = 4, 6, 2
_WHAT_IF = "WHAT IF · "
"""The beginning of the mark of a copy."""
_AS_OF = "AS OF "
"""The beginning of the mark of an earlier moment, which a narrow window leaves out."""
_MOST_FILES = 3
"""The most files with problems that are named."""
_SHARE = 3
"""In a tall window, a problem may take one line in so many."""
_KEY = r"(\[(?! )[^\]]+\]|(?<!\S)[\[\]{}](?!\S))"
"""A key in brackets, or a bracket that is the key itself."""
_NAMES = r"`([^`]*)`"
"""A name in a file, as messages mark it."""


def trouble(snapshot: Snapshot, entries: Entries) -> str:
    """Return each problem with the keys that settle it, the gravest first; empty if there is none."""
    found = [problem for problem in snapshot.problems if not problem.unfinished]
    problems = [re.sub(_NAMES, r"“\1”", str(problem)) for problem in found]
    files = dict.fromkeys(problem.file for problem in found[1:])
    more = f" (and {len(found) - 1} more in {join_names(_shorten(tuple(files)), 'and')})" if files else ""
    if snapshot.held:
        retry, drop = key_name("held.write", "W"), key_name("held.drop", "D")
        return f"“{snapshot.held.words}” could not be saved, so it has not happened. {retry} retry · {drop} discard"
    if snapshot.asked:
        asked = snapshot.asked
        return f"{asked.about}. {key_name('conflict.file', 'F')}: {asked.keep} · {key_name('conflict.played', 'P')}: {asked.update}"
    if snapshot.broken and problems:
        return f"{problems[0]}{more} — Waylog uses the last good version, and leaves the file alone until you fix it"
    if snapshot.unsaved:
        return snapshot.unsaved
    if snapshot.conflicts:
        return _describe_conflicts(snapshot.conflicts, entries, names_of(snapshot))
    if problems:
        return f"{problems[0]}{more}"
    return "Read-only: nothing can be played from here" if snapshot.read_only else ""


def _shorten(names: Sequence[str]) -> Sequence[str]:
    """Return the names, the last ones as their number if there are many."""
    return names if len(names) <= _MOST_FILES else (*names[: _MOST_FILES - 1], f"{len(names) - _MOST_FILES + 1} others")


def _describe_conflicts(conflicts: tuple[EditConflict, ...], entries: Entries, names: PlaceNames) -> str:
    conflict = conflicts[0]
    act, file, value = conflicting_entry(entries, conflict), value_text(conflict.file), value_text(conflict.played)
    by = f" (“{act.heading}”, {act.at:%H:%M})" if act else ""
    more = f" ({len(conflicts) - 1} more like this)" if len(conflicts) > 1 else ""
    return f"{name_place(conflict.path, names)} was changed twice{more}: to {file} in the file ({conflict.entry.at:%H:%M}) and to {value} in play{by}. {key_name('conflict.file', 'F')} keeps {file} · {key_name('conflict.played', 'P')} uses {value}"


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

    def __init__(self, snapshot: Snapshot, entries: Entries, advice: Advice | None = None) -> None:
        super().__init__(id="banner")
        self._entries, self._advice = entries, advice
        self._text = trouble(snapshot, entries)
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
        text = trouble(snapshot, self._entries)
        is_advice = bool(self._advice and not text and (text := self._advice()))
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
        parts = self._parts(width, max(1, height - len(below)))
        if self._is_advice:
            return Page([*(_advice_line(part, ink, width, is_first=not at) for at, part in enumerate(parts)), *below])
        alert = [
            CellLine(width).add("   " if index else " ! ", ink.alert).add(part, ink.alert).fill(" ", ink.alert)
            for index, part in enumerate(parts)
        ]
        return Page([*alert, *below])


def _advice_line(part: str, ink: Palette, width: int, *, is_first: bool) -> CellLine:
    line = CellLine(width).add(" · " if is_first else "   ", ink.accent)
    for text in re.split(_KEY, part):
        line.add(text, ink.key if re.fullmatch(_KEY, text) else ink.plain)
    return line


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
        heading = tail_heading(self._snapshot, ink, width)
        if not self._snapshot.entries:
            # In the middle, so that the column doesn't look like a gap. The first entry moves nothing: its column is there already.
            above, words = [CellLine(width)] * (height // 2 - 1), empty_log_text()
            return Page(
                [heading, *above, CellLine(width).to(max(0, (width - cells_of(words)) // 2)).add(words, ink.dim)]
            )
        return render_tail(self._snapshot, self._entries, ink, width, height - 1).below([heading])


def tail_heading(snapshot: Snapshot, ink: Palette, width: int) -> CellLine:
    """Return the heading above the end of the log, with the scene that is played."""
    says, scene = " follows ", snapshot.scene()
    line = CellLine(width).to(2).add("Log ", ink.accent)
    if scene:
        line.add("── ", ink.rule).add(scene, ink.plain, most=max(0, width - len(says) - line.used - 4)).add(
            " ", ink.rule
        )
    return line.fill("─", ink.rule, until=width - len(says)).add(says, ink.dim)


def render_tail(snapshot: Snapshot, entries: Entries, ink: Palette, width: int, height: int) -> Page[int]:
    """Return the latest entries in at most `height` lines, the newest last. An act that doesn't fit is left out, unless more than half of
    the lines would stay empty without it: then it lacks its last lines.
    """
    sight = sight_of(snapshot)
    lines, areas = list[CellLine](), list[HitArea[int]]()
    newer: LoggedAct | None = None
    for act in latest_acts(entries, snapshot.entries):
        if len(lines) >= height:
            break
        day = render_day(newer, act, ink, width) if newer is not None else []
        block = render_act(act, sight, ink, width, whole=not act.undone)
        room = height - len(lines) - len(day)
        if len(block) > room and 2 * len(lines) >= height:
            # No gap under the heading: what is left over lies below.
            lines += [CellLine(width)] * (height - len(lines))
            break
        if len(block) > room:
            # The outcome, and that players don't see it, stand at the end of the sentence.
            block = render_act(act, sight, ink, width)
        # What came of an act says nothing without the act.
        block = [*cut_lines(block, max(1, room), ink), *day]
        newer = act
        lines[:0] = block
        areas = [HitArea(0, 0, width, len(block), act.first.number), *(area.shift_down(len(block)) for area in areas)]
    if not lines:
        return Page([CellLine(width).to(1).add(empty_log_text(), ink.dim)])
    return Page(lines, areas).part(max(0, len(lines) - height), height)


_MENU = (" : menu ", " : ")
_AROUND_TAB = 4
"""The cells that a tab takes beside its name: its number, and blanks."""
_SHORT = 2
"""The letters of a shortened name of a tab."""
_SCENE = 16
"""The cells of the scene that are worth more than words about what players see."""
_LEAST_TITLE = 7
"""The cells of the campaign's name that are worth showing."""


class TopBar(LineView[str]):
    """The widget with the tabs and their keys, and the campaign's name and game."""

    @dataclass
    class TabSelected(Message):
        """A tab was clicked. `tab` is its name, empty for the menu."""

        tab: str

    def __init__(self, tabs: Sequence[str], title: str, system: str) -> None:
        super().__init__(id="bar")
        self._tabs, self._title, self._system = tabs, title, system
        self._current = tabs[0]
        self._marks: tuple[str, ...] = ()
        self._session = 0
        self._badge: tuple[str, ...] = ()
        self._countdowns: Sequence[str] = ()
        self._may_start = True
        self._scene = ""
        self._has_menu = True

    def show(
        self,
        tabs: Sequence[str],
        current: str,
        title: str,
        marks: tuple[str, ...],
        session: int,
        badge: tuple[str, ...] = (),
        *,
        may_start: bool = True,
        scene: str = "",
    ) -> None:
        """Show the current tab. `marks` are states that every view shows, such as `Wrecked`; `session` is the number of
        the current session, or 0. The first form of `badge` that fits is shown before the campaign's name. With
        `may_start`, the key for sessions starts one now. The title of the `scene` stands before the campaign's name, and has its
        room if there is too little for both.
        """
        before = (self._tabs, self._current, self._title, self._marks, self._session, self._badge, self._may_start)
        if (*before, self._scene) != (tabs, current, title, marks, session, badge, may_start, scene):
            self._tabs, self._current, self._title, self._marks, self._session = tabs, current, title, marks, session
            self._badge, self._may_start, self._scene = badge, may_start, scene
            self.before_frame(self.repaint)

    def show_menu(self, *, works: bool) -> None:
        """Show whether the key for the menu works now: while a line is typed, it is a letter like any other."""
        if works != self._has_menu:
            self._has_menu = works
            self.before_frame(self.repaint)

    def show_timers(self, forms: Sequence[str]) -> None:
        """Show the first form of the timers that fits; the last one in any case."""
        if forms != self._countdowns:
            self._countdowns = forms
            self.before_frame(self.repaint)

    def on_click(self, event: events.Click) -> None:
        """Open the tab under the mouse."""
        tab = self.target_at(event)
        if tab is not None:
            self.post_message(self.TabSelected(tab))

    def render_page(self, ink: Palette, width: int, height: int) -> Page[str]:  # noqa: ARG002 - one line is all it has
        line = CellLine(width)
        shown = self._fit_marks(width)
        marks = "".join(f"  ! {mark} " for mark in shown)
        timers = next((form for form in self._countdowns if cells_of(form) <= width // 4), (*self._countdowns, "")[-1])
        timers = f" {timers} " if timers else ""
        sessions = [f" Session {self._session} ", f" s{self._session} "] if self._session else [" no session ", ""]
        room = width - cells_of(marks) - cells_of(timers)
        # Names of tabs are worth most, and then how many players see, and the words for the session. The campaign's name is not cut for
        # the word for the menu, which the last line has too.
        areas = [*self._add_tabs(line, self._names(room - cells_of(sessions[-1] + _MENU[-1])), ink)]
        room -= line.used
        badges, name = [cells_of(form) + 2 for form in self._badge], cells_of(self._first)

        def worth(words: tuple[str, str]) -> tuple[object, ...]:
            left = room - sum(map(cells_of, words))
            fitting = [min(left, 0), *(left >= cells for cells in reversed(badges[-2:]))]
            of_name = self._badge_and_name(left)[1]
            # Beside a timer, the campaign's name and the menu are worth more than the session.
            of_timer = len(words[1]) if timers and of_name >= name else 0
            # A scene is worth more than the word for the menu, even in part; a campaign's name only as a whole.
            is_cut = min(_LEAST_TITLE, name) <= of_name < (min(_SCENE, name) if self._scene else name)
            is_hidden = bool(self._scene) and of_name < min(_LEAST_TITLE, name)
            # Where no name has room anyway, the word for the menu is worth more than that there is no session.
            of_menu = self._session or of_name >= min(_LEAST_TITLE, name) or words[1] == _MENU[0]
            names = bool(words[0]), not (is_cut or is_hidden)
            return *fitting, of_timer, bool(of_menu), *names, *map(len, words)

        session, menu = max(product(sessions, _MENU), key=worth)
        end = width - len(menu)
        for mark in shown:
            if (
                line.used + cells_of(mark) + 5 > end
            ):  # Its number, or its first words, say more than its beginning or its end.
                mark = mark.removeprefix(_AS_OF).partition(" · ")[0]
            line.add(" ", ink.plain).add(f" ! {mark} ", ink.alert, most=max(0, end - line.used))
        line.add(timers, ink.accent, most=max(0, end - line.used))
        if not self._session and session and self._may_start:
            # The key that starts one is shown only if the name and the badge still fit.
            starts = f": {key_name('session', 's')} starts one "
            beside = cells_of(starts) + cells_of(self._title) + max(map(cells_of, self._badge), default=0) + 5
            session = session.rstrip() + starts if line.used + len(session) + beside <= end else session
        if cells_of(session.rstrip()) <= end - line.used:  # Without its number it would say nothing.
            line.add(session.rstrip(), ink.held if self._session else ink.warn)
            line.to(min(end, line.used + 1))
        self._add_title(line, end, ink)
        line.to(end).add(menu[:3], ink.key if self._has_menu else ink.dim).add(menu[3:], ink.dim)
        areas.append(HitArea(end, 0, width - end, 1, ""))
        return Page([line], areas)

    def _fit_marks(self, width: int) -> Sequence[str]:
        """Return the marks; or the states of the ship as a number, where more of the names of the tabs has room beside that. The states
        stand in the ship's panel as well.
        """
        copies = [mark for mark in self._marks if mark.startswith((_AS_OF, _WHAT_IF))]
        states = len(self._marks) - len(copies)
        ways = (self._marks, (*copies, f"{states}")) if states > 1 else (self._marks,)
        tabs = (sum(len(tab) + _AROUND_TAB for tab in self._tabs), self._short_tabs)
        fitting = (
            marks
            for cells in tabs
            for marks in ways
            if cells + sum(len(mark) + 5 for mark in marks) <= width - len(_MENU[-1])
        )
        return next(fitting, ways[-1])

    @property
    def _short_tabs(self) -> int:
        """The cells that the tabs take by two letters."""
        return len(self._tabs) * (_SHORT + 3) + 1

    def _add_tabs(self, line: CellLine, names: Mapping[str, str], ink: Palette) -> Iterator[HitArea[str]]:
        """Add the tabs, and yield where each can be clicked."""
        for number, tab in enumerate(self._tabs):
            name, start = names[tab], line.used
            if tab == self._current:
                line.add(f" {number} {name}".rstrip() + " ", ink.cursor)
            else:
                # Short names stand closer together.
                line.add(f" {number} ", ink.key).add(f"{name} " if len(name) > _SHORT else name, ink.plain)
            yield HitArea(start, 0, line.used - start, 1, tab)

    def _badge_and_name(self, room: int) -> tuple[str, int]:
        """Return the badge with a blank on each side, in the form for so many cells, or nothing; and the cells that are left for the scene
        or the name. A shorter form leaves room for the whole of those, or else for some of the scene.
        """
        beside = min(_SCENE, cells_of(self._scene)) + 2 if self._scene else 0
        rooms, forms = (cells_of(self._first) + 1, beside, 0), (self._badge[:-1], self._badge[-1:])
        fitting = (form for some in forms for left in rooms for form in some if cells_of(form) + left <= room - 2)
        badge = next((f" {form} " for form in fitting), "")
        return badge, max(0, room - cells_of(badge) - 1)

    @property
    def _first(self) -> str:
        """What stands in front of the game: the scene, or the campaign's name."""
        return self._scene or self._title or "(no name)"

    def _add_title(self, line: CellLine, end: int, ink: Palette) -> None:
        """Add the badge, and the scene, the campaign's name and its game so that they end before `end`."""
        name, first = self._title or "(no name)", self._first
        badge, room = self._badge_and_name(end - line.used)
        line.add(badge, ink.dim)
        title = CellLine(room)
        title.add(first, ink.plain if self._scene else ink.strong)
        if self._scene and cells_of(name) + 3 <= title.cells_left:
            title.add(" · ", ink.dim).add(name, ink.strong)
        if cells_of(self._system) + 3 <= title.cells_left:
            title.add(f" · {self._system}", ink.dim)
        if title.width >= min(_LEAST_TITLE, cells_of(first)):
            # The menu is a second blank away if there is room for two.
            line.to(max(line.used + 1, end - title.used - 1)).join(title)

    def _names(self, room: int) -> Mapping[str, str]:
        """Return the names of the tabs: in full, or by two letters, or by their numbers alone, except the current one."""
        names = {tab: tab.title() for tab in self._tabs}
        if sum(len(name) + _AROUND_TAB for name in names.values()) <= room:
            return names
        every = self._short_tabs <= room
        return {tab: name[:_SHORT] if every or tab == self._current else "" for tab, name in names.items()}


def marks(snapshot: Snapshot) -> tuple[str, ...]:
    """Return what no view may hide: that nothing here happens, and the states of the ship."""
    actions = f"{snapshot.tried} {'action' if snapshot.tried == 1 else 'actions'}"
    return (
        *([] if snapshot.as_of is None else [f"{_AS_OF}ENTRY {snapshot.as_of}"]),
        *(
            []
            if snapshot.tried is None or (snapshot.as_of is not None and not snapshot.tried)
            else [f"{_WHAT_IF}{actions}"]
        ),
        *(
            tag.text
            for panel in snapshot.panels
            for tag in panel.tags
            if tag.tone is Tone.BAD and panel.place == "ship"
        ),
    )


def badge(snapshot: Snapshot, looking: str) -> tuple[str, ...]:
    """Return how many offers of earlier acts are left, and how much of a view the players see, in longer forms and shorter ones, and
    last in one for where no other fits.
    """
    sight, late = sight_of(snapshot), [move for move in snapshot.moves if move.late]
    offers = count_offers(late)
    left = (f"{offers} left", offers, offers) if late else ()
    clocks = [sight.clock(clock) is not None for clock in snapshot.clocks.values() if not clock.closed]
    decks = [sight.deck(deck) is not None for deck in snapshot.decks.values()]
    things = {"clocks": clocks, "tables": decks}.get(looking, [])
    if not things:
        return left
    seen, kind = sum(things), "clock" if looking == "clocks" else "deck"
    kind += "" if len(things) == 1 else "s"
    whole = {0: "no", len(things): f"all {seen}" if things[1:] else "the"}.get(seen, f"{seen} of {len(things)}")
    short = f"{SEEN} {seen}/{len(things)}"
    views = (f"{SEEN} players see {whole} {kind}", f"{short} {kind} shown", f"{short} {kind}", short)
    return tuple(f"{count} · {view}" for view in views for count in left[:2]) if left else views


def empty_log_text() -> str:
    """Return what stands in place of a log without entries."""
    return f"The log is empty. {key_name('note', 'n')} writes a note"
