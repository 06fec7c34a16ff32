"""Helpers share the risk: whom the consequence of a roll falls on (VC-06)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from waylog.rules.codec.changes import join_names
from waylog.rules.kit import Chapter, StageRules
from waylog.rules.model.dice import Dice
from waylog.rules.model.facts import OutcomeGrade
from waylog.rules.model.moves import Answers, Move
from waylog.rules.systems._veil_hits import damage, roll_moves
from waylog.rules.systems._veil_hits.moment import ALL, Moment, crew_letters, crew_words, who_is
from waylog.rules.systems.veil_classic import shunts
from waylog.rules.systems.veil_classic.sheet import Consequence, Sharing
from waylog.rules.systems.veil_classic.shunts import without_sharing
from waylog.values import replace


def after_roll(moment: Moment, who: str, helpers: tuple[str, ...], outcome: OutcomeGrade) -> Moment:
    """Share the risk of a roll with its helpers if it may have a consequence. Whom it falls on is asked after its dice are dealt with."""
    if not helpers or moment.rules.helpers_risk == "roller":
        return moment
    if moment.top is None and outcome is OutcomeGrade.SUCCESS:
        return moment
    return replace(moment, stages=(Sharing((who, *helpers), moment.top),))


def at_risk(moment: Moment, sharing: Sharing) -> tuple[str, ...]:
    """Return those of the sharers who are still in the crew."""
    return tuple(who for who in sharing.who if who in moment.crew())


def _question(moment: Moment, sharing: Sharing) -> str:
    """Ask whom the consequence falls on."""
    names = join_names((moment.name(who) for who in at_risk(moment, sharing)), "or")
    return f"Whom does the consequence fall on: {names}?"


def _answers(moment: Moment, sharing: Sharing) -> tuple[Move, ...]:
    """Offer `falls NAME` and `falls all`; and `spare` if no consequence has been told."""
    able, letters = at_risk(moment, sharing), crew_letters(moment)
    each = tuple(
        Move("falls", (word,), f"It falls on {moment.name(key)}", about=(f"crew.{key}",), key=letters[key])
        for word, key in crew_words(moment).items()
        if key in able
    )
    everyone = (Move("falls", (ALL,), "It falls on all of them", about=("crew",)),) if len(able) > 1 else ()
    nothing = () if sharing.told else (Move("spare", (), "There is no consequence", about=("crew",)),)
    return (*each, *everyone, *nothing)


def _answer(moment: Moment, sharing: Sharing, move: Move) -> Moment:
    """Say whom the consequence falls on, or that there is none."""
    if move.verb == "spare":
        return moment.says("No consequence", "VC-06")
    able = at_risk(moment, sharing)
    named = able if move.words[0] == ALL else (who_is(moment, move.words[0]),)
    return moment.says(f"The consequence falls on {join_names(moment.name(who) for who in named)}", "VC-06")


# -- what comes before it is asked ---------------------------------------------------------------------------------------

_RULES: Mapping[type, StageRules[Moment, Any]] = {
    rules.stage: rules for chapter in (damage, roll_moves, shunts) for rules in chapter.CHAPTER.stages
}
"""Of the stages that come first: damage without integrity, a consequence, dice to place."""


def question(moment: Moment, sharing: Sharing) -> str:
    """Ask what comes first; once that is answered, whom the consequence falls on."""
    if sharing.due:
        return _question(moment, sharing)
    ask = _RULES[type(sharing.inner)].question
    assert ask
    return ask(without_sharing(moment), sharing.inner)


def answers(moment: Moment, sharing: Sharing) -> tuple[Move, ...]:
    """Return the answers to `question`."""
    if sharing.due:
        return _answers(moment, sharing)
    offer = _RULES[type(sharing.inner)].answers
    assert offer
    return tuple(offer(without_sharing(moment), sharing.inner))


def answer(moment: Moment, sharing: Sharing, move: Move, given: Answers, dice: Dice) -> Moment:
    """Resolve what comes first and keep the risk shared; or say whom the consequence falls on.

    A consequence that was told falls on someone before the dice are placed. If none was told, nothing is asked then.
    """
    if sharing.due:
        return _answer(without_sharing(moment), sharing, move)
    resolve = _RULES[type(sharing.inner)].resolve
    assert resolve
    after = resolve(without_sharing(moment), sharing.inner, move, given, dice)
    is_told = isinstance(sharing.inner, Consequence)
    if is_told and not after.facts:
        return after
    return replace(after, stages=(replace(sharing, inner=after.top, told=is_told),))


def _keep(moment: Moment, sharing: Sharing) -> Any:
    """Keep the risk shared while any of the sharers is in the crew. Without them, only what comes first stays open."""
    return sharing if at_risk(moment, sharing) else sharing.inner


CHAPTER = Chapter(stages=(StageRules(Sharing, question, answers, answer, keep=_keep),))
