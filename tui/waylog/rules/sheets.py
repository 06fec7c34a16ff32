"""Sheets are frozen dataclasses; this module takes them to plain TOML values and back, and tells two of them apart.

A field's type says what is legal: `Annotated[int, Between(0, 3, "VK-04")]`, `Annotated[bool, "Seen by the players"]`,
`Literal[1, 2]`, an enum of words, `tuple[X, ...]`, `Mapping[str, X]`, another dataclass or a union of dataclasses.
Every field has a default: what a person leaves out of the file is as on a fresh sheet. What Waylog adds to a file is
written without its defaults, but for the fields that a class names in `ALWAYS_WRITTEN`, and as a block with a header
unless the class says `ON_A_LINE`. Where a class names one text
field as `SHORT`, that text may stand for the whole table, in files that are only read.

The members of a union are told apart by the key `is`. Each class declares its value as `TAG = "…"`. A tag is part of the file
format: it never changes, whatever the class is called and wherever it is.

The log and the players' file use the same codecs. For them, a field may have no default: it is always written, and has to be
there. A field that may be None is left out when it is. A class may write its fields under other keys, or in another order
(`KEYS`). `Codec.pack` writes a value as a list without keys, and of a class only the fields in `PACKED`.
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
    """The legal range of a whole number, both ends in it, and the clause that says so. Without `most` it has no upper end."""

    least: int
    most: int | None
    clause: str | None = None


@dataclass(frozen=True, slots=True)
class Pattern:
    """What a text has to look like, as a regular expression for editors. The game's own check says what is wrong with it."""

    regex: str


@dataclass(frozen=True, slots=True)
class InWords:
    """A truth is written as one of two words."""

    no: str
    yes: str


@dataclass(frozen=True, slots=True)
class TagKey:
    """The key that tells the members of a union apart, where it isn't `is`."""

    key: str


@dataclass(frozen=True, slots=True)
class Fault:
    """Something wrong in a tree. A `grave` one can't be read at all; another can be played on but breaks a clause."""

    path: Path
    message: str
    clause: str | None = None
    grave: bool = True
    at_key: bool = False
    """The key is what is wrong, and not the value."""
    lacking: bool = False
    """Nothing is wrong yet, but something else has still to be said."""
    unfinished: bool = False
    """It is of something that is still being made: the check names it, and a game under way is not disturbed by it."""


class Codec:
    """How one type is written as a TOML value, read from one, and described to an editor."""

    about = ""

    @property
    def nothing(self) -> Any:
        """What stands for a value that is not there."""
        return self.decode({}, (), [])

    def encode(self, value: Any) -> Value:
        """The plain value. Fields that stand at their default are left out of tables."""
        return value

    def decode(self, raw: Value, path: Path, faults: list[Fault]) -> Any:
        """The value. What is wrong goes to `faults`, and something legal is given in its place."""
        raise NotImplementedError

    def pack(self, value: Any) -> Value:
        """The value without the keys of its records, for files that nobody edits."""
        return self.encode(value)

    def unpack(self, raw: Value) -> Any:
        """What `pack` wrote; fields that are not in it stand at their default. Raises `ValueError`."""
        faults: list[Fault] = []
        value = self.decode(raw, (), faults)
        if faults:
            raise ValueError(faults[0].message)
        return value

    def schema(self) -> dict[str, Any]:
        """JSON Schema."""
        raise NotImplementedError

    def difference(self, before: Any, after: Any, path: Path) -> Iterator[Change]:
        if before != after:
            yield Change(path, self.encode(before), self.encode(after))

    def put(self, value: Any, path: Path, raw: Value | None, at: Path = ()) -> Any:  # noqa: ARG002 - kinds that hold others need it
        """`value` with the part at `path` set to `raw` (None takes it away). Raises `ValueError` when that can't be."""
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
            raise ValueError(f"{_format_raw(raw)} is neither true nor false")
        return raw

    def schema(self) -> dict[str, Any]:
        return _with_description({"enum": [self.words.no, self.words.yes]}, self.about)


@dataclass(frozen=True, slots=True)
class _Optional(Codec):
    """A plain value or None, which a record leaves out. Packed, None is what no such value is: an empty text, or −1."""

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

    def encode(self, value: Any) -> Value:
        return value.value if isinstance(value, StrEnum) else value

    def decode(self, raw: Value, path: Path, faults: list[Fault]) -> Any:
        for value in self.values:
            # 6.0 and true equal 6 and 1, and are something else in a file.
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
            raise ValueError(f"{_format_raw(raw)} is no list")
        return tuple(map(self.item.unpack, raw))

    def _item(self, number: int, raw: Value, path: Path, faults: list[Fault]) -> Any:
        """An item; what is wrong in it is worded as of the list, and lies at its number."""
        item_faults: list[Fault] = []
        read = self.item.decode(raw, path, item_faults)
        if item_faults:
            faults += (replace(fault, path=(*path, str(number), *fault.path[len(path) :])) for fault in item_faults)
        return read

    def schema(self) -> dict[str, Any]:
        return _with_description({"type": "array", "items": self.item.schema()}, self.about)


@dataclass(frozen=True, slots=True)
class _Keyed(Codec):
    """A table of things of one kind, known by their key. `keys`, if given, are the only legal ones."""

    item: Codec
    keys: tuple[Any, ...] | None = None
    about: str = ""

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
    """What it is called in a file."""
    name: str
    codec: Codec
    default: Any
    is_required: bool
    """It has no default, and None can't stand for it."""
    is_always_written: bool


@dataclass(frozen=True, slots=True)
class _Record(Codec):
    kind: type
    about: str = ""
    tag: str | None = None
    """What tells it apart from the other members of a union."""
    tag_key: str = "is"

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
            raise ValueError(f"{_format_raw(raw)} is no {self.kind.__name__}")
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
                        f"{format_path((key,))} is not known {f'in {format_path(path)}' if path else 'here'} and is left alone (known: {known})",
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
    """A union of records, which the key `is` or another tells apart. None is an empty table."""

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
        raise ValueError(f"{_format_raw(raw)} is none of {', '.join(str(kind.tag) for kind in self.kinds)}")

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
    """The codec of a type. Raises `TypeError` for a type that no sheet may use."""
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
    """Some records, told apart by their tags; or one plain value. Either may be None."""
    kinds, optional = [arg for arg in args if arg is not types.NoneType], types.NoneType in args
    if len(kinds) == 1 and not is_dataclass(kinds[0]):
        return _Optional(codec(kinds[0]), about)
    return _Either(_tagged_records(kinds, key), optional, about, key)


def _tagged_records(kinds: Sequence[Any], key: str) -> tuple[_Record, ...]:
    """The members of a union. Raises `TypeError` where one has no tag of its own or two have the same one."""
    records = tuple(_Record(kind, tag=vars(kind).get("TAG"), tag_key=key) for kind in kinds)
    tags = [record.tag for record in records]
    for record in records:
        if record.tag is None or tags.count(record.tag) > 1:
            raise TypeError(f"{record.kind.__qualname__} stands in a union: it needs a TAG that no other member has")
    return records


@cache
def _field_codecs(kind: type) -> Mapping[str, Codec]:
    hints = get_type_hints(kind, include_extras=True)
    return {field.name: codec(hints[field.name]) for field in fields(kind)}


@cache
def _parts(kind: type) -> Mapping[str, _Part]:
    """The fields of a record by the keys that they have in a file, in the order of the file."""
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
    """The fields without a default. Those that may be None need not be in a file."""
    fields_by_name = {field.name: field for field in fields(kind)}
    return tuple(part for part in _parts(kind).values() if _has_no_default(fields_by_name[part.name]))


@cache
def _packed_codecs(kind: type) -> Sequence[tuple[str, Codec]]:
    codecs = _field_codecs(kind)
    return tuple((name, codecs[name]) for name in getattr(kind, "PACKED", codecs))


@cache
def _blank(kind: type) -> Any:
    """The record with every field at its default, and those that have none at nothing."""
    codecs = _field_codecs(kind)
    return kind(**{field.name: codecs[field.name].nothing for field in fields(kind) if _has_no_default(field)})


def _has_no_default(field: Field[Any]) -> bool:
    return field.default is MISSING and field.default_factory is MISSING


def on_a_line(value_codec: Codec, path: Path) -> bool:
    """What stands at `path` is a table that is added to a file as one line, `key = { … }`: its class is `ON_A_LINE`."""
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
    """A value set by hand adds an entry only where it says what the new entry is called.

    That is the first field of an entry, or the whole value of one that has no fields. Anything else under a key that
    isn't there is a slip. Raises `ValueError`, which names the key that was probably meant.
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
"""As many keys are named as can be taken in at a glance."""


def _instead_of(key: str, where: Path, entries: Mapping[str, Any]) -> str:
    """Which entry was probably meant, or which ones there are: the rest of a sentence."""
    from difflib import get_close_matches  # a start does without it

    called = {str(getattr(entry, "name", "")).lower(): known for known, entry in entries.items()}
    called |= {known.lower(): known for known in entries}
    if close := get_close_matches(key.lower(), called, 1):
        return f". Did you mean {format_path((*where, called[close[0]]))}?"
    known = ", ".join(format_path((known,)) for known in [*entries][:_FEW]) + (" …" if len(entries) > _FEW else "")
    return f", only {known}." if known else "."


def read(kind: type, tree: Mapping[str, Value], path: Path = ()) -> tuple[Any, Sequence[Fault]]:
    """The sheet of that kind in `tree`, and everything that is wrong with it. Unknown keys are faults that aren't grave."""
    faults: list[Fault] = []
    return codec(kind).decode(dict(tree), path, faults), faults


def write(value: Any) -> dict[str, Value]:
    """The sheet as plain values, without what stands at its default."""
    encoded: dict[str, Value] = codec(type(value)).encode(value)
    return encoded


def difference(before: Any, after: Any) -> tuple[Change, ...]:
    """What is different in `after`, in the order of the fields. Both are of one dataclass."""
    return tuple(codec(type(before)).difference(before, after, ()))


def apply_changes(value: Any, changes: Sequence[Change]) -> Any:
    """`value` after the changes. Raises `ValueError` where one can't be made."""
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
