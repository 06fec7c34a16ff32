"""Panels: the sheet as labels and values, so that a screen can draw it without knowing a rule."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar

from waylog.rules.dice import Face
from waylog.values import dataclass


class Tone(StrEnum):
    """How good or bad a value is. It is shown by a sign and a word as well as by colour."""

    PLAIN = "plain"
    GOOD = "good"
    WARN = "warn"
    BAD = "bad"
    DIM = "dim"


@dataclass(frozen=True, slots=True)
class Tag:
    """A short word for a state: `Exposed`, `Down and Out`, `downtime`."""

    text: str
    tone: Tone = Tone.PLAIN


@dataclass(frozen=True, slots=True)
class DiceRow:
    """A row with the dice of one system, `count` of them."""

    TAG = "dice"
    PACKED: ClassVar = ("label", "count", "note")

    key: str
    label: str
    count: int
    note: str = ""


@dataclass(frozen=True, slots=True)
class PipsRow:
    """A row with a number, `value` of `top`. `value` may be higher than `top`."""

    TAG = "pips"
    PACKED: ClassVar = ("label", "value", "top", "note")

    key: str
    label: str
    value: int
    top: int
    note: str = ""


FULL = "full"
"""The state of a thing that is full, such as a row of fallout with its condition. Nothing is lost."""


@dataclass(frozen=True, slots=True)
class MarkRow:
    """A row with a thing that is there or not: a token held or lost, a system working or lost, a module whole or
    destroyed.
    """

    TAG = "mark"
    PACKED: ClassVar = ("label", "held", "state", "note")

    key: str
    label: str
    held: bool
    state: str
    """The word for its state: `held`, `lost`, `destroyed`, `empty`."""
    note: str = ""


@dataclass(frozen=True, slots=True)
class TextRow:
    """A row with a label and a text."""

    TAG = "text"
    PACKED: ClassVar = ("label", "text", "tone")

    key: str
    label: str
    text: str
    tone: Tone = Tone.PLAIN
    secret: bool = False
    """Never shown to players."""


@dataclass(frozen=True, slots=True)
class FacesRow:
    """A row with rolled dice that are played like cards."""

    TAG = "faces"
    PACKED: ClassVar = ("label", "dice", "note")

    key: str
    label: str
    dice: tuple[Face, ...]
    """The dice. The source of each is a remark, such as `kept`, or empty."""
    note: str = ""


Row = DiceRow | PipsRow | MarkRow | TextRow | FacesRow


@dataclass(frozen=True, slots=True)
class Panel:
    """A titled group of rows. `place` is its tab: `ship`, `crew`, or `scene`, which exists only while something is
    open.
    """

    PACKED: ClassVar = ("place", "title", "tags", "rows")

    key: str
    place: str
    title: str
    rows: tuple[Row, ...]
    tags: tuple[Tag, ...] = ()
    secret: bool = False
    """Never shown to players."""
    beside: bool = False
    """Drawn beside the panel before it if the window is wide enough. Only for the tab `scene`."""
