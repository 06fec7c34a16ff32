"""The panels of the sheet: rows and values for the ship and crew tabs."""

from __future__ import annotations

from waylog.rules.naming import in_short, slug
from waylog.rules.panels import MarkRow, Panel, PipsRow, Rank, Row, Tag, TextRow, Tone
from waylog.rules.systems._veil_hits.moment import Moment
from waylog.rules.systems._veil_hits.ship_panels import modules, ship, systems, tokens
from waylog.rules.systems.veil_reference.rolls import desperate, item_dice
from waylog.rules.systems.veil_reference.sheet import Item, Member
from waylog.rules.systems.veil_reference.skills import goes_with, member_of


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
