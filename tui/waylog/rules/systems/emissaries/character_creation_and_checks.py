"""Making an emissary, step by step (EG-01…EG-07), with each answer written to the sheet at once; and the check of what was made: the faults
in a campaign file that break a clause and that types alone don't show.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from enum import StrEnum
from typing import Any

from waylog.rules.codec.base_and_limits import Fault
from waylog.rules.codec.changes import Path, join_names, slug
from waylog.rules.model.dice import Dice
from waylog.rules.model.moves import Allocate, AllocationSlot, Answers, Move, PickOne, Refusal, Text
from waylog.rules.rulebook import Chapter, StageRules
from waylog.rules.systems.emissaries.dice_pools import OWN, At, boxes_of, numbers, rows_at
from waylog.rules.systems.emissaries.npcs_and_assets import (
    SHIPS,
    STATS,
    count_asset_dice,
    is_of_two,
    too_few,
    trait_dice_of,
    trait_dice_used,
    two_of,
    wrong_owner_reason,
)
from waylog.rules.systems.emissaries.sheet import (
    ALL,
    BACKGROUNDS,
    LEAST,
    MOST_DICE,
    STARTING,
    Asset,
    Emissary,
    FalloutTrack,
    Lun,
    Relationship,
    RemainingDice,
    Row,
    Stat,
    Thing,
    Trait,
    dice_in,
    dice_of,
    dice_remaining,
    format_rating,
    overdrawn,
    rating,
    relationship_dice,
    trait_dice,
)
from waylog.rules.systems.emissaries.state_stages_and_typed_names import (
    ASSETS,
    CREW,
    NPCS,
    Being,
    Making,
    Moment,
    asset_stats,
    crew_words,
)
from waylog.rules.systems.emissaries.traits_and_recovery import (
    dice_options,
    gets,
    gets_trait,
    object_asks,
    relates,
    relationship_move,
)
from waylog.values import replace

MANY_OBJECTS = 5
"""More objects than this at the start are pointed out (EG-05)."""
_LATER = Move("later", (), "Stop here and finish later", heading="The sheet is finished later")


class CreationStep(StrEnum):
    """The steps, in order."""

    BACKGROUND = "background"
    STATS = "stats"
    TRAITS = "traits"
    RELATIONSHIPS = "relationships"
    OBJECTS = "objects"
    HOPE = "hope"
    DONE = "done"


def offers(moment: Moment) -> tuple[Move, ...]:
    """Offer `make mara` for each emissary that isn't finished, and `join "Mara"`."""
    blank = is_first(moment)
    first, panel = blank and not moment.stages, ("start.make",) if blank else ()
    words = crew_words(moment)
    names = tuple(moment.name(f"{CREW}/{key}") for key in words.values())
    asks = (Text("name", "Name", required=True, taken=names),)
    new = Move("join", (), "New emissary", asks, follows=first, apart=first, about=("crew", *panel))
    half, done = [], []
    for word, key in words.items():
        emissary, name, about = moment.sheet.crew[key], moment.name(f"{CREW}/{key}"), (f"crew.{key}", *panel)
        if emissary.made:
            no = Refusal(f"{name}'s sheet is finished. To change it, advance {name}", "EG-07")
            done.append(Move("make", (word,), f"Finish {name}'s sheet", (), no, about=about))
        else:
            label = f"Finish {name}: {step_of(moment, emissary, Making())} next"
            heading = f"{name}'s sheet is continued"
            half.append(Move("make", (word,), label, follows=first, apart=first, about=about, heading=heading))
    return (*half, new, *done)


def is_first(moment: Moment) -> bool:
    """Whether an emissary should be made first: nothing has been chosen for any."""
    return all(emissary.is_blank for emissary in moment.sheet.crew.values())


def play(moment: Moment, move: Move, given: Answers, _dice: Dice) -> Moment:
    """Add an emissary, or continue to make one (EG-07)."""
    if move.verb == "join":
        name = str(given["name"]).strip()
        key = moment.new_key(name)
        crew = {**moment.sheet.crew, key: Emissary(name)}
        joined = replace(moment, sheet=replace(moment.sheet, crew=crew)).says(f"New emissary: {name}", "EG-07")
        return _begin_creation(joined, key)
    return _begin_creation(moment, crew_words(moment)[move.words[0]])


def _begin_creation(moment: Moment, key: str) -> Moment:
    """Start at the first step that isn't done. The emissary gets a data-pad and a Lun (EG-05)."""
    current = moment.sheet.crew[key].objects
    missing = {name: thing for name, thing in STARTING.items() if name not in current}
    given = moment.with_emissary(key, objects={**missing, **current}) if missing else moment
    return given.opens(Making(key))


def step_of(moment: Moment, emissary: Emissary, making: Making) -> CreationStep:
    """Return the first step that isn't done yet."""
    rest = dice_remaining(moment.rules, emissary)
    if not emissary.background:
        return CreationStep.BACKGROUND
    if rest.stats > 0:
        return CreationStep.STATS
    if rest.traits:
        return CreationStep.TRAITS
    if rest.relationships and not making.kept:
        return CreationStep.RELATIONSHIPS
    if emissary.lun == Lun() or not making.enough:
        return CreationStep.OBJECTS
    return CreationStep.DONE if emissary.hope else CreationStep.HOPE


def question(moment: Moment, _making: Making) -> str:
    """Return the question of the next step."""
    emissary = moment.sheet.crew[moment.creation_stage.who]
    name, rest = emissary.name or moment.creation_stage.who, dice_remaining(moment.rules, emissary)
    match step_of(moment, emissary, moment.creation_stage):
        case CreationStep.BACKGROUND:
            return f"{name}: which background?"
        case CreationStep.STATS:
            return (
                f"{name}: the dice of Body, Mind, Soft and Hard, {count_stat_dice(emissary)} in all and at least {LEAST} in "
                "each"
            )
        case CreationStep.TRAITS:
            return f"{name}: a trait ({format_rating(rest.traits)} left)"
        case CreationStep.RELATIONSHIPS:
            return f"{name}: a relationship ({format_rating(rest.relationships)} left, to use now or to keep)"
        case CreationStep.OBJECTS:
            return (
                f"{name}: another object, or the look of the Lun"
                if emissary.lun == Lun()
                else f"{name}: another object?"
            )
        case _:
            return f"{name}: which accomplishment do they hope for?"


def count_stat_dice(emissary: Emissary) -> int:
    """Return the number of stat dice: those of the background, and those added since."""
    return BACKGROUNDS[emissary.background].stats + emissary.dice_added


def answers(moment: Moment, _making: Making) -> tuple[Move, ...]:
    """Return the answers to the step, and `later`. Each is an act of its own."""
    key = moment.creation_stage.who
    emissary = moment.sheet.crew[key]
    about = (f"crew.{key}",)
    steps = (replace(move, about=about) for move in _answers(moment, key, emissary))
    return tuple(replace(move, apart=True) for move in (*steps, _LATER))


def _answers(moment: Moment, key: str, emissary: Emissary) -> tuple[Move, ...]:
    match step_of(moment, emissary, moment.creation_stage):
        case CreationStep.BACKGROUND:
            return tuple(
                Move("background", (word,), _describe_background(moment, word), blocked=_short(moment, emissary, word))
                for word in BACKGROUNDS
            )
        case CreationStep.STATS:
            total = count_stat_dice(emissary)
            most = min(MOST_DICE, total - LEAST * (len(Stat) - 1))
            now = {stat: max(LEAST, min(dice_in(emissary, stat), most)) for stat in Stat}
            slots = tuple(AllocationSlot(stat.value, stat.capitalize(), LEAST, most, now[stat]) for stat in Stat)
            return (Move("stats", (), "The dice of the four stats", (Allocate("dice", "Dice", slots, total),)),)
        case CreationStep.TRAITS:
            dice = PickOne(
                "dice", "Dice", dice_options(dice_remaining(moment.rules, emissary).traits, "EG-03"), clause="EG-03"
            )
            return (Move("trait", (), "A trait", (Text("text", "The phrase", required=True), dice)),)
        case CreationStep.RELATIONSHIPS:
            related = replace(relationship_move(moment, "", f"{CREW}/{key}"), words=())
            keep = Move("keep", (), "Keep the rest for later", key="k", heading="The rest is kept for later")
            return (related, keep)
        case CreationStep.OBJECTS:
            others = (Text("material", "Material", usual=True), Text("handle", "Handle", usual=True))
            asks = (Text("colour", "Colour", required=True), *others)
            lun = Move("lun", (), "The Lun: colour, material, and shape of its handle", asks)
            unseen = (
                Refusal("describe the Lun first: colour, material and handle", "EG-05")
                if emissary.lun == Lun()
                else None
            )
            enough = Move("enough", (), "No more objects", blocked=unseen)
            return (lun, Move("object", (), "An object", object_asks()), enough)
        case _:
            return (Move("hope", (), "The accomplishment", (Text("text", "Hope", required=True),)),)


def _short(moment: Moment, emissary: Emissary, word: Any) -> Refusal | None:
    """Return why a background can't give the dice that are already on the sheet."""
    rest = dice_remaining(moment.rules, replace(emissary, background=word))
    over = [f"{-rest.stats}d6 in stats"] if rest.stats < 0 else []
    over += [format_rating(dice) for dice in (rest.traits_over, rest.relationships_over) if dice]
    name = BACKGROUNDS[word].name
    return Refusal(f"{name} doesn't fit the sheet, which already has {join_names(over)}", "EG-07") if over else None


def _describe_background(moment: Moment, word: str) -> str:
    """Return a background's name with its dice (EG-02)."""
    background = BACKGROUNDS[word]
    given = format_rating(trait_dice(moment.rules, word))
    return f"{background.name}: stats {background.stats}d6, traits {given}, relationships {format_rating(relationship_dice(word))}"


def answer(moment: Moment, _making: Making, move: Move, given: Answers, _dice: Dice) -> Moment:
    """Do one step, or stop for now."""
    key, making = moment.creation_stage.who, moment.creation_stage
    who, name = f"{CREW}/{key}", moment.name(f"{CREW}/{key}")
    match move.verb:
        case "later":
            return moment.opens(None).says(f"{name}'s sheet isn't finished yet", "EG-07")
        case "background":
            background = BACKGROUNDS[move.words[0]]
            after = moment.with_emissary(key, background=move.words[0]).says(
                f"{name}'s background: {background.name}", "EG-02"
            )
        case "stats":
            dice = given["dice"]
            assert isinstance(dice, tuple)
            text = ", ".join(f"{stat.capitalize()} {count}d6" for stat, count in zip(Stat, dice, strict=True))
            after = moment.with_emissary(key, **dict(zip(Stat, dice, strict=True))).says(f"{name}: {text}", "EG-01")
        case "trait":
            after = gets_trait(moment, who, str(given["text"]).strip(), str(given["dice"]))
        case "relate":
            after = relates(moment, who, given)
        case "keep":
            rest = format_rating(dice_remaining(moment.rules, moment.sheet.crew[key]).relationships)
            after = moment.opens(replace(making, kept=True)).says(f"{name} keeps {rest} for later", "EG-04")
        case "lun":
            lun = Lun(*(str(given[part]).strip() for part in ("colour", "material", "handle")))
            look = ", ".join(filter(None, (lun.colour, lun.material, lun.handle)))
            after = moment.with_emissary(key, lun=lun).says(f"{name}'s Lun: {look}", "EG-05")
        case "object":
            after = gets(moment, who, given)
            if (many := len(after.sheet.crew[key].objects)) > MANY_OBJECTS:
                after = after.says(f"{many} objects: more than {MANY_OBJECTS} is a lot to start with", "EG-05")
        case "enough":
            after = moment.opens(replace(making, enough=True)).says(f"{name}'s list of objects is finished", "EG-05")
        case _:
            hope = str(given["text"]).strip()
            after = moment.with_emissary(key, hope=hope).says(f"{name}'s hope: {hope}", "EG-06")
    return _finish_creation(after, key)


def _finish_creation(moment: Moment, key: str) -> Moment:
    """Finish an emissary after the last step (EG-07)."""
    if step_of(moment, moment.sheet.crew[key], moment.creation_stage) is not CreationStep.DONE:
        return moment
    after = moment.with_emissary(key, made=True).opens(None)
    return after.says(f"{moment.name(f'{CREW}/{key}')}'s sheet is finished", "EG-07")


def _keep(moment: Moment, making: Making) -> Making | None:
    return making if making.who in dict(moment.crew()) else None


CHAPTER = Chapter(
    offers=offers,
    plays={"join": play, "make": play},
    stages=(StageRules(Making, question, answers, answer, keep=_keep),),
)


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
                f"missing among the objects: {join_names(missing)}. Every emissary starts with both. "
                "Once an emissary is complete, they may be lost"
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
    total, wanted = sum(len(dice) for _, dice in stats), count_asset_dice(moment.rules, asset.kind)
    if wanted and total != wanted:
        message = f"the stats add up to {total} dice, but by house rule a {asset.kind} has {wanted}"
        yield Fault(path, message, "EG-45", grave=False)
