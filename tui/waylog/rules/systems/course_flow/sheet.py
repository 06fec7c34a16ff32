"""The sheet of Course and Flow as the campaign file keeps it: Course, Flows, crew, ships and house rules."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, ClassVar, Literal

from waylog.rules.codec.base_and_limits import Between
from waylog.rules.rulebook import CommonHouseRules
from waylog.values import dataclass, field

TOP_SKILL = 6
"""The highest skill that ties can teach: a tie on a 6 raises a skill of 5 (CF-14)."""
MOST_SLOTS = 20
"""The most slots of a Destiny Track (CF-05)."""
MOST_LINES = 9
"""The most rows, and the most columns, of a Damage Matrix (CF-05)."""
MOST_TYPED = 1_000_000
"""The largest number that one act takes. The rules have no maximum; this catches typing errors."""


class DieType(StrEnum):
    """The five types of die, all of them d6 (CF-01)."""

    COMPELLING = "compelling"
    DARING = "daring"
    EXPERTISE = "expertise"
    SNEAKY = "sneaky"
    THRIVING = "thriving"

    @property
    def label(self) -> str:
        return self.value.capitalize()


class TokenKind(StrEnum):
    """The five kinds of token (CF-21)."""

    CLUE = "clue"
    FOCUS = "focus"
    FORESIGHT = "foresight"
    INITIATIVE = "initiative"
    RUMOR = "rumor"


TOKEN_OF: Mapping[DieType, TokenKind] = MappingProxyType(
    {
        DieType.COMPELLING: TokenKind.RUMOR,
        DieType.DARING: TokenKind.INITIATIVE,
        DieType.EXPERTISE: TokenKind.FORESIGHT,
        DieType.SNEAKY: TokenKind.CLUE,
        DieType.THRIVING: TokenKind.FOCUS,
    }
)
"""The token for a 6 on each die (CF-21)."""

Lying = Literal["", "compelling", "daring", "expertise", "sneaky", "thriving"]


@dataclass(frozen=True, slots=True)
class Course:
    """The die on the table (CF-02)."""

    ALWAYS_WRITTEN: ClassVar = ("die", "face", "set_by")
    CHARACTERS: ClassVar = {
        "set_by": "Who set it, and so can't roll. Choose nobody if the wayfinder set it",
        "safe": "Whose high Daring prevents harm",
    }

    die: Annotated[Lying, "The Course (empty if there is none)"] = ""
    face: Annotated[int, Between(1, 6, "CF-02"), "Face"] = 1
    set_by: Annotated[str, "Key of the crew member who set it and can't roll. Empty: the wayfinder"] = ""
    safe: Annotated[str, "Key of the crew member whose high Daring prevents harm"] = ""

    @property
    def lies(self) -> bool:
        """Whether there is a Course."""
        return self.die != ""


@dataclass(frozen=True, slots=True)
class Flow:
    """A situation with a value (CF-03)."""

    ALWAYS_WRITTEN: ClassVar = ("name", "value")

    name: Annotated[str, "The situation"] = ""
    value: Annotated[int, Between(0, None, "CF-03"), "Value, added to a roll that it applies to"] = 0
    notes: Annotated[str, "For the wayfinder"] = ""
    over: Annotated[bool, "Ended: it applies to nothing until it is resumed"] = False


@dataclass(frozen=True, slots=True)
class Track:
    """A Destiny Track: a row of slots (CF-05)."""

    ALWAYS_WRITTEN: ClassVar = ("name", "slots", "marked")
    ASKED_FIRST: ClassVar = ("name", "slots")
    IN_PLAY: ClassVar = ("marked",)

    name: Annotated[str, "Name"] = ""
    slots: Annotated[int, Between(1, MOST_SLOTS, "CF-05"), "Number of slots"] = 4
    marked: Annotated[tuple[int, ...], "Marked slots, counted from 1"] = ()


@dataclass(frozen=True, slots=True)
class Matrix:
    """A Damage Matrix: a grid of slots (CF-05)."""

    ALWAYS_WRITTEN: ClassVar = ("name", "rows", "columns", "marked")
    ASKED_FIRST: ClassVar = ("name", "rows", "columns")
    IN_PLAY: ClassVar = ("marked",)

    name: Annotated[str, "Name"] = ""
    rows: Annotated[int, Between(1, MOST_LINES, "CF-05"), "Rows, lettered from a"] = 2
    columns: Annotated[int, Between(1, MOST_LINES, "CF-05"), "Columns, numbered from 1"] = 3
    marked: Annotated[tuple[str, ...], 'Marked slots, by row and column, as in "a1"'] = ()


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of a crew member (CF-21, CF-30)."""

    clue: Annotated[int, Between(0, None, "CF-21"), "From a 6 on a Sneaky die"] = 0
    focus: Annotated[int, Between(0, None, "CF-21"), "From a 6 on a Thriving die"] = 0
    foresight: Annotated[int, Between(0, None, "CF-21"), "From a 6 on an Expertise die"] = 0
    initiative: Annotated[int, Between(0, None, "CF-21"), "From a 6 on a Daring die"] = 0
    rumor: Annotated[int, Between(0, None, "CF-21"), "From a 6 on a Compelling die"] = 0


@dataclass(frozen=True, slots=True)
class Member:
    """A crew member (CF-04)."""

    ASKED_FIRST: ClassVar = ("name", "about", "player", "equipment", "skills")
    IN_PLAY: ClassVar = ("tokens",)

    name: Annotated[str, "Name"] = ""
    player: Annotated[str, "Player. If one of a player's characters set the Course, none of them can roll"] = ""
    about: Annotated[str, "Anything worth noting"] = ""
    dice: Annotated[tuple[DieType, ...], "Die types they may roll"] = tuple(DieType)
    equipment: Annotated[tuple[str, ...], "Equipment"] = ()
    skills: Annotated[
        Mapping[str, Annotated[int, Between(0, None, "CF-04")]], "Skills by name. A skill that isn't listed is +0"
    ] = field(default_factory=dict)
    tokens: Annotated[Tokens, "Tokens"] = Tokens()
    tracks: Annotated[Mapping[str, Track], "Destiny Tracks"] = field(default_factory=dict)
    matrices: Annotated[Mapping[str, Matrix], "Damage Matrices"] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Ship:
    """A ship (CF-04)."""

    ASKED_FIRST: ClassVar = ("name", "about")

    name: Annotated[str, "The ship's name"] = ""
    about: Annotated[str, "Anything worth noting about the ship"] = ""
    tracks: Annotated[Mapping[str, Track], "Destiny Tracks"] = field(default_factory=dict)
    matrices: Annotated[Mapping[str, Matrix], "Damage Matrices"] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A campaign of Course and Flow."""

    course: Annotated[Course, "The die on the table"] = Course()
    flows: Annotated[Mapping[str, Flow], "The Flows, each under a short name"] = field(default_factory=dict)
    ships: Annotated[Mapping[str, Ship], "The ships, each under a short name"] = field(default_factory=dict)
    crew: Annotated[Mapping[str, Member], "The crew, each under a short name"] = field(default_factory=dict)


def first_sheet() -> Sheet:
    """Return the sheet of a new campaign: a ship and a crew member to rename, and no Course yet (CF-02)."""
    ship = Ship("The ship", matrices={"hull": Matrix("Hull", 2, 4)}, tracks={"luck": Track("The ship's luck", 4)})
    crew = {
        "mara": Member(
            "Mara", skills={"Piloting": 2}, tracks={"past": Track("The past", 4)}, matrices={"body": Matrix("Body")}
        ),
        "joss": Member("Joss", skills={"Repairs": 2}),
        "imre": Member("Imre", skills={"Persuasion": 2}),
    }
    return Sheet(ships={"ship": ship}, crew=crew)


@dataclass(frozen=True, slots=True)
class HouseRules(CommonHouseRules):
    """The house rules of Course and Flow."""

    thresholds: Annotated[
        Literal["four", "any"], "Thresholds of rolls: the four of the rules (7, 10, 13, 16), or any number"
    ] = "four"
    wayfinder_course: Annotated[
        Literal["any-time", "first-only"], "When the wayfinder may set a Course: any-time, or first-only"
    ] = "any-time"
    not_yet_without_flow: Annotated[
        Literal["new-flow", "nothing"], "“Not yet” without a Flow in the roll: a new-flow at 1, or nothing"
    ] = "new-flow"
    daring_lasts: Annotated[
        Literal["next-course", "this-roll"],
        "How long a high Daring protects: next-course (until the Course after it is replaced), or this-roll",
    ] = "next-course"
    harm_and_notice: Annotated[
        Literal["asked", "told"], "Harm and notice: the wayfinder is asked, or they are only noted in the log"
    ] = "asked"
    free_answers: Annotated[
        Literal["raise-flow", "answer-only"],
        "Effect of an answer without a token: raise-flow, as with a token, or answer-only",
    ] = "raise-flow"
    best_election: Annotated[
        Literal["intent", "fewest-ties"],
        "The election that the odds assume: the intent first, or fewest-ties (for one roll, both give the same odds)",
    ] = "intent"
