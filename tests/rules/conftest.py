"""Every test of the rules holds the games to their outlines, and to what is promised of all games."""

from collections.abc import Mapping, Sequence

import pytest
from hypothesis import currently_in_test_context

from tests.rules import outline, promises
from waylog.rules.codec.base_and_limits import Fault
from waylog.rules.codec.changes import Value
from waylog.rules.game import Game
from waylog.rules.model.dice import Dice
from waylog.rules.model.moves import Act, ActRefused, Answers, Move
from waylog.rules.model.odds import Odds
from waylog.rules.model.panels import Panel
from waylog.rules.model.state import PlayResult, State


class CheckedGame(Game):
    """The methods of a game, with a look at what they give where the game has an outline."""

    def read(self, tree: Mapping[str, Value]) -> tuple[State, Sequence[Fault]]:
        """A file is read, and what is wrong with it."""
        state, faults = _READ(self, tree)
        if self.system.id in outline.games():
            promises.faults_hold(self, faults)
            promises.what_can_be_read_can_be_played(self, tree, faults)
        return state, faults

    def moves(self, state: State) -> tuple[Move, ...]:
        """Moves are offered."""
        moves = _MOVES(self, state)
        if _is_outlined(self):
            outline.check_moves(self.system.id, moves)
        if self.system.id in outline.games():
            promises.clauses_hold(self, moves)
        return moves

    def panels(self, state: State) -> tuple[Panel, ...]:
        """A sheet is shown."""
        panels = _PANELS(self, state)
        if _is_outlined(self):
            outline.check_panels(self.system.id, panels)
        return panels

    def odds(self, state: State, move: Move, answers: Answers) -> Odds | None:
        """Chances are counted."""
        odds = _ODDS(self, state, move, answers)
        if odds and self.system.id in outline.games():
            promises.odds_hold(self, odds)
        return odds

    def play(self, state: State, act: Act, chance: Dice, moment: str = "") -> PlayResult:
        """An act is played or refused."""
        try:
            played = _PLAY(self, state, act, chance, moment)
        except ActRefused as refused:
            promises.refusal_holds(self, refused.refusal)
            raise
        if _is_outlined(self):
            outline.check_facts(self.system.id, act.move.verb, played.facts)
        if self.system.id in outline.games():
            promises.facts_hold(self, played.facts)
        return played


def _is_outlined(game: Game) -> bool:
    """What the game gives has to stand in its outline. What a walk by chance meets need not: it may be as rare as it likes."""
    return game.system.id in outline.games() and not currently_in_test_context()


_READ, _MOVES, _PANELS, _ODDS, _PLAY = Game.read, Game.moves, Game.panels, Game.odds, Game.play


@pytest.fixture(autouse=True)
def checked(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every game is checked, also one that a module made when it was imported."""
    for name in ("read", "moves", "panels", "odds", "play"):
        monkeypatch.setattr(Game, name, getattr(CheckedGame, name))
