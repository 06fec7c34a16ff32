"""The things that a participant brings into play in a conflict, and the dice that they roll (EG-11, EG-12, EG-19,
EG-41).

Fallout tracks: rows of boxes, how they fill, what a full row costs, and how they are cleared (EG-30…EG-44).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from waylog.rules.codec.changes import quote, slug
from waylog.rules.model.dice import Die
from waylog.rules.model.facts import NoteFact
from waylog.rules.model.moves import ActRefused, Option, PickMany, PickOne, Refusal
from waylog.rules.systems.emissaries.sheet import (
    BOXES,
    ROWS,
    Emissary,
    FalloutTrack,
    HouseRules,
    Npc,
    Rating,
    Row,
    Stat,
    Trait,
    dice_in,
    dice_of,
    format_rating,
)
from waylog.rules.systems.emissaries.state_stages_and_typed_names import (
    ASSETS,
    CREW,
    Approach,
    Moment,
    Participant,
    asset_stats,
    asset_things,
    own_words,
)
from waylog.values import dataclass, replace

OWN = "own"
"""The name of the track of those who have only one."""
OFF = 3
"""The most boxes that can be cleared after a conflict (EG-36)."""
DEADLY = 2
"""The number of full tracks that kill an emissary (EG-34)."""
Rows = Mapping[Any, Row]
"""Rows by number, from `"1"`. An empty row may be left out."""


@dataclass(frozen=True, slots=True)
class At:
    """A track, given by its holder and its name: `crew/mara` and `physical`, or `npcs/thoss` and `own`."""

    holder: str
    track: str


def numbers(rows: int) -> tuple[str, ...]:
    """Return the row numbers of a track, first to last."""
    return tuple(str(number) for number in range(1, rows + 1))


def full_rows(rows: Rows) -> int:
    """Return how many rows have a condition (EG-32)."""
    return sum(row.full for row in rows.values())


def rows_at(moment: Moment, at: At) -> tuple[Rows, int]:
    """Return a track's rows, and how many it may have; none for an obstacle, or if the holder was removed from the
    file.
    """
    kind, _, key = at.holder.partition("/")
    holder = moment.asset(key) if kind == ASSETS else moment.character(at.holder)
    if holder is None:
        return {}, 0
    if isinstance(holder, Emissary):
        rows: Rows = getattr(holder.fallout, at.track)
        return rows, ROWS
    return holder.fallout, holder.stages if isinstance(holder, Npc) else ROWS


def with_row(moment: Moment, at: At, number: str, row: Row) -> Moment:
    """Return the moment with one row of a track replaced."""
    kind, _, key = at.holder.partition("/")
    rows = {**rows_at(moment, at)[0], number: row}
    if kind == CREW:
        return moment.with_emissary(key, fallout=replace(moment.sheet.crew[key].fallout, **{at.track: rows}))
    return moment.with_asset(key, fallout=rows) if kind == ASSETS else moment.with_npc(key, fallout=rows)


def is_full(moment: Moment, at: At) -> bool:
    """Whether every row of the track is full, so that it takes no more (EG-33)."""
    rows, count = rows_at(moment, at)
    return full_rows(rows) >= count


def in_use(rows: Rows, count: int) -> str | None:
    """Return the row that takes fallout: the newest with open boxes, or else the first empty one (EG-31)."""
    started = [number for number in numbers(count) if _open(rows, number)]
    empty = [number for number in numbers(count) if (row := rows.get(number, Row())).filled_boxes == 0 and not row.full]
    return started[-1] if started else empty[0] if empty else None


def _open(rows: Rows, number: str) -> bool:
    """Whether a row has filled boxes and no condition."""
    return number in rows and rows[number].filled_boxes > 0 and not rows[number].full


def add_fallout(moment: Moment, at: At, points: int) -> tuple[Moment, str]:
    """Return the moment with that many points of fallout in a track, and the row that needs a condition, if one does
    (EG-31).

    The point after the last box is the condition; the rest of the fallout is lost.
    """
    rows, count = rows_at(moment, at)
    number = in_use(rows, count)
    if number is None or not points:
        return moment, ""
    row = rows.get(number, Row())
    boxes = max(row.filled_boxes, min(boxes_of(moment.rules, at), row.filled_boxes + points))
    after = with_row(moment, at, number, replace(row, boxes=boxes)) if boxes != row.boxes else moment
    return after, number if row.filled_boxes + points > boxes else ""


def boxes_of(rules: HouseRules, at: At) -> int:
    """Return the number of boxes before the condition. By house rule, an NPC's rows have none (EG-35)."""
    stage_only = at.track == OWN and not at.holder.startswith(ASSETS) and rules.npc_stage == "condition"
    return 0 if stage_only else BOXES


def stat_of(rules: HouseRules, track: FalloutTrack) -> Stat:
    """Return the stat that loses dice to a track's full rows (EG-32)."""
    swapped = rules.social_takes == "hard"
    match track:
        case FalloutTrack.PHYSICAL:
            return Stat.BODY
        case FalloutTrack.MENTAL:
            return Stat.MIND
        case FalloutTrack.SOCIAL:
            return Stat.HARD if swapped else Stat.SOFT
        case FalloutTrack.SOCIETAL:
            return Stat.SOFT if swapped else Stat.HARD


def stat_dice(moment: Moment, who: str, stat: Stat) -> tuple[int, int]:
    """Return how many d6 somebody rolls for a stat, and how many fallout has taken off (EG-32)."""
    being = moment.character(who)
    if being is None:
        return 0, 0
    dice = dice_in(being, stat)
    if not isinstance(being, Emissary):
        return dice, 0
    track = next(track for track in FalloutTrack if stat_of(moment.rules, track) is stat)
    gone = full_rows(getattr(being.fallout, track.value))
    lost = dice if gone >= ROWS else min(dice, gone)
    return dice - lost, lost


def asset_dice(dice: Rating, rows: Rows) -> Rating:
    """Return the dice left of an asset's stat: each full row takes one, the smallest first (EG-43)."""
    return dice[full_rows(rows) :]


def is_dying(emissary: Emissary) -> bool:
    """Whether two tracks are completely full (EG-34)."""
    return sum(full_rows(getattr(emissary.fallout, track.value)) >= ROWS for track in FalloutTrack) >= DEADLY


# -- clearing fallout ------------------------------------------------------------------------------------------------


def recoverable(moment: Moment, at: At) -> str | None:
    """Return the row whose boxes can be cleared: the newest in use, or by house rule the first (EG-36)."""
    rows, count = rows_at(moment, at)
    started = [number for number in numbers(count) if _open(rows, number)]
    if not started:
        return None
    return started[0] if moment.rules.lowest_row == "first" else started[-1]


def conditions(moment: Moment, at: At) -> tuple[tuple[str, str], ...]:
    """Return the full rows of a track, each with its condition."""
    rows, count = rows_at(moment, at)
    return tuple((number, rows[number].condition) for number in numbers(count) if number in rows and rows[number].full)


def format_row(at: At, number: str) -> str:
    """Return a row as a stage saves it: `crew/mara/physical/1`."""
    return f"{at.holder}/{at.track}/{number}"


def read(text: str) -> tuple[At, str]:
    """Read what `format_row` returned."""
    holder, track, number = text.rsplit("/", 2)
    return At(holder, track), number


def exists(moment: Moment, text: str) -> bool:
    """Whether the row still exists in the file."""
    at, number = read(text)
    return number in numbers(rows_at(moment, at)[1])


STATS: Mapping[Approach, tuple[Stat, Stat]] = {
    Approach.TALK: (Stat.MIND, Stat.SOFT),
    Approach.ARGUE: (Stat.MIND, Stat.HARD),
    Approach.EXERT: (Stat.BODY, Stat.SOFT),
    Approach.FIGHT: (Stat.BODY, Stat.HARD),
}
"""The two stats of each approach (EG-11)."""
_ALSO: Mapping[Approach, str] = {
    Approach.TALK: "talk",
    Approach.ARGUE: "argue",
    Approach.EXERT: "exert",
    Approach.FIGHT: "fight",
}
SAME = "same"
"""The answer that keeps the approach."""
TRAITS, RELATIONSHIPS, OBJECTS, OF_ASSETS, OF_SHIPS = "traits", "relationships", "objects", "assets", "ships"


@dataclass(frozen=True, slots=True)
class Throw:
    """Dice to roll for a participant."""

    dice: tuple[Die, ...]
    stats: tuple[Stat, ...]
    """Stats that it brings into play."""
    brought: tuple[str, ...]
    """Other things that it brings into play."""
    words: str
    """The dice in words: `Mind 3d6 + Hard 3d6 + brother 1d8`."""
    reasons: tuple[NoteFact, ...] = ()
    """Notes on dice that are missing."""
    things: tuple[str, ...] = ()
    """For each die, what brings it: `relationships/joss`; empty for a stat and for dice that always roll."""


def approach_ask(default: str | None) -> PickOne:
    """Ask for one of the four approaches. With a default, the current one may be kept (EG-11, EG-19)."""
    options = []
    for approach in Approach:
        first, second = STATS[approach]
        label = f"{approach.replace('-', ' ').capitalize()}: {first.capitalize()} + {second.capitalize()}"
        options.append(Option(approach.value, label, "", (_ALSO[approach], f"{first}-{second}")))
    if default == SAME:
        options.append(Option(SAME, "Unchanged"))
    return PickOne("approach", "Approach", tuple(options), default, "EG-11")


def bringing_ask(moment: Moment, one: Participant) -> PickMany:
    """Ask what to bring into play, each thing once in a conflict. Options that can't be used say why (EG-12, EG-19,
    EG-41).
    """
    options = []
    # As `fallout.reasons` counts them.
    blows = "every blow they take" if moment.rules.dangers_count_for == "taker" else "every blow"
    for word, thing in brings(moment, one.who).items():
        # Those who haven't entered can still choose a side, which decides who is an ally.
        refusal = _use_refusal(moment, one, thing) or (_of_ally(moment, one, thing) if one.entered else None)
        note = f"+{format_rating(thing_dice(moment, one.who, thing))}"
        note += f", dangerous: {blows} +1 fallout" if dangerous(moment, one.who, thing) else ""
        options.append(Option(word, thing_name(moment, one.who, thing), note, (), refusal))
    return PickMany("with", "Bring into play", tuple(options), clause="EG-19")


def brings(moment: Moment, who: str) -> Mapping[str, str]:
    """Return everything that somebody could ever bring into play, by word."""
    being = moment.character(who)
    if being is None:
        return {}
    current = own_words(being)
    owners = (who, "") if who.startswith(f"{CREW}/") else (who,)
    assets = [key for key, asset in moment.sheet.assets.items() if moment.owner(asset) in owners]
    return {**current, **asset_things(moment, assets, current)}


def has_dice(moment: Moment, who: str) -> bool:
    """Whether somebody has anything to roll: dice that always roll, a stat, or something to bring."""
    being = moment.character(who)
    if being is None:
        return False
    always = isinstance(being, Npc) and bool(dice_of(being.dice))
    return (
        always
        or any(stat_dice(moment, who, stat)[0] for stat in Stat)
        or any(thing_dice(moment, who, thing) for thing in brings(moment, who).values())
    )


def split_reference(thing: str) -> tuple[str, str, str]:
    """Split `assets/kestrel/Engines` into kind, key and an asset's stat; or `ships/kestrel/nimble`, with a ship's
    trait.
    """
    kind, _, key = thing.partition("/")
    if kind not in (OF_ASSETS, OF_SHIPS):
        return kind, key, ""
    asset, _, stat = key.rpartition("/")
    return kind, asset, stat


def thing_name(moment: Moment, who: str, thing: str) -> str:
    """Return the name of a thing: a trait's phrase, a person's name, `Kestrel's Engines`."""
    kind, key, stat = split_reference(thing)
    being = moment.character(who)
    if kind == OF_ASSETS:
        return f"{moment.name(f'assets/{key}')}: {stat}"
    if kind == OF_SHIPS:
        trait = _ship_trait(moment, key, stat)
        return f"{moment.name(f'assets/{key}')}: {trait.text or stat if trait else stat}"
    if kind == TRAITS and being and key in being.traits:
        return being.traits[key].text or key
    if kind == RELATIONSHIPS and being and key in being.relationships:
        return being.relationships[key].who or key
    if kind == OBJECTS and being and key in being.objects:
        return being.objects[key].name or key
    return key


def thing_dice(moment: Moment, who: str, thing: str) -> Rating:
    """Return the dice that a thing rolls now."""
    kind, key, stat = split_reference(thing)
    if kind == OF_ASSETS:
        asset = moment.asset(key)
        dice = dict(asset_stats(asset)).get(stat, ()) if asset else ()
        return asset_dice(dice, asset.fallout) if asset else ()
    if kind == OF_SHIPS:
        trait = _ship_trait(moment, key, stat)
        return dice_of(trait.dice) if trait else ()
    being = moment.character(who)
    item = getattr(being, kind).get(key) if being else None
    return dice_of(item.dice) if item else ()


def _ship_trait(moment: Moment, ship: str, key: str) -> Trait | None:
    asset = moment.asset(ship)
    return asset.traits.get(key) if asset else None


def dangerous(moment: Moment, who: str, thing: str) -> bool:
    """Whether a thing is an object marked as dangerous (EG-05)."""
    kind, key, _ = split_reference(thing)
    being = moment.character(who)
    return kind == OBJECTS and being is not None and key in being.objects and being.objects[key].dangerous


def _use_refusal(moment: Moment, one: Participant, thing: str) -> Refusal | None:
    """Return why a thing can't be used: it is already in play (EG-19), or an asset is out of use (EG-43)."""
    name, (kind, key, _) = thing_name(moment, one.who, thing), split_reference(thing)
    of_asset = kind in (OF_ASSETS, OF_SHIPS)
    if any(thing in other.brought for other in moment.conflict.people if of_asset or other.word == one.word):
        return Refusal(f"{quote(name)} is already in play" if " " in name else f"{name} is already in play", "EG-19")
    if of_asset and is_full(moment, At(f"{OF_ASSETS}/{key}", OWN)):
        return Refusal(f"{moment.name(f'{OF_ASSETS}/{key}')} has three full rows and can't be used", "EG-43")
    return None


def _of_ally(moment: Moment, one: Participant, thing: str) -> Refusal | None:
    """Return why a thing doesn't count: it is a relationship with somebody on the same side (EG-12)."""
    kind, key, _ = split_reference(thing)
    name = thing_name(moment, one.who, thing)
    here = [other for other in moment.conflict.people if other.entered and other.word != one.word]
    allies = [other for other in here if other.side is one.side]
    if kind != RELATIONSHIPS or not any({slug(ally.name), ally.word} & {slug(name), slug(key)} for ally in allies):
        return None
    return Refusal(
        f"{name} is on the same side. A relationship counts only with an opponent or somebody at stake", "EG-12"
    )


def pool_for_approach(moment: Moment, one: Participant, approach: str, words: Sequence[str]) -> Throw:
    """Return the dice of an approach's stats that haven't been rolled in this conflict, and of the things brought in
    (EG-12, EG-19).

    Raises `ActRefused` for a relationship with an ally.
    """
    dice, spoken, reasons, stats = list[Die](), list[str](), list[NoteFact](), list[Stat]()
    for stat in STATS[Approach(approach)] if approach else ():
        being = moment.character(one.who)
        if stat in one.stats or (isinstance(being, Npc) and not dice_in(being, stat)):
            continue
        count, lost = stat_dice(moment, one.who, stat)
        stats.append(stat)
        dice += [Die(stat.capitalize())] * count
        spoken.append(f"{stat.capitalize()} {count}d6")
        if lost:
            reasons.append(
                NoteFact(f"Fallout removes {lost} {'die' if lost == 1 else 'dice'} from {stat.capitalize()}", "EG-32")
            )
    if not one.entered:
        dice += [Die(one.name, sides) for sides in _always(moment, one)]
        spoken += [f"{one.name} {format_rating(_always(moment, one))}"] if _always(moment, one) else []
    known = brings(moment, one.who)
    brought = tuple(known[word] for word in words)
    if refusal := next((no for thing in brought if (no := _of_ally(moment, one, thing))), None):
        raise ActRefused(refusal.reason, refusal.clause)
    things = [""] * len(dice)
    for thing in brought:
        name, numbers = thing_name(moment, one.who, thing), thing_dice(moment, one.who, thing)
        dice += [Die(name, sides) for sides in numbers]
        things += [thing] * len(numbers)
        spoken.append(f"{name} {format_rating(numbers) or 'no dice'}")
    return Throw(tuple(dice), tuple(stats), brought, " + ".join(spoken), tuple(reasons), tuple(things))


def without_allies(moment: Moment) -> Moment:
    """Remove dice of relationships with people who have since joined the same side (EG-12)."""
    now_allies = [
        (one.word, thing)
        for one in moment.conflict.people
        for thing in one.brought
        if _of_ally(moment, one, thing) is not None
    ]
    for word, thing in now_allies:
        moment = _without_thing(moment, word, thing)
    return moment


def _without_thing(moment: Moment, word: str, thing: str) -> Moment:
    """Remove one thing from play, and its dice from the pool."""
    one = moment.participant(word)
    faces = [str(die.face) for die in one.pool if die.thing == thing]
    after = moment.with_participant(
        word,
        pool=tuple(die for die in one.pool if die.thing != thing),
        brought=tuple(other for other in one.brought if other != thing),
    )
    who, count = thing_name(moment, one.who, thing), "1 die" if len(faces) == 1 else f"{len(faces)} dice"
    lost = f"{count}: {' '.join(faces)}" if faces else "no dice"
    return after.says(f"{who} is now on {one.name}'s side, so {one.name}'s pool loses {lost}", "EG-12")


def _always(moment: Moment, one: Participant) -> Rating:
    """Return the dice that are rolled with any approach: an obstacle's, and those of an NPC without stats."""
    being = moment.character(one.who)
    return dice_of(being.dice) if isinstance(being, Npc) else dice_of(one.rating)
