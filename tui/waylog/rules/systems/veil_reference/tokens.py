"""Tokens lost and back, and what else returns by the wayfinder's word alone: modules, the ship herself (RF-01, RF-15)."""

from __future__ import annotations

from dataclasses import replace

from waylog.rules.dice import Dice
from waylog.rules.moves import Answers, Move, Refusal, Text
from waylog.rules.systems.veil_reference.damage import SHIP, lost, now
from waylog.rules.systems.veil_reference.moment import Moment
from waylog.rules.systems.veil_reference.naming import module_words
from waylog.rules.systems.veil_reference.sheet import Token


def offers(moment: Moment) -> tuple[Move, ...]:
    """Tokens to lose, and whatever is gone to have back for a reason."""
    return (*_losses(moment), *_restores(moment))


def _losses(moment: Moment) -> tuple[Move, ...]:
    clause = moment.edition.token_clause
    return tuple(
        Move(
            "lose",
            (token.value,),
            f"{now(token)} lost",
            blocked=None if moment.holds(token) else Refusal(f"{now(token).lower()} lost already", clause),
            about=(f"ship.tokens.{token}",),
            effect=True,
        )
        for token in Token
    )


def _restores(moment: Moment) -> tuple[Move, ...]:
    reason = (Text("reason", "Why it is back", required=True),)
    clause, crash = moment.edition.token_clause, moment.edition.crash_clause
    tokens = (
        Move(
            "restore",
            (token.value,),
            f"{now(token)} back",
            reason,
            Refusal(f"{now(token).lower()} not lost", clause) if moment.holds(token) else None,
            about=(f"ship.tokens.{token}",),
            effect=True,
        )
        for token in Token
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
    label = "The ship is not destroyed after all"
    return (*tokens, *modules, Move("restore", (SHIP,), label, reason, whole, about=("ship",), effect=True))


def lose(moment: Moment, move: Move, _answers: Answers, _dice: Dice) -> Moment:
    """`lose supplies`."""
    return lost(moment, Token(move.words[0]), "lost", moment.edition.token_clause)


def restore(moment: Moment, move: Move, answers: Answers, _dice: Dice) -> Moment:
    """`restore integrity "patched in dock"`: by the wayfinder's word, and for a reason."""
    what, reason, edition = move.words[0], str(answers["reason"]).strip(), moment.edition
    if what == SHIP:
        return moment.with_ship(destroyed=False).says(f"The ship is not destroyed: {reason}", edition.crash_clause)
    if what in list(Token):
        token = Token(what)
        back = moment.with_token(token, held=True)
        return back.says(f"{now(token)} back: {reason}", edition.token_clause)
    bay = module_words(moment)[what]
    module = moment.ship.modules[bay]
    after = moment.with_module(bay, replace(module, destroyed=False))
    return after.says(f"{module.name} works again: {reason}", edition.crash_clause)
