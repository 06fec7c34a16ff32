"""The faults in a campaign file that break a clause and that types alone don't show."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from waylog.rules.codec.base import Fault
from waylog.rules.codec.changes import Path, join_names, slug
from waylog.rules.systems.emissaries.character_creation import MANY_OBJECTS
from waylog.rules.systems.emissaries.dice_pools import OWN, At, boxes_of, numbers, rows_at
from waylog.rules.systems.emissaries.npcs_and_assets import (
    SHIPS,
    STATS,
    is_of_two,
    too_few,
    total_of,
    trait_dice_of,
    trait_dice_used,
    two_of,
    wrong_owner_reason,
)
from waylog.rules.systems.emissaries.sheet import (
    ALL,
    BACKGROUNDS,
    Asset,
    Emissary,
    FalloutTrack,
    Relationship,
    RemainingDice,
    Row,
    Thing,
    Trait,
    dice_of,
    dice_remaining,
    format_rating,
    overdrawn,
    rating,
    relationship_dice,
    trait_dice,
)
from waylog.rules.systems.emissaries.stages_and_typed_names import ASSETS, CREW, NPCS, Being, Moment, asset_stats


def faults(moment: Moment) -> tuple[Fault, ...]:
    """Return everything that breaks a clause but doesn't stop play."""
    return (*_house_rules(moment), *_crew(moment), *_npcs(moment), *_assets(moment))


def _house_rules(moment: Moment) -> Iterator[Fault]:
    for name in ("frigate_traits", "fighter_traits"):
        yield from _rating(("house_rules", name), getattr(moment.rules, name), "EG-45", empty=True)


def _crew(moment: Moment) -> Iterator[Fault]:
    for key, emissary in moment.sheet.crew.items():
        path = ("crew", key)
        yield from _own(path, emissary)
        yield from _overdrawn(moment, path, emissary)
        for track in FalloutTrack:
            yield from _conditions(moment, (*path, "fallout", track.value), At(f"{CREW}/{key}", track.value))
        if not emissary.made and len(emissary.objects) > MANY_OBJECTS:
            message = f"{len(emissary.objects)} objects: more than {MANY_OBJECTS} is a lot to start with"
            yield Fault((*path, "objects"), message, "EG-05", grave=False)
        if not emissary.made and not emissary.is_blank and (missing := _not_there(emissary)):
            message = (
                f"missing: {join_names(missing)}. Every emissary starts with both. If this one has lost them since, "
                "mark the emissary as complete"
            )
            yield Fault((*path, "objects"), message, "EG-05", grave=False, lacking=True, unfinished=True)


def _not_there(emissary: Emissary) -> tuple[str, ...]:
    """Return which of Lun and data-pad an emissary lacks, by key and by name."""
    keys = [f"-{slug(text)}-" for key, thing in emissary.objects.items() for text in (key, thing.name)]
    wanted = {"Lun": ("-lun-",), "data-pad": ("-data-pad-", "-datapad-")}
    return tuple(
        f"a {name}" for name, known in wanted.items() if not any(part in text for text in keys for part in known)
    )


def _overdrawn(moment: Moment, path: Path, emissary: Emissary) -> Iterator[Fault]:
    rest = dice_remaining(moment.rules, emissary)
    if not emissary.made and (left := _left_to_give(rest)):
        message = f"left to assign: {left}"
        yield Fault((*path, "background"), message, "EG-02", grave=False, lacking=True, unfinished=True)
    if rest.stats < 0:
        gives = f"{BACKGROUNDS[emissary.background].stats + emissary.dice_added}d6"
        message = f"the stats use {-rest.stats} dice more than {emissary.background} gives ({gives})"
        yield Fault((*path, "background"), message, "EG-01", grave=False)
    for name, over, given, clause in (
        ("traits", rest.traits_over, trait_dice(moment.rules, emissary.background), "EG-03"),
        ("relationships", rest.relationships_over, relationship_dice(emissary.background), "EG-04"),
    ):
        if over:
            gives = f"{emissary.background} gives ({format_rating(given)})"
            message = f"the {name} use {format_rating(over)} more than {gives}"
            yield Fault((*path, name), message, clause, grave=False)


def _left_to_give(rest: RemainingDice) -> str:
    """Return the dice of stats and traits that are left. Those for relationships may be kept for later (EG-04)."""
    stats = f"{rest.stats}d6 for the stats" if rest.stats > 0 else ""
    traits = f"{format_rating(rest.traits)} for traits" if rest.traits else ""
    return join_names([text for text in (stats, traits) if text])


def _own(path: Path, being: Being) -> Iterator[Fault]:
    """Yield the faults of the ratings of a person or asset."""
    items: Mapping[str, Mapping[str, Trait | Relationship | Thing]] = {
        "traits": being.traits,
        "relationships": being.relationships,
        "objects": being.objects,
    }
    clauses = {"traits": "EG-03", "relationships": "EG-04", "objects": "EG-05"}
    for kind, current in items.items():
        for key, item in current.items():
            yield from _rating_faults((*path, kind, key), item, clauses[kind])


def _rating_faults(path: Path, item: Trait | Relationship | Thing, clause: str) -> Iterator[Fault]:
    yield from _rating((*path, "dice"), item.dice, clause)
    if isinstance(item, Trait) and len(set(dice_of(item.dice))) > 1:
        message = f"dice can't be “{item.dice}”: all dice of a trait have the same size"
        yield Fault((*path, "dice"), message, "EG-03", grave=False)
    if not isinstance(item, Thing) and item.drawn not in (ALL, "none"):
        yield from _rating((*path, "drawn"), item.drawn, clause)


def _rating(path: Path, text: str, clause: str, *, empty: bool = False) -> Iterator[Fault]:
    try:
        if not rating(text) and not empty:
            yield Fault(path, f"{path[-1]} is empty: write at least one die, such as 1d6", clause, grave=False)
    except ValueError as error:
        yield Fault(path, f"{path[-1]}: {error}", clause, grave=False)


def _npcs(moment: Moment) -> Iterator[Fault]:
    for key, npc in moment.sheet.npcs.items():
        path = ("npcs", key)
        yield from _rating((*path, "dice"), npc.dice, "EG-10", empty=True)
        yield from _own(path, npc)
        for number in npc.fallout:
            if number not in numbers(npc.stages):
                message = f"there is a row {number}, but the track has only {npc.stages} {'row' if npc.stages == 1 else 'rows'}"
                yield Fault((*path, "fallout", number), message, "EG-35", grave=False)
        yield from _conditions(moment, (*path, "fallout"), At(f"{NPCS}/{key}", OWN))


def _conditions(moment: Moment, path: Path, at: At) -> Iterator[Fault]:
    """Yield a fault for each condition whose row isn't full (EG-31)."""
    boxes, (rows, count) = boxes_of(moment.rules, at), rows_at(moment, at)
    for number in numbers(count):
        row = rows.get(number, Row())
        if row.full and row.filled_boxes < boxes:
            message = (
                f"“{row.condition}” has {row.filled_boxes} of {boxes} boxes filled, but a condition fills all {boxes}"
            )
            yield Fault((*path, number, "condition"), message, "EG-31", grave=False, lacking=True)


def _assets(moment: Moment) -> Iterator[Fault]:
    for key, asset in moment.sheet.assets.items():
        path = ("assets", key, "stats")
        yield from _stats(moment, path, asset)
        yield from _conditions(moment, ("assets", key, "fallout"), At(f"{ASSETS}/{key}", OWN))
        yield from _owner(moment, ("assets", key, "owner"), asset)
        yield from _traits(moment, ("assets", key, "traits"), asset)


def _owner(moment: Moment, path: Path, asset: Asset) -> Iterator[Fault]:
    if asset.owner and asset.owner not in (*moment.sheet.crew, *moment.sheet.npcs):
        message = f"owner is “{asset.owner}”, but nobody has that key. Leave it empty for a shared asset"
        yield Fault(path, message, "EG-45", grave=False)
    if is_of_two(moment, asset.owner):
        yield Fault(
            path, f"owner: {two_of(asset.owner)}. Until then, it counts as the emissary's", "EG-45", grave=False
        )
    if no := wrong_owner_reason(moment, asset.kind, asset.owner):
        yield Fault(path, no, "EG-45", grave=False)


def _traits(moment: Moment, path: Path, asset: Asset) -> Iterator[Fault]:
    """Yield the faults of a ship's traits, which are rated like people's; no other asset has traits (EG-45)."""
    for key, trait in asset.traits.items():
        yield from _rating_faults((*path, key), trait, "EG-45")
    if asset.traits and asset.kind not in SHIPS:
        yield Fault(path, "only ships can have traits", "EG-45", grave=False)
        return
    given = trait_dice_of(moment.rules, asset.kind)
    if given and (over := overdrawn(given, trait_dice_used(asset))):
        message = f"the traits use {format_rating(over)} more than a {asset.kind} has by house rule"
        yield Fault(path, message, "EG-45", grave=False)


def _stats(moment: Moment, path: Path, asset: Asset) -> Iterator[Fault]:
    stats = asset_stats(asset)
    if len({name for name, _ in stats}) != 3 or not all(name and dice for name, dice in stats):
        yield Fault(
            path, "an asset has three stats, each with a name and a rating, such as Engines 3d6", "EG-40", grave=False
        )
        return
    names = STATS.get(asset.kind)
    if names and {name for name, _ in stats} != set(names):
        yield Fault(path, f"a {asset.kind} has {', '.join(names)}", "EG-40", grave=False)
    if asset.kind not in SHIPS:
        return
    for name, dice in stats:
        if too_few(dice):
            yield Fault(
                path,
                f"{name} can't be {format_rating(dice)}: a ship has at least 2d6 in each stat",
                "EG-45",
                grave=False,
            )
    total, wanted = sum(len(dice) for _, dice in stats), total_of(moment.rules, asset.kind)
    if wanted and total != wanted:
        message = f"the stats add up to {total} dice, but by house rule a {asset.kind} has {wanted}"
        yield Fault(path, message, "EG-45", grave=False)
