"""Damage to the ship: first integrity, then engineering, then a system crash (RF-15); tokens and modules lost and
restored (RF-01).

The stages that a roll or damage may open, in every game of this family.
"""

from __future__ import annotations

from collections.abc import Iterator

from waylog.rules.codec.changes import join_names
from waylog.rules.model.answers import with_reason
from waylog.rules.model.dice import Dice
from waylog.rules.model.facts import NotePart
from waylog.rules.model.moves import Answers, Move, Refusal, Text
from waylog.rules.rulebook import Chapter, StageRules
from waylog.rules.systems._veil_older_editions.editions_ship_and_typed_names import (
    Bay,
    HeldToken,
    Moment,
    module_words,
)
from waylog.values import dataclass, replace

_CRASH = "The ship risks a system crash"


@dataclass(frozen=True, slots=True)
class Breach:
    """Damage to a ship without integrity, which engineering could stop (RF-15)."""

    TAG = "breach"


@dataclass(frozen=True, slots=True)
class InHand:
    """Rolled system dice that are in hand. The sheet still counts them in the system they came from."""

    system: str = ""
    """The system they came from."""
    dice: int = 0


@dataclass(frozen=True, slots=True)
class DicePlacement(InHand):
    """Dice in hand that the crew places where it likes."""

    TAG = "place"

    clause: str = ""
    """The clause that lets the crew place them."""


SHIP = "ship"


def destroyed_reason(moment: Moment) -> Refusal | None:
    """Return why nothing can be done with a destroyed ship, or None."""
    if not moment.ship.destroyed:
        return None
    reason = "the ship is destroyed, so the adventure is over unless you restore it"
    return Refusal(reason, moment.edition.clauses.crash)


def destroy_by_story(moment: Moment, move: Move, _answers: Answers, _dice: Dice) -> Moment:
    """Play `destroy ship` or `destroy harpoon`, as the story has it, without a die (NM-17)."""
    word = move.words[0]
    if word == SHIP:
        after = moment.with_ship(destroyed=True)
        return after.says("The ship is destroyed and the adventure ends", moment.edition.clauses.crash)
    bay = module_words(moment)[word]
    module = moment.ship.modules[bay]
    return moment.with_module(bay, replace(module, destroyed=True)).says(
        f"{module.name} (#{bay}) is destroyed", "NM-17"
    )


def hit(moment: Moment, dice: Dice) -> Moment:
    """Deal damage to the ship. If engineering could be spent on it, the crew is asked first. May raise `DiceWanted`."""
    edition = moment.edition
    if moment.holds(HeldToken.INTEGRITY):
        # In a turn that has told something already, that is the cause.
        moment = (
            moment if moment.facts else moment.says("The ship takes damage", edition.clauses.integrity, NotePart.DEED)
        )
        return lose_token(moment, HeldToken.INTEGRITY, "lost, with no further damage", edition.clauses.integrity)
    if moment.holds(HeldToken.ENGINEERING):
        return moment.then(Breach())
    return crash(moment, dice)


def now(token: HeldToken) -> str:
    """Return `Integrity is` or `Supplies are`."""
    return f"{token.value.capitalize()} {'are' if token in (HeldToken.SUPPLIES, HeldToken.RESERVES) else 'is'}"


def lose_token(moment: Moment, token: HeldToken, how: str, clause: str) -> Moment:
    """Lose a token, and say what that means."""
    after = moment.with_token(token, is_held=False).says(f"{now(token)} {how}", clause)
    return after.says(f"Without {token.value}, {moment.edition.losses[token].text}", moment.edition.clauses.tokens)


def question(moment: Moment, _breach: Breach) -> str:
    """Ask whether engineering is spent."""
    instead = "Spend engineering, or risk" if moment.holds(HeldToken.ENGINEERING) else "Risk"
    return f"The ship takes damage and has no integrity. {instead} a crash ({at_risk(moment)})?"


def answers(moment: Moment, _breach: Breach) -> tuple[Move, ...]:
    """Offer `spend engineering` or `crash`."""
    about = (f"ship.tokens.{HeldToken.ENGINEERING}",)
    risk = Move("crash", (), "Risk the system crash", about=("ship.modules",), key="c", heading=_CRASH)
    if not moment.holds(HeldToken.ENGINEERING):
        return (risk,)
    label = "Spend engineering (no further damage)"
    return Move("spend", (HeldToken.ENGINEERING.value,), label, about=about, title="The ship spends engineering"), risk


def answer(moment: Moment, _breach: Breach, move: Move, _answers: Answers, dice: Dice) -> Moment:
    """Spend engineering to stop the damage, or let a system crash. May raise `DiceWanted`."""
    if move.verb == "spend":
        clause = moment.edition.clauses.engineering
        return lose_token(moment.closes(), HeldToken.ENGINEERING, "spent, with no further damage", clause)
    return crash(moment.closes(), dice)


def crash(moment: Moment, dice: Dice) -> Moment:
    """Roll a die that finds a module: it is destroyed or, if it already was, the ship is. May raise `DiceWanted`."""
    clause = moment.edition.clauses.crash
    moment, (face,) = moment.rolls(dice, "crash die", ("crash",), _CRASH)
    if face > len(Bay):
        return moment.says("No further damage", clause)
    bay = Bay(str(face))
    module = moment.ship.modules.get(bay)
    if module is None or not module.name:
        if moment.rules.empty_slot_hit == "destroyed":
            return destroy(moment, f"Slot {bay} has nothing left to lose")
        return moment.says(f"Slot {bay} is empty: no further damage", clause)
    if module.destroyed:
        return destroy(moment, f"{module.name} is already destroyed")
    after = moment.with_module(bay, replace(module, destroyed=True))
    return after.says(f"{module.name} (#{bay}) is destroyed", clause)


def destroy(moment: Moment, why: str) -> Moment:
    """Destroy the ship, which ends the adventure."""
    text = f"{why}, so the ship is destroyed and the adventure ends"
    return moment.with_ship(destroyed=True).says(text, moment.edition.clauses.crash)


def forecast(moment: Moment) -> str:
    """Describe what damage to the ship would do now."""
    if moment.holds(HeldToken.INTEGRITY):
        return "integrity is lost"
    if moment.holds(HeldToken.ENGINEERING):
        return f"engineering is spent, or a system crashes: {at_risk(moment)}"
    return f"a system crashes: {at_risk(moment)}"


def at_risk(moment: Moment) -> str:
    """Describe what a system crash would do now."""
    built = dict(moment.modules())
    whole = [f"{module.name} #{bay}" for bay, module in built.items() if not module.destroyed]
    fatal = len(built) - len(whole)
    if moment.rules.empty_slot_hit == "destroyed":
        fatal += len(Bay) - len(built)
    parts = [f"{len(whole)} in 6, {join_names(whole, 'or')} is destroyed"] if whole else []
    if fatal:
        parts.append(f"{fatal} in 6, the ship is destroyed")
    if not parts:
        return "there is no module to hit"
    return "; ".join((*parts, f"{6 - len(whole) - fatal} in 6, no further damage"))


# -- tokens lost and restored -------------------------------------------------------------------------------------------


def _restores(moment: Moment) -> tuple[Move, ...]:
    reason = (Text("reason", "Reason (goes into the log)"),)
    clause, crash = moment.edition.clauses.tokens, moment.edition.clauses.crash
    tokens = (
        Move(
            "restore",
            (token.value,),
            f"Restore {token.value}",
            reason,
            Refusal(f"{now(token).lower()} not lost", clause) if moment.holds(token) else None,
            about=(f"ship.tokens.{token}",),
            effect=True,
            heading=f"{token.value.capitalize()} restored",
        )
        for token in HeldToken
    )
    built = dict(moment.modules())
    modules = (
        Move(
            "restore",
            (word,),
            f"{built[bay].name} works again",
            reason,
            None if built[bay].destroyed else Refusal(f"{built[bay].name} is not destroyed", crash),
            about=(f"ship.modules.{bay}",),
            effect=True,
            key=bay.value,
        )
        for word, bay in module_words(moment).items()
    )
    whole = None if moment.ship.destroyed else Refusal("the ship is not destroyed", crash)
    label = "Restore the ship"
    return (*tokens, *modules, Move("restore", (SHIP,), label, reason, whole, about=("ship",), effect=True))


def lose(moment: Moment, move: Move, _answers: Answers, _dice: Dice) -> Moment:
    """Play `lose supplies`: the ship loses the token that the word names."""
    return lose_token(moment, HeldToken(move.words[0]), "lost", moment.edition.clauses.tokens)


def restore(moment: Moment, move: Move, answers: Answers, _dice: Dice) -> Moment:
    """Play `restore integrity "patched in dock"`: the wayfinder restores something for a reason."""
    what, edition = move.words[0], moment.edition
    if what == SHIP:
        return moment.with_ship(destroyed=False).says(
            with_reason("The ship is restored", answers), edition.clauses.crash
        )
    if what in list(HeldToken):
        token = HeldToken(what)
        back = moment.with_token(token, is_held=True)
        return back.says(with_reason(f"{token.value.capitalize()} restored", answers), edition.clauses.tokens)
    bay = module_words(moment)[what]
    module = moment.ship.modules[bay]
    after = moment.with_module(bay, replace(module, destroyed=False))
    return after.says(with_reason(f"{module.name} works again", answers), edition.clauses.crash)


def offers(moment: Moment) -> Iterator[Move]:
    """Offer the wayfinder's moves: damage to the ship, a module or the ship to destroy, which ends the adventure (NM-17); tokens to
    lose; and everything that may be restored.
    """
    end, about = destroyed_reason(moment), (SHIP,)
    damage = Move("damage", (SHIP,), "Deal damage to the ship", blocked=end, about=about, effect=True)
    yield replace(damage, heading="The ship takes damage")
    destroy = Move("destroy", (SHIP,), "Destroy the ship and end the adventure", blocked=end, about=about, effect=True)
    yield replace(destroy, heading="The ship is destroyed")
    for word, bay in module_words(moment).items():
        module, about = moment.ship.modules[bay], (f"ship.modules.{bay}",)
        already = Refusal(f"{module.name} is already destroyed", "NM-17") if module.destroyed else None
        destroy = Move("destroy", (word,), f"Destroy {module.name}", (), already, about=about, effect=True)
        yield replace(destroy, heading=f"{module.name} is destroyed")
    for token in HeldToken:
        already = Refusal(f"{now(token).lower()} already lost", moment.edition.clauses.tokens)
        gone, about = None if moment.holds(token) else already, (f"ship.tokens.{token}",)
        yield Move("lose", (token.value,), f"{now(token)} lost", blocked=gone, about=about, effect=True)
    yield from _restores(moment)


CHAPTER = Chapter(
    offers=offers,
    plays={"destroy": destroy_by_story, "lose": lose, "restore": restore},
    stages=(StageRules(Breach, question, answers, answer),),
)
