"""Rolls that are paid for in place of being rolled: their outcome is certain."""

from __future__ import annotations

from collections.abc import Iterator

from waylog.rules.codec.changes import format_path
from waylog.rules.file_game import conditions
from waylog.rules.file_game.clauses import CONDITIONS, COSTS
from waylog.rules.file_game.effects import apply_all, refusal_of
from waylog.rules.file_game.moment import FileMoment, Scope, row_of_thing, thing_path
from waylog.rules.file_game.roll_plans import RollChoice, bands_of
from waylog.rules.file_game.spends import prices_of
from waylog.rules.kit import Chapter
from waylog.rules.model.dice import Dice
from waylog.rules.model.facts import NotePart, OutcomeFact
from waylog.rules.model.moves import Answers, Move, Refusal
from waylog.rules.model.state import ACT
from waylog.values import replace

PAY = "pay"


def offers(moment: FileMoment) -> Iterator[Move]:
    """Yield a move for each roll that may be paid for, and for each thing that may make it."""
    for name, rule in moment.game.dice.items():
        if rule.instead is None:
            continue
        for word, keys in moment.things_by_word(rule.who).items():
            choice = RollChoice(name, rule, keys, call=next(iter(rule.calls), ""))
            who = f": {moment.thing_name(rule.who, keys)}" if keys else ""
            about = (format_path(row_of_thing(moment.game.sheet, rule.who, keys)),) if keys else ()
            prices = ", ".join(
                f"{price.by} {price.label}" for price in prices_of(rule.instead.cost, choice.scope(moment))
            )
            label = f"{rule.instead.label or f'{choice.label} without a roll'}{who}{f' ({prices})' if prices else ''}"
            yield Move(PAY, (name, word) if word else (name,), label, (), _refusal(moment, choice), about=about)


def _refusal(moment: FileMoment, choice: RollChoice) -> Refusal | None:
    """Return why a roll can't be paid for: it could not be made either, or the price isn't there."""
    rule, scope = choice.rule, choice.scope(moment)
    assert rule.instead
    clause = rule.clause or CONDITIONS
    if not scope.holds(rule.when):
        return Refusal(rule.refusal or "its condition does not hold", clause)
    if refusal := conditions.refusal(moment, choice.name, scope):
        return refusal
    if not scope.holds(rule.instead.when):
        return Refusal(rule.instead.refusal or "its condition does not hold", clause)
    refusal = refusal_of(rule.instead.cost, scope, in_full=True)
    return replace(refusal, clause=refusal.clause or COSTS) if refusal else None


def pay(moment: FileMoment, move: Move, _answers: Answers, _dice: Dice) -> FileMoment:
    """Pay, and do what follows from the outcome."""
    name, *word = move.words
    rule = moment.game.dice[name]
    assert rule.instead
    keys = moment.things_by_word(rule.who)[word[0] if word else ""]
    choice = RollChoice(name, rule, keys, call=next(iter(rule.calls), ""))
    moment = apply_all(moment, rule.instead.cost, choice.scope(moment))
    moment = moment.says(rule.instead.label or f"{choice.label} without a roll", rule.clause or COSTS, NotePart.DETAIL)
    band = next(
        band for band in bands_of(choice, choice.scope(moment), none=False) if band.outcome == rule.instead.outcome
    )
    who = moment.thing_name(rule.who, keys) if keys else choice.label
    moment = moment.tells(OutcomeFact(band.outcome, band.label, band.grade, who))
    names = {**choice.names(), ("outcome",): band.outcome}
    source = format_path(thing_path(rule.who, keys)) or f"{ACT}{name}"
    follows = moment.game.after.get(name, {}).get(band.outcome, ())
    return apply_all(moment, follows, Scope(moment, rule.who, keys, names), source)


CHAPTER = Chapter(offers=offers, plays={PAY: pay})
