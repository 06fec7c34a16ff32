"""Elections: the result of electing one of two rolled dice beside the Course, worked out before anything happens
(CF-13).
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType

from waylog.rules.model.facts import OutcomeFact, OutcomeGrade
from waylog.rules.systems.course_flow.sheet import TOKEN_OF, DieType, TokenKind
from waylog.rules.systems.course_flow.stages_and_typed_names import ElectionChoice, Moment, RollSetup
from waylog.values import dataclass

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
    """Describe all consequences in one line: `12, the intent · high Expertise · Flow stays 1 · Course Sneaky 4`."""
    parts = [_headline(election)]
    if election.high:
        parts.append(_HIGH[election.high])
    parts += [*_flow_after(moment, roll, election), *_lesson_after(moment, roll, election)]
    parts += [f"+{kind.value.capitalize()}" for kind in election.tokens]
    if harms(moment, roll, election):
        parts.append("harm")
    if is_noticed(roll, election):
        parts.append("noticed")
    return " · ".join((*parts, f"Course {election.aside.label} {election.aside_face}"))


_HIGH: Mapping[DieType, str] = {
    DieType.COMPELLING: "high Compelling: impressed",
    DieType.DARING: "high Daring: no harm",
    DieType.EXPERTISE: "high Expertise",
    DieType.SNEAKY: "high Sneaky: unseen",
    DieType.THRIVING: "high Thriving: a slot",
}


def _headline(election: Election) -> str:
    match election.outcome:
        case Outcome.SETBACK:
            return "a tie: Setback"
        case Outcome.NOT_YET:
            return f"{election.total}, {'but ' if election.total >= LEAST_WIN else ''}not yet"
        case Outcome.WIN:
            return f"{election.total}, a win"
        case Outcome.INTENT:
            return f"{election.total}, the intent"


def _flow_after(moment: Moment, roll: RollSetup, election: Election) -> list[str]:
    flow = moment.flow(roll.flow)
    if flow is None:
        new = election.outcome is Outcome.NOT_YET and moment.rules.not_yet_without_flow == "new-flow"
        return ["a new Flow at 1"] if new else []
    if election.outcome is Outcome.NOT_YET:
        return [f"Flow {flow.value}→{flow.value + 1}"]
    kept = election.high is DieType.EXPERTISE
    return [f"Flow stays {flow.value}" if kept or not flow.value else f"Flow {flow.value}→0"]


def _lesson_after(moment: Moment, roll: RollSetup, election: Election) -> list[str]:
    if election.outcome is not Outcome.SETBACK or not lesson(moment, roll, election.face):
        return []
    value = moment.skill(roll.who, roll.skill)
    return [f"{roll.skill or 'a new skill'} {value}→{value + 1}"]


def sum_text(moment: Moment, roll: RollSetup, election: Election) -> str:
    """Describe the sum: `Expertise 5 + Course 4 + Piloting 2 + Storm front 1 = 12, against 10` (CF-16)."""
    parts = [f"{election.die.label} {election.face}", f"Course {moment.course.face}", *bonus_words(moment, roll)]
    return f"{' + '.join(parts)} = {election.total}, against {roll.threshold}"


def bonus_words(moment: Moment, roll: RollSetup) -> list[str]:
    """Return what is added to the dice: `Piloting 2`, `Storm front 1`."""
    words = [f"{roll.skill} {moment.skill(roll.who, roll.skill)}"] if roll.skill else []
    flow = moment.flow(roll.flow)
    return [*words, f"{moment.flow_name(roll.flow)} {flow.value}"] if flow else words
