"""The first edition as a system: what may be done, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, assert_never

from waylog.rules.clocks import Running
from waylog.rules.dice import Dice
from waylog.rules.moves import Answers, Move, RollKey
from waylog.rules.odds import Odds
from waylog.rules.panels import Panel
from waylog.rules.sheets import Fault
from waylog.rules.systems.veil_classic import checks, crew, forecast, panels, rolling, sharing, shunts
from waylog.rules.systems.veil_classic.akin import AKIN
from waylog.rules.systems.veil_classic.editions import CLASSIC
from waylog.rules.systems.veil_classic.house_rules import HouseRules
from waylog.rules.systems.veil_classic.sheet import Sheet
from waylog.rules.systems.veil_classic.stages import Consequence, Inner, Sharing, Stage
from waylog.rules.systems.veil_reference import damage, placing, tokens
from waylog.rules.systems.veil_reference.moment import Moment
from waylog.rules.systems.veil_reference.stages import Breach, Place
from waylog.rules.turns import Position, Turn
from waylog.values import dataclass

Play = Callable[[Moment, Move, Answers, Dice], Moment]
"""What a move does. Raises `Refused` or `DiceWanted`."""
_OFFERS: Sequence[Callable[[Moment], tuple[Move, ...]]] = (
    rolling.offers,
    shunts.offers,
    damage.offers,
    tokens.offers,
    crew.offers,
)
_PLAYS: Mapping[str, Play] = {
    "roll": rolling.play,
    "remap": shunts.remap,
    "shunt": shunts.shunt,
    "state": shunts.state,
    "damage": crew.damage,
    "destroy": damage.destroyed,
    "lose": tokens.lose,
    "restore": crew.restore,
    "day": crew.day,
    "spend": crew.spend,
    "join": crew.join,
    "grit": crew.grit,
    "rest": crew.rest,
}
"""What each verb does while nothing is asked."""


@dataclass(frozen=True, slots=True)
class Classic:
    """Veil Runners, first edition."""

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
        """The sheet of a new campaign: a whole ship, and nobody aboard yet."""
        return Sheet()

    def faults(self, position: Position) -> Sequence[Fault]:
        """What in the sheet breaks a clause, beyond what its types say."""
        return tuple(checks.faults(Moment.of(CLASSIC, position)))

    def question(self, position: Position) -> str | None:
        """What has to be answered before anything else goes on, or None."""
        moment, stage, shared = _at(position)
        if shared and shared.due:
            return sharing.question(moment, shared)
        match stage:
            case None:
                return None
            case Breach():
                return damage.question(moment)
            case Consequence():
                return shunts.question(moment, stage)
            case Place():
                return placing.place_question(moment, stage)
            case _:
                assert_never(stage)

    def moves(self, position: Position) -> Sequence[Move]:
        """What may be done now, and what can't and why. While there is a question: its answers, and a shunt."""
        moment, stage, shared = _at(position)
        if shared and shared.due:
            return *sharing.answers(moment, shared), shunts.emergency(moment)
        match stage:
            case None:
                return tuple(move for offers in _OFFERS for move in offers(moment))
            case Breach():
                return *damage.answers(moment), shunts.emergency(moment)
            case Consequence():
                return *shunts.answers(), shunts.emergency(moment)
            case Place():
                return *placing.place_answers(moment, stage), shunts.emergency(moment)
            case _:
                assert_never(stage)

    def play(self, position: Position, move: Move, answers: Answers, dice: Dice) -> Turn:
        """What comes of it. May raise `Refused` or `DiceWanted`."""
        moment, stage, shared = _at(position)
        if shared and shared.due and not move.anytime:
            return sharing.answer(moment, shared, move).turn()
        turn = _played(moment, stage, move, answers, dice).turn()
        if shared is None:
            return turn
        if move.anytime:
            return replace(turn, position=replace(turn.position, scene=shared))
        return sharing.go_on(shared, turn)

    def odds(self, position: Position, move: Move, answers: Answers) -> Odds | None:
        """The exact chances of a move that rolls, or None. Raises `Refused` for a roll that can't be made."""
        return forecast.odds(Moment.of(CLASSIC, position), move, answers)

    def panels(self, position: Position) -> Sequence[Panel]:
        """The sheet as the screens draw it."""
        return panels.panels(Moment.of(CLASSIC, position))


def _at(position: Position) -> tuple[Moment, Inner, Sharing | None]:
    """The moment, what is asked of the dice, and who shares the risk of the roll, if others helped and are still there."""
    scene = position.scene
    if not isinstance(scene, Sharing):
        return Moment.of(CLASSIC, position), scene, None
    moment = Moment.of(CLASSIC, replace(position, scene=scene.inner))
    return moment, scene.inner, scene if sharing.at_risk(moment, scene) else None


def _played(moment: Moment, stage: Inner, move: Move, answers: Answers, dice: Dice) -> Moment:
    if stage is None or move.anytime:
        return _PLAYS[move.verb](moment, move, answers, dice)
    match stage:
        case Breach():
            return damage.answer(moment, move, dice)
        case Consequence():
            return shunts.answer(moment, stage, answers)
        case Place():
            return placing.answer_place(moment, stage, move, answers)
        case _:
            assert_never(stage)
