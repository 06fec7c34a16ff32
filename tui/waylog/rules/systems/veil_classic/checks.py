"""What in a campaign file breaks a clause, beyond what its types say."""

from __future__ import annotations

from collections.abc import Iterator

from waylog.rules.sheets import Fault
from waylog.rules.systems._veil_hits.moment import Moment
from waylog.rules.systems.veil_classic.proficiency import member_of
from waylog.rules.systems.veil_classic.shunts import ship_of


def faults(moment: Moment) -> Iterator[Fault]:
    """Everything that can be played on but isn't as the rules have it."""
    edition, lost = moment.edition, ship_of(moment).dice_lost
    total = sum(getattr(moment.ship.systems, system) for system in edition.systems)
    if total + lost != edition.dice:
        gone = f" with {lost} lost" if lost else ""
        message = f"the ship's systems hold {total} dice{gone}; it should be {edition.dice - lost} in all"
        yield Fault(("ship", "systems"), message, edition.dice_clause, grave=False)
    most: int = moment.rules.personal_dice
    for key in moment.crew():
        count = member_of(moment, key).personal
        if count > most:
            message = f"personal is {count}; this table plays with {most} at most"
            yield Fault(("crew", key, "personal"), message, "VC-03", grave=False)
