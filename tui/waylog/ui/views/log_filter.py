"""What the log can be filtered by: a list to choose from, one of each sort at a time."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any

from waylog.rules.common.sessions import sessions_by_number
from waylog.snapshot import Snapshot
from waylog.store.log_query import ActKind, LogQuery, people
from waylog.store.log_search import LogSearch
from waylog.ui.line.choices import AppCommand, Choice, PromptRequest
from waylog.values import dataclass, replace

_FEW = 24
"""Scenes and sessions that are listed, the latest."""
_FILES = 5
"""Files of the log, the newest, whose scenes and outcomes are listed; each session has one."""
_STATES = (ActKind.UNDONE, ActKind.REWOUND)
_GROUPS = {"person": "Who", "outcome": "Outcome", "kind": "Kind", "scenes": "Scene", "session": "Session"}


@dataclass(frozen=True, slots=True)
class FilterOption:
    """A value that the log can be filtered by."""

    part: str
    """The part of the query that it sets."""
    value: Any
    label: str


@dataclass(frozen=True, slots=True)
class LogFilter:
    """The chosen options, by the part of the query that each sets."""

    chosen: Mapping[str, FilterOption]

    @property
    def query(self) -> LogQuery:
        """The query that the options make."""
        return replace(LogQuery(), **{part: option.value for part, option in self.chosen.items()})

    @property
    def label(self) -> str:
        """`Mara · Fiasco`"""
        return " · ".join(self.chosen[part].label for part in _GROUPS if part in self.chosen)

    def toggle(self, option: FilterOption) -> LogFilter:
        """Return the filter with the option in place of another of its sort, or without it if it was chosen already."""
        others = {part: each for part, each in self.chosen.items() if part != option.part}
        return LogFilter(others if self.chosen.get(option.part) == option else {**others, option.part: option})


def list_options(snapshot: Snapshot, log: LogSearch) -> Sequence[FilterOption]:
    """Return the options that this campaign and its log have. Of scenes and sessions, only the latest are included."""
    return [*_options(snapshot, log)]


def _options(snapshot: Snapshot, log: LogSearch) -> Iterator[FilterOption]:
    for person in people(snapshot.panels, snapshot.players):
        yield FilterOption("person", person, person.name)
    for outcome in sorted(log.outcomes(_FILES)):
        yield FilterOption("outcome", outcome, outcome[:1].upper() + outcome[1:])
    for kind in ActKind:
        yield FilterOption("kind", kind, f"{kind.value.capitalize()}{'' if kind in _STATES else 's'}")
    scenes = dict[str, tuple[range, ...]]()
    for title, entries in islice(log.scenes(_FILES), _FEW):
        scenes[title] = (*scenes.get(title, ()), entries)
    for title, ranges in scenes.items():
        yield FilterOption("scenes", ranges, title)
    for number in sorted(sessions_by_number(snapshot.sessions), reverse=True)[:_FEW]:
        yield FilterOption("session", number, f"Session {number}")


def request_filter(options: Sequence[FilterOption], current: LogFilter) -> PromptRequest:
    """Return the list of options, with the chosen ones marked."""
    choices = [
        Choice(
            AppCommand(f"filter_log({index})"),
            option.label,
            held=True if current.chosen.get(option.part) == option else None,
            group=_GROUPS[option.part],
            also=(_GROUPS[option.part],),
        )
        for index, option in enumerate(options)
    ]
    return PromptRequest("Filter the log: type a part of a name", choices=tuple(choices))
