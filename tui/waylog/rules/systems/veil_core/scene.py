"""What is open, one stage after another: what is asked, how it may be answered, and what happens by itself."""

from __future__ import annotations

from dataclasses import replace

from waylog.rules.dice import Dice
from waylog.rules.moves import Answers, Move
from waylog.rules.systems.veil_core import damage, spending
from waylog.rules.systems.veil_core.moment import Moment
from waylog.rules.systems.veil_core.rolls import read
from waylog.rules.systems.veil_core.stages import Hit, ShipHit, Stage, Struck, Thrown


def top(moment: Moment) -> Stage | None:
    """The stage that comes first."""
    return moment.stages[-1] if moment.stages else None


def question(moment: Moment) -> str | None:
    """What has to be answered before anything else goes on, or None."""
    match top(moment):
        case Thrown() as stage:
            return spending.question(moment, stage)
        case Hit() as stage:
            return damage.hit_question(moment, stage)
        case Struck() as stage:
            return damage.struck_question(moment, stage)
        case _:
            return None


def answers(moment: Moment) -> tuple[Move, ...]:
    """The answers to the question."""
    match top(moment):
        case Thrown() as stage:
            return spending.answers(moment, stage)
        case Hit() as stage:
            return damage.hit_answers(moment, stage)
        case Struck() as stage:
            return damage.struck_answers(moment, stage)
        case _:
            return ()


def answer(moment: Moment, move: Move, given: Answers, dice: Dice) -> Moment:
    """What an answer leads to. Raises `Refused` or `DiceWanted`."""
    match top(moment):
        case Thrown() as stage:
            return spending.answer(moment, stage, move, given, dice)
        case Hit() as stage:
            return damage.answer_hit(moment, stage, move, dice)
        case Struck() as stage:
            return damage.answer_struck(moment, stage, move, given)
        case _:
            return moment


def run(moment: Moment, dice: Dice) -> Moment:
    """Do what needs no answer, until there is a question or nothing is left to do. May raise `DiceWanted`."""
    while (after := by_itself(moment, dice)) is not None:
        moment = after
    return moment


def by_itself(moment: Moment, dice: Dice) -> Moment | None:
    """The stage that comes first, done, if it leaves nobody a choice."""
    match top(moment):
        case Thrown() as stage if not spending.could_improve(moment, stage):
            return read(moment, stage)
        case ShipHit():
            return damage.damage_ship(moment.closes(), dice)
        case Hit() as stage if not damage.defenders(moment, stage):
            return damage.damage_member(moment.closes(), stage.who, dice)
        case Struck() as stage if not damage.raises(moment, stage):
            return damage.strike(moment.closes(), stage.who, stage.face)
        case _:
            return None


def known(moment: Moment) -> Moment:
    """The same without stages whose people are gone, as after an edit by hand."""
    return replace(moment, stages=tuple(stage for stage in moment.stages if _known(moment, stage)))


def _known(moment: Moment, stage: Stage) -> bool:
    crew = dict(moment.crew())
    match stage:
        case Thrown(roll):
            return all(not key or key in crew for key in (roll.who, roll.mate))
        case Hit(who) | Struck(who):
            return who in crew
        case _:
            return True
