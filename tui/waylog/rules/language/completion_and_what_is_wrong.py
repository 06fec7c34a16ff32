"""What is wrong with a line that means no act, in words: an unknown word and what it may have meant, or what is still to be typed.

`Completion`s are the words that a person could type next. The command line of the app lists them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from waylog.rules.codec.changes import join_names
from waylog.rules.language.command_parser import (
    CommandUnclear,
    LettersJoined,
    NoSuchCommand,
    WordRefused,
    WordUnclear,
)
from waylog.rules.language.line_tokens_and_matching import Token, begun_moves, find_full, match_move, tokens
from waylog.rules.language.similar_names import Reach, closeness, nearest
from waylog.rules.language.word_meanings import Fit, Misfit, choice_of, name_of, names_of, notation_ask, options_of
from waylog.rules.model.act_lists_and_row_verbs import VERBS_OF_EVERY_GAME
from waylog.rules.model.answers import is_digits, selected_words
from waylog.rules.model.dice_notation import begins_like_dice
from waylog.rules.model.moves import ActRefused, Allocate, Ask, Move, Number, Option, PickMany, PickOne, Text
from waylog.values import dataclass

MOST_NAMES = 8
"""The most names that a message lists."""
_LONG_WORD = 24
"""A longer word is named by its label."""
_LETTERS = r"([a-z]{2,4})(\d*)"
"""Letters that may have been typed without blanks between them, with real dice behind."""
_NOUNS = {
    "clocks": "clock",
    "decks": "deck",
    "tables": "table",
    "crew": "character",
    "modules": "module",
    "cards": "card",
    "timers": "timer",
    "situations": "situation",
}
"""The noun for a move's subject, by the top-level key of the campaign file."""
_PLACEHOLDERS = {
    "also": "guests",
    "by": "number",
    "count": "number",
    "for": "purpose",
    "given": "bonus",
    "outcome": "ending",
    "points": "number",
    "present": "players",
    "said": "words",
    "timer": "length name",
    "when_full": "effect",
    "with": "whom",
}
"""What to type for an answer whose name is no noun, or not the one that people know."""
_OFFERS = {"effect": "offer", "skip": "offer"}
"""The verbs of what is offered, whatever it is about, with the noun."""
_OF_A_THING = 3
"""How many parts the path of a value has, from its list on: `crew.mara.stress`."""


def what_is_wrong(moves: Sequence[Move], words: tuple[Token, ...], tried: Sequence[Fit | Misfit]) -> ActRefused:
    """Return the error for a line that fits no move. `tried` has what came of reading it for each that it may mean."""
    called = _moves_named(moves, words)
    if not called:
        word = words[0].text
        # The name of a roll alone lacks its verb: “roll resist mara”.
        of_roll = next((move.verb for move in moves if move.rolls and word.lower() in move.words[:1]), None)
        near = f"{of_roll} {' '.join(token.text for token in words)}" if of_roll else None
        return NoSuchCommand(word, near or nearest(word, dict.fromkeys(move.verb for move in moves)))
    if apart := _letters_apart(called, words):
        return apart
    full = find_full(called, words)
    # A line that begins with a whole move means that one, or one with more words.
    meant = {id(move) for move in called if full is None or {*full.words} <= {*move.words}}
    tried = [one for one in tried if id(one.move) in meant]
    if fits := [fit for fit in tried if isinstance(fit, Fit)]:
        least = min(fit.reach for fit in fits)
        return _incomplete([fit for fit in fits if fit.reach is least])
    misfits = [misfit for misfit in tried if isinstance(misfit, Misfit)]
    return _wrong_word([*_best(misfits)], called, words)


def _moves_named(moves: Sequence[Move], typed: Sequence[Token]) -> list[Move]:
    """Return the moves whose verb is typed: in full anywhere, or abbreviated at the start of the line. One that takes no more words
    begins the line: in `roll rest mara`, `rest` may be a roll.
    """
    words = [token.text.lower() for token in typed if not token.quoted]
    taking = [move for move in moves if move.words or move.asks]
    for named, among in ((words[:1], moves), (words, taking)):
        if exact := [move for move in among if move.verb in named]:
            return exact
    return [move for move in moves if words and move.verb.startswith(words[0])]


def _letters_apart(called: Sequence[Move], words: Sequence[Token]) -> LettersJoined | None:
    """Return the first word after the verb, letter by letter, if it means something so: `n k 355` for `nk355`; or else None."""
    verb, word, rest = words[0], words[1] if len(words) > 1 else None, words[2:]
    glued = None if word is None or word.quoted else re.fullmatch(_LETTERS, word.text.lower())
    if glued is None or any(text.startswith(glued[1]) for move in called for text in move.words):
        return None
    parts = [*glued[1], *filter(None, [glued[2]])]
    line = (verb, *map(Token, parts), *rest)
    lettered = [move for move in called if move.key == parts[0]]
    fits = [match_move(move, line, Reach.NAMES) for move in lettered]
    meant = (fit.move for fit in fits if isinstance(fit, Fit) and not fit.missing_words)
    return next((LettersJoined(" ".join(parts), move) for move in meant), None)


def _incomplete(begun: Sequence[Fit]) -> ActRefused:
    """Say what the line still has to name, if it begins several moves."""
    verbs = dict.fromkeys(fit.move.verb for fit in begun)
    if len(verbs) > 1:
        verbs_typed = [verb for verb in verbs if any(verb not in fit.unsaid for fit in begun if fit.move.verb == verb)]
        return CommandUnclear(f"Which one: {join_names(verbs_typed[:MOST_NAMES], 'or')}?")
    able = [fit for fit in begun if not fit.move.blocked] or list(begun)
    names = dict.fromkeys(fit.move.name or " ".join(fit.missing_words) for fit in able)
    # What is lacking is what the move is about, and not in which way it is done.
    of_subject = all(
        fit.move.name or any({*fit.missing_words} <= {*place.split(".")} for place in fit.move.about[:1])
        for fit in able
    )
    noun = _noun(fit.move for fit in able) if of_subject else "one"
    return CommandUnclear(f"Which {noun}? {' · '.join([*names][:MOST_NAMES])}")


def _best(misfits: Sequence[Misfit]) -> Iterator[Misfit]:
    """Return the misfits that understood most of the line; those of moves that can be made come first."""

    def rank(misfit: Misfit) -> tuple[int, int, int, bool]:
        assert misfit.fit
        assert misfit.move
        lacking, reach = len(misfit.fit.missing_words), misfit.fit.reach
        return misfit.before, -lacking, -reach, not misfit.move.blocked

    most = max(map(rank, misfits))
    return (misfit for misfit in misfits if rank(misfit) == most)


def _wrong_word(best: Sequence[Misfit], called: Sequence[Move], line: Sequence[Token]) -> ActRefused:
    first = best[0]
    move, fit = first.move, first.fit
    assert move
    assert fit
    if move.blocked and not fit.missing_words:
        return ActRefused(move.blocked.reason, move.blocked.clause, move.blocked.first)
    if first.among:
        options = {option.word: option for misfit in best for option in misfit.among}
        among = dict.fromkeys(name_of(option, misfit.begun) for misfit in best for option in misfit.among)
        if len(among) < len(options):  # Of one name, their words differ.
            among = dict.fromkeys(options)
        reason = f"“{first.word}” could be {join_names([*among][:MOST_NAMES], 'or')}"
        return CommandUnclear(reason) if fit.missing_words else WordUnclear(reason, first.word)
    # The word begins other moves of the verb, so no text of this one can begin with it.
    texts = [ask for ask in move.asks if isinstance(ask, Text)]
    reserved = any(first.word in text.reserved for text in texts) and all(first.word != text.word for text in texts)
    if reserved and all(first.word not in other.words for other in called):
        quotes = f"If your text starts with “{first.word}”, put the text in quotes"
        return CommandUnclear(f"There is no {move.verb} to {first.word}. {quotes}")
    if first.reason:
        return CommandUnclear(first.reason, first.clause)
    if fit.missing_words:
        named = {*move.words} - {*fit.unsaid}
        return _no_such_name(first.word, [other for other in called if named.issubset(other.words)], line)
    return _no_such_answer(first.word, move, fit, line)


def _no_such_name(word: str, called: Sequence[Move], line: Sequence[Token]) -> ActRefused:
    """Say that the word names none of the moves of its verb."""
    # A value is typed without the name of its table: `mark coin`, not `mark ship coin`.
    typed = ".".join(token.text for token in line[1:])
    of_path = next((move for move in called if any(f"{typed}.".startswith(f"{path}.") for path in move.about)), None)
    if of_path:
        return CommandUnclear(f"Leave out the name of the list or table: “{of_path.id}”")
    names = {move.name or " ".join(move.words) or move.verb: move for move in called}
    known = {spelling: name for name, move in names.items() for spelling in (name, *move.words, move.label)}
    near = nearest(word, known)
    noun = _noun(called)
    what = f"No such {noun}: “{word}”." if noun != "one" else f"Unknown word “{word}” after “{called[0].verb}”."
    if near:
        return CommandUnclear(f"{what} Did you mean “{known[near]}”?")
    # A title may have several words. Those without one are named by what is typed.
    words_alone = any(not move.name and len(move.words) > 1 for move in names.values())
    listed = [f"“{name}”" for name in [*names][:MOST_NAMES]]
    return CommandUnclear(
        f"{what} The only {noun if len(called[0].words) < 2 else 'choice'} is “{next(iter(names))}”"
        if len(names) == 1 and noun != "one"
        else f"{what} {'Type' if words_alone else 'Choose'} {join_names(listed, 'or')}"
    )


def _no_such_answer(word: str, move: Move, fit: Fit, line: Sequence[Token]) -> ActRefused:
    """Say why the move doesn't take the word as an answer."""
    asks = [ask for ask in move.asks if isinstance(ask, PickOne | PickMany)]
    for ask, option in options_of(asks):
        begun = not is_digits(word) and any(name.startswith(word.lower()) for name in (option.word, *option.also))
        if (begun or word == option.word) and (given := selected_words(fit.answers, ask.name)):
            chosen = next((name_of(each) for each in ask.options if each.word == given[0]), given[0])
            counts = "only one counts" if isinstance(ask, PickOne) else "each counts once"
            return WordRefused(f"{ask.label}: {chosen} is already chosen, and {counts}", word, ask.clause)
    if costly := [option for _, option in options_of(asks) if option.costs and option.word.startswith(word.lower())]:
        first = costly[0]
        if first.blocked:
            return WordRefused(first.blocked.reason, word, first.blocked.clause)
        return WordUnclear(f"{first.label}: type “{first.word}” in full", word, full=first.word)
    options = [option for ask in asks for option in ask.options]
    # No number is a misspelt other one, nor are dice.
    if (near := nearest_answer(word, options)) and not (begins_like_dice(word) or is_digits(word)):
        return misspelt_answer(word, line, near)
    for ask in asks:
        if isinstance(ask, PickOne) and ask.default is None and ask.name not in fit.answers:
            words = [choice_of(option) for option in ask.options if not (option.blocked or option.is_unlisted)]
            return WordUnclear(
                f"{ask.label}: choose {join_names(words[:MOST_NAMES], 'or')}, not “{word}”", word, ask.clause
            )
    if not options:
        complete = "takes no other words here" if move.follows and not move.words else "is already complete"
        return WordUnclear(f"One word too many: “{word}”. “{move.id}” {complete}", word)
    # `push-rooks` is unlike all but `push-mara` and others of that kind.
    alike = [option for option in options if "-" in word and option.word.startswith(f"{word.partition('-')[0]}-")]
    few = alike or (options if len(options) <= MOST_NAMES or not asks[1:] else [])
    lists = {"": few} if few else {ask.label: ask.options for ask in asks}
    takes = (
        (f"{label}: " if label else "") + join_names([choice_of(option) for option in some], "or")
        for label, some in lists.items()
    )
    return WordUnclear(f"{_unknown(word, line)}. Choose {' · '.join(takes)}", word)


def misspelt_answer(word: str, line: Sequence[Token], near: str) -> WordUnclear:
    """Return the error for a word of a line that is no answer to what the move asks, but nearly `near`."""
    if near == word:  # It is right, but stands behind a text that has no quotes.
        return WordUnclear(f"Put “{word}” before the text, or put the text in double quotes", word)
    return WordUnclear(f"{_unknown(word, line)}. Did you mean “{near}”?", word)


def _unknown(word: str, line: Sequence[Token]) -> str:
    """Name a word that means nothing, and what was typed before it."""
    places = [place for place, token in enumerate(line) if word in (token.text, token.typed)]
    typed = " ".join(token.text for token in line[: places[-1]]) if places else ""
    return f"Unknown word “{word}”" + (f" after “{typed}”" if typed else "")


def nearest_answer(word: str, options: Iterable[Option]) -> str | None:
    """Return what to type for the option that a misspelt word most likely means; None if none is near."""
    known = {name: option for option in options for name in names_of(option)}
    name = nearest(word, known)
    if name is None:
        return None
    return name if name == known[name].word and len(name) <= _LONG_WORD else name_of(known[name])


def _noun(moves: Iterable[Move]) -> str:
    """Return the noun for the subject of all these moves; `one` if there is none, as for things that somebody in a list has."""
    found = {_OFFERS.get(move.verb) or _noun_of(place.split(".")) for move in moves for place in move.about[:1]}
    return found.pop() or "one" if len(found) == 1 else "one"


def _noun_of(path: Sequence[str]) -> str:
    """Return the noun for what a path is about; empty if no list there has one, or if it is a thing of a thing in the list."""
    place = next((place for place in reversed(range(len(path) - 1)) if path[place] in _NOUNS), None)
    return _NOUNS[path[place]] if place is not None and len(path) - place <= _OF_A_THING else ""


_LISTED = 20
"""How many answers the usage of a move lists at most. Of more, it names what is asked."""


def usage(move: Move) -> str:
    """Return the command of a move, with the answers it takes. Where real dice are awaited, that is what they show."""
    if move.follows and (dice := notation_ask(move.asks)) and dice.default:
        return f"{move.id} {dice.name.upper()}"
    return " ".join((move.id, *(_ask_usage(ask) for ask in move.asks)))


def label_beside_usage(move: Move) -> str:
    """Return the label of a move beside its command, with what an answer means that is part of the command: the only one there is."""
    only = [
        able[0].label
        for ask in move.asks
        if isinstance(ask, PickOne) and ask.default is None and not ask.notation
        for able in [[option for option in ask.options if not option.blocked]]
        if len(able) == 1 and able[0].label not in move.label
    ]
    return f"{move.label}: {', '.join(only)}" if only else move.label


def _ask_usage(ask: Ask) -> str:
    name = _placeholder(ask)
    match ask:
        case PickOne(options=options, default=default):
            words = "|".join(_open_now(options)) if len(options) <= _LISTED else name
            return words if default is None else f"[{words}]"
        case PickMany(options=options, least=least):
            words = ("|".join(_open_now(options)) if len(options) <= _LISTED else name) or ask.name
            return f"{words} …" if least else f"[{words} …]"
        case Allocate(slots=slots):
            return " ".join(slot.word.upper() for slot in slots)
        case Number(default=default):
            return name if default is None else f"[{name}]"
        case Text(required=required, word=word):
            text = f'{word} "{name}"' if word else f'"{name}"'
            return text if required else f"[{text}]"


def _placeholder(ask: Ask) -> str:
    """Return the noun that stands for an answer in a command: its name, or its label for a text, whose name says nothing."""
    label = ask.label.removeprefix("The ").removeprefix("Your ")
    label = label if ask.name == "text" and len(label) <= _LONG_WORD // 2 else ask.name
    return _PLACEHOLDERS.get(ask.name, label).upper()


def _open_now(options: Sequence[Option]) -> list[str]:
    """Return the words that can be chosen; if none can, all of them, because the reason is asked for."""
    return [option.word for option in options if not option.blocked] or [option.word for option in options]


_OF_LINE_MODE = "conflicts help kit log moves odds pace pause proposals recap redo rewind rule stakes undo why"
WAYLOGS_VERBS = frozenset((*VERBS_OF_EVERY_GAME, *_OF_LINE_MODE.split()))
"""Verbs that Waylog plays in every game, those of rolls, and the commands of line mode that no move may hide: all but `luck` and `at`."""


@dataclass(frozen=True, slots=True)
class Completion:
    """A word that may come next, with its meaning."""

    word: str
    label: str
    note: str = ""
    blocked: bool = False


def completions(moves: Sequence[Move], text: str, verb: str = "", reach: Reach = Reach.GUESS) -> tuple[Completion, ...]:
    """Return the words that may come next, those of open moves first.

    A started word may be any that the move still lacks, as words may come in any order.
    """
    all_tokens = tokens(text)
    partial = "" if not all_tokens or text[-1:].isspace() else all_tokens[-1].text.lower()
    begun = all_tokens[:-1] if partial else all_tokens
    for far in Reach:
        for line in ((Token(verb), *begun), begun) if verb else (begun,):
            found: dict[str, Completion] = {}
            for move in begun_moves(moves, line, partial) if far <= reach else ():
                fit = match_move(move, line, far)
                for completion in _next_words(fit, partial) if isinstance(fit, Fit) else ():
                    # A word that begins something possible isn't refused, whatever else it begins.
                    if completion.word not in found or (found[completion.word].blocked and not completion.blocked):
                        found[completion.word] = completion
            if found:
                return tuple(sorted(found.values(), key=lambda completion: completion.blocked))
    return ()


def _next_words(fit: Fit, partial: str) -> Iterator[Completion]:
    move = fit.move
    if fit.missing_words:
        note = move.blocked.reason if move.blocked else ""
        first, *later = fit.missing_words
        if first.startswith(partial):
            # A word of several moves has the label of the first one that is possible. A verb says enough by itself.
            label = ("" if first == move.verb else f"{move.label} …") if later else move.label
            yield Completion(first, label, note, bool(move.blocked))
        for verb in later if partial and first != move.verb else ():
            if verb.startswith(partial):
                yield Completion(verb, f"{move.verb} … {verb}", note, bool(move.blocked))
        if first != move.verb and closeness(partial, (move.name, move.label, *move.words), fit.reach):
            yield Completion(" ".join(fit.missing_words), move.label, note, bool(move.blocked))
        return
    yield from _names_left(fit, partial)
    for ask in move.asks:
        given = fit.answers.get(ask.name, ())
        if not isinstance(ask, PickOne | PickMany) or (isinstance(ask, PickOne) and given):
            continue
        for option in (each for each in ask.options if partial or not each.is_unlisted):
            if isinstance(ask, PickMany) and isinstance(given, tuple) and option.word in given and not ask.repeats:
                continue
            if isinstance(ask, PickOne) and option.word == ask.default:
                continue
            # What a person sees comes before a word that only the log has.
            words = (option.word, *option.also) if name_of(option) == option.word else (*option.also, option.word)
            begun = [word for word in words if word.startswith(partial)]
            if begun or closeness(partial, names_of(option), fit.reach):
                note = option.blocked.reason if option.blocked else option.note
                yield Completion((begun or words)[0], option.label, note, bool(option.blocked))


def _names_left(fit: Fit, partial: str) -> Iterator[Completion]:
    """Yield the names proposed for texts that they don't have yet."""
    for ask in fit.move.asks:
        typed = str(fit.answers.get(ask.name, "")).casefold()
        for name in ask.proposed if isinstance(ask, Text) else ():
            if name.lower().startswith(partial) and name.casefold() not in typed:
                yield Completion(name, ask.label)
