"""Read, write, compare and change sheets. A sheet is what lasts of a game: a frozen dataclass with a codec (`codec/`).

`Game` calls these functions for campaign files and acts. Paths lead from the sheet to a value: `("crew", "mara", "vitality")`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from waylog.rules.changes import Change, Path, Value, format_path
from waylog.rules.codec.base import Codec, Fault
from waylog.rules.codec.counts import Count, find_excess
from waylog.rules.codec.plain import KeyedCodec
from waylog.rules.codec.records import RecordCodec, codec
from waylog.rules.naming import slug


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
                how = f"To add it: set {new}.{first}" + (f" {name[:40]}" if first == "name" else "")
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
        raise ValueError(f"{format_path((*at, *path))} has several things. To add one: set {thing}.{first} {raw[:40]}")


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
