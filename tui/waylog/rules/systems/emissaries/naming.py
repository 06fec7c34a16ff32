"""Words for what has a name: people, assets, and what somebody may bring into play, as they are typed in moves."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from waylog.rules.naming import slug, words_for
from waylog.rules.systems.emissaries.moment import CREW, NPCS, Holder, Moment
from waylog.rules.systems.emissaries.ratings import Rating, dice_of
from waylog.rules.systems.emissaries.sheet import Asset, Stat, Track
from waylog.rules.systems.emissaries.stages import Approach, Side

_RESERVED = frozenset(
    (*Stat, *Track, *Side, *Approach, "argue", "talk", "exert", "fight", "same", "dice", "larger", "more", "own")
)
"""Words that mean something else in the same moves."""


def crew_words(moment: Moment) -> Mapping[str, str]:
    """Keys of living emissaries by the word that is typed for them."""
    return words_for(((key, key) for key, _ in moment.crew()), "crew", _RESERVED)


def people_words(moment: Moment) -> Mapping[str, str]:
    """Everybody, as `crew/mara` or `npcs/thoss`, by word."""
    crew = crew_words(moment)
    others = words_for(((f"{NPCS}/{key}", key) for key in moment.sheet.npcs), "npc", (*_RESERVED, *crew))
    return {**{word: f"{CREW}/{key}" for word, key in crew.items()}, **others}


def asset_words(moment: Moment) -> Mapping[str, str]:
    """Keys of assets by word, none of them anybody's."""
    taken = (*_RESERVED, *people_words(moment))
    return words_for(((key, key) for key in moment.sheet.assets), "asset", taken)


def own_words(holder: Holder) -> Mapping[str, str]:
    """What somebody has, as `traits/pilot`, by word: traits, relationships, objects; of an asset its traits."""
    kinds = ("traits",) if isinstance(holder, Asset) else ("traits", "relationships", "objects")
    named = [(f"{kind}/{key}", key) for kind in kinds for key in getattr(holder, kind)]
    return words_for(named, "own", _RESERVED)


def asset_stats(asset: Asset) -> tuple[tuple[str, Rating], ...]:
    """An asset's stats, by name, with their dice (EG-40)."""
    return tuple(_stat(line) for line in asset.stats)


def _stat(line: str) -> tuple[str, Rating]:
    words = line.split()
    at = next((place for place, word in enumerate(words) if dice_of(word)), len(words))
    return " ".join(words[:at]), dice_of(" ".join(words[at:]))


def asset_things(moment: Moment, keys: Iterable[str], taken: Iterable[str]) -> Mapping[str, str]:
    """What assets bring, by word: stats as `assets/kestrel/Engines` and traits as `ships/kestrel/nimble`, `kestrel-nimble`."""
    named = []
    for key in keys:
        asset, known = moment.sheet.assets[key], slug(key) or "asset"
        named += [(f"assets/{key}/{name}", f"{known}-{slug(name)}") for name, _ in asset_stats(asset)]
        named += [(f"ships/{key}/{trait}", f"{known}-{slug(trait) or 'trait'}") for trait in asset.traits]
    return words_for(named, "asset", (*_RESERVED, *taken))


def plus(faces: Iterable[int]) -> str:
    """`7 + 4`."""
    return " + ".join(map(str, faces))
