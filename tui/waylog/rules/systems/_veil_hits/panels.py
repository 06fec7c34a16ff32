"""The panels of the ship: itself, its dice, tokens and modules; what every crew member's panel shows; and dice that are missing
or too many.
"""

from __future__ import annotations

from collections.abc import Iterator

from waylog.rules.codec.base import Excess, Fault
from waylog.rules.model.panels import DiceRow, MarkRow, Panel, Rank, Row, Tag, TextRow, Tone
from waylog.rules.systems._veil_hits.damage import desperate_reasons
from waylog.rules.systems._veil_hits.moment import Bay, HeldToken, Moment, times
from waylog.rules.systems._veil_hits.roll_moves import dice_on_ship, hand_of, in_hand


def ship_panels(moment: Moment, *tags: Tag, lost: tuple[Row, ...] = ()) -> tuple[Panel, ...]:
    """Return the panels of the ship: itself, with `tags`; its systems, and what is `lost`; its tokens; its modules."""
    ship = moment.ship
    about = (TextRow("ship.about", "About", ship.about, rank=Rank.ABOUT),) if ship.about else ()
    gone = (Tag("destroyed", Tone.BAD), Tag("adventure ended", Tone.BAD)) if ship.destroyed else ()
    called = (Tag("Desperate", Tone.BAD),) if desperate_reasons(moment, system=True) else ()
    return (
        Panel("ship", "ship", ship.name or "The ship", about, (*gone, *tags)),
        Panel("ship.systems", "ship", "Systems", (*_systems(moment), *lost), called),
        Panel("ship.tokens", "ship", "Tokens", tuple(_token(moment, token) for token in HeldToken)),
        Panel("ship.modules", "ship", "Modules", tuple(_module(moment, bay) for bay in Bay)),
    )


def _systems(moment: Moment) -> Iterator[Row]:
    """Yield the row of each system. Dice in hand count for none of them."""
    hand = hand_of(moment)
    for system, count in dice_on_ship(moment).items():
        here = f"{times(in_hand(moment, hand), 'die')} in hand" if system == hand.system else ""
        about = moment.edition.systems[system]
        yield DiceRow(f"ship.systems.{system}", system, count, here, about, Rank.VITAL)


def _token(moment: Moment, token: HeldToken) -> Row:
    """Return the row of a token, with the consequence if it is lost."""
    is_held, key, name = moment.holds(token), f"ship.tokens.{token}", token.value.capitalize()
    if is_held:
        return MarkRow(key, name, is_held, "held", rank=Rank.VITAL)
    return MarkRow(key, name, is_held, "lost", moment.edition.in_short[token], rank=Rank.VITAL)


def _module(moment: Moment, bay: Bay) -> Row:
    key, module = f"ship.modules.{bay}", dict(moment.modules()).get(bay)
    if module is None:
        return MarkRow(key, f"#{bay}", held=False, state="empty")
    state = "destroyed" if module.destroyed else "whole"
    return MarkRow(key, f"#{bay} {module.name}", not module.destroyed, state, about=module.about)


def member_tags(moment: Moment, who: str) -> tuple[Tag, ...]:
    """Return the tags of a crew member: no dice left, and rolls that are Desperate without a system."""
    spent = () if moment.personal(who) else (Tag(f"no {moment.edition.personal.name}", Tone.BAD),)
    return (*spent, Tag("rolls Desperate", Tone.BAD)) if desperate_reasons(moment, system=False) else spent


def count_dice(moment: Moment, lost: int = 0) -> Iterator[Fault]:
    """Yield a fault if the systems hold other than all dice of the ship, without those that are lost."""
    edition = moment.edition
    total, should = sum(getattr(moment.ship.systems, system) for system in edition.systems), edition.dice - lost
    if total != should:
        gone = f" with {lost} lost" if lost else ""
        message = f"the ship's systems hold {total} dice{gone}; they should hold {should} in all"
        excess = Excess(total, should, should) if total >= 0 else None
        yield Fault(("ship", "systems"), message, edition.dice_clause, grave=False, excess=excess)
