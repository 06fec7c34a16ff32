"""The working state of a move in the Emissaries, and the words to type for people, assets, and what they have."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from waylog.rules.common.clocks import new_key
from waylog.rules.dice import Dice, Die, Face
from waylog.rules.facts import NoteFact, RollFact
from waylog.rules.kit import MomentBase
from waylog.rules.moves import Move
from waylog.rules.naming import slug, words_for
from waylog.rules.systems.emissaries.ratings import Rating, dice_of
from waylog.rules.systems.emissaries.sheet import Asset, Emissary, FalloutTrack, HouseRules, Npc, Sheet, Stat
from waylog.rules.systems.emissaries.stages import (
    Aftermath,
    Approach,
    ConflictStage,
    ExchangeLine,
    Making,
    Participant,
    Scene,
    Side,
)
from waylog.values import dataclass, replace

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
