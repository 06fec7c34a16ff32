"""The panels of the sheet: rows and values for the ship and crew tabs."""

from __future__ import annotations

from waylog.rules.naming import in_short
from waylog.rules.panels import Panel, PipsRow, Rank, Row, Tag, TextRow, Tone
from waylog.rules.systems._veil_hits.moment import Moment, times
from waylog.rules.systems._veil_hits.ship_panels import modules, ship, systems, tokens
from waylog.rules.systems.veil_classic.proficiency import member_of
from waylog.rules.systems.veil_classic.rolls import desperate
from waylog.rules.systems.veil_classic.shunts import ship_of, without_sharing
from waylog.values import replace


def panels(moment: Moment) -> tuple[Panel, ...]:
    """Return the panels: the ship, its systems, tokens and modules; then each crew member."""
    moment = without_sharing(moment)
    return (
        ship(moment, Tag(ship_of(moment).state, Tone.DIM)),
        _systems(moment),
        tokens(moment),
        modules(moment),
        *(_member(moment, key) for key in moment.crew()),
    )


def _systems(moment: Moment) -> Panel:
    """Return the panel of the systems, with the number of lost dice (VC-14)."""
    called = (Tag("Desperate", Tone.BAD),) if desperate(moment, system=True) else ()
    panel, lost = systems(moment, called), ship_of(moment).dice_lost
    if lost <= 0:
        return panel
    return replace(panel, rows=(*panel.rows, TextRow("ship.dice_lost", "Lost", times(lost, "die"), Tone.WARN)))


def _member(moment: Moment, key: str) -> Panel:
    row, member = f"crew.{key}", member_of(moment, key)
    pairs = (
        ("background", _panel_text((member.background, *member.backgrounds))),
        ("skill", _panel_text((member.skill, *member.skills))),
        ("flaw", member.flaw),
    )
    rows: tuple[Row, ...] = (
        *(TextRow(f"{row}.{name}", name.capitalize(), text) for name, text in pairs if text),
        PipsRow(f"{row}.personal", "Personal", member.personal, moment.rules.personal_dice, rank=Rank.VITAL),
        TextRow(f"{row}.grit", "Grit", times(member.grit, "token") if member.grit else "none", rank=Rank.VITAL),
    )
    tags = [Tag("no personal dice", Tone.BAD)] if member.personal <= 0 else []
    if desperate(moment, system=False):
        tags.append(Tag("rolls Desperate", Tone.BAD))
    return Panel(row, "crew", member.name or key, rows, tuple(tags), role=in_short(member.background))


def _panel_text(texts: tuple[str, ...]) -> str:
    return "; ".join(text for text in texts if text)
