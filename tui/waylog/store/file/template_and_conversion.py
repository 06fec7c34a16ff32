"""Create campaign files: every value is there, each with a comment, so that the file explains itself.

It is written with tomlkit, which can make comments. From then on the file belongs to its owner and is only changed in
place.

A campaign made from one of another game: which values keep their path, which get another or none, and what is left to choose.
"""

from __future__ import annotations

import json
import os
import re
import shutil
from collections.abc import Iterable, Iterator, Mapping
from enum import Enum
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit import TOMLDocument
from tomlkit.items import Table

from waylog.rules.codec.base_and_limits import Fault
from waylog.rules.codec.changes import Change, Value
from waylog.rules.codec.changes import Path as ValuePath
from waylog.rules.codec.records import write
from waylog.rules.game import Game
from waylog.rules.model.state import State
from waylog.rules.systems import names
from waylog.store.file.campaign_file_tables_and_scene_cards import FORMAT, PACKAGE
from waylog.store.files_and_lock import FILE, sync, write_beside
from waylog.store.log.entries_and_version_0_1 import Mark
from waylog.toml.document import Document, Edit
from waylog.toml.values import format_key, format_value
from waylog.values import dataclass, fields, is_dataclass, replace

SCHEMA = ".schema.json"
_CREW = {"mara": "Mara", "joss": "Joss", "imre": "Imre"}
"""The crew of a new ship, so that play can start at once."""
_HOUSE_RULES = ("How you play where the rules leave a choice. Odds, help and checks follow these settings.",)
_COLUMN, _WIDTH = 30, 120
_CLOCKS = """\
# New clocks are added here, for example by: waylog do CAMPAIGN clock "Hull breach" 6 catastrophe
# Or add one here:
#
# [clocks.hull-breach]
# name = "Hull breach"
# kind = "catastrophe"        # push, catastrophe, death or augury
# segments = 6
# filled = 0
# outcome = "The hold is open to the void"
#
# Decks of cards are added here too, for example by: waylog do CAMPAIGN deck "The hold"
#
# [decks.the-hold]
# name = "The hold"
#
# [decks.the-hold.cards]
# teeth = { text = "This crate has teeth", luck = "bad" }
# stores = { text = "Somebody's winter stores", luck = "good" }
# flare = { text = "A flare", luck = "good", uses = 2, condition = "it is dark" }   # stays with the ship; two uses
#
# A situation makes rolls Desperate or the crew Exposed, in games that have such rules.
#
# [situations.no-power]
# name = "No power"
# makes = "desperate"         # or exposed
# rolls = "exploring"         # without this line: all rolls
#
# The people who play, each under a short word. `may` lists what is played for them without asking you.
#
# [players.ana]
# name = "Ana"
# character = "mara"          # the key of their character
# may = ["note", "roll"]
#
# A ruling is what you have decided about a rule. `waylog rule` lists the rules with their codes.
#
# [rulings]
# NM-26 = "A clock that we close stays closed"
#
# Dice that you roll often can have a name. `dice panic` rolls these.
#
# [dice]
# panic = "2d6"
# loot = "4d6kh3"             # the highest three of four
#
# Each random table is a file. The shortest table is a file tables/door.toml with one line:
# `entries = ["nothing", "d6 rats", "a way down"]`
"""


_PACKAGE_SCHEMA = {"type": "string", "description": "The Python package that this game comes from"}
EMPTY_AT_FIRST: Mapping[str, Any] = {
    key: {}
    for key in (
        "clocks",
        "decks",
        "situations",
        "sessions",
        "players",
        "rulings",
        "overruled",
        "dice",
        "timers",
        "prep",
    )
}
"""The parts of a campaign that are empty in a new one, and that its file leaves out."""


def make(folder: Path, name: str, game: Game, state: State | None = None, *, beside: Iterable[Path] = ()) -> None:
    """Make the folder of a new campaign, completely or not at all. Raises `OSError`, also if the folder exists.

    With `state` the campaign begins in that state, otherwise with a new ship and crew. It gets a copy of all
    that is in the folders `beside`; a file of a later one takes the place of one of the same name.
    """
    folder.parent.mkdir(parents=True, exist_ok=True)
    half = folder.with_name(f".{folder.name}.{os.getpid()}.tmp")
    half.mkdir()
    try:
        schema = json.dumps(game.schema(), indent=1, ensure_ascii=False) + "\n"
        for file, text in ((FILE, text_of(name, game, state)), (SCHEMA, schema)):
            write_beside(half / file, text.encode()).rename(half / file)
        for each in filter(Path.is_dir, beside):
            shutil.copytree(each, half / each.name, ignore_dangling_symlinks=True, dirs_exist_ok=True)
        sync(half)
        half.rename(folder)
    finally:
        shutil.rmtree(half, ignore_errors=True)
    sync(folder.parent)


def text_of(name: str, game: Game, state: State | None = None) -> str:
    """Return the text of a new campaign's file."""
    state = state or first_state(game, name)
    beside = game.difference(replace(state, **EMPTY_AT_FIRST), state)
    known = game.schema()["properties"]
    document = tomlkit.document()
    for line in (
        f"A campaign of {game.system.name}. You can edit this file while you play, in any editor.",
        "Waylog picks up your changes when you save, and leaves your comments, order and spacing as they are.",
        "Anything you leave out keeps its default. `waylog check` lists mistakes with their line numbers.",
    ):
        document.add(tomlkit.comment(line))
    document.add(tomlkit.nl())
    for key, value in (("format", FORMAT), ("name", name), ("system", game.system.id), ("log", str(Mark()))):
        _add_line(document, key, value, known[key], explained=True)
        if key == "system" and (package := _package_of(game)):
            _add_line(document, PACKAGE, package, _PACKAGE_SCHEMA, explained=True)
    parts = {field.name: getattr(state.sheet, field.name) for field in fields(state.sheet)}
    for key, value in parts.items():
        if not _is_table(value):
            _add_line(document, key, value, known[key], explained=True)
    if fields(state.rules):
        document.add(tomlkit.nl())
        for line in _HOUSE_RULES:
            document.add(tomlkit.comment(line))
        document.add("house_rules", _table(state.rules, known["house_rules"], ("house_rules",)))
    for key, value in parts.items():
        if _is_table(value):
            document.add(tomlkit.nl())
            table = _table(value, known[key], (key,))
            if table.is_super_table():
                document.add(tomlkit.comment(known[key].get("description", key)))
            document.add(key, table)
    text = "\n".join(line.rstrip() for line in tomlkit.dumps(document).splitlines())
    # tomlkit puts no blank line between a comment and the header below it, so add one.
    text = re.sub(r"\n\n(#.*)\n\n\[", r"\n\n\1\n[", text)
    text = f"#:schema ./{SCHEMA}\n{text.rstrip()}\n\n{_CLOCKS}"
    if not beside:
        return text
    edits = [Edit(change.path, change.after) for change in beside]
    return Document.parse(text.encode(), FILE).edit(edits).data.decode()


def _package_of(game: Game) -> str:
    """Return the Python package that a game comes from; empty for one of Waylog's own, and for one in a file."""
    if game.system.id in names() or game.system.edition is not None:
        return ""
    from waylog.store.games.packages import package_of  # Slow, and for few campaigns.

    return package_of(game.system.id)


def first_state(game: Game, name: str) -> State:
    """Return the state of a new campaign, with a few crew members if the game has a crew by name."""
    state = game.fresh(name)
    if getattr(state.sheet, "crew", None) != {}:
        return state
    return game.apply_changes(state, [Change(("crew", key), None, {"name": name}) for key, name in _CREW.items()])


def _table(value: Any, schema: Mapping[str, Any], path: tuple[str, ...]) -> Table:
    """Return a table with all its values, single lines first. Of things by key, the first has every value, the others
    only what distinguishes them.
    """
    items = list(_items(value, schema))
    lines = [item for item in items if not _is_table(item[1])]
    table = tomlkit.table(is_super_table=bool(items) and not lines)
    about = str(schema.get("description", ""))
    if about.lower() not in ("", f"the {path[-1]}"):
        table.comment(about)
        table.trivia.comment_ws = "  "
    for key, item, known in lines:
        _add_line(table, key, item, known, explained=True)
    by_key = "additionalProperties" in schema
    for number, (key, item, known) in enumerate(item for item in items if _is_table(item[1])):
        table.add(key, _short(item) if by_key and number else _table(item, known, (*path, key)))
    if isinstance(value, Mapping) and not value:
        for line in _sample(schema, path):
            table.add(tomlkit.comment(line))
    return table


def _short(value: Any) -> Table:
    """Return a table with the values that differ from the defaults."""
    table = tomlkit.table()
    for key, item in write(value).items():
        table.add(key, item)
    return table


def _sample(schema: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    """Return lines that show how to write a thing in a table that has none yet."""
    key, item = next(iter(schema.get("properties", {}).items()), ("a-key", schema.get("additionalProperties", {})))
    if item.get("type") != "object":
        yield _sample_line(key, item)
        return
    yield f"[{format_key((*path, key))}]"
    for name, known in item.get("properties", {}).items():
        if known.get("type") != "object" and "oneOf" not in known:
            yield _sample_line(name, known)


def _sample_line(key: str, schema: Mapping[str, Any]) -> str:
    line = f"{format_key((key,))} = {format_value(_blank(schema))}"
    text = _comment_for(schema)
    return f"{line.ljust(_COLUMN - 2)}# {text}" if text else line


def _blank(schema: Mapping[str, Any]) -> Any:
    """Return the plainest legal value: nothing, or the legal one that is nearest to it."""
    if "enum" in schema:
        return schema["enum"][0]
    if schema["type"] == "integer":
        return max(schema.get("minimum", 0), min(0, schema.get("maximum", 0)))
    return {"boolean": False, "array": []}.get(schema["type"], "")


def _items(value: Any, schema: Mapping[str, Any]) -> Iterator[tuple[str, Any, Mapping[str, Any]]]:
    """Yield the keys of a table, with their values and schemas."""
    known = schema.get("properties", {})
    if isinstance(value, Mapping):
        for key, item in value.items():
            yield str(key), item, known.get(str(key), schema.get("additionalProperties", {}))
        return
    for field in fields(value):
        item = getattr(value, field.name)
        if item is not None:
            yield field.name, item, known[field.name]


def _is_table(value: Any) -> bool:
    return isinstance(value, Mapping) or is_dataclass(value)


def _add_line(
    holder: TOMLDocument | Table, key: str, value: Any, schema: Mapping[str, Any], *, explained: bool
) -> None:
    """Write `key = value` with its comment beside it, or above it if the line gets too long."""
    item = tomlkit.item(_plain(value))
    text = _comment_for(schema) if explained else ""
    taken = max(_COLUMN, len(f"{key} = {item.as_string()}") + 2)
    if text and taken + 2 + len(text) > _WIDTH:
        holder.add(tomlkit.comment(text))
    elif text:
        item.comment(text)
        item.trivia.comment_ws = " " * (taken - len(f"{key} = {item.as_string()}"))
    holder.add(key, item)


def _plain(value: Any) -> Any:
    match value:
        case Enum():
            return value.value
        case tuple():
            return [_plain(item) for item in value]
        case _:
            return value


def _comment_for(schema: Mapping[str, Any]) -> str:
    """Return the comment: what a value means, and which values are legal."""
    about = str(schema.get("description", ""))
    legal = ""
    if "enum" in schema:
        words = [str(value) or '""' for value in schema["enum"]]
        legal = "" if all(word in about for word in words) else " or ".join([", ".join(words[:-1]), words[-1]])
    elif "minimum" in schema:
        legal = f"{schema['minimum']} to {schema['maximum']}" if "maximum" in schema else f"{schema['minimum']} or more"
    return ": ".join(part for part in (about, legal) if part)


# -- from another game -----------------------------------------------------------------------------------------------


_HOUSE = "house_rules"
_ANY = "*"
"""Stands for any key in the paths of corresponding values."""


@dataclass(frozen=True, slots=True)
class MappedValue:
    """A value, its path, and its path in the other game."""

    path: ValuePath
    to: ValuePath
    value: Value


@dataclass(frozen=True, slots=True)
class ConversionPlan:
    """The result of converting a campaign. Nothing is written yet."""

    state: State
    moved: tuple[MappedValue, ...]
    """Values that differ from a new campaign's and exist in the other game."""
    dropped: tuple[tuple[ValuePath, Value], ...]
    """Values that don't exist there."""
    to_choose: tuple[Fault, ...]
    """Values that break the other game's rules, for a person to change."""


def plan_conversion(source: Game, state: State, target: Game) -> ConversionPlan:
    """Plan the conversion of a campaign to the target game. The log, and what is open between two acts, are not
    converted.
    """
    fresh = target.fresh(state.name)
    carried = replace(
        fresh,
        clocks=state.clocks,
        decks=state.decks,
        situations=state.situations,
        sessions=state.sessions,
        dice=state.dice,
        prep=state.prep,
        rulings={id_: text for id_, text in state.rulings.items() if id_ in target.clauses},
    )
    common, theirs = source.system.akin, {name: path for path, name in target.system.akin.items()}
    moved, dropped = list[MappedValue](), list[tuple[ValuePath, Value]]()
    for path, value, differs in _leaves(state.sheet, source.fresh("").sheet, ()):
        to = _place(path, common, theirs)
        after = _with(target, carried, to, value)
        if after is not None:
            carried = after
        if differs and after is not None:
            moved.append(MappedValue(path, to, value))
        elif differs:
            dropped.append((path, value))
    dropped += [
        (path, value) for path, value, differs in _leaves(state.rules, type(state.rules)(), (_HOUSE,)) if differs
    ]
    dropped += [(("rulings", id_), text) for id_, text in state.rulings.items() if id_ not in target.clauses]
    return ConversionPlan(carried, tuple(moved), tuple(dropped), tuple(target.read(target.write(carried))[1]))


def _place(path: ValuePath, common: Mapping[str, str], theirs: Mapping[str, str]) -> ValuePath:
    """Return the target's path for the value at `path`: the path with the same shared name, or the same path."""
    for pattern, name in common.items():
        keys = _match_wildcards(pattern.split("."), path)
        if keys is not None and name in theirs:
            rest = iter(keys)
            return tuple(next(rest) if part == _ANY else part for part in theirs[name].split("."))
    return path


def _match_wildcards(pattern: list[str], path: ValuePath) -> list[str] | None:
    """Return the keys in the places of the pattern's stars; None if the path doesn't match."""
    if len(pattern) != len(path) or any(part not in (_ANY, key) for part, key in zip(pattern, path, strict=True)):
        return None
    return [key for part, key in zip(pattern, path, strict=True) if part == _ANY]


def _with(game: Game, state: State, path: ValuePath, value: Value) -> State | None:
    """Return the state with a value at that path; None if there is no such path, or the value has the wrong type."""
    try:
        return game.apply_changes(state, [Change(path, None, value)])
    except ValueError:
        return None


def _leaves(value: Any, fresh: Any, path: ValuePath) -> Iterator[tuple[ValuePath, Value, bool]]:
    """Yield every single value of a sheet, its path, and whether it differs from a new sheet."""
    match value:
        case Mapping():
            for key, item in value.items():
                yield from _leaves(item, type(item)(), (*path, str(key)))
        case Enum():
            yield path, value.value, value != fresh
        case tuple():
            yield path, [item.value if isinstance(item, Enum) else item for item in value], value != fresh
        case _ if is_dataclass(value):
            for field in fields(value):
                yield from _leaves(getattr(value, field.name), getattr(fresh, field.name), (*path, field.name))
        case _:
            yield path, value, value != fresh
