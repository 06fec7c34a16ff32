"""The dice that each crew member brings: who joins has them, damage costs one, and a rest restores them.

The panels of the ship (itself, its dice, tokens and modules), what every crew member's panel shows, and dice that are missing or too many.
"""

from __future__ import annotations

from collections.abc import Iterator

from waylog.rules.codec.base_and_limits import Excess, Fault
from waylog.rules.model.dice import Dice
from waylog.rules.model.moves import Answers, Move, Refusal, Text
from waylog.rules.model.panels import DiceRow, MarkRow, Panel, Rank, Row, Tag, TextRow, Tone
from waylog.rules.systems._veil_older_editions.damage import SHIP, hit
from waylog.rules.systems._veil_older_editions.editions_ship_and_typed_names import (
    ALL,
    CARRIED,
    Bay,
    HeldToken,
    Moment,
    members_named,
    times,
)
from waylog.rules.systems._veil_older_editions.hits_and_roll_types import desperate_reasons
from waylog.rules.systems._veil_older_editions.roll_moves import dice_on_ship, hand_of, in_hand


def join_move(moment: Moment) -> Move:
    """Offer `join "Mara"`."""
    name = Text("name", "Name", required=True, taken=tuple(map(moment.name, moment.crew())))
    return Move("join", (), "Add a crew member", (name,), about=("crew",))


def rest_move(moment: Moment, word: str = ALL, who: str = "", letter: str = "") -> Move:
    """Offer `rest mara` or `rest all`. Without `who`, it is for everyone. `letter` is its key."""
    dice = moment.edition.personal
    if any(moment.personal(key) < moment.most_personal for key in ((who,) if who else moment.crew())):
        rested = None
    else:
        lacking = (
            f"{moment.name(who)} has not lost any {dice.key} dice" if who else f"nobody has lost any {dice.key} dice"
        )
        rested = Refusal(lacking, dice.rest_clause)
    label = f"Let {moment.name(who) if who else 'everyone'} rest ({dice.name})"
    heading = f"{moment.name(who) if who else 'Everyone'} rests"
    return Move("rest", (word,), label, (), rested, about=(_row(who),), effect=True, key=letter, heading=heading)


def damage_move(moment: Moment, word: str = ALL, who: str = "") -> Move:
    """Offer `damage mara` or `damage all`. Without `who`, it is for everyone."""
    dice, name = moment.edition.personal, moment.name(who) if who else "everyone"
    if any(moment.personal(key) for key in ((who,) if who else moment.crew())):
        drained = None
    else:
        lacking = f"{name} has no {dice.key} dice left" if who else f"nobody in the crew has any {dice.key} dice"
        drained = Refusal(f"{lacking} to lose", dice.clause)
    label = f"Take a {dice.key} die from {name}"
    heading = f"{name.capitalize() if not who else name} loses a {dice.key} die"
    return Move("damage", (word,), label, (), drained, about=(_row(who),), effect=True, heading=heading)


def _row(who: str) -> str:
    return f"crew.{who}" if who else "crew"


def deal_damage(moment: Moment, move: Move, _answers: Answers, dice: Dice) -> Moment:
    """Play `damage ship`; or `damage mara` or `damage all`, which cost one of their dice each. May raise `DiceWanted`."""
    if move.words[0] == SHIP:
        return hit(moment, dice)
    for who in members_named(moment, move.words[0]):
        if moment.personal(who):
            moment = lose_die(moment, who, "NM-17")
    return moment


def lose_die(moment: Moment, who: str, clause: str, why: str = "") -> Moment:
    """Take a die from somebody who has one. `why` begins the note."""
    left = moment.personal(who) - 1
    text = f"{why}{moment.name(who)} loses a {moment.edition.personal.key} die ({left} left)"
    return moment.with_personal(who, left).says(text, clause)


def rest(moment: Moment, word: str, by: int = CARRIED) -> Moment:
    """Restore lost dice of one or of everyone: all of them, or at most `by` (RF-18, VC-03)."""
    dice = moment.edition.personal
    for who in members_named(moment, word):
        count = moment.personal(who)
        now = min(moment.most_personal, count + by)
        if now > count:
            text = f"{moment.name(who)} rests: {dice.name} {count} → {now}"
            moment = moment.with_personal(who, now).says(text, dice.rest_clause)
    return moment


def find_excess(moment: Moment, who: str) -> Iterator[Fault]:
    """Yield a fault if someone has more dice than the house rule allows."""
    dice, most = moment.edition.personal, moment.most_personal
    count: int = getattr(moment.crew()[who], dice.key)
    if count > most:
        message = f"{dice.key} can't be {count}: the house rule allows at most {most}"
        excess = Excess(count, 0, most) if count <= CARRIED else None
        yield Fault(("crew", who, dice.key), message, dice.clause, grave=False, excess=excess)


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
        state, note = ("held", "") if is_held else ("lost", edition.losses[token].in_short)
        name = token.value.capitalize()
        rows.append(MarkRow(f"ship.tokens.{token}", name, is_held, state, note, rank=Rank.VITAL))
    yield Panel("ship.tokens", "ship", "Tokens", tuple(rows))
    built, rows = dict(moment.modules()), []
    for bay in Bay:
        key, module = f"ship.modules.{bay}", built.get(bay)
        if module is None:
            rows.append(MarkRow(key, f"#{bay}", held=False, state="empty"))
        else:
            state = "destroyed" if module.destroyed else "intact"
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
        yield Fault(("ship", "systems"), message, edition.clauses.dice, grave=False, excess=excess)
