"""NPCs and assets: adding them to the campaign (EG-35, EG-40, EG-45)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from waylog.rules.codec.changes import join_names
from waylog.rules.model.clocks_situations_and_timers import new_key
from waylog.rules.model.dice import Dice
from waylog.rules.model.facts import NoteFact
from waylog.rules.model.moves import ActRefused, Answers, Ask, Move, Number, Option, PickOne, Refusal, Text
from waylog.rules.rulebook import Chapter
from waylog.rules.systems.emissaries.sheet import (
    Asset,
    AssetKind,
    HouseRules,
    Npc,
    Rating,
    Sheet,
    Stage,
    Stat,
    dice_from_background,
    dice_in,
    dice_of,
    format_rating,
    name_and_dice,
    rating,
    split_name_and_rating,
)
from waylog.rules.systems.emissaries.state_stages_and_typed_names import (
    ASSETS,
    NPCS,
    ConflictStage,
    Moment,
    at_any_time,
    people_words,
)
from waylog.values import replace

SHARED = "shared"
"""The answer that makes an asset shared."""
STATS = {
    AssetKind.FRIGATE: ("Engines", "Hull", "Systems"),
    AssetKind.FIGHTER: ("Engines", "Hull", "Systems"),
    AssetKind.CYBERDECK: ("Network", "Storage", "Software"),
    AssetKind.ORGANISATION: ("People", "Assets", "Clout"),
}
"""The stats of each kind of asset; the wayfinder names those of a custom asset (EG-40)."""
SHIPS = (AssetKind.FRIGATE, AssetKind.FIGHTER)
_DICE = "dice such as 4d6 4d8"
_LEAST: Rating = (6, 6)
"""The lowest rating of a ship's stat (EG-45)."""
_NAMES = ("first", "second", "third")


def offers(moment: Moment) -> tuple[Move, ...]:
    """Offer `npc "Captain Thoss" 5d6 2`, `rate thoss 4d6 4d8`, `asset "Kestrel" frigate 3d6 3d6 2d8`."""
    rows = Number("rows", "Rows of the track", 1, len(Stage), 1)
    dice = Text("dice", "Dice for every approach", is_dice=True, example=_DICE)
    npc = Move("npc", (), "New NPC or organisation", (Text("name", "Name", required=True), dice, rows), effect=True)
    owners = [Option(SHARED, "Shared")]
    for word, who in people_words(moment).items():
        key = who.partition("/")[2]  # The file names an owner by key alone.
        no = Refusal(two_of(key), "EG-45") if is_of_two(moment, key) else None
        owners.append(Option(word, moment.name(who), blocked=no))
    kinds = []
    for kind in AssetKind:
        stats = join_names(STATS[kind]) if kind in STATS else "three stats with names of your own"
        kinds.append(Option(kind.value, f"{kind.capitalize()}: {stats}"))
    asks: tuple[Ask, ...] = (
        Text("name", "Name", required=True),
        PickOne("kind", "Kind", tuple(kinds), clause="EG-40"),
        PickOne("owner", "Whose", tuple(owners), SHARED, "EG-40"),
        Text("dice", "Dice of its three stats", is_dice=True, usual=True, example="in order, such as 3d6 3d6 2d8"),
        *(Text(name, f"A custom asset's {name} stat") for name in _NAMES),
    )
    asset = Move("asset", (), "New asset", asks, effect=True)
    return at_any_time(moment, (npc, *_ratings(moment), asset), ("npc", "rate", "asset"))


def anytime(moment: Moment) -> tuple[Move, ...]:
    """Offer the same during a conflict."""
    return tuple(move for move in offers(moment) if move.anytime)


def _ratings(moment: Moment) -> Iterator[Move]:
    """Offer to set the dice that an NPC rolls with every approach."""
    for word, who in people_words(moment).items():
        kind, _, key = who.partition("/")
        if kind == NPCS:
            asks = (Text("dice", "Dice for every approach", required=True, example=_DICE),)
            name, stats = moment.name(who), any(dice_in(moment.sheet.npcs[key], stat) for stat in Stat)
            no = Refusal(f"{name} has stats and rolls the ones that the approach uses", "EG-11") if stats else None
            label, heading = f"Set the dice of {name} for every approach", f"Dice of {name} for every approach"
            yield Move("rate", (word,), label, asks, no, about=(f"npcs.{key}",), heading=heading)


def is_of_two(moment: Moment, key: str) -> bool:
    """Whether both an emissary and an NPC have that key."""
    return key in moment.sheet.crew and key in moment.sheet.npcs


def two_of(key: str) -> str:
    """Return the message for such a key."""
    return (
        f"“{key}” is the key of both an emissary and an NPC. Give one of them another key, so that their assets "
        "can be told apart"
    )


def play(moment: Moment, move: Move, given: Answers, _dice: Dice) -> Moment:
    """Play one of `offers`. Raises `ActRefused`."""
    match move.verb:
        case "npc":
            return _with_npc(moment, given)
        case "rate":
            who = people_words(moment)[move.words[0]]
            dice = _parse_stat("", str(given["dice"]))[1]
            after = moment.with_npc(who.partition("/")[2], dice=dice)
            return after.tells(
                NoteFact(f"{moment.name(who)} now rolls {dice} for every approach", "EG-10", secret=True)
            )
        case _:
            return _with_asset(moment, given)


def _with_npc(moment: Moment, given: Answers) -> Moment:
    """Add an NPC, with the dice for every approach if they are given (EG-10, EG-35). Raises `ActRefused`."""
    name, dice = _parse_stat(str(given["name"]), str(given["dice"]))
    if not name:
        raise ActRefused(f"{dice} is a rating: put a name before it, for example npc “Captain Thoss” 5d6", "EG-10")
    rows, key = int(str(given["rows"])), moment.new_key(name)
    after = replace(
        moment, sheet=replace(moment.sheet, npcs={**moment.sheet.npcs, key: Npc(name, dice=dice, rows=rows)})
    )
    text = f"New NPC: {name} ({dice or 'no dice yet'}, a track of {rows} {'row' if rows == 1 else 'rows'})"
    return after.tells(NoteFact(text, "EG-35", secret=True))


def _parse_stat(name: str, dice: str) -> tuple[str, str]:
    try:
        return split_name_and_rating(name, dice)
    except ValueError as error:
        raise ActRefused(str(error), "EG-10") from None


def _with_asset(moment: Moment, given: Answers) -> Moment:
    name, typed = name_and_dice(str(given["name"]), str(given["dice"]))
    kind, dice = AssetKind(str(given["kind"])), typed.split()
    if not name or len(dice) != len(_NAMES) or not all(map(dice_of, dice)):
        raise ActRefused(
            "an asset needs a name and three stats, each with a rating, for example Kestrel 3d6 3d6 2d8", "EG-40"
        )
    names = STATS.get(kind, tuple(str(given[part]).strip() for part in _NAMES))
    if len(set(names)) < len(_NAMES) or not all(names) or any(dice_of(word) for stat in names for word in stat.split()):
        raise ActRefused("a custom asset needs names for its three stats: add three names in quotes", "EG-40")
    for stat, text in zip(names, dice, strict=True):
        if kind in SHIPS and too_few(rating(text)):
            raise ActRefused(
                f"{stat} has {text}, but a ship needs at least {format_rating(_LEAST)} in each stat", "EG-45"
            )
    total, wanted = sum(len(rating(text)) for text in dice), count_asset_dice(moment.rules, kind)
    if wanted and total != wanted:
        raise ActRefused(f"{' '.join(dice)} makes {total} dice, but a {kind.capitalize()} has {wanted}", "EG-45")
    owner = str(given["owner"])
    key = "" if owner == SHARED else people_words(moment)[owner].partition("/")[2]
    if no := wrong_owner_reason(moment, kind, key):
        raise ActRefused(no, "EG-45")
    stats = tuple(f"{stat} {text}" for stat, text in zip(names, dice, strict=True))
    asset = Asset(name, "", kind, stats, key)
    assets = {**moment.sheet.assets, new_key(name, moment.sheet.assets): asset}
    after = replace(moment, sheet=replace(moment.sheet, assets=assets))
    text = f"New {'custom asset' if kind is AssetKind.CUSTOM else kind.capitalize()}: {name} ({', '.join(stats)})"
    return after.tells(NoteFact(text, "EG-45" if kind in SHIPS else "EG-40", secret=moment.hides(asset)))


def wrong_owner_reason(moment: Moment, kind: AssetKind, owner: str) -> str:
    """Return why a ship of that class can't have that owner, if so: a Fighter has an owner, the emissaries' Frigate is
    shared.
    """
    if kind is AssetKind.FIGHTER and not owner:
        return "a Fighter needs an owner: name one"
    if kind is AssetKind.FRIGATE and owner in moment.sheet.crew:
        return "a Frigate is shared by all emissaries. Only a Fighter has an owner"
    return ""


def too_few(dice: Rating) -> bool:
    """Whether a ship's stat is below the lowest rating (EG-45)."""
    return sum(sides >= _LEAST[0] for sides in dice) < len(_LEAST)


def count_asset_dice(rules: HouseRules, kind: AssetKind) -> int:
    """Return how many dice a ship's stats have, if the wayfinder has set a number; 0 otherwise (EG-45)."""
    match kind:
        case AssetKind.FRIGATE:
            return rules.frigate_dice
        case AssetKind.FIGHTER:
            return rules.fighter_dice
        case _:
            return 0


def trait_dice_of(rules: HouseRules, kind: AssetKind) -> Rating:
    """Return the trait dice that a house rule gives a ship of that class; None if it sets no number (EG-45)."""
    match kind:
        case AssetKind.FRIGATE:
            return dice_of(rules.frigate_traits)
        case AssetKind.FIGHTER:
            return dice_of(rules.fighter_traits)
        case _:
            return ()


def trait_dice_used(asset: Asset) -> Rating:
    """Return which of those dice an asset's traits have used."""
    return tuple(sides for trait in asset.traits.values() for sides in dice_from_background(trait))


def sheet_of_players(sheet: Sheet, stage: Any) -> Sheet:
    """Return a sheet without the NPCs and assets that players don't see: they see only those in the open conflict."""
    people = stage.people if isinstance(stage, ConflictStage) else ()
    here = {one.who for one in people}
    brought = {thing.split("/")[1] for one in people for thing in one.brought if thing.startswith(f"{ASSETS}/")}
    npcs = {key: replace(npc, about="") for key, npc in sheet.npcs.items() if f"{NPCS}/{key}" in here}
    assets = {
        key: asset
        for key, asset in sheet.assets.items()
        if not asset.owner or asset.owner in sheet.crew or (key in brought and asset.owner in npcs)
    }
    return replace(sheet, npcs=npcs, assets=assets)


CHAPTER = Chapter(offers=offers, plays={"npc": play, "rate": play, "asset": play}, anytime=anytime)
