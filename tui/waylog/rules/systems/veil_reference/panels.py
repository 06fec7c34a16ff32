"""The panels of the sheet: rows and values for the ship and crew tabs.

The faults in a campaign file that break a clause and that types alone don't show.
"""

from __future__ import annotations

from collections.abc import Iterator

from waylog.rules.codec.base import Excess, Fault
from waylog.rules.codec.changes import in_short, slug
from waylog.rules.model.panels import MarkRow, Panel, PipsRow, Rank, Row, Tag, TextRow, Tone
from waylog.rules.systems._veil_hits.moment import CARRIED, Moment
from waylog.rules.systems._veil_hits.roll_moves import modules, ship, systems, tokens
from waylog.rules.systems.veil_reference.crew import all_skills, goes_with, item_dice, member_of
from waylog.rules.systems.veil_reference.rolls import desperate
from waylog.rules.systems.veil_reference.sheet import Item, Member


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


def panels(moment: Moment) -> tuple[Panel, ...]:
    """Return the panels: the ship, its systems, tokens and modules; then each crew member."""
    called = (Tag("Desperate", Tone.BAD),) if desperate(moment, system=True) else ()
    return (
        ship(moment),
        systems(moment, called),
        tokens(moment),
        modules(moment),
        *(_member(moment, key) for key in moment.crew()),
    )


def _member(moment: Moment, key: str) -> Panel:
    row, member = f"crew.{key}", member_of(moment, key)
    rows: list[Row] = [TextRow(f"{row}.about", "About", member.about, rank=Rank.ABOUT)] if member.about else []
    rows.append(PipsRow(f"{row}.vitality", "Vitality", member.vitality, moment.rules.vitality, rank=Rank.VITAL))
    rows.extend(
        TextRow(f"{row}.skills.{slug(name)}", name[:1].upper() + name[1:], goes_with(moment, name))
        for name in member.skills
    )
    rows.extend(_item(moment, f"{row}.equipment.{text}", text, item) for text, item in member.equipment.items())
    return Panel(row, "crew", member.name or key, tuple(rows), _tags(moment, member), role=in_short(member.about))


def _item(moment: Moment, key: str, text: str, item: Item) -> Row:
    dice = f"+{item_dice(moment, item)}d6"
    state = "ready" if item.ready else "spent"
    return MarkRow(key, item.name or text, item.ready, state, dice, item.about, switch=f"{key}.ready")


def _tags(moment: Moment, member: Member) -> tuple[Tag, ...]:
    tags = [Tag("no vitality", Tone.BAD)] if member.vitality <= 0 else []
    if desperate(moment, system=False):
        tags.append(Tag("rolls Desperate", Tone.BAD))
    return tuple(tags)
