"""Veil Runners as a system: what may be done, and what comes of it. Every edition is one of these."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from waylog.rules.dice import Dice
from waylog.rules.moves import Answers, Move
from waylog.rules.odds import Odds
from waylog.rules.panels import Panel
from waylog.rules.sheets import Fault
from waylog.rules.systems.veil_core import damage, panels, rolling, scene
from waylog.rules.systems.veil_core.editions import Edition
from waylog.rules.systems.veil_core.moment import Moment
from waylog.rules.systems.veil_core.stages import Scene
from waylog.rules.turns import Position, Turn

Play = Callable[[Moment, Move, Answers, Dice], Moment]
"""What a move does. Raises `Refused` or `DiceWanted`."""
_PLAYS: Mapping[str, Play] = {"roll": rolling.play, "damage": damage.deal}
"""By verb."""


@dataclass(frozen=True)
class Veil:
    """An edition of Veil Runners."""

    id: str
    name: str
    about: str
    clauses: Mapping[str, str]
    sheet: type
    rules: type
    edition: Edition
    scene: Any = Scene

    def fresh(self) -> Any:
        return self.sheet()

    def faults(self, position: Position) -> Sequence[Fault]:
        return ()

    def question(self, position: Position) -> str | None:
        return scene.question(self._moment(position))

    def moves(self, position: Position) -> Sequence[Move]:
        moment = self._moment(position)
        if scene.question(moment):
            return scene.answers(moment)
        return (*rolling.offers(moment), *damage.offers(moment))

    def play(self, position: Position, move: Move, answers: Answers, dice: Dice) -> Turn:
        moment = self._moment(position)
        if scene.question(moment):
            after = scene.answer(moment, move, answers, dice)
        else:
            after = _PLAYS[move.verb](moment, move, answers, dice)
        return scene.run(after, dice).turn()

    def odds(self, position: Position, move: Move, answers: Answers) -> Odds | None:
        return None

    def panels(self, position: Position) -> Sequence[Panel]:
        return panels.panels(self._moment(position))

    def _moment(self, position: Position) -> Moment:
        return scene.known(Moment.of(self.edition, position))
