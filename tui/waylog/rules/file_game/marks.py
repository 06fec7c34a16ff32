"""The acts `mark` and `clear`, which every track, every number and every flag has."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from waylog.rules.changes import format_path
from waylog.rules.dice import Dice
from waylog.rules.file_game.clauses import LIMITS
from waylog.rules.file_game.declaration import ValueRule
from waylog.rules.file_game.moment import FileMoment, in_words
from waylog.rules.file_game.places import ValuePlace, label_of, lists_of, read, thing_path, values_of
from waylog.rules.file_game.sheet_types import kind_of
from waylog.rules.moves import Answers, Move, Number, Refusal
from waylog.values import NamedTuple

MARK, CLEAR = "mark", "clear"
MARKED = ("range", "number", "flag")
"""The kinds of values that may be marked."""
_MOST = 999


class MarkTarget(NamedTuple):
    """A value that may be marked and cleared."""

    words: tuple[str, ...]
    place: ValuePlace
    path: tuple[str, ...]
    label: str


def targets(moment: FileMoment) -> Iterator[MarkTarget]:
    """Yield the values that may be marked. Where two lists have the same words, the name of the list comes first."""
    found = [*_targets_of_parts(moment)]
    words = Counter(target.words for target in found)
    for target in found:
        unique = words[target.words] == 1
        yield target if unique else target._replace(words=(target.path[0], *target.words))


def _targets_of_parts(moment: FileMoment) -> Iterator[MarkTarget]:
    parts = moment.game.sheet
    single = [key for part in parts.values() for key in part.values]
    for name, part in parts.items():
        for key, value in part.values.items():
            if _has_marks(value):
                words = (key,) if single.count(key) == 1 else (name, key)
                yield MarkTarget(words, ValuePlace((name, key), value), (name, key), label_of(key, value.label))
    for who in lists_of(parts):
        values = {key: value for key, value in values_of(parts, who).items() if _has_marks(value)}
        inner = who.partition(".")[2]
        for word, keys in moment.things_by_word(who).items() if values else ():
            above, owner = thing_path(who, keys), moment.thing_name(who, keys)
            for key, value in values.items():
                path, words = (*above, key), (*((inner,) if inner else ()), word, key)
                yield MarkTarget(words, ValuePlace(path, value), path, f"{owner}: {label_of(key, value.label)}")


def _has_marks(value: ValueRule) -> bool:
    return value.moves and kind_of(value) in MARKED


def offers(moment: FileMoment) -> Iterator[Move]:
    """Yield `mark` and `clear` for every value, unless the file has moves of these names."""
    declared = moment.game.moves
    for target in targets(moment):
        if MARK not in declared:
            yield _mark(moment, target, MARK)
        if CLEAR not in declared:
            yield _mark(moment, target, CLEAR)


def _mark(moment: FileMoment, target: MarkTarget, verb: str) -> Move:
    now, value = read(moment.sheet, target.path), target.place.value
    about, clause = (format_path(target.path),), value.clause or LIMITS
    if kind_of(value) == "flag":
        blocked = Refusal(f"it is already {in_words(now)}", clause) if bool(now) is (verb == MARK) else None
        return Move(verb, target.words, f"{verb.capitalize()} {target.label}", (), blocked, about=about, effect=True)
    if kind_of(value) == "number":
        by = Number("by", "By how much", 1, _MOST, 1)
        return Move(verb, target.words, f"{verb.capitalize()} {target.label}", (by,), about=about, effect=True)
    end = value.range[-1] if verb == MARK else value.range[0]
    room = abs(end - now)
    full = f"it is already at its {'highest' if verb == MARK else 'lowest'}, {end}"
    blocked = None if room and (now < end) is (verb == MARK) else Refusal(full, clause)
    by = Number("by", "By how much", 1, min(_MOST, max(1, value.range[-1] - value.range[0])), 1)
    return Move(verb, target.words, f"{verb.capitalize()} {target.label}", (by,), blocked, about=about, effect=True)


def mark(moment: FileMoment, move: Move, answers: Answers, _dice: Dice) -> FileMoment:
    """Mark or clear a value, at most to its limit."""
    target = next(found for found in targets(moment) if found.words == move.words)
    now, value = read(moment.sheet, target.path), target.place.value
    if kind_of(value) == "flag":
        return moment.changes(target.place, (), move.verb == MARK)
    by = int(str(answers["by"])) * (1 if move.verb == MARK else -1)
    if kind_of(value) == "number":
        return moment.changes(target.place, (), now + by)
    return moment.changes(target.place, (), max(value.range[0], min(value.range[-1], now + by)))


def typed_words(moment: FileMoment, verb: str, path: Sequence[str], by: int | None) -> str:
    """Return the act on the value at a path as it is typed, such as `mark stress 2`; empty if there is none.

    Without `by`, `mark` adds 1, and `clear` takes all away, as these verbs do in effects.
    """
    target = next((target for target in targets(moment) if target.path == tuple(path)), None)
    if target is None or verb in moment.game.moves:
        return ""
    number: tuple[str, ...] = ()
    if kind_of(target.place.value) != "flag":
        least = target.place.value.range[0] if target.place.value.range else 0
        everything = read(moment.sheet, target.path) - least if verb == CLEAR else 1
        number = (str(max(1, min(_MOST, everything if by is None else by))),)
    return " ".join((verb, *target.words, *number))
