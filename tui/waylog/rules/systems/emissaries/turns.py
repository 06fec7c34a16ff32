"""A conflict from one phase to the next: what is asked, how it may be answered, and what that does."""

from __future__ import annotations

from typing import assert_never

from waylog.rules.dice import Dice
from waylog.rules.moves import Answers, Move
from waylog.rules.systems.emissaries import blows, conflicts, exchange, having
from waylog.rules.systems.emissaries.moment import CREW, Moment
from waylog.rules.systems.emissaries.naming import people_words
from waylog.rules.systems.emissaries.stages import Conflict, Making, Phase
from waylog.rules.systems.emissaries.tracks import exists


def question(moment: Moment) -> str:
    """What the conflict waits for."""
    match moment.conflict.phase:
        case Phase.GATHER:
            return conflicts.question(moment)
        case Phase.FIRST:
            return conflicts.first_question(moment)
        case Phase.RAISE:
            return exchange.raise_question(moment)
        case Phase.SEE:
            return exchange.see_question(moment)
        case Phase.FALLOUT:
            return blows.question(moment)
        case Phase.CONDITION:
            return blows.condition_question(moment)
        case _ as never:
            assert_never(never)


def answers(moment: Moment) -> tuple[Move, ...]:
    """What may be done about it."""
    match moment.conflict.phase:
        case Phase.GATHER:
            return (*conflicts.answers(moment), *_relating(moment))
        case Phase.FIRST:
            return conflicts.first_answers(moment)
        case Phase.RAISE:
            return (*exchange.raise_answers(moment), *_relating(moment))
        case Phase.SEE:
            return (*exchange.see_answers(moment), *_relating(moment))
        case Phase.FALLOUT:
            return blows.answers(moment)
        case Phase.CONDITION:
            return blows.condition_answers(moment)
        case _ as never:
            assert_never(never)


def _relating(moment: Moment) -> tuple[Move, ...]:
    """Relationship dice that were kept back may be assigned in the middle of it, by whoever's turn it is (EG-04)."""
    conflict = moment.conflict
    people = {word: who for word, who in people_words(moment).items() if who.startswith(f"{CREW}/")}
    if conflict.phase is not Phase.GATHER:
        acting = moment.participant(_whose_turn(moment)).who
        people = {word: who for word, who in people.items() if who == acting}
    return tuple(having.relating(moment, word, who) for word, who in people.items())


def answer(moment: Moment, move: Move, given: Answers, dice: Dice) -> Moment:
    """What an answer leads to. Raises `Refused` or `DiceWanted`."""
    match move.verb:
        case "relate":
            return having.play(moment, move, given, dice)
        case "first":
            return conflicts.answer_first(moment, move)
        case "raise":
            return exchange.plays_raise(moment, given)
        case "see":
            return _sees(moment, given)
        case "escalate":
            return exchange.escalates(moment, given, dice)
        case "give":
            return exchange.goes_on(exchange.gives(moment, _whose_turn(moment)))
        case "fallout" | "resist":
            return blows.answer(moment, move, given)
        case "condition":
            return blows.answer_condition(moment, given)
        case _:
            return conflicts.answer(moment, move, given, dice)


def _sees(moment: Moment, given: Answers) -> Moment:
    """The raise is seen; a blow that is taken makes fallout (EG-15, EG-20)."""
    word = exchange.seer(moment).word
    told, took = exchange.plays_see(moment, given)
    return blows.taken(told, word) if took else exchange.goes_on(told)


def _whose_turn(moment: Moment) -> str:
    return exchange.seer(moment).word if moment.conflict.phase is Phase.SEE else moment.conflict.turn


def known(moment: Moment) -> Moment:
    """The same without what a hand edit has made impossible: somebody made who is gone, fallout that no track takes."""
    match moment.scene:
        case Making(who):
            alive = who in dict(moment.crew())
            return moment if alive else moment.opens(None)
        case Conflict(phase=Phase.FALLOUT) if not blows.takes_any(moment):
            return exchange.goes_on(moment)
        case Conflict(phase=Phase.CONDITION, marks=marks) if not exists(moment, marks):
            return exchange.goes_on(moment)
        case _:
            return moment
