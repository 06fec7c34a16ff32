"""The exchange: raise and see, escalate and give (EG-14…EG-19), and who wins."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from waylog.rules.codec.changes import join_names
from waylog.rules.model.answers import selected_words
from waylog.rules.model.dice import Dice
from waylog.rules.model.facts import NotePart, OutcomeFact
from waylog.rules.model.moves import ActRefused, Answers, Ask, Move, Option, PickMany, Refusal, Text
from waylog.rules.systems.emissaries import advice
from waylog.rules.systems.emissaries.conflict_start import roll_into_pool
from waylog.rules.systems.emissaries.dice_pools import SAME, Throw, approach_ask, bringing_ask, pool_for_approach
from waylog.rules.systems.emissaries.state_stages_and_typed_names import (
    ConflictStage,
    Did,
    ExchangeLine,
    Lying,
    Moment,
    Participant,
    Phase,
    Side,
    plus,
)
from waylog.values import replace

SEEN_AS = {1: (Did.REVERSES, "Reverse"), 2: (Did.BLOCKS, "Block or dodge")}
"""The way in which a raise is seen, and its label, by the number of dice put forward. With more dice, it takes the blow (EG-15)."""
TAKES = (Did.TAKES, "Takes the blow")


def usable(one: Participant) -> tuple[Lying, ...]:
    """Return the dice that may see or resist. One that reversed a blow waits for the next raise (EG-16)."""
    return tuple(die for die in one.pool if not die.kept)


def opponents(conflict: ConflictStage, one: Participant) -> tuple[Participant, ...]:
    """Return those on the other side who have not given."""
    return tuple(other for other in conflict.people if other.side is not one.side and not other.gave)


def raised_total(conflict: ConflictStage) -> int:
    """Return the sum of the current raise."""
    return sum(die.face for die in conflict.raised)


def faces_of(dice: Iterable[Lying]) -> tuple[int, ...]:
    """Return the faces of dice."""
    return tuple(die.face for die in dice)


def seer(moment: Moment) -> Participant:
    """Return who sees next."""
    return moment.participant(moment.conflict.waiting[0])


# -- asking --------------------------------------------------------------------------------------------------------------


def raise_question(moment: Moment) -> str:
    """Return a sentence with the name of the participant who raises now (EG-14)."""
    return f"{moment.participant(moment.conflict.turn).name} raises"


def raise_answers(moment: Moment) -> tuple[Move, ...]:
    """Offer `raise 5 6 "It is ours"`, `escalate`, `give` (EG-14, EG-18, EG-19)."""
    one = moment.participant(moment.conflict.turn)
    against = opponents(moment.conflict, one)
    few = None
    if len(one.pool) < 2:
        few = Refusal(f"{one.name} has fewer than two dice left: escalate or give", "EG-18")
    best = best_raises(moment, one)
    options, suggested = die_options(one.pool), best_dice(best)
    asks: list[Ask] = [PickMany("dice", "Two dice", options, 2, 2, repeats=True, clause="EG-14", suggested=suggested)]
    if len(against) > 1:
        at = tuple(Option(other.word, other.name, paths=other.about) for other in against)
        asks.append(PickMany("at", "Who is affected (default: all)", at, clause="EG-14"))
    label = f"Raise: {in_words(best) or 'one die could reverse any raise'}"
    speech = Text("said", "What they say or do")
    raising = Move("raise", (), label, (*asks, speech), few, about=one.about, key="r", title="Raise")
    raising = replace(raising, heading=f"{one.name} raises")
    return (raising, *_either_way(moment, one))


def see_question(moment: Moment) -> str:
    """Return a sentence with the raise, its dice and their sum, and the name of the participant who sees it now (EG-15)."""
    conflict = moment.conflict
    raiser = moment.participant(conflict.turn).name
    return f"{raiser} raises {plus(faces_of(conflict.raised))} = {raised_total(conflict)}. {seer(moment).name} must see"


def see_answers(moment: Moment) -> tuple[Move, ...]:
    """Offer `see 7 4 "Not with me"`, `escalate`, `give` (EG-15, EG-17)."""
    one, total = seer(moment), raised_total(moment.conflict)
    dice = usable(one)
    short = None
    if sum(faces_of(dice)) < total:
        short = Refusal(f"{one.name}'s dice don't reach {total}: escalate or give", "EG-17")
    best = best_sees(moment, one)
    most, suggested = max(1, len(dice)), best_dice(best)
    ask = PickMany("dice", "Dice", die_options(dice), 1, most, repeats=True, clause="EG-15", suggested=suggested)
    # Each way may have an “and” of its own.
    ways = ", or ".join(f"{words} with {_name_faces(faces)}" for faces, words in best)
    label = f"See {total}: {ways}" if ways else f"See {total}"
    asks = (ask, Text("said", "What they say or do"))
    seeing = Move("see", (), label, asks, short, about=one.about, key="s", title=f"See {total}")
    seeing = replace(seeing, heading=f"{one.name} sees the raise of {total}")
    return (seeing, *_either_way(moment, one))


def _either_way(moment: Moment, one: Participant) -> tuple[Move, ...]:
    asks = (approach_ask(SAME), bringing_ask(moment, one)) if one.who else ()
    none = None if one.who else Refusal(f"{one.name} has nothing to escalate with", "EG-19")
    about = one.about
    return (
        Move(
            "escalate",
            (),
            f"{one.name}: escalate (change approach or add dice)",
            asks,
            none,
            about=about,
            key="e",
            title=f"{one.name} escalates",
        ),
        Move(
            "give",
            (),
            f"{one.name}: give (no fallout)",
            about=about,
            key="g",
            ends=_giving_ends(moment.conflict, one),
            heading=f"{one.name} gives in",
        ),
    )


def _giving_ends(conflict: ConflictStage, one: Participant) -> str:
    """Return the question before somebody gives: it loses the stakes if nobody is left on their side."""
    alone = all(other.gave or other.side is not one.side or other.word == one.word for other in conflict.people)
    against = Side.THEIRS if one.side is Side.OURS else Side.OURS
    then = f"The stakes go to {side_name(conflict, against)}." if alone else "The others carry on."
    return f"Let {one.name} give? {then}"


def die_options(dice: Sequence[Lying]) -> tuple[Option, ...]:
    """Return the open dice as options by face, and the other faces with the reason why not (EG-14)."""
    options = []
    for face in range(1, 11):
        sizes = [f"d{die.sides}{' kept' if die.kept else ''}" for die in dice if die.face == face]
        none = None if sizes else Refusal(f"you have no {face} to put forward", "EG-14")
        options.append(Option(str(face), str(face), " ".join(sizes), (), none))
    return tuple(sorted(options, key=lambda option: option.blocked is not None))


# -- the adviser in words (EG-23) ----------------------------------------------------------------------------------------


def raises_of(moment: Moment, one: Participant) -> tuple[advice.RaiseOption, ...]:
    """Return every raise somebody can make, with what each prevents."""
    others = [faces_of(usable(other)) for other in opponents(moment.conflict, one)]
    return advice.raises(faces_of(usable(one)), others, faces_of(die for die in one.pool if die.kept))


_STOPS = {
    advice.Stop.SEE: "can't be seen",
    advice.Stop.BLOCK: "can't be blocked",
    advice.Stop.REVERSE: "can't be reversed",
}


Advice = Sequence[tuple[advice.Faces, str]]
"""Dice to put forward, and what they do; the best first."""


def best_raises(moment: Moment, one: Participant) -> Advice:
    """Return the best raise of each kind."""
    found = raises_of(moment, one)
    best = ((next((offer for offer in found if offer.stops is stop), None), words) for stop, words in _STOPS.items())
    return [(offer.split.dice, words) for offer, words in best if offer]


def best_sees(moment: Moment, one: Participant) -> Advice:
    """Return the faces of the best dice to reverse, to block and to take the blow, as far as each is possible (EG-15)."""
    found = advice.sees(faces_of(usable(one)), raised_total(moment.conflict))
    ways = ((found.reverse, "reverse"), (found.block, "block"), (found.blow, "take the blow"))
    return [(way.dice, words) for way, words in ways if way]


def best_dice(advice: Advice) -> tuple[str, ...]:
    """Return the best dice as they are typed; none if there is no advice."""
    return tuple(map(str, advice[0][0])) if advice else ()


def in_words(advice: Advice) -> str:
    """Return advice in words: `5 and 5 can't be blocked; 4 and 3 can't be reversed`; empty if there is none."""
    return "; ".join(f"{_name_faces(dice)} {words}" for dice, words in advice)


def _name_faces(faces: advice.Faces) -> str:
    return join_names(map(str, faces), "and")


# -- playing -------------------------------------------------------------------------------------------------------------


def put_forward(
    one: Participant, faces: Sequence[int], *, raising: bool
) -> tuple[tuple[Lying, ...], tuple[Lying, ...]]:
    """Return the dice with these faces, and those that stay. A kept die is used first for a raise, and never to see.
    Raises `ActRefused`.
    """
    stay, forward = list(one.pool), list[Lying]()
    for face in faces:
        fit = [die for die in stay if die.face == face and (raising or not die.kept)]
        if not fit:
            raise ActRefused(f"{one.name} doesn't have enough dice that show {face}", "EG-14")
        die = min(fit, key=lambda die: (not die.kept, die.sides))
        stay.remove(die)
        forward.append(die)
    return tuple(forward), tuple(stay)


def split_raise(moment: Moment, given: Answers) -> tuple[Participant, tuple[Lying, ...], tuple[Lying, ...]]:
    """Return who raises, with which dice, and which stay. Raises `ActRefused` if the die that reversed is left out
    (EG-16).
    """
    one = moment.participant(moment.conflict.turn)
    forward, stay = put_forward(one, tuple(map(int, selected_words(given, "dice"))), raising=True)
    owed = min(2, sum(die.kept for die in one.pool))
    if sum(die.kept for die in forward) < owed:
        kept = plus(faces_of(die for die in one.pool if die.kept))
        which = "die" if owed == 1 else "dice"
        raise ActRefused(f"the raise must use the {which} that reversed the last blow ({kept})", "EG-16")
    return one, forward, stay


def plays_raise(moment: Moment, _move: Move, given: Answers, _dice: Dice) -> Moment:
    """Put two dice forward. Everyone affected has to see them (EG-14, EG-16, EG-17). Raises `ActRefused`."""
    conflict = moment.conflict
    one, forward, stay = split_raise(moment, given)
    at = selected_words(given, "at")
    affected = tuple(
        word for word in conflict.order if word in {o.word for o in opponents(conflict, one)} and (not at or word in at)
    )
    after = moment.with_participant(one.word, pool=stay).writes(
        ExchangeLine(one.word, Did.RAISES, faces_of(forward), str(given["said"]))
    )
    after = after.says(f"{one.name} raises {plus(faces_of(forward))} = {sum(faces_of(forward))}", "EG-14")
    return after.with_conflict(phase=Phase.SEE, raised=forward, waiting=affected)


def split_see(moment: Moment, given: Answers) -> tuple[Participant, tuple[Lying, ...], tuple[Lying, ...]]:
    """Return who sees, with which dice, and which stay. Raises `ActRefused` for dice below the raise (EG-15)."""
    one, total = seer(moment), raised_total(moment.conflict)
    forward, stay = put_forward(one, tuple(map(int, selected_words(given, "dice"))), raising=False)
    reached = sum(faces_of(forward))
    if reached < total:
        has = f" = {reached}" if len(forward) > 1 else ""
        raise ActRefused(f"{plus(faces_of(forward))}{has} is too low: the raise is {total}", "EG-15")
    return one, forward, stay


def plays_see(moment: Moment, given: Answers) -> tuple[Moment, bool]:
    """See the raise: reverse, block, or take the blow (EG-15, EG-16). Also returns whether the blow was taken. Raises
    `ActRefused`.
    """
    one, forward, stay = split_see(moment, given)
    did, label = SEEN_AS.get(len(forward), TAKES)
    pool = (*stay, replace(forward[0], kept=True)) if did is Did.REVERSES else stay
    after = moment.with_participant(one.word, pool=pool).with_conflict(waiting=moment.conflict.waiting[1:])
    after = after.writes(ExchangeLine(one.word, did, faces_of(forward), str(given["said"])))
    total, reached = raised_total(moment.conflict), sum(faces_of(forward))
    shown = plus(faces_of(forward))
    shown = f"{reached} ({shown})" if len(forward) > 1 and reached != total else shown
    after = after.says(f"{one.name} sees the raise of {total} with {shown}", "EG-15", NotePart.DEED)
    after = after.tells(OutcomeFact(did.value.split()[0], label, None, one.name))
    if did is Did.REVERSES:
        after = after.says(f"{one.name} keeps the {forward[0].face} for the next raise", "EG-16")
    return after, did is Did.TAKES


def throw_of(moment: Moment, given: Answers) -> tuple[Participant, Throw]:
    """Return who escalates, and the dice to roll. Raises `ActRefused` if nothing new is rolled."""
    conflict = moment.conflict
    one = seer(moment) if conflict.phase is Phase.SEE else moment.participant(conflict.turn)
    approach, words = str(given["approach"]), selected_words(given, "with")
    if approach in (SAME, one.approach) and not words:
        raise ActRefused("to escalate, choose another approach or bring another trait or object into play", "EG-19")
    one = one if approach == SAME else replace(one, approach=approach)
    return one, pool_for_approach(moment, one, one.approach, words)


def escalates(moment: Moment, _move: Move, given: Answers, dice: Dice) -> Moment:
    """Roll the stats that haven't been rolled in this conflict and the things brought in. Dice left over stay (EG-19)."""
    one, throw = throw_of(moment, given)
    after = moment.with_participant(one.word, approach=one.approach)
    if not throw.dice:
        after = after.says(f"{one.name} escalates but gets no new dice", "EG-19")
    return roll_into_pool(after, one.word, throw, dice, ExchangeLine(one.word, Did.ESCALATES, (), one.approach))


def gives(moment: Moment, word: str, why: str = "gives in") -> Moment:
    """Return the moment after a participant gives, without fallout (EG-18). They raise and see no more."""
    one = moment.participant(word)
    waiting = tuple(other for other in moment.conflict.waiting if other != word)
    after = moment.with_participant(word, gave=True).with_conflict(waiting=waiting)
    return after.writes(ExchangeLine(word, Did.GIVES)).says(f"{one.name} {why}", "EG-18")


def goes_on(moment: Moment) -> Moment:
    """Go on to the next who has to see, or to the next who raises (EG-13, EG-17)."""
    conflict = moment.conflict
    cleared = {"taker": "", "fallout": 0, "marks": ""}
    if conflict.waiting:
        return moment.with_conflict(phase=Phase.SEE, **cleared)
    at = conflict.order.index(conflict.turn) + 1
    after = (*conflict.order[at:], *conflict.order[:at])
    turn = next(word for word in after if not moment.participant(word).gave)
    return moment.with_conflict(phase=Phase.RAISE, turn=turn, raised=(), **cleared)


def winner(conflict: ConflictStage) -> Side | None:
    """Return the side that has won, because everybody on the other has given; None if neither has."""
    still = {one.side for one in conflict.people if not one.gave}
    return next(iter(still)) if len(still) == 1 else None


def side_name(conflict: ConflictStage, side: Side) -> str:
    """Return the names of a side: `Mara and Joss`."""
    return join_names(one.name for one in conflict.people if one.side is side)
