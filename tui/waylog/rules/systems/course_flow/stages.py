"""The stages of Course and Flow: what may be open between two acts. Each is saved in the log under its `TAG`.

Stages form a stack (`OpenStages`). The last one asks first.
"""

from __future__ import annotations

from waylog.rules.kit import StageStack
from waylog.rules.systems.course_flow.sheet import DieType
from waylog.values import dataclass


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
    """What the player wants to come of it, in words; may be empty (CF-32)."""
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
