"""Read dictated lines, to which voice typing adds capitals and punctuation, and suggest other lines for misspelt words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from waylog.rules.command_completion import completions
from waylog.rules.command_errors import CommandUnclear
from waylog.rules.command_grammar import Line, Token, tokens
from waylog.rules.moves import Act, ActRefused, Move
from waylog.rules.word_matching import nearest

_PUNCTUATION = ".,;:!?…"
_MOST = 12


def understand(read: Callable[[Line], Act], line: str) -> Act:
    """Return the act that a line means as it is, or else without the punctuation that voice typing adds.

    Raises what `read` raises for the line as it is typed.
    """
    first, *others = _readings(line)
    try:
        return read(first)
    except CommandUnclear:
        for other in others:
            try:
                return read(other)
            except ActRefused:
                continue
        raise


def _readings(line: str) -> Iterator[Sequence[Token]]:
    """Yield the line as it is, then without punctuation around its first word, then around every word. Quoted texts are kept."""
    typed = tokens(line)
    yield typed
    cleaned = [token if token.quoted else Token(token.text.strip(_PUNCTUATION)) for token in typed]
    yield (*cleaned[:1], *typed[1:])
    yield tuple(token for token in cleaned if token.text or token.quoted)


def suggestions(moves: Sequence[Move], line: str) -> list[str]:
    """Return lines that an unclear line may have meant, the likeliest first: with one more word, or with another last word."""
    line = line.strip(_PUNCTUATION + " ")
    if more := [f"{line} {one.word}" for one in completions(moves, f"{line} ") if not one.blocked]:
        return more[:_MOST]
    *before, last = line.split() or [""]
    begun = " ".join(before)
    known = [one for one in completions(moves, f"{begun} " if begun else "") if not one.blocked]
    begins = [one.word for one in known if last and one.word.startswith(last.casefold())]
    near = nearest(last, dict.fromkeys(one.word for one in known))
    found = dict.fromkeys((*begins, *([near] if near else ())))
    if not found and begun:
        verb = nearest(before[0], dict.fromkeys(move.verb for move in moves))
        return [" ".join((verb, *before[1:], last))] if verb and verb != before[0] else []
    return [f"{begun} {word}".strip() for word in [*found][:_MOST]]
