"""What comes after a roll. Shunts: rolled dice return, and all dice are redistributed in downtime or in an emergency (VC-10…VC-16).
Helpers share the risk of a roll (VC-06).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from waylog.rules.codec.changes import join_names
from waylog.rules.model.answers import with_reason
from waylog.rules.model.dice import Dice
from waylog.rules.model.facts import OutcomeGrade
from waylog.rules.model.moves import Answers, Move, Option, PickOne, Refusal, Text
from waylog.rules.rulebook import Chapter, StageRules
from waylog.rules.systems._veil_older_editions import damage, roll_moves
from waylog.rules.systems._veil_older_editions.damage import DicePlacement, hit, lose_token
from waylog.rules.systems._veil_older_editions.editions_ship_and_typed_names import (
    ALL,
    HeldToken,
    Moment,
    crew_letters,
    crew_words,
    times,
    who_is,
)
from waylog.rules.systems.veil_classic.sheet import Consequence, FiveDiceShip, Sharing
from waylog.values import replace


class Shunt(StrEnum):
    """The ways in which rolled system dice return."""

    REACTIVE = "reactive shunt"
    STANDARD = "standard shunt"
    STABILISE = "stabilise"
    FAULT = "system fault"


AFTER: Mapping[tuple[bool, OutcomeGrade], Shunt] = MappingProxyType(
    {
        (False, OutcomeGrade.SUCCESS): Shunt.REACTIVE,
        (False, OutcomeGrade.DRAWBACK): Shunt.STANDARD,
        (False, OutcomeGrade.FIASCO): Shunt.STABILISE,
        (True, OutcomeGrade.SUCCESS): Shunt.STANDARD,
        (True, OutcomeGrade.DRAWBACK): Shunt.STABILISE,
        (True, OutcomeGrade.FIASCO): Shunt.FAULT,
    }
)
"""The way for each roll type (Desperate or not) and outcome (VC-10)."""


def ship_of(moment: Moment) -> FiveDiceShip:
    """Return the ship, with the type that this edition gives it."""
    ship: FiveDiceShip = moment.sheet.ship
    return ship


def after_roll(moment: Moment, system: str, outcome: OutcomeGrade, dice: Dice, *, desperate: bool) -> Moment:
    """Return the dice of a systems roll as its outcome says (VC-10). May raise `DiceWanted`."""
    count = moment.dice(system)
    match AFTER[desperate, outcome]:
        case Shunt.FAULT:
            return fault(moment, system, dice)
        case _ if not count:
            return moment.says(f"{system} has no dice to return", "VC-10")
        case Shunt.REACTIVE:
            return moment.says("Reactive shunt", "VC-10").then(Consequence(system, count))
        case Shunt.STANDARD:
            return moment.says("Standard shunt", "VC-10").then(DicePlacement(system, count, "VC-12"))
        case _:
            return moment.says(f"Stabilise: {times(count, 'die')} returned to {system}", "VC-13")


def fault(moment: Moment, system: str, dice: Dice) -> Moment:
    """Lose one rolled die; if it was the only one, the ship takes damage (VC-14). May raise `DiceWanted`."""
    count = moment.dice(system)
    if not count:
        if moment.rules.fault_without_dice == "nothing":
            return moment.says(f"System fault, but {system} has no dice to lose", "VC-14")
        return hit(moment.says(f"System fault: {system} has no dice to lose, so the ship takes damage", "VC-14"), dice)
    moment = moment.with_dice({system: count - 1}).with_ship(dice_lost=ship_of(moment).dice_lost + 1)
    if count > 1:
        return moment.says(f"System fault: 1 {system} die lost, {times(count - 1, 'die')} returned", "VC-14")
    return hit(moment.says(f"System fault: the only {system} die is lost, and the ship takes damage", "VC-14"), dice)


# -- the wayfinder's consequence (VC-11) -----------------------------------------------------------------------------


def consequence_question(moment: Moment, stage: Consequence) -> str:
    """Ask the wayfinder for the consequence, before the crew places its dice."""
    dice = times(min(stage.dice, moment.dice(stage.system)), "die")
    return f"Reactive shunt: what is the consequence? Then the crew places the {dice} from {stage.system}"


def consequence_answers(_moment: Moment, _stage: Consequence) -> tuple[Move, ...]:
    """Offer `consequence "the alarm is raised"`; the text may be left out."""
    texts = (Text("text", "Consequence"),)
    return (
        Move("consequence", (), "Consequence (optional)", texts, about=("ship.systems",), key="c", title="Consequence"),
    )


def answer_consequence(moment: Moment, stage: Consequence, _move: Move, given: Answers, _dice: Dice) -> Moment:
    """Note the consequence, and let the crew place the dice."""
    text = str(given.get("text", "")).strip()
    after = moment.says(f"Consequence: {text}", "VC-11") if text else moment
    return after.closes().then(DicePlacement(stage.system, stage.dice, "VC-11"))


# -- downtime, emergencies, and restored dice --------------------------------------------------------------------------


def offers(moment: Moment) -> tuple[Move, ...]:
    """Offer the downtime remap, the emergency shunt, the ship's mode, and lost dice to restore."""
    now, about = ship_of(moment).state, roll_moves.rows(moment)
    dice = (roll_moves.all_dice(moment),)
    busy = Refusal(
        "dice can be redistributed freely only in downtime. Type “state downtime” to switch, or “shunt” to spend engineering",
        "VC-15",
    )
    other = "action" if now == "downtime" else "downtime"
    return (
        Move(
            "remap",
            (),
            "Remap all dice (downtime)",
            dice,
            None if now == "downtime" else busy,
            about=about,
            heading="All dice remapped",
        ),
        emergency(moment),
        Move("state", (other,), f"Switch to {other}", about=("ship",), heading=f"Mode: {other}"),
        *_restore(moment),
    )


def emergency(moment: Moment) -> Move:
    """Offer to remap all dice for engineering, even while a question is open. Dice in hand stay there (VC-16)."""
    moment = without_sharing(moment)
    dice, no = roll_moves.all_dice(moment), None
    if moment.ship.destroyed:
        no = Refusal("a destroyed ship can't shunt: restore it first", "VC-16")
    elif not moment.holds(HeldToken.ENGINEERING):
        no = Refusal("an emergency shunt needs engineering, which is lost", "VC-16")
    elif not dice.total:
        no = Refusal("no system has any dice", "VC-16")
    return Move(
        "shunt",
        (),
        "Emergency shunt: spend engineering and remap all dice",
        (dice,),
        no,
        anytime=True,
        about=(*roll_moves.rows(moment), f"ship.tokens.{HeldToken.ENGINEERING}"),
        heading="Emergency shunt",
    )


def _restore(moment: Moment) -> tuple[Move, ...]:
    if ship_of(moment).dice_lost <= 0:
        return ()
    options = tuple(Option(word, system) for word, system in roll_moves.system_words(moment).items())
    asks = (
        PickOne("system", "To", options, clause="VC-14"),
        Text("reason", "Reason (goes into the log)"),
    )
    never = Refusal("by house rule, dice lost to a fault are lost for good", "VC-14")
    blocked = never if moment.rules.lost_dice == "for-good" else None
    about = ("ship.dice_lost", *roll_moves.rows(moment))
    restore = Move("restore", ("die",), "Restore a lost die", asks, blocked, about=about, effect=True)
    return (replace(restore, heading="A lost die is restored"),)


def remap(moment: Moment, _move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Play `remap 1 2 2`, in downtime (VC-15)."""
    return roll_moves.apply_remap(moment, answers, "VC-15")


def shunt(moment: Moment, _move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Play `shunt 1 2 2`: spend engineering and redistribute the dice (VC-16)."""
    spent = lose_token(without_sharing(moment), HeldToken.ENGINEERING, "spent on an emergency shunt", "VC-16")
    return replace(roll_moves.apply_remap(spent, answers, "VC-16"), stages=moment.stages)


def state(moment: Moment, move: Move, _answers: Answers, _dice: Dice) -> Moment:
    """Switch between downtime and action (VC-15)."""
    return moment.with_ship(state=move.words[0]).says(f"Mode: {move.words[0]}", "VC-15")


def restore_die(moment: Moment, answers: Answers) -> Moment:
    """Play `restore die engines "a spare from the dock"` (VC-14)."""
    system = roll_moves.system_words(moment)[str(answers["system"])]
    back = moment.with_dice({system: moment.dice(system) + 1}).with_ship(dice_lost=ship_of(moment).dice_lost - 1)
    return back.says(with_reason(f"A lost die is restored to {system}", answers), "VC-14")


def without_sharing(moment: Moment) -> Moment:
    """Return the moment without shared risk: only the stage that comes before it, if there is one."""
    sharing = moment.top
    if not isinstance(sharing, Sharing):
        return moment
    return replace(moment, stages=(sharing.inner,) if sharing.inner else ())


_CONSEQUENCE = StageRules(Consequence, consequence_question, consequence_answers, answer_consequence)


# -- helpers share the risk: whom the consequence of a roll falls on (VC-06) -------------------------------------------


def share_risk(moment: Moment, who: str, helpers: tuple[str, ...], outcome: OutcomeGrade) -> Moment:
    """Share the risk of a roll with its helpers if it may have a consequence. Whom it falls on is asked after its dice are dealt with."""
    if not helpers or moment.rules.helpers_risk == "roller":
        return moment
    if moment.top is None and outcome is OutcomeGrade.SUCCESS:
        return moment
    return replace(moment, stages=(Sharing((who, *helpers), moment.top),))


def at_risk(moment: Moment, sharing: Sharing) -> tuple[str, ...]:
    """Return those of the sharers who are still in the crew."""
    return tuple(who for who in sharing.who if who in moment.crew())


# -- what comes before it is asked ---------------------------------------------------------------------------------------

_RULES: Mapping[type, StageRules[Moment, Any]] = {
    rules.stage: rules for rules in (*damage.CHAPTER.stages, *roll_moves.CHAPTER.stages, _CONSEQUENCE)
}
"""Of the stages that come first: damage without integrity, a consequence, dice to place."""


def question(moment: Moment, sharing: Sharing) -> str:
    """Ask what comes first; once that is answered, whom the consequence falls on."""
    if sharing.due:
        names = join_names((moment.name(who) for who in at_risk(moment, sharing)), "or")
        return f"Whom does the consequence fall on: {names}?"
    ask = _RULES[type(sharing.inner)].question
    assert ask
    return ask(without_sharing(moment), sharing.inner)


def answers(moment: Moment, sharing: Sharing) -> tuple[Move, ...]:
    """Return the answers to `question`; whom it falls on is answered by `falls NAME`, by `falls all`, and by `spare` if no consequence
    has been told.
    """
    if not sharing.due:
        offer = _RULES[type(sharing.inner)].answers
        assert offer
        return tuple(offer(without_sharing(moment), sharing.inner))
    able, letters = at_risk(moment, sharing), crew_letters(moment)
    each = tuple(
        Move(
            "falls",
            (word,),
            f"It falls on {moment.name(key)}",
            about=(f"crew.{key}",),
            key=letters[key],
            heading=f"The consequence falls on {moment.name(key)}",
        )
        for word, key in crew_words(moment).items()
        if key in able
    )
    everyone = Move("falls", (ALL,), "It falls on all of them", about=("crew",))
    everyone = replace(everyone, heading="The consequence falls on all of them")
    nothing = () if sharing.told else (Move("spare", (), "There is no consequence", about=("crew",)),)
    return (*each, *([everyone] if len(able) > 1 else []), *nothing)


def answer(moment: Moment, sharing: Sharing, move: Move, given: Answers, dice: Dice) -> Moment:
    """Resolve what comes first and keep the risk shared; or say whom the consequence falls on.

    A consequence that was told falls on someone before the dice are placed. If none was told, nothing is asked then.
    """
    if sharing.due:
        moment = without_sharing(moment)
        if move.verb == "spare":
            return moment.says("No consequence", "VC-06")
        named = at_risk(moment, sharing) if move.words[0] == ALL else (who_is(moment, move.words[0]),)
        return moment.says(f"The consequence falls on {join_names(moment.name(who) for who in named)}", "VC-06")
    resolve = _RULES[type(sharing.inner)].resolve
    assert resolve
    after = resolve(without_sharing(moment), sharing.inner, move, given, dice)
    is_told = isinstance(sharing.inner, Consequence)
    if is_told and not after.facts:
        return after
    return replace(after, stages=(replace(sharing, inner=after.top, told=is_told),))


CHAPTER = Chapter(
    offers=offers,
    plays={"remap": remap, "shunt": shunt, "state": state},
    stages=(
        _CONSEQUENCE,
        # Without anybody to share the risk, only what comes first stays open.
        StageRules(
            Sharing,
            question,
            answers,
            answer,
            keep=lambda moment, stage: stage if at_risk(moment, stage) else stage.inner,
        ),
    ),
    anytime=lambda moment: (emergency(moment),),
)
