"""The values of a campaign as one tree: the sheet of its game, and what every campaign has beside it.

The tree is what `campaign.toml` says. It is read, written, compared and changed here, by path. Rules come later: `Game` adds them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cached_property
from itertools import chain
from operator import attrgetter
from typing import TYPE_CHECKING, Annotated, Any

from waylog.rules.codec import base_and_limits
from waylog.rules.codec.base_and_limits import Codec, Fault, find_excess, find_excess_of_sheet
from waylog.rules.codec.changes import NEW, Change, Path, Value, format_path
from waylog.rules.codec.records import check_keys as check_codec_keys
from waylog.rules.codec.records import codec, on_a_line
from waylog.rules.common import dice_moves
from waylog.rules.common.clauses import CLAUSES
from waylog.rules.model.clause_texts import Clause
from waylog.rules.model.clocks_situations_and_timers import (
    ALL_SIZES,
    ENDING_SHOWN,
    SIZES,
    Clock,
    Situation,
    Timer,
    WhileRunning,
)
from waylog.rules.model.decks import Deck
from waylog.rules.model.players_and_permissions import Player
from waylog.rules.model.sessions import Session
from waylog.rules.model.state import CardProgress, State
from waylog.rules.rulebook import Rulebook
from waylog.values import fields as dataclass_fields
from waylog.values import is_dataclass, replace

if TYPE_CHECKING:
    from waylog.rules.codec.form_fields_and_paths import FieldGroup, FormPlace, FormSource, TreeCodec

_Rulings = Annotated[Mapping[str, str], "Your rulings, each under the code of its rule"]
_Overruled = Annotated[
    Mapping[str, int], "Numbers that you have set outside a rule's range, each under the path of its value"
]
OVERRULED = "overruled"
"""The key of the numbers that the wayfinder has set against a rule's range."""
_SITUATIONS: Path = ("situations",)
_KEPT_BY_THE_FILE = ("format", "system", "package", "log")


class CampaignTree:
    """The values of the campaigns of one game."""

    def __init__(self, system: Rulebook) -> None:
        self.system = system
        self._decoded: dict[str, tuple[str, Any, tuple[Fault, ...]]] = {}
        """Each part of the file as it was read last, its value, and its faults."""

    @cached_property
    def clauses(self) -> Mapping[str, Clause]:
        """Every clause of the game and those that every campaign has, by id."""
        return {**self.system.clauses, **CLAUSES}

    @cached_property
    def _parts(self) -> Mapping[str, tuple[str, Codec]]:
        """The parts of a campaign file that are the same in every game, by key: the attribute of `State`, and its
        codec.
        """
        return {
            "name": ("name", codec(str)),
            "house_rules": ("rules", codec(self.system.rules)),
            "clocks": ("clocks", codec(Mapping[str, Clock])),
            "decks": ("decks", codec(Mapping[str, Deck])),
            "situations": ("situations", codec(Mapping[str, Situation])),
            "sessions": ("sessions", codec(Mapping[str, Session])),
            "timers": ("timers", codec(Mapping[str, Timer])),
            "players": ("players", codec(Mapping[str, Player])),
            "rulings": ("rulings", codec(_Rulings)),
            OVERRULED: (OVERRULED, codec(_Overruled)),
            "dice": ("dice", codec(dice_moves.SavedDice)),
            "prep": ("prep", codec(Mapping[str, CardProgress])),
        }

    def fresh(self, name: str) -> State:
        """Return a new campaign."""
        return State(name, self.system.rules(), self.system.fresh(), self.system.first_clocks)

    def decode(self, tree: Mapping[str, Value]) -> tuple[State, list[Fault]]:
        """Read the values in `tree`. Return them with the faults of their types; rules have not seen them yet.

        Of a tree with too many things, only that is said.
        """
        if excess := find_excess(tree, base_and_limits.CAMPAIGN_LIMITS):
            return self.fresh(""), [*excess]
        faults: list[Fault] = []
        sheet_keys = {field.name for field in dataclass_fields(self.system.sheet)}
        of_sheet = {key: tree[key] for key in tree if key in sheet_keys}
        sheet = self._decode("sheet", codec(self.system.sheet), of_sheet, (), faults)
        if excess := find_excess_of_sheet(sheet, codec(self.system.sheet)):
            return self.fresh(""), [*excess]
        parts = {
            name: self._decode(name, part, tree.get(key, "" if key == "name" else {}), (key,), faults)
            for key, (name, part) in self._parts.items()
        }
        known = (*_KEPT_BY_THE_FILE, *self._parts, *sheet_keys)
        unknown = [key for key in tree if key not in known]
        faults.extend(
            Fault(
                (key,), f"{format_path((key,))} is not a known key here, so Waylog ignores it", grave=False, at_key=True
            )
            for key in unknown
        )
        return State(sheet=sheet, **parts), faults

    def _decode(self, name: str, part: Codec, tree: Value, path: Path, faults: list[Fault]) -> Any:
        """Return one part of a campaign. If it says what it said before, this is the same object, so that whatever was worked out of it
        by the rules is still known: most acts change one part of the file, which is read again after each.
        """
        # Not the tree itself: it may be edited in place, and in Python `1 == True`.
        text = repr(tree)
        known = self._decoded.get(name)
        if known is None or known[0] != text:
            found: list[Fault] = []
            known = self._decoded[name] = text, part.decode(tree, path, found), tuple(found)
        faults.extend(known[2])
        return known[1]

    def find_excess(self, state: State, changes: Sequence[Change]) -> Sequence[Fault]:
        """Return a fault for each kind of thing of which there are too many in `state`, to which `changes` have led."""
        if not any(change.before is None or isinstance(change.after, dict | list) for change in changes):
            return ()  # Nothing was added.
        of_sheet = find_excess_of_sheet(state.sheet, codec(self.system.sheet))
        return (*find_excess(self.write(state), base_and_limits.CAMPAIGN_LIMITS), *of_sheet)

    def write(self, state: State) -> dict[str, Value]:
        """Return the campaign as plain values, without defaults."""
        beside = {key: part.encode(getattr(state, name)) for key, (name, part) in self._parts.items()}
        sheet = codec(self.system.sheet).encode(state.sheet)
        tree = {"name": beside.pop("name"), "house_rules": beside.pop("house_rules"), **sheet, **beside}
        return {key: value for key, value in tree.items() if value != {}}

    def difference(self, before: State, after: State) -> tuple[Change, ...]:
        """Return the changes between two states. Open stages, dice and offers are not compared."""
        beside = {
            key: tuple(part.difference(getattr(before, name), getattr(after, name), (key,)))
            for key, (name, part) in self._parts.items()
        }
        sheet = tuple(codec(self.system.sheet).difference(before.sheet, after.sheet, ()))
        changes = [beside.pop("name"), beside.pop("house_rules"), sheet, *beside.values()]
        return tuple(chain.from_iterable(changes))

    def apply_changes(self, state: State, changes: Sequence[Change]) -> State:
        """Return `state` after the changes. Raises `ValueError` if one can't be made."""
        for change in changes:
            state = self.put(state, change.path, change.after)
        return state

    def apply_what_fits(self, state: State, changes: Sequence[Change]) -> State:
        """Return `state` after those of the changes that can be made: a game in a file may have lost a value since."""
        for change in changes:
            with suppress(ValueError):
                state = self.put(state, change.path, change.after)
        return state

    def put(self, state: State, path: Path, raw: Value | None) -> State:
        if not path:
            raise ValueError(f"which value? For example: {self.example}")
        if path[0] not in self._parts:
            return replace(state, sheet=codec(self.system.sheet).put(state.sheet, path, raw))
        name, part = self._parts[path[0]]
        if path == ("name",):
            raw = "" if raw is None else raw
        return replace(state, **{name: part.put(getattr(state, name), path[1:], raw, path[:1])})

    def on_a_line(self, path: Path) -> bool:
        """Whether a table at `path` is added to a campaign file as one line."""
        return path[0] in self._parts and on_a_line(self._parts[path[0]][1], path[1:])

    def schema(self) -> dict[str, Any]:
        """Return the JSON Schema of this game's campaign file."""
        properties: dict[str, Any] = codec(self.system.sheet).schema()["properties"]
        beside = {key: part.schema() for key, (_, part) in self._parts.items() if key != "name"}
        titles = {id_: {"type": "string", "description": clause.title} for id_, clause in self.clauses.items()}
        beside["rulings"] |= {"properties": titles}
        return {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": f"Waylog campaign, {self.system.name}",
            "type": "object",
            "required": ["system"],
            "properties": {
                "format": {"type": "integer", "description": "The version of the file format"},
                "name": {"type": "string", "description": "The campaign's name"},
                "system": {"const": self.system.id},
                "log": {
                    "type": "string",
                    "description": "The last log entry that this file includes. Waylog keeps this up to date",
                },
                "house_rules": beside.pop("house_rules"),
                **properties,
                **beside,
            },
        }

    @cached_property
    def example(self) -> str:
        """A value of this game and what it may be set to, such as `ship.focus 2`."""
        sheet = self.system.fresh()
        path, value = next(_numbers(sheet, ()), (("name",), "Home"))
        return f"{format_path(path)} {value}"

    # -- one value --------------------------------------------------------------------------------------------------

    @cached_property
    def tree(self) -> TreeCodec:
        """The campaign file as one table, in its order."""
        from waylog.rules.codec.form_fields_and_paths import (  # Only forms and settings need these modules.
            TreeCodec,
            codec_at,
        )

        beside = {key: (part, attrgetter(name)) for key, (name, part) in self._parts.items()}
        sheet = codec(self.system.sheet)
        keys = [key for key, _, _ in sheet.parts(sheet.nothing)]
        of_game = {key: (codec_at(sheet, (key,)) or sheet, attrgetter(f"sheet.{key}")) for key in keys}
        first = {key: beside.pop(key) for key in ("name", "house_rules")}
        return TreeCodec({**first, **of_game, **beside}, self.fresh(""))

    def fields(self, state: State) -> FieldGroup:
        """Describe the whole campaign for forms, with the choices that this game takes. Sessions have none."""
        from waylog.rules.codec.form_fields_and_paths import (
            ANY,
            SESSIONS,
            FieldGroup,
            describe_thing,
            with_choices,
            with_items,
        )

        whole = describe_thing(self.tree, state, (), characters=self.system.names_of_characters(state.sheet))
        assert isinstance(whole, FieldGroup)
        left_out = [(SESSIONS,), *([] if self.system.running or state.situations else [_SITUATIONS])]
        whole = replace(whole, parts=tuple(part for part in whole.parts if part.path not in left_out))
        whole = with_items(whole, "seen_by", tuple(state.players)) if state.players else whole
        effects = {effect.value: effect.value for effect in self.system.running}
        sizes = SIZES if state.rules.clock_sizes == "usual" else ALL_SIZES
        whole = with_choices(whole, ("clocks", ANY, "segments"), {str(size): str(size) for size in sizes})
        whole = with_choices(whole, ("clocks", ANY, "outcome_seen"), ENDING_SHOWN)
        whole = with_choices(whole, ("clocks", ANY, "running"), {WhileRunning.NOTHING.value: "nothing", **effects})
        return with_choices(whole, (*_SITUATIONS, ANY, "makes"), effects)

    def form_places(self) -> tuple[FormPlace, ...]:
        """Return the forms that can be opened from anywhere."""
        return self._form_places

    @cached_property
    def _form_places(self) -> tuple[FormPlace, ...]:
        from waylog.rules.codec.form_fields_and_paths import form_places

        tabs: Mapping[Path, str] = {(self.system.characters, NEW): "crew", (self.system.ships, NEW): "ship"}
        return tuple(
            replace(place, tab=tabs.get(place.path, ""))
            for place in form_places(self.tree)
            if self.system.running or place.path[:1] != _SITUATIONS
        )

    def form(self, state: State, path: Path) -> FormSource | None:
        """Return the form of the thing that the row at `path` belongs to; with `NEW` as its last key, of one more thing in that
        table; for an empty path, of the whole campaign. None if the file has nothing there.
        """
        from waylog.rules.codec.form_fields_and_paths import form_of, thing_path

        thing = path if path[-1:] == (NEW,) else thing_path(self.tree, state, path)
        return form_of(self.fields(state), thing, path) if thing or not path else None

    def has_value(self, path: Path) -> bool:
        """Whether a campaign of this game can have a single value, or a list of them, at `path`."""
        from waylog.rules.codec.base_and_limits import ValueShape
        from waylog.rules.codec.form_fields_and_paths import codec_at

        found = codec_at(self.tree, path)
        return found is not None and found.shape is not ValueShape.TABLE

    def check_keys(self, state: State, path: Path, raw: Value) -> None:
        """Raise `ValueError` for a misspelt key. The message names the key that was probably meant."""
        if path and path[0] in self._parts:
            name, part = self._parts[path[0]]
            check_codec_keys(part, getattr(state, name), path[1:], raw, path[:1])
        else:
            check_codec_keys(codec(self.system.sheet), state.sheet, path, raw)


def _numbers(value: Any, path: Path) -> Iterator[tuple[Path, int]]:
    """Yield the numbers of a sheet with their paths."""
    if type(value) is int:
        yield path, value
    elif isinstance(value, Mapping):
        for key, item in value.items():
            yield from _numbers(item, (*path, str(key)))
    elif is_dataclass(value):
        for each in dataclass_fields(value):
            yield from _numbers(getattr(value, each.name), (*path, each.name))
