"""How one line is read for one move: its words, its texts in quotes or without, its keys and its dice.

The grammar. What one word of it may mean is in `word_meanings`.

    line     = words                              no text is asked for: `_read_words`
             | before TEXT after                  no quotes, so one text at the most: `_read_around_text`
             | words "TEXT" words "TEXT" words    quotes: each is the next text: `_read_between_quotes`
             | before TEXT after "TEXT" words     fewer quotes than texts: `_read_before_quotes`
             | line full "TEXT" | line full TEXT  a text with a word of its own: `_part_introduced`
             | own words TEXT                     all of the rest, with its quotes: `_read_verbatim`
    words    = own words, answers and dice        in any order, but the verb comes before the other own words
    before   = own words and answers              those that are asked before the text
    after    = answers                            those that are asked after it, read from the end of the line
    own word = the beginning of the verb          roll, ro
             | the beginning of a word of the move, its letter, or part of its name on the screen
    answer   = the beginning of an option, part of its name on the screen, or a number
             | the whole label of one          `no clock`; of an answer that may be left out, only where no text is asked for:
             |                                 `_join_label`
             | the name of an option          `long` for 8 segments, anywhere outside of quotes: `_part_named`
             | dice in notation                   2d6+3, also with spaces, where the move asks for dice
    dice     = digits that answer nothing else    3 5 5 or 355, and 0 or 10 is a ten; real dice come last, but before a text

A word in quotes is a text and never anything else. A shell takes the quotes off a text of one word, so where another text
has quotes, a word that is nothing else is a text too. `full` may go without quotes at the end of a line, if the line
can't be read otherwise.

A text without quotes begins at the first word that is neither an own word nor an answer, so an answer that may be left out stands
before it in full and in small letters. It ends before the answers at the end of the line: in its middle any word may
stand, except an option that is not answered elsewhere, where the move asks for a second text. A required answer that is asked
before the text may be the last word of the line. A text never begins with a
word that is `reserved` for another move of the verb, and isn't a name that is `taken`, or nearly one.

A key is typed with hyphens or with spaces (`hull-breach`, `hull breach`, `clue 1`): `_join_key`. Letters and digits may stand
together (`n355`): `_take_apart`. A sign may stand apart from its number (`- 1`): `_join_signs`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from itertools import pairwise, takewhile

from waylog.rules.codec.changes import QUOTED, join_names, quote_text, quoted_text
from waylog.rules.language.similar_names import Reach, nearest, parts_of
from waylog.rules.language.word_meanings import (
    NUMBER,
    Fit,
    Misfit,
    asks_for_number,
    is_optional,
    notation_ask,
    options_begun,
    options_labelled,
    options_of,
    picks_dice,
    take_answer,
    take_faces,
    take_impossible,
    take_word,
)
from waylog.rules.model.answers import is_digits, selected_words
from waylog.rules.model.dice_notation import SIGNS, begins_like_dice, join_typed_apart
from waylog.rules.model.moves import Answer, Ask, Move, Number, PickMany, PickOne, Text
from waylog.values import dataclass, replace

_GLUED = r"([^\d\s]*[^\d\s-])([0-9]+)"
"""A word and a number. `ana-2` is one word: a name that isn't there, and not another one with a die."""


@dataclass(frozen=True, slots=True)
class Token:
    """A word of a line, or a text in quotes."""

    text: str
    quoted: bool = False
    apart: bool = False
    """It is a separate quoted argument of a shell. As a text, it isn't joined to the next word."""
    typed: str = ""
    """The whole word, if this is a part of one: `n355` has the parts `n` and `355`."""


Line = str | Sequence[Token]
"""A line as typed, or as the arguments of a shell."""


def tokens(text: Line) -> tuple[Token, ...]:
    """Split a line into words. A quote that is never closed runs to the end."""
    if not isinstance(text, str):
        return tuple(text)
    if '"' not in text and "“" not in text:
        return tuple(map(Token, text.split()))
    matches = re.finditer(rf"{QUOTED}|\S+", text, re.DOTALL)
    return tuple(
        Token(match[0]) if (quoted := quoted_text(match)) is None else Token(quoted, quoted=True) for match in matches
    )


def begun_moves(moves: Sequence[Move], all_tokens: Sequence[Token], partial: str = "") -> list[Move]:
    """Return the moves that a line may mean: one of its words begins their verb. `partial` is a last word that is still
    being typed.
    """
    words = {token.text.lower().rstrip("0123456789") for token in all_tokens if not token.quoted} | {partial}
    begun = tuple(word for word in words if word)
    return [move for move in moves if not all_tokens or any(move.verb.startswith(word) for word in begun)]


def find_full(moves: Sequence[Move], line: Sequence[Token]) -> Move | None:
    """Return the move whose verb begins the line, with all its words behind it, each in full: `roll nav`. Of several it is the one
    with the most words, and none has only a verb.
    """
    verb, *typed = ["" if token.quoted else token.text.lower() for token in line]
    full = (move for move in moves if move.words and move.verb == verb and {*move.words} == {*typed[: len(move.words)]})
    return max(full, key=lambda move: len(move.words), default=None)


def match_move(move: Move, all_tokens: Sequence[Token], reach: Reach) -> Fit | Misfit:
    """Read a line for one move. Return the fit, or the word that the move doesn't accept."""
    texts = sum(isinstance(ask, Text) and not ask.word for ask in move.asks)
    try:
        named, all_tokens = _part_named(move, all_tokens)
    except Misfit as wrong:
        wrong.move, wrong.fit = move, Fit(move, reach, [])
        return wrong
    misfit = None
    parted = list(_part_introduced(move, _join_signs(move, _join_dice(move, all_tokens))))
    verbatim = any(isinstance(ask, Text) and ask.verbatim for ask in move.asks)
    for take in _choose_readers(texts, parted[0][1], verbatim=verbatim):
        for known, rest in parted:
            fit, waiting = Fit(move, reach, [move.verb, *move.words], {**named, **known}), [*rest]
            try:
                take(fit, waiting)
            except Misfit as wrong:
                misfit = wrong
                misfit.move, misfit.fit, misfit.before = move, fit, len(rest) - len(waiting)
                whole = (token.typed for token in waiting if token.typed and token.text.lower() == misfit.word.lower())
                misfit.word = next(whole, misfit.word)
            else:
                return fit
    assert misfit
    return misfit


def _part_named(move: Move, all_tokens: Sequence[Token]) -> tuple[dict[str, Answer], Sequence[Token]]:
    """Separate the names of options, which count wherever they stand outside of quotes, from the rest of the line: `long` for 8
    segments. Raises `Misfit` if a line has two of them, or a name and another option.
    """
    answers = dict[str, Answer]()
    for ask in (ask for ask in move.asks if isinstance(ask, PickOne)):
        options = ask.options
        names = {option.named for option in options} - {""}
        found = [token for token in all_tokens if names and not token.quoted and token.text.lower() in names]
        if not found:
            continue
        first, *more = found
        meant = [option.word for option in options if option.named == first.text.lower()]
        beside = [
            token for token in all_tokens if not token.quoted and any(token.text == option.word for option in options)
        ]
        wrong = [*more, *(token for token in beside if token.text not in meant), *beside[1:]]
        if wrong:
            both = f"“{first.text}” means {join_names(meant, 'or')}, but the line also has “{wrong[0].text}”"
            raise Misfit(first.text, reason=f"{both}. Put text that contains such a word in quotes", clause=ask.clause)
        answers[ask.name] = beside[0].text if beside else meant[0]
        all_tokens = [token for token in all_tokens if token not in (first, *beside)]
    return answers, all_tokens


def _part_introduced(move: Move, all_tokens: Sequence[Token]) -> Iterator[tuple[dict[str, Answer], list[Token]]]:
    """Separate texts with an introducing word from the rest of the line. Yield each way to do it, the likeliest first.

    Such a text is in quotes. At the end of a line that can't be read otherwise, it may be without them.
    """
    words = _words_of_texts(move)
    known, rest = dict[str, Answer](), [*all_tokens]
    for token, text in pairwise(all_tokens if words else ()):
        if not token.quoted and text.quoted and token.text.lower() in words:
            known[words.pop(token.text.lower())] = text.text
            rest = [other for other in rest if other is not token and other is not text]
    yield known, rest
    for place in reversed(range(len(rest) - 1)):
        token, last = rest[place], rest[place + 1 :]
        if token.text in words and not any(part.quoted for part in (token, *last)):
            yield {**known, words[token.text]: " ".join(part.text for part in last)}, rest[:place]


def _words_of_texts(move: Move) -> dict[str, str]:
    """Return the words that introduce a text, with the name of that text."""
    return {ask.word: ask.name for ask in move.asks if isinstance(ask, Text) and ask.word}


_LineReader = Callable[[Fit, list[Token]], None]
"""Reads a whole line into the fit, and removes its words from the list. Raises `Misfit` at a word that it can't read."""


def _choose_readers(texts: int, all_tokens: Sequence[Token], *, verbatim: bool) -> Sequence[_LineReader]:
    """Return the ways to read a line for a move with that many texts. Each is tried if the one before it fails."""
    quoted = sum(token.quoted for token in all_tokens)
    if not texts:
        return (_read_words,)
    if verbatim:
        return (_read_verbatim,)
    if not quoted:
        return (_read_around_text,)
    if quoted >= texts:
        return (_read_between_quotes,)
    if any(token.apart for token in all_tokens):
        # Each text may be one argument of a shell.
        return (partial(_read_between_quotes, joins=False), _read_before_quotes)
    return (_read_before_quotes,)


def _read_words(fit: Fit, waiting: list[Token]) -> None:
    """Read own words, answers and dice in any order. Raises `Misfit`."""
    while waiting:
        _join_label(fit, waiting, fit.move.asks)
        _join_key(fit, waiting, fit.move.asks)
        token, word = waiting[0], waiting[0].text.lower()
        if token.quoted:
            raise Misfit(token.text)
        if take_word(fit, word, fit.move.asks) or take_faces(fit, word):
            waiting.pop(0)
        elif _take_apart(fit, waiting):
            pass
        else:
            raise Misfit(token.text)


def _read_verbatim(fit: Fit, waiting: list[Token]) -> None:
    """Read the words of the move; the rest is the text, with its quotes. One text in quotes is all of it. Raises `Misfit`."""
    while waiting and fit.missing_words:
        if waiting[0].quoted or not take_word(fit, waiting[0].text.lower(), ()):
            raise Misfit(waiting[0].text)
        waiting.pop(0)
    (text,) = (ask for ask in fit.move.asks if isinstance(ask, Text))
    if waiting:
        _check_start(text, waiting[0])
    if len(waiting) == 1:
        fit.answers[text.name] = waiting[0].text
    elif waiting:
        fit.answers[text.name] = " ".join(quote_text(each.text) if each.quoted else each.text for each in waiting)
    waiting.clear()


def _read_around_text(fit: Fit, waiting: list[Token], *, in_full: bool = True) -> None:
    """Read the words before the text, then the answers at the end of the line; the words between are the text. Raises
    `Misfit`.

    With `in_full`, an optional answer before the text must be a whole word.
    """
    asks = fit.move.asks
    text = next(ask for ask in asks if isinstance(ask, Text) and not ask.word)
    at = asks.index(text)
    before, after = asks[:at], [ask for ask in asks[at:] if not isinstance(ask, Text)]
    while waiting:
        _join_label(fit, waiting, [ask for ask in before if not is_optional(ask) and ask.name not in fit.answers])
        _join_key(fit, waiting, before)
        word = waiting[0].text.lower()
        any_part = fit.missing_words or not in_full
        meant = [ask for ask in before if any_part or not is_optional(ask) or _is_in_full(ask, waiting[0])]
        if take_word(fit, word, meant, or_text=not fit.missing_words) or _take_typed_dice(fit, word):
            waiting.pop(0)
        elif notation_ask(fit.move.asks) and len(numbers := apart_at_commas(waiting[0])) > 1:
            waiting[:1] = numbers
        elif picks_dice(before, word):
            waiting[:1] = [Token(str(int(digit) or 10)) for digit in word]
        elif not fit.missing_words:
            break
        elif _take_apart(fit, waiting):
            pass
        else:
            raise Misfit(waiting[0].text)
    if waiting:
        _check_start(text, waiting[0])
    late = [ask for ask in before if isinstance(ask, PickOne) and ask.default is None and ask.name not in fit.answers]
    if waiting and any(_is_in_full(ask, waiting[-1]) for ask in late):
        # A required answer that did not stand before the text may stand behind it.
        take_answer(fit, waiting.pop().text, late)
    _read_from_end(fit, waiting, after)
    early = [ask for ask in after if isinstance(ask, PickOne) and ask.default is None and ask.name not in fit.answers]
    if waiting[1:] and any(_is_in_full(ask, waiting[0]) for ask in early):
        # The other way round: one that did not stand behind the text may stand before it.
        take_answer(fit, waiting.pop(0).text, early)
    if waiting:
        _check_middle(fit, waiting, after)
        fit.answers[text.name] = typed = " ".join(token.text for token in waiting)
        _check_is_new(text, typed)
        waiting.clear()


def _read_from_end(fit: Fit, waiting: list[Token], asks: Sequence[Ask]) -> None:
    """Read the answers at the end of a line, from the last word back to the first that is not an answer. Raises
    `Misfit`.
    """
    while waiting:
        _join_last_key(waiting, asks)
        word = waiting[-1].text.lower()
        of_dice = (ask for ask in fit.move.asks if isinstance(ask, Text) and ask.is_dice)
        if dice := begins_like_dice(word) and len(waiting) > 1 and next(of_dice, None):
            fit.answers[dice.name] = f"{word} {fit.answers.get(dice.name, '')}".rstrip()
            waiting.pop()
            continue
        left = [ask for ask in asks if isinstance(ask, PickMany) or ask.name not in fit.answers]
        late = _out_of_place(fit, asks, left)
        if any(option.word == word and option.word != getattr(ask, "default", "") for ask, option in options_of(late)):
            raise _comes_last(word)
        in_place = [ask for ask in left if ask not in late]
        numbers = [ask for ask in left if isinstance(ask, Number)]
        if numbers and re.fullmatch(NUMBER, word):
            # It answers the last ask for a number, because the line is read from the end.
            fit.answers[numbers[-1].name] = int(word)
        elif not take_answer(fit, word, in_place, or_text=True):
            wanted = any(isinstance(ask, PickOne) and ask.default is None for ask in left)
            if wanted or not take_impossible(fit, word, asks):
                break
        waiting.pop()
    for ask in asks:
        if isinstance(ask, PickMany) and ask.name in fit.answers:
            fit.answers[ask.name] = selected_words(fit.answers, ask.name)[::-1]


def _out_of_place(fit: Fit, asks: Sequence[Ask], left: Sequence[Ask]) -> list[Ask]:
    """Return the optional asks that come after an answer already read. A word for one of them is more likely text."""
    order = [ask.name for ask in asks]
    first = min((order.index(name) for name in fit.answers if name in order), default=len(order))
    return [
        ask
        for ask in left
        if (isinstance(ask, PickMany) or is_optional(ask))
        and not asks_for_number(ask)
        and order.index(ask.name) > first
    ]


def _is_in_full(ask: Ask, token: Token) -> bool:
    """Whether the word is an option, in full and in lower case. A text may begin with any other word."""
    return any(token.text in (option.word, *option.also) for _, option in options_of((ask,)))


def _read_between_quotes(fit: Fit, waiting: list[Token], *, joins: bool = True) -> None:
    """Read texts in quotes, one after another, among words in any order. Raises `Misfit`.

    Words that mean nothing else are a text too. With `joins`, adjacent ones form one text.
    """
    texts = [ask for ask in fit.move.asks if isinstance(ask, Text) and not ask.word and ask.name not in fit.answers]
    other = [ask for ask in fit.move.asks if not isinstance(ask, Text)]
    parts: list[list[str]] = []
    goes_on = False
    while waiting:
        _join_key(fit, waiting, other)
        token, word = waiting[0], waiting[0].text.lower()
        if (not token.quoted and take_word(fit, word, other, or_text=not fit.missing_words)) or (
            not token.quoted and _take_typed_dice(fit, word)
        ):
            pass
        elif not token.quoted and picks_dice(other, word):
            waiting[1:1] = [Token(str(int(digit) or 10)) for digit in word]
        elif not token.quoted and take_impossible(fit, word, other):
            pass
        elif fit.missing_words and not token.quoted:
            raise Misfit(token.text)
        elif parts and ((goes_on and joins and not token.quoted) or (len(parts) == len(texts) and not other)):
            parts[-1].append(token.text)
        elif len(parts) < len(texts):
            _check_start(texts[len(parts)], token, _words_of_texts(fit.move))
            parts.append([token.text])
            goes_on = not token.quoted
        else:
            raise Misfit(token.text)
        waiting.pop(0)
    fit.answers.update({ask.name: " ".join(part) for ask, part in zip(texts, parts, strict=False)})


def _read_before_quotes(fit: Fit, waiting: list[Token]) -> None:
    """Read the words before the first quotes like a line without quotes, and the rest like a line with them. Raises
    `Misfit`.
    """
    first = next(place for place, token in enumerate(waiting) if token.quoted)
    start = waiting[:first]
    _read_around_text(fit, start, in_full=False)
    del waiting[:first]
    _read_between_quotes(fit, waiting)


def _join_key(fit: Fit, waiting: list[Token], asks: Sequence[Ask]) -> None:
    """Join a key that was typed with spaces instead of hyphens: `hull breach` for `hull-breach`."""
    if len(waiting) < 2 or waiting[1].quoted:
        return
    first = f"{waiting[0].text.lower()}-"
    if is_digits(waiting[1].text) and not fit.move.rolls:
        # Where no real dice are typed, a digit belongs to the word of the answer before it: `clue 1`, `a 2`.
        whole = (f"{waiting[0].text.lower()}{sign}{waiting[1].text}" for sign in ("", "-"))
        known = (key for key in whole if any(option.word == key for _, option in options_begun(asks, key)))
        if key := next((key for key in known if key not in fit.unsaid), ""):
            waiting[:2] = [Token(key, apart=waiting[0].apart)]
        return
    begun = [key for key in fit.unsaid if key.startswith(first)]
    words = (word for _, option in options_begun(asks, first) for word in (option.word, *option.also))
    begun += [word for word in words if word.startswith(first)]
    keys = (*fit.unsaid, *(option.word for _, option in options_of(asks))) if begun else ()
    for parts in _parts_of_keys(begun, keys):
        typed = [token.text.lower() for token in waiting[: len(parts)] if not token.quoted]
        if typed == parts:
            waiting[: len(parts)] = [Token("-".join(parts), apart=waiting[0].apart)]
            return


def _join_label(fit: Fit, waiting: list[Token], asks: Sequence[Ask]) -> None:
    """Put the word of an option in place of its whole label, of several words or in quotes: `no clock` for `neither`. Not if each word
    is another answer by itself, or one is a number, which may be real dice; nor if two options have that label.
    """
    quoted, first = waiting[0].quoted, parts_of(waiting[0].text)
    labels: dict[tuple[str, ...], set[str]] = {}
    for option in options_labelled(asks, first[0]) if first else ():
        labels.setdefault(parts_of(option.label), set()).add(option.word)
    known = {*fit.unsaid, *(option.word for _, option in options_of(fit.move.asks))} if labels else set()
    line = waiting[:1] if quoted else [*takewhile(lambda token: not token.quoted, waiting)]
    for label, words in sorted(labels.items(), key=lambda item: len(item[0]), reverse=True):
        ends = range(1, min(len(line), len(label)) + 1)
        end = next((end for end in ends if parts_of(" ".join(token.text for token in line[:end])) == label), 0)
        means_more = (
            len(label) == 1
            or any(map(is_digits, label))
            or known.issuperset(token.text.lower() for token in line[:end])
        )
        if end and len(words) == 1 and (quoted or not means_more):
            waiting[:end] = [Token(words.pop())]
            return


def _join_last_key(waiting: list[Token], asks: Sequence[Ask]) -> None:
    """Join a key at the end of a line that was typed with spaces: `big and excellent`."""
    keys = [word for _, option in options_of(asks) for word in (option.word, *option.also)]
    last = f"-{waiting[-1].text.lower()}"
    for parts in _parts_of_keys([key for key in keys if key.endswith(last)], keys):
        typed = [token.text.lower() for token in waiting[-len(parts) :] if not token.quoted]
        if typed == parts:
            waiting[-len(parts) :] = [Token("-".join(parts))]
            return


def _parts_of_keys(wanted: Sequence[str], keys: Collection[str]) -> Iterator[list[str]]:
    """Yield the words of keys with hyphens, the longest key first. A digit may be a number or real dice, and words may each have
    a meaning of their own: such keys are left out.
    """
    for key in sorted(wanted, key=len, reverse=True):
        parts = key.split("-")
        if not any(map(is_digits, parts)) and not set(keys).issuperset(parts):
            yield parts


def _join_dice(move: Move, all_tokens: Sequence[Token]) -> Sequence[Token]:
    """Join dice in notation that were typed with spaces, if the move asks for them: `2d6 + 3`."""
    first = next((place for place, token in enumerate(all_tokens) if begins_like_dice(token.text)), None)
    if first is None or notation_ask(move.asks) is None:
        return all_tokens
    unquoted = takewhile(lambda token: not token.quoted, all_tokens[first + 1 :])
    joined, count = join_typed_apart([token.text for token in (all_tokens[first], *unquoted)])
    return [*all_tokens[:first], replace(all_tokens[first], text=joined), *all_tokens[first + count :]]


def _join_signs(move: Move, all_tokens: Sequence[Token]) -> Sequence[Token]:
    """Join a sign and a number that were typed apart, if the move asks for one that may be below 0: `tick fog - 1`."""
    if not any(isinstance(ask, Number) and ask.least < 0 for ask in move.asks):
        return all_tokens
    joined = list[Token]()
    for token in all_tokens:
        if (
            joined
            and joined[-1].text in tuple(SIGNS)
            and is_digits(token.text)
            and not (joined[-1].quoted or token.quoted)
        ):
            joined[-1] = Token(joined[-1].text.replace("−", "-") + token.text)
        else:
            joined.append(token)
    return joined


def _take_typed_dice(fit: Fit, word: str) -> bool:
    """Take the faces of real dice before a text. They come after the dice that they belong to, unless those have a default."""
    ask = notation_ask(fit.move.asks)
    return ask is not None and (ask.name in fit.answers or ask.default is not None) and take_faces(fit, word)


def apart_at_commas(token: Token) -> tuple[Token, ...]:
    """Return a token such as `3,7`, numbers with commas between them, as its numbers; any other alone."""
    if token.quoted or not re.fullmatch(r"[0-9]+(,[0-9]+)+", token.text):
        return (token,)
    return tuple(Token(number, typed=token.typed or token.text) for number in token.text.split(","))


def _take_apart(fit: Fit, waiting: list[Token]) -> bool:
    """Split letters followed by digits, `n355`, into two words, and numbers with commas, `3,7`. Letters and digits score less than whole
    words.

    The first word behind a verb is not split if it is dice: `d20` is never `d` with two real dice.
    """
    is_first = not fit.answers and {*fit.move.words} <= {*fit.unsaid}
    if is_first and begins_like_dice(waiting[0].text):
        return False
    if len(numbers := apart_at_commas(waiting[0])) > 1:
        waiting[:1] = numbers
        return True
    glued = re.fullmatch(_GLUED, waiting[0].text.lower())
    if glued:
        whole = waiting[0].typed or waiting[0].text
        waiting[:1] = [Token(glued[1], typed=whole), Token(glued[2], typed=whole)]
        fit.score -= 3
    return bool(glued)


def _check_start(text: Text, token: Token, words: Collection[str] = ()) -> None:
    """Raise `Misfit` if an unquoted word at the start of a text means something else. `words` introduce other texts."""
    if not token.quoted and token.text in text.reserved:
        raise Misfit(
            token.text, reason=f"“{token.text}” is a command here. If your text starts with it, put the text in quotes"
        )
    if not token.quoted and token.text in words:
        raise Misfit(token.text, reason=f"the text after “{token.text}” must be in quotes")


def _check_is_new(text: Text, typed: str) -> None:
    """Raise `Misfit` if an unquoted name may be a name that is taken, with typing errors."""
    if name := nearest(typed, text.taken):
        raise Misfit(
            typed, reason=f'{name} is already in the crew. To add a second {name}, put the name in quotes: "{typed}"'
        )


def _check_middle(fit: Fit, text: list[Token], asks: Sequence[Ask]) -> None:
    """Raise `Misfit` for an option inside the first of two texts, from which a shell may have removed the quotes.

    A default counts only if it is asked between the two texts. The words before the option are removed from `text`.
    """
    order = [ask.name for ask in fit.move.asks if not (isinstance(ask, Text) and ask.word)]
    texts = [order.index(ask.name) for ask in fit.move.asks if isinstance(ask, Text) and not ask.word]
    if len(texts) < 2:
        return
    left = [ask for ask in asks if ask.name not in fit.answers and not asks_for_number(ask)]
    in_place = [ask for ask in left if ask not in _out_of_place(fit, asks, left)]
    meant = {
        option.word
        for ask, option in options_of(in_place)
        if order.index(ask.name) < texts[1] or option.word != getattr(ask, "default", "")
    }
    for place, token in enumerate(text):
        if token.text in meant:
            behind = " ".join(each.text for each in text[place + 1 :])
            del text[:place]
            if not behind:
                raise _comes_last(token.text)
            raise Misfit(token.text, reason=f"“{behind}” can't follow “{token.text}”. Put free text in quotes")


def _comes_last(word: str) -> Misfit:
    """Return the error for an option in a place where only words of a text are allowed."""
    return Misfit(word, reason=f"put “{word}” last, or put the whole text in quotes")
