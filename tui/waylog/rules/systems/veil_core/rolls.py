"""A roll from the throw to what follows: spending Focus, reading the dice, earning Focus, being hurt (VK-13…VK-16)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from waylog.rules.dice import Dice
from waylog.rules.systems.veil_core import chances
from waylog.rules.systems.veil_core.exposure import forced_desperate
from waylog.rules.systems.veil_core.moment import SHIP, Moment
from waylog.rules.systems.veil_core.pools import Pool
from waylog.rules.systems.veil_core.sheet import Advancement
from waylog.rules.systems.veil_core.stages import Call, Debt, Group, Hit, Purpose, Roll, Settled, ShipHit, Stage, Thrown
from waylog.rules.turns import Mood, Result

OUTCOMES = tuple(Mood)
"""Worst first (VK-14)."""
LABELS: Mapping[Mood, str] = {
    Mood.FIASCO: "Fiasco",
    Mood.DRAWBACK: "Success with drawback",
    Mood.SUCCESS: "Success",
    Mood.CRITICAL: "Critical success",
}


def throw(moment: Moment, pool: Pool, dice: Dice) -> Moment:
    """The dice fall, and lie there to be read. May raise `DiceWanted`."""
    told = _called(moment, pool.roll).tells(*pool.reasons)
    rolled, faces = told.rolls(dice, title(moment, pool.roll), pool.sources)
    return rolled.then(Thrown(pool.roll, pool.sources, faces, pool.lowest))


def _called(moment: Moment, roll: Roll) -> Moment:
    """Note how the wayfinder called the roll, where that is not Standard. What a rule makes of it is among the pool's reasons."""
    if roll.call is Call.STANDARD or forced_desperate(moment, roll.who):
        return moment
    return moment.says(f"{roll.call.capitalize()}: the wayfinder's call", moment.edition.call_clause)


def title(moment: Moment, roll: Roll) -> str:
    """Whose roll it is, in a word: `NAV`, `Mara`."""
    return roll.system if roll.who == SHIP else moment.name(roll.who)


def outcome_of(faces: Sequence[int], lowest: bool) -> Mood:
    """Dice read (VK-14, VN-02)."""
    return OUTCOMES[chances.read(faces, lowest)]


def read(moment: Moment, thrown: Thrown) -> Moment:
    """The dice are read (VK-14), and what follows is opened."""
    return comes_out(moment.closes(), thrown.roll, outcome_of(thrown.faces, thrown.lowest))


def comes_out(moment: Moment, roll: Roll, outcome: Mood) -> Moment:
    """A roll has an outcome: Focus for a Fiasco, then damage if it was called so, then what the roll was made for."""
    mood = None if roll.purpose is Purpose.DEFEND else outcome
    after = moment.tells(Result(outcome.value, LABELS[outcome], mood, title(moment, roll)))
    if outcome is Mood.FIASCO:
        after = fiasco_earns(after, roll)
    after = settled(after, roll, outcome)
    match roll.purpose:
        case Purpose.HEAL:
            after = healed(after, roll, outcome)
        case Purpose.DEFEND:
            after = defended(after, roll, outcome)
        case Purpose.PLAIN:
            pass
    if after.edition.harms(roll.call, outcome):
        text = f"{roll.call.capitalize()}, so {after.name(roll.who)} takes damage"
        after = after.says(text, after.edition.harm_clause).then(ShipHit() if roll.who == SHIP else Hit(roll.who))
    return after


def fiasco_focus(moment: Moment, roll: Roll) -> tuple[tuple[int, str], ...]:
    """The Focus tokens that a Fiasco earns, each with the clause that gives it (VK-15, VK-69, VK-78)."""
    if roll.purpose is Purpose.HEAL and moment.rules.heal_fiasco_focus == "not-earned":
        earned = []
    else:
        earned = [(1, "VK-15")]
    if roll.who == SHIP:
        return tuple(earned)
    if moment.has(roll.who, Advancement.RECIRCULATION_KIT):
        earned.append((1, "VK-69"))
    dread = moment.member(roll.who).prep.dread
    if dread > 0 and moment.on_mission:
        earned.append((dread, "VK-78"))
    return tuple(earned)


def fiasco_earns(moment: Moment, roll: Roll) -> Moment:
    """A Fiasco earns its roller Focus."""
    for tokens, clause in fiasco_focus(moment, roll):
        moment = moment.earns(roll.who, tokens, clause)
    return moment


def settled(moment: Moment, roll: Roll, outcome: Mood) -> Moment:
    """Note that a roll was made, for a shunt after it (VK-33), or for the group that it belongs to (VK-20)."""
    critical = (roll.who,) if outcome is Mood.CRITICAL else ()
    bottom: Stage | None = moment.stages[0] if moment.stages else None
    match bottom:
        case Group() if roll.purpose is not Purpose.DEFEND:
            rolled = replace(bottom, rollers=(*bottom.rollers, roll.who), outcomes=(*bottom.outcomes, outcome))
            return replace(moment, stages=(rolled, *moment.stages[1:]))
        case Group():
            return moment
        case Settled():
            merged = Settled((*bottom.rollers, roll.who), (*bottom.criticals, *critical))
            return replace(moment, stages=(merged, *moment.stages[1:]))
        case _:
            return replace(moment, stages=(Settled((roll.who,), critical), *moment.stages))


_HEALS: Mapping[Mood, int] = {Mood.CRITICAL: 2, Mood.SUCCESS: 1, Mood.DRAWBACK: 1, Mood.FIASCO: 0}


def healed(moment: Moment, roll: Roll, outcome: Mood) -> Moment:
    """A roll to heal: vitality for the mate, and a debt for the healer after a drawback or a Fiasco (VK-44)."""
    mate = moment.member(roll.mate)
    gained = min(_HEALS[outcome], 3 - mate.vitality)
    if gained > 0:
        moment = moment.with_member(roll.mate, vitality=mate.vitality + gained)
        moment = moment.says(f"{moment.name(roll.mate)}: vitality +{gained}, now {mate.vitality + gained}", "VK-44")
    if outcome in (Mood.DRAWBACK, Mood.FIASCO):
        return moment.then(Debt(roll.who))
    return moment


def defended(moment: Moment, roll: Roll, outcome: Mood) -> Moment:
    """A Defender's roll: who takes the damage (VK-64)."""
    if outcome is Mood.DRAWBACK:
        outcome = Mood(moment.rules.defender_drawback)
    mate, defender = moment.name(roll.mate), moment.name(roll.who)
    hit = replace(roll.hit, who=roll.mate, tried=roll.hit.tried or (roll.who,))
    match outcome:
        case Mood.CRITICAL:
            return moment.says(f"Neither {mate} nor {defender} is hurt", "VK-64").then(*next_of(hit))
        case Mood.FIASCO:
            both = moment.says(f"{mate} and {defender} both take damage", "VK-64")
            return both.then(replace(hit, also=(roll.who, *hit.also)))
        case _:
            return moment.says(f"{defender} takes the damage for {mate}", "VK-64").then(replace(hit, who=roll.who))


def next_of(hit: Hit) -> tuple[Hit, ...]:
    """The same hit for whoever takes it next, once it is dealt with for the first; nothing when nobody is left."""
    return (Hit(hit.also[0], also=hit.also[1:], tried=hit.tried),) if hit.also else ()
