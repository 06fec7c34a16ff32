"""Acts in words: commands that a person types and that the log keeps.

The app, the command line and the effects in a campaign file call `parse_act` with the possible moves. It returns the
one act that the line means, or raises `CommandUnclear`, which says what is wrong. `model.answers.format_act` writes
an act as a line for the log, with every text in quotes; `parse_act` reads that line back to the same act.

A line is read for each move that it may mean (`grammar`), with one `Reach` after another: first the words of the
rules, then parts of names on screen, then, if a person sees the result before it is done, letters of a name. So a word
that is typed in full is never taken for a name. If several moves fit, the one with the most complete words is chosen;
among equals, the one that was named before any answer, then the only one that can be made. If none fits completely, a
move that only lacks a name is chosen, provided it is the only one of its verb.

`Completion`s are the words that a person could type next. The command line of the app lists them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from waylog.rules.codec.changes import join_names
from waylog.rules.language.grammar import Line, Token, begun_moves, find_full, match_move, tokens
from waylog.rules.language.similar_names import Reach, closeness
from waylog.rules.language.what_is_wrong import (
    MOST_NAMES,
    CommandUnclear,
    misspelt_answer,
    nearest_answer,
    what_is_wrong,
)
from waylog.rules.language.word_meanings import Fit, Misfit, may_take, name_of, names_of, notation_ask
from waylog.rules.model.keys_and_letters import VERBS_OF_EVERY_GAME
from waylog.rules.model.moves import Act, ActRefused, Allocate, Ask, Move, Number, Option, PickMany, PickOne, Text
from waylog.rules.model.odds_and_dice_notation import begins_like_dice
from waylog.values import dataclass, replace


def parse_act(moves: Sequence[Move], text: Line, verb: str = "", reach: Reach = Reach.NAMES) -> Act:
    """Return the one act that `text` means. With `verb`, the text may leave that word out.

    Raises `CommandUnclear`, or the move's own `ActRefused` if it can't be made. `reach` limits how much the words may
    differ from names.
    """
    all_tokens = tokens(text)
    if not all_tokens:
        raise CommandUnclear("type a command: " + ", ".join(dict.fromkeys(move.verb for move in moves)))
    lines = [(Token(verb), *all_tokens), all_tokens] if verb else _lines_for_dice(moves, all_tokens)
    candidates = [(line, _candidates(moves, line)) for line in lines]
    tried: dict[int, list[Fit | Misfit]] = {id(line): [] for line in lines}
    for far in Reach:
        for line, groups in candidates if far <= reach else ():
            fits = list[Fit]()
            for among in groups:
                found = [match_move(move, line, far) for move in among]
                tried[id(line)] += found
                fits += (fit for fit in found if isinstance(fit, Fit))
                complete = [fit for fit in fits if not fit.missing_words]
                if chosen := _choose_best(complete, line) or _choose_only([fit for fit in fits if fit.missing_words]):
                    # A move that was named first means an answer, but not which: that isn't an answer's word for another move.
                    unsure = [one for one in tried[id(line)] if isinstance(one, Misfit) and one.is_named_before(chosen)]
                    if unsure:
                        raise what_is_wrong(moves, line, unsure)
                    return Act(chosen.move, chosen.answers, tuple(chosen.faces) if chosen.faces else None)
    raise what_is_wrong(moves, lines[0], tried[id(lines[0])])


def parse_logged_act(moves: Sequence[Move], words: str) -> Act:
    """Return the act that an entry of the log is, as it was meant when it was written. Raises what `parse_act` raises."""
    act = parse_act(moves, words)
    meant = {ask.name: ask.if_unlogged for ask in act.move.asks if isinstance(ask, PickOne) and ask.if_unlogged}
    return replace(act, answers={**meant, **act.answers})


def _candidates(moves: Sequence[Move], line: Sequence[Token]) -> tuple[Sequence[Move], Sequence[Move]]:
    """Return the moves that a line may mean: first those of a verb typed in full, which is never an abbreviation of another (`time`
    begins `time passes`, and isn't `timer`), then the others. A line that begins with a whole move means another only if that
    one can take each of these words as well: of thousands of moves few are left to be read.
    """
    begun = begun_moves(moves, line)
    if full := find_full(begun, line):
        begun = [move for move in begun if move is full or may_take(move, full.words)]
    first = line[0].text.lower()
    return [move for move in begun if move.verb == first], [move for move in begun if move.verb != first]


def refuse_for_last_word(act: Act, line: Line) -> None:
    """If the act lacks an answer, and a text in it ends in a word that was perhaps meant as that answer, raise an `ActRefused` that
    names the word: `clock Fog 6 deth`. It is a `CommandUnclear` if the word is nearly one of the answers.
    """
    plain = {token.text for token in tokens(line) if not token.quoted}
    texts = [
        (ask.required, str(act.answers.get(ask.name, "")).split()) for ask in act.move.asks if isinstance(ask, Text)
    ]
    # A name of one word stays a name.
    word = next((words[-1] for named, words in texts if words[named:] and words[-1] in plain), "")
    lacks = (ask for ask in act.move.asks if isinstance(ask, PickOne) and ask.default is None and not ask.notation)
    ask = next((ask for ask in lacks if ask.name not in act.answers), None)
    if act.move.blocked or not word or ask is None:
        return
    if near := nearest_answer(word, ask.options):
        raise misspelt_answer(word, tokens(line), near)
    fitting = join_names([option.word for option in ask.options if not option.blocked][:MOST_NAMES], "or")
    raise ActRefused(f"{ask.label} can't be “{word}”. Choose {fitting}", ask.clause)


def _lines_for_dice(moves: Sequence[Move], all_tokens: tuple[Token, ...]) -> list[tuple[Token, ...]]:
    """Return the lines that a line may stand for: with the verb of free dice if it is dice by themselves, `2d6+3`, or numbers while a
    roll waits for real dice; also with that verb if it has dice behind a verb of rolls, `roll 2d6`, as the list of rolls offers them.
    """
    of_dice = [move for move in moves if notation_ask(move.asks)]
    first = all_tokens[0]
    waited = any(move.follows for move in of_dice) and all(token.text.isdigit() for token in all_tokens)
    if not first.quoted and (waited or begins_like_dice(first.text)):
        all_tokens = (*(Token(move.verb) for move in of_dice), *all_tokens)
    lines = [all_tokens]
    verbs = {move.verb for move in moves if move.rolls}
    if len(all_tokens) > 1 and all_tokens[0].text.lower() in verbs and begins_like_dice(all_tokens[1].text):
        lines += ((Token(move.verb), *all_tokens[1:]) for move in of_dice)
    return lines


def _choose_best(fits: Sequence[Fit], all_tokens: tuple[Token, ...]) -> Fit | None:
    """Return the fit with the highest score; among equals, the only one that can be made. Raises `CommandUnclear` if
    several remain.
    """
    if not fits:
        return None
    best = max((fit.score, fit.early) for fit in fits)
    chosen = [fit for fit in fits if (fit.score, fit.early) == best]
    if len(chosen) > 1:
        open_now = [fit for fit in chosen if not fit.move.blocked]
        if len(open_now) != 1:
            line = " ".join(token.text for token in all_tokens)
            raise CommandUnclear(f"“{line}” could be {join_names([fit.move.id for fit in chosen[:4]], 'or')}")
        chosen = open_now
    return chosen[0]


def _choose_only(begun: Sequence[Fit]) -> Fit | None:
    """Return the move that is meant although its name is missing: the only one of a typed verb. None if there are
    several.
    """
    fits = [fit for fit in begun if fit.move.verb not in fit.unsaid]
    able = [fit for fit in fits if not fit.move.blocked] or fits
    return able[0] if len(able) == 1 else None


_LISTED = 20
"""How many answers the usage of a move lists at most. Of more, it names what is asked."""


def usage(move: Move) -> str:
    """Return the command of a move, with the answers it takes. Where real dice are awaited, that is what they show."""
    if move.follows and (dice := notation_ask(move.asks)) and dice.default:
        return f"{move.id} {dice.name.upper()}"
    return " ".join((move.id, *(_ask_usage(ask) for ask in move.asks)))


def _ask_usage(ask: Ask) -> str:
    match ask:
        case PickOne(name=name, options=options, default=default):
            words = "|".join(_open_now(options)) if len(options) <= _LISTED else name.upper()
            return words if default is None else f"[{words}]"
        case PickMany(name=name, options=options, least=least):
            words = ("|".join(_open_now(options)) if len(options) <= _LISTED else name.upper()) or name
            return f"{words} …" if least else f"[{words} …]"
        case Allocate(slots=slots):
            return " ".join(slot.word.upper() for slot in slots)
        case Number(name=name, default=default):
            return name.upper() if default is None else f"[{name.upper()}]"
        case Text(name=name, required=required, word=word):
            text = f'{word} "{name.upper()}"' if word else f'"{name.upper()}"'
            return text if required else f"[{text}]"


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
                    found.setdefault(completion.word, completion)
            if found:
                return tuple(sorted(found.values(), key=lambda completion: completion.blocked))
    return ()


def _next_words(fit: Fit, partial: str) -> Iterator[Completion]:
    move = fit.move
    if fit.missing_words:
        note = move.blocked.reason if move.blocked else ""
        first, *later = fit.missing_words
        if first.startswith(partial):
            yield Completion(first, move.verb if later else move.label, note, bool(move.blocked))
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
        for option in ask.options:
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
