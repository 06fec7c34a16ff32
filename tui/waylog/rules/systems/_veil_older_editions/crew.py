"""The dice that each crew member brings: who joins has them, damage costs one, and a rest restores them."""

from __future__ import annotations

from collections.abc import Iterator

from waylog.rules.codec.base import Excess, Fault
from waylog.rules.model.dice import Dice
from waylog.rules.model.moves import Answers, Move, Refusal, Text
from waylog.rules.systems._veil_older_editions.damage import SHIP, hit
from waylog.rules.systems._veil_older_editions.ship_and_typed_names import ALL, CARRIED, Moment, members_named

JOIN = Move("join", (), "Add a crew member", (Text("name", "Name", required=True),), about=("crew",))


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
    label = f"{moment.name(who) if who else 'Everyone'} rests ({dice.name})"
    return Move("rest", (word,), label, (), rested, about=(_row(who),), effect=True, key=letter)


def damage_move(moment: Moment, word: str = ALL, who: str = "") -> Move:
    """Offer `damage mara` or `damage all`. Without `who`, it is for everyone."""
    dice, name = moment.edition.personal, moment.name(who) if who else "everyone"
    if any(moment.personal(key) for key in ((who,) if who else moment.crew())):
        drained = None
    else:
        lacking = f"{name} has no {dice.key} dice left" if who else f"nobody in the crew has any {dice.key} dice"
        drained = Refusal(f"{lacking} to lose", dice.clause)
    label = f"Take a {dice.key} die from {name}"
    return Move("damage", (word,), label, (), drained, about=(_row(who),), effect=True)


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
