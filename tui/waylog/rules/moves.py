"""Moves: the actions that are possible now, as values. The rules offer them; a screen or a command line shows them and
picks one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import assert_never

from waylog.rules.dice_notation import TEN, NotDice, parse_dice
from waylog.values import dataclass


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something can't be done now, how to make it possible, and the clause."""

    reason: str
    clause: str | None = None


class ActRefused(Exception):
    """The rules refuse an act. Nothing has changed and nothing is logged."""

    def __init__(self, reason: str, clause: str | None = None) -> None:
        super().__init__(reason)
        self.refusal = Refusal(reason, clause)


@dataclass(frozen=True, slots=True)
class Option:
    """A legal answer. `word` is typed and logged; it is lower case, without spaces."""

    word: str
    label: str
    note: str = ""
    """Its effect or value, shown beside it: `+1d6`, `vitality 2`."""
    also: tuple[str, ...] = ()
    """Other words for it: a tool's name beside `primary`."""
    blocked: Refusal | None = None
    reveals: str = ""
    """The question to ask first, if this answer would show something hidden to players; otherwise empty."""
    dice: str = ""
    """The dice that it stands for, in notation: `2d6+3`."""


@dataclass(frozen=True, slots=True)
class PickOne:
    """Pick one of the options. Without a `default`, an answer is required."""

    name: str
    label: str
    options: tuple[Option, ...]
    default: str | None = None
    clause: str | None = None
    """The clause that says which answers there are."""
    logged: bool = False
    """Whether the default is logged, because it may be another one next time."""
    notation: bool = False
    """Whether dice in notation (`2d6+3`) are an answer too, beside the options."""


@dataclass(frozen=True, slots=True)
class PickMany:
    """Pick `least` to `most` of the options. With `repeats`, in the given order, and an option may be picked more than
    once.
    """

    name: str
    label: str
    options: tuple[Option, ...]
    least: int = 0
    most: int = 99
    repeats: bool = False
    clause: str | None = None
    """The clause that limits the number, and says that none counts twice."""
    suggested: tuple[str, ...] = ()
    """The words of a good answer, which the command line starts with."""


@dataclass(frozen=True, slots=True)
class AllocationSlot:
    """A place for dice in an `Allocate`: the fewest and most that it can take, and how many it has `now`."""

    word: str
    label: str
    least: int
    most: int
    now: int


@dataclass(frozen=True, slots=True)
class Allocate:
    """Spread `total` dice over the slots. In words: one number for each slot, in order."""

    name: str
    label: str
    slots: tuple[AllocationSlot, ...]
    total: int
    clause: str | None = None
    """The clause that limits the dice, in all and in each slot."""


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number from `least` to `most`."""

    name: str
    label: str
    least: int
    most: int
    default: int | None = None


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text: the rest of the command. It may be empty unless `required`."""

    name: str
    label: str
    required: bool = False
    word: str = ""
    """The word that introduces it: `full "damage ship"`. If empty, the text is known by its place."""
    reserved: tuple[str, ...] = ()
    """Words that begin other moves of the same verb, now or at other times. A text that begins with one needs quotes."""
    verbatim: bool = False
    """It is all of the line behind the words of the move, with the quotes that are in it. The move asks for nothing else."""


Ask = PickOne | PickMany | Allocate | Number | Text
Answer = str | int | tuple[str, ...] | tuple[int, ...]
Answers = Mapping[str, Answer]
"""Answers by the name of the ask: a word, words, a number, one number for each slot, or a text."""


@dataclass(frozen=True, slots=True)
class Move:
    """An action that is possible now, or one that isn't and says why. `verb` and `words` identify it, and are typed."""

    verb: str
    words: tuple[str, ...]
    label: str
    asks: tuple[Ask, ...] = ()
    blocked: Refusal | None = None
    rolls: bool = False
    """It is a roll with an outcome: it has odds, and may be made on clocks (NM-24)."""
    follows: bool = False
    """It is a follow-up: it belongs to the act that is open, and is undone with it."""
    apart: bool = False
    """It continues what is open like a follow-up, but is undone by itself."""
    about: tuple[str, ...] = ()
    """Keys of the panel rows that it is about, so that a screen can offer it there."""
    anytime: bool = False
    """It may be done while a question is open, which then stays open. It is an act of its own."""
    effect: bool = False
    """It may be the effect of a full clock, a card or a table's entry (NM-16, NM-25)."""
    key: str = ""
    """A letter that replaces `words` where one key has to be enough. No other move of the verb has it."""
    name: str = ""
    """The name on screen of the thing that `words` identify, if it differs: “The grain convoy”."""
    heeds: tuple[str, ...] = ()
    """The effects of situations that matter to this roll: `desperate`, `exposed`. Each situation is switched on or off
    for it (NM-19).
    """
    offer: str = ""
    """For a follow-up without a question: the letter of its kind, the same in every game. Several may share it."""
    whole: bool = False
    """Real dice are typed as numbers, not as one digit each, such as for a table of twenty."""
    reveals: str = ""
    """The question to ask first, if this move would show something hidden to players, whatever the answers; otherwise
    empty.
    """

    @property
    def id(self) -> str:
        """The verb and words, such as `roll nav`. No two moves of a position have the same."""
        return " ".join((self.verb, *self.words))


@dataclass(frozen=True, slots=True)
class RollKey:
    """The moves that a game counts as rolls. The roll key opens them."""

    verbs: tuple[str, ...] = ("roll",)
    """Their verbs. The key opens a command with the first of them that a move has now."""
    hint: str = "rolls"
    """The key's description, shown when the log is empty."""
    nothing: str = "Nothing to roll now"
    """The message if no move has one of these verbs and no question is open."""

    def verb(self, moves: Sequence[Move]) -> str:
        """Return the verb that the key opens a command with, for these moves; empty if there is none."""
        there = {move.verb for move in moves}
        return next((verb for verb in self.verbs if verb in there), "")


def describe(move: Move, answers: Answers) -> str:
    """Describe an act for people: `Roll NAV: KEELWING`, `Note: The fog comes in`. Defaults are left out."""
    labels = [text for ask in move.asks for text in _answer_labels(ask, answers)]
    return f"{move.label}: {', '.join(labels)}" if labels else move.label


def _answer_labels(ask: Ask, answers: Answers) -> Sequence[str]:
    answer = answers.get(ask.name)
    match ask:
        case PickOne() if answer == ask.default:
            return ()
        case PickOne() | PickMany():
            labels = {option.word: option.label for option in ask.options}
            return [labels.get(word, word) for word in selected_words(answers, ask.name)]
        case Number():
            return () if answer in (None, ask.default) else (str(answer),)
        case Allocate():
            return selected_words(answers, ask.name)
        case Text():
            return (str(answer),) if answer else ()
        case _:
            assert_never(ask)


def selected_words(answers: Answers, name: str) -> tuple[str, ...]:
    """Return the words of an answer, one or many; none if there is no answer."""
    answer = answers.get(name, ())
    return tuple(map(str, answer)) if isinstance(answer, tuple) else (str(answer),)


def reveals(move: Move, answers: Answers) -> str:
    """Return the question to ask before this is played by one key, if it would show something hidden to players;
    otherwise empty.
    """
    questions = [move.reveals]
    for ask in move.asks:
        if isinstance(ask, PickOne | PickMany):
            usual = {ask.name: ask.default} if isinstance(ask, PickOne) and ask.default is not None else {}
            chosen = selected_words({**usual, **answers}, ask.name)
            questions += [option.reveals for option in ask.options if option.word in chosen]
    return " ".join(filter(None, questions))


def dice_named(ask: PickOne, word: str) -> str:
    """Return the dice, in notation, that an answer to an ask with `notation` stands for; empty if it stands for none."""
    return next((option.dice for option in ask.options if option.word == word), word)


def takes_numbers(move: Move, answers: Answers) -> bool:
    """Whether real dice are typed as numbers, not as one digit each: the move says so, or the dice that were chosen do."""
    for ask in move.asks:
        if isinstance(ask, PickOne) and ask.notation and (dice := dice_named(ask, str(answers.get(ask.name, "")))):
            try:
                return parse_dice(dice).largest > TEN
            except NotDice:
                return False
    return move.whole


def without_refusal(move: Move) -> Move:
    """Return the move as if nothing blocked it."""
    asks = (
        replace(ask, options=tuple(replace(option, blocked=None) for option in ask.options))
        if isinstance(ask, PickOne | PickMany)
        else ask
        for ask in move.asks
    )
    return replace(move, blocked=None, asks=tuple(asks))


def complete_answers(move: Move, answers: Answers) -> Answers:
    """Return `answers` with defaults filled in.

    Raises `ActRefused` for a blocked move, a missing answer, or one that isn't legal.
    """
    if move.blocked:
        raise ActRefused(move.blocked.reason, move.blocked.clause)
    unknown = set(answers) - {ask.name for ask in move.asks}
    if unknown:
        raise ActRefused(f"{move.id} does not ask for {', '.join(sorted(unknown))}")
    for ask in move.asks:  # A wrong answer is reported before a missing one.
        if isinstance(ask, PickOne) and ask.name in answers:
            _check_answer(ask, answers[ask.name])
    return {ask.name: _check_answer(ask, answers.get(ask.name)) for ask in move.asks}


def _check_answer(ask: Ask, answer: Answer | None) -> Answer:
    match ask:
        case PickOne():
            word = ask.default if answer is None else answer
            if word is None:
                others = ", or others as in 2d6+3" if ask.notation else ""
                raise ActRefused(f"{ask.label}: {_choices(ask.options)}{others}")
            return _legal(ask, word)
        case PickMany():
            picked = () if answer is None else answer
            if not isinstance(picked, tuple):
                raise ActRefused(f"{ask.label}: {_choices(ask.options)}")
            words = tuple(_legal(ask, word) for word in picked)
            if not ask.repeats and len(set(words)) < len(words):
                raise ActRefused(f"{ask.label}: each only once", ask.clause)
            if not ask.least <= len(words) <= ask.most:
                raise ActRefused(f"{ask.label}: choose {_count(ask)} of {_choices(ask.options)}", ask.clause)
            return words
        case Allocate():
            return _check_allocation(ask, answer)
        case Number():
            number = ask.default if answer is None else answer
            if not isinstance(number, int) or not ask.least <= number <= ask.most:
                raise ActRefused(f"{ask.label}: a number from {ask.least} to {ask.most}")
            return number
        case Text():
            text = "" if answer is None else answer
            if not isinstance(text, str) or (ask.required and not text.strip()):
                raise ActRefused(f"{ask.label}: type a few words")
            return text
        case _:
            assert_never(ask)


def _count(ask: PickMany) -> str:
    """Return how many to choose. A limit higher than the number of options is not mentioned."""
    if ask.least == ask.most:
        return f"{ask.least}"
    if ask.repeats or ask.most < len(ask.options):
        return f"{ask.least} to {ask.most}"
    return f"at least {ask.least}"


def _legal(ask: PickOne | PickMany, word: object) -> str:
    for option in ask.options:
        if option.word == word:
            if option.blocked:
                raise ActRefused(option.blocked.reason, option.blocked.clause)
            return option.word
    if isinstance(ask, PickOne) and ask.notation:
        try:
            return parse_dice(str(word)).notation
        except NotDice as wrong:
            raise ActRefused(f"{wrong}", ask.clause) from None
    raise ActRefused(f"{ask.label}: “{word}” is not one of {_choices(ask.options)}", ask.clause)


_LISTED, _FEW = 40, 3
"""How many choices a refusal lists at most, and how many it names of more than that."""


def _choices(options: tuple[Option, ...]) -> str:
    words = [option.word for option in options if not option.blocked]
    if len(words) > _LISTED:
        words = [*words[:_FEW], f"{len(words) - _FEW} more"]
        return f"{', '.join(words[:-1])} and {words[-1]}"
    return ", ".join(words) or "nothing can be chosen now"


def _check_allocation(ask: Allocate, answer: Answer | None) -> tuple[int, ...]:
    places = ", ".join(slot.word for slot in ask.slots)
    if not isinstance(answer, tuple) or len(answer) != len(ask.slots):
        raise ActRefused(f"{ask.label}: {len(ask.slots)} numbers, for {places}, {ask.total} in all", ask.clause)
    numbers = tuple(number for number in answer if isinstance(number, int))
    for slot, number in zip(ask.slots, numbers, strict=True):
        if not slot.least <= number <= slot.most:
            raise ActRefused(f"{slot.label} takes {slot.least}–{slot.most} dice; you typed {number}", ask.clause)
    if sum(numbers) != ask.total:
        raise ActRefused(f"{places} add up to {sum(numbers)}; place {ask.total} dice", ask.clause)
    return numbers
