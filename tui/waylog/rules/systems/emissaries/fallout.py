"""Fallout: how much a blow causes, where it goes, and its consequences (EG-20…EG-22, EG-31, EG-33…EG-35, EG-42).

The story can also cause fallout without a blow: the wayfinder decides, or a card, a table or a clock (NM-17).
"""

from __future__ import annotations

from collections.abc import Iterator

from waylog.rules.codec.changes import join_names
from waylog.rules.model.dice import Dice
from waylog.rules.model.facts import NoteFact
from waylog.rules.model.moves import ActRefused, Answers, Move, Number, Option, PickOne, Refusal, Text
from waylog.rules.rulebook import Chapter
from waylog.rules.systems.emissaries.dice_pools import (
    OF_ASSETS,
    OWN,
    At,
    add_fallout,
    boxes_of,
    dangerous,
    exists,
    format_row,
    in_use,
    is_dying,
    is_full,
    read,
    rows_at,
    split_reference,
    thing_name,
    with_row,
)
from waylog.rules.systems.emissaries.exchange import gives, goes_on, put_forward, usable
from waylog.rules.systems.emissaries.sheet import Emissary, FalloutTrack, Row, Stat
from waylog.rules.systems.emissaries.state_stages_and_typed_names import (
    ASSETS,
    CREW,
    NPCS,
    Did,
    ExchangeLine,
    Moment,
    Participant,
    Phase,
    asset_words,
    people_words,
)
from waylog.values import replace

_HOW = Text("how", "How it happened")
_MOST = 1_000_000
"""The largest number that one act takes. The rules have no maximum; this catches typing errors."""


def reasons(moment: Moment, one: Participant) -> tuple[str, ...]:
    """Return the reasons for the fallout of a blow, one for each point: the blow itself, Body, Hard, dangerous objects
    (EG-20).
    """
    people = moment.conflict.people
    by_anyone = {stat for other in people for stat in other.stats}
    counts = by_anyone if moment.rules.stats_count_for == "anyone" else set(one.stats)
    stats = [stat.capitalize() for stat in (Stat.BODY, Stat.HARD) if stat in counts]
    armed = [one] if moment.rules.dangers_count_for == "taker" else people
    dangers = [
        thing_name(moment, other.who, thing)
        for other in armed
        for thing in other.brought
        if dangerous(moment, other.who, thing)
    ]
    return ("the blow", *stats, *dangers)


def take_blow(moment: Moment, word: str) -> Moment:
    """Make fallout due for somebody who takes the blow (EG-20), unless no track can take it."""
    one = moment.participant(word)
    points = reasons(moment, one)
    each = ": 1 each" if len(points) > 1 else ""
    after = moment.says(f"{one.name} takes {len(points)} fallout{each} from {join_names(points)}", "EG-20")
    after = after.with_conflict(phase=Phase.FALLOUT, taker=word, fallout=len(points))
    none = no_fallout_reason(moment, one)
    return goes_on(after.tells(none)) if none else after


def no_fallout_reason(moment: Moment, one: Participant) -> NoteFact | None:
    """Return why a blow to somebody causes no fallout, if so (EG-30, EG-33)."""
    struck = moment.with_conflict(taker=one.word, fallout=len(reasons(moment, one)))
    if takes_any(struck):
        return None
    why = "has no track that can take more fallout" if one.who else "is an obstacle, so the fallout has no effect"
    return NoteFact(f"{one.name} {why}", "EG-33" if one.who else "EG-30")


# -- where it goes -------------------------------------------------------------------------------------------------------


def question(moment: Moment) -> str:
    """Ask where the fallout goes."""
    conflict = moment.conflict
    return f"{moment.participant(conflict.taker).name} takes the blow, {conflict.fallout} fallout: where does it go?"


def answers(moment: Moment) -> tuple[Move, ...]:
    """Offer `fallout physical "A rib"`, `fallout kestrel`, `resist 6` (EG-21, EG-22, EG-42)."""
    conflict = moment.conflict
    one = moment.participant(conflict.taker)
    about = (one.who.replace("/", ".", 1),)
    places = tuple(
        Move(
            "fallout",
            (word,),
            f"{points} to {label}",
            (_HOW,),
            refusal,
            about=about,
            heading=f"{one.name} takes {points} fallout",
        )
        for word, _, label, points, refusal in all_places(moment, one)
    )
    faces = sorted({die.face for die in usable(one) if die.face > conflict.fallout})
    none = None
    if not faces:
        none = Refusal(f"{one.name} has no die of {conflict.fallout + 1} or more to resist with", "EG-22")
    dice = tuple(Option(str(face), str(face)) for face in faces)
    asks = (PickOne("die", "Die to spend", dice, clause="EG-22"), Text("said", "What they say or do"))
    resist = Move("resist", (), "Resist it with a die", asks, none, about=about, key="r")
    return (*places, replace(resist, heading=f"{one.name} resists with a die"))


_Place = tuple[str, At, str, int, Refusal | None]
"""A place for fallout: its word, its track, its name, how many points, and why it is refused, if so."""


def all_places(moment: Moment, one: Participant) -> Iterator[_Place]:
    """Return their own tracks, and the tracks of assets that they have in play (EG-21, EG-33, EG-42)."""
    being, points = moment.character(one.who), moment.conflict.fallout
    if isinstance(being, Emissary):
        for track in FalloutTrack:
            at = At(one.who, track.value)
            yield (
                track.value,
                at,
                _label(moment, at, track.capitalize()),
                points,
                _no_more(moment, at, track.capitalize()),
            )
    elif being is not None:
        at = At(one.who, OWN)
        yield one.word, at, _label(moment, at, one.name), points, _no_more(moment, at, one.name)
    words = {split_reference(thing)[1] for thing in one.brought if split_reference(thing)[0] == OF_ASSETS}
    for word, key in asset_words(moment).items():
        if key in words:
            at, name = At(f"{OF_ASSETS}/{key}", OWN), moment.name(f"{OF_ASSETS}/{key}")
            yield word, at, _label(moment, at, name), stats_in_play(moment, key), _no_more(moment, at, name)


def takes_any(moment: Moment) -> bool:
    """Whether a track can take the fallout that is due."""
    one = moment.participant(moment.conflict.taker)
    return any(refusal is None for *_, refusal in all_places(moment, one))


def stats_in_play(moment: Moment, asset: str) -> int:
    """Return how many of an asset's stats are in play, which is the fallout of a blow taken on it (EG-42)."""
    things = {thing for one in moment.conflict.people for thing in one.brought}
    return sum(split_reference(thing)[:2] == (OF_ASSETS, asset) for thing in things)


def _label(moment: Moment, at: At, name: str) -> str:
    rows, count = rows_at(moment, at)
    number = in_use(rows, count)
    if number is None:
        return name
    return f"{name} (row {number}: {rows.get(number, Row()).filled_boxes} of {boxes_of(moment.rules, at)} boxes filled)"


def _no_more(moment: Moment, at: At, name: str) -> Refusal | None:
    if not is_full(moment, at):
        return None
    clause = "EG-43" if at.holder.startswith(f"{OF_ASSETS}/") else "EG-33"
    return Refusal(
        f"{name}'s track is full" if at.track == OWN else f"the {at.track} track is full: choose another", clause
    )


def answer(moment: Moment, move: Move, given: Answers, _dice: Dice) -> Moment:
    """Put the fallout into a track, or resist it. Raises `ActRefused`."""
    one = moment.participant(moment.conflict.taker)
    if move.verb == "resist":  # One die resists all of it (EG-22).
        forward, stay = put_forward(one, (int(str(given["die"])),), raising=False)
        line = ExchangeLine(one.word, Did.RESISTS, (forward[0].face,), str(given["said"]))
        after = moment.with_participant(one.word, pool=stay).writes(line)
        return goes_on(after.says(f"{one.name} resists with a {forward[0].face}", "EG-22"))
    _, at, _, points, _ = next(place for place in all_places(moment, one) if place[0] == move.words[0])
    after, number = add_fallout(moment, at, points)
    named = moment.name(at.holder)
    where = f"{named}, {at.track}" if at.track != OWN else named
    result = after.says(f"{where}: fallout +{points}", "EG-42" if at.holder.startswith(f"{OF_ASSETS}/") else "EG-21")
    account = " · ".join(
        filter(None, (where if named != one.name else at.track if at.track != OWN else "", str(given["how"])))
    )
    result = result.writes(ExchangeLine(one.word, Did.FALLOUT, (points,), account))
    if not number:
        return goes_on(result)
    result = result.says(f"Row {number} is full, so {named} gains a condition. Any leftover fallout is lost", "EG-31")
    return result.with_conflict(phase=Phase.CONDITION, marks=format_row(at, number))


# -- conditions ----------------------------------------------------------------------------------------------------------


def condition_question(moment: Moment) -> str:
    """Ask the wayfinder for the condition."""
    at, number = read(moment.conflict.marks)
    track = "" if at.track == OWN else f", {at.track}"
    return f"{moment.name(at.holder)}{track}, row {number}: which condition?"


def condition_answers(moment: Moment) -> tuple[Move, ...]:
    """Offer `condition "A broken wrist"` (EG-31)."""
    ask = Text("text", "The condition", required=True)
    heading = f"{moment.name(read(moment.conflict.marks)[0].holder)} gains a condition"
    return (Move("condition", (), condition_question(moment), (ask,), heading=heading),)


def answer_condition(moment: Moment, _move: Move, given: Answers, _dice: Dice) -> Moment:
    """Write the condition into its row, with all that follows from full rows (EG-31, EG-32, EG-34, EG-35)."""
    conflict = moment.conflict
    at, number = read(conflict.marks)
    text = str(given["text"]).strip()
    after = moment.says(f"{moment.name(at.holder)} gains the condition “{text}”", "EG-31")
    if exists(moment, conflict.marks):
        row = rows_at(moment, at)[0].get(number, Row())
        after = with_row(after, at, number, Row(row.filled_boxes, text))
    being = after.character(at.holder)
    if isinstance(being, Emissary):
        if is_dying(being) and not is_dying(_before(moment, at)):
            after = after.says(f"{moment.name(at.holder)} dies when this conflict ends: two tracks are full", "EG-34")
    elif being is not None and is_full(after, at):
        after = gives(after, conflict.taker, "has no rows left and gives at once").says(
            f"{moment.name(at.holder)}'s track is full", "EG-35"
        )
    return goes_on(after)


def _before(moment: Moment, at: At) -> Emissary:
    being = moment.character(at.holder)
    assert isinstance(being, Emissary)
    return being


# -- fallout without a blow (NM-17) --------------------------------------------------------------------------------------


def offers(moment: Moment) -> tuple[Move, ...]:
    """Offer `fallout mara physical 2 "A burned hand"`, `fallout thoss`, `fallout kestrel 3`."""
    return tuple(_give_fallout(moment, word, who) for word, who in _takers(moment).items())


def _takers(moment: Moment) -> dict[str, str]:
    """Return everybody and every asset, as `crew/mara` or `assets/kestrel`, by word."""
    assets = {word: f"{ASSETS}/{key}" for word, key in asset_words(moment).items()}
    return {**people_words(moment), **assets}


def one_more(moment: Moment, at: At) -> str:
    """Return the command that puts one more point of fallout into a track, without its text: `fallout mara physical 1`."""
    word = next(word for word, who in _takers(moment).items() if who == at.holder)
    return " ".join(("fallout", word, *(() if at.track == OWN else (at.track,)), "1"))


def _give_fallout(moment: Moment, word: str, who: str) -> Move:
    """Offer fallout for one of them. The track is asked only if there are several."""
    name, tracks = moment.name(who), list(FalloutTrack) if who.startswith(f"{CREW}/") else [OWN]
    options = tuple(
        Option(track, track.capitalize(), blocked=_no_more(moment, At(who, track), track.capitalize()))
        for track in tracks
    )
    none = None
    if all(option.blocked for option in options):
        none = (
            _no_more(moment, At(who, OWN), name)
            if tracks == [OWN]
            else Refusal(f"none of {name}'s tracks can take more fallout", "EG-33")
        )
    track = (PickOne("track", "Track", options, clause="EG-30"),) if len(options) > 1 else ()
    asks = (
        *track,
        Number("points", "How much", 1, _MOST, 1),
        Text("text", "How it happened, or the condition of a full row"),
    )
    about, heading = (who.replace("/", ".", 1),), f"{name} takes fallout"
    return Move("fallout", (word,), f"Deal fallout to {name}", asks, none, about=about, effect=True, heading=heading)


def play(moment: Moment, move: Move, given: Answers, _dice: Dice) -> Moment:
    """Put fallout into a track, up to a condition (EG-31). Raises `ActRefused` if a row fills and no condition is
    given.
    """
    who = _takers(moment)[move.words[0]]
    at = At(who, str(given.get("track", OWN)))
    points, text = int(str(given["points"])), str(given["text"]).strip()
    where = moment.name(who) if at.track == OWN else f"{moment.name(who)}, {at.track}"
    after, number = add_fallout(moment, at, points)
    after = after.says(f"{where}: fallout +{points}{f' (“{text}”)' if text else ''}", "EG-31")
    if number:
        if not text:
            raise ActRefused(f"{where}: this fills row {number}. Type its condition in quotes", "EG-31")
        row = rows_at(after, at)[0].get(number, Row())
        after = with_row(after, at, number, replace(row, condition=text))
        after = after.says(f"{where}: row {number} is full. New condition: “{text}”", "EG-31")
    after = _consequences(moment, after, at)
    hidden = who.startswith(f"{NPCS}/") or any(
        moment.hides(asset) for key, asset in moment.sheet.assets.items() if who == f"{ASSETS}/{key}"
    )
    return after.secretly() if hidden else after


def _consequences(before: Moment, moment: Moment, at: At) -> Moment:
    """Note the consequences of full tracks (EG-34, EG-35)."""
    being, name = moment.character(at.holder), moment.name(at.holder)
    if isinstance(being, Emissary):
        if is_dying(being) and not is_dying(_before(before, at)):
            return moment.says(
                f"Two tracks are full: {name} dies at the end of this conflict, or of the next one if none is in progress",
                "EG-34",
            )
    elif being is not None and is_full(moment, at):
        return moment.says(f"{name}'s track is full: in a conflict, {name} gives at once", "EG-35")
    return moment


CHAPTER = Chapter(offers=offers, plays={"fallout": play})
