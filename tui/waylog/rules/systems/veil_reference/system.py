"""The reference edition as a system: what may be done, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar, assert_never

from waylog.rules.clocks import Running
from waylog.rules.dice import Dice
from waylog.rules.moves import Answers, Move, RollKey
from waylog.rules.odds import Odds
from waylog.rules.panels import Panel
from waylog.rules.sheets import Fault
from waylog.rules.systems.veil_reference import (
    checks,
    crew,
    damage,
    forecast,
    panels,
    placing,
    rolling,
    skills,
    tokens,
)
from waylog.rules.systems.veil_reference.akin import AKIN
from waylog.rules.systems.veil_reference.editions import REFERENCE
from waylog.rules.systems.veil_reference.house_rules import HouseRules
from waylog.rules.systems.veil_reference.moment import Moment
from waylog.rules.systems.veil_reference.sheet import Sheet
from waylog.rules.systems.veil_reference.stages import Breach, Place, Remap, Stage
from waylog.rules.turns import Position, Turn
from waylog.values import dataclass

Play = Callable[[Moment, Move, Answers, Dice], Moment]
"""What a move does. Raises `Refused` or `DiceWanted`."""
_OFFERS: Sequence[Callable[[Moment], tuple[Move, ...]]] = (
    rolling.offers,
    damage.offers,
    tokens.offers,
    crew.offers,
    skills.offers,
)
_PLAYS: Mapping[str, Play] = {
    "roll": rolling.play,
    "damage": crew.damage,
    "destroy": damage.destroyed,
    "lose": tokens.lose,
    "restore": tokens.restore,
    "join": crew.join,
    "rest": crew.rest,
    "resupply": crew.resupply,
    "learn": skills.learn,
}
"""What each verb does while nothing is asked."""


@dataclass(frozen=True, slots=True)
class Reference:
    """Veil Runners, reference edition."""

    id: str
    name: str
    about: str
    clauses: Mapping[str, str]
    sheet: type = Sheet
    rules: type = HouseRules
    scene: Any = Stage
    akin: ClassVar[Mapping[str, str]] = AKIN
    running: ClassVar[tuple[Running, ...]] = (Running.DESPERATE,)
    roll_key: ClassVar[RollKey] = RollKey(nothing="Nobody is aboard to roll; : join brings someone aboard")

    def fresh(self) -> Any:
        """The sheet of a new campaign: a whole ship with her dice spread evenly, and nobody aboard yet."""
        return Sheet()

    def faults(self, position: Position) -> Sequence[Fault]:
        """What in the sheet breaks a clause, beyond what its types say."""
        return checks.faults(Moment.of(REFERENCE, position))

    def question(self, position: Position) -> str | None:
        """What has to be answered before anything else goes on, or None."""
        moment, stage = _at(position)
        match stage:
            case None:
                return None
            case Breach():
                return damage.question(moment)
            case Place():
                return placing.place_question(moment, stage)
            case Remap():
                return placing.remap_question(moment)
            case _:
                assert_never(stage)

    def moves(self, position: Position) -> Sequence[Move]:
        """What may be done now, and what can't and why. While there is a question: its answers alone."""
        moment, stage = _at(position)
        match stage:
            case None:
                return tuple(move for offers in _OFFERS for move in offers(moment))
            case Breach():
                return damage.answers(moment)
            case Place():
                return placing.place_answers(moment, stage)
            case Remap():
                return placing.remap_answers(moment)
            case _:
                assert_never(stage)

    def play(self, position: Position, move: Move, answers: Answers, dice: Dice) -> Turn:
        """What comes of it. May raise `Refused` or `DiceWanted`."""
        moment, stage = _at(position)
        match stage:
            case None:
                return _PLAYS[move.verb](moment, move, answers, dice).turn()
            case Breach():
                return damage.answer(moment, move, dice).turn()
            case Place():
                return placing.answer_place(moment, stage, move, answers).turn()
            case Remap():
                return placing.answer_remap(moment, move, answers, "RF-09").turn()
            case _:
                assert_never(stage)

    def odds(self, position: Position, move: Move, answers: Answers) -> Odds | None:
        """The exact chances of a move that rolls, or None. Raises `Refused` for a roll that can't be made."""
        return forecast.odds(Moment.of(REFERENCE, position), move, answers)

    def panels(self, position: Position) -> Sequence[Panel]:
        """The sheet as the screens draw it."""
        return panels.panels(Moment.of(REFERENCE, position))


def _at(position: Position) -> tuple[Moment, Stage | None]:
    return Moment.of(REFERENCE, position), position.scene
