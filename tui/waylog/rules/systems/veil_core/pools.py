"""Which dice a roll throws, how it is called, and why (VK-10…VK-12, VK-17…VK-19)."""

from __future__ import annotations

from dataclasses import replace

from waylog.rules.moves import Answers, picked
from waylog.rules.systems.veil_core.exposure import forced_desperate
from waylog.rules.systems.veil_core.moment import SHIP, Moment
from waylog.rules.systems.veil_core.naming import module_words
from waylog.rules.systems.veil_core.sheet import TOP_VITALITY, Advancement, Bay, Core, Kind, Module
from waylog.rules.systems.veil_core.stages import Call, Hit, Purpose, Roll
from waylog.rules.turns import Note
from waylog.values import dataclass


@dataclass(frozen=True, slots=True)
class Pool:
    """Dice about to be thrown."""

    roll: Roll
    sources: tuple[str, ...]
    """What each die is for."""
    words: str
    """`NAV 2 + AFTERBURNERS`."""
    lowest: bool = False
    """The lowest die is read (VN-02)."""
    reasons: tuple[Note, ...] = ()
    """Why the call and the dice are what they are."""


def helps(moment: Moment, system: Core) -> tuple[tuple[str, Bay, Module], ...]:
    """The specialised modules of a system, destroyed ones too, each with its word (VK-06)."""
    named = {bay: word for word, bay in module_words(moment).items()}
    return tuple(
        (named[bay], bay, module)
        for bay, module in moment.modules()
        if module.kind is Kind.SPECIALISED and module.system == system
    )


def core_dice(moment: Moment, system: Core) -> int:
    """Dice in a CORE system (VK-01). A file may say anything; nobody throws more than the ship has."""
    dice: int = getattr(moment.ship.core, system.value)
    return max(0, min(dice, moment.edition.core_dice))


def ship_pool(moment: Moment, system: Core, answers: Answers) -> Pool:
    """The CORE system's dice, and one more for each module that helps (VK-11). Raises `Refused`."""
    own, helping = core_dice(moment, system), picked(answers, "helps")
    modules = [module.name for word, _, module in helps(moment, system) if word in helping]
    sources = (*[system.value] * own, *modules)
    roll, reasons = _called(moment, Roll(SHIP, system.value), answers)
    wanting = f"{system} is at 0; a shunt or a specialised module would add a die"
    return _measured(moment, Pool(roll, sources, " + ".join((f"{system} {own}", *modules)), reasons=reasons), wanting)


def vitality_dice(moment: Moment, who: str) -> tuple[int, str]:
    """The dice someone rolls before any tool, and the word for them: vitality, unless a quality says otherwise."""
    member = moment.member(who)
    fewer = member.down and moment.rules.resourceful_down == "one"
    if moment.has(who, Advancement.RESOURCEFUL) and not fewer:
        return 3, "resourceful 3"
    if member.down and moment.has(who, Advancement.RELENTLESS):
        return 1, "relentless 1"
    return _plain_vitality(moment, who)


def _plain_vitality(moment: Moment, who: str) -> tuple[int, str]:
    dice = max(0, min(moment.member(who).vitality, TOP_VITALITY))
    return dice, f"vitality {dice}"


def tool_dice(moment: Moment, who: str, tool: str) -> tuple[int, str]:
    """What a tool adds and what it is called: primary 2, secondary 1, or 2 if oversized, an arm 1 (VK-12, VK-67)."""
    member = moment.member(who)
    match tool:
        case "primary":
            return 2, member.primary.name or "primary tool"
        case "secondary":
            oversized = moment.has(who, Advancement.OVERSIZED_SYSTEMS)
            return 2 if oversized else 1, member.secondary.name or "secondary tool"
        case _:
            return 1, member.arm or "auxiliary arm"


def crew_pool(moment: Moment, roll: Roll, answers: Answers) -> Pool:
    """Vitality, tools, and what advancements add (VK-12, VK-60…VK-69). Raises `Refused`."""
    own, words = vitality_dice(moment, roll.who)
    sources, spoken = [moment.name(roll.who)] * own, [words]
    for tool in picked(answers, "tools"):
        dice, name = tool_dice(moment, roll.who, tool)
        sources += [name] * dice
        spoken.append(f"{name} {dice}")
    if picked(answers, "expertise"):
        sources.append(moment.member(roll.who).expertise or "expertise")
        spoken.append(sources[-1])
    if moment.has(roll.who, Advancement.LIMITER_OVERRIDE):
        sources.append("limiter override")
        spoken.append("limiter override")
    called, reasons = _called(moment, roll, answers)
    wanting = "a tool would add one, and so would vitality"
    return _measured(moment, Pool(called, tuple(sources), " + ".join(spoken), reasons=reasons), wanting)


def defence_pool(moment: Moment, defender: str, hit: Hit) -> Pool:
    """A Defender rolls vitality dice alone, and the roll is Standard: the clause itself says what a Fiasco costs (VK-64).

    By house rule it is a crew roll like any other, without a tool.
    """
    tried = replace(hit, tried=(*hit.tried, defender))
    roll = Roll(defender, purpose=Purpose.DEFEND, mate=hit.who, hit=tried)
    if moment.rules.defence_dice == "crew-roll":
        return crew_pool(moment, roll, {})
    own, words = _plain_vitality(moment, defender)
    return _measured(moment, Pool(roll, (moment.name(defender),) * own, words), "only vitality would")


def _called(moment: Moment, roll: Roll, answers: Answers) -> tuple[Roll, tuple[Note, ...]]:
    """The roll with its call: as the wayfinder says, or Desperate where a rule says so, unless foresight mends it."""
    reasons = forced_desperate(moment, roll.who)
    wanted = str(answers.get("call", Call.STANDARD.value))
    if wanted == "foresight":
        return replace(roll, call=Call.STANDARD), (*reasons, Note("Standard after all: foresight", "VK-75"))
    call = Call.DESPERATE if reasons else Call(wanted)
    return replace(roll, call=call), reasons


def _measured(moment: Moment, pool: Pool, wanting: str) -> Pool:
    """The pool with as many dice as may be thrown: not too many (VN-05), and none at all is a case of its own."""
    if not pool.sources:
        dice = moment.edition.no_dice(wanting)
        note = Note(f"no dice: {dice} are thrown and the lowest is read, never as a Critical", "VN-02")
        return replace(pool, sources=(pool.words,) * dice, lowest=True, reasons=(*pool.reasons, note))
    most = moment.edition.most_dice(moment.rules)
    if most is not None and len(pool.sources) > most:
        note = Note(f"{len(pool.sources)} dice come together, and {most} are thrown", "VN-05")
        return replace(pool, sources=pool.sources[:most], reasons=(*pool.reasons, note))
    return pool


def summary(pool: Pool) -> str:
    """`3d6: NAV 2 + AFTERBURNERS`."""
    how = ", the lowest read" if pool.lowest else ""
    return f"{len(pool.sources)}d6{how}: {pool.words}"
