"""After a conflict: clear boxes, fight a condition, or accept it as a trait (EG-36…EG-38, EG-44)."""

from __future__ import annotations

from collections.abc import Iterator

from waylog.rules.model.clocks import new_key
from waylog.rules.model.dice import Dice
from waylog.rules.model.facts import NoteFact
from waylog.rules.model.moves import Answers, Move, Number, Option, PickOne, Refusal, Text
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
from waylog.rules.systems.emissaries.sheet import Emissary, FalloutTrack, Row, Trait
from waylog.rules.systems.emissaries.stages_and_typed_names import (
    ASSETS,
    CREW,
    Aftermath,
    ConflictStage,
    Moment,
    asset_words,
    crew_words,
)
from waylog.values import replace

CONDITION_DICE = "4d6 4d8"
"""The dice against removing a condition (EG-37)."""
_SCENE = Text("scene", "The scene, in one line", required=True)


def offers(moment: Moment) -> tuple[Move, ...]:
    """Offer `recover mara`, `cure mara`, `accept mara`; and the first two for assets."""
    return (*_of_crew(moment), *_of_assets(moment))


def _of_crew(moment: Moment) -> Iterator[Move]:
    for word, key in crew_words(moment).items():
        who, about = f"{CREW}/{key}", (f"crew.{key}",)
        emissary, name = moment.sheet.crew[key], moment.name(who)
        tracks = [At(who, track.value) for track in FalloutTrack]
        may = None if emissary.may_recover else _too_late(name, "recovered", "EG-36")
        yield _recovery_moves(moment, word, name, tracks, may, about)
        yield _cure_moves(moment, word, name, tracks, about)
        may = None if emissary.may_accept else _too_late(name, "accepted a condition", "EG-38")
        rows = _with_conditions(moment, tracks)
        asks = (PickOne("row", "Condition", rows, clause="EG-38"), Text("text", "New wording"))
        none = may or (None if rows else Refusal(f"{name} has no conditions", "EG-38"))
        yield Move("accept", (word,), f"{name}: accept a condition as a trait at 1d4", asks, none, about=about)


def _of_assets(moment: Moment) -> Iterator[Move]:
    for word, key in asset_words(moment).items():
        who, about = f"{ASSETS}/{key}", (f"assets.{key}",)
        name, tracks = moment.name(who), [At(who, OWN)]
        may = None if moment.sheet.assets[key].may_recover else _too_late(name, "recovered", "EG-44")
        yield _recovery_moves(moment, word, name, tracks, may, about)
        yield _cure_moves(moment, word, name, tracks, about)


def _too_late(name: str, deed: str, clause: str) -> Refusal:
    return Refusal(f"{name} has already {deed} since the last conflict", clause)


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
    return Move("recover", (word,), f"{name}: clear up to {OFF} boxes", asks, none, about=about, effect=True)


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
    label = f"{name}: conflict to remove a condition, against {CONDITION_DICE}"
    return Move("cure", (word,), label, (PickOne("row", "Condition", rows, clause="EG-37"),), none, about=about)


def _with_conditions(moment: Moment, tracks: list[At]) -> tuple[Option, ...]:
    return tuple(
        Option(f"{at.track}-{number}", condition) for at in tracks for number, condition in conditions(moment, at)
    )


def aftermath(moment: Moment) -> tuple[Move, ...]:
    """Offer what is possible after a conflict: clear boxes, accept conditions as traits."""
    return tuple(move for move in offers(moment) if _comes_after(move))


def _comes_after(move: Move) -> bool:
    return move.verb in ("recover", "accept") and not move.blocked


def _offers_but_after_a_conflict(moment: Moment) -> tuple[Move, ...]:
    """Return `offers` without those that the end of a conflict already makes."""
    after = isinstance(moment.top, Aftermath)
    return tuple(move for move in offers(moment) if not (after and _comes_after(move)))


def with_aftermath(moment: Moment) -> Moment:
    """Return the moment with the aftermath on offer, if there is any, and nothing else open."""
    return moment.opens(Aftermath() if aftermath(moment) else None)


def play(moment: Moment, move: Move, given: Answers, _dice: Dice) -> Moment:
    """Play one of `offers`. Other offers of the aftermath stay."""
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
        opened = moment.opens(ConflictStage(f"Does {name} get rid of “{condition}”?", clears=format_row(at, number)))
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


CHAPTER = Chapter(offers=_offers_but_after_a_conflict, plays={"recover": play, "cure": play, "accept": play})
