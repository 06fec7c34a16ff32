"""The state of a campaign: what its file holds, and what is open between two acts.

Read and write what is open between two acts, as plain values. The log keeps it with each entry, so it outlives the
program.

What a rule is given, and what it returns: the position before a move, and the turn that it makes of it.

Remember the last result for a position. `Game` asks for the moves and panels of a position several times in each act.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Generic, TypeVar

from waylog.rules.codec.base_and_limits import Between, Fault
from waylog.rules.codec.changes import Value
from waylog.rules.codec.records import codec
from waylog.rules.model.clocks_situations_and_timers import Clock, Situation, Timer
from waylog.rules.model.decks import Deck
from waylog.rules.model.dice import Face
from waylog.rules.model.facts import Fact, OutcomeGrade
from waylog.rules.model.players_and_permissions import Player
from waylog.rules.model.sessions import Session
from waylog.values import dataclass, field, replace


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
"""The beginning of an offer's source if that is not a path in the campaign file."""


@dataclass(frozen=True, slots=True)
class EffectOffer:
    """An effect that is offered: of a full clock, a drawn card, or a table entry that came up. One key applies it."""

    source: str = ""
    """The path of its source: `clocks.storm`, `decks.hold.cards.mimic`, `tables.door`. For an act by nobody: `act.NAME`."""
    why: str = ""
    """The reason for the offer, or the person whom it is for, in words; may be empty."""
    act: str = ""
    """The effect, as a command."""
    instead: bool = False
    """It takes the place of what its source has brought: once it is applied, the other offers of that source are gone."""
    late: bool = False
    """Another act has begun since. It is still offered until its scene ends, but no longer undone with the act that brought it."""
    asks: bool = False
    """Whoever takes it is asked what its words don't say."""
    one_of: str = ""
    """The name of a choice: of its offers to one person, `take` are taken or all are skipped, and a newer choice replaces it."""
    take: int = 1
    taken: int = 0
    """The number of its choice's offers that can be taken in all (`take`), and of those that have been."""
    takes: int = 1
    """The number of them that this offer counts as."""
    required: bool = False
    """One of its choice has to be taken: until then, they can't be skipped."""
    once: bool = False
    """Once it is taken, the same offer of other choices of its source is gone."""
    number: int = 1
    """The how many-th it is with the same word: a part of its name, which stays as long as it is offered."""

    @property
    def word(self) -> str:
        """The end of the path of its source, which names it: the clock, card, table, or person that brought it."""
        return self.source.rpartition(".")[2]

    @property
    def still_to_take(self) -> int:
        """The number of its choice's offers that can still be taken."""
        return self.take - self.taken

    def is_beside(self, other: EffectOffer) -> bool:
        """Whether two offers belong to one choice."""
        return bool(self.one_of) and (self.source, self.one_of) == (other.source, other.one_of)


@dataclass(frozen=True, slots=True)
class CalledRolls:
    """The rolls that the wayfinder has called for, as far as they have got (NM-48)."""

    rolls: tuple[str, ...] = ()
    """Those that are still to be made, by the ids of their moves: `roll ana`."""
    answers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """The answers that are settled for all of them, by the names of the asks."""
    on: tuple[str, ...] = ()
    """The clocks that each is made on, by their paths."""
    now: tuple[str, ...] = ()
    """The paths of the people and things that the latest of them is about: its questions are theirs."""

    def without(self, roll: str, about: tuple[str, ...]) -> CalledRolls:
        """Return what is left of them when a roll is made that is about these paths."""
        return replace(self, rolls=tuple(each for each in self.rolls if each != roll), now=about)


@dataclass(frozen=True, slots=True)
class OpenState:
    """Everything that is open after an act."""

    KEYS: ClassVar = {
        key: key for key in ("typed", "early", "on", "offers", "drawn", "moved", "waiting", "mood", "called", "missed")
    }
    """The fields that the log saves, in this order. The stage, whose type the game declares, comes after them."""

    stage: Any = None
    """The game's own stages."""
    typed: bool = False
    """The act is played with real dice: Waylog asks for later dice instead of rolling them."""
    early: tuple[Face, ...] = ()
    """Real dice that were typed before the question that comes first, each with the label of the die that it is for."""
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
    called: CalledRolls | None = None
    """The call for rolls that this belongs to."""
    missed: Mapping[str, tuple[OutcomeGrade, ...]] = field(default_factory=dict)
    """The clocks that earlier rolls of the scene can still move, with the grade of each such roll, the oldest first (NM-24)."""


@dataclass(frozen=True, slots=True)
class CardProgress:
    """The campaign's progress with a scene card (NM-50)."""

    opened: Annotated[
        int,
        Between(0, None, "NM-50"),
        "The order in which the cards were opened: 1 for the first card, 2 for the next",
    ] = 0
    told: Annotated[tuple[str, ...], "Keys of the secrets that players have been told"] = ()


@dataclass(frozen=True, slots=True)
class State:
    """One campaign: what its file holds, and what is open."""

    name: str
    rules: Any
    sheet: Any
    clocks: Mapping[str, Clock] = field(default_factory=dict)
    decks: Mapping[str, Deck] = field(default_factory=dict)
    sessions: Mapping[str, Session] = field(default_factory=dict)
    open: OpenState | None = None
    situations: Mapping[str, Situation] = field(default_factory=dict)
    rulings: Mapping[str, str] = field(default_factory=dict)
    """The wayfinder's rulings, by the id of the clause."""
    dice: Mapping[str, str] = field(default_factory=dict)
    """Saved dice in notation, by name."""
    players: Mapping[str, Player] = field(default_factory=dict)
    """The people of the table, by key (NM-44)."""
    timers: Mapping[str, Timer] = field(default_factory=dict)
    """Countdowns of real time, by key (NM-47)."""
    overruled: Mapping[str, int] = field(default_factory=dict)
    """Numbers that the wayfinder has set against a rule's range, by their paths: `ship.core`, `crew.mara.focus`."""
    prep: Mapping[str, CardProgress] = field(default_factory=dict)
    """The campaign's progress with its scene cards, by the names of their files (NM-50)."""


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
    TITLE = "scene title"
    """A new title of a scene, which begins where it did."""
    SESSION_BEGINS = "session begins"
    SESSION_ENDS = "session ends"
    SESSION = "session"
    """A session's title, or who is present."""
    UNDO = "undo"
    REDO = "redo"
    MISREAD = "misread"
    """An act as it was played again because a die had been misread."""
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
        return self in (EntryKind.NOTE, EntryKind.SECRET, EntryKind.SCENE, EntryKind.TITLE)

    @property
    def is_instead(self) -> bool:
        """Whether such an entry stands in the place of what it undoes, if it undoes anything."""
        return self.is_remark or self is EntryKind.MISREAD

    @property
    def is_session(self) -> bool:
        """Whether it starts or ends a session, or sets its title or who is present."""
        return self in (EntryKind.SESSION, EntryKind.SESSION_BEGINS, EntryKind.SESSION_ENDS)

    @property
    def is_wayfinders(self) -> bool:
        """Whether only the wayfinder can do it. Nothing in such an entry is marked as secret when it is shown."""
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
    """The keys of the panel rows that its move was about."""


def encode_open(opened: OpenState | None, scene: Any) -> dict[str, Value]:
    """Return everything that is open after an act, as plain values. Return an empty table if nothing is open.

    The game's own stage is in the key `stage`. `scene` is the type that the game's rulebook declares for its stages.
    """
    if opened is None:
        return {}
    stage = codec(scene | None).encode(opened.stage)
    return {**codec(OpenState).encode(opened), **({"stage": stage} if stage else {}), "open": True}


def decode_open(tree: Mapping[str, Value], scene: Any) -> OpenState | None:
    """Read what `encode_open` returned. Raises `ValueError` if that isn't possible."""
    if not tree:
        return None
    faults: list[Fault] = []
    opened = _decode_shared(tree, faults)
    stage = codec(scene | None).decode(tree.get("stage", {}), ("stage",), faults)
    if faults:
        raise ValueError(faults[0].message)
    return replace(opened, stage=stage)


def read_shared(tree: Mapping[str, Value]) -> OpenState:
    """Read the parts that every game has, without knowing the game; the stage remains plain values. Parts that were
    edited and can't be read are left out.
    """
    return replace(_decode_shared(tree, []), stage=tree.get("stage"))


def _decode_shared(tree: Mapping[str, Value], faults: list[Fault]) -> OpenState:
    """Read all but the stage. Other keys are not looked at: the log adds one of its own."""
    shared = {key: tree[key] for key in OpenState.KEYS if key in tree}
    if isinstance(missed := shared.get("missed"), Mapping):  # Up to 0.3, a clock had the grade of one roll.
        shared["missed"] = {key: [one] if isinstance(one, str) else one for key, one in missed.items()}
    opened: OpenState = codec(OpenState).decode(shared, (), faults)
    return opened


@dataclass(frozen=True, slots=True)
class Position:
    """Everything that a rule may look at: sheet, house rules, clocks, situations, and the open stage.

    `sheet`, `rules` and `scene` are frozen dataclasses declared by the game. `scene` is None if nothing is open.
    """

    sheet: Any
    rules: Any
    clocks: Mapping[str, Clock] = field(default_factory=dict)
    scene: Any = None
    situations: Mapping[str, Situation] = field(default_factory=dict)
    """The situations that affect the move (NM-19)."""
    away: frozenset[str] = frozenset()
    """The characters whose players are not at the table, by their keys (NM-46)."""
    overruled: Mapping[str, int] = field(default_factory=dict)
    """Numbers that the wayfinder has set against a rule's range, by their paths."""

    def is_as(self, other: Position) -> bool:
        """Whether two positions are alike in everything. Sheet, house rules and clocks stay the same objects until one of their
        values changes. The rest is small, and is new for each act.
        """
        return (
            self.sheet is other.sheet
            and self.rules is other.rules
            and self.clocks is other.clocks
            and self.scene == other.scene
            and self.away == other.away
            and self.overruled is other.overruled
            and tuple(self.situations.items()) == tuple(other.situations.items())
        )


@dataclass(frozen=True, slots=True)
class Turn:
    """The position after a move, and the facts of the move."""

    position: Position
    facts: tuple[Fact, ...] = ()
    offers: tuple[EffectOffer, ...] = ()
    """The effects that are offered after it."""


T = TypeVar("T")


class PositionMemo(Generic[T]):
    """A function of a position that remembers its last result."""

    def __init__(self, function: Callable[[Position], T]) -> None:
        self._function = function
        self._last: tuple[Position, T] | None = None

    def __call__(self, position: Position) -> T:
        last = self._last
        if last is None or not last[0].is_as(position):
            self._last = last = position, self._function(position)
        return last[1]
