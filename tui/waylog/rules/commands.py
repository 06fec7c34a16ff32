"""Acts in words: commands that a person types and that the log keeps.

The app, the command line and the effects in a campaign file call `parse_act` with the possible moves. It returns the
one act that the line means, or raises `CommandUnclear`, which says what is wrong. `act_words.format_act` writes
an act as a line for the log, with every text in quotes; `parse_act` reads that line back to the same act.

A line is read for each move of its verb (`command_grammar`), with one `Reach` after another: first the words of the
rules, then parts of names on screen, then, if a person sees the result before it is done, letters of a name. So a word
that is typed in full is never taken for a name. If several moves fit, the one with the most complete words is chosen;
among equals, the one that was named before any answer, then the only one that can be made. If none fits completely, a
move that only lacks a name is chosen, provided it is the only one of its verb.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from waylog.rules.command_errors import CommandUnclear, what_is_wrong
from waylog.rules.command_grammar import Line, Token, begun_moves, match_move, tokens
from waylog.rules.command_words import Fit, notation_ask
from waylog.rules.dice_notation import begins_like_dice
from waylog.rules.moves import Act, Move
from waylog.rules.naming import join_names
from waylog.rules.word_matching import Reach


def parse_act(moves: Sequence[Move], text: Line, verb: str = "", reach: Reach = Reach.NAMES) -> Act:
    """Return the one act that `text` means. With `verb`, the text may leave that word out.

    Raises `CommandUnclear`, or the move's own `ActRefused` if it can't be made. `reach` limits how much the words may
    differ from names.
    """
    all_tokens = tokens(text)
    if not all_tokens:
        raise CommandUnclear("type a command: " + ", ".join(dict.fromkeys(move.verb for move in moves)))
    if not verb and _are_dice(moves, all_tokens):
        all_tokens = (*(Token(move.verb) for move in moves if notation_ask(move.asks)), *all_tokens)
    lines = [(Token(verb), *all_tokens), all_tokens] if verb else [all_tokens, *_rolled_dice(moves, all_tokens)]
    for far in Reach:
        for line in lines if far <= reach else ():
            # A verb in full is never an abbreviation of another: `time` begins `time passes`, and isn't `timer`.
            named = [move for move in moves if move.verb == line[0].text.lower()]
            for among in (named, moves) if 0 < len(named) < len(moves) else (moves,):
                fits, begun = _match_moves(among, line, far)
                if chosen := _choose_best(fits, line) or _choose_only(begun):
                    return Act(chosen.move, chosen.answers, tuple(chosen.faces) if chosen.faces else None)
    raise what_is_wrong(moves, lines[0], reach)


def _are_dice(moves: Sequence[Move], all_tokens: Sequence[Token]) -> bool:
    """Whether a line is dice by themselves, which are rolled: `2d6+3`; or numbers, while a roll waits for real dice."""
    if all_tokens[0].quoted:
        return False
    waited = any(move.follows and notation_ask(move.asks) for move in moves)
    return begins_like_dice(all_tokens[0].text) or (waited and all(token.text.isdigit() for token in all_tokens))


def _rolled_dice(moves: Sequence[Move], all_tokens: Sequence[Token]) -> Iterator[tuple[Token, ...]]:
    """Yield the line as one for free dice, if it has those behind a verb of rolls: `roll 2d6`, as the list of rolls offers them."""
    verbs = {move.verb for move in moves if move.rolls}
    if len(all_tokens) > 1 and all_tokens[0].text.lower() in verbs and begins_like_dice(all_tokens[1].text):
        yield from ((Token(move.verb), *all_tokens[1:]) for move in moves if notation_ask(move.asks))


def _match_moves(moves: Sequence[Move], all_tokens: tuple[Token, ...], reach: Reach) -> tuple[list[Fit], list[Fit]]:
    """Return the moves that take every word of the line: those that it names completely, and those that lack a name."""
    found = [
        fit for move in begun_moves(moves, all_tokens) if isinstance(fit := match_move(move, all_tokens, reach), Fit)
    ]
    return [fit for fit in found if not fit.missing_words], [fit for fit in found if fit.missing_words]


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
