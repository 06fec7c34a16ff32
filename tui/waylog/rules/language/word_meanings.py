"""What one word of a line may mean for one move.

A word names the move, or answers one of its questions (asks). A word with a meaning is written into the `Fit`. A word that
could answer two asks raises `Misfit`. For a word without a meaning, the functions return False.

The meanings are tried in this order; the first that fits is used:

1. a word of the move, in full or abbreviated, or the letter of the move
2. a number, or dice in notation, if one is asked for; a digit that the screen shows as an option, before any real dice
3. an option in full; then an abbreviated option, where a default yields to any other option
4. from `Reach.NAMES` on: part of the move's name on screen, then part of an option's name. Dice in notation are never
   part of a name: `2d6` isn't the roll with the label “Roll NAV (2d6)”

An option that costs something has its own word, in full, and no other meaning on this list. The whole label of an option, if it has
several words or quotes around it, is read as its word.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from waylog.rules.language.similar_names import Reach, closeness, fold, parts_of
from waylog.rules.model.answers import is_digits, selected_words, shown_digits, takes_numbers
from waylog.rules.model.dice import faces_in_digits
from waylog.rules.model.dice_notation import begins_like_dice
from waylog.rules.model.moves import Allocate, Answer, Ask, Move, Number, Option, PickMany, PickOne, Text
from waylog.values import dataclass, field

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
    """The text that each of them begins with, or has in its name: the word, or the part of it that was read by itself."""
    reason: str = ""
    """The reason, if it is something else."""
    clause: str | None = None
    """The clause that says so."""
    move: Move | None = None
    fit: Fit | None = None
    """The move as far as it was read."""
    before: int = 0
    """The number of words that were read before it."""

    def is_named_before(self, other: Fit) -> bool:
        """Whether the word has several meanings in a move of which the line named more, before any answer, than of another."""
        return bool(self.among and self.fit and not self.fit.unsaid and self.fit.early > other.early)


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
    return names_again and closeness(word, (fit.move.name,), Reach.NAMES) >= 3


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
        word != option.word in selected_words(fit.answers, ask.name)
        and closeness(word, names_of(option), Reach.NAMES) >= 3
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
    if fit.faces or not is_digits(word) or any(option.word == word for _, option in options_begun(asks, word)):
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
    fit.faces.extend([int(word)] if numbers else faces_in_digits(word))
    return True


def _take_option(fit: Fit, word: str, asks: Sequence[Ask], *, or_text: bool, by_name: bool) -> bool:
    """Take the one option that `word` means. Raises `Misfit` if it may mean several, unless it may be a text instead."""
    left = [
        ask for ask in asks if isinstance(ask, PickMany) or (isinstance(ask, PickOne) and ask.name not in fit.answers)
    ]
    found, sure = _find_named(left, word, fit.reach) if by_name else _find_begun(left, word)
    if found and sure < _WHOLE_WORD and all(option.blocked for _, option in found):
        # What can be chosen now, and has a name that begins so, is meant before what can't.
        named, close = _find_named(left, word, Reach.NAMES)
        if any(not option.blocked for _, option in named):
            found, sure = named, close
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
        self._labels: dict[str, list[Option]] = {}
        for option in ask.options:
            self._labels.setdefault("".join(parts_of(option.label)[:1]), []).append(option)

    def find_labelled(self, first: str) -> Sequence[Option]:
        """Return the options whose labels begin with that word, folded."""
        return self._labels.get(first, ())

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


def options_begun(asks: Iterable[Ask], word: str) -> Iterator[tuple[PickOne | PickMany, Option]]:
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


def options_labelled(asks: Iterable[Ask], first: str) -> Iterator[Option]:
    """Yield the options whose labels begin with that word, folded."""
    for ask in asks:
        if not isinstance(ask, PickOne | PickMany):
            continue
        if index := _index_of(ask):
            yield from index.find_labelled(first)
        else:
            yield from (option for option in ask.options if parts_of(option.label)[:1] == (first,))


def _close_options(ask: PickOne | PickMany, word: str, reach: Reach) -> Iterable[tuple[int, Option]]:
    """Return the options with the word in their names, each with how close it is."""
    index = _index_of(ask)
    return index.find_close(word, reach) if index else _close_among(ask.options, word, reach)


def _close_among(options: Sequence[Option], word: str, reach: Reach) -> Iterator[tuple[int, Option]]:
    for option in options:
        if not _wants_whole_word(option) and (close := closeness(word, names_of(option), reach)):
            yield close, option


_WHOLE_WORD = 3
"""The score for the whole word of an option."""
_Found = tuple[list[tuple[PickOne | PickMany, Option]], int]
"""The options that a word may mean, and the score for typing it that way."""


def _find_begun(asks: Sequence[PickOne | PickMany], word: str) -> _Found:
    """Find the options that begin with the word: an exact one before others, and options that can be chosen before the
    rest. What overrules a rule is meant by its whole word alone.
    """
    every = [*options_begun(asks, word)]
    if exact := [(ask, option) for ask, option in every if option.word == word]:
        return exact, _WHOLE_WORD
    if is_digits(word):
        return [], 0
    every = [(ask, option) for ask, option in every if not _wants_whole_word(option) or word in option.also]
    by_word = [(ask, option) for ask, option in every if option.word.startswith(word)]
    otherwise = [(ask, option) for ask, option in every if any(name.startswith(word) for name in option.also)]
    for found in (by_word, otherwise):
        # A default is skipped where one other word starts with the same letters. Among several of its own ask it may be meant, too.
        if telling := _prefer_open([(ask, option) for ask, option in found if not _yields(ask, option)]):
            several = len({option.word for _, option in telling}) > 1
            asked = {ask.name for ask, _ in telling}
            return [
                (ask, option) for ask, option in _prefer_open(found) if ask.name in asked
            ] if several else telling, 1
    return _prefer_open(by_word or otherwise), 1


def _find_named(asks: Sequence[PickOne | PickMany], word: str, reach: Reach) -> _Found:
    """Find the options with the word in their names. The best matches are kept, and of these the ones that can be chosen."""
    every = [(close, ask, option) for ask in asks for close, option in _close_options(ask, word, reach)]
    best = max((close for close, _, _ in every), default=0)
    return _prefer_open([(ask, option) for close, ask, option in every if close == best > 0]), best - 2


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


def choice_of(option: Option) -> str:
    """Return the text to type for an option in a list of choices: its name on screen, or `unskilled (a skill they lack)`, if that
    describes it only.
    """
    name = name_of(option)
    return name if option.also or name == option.word or len(option.word) >= _LONG else f"{option.word} ({name})"


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
        or any(True for _ in options_begun(picks, word))
        or any(any(_close_options(ask, word, Reach.NAMES)) for ask in picks)
        or any(option.named == word for ask in picks if isinstance(ask, PickOne) for option in ask.options)
        for word in words
    )
