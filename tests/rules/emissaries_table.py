"""A table of the Emissaries for tests: campaigns as they stand in files, acts in words, dice typed."""

from collections.abc import Mapping
from typing import Any

import pytest

from waylog.rules.game import Game
from waylog.rules.kit import Rulebook
from waylog.rules.language.commands import parse_act
from waylog.rules.model.answers import complete_answers
from waylog.rules.model.dice import ChanceDice
from waylog.rules.model.facts import NoteFact
from waylog.rules.model.moves import ActRefused, Move, Refusal
from waylog.rules.model.odds import Odds
from waylog.rules.model.state import PlayResult, State
from waylog.rules.systems import system
from waylog.rules.systems.emissaries.conflict_view import ConflictView
from waylog.rules.systems.emissaries.moment import ConflictStage

SYSTEM = system("emissaries")
GAME = Game(SYSTEM)
ONES = ChanceDice(lambda _: 0)
"""Dice that are not typed show 1."""

MARA: Mapping[str, Any] = {"name": "Mara", "body": 4, "mind": 3, "soft": 3, "hard": 3}
THOSS: Mapping[str, Any] = {"name": "Thoss", "body": 3, "mind": 4, "soft": 3, "hard": 3, "rows": 2}


def campaign(**tables: Any) -> State:
    """A campaign with these tables in its file, in which nothing is wrong but that some have no Lun and no data-pad."""
    state, faults = GAME.read({"name": "Trial", **tables})
    assert [fault for fault in faults if not fault.lacking] == []
    return state


def two(**tables: Any) -> State:
    """Mara on one side, Thoss on the other, and what else the tables say."""
    return campaign(**{"crew": {"mara": MARA}, "npcs": {"thoss": THOSS}, **tables})


def play(state: State, words: str) -> PlayResult:
    """One act in words."""
    return GAME.play(state, parse_act(GAME.moves(state), words), ONES)


def after(state: State, *acts: str) -> State:
    """The state after several acts."""
    for words in acts:
        state = play(state, words).state
    return state


def refused(state: State, words: str) -> Refusal:
    """Why an act is refused."""
    with pytest.raises(ActRefused) as caught:
        play(state, words)
    return caught.value.refusal


def odds(state: State, words: str) -> Odds:
    """The odds of an act in words."""
    act = parse_act(GAME.moves(state), words)
    found = GAME.odds(state, act.move, complete_answers(act.move, act.answers))
    assert found is not None
    return found


def told(played: PlayResult) -> list[str]:
    """The notes that were told."""
    return [fact.text for fact in played.facts if isinstance(fact, NoteFact)]


def move(state: State, name: str) -> Move:
    """The move of that id."""
    return next(move for move in GAME.moves(state) if move.id == name)


def conflict(state: State) -> ConflictStage:
    """The conflict under way."""
    assert state.open is not None
    assert isinstance(state.open.stage, ConflictStage)
    return state.open.stage


def board(state: State) -> ConflictView:
    """The conflict as a screen shows it."""
    assert isinstance(SYSTEM, Rulebook)
    found = SYSTEM.board(GAME.position(state))
    assert isinstance(found, ConflictView)
    return found


def pools(state: State) -> Mapping[str, tuple[int, ...]]:
    """What lies before everybody, lowest first."""
    return {one.word: tuple(sorted(die.face for die in one.pool)) for one in conflict(state).people}
