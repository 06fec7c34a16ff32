"""The parse of a line while it is typed: the act, its odds, what could come next, and what keeps it from being played."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import assert_never

from waylog.rules.codec.changes import INSIDE_QUOTES, quote_text, slug, with_full_stop
from waylog.rules.language.command_parser import LettersJoined, NoSuchCommand, WordRefused, WordUnclear, parse_act
from waylog.rules.language.completion_and_what_is_wrong import completions
from waylog.rules.language.line_tokens_and_matching import tokens
from waylog.rules.language.similar_names import Reach, closeness
from waylog.rules.model.answers import ChoiceWanted, complete_answers, format_typed, only_choice
from waylog.rules.model.dice import Die
from waylog.rules.model.dice_notation import begins_like_dice
from waylog.rules.model.moves import (
    Act,
    ActRefused,
    Allocate,
    Answer,
    Move,
    Number,
    Option,
    PickMany,
    PickOne,
    Refusal,
    Text,
    reason_of,
)
from waylog.rules.model.odds import Odds
from waylog.snapshot_and_act_preview import ActPreview
from waylog.ui.draw.window_layout_and_key_names import key_name
from waylog.ui.line.choices import ANSWER_FIRST, REMARKS, Choice, CompletionWord, NumberStep, OptionToggle, TextField
from waylog.ui.line.dice_input import dice_ask
from waylog.values import dataclass, replace
from waylog.words.sentences import with_capital

_ANY_DICE = Choice(CompletionWord("2d6"), "Any other dice: 2d6+3, d20, 4d6kh3", "2d6")
Wanted = Callable[[Act], tuple[Die, ...]]
"""Returns the real dice that an act still asks for, after those typed with it."""
Previews = Callable[[Act], ActPreview]
"""Returns what an act comes to with all its real dice. Raises `ActRefused`."""
Chances = Callable[[Act], Odds | None]
"""Returns the exact odds of an act. Raises `ActRefused` if it isn't legal."""


DID_YOU_MEAN = "Did you mean one of these?"
_BESIDE: Mapping[str, str] = {"table": "draw"}
"""The verb whose moves a line has beside those of its own: what is random at the table is on one key."""
_MOST_NAMES = 6
"""The most names that say what a verb is for."""
_COUNTED = 1000
"""A limit that is higher than this limits nobody, so it is not named."""


@dataclass(frozen=True, slots=True)
class ParsedLine:
    """A line, parsed as far as possible."""

    act: Act | None = None
    odds: Odds | None = None
    problem: Refusal | None = None
    choices: tuple[Choice, ...] = ()
    dice: tuple[Die, ...] | None = None
    """The real dice that may still be typed, in order; None if the act rolls none, or their number isn't known here."""
    meant: str = ""
    """The correct spelling of its last word, if only one is possible; otherwise empty. Enter writes it."""
    preview: ActPreview | None = None
    """The result of the dice, once all of them are typed."""
    wrong: tuple[int, int] | None = None
    """The place of the word that has no meaning here, or several. The act is that of the other words."""
    unknown: str = ""
    """The sentence that there is no such command; empty if there is one. The choices, if there are any, are then what may be meant."""
    fits: tuple[str, ...] = ()
    """The words that this one begins. Tab takes the first."""
    runs: Choice | None = None
    """The app's command at Enter, if no act has the word."""

    @property
    def plays(self) -> bool:
        """Whether Enter would play it."""
        return self.act is not None and self.problem is None


def parse_line(
    moves: Sequence[Move],
    chances: Chances,
    verb: str,
    text: str,
    question: str | None = None,
    wanted: Wanted | None = None,
    previews: Previews | None = None,
    *,
    answer_first: str = ANSWER_FIRST,
    has_palette: bool = True,
    why_not_now: Callable[[str], Refusal | None] = lambda _: None,
) -> ParsedLine:
    """Return what `text` means on a line that begins with `verb`, or with any word if `verb` is empty.

    `wanted` knows the real dice that an act takes, and `previews` what they come to. `question` is what has to be answered
    first: why a command may not exist now, in the words of `answer_first`. Without `has_palette`, there is no list of all commands to
    name. `why_not_now` knows the commands that are possible only at other moments.
    """
    if verb in REMARKS:
        return _remark(moves, verb, text)
    candidates = [*(move for move in moves if move.verb == verb), *_moves_beside(moves, verb)] if verb else list(moves)
    if not text.strip():
        problem = Refusal(answer_first.format(question)) if question and not candidates else None
        return ParsedLine(problem=problem, choices=(*_all_choices(moves, candidates, verb),))
    try:
        act = _as_itself(_parse_line_act(moves, candidates, verb, text), moves)
    except NoSuchCommand as unclear:
        not_now = None if question else why_not_now(unclear.word)
        # The word of one who doesn't know the command is in what it does: `passes` for `time passes`.
        if not verb and not question and (matching := _find_by_label(candidates, text.strip())):
            plain = not_now.reason if not_now else unclear.plain
            problem = Refusal(f"{with_full_stop(plain)} {DID_YOU_MEAN}", not_now.clause if not_now else None)
            return ParsedLine(problem=problem, choices=matching, unknown=plain)
        if not_now:
            return ParsedLine(problem=not_now, choices=_words(candidates, verb, text))
        wrong, key = unclear.refusal.reason, key_name("palette", "ctrl+p")
        unknown = f"{with_full_stop(wrong)} {key} lists all" if has_palette else wrong
        reason = answer_first.format(question) if question else unknown
        words = _words(candidates, verb, text)
        return ParsedLine(problem=Refusal(reason), choices=words, unknown="" if verb or question else unclear.plain)
    except LettersJoined as joined:
        apart = Choice(CompletionWord(joined.words), joined.move.label, joined.words)
        return ParsedLine(problem=joined.refusal, choices=(apart,), meant=joined.words)
    except (WordUnclear, WordRefused) as wrong:

        def parse_rest(rest: str) -> ParsedLine:
            return parse_line(
                moves,
                chances,
                verb,
                rest,
                question,
                wanted,
                previews,
                answer_first=answer_first,
                has_palette=has_palette,
                why_not_now=why_not_now,
            )

        words = _words(candidates, verb, text)
        return _parse_without(parse_rest, wrong, text, words) or ParsedLine(problem=wrong.refusal, choices=words)
    except ActRefused as unclear:
        return ParsedLine(problem=unclear.refusal, choices=_words(candidates, verb, text))
    act = _with_suggestions(act)
    choices = tuple(_answers(act))
    try:
        complete_answers(act.move, act.answers)
        odds = chances(act)
        # What only writes a text takes no dice, so it isn't worth finding out which.
        may_roll = odds or act.move.rolls or not any(isinstance(ask, Text) for ask in act.move.asks)
        dice = wanted(act) if wanted and may_roll else ()
        # Of other acts, such as a card that is drawn, nobody is told before it happens.
        foresees = previews and act.faces and not dice and (odds or act.move.forecast)
        preview = previews(act) if previews and foresees else None
        if preview and preview.question == question:  # It stays open, and isn't what the act comes to.
            preview = replace(preview, question=None)
        return ParsedLine(act, odds, None, choices, dice if dice or (wanted and act.faces) else None, preview=preview)
    except ActRefused as refused:
        reason = refused.beside_choices if isinstance(refused, ChoiceWanted) else refused.refusal.reason
        return ParsedLine(act, None, replace(refused.refusal, reason=reason), choices)


def _with_suggestions(act: Act) -> Act:
    """Return the act with who or what is suggested where a choice has to be made and none is typed, or with the only one that there is.
    Dice are always chosen.
    """
    suggested: dict[str, Answer] = {
        ask.name: ask.suggested
        for ask in act.move.asks
        if isinstance(ask, PickMany) and ask.least and ask.suggested and not ask.repeats
    }
    for ask in act.move.asks:
        if isinstance(ask, PickOne) and (only := only_choice(ask)):
            suggested[ask.name] = only
    return replace(act, answers={**suggested, **act.answers}) if suggested else act


def _parse_without(
    parse: Callable[[str], ParsedLine], refused: WordUnclear | WordRefused, text: str, words: Sequence[Choice]
) -> ParsedLine | None:
    """Return what the line means without the word that has no meaning, or several, with that word marked; None if it then means
    nothing. `words` are those that could stand at the end of the line.
    """
    places = [match.span() for match in re.finditer(r"\S+", text) if match[0].lower() == refused.word.lower()]
    if not places:
        return None
    start, end = places[-1]
    rest = parse(f"{text[:start].rstrip()} {text[end:].lstrip()}")
    if rest.act is None:
        return None
    last = end == len(text)
    full = refused.full if last and isinstance(refused, WordUnclear) else ""
    fits = tuple(choice.key for choice in words if choice.key.startswith(refused.word.lower())) if last else ()
    return replace(rest, problem=refused.refusal, wrong=(start, end), meant=full, fits=fits)


def _all_choices(moves: Sequence[Move], candidates: Sequence[Move], verb: str) -> Iterator[Choice]:
    """Yield all that an empty line may become: a move, a group roll beside those of one person, or dice of any kind."""
    yield from _starts(candidates, verb)
    for move in _rolls_beside(moves, candidates, verb):
        yield Choice(CompletionWord(move.verb), move.label, move.verb[0], refused=reason_of(move.blocked))
    if verb and any(move.rolls for move in candidates):
        yield _ANY_DICE


def _moves_beside(moves: Sequence[Move], verb: str) -> Iterator[Move]:
    """Yield the moves of another verb that a line has too, as moves of its own verb: their letters and names are typed in the same way.
    Where one is called like a move of the line's own, the word of its verb stands before it.
    """
    taken = {word for move in moves if move.verb == verb for word in move.words}
    for move in moves if verb in _BESIDE else ():
        if move.verb == _BESIDE[verb]:
            words = tuple(f"{move.verb}-{word}" if word in taken else word for word in move.words)
            yield replace(move, verb=verb, words=words)


def _parse_line_act(moves: Sequence[Move], candidates: Sequence[Move], verb: str, text: str) -> Act:
    """Return the act of the words. On a line of a verb, another verb counts only if the words mean nothing with the
    line's own. Dice in notation are such words too.
    """
    if not verb:
        return parse_act(moves, text, reach=Reach.GUESS)
    first = text.split(None, 1)[0].lower()
    beside = [move for move in _rolls_beside(moves, candidates, verb) if move.verb.startswith(first)]
    if beside and not any(first in (move.key, *move.words[:1]) for move in candidates):
        # A letter that the list shows for a group roll is not part of somebody's tool.
        return parse_act(beside, text)
    named = begins_like_dice(first) or any(first == move.verb for move in moves)
    try:
        return parse_act(candidates, f"{verb} {text}", reach=Reach.NAMES if named else Reach.GUESS)
    except ActRefused:
        if not named:
            raise
    try:
        return parse_act(moves, text)
    except ActRefused:
        return parse_act(candidates, f"{verb} {text}", reach=Reach.GUESS)


def _as_itself(act: Act, moves: Sequence[Move]) -> Act:
    """Return the act with the game's own move, if it has one that a line has as a move of its own verb."""
    listed = act.move
    same = (
        move
        for move in moves
        if move.verb == _BESIDE.get(listed.verb) and (move.label, move.about) == (listed.label, listed.about)
    )
    return replace(act, move=next(same, listed))


def _rolls_beside(moves: Sequence[Move], candidates: Sequence[Move], verb: str) -> Sequence[Move]:
    """Return the rolls of other verbs that a line for rolls offers too, such as a group roll."""
    if not verb or not any(move.rolls for move in candidates):
        return ()
    return [move for move in moves if move.rolls and move.verb != verb and not (move.words or move.follows)]


def _remark(moves: Sequence[Move], verb: str, text: str) -> ParsedLine:
    for move in moves:
        if move.verb == verb and not move.blocked:
            ask = move.asks[0]
            wanting = isinstance(ask, Text) and ask.required and not text.strip()
            problem = Refusal("type the note") if wanting else None
            return ParsedLine(Act(move, {ask.name: text.strip()}), None, problem)
    return ParsedLine(problem=Refusal(f"you can't add a {verb} now"))


def _starts(moves: Sequence[Move], verb: str) -> Iterator[Choice]:
    """Return how a line may begin: with the moves of its verb, or with every verb."""
    if verb and any(move.words for move in moves):
        for move in sorted(moves, key=lambda move: move.blocked is not None):
            words = " ".join(move.words)
            yield Choice(CompletionWord(words), move.label, move.key or words, refused=reason_of(move.blocked))
    elif verb:
        for move in moves[:1]:
            yield from _answers(Act(move))
    else:
        for own_verb in dict.fromkeys(move.verb for move in moves):
            same = [move for move in moves if move.verb == own_verb]
            # A move of the bare verb says what the verb is for.
            alone = same[:1] if len(same) == 1 else [move for move in same if not move.words]
            names = [*dict.fromkeys(move.name or " ".join(move.words) or move.label for move in same)]
            listed = [*names[:_MOST_NAMES], *["…"] * (len(names) > _MOST_NAMES)]
            label = alone[0].label if alone else ", ".join(listed)
            blocked = all(move.blocked for move in same)
            yield Choice(
                CompletionWord(own_verb), label, own_verb, refused=reason_of(same[0].blocked) if blocked else ""
            )


def _words(candidates: Sequence[Move], verb: str, text: str) -> tuple[Choice, ...]:
    """Return the words that could stand where the line ends; if there are none, where its last word begins."""
    for prefix in (text, text.rpartition(" ")[0] + " "):
        found = completions(candidates, f"{verb} {prefix}" if verb else prefix) if prefix.strip() or verb else ()
        begun = prefix.rpartition(" ")[2]
        if [one.word for one in found] == [begun.lower()]:
            # The word is complete: what may follow it is more help.
            after = completions(candidates, f"{verb} {prefix} " if verb else f"{prefix} ")
            found = tuple(replace(one, word=f"{begun} {one.word}") for one in after) or found
        if found:
            return tuple(
                Choice(CompletionWord(one.word), one.label, one.word, refused=one.note or "not now")
                if one.blocked
                else Choice(CompletionWord(one.word), one.label, one.word, one.note)
                for one in found
            )
    return tuple(_starts(candidates, verb)) if " " not in text.strip() else ()


def _find_by_label(moves: Sequence[Move], word: str) -> tuple[Choice, ...]:
    """Return the moves with a word in their labels, as what to type for them; what can be done comes first. If none has it, those
    whose verb or label has its letters in their order.
    """
    found = [move for move in moves if closeness(word, (move.label,), Reach.NAMES)]
    found = found or [move for move in moves if closeness(word, (move.verb, move.label), Reach.GUESS)]
    choices = [Choice(CompletionWord(move.id), move.label, move.id, refused=reason_of(move.blocked)) for move in found]
    return tuple(sorted(choices, key=lambda choice: bool(choice.refused)))


def _answers(act: Act) -> Iterator[Choice]:
    """Return the options of each ask, with whether each is picked."""
    given = {**{ask.name: ask.default for ask in act.move.asks if isinstance(ask, PickOne)}, **act.answers}
    has_fields = sum(isinstance(ask, Text) for ask in act.move.asks) > 1
    for ask in act.move.asks:
        answer = act.answers.get(ask.name)
        match ask:
            case PickOne():
                chosen = ask.default if answer is None else answer
                if ask.notation and chosen and all(option.word != chosen for option in ask.options):
                    yield Choice(OptionToggle(ask.name, str(chosen)), str(chosen), held=True, group=ask.label)
                    continue
                for option in ask.options:
                    if option.word == chosen or not option.is_unlisted:
                        yield _choice_of(ask, option, option.label, picked=option.word == chosen)
            case PickMany():
                picked = answer if isinstance(answer, tuple) else ()
                # Faces that no die shows needn't be listed one by one.
                dice = ask is dice_ask(act.move)
                for option in (option for option in ask.options if not (dice and option.blocked)):
                    times = picked.count(option.word)
                    label = f"{option.label} ×{times}" if times > 1 else option.label
                    yield _choice_of(ask, option, label, picked=times > 0)
            case Allocate():
                pass  # Dice are shown where they lie, and moved there.
            case Number():
                number = ask.default if answer is None else answer
                shown = "?" if number is None else ask.text_of(number)
                limits = f"{ask.least} or more" if ask.most > _COUNTED else f"{ask.least} to {ask.most}"
                yield Choice(NumberStep(ask.name), f"‹ {shown} ›", note=limits, group=ask.label)
            case Text():
                # Dice that usually have a field of their own may stand in the name, but somewhere they have to.
                is_needed = ask.required or (ask.is_dice and ask.usual)
                empty = ("required" if is_needed else "optional") + (" (Tab)" if ask.word and has_fields else "")
                texts = (each.text for each in ask.notes if each.word == given.get(each.ask))
                note = " · ".join(filter(None, (next(texts, ""), "" if answer else ask.example)))
                yield Choice(TextField(ask.name), str(answer or empty), note=note, group=ask.label)
            case _:
                assert_never(ask)


def _choice_of(ask: PickOne | PickMany, option: Option, label: str, *, picked: bool) -> Choice:
    does, why = OptionToggle(ask.name, option.word), reason_of(option.blocked)
    # The clause that refuses the option, or else the one that says which options there are.
    clause = option.blocked.clause if option.blocked else ask.clause
    return Choice(does, with_capital(label), note=option.note, refused=why, clause=clause, held=picked, group=ask.label)


def toggle_option(act: Act, toggle: OptionToggle) -> Act:
    """Return the act with an option picked, or dropped if it was picked. If an option may repeat, each toggle adds one more.
    If only one may be picked, it replaces the previous one; and what is suggested is replaced by the first other one.
    """
    ask = next(ask for ask in act.move.asks if ask.name == toggle.ask)
    answers = dict(act.answers)
    chosen = answers.get(ask.name)
    match ask:
        case PickOne():
            if chosen == toggle.word:
                del answers[ask.name]
            else:
                answers[ask.name] = toggle.word
        case PickMany():
            picked = tuple(str(word) for word in chosen) if isinstance(chosen, tuple) else ()
            if ask.least and not ask.repeats and picked == ask.suggested and toggle.word not in picked:
                picked = ()
            if toggle.word not in picked or (ask.repeats and len(picked) < ask.most):
                answers[ask.name] = (*picked, toggle.word) if ask.most > 1 else (toggle.word,)
            else:
                answers[ask.name] = tuple(word for word in picked if word != toggle.word)
        case _:
            pass
    return replace(act, answers=answers)


def step_number(act: Act, step: NumberStep, by: int) -> Act:
    """Return the act with a number raised or lowered within its limits."""
    ask = next(ask for ask in act.move.asks if ask.name == step.ask)
    answer = act.answers.get(ask.name)
    answers = dict(act.answers)
    match ask:
        case Number():
            now = answer if isinstance(answer, int) else ask.default if ask.default is not None else ask.least - by
            answers[ask.name] = max(ask.least, min(ask.most, now + by))
        case _:
            pass
    return replace(act, answers=answers)


def line_of(act: Act, verb: str) -> str:
    """Return the act as a line that begins with `verb`, ready to be continued."""
    usual = {
        ask.name: ask.default for ask in act.move.asks if isinstance(ask, PickOne | Number) and ask.default is not None
    }
    words = format_typed(replace(act, answers={**usual, **act.answers, **dict(_by_their_names(act))}))
    if verb and words.split(" ", 1)[0] == verb:
        words = words[len(verb) + 1 :]
    return f"{words} ".lstrip()


def _by_their_names(act: Act) -> Iterator[tuple[str, Answer]]:
    """Yield the answers in which options are typed as their rows call them, where that means one option only: `tether-gun`, and not
    `primary`.
    """
    asks = [ask for ask in act.move.asks if isinstance(ask, PickMany)]
    known = Counter(word for ask in asks for option in ask.options for word in {option.word, *option.also})
    for ask in asks:
        names = {option.word: slug(option.label) for option in ask.options if slug(option.label) in option.also}
        answer = act.answers.get(ask.name)
        if names and isinstance(answer, tuple):
            words = map(str, answer)
            yield ask.name, tuple(names[word] if known[names.get(word, "")] == 1 else word for word in words)


def next_field(act: Act, verb: str, text: str) -> TextField | None:
    """Return the next text that is still empty, after the one that the line `text` ends in; after the last comes the first.
    None if all have something. `text` means `act`.
    """
    empty = [TextField(ask.name) for ask in act.move.asks if isinstance(ask, Text) and not act.answers.get(ask.name)]
    begun = [line_at_text(act, verb, field) for field in empty]
    here = begun.index(text) if text in begun else -1
    return empty[(here + 1) % len(empty)] if empty else None


def needs_text(act: Act) -> bool:
    """Whether a text that the act needs, or that is usually answered, is still empty."""
    texts = (ask for ask in act.move.asks if isinstance(ask, Text) and not act.answers.get(ask.name))
    return any(ask.required or ask.usual for ask in texts)


def line_at_text(act: Act, verb: str, text: TextField) -> str:
    """Return the act as a line that ends within that text, so that what is typed goes on with it."""
    ask = next(ask for ask in act.move.asks if isinstance(ask, Text) and ask.name == text.ask)
    typed = str(act.answers.get(ask.name, ""))
    line = line_of(replace(act, answers={**act.answers, ask.name: ""}), verb)
    if ask.word:
        return f"{line}{ask.word} {quote_text(typed)[:-1]}"
    # A text without a word of its own is known by its place: the end of the line.
    return f"{line}{quote_text(typed)[:-1]}" if typed else line


def read_form(read_line: Callable[[str, str], ParsedLine], verb: str, start: str, text: str) -> ParsedLine:
    """Return what `text` means. Where a key has opened the line, with a verb or with the words `start`, for a move that begins with a text,
    what is typed is that text, with all its quotes, if it can't be read as the answers of the move without losing any of it.
    """
    reading, words = read_line(verb, text), text[len(start) :].strip()
    is_form = bool(verb or start) and verb not in REMARKS and text.startswith(start)
    if not is_form or not words or reading.meant:
        return reading
    if reading.act and not reading.wrong and not _loses_quotes(reading.act, words):
        return reading
    begun = read_line("", verb or start).act
    first = next(iter(begun.move.asks), None) if begun and begun.move.id == (verb or start.strip()) else None
    if not isinstance(first, Text) or not first.required or first.verbatim or first.reserved or first.taken:
        return reading
    whole = read_line(verb, f"{start}{quote_text(words)}")
    return whole if whole.act and not whole.wrong else reading


def _loses_quotes(act: Act, words: str) -> bool:
    """Whether `words`, of which the act was read, have something in quotes that is no whole answer: its quotes would be lost."""
    return any(token.quoted and token.text not in act.answers.values() for token in tokens(words))


def is_in_quotes(text: str) -> bool:
    """Whether the text ends within straight quotes that are still open."""
    return '"' in re.sub(rf'"{INSIDE_QUOTES}"', "", text, flags=re.DOTALL)


def ends_escaped(text: str) -> bool:
    """Whether the text ends in a quote or a backslash that has a backslash before it."""
    return re.search(r'(?<!\\)(?:\\\\)*\\["\\]\Z', text) is not None


def completed_line(text: str, word: str) -> str:
    """Return the line with its unfinished last word completed. What was typed may be any part of a name."""
    if not word:
        return text
    begun = "" if text[-1:].isspace() else text.rsplit(None, 1)[-1] if text else ""
    return f"{text[: len(text) - len(begun)]}{word} "
