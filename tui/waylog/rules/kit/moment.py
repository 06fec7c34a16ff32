"""The working state of a move: what the rules read, and what has come of the move so far. Each rule takes one and returns the next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from typing import Any, Self

from waylog.rules.common.clocks import Clock
from waylog.rules.common.situations import Situations
from waylog.rules.dice import Dice, Die
from waylog.rules.facts import Fact, NoteFact, NotePart, RollFact
from waylog.values import dataclass


@dataclass(frozen=True, slots=True)
class MomentBase:
    """The sheet with what surrounds it, the stages that are open, and the facts so far.

    A game subclasses it, names the type of its sheet, and adds the queries and changes that its rules use.
    """

    sheet: Any
    rules: Any
    """The game's house rules."""
    clocks: Mapping[str, Clock]
    edition: Any
    """What distinguishes one edition of a game from another; None in a game that has only one."""
    situations: Situations = field(default_factory=dict)
    """Those that affect this move (NM-19)."""
    stages: tuple[Any, ...] = ()
    """What is open. The last stage comes first."""
    facts: tuple[Fact, ...] = ()
    """What has happened since the move began, in order."""

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
        """The open stage that comes first, or None."""
        return self.stages[-1] if self.stages else None

    def then(self, *stages: Any) -> Self:
        """Open stages. The last of them comes first."""
        return replace(self, stages=(*self.stages, *stages))

    def closes(self) -> Self:
        """Close the stage on top."""
        return replace(self, stages=self.stages[:-1])
