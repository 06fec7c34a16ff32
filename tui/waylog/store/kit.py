"""The starter kit: modules, tools, people, decks and random tables that a campaign can begin with.

Its things are data, in the folder `kits` of the program. What a thing sets in a campaign are settings, and so an act like any other
(`Table.add_from_kit`); a table of the kit is a file, copied into the campaign's folder `tables`. So is one that a person makes, to fill in.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cache
from pathlib import Path
from typing import Any

from waylog.rules.codec.changes import Path as ValuePath
from waylog.rules.codec.changes import slug
from waylog.rules.codec.form_fields_and_paths import ANY, Suggestion
from waylog.rules.game import Game
from waylog.rules.model.clocks_situations_and_timers import new_key
from waylog.rules.model.moves import ActRefused
from waylog.rules.model.state import State
from waylog.rules.set_command import Setting
from waylog.store.file.campaign_file_tables_and_scene_cards import TABLES
from waylog.store.files_and_lock import open_inside
from waylog.toml.document import Document, read_bytes
from waylog.toml.values import format_value
from waylog.values import NamedTuple

KITS = Path(__file__).resolve().parents[1] / "kits"
_THINGS = "kit.toml"
_SLOTS = ("1", "2", "3", "4")
_TOOLS = ("primary", "secondary")
_D66 = 66
_TO_FILL_IN = (
    "# Write each result between the quotation marks. Dice in a result, such as d6 survivors, are rolled too.\n"
)
_SOMEBODY = "somebody"
"""Stands for any key of the crew where it is asked what a game's sheet has."""


class KitKind(StrEnum):
    """The kinds of thing in the kit, by the names of their tables in its file."""

    MODULE = "modules"
    TOOL = "tools"
    PERSON = "people"
    DECK = "decks"
    TABLE = "tables"

    @property
    def label(self) -> str:
        """The word for one thing of this kind: `person`."""
        return {"people": "person"}.get(self.value, self.value.removesuffix("s"))


class KitItem(NamedTuple):
    """A thing of the kit."""

    key: str
    kind: KitKind
    name: str
    about: str
    values: Mapping[ValuePath, str]
    """The values that it sets, as they would be typed, by their paths within the thing. A table sets none."""
    games: tuple[str, ...] = ()
    """The games that it is for; empty for all that have a place for it."""
    blank: str = ""
    """The text of the file of a new table, with entries to fill in; empty for everything that the kit itself has."""

    @property
    def news(self) -> str:
        """The sentence for people once it is added."""
        return (
            f"New table: {self.name}, in {self.where}"
            if self.kind is KitKind.TABLE
            else f"Added from the starter kit: {self.name}"
        )

    @property
    def where(self) -> str:
        """The file of a table, within the kit and within a campaign."""
        return f"{TABLES}/{self.key}.toml"


class KitChoice(NamedTuple):
    """A thing of the kit that can be added now."""

    item: KitItem
    label: str
    who: str = ""
    """The key of whoever gets the tool."""


@cache
def kit() -> tuple[KitItem, ...]:
    """Return everything in the kit, in the order of its files."""
    tree: Mapping[str, Any] = Document.parse(read_bytes(KITS / _THINGS), _THINGS).tree
    return (
        *(_item(key, kind, thing) for kind in KitKind for key, thing in tree.get(kind.value, {}).items()),
        *(_table(path) for path in sorted((KITS / TABLES).glob("*.toml"))),
    )


def kit_for(game: Game) -> tuple[KitItem, ...]:
    """Return what a game has a place for."""
    return tuple(item for item in kit() if _fits(game, item))


def blank_table(text: str) -> KitItem | None:
    """Return the table that a name with a die at its end stands for, `Rumours d20`: an empty entry for each number. None for any other
    text. Raises `ActRefused` if there is no name, or no table with that die (NM-01).
    """
    match = re.fullmatch(r"(?:(.*)\s)?d([0-9]{1,4})", text.strip(), re.DOTALL | re.IGNORECASE)
    if match is None:
        return None
    name, sides = " ".join((match[1] or "").split()), int(match[2])
    if not name:
        raise ActRefused(f"type a name before the die, such as Rumours {match[0]}")
    if not 2 <= sides <= 100:
        raise ActRefused("a table's die can be d2 to d100, or d66 for two d6", "NM-01")
    if sides == _D66:
        numbers = [f"{ten}{one}" for ten in range(1, 7) for one in range(1, 7)]
        sections = (f"{n + 1} = {_empty_entries(numbers[6 * n : 6 * n + 6])}" for n in range(6))
        entries = f"\n[sections]\n{''.join(sections)}"
    else:
        numbers = [str(number) for number in range(1, sides + 1)]
        entries = f"entries = {_empty_entries(numbers)}"
    file = f"{_TO_FILL_IN}name = {format_value(name)}\n{entries}"
    return KitItem(
        slug(name)[:40].rstrip("-") or "table", KitKind.TABLE, name, f"{len(numbers)} entries", {}, blank=file
    )


def _empty_entries(numbers: Sequence[str]) -> str:
    lines = (f'  "", # {number}\n' for number in numbers)
    return f"[\n{''.join(lines)}]\n"


def find_items(game: Game, names: Sequence[str]) -> tuple[KitItem, ...]:
    """Return the things with these keys or names, or the new table that they stand for together.

    Raises `ActRefused` for a name that the kit doesn't have for this game.
    """
    if blank := blank_table(" ".join(names)):
        return (blank,)
    there = {word: item for item in kit_for(game) for word in (item.key, _word(item.name))}
    for name in names:
        if _word(name) not in there:
            elsewhere = any(_word(name) in (item.key, _word(item.name)) for item in kit())
            why = f"{game.system.name} has no place for this" if elsewhere else "nothing in the kit has this name"
            raise ActRefused(f"“{name}”: {why}. `waylog kit` lists everything")
    return tuple(there[_word(name)] for name in names)


def settings_for(game: Game, state: State, items: Sequence[KitItem], who: str = "") -> tuple[tuple[Setting, ...], ...]:
    """Return what adding each of these things sets, one after the other; nothing for a table. `who` gets the tools; without one,
    the first of the crew with a free place.

    Raises `ActRefused` if there is no place for one, or it is there already.
    """
    every: list[tuple[Setting, ...]] = []
    for item in (each for each in items if each.kind is not KitKind.TABLE):
        place = _place(game, state, item, who)
        paths = {(*place, *path): text for path, text in item.values.items()}
        settings = tuple(Setting(path, text) for path, text in paths.items() if game.has_value(path))
        outcome = game.try_settings(state, settings)
        if fault := outcome.refusal:
            raise ActRefused(f"{item.name}: {fault.message}", fault.clause)
        state = outcome.state
        every.append(settings)
    return tuple(every)


def choices(game: Game, state: State) -> tuple[KitChoice, ...]:
    """Return what can be added to a campaign now: each tool once for everybody with a place for it."""
    texts, crew = _texts(game, state), game.characters(state)
    able = {who: name for who, name in crew.items() if next(_free_places(game, state, who, texts), None)}
    found = list[KitChoice]()
    for item in kit_for(game):
        about = f": {item.about}" if item.about else ""
        if item.kind is KitKind.TOOL:
            found += [KitChoice(item, f"{item.name} for {name}{about}", who) for who, name in able.items()]
        else:
            found.append(KitChoice(item, f"{item.name}{about}"))
    return tuple(found)


def check_tables(folder: Path, items: Sequence[KitItem]) -> None:
    """Raise `ActRefused` if the campaign has one of these tables already."""
    for item in items:
        if item.kind is KitKind.TABLE and os.path.lexists(folder / item.where):
            raise ActRefused(f"{item.name}: {item.where} already exists. Choose another name, or edit that table")


def copy_tables(folder: Path, items: Sequence[KitItem]) -> None:
    """Write the tables among these things into the folder of a campaign. A file that is there is never replaced. Raises `OSError`."""
    for item in items:
        if item.kind is KitKind.TABLE:
            (folder / TABLES).mkdir(exist_ok=True)
            descriptor = open_inside(folder / item.where, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o644)
            with open(descriptor, "wb") as file:  # noqa: PTH123 - a descriptor has no path
                file.write(item.blank.encode() or read_bytes(KITS / item.where))


def suggestions(game: Game) -> tuple[Suggestion, ...]:
    """Return the modules, tools and people of the kit as what a form of this game can be filled in with."""
    places: Mapping[KitKind, Sequence[ValuePath]] = {
        KitKind.MODULE: (("ship", "modules", ANY),),
        KitKind.TOOL: _tool_places(ANY, ANY),
        KitKind.PERSON: (("crew", ANY),),
    }
    return tuple(
        Suggestion((*place, "name"), item.name, {path: text for path, text in item.values.items() if path != ("name",)})
        for item in kit_for(game)
        for place in places.get(item.kind, ())
    )


# -- where things go --------------------------------------------------------------------------------------------------


def _fits(game: Game, item: KitItem) -> bool:
    """Whether the game's sheet has a place for a thing."""
    if item.games and game.system.id not in item.games:
        return False
    match item.kind:
        case KitKind.MODULE:
            return game.has_value(("ship", "modules", "1", "name"))
        case KitKind.TOOL:
            return any(game.has_value((*place, "name")) for place in _tool_places(_SOMEBODY))
        case KitKind.PERSON:
            return game.has_value(("crew", item.key, "name"))
        case KitKind.DECK | KitKind.TABLE:
            return True


def _tool_places(who: str, key: str = "tool") -> Sequence[ValuePath]:
    return (*(("crew", who, place) for place in _TOOLS), ("crew", who, "equipment", key))


def _place(game: Game, state: State, item: KitItem, who: str) -> ValuePath:
    """Return the path at which a thing is added. Raises `ActRefused` if there is none."""
    match item.kind:
        case KitKind.MODULE:
            texts = _texts(game, state)
            free = (slot for slot in _SLOTS if not texts.get(("ship", "modules", slot, "name")))
            if (slot := next(free, None)) is None:
                raise ActRefused(f"there is no free slot for {item.name}. To free one, clear the name of a module")
            return ("ship", "modules", slot)
        case KitKind.TOOL:
            return _place_of_tool(game, state, item, who)
        case _:
            place = ("crew" if item.kind is KitKind.PERSON else item.kind.value, item.key)
            if any(path[:2] == place for path in _texts(game, state)):
                raise ActRefused(f"{item.name} is already in the campaign")
            return place


def _place_of_tool(game: Game, state: State, item: KitItem, who: str) -> ValuePath:
    crew = tuple(getattr(state.sheet, "crew", {}))
    if who and who not in crew:
        raise ActRefused(f"nobody in the crew has the key “{who}”. Keys: {', '.join(crew) or 'none'}")
    texts = _texts(game, state)
    for one in (who,) if who else crew:
        for place in _free_places(game, state, one, texts, item.key):
            return place
    whose = f"{game.characters(state)[who]} has no" if who else "nobody in the crew has"
    raise ActRefused(f"{whose} room for {item.name}. To make room, clear the name of a tool")


def _free_places(
    game: Game, state: State, who: str, texts: Mapping[ValuePath, str], key: str = "tool"
) -> Iterator[ValuePath]:
    """Yield the places for a tool that somebody has free. `texts` are those of the campaign's fields."""
    for place in _tool_places(who, key):
        if not game.has_value((*place, "name")):
            continue
        if place[2] in _TOOLS:
            if not texts.get((*place, "name")):
                yield place
        else:
            carried = getattr(state.sheet.crew[who], "equipment", {})
            yield (*place[:-1], new_key(key, carried))


def _texts(game: Game, state: State) -> Mapping[ValuePath, str]:
    """Return the text of every field of the campaign, by its path."""
    return {field.path: field.text for field in game.fields(state).fields}


# -- reading the kit --------------------------------------------------------------------------------------------------


def _item(key: str, kind: KitKind, thing: Mapping[str, Any]) -> KitItem:
    values = {path: str(value) for path, value in _leaves(thing) if path != ("games",)}
    about = str(thing.get("about") or thing.get("notes", ""))
    return KitItem(key, kind, str(thing["name"]), about, values, tuple(thing.get("games", ())))


def _leaves(table: Mapping[str, Any], at: ValuePath = ()) -> Iterator[tuple[ValuePath, Any]]:
    for key, value in table.items():
        if isinstance(value, Mapping):
            yield from _leaves(value, (*at, key))
        else:
            yield (*at, key), value


def _table(path: Path) -> KitItem:
    tree: Mapping[str, Any] = Document.parse(read_bytes(path), path.name).tree
    count = len(tree["entries"]) if "entries" in tree else 36
    return KitItem(path.stem, KitKind.TABLE, str(tree["name"]), f"{count} entries", {})


def _word(name: str) -> str:
    return name.strip().lower().replace(" ", "-")
