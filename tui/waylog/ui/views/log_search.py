"""The acts of the log that match a query: found bit by bit, so that a key never waits for the whole log.

What the log can be filtered by: a list to choose from, one of each sort at a time.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from time import monotonic
from typing import Any

from waylog.snapshot import Snapshot
from waylog.store.log.act_texts import LoggedAct, LoggedActs
from waylog.store.log.search_and_filters import FILTERS, Filterable, LogQuery, LogSearch, find_act
from waylog.ui.line.choices import AppCommand, Choice, PromptRequest
from waylog.values import dataclass, replace

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
        """Return the filter with the option in place of another of its sort, or without it if it was chosen already."""
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
    return PromptRequest("Filter the log: type a part of a name", choices=tuple(choices))


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
        """Whether more matches may be found and are wanted."""
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
        """Ask for as many known matches after that act as before it."""
        self._wanted = max(self._wanted, self._place(number) + ENOUGH)

    @property
    def newest(self) -> int:
        """The newest match; 0 while none is known."""
        return self._found[0] if self._found else 0

    @property
    def total(self) -> int:
        """How many matches are known."""
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
