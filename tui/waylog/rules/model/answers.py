"""The answers to what a move asks: complete and check them, and say what was answered.

`Game.play` completes and checks. Screens use the same functions to ask for what is missing before they play.

`format_act` writes an act as a line of words, which `parse_act` reads back. The log keeps acts so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from types import MappingProxyType
from typing import assert_never

from waylog.rules.codec.changes import join_names, number_word, quote_text
from waylog.rules.model.dice import TEN, Die
from waylog.rules.model.dice_notation import DicePool, NotDice, parse_dice
from waylog.rules.model.moves import (
    Act,
    ActRefused,
    Allocate,
    Answer,
    Answers,
    Ask,
    Move,
    Number,
    Option,
    PickMany,
    PickOne,
    Text,
)
from waylog.values import replace


class ChoiceWanted(ActRefused):
    """Nothing was chosen where something has to be, or too few or too many."""

    def __init__(self, ask: PickOne | PickMany, wanted: str) -> None:
        """`wanted` says what to choose, in the words that are typed."""
        super().__init__(_asked(ask.label, wanted), ask.clause)
        self.ask = ask

    @property
    def beside_choices(self) -> str:
        """What to choose, for a person who sees the choices: by their names, or without those where they are many."""
        if isinstance(self.ask, PickMany):
            return _asked(self.ask.label, f"choose {_count(self.ask)}")
        able = [option for option in self.ask.options if not option.blocked]
        names = [each.label[: len(each.word)] if _begins_label(each) else each.label for each in able]
        has_few = len(names) <= _NAMED and not any("," in name for name in names)
        return _asked(self.ask.label, f"choose {join_names(names, 'or') if has_few else 'one'}")


WANTED: Mapping[str, str] = MappingProxyType(
    {
        "tick": "clock to fill",
        "close": "clock to close",
        "reopen": "clock to reopen",
        "draw": "deck to draw from",
        "shuffle": "deck to shuffle",
        "table": "table to roll on",
    }
)
"""The things that common verbs act on, by verb. While there is no such thing, the verb is not among the moves."""


def describe(move: Move, answers: Answers) -> str:
    """Describe an act for people: `Roll NAV: KEELWING`, `Note: The fog comes in`. Defaults are left out."""
    labels, title = list[str](), move.title or move.label
    for ask in move.asks:
        if isinstance(ask, Number | PickMany) and ask.preposition:
            title += f" {ask.preposition} {named}" if (named := join_names(answer_labels(ask, answers), "and")) else ""
        else:
            labels += answer_labels(ask, answers)
    return f"{title}: {', '.join(labels)}" if labels else title


def log_heading(move: Move, answers: Answers) -> str:
    """Describe an act as the log calls it: `“Fog” closed: the wind has turned`."""
    return describe(replace(move, title=move.heading or move.title), answers)


def answer_labels(ask: Ask, answers: Answers) -> Sequence[str]:
    """Return what is answered, as people read it; nothing for a default."""
    answer = answers.get(ask.name)
    match ask:
        case PickOne() if answer == ask.default and not ask.settled:
            return ()
        case PickOne() | PickMany():
            labels = {option.word: option.label for option in ask.options}
            return [labels.get(word, word) for word in selected_words(answers, ask.name)]
        case Number():
            return () if answer is None or (answer == ask.default and not ask.logged) else (ask.text_of(answer),)
        case Allocate(slots=slots):
            counts = selected_words(answers, ask.name)
            return [_slot_count(slot.label, count) for slot, count in zip(slots, counts, strict=False)]
        case Text():
            return (str(answer),) if answer else ()
        case _:
            assert_never(ask)


def _slot_count(label: str, count: str) -> str:
    """Return `Engines 2`, or `Engines +2` of a slot to which dice are added."""
    return f"{label.rstrip(' +0123456789')} +{count}" if label.endswith("+") else f"{label} {count}"


def settled_answers(move: Move) -> Answers:
    """Return what the wayfinder has settled of a roll that was called for (NM-48)."""
    asks = [ask for ask in move.asks if isinstance(ask, PickOne | PickMany) and ask.settled]
    return {ask.name: str(ask.default) if isinstance(ask, PickOne) else ask.settled for ask in asks}


def selected_words(answers: Answers, name: str) -> tuple[str, ...]:
    """Return the words of an answer, one or many; none if there is no answer."""
    answer = answers.get(name, ())
    return tuple(map(str, answer)) if isinstance(answer, tuple) else (str(answer),)


def with_reason(text: str, answers: Answers) -> str:
    """Return the text of a fact with the wayfinder's reason, if there is one."""
    # In a command it may be typed as it is for a clock: `restore integrity because the patch sets`.
    reason = str(answers.get("reason", "")).strip().removeprefix("because ")
    if not reason:
        return text
    return f"{text} ({reason})" if ":" in text else f"{text}: {reason}"


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
    pool = _chosen_pool(move, answers)
    return pool.largest > TEN if pool else move.whole


def chosen_dice(move: Move, answers: Answers) -> tuple[Die, ...]:
    """Return the dice that were chosen in notation, in the order in which real ones are typed; none if none were."""
    pool = _chosen_pool(move, answers)
    return tuple(Die(term.notation, sides) for term in pool.terms for sides in term.dice) if pool else ()


def _chosen_pool(move: Move, answers: Answers) -> DicePool | None:
    for ask in move.asks:
        if isinstance(ask, PickOne) and ask.notation and (dice := dice_named(ask, str(answers.get(ask.name, "")))):
            with suppress(NotDice):
                return parse_dice(dice)
    return None


def shown_digits(asks: Iterable[Ask], answers: Answers) -> Sequence[PickOne]:
    """Return the unanswered asks with options that are digits on screen and words in the log. The answer comes before real dice."""
    return [
        ask
        for ask in asks
        if isinstance(ask, PickOne)
        and ask.name not in answers
        and any(is_digits(option.label) and not is_digits(option.word) for option in ask.options)
    ]


def is_digits(word: str) -> bool:
    """Whether the word consists of digits from 0 to 9."""
    return word.isascii() and word.isdigit()


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
        raise ActRefused(move.blocked.reason, move.blocked.clause, move.blocked.first)
    unknown = set(answers) - {ask.name for ask in move.asks}
    if unknown:
        raise ActRefused(f"{move.id} does not ask for {', '.join(sorted(unknown))}")
    for ask in move.asks:  # A wrong answer is reported before a missing one.
        if isinstance(ask, PickOne) and ask.name in answers:
            _check_answer(ask, answers[ask.name])
    return {ask.name: _check_answer(ask, answers.get(ask.name)) for ask in move.asks}


def complete_offer(move: Move, answers: Answers) -> Answers:
    """Return the `answers` that an offer names with defaults filled in, without those that whoever takes it still has to give.

    Raises `ActRefused` for a blocked move, or an answer that isn't legal.
    """
    asks = tuple(ask for ask in move.asks if ask.name in answers or not has_no_default(ask))
    return complete_answers(replace(move, asks=asks), answers)


def has_no_default(ask: Ask) -> bool:
    """Whether a question has to be answered."""
    match ask:
        case PickOne() | Number():
            return ask.default is None
        case PickMany():
            return ask.least > len(ask.settled)
        case Text():
            return ask.required
        case _:
            return True


def only_choice(ask: PickOne) -> str | None:
    """Return the answer that nobody has to be asked for, because there is no other; None if there are several, or if it spends something
    or overrules a rule. A number is always typed, because another one may have been meant as it.
    """
    able = [option for option in ask.options if not option.blocked]
    if ask.default is not None or ask.notation or len(able) != 1:
        return None
    (only,) = able
    return None if only.costs or only.overrules or is_digits(only.word) else only.word


def _check_answer(ask: Ask, answer: Answer | None) -> Answer:
    match ask:
        case PickOne():
            word = (ask.default or only_choice(ask)) if answer is None else answer
            if word is None:
                others = (
                    ". You can also type other dice, such as 2d6+3. No roll is waiting for real dice"
                    if ask.notation
                    else ""
                )
                raise ChoiceWanted(ask, f"{_wanted_choice(ask.options)}{others}")
            return _legal(ask, word)
        case PickMany():
            picked = () if answer is None else answer
            if not isinstance(picked, tuple):
                raise ActRefused(f"{ask.label}: {_choices(ask.options)}", ask.clause)
            words = tuple(_legal(ask, word) for word in picked)
            words = (*ask.settled, *(word for word in words if word not in ask.settled)) if ask.settled else words
            if not ask.repeats and len(set(words)) < len(words):
                raise ActRefused(f"{ask.label}: choose each only once", ask.clause)
            if not ask.least <= len(words) <= ask.most:
                raise ChoiceWanted(ask, _wanted_choices(ask))
            return words
        case Allocate():
            return _check_allocation(ask, answer)
        case Number():
            number = ask.default if answer is None else answer
            if not isinstance(number, int) or not ask.least <= number <= ask.most:
                raise ActRefused(f"{ask.label}: type {ask.range_text}")
            return number
        case Text():
            text = "" if answer is None else answer
            if not isinstance(text, str) or (ask.required and not text.strip()):
                raise ActRefused(
                    f"“{ask.label}” can't be left empty" + (f": type {ask.example}" if ask.example else "")
                )
            return text
        case _:
            assert_never(ask)


def _asked(label: str, wanted: str) -> str:
    """Return a question with what is wanted: `Which part? Choose …`, or `Skill: choose …`."""
    return f"{label}? {wanted[:1].upper()}{wanted[1:]}" if label.partition(" ")[0] in _ASKS else f"{label}: {wanted}"


_ASKS = ("Who", "Whom", "Which", "What", "How")
"""The first words of labels that are questions."""


def _wanted_choices(ask: PickMany) -> str:
    """Return how many to choose, and of what: `choose at most two from primary, arm`. Two dice may show the same number."""
    able = [option.word for option in ask.options if not option.blocked]
    if ask.least == ask.most == 1 and 0 < len(able) <= _LISTED:
        return f"choose {join_names(able, 'or')}"
    # “Other help: choose at most three” says enough.
    if len(able) == 1 and not is_digits(able[0]):
        return f"choose {_count(ask)}"
    again = ". You can choose the same number more than once" if ask.repeats and ask.most > len(able) else ""
    if ask.most == 1 and len(able) <= _FEW:
        return f"choose {_count(ask)}: {join_names(able, 'or')}"
    if len(able) <= _FEW and not all(map(is_digits, able)):
        return f"choose {_count(ask)}: {', '.join(able)}"
    return f"choose {_count(ask)} from {_choices(ask.options)}{again}"


def _count(ask: PickMany) -> str:
    """Return how many to choose. A limit higher than the number of options is not mentioned."""
    if ask.least == ask.most:
        return number_word(ask.least)
    if ask.repeats or ask.most < len(ask.options):
        if not ask.least:
            return f"at most {number_word(ask.most)}"
        return f"{number_word(ask.least)} {'or' if ask.most == ask.least + 1 else 'to'} {number_word(ask.most)}"
    return f"at least {number_word(ask.least)}" if ask.least > 1 else "one or more"


def _legal(ask: PickOne | PickMany, word: object) -> str:
    for option in ask.options:
        if option.word == word:
            if option.blocked:
                raise ActRefused(option.blocked.reason, option.blocked.clause, option.blocked.first)
            return option.word
    if isinstance(ask, PickOne) and ask.notation:
        try:
            return parse_dice(str(word)).notation
        except NotDice as wrong:
            raise ActRefused(f"{wrong}", ask.clause) from None
    others = f". {ask.others}" if isinstance(ask, PickOne) and ask.others else ""
    raise ActRefused(f"{ask.label}: “{word}” is not one of {_choices(ask.options)}{others}", ask.clause)


_NAMED = 4
"""How many choices are named beside the list of them, at most."""
_LISTED, _FEW = 40, 3
"""How many choices a refusal lists at most, and how many it names of more than that."""
_RUN = 6
"""The most numbers in a row that a refusal lists one by one."""


def _choices(options: tuple[Option, ...]) -> str:
    words = [option.word for option in options if not option.blocked]
    if len(words) > _RUN and all(map(is_digits, words)) and len(words) == int(words[-1]) - int(words[0]) + 1:
        return f"{words[0]}–{words[-1]}"
    if len(words) > _LISTED:
        words = [*words[:_FEW], f"{len(words) - _FEW} more"]
        return f"{', '.join(words[:-1])} and {words[-1]}"
    return ", ".join(words) or "nothing can be chosen now"


def _wanted_choice(options: tuple[Option, ...]) -> str:
    """Return what can be chosen, for a person who has chosen nothing yet. A word that doesn't begin its label has that beside it."""
    able = [option for option in options if not option.blocked]
    if len(able) > _LISTED:
        few = join_names((option.word for option in able[:_FEW]), "or")
        return f"type one of {len(able)}, such as {few}"
    if not able:
        return _choices(options)
    words = [option.word if _begins_label(option) else f"{option.word} ({option.label})" for option in able]
    if not words[1:]:
        word, gap, label = words[0].partition(" ")
        return f"the only choice is “{word}”{gap}{label}"
    return f"choose {join_names(words, 'or')}"


def _begins_label(option: Option) -> bool:
    return option.label.lower().replace(" ", "-").startswith(option.word.lower())


def _check_allocation(ask: Allocate, answer: Answer | None) -> tuple[int, ...]:
    if not isinstance(answer, tuple) or len(answer) != len(ask.slots):
        places = join_names((slot.word for slot in ask.slots), "and")
        wanted = f"type {len(ask.slots)} numbers that add up to {ask.total}, one each for {places}"
        raise ActRefused(f"{ask.label}: {wanted}", ask.clause)
    numbers = tuple(number for number in answer if isinstance(number, int))
    for slot, number in zip(ask.slots, numbers, strict=True):
        if not slot.least <= number <= slot.most:
            name = slot.label.rstrip(" +0123456789") if slot.label.endswith("+") else slot.label
            raise ActRefused(f"{name} takes {slot.least} to {slot.most} dice, but you typed {number}", ask.clause)
    if sum(numbers) != ask.total:
        raise ActRefused(
            f"{ask.label}: your numbers add up to {sum(numbers)}, but should add up to {ask.total}", ask.clause
        )
    return numbers


def format_act(move: Move, answers: Answers) -> str:
    """Return the act as a line for the log. `parse_act` reads it back to the same move and answers."""
    parts = [move.verb, *move.words]
    for ask in move.asks:
        answer = answers.get(ask.name)
        match ask:
            case PickOne() if answer != ask.default or ask.logged or ask.settled:
                parts.append(str(answer))
            case PickMany() | Allocate() if isinstance(answer, tuple):
                parts.extend(str(part) for part in answer)
            case Number() if answer is not None and (answer != ask.default or ask.logged):
                parts.append(ask.text_of(answer))
            case _:
                pass
    # Texts come last, in quotes: first those known by their place, without empty ones at the end, then those with a word.
    asks = [ask for ask in move.asks if isinstance(ask, Text)]
    texts = [str(answers.get(ask.name, "")) for ask in asks if not ask.word]
    while texts and not texts[-1]:
        texts.pop()
    parts.extend(map(quote_text, texts))
    parts += (f"{ask.word} {quote_text(str(text))}" for ask in asks if ask.word and (text := answers.get(ask.name)))
    return " ".join(parts)


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
