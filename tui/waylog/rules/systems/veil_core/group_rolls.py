"""Group rolls: each member rolls, and one outcome counts for all (VK-20, VN-04)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from waylog.rules.codec.changes import join_names
from waylog.rules.model.answers import complete_answers, selected_words
from waylog.rules.model.dice import Dice
from waylog.rules.model.facts import NotePart, OutcomeFact, OutcomeGrade
from waylog.rules.model.moves import ActRefused, Answers, Move, Option, PickMany, PickOne, Refusal
from waylog.rules.rulebook import Chapter, StageRules
from waylog.rules.systems.veil_core import roll_moves
from waylog.rules.systems.veil_core.crew import mission_end_reason
from waylog.rules.systems.veil_core.rolls import LABELS, core_dice
from waylog.rules.systems.veil_core.stages_and_typed_names import Call, Group, Moment, Settled, crew_words, who_is
from waylog.values import replace

ALL, EVERYONE = "all", "everyone"


def offers(moment: Moment) -> tuple[Move, ...]:
    """Offer `group all`, `group mara lars nav`."""
    able = _everyone(moment)
    crew = tuple(
        Option(word, moment.name(key), blocked=roll_moves.cannot_roll(moment, key), paths=(f"crew.{key}",))
        for word, key in crew_words(moment).items()
    )
    ship = tuple(
        Option(word, f"the ship's {system}", f"{core_dice(moment, system)}d6")
        for word, system in roll_moves.SYSTEM_WORDS.items()
    )
    names = join_names([moment.name(who_is(moment, word)) for word in able])
    everyone = (Option(ALL, "the whole crew", names),) if able else ()
    calls = tuple(Option(call.value, call.value.capitalize()) for call in moment.edition.calls)
    asks = (
        PickMany(
            "who",
            "Who rolls",
            (*everyone, *crew, *ship),
            least=1,
            clause=moment.edition.group_clause,
            suggested=tuple(option.word for option in everyone),
        ),
        PickOne("call", "Risk", calls, Call.STANDARD.value, "VK-20"),
    )
    nobody = None if able else Refusal("nobody in the crew can roll", moment.edition.group_clause)
    return (Move("group", (), "Group roll", asks, mission_end_reason(moment) or nobody, rolls=True, about=("crew",)),)


def rollers(moment: Moment, answers: Answers) -> tuple[str, ...]:
    """Return the words of those who roll, in the order given. `all` is everyone in the crew who can roll, without the
    characters of players who are away (NM-46).
    """
    named: list[str] = []
    for word in selected_words(answers, "who"):
        named += _everyone(moment) if word == ALL else [word]
    return tuple(dict.fromkeys(named))


def _everyone(moment: Moment) -> list[str]:
    able = (pair for pair in crew_words(moment).items() if roll_moves.cannot_roll(moment, pair[1]) is None)
    return [word for word, key in able if key not in moment.away]


def begin(moment: Moment, _move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Start a group roll. Everyone in it rolls next."""
    return moment.then(Group(rollers(moment, answers), call=Call(str(answers["call"]))))


def members_to_roll(moment: Moment, group: Group) -> tuple[str, ...]:
    """Return the words of those who have still to roll and can. Someone who is now Down and Out is left out."""
    crew = crew_words(moment)
    return tuple(
        word
        for word in group.waiting
        if word in roll_moves.SYSTEM_WORDS or (word in crew and roll_moves.cannot_roll(moment, crew[word]) is None)
    )


def question(moment: Moment, group: Group) -> str:
    """Say who has rolled, with which outcome, and who rolls next."""
    names = join_names(_names(moment, members_to_roll(moment, group))) or "nobody"
    so_far = _list_outcomes(moment, group)
    return f"Group roll: {names} still to roll" + (f" ({so_far})" if so_far else "")


def _list_outcomes(moment: Moment, group: Group) -> str:
    """Return `Mara: Success, Lars: Fiasco`."""
    rolled = zip(group.rollers, group.outcomes, strict=True)
    return ", ".join(f"{moment.name(who)}: {LABELS[outcome]}" for who, outcome in rolled)


def _names(moment: Moment, words: tuple[str, ...]) -> list[str]:
    crew = crew_words(moment)
    return [
        roll_moves.SYSTEM_WORDS[word].value if word in roll_moves.SYSTEM_WORDS else moment.name(crew.get(word, word))
        for word in words
    ]


def _rolls(moment: Moment, group: Group) -> list[Move]:
    left = members_to_roll(moment, group)
    return [move for move in roll_moves.offers(moment, group.call, in_group=True) if move.words[0] in left]


def answers(moment: Moment, group: Group) -> tuple[Move, ...]:
    """Offer the remaining rolls, in any order; all of them at once, without tools and modules; and the end of the group roll."""
    rolls = _rolls(moment, group)
    label = "Let Waylog roll for everybody, without tools"
    every = Move(EVERYONE, (), label, key="*", by_chance=True) if len(rolls) > 1 else None
    return (*rolls, *([every] if every else ()), Move("finish", (), "Finish without the others"))


def choices(moment: Moment, group: Group) -> tuple[str, ...]:
    """Return who may be chosen to roll next; nobody if all roll one after the other."""
    return () if group.all_roll else members_to_roll(moment, group)


def go_on(moment: Moment, group: Group, dice: Dice) -> Moment:
    """Let the next one roll if all roll, until one of them can't, or real dice lie there, which belong to one roll; give the group its
    outcome if nobody is left.
    """
    rolls = _rolls(moment, group) if group.all_roll else ()
    if not rolls:
        return conclude(moment, group, dice)
    if dice.are_real:
        return moment.closes().then(replace(group, all_roll=False))
    try:
        return answer(moment, group, rolls[0], complete_answers(rolls[0], {}), dice)
    except ActRefused:
        return moment.closes().then(replace(group, all_roll=False))


def answer(moment: Moment, group: Group, move: Move, given: Answers, dice: Dice) -> Moment:
    """Let one of the group roll, or end the group roll."""
    if move.verb == "finish":
        return conclude(moment, group, dice)
    if move.verb == EVERYONE:
        return moment.closes().then(replace(group, all_roll=True))
    left = replace(group, waiting=tuple(word for word in group.waiting if word != move.words[0]))
    return roll_moves.play(moment.closes().then(left), move, given, dice)


def conclude(moment: Moment, group: Group, _dice: Dice) -> Moment:
    """Give the group its one outcome, after everyone has rolled. Whoever could have rolled and hasn't took no part, or by house
    rule counts as a Fiasco; they get no Focus and no damage for it.
    """
    after, clause = moment.closes(), moment.edition.group_clause
    unrolled = members_to_roll(moment, group) if moment.rules.group_unrolled == "fiasco" and group.outcomes else ()
    if absent := tuple(word for word in group.waiting if word not in unrolled):
        after = after.says(f"{join_names(_names(moment, absent))} took no part", clause)
    if unrolled:
        names = join_names(_names(moment, unrolled))
        after = after.says(f"{names} didn't roll: by house rule, that counts as a Fiasco", clause)
    if not group.outcomes:
        return after.says("The group roll was cancelled", clause)
    shared = moment.edition.group((*group.outcomes, *(OutcomeGrade.FIASCO for _ in unrolled)), moment.rules)
    result = after.says(_list_outcomes(moment, group), clause, NotePart.SUMMARY)
    criticals = (
        who for who, outcome in zip(group.rollers, group.outcomes, strict=True) if outcome is OutcomeGrade.CRITICAL
    )
    return result.tells(OutcomeFact(shared.value, LABELS[shared], shared, "Group")).then(
        Settled(group.rollers, tuple(criticals))
    )


def all_as_one(outcomes: Sequence[OutcomeGrade], rules: Any) -> OutcomeGrade:
    """Return the shared outcome of a group (VK-20)."""
    if all(outcome is OutcomeGrade.CRITICAL for outcome in outcomes):
        return OutcomeGrade.CRITICAL
    if OutcomeGrade.CRITICAL in outcomes or all(outcome is OutcomeGrade.SUCCESS for outcome in outcomes):
        return OutcomeGrade.SUCCESS
    if OutcomeGrade.SUCCESS in outcomes:
        return OutcomeGrade.DRAWBACK
    if OutcomeGrade.DRAWBACK in outcomes:
        return OutcomeGrade(rules.group_of_drawbacks)
    return OutcomeGrade.FIASCO


CHAPTER = Chapter(
    offers=offers,
    plays={"group": begin},
    stages=(StageRules(Group, question, answers, answer, choices=choices, automatic=go_on),),
)
