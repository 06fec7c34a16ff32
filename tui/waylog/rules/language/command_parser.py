"""Acts in words: commands that a person types and that the log keeps.

The app, the command line and the effects in a campaign file call `parse_act` with the possible moves. It returns the
one act that the line means, or raises `CommandUnclear`, which says what is wrong (`completion_and_what_is_wrong` finds the words).
`model.answers.format_act` writes an act as a line for the log, with every text in quotes; `parse_act` reads that line back to the same
act.

A line is read for each move that it may mean by the grammar below, with one `Reach` after another: first the words of the
rules, then parts of names on screen, then, if a person sees the result before it is done, letters of a name. So a word
that is typed in full is never taken for a name. If several moves fit, the one with the most complete words is chosen;
among equals, the one that was named before any answer, then the only one that can be made. If none fits completely, a
move that only lacks a name is chosen, provided it is the only one of its verb.

How one line is read for one move is in `line_tokens_and_matching`, with the grammar of a line.
"""

from __future__ import annotations

from collections.abc import Sequence

from waylog.rules.codec.changes import join_names
from waylog.rules.language.line_tokens_and_matching import (
    Line,
    Token,
    apart_at_commas,
    begun_moves,
    find_full,
    match_move,
    tokens,
)
from waylog.rules.language.similar_names import Reach
from waylog.rules.language.word_meanings import (
    Fit,
    Misfit,
    may_take,
    notation_ask,
)
from waylog.rules.model.answers import WANTED
from waylog.rules.model.dice_notation import begins_like_dice
from waylog.rules.model.moves import Act, ActRefused, Move, PickOne, Text
from waylog.values import replace


class CommandUnclear(ActRefused):
    """The words fit no move, or several."""


class WordUnclear(CommandUnclear):
    """One word means nothing to a move that is otherwise understood, or several things."""

    def __init__(self, reason: str, word: str, clause: str | None = None, *, full: str = "") -> None:
        """`full` is the word that it begins, if it can be only that one."""
        super().__init__(reason, clause)
        self.word, self.full = word, full


class WordRefused(ActRefused):
    """A rule refuses one word of a line that is otherwise understood."""

    def __init__(self, reason: str, word: str, clause: str | None) -> None:
        super().__init__(reason, clause)
        self.word = word


class NoSuchCommand(CommandUnclear):
    """The line doesn't begin with a verb."""

    def __init__(self, word: str, near: str | None) -> None:
        """`near` is the verb that was most likely meant."""
        wanted = WANTED.get(word.lower())
        self.plain = f"There is no {wanted}" if wanted else f"No such command: “{word}”"
        super().__init__(f"{self.plain}. Did you mean “{near}”?" if near and not wanted else self.plain)
        self.word = "" if wanted or (near and word.startswith(near)) else word
        """The word, if the game may have a command of that name at another moment."""


class LettersJoined(CommandUnclear):
    """The letters of several words were typed without blanks between them. Nothing is done before they are typed so."""

    def __init__(self, words: str, move: Move) -> None:
        super().__init__(f"Did you mean “{words}”, with spaces between the letters?")
        self.words, self.move = words, move


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
                        raise _mistake(moves, line, unsure)
                    return Act(chosen.move, chosen.answers, tuple(chosen.faces) if chosen.faces else None)
    raise _mistake(moves, lines[0], tried[id(lines[0])])


def _mistake(moves: Sequence[Move], line: tuple[Token, ...], tried: Sequence[Fit | Misfit]) -> ActRefused:
    """Return the error for a line that fits no move. Most lines fit one, so what finds the words for it is loaded here."""
    from waylog.rules.language.completion_and_what_is_wrong import what_is_wrong

    return what_is_wrong(moves, line, tried)


def parse_logged_act(moves: Sequence[Move], words: str) -> Act:
    """Return the act that an entry of the log is, as it was meant when it was written. Raises what `parse_act` raises."""
    return with_unlogged(parse_act(moves, words))


def with_unlogged(act: Act) -> Act:
    """Return the act with the answers that older words mean by giving none."""
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


def refuse_abbreviation(act: Act, line: Line) -> None:
    """Raise a `NoSuchCommand` if the act makes a new thing of a typed name, and its verb is abbreviated: `dec crew.mara` makes no deck."""
    named = not act.move.words and any(isinstance(ask, Text) and ask.required for ask in act.move.asks)
    first = tokens(line)[0].text.lower()
    if named and first != act.move.verb and act.move.verb.startswith(first):
        raise NoSuchCommand(first, act.move.verb)


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
    from waylog.rules.language.completion_and_what_is_wrong import MOST_NAMES, misspelt_answer, nearest_answer

    if near := nearest_answer(word, ask.options):
        raise misspelt_answer(word, tokens(line), near)
    fitting = join_names([option.word for option in ask.options if not option.blocked][:MOST_NAMES], "or")
    raise ActRefused(f"{ask.label} can't be “{word}”. Choose {fitting}", ask.clause)


def _lines_for_dice(moves: Sequence[Move], all_tokens: tuple[Token, ...]) -> list[tuple[Token, ...]]:
    """Return the lines that a line may stand for: with the verb of free dice if it is dice by themselves, `2d6+3`, or numbers while a
    roll waits for real dice; also with that verb if it has dice behind a verb of rolls, `roll 2d6`, as the list of rolls offers them.
    """
    of_dice = [move for move in moves if notation_ask(move.asks)]
    if any(move.follows for move in of_dice):
        # `dice 3,7` and `3,7` answer as `3 7` does.
        begun = 1 + (all_tokens[0].text.lower() in {move.verb for move in of_dice})
        all_tokens = (*(part for token in all_tokens[:begun] for part in apart_at_commas(token)), *all_tokens[begun:])
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
