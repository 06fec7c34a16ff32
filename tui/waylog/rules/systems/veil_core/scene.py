"""What is open, one stage after another: what is asked, how it may be answered, and what happens by itself."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from waylog.rules.dice import Dice
from waylog.rules.moves import Answers, Move
from waylog.rules.systems.veil_core import advancement, damage, group, healing, spending, tokens
from waylog.rules.systems.veil_core.moment import Moment
from waylog.rules.systems.veil_core.rolls import next_of, read
from waylog.rules.systems.veil_core.stages import (
    Debt,
    FreePick,
    Group,
    Hit,
    Naming,
    Recovery,
    Settled,
    ShipHit,
    Stage,
    Struck,
    Surplus,
    Thrown,
)


def top(moment: Moment) -> Stage | None:
    """The stage that comes first."""
    return moment.stages[-1] if moment.stages else None


def question(moment: Moment) -> str | None:
    """What has to be answered before anything else goes on, or None."""
    match top(moment):
        case None | Settled() | ShipHit():
            return None
        case Thrown() as stage:
            return spending.question(moment, stage)
        case Hit() as stage:
            return damage.hit_question(moment, stage)
        case Struck() as stage:
            return damage.struck_question(moment, stage)
        case Debt() as stage:
            return healing.question(moment, stage)
        case Recovery() as stage:
            return tokens.recovery_question(moment, stage)
        case Group() as stage:
            return group.question(moment, stage)
        case FreePick() as stage:
            return advancement.pick_question(moment, stage)
        case Surplus() as stage:
            return advancement.surplus_question(moment, stage)
        case Naming() as stage:
            return advancement.naming_question(moment, stage)
        case _ as never:
            assert_never(never)


def answers(moment: Moment) -> tuple[Move, ...]:
    """The answers to the question."""
    match top(moment):
        case None | Settled() | ShipHit():
            return ()
        case Thrown() as stage:
            return spending.answers(moment, stage)
        case Hit() as stage:
            return damage.hit_answers(moment, stage)
        case Struck() as stage:
            return damage.struck_answers(moment, stage)
        case Debt() as stage:
            return healing.answers(moment, stage)
        case Recovery() as stage:
            return tokens.recovery_answers(moment, stage)
        case Group() as stage:
            return group.answers(moment, stage)
        case FreePick() as stage:
            return advancement.pick_answers(moment, stage)
        case Surplus() as stage:
            return advancement.surplus_answers(moment, stage)
        case Naming() as stage:
            return advancement.naming_answers(moment, stage)
        case _ as never:
            assert_never(never)


def answer(moment: Moment, move: Move, given: Answers, dice: Dice) -> Moment:
    """What an answer leads to. Raises `Refused` or `DiceWanted`."""
    match top(moment):
        case None | Settled() | ShipHit():
            return moment
        case Thrown() as stage:
            return spending.answer(moment, stage, move, given, dice)
        case Hit() as stage:
            return damage.answer_hit(moment, stage, move, dice)
        case Struck() as stage:
            return damage.answer_struck(moment, stage, move, given)
        case Debt() as stage:
            return healing.answer(moment, stage, move)
        case Recovery() as stage:
            return tokens.answer_recovery(moment, stage, move, given)
        case Group() as stage:
            return group.answer(moment, stage, move, given, dice)
        case FreePick() as stage:
            return advancement.answer_pick(moment, stage, move)
        case Surplus() as stage:
            return advancement.answer_surplus(moment, stage, move)
        case Naming() as stage:
            return advancement.answer_naming(moment, stage, given)
        case _ as never:
            assert_never(never)


def run(moment: Moment, dice: Dice) -> Moment:
    """Do what needs no answer, until there is a question or nothing is left to do. May raise `DiceWanted`."""
    while (after := by_itself(known(moment), dice)) is not None:
        moment = after
    return known(moment)


def by_itself(moment: Moment, dice: Dice) -> Moment | None:
    """The stage that comes first, done, if it leaves nobody a choice."""
    match top(moment):
        case Thrown() as stage if not spending.could_improve(moment, stage):
            return read(moment, stage)
        case ShipHit():
            return damage.damage_ship(moment.closes(), dice)
        case Hit() as stage if not damage.defenders(moment, stage):
            return damage.take(moment, stage, dice)
        case Struck() as stage if not damage.raises(moment, stage):
            return damage.strike(moment.closes(), stage.who, stage.face)
        case Debt() as stage if not moment.focus(stage.who):
            return healing.cannot_pay(moment, stage)
        case Recovery() as stage if not tokens.choosing(moment, stage):
            return tokens.without_choice(moment, stage)
        case Group() as stage if not group.waiting(moment, stage):
            return group.conclude(moment, stage)
        case _:
            return None


def known(moment: Moment) -> Moment:
    """The same without stages whose people are gone: burned, or taken out of the file by hand."""
    crew = {key for key, _ in moment.crew()}
    stages = tuple(left for stage in moment.stages if _people(left := _without(stage, crew)) <= crew)
    return moment if stages == moment.stages else replace(moment, stages=stages)


def _without(stage: Stage, crew: set[str]) -> Stage:
    """A hit for more than one, without those who are gone."""
    if not isinstance(stage, Hit):
        return stage
    hit = replace(stage, also=tuple(who for who in stage.also if who in crew))
    return hit if hit.who in crew or not hit.also else next_of(hit)[0]


def _people(stage: Stage) -> set[str]:
    """The crew members without whom a stage means nothing."""
    match stage:
        case Thrown(roll):
            return {roll.who, roll.mate} - {""}
        case Hit(who) | Struck(who) | Debt(who) | FreePick(who) | Surplus(who) | Naming(who):
            return {who}
        case ShipHit() | Recovery() | Group() | Settled():
            return set()
        case _:
            assert_never(stage)
