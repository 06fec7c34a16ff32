"""Panels: the sheet as labels and values, so that a screen can draw it without knowing a rule."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from waylog.rules.model.clocks_situations_and_timers import Clock
from waylog.rules.model.dice import Face
from waylog.values import dataclass


class Tone(StrEnum):
    """A judgement of a value, from good to bad. It is shown by a sign and a word as well as by colour."""

    PLAIN = "plain"
    GOOD = "good"
    WARN = "warn"
    BAD = "bad"
    DIM = "dim"


class Rank(StrEnum):
    """The importance of a row. Where room is short, the lower ranks go first."""

    VITAL = "vital"
    """The state of a person or thing. It is shown as long as anything of the panel is."""
    PLAIN = "plain"
    ABOUT = "about"
    """A description."""


@dataclass(frozen=True, slots=True)
class Tag:
    """A short word for a state: `Exposed`, `Down and Out`, `downtime`."""

    text: str
    tone: Tone = Tone.PLAIN
    why: str = ""
    """The reason, if a few words can say it; otherwise empty. It stands behind the word if there is room."""


@dataclass(frozen=True, slots=True)
class DiceRow:
    """A row with the dice of one system, `count` of them."""

    TAG = "dice"
    PACKED: ClassVar = ("label", "count", "note", "about", "rank")

    key: str
    label: str
    count: int
    note: str = ""
    about: str = ""
    """A description for people who don't know it yet. It is the first to go where room is short."""
    rank: Rank = Rank.PLAIN


@dataclass(frozen=True, slots=True)
class PipsRow:
    """A row with a number, `value` of `top`. `value` may be higher than `top`."""

    TAG = "pips"
    PACKED: ClassVar = ("label", "value", "top", "note", "about", "rank")

    key: str
    label: str
    value: int
    top: int
    note: str = ""
    about: str = ""
    """A description for people who don't know it yet. It is the first to go where room is short."""
    rank: Rank = Rank.PLAIN
    beyond: str = ""
    """The command that begins what one more than `top` is, such as a condition: `fallout mara social 1`."""


FULL = "full"
"""The state of a thing that is full, such as a row of fallout with its condition. Nothing is lost."""


@dataclass(frozen=True, slots=True)
class MarkRow:
    """A row with a thing that is there or not: a token held or lost, a system working or lost, a module whole or
    destroyed.
    """

    TAG = "mark"
    PACKED: ClassVar = ("label", "held", "state", "note", "about", "rank")

    key: str
    label: str
    held: bool
    state: str
    """The word for its state: `held`, `lost`, `destroyed`, `empty`."""
    note: str = ""
    about: str = ""
    """A description for people who don't know it yet. It is the first to go where room is short."""
    rank: Rank = Rank.PLAIN
    switch: str = ""
    """The value of the sheet that is true while the thing is there, where a person may set it; no act of the game does."""


@dataclass(frozen=True, slots=True)
class TextRow:
    """A row with a label and a text."""

    TAG = "text"
    PACKED: ClassVar = ("label", "text", "tone", "rank")

    key: str
    label: str
    text: str
    tone: Tone = Tone.PLAIN
    secret: bool = False
    """Never shown to players."""
    note: ClassVar[str] = ""
    about: ClassVar[str] = ""
    rank: Rank = Rank.PLAIN
    switch: str = ""
    """For what is true or false: the value of the sheet and what it is set to, to turn it over."""


@dataclass(frozen=True, slots=True)
class FacesRow:
    """A row with rolled dice that are played like cards."""

    TAG = "faces"
    PACKED: ClassVar = ("label", "dice", "note", "rank")

    key: str
    label: str
    dice: tuple[Face, ...]
    """The dice. The source of each is a remark, such as `kept`, or empty."""
    note: str = ""
    about: ClassVar[str] = ""
    rank: Rank = Rank.VITAL


@dataclass(frozen=True, slots=True)
class ClockRow:
    """A clock. Games have none in their panels: what shows panels puts clocks beside them."""

    TAG = "clock"
    PACKED: ClassVar = ("label", "clock")

    key: str
    label: str
    clock: Clock
    moved: bool = False
    """The latest act has moved it."""
    note: ClassVar[str] = ""
    about: ClassVar[str] = ""
    rank: Rank = Rank.VITAL


Row = DiceRow | PipsRow | MarkRow | TextRow | FacesRow | ClockRow


@dataclass(frozen=True, slots=True)
class Panel:
    """A titled group of rows. `place` is its tab: `ship`, `crew`, or `scene`, which exists only while something is
    open.
    """

    PACKED: ClassVar = ("place", "title", "tags", "rows", "beside", "role", "next", "absent")

    key: str
    place: str
    title: str
    rows: tuple[Row, ...]
    tags: tuple[Tag, ...] = ()
    secret: bool = False
    """Never shown to players."""
    beside: bool = False
    """Drawn beside the panel before it if the window is wide enough. Only for the tab `scene`."""
    role: str = ""
    """Of a person: what they do, in a word or two. Shown beside the name."""
    next: bool = False
    """Of a person: it is their turn."""
    absent: bool = False
    """Of a person: their player is not at the table (NM-46). Views grey it out."""
