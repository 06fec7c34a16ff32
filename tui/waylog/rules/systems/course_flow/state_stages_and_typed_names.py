"""The working state of a move in Course and Flow, and the words to type for names.

The stages of Course and Flow: what may be open between two acts. Each is saved in the log under its `TAG`.

Stages form a stack (`OpenStages`). The last one asks first.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from waylog.rules.codec.changes import letters_for, slug, words_for
from waylog.rules.model.act_lists_and_row_verbs import ANYTIME
from waylog.rules.model.clocks_situations_and_timers import new_key
from waylog.rules.rulebook import MomentBase, StageStack
from waylog.rules.systems.course_flow.sheet import Course, DieType, Flow, HouseRules, Member, Sheet, TokenKind
from waylog.values import dataclass, replace


@dataclass(frozen=True, slots=True)
class Moment(MomentBase):
    """The working state of a move, with the queries and changes of this game."""

    sheet: Sheet
    rules: HouseRules

    # -- queries ---------------------------------------------------------------------------------------------------

    @property
    def course(self) -> Course:
        return self.sheet.course

    def member(self, key: str) -> Member:
        return self.sheet.crew[key]

    def name(self, who: str) -> str:
        """Return the name of a crew member; an empty key stands for the wayfinder."""
        member = self.sheet.crew.get(who)
        return (member.name or who) if member else who or "the wayfinder"

    def ship_name(self, key: str) -> str:
        return self.sheet.ships[key].name or key

    def skill(self, who: str, skill: str) -> int:
        """Return a skill's value. A skill that they lack is +0 (CF-04)."""
        return max(0, self.member(who).skills.get(skill, 0))

    def flows(self) -> Iterator[tuple[str, Flow]]:
        """Return the Flows that may apply."""
        return ((key, flow) for key, flow in self.sheet.flows.items() if not flow.over)

    def flow(self, key: str) -> Flow | None:
        """Return a Flow that still applies, or None: it may have been removed from the file."""
        flow = self.sheet.flows.get(key)
        return None if flow is None or flow.over else flow

    def flow_name(self, key: str) -> str:
        return self.sheet.flows[key].name or key

    def tokens(self, who: str, kind: TokenKind) -> int:
        count: int = getattr(self.member(who).tokens, kind.value)
        return max(0, count)

    # -- changes ---------------------------------------------------------------------------------------------------

    def with_course(self, course: Course) -> Moment:
        return replace(self, sheet=replace(self.sheet, course=course))

    def with_member(self, who: str, **values: Any) -> Moment:
        crew = {**self.sheet.crew, who: replace(self.member(who), **values)}
        return replace(self, sheet=replace(self.sheet, crew=crew))

    def with_skill(self, who: str, skill: str, value: int) -> Moment:
        return self.with_member(who, skills={**self.member(who).skills, skill: value})

    def with_token(self, who: str, kind: TokenKind, by: int) -> Moment:
        count = self.tokens(who, kind) + by
        return self.with_member(who, tokens=replace(self.member(who).tokens, **{kind.value: count}))

    def with_flow(self, key: str, **values: Any) -> Moment:
        flows = {**self.sheet.flows, key: replace(self.sheet.flows[key], **values)}
        return replace(self, sheet=replace(self.sheet, flows=flows))

    def with_new_flow(self, name: str, value: int) -> Moment:
        key = new_key(name, self.sheet.flows)
        return replace(self, sheet=replace(self.sheet, flows={**self.sheet.flows, key: Flow(name, value)}))


def keep_in_crew(moment: Moment, stage: Any) -> Any:
    """Return the stage if its crew member is still in the crew, otherwise None."""
    return stage if stage.who in moment.sheet.crew else None


# -- words for what has a name ------------------------------------------------------------------------------------------

UNSKILLED, NO_FLOW, NEW_FLOW = "unskilled", "no-flow", "new-flow"
CALM, DANGEROUS, UNSEEN, WATCHED = "calm", "dangerous", "unseen", "watched"
THRESHOLDS: Mapping[int, str] = {
    7: "routine",
    10: "by luck or skill",
    13: "takes a few attempts",
    16: "masters only",
}
"""The meaning of each threshold (CF-10)."""
MOST_THRESHOLD = 99
"""The highest threshold that a house rule allows."""
_IN_ROLLS = frozenset(
    (*(die.value for die in DieType), UNSKILLED, NO_FLOW, NEW_FLOW, CALM, DANGEROUS, UNSEEN, WATCHED, "plainly")
)
"""Words that have another meaning in the same moves."""


def crew_words(moment: Moment) -> Mapping[str, str]:
    """Return crew keys by the word to type for each."""
    return words_for(((key, key) for key in moment.sheet.crew), "crew", _IN_ROLLS)


def crew_letters(moment: Moment) -> Mapping[str, str]:
    """Return a letter for each crew member, by key: one of their name if any is free, otherwise another; empty if none is left."""
    return letters_for(crew_words(moment), ANYTIME)


def owner_words(moment: Moment) -> Mapping[str, tuple[str, str]]:
    """Return everyone and every ship, by word: the table of the sheet that they are in, and their key."""
    crew = crew_words(moment)
    ships = words_for(((key, key) for key in moment.sheet.ships), "ship", (*crew, *_IN_ROLLS))
    return {
        **{word: ("crew", key) for word, key in crew.items()},
        **{word: ("ships", key) for word, key in ships.items()},
    }


def owner_name(moment: Moment, table: str, key: str) -> str:
    """Return the name of a crew member or a ship."""
    return moment.name(key) if table == "crew" else moment.ship_name(key)


def skill_words(moment: Moment, who: str) -> Mapping[str, str]:
    """Return skills by word: first their own, then those of others that they lack."""
    words = list(moment.member(who).skills)
    had = {slug(skill) for skill in words}
    for member in moment.sheet.crew.values():
        for skill in member.skills:
            if slug(skill) not in had:
                had.add(slug(skill))
                words.append(skill)
    return words_for(((skill, skill) for skill in words), "skill", _IN_ROLLS)


def held_skill(moment: Moment, who: str, text: str) -> str:
    """Return a skill's name as it is on the sheet, in whatever case it was typed; a skill they lack is returned as
    typed.
    """
    return next((skill for skill in moment.member(who).skills if (slug(skill) or skill) == (slug(text) or text)), text)


def flow_words(moment: Moment, taken: Iterable[str] = ()) -> Mapping[str, str]:
    """Return the keys of the Flows that may apply, by word."""
    return words_for(((key, key) for key, _ in moment.flows()), "flow", (*_IN_ROLLS, *taken))


def also(name: str) -> tuple[str, ...]:
    """Return other words for a name: each of its longer words."""
    return tuple(word for word in slug(name).split("-") if len(word) > 3)


@dataclass(frozen=True, slots=True)
class RollSetup:
    """A roll as the wayfinder has settled it (CF-10), and the dice picked for it (CF-11)."""

    who: str = ""
    skill: str = ""
    """A skill by name; empty for a skill that they lack and that has no name yet."""
    flow: str = ""
    """The key of the Flow that applies; empty if none does."""
    threshold: int = 10
    dangerous: bool = False
    watched: bool = False
    """Somebody could notice."""
    dice: tuple[DieType, ...] = ()
    intent: str = ""
    """The result that the player wants, in words; may be empty (CF-32)."""
    reacts: bool = False
    """The wayfinder has declared a last reaction (CF-34)."""


@dataclass(frozen=True, slots=True)
class Called:
    """A settled roll whose dice are not picked yet (CF-10, CF-11)."""

    TAG = "called"

    roll: RollSetup = RollSetup()


@dataclass(frozen=True, slots=True)
class ElectionChoice:
    """Two rolled dice, one of which has to be elected (CF-13)."""

    TAG = "thrown"

    roll: RollSetup = RollSetup()
    faces: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Offered:
    """A win that may be taken or declined (CF-18, CF-20)."""

    TAG = "offered"

    roll: RollSetup = RollSetup()
    total: int = 0
    kept: bool = False
    """Expertise is high, so the Flow is kept (CF-15)."""
    offer: str = ""
    """The win in the wayfinder's words."""


@dataclass(frozen=True, slots=True)
class Unnamed:
    """A new Flow at 1 that needs a name (CF-17)."""

    TAG = "unnamed"

    who: str = ""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A skill without a name that a tie on that face has taught (CF-14)."""

    TAG = "lesson"

    who: str = ""
    face: int = 1


@dataclass(frozen=True, slots=True)
class SlotRecovery:
    """A slot that may be recovered because Thriving is high (CF-15)."""

    TAG = "recovery"

    who: str = ""


@dataclass(frozen=True, slots=True)
class Harm:
    """The harm of a dangerous roll (CF-22)."""

    TAG = "harm"

    who: str = ""


@dataclass(frozen=True, slots=True)
class Notice:
    """A roll that could be noticed, and is (CF-22)."""

    TAG = "notice"

    who: str = ""


@dataclass(frozen=True, slots=True)
class Closing:
    """The die that was set aside. It becomes the Course once nothing else is open, and after a declared last reaction
    (CF-23, CF-34).
    """

    TAG = "closing"

    who: str = ""
    die: DieType = DieType.COMPELLING
    face: int = 1
    safe: bool = False
    """Whether Daring was high."""
    reacts: bool = False
    """The wayfinder has declared a last reaction, which comes first."""


@dataclass(frozen=True, slots=True)
class FirstCourse:
    """A session begins: the wayfinder may set its first Course until something else is done (CF-33)."""

    TAG = "first-course"


@dataclass(frozen=True, slots=True)
class Asking:
    """A vital question that waits for its answer (CF-30, CF-31)."""

    TAG = "asking"

    who: str = ""
    question: str = ""
    """The word of the question: `clue-2`."""
    spent: bool = False
    """A token was spent on it, so an answer is required."""


Stage = (
    Called | ElectionChoice | Offered | Unnamed | Lesson | SlotRecovery | Harm | Notice | Closing | Asking | FirstCourse
)


@dataclass(frozen=True, slots=True)
class OpenStages(StageStack):
    """The open stages. The last one asks first."""

    TAG = "scene"

    stages: tuple[Stage, ...] = ()
