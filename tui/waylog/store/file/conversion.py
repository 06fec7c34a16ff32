"""A campaign made from one of another game: which values keep their path, which get another or none, and what is left to choose."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import Enum
from typing import Any

from waylog.rules.codec.base_and_limits import Fault
from waylog.rules.codec.changes import Change, Value
from waylog.rules.codec.changes import Path as ValuePath
from waylog.rules.game import Game
from waylog.rules.model.state import State
from waylog.values import dataclass, fields, is_dataclass, replace

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
