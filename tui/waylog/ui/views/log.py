"""The log view, newest at the bottom: one sentence for each act. It reads only the entries on screen, so a long log
costs nothing. A search goes bit by bit, so that a key never waits for the whole log.
"""

from __future__ import annotations

import asyncio
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from time import monotonic
from typing import Any, ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message

from waylog.rules.common.common_rules import Memo
from waylog.rules.model.clause_texts import Clause
from waylog.rules.model.facts import NoteFact, OutcomeFact, RollFact
from waylog.rules.model.moves import Refusal
from waylog.rules.model.state import EntryKind
from waylog.rules.what_players_know import Visibility
from waylog.snapshot_and_act_preview import Snapshot
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.store.log.grouped_acts_and_texts import LoggedAct, LoggedActs, border_title, note_text
from waylog.store.log.search_and_filters import FILTERS, NOTHING_MATCHES, Filterable, LogQuery, LogSearch, find_act
from waylog.ui.draw.acts_in_log_and_tray import act_text, render_act, render_day, start_of_text
from waylog.ui.draw.bridge_layout import layout_bridge
from waylog.ui.draw.cell_lines import CellLine, cells_of, wrap_text
from waylog.ui.draw.clickable_line_view import Page
from waylog.ui.draw.colours import Palette
from waylog.ui.draw.dice import HIDDEN
from waylog.ui.draw.drawn_panels import without_repeats
from waylog.ui.draw.rows import cut_lines
from waylog.ui.line.choices import AppCommand, Choice, PromptRequest
from waylog.ui.parts.top_bar_banner_and_log_tail import empty_log_text
from waylog.ui.views.bridge_ship_and_crew import bridge_panels
from waylog.ui.views.list_view import ListView, stack
from waylog.values import dataclass, replace
from waylog.words.sentences import ENTRY_NOT_FOR_PLAYERS, PlaceNames, name_change, names_of, sight_of

_FEW = 24
"""Scenes and sessions that are listed, the latest."""
_FILES = 5
"""Files of the log, the newest, whose scenes and outcomes are listed; each session has one."""
_HEADINGS = {each.part: each.heading for each in FILTERS if each.heading}


@dataclass(frozen=True, slots=True)
class FilterOption:
    """A value that the log can be filtered by."""

    part: str
    """The part of the query that it sets."""
    value: Any
    label: str


@dataclass(frozen=True, slots=True)
class FilterSelection:
    """The chosen options, by the part of the query that each sets."""

    chosen: Mapping[str, FilterOption]

    @property
    def query(self) -> LogQuery:
        """The query that the options make."""
        return replace(LogQuery(), **{part: option.value for part, option in self.chosen.items()})

    @property
    def label(self) -> str:
        """`Mara · Fiasco`"""
        return " · ".join(self.chosen[part].label for part in _HEADINGS if part in self.chosen)

    def toggle(self, option: FilterOption) -> FilterSelection:
        """Return the filter with the option instead of another of its sort, or without the option if it was already chosen."""
        others = {part: each for part, each in self.chosen.items() if part != option.part}
        return FilterSelection(others if self.chosen.get(option.part) == option else {**others, option.part: option})


def list_options(snapshot: Snapshot, log: LogSearch) -> Sequence[FilterOption]:
    """Return the options that this campaign and its log have. Of scenes and sessions, only the latest are included."""
    there = Filterable(log, snapshot.panels, snapshot.players, snapshot.sessions, _FILES, _FEW)
    return [
        FilterOption(each.part, choice.value, each.label(choice.word))
        for each in FILTERS
        for choice in each.choices(there)
    ]


def request_filter(options: Sequence[FilterOption], current: FilterSelection) -> PromptRequest:
    """Return the list of options, with the chosen ones marked."""
    choices = [
        Choice(
            AppCommand(f"filter_log({index})"),
            option.label,
            held=True if current.chosen.get(option.part) == option else None,
            group=_HEADINGS[option.part],
            also=(_HEADINGS[option.part],),
        )
        for index, option in enumerate(options)
    ]
    return PromptRequest("Filter the log: type part of a name", choices=tuple(choices))


_NEAR = 20
"""Entries before the newest whose acts may still change."""
ENOUGH = 1000
"""Matches that are counted; more are found when somebody goes that far."""


class LogMatches:
    """The matches of a query, newest first. The log view lists them as it lists all acts."""

    def __init__(self, acts: LoggedActs, query: LogQuery, steps: Iterator[int]) -> None:
        """`steps` yields the acts that match, newest first, and a 0 after each step that found none."""
        self._acts, self.query, self._steps = acts, query, steps
        self._found = list[int]()
        self._wanted = ENOUGH
        self.complete = False
        """Every act has been looked at."""

    @property
    def count(self) -> int:
        """The number of entries in the log."""
        return self._acts.count

    @property
    def looks_on(self) -> bool:
        """Whether the search should continue: more matches are wanted, and there may be some."""
        return not self.complete and len(self._found) < self._wanted

    def look_on(self, seconds: float, wanted: int = 0) -> None:
        """Search until the time is up or enough matches are known."""
        until = monotonic() + seconds
        while not self.complete and not 0 < wanted <= len(self._found):
            number = next(self._steps, None)
            if number and not (self._found and number >= self._found[-1]):
                self._found.append(number)
            self.complete = number is None
            if monotonic() > until:
                break

    def follow(self, since: int) -> None:
        """Add what was logged after that entry, and check again the acts just before it, which new entries may have
        changed.
        """
        start = max(1, since - _NEAR)
        fresh = (number for number in range(self._acts.count, start - 1, -1))
        fitting = [number for number in fresh if find_act(self.query, self._acts, number)]
        self._found = fitting + [number for number in self._found if number < start]

    def want_beyond(self, number: int) -> None:
        """Make the search find as many matches after that act as before it."""
        self._wanted = max(self._wanted, self._place(number) + ENOUGH)

    @property
    def newest(self) -> int:
        """The newest match; 0 while none is known."""
        return self._found[0] if self._found else 0

    @property
    def total(self) -> int:
        """The number of matches found so far."""
        return len(self._found)

    def position(self, number: int) -> int:
        """Return the position of an act among the matches, counted from the newest; 0 if it doesn't match."""
        place = self._place(number)
        return place + 1 if place < len(self._found) and self._found[place] == number else 0

    def describe(self, number: int) -> str:
        """Return `3 of 17` for the third of 17 matches, and `17 matches` for an act that doesn't match."""
        total = f"{self.total:,}" + ("" if self.complete else "+" if not self.looks_on else "…")
        if position := self.position(number):
            return f"{position:,} of {total}"
        return f"{total} {'match' if total == '1' else 'matches'}" if self.total or not self.complete else "no match"

    def act(self, number: int) -> LoggedAct | None:
        """Return an act if it matches."""
        return find_act(self.query, self._acts, number) if self.position(number) else None

    def before(self, number: int) -> int:
        """Return the match before that entry; 0 if none is known."""
        place = self._place(number)
        place += place < len(self._found) and self._found[place] == number
        return self._found[place] if place < len(self._found) else 0

    def after(self, number: int) -> int:
        """Return the match after that entry; 0 if there is none."""
        place = self._place(number)
        return self._found[place - 1] if place else 0

    def _place(self, number: int) -> int:
        return bisect_left(self._found, -number, key=int.__neg__)


_AT_ONCE = 0.03
"""Seconds that a key may wait for a match."""
_SLICE, _PAUSE = 0.01, 0.005
"""Seconds of searching at a time, and seconds in which other work gets its turn."""

_DATED_LIST = 60
"""The width from which on search results have the date before the time of day."""
_WIDEST = 120
"""The widest lines, so that an outcome stands near its sentence."""
_BESIDE = _WIDEST + 40
"""The width from which on ship, crew and the details of the act under the cursor stand beside the list."""
_DETAILS = 10
"""The lines that ship and crew leave to the details there."""
_ActBlock = tuple[int, Sequence[CellLine]]
"""The number of an act, and its lines."""


class LogView(ListView[int]):
    """The acts of the log, each with its follow-ups. Items are entries by their numbers; at first the last one is in sight."""

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
            "X",
            "take_back",
            "Undo",
            id="log.take_back",
            tooltip="Undo the action in this entry",
        ),
        Binding("F", "filter", "Filter", id="log.filter", tooltip="Filter by person, outcome, kind, scene or session"),
        Binding("escape", "clear_filter", "All", id="log.all", tooltip="Show all entries again"),
    ]

    @dataclass
    class EntryUndoRequested(Message):
        """Asks to undo the act of an entry."""

        number: int

    @dataclass
    class LineRequested(Message):
        """Asks for a line: with the list of filters, or to correct dice."""

        request: PromptRequest

    @dataclass
    class MatchesCounted(Message):
        """The search has found more matches."""

    def __init__(self, snapshot: Snapshot, open_log: Callable[[], LogSearch]) -> None:
        super().__init__(id="log")
        self._sight, self._clauses = sight_of(snapshot), snapshot.reference.clauses
        self._open_log = open_log
        self._log = open_log()
        self._acts = self._log.acts
        self._open: set[int] = set()
        self._found: LogMatches | None = None
        """The search."""
        self._lists_found = False
        """Whether only matches are listed, because the search is still typed."""
        self._filter = FilterSelection({})
        self._options: Sequence[FilterOption] = ()
        self._fitting: LogMatches | None = None
        """The acts that the filter leaves; None without a filter."""
        self._snapshot = snapshot
        self._state = Memo(_render_state)
        self._is_counting = False
        self.cursor = self.scroll = self._acts.before(snapshot.entries + 1)

    def show(self, snapshot: Snapshot) -> None:
        """Show another snapshot. A cursor on the latest act follows the log, and so does any while the view is closed."""
        shown, self._snapshot, before = self._snapshot, snapshot, self._acts.count
        is_other = (snapshot.as_of, snapshot.tried is None) != (shown.as_of, shown.tried is None)
        if snapshot.entries == before and not is_other:
            return
        latest = not self._list.after(self.cursor) or not self.size
        self._sight = sight_of(snapshot)
        if is_other:
            self._log = self._open_log()
            self._acts = self._log.acts
            self._fitting = self._look_for(self._filter.query) if self._filter.chosen else None
            self.find_again()
        else:
            self._acts.count = snapshot.entries
            for found in self._searches:
                found.follow(before)
        if not self._lists_found and (latest or self.cursor > snapshot.entries or not self._list.act(self.cursor)):
            self.cursor = self.scroll = self._list.before(snapshot.entries + 1)
        self.repaint()

    def go_to(self, number: int) -> None:
        """Put the cursor on the act of an entry, and show its details."""
        first = self._acts.first_of(number)
        self._open.add(first)
        self.move_to(first)

    # -- moving -------------------------------------------------------------------------------------------------

    def move_to(self, index: int) -> None:
        self.cursor, self.within = index, 0
        self.repaint()

    def action_step(self, by: int) -> None:
        """Move the cursor by this many acts, or to the first or last one if there are fewer."""
        if abs(by) == 1 and self.read_on(by):
            return
        acts, number = self._list, self.cursor
        if abs(by) > acts.count:
            number = (acts.before(acts.count + 1) if by > 0 else acts.after(0)) or number
        else:
            for _ in range(abs(by)):
                number = (acts.after(number) if by > 0 else acts.before(number)) or number
        self.move_to(number)
        self._count_on()

    def action_page(self, by: int) -> None:
        """Move the cursor by a page."""
        seen = [area.target for area in self.page.areas]
        if not seen:
            return
        self.scroll = seen[-1] if by > 0 else seen[0]
        self.action_step(by * max(2, len(seen) - 1))

    def action_open(self) -> None:
        """Show or hide the details of the act: its entries, rules and changed values."""
        self._open ^= {self.cursor}
        self.repaint()

    @property
    def hint_words(self) -> Mapping[str, str]:
        fold = "Fold" if self.cursor in self._open else "Unfold" if self._has_details() else ""
        edit = "Misread die" if self._typed_faces() else "" if isinstance(self.edit_line, Refusal) else "Edit"
        words = {"log.unfold": fold, "edit": edit}
        act = self._list.act(self.cursor)
        return words | {"log.take_back": ""} if act is None or act.undone else words

    def _has_details(self) -> bool:
        """Whether unfolding the act shows more than the number and the time of a note or a scene."""
        act = self._list.act(self.cursor)
        if act is None or act.written or act.undone or not act.first.kind.is_remark:
            return act is not None
        names = names_of(self._snapshot)
        return len(act.entries) > 1 or any(_details(act.first, self._sight, self._clauses, names))

    def copied_text(self) -> str:
        act = self._list.act(self.cursor)
        return act_text(act, self._sight) if act else ""

    def _typed_faces(self) -> Sequence[int]:
        """Return the real dice of the act under the cursor, one of which may have been misread."""
        act = self._list.act(self.cursor)
        return [face for entry in act.entries for face in entry.faces or ()] if act and not act.undone else ()

    @property
    def edit_line(self) -> PromptRequest | Refusal:
        act = self._list.act(self.cursor)
        if faces := self._typed_faces():
            return PromptRequest(f"Misread die: {' '.join(map(str, faces))}", "", f"misread {self.cursor} ")
        if act and not act.undone and act.first.kind.is_remark:
            is_scene = act.first.kind is EntryKind.SCENE
            title = "Edit the scene's title" if is_scene else "Edit the note"
            return PromptRequest(title, "", f"reword {act.first.number} {note_text(act.first)}")
        return Refusal("here you can edit only notes, scene titles and real dice")

    def topics(self) -> Sequence[str]:
        act = self._list.act(self.cursor)
        if act is None:
            return ()
        facts = [fact for entry in act.entries for fact in entry.facts]
        clauses = [fact.clause for fact in facts if isinstance(fact, NoteFact) and fact.clause]
        return (*clauses, "roll") if any(isinstance(fact, RollFact | OutcomeFact) for fact in facts) else clauses

    def action_take_back(self) -> None:
        """Ask for the act to be undone."""
        if self._acts.count:
            self.post_message(self.EntryUndoRequested(self.cursor))

    def select(self, target: int) -> None:
        """Put the cursor on the act. A click where it is already shows or hides the details."""
        if target == self.cursor:
            self.action_open()
        else:
            self.move_to(target)

    # -- searching ----------------------------------------------------------------------------------------------

    GOES_UP = True

    @property
    def _list(self) -> LoggedActs | LogMatches:
        """The acts to list: all of them, those that the filter leaves, or the matches while a search is typed."""
        return (self._found if self._lists_found else None) or self._fitting or self._acts

    @property
    def _searches(self) -> Sequence[LogMatches]:
        """The search and filter together."""
        return [each for each in (self._found, self._fitting) if each]

    def begin_search(self) -> None:
        super().begin_search()
        asyncio.get_running_loop().run_in_executor(None, self._fold_all)

    def _fold_all(self) -> None:
        """Prepare the log for searching, for as long as a search is open."""
        while self._came_from is not None and self._log.fold_next():
            pass

    def search(self, terms: Sequence[str]) -> None:
        """List the acts that contain all of these words, with the cursor on the newest."""
        self.terms, self._lists_found = terms, bool(terms)
        self.find_again()
        here = self._came_from[0] if self._came_from else self.cursor
        self.cursor = self.scroll = self._found.newest if self._found else here
        self.within = 0
        self.repaint()

    def find_again(self) -> None:
        self._found = self._look_for(replace(self._filter.query, terms=tuple(self.terms))) if self.terms else None
        self._count_on()

    def _look_for(self, query: LogQuery) -> LogMatches:
        found = LogMatches(self._acts, query, self._log.find_in_steps(query))
        found.look_on(_AT_ONCE, 1)
        return found

    def _count_on(self) -> None:
        """Search on for more matches, a little at a time."""
        for found in self._searches:
            found.want_beyond(self.cursor)
        if not self._is_counting and any(found.looks_on for found in self._searches):
            self._is_counting = True
            self.set_timer(_PAUSE, self._count_more)

    def _count_more(self) -> None:
        self._is_counting = False
        searches = [found for found in self._searches if found.looks_on]
        if not searches:
            return
        searches[0].look_on(_SLICE)
        listed = self._list
        if isinstance(listed, LogMatches):
            self.cursor = self.scroll = self.cursor if listed.position(self.cursor) else listed.newest
            self.repaint()
        self._count_on()
        self.post_message(self.MatchesCounted())

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:  # noqa: ARG002 - as Textual calls it
        """`F` first answers a question about the file. Esc does something only with a filter."""
        match action:
            case "filter":
                return not (self._snapshot.asked or self._snapshot.conflicts)
            case "clear_filter":
                return self._fitting is not None
            case _:
                return True

    def action_filter(self) -> None:
        """Ask what to filter by."""
        self._options = list_options(self._snapshot, self._log)
        self.post_message(self.LineRequested(request_filter(self._options, self._filter)))

    def filter_by(self, index: int) -> None:
        """Add one of the listed options to the filter."""
        if index < len(self._options):
            self._set_filter(self._filter.toggle(self._options[index]))

    def action_clear_filter(self) -> None:
        """List all acts again. The cursor stays, or goes to one near it if that is not listed."""
        self._set_filter(FilterSelection({}))
        self._log.forget()

    def _set_filter(self, wanted: FilterSelection) -> None:
        self._filter = wanted
        self._fitting = self._look_for(wanted.query) if wanted.chosen else None
        here = self._acts.first_of(self.cursor) if self.cursor else self._acts.before(self._acts.count + 1)
        self.cursor = self.scroll = self._fitting.newest if self._fitting else here
        self.within = 0
        self._count_on()
        self.repaint()

    def keep_search(self) -> None:
        """List everything again, with the cursor on the match."""
        self._lists_found = False
        if not self.cursor and self._came_from:
            self.cursor = self._came_from[0]
        self.repaint()

    def step_match(self, by: int) -> bool:
        """Go to the previous match in the log, or with -1 to the next."""
        found = self._found
        if found is None:
            return False
        number = found.before(self.cursor) if by > 0 else found.after(self.cursor)
        if not number and by > 0 and not found.complete:
            found.want_beyond(self.cursor)
            found.look_on(_AT_ONCE, found.total + 1)
            number = found.before(self.cursor)
        if number:
            self.move_to(number)
        self._count_on()
        return bool(number)

    @property
    def finds_nothing(self) -> bool:
        return self._found is not None and self._found.complete and not self._found.total

    def describe_matches(self) -> str:
        if self._found and self._fitting and self._found.complete and not self._found.total:
            return "no match in the entries shown; the filter hides others"
        return self._found.describe(self.cursor) if self._found else ""

    def end_search(self, *, back: bool) -> None:
        self._found, self._lists_found = None, False
        super().end_search(back=back)
        if self._fitting is None:
            self._log.forget()

    # -- rendering ----------------------------------------------------------------------------------------------

    def least_lines(self, ink: Palette, width: int, height: int) -> int:  # noqa: ARG002 - an empty log is one line
        return height if self.cursor else 1

    def used_lines(self, ink: Palette, width: int, height: int) -> int:
        # So many entries fill the window, and so does what stands beside them.
        if self._list is not self._acts or self._acts.count > height or width >= _BESIDE:
            return height
        acts = self._fill(self._acts.before(self._acts.count + 1), self._acts.before, ink, width, height)
        return max(1, sum(len(lines) for _, lines in acts))

    def render_page(self, ink: Palette, width: int, height: int) -> Page[int]:
        if self._fitting is None:
            return self._render_acts(ink, width, height)
        clears = " Esc clears "
        line = CellLine(width).add("Filter: ", ink.key).add(self._filter.label, ink.accent, most=max(8, width - 40))
        line.add(f" ({self._fitting.describe(self.cursor)})", ink.plain).right(clears, ink.dim)
        return self._render_acts(ink, width, max(1, height - 1)).below([line])

    def _render_acts(self, ink: Palette, width: int, height: int) -> Page[int]:
        if not self.cursor:
            is_narrowed = self.terms or self._fitting
            nothing = NOTHING_MATCHES if is_narrowed else empty_log_text()
            return Page([CellLine(width).to(2).add(nothing, ink.dim)])
        last = max(self.scroll, self.cursor)
        blocks = self._fill(last, self._list.before, ink, width, height)[::-1]
        if blocks[0][0] > self.cursor:
            blocks = self._fill(self.cursor, self._list.after, ink, width, height)
        if (room := height - sum(len(lines) for _, lines in blocks)) > 0:
            blocks += self._fill(self._list.after(blocks[-1][0]), self._list.after, ink, width, room)
        last = blocks[-1][0]
        whole = stack(blocks, width)
        # The act under the cursor is shown from its first line. A few acts stand at the bottom of the window.
        area = next(area for area in whole.areas if area.target == self.cursor)
        bottom = len(whole.lines) - height
        top = area.y + min(self.within, area.height - height) if area.height > height else min(area.y, bottom)
        page = whole.part(top, height)
        lines = self._add_beside(list(page.lines), height, ink, width)
        if self._list is self._acts and self._acts.after(page.areas[-1].target):
            newer = f"{self._acts.count - page.areas[-1].target} newer ↓ G "
            # It hides nothing of what came of a roll: where the last line is full, one above it has room.
            low = [at for at in range(len(lines) - 1, -1, -1) if lines[at].cells_left > cells_of(newer)]
            at = low[0] if low else len(lines) - 1
            lines[at] = lines[at].with_end(newer, ink.key)
        return Page(lines, page.areas, last, (area.height, height))

    def _add_beside(self, lines: list[CellLine], height: int, ink: Palette, width: int) -> list[CellLine]:
        """Show ship and crew beside the list, and the details of the act under the cursor below them, in a window with room for that."""
        if width < _BESIDE:
            return lines
        act, room = self._list.act(self.cursor), width - _WIDEST
        state = self._state(self._snapshot, ink, room, height - _DETAILS)
        details = list[CellLine]()
        if act is not None and self.cursor not in self._open:
            names = names_of(self._snapshot)
            details = _render_details(act, self._sight, self._clauses, names, ink, room, indent=2)[:-1]
            heading = CellLine(room).to(2).add("Details ", ink.accent).fill("─", ink.rule, until=room - 1)
            details = [CellLine(room), heading, *cut_lines(details, max(1, height - len(state) - 2), ink)]
        beside = [*state, *details][:height]
        lines += [CellLine(width)] * (len(beside) - len(lines))
        for y, line in enumerate(beside):
            lines[y] = CellLine(width).join(lines[y]).to(_WIDEST).join(line)
        return lines

    def _fill(self, number: int, step: Callable[[int], int], ink: Palette, width: int, height: int) -> list[_ActBlock]:
        """Return the blocks of that act and of as many further ones, as `step` finds them, as fill the window."""
        blocks: list[_ActBlock] = []
        filled = 0
        while number and filled < height:
            blocks.append(self._block(number, ink, width))
            filled += len(blocks[-1][1])
            number = step(number)
        return blocks

    def _block(self, number: int, ink: Palette, width: int) -> _ActBlock:
        act, here, wide = self._list.act(number), number == self.cursor, min(width, _WIDEST)
        if act is None:
            return number, []
        # Without the acts between them, times of day say little.
        is_whole_log = self._list is self._acts
        dated = wide >= _DATED_LIST and not is_whole_log
        lines = render_act(act, self._sight, ink, wide, whole=here, mark="▸ " if here else "  ", dated=dated)
        if here:
            lines = [line.over(ink.under_cursor) for line in lines]
        if number in self._open:
            lines += _render_details(
                act, self._sight, self._clauses, names_of(self._snapshot), ink, wide, start_of_text(wide) + 4
            )
        if is_whole_log:
            before = self._acts.before(number)
            lines = [*render_day(act, self._acts.act(before) if before else None, ink, wide), *lines]
        return number, [CellLine(width).join(line) for line in lines]


def _render_details(
    act: LoggedAct,
    sight: Visibility,
    clauses: Mapping[str, Clause],
    names: PlaceNames,
    ink: Palette,
    width: int,
    indent: int,
) -> list[CellLine]:
    """Return the entries of an act: their numbers, real dice, rules and changed values. A blank line ends them."""
    texts = list[str]()
    if act.written:
        texts.append(f"As written: {border_title(act.written)}")
    for entry in (*act.entries, *([act.undone] if act.undone else [])):
        texts += [
            f"Entry {entry.number}, {entry.at:%d %b %Y %H:%M}",
            *(f"  {text}" for text in _details(entry, sight, clauses, names)),
        ]
    lines = list[CellLine]()
    for text in texts:
        start = indent + len(text) - len(text.lstrip())
        lines += [CellLine(width).to(start).add(part, ink.dim) for part in wrap_text(text, width - start - 1)]
    return [*lines, CellLine(width)]


def _render_state(snapshot: Snapshot, ink: Palette, width: int, height: int) -> list[CellLine]:
    """Return ship and crew as the Bridge shows them. The strip below has the clocks."""
    panels = [panel for panel in bridge_panels(snapshot) if panel.place != "clocks"]
    layout = layout_bridge((*without_repeats(panels),), ink, width, height)
    return [layout.line(y, -1, ink) for y in range(len(layout.lines))]


def _details(entry: LogEntry, sight: Visibility, clauses: Mapping[str, Clause], names: PlaceNames) -> Iterator[str]:
    if sight.hides_entry(entry):
        yield f"{HIDDEN} {ENTRY_NOT_FOR_PLAYERS}"
    if entry.faces:
        yield f"Real dice: {' '.join(map(str, entry.faces))}"
    rules = dict.fromkeys(fact.clause for fact in entry.facts if isinstance(fact, NoteFact) and fact.clause)
    if rules:
        yield f"Rules: {', '.join(clauses[id_].title for id_ in rules if id_ in clauses)}"
    yield from (name_change(change, names) for change in entry.shown_changes)
