"""The working state of a move: the sheet with its surroundings, and the result so far. Each rule takes a moment and
returns the next.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Self

from waylog.rules.common.clocks import Clock
from waylog.rules.common.situations import Situations
from waylog.rules.dice import Dice, Die
from waylog.rules.facts import Fact, NoteFact, NotePart, RollFact
from waylog.rules.state import EffectOffer
from waylog.values import dataclass, field, replace


@dataclass(frozen=True, slots=True)
class MomentBase:
    """The sheet with its surroundings, the open stages, and the facts so far.

    A game subclasses it, names the type of its sheet, and adds the queries and changes that its rules use.
    """

    sheet: Any
    rules: Any
    """The game's house rules."""
    clocks: Mapping[str, Clock]
    edition: Any
    """The values in which editions of a game differ; None in a game with one edition."""
    situations: Situations = field(default_factory=dict)
    """The situations that affect this move (NM-19)."""
    stages: tuple[Any, ...] = ()
    """The open stages. The last one asks first."""
    facts: tuple[Fact, ...] = ()
    """The facts of this move so far, in order."""
    offers: tuple[EffectOffer, ...] = ()
    """The effects that are offered once the move is made: acts in words."""
    away: frozenset[str] = frozenset()
    """The characters whose players are not at the table, by their keys (NM-46). They are nobody's choice by default."""
    overruled: Mapping[str, int] = field(default_factory=dict)
    """Numbers that the wayfinder has set against a rule's range, by their paths."""

    def most_of(self, path: str, most: int) -> int:
        """Return the most that the number at a path may be: `most`, or more if the wayfinder has overruled that."""
        return max(most, self.overruled.get(path, 0))

    def says(self, text: str, clause: str | None = None, part: NotePart = NotePart.RESULT) -> Self:
        """Add a note."""
        return self.tells(NoteFact(text, clause, part=part))

    def tells(self, *facts: Fact) -> Self:
        """Add facts."""
        return replace(self, facts=(*self.facts, *facts))

    def rolls(self, dice: Dice, what: str, sources: Sequence[str], deed: str = "") -> tuple[Self, tuple[int, ...]]:
        """Roll one d6 for each source. `deed` says who does what with them. May raise `DiceWanted`."""
        rolled = dice.roll(tuple(Die(source) for source in sources))
        return self.tells(RollFact(what, rolled, dice.are_real, deed=deed)), tuple(face.face for face in rolled)

    @property
    def top(self) -> Any:
        """The open stage that asks first, or None."""
        return self.stages[-1] if self.stages else None

    def then(self, *stages: Any) -> Self:
        """Open stages. The last one asks first."""
        return replace(self, stages=(*self.stages, *stages))

    def closes(self) -> Self:
        """Close the last stage."""
        return replace(self, stages=self.stages[:-1])
