"""Rolls: the wayfinder settles one, the player picks two dice, and they are rolled (CF-10…CF-12). Elections: the result of electing one of
the two beside the Course, worked out before anything happens (CF-13).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from itertools import combinations
from types import MappingProxyType
from typing import Any

from waylog.rules.codec.changes import with_full_stop
from waylog.rules.model.answers import selected_words
from waylog.rules.model.dice import Dice, Die, TypedDice
from waylog.rules.model.facts import NotePart, OutcomeFact, OutcomeGrade, RollFact
from waylog.rules.model.moves import ActRefused, Answers, Ask, Move, Number, Option, PickMany, PickOne, Refusal, Text
from waylog.rules.rulebook import Chapter, StageRules
from waylog.rules.systems.course_flow.sheet import TOKEN_OF, Course, DieType, TokenKind
from waylog.rules.systems.course_flow.state_stages_and_typed_names import (
    CALM,
    DANGEROUS,
    MOST_THRESHOLD,
    NO_FLOW,
    THRESHOLDS,
    UNSEEN,
    UNSKILLED,
    WATCHED,
    Called,
    Closing,
    ElectionChoice,
    Moment,
    Offered,
    RollSetup,
    also,
    crew_letters,
    crew_words,
    flow_words,
    skill_words,
)
from waylog.values import dataclass, replace

LEAST_WIN = 7
"""From this sum on there is a win to take (CF-17, CF-18)."""


class Outcome(StrEnum):
    """The results of an election, worst first."""

    SETBACK = "setback"
    NOT_YET = "not-yet"
    WIN = "win"
    INTENT = "intent"


LABELS: Mapping[Outcome, str] = MappingProxyType(
    {
        Outcome.SETBACK: "Dramatic Setback",
        Outcome.NOT_YET: "Not yet",
        Outcome.WIN: "A win",
        Outcome.INTENT: "The intent",
    }
)
MOODS: Mapping[Outcome, OutcomeGrade] = MappingProxyType(
    {
        Outcome.SETBACK: OutcomeGrade.FIASCO,
        Outcome.NOT_YET: OutcomeGrade.FIASCO,
        Outcome.WIN: OutcomeGrade.DRAWBACK,
        Outcome.INTENT: OutcomeGrade.SUCCESS,
    }
)
"""The grade of each result, for clocks and colours."""


def result(moment: Moment, who: str, outcome: Outcome) -> OutcomeFact:
    """Return the result as a fact."""
    return OutcomeFact(outcome.value, LABELS[outcome], MOODS[outcome], moment.name(who))


def outcome_of(face: int, course: int, bonus: int, threshold: int) -> Outcome:
    """Return the result of electing a die with that face (CF-14, CF-16…CF-19)."""
    if face == course:
        return Outcome.SETBACK
    total = face + course + bonus
    if total < LEAST_WIN:
        return Outcome.NOT_YET
    return Outcome.WIN if total < threshold else Outcome.INTENT


def bonus_of(moment: Moment, roll: RollSetup) -> int:
    """Return the sum of skill and Flow (CF-16)."""
    flow = moment.flow(roll.flow)
    return moment.skill(roll.who, roll.skill) + (flow.value if flow else 0)


def runs(moment: Moment, roll: RollSetup) -> bool:
    """Whether the roll has a Flow to lose."""
    flow = moment.flow(roll.flow)
    return flow is not None and flow.value > 0


@dataclass(frozen=True, slots=True)
class Election:
    """One of the two dice as the elected one, with all its consequences."""

    die: DieType
    face: int
    aside: DieType
    aside_face: int
    outcome: Outcome
    high: DieType | None
    """The type of the high die; None after a tie (CF-15)."""
    total: int
    tokens: tuple[TokenKind, ...]
    """The tokens that its 6s and the Course's give (CF-21)."""


def elections(moment: Moment, thrown: ElectionChoice) -> tuple[Election, Election]:
    """Return both elections, in the order in which the dice were picked (CF-13)."""
    (one, other), (face, other_face) = thrown.roll.dice, thrown.faces
    return (
        _election(moment, thrown.roll, (one, face), (other, other_face)),
        _election(moment, thrown.roll, (other, other_face), (one, face)),
    )


def _election(moment: Moment, roll: RollSetup, elected: tuple[DieType, int], aside: tuple[DieType, int]) -> Election:
    (die, face), course = elected, moment.course
    bonus = bonus_of(moment, roll)
    lies = DieType(course.die)
    high = None if face == course.face else die if face > course.face else lies
    sixes = [TOKEN_OF[of] for of, shown in ((lies, course.face), (die, face)) if shown == 6]
    outcome = outcome_of(face, course.face, bonus, roll.threshold)
    return Election(die, face, *aside, outcome, high, face + course.face + bonus, tuple(sixes))


def lesson(moment: Moment, roll: RollSetup, face: int) -> bool:
    """Return the skill that a tie on that face teaches (CF-14)."""
    return face > moment.skill(roll.who, roll.skill)


def shield(moment: Moment, roll: RollSetup, election: Election) -> str:
    """Return whose high Daring prevents harm in this roll; empty if nobody's. Nothing prevents it after a tie (CF-14,
    CF-15).
    """
    if election.high is None:
        return ""
    return roll.who if election.high is DieType.DARING else moment.course.safe


def harms(moment: Moment, roll: RollSetup, election: Election) -> bool:
    """Whether the roll does harm (CF-22)."""
    return roll.dangerous and not shield(moment, roll, election)


def is_noticed(roll: RollSetup, election: Election) -> bool:
    """Whether the roll is noticed (CF-22)."""
    return roll.watched and election.high is not DieType.SNEAKY


# -- in words --------------------------------------------------------------------------------------------------------


def consequences(moment: Moment, roll: RollSetup, election: Election) -> str:
    """Describe all consequences in one line: `total 12, intent achieved; high Expertise; Flow stays 1; next Course Sneaky 4`."""
    parts = [_headline(election)]
    if election.high:
        parts.append(_HIGH[election.high])
    parts += [*_flow_after(moment, roll, election), *_lesson_after(moment, roll, election)]
    parts += [f"+1 {kind.value.capitalize()}" for kind in election.tokens]
    if harms(moment, roll, election):
        parts.append("harm")
    if is_noticed(roll, election):
        parts.append("noticed")
    return "; ".join((*parts, f"next Course {election.aside.label} {election.aside_face}"))


_HIGH: Mapping[DieType, str] = {
    DieType.COMPELLING: "high Compelling: impressed",
    DieType.DARING: "high Daring: no harm",
    DieType.EXPERTISE: "high Expertise",
    DieType.SNEAKY: "high Sneaky: unseen",
    DieType.THRIVING: "high Thriving: recover a slot",
}


def _headline(election: Election) -> str:
    match election.outcome:
        case Outcome.SETBACK:
            return "a tie: Setback"
        case Outcome.NOT_YET:
            return f"total {election.total}, {'but ' if election.total >= LEAST_WIN else ''}not yet"
        case Outcome.WIN:
            return f"total {election.total}, a win"
        case Outcome.INTENT:
            return f"total {election.total}, intent achieved"


def _flow_after(moment: Moment, roll: RollSetup, election: Election) -> list[str]:
    flow = moment.flow(roll.flow)
    if flow is None:
        new = election.outcome is Outcome.NOT_YET and moment.rules.not_yet_without_flow == "new-flow"
        return ["a new Flow at 1"] if new else []
    if election.outcome is Outcome.NOT_YET:
        return [f"Flow {flow.value} → {flow.value + 1}"]
    kept = election.high is DieType.EXPERTISE
    return [f"Flow stays {flow.value}" if kept or not flow.value else f"Flow {flow.value} → 0"]


def _lesson_after(moment: Moment, roll: RollSetup, election: Election) -> list[str]:
    if election.outcome is not Outcome.SETBACK or not lesson(moment, roll, election.face):
        return []
    value = moment.skill(roll.who, roll.skill)
    return [f"{roll.skill or 'a new skill'} {value} → {value + 1}"]


def sum_text(moment: Moment, roll: RollSetup, election: Election) -> str:
    """Describe the sum: `Expertise 5 + Course 4 + Piloting 2 + Storm front 1 = 12, against 10` (CF-16)."""
    parts = [f"{election.die.label} {election.face}", f"Course {moment.course.face}", *bonus_words(moment, roll)]
    return f"{' + '.join(parts)} = {election.total}, against {roll.threshold}"


def bonus_words(moment: Moment, roll: RollSetup) -> list[str]:
    """Return what is added to the dice: `Piloting 2`, `Storm front 1`."""
    words = [f"{roll.skill} {moment.skill(roll.who, roll.skill)}"] if roll.skill else []
    flow = moment.flow(roll.flow)
    return [*words, f"{moment.flow_name(roll.flow)} {flow.value}"] if flow else words


_DANGEROUS = Option(DANGEROUS, "dangerous", "harm unless Daring is high")
_WATCHED = Option(WATCHED, "watched", "noticed unless Sneaky is high")
_CALM, _UNSEEN = Option(CALM, "no danger"), Option(UNSEEN, "nobody could notice")


def offers(moment: Moment) -> tuple[Move, ...]:
    """Offer a roll for everyone in the crew. Those who can't roll are told why (CF-12)."""
    letters = crew_letters(moment)
    return tuple(
        Move(
            "roll",
            (word,),
            f"Roll for {moment.name(key)}",
            settled_asks(moment, key),
            cannot_roll(moment, key),
            rolls=True,
            about=(f"crew.{key}",),
            key=letters[key],
            roller=word,
        )
        for word, key in crew_words(moment).items()
    )


def cannot_roll(moment: Moment, who: str) -> Refusal | None:
    """Return why someone can't roll: there is no Course (CF-02), they set it (CF-12), or they lack two dice for it
    (CF-11).
    """
    if not moment.course.lies:
        return Refusal("there is no Course yet. The wayfinder sets the first one", "CF-02", first="course")
    if text := set_it(moment, who):
        roller = "" if moment.course.set_by == who else f", so {moment.name(who)}"
        return Refusal(f"{text}{roller or ' and'} can't roll until someone else sets a new one", "CF-12")
    if len(open_dice(moment, who)) < 2:
        can = next((f"only {die.label}" for die in open_dice(moment, who)), "none")
        return Refusal(
            f"{moment.name(who)} needs two die types besides the Course's ({course_words(moment.course)}), but "
            f"has {can}",
            "CF-11",
        )
    return None


def set_it(moment: Moment, who: str) -> str:
    """Return the words that someone, or another character of the same player, set the current Course (CF-12); empty if not."""
    setter = moment.course.set_by
    if not moment.course.lies or setter not in moment.sheet.crew:
        return ""
    if setter == who:
        return f"{moment.name(who)} set the Course"
    player = moment.member(who).player
    if player and player == moment.member(setter).player:
        return f"{player} set the Course with {moment.name(setter)}"
    return ""


def open_dice(moment: Moment, who: str) -> tuple[DieType, ...]:
    """Return the die types that someone may pick: their own, except the Course's (CF-11)."""
    types = moment.member(who).dice
    return tuple(die for die in DieType if die in types and die.value != moment.course.die)


def pairs(moment: Moment, who: str) -> tuple[tuple[DieType, DieType], ...]:
    """Return every legal pair of dice (CF-11)."""
    return tuple(combinations(open_dice(moment, who), 2))


def course_words(course: Course) -> str:
    """Return the Course in words: `Daring 4`."""
    return f"{course.die.capitalize()} {course.face}"


# -- what a roll asks --------------------------------------------------------------------------------------------------


def settled_asks(moment: Moment, who: str, now: RollSetup | None = None) -> tuple[Ask, ...]:
    """Return the questions that settle a roll (CF-10): threshold, skill, Flow, danger, notice and intent (CF-32).

    `now` is the roll that was already settled and waits for its dice. A new roll may name its dice at once. Who has one skill
    rolls with it unless they say otherwise; who has several is asked which, because a forgotten one would cost the roll its bonus.
    """
    skills, theirs = skill_words(moment, who), moment.member(who).skills
    # A skill that only others have is worth the same as any that they lack. It can be typed, for whoever may learn it.
    skill_options = (
        *(
            Option(word, skill, f"+{moment.skill(who, skill)}", also(skill), is_unlisted=skill not in theirs)
            for word, skill in skills.items()
        ),
        Option(UNSKILLED, "a skill they lack", "+0"),
    )
    flows = flow_words(moment, skills)
    flow_options = (
        *(
            Option(word, name, f"+{moment.sheet.flows[key].value}", also(name))
            for word, key, name in ((word, key, moment.flow_name(key)) for word, key in flows.items())
        ),
        Option(NO_FLOW, "no Flow"),
    )
    words = tuple(moment.member(who).skills)
    roll = now or RollSetup(who, words[0] if len(words) == 1 else "")
    skill = next((word for word, name in skills.items() if name == roll.skill), UNSKILLED)
    asked = now is None and len(words) > 1
    skill_ask = PickOne(
        "skill",
        "Skill to use" if asked else "Skill",
        skill_options,
        None if asked else skill,
        "CF-10",
        logged=not now and skill != UNSKILLED,
        if_unlogged=UNSKILLED if asked else None,
    )
    flow = next((word for word, key in flows.items() if key == roll.flow), NO_FLOW)
    settled = (
        threshold_ask(moment, now.threshold if now else None),
        skill_ask,
        PickOne("flow", "Flow", flow_options, flow, "CF-03"),
    )
    intent = Text("intent", "Intent", word="intent")
    if now is None:
        risks = PickMany("risks", "Risks", (_DANGEROUS, _WATCHED), clause="CF-10")
        return (*settled, dice_ask(moment, who), risks, intent)
    danger = PickOne("danger", "Danger", (_DANGEROUS, _CALM), (_DANGEROUS if now.dangerous else _CALM).word, "CF-10")
    eyes = PickOne("eyes", "Eyes", (_WATCHED, _UNSEEN), (_WATCHED if now.watched else _UNSEEN).word, "CF-10")
    return (*settled, danger, eyes, intent)


def threshold_ask(moment: Moment, now: int | None) -> Ask:
    """Ask for the threshold: one of four, or by house rule any number (CF-10). `now` is the one that is already set."""
    if moment.rules.thresholds == "any":
        return Number("threshold", "Threshold", 1, MOST_THRESHOLD, now)
    options = tuple(Option(str(number), f"{number} {about}") for number, about in THRESHOLDS.items())
    return PickOne("threshold", "Threshold", options, str(now) if now in THRESHOLDS else None, "CF-10")


def dice_ask(moment: Moment, who: str) -> PickMany:
    """Ask for two dice, or none yet. The Course's type, and types that they lack, are refused (CF-11)."""
    return PickMany(
        "dice",
        "Two dice",
        tuple(Option(die.value, die.label, blocked=_close_roll(moment, who, die)) for die in DieType),
        most=2,
        clause="CF-11",
    )


def _close_roll(moment: Moment, who: str, die: DieType) -> Refusal | None:
    if die.value == moment.course.die:
        return Refusal(f"the Course is {die.label}: choose other dice", "CF-11")
    if die not in moment.member(who).dice:
        return Refusal(f"{moment.name(who)} has no {die.label} die", "CF-11")
    return None


def roll_of(moment: Moment, who: str, answers: Answers) -> RollSetup:
    """Return the roll that the answers settle."""
    skills = skill_words(moment, who)
    flows = flow_words(moment, skills)
    texts = (*selected_words(answers, "risks"), *selected_words(answers, "danger"), *selected_words(answers, "eyes"))
    return RollSetup(
        who,
        skills.get(str(answers["skill"]), ""),
        flows.get(str(answers["flow"]), ""),
        int(str(answers["threshold"])),
        dangerous=DANGEROUS in texts,
        watched=WATCHED in texts,
        dice=tuple(DieType(die) for die in selected_words(answers, "dice")),
        intent=str(answers.get("intent", "")).strip(),
    )


# -- rolling -----------------------------------------------------------------------------------------------------------


def play(moment: Moment, move: Move, answers: Answers, dice: Dice) -> Moment:
    """Play `roll iko piloting storm-front 10 sneaky expertise`. With its dice the roll is made; without them it waits
    for them.
    """
    roll = roll_of(moment, crew_words(moment)[move.words[0]], answers)
    match len(roll.dice):
        case 0 if isinstance(dice, TypedDice) and dice.unused_faces:
            one, other = pairs(moment, roll.who)[0]
            raise ActRefused(
                f"Too many dice, because no pair is named. Add the two that came up, such as {one.value} {other.value}",
                "CF-11",
            )
        case 0:
            return moment.then(Called(roll))
        case 2:
            return throw(moment, roll, dice)
        case _:
            raise ActRefused(f"choose a second die besides {roll.dice[0].label}", "CF-11")


def throw(moment: Moment, roll: RollSetup, dice: Dice) -> Moment:
    """Roll both dice (CF-13). May raise `DiceWanted`."""
    thrown = dice.roll(tuple(Die(die.label) for die in roll.dice))
    after = moment.tells(RollFact(moment.name(roll.who), thrown, dice.are_real, deed=f"{moment.name(roll.who)} rolls"))
    return after.then(ElectionChoice(roll, tuple(face.face for face in thrown)))


def intent_words(moment: Moment, roll: RollSetup) -> str:
    """Return the intent as a sentence before the question about its roll, `Iko's intent: cross unseen. `; empty without
    one (CF-32).
    """
    return f"{moment.name(roll.who)}'s intent: {with_full_stop(roll.intent)} " if roll.intent else ""


def settled_words(moment: Moment, roll: RollSetup) -> str:
    """Return the settled roll in words: `Piloting 2 + Storm front 1 against 10, dangerous`."""
    added = " + ".join(bonus_words(moment, roll)) or "without a skill or Flow"
    risks = [*(["dangerous"] if roll.dangerous else []), *(["watched"] if roll.watched else [])]
    return ", ".join((f"{added} against {roll.threshold}", *risks))


# -- a roll that waits for its dice --------------------------------------------------------------------------------


def called_question(moment: Moment, called: Called) -> str:
    """Show what is settled, and ask for the dice."""
    roll = called.roll
    return (
        f"{intent_words(moment, roll)}{moment.name(roll.who)} rolls {settled_words(moment, roll)}. The Course is "
        f"{course_words(moment.course)}. Which two dice?"
    )


_PAIR_LETTERS = dict(zip(combinations(DieType, 2), "adfghjkmop", strict=True))
"""The letter of each pair of dice, the same in every roll."""


def called_answers(moment: Moment, called: Called) -> tuple[Move, ...]:
    """Offer `throw sneaky expertise`, `change 13`, or `leave`."""
    about = (f"crew.{called.roll.who}",)
    stop = cannot_roll(moment, called.roll.who)
    picks = tuple(
        Move(
            "throw",
            (one.value, other.value),
            f"{one.label} and {other.label}",
            blocked=stop,
            rolls=True,
            about=about,
            key=_PAIR_LETTERS[one, other],
        )
        for one, other in pairs(moment, called.roll.who)
    )
    asks = settled_asks(moment, called.roll.who, called.roll)
    name = moment.name(called.roll.who)
    change = Move("change", (), "Change the roll", asks, about=about, key="c", heading=f"{name}'s roll changed")
    leave = Move("leave", (), "Cancel the roll", key="l", ends="Cancel the roll?", heading=f"{name}'s roll cancelled")
    return (*picks, change, *reactions(called.roll), leave)


def answer_called(moment: Moment, called: Called, move: Move, answers: Answers, dice: Dice) -> Moment:
    """Roll the picked dice, change the roll, or cancel it (CF-10)."""
    match move.verb:
        case "throw":
            return throw(moment.closes(), with_dice(called.roll, move.words), dice)
        case "change":
            roll, before = roll_of(moment, called.roll.who, answers), called.roll
            roll = replace(roll, intent=roll.intent or before.intent, reacts=before.reacts)
            after = moment.closes().then(Called(roll))
            return after.says(f"{moment.name(roll.who)} rolls {settled_words(moment, roll)}", "CF-10", NotePart.DEED)
        case "react":
            return declare_reaction(moment, called)
        case _:
            return moment.closes().says(f"{moment.name(called.roll.who)}'s roll was cancelled", "CF-10", NotePart.DEED)


# -- the wayfinder's last reaction (CF-34) ------------------------------------------------------------------------------


def reactions(roll: RollSetup) -> tuple[Move, ...]:
    """Offer `react`, until it is declared."""
    label, heading = "Hold the next Course for a last reaction", "The next Course waits for a last reaction"
    return () if roll.reacts else (Move("react", (), label, key="H", heading=heading),)


def declare_reaction(moment: Moment, stage: Called | ElectionChoice | Offered) -> Moment:
    """Play `react`: the next Course waits until the wayfinder has reacted. The question stays open."""
    below: tuple[Any, ...] = tuple(
        replace(one, reacts=True) if isinstance(one, Closing) else one for one in moment.stages[:-1]
    )
    after = replace(moment, stages=(*below, replace(stage, roll=replace(stage.roll, reacts=True))))
    return after.says("The next Course comes after the wayfinder's last reaction", "CF-34", NotePart.DETAIL)


def with_dice(roll: RollSetup, words: Sequence[str]) -> RollSetup:
    """Return the roll with its dice."""
    return replace(roll, dice=tuple(DieType(word) for word in words))


def keep_roll(moment: Moment, stage: Any) -> Any:
    """Return the stage of a roll while its roller is in the crew and there is a Course, otherwise None."""
    return stage if stage.roll.who in moment.sheet.crew and moment.course.lies else None


CHAPTER = Chapter(
    offers=offers,
    plays={"roll": play},
    stages=(StageRules(Called, called_question, called_answers, answer_called, keep=keep_roll),),
)
