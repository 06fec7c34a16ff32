"""A campaign taken over into another game: what keeps its place, what finds another, what is left behind, what is to be chosen."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from enum import Enum
from typing import Any

from waylog.rules.changes import Change, Path, Value
from waylog.rules.game import Game
from waylog.rules.sheets import Fault
from waylog.rules.state import State
from waylog.rules.systems import conversion_map
from waylog.values import dataclass

_HOUSE = "house_rules"
_ANY = "*"
"""Stands for any key in the paths of kindred values."""


@dataclass(frozen=True, slots=True)
class MappedValue:
    """A value and where it goes."""

    path: Path
    to: Path
    value: Value


@dataclass(frozen=True, slots=True)
class ConversionPlan:
    """What becomes of a campaign in another game. Nothing is written yet."""

    state: State
    moved: tuple[MappedValue, ...]
    """Values that differ from a fresh sheet's and have a place in the other game."""
    dropped: tuple[tuple[Path, Value], ...]
    """Those that have none."""
    to_choose: tuple[Fault, ...]
    """What the other game's rules would have otherwise: for a person to decide."""


def plan_conversion(source: Game, state: State, target: Game) -> ConversionPlan:
    """The campaign as the target game has it. What is open at the table, and the log, stay behind."""
    fresh = target.fresh(state.name)
    carried = replace(
        fresh,
        clocks=state.clocks,
        decks=state.decks,
        situations=state.situations,
        sessions=state.sessions,
        rulings={id_: text for id_, text in state.rulings.items() if id_ in target.clauses},
    )
    common, theirs = conversion_map(source.system), {name: path for path, name in conversion_map(target.system).items()}
    moved, dropped = list[MappedValue](), list[tuple[Path, Value]]()
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


def _place(path: Path, common: Mapping[str, str], theirs: Mapping[str, str]) -> Path:
    """Where the target keeps what the source keeps at `path`: under a name they share, or at the same path."""
    for pattern, name in common.items():
        keys = _match_wildcards(pattern.split("."), path)
        if keys is not None and name in theirs:
            rest = iter(keys)
            return tuple(next(rest) if part == _ANY else part for part in theirs[name].split("."))
    return path


def _match_wildcards(pattern: list[str], path: Path) -> list[str] | None:
    """The keys that stand where the pattern has a star; None when it is another path."""
    if len(pattern) != len(path) or any(part not in (_ANY, key) for part, key in zip(pattern, path, strict=True)):
        return None
    return [key for part, key in zip(pattern, path, strict=True) if part == _ANY]


def _with(game: Game, state: State, path: Path, value: Value) -> State | None:
    """The state with a value at that place; None when there is no such place, or it takes nothing of the kind."""
    try:
        return game.apply_changes(state, [Change(path, None, value)])
    except ValueError:
        return None


def _leaves(value: Any, fresh: Any, path: Path) -> Iterator[tuple[Path, Value, bool]]:
    """Every single value of a sheet, where it stands, and whether it is another than on a fresh sheet."""
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
