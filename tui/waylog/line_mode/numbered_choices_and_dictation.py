"""The reply to a typed line in line mode: its lines, its choices by number, and what handles the next line. The missing answers of an act
are asked for one question at a time; each can be answered by number or in words.

Dictated lines, to which voice typing adds capitals and punctuation, are read as well, and misspelt words get suggestions.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial
from typing import TypeAlias, assert_never

from waylog.rules.codec.changes import NUMBER_WORDS, join_names
from waylog.rules.language.command_parser import CommandUnclear
from waylog.rules.language.completion_and_what_is_wrong import completions
from waylog.rules.language.line_tokens_and_matching import Line, Token, tokens
from waylog.rules.language.similar_names import nearest
from waylog.rules.model.answers import complete_answers
from waylog.rules.model.moves import (
    Act,
    ActRefused,
    Allocate,
    AllocationSlot,
    Answer,
    Ask,
    Move,
    Number,
    Option,
    PickMany,
    PickOne,
    Text,
)
from waylog.values import dataclass, replace
from waylog.words.sentences import sentence

DONE, FILES, USAGE, REFUSED = 0, 1, 2, 3
"""The result of a line, as the exit codes of the commands: done; a problem in the files; not understood; refused."""
_BEFORE_NUMBER = ("number", "choice", "option", "answer")
_LONGEST_NUMBER = 6
PUNCTUATION = ".,;:!?…"


@dataclass(frozen=True, slots=True)
class NumberedChoice:
    """A choice that is made by its number."""

    label: str
    choose: Callable[[], Reply]


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to a typed line."""

    lines: Sequence[str] = ()
    choices: Sequence[NumberedChoice] = ()
    """They are listed after the lines, numbered from 1."""
    takes: Takes | None = None
    """Handles the next line, if it answers a question in this reply."""
    code: int = DONE
    listed: bool = True
    """Whether the choices are listed. If not, they were listed before and are still the same."""
    keeps: bool = False
    """Whether the choices and the question from before stay open."""


Takes: TypeAlias = Callable[[str], Reply | None]
"""Returns the reply to a line that answers a question; None for a line that doesn't."""


def tell(*lines: str) -> Reply:
    """Return a reply with these lines that leaves choices and questions open."""
    return Reply(lines, keeps=True)


def fail(*lines: str, code: int = USAGE) -> Reply:
    """Return a reply to a line that failed. It leaves choices and questions open."""
    return Reply(lines, code=code, keeps=True)


def read_number(text: str) -> int | None:
    """Return the number in a line, in digits or as a word; None if the line is anything else."""
    first, _, rest = text.partition(" ")
    text = (rest if first in _BEFORE_NUMBER else text).strip("#" + PUNCTUATION + " ")
    if text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER:
        return int(text)
    return NUMBER_WORDS.index(text) + 1 if text in NUMBER_WORDS else None


def split_list(text: str) -> list[str]:
    """Return the parts of a list that somebody typed or dictated: `3, 5 and 5` has three."""
    plain = "".join(" " if character in PUNCTUATION else character for character in text.casefold())
    return [part for part in plain.split() if part != "and"]


def list_choices(choices: Sequence[NumberedChoice]) -> Iterator[str]:
    """Yield the lines that list choices, numbered from 1."""
    return (f"{number}. {sentence(choice.label)}" for number, choice in enumerate(choices, 1))


def choose(choices: Sequence[NumberedChoice], number: int) -> Reply:
    """Return the reply of the choice with that number, or which numbers there are."""
    if not 0 < number <= len(choices):
        last = len(choices)
        there = "The only choice is 1" if last == 1 else f"Choose 1 {'or' if last == 2 else 'to'} {last}"
        return fail(f"There is no choice {number}. {there}.")
    return choices[number - 1].choose()


Play = Callable[[Act], Reply]
_SPACES = ",;.!?"


class AnswerDialog:
    """Asks for the answers of one act, and then plays it."""

    def __init__(self, play: Play) -> None:
        """`play` plays an act that has all its answers."""
        self._play = play

    def begin(self, act: Act, *, in_turn: bool = False, lists: bool = True) -> Reply:
        """Ask for the answers that the act lacks. With `lists`, optional answers are listed by number; with `in_turn`, they are
        asked for, too.
        """
        for ask in act.move.asks:
            if ask.name not in act.answers and (in_turn or not _is_optional(ask)) and _can_answer(ask):
                return self._ask(act, ask, in_turn=in_turn)
        more = [] if in_turn or not lists else [ask for ask in act.move.asks if _is_optional(ask) and _can_answer(ask)]
        return self._list(act, more) if more else self._finish(act)

    def _finish(self, act: Act) -> Reply:
        try:
            complete_answers(act.move, act.answers)
        except ActRefused as refused:
            return fail(sentence(refused.refusal.reason))
        return self._play(act)

    def _list(self, act: Act, more: Sequence[Ask]) -> Reply:
        """List the optional answers by number, each with the current choice."""
        choices = [NumberedChoice("Do it", lambda: self._finish(act))]
        for ask in more:
            label = f"{ask.label}: {_describe_choice(ask, act.answers.get(ask.name))}"
            choices.append(NumberedChoice(label, partial(self._question, act, ask, in_turn=False)))
        return Reply((sentence(act.move.label),), choices)

    def _ask(self, act: Act, ask: Ask, *, in_turn: bool, wrong: str = "") -> Reply:
        """Ask one question. An empty line ends questions that are asked in turn: nothing else has to be answered."""
        reply = self._question(act, ask, in_turn=in_turn, wrong=wrong)
        take, usual = reply.takes, ask.suggested if isinstance(ask, PickMany) else ()
        if not in_turn or take is None or not _is_optional(ask):
            return reply
        rest = replace(act, answers={**act.answers, ask.name: usual} if usual else act.answers)
        return replace(reply, takes=lambda text: take(text) if text.strip() else self._finish(rest))

    def _question(self, act: Act, ask: Ask, *, in_turn: bool, wrong: str = "") -> Reply:
        """Ask one question. `wrong` says what was wrong with the last answer."""

        def answer(value: Answer) -> Reply:
            after = replace(act, answers={**act.answers, ask.name: value})
            if in_turn or not _is_optional(ask):
                return self.begin(after, in_turn=in_turn)
            return self._list(after, [each for each in act.move.asks if _is_optional(each) and _can_answer(each)])

        def again(reason: str) -> Reply:
            return self._ask(act, ask, in_turn=in_turn, wrong=reason)

        lines = [*([sentence(wrong)] if wrong else ())]
        match ask:
            case PickOne(options=options):
                able = _able(options)
                if _are_numbers(able):
                    return Reply((*lines, _say_words(ask.label, able)), takes=lambda text: _take_one(ask, text, answer))
                choices = [NumberedChoice(_label(option), partial(answer, option.word)) for option in able]
                dice = " Or type dice, such as 2d6+3." if ask.notation else ""
                question = f"{ask.label}{'' if ask.label.endswith('?') else '?'}{dice}"
                return Reply(
                    (*lines, question, *_list_refusals(options)), choices, lambda text: _take_one(ask, text, answer)
                )
            case PickMany():
                return Reply((*lines, *_ask_many(ask)), takes=lambda text: _take_many(ask, text, answer, again))
            case Allocate():
                return Reply(
                    (*lines, _say_typed(ask)), takes=lambda text: _take_numbers(len(ask.slots), text, answer, again)
                )
            case Number():
                return Reply((*lines, _say_typed(ask)), takes=lambda text: _take_number(ask, text, answer, again))
            case Text():
                return Reply((*lines, _say_typed(ask)), takes=lambda text: _take_text(ask, text, answer, again))
            case _:
                assert_never(ask)


def _say_typed(ask: Allocate | Number | Text) -> str:
    """Return what is asked where the answer is typed, not chosen from a list."""
    if isinstance(ask, Allocate):
        slots = join_names(map(_say_slot, ask.slots), "and")
        return sentence(f"{ask.label}: type {len(ask.slots)} numbers that add up to {ask.total}, for {slots}")
    if isinstance(ask, Number):
        usual = "" if ask.default is None else f" (default: {ask.default})"
        return sentence(f"{ask.label}: type {ask.range_text}{usual}")
    return sentence(f"{ask.label}: type a few words{', or “cancel”' if ask.required else ', or leave the line empty'}")


def _say_slot(slot: AllocationSlot) -> str:
    """Return a slot with what it may take, and what it would now: `Engines (0 to 2, now 2)`, or `Engines (has 3; 0 to 2 more, now 2)`."""
    name, _, there = slot.label.removesuffix(" +").rpartition(" ")
    if not slot.label.endswith(" +"):
        return f"{slot.label} ({slot.least} to {slot.most}, now {slot.now})"
    return f"{name} (has {there}; {slot.least} to {slot.most} more, now {slot.now})"


def _is_optional(ask: Ask) -> bool:
    match ask:
        case PickOne():
            # A usual answer that is refused now is none: another one has to be chosen.
            return ask.default not in (None, *(option.word for option in ask.options if option.blocked))
        case Number():
            return ask.default is not None
        case PickMany():
            return not ask.least
        case Text():
            return not ask.required
        case _:
            return False


def _can_answer(ask: Ask) -> bool:
    """Whether there is more than one answer to give."""
    return (
        not isinstance(ask, PickOne | PickMany)
        or len(_able(ask.options)) > (0 if isinstance(ask, PickMany) else 1)
        or (isinstance(ask, PickOne) and (ask.notation or not _is_optional(ask)))
    )


def _able(options: Sequence[Option]) -> list[Option]:
    return [option for option in options if not (option.blocked or option.is_unlisted)]


def _are_numbers(options: Collection[Option]) -> bool:
    """Whether the words of the options are numbers themselves, as the faces of dice are."""
    return bool(options) and all(option.word.isdigit() for option in options)


def _label(option: Option) -> str:
    return f"{option.label}, {option.note}" if option.note else option.label


def _list_refusals(options: Sequence[Option]) -> Iterator[str]:
    for option in options:
        if option.blocked:
            yield sentence(f"“{option.label}” can't be chosen now: {option.blocked.reason}")


def _describe_choice(ask: Ask, answer: Answer | None) -> str:
    match ask:
        case PickOne() | PickMany():
            labels = {option.word: option.label for option in ask.options}
            chosen = ask.default if isinstance(ask, PickOne) and answer is None else answer
            words = chosen if isinstance(chosen, tuple) else (chosen,) if chosen is not None else ()
            return ", ".join(labels.get(str(word), str(word)) for word in words) or "none"
        case Number():
            return ask.text_of(ask.default if answer is None else answer)
        case _:
            return f"{answer or 'none'}"


def _say_words(label: str, options: Sequence[Option], before: str = "type one of") -> str:
    named = (
        option.word if option.label in (option.word, "") else f"{option.word} ({_label(option)})" for option in options
    )
    return sentence(f"{label}: {before} {', '.join(named)}")


def _ask_many(ask: PickMany) -> Iterator[str]:
    able = _able(ask.options)
    none = (
        ""
        if ask.least
        else (ask.suggested and ". An empty line chooses the same as last time") or ". An empty line chooses none"
    )
    if _are_numbers(able):
        count = f"{ask.least}" if ask.least == ask.most > 1 else "one or more"
        yield _say_words(ask.label, able, f"type {count} of these, separated by spaces:")
        return
    yield sentence(f"{ask.label}: type one or more numbers, separated by spaces{none}")
    for number, option in enumerate(able, 1):
        last = ", last time" if option.word in ask.suggested else ""
        yield sentence(f"{number}. {_label(option)}{last}")
    yield from _list_refusals(ask.options)


def _take_one(ask: PickOne, text: str, answer: Callable[[Answer], Reply]) -> Reply | None:
    """Take an option by its word or its label, or dice in notation. A number is a choice from the list, so it isn't taken."""
    wanted = text.casefold().strip(_SPACES + " ")
    able = _able(ask.options)
    if not wanted:
        return answer(ask.default) if ask.default is not None else None
    if read_number(wanted) is not None and not _are_numbers(able):
        return None
    named = [option for option in able if wanted in (option.word, option.label.casefold(), option.named, *option.also)]
    begun = [option for option in able if option.word.startswith(wanted) or option.label.casefold().startswith(wanted)]
    for found in (named, begun):
        if len(found) == 1 or (found and all(option.named == wanted for option in found)):
            return answer(found[0].word)
    return answer(wanted.replace(" ", "")) if ask.notation and wanted[0].isdigit() else None


def _take_many(
    ask: PickMany, text: str, answer: Callable[[Answer], Reply], again: Callable[[str], Reply]
) -> Reply | None:
    """Take options by their numbers or their words. An empty line is the suggested answer."""
    parts = split_list(text)
    if not parts:
        return answer(ask.suggested) if not ask.least else None
    able = _able(ask.options)
    words = list[str]()
    for part in parts:
        number = None if _are_numbers(able) else read_number(part)
        if number is not None:
            if not 0 < number <= len(able):
                return again(f"There is no choice {number}")
            words.append(able[number - 1].word)
            continue
        found = [option.word for option in able if option.word == part] or [
            option.word for option in able if option.word.startswith(part) or option.label.casefold().startswith(part)
        ]
        if len(found) != 1:
            return None
        words += found
    if not ask.least <= len(words) <= ask.most or (not ask.repeats and len({*words}) < len(words)):
        return again(
            f"Choose {ask.least if ask.least == ask.most else f'{ask.least} to {min(ask.most, len(able))}'} of them"
        )
    return answer(tuple(words))


def _take_numbers(
    count: int, text: str, answer: Callable[[Answer], Reply], again: Callable[[str], Reply]
) -> Reply | None:
    parts = split_list(text)
    if len(parts) == 1 and len(parts[0]) == count:
        parts = [*parts[0]]
    if not parts or not all(part.isascii() and part.isdigit() and len(part) < 4 for part in parts):
        return None
    return answer(tuple(map(int, parts))) if len(parts) == count else again(f"Type {count} numbers")


def _take_number(
    ask: Number, text: str, answer: Callable[[Answer], Reply], again: Callable[[str], Reply]
) -> Reply | None:
    plain = text.casefold().strip(_SPACES + " ")
    sign = -1 if plain[:1] in ("-", "−") else 1
    number = read_number(plain.lstrip("-−+")) if plain else ask.default
    if number is None:
        return None
    number *= sign if plain else 1
    return answer(number) if ask.least <= number <= ask.most else again(f"Type {ask.range_text}, not {number}")


def _take_text(ask: Text, text: str, answer: Callable[[Answer], Reply], again: Callable[[str], Reply]) -> Reply | None:
    quoted = len(text) > 1 and text[0] == text[-1] == '"'
    text = text[1:-1] if quoted else text
    return again("Type a few words") if ask.required and not text.strip() else answer(text.strip())


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
    cleaned = [token if token.quoted else Token(token.text.strip(PUNCTUATION)) for token in typed]
    if typed and (cleaned[0].text or cleaned[0].quoted):
        yield (*cleaned[:1], *typed[1:])
    if words := tuple(token for token in cleaned if token.text or token.quoted):
        yield words


def suggestions(moves: Sequence[Move], line: str, *, misspelt: str = "") -> list[str]:
    """Return lines that an unclear line may have meant, the likeliest first: with one more word, or with another last word, which it is
    if that is `misspelt`.
    """
    line = line.strip(PUNCTUATION + " ")
    is_last = bool(misspelt) and line.casefold().endswith(f" {misspelt.casefold()}")
    if not is_last and (more := [f"{line} {one.word}" for one in completions(moves, f"{line} ") if not one.blocked]):
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
