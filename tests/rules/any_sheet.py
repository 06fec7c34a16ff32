"""Any sheet that a game file allows: each value anywhere in its range, and the things that a new campaign has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from hypothesis import strategies as st

from waylog.rules.file_game.dice_throws_and_cards import cards_of
from waylog.rules.file_game.game_file_format import GameFile, ValueRule
from waylog.rules.file_game.sheet_types import kind_of
from waylog.values import replace


def any_sheet(game: GameFile, fresh: Any) -> st.SearchStrategy[Any]:
    """Return sheets with other values than a new one has."""
    parts = {}
    for name, part in game.sheet.items():
        now = getattr(fresh, name)
        parts[name] = _things(part.each, now) if part.each else _record(part.values, now)
    return st.fixed_dictionaries(parts).map(lambda found: replace(fresh, **found))


def _things(values: Mapping[str, ValueRule], now: Mapping[str, Any]) -> st.SearchStrategy[Any]:
    """Return some of the things of a list, in any state."""
    each = {key: _record(values, thing) for key, thing in now.items()}
    return st.fixed_dictionaries({}, optional=each)


def _record(values: Mapping[str, ValueRule], now: Any) -> st.SearchStrategy[Any]:
    found = {key: _value(value, getattr(now, key)) for key, value in values.items()}
    return st.fixed_dictionaries(found).map(lambda drawn: replace(now, **drawn))


def _value(value: ValueRule, now: Any) -> st.SearchStrategy[Any]:
    match kind_of(value):
        case "range":
            ends = st.sampled_from(value.range)
            return st.one_of(st.integers(value.range[0], value.range[-1]), ends, st.just(now))
        case "number":
            return st.integers(-2, 9)
        case "flag":
            return st.booleans()
        case "choices":
            return st.sampled_from(value.choices)
        case "deck":
            return st.permutations([*cards_of(value.deck)]).flatmap(
                lambda cards: st.sampled_from((0, 1, len(cards) - 1, len(cards))).map(
                    lambda count: tuple(cards[:count])
                )
            )
        case "each":
            return _things(value.each, now)
        case _:
            return st.just(now)
