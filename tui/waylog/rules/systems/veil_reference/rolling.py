"""The moves that roll, and how dice go back as the outcome says (RF-03…RF-14)."""

from __future__ import annotations

from dataclasses import replace

from waylog.rules.dice import Dice
from waylog.rules.moves import Answers, Ask, Move, Option, PickMany, PickOne, Refusal
from waylog.rules.naming import listed, slug
from waylog.rules.systems.veil_reference.calls import HEEDED, call_ask, call_notes
from waylog.rules.systems.veil_reference.damage import gone, hit
from waylog.rules.systems.veil_reference.hits import MOST_HELP, hits_told, hitting, outcome_of
from waylog.rules.systems.veil_reference.moment import Moment
from waylog.rules.systems.veil_reference.naming import crew_words, module_words, times, who_is
from waylog.rules.systems.veil_reference.pools import (
    DIFFICULTIES,
    Pool,
    against,
    desperate,
    item_dice,
    item_words,
    pool_of,
    vitality,
)
from waylog.rules.systems.veil_reference.sheet import Station
from waylog.rules.systems.veil_reference.skills import goes_with, member_of, skill_words
from waylog.rules.systems.veil_reference.stages import Place, Remap
from waylog.rules.systems.veil_reference.story import prompt
from waylog.rules.turns import Mood, Result

SYSTEM_WORDS = {station.value.lower(): station.value for station in Station}
_LOWERS = "−1"


def offers(moment: Moment) -> tuple[Move, ...]:
    """`roll mara engines`, a roll of each system for each of the crew; and `roll mara`, their own, an EVA roll."""
    return tuple(move for word, key in crew_words(moment).items() for move in _of(moment, word, key))


def _of(moment: Moment, word: str, who: str) -> tuple[Move, ...]:
    name, own, end = moment.name(who), vitality(moment, who), gone(moment)
    eva = f"Roll for {name} (EVA, {own}d6)"
    return (
        Move("roll", (word,), eva, _eva_asks(moment, who), end, rolls=True, heeds=HEEDED, about=(f"crew.{who}",)),
        *(
            Move(
                "roll",
                (word, said),
                f"Roll {system} for {name} ({own + moment.dice(system)}d6)",
                _ship_asks(moment, who),
                end,
                rolls=True,
                heeds=HEEDED,
                about=(f"crew.{who}", f"ship.systems.{system}"),
            )
            for said, system in SYSTEM_WORDS.items()
        ),
    )


def _ship_asks(moment: Moment, who: str) -> tuple[Ask, ...]:
    return (*_invoke(moment, who), _difficulty(), call_ask(desperate(moment, system=True)))


def _eva_asks(moment: Moment, who: str) -> tuple[Ask, ...]:
    """Equipment, and what a ship roll asks too."""
    member = member_of(moment, who)
    options = tuple(
        Option(
            word,
            member.equipment[key].name or key,
            f"+{item_dice(moment, member.equipment[key])}d6",
            (slug(key),) if slug(key) else (),
            blocked=None if member.equipment[key].ready else _spent(moment, who, member.equipment[key].name or key),
        )
        for word, key in item_words(moment, who).items()
    )
    equipment = (PickMany("equipment", "Equipment", options, clause="RF-04"),) if options else ()
    return (*equipment, *_invoke(moment, who), _difficulty(), call_ask(desperate(moment, system=False)))


def _spent(moment: Moment, who: str, name: str) -> Refusal:
    word = next(word for word, key in crew_words(moment).items() if key == who)
    return Refusal(f"{name} is spent; “resupply {word}” makes it ready again", "RF-12")


def _invoke(moment: Moment, who: str) -> tuple[Ask, ...]:
    """What lowers the hit target: skills, modules that stand, and whatever else helps (RF-05)."""
    built = dict(moment.modules())
    skills = (
        Option(word, name, f"{_LOWERS} · {uses}" if (uses := goes_with(moment, name)) else _LOWERS)
        for word, name in skill_words(moment, who).items()
    )
    modules = (
        Option(
            word,
            built[bay].name,
            _LOWERS,
            (f"#{bay}",),
            Refusal(f"{built[bay].name} is destroyed, and no help", "RF-05") if built[bay].destroyed else None,
        )
        for word, bay in module_words(moment).items()
    )
    options = (*skills, *modules)
    named = (PickMany("invoke", "Invoke", options, clause="RF-05"),) if options else ()
    other = (Option("help", "something else", _LOWERS),)
    return (*named, PickMany("other", "Other help", other, most=MOST_HELP, repeats=True, clause="RF-05"))


def _difficulty() -> PickOne:
    options = tuple(Option(word, str(number), also=(f"d{number}",)) for word, number in DIFFICULTIES.items())
    return PickOne("difficulty", "Difficulty", options, "one")


# -- rolling ---------------------------------------------------------------------------------------------------------


def pool(moment: Moment, move: Move, answers: Answers) -> Pool:
    """The dice that a `roll` would throw. Raises `Refused`."""
    who, system = move.words[0], SYSTEM_WORDS[move.words[1]] if len(move.words) > 1 else ""
    return pool_of(moment, who_is(moment, who), system, answers)


def play(moment: Moment, move: Move, answers: Answers, dice: Dice) -> Moment:
    """`roll mara engines sharp-mind two`. Raises `Refused` or `DiceWanted`."""
    thrown = pool(moment, move, answers)
    told = moment.tells(*call_notes(moment, thrown.reasons, desperate=thrown.desperate)).says(against(thrown), "RF-05")
    rolled, faces = told.rolls(dice, title(moment, thrown), thrown.sources)
    hits = hitting(faces, thrown.targets)
    outcome = outcome_of(len(hits), thrown.difficulty)
    word, label = moment.edition.outcomes[outcome]
    read = rolled.says(hits_told(hits, thrown.difficulty), "RF-06")
    read = read.tells(Result(word, label, outcome, title(moment, thrown)))
    read = prompt(read, outcome, faces)
    return after_ship_roll(read, thrown, outcome, dice) if thrown.system else after_eva_roll(read, thrown, outcome)


def title(moment: Moment, pool: Pool) -> str:
    """Whose roll it is: `Mara, Engines`."""
    return ", ".join(part for part in (moment.name(pool.who), pool.system) if part)


def after_ship_roll(moment: Moment, pool: Pool, outcome: Mood, dice: Dice) -> Moment:
    """How a ship roll's dice go back; vitality always does (RF-08…RF-11). May raise `DiceWanted`."""
    count, system = moment.dice(pool.system), pool.system
    match outcome:
        case Mood.SUCCESS:
            return moment.then(Remap())
        case Mood.DRAWBACK if count:
            return moment.then(Place(system, count, "RF-10"))
        case Mood.DRAWBACK:
            return moment
        case _:
            back = moment.says(f"{times(count, 'die')} back to {system}", "RF-11") if count else moment
            if not pool.desperate:
                return back
            return hit(back.says("Desperate, so the ship takes damage", "RF-11"), dice)


def after_eva_roll(moment: Moment, pool: Pool, outcome: Mood) -> Moment:
    """Equipment is spent (RF-12); vitality comes back but for one die after a Desperate Fiasco (RF-13)."""
    member = member_of(moment, pool.who)
    if pool.items:
        spent = {key: replace(member.equipment[key], ready=False) for key in pool.items}
        names = listed(spent[key].name or key for key in pool.items)
        member = replace(member, equipment={**member.equipment, **spent})
        moment = moment.with_member(pool.who, member).says(f"Spent: {names}", "RF-12")
    held = vitality(moment, pool.who)
    if not (pool.desperate and outcome is Mood.FIASCO and held):
        return moment
    after = moment.with_member(pool.who, replace(member, vitality=held - 1))
    return after.says(f"Desperate: {moment.name(pool.who)} loses a vitality die, {held - 1} left", "RF-13")
