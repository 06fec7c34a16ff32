"""Codecs of dataclasses and of unions of them, and `codec`, which finds the codec of a type.

They are in one module because each needs the other: the fields of a record may have any type, and a type may be a record.

Read, write, compare and change sheets. A sheet is what lasts of a game: a frozen dataclass with a codec (`codec/`).

`Game` calls these functions for campaign files and acts. Paths lead from the sheet to a value: `("crew", "mara", "vitality")`.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache
from typing import Annotated, Any, Literal, Union, get_args, get_origin

from waylog.rules.codec.base_and_limits import (
    Asked,
    Between,
    Codec,
    Count,
    Fault,
    InWords,
    Kinds,
    Pattern,
    TagKey,
    ValueShape,
    find_excess,
    format_raw,
    with_description,
)
from waylog.rules.codec.changes import Change, Path, Value, format_path, slug
from waylog.rules.codec.values_and_lists import (
    ChoiceCodec,
    KeyedCodec,
    ListCodec,
    OptionalCodec,
    ParsedCodec,
    PlainCodec,
    TextCodec,
    TruthCodec,
    TwoWordsCodec,
    WholeCodec,
)
from waylog.values import MISSING, NamedTuple, dataclass, fields, is_dataclass, replace


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

    def label_of(self, key: str) -> str:
        labels: Mapping[str, str] = getattr(self.kind, "LABELS", {})
        return labels.get(key, "")

    def time_to_ask(self, key: str) -> Asked:
        if key in getattr(self.kind, "IN_PLAY", ()):
            return Asked.NEVER
        first = getattr(self.kind, "ASKED_FIRST", (key,))
        return Asked.FIRST if key in first else Asked.LATER

    def must_choose(self, key: str) -> bool:
        return key in getattr(self.kind, "MUST_CHOOSE", ())

    def needs(self, key: str) -> tuple[str, str] | None:
        needed: Mapping[str, tuple[str, str]] = getattr(self.kind, "ONLY_WITH", {})
        return needed.get(key)

    def about_character(self, key: str) -> str:
        abouts: Mapping[str, str] = getattr(self.kind, "CHARACTERS", {})
        return abouts.get(key, "")

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
            raise ValueError(f"{format_raw(raw)} is not a valid {self.kind.__name__}")
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
            self._wrong(raw, "text or a table" if short else "a table", path, faults)
            return self.blank
        names = names_by_key(self.kind)
        read = {}
        for key, value in raw.items():
            if name := names.get(key):
                read[name] = _field_codec(self.kind, name).decode(value, (*path, key), faults)
            elif not (self.tag and key == self.tag_key):
                unknown = f"unknown key {format_path((key,))}{f' in {format_path(path)}' if path else ''}, so Waylog ignores it"
                text = f"{unknown} (known keys: {', '.join(names)})"
                faults.append(Fault((*path, key), text, grave=False, at_key=True, known=(*names,)))
        for part in _without_default(self.kind):
            if part.name not in read:
                read[part.name] = part.default
                if part.is_required:
                    faults.append(Fault(path, f"{part.key} is missing"))
        return self.kind(**read)

    def schema(self) -> dict[str, Any]:
        name = getattr(self.kind, "SCHEMA_NAME", "")
        return {"$ref": f"#/$defs/{name}"} if name else self.whole_schema()

    def whole_schema(self) -> dict[str, Any]:
        """Return the JSON Schema, also of a class that has a `SCHEMA_NAME` because it may hold others of its kind."""
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
    """The value may be None, which is written as an empty table, and by `pack` as an empty list."""
    about: str = ""
    tag_key: str = "is"
    """The key that says which record it is."""

    def encode(self, value: Any) -> Value:
        if value is None:
            return {}
        return self._record_of(value).encode(value)

    def pack(self, value: Any) -> Value:
        return [] if value is None and self.optional else self._record_of(value).pack(value)

    def unpack(self, raw: Value) -> Any:
        if self.optional and raw == []:
            return None
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
        self._wrong(raw, f"a table with `{self.tag_key}` set to one of {names}", path, faults)
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
    if kinds := next((extra for extra in extras if isinstance(extra, Kinds)), None):
        return PlainCodec(kinds, about)
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
    if isinstance(kind, type) and (is_dataclass(kind) or hasattr(kind, "parse")):
        return RecordCodec(kind, about) if is_dataclass(kind) else ParsedCodec(kind)
    allowed = "bool, int, str, Literal, StrEnum, a frozen dataclass of waylog.values, tuple[T, ...], Mapping[str, T] and unions of these"
    raise TypeError(f"{kind!r} can't be the type of a field. A field can be {allowed}")


def _union(args: Sequence[Any], key: str, about: str) -> Codec:
    """Return the codec of a union: records identified by their tags, or one plain value or record; either may be None.

    Raises `TypeError` if a tag is missing or used twice.
    """
    kinds, optional = [arg for arg in args if arg is not types.NoneType], types.NoneType in args
    if len(kinds) == 1 and not hasattr(kinds[0], "TAG"):
        return OptionalCodec(codec(kinds[0]), about)
    records = tuple(RecordCodec(kind, tag=vars(kind).get("TAG"), tag_key=key) for kind in kinds)
    tags = [record.tag for record in records]
    for record in records:
        if record.tag is None or tags.count(record.tag) > 1:
            raise TypeError(
                f"{record.kind.__qualname__} is a member of a union: it needs a TAG that no other member has"
            )
    return UnionCodec(records, optional, about, key)


@cache
def _field_codecs(kind: type) -> Mapping[str, Codec]:
    # What doesn't count for equality is a matter of the moment, and is never saved.
    return {field.name: _field_codec(kind, field.name) for field in fields(kind) if field.compare}


@cache
def _field_codec(kind: type, name: str) -> Codec:
    """Return the codec of one field. A file that has few of a record's keys needs few codecs."""
    return codec(_field_types(kind)[name])


@cache
def _field_types(kind: type) -> Mapping[str, Any]:
    hints: dict[str, Any] = {}
    for base in reversed(kind.__mro__):
        hints |= _evaluate_annotations(base)
    return hints


def _evaluate_annotations(kind: type) -> dict[str, Any]:
    """Return the types of what a class declares.

    `get_type_hints` compiles each annotation by itself, which takes ten times as long. It runs the same text: our own.
    """
    declared: dict[str, Any] = dict(vars(kind).get("__annotations__", {}))
    texts = dict[str, str]()
    for name, text in declared.items():
        if text in _PLAIN_TYPES:
            declared[name] = _PLAIN_TYPES[text]
        elif isinstance(text, str) and not text.startswith("ClassVar"):
            texts[name] = text
    types = eval(f"[{','.join(texts.values())}]", vars(sys.modules[kind.__module__])) if texts else ()  # noqa: S307
    return declared | dict(zip(texts, types, strict=True))


_PLAIN_TYPES = {"str": str, "int": int, "bool": bool}
"""Types that need no compiling."""


@cache
def _parts(kind: type) -> Mapping[str, _Part]:
    """Return the fields of a record by their keys in a file, in the order of the file."""
    return {key: _part(kind, key, name) for key, name in names_by_key(kind).items()}


@cache
def names_by_key(kind: type) -> Mapping[str, str]:
    """Return the names of the fields by their keys in a file, in the order of the file."""
    renamed: Mapping[str, str] = getattr(kind, "RENAMED", {})
    found: Mapping[str, str] = getattr(kind, "KEYS", None) or {
        renamed.get(field.name, field.name): field.name for field in fields(kind) if field.compare
    }
    return found


def _part(kind: type, key: str, name: str) -> _Part:
    default = getattr(_blank(kind), name)
    required = name in _names_without_default(kind) and default is not None
    is_always_written = required or name in getattr(kind, "ALWAYS_WRITTEN", ())
    return _Part(key, name, _field_codec(kind, name), default, required, is_always_written)


@cache
def _without_default(kind: type) -> Sequence[_Part]:
    """Return the required fields. Those that may be None are not required."""
    names = _names_without_default(kind)
    return tuple(_part(kind, key, name) for key, name in names_by_key(kind).items() if name in names)


@cache
def _names_without_default(kind: type) -> frozenset[str]:
    return frozenset(
        field.name for field in fields(kind) if field.default is MISSING and field.default_factory is MISSING
    )


@cache
def _packed_codecs(kind: type) -> Sequence[tuple[str, Codec]]:
    codecs = _field_codecs(kind)
    return tuple((name, codecs[name]) for name in getattr(kind, "PACKED", codecs))


@cache
def _blank(kind: type) -> Any:
    """Return the record with every field at its default, and required fields at nothing."""
    return kind(**{name: _field_codec(kind, name).nothing for name in _names_without_default(kind)})


def read(kind: type, tree: Mapping[str, Value], limits: Sequence[Count] = ()) -> tuple[Any, Sequence[Fault]]:
    """Read a sheet of that type from `tree`. Return it with all faults. Unknown keys are faults that aren't grave.

    Of a tree with too many things, by `limits`, nothing is read.
    """
    excess = find_excess(tree, limits)
    faults: list[Fault] = [*excess]
    return codec(kind).decode({} if excess else dict(tree), (), faults), faults


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


def on_a_line(value_codec: Codec, path: Path) -> bool:
    """Whether a new table at `path` is written as one line, `key = { … }`: its class is `ON_A_LINE`."""
    for part in path:
        match value_codec:
            case KeyedCodec():
                value_codec = value_codec.item
            case RecordCodec() if part in value_codec.codecs:
                value_codec = value_codec.codecs[part]
            case _:
                return False
    return isinstance(value_codec, RecordCodec) and getattr(value_codec.kind, "ON_A_LINE", False)


def check_keys(value_codec: Codec, value: Any, path: Path, raw: Value | None, at: Path = ()) -> None:
    """Raise `ValueError` for a misspelt key, naming the key that was probably meant.

    A value set by hand adds an entry only if it gives the entry's name: its first field, or the whole value if it has
    no fields. Any other unknown key is a typing error.
    """
    for place, part in enumerate(path):
        match value_codec:
            case RecordCodec() if part in value_codec.codecs:
                value_codec, value = value_codec.codecs[part], getattr(value, part)
            case KeyedCodec() if value_codec.keys is not None and part in value_codec.keys:
                value = value[part] if part in value else value_codec.item.decode({}, (), [])
                value_codec = value_codec.item
            case KeyedCodec() if part in value:
                value_codec, value = value_codec.item, value[part]
            case KeyedCodec() if value_codec.keys is None and isinstance(value_codec.item, RecordCodec):
                first = next(iter(value_codec.item.codecs))
                if path[place + 1 :] == (first,) and raw != "":
                    return
                where, new = (*at, *path[:place]), format_path((*at, *path[: place + 1]))
                words = part.replace("-", " ").capitalize()
                name = raw if isinstance(raw, str) and raw and not path[place + 1 :] else words
                how = f"To add it, type: set {new}.{first}" + (f" {name[:40]}" if first == "name" else "")
                raise ValueError(f"there is no {new}{_instead_of(part, where, value)} {how}")
            case _:
                return
    if (
        isinstance(value_codec, KeyedCodec)
        and isinstance(value_codec.item, RecordCodec)
        and isinstance(raw, str)
        and raw
    ):
        thing = format_path((*at, *path, slug(raw) or "key"))
        first = next(iter(value_codec.item.codecs))
        raise ValueError(
            f"{format_path((*at, *path))} is a list. To add something, type: set {thing}.{first} {raw[:40]}"
        )


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
