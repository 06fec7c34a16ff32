"""An act as a line of words, which `commands.parse_act` reads back. The log keeps acts so."""

from __future__ import annotations

from waylog.rules.answers import shown_digits, takes_numbers
from waylog.rules.dice import TEN
from waylog.rules.moves import Act, Allocate, Answers, Move, Number, PickMany, PickOne, Text


def format_act(move: Move, answers: Answers) -> str:
    """Return the act as a line for the log. `parse_act` reads it back to the same move and answers."""
    parts = [move.verb, *move.words]
    for ask in move.asks:
        answer = answers.get(ask.name)
        match ask:
            case PickOne() if answer != ask.default or ask.logged:
                parts.append(str(answer))
            case PickMany() | Allocate() if isinstance(answer, tuple):
                parts.extend(str(part) for part in answer)
            case Number() if answer != ask.default:
                parts.append(ask.text_of(answer))
            case _:
                pass
    return " ".join((*parts, *_format_texts(move, answers)))


def format_typed(act: Act) -> str:
    """Return an act with its real dice as a line, which `parse_act` reads back to the same act."""
    words = format_act(act.move, act.answers)
    if not act.faces:
        return words
    # A digit that the screen shows as an answer isn't a die before that answer is given.
    first = [
        str(ask.default)
        for ask in shown_digits(act.move.asks, {})
        if act.answers.get(ask.name, ask.default) == ask.default
    ]
    numbers = takes_numbers(act.move, act.answers)
    faces = (f"{0 if face == TEN and not numbers else face}" for face in act.faces)
    return " ".join((words, *first, *faces))


def _format_texts(move: Move, answers: Answers) -> list[str]:
    """Return the texts in quotes: first those known by their place, without empty ones at the end, then those with a
    word.
    """
    asks = [ask for ask in move.asks if isinstance(ask, Text)]
    texts = [str(answers.get(ask.name, "")) for ask in asks if not ask.word]
    while texts and not texts[-1]:
        texts.pop()
    with_word = [f"{ask.word} {quote_text(str(text))}" for ask in asks if ask.word and (text := answers.get(ask.name))]
    return [*map(quote_text, texts), *with_word]


def quote_text(text: str) -> str:
    """Return a text as one token, in quotes."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
