"""The working state of a move in the Emissaries, and the words to type for people, assets, and what they have.

The stages of the Emissaries: a conflict, or the making of an emissary. Each is saved in the log under its `TAG`; one
is open at most.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Any

from waylog.rules.codec.changes import slug, words_for
from waylog.rules.model.clocks_situations_and_timers import new_key
from waylog.rules.model.dice import Dice, Die, Face
from waylog.rules.model.facts import NoteFact, RollFact
from waylog.rules.model.moves import Move
from waylog.rules.rulebook import MomentBase
from waylog.rules.systems.emissaries.sheet import (
    Asset,
    Emissary,
    FalloutTrack,
    HouseRules,
    Npc,
    Rating,
    Sheet,
    Stat,
    dice_of,
)
from waylog.values import dataclass, replace


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
    """The label of the die."""
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

    @property
    def about(self) -> tuple[str, ...]:
        """Whose panel it is on; nobody's for an obstacle."""
        return (self.who.replace("/", ".", 1),) if self.who else ()


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
    """The gain of our side if it wins, or all that is at stake."""
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
    """The consequence if our side loses; empty if the stakes are one text (EG-53)."""


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


CREW, NPCS, ASSETS = "crew", "npcs", "assets"
Being = Emissary | Npc
"""Anyone with stats, traits, relationships and objects."""
Holder = Being | Asset
"""Anyone or anything that may have traits."""


@dataclass(frozen=True, slots=True)
class Moment(MomentBase):
    """The working state of a move, with the queries and changes of this game.

    `crew/mara` or `npcs/thoss` identifies a person. At most one stage is open.
    """

    sheet: Sheet
    rules: HouseRules

    # -- queries ---------------------------------------------------------------------------------------------------

    def crew(self) -> Iterator[tuple[str, Emissary]]:
        """Return every living emissary."""
        return ((key, emissary) for key, emissary in self.sheet.crew.items() if not emissary.dead)

    def character(self, who: str) -> Being | None:
        """Return a person; None for an obstacle, or if they were removed from the file."""
        kind, _, key = who.partition("/")
        if kind == CREW:
            return self.sheet.crew.get(key)
        return self.sheet.npcs.get(key) if kind == NPCS else None

    def asset(self, key: str) -> Asset | None:
        return self.sheet.assets.get(key)

    def holder(self, who: str) -> Holder | None:
        """Return a person or an asset."""
        kind, _, key = who.partition("/")
        return self.asset(key) if kind == ASSETS else self.character(who)

    def owner(self, asset: Asset) -> str | None:
        """Return an asset's owner, such as `crew/mara`; empty if it is shared, None if its owner was removed from the
        file.

        If an emissary and an NPC have the key, the emissary is the owner (EG-45).
        """
        if not asset.owner:
            return ""
        if asset.owner in self.sheet.crew:
            return f"{CREW}/{asset.owner}"
        return f"{NPCS}/{asset.owner}" if asset.owner in self.sheet.npcs else None

    def hides(self, asset: Asset) -> bool:
        """Whether an asset is hidden from players, as its owner's sheet is: it is neither an emissary's nor shared."""
        return bool(asset.owner) and asset.owner not in self.sheet.crew

    def name(self, who: str) -> str:
        """Return the name of an emissary, an NPC or an asset."""
        key = who.partition("/")[2]
        named = self.holder(who)
        return named.name or key if named else key

    def new_key(self, name: str) -> str:
        """Return a key for a new person that no emissary or NPC has (EG-45)."""
        return new_key(name, {**self.sheet.crew, **self.sheet.npcs})

    @property
    def conflict(self) -> ConflictStage:
        """The current conflict. The caller knows that there is one."""
        assert isinstance(self.top, ConflictStage)
        return self.top

    @property
    def creation_stage(self) -> Making:
        """The current making of an emissary. The caller knows that there is one."""
        assert isinstance(self.top, Making)
        return self.top

    def participant(self, word: str) -> Participant:
        """Return the participant with that word."""
        return next(one for one in self.conflict.people if one.word == word)

    # -- changes ---------------------------------------------------------------------------------------------------

    def secretly(self) -> Moment:
        """Return the moment with all its facts hidden from players."""
        facts = (replace(fact, secret=True) if isinstance(fact, NoteFact | RollFact) else fact for fact in self.facts)
        return replace(self, facts=tuple(facts))

    def rolls_all(
        self, dice: Dice, what: str, wanted: Sequence[Die], deed: str = ""
    ) -> tuple[Moment, tuple[Face, ...]]:
        """Roll dice of any size, if there are any. `deed` says who does what with them. May raise `DiceWanted`."""
        if not wanted:
            return self, ()
        faces = dice.roll(wanted)
        return self.tells(RollFact(what, faces, dice.are_real, deed=deed)), faces

    def with_emissary(self, key: str, **values: Any) -> Moment:
        crew = {**self.sheet.crew, key: replace(self.sheet.crew[key], **values)}
        return replace(self, sheet=replace(self.sheet, crew=crew))

    def with_npc(self, key: str, **values: Any) -> Moment:
        npcs = {**self.sheet.npcs, key: replace(self.sheet.npcs[key], **values)}
        return replace(self, sheet=replace(self.sheet, npcs=npcs))

    def with_asset(self, key: str, **values: Any) -> Moment:
        assets = {**self.sheet.assets, key: replace(self.sheet.assets[key], **values)}
        return replace(self, sheet=replace(self.sheet, assets=assets))

    def with_holder(self, who: str, **values: Any) -> Moment:
        kind, _, key = who.partition("/")
        if kind == ASSETS:
            return self.with_asset(key, **values)
        return self.with_emissary(key, **values) if kind == CREW else self.with_npc(key, **values)

    def opens(self, scene: Scene | None) -> Moment:
        """Return the moment with only that stage open."""
        return replace(self, stages=() if scene is None else (scene,))

    def with_conflict(self, **values: Any) -> Moment:
        return self.opens(replace(self.conflict, **values))

    def with_participant(self, word: str, **values: Any) -> Moment:
        people = tuple(replace(one, **values) if one.word == word else one for one in self.conflict.people)
        return self.with_conflict(people=people)

    def writes(self, line: ExchangeLine) -> Moment:
        """Return the moment with one more line in the exchange (EG-24)."""
        return self.with_conflict(exchange=(*self.conflict.exchange, line))


def at_any_time(moment: Moment, moves: Iterable[Move], verbs: Collection[str]) -> tuple[Move, ...]:
    """Return the moves; those of these verbs may be played at any time during a conflict, and right after it.

    What they add is brought into play by entering or escalating.
    """
    if not isinstance(moment.top, ConflictStage | Aftermath):
        return tuple(moves)
    return tuple(replace(move, anytime=move.verb in verbs) for move in moves)


# -- words for what has a name ------------------------------------------------------------------------------------------

_RESERVED = frozenset(
    (*Stat, *FalloutTrack, *Side, *Approach, "argue", "talk", "exert", "fight", "same", "dice", "larger", "more", "own")
)
"""Words that have another meaning in the same moves."""


def crew_words(moment: Moment) -> Mapping[str, str]:
    """Return the keys of living emissaries by the word to type for each."""
    return words_for(((key, key) for key, _ in moment.crew()), "crew", _RESERVED)


def people_words(moment: Moment) -> Mapping[str, str]:
    """Return everybody, as `crew/mara` or `npcs/thoss`, by word."""
    crew = crew_words(moment)
    others = words_for(((f"{NPCS}/{key}", key) for key in moment.sheet.npcs), "npc", (*_RESERVED, *crew))
    return {**{word: f"{CREW}/{key}" for word, key in crew.items()}, **others}


def asset_words(moment: Moment) -> Mapping[str, str]:
    """Return the keys of assets by word. None is a person's word."""
    taken = (*_RESERVED, *people_words(moment))
    return words_for(((key, key) for key in moment.sheet.assets), "asset", taken)


def own_words(holder: Holder) -> Mapping[str, str]:
    """Return what somebody has, as `traits/pilot`, by word: traits, relationships, objects; of an asset its traits."""
    kinds = ("traits",) if isinstance(holder, Asset) else ("traits", "relationships", "objects")
    named = [(f"{kind}/{key}", key) for kind in kinds for key in getattr(holder, kind)]
    return words_for(named, "own", _RESERVED)


def asset_stats(asset: Asset) -> tuple[tuple[str, Rating], ...]:
    """Return an asset's stats with their dice, by name (EG-40)."""
    return tuple(_stat(line) for line in asset.stats)


def _stat(line: str) -> tuple[str, Rating]:
    words = line.split()
    at = next((place for place, word in enumerate(words) if dice_of(word)), len(words))
    return " ".join(words[:at]), dice_of(" ".join(words[at:]))


def asset_things(moment: Moment, keys: Iterable[str], taken: Iterable[str]) -> Mapping[str, str]:
    """Return what assets bring, by word: stats as `assets/kestrel/Engines`, traits as `ships/kestrel/nimble`."""
    named = []
    for key in keys:
        asset, known = moment.sheet.assets[key], slug(key) or "asset"
        named += [(f"assets/{key}/{name}", f"{known}-{slug(name)}") for name, _ in asset_stats(asset)]
        named += [(f"ships/{key}/{trait}", f"{known}-{slug(trait) or 'trait'}") for trait in asset.traits]
    return words_for(named, "asset", (*_RESERVED, *taken))


def plus(faces: Iterable[int]) -> str:
    """Join faces with plus signs: `7 + 4`."""
    return " + ".join(map(str, faces))
