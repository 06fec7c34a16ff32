"""The panels of the sheet: rows and values for the ship and crew tabs.

The faults in a campaign file that break a clause and that types alone don't show.
"""

from __future__ import annotations

from collections.abc import Iterator

from waylog.rules.codec.base import Excess, Fault
from waylog.rules.codec.changes import in_short
from waylog.rules.model.panels import Panel, PipsRow, Rank, Row, Tag, TextRow, Tone
from waylog.rules.systems._veil_hits.moment import CARRIED, Moment, times
from waylog.rules.systems._veil_hits.roll_moves import modules, ship, systems, tokens
from waylog.rules.systems.veil_classic.rolls import desperate, member_of
from waylog.rules.systems.veil_classic.shunts import ship_of, without_sharing
from waylog.values import replace


def faults(moment: Moment) -> Iterator[Fault]:
    """Yield everything that breaks a clause but doesn't stop play."""
    edition, lost = moment.edition, ship_of(moment).dice_lost
    total = sum(getattr(moment.ship.systems, system) for system in edition.systems)
    if total + lost != edition.dice:
        gone = f" with {lost} lost" if lost else ""
        message = f"the ship's systems hold {total} dice{gone}; they should hold {edition.dice - lost} in all"
        excess = Excess(total, edition.dice - lost, edition.dice - lost) if total >= 0 else None
        yield Fault(("ship", "systems"), message, edition.dice_clause, grave=False, excess=excess)
    most: int = moment.rules.personal_dice
    for key in moment.crew():
        count = member_of(moment, key).personal
        if count > most:
            message = f"personal is {count}; by house rule the most is {most}"
            excess = Excess(count, 0, most) if count <= CARRIED else None
            yield Fault(("crew", key, "personal"), message, "VC-03", grave=False, excess=excess)


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
