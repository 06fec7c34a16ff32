"""Who is Exposed, which rolls are Desperate whatever anyone says, and what ends a mission."""

from __future__ import annotations

from dataclasses import replace

from waylog.rules.clocks import Running, running
from waylog.rules.moves import Refusal
from waylog.rules.situations import made_by
from waylog.rules.systems.veil_core.moment import SHIP, Moment
from waylog.rules.systems.veil_core.sheet import Advancement
from waylog.rules.turns import Note


def exposed(moment: Moment, who: str) -> Note | None:
    """Why a crew member is Exposed, or None (VK-43): marked by the wayfinder, by the ship's air, by a clock or a situation."""
    tokens = moment.ship.tokens
    if moment.member(who).exposed:
        return Note("marked by the wayfinder", "VK-43")
    spent_safely = tokens.life_support_spent and moment.rules.life_support_spent == "safe"
    if not tokens.life_support and not spent_safely:
        return Note("the ship's life support is lost", "VK-37")
    return running(moment.clocks, Running.EXPOSED) or next(iter(made_by(moment.situations, Running.EXPOSED)), None)


def forced_desperate(moment: Moment, who: str) -> tuple[Note, ...]:
    """Every rule that makes the ship's or a crew member's rolls Desperate now (VK-17, VK-18, VK-69, NM-19, NM-25)."""
    clock = running(moment.clocks, Running.DESPERATE)
    reasons = [replace(clock, text=f"Desperate {clock.text}")] if clock else []
    made = made_by(moment.situations, Running.DESPERATE)
    reasons += [replace(note, text=f"Desperate: {note.text}") for note in made]
    if who == SHIP:
        if not moment.ship.tokens.engineering:
            reasons.append(Note("Desperate: engineering is lost", "VK-17"))
        return tuple(reasons)
    why = exposed(moment, who)
    if why and moment.rules.exposed == "always":
        reasons.append(replace(why, text=f"Desperate: Exposed ({why.text})", clause="VK-18"))
    elif why and not moment.member(who).life_support:
        said = f"Desperate: Exposed ({why.text}) without suit life support"
        reasons.append(replace(why, text=said, clause="VK-18"))
    if moment.has(who, Advancement.LIMITER_OVERRIDE):
        reasons.append(Note("Desperate: limiter override", "VK-69"))
    return tuple(reasons)


def crew_down(moment: Moment) -> bool:
    """There is a crew, and nobody in it is left standing (VK-42)."""
    return bool(moment.sheet.crew) and all(member.burned or member.down for member in moment.sheet.crew.values())


def ended(moment: Moment) -> Refusal | None:
    """Why the mission has ended and rolls wait for `carry-on` (VK-32, VK-42), or None."""
    if moment.sheet.mission.carry_on:
        return None
    if moment.ship.wrecked:
        return Refusal("the ship is Wrecked and the mission has ended; “carry-on” goes on all the same", "VK-32")
    if crew_down(moment):
        return Refusal("the whole crew is Down and Out; “carry-on” goes on all the same", "VK-42")
    return None


def ends(moment: Moment, text: str, clause: str) -> Moment:
    """The mission ends by what has just happened: leave to carry on has to be given anew."""
    after = moment.with_mission(carry_on=False) if moment.sheet.mission.carry_on else moment
    return after.says(text, clause)
