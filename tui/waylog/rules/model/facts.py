"""Facts: what happened in a move, in order, as data. Sentences are made from them when they are shown.

A move returns them with the position that it leads to (`position.Turn`).
"""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum
from typing import Annotated, ClassVar

from waylog.rules.codec.base_and_limits import InWords, TagKey
from waylog.rules.model.dice import Face
from waylog.values import dataclass

SeenBy = Annotated[tuple[str, ...], "Short names of the players who see it. Empty: all players"]
"""The type of a field with the keys of the only players who see a thing."""


class OutcomeGrade(StrEnum):
    """The four grades that every game maps its outcomes to, for clocks, tables and colours."""

    FIASCO = "fiasco"
    DRAWBACK = "drawback"
    SUCCESS = "success"
    CRITICAL = "critical"


@dataclass(frozen=True, slots=True)
class RollFact:
    """Dice were rolled. `what` says for whom or what: `NAV`, `Lars`, `damage to the ship`."""

    TAG = "rolled"
    KEYS: ClassVar = {
        "what": "what",
        "dice": "dice",
        "source": "typed",
        "secret": "secret",
        "about": "about",
        "deed": "deed",
        "total": "total",
        "seen_by": "seen_by",
    }
    PACKED: ClassVar = ("what", "dice", "typed", "deed", "seen_by")

    what: str
    dice: tuple[Face, ...]
    typed: Annotated[bool, InWords("app", "typed")]
    secret: bool = False
    """Never shown to players."""
    about: tuple[str, ...] = ()
    """The paths of the things that it tells of. Players see the fact only while they see all of these."""
    deed: str = ""
    """The deed that the dice are for, as a sentence: `Tenacity rolls NAV`. Empty where a note says it, or `what` is all there is."""
    total: int | None = None
    """The total of free dice; None where the rules read the dice."""
    seen_by: tuple[str, ...] = ()
    """The keys of the players who alone see it; empty if all of them do. Nobody sees a secret one."""


@dataclass(frozen=True, slots=True)
class OutcomeFact:
    """A roll has an outcome. `mood` is None if the game maps it to no grade."""

    TAG = "result"

    outcome: str
    label: str
    mood: OutcomeGrade | None
    who: str = ""
    aside: bool = False
    """It is the outcome of a roll within another act, such as a defence: no clock moves with it."""
    secret: bool = False
    """Never shown to players."""


class NotePart(StrEnum):
    """The part that a note has in the account of an act. The log saves the values."""

    RESULT = "result"
    """Something that came of the act."""
    DEED = "deed"
    """The deed itself, of which the other notes tell the consequences."""
    DETAIL = "detail"
    """A step of the rules: the reason for a Desperate roll, a price that was paid, a die that was raised."""
    SUMMARY = "summary"
    """The outcomes that the act has already told, once more: for outputs that tell each fact by itself."""


@dataclass(frozen=True, slots=True)
class ClockStep:
    """A clock that moved, as it was called then; without segments, none did."""

    name: str = ""
    before: int = 0
    after: int = 0
    segments: int = 0
    why: str = ""
    """Why it moved, if the person said so."""

    @property
    def cause(self) -> str:
        """Why it moved, as the end of a sentence."""
        return f", because {self.why}" if self.why else ""


@dataclass(frozen=True, slots=True)
class NoteFact:
    """A consequence, as one short sentence, with its clause."""

    TAG = "note"
    PACKED: ClassVar = ("text", "clause", "part", "seen_by")

    text: str
    clause: str | None = None
    secret: bool = False
    """Never shown to players."""
    about: tuple[str, ...] = ()
    """Paths in the campaign that the fact is about (`clocks.storm.filled`, `tables.door.4`). Players see the fact only
    if they see all of these.
    """
    quote: str | None = None
    """The part of `text` that is what came up: the text of the card that was drawn, of the table's entry with its dice rolled,
    or the title of the scene that begins. None in any other note."""
    part: NotePart = NotePart.RESULT
    step: ClockStep = ClockStep()
    """The clock that moved, in a note that says so."""
    dice: tuple[Face, ...] = ()
    """All dice of the roll as they are from now on, in a note that says that some were changed."""
    seen_by: tuple[str, ...] = ()
    """The keys of the players who alone see it, as in `RollFact`."""


Fact = RollFact | OutcomeFact | NoteFact
FactOnFile = Annotated[Fact, TagKey("kind")]
"""A fact in the log."""


def quotes_name(fact: Fact, names: Collection[str]) -> bool:
    """Whether a note contains one of these names in quotation marks. Facts of 0.1 have no other sign of what they are
    about.
    """
    return isinstance(fact, NoteFact) and any(f"“{name}”" in fact.text for name in names)
