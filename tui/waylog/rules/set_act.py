"""Setting values as in the file, one or several with one act: `set ship.focus 2`, `set crew.mara.name "Mara" crew.mara.role pilot`.

The command line types such a line, and a form makes one of the fields that were changed. `Game.play` checks and plays it: all
values are set, or none.

    line    = setting …
    setting = path value      a path is a key of the file, with dots: crew.mara.role
    value   = "TEXT"          anything, in quotes
            | word …          up to the next path
            | -               removes an entry of a table: crew.mara.skills.piloting -
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence

from waylog.rules.codec.base import Fault
from waylog.rules.codec.changes import (
    BARE_KEY,
    INSIDE_QUOTES,
    QUOTED,
    Path,
    format_path,
    parse_path,
    quote_text,
    quoted_text,
)
from waylog.rules.codec.fields import label_of
from waylog.rules.model.state import State
from waylog.values import dataclass

_KEY = rf'(?:{BARE_KEY}|"{INSIDE_QUOTES}")'
# These patterns are compiled when they are first needed: few acts set values, and start-up is fast without them.
_TOKEN = rf'(?P<path>{_KEY}(?:\.{_KEY})+)(?=\s|\Z)|{QUOTED}|[^\s"“]+|\S'
_PLAIN = r"-?[0-9]{1,18}|[a-z][a-z0-9-]*"
_REMOVES = "-"
"""The value, without quotes, that removes an entry."""
_NAMED = 3
"""The most fields that the title of an act names."""


@dataclass(frozen=True, slots=True)
class Setting:
    """A value to set, as it is typed."""

    path: Path
    text: str | None
    """None removes the entry of a table at the path."""


@dataclass(frozen=True, slots=True)
class SettingsOutcome:
    """The result of several settings."""

    state: State
    """The state after all of them that can be made."""
    faults: tuple[Fault, ...]
    """Everything that is wrong with them and was not wrong before. One that is `lacking` prevents nothing."""

    @property
    def refusal(self) -> Fault | None:
        """The first fault that prevents the act."""
        return next((fault for fault in self.faults if not fault.lacking), None)


def parse_settings(line: str, tables: Collection[str]) -> tuple[Setting, ...]:
    """Return the settings of a line. `tables` are the first keys that a path can have, so that any other word with a dot is text.

    Raises `ValueError` if there is none, or a path has no value.
    """
    found: list[tuple[str, list[tuple[str, bool]]]] = []
    for match in re.finditer(_TOKEN, line, re.DOTALL):
        path, quoted = match["path"], quoted_text(match)
        if not found or (path and path.partition(".")[0] in tables):
            found.append((match[0], []))
        else:
            found[-1][1].append((match[0], False) if quoted is None else (quoted, True))
    if not found:
        raise ValueError("which value? Type its path, as in the file, and its new value")
    for path, values in found:
        if not values and len(found) > 1:
            raise ValueError(f"which value for {path}? Put a text that contains the name of a value in quotes")
    return tuple(Setting(parse_path(path), _join(values)) for path, values in found)


def _join(values: Sequence[tuple[str, bool]]) -> str | None:
    """Return a value of several words. A text among others keeps its quotes, as an item of a list may need them."""
    if values == [(_REMOVES, False)]:
        return None
    if len(values) == 1:
        return values[0][0]
    commas = any("," in word for word, quoted in values if not quoted)
    return " ".join(quote_text(word) if quoted and commas else word for word, quoted in values)


def format_settings(settings: Sequence[Setting]) -> str:
    """Return the settings as a line. `parse_settings` reads it back to the same settings."""
    words = list[str]()
    for path, text in ((setting.path, setting.text) for setting in settings):
        value = _REMOVES if text is None else text if re.fullmatch(_PLAIN, text) else quote_text(text)
        words += (format_path(path), value)
    return " ".join(words)


def describe_settings(settings: Sequence[Setting], names: Mapping[Path, str]) -> str:
    """Return what is set, for people: `Mara: role, focus, vitality and 2 more`. `names` are the names of things."""
    thing = common_thing(settings, names)
    labels = [label_within(thing, setting.path).lower() for setting in settings]
    more = f" and {len(labels) - _NAMED} more" if len(labels) > _NAMED else ""
    listed = f"{', '.join(labels[:_NAMED])}{more}"
    return f"{names[thing]}: {listed}" if thing else listed


def describe_new_thing(thing: Path, settings: Sequence[Setting], name: str) -> str:
    """Return a new thing with what it holds many of, for people: `Searching the wreck, with 11 cards`. Empty if it holds few: then
    each value can be listed.
    """
    entries: dict[str, set[str]] = {}
    for path in (setting.path[len(thing) :] for setting in settings):
        if len(path) > 2:  # The key of a table, of an entry, and of a value of that entry.
            entries.setdefault(path[0], set()).add(path[1])
    many = [f"{len(keys)} {label_of(table).lower()}" for table, keys in entries.items() if len(keys) > _NAMED]
    return f"{name}, with {' and '.join(many)}" if many else ""


def common_thing(settings: Sequence[Setting], names: Mapping[Path, str]) -> Path:
    """Return the thing among those with names that all of the settings belong to; empty if there is none."""
    holders = [setting.path[:-1] for setting in settings]
    thing = min(holders, key=len, default=())
    while thing and (thing not in names or any(holder[: len(thing)] != thing for holder in holders)):
        thing = thing[:-1]
    return thing


def label_within(thing: Path, path: Path) -> str:
    """Return what a value of a thing is called, in words: `Primary name`."""
    labels = [label_of(key) for key in path[len(thing) :]]
    return " ".join([*labels[:1], *(label.lower() for label in labels[1:])])
