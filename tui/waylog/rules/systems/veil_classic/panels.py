"""The panels of the sheet: rows and values for the ship and crew tabs.

The faults in a campaign file that break a clause and that types alone don't show.
"""

from __future__ import annotations

from collections.abc import Iterator

from waylog.rules.codec.base import Fault
from waylog.rules.codec.changes import in_short
from waylog.rules.model.panels import Panel, PipsRow, Rank, Row, Tag, TextRow, Tone
from waylog.rules.systems._veil_older_editions.crew import find_excess
from waylog.rules.systems._veil_older_editions.panels import count_dice, member_tags, ship_panels
from waylog.rules.systems._veil_older_editions.ship_and_typed_names import Moment, times
from waylog.rules.systems.veil_classic.sheet import member_of
from waylog.rules.systems.veil_classic.shunts import ship_of, without_sharing


def faults(moment: Moment) -> Iterator[Fault]:
    """Yield everything that breaks a clause but doesn't stop play."""
    yield from count_dice(moment, ship_of(moment).dice_lost)
    for key in moment.crew():
        yield from find_excess(moment, key)


def panels(moment: Moment) -> tuple[Panel, ...]:
    """Return the panels: the ship, its systems with the number of lost dice (VC-14), tokens and modules; then each crew member."""
    moment, ship = without_sharing(moment), ship_of(moment)
    lost = (TextRow("ship.dice_lost", "Lost", times(ship.dice_lost, "die"), Tone.WARN),) if ship.dice_lost > 0 else ()
    shown = ship_panels(moment, Tag(ship.state, Tone.DIM), lost=lost)
    return (*shown, *(_member(moment, key) for key in moment.crew()))


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
    return Panel(row, "crew", member.name or key, rows, member_tags(moment, key), role=in_short(member.background))


def _panel_text(texts: tuple[str, ...]) -> str:
    return "; ".join(text for text in texts if text)
