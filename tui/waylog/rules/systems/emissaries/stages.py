"""The stages of the Emissaries: a conflict, or the making of an emissary. Each is saved in the log under its `TAG`; one
is open at most.
"""

from __future__ import annotations

from enum import StrEnum

from waylog.rules.systems.emissaries.sheet import Stat
from waylog.values import dataclass


class Approach(StrEnum):
    """The approaches of a participant (EG-11)."""

    TALK = "unopposed-neutral"
    ARGUE = "opposed-neutral"
    EXERT = "unopposed-physical"
    FIGHT = "opposed-physical"


class Side(StrEnum):
    """The two sides of a conflict (EG-10)."""

    OURS = "ours"
    THEIRS = "theirs"


class Phase(StrEnum):
    """The phases of a conflict."""

    GATHER = "gather"
    """Participants enter, until somebody starts the exchange."""
    FIRST = "first"
    """The best dice are equal: the wayfinder chooses who goes first (EG-13)."""
    RAISE = "raise"
    SEE = "see"
    FALLOUT = "fallout"
    """The one who took the blow chooses where the fallout goes (EG-21)."""
    CONDITION = "condition"
    """The wayfinder names the condition (EG-31)."""


class Did(StrEnum):
    """The kinds of lines in the exchange."""

    ENTERS = "enters"
    RAISES = "raises"
    REVERSES = "reverses"
    BLOCKS = "blocks"
    TAKES = "takes the blow"
    FALLOUT = "fallout"
    RESISTS = "resists"
    ESCALATES = "escalates"
    GIVES = "gives"


@dataclass(frozen=True, slots=True)
class Lying:
    """An open die, as it was rolled (EG-12)."""

    source: str = ""
    """Its label."""
    sides: int = 6
    face: int = 1
    kept: bool = False
    """It reversed a blow, and must be one of the two dice of the next raise (EG-16)."""
    thing: str = ""
    """The thing that brought it into play: `relationships/joss`; empty for a stat, and for dice of every approach."""


@dataclass(frozen=True, slots=True)
class Participant:
    """Somebody or something in a conflict (EG-10)."""

    word: str = ""
    """The word to type for them, which identifies them in the conflict."""
    who: str = ""
    """`crew/mara`, `npcs/thoss`; empty for an obstacle."""
    name: str = ""
    side: Side = Side.OURS
    approach: str = ""
    """An `Approach`; empty for an obstacle."""
    rating: str = ""
    """The dice of an obstacle."""
    entered: bool = False
    """Their dice have been rolled."""
    pool: tuple[Lying, ...] = ()
    stats: tuple[Stat, ...] = ()
    """Stats in play. Each is rolled once in a conflict (EG-19)."""
    brought: tuple[str, ...] = ()
    """Other things in play: `traits/pilot`, `assets/kestrel/Engines`."""
    gave: bool = False


@dataclass(frozen=True, slots=True)
class ExchangeLine:
    """One line of the exchange (EG-24)."""

    who: str = ""
    did: Did = Did.RAISES
    faces: tuple[int, ...] = ()
    """The dice put forward, or rolled."""
    said: str = ""


@dataclass(frozen=True, slots=True)
class ConflictStage:
    """A conflict in progress."""

    TAG = "conflict"

    stakes: str = ""
    """What our side gets by winning, or all that is at stake."""
    phase: Phase = Phase.GATHER
    people: tuple[Participant, ...] = ()
    order: tuple[str, ...] = ()
    """The words of the participants in the order of turns."""
    turn: str = ""
    """The word of the raiser."""
    raised: tuple[Lying, ...] = ()
    """The dice of the current raise."""
    waiting: tuple[str, ...] = ()
    """The words of those who have still to see it (EG-17)."""
    tied: tuple[str, ...] = ()
    """The words of those who could go first (EG-13)."""
    taker: str = ""
    """The word of the one who takes the blow."""
    fallout: int = 0
    """Fallout that is due (EG-20)."""
    marks: str = ""
    """The row that needs a condition: `crew/mara/physical/1`."""
    clears: str = ""
    """The row whose condition is fought, in the same form (EG-37)."""
    exchange: tuple[ExchangeLine, ...] = ()
    loss: str = ""
    """What happens if our side loses; empty if the stakes are one text (EG-53)."""


@dataclass(frozen=True, slots=True)
class Making:
    """The making of an emissary in progress (EG-07)."""

    TAG = "making"

    who: str = ""
    """Their key."""
    kept: bool = False
    """The remaining relationship dice are kept for play (EG-04)."""
    enough: bool = False
    """There are enough objects (EG-05)."""


@dataclass(frozen=True, slots=True)
class Aftermath:
    """The time after a conflict: what may follow is offered until something else is done (EG-36, EG-38, EG-44)."""

    TAG = "aftermath"


Scene = ConflictStage | Making | Aftermath
