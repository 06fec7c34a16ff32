"""Veil Runners walked at random: what holds for every move of every legal campaign, in either edition."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.rules import legal
from waylog.rules.dice import ChanceDice
from waylog.rules.game import Game
from waylog.rules.moves import Answer, Move, Refused, completed
from waylog.rules.sheets import read, write
from waylog.rules.state import Played, State
from waylog.rules.words import Act, spoken, understood

STEPS = 7
ACROSS = {"VK-74", "NM-05", "NM-26"}
"""Refusals that no single answer can tell: ingenuity on a roll called Desperate, a 17 on a d66, a clock already at its end."""

EDITION = pytest.mark.parametrize("name", legal.EDITIONS)


def moves_of(game: Game, state: State) -> list[Move]:
    """What can be done now; values set by hand are tried elsewhere."""
    return [move for move in game.moves(state) if move.verb != "set"]


def fault_set(game: Game, state: State) -> set[tuple[Any, ...]]:
    """What the check of the campaign file would say, without the counts in it."""
    return {(fault.path, fault.clause) for fault in game.read(game.write(state))[1]}


def check_state(game: Game, state: State) -> None:
    """The sheet and what is open survive being written and read."""
    assert read(type(state.sheet), write(state.sheet)) == (state.sheet, [])
    again = replace(state, open=game.read_open(game.write_open(state)))
    assert again.open == state.open
    assert game.moves(again) == game.moves(state)
    assert game.question(again) == game.question(state)
    game.panels(state)


def check_refusals(game: Game, state: State, dice: ChanceDice) -> None:
    """Whatever is blocked is refused with its own reason."""
    moves = moves_of(game, state)
    assert len({move.id for move in moves}) == len(moves)
    assert any(legal.answerable(move) for move in moves)
    for move in moves:
        if move.blocked:
            with pytest.raises(Refused) as refused:
                game.play(state, Act(move), dice)
            assert refused.value.refusal == move.blocked
            assert refused.value.refusal.clause


def check_words(game: Game, state: State, move: Move, answers: Mapping[str, Answer]) -> None:
    """What is said of an act is understood as that act."""
    whole = completed(move, answers)
    act = understood(game.moves(state), spoken(move, whole))
    assert (act.move.id, completed(act.move, act.answers)) == (move.id, whole)


def check_changes(game: Game, before: State, after: State) -> None:
    """The changes lead there, and reversed they lead back."""
    changes = game.difference(before, after)
    there = game.changed(before, changes)
    assert game.difference(there, after) == ()
    back = game.changed(there, [change.reversed() for change in reversed(changes)])
    assert game.write(back) == game.write(before)


def played_or_refused(game: Game, state: State, act: Act, dice: ChanceDice) -> Played | None:
    """What the act comes to; None where its answers don't go together, which is refused by a clause of `ACROSS`."""
    try:
        odds = game.odds(state, act.move, completed(act.move, act.answers))
        assert odds is None or sum(chance.chance for chance in odds.spread.chances) == 1
        return game.play(state, act, dice)
    except Refused as refused:
        if refused.refusal.clause in ACROSS:
            return None
        raise


@EDITION
@settings(max_examples=100)
@given(data=st.data())
def test_a_walk_through_legal_moves(name: str, data: st.DataObject) -> None:
    """From any legal campaign every open move plays and every blocked one is refused; nothing that holds stops holding."""
    game = legal.GAMES[name]
    state = data.draw(legal.states(name))
    dice = ChanceDice(data.draw(st.randoms(use_true_random=False)).randrange)
    wrong = fault_set(game, state)
    for _ in range(STEPS):
        check_refusals(game, state, dice)
        able = [move for move in moves_of(game, state) if legal.answerable(move)]
        forward = [move for move in able if move.follows]
        likely: bool = data.draw(st.booleans())
        move = data.draw(st.sampled_from(forward if forward and likely else able))
        answers = data.draw(legal.answers(move, state.open.stage if state.open else None))
        check_words(game, state, move, answers)
        played = played_or_refused(game, state, Act(move, answers), dice)
        if played is None:
            continue
        check_changes(game, state, played.state)
        check_state(game, played.state)
        assert fault_set(game, played.state) <= wrong
        state = played.state
