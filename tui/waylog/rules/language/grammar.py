"""The grammar of acts: how one line is read for one move. `commands` tries each move that a line may mean.

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
             | the name of an option              `long` for 8 segments, anywhere outside of quotes: `_part_named`
             | dice in notation                   2d6+3, also with spaces, where the move asks for dice
    dice     = digits that answer nothing else    3 5 5 or 355, and 0 is a ten; real dice come last, but before a text

A word in quotes is a text and never anything else. A shell takes the quotes off a text of one word, so where another text
has quotes, a word that is nothing else is a text too. `full` may go without quotes at the end of a line, if the line
can't be read otherwise.

A text without quotes begins at the first word that is neither an own word nor an answer, so an answer that may be left out stands
before it in full and in small letters. It ends before the answers at the end of the line: in its middle any word may
stand, except an option that is not answered elsewhere, where the move asks for a second text. A required answer that is asked
before the text may be the last word of the line. A text never begins with a
word that is `reserved` for another move of the verb.

A key is typed with hyphens or with spaces (`hull-breach`, `hull breach`, `clue 1`): `_join_key`. Letters and digits may stand
together (`n355`): `_take_apart`. A sign may stand apart from its number (`- 1`): `_join_signs`. Which move a whole line means is
decided in `commands`.

One word is matched with a move: it names the move, or answers one of its questions (asks). A word with a
meaning is written into the `Fit`. A word that could answer two asks raises `Misfit`. For a word without a meaning, the
functions return False.

The meanings are tried in this order; the first that fits is used:

1. a word of the move, in full or abbreviated, or the letter of the move
2. a number, or dice in notation, if one is asked for; a digit that the screen shows as an option, before any real dice
3. an option in full; then an abbreviated option, where a default yields to any other option
4. from `Reach.NAMES` on: part of the move's name on screen, then part of an option's name. Dice in notation are never
   part of a name: `2d6` isn't the roll with the label “Roll NAV (2d6)”

An option that costs something has its own word, in full, and no other meaning on this list.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise

from waylog.rules.codec.changes import QUOTED, join_names, quote_text, quoted_text
from waylog.rules.language.similar_names import Reach, closeness, fold
from waylog.rules.model.answers import is_digits, selected_words, shown_digits, takes_numbers
from waylog.rules.model.dice_notation import begins_like_dice
from waylog.rules.model.moves import Allocate, Answer, Ask, Move, Number, Option, PickMany, PickOne, Text
from waylog.values import dataclass, field, replace

NUMBER = r"[+-]?[0-9]{1,15}"
"""A number as typed. Digits of other scripts, and longer numbers, are ordinary words."""
_LONG = 24
"""A word with more letters than this is never taken for part of a name."""


@dataclass(slots=True)
class Fit:
    """A move with the answers that the line has given so far, and a score for how well they fit."""

    move: Move
    reach: Reach
    unsaid: list[str]
    answers: dict[str, Answer] = field(default_factory=dict)
    faces: list[int] = field(default_factory=list)
    score: int = 0
    """A word in full scores more than an abbreviated one; letters joined with digits score least."""
    early: int = 0
    """The number of words that named the move before the first answer. It decides between equal scores."""
    by_name: bool = False
    """Part of the name on screen was typed, instead of the move's words."""

    @property
    def missing_words(self) -> list[str]:
        """The words of the move that the line has not given yet. Part of the name on screen replaces all but the verb."""
        return [] if self.by_name and self.move.verb not in self.unsaid else self.unsaid


@dataclass(slots=True)
class Misfit(Exception):
    """A word with no meaning in the move, or with several."""

    word: str
    among: tuple[Option, ...] = ()
    """The possible meanings."""
    begun: str = ""
    """What each of them begins with, or has in its name: the word, or the part of it that was read by itself."""
    reason: str = ""
    """The reason, if it is something else."""
    clause: str | None = None
    """The clause that says so."""
    move: Move | None = None
    fit: Fit | None = None
    """The move as far as it was read."""
    before: int = 0
    """The number of words that were read before it."""


def take_word(fit: Fit, word: str, asks: Sequence[Ask], *, or_text: bool = False) -> bool:
    """Take `word` in its first meaning, in the order of the module's list. Return False if it has none.

    With `or_text` the word may also start a text, so part of a name answers only a required question.
    """
    if _take_own_word(fit, word) or take_answer(fit, word, asks, or_text=or_text):
        return True
    if fit.reach is Reach.WORDS or is_digits(word) or begins_like_dice(word):
        return False
    wanted = [ask for ask in asks if isinstance(ask, PickOne) and ask.default is None and ask.name not in fit.answers]
    if _take_name(fit, word) or take_answer(fit, word, wanted if or_text else asks, or_text=or_text, by_name=True):
        return True
    # It may be another word of a name already given: `breach` after the key `hull`.
    names_again = not (or_text or fit.unsaid or fit.answers)
    return names_again and closeness(word, (fit.move.name,), Reach.NAMES) == 3


def _take_own_word(fit: Fit, word: str) -> bool:
    """Take `word` as one of the words that name the move, or as the letter that replaces all of them. The verb comes
    before the others.
    """
    verb, unsaid = fit.move.verb, fit.unsaid
    verb_begun = bool(unsaid) and unsaid[0] == verb and verb.startswith(word)
    for text in sorted(unsaid, key=lambda text: text != word):
        lettered = text != verb and word == fit.move.key and {*fit.move.words} <= {*unsaid}
        if text == word or lettered or (text.startswith(word) and not is_digits(word)):
            if verb_begun and text not in (verb, word):
                text = verb
            if lettered and text not in (verb, word):
                # A letter stands for all the words of its move: `n` for `talk anso`.
                fit.unsaid = [left for left in unsaid if left not in fit.move.words]
            else:
                unsaid.remove(text)
            # If two words could both name the move, the first one does: a word before any answer scores one more.
            fit.score += 3 + (not fit.answers) if text == word or lettered else 1
            fit.early += not fit.answers
            return True
    return False


def _take_name(fit: Fit, word: str) -> bool:
    """Take `word` as part of the move's name on screen."""
    if fit.move.verb in fit.unsaid or not (fit.unsaid or fit.by_name):
        return False
    close = closeness(word, (fit.move.name, fit.move.label, *fit.move.words), fit.reach)
    if close:
        fit.by_name = True
        fit.score += close - 2
        fit.early += not fit.answers
    return bool(close)


def take_answer(fit: Fit, word: str, asks: Sequence[Ask], *, or_text: bool = False, by_name: bool = False) -> bool:
    """Take `word` as an answer to one of `asks`. Raises `Misfit` if it could be several.

    With `or_text`, only if an answer is required. With `by_name`, by the answers' names on screen.
    """
    if _take_number(fit, word, asks):
        return True
    dice = notation_ask(asks)
    if dice and dice.name not in fit.answers and begins_like_dice(word):
        # Whether they can be rolled is checked with the answer.
        fit.answers[dice.name] = word
        fit.score += 3
        return True
    # Another word of an option that is already picked says nothing new.
    repeats = by_name and any(
        option.word in selected_words(fit.answers, ask.name) and closeness(word, names_of(option), Reach.NAMES) == 3
        for ask, option in options_of(ask for ask in asks if ask.name in fit.answers)
    )
    return (
        _take_shown_digit(fit, word, asks) or repeats or _take_option(fit, word, asks, or_text=or_text, by_name=by_name)
    )


def _take_number(fit: Fit, word: str, asks: Sequence[Ask]) -> bool:
    """Take a number that is asked for, or numbers of dice for the slots of an `Allocate`."""
    for ask in asks:
        signed = not isinstance(ask, Number) or not ask.overrules or not is_digits(word)
        if isinstance(ask, Number) and signed and re.fullmatch(NUMBER, word) and ask.name not in fit.answers:
            fit.answers[ask.name] = int(word)
            return True
        if not isinstance(ask, Allocate) or not is_digits(word):
            continue
        given, apart = fit.answers.get(ask.name, ()), len(word) > 1 and len(word) == len(ask.slots)
        if apart or re.fullmatch(NUMBER, word):
            numbers = [int(digit) for digit in word] if apart else [int(word)]
            if isinstance(given, tuple) and len(given) + len(numbers) <= len(ask.slots):
                fit.answers[ask.name] = (*given, *numbers)
                return True
    return False


def _take_shown_digit(fit: Fit, word: str, asks: Sequence[Ask]) -> bool:
    """Take a digit that the screen shows as an option: 2 on `Difficulty [x] 1 [ ] 2`. After real dice, it is one of them.
    A digit that is an option's own word, such as a threshold, stays that word.
    """
    if fit.faces or not is_digits(word) or any(option.word == word for _, option in _options_begun(asks, word)):
        return False
    for ask in shown_digits(fit.move.asks, fit.answers):
        if ask in asks and (found := next((option for option in ask.options if option.label == word), None)):
            fit.answers[ask.name] = found.word
            fit.score += 3
            return True
    return False


def notation_ask(asks: Iterable[Ask]) -> PickOne | None:
    """Return the ask that takes dice in notation, if there is one."""
    return next((ask for ask in asks if isinstance(ask, PickOne) and ask.notation), None)


def take_faces(fit: Fit, word: str) -> bool:
    """Take digits as the faces of real dice."""
    numbers = takes_numbers(fit.move, fit.answers)
    if not is_digits(word) or (numbers and not re.fullmatch(NUMBER, word)):
        return False
    fit.faces.extend([int(word)] if numbers else [int(digit) or 10 for digit in word])
    return True


def _take_option(fit: Fit, word: str, asks: Sequence[Ask], *, or_text: bool, by_name: bool) -> bool:
    """Take the one option that `word` means. Raises `Misfit` if it may mean several, unless it may be a text instead."""
    left = [
        ask for ask in asks if isinstance(ask, PickMany) or (isinstance(ask, PickOne) and ask.name not in fit.answers)
    ]
    if by_name:  # Of the options with the word in their names, the best matches are kept.
        every = [(close, ask, option) for ask in left for close, option in _close_options(ask, word, fit.reach)]
        best = max((close for close, _, _ in every), default=0)
        found, sure = _prefer_open([(ask, option) for close, ask, option in every if close == best > 0]), best - 2
    else:
        found, sure = _find_begun(left, word)
    if not found:
        return False
    if len({option.word for _, option in found}) > 1:
        if or_text and not any(isinstance(ask, PickOne) and ask.default is None for ask, _ in found):
            return False
        raise Misfit(word, tuple(option for _, option in found), begun=word)
    ask, option = found[0]
    given = fit.answers.get(ask.name, ())
    if isinstance(ask, PickMany):
        if isinstance(given, tuple) and option.word in given and not ask.repeats:
            return False
        fit.answers[ask.name] = (*given, option.word) if isinstance(given, tuple) else (option.word,)
    else:
        fit.answers[ask.name] = option.word
    fit.score += sure
    return True


def take_impossible(fit: Fit, word: str, asks: Iterable[Ask]) -> bool:
    """Take a number as the size of a clock even if no clock has that size, and dice even if nothing has such, so that the error is
    about them. Raises `Misfit` for dice beside others.
    """
    for ask in asks:
        names_dice = (
            isinstance(ask, PickOne)
            and not ask.notation
            and all(begins_like_dice(option.word) for option in ask.options)
        )
        of_kind = (is_digits(word) and asks_for_number(ask)) or (begins_like_dice(word) and names_dice)
        if of_kind and ask.name not in fit.answers:
            fit.answers[ask.name] = word
            return True
        if of_kind and begins_like_dice(word):
            raise Misfit(word)
    return False


def picks_dice(asks: Iterable[Ask], word: str) -> bool:
    """Whether each digit stands for one of the dice to choose from, instead of a number."""
    if not is_digits(word):
        return False
    faces = {str(int(digit) or 10) for digit in word}
    return (len(word) > 1 or word == "0") and any(
        isinstance(ask, PickMany) and ask.repeats and faces <= {option.word for option in ask.options} for ask in asks
    )


_CROWD = 40
"""From so many options on, an ask is worth an index: many moves may share it, and each word is looked up in all of them."""
_MOST_INDICES = 16


class _OptionIndex:
    """The options of one ask, to find by the beginning of a word, or by a name."""

    def __init__(self, ask: PickOne | PickMany) -> None:
        self.ask = ask
        self._words = sorted(
            (word, at) for at, option in enumerate(ask.options) for word in (option.word, *option.also)
        )
        self._close: dict[tuple[str, Reach], Sequence[tuple[int, Option]]] = {}

    def find_begun(self, word: str) -> Sequence[Option]:
        """Return the options of which a word begins so, in their order."""
        found = set[int]()
        for known, at in self._words[bisect_left(self._words, (word, -1)) :]:
            if not known.startswith(word):
                break
            found.add(at)
        return [self.ask.options[at] for at in sorted(found)]

    def find_close(self, word: str, reach: Reach) -> Sequence[tuple[int, Option]]:
        """Return the options with the word in their names, each with how close it is."""
        if (word, reach) not in self._close:
            self._close[word, reach] = [*_close_among(self.ask.options, word, reach)]
        return self._close[word, reach]


_indices: dict[int, _OptionIndex] = {}
"""The latest ones, by the `id` of their asks. Each keeps its ask, so that no other gets that `id`."""


def _index_of(ask: PickOne | PickMany) -> _OptionIndex | None:
    """Return the index of an ask with many options; None for any other."""
    if len(ask.options) < _CROWD:
        return None
    found = _indices.get(id(ask))
    if found is None:
        if len(_indices) >= _MOST_INDICES:
            _indices.clear()
        found = _indices[id(ask)] = _OptionIndex(ask)
    return found


def _options_begun(asks: Iterable[Ask], word: str) -> Iterator[tuple[PickOne | PickMany, Option]]:
    """Yield the options of which the word to type, or another word for it, begins with `word`; with their asks."""
    for ask in asks:
        if not isinstance(ask, PickOne | PickMany):
            continue
        if index := _index_of(ask):
            yield from ((ask, option) for option in index.find_begun(word))
            continue
        for option in ask.options:
            if option.word.startswith(word) or (option.also and any(name.startswith(word) for name in option.also)):
                yield ask, option


def _close_options(ask: PickOne | PickMany, word: str, reach: Reach) -> Iterable[tuple[int, Option]]:
    """Return the options with the word in their names, each with how close it is."""
    index = _index_of(ask)
    return index.find_close(word, reach) if index else _close_among(ask.options, word, reach)


def _close_among(options: Sequence[Option], word: str, reach: Reach) -> Iterator[tuple[int, Option]]:
    for option in options:
        if not _wants_whole_word(option) and (close := closeness(word, names_of(option), reach)):
            yield close, option


_Found = tuple[list[tuple[PickOne | PickMany, Option]], int]
"""The options that a word may mean, and the score for typing it that way."""


def _find_begun(asks: Sequence[PickOne | PickMany], word: str) -> _Found:
    """Find the options that begin with the word: an exact one before others, and options that can be chosen before the
    rest. What overrules a rule is meant by its whole word alone.
    """
    every = [*_options_begun(asks, word)]
    if exact := [(ask, option) for ask, option in every if option.word == word]:
        return exact, 3
    if is_digits(word):
        return [], 0
    every = [(ask, option) for ask, option in every if not _wants_whole_word(option) or word in option.also]
    by_word = [(ask, option) for ask, option in every if option.word.startswith(word)]
    otherwise = [(ask, option) for ask, option in every if any(name.startswith(word) for name in option.also)]
    for found in (by_word, otherwise):
        # Defaults are skipped when another word starts with the same letters.
        if telling := [(ask, option) for ask, option in found if not _yields(ask, option)]:
            return _prefer_open(telling), 1
    return _prefer_open(by_word or otherwise), 1


def _yields(ask: PickOne | PickMany, option: Option) -> bool:
    """Whether an abbreviated option gives way to any other: a default, which needn't be typed. But one that a rule forces is typed as often
    as before, and isn't to mean something else then.
    """
    others = [each for each in ask.options if each is not option]
    forced = any(each.overrules for each in others) and all(each.blocked or each.overrules for each in others)
    return option.word == getattr(ask, "default", None) and not forced


def _wants_whole_word(option: Option) -> bool:
    """Whether nothing shorter than its word means the option: it spends something, or overrules a rule."""
    return option.costs or option.overrules


def _prefer_open(found: list[tuple[PickOne | PickMany, Option]]) -> list[tuple[PickOne | PickMany, Option]]:
    return [(ask, option) for ask, option in found if not option.blocked] or found


def is_optional(ask: Ask) -> bool:
    """Whether the ask may be left out, and its answer is a word, not a number."""
    may = isinstance(ask, PickMany) and not ask.least
    return may or (isinstance(ask, PickOne) and ask.default is not None)


def asks_for_number(ask: Ask) -> bool:
    """Whether all options are numbers, as for the size of a clock."""
    return isinstance(ask, PickOne) and all(is_digits(option.word) for option in ask.options)


def options_of(asks: Iterable[Ask]) -> Iterator[tuple[PickOne | PickMany, Option]]:
    """Return every option of these asks, with its ask."""
    for ask in asks:
        if isinstance(ask, PickOne | PickMany):
            yield from ((ask, option) for option in ask.options)


def names_of(option: Option) -> tuple[str, ...]:
    """Return all names of an option: the label, the word to type, and its other words."""
    return (option.label, option.word, *option.also)


def name_of(option: Option, begun: str = "") -> str:
    """Return the text to type for an option: its word if that begins with what was typed, `begun`, or shows in its label;
    otherwise the label.
    """
    seen = bool(begun) or fold(option.word).replace("-", " ") in fold(option.label)
    typed = seen and option.word.startswith(begun) and len(option.word) < _LONG
    return option.word if typed else option.label


_GLUED = r"([^\d\s]+)([0-9]+)"
_SIGNS = "+-−"


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


def may_take(move: Move, words: Iterable[str]) -> bool:
    """Whether each of these words, as a whole, may have a meaning in the move, wherever it stands."""
    if any(isinstance(ask, Text) for ask in move.asks):
        return True
    names = (move.name, move.label, *move.words)
    picks = [ask for ask in move.asks if isinstance(ask, PickOne | PickMany)]
    return all(
        any(text.startswith(word) for text in (move.verb, *move.words))
        or word == move.key
        or is_digits(word)
        or begins_like_dice(word)
        or closeness(word, names, Reach.NAMES)
        or any(True for _ in _options_begun(picks, word))
        or any(any(_close_options(ask, word, Reach.NAMES)) for ask in picks)
        or any(option.named == word for ask in picks if isinstance(ask, PickOne) for option in ask.options)
        for word in words
    )


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
            both = f"“{first.text}” stands for {join_names(meant, 'or')}, but the line also has “{wrong[0].text}”"
            raise Misfit(first.text, reason=f"{both}. Put a text with such a word in quotes", clause=ask.clause)
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
        _join_key(fit, waiting, before)
        word = waiting[0].text.lower()
        any_part = fit.missing_words or not in_full
        meant = [ask for ask in before if any_part or not is_optional(ask) or _is_in_full(ask, waiting[0])]
        if take_word(fit, word, meant, or_text=not fit.missing_words) or _take_typed_dice(fit, word):
            waiting.pop(0)
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
    if waiting:
        _check_middle(fit, waiting, after)
        fit.answers[text.name] = " ".join(token.text for token in waiting)
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
        known = (key for key in whole if any(option.word == key for _, option in _options_begun(asks, key)))
        if key := next((key for key in known if key not in fit.unsaid), ""):
            waiting[:2] = [Token(key, apart=waiting[0].apart)]
        return
    begun = [key for key in fit.unsaid if key.startswith(first)]
    begun += [option.word for _, option in _options_begun(asks, first) if option.word.startswith(first)]
    keys = (*fit.unsaid, *(option.word for _, option in options_of(asks))) if begun else ()
    for parts in _parts_of_keys(begun, keys):
        typed = [token.text.lower() for token in waiting[: len(parts)] if not token.quoted]
        if typed == parts:
            waiting[: len(parts)] = [Token("-".join(parts), apart=waiting[0].apart)]
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
    joined, end = all_tokens[first].text, first + 1
    while end < len(all_tokens) and not all_tokens[end].quoted:
        if joined[-1] not in _SIGNS and all_tokens[end].text[0] not in _SIGNS:
            break
        joined, end = joined + all_tokens[end].text, end + 1
    return [*all_tokens[:first], replace(all_tokens[first], text=joined), *all_tokens[end:]]


def _join_signs(move: Move, all_tokens: Sequence[Token]) -> Sequence[Token]:
    """Join a sign and a number that were typed apart, if the move asks for one that may be below 0: `tick fog - 1`."""
    if not any(isinstance(ask, Number) and ask.least < 0 for ask in move.asks):
        return all_tokens
    joined = list[Token]()
    for token in all_tokens:
        if (
            joined
            and joined[-1].text in tuple(_SIGNS)
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


def _take_apart(fit: Fit, waiting: list[Token]) -> bool:
    """Split letters followed by digits, `n355`, into two words. Such a reading scores less than one of whole words.

    The first word behind a verb is not split if it is dice: `d20` is never `d` with two real dice.
    """
    is_first = not fit.answers and {*fit.move.words} <= {*fit.unsaid}
    if is_first and begins_like_dice(waiting[0].text):
        return False
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
            token.text, reason=f"“{token.text}” is a command here. If your text begins with it, put it in quotes"
        )
    if not token.quoted and token.text in words:
        raise Misfit(token.text, reason=f"“{token.text}” comes before a text in quotes")


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
            del text[:place]
            raise _comes_last(token.text)


def _comes_last(word: str) -> Misfit:
    """Return the error for an option in a place where only words of a text are allowed."""
    return Misfit(word, reason=f"“{word}” comes last, or in quotes with the rest of the text")
