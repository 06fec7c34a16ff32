"""What can be open at the table: a conflict, or the making of an emissary. Each is a value that can be saved."""

from __future__ import annotations

from enum import StrEnum

from waylog.rules.systems.emissaries.sheet import Stat
from waylog.values import dataclass


class Approach(StrEnum):
    """How a participant goes about it (EG-11)."""

    TALK = "unopposed-neutral"
    ARGUE = "opposed-neutral"
    EXERT = "unopposed-physical"
    FIGHT = "opposed-physical"


class Side(StrEnum):
    """The two sides of a conflict (EG-10)."""

    OURS = "ours"
    THEIRS = "theirs"


class Phase(StrEnum):
    """What a conflict waits for."""

    GATHER = "gather"
    """Participants come in, until somebody begins."""
    FIRST = "first"
    """The best dice are equal: the wayfinder says who goes first (EG-13)."""
    RAISE = "raise"
    SEE = "see"
    FALLOUT = "fallout"
    """Who took the blow says where it goes (EG-21)."""
    CONDITION = "condition"
    """The wayfinder says what came of it (EG-31)."""


class Did(StrEnum):
    """What a line of the exchange tells of."""

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
    """A die that lies open on the table as it was rolled (EG-12)."""

    source: str = ""
    """What it was rolled for."""
    sides: int = 6
    face: int = 1
    kept: bool = False
    """It reversed a blow, and is one of the two dice of the next raise (EG-16)."""
    thing: str = ""
    """What brought it into play: `relationships/joss`; empty for a stat, and for dice that go with no approach."""


@dataclass(frozen=True, slots=True)
class Participant:
    """Somebody or something in a conflict (EG-10)."""

    word: str = ""
    """What is typed for them, and their identity in the conflict."""
    who: str = ""
    """`crew/mara`, `npcs/thoss`; empty for an obstacle."""
    name: str = ""
    side: Side = Side.OURS
    approach: str = ""
    """An `Approach`; empty for an obstacle."""
    rating: str = ""
    """An obstacle's dice."""
    entered: bool = False
    """Their dice have been rolled."""
    pool: tuple[Lying, ...] = ()
    stats: tuple[Stat, ...] = ()
    """Stats that have come into play, each rolled once in a conflict (EG-19)."""
    brought: tuple[str, ...] = ()
    """What else has: `traits/pilot`, `assets/kestrel/Engines`."""
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
    """A conflict under way."""

    TAG = "conflict"

    stakes: str = ""
    phase: Phase = Phase.GATHER
    people: tuple[Participant, ...] = ()
    order: tuple[str, ...] = ()
    """Whose turn comes after whose, by word."""
    turn: str = ""
    """Who raises, or has raised."""
    raised: tuple[Lying, ...] = ()
    """The raise in the middle."""
    waiting: tuple[str, ...] = ()
    """Who still has to see it (EG-17)."""
    tied: tuple[str, ...] = ()
    """Who could go first (EG-13)."""
    taker: str = ""
    """Who took the blow."""
    fallout: int = 0
    """Fallout that is due (EG-20)."""
    marks: str = ""
    """The row that a condition is to be written into: `crew/mara/physical/1`."""
    clears: str = ""
    """The row whose condition is fought, in the same form (EG-37)."""
    exchange: tuple[ExchangeLine, ...] = ()


@dataclass(frozen=True, slots=True)
class Making:
    """The walk through making an emissary (EG-07)."""

    TAG = "making"

    who: str = ""
    """Their key."""
    kept: bool = False
    """What is left of the relationship dice is kept back (EG-04)."""
    enough: bool = False
    """There are enough objects (EG-05)."""


@dataclass(frozen=True, slots=True)
class Aftermath:
    """A conflict is over: what may come after it is offered until something else is done (EG-36, EG-38, EG-44)."""

    TAG = "aftermath"


Scene = ConflictStage | Making | Aftermath
