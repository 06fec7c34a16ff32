"""A campaign as it stands: what its file holds, and what is open at the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import Any

from waylog.rules.clocks import Clock
from waylog.rules.decks import Deck
from waylog.rules.sessions import Session
from waylog.rules.situations import Situation
from waylog.rules.turns import Fact, Mood
from waylog.values import dataclass


@dataclass(frozen=True, slots=True)
class Waiting:
    """An act that was begun with real dice and wants more of them. Nothing of it has happened yet."""

    words: str = ""
    faces: tuple[int, ...] = ()
    wants: tuple[str, ...] = ()
    """What each die still to be typed is for."""
    whole: bool = False
    """They are typed as numbers: the act may come to dice of more than ten sides."""


@dataclass(frozen=True, slots=True)
class Offer:
    """An effect that is offered, and done by one key: of a clock that has filled, a card, an entry of a table."""

    source: str = ""
    """Whose it is: `clocks.storm`, `decks.hold.cards.mimic`, `tables.door`."""
    why: str = ""
    """What has happened, for people."""
    act: str = ""
    """The act in words."""


@dataclass(frozen=True, slots=True)
class Open:
    """What is open at the table after an act."""

    stage: Any = None
    """The system's own scene."""
    typed: bool = False
    """The act is played with real dice: later dice of it are asked for, not rolled."""
    waiting: Waiting | None = None
    on: tuple[str, ...] = ()
    """Clocks that the roll is made on and that it has not moved yet (NM-24)."""
    mood: Mood | None = None
    """How the roll came out."""
    offers: tuple[Offer, ...] = ()
    """Effects of what has just filled, been drawn or come up (NM-16, NM-25)."""
    drawn: tuple[str, ...] = ()
    """A deck and the card just drawn from it, or the two of which one is to be kept (NM-13)."""
    moved: tuple[str, ...] = ()
    """Clocks that the roll has moved: it moves each but once (NM-24)."""


@dataclass(frozen=True, slots=True)
class State:
    """One campaign: what its file holds, and what is open."""

    name: str
    rules: Any
    sheet: Any
    clocks: Mapping[str, Clock] = field(default_factory=dict)
    decks: Mapping[str, Deck] = field(default_factory=dict)
    sessions: Mapping[str, Session] = field(default_factory=dict)
    open: Open | None = None
    situations: Mapping[str, Situation] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Played:
    """What an act came to."""

    state: State
    words: str
    title: str
    """What was done, for people."""
    faces: tuple[int, ...] | None
    facts: tuple[Fact, ...]
    follows: bool
    """It belongs to the act that was open before."""
    remark: bool = False
    """It does nothing: what was open before is as open as it was."""
