"""What is open, one stage after another: what is asked, how it may be answered, and what happens by itself."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from waylog.rules.dice import Dice
from waylog.rules.moves import Answers, Move
from waylog.rules.systems.course_flow import asking, following, rolling, slots
from waylog.rules.systems.course_flow.moment import Moment
from waylog.rules.systems.course_flow.stages import (
    Asking,
    Called,
    Closing,
    Harm,
    Lesson,
    Notice,
    Offered,
    Recovery,
    Stage,
    Thrown,
    Unnamed,
)


def question(moment: Moment) -> str | None:
    """What has to be answered before anything else goes on, or None."""
    match moment.top:
        case None | Closing():
            return None
        case Called() as stage:
            return rolling.called_question(moment, stage)
        case Thrown() as stage:
            return following.thrown_question(moment, stage)
        case Offered() as stage:
            return following.offered_question(moment, stage)
        case Unnamed() as stage:
            return following.unnamed_question(moment, stage)
        case Lesson() as stage:
            return following.lesson_question(moment, stage)
        case Recovery() as stage:
            return slots.recovery_question(moment, stage)
        case Harm() as stage:
            return slots.harm_question(moment, stage)
        case Notice() as stage:
            return following.notice_question(moment, stage)
        case Asking() as stage:
            return asking.question_of(moment, stage)
        case _ as never:
            assert_never(never)


def answers(moment: Moment) -> tuple[Move, ...]:
    """The answers to the question."""
    match moment.top:
        case None | Closing():
            return ()
        case Called() as stage:
            return rolling.called_answers(moment, stage)
        case Thrown() as stage:
            return following.thrown_answers(moment, stage)
        case Offered() as stage:
            return following.offered_answers(moment, stage)
        case Unnamed() as stage:
            return following.unnamed_answers(moment, stage)
        case Lesson() as stage:
            return following.lesson_answers(moment, stage)
        case Recovery() as stage:
            return slots.recovery_answers(moment, stage)
        case Harm() as stage:
            return slots.harm_answers(moment, stage)
        case Notice() as stage:
            return following.notice_answers(moment, stage)
        case Asking() as stage:
            return asking.answers(moment, stage)
        case _ as never:
            assert_never(never)


def answer(moment: Moment, move: Move, given: Answers, dice: Dice) -> Moment:
    """What an answer leads to. Raises `Refused` or `DiceWanted`."""
    match moment.top:
        case None | Closing():
            return moment
        case Called() as stage:
            return rolling.answer_called(moment, stage, move, given, dice)
        case Thrown() as stage:
            return following.elect(moment, stage, move, given)
        case Offered() as stage:
            return following.answer_offered(moment, stage, move, given)
        case Unnamed():
            return following.answer_unnamed(moment, given)
        case Lesson() as stage:
            return following.answer_lesson(moment, stage, given)
        case Recovery():
            return slots.answer_recovery(moment, move, given)
        case Harm():
            return slots.answer_harm(moment, move, given)
        case Notice() as stage:
            return following.answer_notice(moment, stage, move, given)
        case Asking():
            return asking.answer(moment, move, given)
        case _ as never:
            assert_never(never)


def run(moment: Moment) -> Moment:
    """Do what needs no answer, until there is a question or nothing is left to do."""
    while (after := by_itself(known(moment))) is not None:
        moment = after
    return known(moment)


def by_itself(moment: Moment) -> Moment | None:
    """The stage that comes first, done, if it leaves nobody a choice."""
    match moment.top:
        case Recovery() if slots.nothing_to_recover(moment):
            return moment.closes().says("No slot is marked anywhere: the recovery is lost", "CF-15")
        case Closing() as stage:
            return following.close(moment, stage)
        case _:
            return None


def known(moment: Moment) -> Moment:
    """The same without stages that mean nothing any more: by hand people or the Course were taken away."""
    stages = tuple(stage for stage in moment.stages if _holds(moment, stage))
    return moment if len(stages) == len(moment.stages) else replace(moment, stages=stages)


def _holds(moment: Moment, stage: Stage) -> bool:
    match stage:
        case Called(roll) | Thrown(roll) | Offered(roll):
            return roll.who in moment.sheet.crew and moment.course.lies
        case Asking(who, question):
            return who in moment.sheet.crew and question in asking.QUESTIONS
        case _:
            return stage.who in moment.sheet.crew
