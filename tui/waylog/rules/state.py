"""The state of a campaign: what its file holds, and what is open between two acts."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Any

from waylog.rules.common.clocks import Clock
from waylog.rules.common.decks import Deck
from waylog.rules.common.people import Player
from waylog.rules.common.sessions import Session
from waylog.rules.common.situations import Situation
from waylog.rules.common.timers import Timer
from waylog.rules.facts import Fact, OutcomeGrade
from waylog.values import dataclass, field


@dataclass(frozen=True, slots=True)
class Waiting:
    """An act with real dice that needs more of them. None of it has happened yet."""

    words: str = ""
    faces: tuple[int, ...] = ()
    wants: tuple[str, ...] = ()
    """The label of each die that is still to be typed."""
    whole: bool = False
    """They are typed as numbers, because the act may roll dice with more than ten sides."""


ACT = "act."
"""How the source of an offer begins if it is not a place in the campaign file."""


@dataclass(frozen=True, slots=True)
class EffectOffer:
    """An effect that is offered: of a full clock, a drawn card, or a table entry that came up. One key applies it."""

    source: str = ""
    """The path of its source: `clocks.storm`, `decks.hold.cards.mimic`, `tables.door`. For an act by nobody: `act.NAME`."""
    why: str = ""
    """What has happened, in words for people."""
    act: str = ""
    """The effect, as a command."""
    instead: bool = False
    """It takes the place of what its source has brought: once it is applied, the other offers of that source are gone."""


@dataclass(frozen=True, slots=True)
class OpenScene:
    """Everything that is open after an act."""

    stage: Any = None
    """The game's own stages."""
    typed: bool = False
    """The act is played with real dice: Waylog asks for later dice instead of rolling them."""
    waiting: Waiting | None = None
    on: tuple[str, ...] = ()
    """The clocks that the roll is made on and that it hasn't moved yet (NM-24)."""
    mood: OutcomeGrade | None = None
    """The grade of the roll's outcome."""
    offers: tuple[EffectOffer, ...] = ()
    """The effects of what has just filled, been drawn or come up (NM-16, NM-25)."""
    drawn: tuple[str, ...] = ()
    """A deck and the card just drawn from it; or the deck and two cards, one of which is to be kept (NM-13)."""
    moved: tuple[str, ...] = ()
    """The clocks that the roll has moved. It moves each clock only once (NM-24)."""


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
    dice: Mapping[str, str] = field(default_factory=dict)
    """Saved dice in notation, by name."""
    players: Mapping[str, Player] = field(default_factory=dict)
    """The people of the table, by key (NM-44)."""
    timers: Mapping[str, Timer] = field(default_factory=dict)
    """Countdowns of real time, by key (NM-47)."""
    overruled: Mapping[str, int] = field(default_factory=dict)
    """Numbers that the wayfinder has set against a rule's range, by their paths: `ship.core`, `crew.mara.focus`."""


class EntryKind(StrEnum):
    """The kind of a log entry. The values are written to the log and never change."""

    PLAY = "play"
    """Any other act of the game. The log leaves this kind out, as most entries have it."""
    CARD = "card"
    """A choice after a draw: which card is kept, or whether the card goes back."""
    EFFECT = "effect"
    """An offered effect that was applied."""
    SET = "set"
    """A value that the wayfinder set with a command."""
    NOTE = "note"
    SECRET = "secret"
    """A secret note."""
    SCENE = "scene"
    """The start of a scene: its scene marker."""
    SESSION_BEGINS = "session begins"
    SESSION_ENDS = "session ends"
    SESSION = "session"
    """A session's title, or who is present."""
    UNDO = "undo"
    REDO = "redo"
    REWIND = "rewind"
    """An undo of everything since the scene marker."""
    BY_HAND = "by hand"
    """An edit of the campaign file."""
    AGAINST_PLAY = "by hand against play"
    """An edit of a value that play had changed too: an edit conflict until somebody settles it."""
    KEEP = "keep"
    """A settled edit conflict: the file's value is kept."""
    RESTORE = "restore"
    """A restored earlier version of the campaign file."""

    @property
    def is_remark(self) -> bool:
        """Whether it only adds text to the log."""
        return self in (EntryKind.NOTE, EntryKind.SECRET, EntryKind.SCENE)

    @property
    def is_session(self) -> bool:
        """Whether it starts or ends a session, or sets its title or who is present."""
        return self in (EntryKind.SESSION, EntryKind.SESSION_BEGINS, EntryKind.SESSION_ENDS)

    @property
    def is_wayfinders(self) -> bool:
        """Whether only the wayfinder does it, so that it needn't be marked as secret."""
        kinds = (EntryKind.UNDO, EntryKind.REDO, EntryKind.SET, EntryKind.KEEP, EntryKind.RESTORE)
        return self.is_edit or self in kinds

    @property
    def is_edit(self) -> bool:
        """Whether somebody edited the campaign file."""
        return self in (EntryKind.BY_HAND, EntryKind.AGAINST_PLAY)


@dataclass(frozen=True, slots=True)
class PlayResult:
    """The result of an act."""

    state: State
    words: str
    title: str
    """A description of the act, for people."""
    faces: tuple[int, ...] | None
    facts: tuple[Fact, ...]
    follows: bool
    """It is a follow-up of the act that was open before."""
    kind: EntryKind = EntryKind.PLAY
    about: tuple[str, ...] = ()
    """Who and what it was about: the rows of its move."""
