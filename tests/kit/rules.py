"""Acts of the rules without a table: a campaign as it stands in a file, acts in words, and what came of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pytest

from waylog.rules.common.random_tables import Tables
from waylog.rules.file_game.dice_readings import RollPlan
from waylog.rules.file_game.odds.odds_with_spends import Advice, weigh_spends
from waylog.rules.file_game.sheet_types import FileRoll
from waylog.rules.file_game.spends import Spend
from waylog.rules.game import Game
from waylog.rules.language.command_parser import parse_act
from waylog.rules.model.answers import complete_answers
from waylog.rules.model.dice import ChanceDice, Dice
from waylog.rules.model.facts import NoteFact, OutcomeFact
from waylog.rules.model.moves import ActRefused, Move, Refusal
from waylog.rules.model.odds import Odds
from waylog.rules.model.panels import Panel
from waylog.rules.model.state import PlayResult, State
from waylog.rules.rulebook import Rulebook
from waylog.rules.what_players_may_do import PlayersGame
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.store.players.players_file import Projection, project_table
from waylog.values import replace

ONES = ChanceDice(lambda _: 0)
"""Dice that show 1, whatever their sides."""
NOW = "2026-11-21 19:30"
"""When acts are done, unless a test says another moment."""


class Acts:
    """Acts in words on states of one game. Each method takes another game as its last argument, for a game's other editions."""

    def __init__(self, game: Game, **tables: Any) -> None:
        """`tables` are in every campaign that does not have its own."""
        self._game, self._tables = game, tables

    def campaign(self, game: Game | None = None, /, **tables: Any) -> State:
        """A campaign with these tables in its file, in which nothing is wrong."""
        return state_of(game or self._game, {**self._tables, **tables})

    def play(self, state: State, words: str, game: Game | None = None) -> PlayResult:
        """One act in words; dice that are not typed show 1."""
        return play(game or self._game, state, words)

    def after(self, state: State, *acts: str, game: Game | None = None) -> State:
        """The state after several acts."""
        for words in acts:
            state = play(game or self._game, state, words).state
        return state

    def refused(self, state: State, words: str, game: Game | None = None) -> Refusal:
        """Why an act is refused."""
        with pytest.raises(ActRefused) as caught:
            play(game or self._game, state, words)
        return caught.value.refusal

    def odds(self, state: State, words: str, game: Game | None = None) -> Odds:
        """The odds of an act in words."""
        game = game or self._game
        act = parse_act(game.moves(state), words)
        found = game.odds(state, act.move, complete_answers(act.move, act.answers))
        assert found is not None
        return found

    def move(self, state: State, name: str, game: Game | None = None) -> Move:
        """The move of that id."""
        return next(move for move in (game or self._game).moves(state) if move.id == name)

    def panel(self, state: State, key: str, game: Game | None = None) -> Panel:
        """The panel of that key."""
        return panel_of(game or self._game, state, key)


def state_of(game: Game, tree: Mapping[str, Any] | None = None) -> State:
    """The campaign in a tree, in which nothing is wrong."""
    state, faults = game.read({"name": "Trial", **(tree or {})})
    assert list(faults) == []
    return state


def play(game: Game, state: State, words: str, dice: Dice = ONES, moment: str = NOW) -> PlayResult:
    """One act in words; dice that are not typed show 1, or what `dice` throws."""
    return game.play(state, parse_act(game.moves(state), words), dice, moment)


def panel_of(game: Game, state: State, key: str) -> Panel:
    """The panel of that key."""
    return next(panel for panel in game.panels(state) if panel.key == key)


def told(played: PlayResult) -> list[str]:
    """The notes that it leaves in the log."""
    return [fact.text for fact in played.facts if isinstance(fact, NoteFact)]


def outcomes(played: PlayResult) -> list[str]:
    """The outcomes of its rolls."""
    return [fact.outcome for fact in played.facts if isinstance(fact, OutcomeFact)]


def best_spend(plan: RollPlan, spends: Sequence[Spend], roll: FileRoll, purse: Mapping[str, int]) -> Advice | None:
    """The best spend on the dice on the table; None if it is best to keep them."""
    return next((advice for advice in weigh_spends(plan, spends, roll, purse) if advice.helps), None)


def project_state(
    system: Rulebook, state: State, holding: Iterable[LogEntry], tables: Tables | None = None
) -> Projection:
    """Everything that players may see, without what they may do. `holding` has the entries that still hold, newest first."""
    return project_table(PlayersGame(Game(system, tables)), replace(state, players={}), holding, ())
