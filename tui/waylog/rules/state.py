"""A campaign as it stands: what its file holds, and what is open at the table."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from typing import Any

from waylog.rules.common.clocks import Clock
from waylog.rules.common.decks import Deck
from waylog.rules.common.sessions import Session
from waylog.rules.common.situations import Situation
from waylog.rules.facts import Fact, OutcomeGrade
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
class EffectOffer:
    """An effect that is offered, and done by one key: of a clock that has filled, a card, an entry of a table."""

    source: str = ""
    """Whose it is: `clocks.storm`, `decks.hold.cards.mimic`, `tables.door`."""
    why: str = ""
    """What has happened, for people."""
    act: str = ""
    """The act in words."""


@dataclass(frozen=True, slots=True)
class OpenScene:
    """What is open at the table after an act."""

    stage: Any = None
    """The system's own scene."""
    typed: bool = False
    """The act is played with real dice: later dice of it are asked for, not rolled."""
    waiting: Waiting | None = None
    on: tuple[str, ...] = ()
    """Clocks that the roll is made on and that it has not moved yet (NM-24)."""
    mood: OutcomeGrade | None = None
    """How the roll came out."""
    offers: tuple[EffectOffer, ...] = ()
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
    open: OpenScene | None = None
    situations: Mapping[str, Situation] = field(default_factory=dict)
    rulings: Mapping[str, str] = field(default_factory=dict)
    """What the wayfinder has ruled, by the id of the clause."""


class EntryKind(StrEnum):
    """What an entry of the log is, for whatever depends on it. The values are written to the log and never change."""

    PLAY = "play"
    """Any other act of the game. The log leaves it out, as most entries are of this kind."""
    CARD = "card"
    """An answer to a draw: which card is kept, or whether the card goes back."""
    EFFECT = "effect"
    """An effect that was on offer."""
    SET = "set"
    """A value that the wayfinder has set in a line of words."""
    NOTE = "note"
    SECRET = "secret"
    """A note for the wayfinder alone."""
    SCENE = "scene"
    """A scene begins."""
    SESSION_BEGINS = "session begins"
    SESSION_ENDS = "session ends"
    SESSION = "session"
    """Something is said of a session: its title, who is there."""
    UNDO = "undo"
    REDO = "redo"
    REWIND = "rewind"
    """An undo of all that was played since the scene began."""
    BY_HAND = "by hand"
    """An edit of the campaign file."""
    AGAINST_PLAY = "by hand against play"
    """An edit of a value that play had changed too: a conflict until somebody settles it."""
    KEEP = "keep"
    """The wayfinder has settled a conflict: the file is right."""
    RESTORE = "restore"
    """An earlier version of the campaign file is put back."""

    @property
    def is_remark(self) -> bool:
        """It does nothing but stand in the log."""
        return self in (EntryKind.NOTE, EntryKind.SECRET, EntryKind.SCENE)

    @property
    def is_session(self) -> bool:
        """It begins or ends a session, or says something of one."""
        return self in (EntryKind.SESSION, EntryKind.SESSION_BEGINS, EntryKind.SESSION_ENDS)

    @property
    def is_edit(self) -> bool:
        """Somebody has edited the campaign file."""
        return self in (EntryKind.BY_HAND, EntryKind.AGAINST_PLAY)


@dataclass(frozen=True, slots=True)
class PlayResult:
    """What an act came to."""

    state: State
    words: str
    title: str
    """What was done, for people."""
    faces: tuple[int, ...] | None
    facts: tuple[Fact, ...]
    follows: bool
    """It belongs to the act that was open before."""
    kind: EntryKind = EntryKind.PLAY
