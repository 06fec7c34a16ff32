"""What can be open at the table. Each stage is a value that can be saved, and the last one of a scene is what is asked."""

from __future__ import annotations

from typing import Literal

from waylog.rules.kit import StageStack
from waylog.rules.systems.course_flow.sheet import DieType
from waylog.values import dataclass

Threshold = Literal[7, 10, 13, 16]


@dataclass(frozen=True, slots=True)
class RollSetup:
    """What the wayfinder has settled about a roll (CF-10), and the dice that were picked for it (CF-11)."""

    who: str = ""
    skill: str = ""
    """A skill by name; empty for one that they lack and nobody has named."""
    flow: str = ""
    """The key of the Flow that applies; empty for none."""
    threshold: Threshold = 10
    dangerous: bool = False
    watched: bool = False
    """Someone could notice."""
    dice: tuple[DieType, ...] = ()


@dataclass(frozen=True, slots=True)
class Called:
    """A roll is settled and its dice are not picked yet (CF-10, CF-11)."""

    TAG = "called"

    roll: RollSetup = RollSetup()


@dataclass(frozen=True, slots=True)
class ElectionChoice:
    """Two dice lie beside the Course, and one of them has to be elected (CF-13)."""

    TAG = "thrown"

    roll: RollSetup = RollSetup()
    faces: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Offered:
    """A win is there to be taken, or not (CF-18, CF-20)."""

    TAG = "offered"

    roll: RollSetup = RollSetup()
    total: int = 0
    kept: bool = False
    """Expertise is high: the Flow is not lost (CF-15)."""
    offer: str = ""
    """The win in the wayfinder's words."""


@dataclass(frozen=True, slots=True)
class Unnamed:
    """A new Flow at 1 has no name yet (CF-17)."""

    TAG = "unnamed"

    who: str = ""


@dataclass(frozen=True, slots=True)
class Lesson:
    """A tie on that face has taught a skill that was not named (CF-14)."""

    TAG = "lesson"

    who: str = ""
    face: int = 1


@dataclass(frozen=True, slots=True)
class SlotRecovery:
    """Thriving is high: one slot may be recovered (CF-15)."""

    TAG = "recovery"

    who: str = ""


@dataclass(frozen=True, slots=True)
class Harm:
    """A dangerous roll does its harm (CF-22)."""

    TAG = "harm"

    who: str = ""


@dataclass(frozen=True, slots=True)
class Notice:
    """A roll that could be noticed is noticed (CF-22)."""

    TAG = "notice"

    who: str = ""


@dataclass(frozen=True, slots=True)
class Closing:
    """The die that was set aside becomes the Course once nothing else is open (CF-23)."""

    TAG = "closing"

    who: str = ""
    die: DieType = DieType.COMPELLING
    face: int = 1
    safe: bool = False
    """Daring was high."""


@dataclass(frozen=True, slots=True)
class Asking:
    """A vital question waits for its answer (CF-30, CF-31)."""

    TAG = "asking"

    who: str = ""
    question: str = ""
    """Its word: `clue-2`."""
    spent: bool = False
    """A token was spent on it, and compels the answer."""


Stage = Called | ElectionChoice | Offered | Unnamed | Lesson | SlotRecovery | Harm | Notice | Closing | Asking


@dataclass(frozen=True, slots=True)
class OpenStages(StageStack):
    """The stages that are open. The last one comes first."""

    TAG = "scene"

    stages: tuple[Stage, ...] = ()
