"""The things that a participant brings into play in a conflict, and the dice that they roll (EG-11, EG-12, EG-19,
EG-41).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from waylog.rules.dice import Die
from waylog.rules.facts import NoteFact
from waylog.rules.moves import ActRefused, Option, PickMany, PickOne, Refusal
from waylog.rules.naming import join_names, slug
from waylog.rules.systems.emissaries.fallout_tracks import OWN, At, asset_dice, is_full, stat_dice
from waylog.rules.systems.emissaries.moment import CREW, Moment, asset_stats, asset_things, own_words
from waylog.rules.systems.emissaries.ratings import Rating, dice_of, format_rating
from waylog.rules.systems.emissaries.sheet import Npc, Stat, Trait, dice_in
from waylog.rules.systems.emissaries.stages import Approach, Participant
from waylog.values import dataclass

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
    options = [
        Option(approach.value, _label(approach), "", (_ALSO[approach], "-".join(STATS[approach])))
        for approach in Approach
    ]
    if default == SAME:
        options.append(Option(SAME, "Keep the approach"))
    return PickOne("approach", "Approach", tuple(options), default, "EG-11")


def _label(approach: Approach) -> str:
    first, second = STATS[approach]
    return f"{approach.replace('-', ' ').capitalize()}: {first.capitalize()} + {second.capitalize()}"


def bringing_ask(moment: Moment, one: Participant) -> PickMany:
    """Ask what to bring into play, each thing once in a conflict. Options that can't be used say why (EG-12, EG-19,
    EG-41).
    """
    options = []
    for word, thing in brings(moment, one.who).items():
        # Those who haven't entered can still choose a side, which decides who is an ally.
        refusal = _use_refusal(moment, one, thing) or (_of_ally(moment, one, thing) if one.entered else None)
        options.append(Option(word, thing_name(moment, one.who, thing), _note(moment, one.who, thing), (), refusal))
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


def _note(moment: Moment, who: str, thing: str) -> str:
    dice = format_rating(thing_dice(moment, who, thing))
    return f"+{dice}, dangerous" if dangerous(moment, who, thing) else f"+{dice}"


def _use_refusal(moment: Moment, one: Participant, thing: str) -> Refusal | None:
    """Return why a thing can't be used: it is already in play (EG-19), or an asset is out of use (EG-43)."""
    name, (kind, key, _) = thing_name(moment, one.who, thing), split_reference(thing)
    of_asset = kind in (OF_ASSETS, OF_SHIPS)
    if any(thing in other.brought for other in moment.conflict.people if of_asset or other.word == one.word):
        return Refusal(f"{name} is already in play, and is rolled once in a conflict", "EG-19")
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
        f"{name} is on the same side; a relationship counts with an opponent, or with somebody at stake", "EG-12"
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
            reasons.append(NoteFact(f"fallout takes {lost} off {stat.capitalize()}", "EG-32"))
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
    who, lost = thing_name(moment, one.who, thing), f"the {join_names(faces)}" if faces else "no dice"
    return after.says(f"{who} is on {one.name}'s side now: {one.name}'s pool loses {lost}", "EG-12")


def _always(moment: Moment, one: Participant) -> Rating:
    """Return the dice that are rolled with any approach: an obstacle's, and those of an NPC without stats."""
    being = moment.character(one.who)
    return dice_of(being.dice) if isinstance(being, Npc) else dice_of(one.rating)
