"""A conflict, phase by phase, and its end: who wins, who dies, and what may follow (EG-13…EG-38).

The phases are those of `Phase`. `_PHASES` says what each asks; `_STEPS` says what each verb does. `_end` comes after
every step and ends the conflict when one side has won.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from waylog.rules.model.dice import Dice
from waylog.rules.model.facts import OutcomeFact
from waylog.rules.model.moves import Answers, Move, Refusal
from waylog.rules.rulebook import Chapter, Play, StageRules
from waylog.rules.systems.emissaries import conflict_start, exchange, fallout, traits_and_recovery
from waylog.rules.systems.emissaries.dice_pools import exists, is_dying, read, rows_at, with_row
from waylog.rules.systems.emissaries.exchange import side_name, winner
from waylog.rules.systems.emissaries.sheet import Row
from waylog.rules.systems.emissaries.state_stages_and_typed_names import (
    CREW,
    Aftermath,
    ConflictStage,
    Moment,
    Phase,
    Side,
    people_words,
)
from waylog.rules.systems.emissaries.traits_and_recovery import aftermath, with_aftermath
from waylog.values import replace


def question(moment: Moment, conflict: ConflictStage) -> str:
    """Return the question of the phase."""
    ask, *_ = _PHASES[conflict.phase]
    return ask(moment)


def answers(moment: Moment, conflict: ConflictStage) -> tuple[Move, ...]:
    """Return the moves of the phase. Each step of a conflict is an act of its own (EG-24)."""
    _, *offers = _PHASES[conflict.phase]
    return tuple(replace(move, apart=True) for offer in offers for move in offer(moment))


def _late_moves(moment: Moment) -> tuple[Move, ...]:
    """Offer to enter a conflict that has begun (EG-52), and to call it off. Fallout that is due stands, and comes first (EG-51)."""
    due = moment.conflict.phase in (Phase.FALLOUT, Phase.CONDITION)
    not_now = Refusal("fallout from this blow is still due: resolve it first", "EG-51") if due else None
    if moment.rules.call_off == "not-allowed":
        not_now = Refusal("by house rule, a conflict can't be called off once it has begun", "EG-51")
    return (
        *conflict_start.late_entries(moment),
        conflict_start.call_off("Call off the conflict: nobody wins", "Call off the conflict? Nobody wins.", not_now),
    )


def _relationship_moves(moment: Moment) -> tuple[Move, ...]:
    """Offer to assign kept relationship dice during the conflict, for those whose turn it is (EG-04)."""
    conflict = moment.conflict
    people = {word: who for word, who in people_words(moment).items() if who.startswith(f"{CREW}/")}
    if conflict.phase is not Phase.GATHER:
        acting = moment.participant(_whose_turn(moment)).who
        people = {word: who for word, who in people.items() if who == acting}
    return tuple(traits_and_recovery.relationship_move(moment, word, who) for word, who in people.items())


_PHASES: Mapping[Phase, tuple[Callable[[Moment], str], *tuple[Callable[[Moment], tuple[Move, ...]], ...]]] = {
    Phase.GATHER: (conflict_start.question, conflict_start.answers, _relationship_moves),
    Phase.FIRST: (conflict_start.first_question, conflict_start.first_answers, _late_moves),
    Phase.RAISE: (exchange.raise_question, exchange.raise_answers, _relationship_moves, _late_moves),
    Phase.SEE: (exchange.see_question, exchange.see_answers, _relationship_moves, _late_moves),
    Phase.FALLOUT: (fallout.question, fallout.answers, _late_moves),
    Phase.CONDITION: (fallout.condition_question, fallout.condition_answers, _late_moves),
}
"""The question of each phase, and what offers its moves, in order."""


def answer(moment: Moment, _conflict: ConflictStage, move: Move, given: Answers, dice: Dice) -> Moment:
    """Play an answer. Raises `ActRefused` or `DiceWanted`."""
    return _STEPS[move.verb](moment, move, given, dice)


def _sees(moment: Moment, _move: Move, given: Answers, _dice: Dice) -> Moment:
    """Answer a raise with dice of the one it is made against. Whoever takes the blow gets fallout (EG-15, EG-20)."""
    word = exchange.seer(moment).word
    after, took = exchange.plays_see(moment, given)
    return fallout.take_blow(after, word) if took else exchange.goes_on(after)


def _calls_off(moment: Moment, _move: Move, _given: Answers, _dice: Dice) -> Moment:
    """Cancel a conflict that hasn't begun (EG-10), or end one without a winner. What it has done so far stands (EG-51)."""
    conflict = moment.conflict
    if conflict.phase is Phase.GATHER:
        return moment.opens(None).says("The conflict was cancelled", "EG-10")
    after = moment.says(f"The conflict was called off. Nobody won the stakes “{conflict.stakes}”", "EG-51")
    return with_aftermath(_what_may_follow(_deaths(after), conflict))


_STEPS: Mapping[str, Play[Moment]] = {
    "enter": conflict_start.answer,
    "obstacle": conflict_start.answer,
    "begin": conflict_start.answer,
    "call-off": _calls_off,
    "first": conflict_start.answer_first,
    "relate": traits_and_recovery.play_trait_move,
    "raise": exchange.plays_raise,
    "see": _sees,
    "escalate": exchange.escalates,
    "give": lambda moment, *_: exchange.goes_on(exchange.gives(moment, _whose_turn(moment))),
    "fallout": fallout.answer,
    "resist": fallout.answer,
    "condition": fallout.answer_condition,
}
"""The function that plays each verb in a conflict."""


def _whose_turn(moment: Moment) -> str:
    return exchange.seer(moment).word if moment.conflict.phase is Phase.SEE else moment.conflict.turn


def _keep(moment: Moment, conflict: ConflictStage) -> ConflictStage:
    """Return the conflict after an edit of the file. It goes on if no track is left for the fallout, or no row for the
    condition.
    """
    match conflict.phase:
        case Phase.FALLOUT if not fallout.takes_any(moment):
            return exchange.goes_on(moment).conflict
        case Phase.CONDITION if not exists(moment, conflict.marks):
            return exchange.goes_on(moment).conflict
        case _:
            return conflict


# -- the end (EG-18, EG-34, EG-36…EG-38) --------------------------------------------------------------------------------


def _is_undecided(_moment: Moment, conflict: ConflictStage) -> bool:
    return conflict.phase is Phase.GATHER or winner(conflict) is None


def _end(moment: Moment, conflict: ConflictStage, _dice: Dice) -> Moment:
    """End the conflict when one side has won."""
    won = winner(conflict)
    assert won
    return end_conflict(moment, conflict, won)


def end_conflict(moment: Moment, conflict: ConflictStage, won: Side) -> Moment:
    """Win or lose the stakes (EG-18); where they are two texts, the one that comes is told (EG-53). This is not a graded
    outcome, and moves no clock.
    """
    ours = won is Side.OURS
    if conflict.loss and not ours:
        after = moment.says(f"{side_name(conflict, Side.OURS)} lost the stakes: {conflict.loss}", "EG-53")
    else:
        after = moment.says(f"{side_name(conflict, won)} won the stakes “{conflict.stakes}”", "EG-18")
    after = after.tells(OutcomeFact("won", "Won", None) if ours else OutcomeFact("lost", "Lost", None))
    if conflict.clears and ours:
        after = clear_row(after, conflict.clears)
    after = _deaths(after)
    return with_aftermath(_what_may_follow(after, conflict))


def clear_row(moment: Moment, text: str) -> Moment:
    """Clear one row (EG-37)."""
    if not exists(moment, text):
        return moment
    at, number = read(text)
    condition = rows_at(moment, at)[0].get(number, Row()).condition
    after = with_row(moment, at, number, Row())
    return after.says(
        f"{moment.name(at.holder)} no longer has the condition “{condition}”, and its row is clear", "EG-37"
    )


def _deaths(moment: Moment) -> Moment:
    """Let emissaries with two full tracks die. Their sheets stay in the file (EG-34)."""
    for key, emissary in tuple(moment.crew()):
        if is_dying(emissary):
            moment = moment.with_emissary(key, dead=True).says(f"{moment.name(f'{CREW}/{key}')} is dead", "EG-34")
    return moment


def _what_may_follow(moment: Moment, conflict: ConflictStage) -> Moment:
    """Give every emissary, and their assets, one chance to clear fallout (EG-36, EG-38, EG-44).

    This includes emissaries who were not in the conflict. Another person's asset gets it if its owner took part.
    """
    owners = {one.who for one in conflict.people} | {""}
    for key, _ in tuple(moment.crew()):
        moment = moment.with_emissary(key, may_recover=True, may_accept=True)
        owners.add(f"{CREW}/{key}")
    for key, asset in moment.sheet.assets.items():
        if moment.owner(asset) in owners:
            moment = moment.with_asset(key, may_recover=True)
    return moment


def _aftermath(moment: Moment) -> tuple[Move, ...]:
    """Offer what may follow a conflict, until something else is done. Each is an act of its own."""
    if not isinstance(moment.top, Aftermath):
        return ()
    return tuple(replace(move, follows=True, apart=True) for move in aftermath(moment))


CHAPTER = Chapter(
    offers=_aftermath,
    stages=(
        StageRules(ConflictStage, question, answers, answer, choices=_is_undecided, automatic=_end, keep=_keep),
        StageRules(Aftermath),
    ),
)
