"""The faults in a campaign file that break a clause and that types alone don't show."""

from __future__ import annotations

from collections.abc import Iterator

from waylog.rules.codec.base import Excess, Fault
from waylog.rules.naming import slug
from waylog.rules.systems._veil_hits.moment import Moment
from waylog.rules.systems._veil_hits.sheet import CARRIED
from waylog.rules.systems.veil_reference.skills import all_skills, member_of


def faults(moment: Moment) -> tuple[Fault, ...]:
    """Return everything that breaks a clause but doesn't stop play."""
    return (*_dice(moment), *_crew(moment))


def _dice(moment: Moment) -> Iterator[Fault]:
    edition = moment.edition
    total = sum(getattr(moment.ship.systems, system) for system in edition.systems)
    if total != edition.dice:
        message = f"the ship's systems hold {total} dice; they should hold {edition.dice} in all"
        excess = Excess(total, edition.dice, edition.dice) if total >= 0 else None
        yield Fault(("ship", "systems"), message, edition.dice_clause, grave=False, excess=excess)


def _crew(moment: Moment) -> Iterator[Fault]:
    most, most_dice, skills = moment.rules.vitality, moment.rules.equipment_dice, all_skills(moment.sheet)
    for key in moment.crew():
        member, path = member_of(moment, key), ("crew", key)
        if member.vitality > most:
            message = f"vitality is {member.vitality}; by house rule the most is {most}"
            excess = Excess(member.vitality, 0, most) if member.vitality <= CARRIED else None
            yield Fault((*path, "vitality"), message, "RF-02", grave=False, excess=excess)
        for name in member.skills:
            if slug(name) not in skills:
                listed = ", ".join(skill.name for skill in skills.values())
                message = f"“{name}” is not a known skill; use {listed}, or add it to [skills]"
                yield Fault((*path, "skills"), message, "RF-16", grave=False)
        for text, item in member.equipment.items():
            if item.dice > most_dice:
                message = f"{item.name or text} has {item.dice} dice; by house rule the most is {most_dice}"
                yield Fault((*path, "equipment", text, "dice"), message, "RF-02", grave=False)
