"""Acts in words: what a person types, what the log keeps, and the way from one to the other.

A word need only be long enough to be the only match, and the order does not matter. Digits that answer nothing else are
real dice, one face a digit (0 is the ten of a d10); dice that lie open are picked so too, before anything is said to them.
Text in quotes is never anything but text; where a move asks for more than one, each pair of quotes is the next of them.
A text that a word of its own introduces (`full "damage ship"`) may stand anywhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import field

from waylog.rules.moves import Allocate, Answer, Answers, Move, Number, Option, PickMany, PickOne, Refused, Text
from waylog.values import dataclass

_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)(?:"|\Z)|“([^”]*)(?:”|\Z)|(\S+)', re.DOTALL)
_GLUED = re.compile(r"([^\d\s]+)([0-9]+)")
_NUMBER = re.compile(r"[+-]?[0-9]{1,15}")
"""A number that is said. What other scripts write for one, or is longer, is a word like any other."""


class Unclear(Refused):
    """The words fit no move, or more than one."""


@dataclass(frozen=True, slots=True)
class Token:
    """A word of what was said, lower or upper case as typed."""

    text: str
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class Act:
    """A move with its answers, and the faces of real dice: None when the app rolls."""

    move: Move
    answers: Answers = field(default_factory=dict)
    faces: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Completion:
    """A word that could come next, and what it means."""

    word: str
    label: str
    note: str = ""
    blocked: bool = False


def tokens(text: str) -> tuple[Token, ...]:
    """The words of a line. A quote that is never closed runs to the end."""
    found = []
    for match in _TOKEN.finditer(text):
        straight, curly, plain = match.groups()
        if plain is not None:
            found.append(Token(plain))
        else:
            quoted = curly if straight is None else re.sub(r"\\(.)", r"\1", straight, flags=re.DOTALL)
            found.append(Token(quoted, quoted=True))
    return tuple(found)


def spoken(move: Move, answers: Answers) -> str:
    """The act as it is logged. `understood` reads it back to the same move and answers."""
    said = [move.verb, *move.words]
    for ask in move.asks:
        answer = answers.get(ask.name)
        match ask:
            case PickOne() if answer != ask.default:
                said.append(str(answer))
            case PickMany() | Allocate() if isinstance(answer, tuple):
                said.extend(str(part) for part in answer)
            case Number() if answer != ask.default:
                said.append(str(answer))
            case _:
                pass
    return " ".join((*said, *_texts(move, answers)))


def _texts(move: Move, answers: Answers) -> list[str]:
    """The texts in quotes: those known by their place, without the empty ones at the end, then those with a word."""
    asks = [ask for ask in move.asks if isinstance(ask, Text)]
    texts = [str(answers.get(ask.name, "")) for ask in asks if not ask.word]
    while texts and not texts[-1]:
        texts.pop()
    with_word = [f"{ask.word} {_quoted(str(text))}" for ask in asks if ask.word and (text := answers.get(ask.name))]
    return [*map(_quoted, texts), *with_word]


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


def understood(moves: Sequence[Move], text: str, verb: str = "") -> Act:
    """The one act that `text` means. With `verb`, that word may be left out. Raises `Unclear`, or why it can't be done."""
    said = tokens(text)
    if not said:
        raise Unclear("say what is done: " + ", ".join(dict.fromkeys(move.verb for move in moves)))
    fits = _all_fits(moves, said, verb)
    if not fits:
        raise _nothing_fits(moves, said, verb)
    best = max((fit.score, fit.early) for fit in fits)
    chosen = [fit for fit in fits if (fit.score, fit.early) == best]
    if len(chosen) > 1:
        open_now = [fit for fit in chosen if not fit.move.blocked]
        if len(open_now) != 1:
            raise Unclear("that could be " + " or ".join(fit.move.id for fit in chosen[:4]))
        chosen = open_now
    fit = chosen[0]
    return Act(fit.move, fit.answers, tuple(fit.faces) if fit.faces else None)


def completions(moves: Sequence[Move], text: str, verb: str = "") -> tuple[Completion, ...]:
    """Words that could stand where the line ends, those of open moves first.

    A word that was begun may be any that the move still lacks, as words may come in any order.
    """
    said = tokens(text)
    partial = "" if not said or text[-1:].isspace() else said[-1].text.lower()
    return _going_on(moves, said[:-1] if partial else said, partial, verb)


def _going_on(moves: Sequence[Move], said: tuple[Token, ...], partial: str, verb: str) -> tuple[Completion, ...]:
    found: dict[str, Completion] = {}
    for spelled in ((Token(verb), *said), said) if verb else (said,):
        for move in moves:
            fit = _fit(move, spelled, whole=False)
            if fit is None:
                continue
            for completion in _next_words(move, fit, begun=bool(partial)):
                if completion.word.startswith(partial):
                    found.setdefault(completion.word, completion)
        if found:
            break
    return tuple(sorted(found.values(), key=lambda completion: completion.blocked))


@dataclass(slots=True)
class _Fit:
    """How well a move fits what was said."""

    move: Move
    unsaid: list[str]
    answers: dict[str, Answer] = field(default_factory=dict)
    faces: list[int] = field(default_factory=list)
    score: int = 0
    """Words that were said in full count more than words that were begun, and least of all what had to be taken apart."""
    early: int = 0
    """Words that named the move before anything was answered: what was only begun is told apart by that."""


def _fits(moves: Sequence[Move], said: tuple[Token, ...]) -> Iterator[_Fit]:
    for move in moves:
        fit = _fit(move, said, whole=True)
        if fit is not None:
            yield fit


def _fit(move: Move, said: tuple[Token, ...], *, whole: bool) -> _Fit | None:
    """The move with what was said as its answers, or None. With `whole`, every word of the move has to be said."""
    fit = _Fit(move, [move.verb, *move.words])
    texts = [ask for ask in move.asks if isinstance(ask, Text) and not ask.word]
    with_word = {ask.word: ask.name for ask in move.asks if isinstance(ask, Text) and ask.word}
    parts: list[list[str]] = [[] for _ in texts]
    at, waiting, free, quoted = 0, list(said), False, False
    while waiting:
        token = waiting.pop(0)
        word = token.text.lower()
        if not token.quoted and word in with_word and waiting and waiting[0].quoted:
            fit.answers[with_word.pop(word)] = waiting.pop(0).text
            continue
        if token.quoted and not texts:
            return None
        if token.quoted:
            # A shell takes the quotes off a single word, so words before a quoted text are a text of their own.
            at = min(at + bool(parts[at]), len(texts) - 1)
            parts[at].append(token.text)
            at, quoted = min(at + 1, len(texts) - 1), True
        elif _says(fit, word) or (not (free and _picks_dice(move, word)) and _answers(fit, word)):
            continue
        elif (len(word) > 1 or word == "0") and texts and not free and _picks_dice(move, word):
            waiting[:0] = [Token(str(int(digit) or 10)) for digit in word]
        elif _digits(word) and not texts and (not move.whole or _NUMBER.fullmatch(word)):
            fit.faces.extend([int(word)] if move.whole else [int(digit) or 10 for digit in word])
        elif quoted and (ask := _takes_number(fit, word)):
            fit.answers[ask.name] = word
        elif texts and not fit.unsaid:
            parts[at].append(token.text)
            free = True
        elif glued := _GLUED.fullmatch(word):
            waiting[:0] = [Token(glued[1]), Token(glued[2])]
            fit.score -= 3
        else:
            return None
    fit.answers.update({ask.name: " ".join(part) for ask, part in zip(texts, parts, strict=True) if part})
    return None if whole and fit.unsaid else fit


def _takes_number(fit: _Fit, word: str) -> PickOne | None:
    """The pick of numbers that is still open, for a number that it hasn't got: it is refused by name, and is no text."""
    if not _NUMBER.fullmatch(word):
        return None
    picks = (ask for ask in fit.move.asks if isinstance(ask, PickOne) and ask.name not in fit.answers)
    return next((ask for ask in picks if all(_digits(option.word) for option in ask.options)), None)


def _digits(word: str) -> bool:
    return word.isascii() and word.isdigit()


def _picks_dice(move: Move, word: str) -> bool:
    """Each digit stands for one of the dice that the move asks for. In what is said without quotes it is a figure."""
    if not _digits(word):
        return False
    faces = {str(int(digit) or 10) for digit in word}
    return any(
        isinstance(ask, PickMany) and ask.repeats and faces <= {option.word for option in ask.options}
        for ask in move.asks
    )


def _says(fit: _Fit, word: str) -> bool:
    """Take `word` as one of the words that name the move. The verb comes before the rest."""
    for own in sorted(fit.unsaid, key=lambda own: own != word):
        lettered = bool(fit.move.key) and word == fit.move.key and own != fit.move.verb
        if own == word or lettered or (own.startswith(word) and not _digits(word)):
            if (
                fit.unsaid[0] == fit.move.verb
                and own != fit.move.verb
                and own != word
                and fit.move.verb.startswith(word)
            ):
                own = fit.move.verb
            fit.unsaid.remove(own)
            # Of two words that could each name the move, the one that is said first does.
            fit.score += 3 + (not fit.answers) if own == word or lettered else 1
            fit.early += not fit.answers
            return True
    return False


def _answers(fit: _Fit, word: str) -> bool:
    """Take `word` as an answer to one of the move's asks."""
    for ask in fit.move.asks:
        if isinstance(ask, Number) and _NUMBER.fullmatch(word) and ask.name not in fit.answers:
            fit.answers[ask.name] = int(word)
            return True
        if isinstance(ask, Allocate) and _digits(word) and _place(fit, ask, word):
            return True
    found = [
        (ask, option) for ask in fit.move.asks if isinstance(ask, PickOne | PickMany) for option in _named(ask, word)
    ]
    open_asks = [(ask, option) for ask, option in found if isinstance(ask, PickMany) or ask.name not in fit.answers]
    exact = [(ask, option) for ask, option in open_asks if word == option.word]
    # What is so anyway is hardly what is said: a default gives way to another word that begins alike.
    telling = [(ask, option) for ask, option in open_asks if not isinstance(ask, PickOne) or option.word != ask.default]
    choice = exact or telling or open_asks
    if len({option.word for _, option in choice}) != 1:
        return False
    ask, option = choice[0]
    held = fit.answers.get(ask.name, ())
    if isinstance(ask, PickMany):
        if isinstance(held, tuple) and option.word in held and not ask.repeats:
            return False
        fit.answers[ask.name] = (*held, option.word) if isinstance(held, tuple) else (option.word,)
    else:
        fit.answers[ask.name] = option.word
    fit.score += 3 if exact else 1
    return True


def _named(ask: PickOne | PickMany, word: str) -> list[Option]:
    begun = [
        option
        for option in ask.options
        if option.word.startswith(word) or any(name.startswith(word) for name in option.also)
    ]
    return [option for option in begun if option.word == word] or ([] if _digits(word) else begun)


def _place(fit: _Fit, ask: Allocate, word: str) -> bool:
    held = fit.answers.get(ask.name, ())
    apart = len(word) > 1 and len(word) == len(ask.slots)
    if not apart and not _NUMBER.fullmatch(word):
        return False
    numbers = [int(digit) for digit in word] if apart else [int(word)]
    if not isinstance(held, tuple) or len(held) + len(numbers) > len(ask.slots):
        return False
    fit.answers[ask.name] = (*held, *numbers)
    return True


def _next_words(move: Move, fit: _Fit, *, begun: bool) -> Iterator[Completion]:
    if fit.unsaid:
        note = move.blocked.reason if move.blocked else ""
        first, *later = fit.unsaid
        yield Completion(first, move.verb if later else move.label, note, bool(move.blocked))
        if begun and first != move.verb:
            for own in later:
                yield Completion(own, f"{move.verb} … {own}", note, bool(move.blocked))
        return
    for ask in move.asks:
        held = fit.answers.get(ask.name, ())
        if not isinstance(ask, PickOne | PickMany) or (isinstance(ask, PickOne) and held):
            continue
        for option in ask.options:
            if (
                ask.name in fit.answers
                and isinstance(held, tuple)
                and option.word in held
                and not getattr(ask, "repeats", False)
            ):
                continue
            if isinstance(ask, PickOne) and option.word == ask.default:
                continue
            note = option.blocked.reason if option.blocked else option.note
            yield Completion(option.word, option.label, note, bool(option.blocked))


def _all_fits(moves: Sequence[Move], said: tuple[Token, ...], verb: str) -> list[_Fit]:
    with_verb = list(_fits(moves, (Token(verb), *said))) if verb else []
    return with_verb or list(_fits(moves, said))


def _nothing_fits(moves: Sequence[Move], said: tuple[Token, ...], verb: str) -> Refused:
    """What went wrong: what is not said yet, the word that means nothing there, or what the line could begin with."""
    line = " ".join(token.text for token in said)
    lacking = [one.word for one in _going_on(moves, said, "", verb) if not one.blocked]
    if lacking:
        return Unclear(f"“{line}” is not all of it; it goes on with {' · '.join(lacking[:8])}")
    for place in reversed(range(len(said))):
        rest = said[:place] + said[place + 1 :]
        fits = _all_fits(moves, rest, verb) if rest else []
        if len({fit.move.id for fit in fits}) == 1:
            move = fits[0].move
            if move.blocked:
                return Refused(move.blocked.reason, move.blocked.clause)
            takes = ", ".join(option.word for option in _options(move)) or "nothing more"
            return Unclear(f"“{said[place].text}” means nothing in “{move.id}”; it takes {takes}")
    first = said[0].text.lower()
    near = [move for move in moves if move.verb.startswith(first)] or [move for move in moves if move.verb == verb]
    if not near:
        verbs = ", ".join(dict.fromkeys(move.verb for move in moves))
        return Unclear(f"“{line}” is not something that can be done here: {verbs}")
    starts = " · ".join(dict.fromkeys(move.id for move in near[:8]))
    return Unclear(f"“{line}” fits nothing here; it could begin with {starts}")


def _options(move: Move) -> Iterator[Option]:
    for ask in move.asks:
        if isinstance(ask, PickOne | PickMany):
            yield from ask.options
