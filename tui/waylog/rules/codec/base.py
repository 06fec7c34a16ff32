"""What every codec can do, and what the type of a field may say beside it.

A codec reads, writes, checks, compares and describes the values of one type. `codec` in `records` finds it. The
annotations, such as `Annotated[int, Between(0, 3, "VK-04")]`, stand in the dataclasses of the games' sheets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum, StrEnum
from typing import Any

from waylog.rules.codec.changes import Change, Path, Value, format_path
from waylog.values import dataclass, field


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
    """How a person gives a value of a type."""

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
    """When the form of a new thing asks for a value of it."""

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
