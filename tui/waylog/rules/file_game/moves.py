"""Acts without a roll: those that a game file declares, and its rolls where they are paid for in place of being rolled."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from waylog.rules.codec.changes import format_path
from waylog.rules.file_game import effects as marks
from waylog.rules.file_game.clauses import CONDITIONS, COSTS, LIMITS, NOT_NOW
from waylog.rules.file_game.declaration import ChoiceRule, EffectRule, MoveRule
from waylog.rules.file_game.effects import TYPED, apply_all, changes_nothing, list_refusal, refusal_of
from waylog.rules.file_game.moment import (
    FileMoment,
    Found,
    Scope,
    condition_refusal,
    label_of,
    row_of_thing,
    thing_path,
)
from waylog.rules.file_game.roll_plans import RollChoice, bands_of
from waylog.rules.file_game.spends import prices_of
from waylog.rules.kit import Chapter
from waylog.rules.model.dice import Dice
from waylog.rules.model.facts import NotePart, OutcomeFact
from waylog.rules.model.moves import ActRefused, Answers, Ask, Move, Number, Option, PickOne, Refusal, Text
from waylog.rules.model.state import ACT
from waylog.values import replace

AMOUNT, CHOSEN, PAY = "amount", "choose", "pay"


def offers(moment: FileMoment) -> tuple[Move, ...]:
    """Return the rolls that may be paid for, the moves of the file, each for each thing that may do it, and `mark` and `clear`."""
    declared = (move for name, rule in moment.game.moves.items() for move in _moves_of_rule(moment, name, rule))
    return (*paid_rolls(moment), *declared, *marks.offers(moment))


# -- moves of the file ------------------------------------------------------------------------------------------------


def _moves_of_rule(moment: FileMoment, name: str, rule: MoveRule) -> Iterator[Move]:
    label = label_of(name, rule.label)
    for word, keys in moment.things_by_word(rule.who).items():
        scope = Scope(moment, rule.who, keys)
        owner = f": {moment.thing_name(rule.who, keys)}" if keys else ""
        about = (format_path(row_of_thing(moment.game.sheet, rule.who, keys)),) if keys else ()
        asks = tuple(_asks(rule, scope))
        blocked = _refusal(rule, scope, asks)
        yield Move(name, (word,) if word else (), f"{label}{owner}", asks, blocked, about=about, effect=rule.effect)


def _asks(rule: MoveRule, scope: Scope) -> Iterator[Ask]:
    if rule.amount:
        least, most = (scope.number(rule.amount[place]) for place in (0, -1))
        yield Number(AMOUNT, "How many", min(least, max(least, most)), max(least, most), least)
    if rule.choose:
        options = tuple(
            Option(word, label_of(word, choice.label), blocked=_choice_blocked(rule, word, choice, scope))
            for word, choice in rule.choose.items()
        )
        yield PickOne(CHOSEN, "Which", options, clause=rule.clause or None)
    if rule.text:
        yield Text(TYPED, rule.text, required=True)


def _choice_blocked(rule: MoveRule, word: str, choice: ChoiceRule, scope: Scope) -> Refusal | None:
    clause = rule.clause or CONDITIONS
    if not scope.holds(choice.when):
        return Refusal(choice.refusal or NOT_NOW, clause)
    chosen, effects = replace(scope, names={(CHOSEN,): word}), (*rule.does, *choice.does)
    if refusal := list_refusal(effects, chosen):
        return refusal
    return None if rule.amount or rule.text else refusal_of(effects, chosen)


def _refusal(rule: MoveRule, scope: Scope, asks: Sequence[Ask]) -> Refusal | None:
    """Return why the move can't be made, whatever is answered."""
    if not scope.holds(rule.when):
        return Refusal(rule.refusal or NOT_NOW, rule.clause or CONDITIONS)
    if rule.amount and scope.number(rule.amount[-1]) < scope.number(rule.amount[0]):
        return Refusal(rule.refusal or "there is nothing to choose from", rule.clause or LIMITS)
    if rule.choose and all(all(one.blocked for one in ask.options) for ask in asks if isinstance(ask, PickOne)):
        return Refusal(rule.refusal or "none of its choices is possible", rule.clause or CONDITIONS)
    if asks:
        return None
    if refusal := refusal_of(rule.does, scope):
        return refusal
    if changes_nothing(scope.moment, rule.does, scope):
        return Refusal(rule.refusal or "nothing would change", rule.clause or LIMITS)
    return None


def play(moment: FileMoment, move: Move, answers: Answers, _dice: Dice) -> FileMoment:
    """Make a move of the file."""
    rule = moment.game.moves[move.verb]
    keys = moment.things_by_word(rule.who)[move.words[0] if move.words else ""]
    names: dict[tuple[str, ...], Found] = {}
    if rule.amount:
        names[(AMOUNT,)] = int(str(answers[AMOUNT]))
    effects: tuple[EffectRule, ...] = rule.does
    if rule.choose:
        chosen = str(answers[CHOSEN])
        names[(CHOSEN,)] = chosen
        effects = (*effects, *rule.choose[chosen].does)
    if rule.text:
        names[(TYPED,)] = str(answers[TYPED])
    scope = Scope(moment, rule.who, keys, names)
    if refusal := refusal_of(effects, scope) or list_refusal(effects, scope):
        raise ActRefused(refusal.reason, refusal.clause)
    return apply_all(moment, effects, scope, _source(move))


def _source(move: Move) -> str:
    return move.about[0] if move.about else f"{ACT}{move.verb}"


# -- rolls that are paid for in place of being rolled: their outcome is certain --------------------------------------


def paid_rolls(moment: FileMoment) -> Iterator[Move]:
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
            yield Move(PAY, (name, word) if word else (name,), label, (), _paid_refusal(moment, choice), about=about)


def _paid_refusal(moment: FileMoment, choice: RollChoice) -> Refusal | None:
    """Return why a roll can't be paid for: it could not be made either, or the price isn't there."""
    rule, scope = choice.rule, choice.scope(moment)
    assert rule.instead
    clause = rule.clause or CONDITIONS
    if not scope.holds(rule.when):
        return Refusal(rule.refusal or "its condition does not hold", clause)
    if refusal := condition_refusal(moment, choice.name, scope):
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


def chapter_of(verbs: Iterable[str]) -> Chapter[FileMoment]:
    """Return the chapter of a game with moves of these verbs."""
    return Chapter(
        offers=offers, plays={PAY: pay, marks.MARK: marks.mark, marks.CLEAR: marks.mark, **dict.fromkeys(verbs, play)}
    )
