"""What every codec can do, and what the type of a field may say beside it.

A codec reads, writes, checks, compares and describes the values of one type. `codec` in `records` finds it. The
annotations, such as `Annotated[int, Between(0, 3, "VK-04")]`, stand in the dataclasses of the games' sheets.

How many things a file may have: a file with more is refused before anything reads it, so that no file keeps anybody waiting. The limits
are far above what a table plays with. `find_excess` counts the plain values of a file in one pass.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum, StrEnum
from typing import Any

from waylog.rules.codec.changes import Change, Path, Value, format_path
from waylog.values import NamedTuple, dataclass, field


@dataclass(frozen=True, slots=True)
class Between:
    """The legal range of a whole number, inclusive, with its clause. Without `most` there is no upper limit."""

    least: int
    most: int | None
    clause: str | None = None
    carries: tuple[int, int] | None = None
    """The numbers that the rules can work with, if the wayfinder overrules the range. None if nobody can."""


@dataclass(frozen=True, slots=True)
class Excess:
    """A number outside the range of its rule that the rules can work with all the same: the wayfinder may overrule it."""

    amount: int
    least: int
    most: int

    def is_covered(self, ruled: int | None) -> bool:
        """Whether a number that was ruled before covers this one: it is as far from the range, or further."""
        if ruled is None:
            return False
        return ruled >= self.amount if self.amount > self.most else ruled <= self.amount


@dataclass(frozen=True, slots=True)
class Pattern:
    """A pattern for a text, as a regular expression for editors. The game's own check explains what is wrong."""

    regex: str


@dataclass(frozen=True, slots=True)
class InWords:
    """A boolean that is written as one of two words."""

    no: str
    yes: str


@dataclass(frozen=True, slots=True)
class TagKey:
    """The key that identifies the members of a union, if it isn't `is`."""

    key: str


@dataclass(frozen=True, slots=True)
class Kinds:
    """The types that a plain value may have, for a field that takes several, such as a number or a formula."""

    kinds: tuple[type, ...]


@dataclass(frozen=True, slots=True)
class Fault:
    """A problem in a tree. One that is `grave` can't be read at all; others break a clause but don't stop play."""

    path: Path
    message: str
    clause: str | None = None
    grave: bool = True
    at_key: bool = False
    """The problem is the key, not the value."""
    lacking: bool = False
    """Something is missing, but nothing is wrong yet."""
    unfinished: bool = False
    """It is about something that is still being made. The check lists it, but play doesn't show it."""
    excess: Excess | None = None
    """The number that is out of range, if the wayfinder may overrule that."""
    allowed: str = field(default="", repr=False, compare=False)
    """The part of the message that says what would be right, if it is about a wrong value: `it should be true or false`."""
    known: tuple[str, ...] = field(default=(), repr=False, compare=False)
    """The keys that there could be, if it is about one that is unknown."""

    def is_overruled(self, overruled: Mapping[str, int]) -> bool:
        """Whether the wayfinder has overruled it: `overruled` has numbers by their paths."""
        return self.excess is not None and self.excess.is_covered(overruled.get(format_path(self.path)))


def fault_of_value(path: Path, shown: object, allowed: str, clause: str | None = None, **how: Any) -> Fault:
    """Return the fault of a wrong value, which is `shown` as it is; `allowed` says what would be right."""
    return Fault(path, f"{format_path(path[-1:])} can't be {shown}: {allowed}", clause, allowed=allowed, **how)


class ValueRefused(ValueError):
    """A value that can't be set. It has the message of the fault that it would be."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault.message)
        self.allowed = fault.allowed


class ValueShape(StrEnum):
    """The kind of field in which a person gives a value of a type."""

    TEXT = "text"
    NUMBER = "number"
    SWITCH = "switch"
    """True or false."""
    CHOICE = "choice"
    """One of a few words."""
    LIST = "list"
    """Several single values."""
    TABLE = "table"
    """Values under keys: a record, or things by key."""
    UNION = "union"
    """One of several records. No form has it."""


class Asked(Enum):
    """The time at which the form of a new thing asks for one of its values."""

    FIRST = 1
    LATER = 2
    """Once the person wants to see more."""
    NEVER = 3
    """Play sets it: what was spent, lost or destroyed."""


class Codec:
    """Reads, writes and describes values of one type."""

    about = ""
    shape = ValueShape.UNION

    @property
    def choices(self) -> tuple[str, ...]:
        """The legal values of a choice, or of the items of a list, as they are typed. Empty if there is no such list."""
        return ()

    @property
    def limits(self) -> Between | None:
        """The legal range of a number."""
        return None

    @property
    def item_codec(self) -> Codec | None:
        """The codec of what a list holds, or a table under keys of anyone's choice."""
        return None

    @property
    def is_keyed(self) -> bool:
        """Whether it holds things of one type under keys."""
        return False

    def label_of(self, key: str) -> str:  # noqa: ARG002 - records need it
        """Return what a value of a table is called, where its key doesn't say it; otherwise nothing."""
        return ""

    def time_to_ask(self, key: str) -> Asked:  # noqa: ARG002 - records need it
        """Return when the form of a new thing asks for one of its values."""
        return Asked.FIRST

    def must_choose(self, key: str) -> bool:  # noqa: ARG002 - records need it
        """Whether the form of a new thing begins without one of its values, and somebody has to choose it."""
        return False

    def needs(self, key: str) -> tuple[str, str] | None:  # noqa: ARG002 - records need it
        """Return the list, by its key, and the item in it without which one of its values means nothing; None if it always does."""
        return None

    def about_character(self, key: str) -> str:  # noqa: ARG002 - records need it
        """Return what a form says of a value of a table that is the key of a character; empty for any other value."""
        return ""

    def value_of(self, choice: str) -> Value:
        """Return the plain value of one of `choices`."""
        return choice

    def parts(self, value: Any) -> Sequence[tuple[str, Codec, Any]]:  # noqa: ARG002 - tables need it
        """Return what a table holds, in the order of the file: key, codec and value. Of a table with fixed keys that
        includes what the file leaves out.
        """
        return ()

    @property
    def nothing(self) -> Any:
        """The value that replaces a missing one."""
        return self.decode({}, (), [])

    def encode(self, value: Any) -> Value:
        """Return the plain value. Fields with their default value are left out of tables."""
        return value

    def decode(self, raw: Value, path: Path, faults: list[Fault]) -> Any:
        """Return the value that `raw`, found at `path` in the file, stands for. Add a fault to `faults` for each problem in it, and use
        a legal value in place of what is wrong.
        """
        raise NotImplementedError

    def pack(self, value: Any) -> Value:
        """Return the value without the keys of its records, for files that nobody edits."""
        return self.encode(value)

    def unpack(self, raw: Value) -> Any:
        """Return the value that `pack` turned into `raw`. Raises `ValueError` if `raw` is not such a value.

        The fields that `pack` leaves out get their default.
        """
        faults: list[Fault] = []
        value = self.decode(raw, (), faults)
        if faults:
            raise ValueError(faults[0].message)
        return value

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema."""
        raise NotImplementedError

    def difference(self, before: Any, after: Any, path: Path) -> Iterator[Change]:
        if before != after:
            yield Change(path, self.encode(before), self.encode(after))

    def put(self, value: Any, path: Path, raw: Value | None, at: Path = ()) -> Any:  # noqa: ARG002 - kinds that hold others need it
        """Return `value` with the part at `path` set to `raw`, or removed if that is None. Raises `ValueError` if that
        isn't possible.
        """
        if path:
            raise ValueError(f"{format_path(at)} has no {path[0]}")
        faults: list[Fault] = []
        new = self.decode(raw, at, faults)
        for fault in faults:
            if fault.grave:
                raise ValueRefused(fault)
        return new

    def _wrong(self, raw: Value, wanted: str, path: Path, faults: list[Fault]) -> None:
        faults.append(fault_of_value(path, format_raw(raw), f"it should be {wanted}"))


def with_description(schema: dict[str, Any], about: str) -> dict[str, Any]:
    """Return a JSON Schema with the description of its field, if there is one."""
    return {"description": about, **schema} if about else schema


def format_raw(raw: Value) -> str:
    """Return a plain value as a message shows it, shortened."""
    match raw:
        case bool():
            return "true" if raw else "false"
        case str():
            return f"“{raw[:40]}…”" if len(raw) > 40 else f"“{raw}”"
        case dict():
            return "a table"
        case list():
            return "a list"
        case _:
            return str(raw)[:40]


ANY = "*"
"""A key, in the path of a limit, that stands for all."""
DEEP = "**"
"""The first key, in the path of a limit, if it holds wherever the second key is."""


class Count(NamedTuple):
    """The most things in a table or a list."""

    path: Path
    """The path of the table or list. `ANY` stands for every key."""
    most: int
    what: str
    """The word for the things, in the plural: `players`."""
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

CAMPAIGN_LIMITS = (
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
LINES_LIMITS = (Count(("lines",), 200, "lines"), Count(("veils",), 200, "veils"))
"""The limits of `lines.toml`."""
GAME_LIMITS = (
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
