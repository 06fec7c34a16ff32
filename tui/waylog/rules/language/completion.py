"""Completions: the words that a person could type next. The command line of the app lists them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from waylog.rules.language.grammar import Token, begun_moves, match_move, tokens
from waylog.rules.language.similar_names import Reach, closeness
from waylog.rules.language.word_meanings import Fit, name_of, names_of
from waylog.rules.model.moves import Move, PickMany, PickOne, Text
from waylog.values import dataclass


@dataclass(frozen=True, slots=True)
class Completion:
    """A word that may come next, with its meaning."""

    word: str
    label: str
    note: str = ""
    blocked: bool = False


def completions(moves: Sequence[Move], text: str, verb: str = "", reach: Reach = Reach.GUESS) -> tuple[Completion, ...]:
    """Return the words that may come next, those of open moves first.

    A started word may be any that the move still lacks, as words may come in any order.
    """
    all_tokens = tokens(text)
    partial = "" if not all_tokens or text[-1:].isspace() else all_tokens[-1].text.lower()
    begun = all_tokens[:-1] if partial else all_tokens
    for far in Reach:
        for line in ((Token(verb), *begun), begun) if verb else (begun,):
            found: dict[str, Completion] = {}
            for move in begun_moves(moves, line, partial) if far <= reach else ():
                fit = match_move(move, line, far)
                for completion in _next_words(fit, partial) if isinstance(fit, Fit) else ():
                    found.setdefault(completion.word, completion)
            if found:
                return tuple(sorted(found.values(), key=lambda completion: completion.blocked))
    return ()


def _next_words(fit: Fit, partial: str) -> Iterator[Completion]:
    move = fit.move
    if fit.missing_words:
        note = move.blocked.reason if move.blocked else ""
        first, *later = fit.missing_words
        if first.startswith(partial):
            yield Completion(first, move.verb if later else move.label, note, bool(move.blocked))
        for verb in later if partial and first != move.verb else ():
            if verb.startswith(partial):
                yield Completion(verb, f"{move.verb} … {verb}", note, bool(move.blocked))
        if first != move.verb and closeness(partial, (move.name, move.label, *move.words), fit.reach):
            yield Completion(" ".join(fit.missing_words), move.label, note, bool(move.blocked))
        return
    yield from _names_left(fit, partial)
    for ask in move.asks:
        given = fit.answers.get(ask.name, ())
        if not isinstance(ask, PickOne | PickMany) or (isinstance(ask, PickOne) and given):
            continue
        for option in ask.options:
            if isinstance(ask, PickMany) and isinstance(given, tuple) and option.word in given and not ask.repeats:
                continue
            if isinstance(ask, PickOne) and option.word == ask.default:
                continue
            # What a person sees comes before a word that only the log has.
            words = (option.word, *option.also) if name_of(option) == option.word else (*option.also, option.word)
            begun = [word for word in words if word.startswith(partial)]
            if begun or closeness(partial, names_of(option), fit.reach):
                note = option.blocked.reason if option.blocked else option.note
                yield Completion((begun or words)[0], option.label, note, bool(option.blocked))


def _names_left(fit: Fit, partial: str) -> Iterator[Completion]:
    """Yield the names proposed for texts that they don't have yet."""
    for ask in fit.move.asks:
        typed = str(fit.answers.get(ask.name, "")).casefold()
        for name in ask.proposed if isinstance(ask, Text) else ():
            if name.lower().startswith(partial) and name.casefold() not in typed:
                yield Completion(name, ask.label)
