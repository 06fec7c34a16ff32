"""How many things a file may have. A file with more is refused before anything reads it, so that no file keeps anybody waiting.

The limits are far above what a table plays with. `find_excess` counts the plain values of a file in one pass.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from waylog.rules.codec.base import Codec, Fault
from waylog.rules.codec.changes import Path, Value
from waylog.values import NamedTuple

ANY = "*"
"""A key, in the path of a limit, that stands for all."""
DEEP = "**"
"""The first key, in the path of a limit, if it holds wherever the second key is."""


class Count(NamedTuple):
    """The most things in a table or a list."""

    path: Path
    """Where they are. `ANY` stands for every key."""
    most: int
    what: str
    """What they are called: `players`."""
    in_all: bool = False
    """All things of that name are counted together; otherwise each table may have as many."""

    def is_for(self, path: Path) -> bool:
        """Whether the table or list at a path is meant."""
        if self.path[0] == DEEP:
            return len(path) > 1 and path[-1] == self.path[1]
        return len(self.path) == len(path) and all(
            part in (ANY, key) for part, key in zip(self.path, path, strict=True)
        )


MOST_ELSEWHERE = 1_000
"""The most things in a table or a list that no limit names."""
MOST_VALUES = 20_000
"""The most values of a file in all: texts, numbers, true and false."""
MOST_IN_SHEET = 5_000
"""The most values of a sheet, with those that the file leaves out because they have their default."""

CAMPAIGN = (
    Count(("players",), 64, "players"),
    Count(("players", ANY, "may"), 100, "commands"),
    Count(("players", ANY, "tonight"), 100, "commands"),
    Count(("clocks",), 2_000, "clocks"),
    Count(("timers",), 100, "timers"),
    Count(("situations",), 500, "situations"),
    Count(("decks",), 100, "decks"),
    Count(("decks", ANY, "cards"), 1_000, "cards in a deck"),
    Count(("decks", ANY, "cards"), 3_000, "cards in all decks", in_all=True),
    Count(("sessions",), 5_000, "sessions"),
    Count(("dice",), 200, "saved dice"),
    Count(("prep",), 500, "scene cards"),
)
"""The limits of a campaign file."""
LINES = (Count(("lines",), 200, "lines"), Count(("veils",), 200, "veils"))
"""The limits of `lines.toml`."""
GAME = (
    Count(("sheet",), 50, "tables in the sheet"),
    Count(("sheet", ANY, "values"), 500, "values in the sheet", in_all=True),
    Count(("sheet", ANY, "each"), 500, "values in the sheet", in_all=True),
    Count(("sheet", ANY, "values", ANY, "each"), 500, "values in the sheet", in_all=True),
    Count(("sheet", ANY, "each", ANY, "each"), 500, "values in the sheet", in_all=True),
    Count(("dice",), 100, "rolls"),
    Count(("dice", ANY, "options"), 100, "options for a roll"),
    Count(("dice", ANY, "calls"), 100, "roll types"),
    Count((DEEP, "bands"), 50, "outcomes of a roll"),
    Count((DEEP, "more"), 20, "extra dice in a roll"),
    Count(("spend",), 100, "spends"),
    Count(("moves",), 300, "moves"),
    Count(("moves", ANY, "choose"), 100, "answers to one question"),
    Count((DEEP, "does"), 50, "effects"),
    Count((DEEP, "cost"), 50, "effects in a price"),
    Count(("after", ANY, ANY), 50, "effects of an outcome"),
    Count(("when",), 200, "conditions"),
    Count(("panels",), 100, "panels"),
    Count(("clauses",), 1_000, "rules in words"),
    Count(("house_rules",), 50, "house rules"),
    Count(("house_rules", ANY, "choices"), 50, "choices in a house rule"),
    Count(("house_rules", ANY, "when"), 50, "variants of house rules", in_all=True),
)
"""The limits of a game file."""


def find_excess(tree: Mapping[str, Value], limits: Sequence[Count]) -> tuple[Fault, ...]:
    """Return a grave fault for each table or list with too many things, at its place in the file."""
    counter = _Counter(limits)
    counter.count(tree, ())
    if not counter.faults and counter.values > MOST_VALUES:
        counter.report((), counter.values, "values in this file", MOST_VALUES)
    return tuple(counter.faults)


def find_excess_of_sheet(sheet: Any, codec: Codec) -> tuple[Fault, ...]:
    """Return a grave fault for a sheet with too many values: a few things with hundreds of values each are few in the file."""
    count = _count_values(codec, sheet)
    if count <= MOST_IN_SHEET:
        return ()
    message = f"the sheet has too many values, including those left at their default: {count:,} (the limit is {MOST_IN_SHEET:,})"
    return (Fault((), message),)


def _count_values(codec: Codec, value: Any) -> int:
    parts = () if value is None else codec.parts(value)
    return sum(_count_values(inner, item) for _, inner, item in parts) if parts else 1


class _Counter:
    """The counts of one file."""

    def __init__(self, limits: Sequence[Count]) -> None:
        self._limits, self._by_depth = limits, dict[int, Sequence[Count]]()
        self._in_all: dict[str, int] = {}
        """Of the things that are counted together, how many there are."""
        self.faults: list[Fault] = []
        self.values = 0

    def report(self, path: Path, count: int, what: str, most: int) -> None:
        """Keep a fault."""
        self.faults.append(Fault(path, f"too many {what}: {count:,} (the limit is {most:,})"))

    def count(self, found: Mapping[str, Value] | Sequence[Value], path: Path) -> None:
        """Count what a table or a list holds, and whatever is in it, unless that is too much already."""
        if self._has_room(path, len(found)):
            for key, item in found.items() if isinstance(found, Mapping) else enumerate(found):
                if isinstance(item, dict | list):
                    self.count(item, (*path, str(key)))
                else:
                    self.values += 1

    def _has_room(self, path: Path, count: int) -> bool:
        depth = len(path)
        if depth not in self._by_depth:
            self._by_depth[depth] = [one for one in self._limits if one.path[0] == DEEP or len(one.path) == depth]
        limits = [limit for limit in self._by_depth[depth] if limit.is_for(path)]
        for limit in limits:
            known = self._in_all.get(limit.what, 0)
            if limit.in_all:
                self._in_all[limit.what] = known + count
            if known <= limit.most < known + count:
                self.report(path, known + count, limit.what, limit.most)
                return False
        if not limits and path and count > MOST_ELSEWHERE:
            self.report(path, count, "things", MOST_ELSEWHERE)
            return False
        return True
