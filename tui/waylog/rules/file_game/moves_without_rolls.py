"""Acts without a roll: those that a game file declares, and `mark` and `clear`, which every track, number and flag has."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from waylog.rules.codec.changes import format_path
from waylog.rules.file_game.clauses import CONDITIONS, LIMITS, NOT_NOW
from waylog.rules.file_game.effects_and_offers import (
    CLEAR,
    MARK,
    MOST_MARKED,
    OTHERS,
    WHO,
    WHOM,
    MarkTarget,
    apply_all,
    change_value,
    end_what_lasts,
    is_meant,
    label_of_move,
    list_refusal,
    quote_phrase,
    refusal_of,
    same_flag,
    targets,
    with_moves,
)
from waylog.rules.file_game.game_file_format import CHOSEN, IN_LOG, MoveRule, effects_of, questions_of
from waylog.rules.file_game.named_values_and_conditions import (
    FileMoment,
    Found,
    Scope,
    label_of,
    read,
)
from waylog.rules.file_game.roll_and_effect_format import AMOUNT, TYPED, EffectRule, dice_of, is_clocks, parse_effect
from waylog.rules.file_game.rolls import go_on
from waylog.rules.file_game.sheet_types import kind_of
from waylog.rules.model.answers import answer_labels
from waylog.rules.model.dice import Dice
from waylog.rules.model.moves import ActRefused, Answers, Ask, Move, Number, Option, PickOne, Refusal, Text, reason_of
from waylog.rules.model.state import ACT
from waylog.rules.rulebook import PASSES, Chapter
from waylog.values import replace

_MOST_REASONS = 4
"""Of how many choices a refusal says why each is impossible."""
_WAYS = {MARK: "Raise", CLEAR: "Lower"}
_FLAGGED, _MOVED = {MARK: "marked", CLEAR: "cleared"}, {MARK: "raised", CLEAR: "lowered"}


def offers(moment: FileMoment) -> tuple[Move, ...]:
    """Return the moves of the file, for each thing that may do them, and `mark` and `clear`."""
    return (*(move for name in moment.game.moves for move in offers_of(moment, name)), *_offers_to_mark(moment))


def offers_of(moment: FileMoment, name: str) -> Iterator[Move]:
    """Yield a move of the file for each thing that may do it."""
    rule = moment.game.moves[name]
    for word, keys in moment.things_by_word(rule.who).items():
        scope = Scope(moment, rule.who, keys)
        actor, about = moment.thing_name(rule.who, keys), moment.row_of_thing(rule.who, keys)
        label = label_of_move(name, rule.label, actor)
        label += f" ({actor})" if actor and WHO not in rule.label else ""
        asks = tuple(_asks(rule, scope))
        blocked = _refusal(rule, scope, asks)
        every = (*with_moves(moment.game, effects_of(rule)),)
        words, whole = (word,) if word else (), any(one.roll or any(dice_of(one)) for one in every)
        move = Move(name, words, label, asks, blocked, about=about, effect=rule.effect, heading=_heading(rule, actor))
        yield replace(move, asks_when_offered=bool(asks), whole=whole)


def _heading(rule: MoveRule, actor: str) -> str:
    """Return what the log says of a move, without the answers; empty if these stand within it."""
    text = re.split(IN_LOG, rule.log.replace(WHO, quote_phrase(actor)))[0].rstrip(" :,")
    return "" if text == quote_phrase(actor) else text


def _asks(rule: MoveRule, scope: Scope) -> Iterator[Ask]:
    if rule.amount:
        least, most = (scope.number(rule.amount[place]) for place in (0, -1))
        yield Number(AMOUNT, "How many", least, max(least, most), least, logged=True)
    questions = questions_of(rule)
    for path, choices in questions.items():
        options = list[Option]()
        for word, choice in choices.items():
            chosen, effects = replace(scope, names={path: word}), (*rule.does, *choice.does)
            if not scope.holds(choice.when):
                blocked: Refusal | None = Refusal(choice.refusal or NOT_NOW, rule.clause or CONDITIONS)
            else:
                blocked = list_refusal(effects, chosen, choice.does)
                if not (blocked or rule.amount or rule.text or len(questions) > 1):
                    # Whom it is done to isn't known yet.
                    alone = [one for one in effects if WHOM not in re.findall(r"\w+", f"{one.do} {one.when} {one.who}")]
                    blocked = refusal_of(alone, chosen)
            options.append(Option(word, label_of(word, choice.label), blocked=blocked))
        label = "Which" if path == (CHOSEN,) else label_of(path[-1], "")
        yield PickOne(path[-1], label, tuple(options), clause=rule.clause or None)
    if rule.whom:
        found = scope.moment.things_by_word(rule.whom).items()
        meant = ((word, keys) for word, keys in found if is_meant(rule.whom, keys, scope))
        others = {word: keys for word, keys in meant if (rule.whom, keys) != (scope.who, scope.keys)}
        names, owner = list[Option](), scope.moment.thing_name(rule.who.partition(".")[0], scope.keys[:1])
        for word, keys in others.items():
            progress, paths = scope.moment.progress_of(rule.whom, keys)
            label = scope.moment.thing_name(rule.whom, keys).removeprefix(f"{owner}, ")
            names.append(Option(word, label, progress, paths=paths))
        label = "Which clock" if is_clocks(rule.whom) else "Whom"
        yield PickOne(WHOM, label, tuple(names), clause=rule.clause or None)
    if rule.text:
        yield Text(TYPED, rule.text, required=True)


def _refusal(rule: MoveRule, scope: Scope, asks: Sequence[Ask]) -> Refusal | None:
    """Return why the move can't be made, whatever is answered."""
    if not scope.holds(rule.when):
        return Refusal(rule.refusal or NOT_NOW, rule.clause or CONDITIONS)
    if rule.amount:
        least, most = (scope.number(rule.amount[place]) for place in (0, -1))
        if most < least:
            text = f"the number must be at least {least}, but can't be more than {most} now"
            by_actor = [effect for effect in rule.does if effect.who in ("", OTHERS)]
            lacks = None if rule.refusal else refusal_of(by_actor, replace(scope, names={(AMOUNT,): least}))
            return lacks or Refusal(rule.refusal or text, rule.clause or LIMITS)
    elif lacks := refusal_of(_price(rule), scope):
        return lacks
    for ask in asks:
        if isinstance(ask, PickOne) and all(one.blocked for one in ask.options):
            why = [f"{one.label}: {reason_of(one.blocked)}" for one in ask.options[:_MOST_REASONS]]
            none = "nothing can be chosen now" + (f" ({', '.join(why)})" if why else "")
            choices = (choice for answers in questions_of(rule).values() for choice in answers.values())
            says = ask.name != WHOM and any(choice.refusal for choice in choices)
            return Refusal(none if says else rule.refusal or none, rule.clause or CONDITIONS)
    if asks:
        return None
    if refusal := refusal_of(rule.does, scope):
        return refusal
    if apply_all(scope.moment, rule.does, scope) is scope.moment:
        return Refusal(rule.refusal or "nothing would change", rule.clause or LIMITS)
    return None


def _price(rule: MoveRule) -> Iterator[EffectRule]:
    """Yield what is spent first, and is the same whatever is answered."""
    for effect in rule.does[:1]:
        words = parse_effect(effect.do) if effect.do and not effect.when else None
        if words and words.verb == "spend" and words.rest.isdigit():
            yield effect


def play(moment: FileMoment, move: Move, answers: Answers, dice: Dice) -> FileMoment:
    """Make a move of the file."""
    rule = moment.game.moves[move.verb]
    keys = moment.things_by_word(rule.who)[move.words[0] if move.words else ""]
    names: dict[tuple[str, ...], Found] = {}
    if rule.amount:
        names[(AMOUNT,)] = int(str(answers[AMOUNT]))
    by_answer = list[EffectRule]()
    for path, choices in questions_of(rule).items():
        names[path] = chosen = str(answers[path[-1]])
        by_answer += choices[chosen].does
    effects = (*rule.does, *by_answer)
    if rule.text:
        names[(TYPED,)] = str(answers[TYPED])
    others = {WHOM: (rule.whom, (moment.things_by_word(rule.whom)[str(answers[WHOM])],))} if rule.whom else {}
    scope = Scope(moment, rule.who, keys, names, others)
    if refusal := refusal_of(effects, scope) or list_refusal(effects, scope, by_answer):
        raise ActRefused(refusal.reason, refusal.clause)
    after = apply_all(moment, effects, scope, move.about[0] if move.about else f"{ACT}{move.verb}")
    added = after.facts[len(moment.facts) :]
    if any(
        effect.say and moment.says(effect.say).facts[-1] in added for effect in effects
    ):  # What the file says of it is enough.
        return go_on(after, dice)
    public = dict(answers)
    if moment.hides(rule.whom):
        del public[WHOM]
    for key in others[WHOM][1] if is_clocks(rule.whom) else ():
        clock = moment.clocks[key[0]]
        if not clock.seen or clock.seen_by:  # What is done may be no secret, but the name of this clock is one.
            del public[WHOM]
    actor = moment.thing_name(rule.who, keys)
    done = _describe(rule, move, actor, public)
    return go_on(after.says_what_was_done(done, rule.clause, moment, rule.who), dice)


def _describe(rule: MoveRule, move: Move, actor: str, answers: Answers) -> str:
    """Return what was done, the subject first: `Tilde learned Drive`, of `{who} learned {choose}`. Answers that aren't named stand
    behind it.
    """
    texts = {ask.name: ", ".join(answer_labels(ask, answers)) for ask in move.asks}
    done = rule.log or label_of(move.verb, rule.label)
    others = [text for name, text in texts.items() if text and f"{{{name}}}" not in done]
    done = f"{{who}}: {done}" if actor and "{who}" not in done else done
    named = {"who": quote_phrase(actor), **{name: text or "something" for name, text in texts.items()}}
    done = re.sub(IN_LOG, lambda found: named.get(found[1], found[0]), done)
    return f"{done}{', ' if actor else ': '}{', '.join(others)}" if others else done


def _offers_to_mark(moment: FileMoment) -> Iterator[Move]:
    """Yield `mark` and `clear` for every value, unless the file has moves of these names."""
    declared = moment.game.moves
    for target in targets(moment):
        if MARK not in declared:
            yield _offer_to_mark(moment, target, MARK)
        if CLEAR not in declared:
            yield _offer_to_mark(moment, target, CLEAR)


def _offer_to_mark(moment: FileMoment, target: MarkTarget, verb: str) -> Move:
    path, value = target.place.path, target.place.value
    now = read(moment.sheet, path)
    asks: tuple[Number, ...] = ()
    full = ""
    if kind_of(value) == "flag":
        full = same_flag(target.place.label, now) if bool(now) is (verb == MARK) else ""
    elif kind_of(value) == "number":
        asks = (Number("by", "By how much", 1, MOST_MARKED, 1, preposition="by"),)
    else:
        least, most = moment.limits(value, path)
        asks = (Number("by", "By how much", 1, min(MOST_MARKED, max(1, most - least)), 1, preposition="by"),)
        end = most if verb == MARK else least
        if now == end or (now < end) is not (verb == MARK):
            full = f"{target.place.label} can't go {'above' if verb == MARK else 'below'} {end}"
    blocked = Refusal(full, value.clause or LIMITS) if full else None
    about = (format_path(path),)
    # Whether `clear` helps or hurts depends on the value: the label says which way it goes.
    does = verb.capitalize() if kind_of(value) == "flag" else _WAYS[verb]
    label = f"“{target.place.label}”"
    flagged = f"{label} {_FLAGGED[verb]}{target.label.removeprefix(label)}"
    heading = flagged if target.label.startswith(label) else f"{target.label} {_MOVED[verb]}"
    return Move(verb, target.words, f"{does} {target.label}", asks, blocked, about=about, effect=True, heading=heading)


def _mark(moment: FileMoment, move: Move, answers: Answers, dice: Dice) -> FileMoment:
    """Mark or clear a value, at most to its limit, and make the rolls that follow."""
    place = next(target.place for target in targets(moment) if target.words == move.words)
    is_up, now = move.verb == MARK, read(moment.sheet, place.path)
    wanted = is_up if kind_of(place.value) == "flag" else now + int(str(answers["by"])) * (1 if is_up else -1)
    return go_on(change_value(Scope(moment), place, wanted), dice)


def _end(moment: FileMoment, move: Move, _answers: Answers, dice: Dice) -> FileMoment:
    return go_on(end_what_lasts(moment, move.words[0]), dice)


def why_no_odds(moment: FileMoment, move: Move, _answers: Answers) -> str:
    """Return why a move that may bring a roll or dice has no odds: it brings none as things are; empty for one that never does."""
    from waylog.rules.file_game.check_tried_rolls import reach_of  # Only such a move needs it.

    game, rule = moment.game, moment.game.moves[move.verb]
    every = (one for effect in effects_of(rule) for one in reach_of(game, effect).effects)
    if not any(one.roll or any(dice_of(one)) for one in every):
        return ""
    return f"brings no roll {'with this amount' if rule.amount else 'now'}, so it has no odds"


def chapter_of(verbs: Iterable[str]) -> Chapter[FileMoment]:
    """Return the chapter of a game with moves of these verbs."""
    plays = {PASSES: _end, MARK: _mark, CLEAR: _mark, **dict.fromkeys(verbs, play)}
    return Chapter(offers=offers, plays=plays, no_odds=dict.fromkeys(verbs, why_no_odds))
