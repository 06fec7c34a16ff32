"""Codecs of single values, lists, and tables of things by key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any

from waylog.rules.codec.base_and_limits import (
    Between,
    Codec,
    Excess,
    Fault,
    InWords,
    Kinds,
    Pattern,
    ValueShape,
    fault_of_value,
    format_raw,
    with_description,
)
from waylog.rules.codec.changes import Change, Path, Value, format_path, join_names
from waylog.values import dataclass, replace


@dataclass(frozen=True, slots=True)
class WholeCodec(Codec):
    """A whole number, perhaps with a range."""

    range: Between | None = None
    about: str = ""

    shape = ValueShape.NUMBER

    @property
    def limits(self) -> Between | None:
        return self.range

    def decode(self, raw: Value, path: Path, faults: list[Fault]) -> int:
        span = self.range
        limits = (
            ""
            if span is None
            else f", {span.least} or more"
            if span.most is None
            else f" from {span.least} to {span.most}"
        )
        wanted = f"a whole number{limits}"
        if not isinstance(raw, int) or isinstance(raw, bool):
            self._wrong(raw, wanted, path, faults)
            return span.least if span else 0
        if abs(raw) >= 2**63:
            allowed = f"it should be {wanted if span else 'a smaller whole number'}"
            faults.append(Fault(path, f"{format_path(path[-1:])} is too large: {allowed}", allowed=allowed))
            return span.least if span else 0
        if span and (raw < span.least or (span.most is not None and raw > span.most)):
            excess = None
            if span.carries and span.most is not None and span.carries[0] <= raw <= span.carries[1]:
                excess = Excess(raw, span.least, span.most)
            allowed = f"it should be {wanted}"
            faults.append(fault_of_value(path, raw, allowed, span.clause, grave=False, excess=excess))
        return raw

    def schema(self) -> dict[str, Any]:
        limits = {"minimum": self.range.least} if self.range else {}
        if self.range and self.range.most is not None:
            limits["maximum"] = self.range.most
        return with_description({"type": "integer", **limits}, self.about)


@dataclass(frozen=True, slots=True)
class TruthCodec(Codec):
    """True or false."""

    about: str = ""

    shape = ValueShape.SWITCH

    def decode(self, raw: Value, path: Path, faults: list[Fault]) -> bool:
        if not isinstance(raw, bool):
            self._wrong(raw, "true or false", path, faults)
            return False
        return raw

    def schema(self) -> dict[str, Any]:
        return with_description({"type": "boolean"}, self.about)


@dataclass(frozen=True, slots=True)
class TwoWordsCodec(Codec):
    """True or false, written in the file as one of two words."""

    words: InWords
    about: str = ""

    def encode(self, value: Any) -> Value:
        return self.words.yes if value else self.words.no

    def decode(self, raw: Value, path: Path, faults: list[Fault]) -> bool:
        if raw not in (self.words.no, self.words.yes):
            self._wrong(raw, f"{self.words.no} or {self.words.yes}", path, faults)
        return bool(raw == self.words.yes)

    def pack(self, value: Any) -> Value:
        return bool(value)

    def unpack(self, raw: Value) -> bool:
        if not isinstance(raw, bool):
            raise ValueError(f"{format_raw(raw)} is not true or false")
        return raw

    def schema(self) -> dict[str, Any]:
        return with_description({"enum": [self.words.no, self.words.yes]}, self.about)


@dataclass(frozen=True, slots=True)
class ParsedCodec(Codec):
    """A value of a class that reads itself from a text, with `parse`, and gives it back with `str`: a fraction. Only `pack` and
    `unpack` know it, as no campaign file has one.
    """

    kind: Any

    @property
    def nothing(self) -> Any:
        return self.kind()

    def pack(self, value: Any) -> Value:
        return str(value)

    def unpack(self, raw: Value) -> Any:
        if not isinstance(raw, str):
            raise ValueError(f"{format_raw(raw)} is not a valid {self.kind.__name__}")
        return self.kind.parse(raw)


@dataclass(frozen=True, slots=True)
class OptionalCodec(Codec):
    """A plain value or None. A record leaves None out; `pack` writes a value that can't occur, an empty text or −1."""

    item: Codec
    about: str = ""

    @property
    def nothing(self) -> None:
        return None

    @property
    def _packed_none(self) -> Value:
        return -1 if isinstance(self.item, WholeCodec) else ""

    def encode(self, value: Any) -> Value:
        return self.item.encode(value)

    def decode(self, raw: Value, path: Path, faults: list[Fault]) -> Any:
        return self.item.decode(raw, path, faults)

    def pack(self, value: Any) -> Value:
        return self._packed_none if value is None else self.item.pack(value)

    def unpack(self, raw: Value) -> Any:
        return None if raw == self._packed_none else self.item.unpack(raw)

    def schema(self) -> dict[str, Any]:
        return with_description(self.item.schema(), self.about)


@dataclass(frozen=True, slots=True)
class TextCodec(Codec):
    """A text."""

    about: str = ""
    pattern: Pattern | None = None

    shape = ValueShape.TEXT

    def decode(self, raw: Value, path: Path, faults: list[Fault]) -> str:
        if not isinstance(raw, str):
            self._wrong(raw, "text in quotes", path, faults)
            return ""
        return raw

    def schema(self) -> dict[str, Any]:
        looks = {"pattern": self.pattern.regex} if self.pattern else {}
        return with_description({"type": "string", **looks}, self.about)


_KIND_WORDS: Mapping[type, tuple[str, str]] = {
    int: ("integer", "a whole number"),
    bool: ("boolean", "true or false"),
    str: ("string", "text in quotes"),
    list: ("array", "a list in square brackets"),
    dict: ("object", "a table"),
}
"""The name of each type in a JSON Schema, and in a message."""


@dataclass(frozen=True, slots=True)
class PlainCodec(Codec):
    """A plain value of one of several types, as it is in the file."""

    allowed: Kinds
    about: str = ""

    shape = ValueShape.UNION

    @property
    def nothing(self) -> Any:
        return self.allowed.kinds[0]()

    def decode(self, raw: Value, path: Path, faults: list[Fault]) -> Any:
        if type(raw) not in self.allowed.kinds:
            wanted = join_names((_KIND_WORDS[kind][1] for kind in self.allowed.kinds), "or")
            self._wrong(raw, wanted, path, faults)
            return self.nothing
        return raw

    def schema(self) -> dict[str, Any]:
        kinds = [_KIND_WORDS[kind][0] for kind in self.allowed.kinds]
        return with_description({"type": kinds}, self.about)


_FEW = 6
"""The most numbers in a row that a message lists one by one."""


@dataclass(frozen=True, slots=True)
class ChoiceCodec(Codec):
    """One of a few values."""

    values: tuple[Any, ...]
    about: str = ""

    shape = ValueShape.CHOICE

    @property
    def choices(self) -> tuple[str, ...]:
        return tuple(str(self.encode(value)) for value in self.values)

    def value_of(self, choice: str) -> Value:
        return next(value for value in map(self.encode, self.values) if str(value) == choice)

    def encode(self, value: Any) -> Value:
        return value.value if isinstance(value, StrEnum) else value

    def decode(self, raw: Value, path: Path, faults: list[Fault]) -> Any:
        for value in self.values:
            # 6.0 equals 6 and true equals 1 in Python, but not in a file.
            if value == raw and type(self.encode(value)) is type(raw):
                return value
        # An empty word stands for a key that is left out.
        words = [format_raw(self.encode(value)) for value in self.values if value != ""]
        numbers = {*map(type, self.values)} == {int} and len(words) > _FEW
        run = numbers and self.values == (*range(self.values[0], self.values[-1] + 1),)
        wanted = f"a whole number from {words[0]} to {words[-1]}" if run else join_names(words, "or")
        self._wrong(raw, wanted, path, faults)
        return self.values[0]

    def schema(self) -> dict[str, Any]:
        return with_description({"enum": [self.encode(value) for value in self.values]}, self.about)


@dataclass(frozen=True, slots=True)
class ListCodec(Codec):
    """Several values of one type."""

    item: Codec
    about: str = ""

    shape = ValueShape.LIST

    @property
    def choices(self) -> tuple[str, ...]:
        return self.item.choices

    @property
    def item_codec(self) -> Codec:
        return self.item

    def encode(self, value: Any) -> Value:
        return [self.item.encode(item) for item in value]

    def decode(self, raw: Value, path: Path, faults: list[Fault]) -> tuple[Any, ...]:
        if not isinstance(raw, list):
            self._wrong(raw, "a list in square brackets", path, faults)
            return ()
        read = list[Any]()
        for number, item in enumerate(raw):
            item_faults: list[Fault] = []
            read.append(self.item.decode(item, path, item_faults))
            # The faults of an item name the list, and have the item's number in their path.
            faults += (replace(fault, path=(*path, str(number), *fault.path[len(path) :])) for fault in item_faults)
        return tuple(read)

    def pack(self, value: Any) -> Value:
        return [self.item.pack(item) for item in value]

    def unpack(self, raw: Value) -> tuple[Any, ...]:
        if not isinstance(raw, list):
            raise ValueError(f"{format_raw(raw)} is not a list")
        return tuple(map(self.item.unpack, raw))

    def schema(self) -> dict[str, Any]:
        return with_description({"type": "array", "items": self.item.schema()}, self.about)


@dataclass(frozen=True, slots=True)
class KeyedCodec(Codec):
    """A table of things of one type, by key. `keys`, if given, are the only legal ones."""

    item: Codec
    keys: tuple[Any, ...] | None = None
    about: str = ""

    shape = ValueShape.TABLE

    @property
    def item_codec(self) -> Codec | None:
        return self.item if self.keys is None else None

    @property
    def is_keyed(self) -> bool:
        return True

    def parts(self, value: Any) -> Sequence[tuple[str, Codec, Any]]:
        if self.keys is None:
            return [(key, self.item, item) for key, item in value.items()]
        return [(str(key), self.item, value.get(key, self.item.nothing)) for key in self.keys]

    def encode(self, value: Any) -> Value:
        return {str(key): self.item.encode(item) for key, item in value.items()}

    def decode(self, raw: Value, path: Path, faults: list[Fault]) -> Mapping[Any, Any]:
        if not isinstance(raw, dict):
            self._wrong(raw, "a table", path, faults)
            return {}
        read: dict[Any, Any] = {}
        for key, item in raw.items():
            if self.keys is not None and key not in self.keys:
                legal = ", ".join(str(key) for key in self.keys)
                faults.append(Fault((*path, key), f"{key} is not one of {legal}", grave=False, at_key=True))
                continue
            item_key = key if self.keys is None else self.keys[self.keys.index(key)]
            read[item_key] = self.item.decode(item, (*path, key), faults)
        return read

    def schema(self) -> dict[str, Any]:
        if self.keys is None:
            return with_description({"type": "object", "additionalProperties": self.item.schema()}, self.about)
        return with_description(
            {"type": "object", "properties": {str(k): self.item.schema() for k in self.keys}}, self.about
        )

    def difference(self, before: Any, after: Any, path: Path) -> Iterator[Change]:
        if before is after:
            return
        for key in before:
            if key not in after:
                yield Change((*path, str(key)), self.item.encode(before[key]), None)
        for key, item in after.items():
            if key in before:
                yield from self.item.difference(before[key], item, (*path, str(key)))
            else:
                yield Change((*path, str(key)), None, self.item.encode(item))

    def put(self, value: Any, path: Path, raw: Value | None, at: Path = ()) -> Any:
        if not path:
            return Codec.put(self, value, path, {} if raw is None else raw, at)
        item_key = next((key for key in (self.keys or ()) if key == path[0]), path[0])
        if self.keys is not None and item_key not in self.keys:
            raise ValueError(f"{format_path(at)} has no {path[0]}")
        if raw is None and len(path) == 1:
            return {key: item for key, item in value.items() if key != item_key}
        faults: list[Fault] = []
        current = value[item_key] if item_key in value else self.item.decode({}, at, faults)
        return {**value, item_key: self.item.put(current, path[1:], raw, (*at, path[0]))}
