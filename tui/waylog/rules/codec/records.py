"""Codecs of dataclasses and of unions of them, and `codec`, which finds the codec of a type.

They are in one module because each needs the other: the fields of a record may have any type, and a type may be a record.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import MISSING, Field, fields, is_dataclass, replace
from enum import StrEnum
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from waylog.rules.changes import Change, Path, Value, format_path
from waylog.rules.codec.base import (
    Between,
    Codec,
    Fault,
    InWords,
    Pattern,
    TagKey,
    ValueShape,
    format_raw,
    with_description,
)
from waylog.rules.codec.plain import (
    ChoiceCodec,
    KeyedCodec,
    ListCodec,
    OptionalCodec,
    TextCodec,
    TruthCodec,
    TwoWordsCodec,
    WholeCodec,
)
from waylog.values import NamedTuple, dataclass


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
class RecordCodec(Codec):
    """A frozen dataclass: a table with a key for each field."""

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
            raise ValueError(f"{format_raw(raw)} is not a legal {self.kind.__name__}")
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
        return with_description({"anyOf": [{"type": "string"}, whole]} if short else whole, self.about)

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
class UnionCodec(Codec):
    """A union of records. Each is written as a table, and one key of the table says which record it is."""

    kinds: tuple[RecordCodec, ...]
    optional: bool
    """The value may be None, which is written as an empty table. `pack` can't write None."""
    about: str = ""
    tag_key: str = "is"
    """The key that says which record it is."""

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
        raise ValueError(f"{format_raw(raw)} is not one of {', '.join(str(kind.tag) for kind in self.kinds)}")

    def _record_of(self, value: Any) -> RecordCodec:
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
        return with_description({"oneOf": [kind.schema() for kind in self.kinds]}, self.about)


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
        return TwoWordsCodec(words, about) if words else TruthCodec(about)
    if kind is int:
        return WholeCodec(limits, about)
    if kind is str:
        return TextCodec(about, pattern)
    if origin is Literal:
        return ChoiceCodec(args, about)
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        return ChoiceCodec(tuple(kind), about)
    if origin is tuple and len(args) == 2 and args[1] is Ellipsis:
        return ListCodec(codec(args[0]), about)
    if origin is Mapping or origin is getattr(types, "MappingProxyType", None):
        keys = tuple(args[0]) if isinstance(args[0], type) and issubclass(args[0], StrEnum) else None
        return KeyedCodec(codec(args[1]), keys, about)
    if origin in (Union, types.UnionType):
        key = next((extra.key for extra in extras if isinstance(extra, TagKey)), "is")
        return _union(args, key, about)
    if is_dataclass(kind) and isinstance(kind, type):
        return RecordCodec(kind, about)
    allowed = "bool, int, str, Literal, StrEnum, a frozen dataclass, tuple[T, ...], Mapping[str, T] and unions of these"
    raise TypeError(f"{kind!r} can't be the type of a field. A field can be {allowed}")


def _union(args: Sequence[Any], key: str, about: str) -> Codec:
    """Return the codec of a union: records identified by their tags, or one plain value; either may be None."""
    kinds, optional = [arg for arg in args if arg is not types.NoneType], types.NoneType in args
    if len(kinds) == 1 and not is_dataclass(kinds[0]):
        return OptionalCodec(codec(kinds[0]), about)
    return UnionCodec(_tagged_records(kinds, key), optional, about, key)


def _tagged_records(kinds: Sequence[Any], key: str) -> tuple[RecordCodec, ...]:
    """Return the members of a union. Raises `TypeError` if a tag is missing or used twice."""
    records = tuple(RecordCodec(kind, tag=vars(kind).get("TAG"), tag_key=key) for kind in kinds)
    tags = [record.tag for record in records]
    for record in records:
        if record.tag is None or tags.count(record.tag) > 1:
            raise TypeError(
                f"{record.kind.__qualname__} is a member of a union: it needs a TAG that no other member has"
            )
    return records


@cache
def _field_codecs(kind: type) -> Mapping[str, Codec]:
    hints: dict[str, Any] = {}
    for base in reversed(kind.__mro__):
        hints |= _evaluate_annotations(base)
    return {field.name: codec(hints[field.name]) for field in fields(kind)}


def _evaluate_annotations(kind: type) -> dict[str, Any]:
    """Return the types of what a class declares.

    `get_type_hints` compiles each annotation by itself, which takes ten times as long. It runs the same text: our own.
    """
    declared: dict[str, Any] = dict(vars(kind).get("__annotations__", {}))
    texts = {name: text for name, text in declared.items() if isinstance(text, str)}
    types = eval(f"[{','.join(texts.values())}]", vars(sys.modules[kind.__module__]))  # noqa: S307
    return declared | dict(zip(texts, types, strict=True))


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
