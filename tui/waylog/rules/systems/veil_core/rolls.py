"""One roll, from its dice to its consequences: pool and roll type, outcome, Focus earned, damage (VK-10…VK-19).

The order is `ship_pool` or `crew_pool`, `throw`, then a choice about Focus (`focus_on_dice.py`), `read`, and `comes_out`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from waylog.rules.codec.changes import format_path
from waylog.rules.common.rulings import given_dice, given_words, note_dice, note_lifted, ruled_call, with_given
from waylog.rules.model.answers import selected_words
from waylog.rules.model.dice import Dice
from waylog.rules.model.facts import NoteFact, NotePart, OutcomeFact, OutcomeGrade
from waylog.rules.model.moves import ActRefused, Answers
from waylog.rules.systems.veil_core import probabilities
from waylog.rules.systems.veil_core.crew_focus_and_mission_end import fiasco_earns, forced_desperate
from waylog.rules.systems.veil_core.sheet import Advancement, Bay, Core, Module, ModuleKind
from waylog.rules.systems.veil_core.state_stages_and_typed_names import (
    SHIP,
    Call,
    Debt,
    FocusChoice,
    Group,
    Hit,
    Moment,
    Purpose,
    RollRequest,
    Settled,
    ShipHit,
    Stage,
    module_words,
)
from waylog.values import dataclass, replace

# -- the pool -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Pool:
    """The dice of a roll before they are rolled."""

    roll: RollRequest
    sources: tuple[str, ...]
    """The label of each die."""
    words: str
    """The pool in words: `NAV 2 + AFTERBURNERS`."""
    lowest: bool = False
    """The lowest die decides (VN-02)."""
    reasons: tuple[NoteFact, ...] = ()
    """Why the roll has this type and these dice."""


def helps(moment: Moment, system: Core) -> tuple[tuple[str, Bay, Module], ...]:
    """Return a system's specialised modules, destroyed ones too, each with its word (VK-06)."""
    named = {bay: word for word, bay in module_words(moment).items()}
    return tuple(
        (named[bay], bay, module)
        for bay, module in moment.modules()
        if module.kind is ModuleKind.SPECIALISED and module.system == system
    )


def core_dice(moment: Moment, system: Core) -> int:
    """Return the dice in a CORE system (VK-01), at most as many as the ship has, whatever the file says."""
    dice: int = getattr(moment.ship.core, system.value)
    return max(0, min(dice, moment.most_of(f"ship.core.{system}", moment.edition.core_dice)))


def ship_pool(moment: Moment, system: Core, answers: Answers) -> Pool:
    """Return the dice of a CORE system, and one more for each module that helps (VK-11). Raises `ActRefused`."""
    count, helping = core_dice(moment, system), selected_words(answers, "helps")
    modules = [module.name for word, _, module in helps(moment, system) if word in helping]
    sources = (*[system.value] * count, *modules)
    roll, reasons = _with_call(moment, RollRequest(SHIP, system.value), answers)
    wanting = f"{system} has no dice. A shunt or a specialised module would add one"
    pool = Pool(roll, sources, " + ".join((f"{system} {count}", *modules)), reasons=reasons)
    return _with_dice_limit(moment, pool, wanting, answers)


def vitality_dice(moment: Moment, who: str) -> tuple[int, str]:
    """Return the dice of a crew member before tools, and their label: vitality, unless a quality replaces it."""
    member = moment.member(who)
    fewer = member.down and moment.rules.resourceful_down == "one"
    if moment.has(who, Advancement.RESOURCEFUL) and not fewer:
        return 3, "resourceful 3"
    if member.down and moment.has(who, Advancement.RELENTLESS):
        return 1, "relentless 1"
    return _plain_vitality(moment, who)


def _plain_vitality(moment: Moment, who: str) -> tuple[int, str]:
    vitality = format_path(("crew", who, "vitality"))
    dice = max(0, min(moment.member(who).vitality, moment.most_of(vitality, moment.rules.vitality)))
    return dice, f"vitality {dice}"


def tool_dice(moment: Moment, who: str, tool: str) -> tuple[int, str]:
    """Return the dice and the name of a tool: primary 2; secondary 1, or 2 if oversized; arm 1 (VK-12, VK-67)."""
    member = moment.member(who)
    match tool:
        case "primary":
            return 2, member.primary.name or "primary tool"
        case "secondary":
            oversized = moment.has(who, Advancement.OVERSIZED_SYSTEMS)
            return 2 if oversized else 1, member.secondary.name or "secondary tool"
        case _:
            return 1, member.arm or "auxiliary arm"


def crew_pool(moment: Moment, roll: RollRequest, answers: Answers) -> Pool:
    """Return the dice of a crew roll: vitality, tools, and advancements (VK-12, VK-60…VK-69). Raises `ActRefused`."""
    count, words = vitality_dice(moment, roll.who)
    sources, spoken = [moment.name(roll.who)] * count, [words]
    for tool in selected_words(answers, "tools"):
        dice, name = tool_dice(moment, roll.who, tool)
        sources += [name] * dice
        spoken.append(f"{name} {dice}")
    if selected_words(answers, "expertise"):
        sources.append(moment.member(roll.who).expertise or "expertise")
        spoken.append(sources[-1])
    if moment.has(roll.who, Advancement.LIMITER_OVERRIDE):
        sources.append("limiter override")
        spoken.append("limiter override")
    called, reasons = _with_call(moment, roll, answers)
    wanting = "a tool or vitality would add one"
    pool = Pool(called, tuple(sources), " + ".join(spoken), reasons=reasons)
    return _with_dice_limit(moment, pool, wanting, answers)


def defence_pool(moment: Moment, defender: str, hit: Hit) -> Pool:
    """Return a Defender's dice: vitality alone, in a Standard roll, as the clause itself says what a Fiasco costs
    (VK-64).

    By house rule it is a crew roll like any other, without a tool.
    """
    tried = replace(hit, tried=(*hit.tried, defender))
    roll = RollRequest(defender, purpose=Purpose.DEFEND, mate=hit.who, hit=tried)
    if moment.rules.defence_dice == "crew-roll":
        return crew_pool(moment, roll, {})
    count, words = _plain_vitality(moment, defender)
    return _with_dice_limit(moment, Pool(roll, (moment.name(defender),) * count, words), "vitality would add one", {})


def _with_call(moment: Moment, roll: RollRequest, answers: Answers) -> tuple[RollRequest, tuple[NoteFact, ...]]:
    """Set the roll type: the wayfinder's choice, or Desperate if a rule says so, unless Foresight changes that or the
    wayfinder overrules it.
    """
    reasons = forced_desperate(moment, roll.who)
    wanted = str(answers.get("call", Call.STANDARD.value))
    if wanted == "foresight":
        return replace(roll, call=Call.STANDARD), (
            *reasons,
            NoteFact("Foresight makes the roll Standard", "VK-75", part=NotePart.DETAIL),
        )
    if ruled := ruled_call(wanted):
        return replace(roll, call=Call(ruled)), note_lifted(ruled, reasons)
    call = Call.DESPERATE if reasons else Call(wanted)
    return replace(roll, call=call), reasons


def _with_dice_limit(moment: Moment, pool: Pool, wanting: str, answers: Answers) -> Pool:
    """Limit the dice of a roll (VN-05), then give or take what the wayfinder says (VK-01), and treat a roll without dice as the
    edition says (VN-02).
    """
    most = moment.edition.most_dice(moment.rules)
    if most is not None and len(pool.sources) > most:
        note = NoteFact(f"{len(pool.sources)} dice in the pool, but only {most} are rolled", "VN-05")
        pool = replace(pool, sources=pool.sources[:most], reasons=(*pool.reasons, note))
    if pool.sources and given_dice(answers) < 0:
        wanting = "the wayfinder has removed them all"
    ruled = note_dice(answers, moment.edition.core_clause if pool.roll.who == SHIP else "VK-12")
    pool = replace(
        pool,
        sources=with_given(pool.sources, answers, title(moment, pool.roll)),
        words=f"{pool.words}{given_words(answers)}",
        reasons=(*pool.reasons, *ruled),
    )
    if not pool.sources:
        dice = moment.edition.no_dice(wanting)
        note = NoteFact(f"No dice: roll {dice} and use the lowest (never a Critical)", "VN-02")
        return replace(pool, sources=(pool.words,) * dice, lowest=True, reasons=(*pool.reasons, note))
    return pool


def summary(pool: Pool) -> str:
    """Return the pool in words: `3d6: NAV 2 + AFTERBURNERS`."""
    how = ", lowest counts" if pool.lowest else ""
    return f"{len(pool.sources)}d6{how}: {pool.words}"


# -- rolling and reading ------------------------------------------------------------------------------------------------

OUTCOMES = tuple(OutcomeGrade)
"""The outcomes, worst first (VK-14)."""
LABELS: Mapping[OutcomeGrade, str] = {
    OutcomeGrade.FIASCO: "Fiasco",
    OutcomeGrade.DRAWBACK: "Success with drawback",
    OutcomeGrade.SUCCESS: "Success",
    OutcomeGrade.CRITICAL: "Critical success",
}


def refuse_no_dice(more: str) -> int:
    """Refuse a roll without dice (VK-19). `more` says what would add one."""
    raise ActRefused(f"no dice to roll: {more}", "VK-19")


def throw(moment: Moment, pool: Pool, dice: Dice) -> Moment:
    """Roll the dice and open the stage in which Focus may be spent. May raise `DiceWanted`."""
    call = pool.roll.call
    # Types set by rules are among the pool's reasons.
    if call is not Call.STANDARD and not forced_desperate(moment, pool.roll.who):
        text = f"{call.capitalize()} (set by the wayfinder)"
        moment = moment.says(text, moment.edition.call_clause, NotePart.DETAIL)
    rolled, faces = moment.tells(*pool.reasons).rolls(
        dice, title(moment, pool.roll), pool.sources, _sentence(moment, pool.roll)
    )
    return rolled.then(FocusChoice(pool.roll, pool.sources, faces, pool.lowest))


def _sentence(moment: Moment, roll: RollRequest) -> str:
    """Return the roll as a sentence: `Tenacity rolls NAV`, `Mara makes a Desperate roll`, `Tove rolls to step in for Wick`."""
    who = moment.heading(roll.who)
    match roll.purpose:
        case Purpose.HEAL:
            return f"{who} rolls to treat {moment.name(roll.mate)}"
        case Purpose.DEFEND:
            return f"{who} rolls to step in for {moment.name(roll.mate)}"
        case Purpose.PLAIN if roll.call is Call.STANDARD:
            return f"{who} rolls {roll.system}".rstrip()
        case Purpose.PLAIN:
            return f"{who} makes a {' '.join(filter(None, (roll.call.capitalize(), roll.system)))} roll"


def title(moment: Moment, roll: RollRequest) -> str:
    """Return a short name for the roller: `NAV`, `Mara`."""
    return roll.system if roll.who == SHIP else moment.name(roll.who)


def outcome_of(faces: Sequence[int], lowest: bool) -> OutcomeGrade:
    """Return the outcome of dice (VK-14, VN-02)."""
    return OUTCOMES[probabilities.read(faces, lowest)]


def read(moment: Moment, thrown: FocusChoice) -> Moment:
    """Read the dice (VK-14) and open what follows."""
    return comes_out(moment.closes(), thrown.roll, outcome_of(thrown.faces, thrown.lowest))


def comes_out(moment: Moment, roll: RollRequest, outcome: OutcomeGrade) -> Moment:
    """Apply an outcome: Focus for a Fiasco, damage if the roll type says so, then the purpose of the roll."""
    aside = roll.purpose is Purpose.DEFEND
    after = moment.tells(OutcomeFact(outcome.value, LABELS[outcome], outcome, title(moment, roll), aside))
    if outcome is OutcomeGrade.FIASCO:
        after = fiasco_earns(after, roll)
    after = record_roll(after, roll, outcome)
    match roll.purpose:
        case Purpose.HEAL:
            after = apply_healing(after, roll, outcome)
        case Purpose.DEFEND:
            after = apply_defence(after, roll, outcome)
        case Purpose.PLAIN:
            pass
    if after.edition.harms(roll.call, outcome):
        hurt = "the ship" if roll.who == SHIP else after.name(roll.who)
        text = f"{roll.call.capitalize()} {LABELS[outcome]}: {hurt} takes damage"
        after = after.says(text, after.edition.harm_clause, NotePart.DETAIL).then(
            ShipHit() if roll.who == SHIP else Hit(roll.who)
        )
    return after


def record_roll(moment: Moment, roll: RollRequest, outcome: OutcomeGrade) -> Moment:
    """Record a roll for a possible shunt (VK-33), or for the group that it belongs to (VK-20)."""
    critical = (roll.who,) if outcome is OutcomeGrade.CRITICAL else ()
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


_HEALS: Mapping[OutcomeGrade, int] = {
    OutcomeGrade.CRITICAL: 2,
    OutcomeGrade.SUCCESS: 1,
    OutcomeGrade.DRAWBACK: 1,
    OutcomeGrade.FIASCO: 0,
}


def apply_healing(moment: Moment, roll: RollRequest, outcome: OutcomeGrade) -> Moment:
    """Apply a roll to heal: vitality for the patient, and a price for the healer after a drawback or a Fiasco (VK-44)."""
    mate = moment.member(roll.mate)
    gained = min(_HEALS[outcome], moment.rules.vitality - mate.vitality)
    if gained > 0:
        moment = moment.with_member(roll.mate, vitality=mate.vitality + gained)
        moment = moment.says(f"{moment.name(roll.mate)}: vitality +{gained}, now {mate.vitality + gained}", "VK-44")
    if outcome in (OutcomeGrade.DRAWBACK, OutcomeGrade.FIASCO):
        return moment.then(Debt(roll.who))
    return moment


def apply_defence(moment: Moment, roll: RollRequest, outcome: OutcomeGrade) -> Moment:
    """Apply a Defender's roll: it decides who takes the damage (VK-64)."""
    if outcome is OutcomeGrade.DRAWBACK:
        outcome = OutcomeGrade(moment.rules.defender_drawback)
    mate, defender = moment.name(roll.mate), moment.name(roll.who)
    hit = replace(roll.hit, who=roll.mate, tried=roll.hit.tried or (roll.who,))
    match outcome:
        case OutcomeGrade.CRITICAL:
            return moment.says(f"Neither {mate} nor {defender} is hurt", "VK-64").then(*next_of(hit))
        case OutcomeGrade.FIASCO:
            both = moment.says(f"{mate} and {defender} both take damage", "VK-64")
            return both.then(replace(hit, also=(roll.who, *hit.also)))
        case _:
            return moment.says(f"{defender} takes the damage for {mate}", "VK-64", NotePart.DETAIL).then(
                replace(hit, who=roll.who)
            )


def next_of(hit: Hit) -> tuple[Hit, ...]:
    """Return the same hit for the next who takes it; an empty tuple if nobody is left."""
    return (Hit(hit.also[0], also=hit.also[1:], tried=hit.tried),) if hit.also else ()
