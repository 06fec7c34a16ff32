"""The sheet as the screens draw it."""

from __future__ import annotations

from waylog.rules.naming import slug
from waylog.rules.panels import DiceRow, MarkRow, Panel, PipsRow, Row, Tag, TextRow, Tone
from waylog.rules.systems.veil_core.sheet import Bay
from waylog.rules.systems.veil_reference.moment import Moment
from waylog.rules.systems.veil_reference.naming import times
from waylog.rules.systems.veil_reference.placing import in_hand, lying
from waylog.rules.systems.veil_reference.pools import desperate, item_dice
from waylog.rules.systems.veil_reference.sheet import Item, Member, Module, Token
from waylog.rules.systems.veil_reference.skills import goes_with, member_of
from waylog.rules.systems.veil_reference.stages import Place


def panels(moment: Moment) -> tuple[Panel, ...]:
    """The ship, her systems, tokens and modules; then everyone in the crew."""
    called = (Tag("Desperate", Tone.BAD),) if desperate(moment, system=True) else ()
    return (
        ship(moment),
        systems(moment, called),
        tokens(moment),
        modules(moment),
        *(_member(moment, key) for key in moment.crew()),
    )


def ship(moment: Moment, *tags: Tag) -> Panel:
    """The ship herself."""
    own = moment.ship
    rows = (TextRow("ship.about", "About", own.about),) if own.about else ()
    gone = (Tag("destroyed", Tone.BAD), Tag("adventure ended", Tone.BAD)) if own.destroyed else ()
    return Panel("ship", "ship", own.name or "The ship", rows, (*gone, *tags))


def systems(moment: Moment, tags: tuple[Tag, ...]) -> Panel:
    """Where the dice lie; those in hand lie nowhere."""
    held = moment.stage if isinstance(moment.stage, Place) else Place()
    rows = []
    for system, count in lying(moment).items():
        here = f"{times(in_hand(moment, held), 'die')} in hand" if system == held.system else ""
        rows.append(DiceRow(f"ship.systems.{system}", system, count, here or moment.edition.systems[system]))
    return Panel("ship.systems", "ship", "Systems", tuple(rows), tags)


def tokens(moment: Moment) -> Panel:
    """What is held, and what it means where it is lost."""
    rows = []
    for token in Token:
        held = moment.holds(token)
        note = "" if held else moment.edition.without[token]
        rows.append(MarkRow(f"ship.tokens.{token}", token.value.capitalize(), held, "held" if held else "lost", note))
    return Panel("ship.tokens", "ship", "Tokens", tuple(rows))


def modules(moment: Moment) -> Panel:
    """What is built into the slots."""
    built = dict(moment.modules())
    return Panel("ship.modules", "ship", "Modules", tuple(_module(bay, built.get(bay)) for bay in Bay))


def _module(bay: Bay, module: Module | None) -> Row:
    key = f"ship.modules.{bay}"
    if module is None:
        return MarkRow(key, f"#{bay}", held=False, state="empty")
    state = "destroyed" if module.destroyed else "whole"
    return MarkRow(key, f"#{bay} {module.name}", not module.destroyed, state, module.about)


def _member(moment: Moment, key: str) -> Panel:
    row, member = f"crew.{key}", member_of(moment, key)
    rows: list[Row] = [TextRow(f"{row}.about", "About", member.about)] if member.about else []
    rows.append(PipsRow(f"{row}.vitality", "Vitality", member.vitality, moment.rules.vitality))
    rows.extend(
        TextRow(f"{row}.skills.{slug(name)}", name[:1].upper() + name[1:], goes_with(moment, name))
        for name in member.skills
    )
    rows.extend(_item(moment, f"{row}.equipment.{own}", own, item) for own, item in member.equipment.items())
    return Panel(row, "crew", member.name or key, tuple(rows), _tags(moment, member))


def _item(moment: Moment, key: str, own: str, item: Item) -> Row:
    dice = f"+{item_dice(moment, item)}d6"
    note = f"{dice} · {item.about}" if item.about else dice
    return MarkRow(key, item.name or own, item.ready, "ready" if item.ready else "spent", note)


def _tags(moment: Moment, member: Member) -> tuple[Tag, ...]:
    tags = [Tag("no vitality", Tone.BAD)] if member.vitality <= 0 else []
    if desperate(moment, system=False):
        tags.append(Tag("rolls Desperate", Tone.BAD))
    return tuple(tags)
