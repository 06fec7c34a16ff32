"""Acts without a roll: those that a game file declares, and `mark` and `clear`, which every track and flag has."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from waylog.rules.changes import format_path
from waylog.rules.dice import Dice
from waylog.rules.file_game.clauses import CONDITIONS, LIMITS
from waylog.rules.file_game.declaration import ChoiceRule, EffectRule, MoveRule, ValueRule
from waylog.rules.file_game.effects import apply_all, changes_nothing, refusal_of
from waylog.rules.file_game.moment import FileMoment, Found, Scope
from waylog.rules.file_game.places import ValuePlace, label_of, lists_of, read, row_of_thing, thing_path, values_of
from waylog.rules.file_game.sheet_types import kind_of
from waylog.rules.kit import Chapter
from waylog.rules.moves import ActRefused, Answers, Ask, Move, Number, Option, PickOne, Refusal
from waylog.rules.state import ACT
from waylog.values import NamedTuple

MARK, CLEAR = "mark", "clear"
AMOUNT, CHOSEN = "amount", "choose"
_MOST = 999


def offers(moment: FileMoment) -> tuple[Move, ...]:
    """Return the moves of the file, for each thing that may do them, and `mark` and `clear`."""
    declared = (move for name, rule in moment.game.moves.items() for move in _moves_of_rule(moment, name, rule))
    return (*declared, *_marks(moment))


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
            Option(word, label_of(word, choice.label), blocked=_choice_blocked(rule, choice, scope))
            for word, choice in rule.choose.items()
        )
        yield PickOne(CHOSEN, "Which", options, clause=rule.clause or None)


def _choice_blocked(rule: MoveRule, choice: ChoiceRule, scope: Scope) -> Refusal | None:
    clause = rule.clause or CONDITIONS
    if not scope.holds(choice.when):
        return Refusal(choice.refusal or "its condition does not hold", clause)
    return None if rule.amount else refusal_of((*rule.does, *choice.does), scope)


def _refusal(rule: MoveRule, scope: Scope, asks: Sequence[Ask]) -> Refusal | None:
    """Return why the move can't be made, whatever is answered."""
    if not scope.holds(rule.when):
        return Refusal(rule.refusal or "its condition does not hold", rule.clause or CONDITIONS)
    if rule.amount and scope.number(rule.amount[-1]) < scope.number(rule.amount[0]):
        return Refusal(rule.refusal or "there is nothing to choose from", rule.clause or LIMITS)
    if rule.choose and all(isinstance(ask, PickOne) and all(one.blocked for one in ask.options) for ask in asks[-1:]):
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
    scope = Scope(moment, rule.who, keys, names)
    if refusal := refusal_of(effects, scope):
        raise ActRefused(refusal.reason, refusal.clause)
    return apply_all(moment, effects, scope, _source(move))


def _source(move: Move) -> str:
    return move.about[0] if move.about else f"{ACT}{move.verb}"


# -- mark and clear ---------------------------------------------------------------------------------------------------


class _MarkTarget(NamedTuple):
    """A value that may be marked and cleared."""

    words: tuple[str, ...]
    place: ValuePlace
    path: tuple[str, ...]
    label: str


def _targets(moment: FileMoment) -> Iterator[_MarkTarget]:
    """Yield the values that may be marked. Where two lists have the same words, the name of the list comes first."""
    found = [*_targets_of_parts(moment)]
    words = [target.words for target in found]
    for target in found:
        unique = words.count(target.words) == 1
        yield target if unique else target._replace(words=(target.path[0], *target.words))


def _targets_of_parts(moment: FileMoment) -> Iterator[_MarkTarget]:
    parts = moment.game.sheet
    single = [key for part in parts.values() for key in part.values]
    for name, part in parts.items():
        for key, value in part.values.items():
            if _has_marks(value):
                words = (key,) if single.count(key) == 1 else (name, key)
                yield _MarkTarget(words, ValuePlace((name, key), value), (name, key), label_of(key, value.label))
    for who in lists_of(parts):
        values = {key: value for key, value in values_of(parts, who).items() if _has_marks(value)}
        inner = who.partition(".")[2]
        for word, keys in moment.things_by_word(who).items() if values else ():
            above, owner = thing_path(who, keys), moment.thing_name(who, keys)
            for key, value in values.items():
                path, words = (*above, key), (*((inner,) if inner else ()), word, key)
                yield _MarkTarget(words, ValuePlace(path, value), path, f"{owner}: {label_of(key, value.label)}")


def _has_marks(value: ValueRule) -> bool:
    return value.moves and kind_of(value) in ("range", "flag")


def _marks(moment: FileMoment) -> Iterator[Move]:
    declared = moment.game.moves
    for target in _targets(moment):
        if MARK not in declared:
            yield _mark(moment, target, MARK)
        if CLEAR not in declared:
            yield _mark(moment, target, CLEAR)


def _mark(moment: FileMoment, target: _MarkTarget, verb: str) -> Move:
    now, value = read(moment.sheet, target.path), target.place.value
    about, clause = (format_path(target.path),), value.clause or LIMITS
    if kind_of(value) == "flag":
        blocked = Refusal(f"it is {'already' if now else 'not'} so", clause) if bool(now) is (verb == MARK) else None
        return Move(verb, target.words, f"{verb.capitalize()} {target.label}", (), blocked, about=about, effect=True)
    end = value.range[-1] if verb == MARK else value.range[0]
    room = abs(end - now)
    full = f"it is at its {'most' if verb == MARK else 'least'}, {end}"
    blocked = None if room and (now < end) is (verb == MARK) else Refusal(full, clause)
    by = Number("by", "By how much", 1, min(_MOST, max(1, value.range[-1] - value.range[0])), 1)
    return Move(verb, target.words, f"{verb.capitalize()} {target.label}", (by,), blocked, about=about, effect=True)


def mark(moment: FileMoment, move: Move, answers: Answers, _dice: Dice) -> FileMoment:
    """Mark or clear a value, as far as it goes."""
    target = next(found for found in _targets(moment) if found.words == move.words)
    now, value = read(moment.sheet, target.path), target.place.value
    if kind_of(value) == "flag":
        return moment.changes(target.place, (), move.verb == MARK)
    by = int(str(answers["by"])) * (1 if move.verb == MARK else -1)
    return moment.changes(target.place, (), max(value.range[0], min(value.range[-1], now + by)))


def chapter_of(verbs: Iterable[str]) -> Chapter[FileMoment]:
    """Return the chapter of a game with moves of these verbs."""
    return Chapter(offers=offers, plays={MARK: mark, CLEAR: mark, **dict.fromkeys(verbs, play)})
