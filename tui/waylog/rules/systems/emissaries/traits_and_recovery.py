"""Traits, relationships, objects, and added dice (EG-03…EG-06, EG-50).

After a conflict: clear boxes, fight a condition, or accept it as a trait (EG-36…EG-38, EG-44).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from waylog.rules.codec.changes import join_names
from waylog.rules.model.answers import selected_words
from waylog.rules.model.clocks_situations_and_timers import new_key
from waylog.rules.model.dice import Dice
from waylog.rules.model.facts import NoteFact
from waylog.rules.model.moves import ActRefused, Answers, Ask, Move, Number, Option, PickMany, PickOne, Refusal, Text
from waylog.rules.rulebook import Chapter
from waylog.rules.systems.emissaries.conflict_start import with_obstacle
from waylog.rules.systems.emissaries.dice_pools import (
    OFF,
    OWN,
    At,
    conditions,
    format_row,
    recoverable,
    rows_at,
    with_row,
)
from waylog.rules.systems.emissaries.npcs_and_assets import SHIPS, trait_dice_of, trait_dice_used
from waylog.rules.systems.emissaries.sheet import (
    ALL,
    FAMILY,
    MOST_ADDED,
    MOST_DICE,
    SIZES,
    Asset,
    Emissary,
    FalloutTrack,
    Rating,
    Relationship,
    Row,
    Stat,
    Thing,
    Trait,
    dice_in,
    dice_left,
    dice_of,
    dice_remaining,
    format_rating,
    larger,
    name_and_dice,
    rating,
    split_name_and_rating,
    without,
)
from waylog.rules.systems.emissaries.state_stages_and_typed_names import (
    ASSETS,
    CREW,
    NPCS,
    Aftermath,
    Being,
    ConflictStage,
    Holder,
    Moment,
    asset_words,
    at_any_time,
    crew_words,
    own_words,
    people_words,
)
from waylog.values import replace

NONE = "none"
"""Stands for no dice of a rating, where the background gave none."""
QUALITIES = {"excellent": "2d6", "big": "1d8", "bad": "1d4", "big-and-excellent": "2d8", "average": "1d6"}
"""The words for an object's rating, each with the dice (EG-05)."""
_RATED: Mapping[frozenset[str], str] = {
    frozenset(): QUALITIES["average"],
    **{frozenset({word}): dice for word, dice in QUALITIES.items()},
    frozenset({"big", "excellent"}): QUALITIES["big-and-excellent"],
}
"""The dice for the words that may stand together, in any order."""
_DANGERS = ("dangerous", "harmless")
_SAME = {"big-and-excellent": ("excellent-and-big",)}
_MOST = 3
"""The most dice offered for something that the background doesn't give."""
_FAMILY = PickOne(
    "family",
    "Family",
    (Option("family", "A family member: 1d6 for free"), Option("other", "No family")),
    "other",
    "EG-04",
)


def dice_options(pool: Rating | None, clause: str, *, free: Rating = ()) -> tuple[Option, ...]:
    """Return ratings of one size: those that `pool` has, with one more that says what is left; or any, without a pool."""
    options = []
    counts = [(sides, _MOST if pool is None else pool.count(sides) + 1) for sides in SIZES]
    for word in (f"{count}d{sides}" for sides, most in counts for count in range(1, most + 1)):
        none = None
        if pool is not None and without(pool, rating(word)) is None and rating(word) != free:
            none = Refusal(_left_text(pool), clause)
        options.append(Option(word, word, blocked=none))
    return tuple(sorted(options, key=lambda option: option.blocked is not None))


def offer_traits(moment: Moment) -> tuple[Move, ...]:
    """Offer relationships, objects, new traits, dice and phrases for everybody, and whether a hope came true; traits
    for ships.
    """
    people = (move for word, who in people_words(moment).items() for move in _of(moment, word, who))
    ships = (move for word, key in asset_words(moment).items() for move in _of_ship(moment, word, key))
    return at_any_time(moment, (*people, *ships), ("object", "gain", "rephrase"))


def anytime(moment: Moment) -> tuple[Move, ...]:
    """Offer the same during a conflict."""
    return tuple(move for move in offer_traits(moment) if move.anytime)


def _of(moment: Moment, word: str, who: str) -> Iterator[Move]:
    name, about, being = moment.name(who), (who.replace("/", ".", 1),), moment.character(who)
    yield relationship_move(moment, word, who)
    yield Move("object", (word,), f"New object for {name}", object_asks(), about=about, effect=True)
    label = f"New trait for {name}"
    yield Move("gain", (word,), label, _trait_asks(), about=about, effect=True)
    stats = tuple(Option(stat.value, stat.capitalize()) for stat in Stat)
    options = tuple(Option(item, item.replace("-", " ")) for item in own_words(being)) if being else ()
    yield _advance_moves(word, name, (*stats, *options), about)
    if options:
        yield _rephrase_moves(word, name, options, about)
    if isinstance(being, Emissary) and being.hope and not being.came_true:
        came = (Option("yes", "It came true"), Option("no", "It did not"))
        yield Move(
            "hoped",
            (word,),
            f"{name}'s hope: {being.hope}",
            (PickOne("came", "Outcome", came, clause="EG-06"),),
            about=about,
        )


def _of_ship(moment: Moment, word: str, key: str) -> Iterator[Move]:
    """Offer traits for a ship (EG-45)."""
    asset, about = moment.sheet.assets[key], (f"assets.{key}",)
    if asset.kind not in SHIPS and not asset.traits:
        return
    name = moment.name(f"{ASSETS}/{key}")
    no = None if asset.kind in SHIPS else Refusal(f"{name} is not a ship: only ships have traits", "EG-45")
    yield Move("gain", (word,), f"New trait for {name}", _trait_asks(), no, about=about, effect=True)
    options = tuple(Option(trait, trait.replace("-", " ")) for trait in own_words(asset))
    if options:
        yield _advance_moves(word, name, options, about)
        yield _rephrase_moves(word, name, options, about)


def _trait_asks() -> tuple[Ask, ...]:
    dice = PickOne("dice", "Dice", dice_options(None, "EG-03"), "1d6", "EG-03")
    return (Text("text", "The phrase", required=True), dice)


def _advance_moves(word: str, name: str, what: tuple[Option, ...], about: tuple[str, ...]) -> Move:
    how = (Option("more", "One more die"), Option("larger", "Each die a size up"))
    asks = (
        PickOne("what", "What", what, clause="EG-50"),
        PickOne("how", "How", how, clause="EG-50"),
        Text("text", "New wording"),
    )
    return Move("advance", (word,), f"Advance {name}", asks, about=about, effect=True, heading=f"{name} advances")


def _rephrase_moves(word: str, name: str, what: tuple[Option, ...], about: tuple[str, ...]) -> Move:
    asks = (PickOne("what", "What", what, clause="EG-50"), Text("text", "New wording", required=True))
    heading = f"{name}: new wording"
    return Move("rephrase", (word,), f"{name}: reword a trait or a name", asks, about=about, heading=heading)


def relationship_move(moment: Moment, word: str, who: str) -> Move:
    """Offer `relate mara "Captain Thoss" 1d8 family`: from kept dice, or a free 1d6 for family (EG-04)."""
    being, name = moment.character(who), moment.name(who)
    pool = dice_remaining(moment.rules, being).relationships if isinstance(being, Emissary) else None
    dice = PickOne("dice", "Dice", dice_options(pool, "EG-04", free=FAMILY), "1d6", "EG-04")
    asks = (Text("with", "The person or group", required=True), dice, _FAMILY)
    rest = f" ({format_rating(pool) or 'no dice'} left)" if pool is not None else ""
    return Move("relate", (word,), f"New relationship for {name}{rest}", asks, about=(who.replace("/", ".", 1),))


def object_asks() -> tuple[Ask, ...]:
    """Ask for an object's name, and in any order for its quality or dice, and whether it is dangerous (EG-05)."""
    qualities = tuple(
        Option(word, word.replace("-", " "), f"+{dice}", _SAME.get(word, ())) for word, dice in QUALITIES.items()
    )
    dangers = tuple(Option(word, word) for word in _DANGERS)
    return (
        Text("name", "Name", required=True),
        PickMany("quality", "Quality", (*qualities, *dangers), clause="EG-05"),
        Text("dice", "Other dice, such as 1d4 1d8", is_dice=True),
    )


def play_trait_move(moment: Moment, move: Move, given: Answers, _dice: Dice) -> Moment:
    """Play a move of `offer_traits`. Facts about anyone but the crew are hidden from players. Raises `ActRefused`."""
    assets, word = asset_words(moment), move.words[0]
    who = f"{ASSETS}/{assets[word]}" if word in assets else people_words(moment)[word]
    after = _play_trait(moment, move, given, who)
    hidden = moment.hides(moment.sheet.assets[assets[word]]) if word in assets else who.startswith(f"{NPCS}/")
    return after.secretly() if hidden else after


def _play_trait(moment: Moment, move: Move, given: Answers, who: str) -> Moment:
    match move.verb:
        case "relate":
            return relates(moment, who, given)
        case "object":
            return gets(moment, who, given)
        case "gain":
            dice = str(given["dice"])
            return gets_trait(moment, who, str(given["text"]).strip(), dice, _dice_drawn_for(moment, who, rating(dice)))
        case "advance":
            return _advances(moment, who, given)
        case "rephrase":
            what = own_words(_holder(moment, who))[str(given["what"])]
            return _rephrase(moment, who, what, str(given["text"]).strip())
        case _:
            came = str(given["came"])
            after = moment.with_holder(who, came_true=came)
            return after.says(
                f"{moment.name(who)}'s hope {'came true' if came == 'yes' else 'did not come true'}", "EG-06"
            )


def _dice_drawn_for(moment: Moment, who: str, dice: Rating) -> str:
    """Return which dice of a new trait count as the ship's own: all of them if its class has them left, otherwise none
    (EG-45).
    """
    ship = _holder(moment, who)
    if not isinstance(ship, Asset):
        return NONE
    rest = dice_left(trait_dice_of(moment.rules, ship.kind), trait_dice_used(ship))
    return NONE if without(rest, dice) is None else ALL


def _holder(moment: Moment, who: str) -> Holder:
    holder = moment.holder(who)
    assert holder is not None
    return holder


def _find_character(moment: Moment, who: str) -> Being:
    being = moment.character(who)
    assert being is not None
    return being


def _left_text(pool: Iterable[int]) -> str:
    """Return `only 1d4 and 6d8 are left`."""
    dice = format_rating(pool).split()
    return f"only {join_names(dice)} are left" if dice else "no dice are left"


def gets_trait(moment: Moment, who: str, text: str, dice: str, drawn: str = ALL) -> Moment:
    """Add a trait (EG-03, EG-45, EG-50)."""
    current = _holder(moment, who).traits
    after = moment.with_holder(who, traits={**current, new_key(text, current): Trait(text, dice, drawn)})
    clause = "EG-45" if who.startswith(f"{ASSETS}/") else "EG-03" if drawn == ALL else "EG-50"
    return after.says(f"{moment.name(who)} gains a trait: {text} {dice}", clause)


def relates(moment: Moment, who: str, given: Answers) -> Moment:
    """Add a relationship (EG-04). Raises `ActRefused` for a free 1d6 that isn't family."""
    person, dice, family = str(given["with"]).strip(), str(given["dice"]), given["family"] == "family"
    being = _find_character(moment, who)
    if isinstance(being, Emissary) and not (family and rating(dice) == FAMILY):
        pool = dice_remaining(moment.rules, being).relationships
        if without(pool, rating(dice)) is None:
            raise ActRefused(
                f"{_left_text(pool)}. A family member can have a free 1d6",
                "EG-04",
            )
    current = being.relationships
    after = moment.with_holder(
        who, relationships={**current, new_key(person, current): Relationship(person, dice, family)}
    )
    free = ", family" if family else ""
    return after.says(f"{moment.name(who)} gains a relationship: {person} {dice}{free}", "EG-04")


def gets(moment: Moment, who: str, given: Answers) -> Moment:
    """Add an object (EG-05). Raises `ActRefused` for illegal dice, and for a quality together with dice."""
    try:
        name, dice = split_name_and_rating(str(given["name"]), str(given["dice"]))
    except ValueError as error:
        raise ActRefused(str(error), "EG-05") from None
    words = selected_words(given, "quality")
    dangers, quality = frozenset(words) & {*_DANGERS}, frozenset(words) - {*_DANGERS}
    if not name_and_dice(name, "")[0]:
        raise ActRefused(f"{dice} is a rating: name the object too, for example Blaster 1d4 1d8", "EG-05")
    if quality and dice:
        raise ActRefused(
            f"an object can be {join_names(sorted(quality))} or have its own dice ({dice}), but not both", "EG-05"
        )
    if quality not in _RATED or len(dangers) > 1:
        wrong = join_names(word for word in words if word in (quality if quality not in _RATED else dangers))
        raise ActRefused(f"an object can't be {wrong} at the same time", "EG-05")
    thing = Thing(name, dice or _RATED[quality], "dangerous" in dangers)
    current = _find_character(moment, who).objects
    after = moment.with_holder(who, objects={**current, new_key(thing.name, current): thing})
    return after.says(
        f"{moment.name(who)} gains an object: {thing.name} {thing.dice}{', dangerous' if thing.dangerous else ''}",
        "EG-05",
    )


# -- advancing (EG-50) ---------------------------------------------------------------------------------------------------

_NAMED_BY = {"traits": "text", "relationships": "who", "objects": "name"}
"""The field with the name that players know, by the kind of thing."""


def _advances(moment: Moment, who: str, given: Answers) -> Moment:
    """Add a die, or make every die one size larger (EG-50). Raises `ActRefused` if there is no larger size."""
    what, more, text = str(given["what"]), given["how"] == "more", str(given["text"]).strip()
    holder = _holder(moment, who)
    thing = own_words(holder).get(what)
    if thing is None:
        return _stat_advances(moment, who, Stat(what), more=more, text=text)
    kind, _, key = thing.partition("/")
    item = getattr(holder, kind)[key]
    numbers = dice_of(item.dice)
    after = tuple(sorted((*numbers, max(numbers, default=6)))) if more else larger(numbers)
    if after is None:
        raise ActRefused(f"{item.dice or 'no dice'} can't become larger: the d10 is the largest die", "EG-50")
    try:
        values = {"dice": format_rating(rating(format_rating(after)))}
    except ValueError as error:
        raise ActRefused(f"dice can't go above {format_rating(numbers)}: {error}", "EG-50") from None
    if not isinstance(item, Thing) and item.drawn == ALL:
        values["drawn"] = item.dice or NONE
        if isinstance(item, Relationship) and item.family and numbers == FAMILY:
            values["drawn"] = NONE
    result = moment.with_holder(who, **{kind: {**getattr(holder, kind), key: replace(item, **values)}})
    name = getattr(item, _NAMED_BY[kind])
    result = result.says(f"{moment.name(who)}: {name} {item.dice} → {values['dice']}", "EG-50")
    return _rephrase(result, who, thing, text) if text else result


def _stat_advances(moment: Moment, who: str, stat: Stat, *, more: bool, text: str) -> Moment:
    """Add a d6 to a stat (EG-50). Raises `ActRefused` for larger dice, for a phrase, and above the limit."""
    being = _find_character(moment, who)
    if not more:
        raise ActRefused("stats are d6s: they get more dice, not larger ones", "EG-01")
    if text:
        raise ActRefused("a trait can be reworded, but a stat can't", "EG-50")
    dice = dice_in(being, stat) + 1
    grown = being.dice_added + 1 if isinstance(being, Emissary) else 0
    if dice > MOST_DICE or grown > MOST_ADDED:
        raise ActRefused(f"{moment.name(who)}: {stat.capitalize()} can't go above {dice - 1}d6", "EG-50")
    added = {"added": grown} if isinstance(being, Emissary) else {}
    return moment.with_holder(who, **{stat.value: dice}, **added).says(
        f"{moment.name(who)}: {stat.capitalize()} is now {dice}d6", "EG-50"
    )


def _rephrase(moment: Moment, who: str, thing: str, text: str) -> Moment:
    """Reword a trait, or change a name (EG-50)."""
    kind, _, key = thing.partition("/")
    current = getattr(_holder(moment, who), kind)
    item = current[key]
    field = _NAMED_BY[kind]
    before, after = getattr(item, field), replace(item, **{field: text})
    result = moment.with_holder(who, **{kind: {**current, key: after}})
    return result.says(f"{moment.name(who)}: “{before}” is now “{text}”", "EG-50")


CONDITION_DICE = "4d6 4d8"
"""The dice against removing a condition (EG-37)."""
_SCENE = Text("scene", "The scene, in one line", required=True)


def offer_recovery(moment: Moment) -> tuple[Move, ...]:
    """Offer `recover mara`, `cure mara`, `accept mara`; and the first two for assets."""
    return (*_of_crew(moment), *_of_assets(moment))


def _of_crew(moment: Moment) -> Iterator[Move]:
    for word, key in crew_words(moment).items():
        who, about = f"{CREW}/{key}", (f"crew.{key}",)
        emissary, name = moment.sheet.crew[key], moment.name(who)
        tracks = [At(who, track.value) for track in FalloutTrack]
        may = None if emissary.may_recover else _not_now(name, "recover", "EG-36")
        yield _recovery_moves(moment, word, name, tracks, may, about)
        yield _cure_moves(moment, word, name, tracks, about)
        may = None if emissary.may_accept else _not_now(name, "accept a condition", "EG-38")
        rows = _with_conditions(moment, tracks)
        asks = (PickOne("row", "Condition", rows, clause="EG-38"), Text("text", "New wording"))
        none = may or (None if rows else Refusal(f"{name} has no conditions", "EG-38"))
        label, heading = f"{name}: accept a condition as a trait at 1d4", f"{name} accepts a condition as a trait"
        yield Move("accept", (word,), label, asks, none, about=about, heading=heading)


def _of_assets(moment: Moment) -> Iterator[Move]:
    for word, key in asset_words(moment).items():
        who, about = f"{ASSETS}/{key}", (f"assets.{key}",)
        name, tracks = moment.name(who), [At(who, OWN)]
        may = None if moment.sheet.assets[key].may_recover else _not_now(name, "recover", "EG-44")
        yield _recovery_moves(moment, word, name, tracks, may, about)
        yield _cure_moves(moment, word, name, tracks, about)


def _not_now(name: str, deed: str, clause: str) -> Refusal:
    """Return why something is not on offer that the end of a conflict allows once. There may have been no conflict yet."""
    return Refusal(f"{name} can {deed} only once after a conflict: the next chance is when a conflict ends", clause)


def _recovery_moves(
    moment: Moment, word: str, name: str, tracks: list[At], may: Refusal | None, about: tuple[str, ...]
) -> Move:
    """Offer to clear up to three boxes in one row of one track. A row with a condition is locked (EG-36, EG-44)."""
    clause = "EG-36" if len(tracks) > 1 else "EG-44"
    options = tuple(
        sorted((_off(moment, at, name, clause) for at in tracks), key=lambda option: option.blocked is not None)
    )
    some = any(option.blocked is None for option in options)
    none = may or (None if some else Refusal(f"{name} has no boxes to clear", clause))
    default = OWN if tracks[0].track == OWN else None
    asks = (PickOne("track", "Track", options, default, clause), Number("boxes", "Boxes", 1, OFF, OFF), _SCENE)
    recover = Move("recover", (word,), f"{name}: clear up to {OFF} boxes", asks, none, about=about, effect=True)
    return replace(recover, heading=f"{name} clears boxes")


def _off(moment: Moment, at: At, whose: str, clause: str) -> Option:
    """Return the track as an answer, with the row to clear. It is refused if there is none."""
    name, number = at.track.capitalize(), recoverable(moment, at)
    if number is None:
        where = whose if at.track == OWN else f"{whose}'s {at.track} track"
        no = Refusal(f"{where} has no boxes to clear", clause)
        return Option(at.track, name, blocked=no)
    return Option(at.track, f"{name}, row {number}", f"{rows_at(moment, at)[0][number].filled_boxes} filled")


def _cure_moves(moment: Moment, word: str, name: str, tracks: list[At], about: tuple[str, ...]) -> Move:
    """Offer a conflict against a condition (EG-37)."""
    rows = _with_conditions(moment, tracks)
    none = None if rows else Refusal(f"{name} has no conditions", "EG-37")
    label = f"{name}: remove a condition by a conflict against {CONDITION_DICE}"
    asks, heading = (PickOne("row", "Condition", rows, clause="EG-37"),), f"{name}: a conflict against a condition"
    return Move("cure", (word,), label, asks, none, about=about, heading=heading)


def _with_conditions(moment: Moment, tracks: list[At]) -> tuple[Option, ...]:
    return tuple(
        Option(f"{at.track}-{number}", condition) for at in tracks for number, condition in conditions(moment, at)
    )


def aftermath(moment: Moment) -> tuple[Move, ...]:
    """Offer what is possible after a conflict: clear boxes, accept conditions as traits."""
    return tuple(move for move in offer_recovery(moment) if _comes_after(move))


def _comes_after(move: Move) -> bool:
    return move.verb in ("recover", "accept") and not move.blocked


def _offers_but_after_a_conflict(moment: Moment) -> tuple[Move, ...]:
    """Return the moves of `offer_recovery` without those that the end of a conflict already makes."""
    after = isinstance(moment.top, Aftermath)
    return tuple(move for move in offer_recovery(moment) if not (after and _comes_after(move)))


def with_aftermath(moment: Moment) -> Moment:
    """Return the moment with the aftermath on offer, if there is any, and nothing else open."""
    return moment.opens(Aftermath() if aftermath(moment) else None)


def play_recovery_move(moment: Moment, move: Move, given: Answers, _dice: Dice) -> Moment:
    """Play a move of `offer_recovery`. Other offers of the aftermath stay."""
    after = _play_recovery(moment, move, given)
    return with_aftermath(after) if move.verb != "cure" and isinstance(moment.top, Aftermath) else after


def _play_recovery(moment: Moment, move: Move, given: Answers) -> Moment:
    word = move.words[0]
    assets = asset_words(moment)
    who = f"{ASSETS}/{assets[word]}" if word in assets else f"{CREW}/{crew_words(moment)[word]}"
    if move.verb == "recover":
        return _recovers(moment, At(who, str(given["track"])), int(str(given["boxes"])), str(given["scene"]))
    track, _, number = str(given["row"]).rpartition("-")
    at = At(who, track)
    if move.verb == "cure":
        condition = dict(conditions(moment, at))[number]
        name = moment.name(at.holder)
        opened = moment.opens(
            ConflictStage(f"Does {name} lose the condition ‘{condition}’?", clears=format_row(at, number))
        )
        return with_obstacle(opened.says(f"Conflict against “{condition}”", "EG-37"), condition, CONDITION_DICE)
    return _accepts(moment, at, number, str(given["text"]).strip())


def _recovers(moment: Moment, at: At, boxes: int, scene: str) -> Moment:
    number = recoverable(moment, at)
    assert number is not None
    row = rows_at(moment, at)[0][number]
    off = min(boxes, row.filled_boxes)
    cleared = f"{off} {'box' if off == 1 else 'boxes'}"
    after = with_row(moment, at, number, replace(row, boxes=row.filled_boxes - off))
    kind, _, key = at.holder.partition("/")
    if kind == ASSETS:
        text = f"{moment.name(at.holder)} clears {cleared} in row {number}: {scene.strip()}"
        secret = moment.hides(moment.sheet.assets[key])
        return after.with_asset(key, may_recover=False).tells(NoteFact(text, "EG-44", secret=secret))
    text = f"{moment.name(at.holder)} clears {cleared} in row {number} of the {at.track} track: {scene.strip()}"
    return after.with_emissary(key, may_recover=False).says(text, "EG-36")


def _accepts(moment: Moment, at: At, number: str, text: str) -> Moment:
    """Turn a condition into a trait at 1d4, and clear its row (EG-38)."""
    condition = dict(conditions(moment, at))[number]
    phrase = text or condition
    key = at.holder.partition("/")[2]
    after = with_row(moment, at, number, Row())
    emissary = after.character(at.holder)
    assert isinstance(emissary, Emissary)
    traits = {**emissary.traits, new_key(phrase, emissary.traits): Trait(phrase, "1d4", "none")}
    after = after.with_emissary(key, traits=traits, may_accept=False)
    return after.says(
        f"{moment.name(at.holder)}: the condition “{condition}” becomes the trait “{phrase}” 1d4", "EG-38"
    )


def offers(moment: Moment) -> tuple[Move, ...]:
    """Offer recovery, and then what changes traits."""
    return (*_offers_but_after_a_conflict(moment), *offer_traits(moment))


CHAPTER = Chapter(
    offers=offers,
    plays={
        **dict.fromkeys(("recover", "cure", "accept"), play_recovery_move),
        **dict.fromkeys(("relate", "object", "gain", "advance", "rephrase", "hoped"), play_trait_move),
    },
    anytime=anytime,
)
