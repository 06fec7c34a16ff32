"""Moves: what may be done, as values. A position offers them; a screen or a command line shows them and picks one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import assert_never

from waylog.values import dataclass


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why something can't be done now, what would make it legal, and the clause that says so."""

    reason: str
    clause: str | None = None


class ActRefused(Exception):
    """The rules say no. Nothing has changed and nothing is logged."""

    def __init__(self, reason: str, clause: str | None = None) -> None:
        super().__init__(reason)
        self.refusal = Refusal(reason, clause)


@dataclass(frozen=True, slots=True)
class Option:
    """One legal answer. `word` is what is typed and logged: lower case, no spaces."""

    word: str
    label: str
    note: str = ""
    """What it brings, shown beside it: `+1d6`, `vitality 2`."""
    also: tuple[str, ...] = ()
    """Other words it answers to: a tool's name beside `primary`."""
    blocked: Refusal | None = None
    reveals: str = ""
    """A question that names what the players would see by it and do not see now; empty when that is nothing."""


@dataclass(frozen=True, slots=True)
class PickOne:
    """One of the options. Without a `default` it has to be answered."""

    name: str
    label: str
    options: tuple[Option, ...]
    default: str | None = None
    clause: str | None = None
    """The clause that says which answers there are."""
    logged: bool = False
    """The default is logged too, because another day it may be another one."""


@dataclass(frozen=True, slots=True)
class PickMany:
    """From `least` to `most` of the options; with `repeats`, in the order given and any of them more than once."""

    name: str
    label: str
    options: tuple[Option, ...]
    least: int = 0
    most: int = 99
    repeats: bool = False
    clause: str | None = None
    """The clause that says how many there may be, and that none counts twice."""
    suggested: tuple[str, ...] = ()
    """The words of a good answer, for the line to begin with."""


@dataclass(frozen=True, slots=True)
class AllocationSlot:
    """A place for dice in an `Allocate`: how many may lie there and how many lie there `now`."""

    word: str
    label: str
    least: int
    most: int
    now: int


@dataclass(frozen=True, slots=True)
class Allocate:
    """Spread `total` over the slots. In words: one number a slot, in the order of the slots."""

    name: str
    label: str
    slots: tuple[AllocationSlot, ...]
    total: int
    clause: str | None = None
    """The clause that says how many dice there are, and how many fit."""


@dataclass(frozen=True, slots=True)
class Number:
    """A whole number, `least` to `most`."""

    name: str
    label: str
    least: int
    most: int
    default: int | None = None


@dataclass(frozen=True, slots=True)
class Text:
    """A line of text, the rest of what is typed. It may be empty unless `required`."""

    name: str
    label: str
    required: bool = False
    word: str = ""
    """The word that stands before it: `full "damage ship"`. Empty: it is known by its place."""
    reserved: tuple[str, ...] = ()
    """Words that begin other moves of the verb, now or at another time: only in quotes may the text begin with one."""


Ask = PickOne | PickMany | Allocate | Number | Text
Answer = str | int | tuple[str, ...] | tuple[int, ...]
Answers = Mapping[str, Answer]
"""By the name of the ask: a word, words, a number, one number a slot, or a text."""


@dataclass(frozen=True, slots=True)
class Move:
    """Something that can be done, or can't and why. `verb` and `words` together are its identity and are what is typed."""

    verb: str
    words: tuple[str, ...]
    label: str
    asks: tuple[Ask, ...] = ()
    blocked: Refusal | None = None
    rolls: bool = False
    """A roll with an outcome: it has odds, and may be made on clocks (NM-24)."""
    follows: bool = False
    """A follow-up of what is open: it belongs to that act and is taken back with it."""
    apart: bool = False
    """It goes on with what is open like a follow-up, and yet is an act of its own: taken back by itself."""
    about: tuple[str, ...] = ()
    """Keys of the panel rows it concerns, so that a screen can offer it there."""
    anytime: bool = False
    """It may be done while something is asked, which is then still asked. It is an act of its own."""
    effect: bool = False
    """May stand in a file as what a full clock, a card or an entry of a table does (NM-16, NM-25)."""
    key: str = ""
    """A single letter that stands for `words`, where one key has to be enough. Unique among the moves of its verb."""
    name: str = ""
    """What the screens call the thing that `words` stand for, where that is not the words themselves: “The grain convoy”."""
    heeds: tuple[str, ...] = ()
    """What situations may make of this roll: `desperate`, `exposed`. Each in force is switched on or off for it (NM-19)."""
    offer: str = ""
    """For a follow-up that stands without a question: the letter of its kind, the same in every game. Several may share it."""
    whole: bool = False
    """Real dice are typed as numbers and not as one digit each: a table of twenty."""
    reveals: str = ""
    """A question that names what the players would see by it, whatever is answered, and do not see now."""

    @property
    def id(self) -> str:
        """`roll nav`: unique among the moves of one position."""
        return " ".join((self.verb, *self.words))


@dataclass(frozen=True, slots=True)
class RollKey:
    """What a game means by a roll: the moves that the one key for rolling opens."""

    verbs: tuple[str, ...] = ("roll",)
    """Their verbs. The key opens a line for the first of them that a move has now."""
    hint: str = "rolls"
    """What the key does, as it is said of it where nothing has happened yet."""
    nothing: str = "There is nothing to roll now"
    """What is said where no move has one of these verbs and no question is open."""

    def verb(self, moves: Sequence[Move]) -> str:
        """The verb that the key opens a line for while these moves are there; empty if it opens none."""
        there = {move.verb for move in moves}
        return next((verb for verb in self.verbs if verb in there), "")


def describe(move: Move, answers: Answers) -> str:
    """What is done, for people: `Roll NAV: KEELWING`, `Note: The fog comes in`. Defaults are left out."""
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
    """The words of an answer, one or many; none where nothing was answered."""
    answer = answers.get(name, ())
    return tuple(map(str, answer)) if isinstance(answer, tuple) else (str(answer),)


def reveals(move: Move, answers: Answers) -> str:
    """What to ask before one key plays this: it would show the players something hidden. Empty when it shows nothing new."""
    questions = [move.reveals]
    for ask in move.asks:
        if isinstance(ask, PickOne | PickMany):
            usual = {ask.name: ask.default} if isinstance(ask, PickOne) and ask.default is not None else {}
            chosen = selected_words({**usual, **answers}, ask.name)
            questions += [option.reveals for option in ask.options if option.word in chosen]
    return " ".join(filter(None, questions))


def without_refusal(move: Move) -> Move:
    """The move as it would be if nothing stood against it now."""
    asks = (
        replace(ask, options=tuple(replace(option, blocked=None) for option in ask.options))
        if isinstance(ask, PickOne | PickMany)
        else ask
        for ask in move.asks
    )
    return replace(move, blocked=None, asks=tuple(asks))


def complete_answers(move: Move, answers: Answers) -> Answers:
    """`answers` with defaults filled in. Raises `ActRefused` for a blocked move, a missing answer or one that isn't legal."""
    if move.blocked:
        raise ActRefused(move.blocked.reason, move.blocked.clause)
    unknown = set(answers) - {ask.name for ask in move.asks}
    if unknown:
        raise ActRefused(f"{move.id} does not ask for {', '.join(sorted(unknown))}")
    for ask in move.asks:  # what was said and can't be is told before what was not said
        if isinstance(ask, PickOne) and ask.name in answers:
            _check_answer(ask, answers[ask.name])
    return {ask.name: _check_answer(ask, answers.get(ask.name)) for ask in move.asks}


def _check_answer(ask: Ask, answer: Answer | None) -> Answer:
    match ask:
        case PickOne():
            word = ask.default if answer is None else answer
            if word is None:
                raise ActRefused(f"{ask.label}: {_choices(ask.options)}")
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
                raise ActRefused(f"{ask.label}: say it in a few words")
            return text
        case _:
            assert_never(ask)


def _count(ask: PickMany) -> str:
    """How many are to be chosen; nobody needs to hear of a limit that is higher than there are options."""
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
    raise ActRefused(f"{ask.label}: “{word}” is not one of {_choices(ask.options)}", ask.clause)


def _choices(options: tuple[Option, ...]) -> str:
    return ", ".join(option.word for option in options if not option.blocked) or "nothing can be chosen now"


def _check_allocation(ask: Allocate, answer: Answer | None) -> tuple[int, ...]:
    places = ", ".join(slot.word for slot in ask.slots)
    if not isinstance(answer, tuple) or len(answer) != len(ask.slots):
        raise ActRefused(f"{ask.label}: {len(ask.slots)} numbers, for {places}, {ask.total} in all", ask.clause)
    numbers = tuple(number for number in answer if isinstance(number, int))
    for slot, number in zip(ask.slots, numbers, strict=True):
        if not slot.least <= number <= slot.most:
            raise ActRefused(f"{slot.label} takes {slot.least} to {slot.most}, not {number}", ask.clause)
    if sum(numbers) != ask.total:
        raise ActRefused(f"{places} come to {sum(numbers)}: {ask.total} dice are to be placed", ask.clause)
    return numbers
