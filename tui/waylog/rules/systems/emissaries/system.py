"""The Emissaries of Guenašk as a system: what may be done, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar, assert_never

from waylog.rules.dice import Dice
from waylog.rules.moves import Answers, Move, RollKey
from waylog.rules.odds import Odds
from waylog.rules.panels import Panel
from waylog.rules.sheets import Fault
from waylog.rules.systems.emissaries import (
    blows,
    checks,
    conflicts,
    endings,
    forecast,
    having,
    making,
    others,
    panels,
    recovery,
    turns,
)
from waylog.rules.systems.emissaries.board import Board, board
from waylog.rules.systems.emissaries.house_rules import HouseRules
from waylog.rules.systems.emissaries.moment import Moment
from waylog.rules.systems.emissaries.sheet import Sheet
from waylog.rules.systems.emissaries.stages import Aftermath, Conflict, Making, Scene
from waylog.rules.turns import Position, Turn
from waylog.values import dataclass

Play = Callable[[Moment, Move, Answers, Dice], Moment]
"""What a move does. Raises `Refused` or `DiceWanted`."""
_OFFERS: Sequence[Callable[[Moment], tuple[Move, ...]]] = (
    conflicts.offers,
    making.offers,
    recovery.offers,
    having.offers,
    others.offers,
    blows.offers,
)
_PLAYS: Mapping[str, Play] = {
    "conflict": conflicts.play,
    "recover": recovery.play,
    "cure": recovery.play,
    "accept": recovery.play,
    "relate": having.play,
    "object": having.play,
    "gain": having.play,
    "advance": having.play,
    "rephrase": having.play,
    "hoped": having.play,
    "join": making.play,
    "make": making.play,
    "npc": others.play,
    "rate": others.play,
    "asset": others.play,
    "fallout": blows.play,
}
"""What each verb does while nothing is asked."""
_ANYTIME = ("npc", "rate", "asset", "object", "gain", "rephrase")
"""Verbs that may be done in the middle of a conflict too: what they bring is brought into play by entering or escalating."""


@dataclass(frozen=True, slots=True)
class Emissaries:
    """The game."""

    id: str
    name: str
    about: str
    clauses: Mapping[str, str]
    sheet: type = Sheet
    rules: type = HouseRules
    scene: Any = Scene
    roll_key: ClassVar[RollKey] = RollKey(("conflict", "enter", "escalate"), "begins a conflict")

    def fresh(self) -> Sheet:
        """The sheet of a new campaign, with nobody in it yet."""
        return Sheet()

    def faults(self, position: Position) -> Sequence[Fault]:
        """What in the sheet breaks a clause, beyond what its types say."""
        return checks.faults(_moment(position))

    def question(self, position: Position) -> str | None:
        """What has to be answered before anything else goes on, or None."""
        moment = _moment(position)
        match moment.scene:
            case Conflict():
                return turns.question(moment)
            case Making():
                return making.question(moment)
            case None | Aftermath():
                return None
            case _ as never:
                assert_never(never)

    def moves(self, position: Position) -> Sequence[Move]:
        """What may be done now, and what can't and why. Each step of a conflict or a making is an act of its own (EG-24)."""
        moment = _moment(position)
        match moment.scene:
            case Conflict():
                answers = (replace(move, apart=True) for move in turns.answers(moment))
                return (*answers, *(replace(move, anytime=True) for move in _offers(moment) if move.verb in _ANYTIME))
            case Making():
                return tuple(replace(move, apart=True) for move in making.answers(moment))
            case Aftermath():
                offered = tuple(replace(move, follows=True, apart=True) for move in recovery.aftermath(moment))
                known = {move.id for move in offered}
                rest = (move for move in _offers(moment) if move.id not in known)
                return (*offered, *(replace(move, anytime=move.verb in _ANYTIME) for move in rest))
            case None:
                return _offers(moment)
            case _ as never:
                assert_never(never)

    def play(self, position: Position, move: Move, answers: Answers, dice: Dice) -> Turn:
        """What comes of it. May raise `Refused` or `DiceWanted`."""
        moment = _moment(position)
        match moment.scene:
            case Conflict() | Aftermath() if move.anytime:
                return _PLAYS[move.verb](moment, move, answers, dice).turn()
            case Conflict():
                return endings.settled(turns.answer(moment, move, answers, dice)).turn()
            case Making():
                return making.answer(moment, move, answers).turn()
            case None | Aftermath():
                return _PLAYS[move.verb](moment, move, answers, dice).turn()
            case _ as never:
                assert_never(never)

    def odds(self, position: Position, move: Move, answers: Answers) -> Odds | None:
        """The exact chances of dice about to be rolled, and what a raise or a see will be. Raises `Refused`."""
        return forecast.odds(_moment(position), move, answers)

    def panels(self, position: Position) -> Sequence[Panel]:
        """The sheet as the screens draw it."""
        return panels.panels(_moment(position))

    def board(self, position: Position) -> Board | None:
        """The conflict under way, with all that a screen of it shows (EG-24); None when there is none."""
        moment = _moment(position)
        return board(moment) if isinstance(moment.scene, Conflict) else None


def _offers(moment: Moment) -> tuple[Move, ...]:
    """What may be done while nothing is open."""
    return tuple(move for offers in _OFFERS for move in offers(moment))


def _moment(position: Position) -> Moment:
    return turns.known(Moment.of(position))
