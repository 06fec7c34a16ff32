"""Acts in words: what a person types, what the log keeps, and the way from one to the other.

    line     = words                                   for a move that asks for no text: in any order
             | names answers TEXT answers              what is asked after the text is read from the end of the line
             | words "TEXT" words "TEXT" …             in quotes: each is the next text, and is never anything else
             | … full "TEXT"                           a text with a word of its own, anywhere
    words    = names, answers and dice                 the verb comes before the other names of the move
    name     = the beginning of the verb               roll, ro
             | the beginning of a word of the move     roll nav, the letter shown for it, or part of its name on screen
    answer   = the beginning of an option              desp, part of its label on screen, or a number
    dice     = digits that answer nothing else         3 5 5 or 355, and 0 is a ten; real dice come last

A word is tried as a word of the rules first, then as part of a name, then, for `Reach.GUESS`, as letters of one. The whole
line is tried at one reach before the next, so what is typed in full is never taken for a name. Case and accents of names
don't matter. Names may be left out where only one move could be meant. Without quotes a line has one text, the first; so
a clock's name may hold any word, and its size and kind are read from the end. `spoken` writes every text in quotes.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import field
from itertools import pairwise

from waylog.rules.moves import (
    Allocate,
    Answer,
    Answers,
    Ask,
    Move,
    Number,
    Option,
    PickMany,
    PickOne,
    Refused,
    Text,
    picked,
)
from waylog.rules.naming import listed
from waylog.rules.word_matching import Reach, closeness, fold
from waylog.values import dataclass

_TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)(?:"|\Z)|“([^”]*)(?:”|\Z)|(\S+)', re.DOTALL)
_GLUED = re.compile(r"([^\d\s]+)([0-9]+)")
_NUMBER = re.compile(r"[+-]?[0-9]{1,15}")
"""A number that is said. What other scripts write for one, or is longer, is a word like any other."""


_LONG = 24
"""Letters of a word that nobody would rather type than part of a name."""


class Unclear(Refused):
    """The words fit no move, or more than one."""


class NoSuchCommand(Unclear):
    """The line begins with no verb that there is."""


@dataclass(frozen=True, slots=True)
class Token:
    """A word of what was said, lower or upper case as typed."""

    text: str
    quoted: bool = False
    apart: bool = False
    """It was an argument of its own, beside others that a shell took quotes off: as a text it is not joined to the next."""


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


Line = str | Sequence[Token]
"""What was said: as it was typed, or as the arguments of a shell."""


def tokens(text: Line) -> tuple[Token, ...]:
    """The words of a line. A quote that is never closed runs to the end."""
    if not isinstance(text, str):
        return tuple(text)
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
            case PickOne() if answer != ask.default or ask.logged:
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


# -- understanding --------------------------------------------------------------------------------------------------


def understood(moves: Sequence[Move], text: Line, verb: str = "", reach: Reach = Reach.NAMES) -> Act:
    """The one act that `text` means. With `verb`, that word may be left out. Raises `Unclear`, or why it can't be done.

    `reach` says how far words may be from what they stand for.
    """
    said = tokens(text)
    if not said:
        raise Unclear("say what is done: " + ", ".join(dict.fromkeys(move.verb for move in moves)))
    lines = [(Token(verb), *said), said] if verb else [said]
    for far in Reach:
        for line in lines if far <= reach else ():
            fits, begun = _fits(moves, line, far)
            if chosen := _best(fits, line) or _only(begun):
                return Act(chosen.move, chosen.answers, tuple(chosen.faces) if chosen.faces else None)
    from waylog.rules.command_errors import what_is_wrong

    raise what_is_wrong(moves, lines[0], reach)


def _fits(moves: Sequence[Move], said: tuple[Token, ...], reach: Reach) -> tuple[list[Fit], list[Fit]]:
    """The moves that the line names and that take every word of it, and those that it leaves some name of out."""
    found = [fit for move in begun_by(moves, said) if isinstance(fit := fitted(move, said, reach), Fit)]
    return [fit for fit in found if not fit.lacking], [fit for fit in found if fit.lacking]


def begun_by(moves: Sequence[Move], said: Sequence[Token], partial: str = "") -> list[Move]:
    """The moves whose verb a word of the line begins: it can be none of the others, and those are most of them."""
    words = {token.text.lower().rstrip("0123456789") for token in said if not token.quoted} | {partial}
    begun = tuple(word for word in words if word)
    return [move for move in moves if not said or any(move.verb.startswith(word) for word in begun)]


def _best(fits: Sequence[Fit], said: tuple[Token, ...]) -> Fit | None:
    """The fit that says most; of equal ones the only one that is open. Raises `Unclear` when more than one is left."""
    if not fits:
        return None
    best = max((fit.score, fit.early) for fit in fits)
    chosen = [fit for fit in fits if (fit.score, fit.early) == best]
    if len(chosen) > 1:
        open_now = [fit for fit in chosen if not fit.move.blocked]
        if len(open_now) != 1:
            line = " ".join(token.text for token in said)
            raise Unclear(f"“{line}” could be {listed([fit.move.id for fit in chosen[:4]], 'or')}")
        chosen = open_now
    return chosen[0]


def _only(begun: Sequence[Fit]) -> Fit | None:
    """The one move that can be meant although a name of it was left out: that of a verb that was said."""
    said = [fit for fit in begun if fit.move.verb not in fit.unsaid]
    able = [fit for fit in said if not fit.move.blocked] or said
    return able[0] if len(able) == 1 else None


@dataclass(slots=True)
class Fit:
    """How well a move fits what was said."""

    move: Move
    reach: Reach
    unsaid: list[str]
    answers: dict[str, Answer] = field(default_factory=dict)
    faces: list[int] = field(default_factory=list)
    score: int = 0
    """Words that were said in full count more than words that were begun, and least of all what had to be taken apart."""
    early: int = 0
    """Words that named the move before anything was answered: what was only begun is told apart by that."""
    by_name: bool = False
    """Part of its name on screen was said, which stands for all its words."""

    @property
    def lacking(self) -> list[str]:
        """The words that are still to be said."""
        return [] if self.by_name and self.move.verb not in self.unsaid else self.unsaid


@dataclass(slots=True)
class Misfit(Exception):
    """A word that the move takes for nothing, or could take for more than one thing."""

    word: str
    among: tuple[str, ...] = ()
    """What it could be."""
    reason: str = ""
    """Why it is not taken, where there is more to say than that."""
    move: Move | None = None
    fit: Fit | None = None
    """The move as far as it was said."""
    before: int = 0
    """How many words of the line had their place."""


def fitted(move: Move, said: Sequence[Token], reach: Reach) -> Fit | Misfit:
    """The move with what was said as its answers, or the word that does not go with it."""
    texts = sum(isinstance(ask, Text) and not ask.word for ask in move.asks)
    misfit = None
    parted = list(_with_words(move, said))
    for take in _ways(texts, parted[0][1]):
        for known, rest in parted:
            fit, waiting = Fit(move, reach, [move.verb, *move.words], {**known}), [*rest]
            try:
                take(fit, waiting)
            except Misfit as wrong:
                misfit = wrong
                misfit.move, misfit.fit, misfit.before = move, fit, len(rest) - len(waiting)
            else:
                return fit
    assert misfit
    return misfit


def _with_words(move: Move, said: Sequence[Token]) -> Iterator[tuple[dict[str, Answer], list[Token]]]:
    """The texts that a word of their own introduces, and the rest of the line: each way to part them, the likeliest first.

    Such a text stands in quotes. It may stand without them at the end of a line that can't be read otherwise.
    """
    words = _introducing(move)
    known, rest = dict[str, Answer](), [*said]
    for token, text in pairwise(said if words else ()):
        if not token.quoted and text.quoted and token.text.lower() in words:
            known[words.pop(token.text.lower())] = text.text
            rest = [other for other in rest if other is not token and other is not text]
    yield known, rest
    for place in reversed(range(len(rest) - 1)):
        token, last = rest[place], rest[place + 1 :]
        if token.text in words and not any(part.quoted for part in (token, *last)):
            yield {**known, words[token.text]: " ".join(part.text for part in last)}, rest[:place]


def _introducing(move: Move) -> dict[str, str]:
    """The words that introduce a text, and which text each introduces."""
    return {ask.word: ask.name for ask in move.asks if isinstance(ask, Text) and ask.word}


_Take = Callable[["Fit", list[Token]], None]
"""Takes all that was said, or raises `Misfit`."""


def _ways(texts: int, said: Sequence[Token]) -> Sequence[_Take]:
    """How a line can be read for a move that asks for so many texts: each way is tried when the one before it fails."""
    quoted = sum(token.quoted for token in said)
    if not texts:
        return (_take_words,)
    if not quoted:
        return (_take_around_text,)
    if quoted >= texts:
        return (_take_between_quotes,)
    return (_take_arguments, _take_before_quotes) if any(token.apart for token in said) else (_take_before_quotes,)


def _take_words(fit: Fit, waiting: list[Token]) -> None:
    """Names, answers and dice in any order. Raises `Misfit`."""
    while waiting:
        _join_key(fit, waiting, fit.move.asks)
        token, word = waiting[0], waiting[0].text.lower()
        if token.quoted:
            raise Misfit(token.text)
        if _takes(fit, word, fit.move.asks):
            waiting.pop(0)
        elif _digits(word) and (not fit.move.whole or _NUMBER.fullmatch(word)):
            fit.faces.extend([int(word)] if fit.move.whole else [int(digit) or 10 for digit in word])
            waiting.pop(0)
        elif glued := _GLUED.fullmatch(word):
            waiting[:1] = [Token(glued[1]), Token(glued[2])]
            fit.score -= 3
        else:
            raise Misfit(token.text)


def _take_arguments(fit: Fit, waiting: list[Token]) -> None:
    """As `_take_between_quotes`, each text an argument of its own. Raises `Misfit`."""
    _take_between_quotes(fit, waiting, joins=False)


def _take_before_quotes(fit: Fit, waiting: list[Token]) -> None:
    """What stands before the first quotes is read like a line with one text, if it has any. Raises `Misfit`."""
    first = next(place for place, token in enumerate(waiting) if token.quoted)
    start = waiting[:first]
    _take_around_text(fit, start, in_full=False)
    del waiting[:first]
    _take_between_quotes(fit, waiting)


def _take_between_quotes(fit: Fit, waiting: list[Token], *, joins: bool = True) -> None:
    """Texts in quotes, one after another, among words in any order. Raises `Misfit`.

    A shell takes the quotes off a text of one word, so words that are nothing else are a text too; with `joins`, those
    that stand side by side are one.
    """
    texts = [ask for ask in fit.move.asks if isinstance(ask, Text) and not ask.word and ask.name not in fit.answers]
    other = [ask for ask in fit.move.asks if not isinstance(ask, Text)]
    parts: list[list[str]] = []
    goes_on = False
    while waiting:
        _join_key(fit, waiting, other)
        token, word = waiting[0], waiting[0].text.lower()
        if not token.quoted and _takes(fit, word, other, or_text=not fit.lacking):
            pass
        elif not token.quoted and _picks_dice(other, word):
            waiting[1:1] = [Token(str(int(digit) or 10)) for digit in word]
        elif not token.quoted and _takes_number(fit, word, other):
            pass
        elif fit.lacking and not token.quoted:
            raise Misfit(token.text)
        elif parts and ((goes_on and joins and not token.quoted) or (len(parts) == len(texts) and not other)):
            parts[-1].append(token.text)
        elif len(parts) < len(texts):
            _check_start(texts[len(parts)], token, _introducing(fit.move))
            parts.append([token.text])
            goes_on = not token.quoted
        else:
            raise Misfit(token.text)
        waiting.pop(0)
    fit.answers.update({ask.name: " ".join(part) for ask, part in zip(texts, parts, strict=False)})


def _take_around_text(fit: Fit, waiting: list[Token], *, in_full: bool = True) -> None:
    """Names and what is asked before the text; from the end, what is asked after it; and the text between. Raises `Misfit`.

    With `in_full` what needn't be answered before the text is said in full.
    """
    asks = fit.move.asks
    text = next(ask for ask in asks if isinstance(ask, Text) and not ask.word)
    at = asks.index(text)
    before, after = asks[:at], [ask for ask in asks[at:] if not isinstance(ask, Text)]
    while waiting:
        _join_key(fit, waiting, before)
        word = waiting[0].text.lower()
        any_part = fit.lacking or not in_full
        meant = [ask for ask in before if any_part or not _optional(ask) or _in_full(ask, waiting[0])]
        if _takes(fit, word, meant, or_text=not fit.lacking):
            waiting.pop(0)
        elif _picks_dice(before, word):
            waiting[:1] = [Token(str(int(digit) or 10)) for digit in word]
        elif not fit.lacking:
            break
        elif glued := _GLUED.fullmatch(word):
            waiting[:1] = [Token(glued[1]), Token(glued[2])]
            fit.score -= 3
        else:
            raise Misfit(waiting[0].text)
    if waiting:
        _check_start(text, waiting[0])
    _take_from_the_end(fit, waiting, after)
    if waiting:
        _check_middle(fit, waiting, after)
        fit.answers[text.name] = " ".join(token.text for token in waiting)
        waiting.clear()


def _join_key(fit: Fit, waiting: list[Token], asks: Sequence[Ask]) -> None:
    """Make one word of a key that was typed with spaces in place of its hyphens: `hull breach` for `hull-breach`."""
    first = f"{waiting[0].text.lower()}-"
    keys = {*fit.unsaid, *(option.word for _, option in _options(asks))}
    for key in sorted((key for key in keys if key.startswith(first)), key=len, reverse=True):
        parts = key.split("-")
        typed = [token.text.lower() for token in waiting[: len(parts)] if not token.quoted]
        # A figure may be a number or real dice, and parts that are all words may be meant one by one.
        if typed == parts and not any(map(_digits, parts)) and not keys.issuperset(parts):
            waiting[: len(parts)] = [Token(key, apart=waiting[0].apart)]
            return


def _optional(ask: Ask) -> bool:
    """It needn't be answered, and what answers it is a word and no number."""
    may = isinstance(ask, PickMany) and not ask.least
    return may or (isinstance(ask, PickOne) and ask.default is not None)


def _in_full(ask: Ask, token: Token) -> bool:
    """The word is one of the options, whole and in small letters: the beginning of a text is more than that."""
    return any(token.text in (option.word, *option.also) for _, option in _options((ask,)))


def _check_start(text: Text, token: Token, words: Collection[str] = ()) -> None:
    """Raise `Misfit` for a word that means something else where a text begins, and that is not in quotes.

    `words` are those that introduce another text.
    """
    if not token.quoted and token.text in text.reserved:
        raise Misfit(token.text, reason=f"“{token.text}” is a command here; put a text that begins with it in quotes")
    if not token.quoted and token.text in words:
        raise Misfit(token.text, reason=f"“{token.text}” comes before a text in quotes")


def _check_middle(fit: Fit, text: list[Token], asks: Sequence[Ask]) -> None:
    """Raise `Misfit` for an option in a text that another one may follow: the first may have ended there.

    A default counts only where it is asked between the two. What stands before the option is taken off `text`.
    """
    order = [ask.name for ask in fit.move.asks if not (isinstance(ask, Text) and ask.word)]
    texts = [order.index(ask.name) for ask in fit.move.asks if isinstance(ask, Text) and not ask.word]
    if len(texts) < 2:
        return
    left = [ask for ask in asks if ask.name not in fit.answers and not _of_numbers(ask)]
    in_place = [ask for ask in left if ask not in _out_of_place(fit, asks, left)]
    meant = {
        option.word
        for ask, option in _options(in_place)
        if order.index(ask.name) < texts[1] or option.word != getattr(ask, "default", "")
    }
    for place, token in enumerate(text):
        if token.text in meant:
            del text[:place]
            raise _comes_last(token.text)


def _comes_last(word: str) -> Misfit:
    return Misfit(word, reason=f"“{word}” comes last, or in quotes with the rest of the text")


def _take_from_the_end(fit: Fit, waiting: list[Token], asks: Sequence[Ask]) -> None:
    """The answers that the line ends with. The first word that is none ends them: the text is before it. Raises `Misfit`."""
    while waiting:
        word = waiting[-1].text.lower()
        left = [ask for ask in asks if isinstance(ask, PickMany) or ask.name not in fit.answers]
        late = _out_of_place(fit, asks, left)
        if any(option.word == word and option.word != getattr(ask, "default", "") for ask, option in _options(late)):
            raise _comes_last(word)
        in_place = [ask for ask in left if ask not in late]
        if not (_ends_with_number(fit, word, left) or _answers(fit, word, in_place, or_text=True)):
            wanted = any(isinstance(ask, PickOne) and ask.default is None for ask in left)
            if wanted or not _takes_number(fit, word, left):
                break
        waiting.pop()
    for ask in asks:
        if isinstance(ask, PickMany) and ask.name in fit.answers:
            fit.answers[ask.name] = picked(fit.answers, ask.name)[::-1]


def _out_of_place(fit: Fit, asks: Sequence[Ask], left: Sequence[Ask]) -> list[Ask]:
    """What needn't be said and is asked after something that has been said behind it: more likely words of the text."""
    order = [ask.name for ask in asks]
    first = min((order.index(name) for name in fit.answers if name in order), default=len(order))
    return [
        ask
        for ask in left
        if (isinstance(ask, PickMany) or _optional(ask)) and not _of_numbers(ask) and order.index(ask.name) > first
    ]


def _ends_with_number(fit: Fit, word: str, left: Sequence[Ask]) -> bool:
    """Take a number for what is asked last, as it is read from there."""
    numbers = [ask for ask in left if isinstance(ask, Number)]
    if not numbers or not _NUMBER.fullmatch(word):
        return False
    fit.answers[numbers[-1].name] = int(word)
    return True


def _takes_number(fit: Fit, word: str, asks: Iterable[Ask]) -> bool:
    """Take a number for the size that is still to be said, though there is none such: it is refused by name."""
    for ask in asks:
        if _digits(word) and _of_numbers(ask) and ask.name not in fit.answers:
            fit.answers[ask.name] = word
            return True
    return False


def _of_numbers(ask: Ask) -> bool:
    return isinstance(ask, PickOne) and all(_digits(option.word) for option in ask.options)


def _digits(word: str) -> bool:
    return word.isascii() and word.isdigit()


def _picks_dice(asks: Iterable[Ask], word: str) -> bool:
    """Each digit stands for one of the dice that are asked for, and is not taken as it stands."""
    if not _digits(word):
        return False
    faces = {str(int(digit) or 10) for digit in word}
    return (len(word) > 1 or word == "0") and any(
        isinstance(ask, PickMany) and ask.repeats and faces <= {option.word for option in ask.options} for ask in asks
    )


def _takes(fit: Fit, word: str, asks: Sequence[Ask], *, or_text: bool = False) -> bool:
    """Take `word` as a name or an answer, as a word of the rules before a part of a name. With `or_text` it may be neither."""
    if _says(fit, word) or _answers(fit, word, asks, or_text=or_text):
        return True
    if fit.reach is Reach.WORDS or _digits(word):
        return False
    wanted = [ask for ask in asks if isinstance(ask, PickOne) and ask.default is None and ask.name not in fit.answers]
    return (
        _says_name(fit, word)
        or _answers(fit, word, wanted if or_text else asks, or_text=or_text, by_name=True)
        or (not or_text and _repeats_name(fit, word))
    )


def _says(fit: Fit, word: str) -> bool:
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


def _says_name(fit: Fit, word: str) -> bool:
    """Take `word` as part of the name that the move has on screen."""
    if fit.move.verb in fit.unsaid or not (fit.unsaid or fit.by_name):
        return False
    close = closeness(word, (fit.move.name, fit.move.label, *fit.move.words), fit.reach)
    if close:
        fit.by_name = True
        fit.score += close - 2
        fit.early += not fit.answers
    return bool(close)


def _repeats_name(fit: Fit, word: str) -> bool:
    """The word is one more of the name of a move that has been named already: `breach` behind the key `hull`."""
    return not fit.unsaid and not fit.answers and closeness(word, (fit.move.name,), Reach.NAMES) == 3


def _answers(fit: Fit, word: str, asks: Sequence[Ask], *, or_text: bool = False, by_name: bool = False) -> bool:
    """Take `word` as an answer to one of `asks`. Raises `Misfit` when it could be more than one.

    With `or_text`, only where one of them has to be answered. With `by_name`, by what the screens call the answers.
    """
    for ask in asks:
        if isinstance(ask, Number) and _NUMBER.fullmatch(word) and ask.name not in fit.answers:
            fit.answers[ask.name] = int(word)
            return True
        if isinstance(ask, Allocate) and _digits(word) and _place(fit, ask, word):
            return True
    if by_name and _is_said(fit, word, asks):
        return True
    left = [
        ask for ask in asks if isinstance(ask, PickMany) or (isinstance(ask, PickOne) and ask.name not in fit.answers)
    ]
    found, sure = _named(left, word, fit.reach) if by_name else _begun(left, word)
    if not found:
        return False
    if len({option.word for _, option in found}) > 1:
        if or_text and not any(isinstance(ask, PickOne) and ask.default is None for ask, _ in found):
            return False
        raise Misfit(word, tuple(dict.fromkeys(name_of(option, word) for _, option in found)))
    ask, option = found[0]
    held = fit.answers.get(ask.name, ())
    if isinstance(ask, PickMany):
        if isinstance(held, tuple) and option.word in held and not ask.repeats:
            return False
        fit.answers[ask.name] = (*held, option.word) if isinstance(held, tuple) else (option.word,)
    else:
        fit.answers[ask.name] = option.word
    fit.score += sure
    return True


def _is_said(fit: Fit, word: str, asks: Sequence[Ask]) -> bool:
    """The word is one more of a name that has been said already."""
    return any(
        option.word in picked(fit.answers, ask.name) and closeness(word, _names(option), Reach.NAMES) == 3
        for ask, option in _options(asks)
    )


def _names(option: Option) -> tuple[str, ...]:
    return (option.label, option.word, *option.also)


def name_of(option: Option, begun: str = "") -> str:
    """What is typed for an option if that is seen in its name and was `begun`, otherwise its name."""
    seen = fold(option.word).replace("-", " ") in fold(option.label)
    typed = seen and option.word.startswith(begun) and len(option.word) < _LONG
    return option.word if typed else option.label


_Found = tuple[list[tuple[PickOne | PickMany, Option]], int]
"""The options that a word may be, and what it counts that they were said so."""


def _begun(asks: Sequence[PickOne | PickMany], word: str) -> _Found:
    """The options whose words begin so: one that is said in full before others, and those that are open before the rest."""
    every = [(ask, option) for ask in asks for option in ask.options]
    if exact := [(ask, option) for ask, option in every if option.word == word]:
        return exact, 3
    if _digits(word):
        return [], 0
    by_word = [(ask, option) for ask, option in every if option.word.startswith(word)]
    otherwise = [(ask, option) for ask, option in every if any(name.startswith(word) for name in option.also)]
    for found in (by_word, otherwise):
        # Defaults are skipped when another word starts with the same letters.
        if telling := [(ask, option) for ask, option in found if option.word != getattr(ask, "default", None)]:
            return _open(telling), 1
    return _open(by_word or otherwise), 1


def _named(asks: Sequence[PickOne | PickMany], word: str, reach: Reach) -> _Found:
    """The options whose names have the word in them, those that have it best."""
    every = [(closeness(word, _names(option), reach), ask, option) for ask in asks for option in ask.options]
    best = max((close for close, _, _ in every), default=0)
    return _open([(ask, option) for close, ask, option in every if close == best > 0]), best - 2


def _open(found: list[tuple[PickOne | PickMany, Option]]) -> list[tuple[PickOne | PickMany, Option]]:
    return [(ask, option) for ask, option in found if not option.blocked] or found


def _place(fit: Fit, ask: Allocate, word: str) -> bool:
    held = fit.answers.get(ask.name, ())
    apart = len(word) > 1 and len(word) == len(ask.slots)
    if not apart and not _NUMBER.fullmatch(word):
        return False
    numbers = [int(digit) for digit in word] if apart else [int(word)]
    if not isinstance(held, tuple) or len(held) + len(numbers) > len(ask.slots):
        return False
    fit.answers[ask.name] = (*held, *numbers)
    return True


# -- going on -------------------------------------------------------------------------------------------------------


def completions(moves: Sequence[Move], text: str, verb: str = "", reach: Reach = Reach.GUESS) -> tuple[Completion, ...]:
    """Words that could stand where the line ends, those of open moves first.

    A word that was begun may be any that the move still lacks, as words may come in any order.
    """
    said = tokens(text)
    partial = "" if not said or text[-1:].isspace() else said[-1].text.lower()
    begun = said[:-1] if partial else said
    for far in Reach:
        for line in ((Token(verb), *begun), begun) if verb else (begun,):
            if far <= reach and (found := going_on(moves, line, partial, far)):
                return found
    return ()


def going_on(moves: Sequence[Move], said: tuple[Token, ...], partial: str, reach: Reach) -> tuple[Completion, ...]:
    """The words that could follow `said` and that `partial` may stand for."""
    found: dict[str, Completion] = {}
    for move in begun_by(moves, said, partial):
        fit = fitted(move, said, reach)
        for completion in _next_words(fit, partial) if isinstance(fit, Fit) else ():
            found.setdefault(completion.word, completion)
    return tuple(sorted(found.values(), key=lambda completion: completion.blocked))


def _next_words(fit: Fit, partial: str) -> Iterator[Completion]:
    move = fit.move
    if fit.lacking:
        note = move.blocked.reason if move.blocked else ""
        first, *later = fit.lacking
        if first.startswith(partial):
            yield Completion(first, move.verb if later else move.label, note, bool(move.blocked))
        for own in later if partial and first != move.verb else ():
            if own.startswith(partial):
                yield Completion(own, f"{move.verb} … {own}", note, bool(move.blocked))
        if first != move.verb and closeness(partial, (move.name, move.label, *move.words), fit.reach):
            yield Completion(" ".join(fit.lacking), move.label, note, bool(move.blocked))
        return
    for ask in move.asks:
        held = fit.answers.get(ask.name, ())
        if not isinstance(ask, PickOne | PickMany) or (isinstance(ask, PickOne) and held):
            continue
        for option in ask.options:
            if isinstance(ask, PickMany) and isinstance(held, tuple) and option.word in held and not ask.repeats:
                continue
            if isinstance(ask, PickOne) and option.word == ask.default:
                continue
            begun = any(name.startswith(partial) for name in (option.word, *option.also))
            if begun or closeness(partial, _names(option), fit.reach):
                note = option.blocked.reason if option.blocked else option.note
                yield Completion(option.word, option.label, note, bool(option.blocked))


def _options(asks: Iterable[Ask]) -> Iterator[tuple[PickOne | PickMany, Option]]:
    for ask in asks:
        if isinstance(ask, PickOne | PickMany):
            yield from ((ask, option) for option in ask.options)
