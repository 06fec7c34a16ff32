"""What the ship and crew screens draw: values with a label, so that a screen needs no rule to show a sheet."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from waylog.rules.common.clocks import Clock
from waylog.rules.dice import Face
from waylog.values import dataclass


class Tone(StrEnum):
    """How a thing stands. Shown by sign and word as well as by colour."""

    PLAIN = "plain"
    GOOD = "good"
    WARN = "warn"
    BAD = "bad"
    DIM = "dim"


class Rank(StrEnum):
    """What a row is for. Where room is short, the lower ranks go first."""

    VITAL = "vital"
    """How somebody or something stands: shown as long as anything of the panel is."""
    PLAIN = "plain"
    ABOUT = "about"
    """A description."""


@dataclass(frozen=True, slots=True)
class Tag:
    """A short state word: `Exposed`, `Down and Out`, `downtime`."""

    text: str
    tone: Tone = Tone.PLAIN
    why: str = ""
    """What makes it so, where that can be said in a few words. Shown behind the word if there is room."""


@dataclass(frozen=True, slots=True)
class DiceRow:
    """Dice lying on a system: `count` of them."""

    TAG = "dice"
    PACKED: ClassVar = ("label", "count", "note", "about", "rank")

    key: str
    label: str
    count: int
    note: str = ""
    about: str = ""
    """What it is, for people who don't know it yet: the first to go where room is short."""
    rank: Rank = Rank.PLAIN


@dataclass(frozen=True, slots=True)
class PipsRow:
    """A counted thing, `value` of `top`. `value` may lie above `top`."""

    TAG = "pips"
    PACKED: ClassVar = ("label", "value", "top", "note", "about", "rank")

    key: str
    label: str
    value: int
    top: int
    note: str = ""
    about: str = ""
    """What it is, for people who don't know it yet: the first to go where room is short."""
    rank: Rank = Rank.PLAIN


FULL = "full"
"""The state of a place that is full to the last, as a row of fallout with its condition: nothing is lost there."""


@dataclass(frozen=True, slots=True)
class MarkRow:
    """A thing that is there or gone: a token held or lost, a system working or lost, a module whole or destroyed."""

    TAG = "mark"
    PACKED: ClassVar = ("label", "held", "state", "note", "about", "rank")

    key: str
    label: str
    held: bool
    state: str
    """The word for how it stands: `held`, `lost`, `destroyed`, `empty`."""
    note: str = ""
    about: str = ""
    """What it is, for people who don't know it yet: the first to go where room is short."""
    rank: Rank = Rank.PLAIN


@dataclass(frozen=True, slots=True)
class TextRow:
    """A label and a text."""

    TAG = "text"
    PACKED: ClassVar = ("label", "text", "tone", "rank")

    key: str
    label: str
    text: str
    tone: Tone = Tone.PLAIN
    secret: bool = False
    """Not for the players' eyes."""
    note: ClassVar[str] = ""
    about: ClassVar[str] = ""
    rank: Rank = Rank.PLAIN


@dataclass(frozen=True, slots=True)
class FacesRow:
    """Dice that have been rolled and lie open, to be played like cards."""

    TAG = "faces"
    PACKED: ClassVar = ("label", "dice", "note", "rank")

    key: str
    label: str
    dice: tuple[Face, ...]
    """Each with what is said of it as its source: nothing, or a word such as `kept`."""
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
    """A titled group of rows. `place` is the screen it belongs to: `ship`, `crew`, or `scene`, which is there while it lasts."""

    PACKED: ClassVar = ("place", "title", "tags", "rows", "role", "next")

    key: str
    place: str
    title: str
    rows: tuple[Row, ...]
    tags: tuple[Tag, ...] = ()
    secret: bool = False
    """Not for the players' eyes."""
    beside: bool = False
    """Of a scene: drawn beside the panel before it, where the window is wide enough."""
    role: str = ""
    """Of a person: what they do, in a word or two. Shown beside the name."""
    next: bool = False
    """Of a person: it is their turn."""
