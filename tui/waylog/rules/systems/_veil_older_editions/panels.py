"""The panels of the ship: itself, its dice, tokens and modules; what every crew member's panel shows; and dice that are missing
or too many.
"""

from __future__ import annotations

from collections.abc import Iterator

from waylog.rules.codec.base import Excess, Fault
from waylog.rules.model.panels import DiceRow, MarkRow, Panel, Rank, Row, Tag, TextRow, Tone
from waylog.rules.systems._veil_older_editions.damage import desperate_reasons
from waylog.rules.systems._veil_older_editions.roll_moves import dice_on_ship, hand_of, in_hand
from waylog.rules.systems._veil_older_editions.ship_and_typed_names import Bay, HeldToken, Moment, times


def ship_panels(moment: Moment, *tags: Tag, lost: tuple[Row, ...] = ()) -> Iterator[Panel]:
    """Yield the panels of the ship: itself, with `tags`; its systems, and what is `lost`; its tokens, with the consequence of each lost
    one; its modules. Dice in hand count for no system.
    """
    ship, edition, hand = moment.ship, moment.edition, hand_of(moment)
    about = (TextRow("ship.about", "About", ship.about, rank=Rank.ABOUT),) if ship.about else ()
    gone = (Tag("destroyed", Tone.BAD), Tag("adventure ended", Tone.BAD)) if ship.destroyed else ()
    yield Panel("ship", "ship", ship.name or "The ship", about, (*gone, *tags))
    rows: list[Row] = []
    for system, count in dice_on_ship(moment).items():
        here = f"{times(in_hand(moment, hand), 'die')} to place" if system == hand.system else ""
        rows.append(DiceRow(f"ship.systems.{system}", system, count, here, edition.systems[system], Rank.VITAL))
    called = (Tag("Desperate", Tone.BAD),) if desperate_reasons(moment, system=True) else ()
    yield Panel("ship.systems", "ship", "Systems", (*rows, *lost), called)
    rows = []
    for token in HeldToken:
        is_held = moment.holds(token)
        state, note = ("held", "") if is_held else ("lost", edition.in_short[token])
        name = token.value.capitalize()
        rows.append(MarkRow(f"ship.tokens.{token}", name, is_held, state, note, rank=Rank.VITAL))
    yield Panel("ship.tokens", "ship", "Tokens", tuple(rows))
    built, rows = dict(moment.modules()), []
    for bay in Bay:
        key, module = f"ship.modules.{bay}", built.get(bay)
        if module is None:
            rows.append(MarkRow(key, f"#{bay}", held=False, state="empty"))
        else:
            state = "destroyed" if module.destroyed else "whole"
            rows.append(MarkRow(key, f"#{bay} {module.name}", not module.destroyed, state, about=module.about))
    yield Panel("ship.modules", "ship", "Modules", tuple(rows))


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
        message = f"the ship's systems hold {total} dice{gone}, but should have {should} in all"
        excess = Excess(total, should, should) if total >= 0 else None
        yield Fault(("ship", "systems"), message, edition.dice_clause, grave=False, excess=excess)
