"""The panels of the ship: its dice, tokens and modules."""

from __future__ import annotations

from waylog.rules.panels import DiceRow, MarkRow, Panel, Rank, Row, Tag, TextRow, Tone
from waylog.rules.systems._veil_hits.dice_placement import dice_on_ship, hand_of, in_hand
from waylog.rules.systems._veil_hits.moment import Moment, times
from waylog.rules.systems._veil_hits.sheet import Bay, HeldToken, Module


def ship(moment: Moment, *tags: Tag) -> Panel:
    """Return the panel of the ship itself."""
    current_ship = moment.ship
    rows = (TextRow("ship.about", "About", current_ship.about, rank=Rank.ABOUT),) if current_ship.about else ()
    gone = (Tag("destroyed", Tone.BAD), Tag("adventure ended", Tone.BAD)) if current_ship.destroyed else ()
    return Panel("ship", "ship", current_ship.name or "The ship", rows, (*gone, *tags))


def systems(moment: Moment, tags: tuple[Tag, ...]) -> Panel:
    """Return the panel of the systems. Dice in hand count for none of them."""
    hand = hand_of(moment)
    rows = []
    for system, count in dice_on_ship(moment).items():
        here = f"{times(in_hand(moment, hand), 'die')} in hand" if system == hand.system else ""
        about = moment.edition.systems[system]
        rows.append(DiceRow(f"ship.systems.{system}", system, count, here, about, Rank.VITAL))
    return Panel("ship.systems", "ship", "Systems", tuple(rows), tags)


def tokens(moment: Moment) -> Panel:
    """Return the panel of tokens, with the consequence of each lost one."""
    rows = []
    for token in HeldToken:
        is_held = moment.holds(token)
        note = "" if is_held else moment.edition.in_short[token]
        rows.append(
            MarkRow(
                f"ship.tokens.{token}",
                token.value.capitalize(),
                is_held,
                "held" if is_held else "lost",
                note,
                rank=Rank.VITAL,
            )
        )
    return Panel("ship.tokens", "ship", "Tokens", tuple(rows))


def modules(moment: Moment) -> Panel:
    """Return the panel of modules."""
    built = dict(moment.modules())
    return Panel("ship.modules", "ship", "Modules", tuple(_module(bay, built.get(bay)) for bay in Bay))


def _module(bay: Bay, module: Module | None) -> Row:
    key = f"ship.modules.{bay}"
    if module is None:
        return MarkRow(key, f"#{bay}", held=False, state="empty")
    state = "destroyed" if module.destroyed else "whole"
    return MarkRow(key, f"#{bay} {module.name}", not module.destroyed, state, about=module.about)
