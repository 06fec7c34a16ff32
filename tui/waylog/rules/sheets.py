"""Convert sheets, which are frozen dataclasses, to plain TOML values and back, and compare them.

The type of a field says what is legal: `Annotated[int, Between(0, 3, "VK-04")]`, `Annotated[bool, "Visible to
players"]`, `Literal[1, 2]`, an enum of words, `tuple[X, ...]`, `Mapping[str, X]`, another dataclass or a union of
dataclasses. Every field has a default, which is used if the file leaves it out.

When Waylog adds something to a file, it leaves out defaults, except for the fields in the class attribute
`ALWAYS_WRITTEN`. It writes a block with a header unless the class says `ON_A_LINE`. If a class names one text field as
`SHORT`, that text may replace the whole table, in files that Waylog only reads.

The key `is` says which member of a union a table is. Each member declares its value as `TAG = "…"`. Tags are part of
the file format: they never change, even if a class is renamed or moved.

The log and the players' file use the same codecs. There, a field may have no default: it is always written and
required. A field that may be None is left out when it is None. A class may give its fields other keys, or another order
(`KEYS`). `Codec.pack` writes a value as a list without keys, with only the fields in `PACKED` of each class.
"""

from __future__ import annotations

import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass, replace
from enum import StrEnum
from functools import cache
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from waylog.rules.changes import Change, Path, Value, format_path
from waylog.values import dataclass


@dataclass(frozen=True, slots=True)
class Between:
    """The legal range of a whole number, inclusive, with its clause. Without `most` there is no upper limit."""

    least: int
    most: int | None
    clause: str | None = None


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
        """Return the value. Problems are added to `faults`; a legal value replaces what is wrong."""
        raise NotImplementedError

    def pack(self, value: Any) -> Value:
        """Return the value without the keys of its records, for files that nobody edits."""
        return self.encode(value)

    def unpack(self, raw: Value) -> Any:
        """Read what `pack` returned. Missing fields get their default. Raises `ValueError`."""
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
                raise ValueError(fault.message)
        return new

    def _wrong(self, raw: Value, wanted: str, path: Path, faults: list[Fault]) -> None:
        faults.append(Fault(path, f"{format_path(path[-1:])} is {_format_raw(raw)}; it should be {wanted}"))


@dataclass(frozen=True, slots=True)
class _Whole(Codec):
    range: Between | None = None
    about: str = ""

    shape = ValueShape.NUMBER

    @property
    def limits(self) -> Between | None:
        return self.range

    def decode(self, raw: Value, path: Path, faults: list[Fault]) -> int:
        span = self.range
        limits = "" if span is None else f" from {span.least}" + (" up" if span.most is None else f" to {span.most}")
        wanted = f"a whole number{limits}"
        if not isinstance(raw, int) or isinstance(raw, bool):
            self._wrong(raw, wanted, path, faults)
            return span.least if span else 0
        if abs(raw) >= 2**63:
            self._wrong("too large a number", wanted, path, faults)
            return span.least if span else 0
        if span and (raw < span.least or (span.most is not None and raw > span.most)):
            message = f"{format_path(path[-1:])} is {raw}; it should be {wanted}"
            faults.append(Fault(path, message, span.clause, grave=False))
        return raw

    def schema(self) -> dict[str, Any]:
        limits = {"minimum": self.range.least} if self.range else {}
        if self.range and self.range.most is not None:
            limits["maximum"] = self.range.most
        return _with_description({"type": "integer", **limits}, self.about)


@dataclass(frozen=True, slots=True)
class _Truth(Codec):
    about: str = ""

    shape = ValueShape.SWITCH

    def decode(self, raw: Value, path: Path, faults: list[Fault]) -> bool:
        if not isinstance(raw, bool):
            self._wrong(raw, "true or false", path, faults)
            return False
        return raw

    def schema(self) -> dict[str, Any]:
        return _with_description({"type": "boolean"}, self.about)


@dataclass(frozen=True, slots=True)
class _TruthInWords(Codec):
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
            raise ValueError(f"{_format_raw(raw)} is not true or false")
        return raw

    def schema(self) -> dict[str, Any]:
        return _with_description({"enum": [self.words.no, self.words.yes]}, self.about)


@dataclass(frozen=True, slots=True)
class _Optional(Codec):
    """A plain value or None. A record leaves None out; `pack` writes a value that can't occur, an empty text or −1."""

    item: Codec
    about: str = ""

    @property
    def nothing(self) -> None:
        return None

    @property
    def _packed_none(self) -> Value:
        return -1 if isinstance(self.item, _Whole) else ""

    def encode(self, value: Any) -> Value:
        return self.item.encode(value)

    def decode(self, raw: Value, path: Path, faults: list[Fault]) -> Any:
        return self.item.decode(raw, path, faults)

    def pack(self, value: Any) -> Value:
        return self._packed_none if value is None else self.item.pack(value)

    def unpack(self, raw: Value) -> Any:
        return None if raw == self._packed_none else self.item.unpack(raw)

    def schema(self) -> dict[str, Any]:
        return _with_description(self.item.schema(), self.about)


@dataclass(frozen=True, slots=True)
class _Text(Codec):
    about: str = ""
    pattern: Pattern | None = None

    shape = ValueShape.TEXT

    def decode(self, raw: Value, path: Path, faults: list[Fault]) -> str:
        if not isinstance(raw, str):
            self._wrong(raw, "a text in quotes", path, faults)
            return ""
        return raw

    def schema(self) -> dict[str, Any]:
        looks = {"pattern": self.pattern.regex} if self.pattern else {}
        return _with_description({"type": "string", **looks}, self.about)


@dataclass(frozen=True, slots=True)
class _OneOf(Codec):
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
        self._wrong(raw, "one of " + ", ".join(_format_raw(self.encode(value)) for value in self.values), path, faults)
        return self.values[0]

    def schema(self) -> dict[str, Any]:
        return _with_description({"enum": [self.encode(value) for value in self.values]}, self.about)


@dataclass(frozen=True, slots=True)
class _Many(Codec):
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
        return tuple(self._item(number, item, path, faults) for number, item in enumerate(raw))

    def pack(self, value: Any) -> Value:
        return [self.item.pack(item) for item in value]

    def unpack(self, raw: Value) -> tuple[Any, ...]:
        if not isinstance(raw, list):
            raise ValueError(f"{_format_raw(raw)} is not a list")
        return tuple(map(self.item.unpack, raw))

    def _item(self, number: int, raw: Value, path: Path, faults: list[Fault]) -> Any:
        """Return one item of a list. Its faults name the list, and have the item's number in their path."""
        item_faults: list[Fault] = []
        read = self.item.decode(raw, path, item_faults)
        if item_faults:
            faults += (replace(fault, path=(*path, str(number), *fault.path[len(path) :])) for fault in item_faults)
        return read

    def schema(self) -> dict[str, Any]:
        return _with_description({"type": "array", "items": self.item.schema()}, self.about)


@dataclass(frozen=True, slots=True)
class _Keyed(Codec):
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
            return _with_description({"type": "object", "additionalProperties": self.item.schema()}, self.about)
        return _with_description(
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


class _Part(NamedTuple):
    """A field of a record."""

    key: str
    """Its key in a file."""
    name: str
    codec: Codec
    default: Any
    is_required: bool
    """It has no default and can't be None."""
    is_always_written: bool


@dataclass(frozen=True, slots=True)
class _Record(Codec):
    kind: type
    about: str = ""
    tag: str | None = None
    """The tag that identifies it among the members of a union."""
    tag_key: str = "is"

    shape = ValueShape.TABLE

    def parts(self, value: Any) -> Sequence[tuple[str, Codec, Any]]:
        return [(name, item, getattr(value, name)) for name, item in self.codecs.items()]

    @property
    def codecs(self) -> Mapping[str, Codec]:
        return _field_codecs(self.kind)

    @property
    def blank(self) -> Any:
        return _blank(self.kind)

    def encode(self, value: Any) -> Value:
        tree: dict[str, Value] = {self.tag_key: self.tag} if self.tag else {}
        for part in _parts(self.kind).values():
            field_value = getattr(value, part.name)
            if part.is_always_written or field_value != part.default:
                tree[part.key] = part.codec.encode(field_value)
        return tree

    def pack(self, value: Any) -> Value:
        packed = [codec.pack(getattr(value, name)) for name, codec in self._pack_values]
        return [self.tag, *packed] if self.tag else packed

    def unpack(self, raw: Value) -> Any:
        values = raw[1:] if self.tag and isinstance(raw, list) else raw
        if not isinstance(values, list) or len(values) != len(self._pack_values):
            raise ValueError(f"{_format_raw(raw)} is not a legal {self.kind.__name__}")
        read = {name: codec.unpack(value) for (name, codec), value in zip(self._pack_values, values, strict=True)}
        return replace(self.blank, **read)

    @property
    def _pack_values(self) -> Sequence[tuple[str, Codec]]:
        return _packed_codecs(self.kind)

    def decode(self, raw: Value, path: Path, faults: list[Fault]) -> Any:
        if not isinstance(raw, dict):
            short = getattr(self.kind, "SHORT", None)
            if short and isinstance(raw, str):
                return replace(self.blank, **{short: raw})
            self._wrong(raw, "a text or a table" if short else "a table", path, faults)
            return self.blank
        parts = _parts(self.kind)
        read = {}
        for key, value in raw.items():
            if part := parts.get(key):
                read[part.name] = part.codec.decode(value, (*path, key), faults)
            elif not (self.tag and key == self.tag_key):
                known = ", ".join(parts)
                faults.append(
                    Fault(
                        (*path, key),
                        f"unknown key {format_path((key,))}{f' in {format_path(path)}' if path else ''}, ignored (known keys: "
                        f"{known})",
                        grave=False,
                        at_key=True,
                    )
                )
        for part in _without_default(self.kind):
            if part.name not in read:
                read[part.name] = part.default
                if part.is_required:
                    faults.append(Fault(path, f"{part.key} is missing"))
        return self.kind(**read)

    def schema(self) -> dict[str, Any]:
        known: dict[str, Any] = {self.tag_key: {"const": self.tag}} if self.tag else {}
        known |= {part.key: part.codec.schema() for part in _parts(self.kind).values()}
        whole = {"type": "object", "properties": known}
        short = hasattr(self.kind, "SHORT")
        return _with_description({"anyOf": [{"type": "string"}, whole]} if short else whole, self.about)

    def difference(self, before: Any, after: Any, path: Path) -> Iterator[Change]:
        if before is after:
            return
        for name, codec in self.codecs.items():
            yield from codec.difference(getattr(before, name), getattr(after, name), (*path, name))

    def put(self, value: Any, path: Path, raw: Value | None, at: Path = ()) -> Any:
        if not path:
            return Codec.put(self, value, path, {} if raw is None else raw, at)
        codec = self.codecs.get(path[0])
        if codec is None:
            raise ValueError(f"{format_path(at) or 'the campaign'} has no {path[0]}")
        if raw is None and len(path) == 1:
            return replace(value, **{path[0]: getattr(self.blank, path[0])})
        return replace(value, **{path[0]: codec.put(getattr(value, path[0]), path[1:], raw, (*at, path[0]))})


@dataclass(frozen=True, slots=True)
class _Either(Codec):
    """A union of records. The key `is`, or another, says which. None is an empty table."""

    kinds: tuple[_Record, ...]
    optional: bool
    about: str = ""
    tag_key: str = "is"

    def encode(self, value: Any) -> Value:
        if value is None:
            return {}
        return self._record_of(value).encode(value)

    def pack(self, value: Any) -> Value:
        return self._record_of(value).pack(value)

    def unpack(self, raw: Value) -> Any:
        tag = raw[0] if isinstance(raw, list) and raw else None
        for kind in self.kinds:
            if kind.tag == tag:
                return kind.unpack(raw)
        raise ValueError(f"{_format_raw(raw)} is not one of {', '.join(str(kind.tag) for kind in self.kinds)}")

    def _record_of(self, value: Any) -> _Record:
        for kind in self.kinds:
            if kind.kind is type(value):
                return kind
        members = " | ".join(kind.kind.__qualname__ for kind in self.kinds)
        raise TypeError(f"{type(value).__qualname__} is not in the union {members}")

    def decode(self, raw: Value, path: Path, faults: list[Fault]) -> Any:
        if isinstance(raw, dict):
            if not raw and self.optional:
                return None
            for kind in self.kinds:
                if kind.tag == raw.get(self.tag_key):
                    return kind.decode(raw, path, faults)
        names = ", ".join(str(kind.tag) for kind in self.kinds)
        self._wrong(raw, f"a table whose `{self.tag_key}` is one of {names}", path, faults)
        return None if self.optional else self.kinds[0].blank

    def schema(self) -> dict[str, Any]:
        return _with_description({"oneOf": [kind.schema() for kind in self.kinds]}, self.about)


def codec(kind: Any) -> Codec:
    """Return the codec of a type. Raises `TypeError` for a type that no sheet may use."""
    return _codec(kind)


@cache
def _codec(kind: Any) -> Codec:
    extras: list[Any] = []
    if get_origin(kind) is Annotated:
        kind, *extras = get_args(kind)
    about = next((extra for extra in extras if isinstance(extra, str)), "")
    limits = next((extra for extra in extras if isinstance(extra, Between)), None)
    pattern = next((extra for extra in extras if isinstance(extra, Pattern)), None)
    words = next((extra for extra in extras if isinstance(extra, InWords)), None)
    origin, args = get_origin(kind), get_args(kind)
    if kind is bool:
        return _TruthInWords(words, about) if words else _Truth(about)
    if kind is int:
        return _Whole(limits, about)
    if kind is str:
        return _Text(about, pattern)
    if origin is Literal:
        return _OneOf(args, about)
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return _OneOf(tuple(kind), about)
    if origin is tuple and len(args) == 2 and args[1] is Ellipsis:
        return _Many(codec(args[0]), about)
    if origin is Mapping or origin is getattr(types, "MappingProxyType", None):
        keys = tuple(args[0]) if isinstance(args[0], type) and issubclass(args[0], StrEnum) else None
        return _Keyed(codec(args[1]), keys, about)
    if origin in (Union, types.UnionType):
        key = next((extra.key for extra in extras if isinstance(extra, TagKey)), "is")
        return _union(args, key, about)
    if is_dataclass(kind) and isinstance(kind, type):
        return _Record(kind, about)
    allowed = "bool, int, str, Literal, StrEnum, a frozen dataclass, tuple[T, ...], Mapping[str, T] and unions of these"
    raise TypeError(f"{kind!r} can't be the type of a field. A field can be {allowed}")


def _union(args: Sequence[Any], key: str, about: str) -> Codec:
    """Return the codec of a union: records identified by their tags, or one plain value; either may be None."""
    kinds, optional = [arg for arg in args if arg is not types.NoneType], types.NoneType in args
    if len(kinds) == 1 and not is_dataclass(kinds[0]):
        return _Optional(codec(kinds[0]), about)
    return _Either(_tagged_records(kinds, key), optional, about, key)


def _tagged_records(kinds: Sequence[Any], key: str) -> tuple[_Record, ...]:
    """Return the members of a union. Raises `TypeError` if a tag is missing or used twice."""
    records = tuple(_Record(kind, tag=vars(kind).get("TAG"), tag_key=key) for kind in kinds)
    tags = [record.tag for record in records]
    for record in records:
        if record.tag is None or tags.count(record.tag) > 1:
            raise TypeError(
                f"{record.kind.__qualname__} is a member of a union: it needs a TAG that no other member has"
            )
    return records


@cache
def _field_codecs(kind: type) -> Mapping[str, Codec]:
    hints = get_type_hints(kind, include_extras=True)
    return {field.name: codec(hints[field.name]) for field in fields(kind)}


@cache
def _parts(kind: type) -> Mapping[str, _Part]:
    """Return the fields of a record by their keys in a file, in the order of the file."""
    codecs, blank, fields_by_name = _field_codecs(kind), _blank(kind), {field.name: field for field in fields(kind)}
    always = getattr(kind, "ALWAYS_WRITTEN", ())
    found = {}
    for key, name in getattr(kind, "KEYS", {name: name for name in codecs}).items():
        default = getattr(blank, name)
        required = _has_no_default(fields_by_name[name]) and default is not None
        found[key] = _Part(key, name, codecs[name], default, required, required or name in always)
    return found


@cache
def _without_default(kind: type) -> Sequence[_Part]:
    """Return the required fields. Those that may be None are not required."""
    fields_by_name = {field.name: field for field in fields(kind)}
    return tuple(part for part in _parts(kind).values() if _has_no_default(fields_by_name[part.name]))


@cache
def _packed_codecs(kind: type) -> Sequence[tuple[str, Codec]]:
    codecs = _field_codecs(kind)
    return tuple((name, codecs[name]) for name in getattr(kind, "PACKED", codecs))


@cache
def _blank(kind: type) -> Any:
    """Return the record with every field at its default, and required fields at nothing."""
    codecs = _field_codecs(kind)
    return kind(**{field.name: codecs[field.name].nothing for field in fields(kind) if _has_no_default(field)})


def _has_no_default(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def on_a_line(value_codec: Codec, path: Path) -> bool:
    """Whether a new table at `path` is written as one line, `key = { … }`: its class is `ON_A_LINE`."""
    for part in path:
        match value_codec:
            case _Keyed():
                value_codec = value_codec.item
            case _Record() if part in value_codec.codecs:
                value_codec = value_codec.codecs[part]
            case _:
                return False
    return isinstance(value_codec, _Record) and getattr(value_codec.kind, "ON_A_LINE", False)


def check_keys(value_codec: Codec, value: Any, path: Path, raw: Value | None, at: Path = ()) -> None:
    """Raise `ValueError` for a misspelt key, naming the key that was probably meant.

    A value set by hand adds an entry only if it gives the entry's name: its first field, or the whole value if it has
    no fields. Any other unknown key is a typing error.
    """
    for place, part in enumerate(path):
        match value_codec:
            case _Record() if part in value_codec.codecs:
                value_codec, value = value_codec.codecs[part], getattr(value, part)
            case _Keyed() if value_codec.keys is not None and part in value_codec.keys:
                value = value[part] if part in value else value_codec.item.decode({}, (), [])
                value_codec = value_codec.item
            case _Keyed() if part in value:
                value_codec, value = value_codec.item, value[part]
            case _Keyed() if value_codec.keys is None and isinstance(value_codec.item, _Record):
                first = next(iter(value_codec.item.codecs))
                if path[place + 1 :] == (first,) and raw != "":
                    return
                where, new = (*at, *path[:place]), format_path((*at, *path[: place + 1]))
                raise ValueError(f"there is no {new}{_instead_of(part, where, value)} To add it, set {new}.{first}")
            case _:
                return


_FEW = 6
"""The most keys that a message lists."""


def _instead_of(key: str, where: Path, entries: Mapping[str, Any]) -> str:
    """Return the end of a sentence: the key that was probably meant, or the keys that exist."""
    from difflib import get_close_matches  # Start-up doesn't need this module.

    called = {str(getattr(entry, "name", "")).lower(): known for known, entry in entries.items()}
    called |= {known.lower(): known for known in entries}
    if close := get_close_matches(key.lower(), called, 1):
        return f". Did you mean {format_path((*where, called[close[0]]))}?"
    known = ", ".join(format_path((known,)) for known in [*entries][:_FEW]) + (" …" if len(entries) > _FEW else "")
    return f", only {known}." if known else "."


def read(kind: type, tree: Mapping[str, Value], path: Path = ()) -> tuple[Any, Sequence[Fault]]:
    """Read a sheet of that type from `tree`. Return it with all faults. Unknown keys are faults that aren't grave."""
    faults: list[Fault] = []
    return codec(kind).decode(dict(tree), path, faults), faults


def write(value: Any) -> dict[str, Value]:
    """Return the sheet as plain values, without defaults."""
    encoded: dict[str, Value] = codec(type(value)).encode(value)
    return encoded


def difference(before: Any, after: Any) -> tuple[Change, ...]:
    """Return the changes from `before` to `after`, in the order of the fields. Both have the same type."""
    return tuple(codec(type(before)).difference(before, after, ()))


def apply_changes(value: Any, changes: Sequence[Change]) -> Any:
    """Return `value` after the changes. Raises `ValueError` if one can't be made."""
    value_codec = codec(type(value))
    for change in changes:
        value = value_codec.put(value, change.path, change.after)
    return value


def _with_description(schema: dict[str, Any], about: str) -> dict[str, Any]:
    return {"description": about, **schema} if about else schema


def _format_raw(raw: Value) -> str:
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
