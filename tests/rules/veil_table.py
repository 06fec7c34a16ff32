"""A table of Veil Runners for tests: campaigns as they stand in files, acts in words, dice typed."""

from collections.abc import Mapping
from typing import Any

from waylog.rules.game import Game
from waylog.rules.language.commands import parse_act
from waylog.rules.model.answers import complete_answers
from waylog.rules.model.dice import ChanceDice
from waylog.rules.model.facts import NoteFact, OutcomeFact
from waylog.rules.model.moves import Move
from waylog.rules.model.odds import Odds
from waylog.rules.model.state import PlayResult, State
from waylog.rules.systems import system

GAMES: Mapping[str, Game] = {name: Game(system(name)) for name in ("veil-core", "veil-2026")}
CORE, Y2026 = GAMES["veil-core"], GAMES["veil-2026"]
ONES = ChanceDice(lambda _: 0)


def campaign(game: Game = CORE, /, **tables: Any) -> State:
    """A campaign with these tables in its file, in which nothing is wrong."""
    state, faults = game.read({"name": "Trial", **tables})
    assert list(faults) == []
    return state


def play(state: State, words: str, game: Game = CORE) -> PlayResult:
    """One act in words; dice that are not typed show 1."""
    return game.play(state, parse_act(game.moves(state), words), ONES)


def after(state: State, *acts: str, game: Game = CORE) -> State:
    """The state after several acts."""
    for words in acts:
        state = play(state, words, game).state
    return state


def odds(state: State, words: str, game: Game = CORE) -> Odds:
    """The odds of an act in words."""
    act = parse_act(game.moves(state), words)
    found = game.odds(state, act.move, complete_answers(act.move, act.answers))
    assert found is not None
    return found


def told(played: PlayResult) -> list[str]:
    """The notes that were told."""
    return [fact.text for fact in played.facts if isinstance(fact, NoteFact)]


def outcomes(played: PlayResult) -> list[str]:
    """The outcomes of its rolls."""
    return [fact.outcome for fact in played.facts if isinstance(fact, OutcomeFact)]


def move(state: State, name: str, game: Game = CORE) -> Move:
    """The move of that id."""
    return next(move for move in game.moves(state) if move.id == name)
