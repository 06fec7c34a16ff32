"""What a rule is given, and what it returns: the position before a move, and the turn that it makes of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from waylog.rules.common.clocks import Clock
from waylog.rules.common.situations import Situation
from waylog.rules.facts import Fact
from waylog.rules.state import EffectOffer
from waylog.values import dataclass, field


@dataclass(frozen=True, slots=True)
class Position:
    """Everything that a rule may look at: sheet, house rules, clocks, situations, and the open stage.

    `sheet`, `rules` and `scene` are frozen dataclasses declared by the game. `scene` is None if nothing is open.
    """

    sheet: Any
    rules: Any
    clocks: Mapping[str, Clock] = field(default_factory=dict)
    scene: Any = None
    situations: Mapping[str, Situation] = field(default_factory=dict)
    """The situations that affect the move (NM-19)."""
    away: frozenset[str] = frozenset()
    """The characters whose players are not at the table, by their keys (NM-46)."""
    overruled: Mapping[str, int] = field(default_factory=dict)
    """Numbers that the wayfinder has set against a rule's range, by their paths."""


@dataclass(frozen=True, slots=True)
class Turn:
    """The position after a move, and the facts of the move."""

    position: Position
    facts: tuple[Fact, ...] = ()
    offers: tuple[EffectOffer, ...] = ()
    """The effects that are offered after it."""
