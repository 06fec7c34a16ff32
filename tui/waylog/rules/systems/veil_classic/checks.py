"""The faults in a campaign file that break a clause and that types alone don't show."""

from __future__ import annotations

from collections.abc import Iterator

from waylog.rules.codec.base import Excess, Fault
from waylog.rules.systems._veil_hits.moment import Moment
from waylog.rules.systems._veil_hits.sheet import CARRIED
from waylog.rules.systems.veil_classic.proficiency import member_of
from waylog.rules.systems.veil_classic.shunts import ship_of


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
