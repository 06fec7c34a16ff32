"""What the ship and crew screens draw: values with a label, so that a screen needs no rule to show a sheet."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from waylog.rules.dice import Face
from waylog.values import dataclass


class Tone(StrEnum):
    """How a thing stands. Shown by sign and word as well as by colour."""

    PLAIN = "plain"
    GOOD = "good"
    WARN = "warn"
    BAD = "bad"
    DIM = "dim"


@dataclass(frozen=True, slots=True)
class Tag:
    """A short state word: `Exposed`, `Down and Out`, `downtime`."""

    text: str
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True, slots=True)
class DiceRow:
    """Dice lying on a system: `count` of them."""

    TAG = "dice"
    PACKED: ClassVar = ("label", "count", "note")

    key: str
    label: str
    count: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class PipsRow:
    """A counted thing, `value` of `top`. `value` may lie above `top`."""

    TAG = "pips"
    PACKED: ClassVar = ("label", "value", "top", "note")

    key: str
    label: str
    value: int
    top: int
    note: str = ""


FULL = "full"
"""The state of a place that is full to the last, as a row of fallout with its condition: nothing is lost there."""


@dataclass(frozen=True, slots=True)
class MarkRow:
    """A thing that is there or gone: a token held or lost, a system working or lost, a module whole or destroyed."""

    TAG = "mark"
    PACKED: ClassVar = ("label", "held", "state", "note")

    key: str
    label: str
    held: bool
    state: str
    """The word for how it stands: `held`, `lost`, `destroyed`, `empty`."""
    note: str = ""


@dataclass(frozen=True, slots=True)
class TextRow:
    """A label and a text."""

    TAG = "text"
    PACKED: ClassVar = ("label", "text", "tone")

    key: str
    label: str
    text: str
    tone: Tone = Tone.PLAIN
    secret: bool = False
    """Not for the players' eyes."""


@dataclass(frozen=True, slots=True)
class FacesRow:
    """Dice that have been rolled and lie open, to be played like cards."""

    TAG = "faces"
    PACKED: ClassVar = ("label", "dice", "note")

    key: str
    label: str
    dice: tuple[Face, ...]
    """Each with what is said of it as its source: nothing, or a word such as `kept`."""
    note: str = ""


Row = DiceRow | PipsRow | MarkRow | TextRow | FacesRow


@dataclass(frozen=True, slots=True)
class Panel:
    """A titled group of rows. `place` is the screen it belongs to: `ship`, `crew`, or `scene`, which is there while it lasts."""

    PACKED: ClassVar = ("place", "title", "tags", "rows")

    key: str
    place: str
    title: str
    rows: tuple[Row, ...]
    tags: tuple[Tag, ...] = ()
    secret: bool = False
    """Not for the players' eyes."""
    beside: bool = False
    """Of a scene: drawn beside the panel before it, where the window is wide enough."""
