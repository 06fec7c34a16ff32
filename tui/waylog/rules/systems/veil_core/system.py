"""Veil Runners as a system: what may be done, and what comes of it. Every edition is one of these."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from waylog.rules.clocks import Running
from waylog.rules.dice import Dice
from waylog.rules.moves import Answers, Move
from waylog.rules.odds import Odds
from waylog.rules.panels import Panel
from waylog.rules.sheets import Fault
from waylog.rules.systems.veil_core import (
    advancement,
    awards,
    checks,
    crew,
    damage,
    forecast,
    group,
    healing,
    missions,
    modules,
    panels,
    rolling,
    scene,
    tokens,
)
from waylog.rules.systems.veil_core.akin import AKIN
from waylog.rules.systems.veil_core.editions import Edition
from waylog.rules.systems.veil_core.moment import Moment
from waylog.rules.systems.veil_core.stages import Scene
from waylog.rules.turns import Position, Turn
from waylog.values import dataclass

Play = Callable[[Moment, Move, Answers, Dice], Moment]
"""What a move does. Raises `Refused` or `DiceWanted`."""
_OFFERS: Sequence[Callable[[Moment], tuple[Move, ...]]] = (
    rolling.offers,
    group.offers,
    healing.offers,
    damage.offers,
    tokens.offers,
    awards.offers,
    modules.offers,
    crew.offers,
    missions.offers,
    advancement.offers,
)
_PLAYS: Mapping[str, Play] = {
    "roll": rolling.play,
    "group": group.begin,
    "heal": healing.play,
    "damage": damage.deal,
    "lose": tokens.lose,
    "restore": tokens.restore,
    "award": awards.award,
    "take": awards.take,
    "spend": tokens.spend_life_support,
    "shunt": tokens.shunt,
    "state": tokens.state,
    "use": modules.use,
    "refill": modules.refill,
    "repair": modules.repair,
    "jury-rig": modules.jury_rig,
    "upgrade": modules.upgrade,
    "join": crew.join,
    "expose": crew.expose,
    "cover": crew.expose,
    "away": crew.goes,
    "aboard": crew.goes,
    "carry-on": missions.carry_on,
    "mission": missions.play,
    "willpower": missions.willpower,
    "advance": advancement.advance,
    "prep": advancement.prepare,
}
"""What each verb does while nothing is asked."""


@dataclass(frozen=True, slots=True)
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
    akin: ClassVar[Mapping[str, str]] = AKIN
    running: ClassVar[tuple[Running, ...]] = (Running.DESPERATE, Running.EXPOSED)

    def fresh(self) -> Any:
        """The sheet of a new campaign: a whole ship with her dice spread evenly, and nobody aboard yet."""
        return self.sheet()

    def faults(self, position: Position) -> Sequence[Fault]:
        """What in the sheet breaks a clause, beyond what its types say."""
        return checks.faults(self._moment(position))

    def question(self, position: Position) -> str | None:
        """What has to be answered before anything else goes on, or None."""
        return scene.question(self._moment(position))

    def moves(self, position: Position) -> Sequence[Move]:
        """What may be done now, and what can't and why. While there is a question: its answers, and a shunt."""
        moment = self._moment(position)
        if scene.question(moment):
            return *scene.answers(moment), tokens.shunt_offer(moment)
        return tuple(move for offers in _OFFERS for move in offers(moment))

    def play(self, position: Position, move: Move, answers: Answers, dice: Dice) -> Turn:
        """What comes of it. May raise `Refused` or `DiceWanted`."""
        moment = self._moment(position)
        if scene.question(moment) and not move.anytime:
            after = scene.answer(moment, move, answers, dice)
        else:
            after = _PLAYS[move.verb](moment, move, answers, dice)
        return scene.run(after, dice).turn()

    def odds(self, position: Position, move: Move, answers: Answers) -> Odds | None:
        """The exact chances of a move that rolls, or None. Raises `Refused` for a roll that can't be made."""
        return forecast.odds(self._moment(position), move, answers)

    def panels(self, position: Position) -> Sequence[Panel]:
        """The sheet as the screens draw it."""
        return panels.panels(self._moment(position))

    def _moment(self, position: Position) -> Moment:
        return scene.known(Moment.of(self.edition, position))
