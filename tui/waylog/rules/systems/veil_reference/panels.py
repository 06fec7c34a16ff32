"""The panels of the sheet: rows and values for the ship and crew tabs.

The faults in a campaign file that break a clause and that types alone don't show.
"""

from __future__ import annotations

from collections.abc import Iterator

from waylog.rules.codec.base import Fault
from waylog.rules.codec.changes import in_short, slug
from waylog.rules.model.panels import MarkRow, Panel, PipsRow, Rank, Row, TextRow
from waylog.rules.systems._veil_older_editions.crew import find_excess
from waylog.rules.systems._veil_older_editions.panels import count_dice, member_tags, ship_panels
from waylog.rules.systems._veil_older_editions.ship_and_typed_names import Moment
from waylog.rules.systems.veil_reference.crew import all_skills, goes_with, item_dice, member_of


def faults(moment: Moment) -> Iterator[Fault]:
    """Yield everything that breaks a clause but doesn't stop play."""
    yield from count_dice(moment)
    most_dice, skills = moment.rules.equipment_dice, all_skills(moment.sheet)
    for key in moment.crew():
        member, path = member_of(moment, key), ("crew", key)
        yield from find_excess(moment, key)
        for name in member.skills:
            if slug(name) not in skills:
                listed = ", ".join(skill.name for skill in skills.values())
                message = f"“{name}” is not a known skill. Use {listed}, or add it to [skills]"
                yield Fault((*path, "skills"), message, "RF-16", grave=False)
        for text, item in member.equipment.items():
            if item.dice > most_dice:
                message = f"{item.name or text} can't have {item.dice} dice: the house rule allows at most {most_dice}"
                yield Fault((*path, "equipment", text, "dice"), message, "RF-02", grave=False)


def panels(moment: Moment) -> tuple[Panel, ...]:
    """Return the panels: the ship, its systems, tokens and modules; then each crew member."""
    return (*ship_panels(moment), *(_member(moment, key) for key in moment.crew()))


def _member(moment: Moment, key: str) -> Panel:
    row, member = f"crew.{key}", member_of(moment, key)
    rows: list[Row] = [TextRow(f"{row}.about", "About", member.about, rank=Rank.ABOUT)] if member.about else []
    rows.append(PipsRow(f"{row}.vitality", "Vitality", member.vitality, moment.rules.vitality, rank=Rank.VITAL))
    rows.extend(
        TextRow(f"{row}.skills.{slug(name)}", name[:1].upper() + name[1:], goes_with(moment, name))
        for name in member.skills
    )
    for text, item in member.equipment.items():
        place, state = f"{row}.equipment.{text}", "ready" if item.ready else "spent"
        dice = f"+{item_dice(moment, item)}d6"
        rows.append(MarkRow(place, item.name or text, item.ready, state, dice, item.about, switch=f"{place}.ready"))
    return Panel(row, "crew", member.name or key, tuple(rows), member_tags(moment, key), role=in_short(member.about))
