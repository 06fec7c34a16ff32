"""In every test of the rules, what a game offers, shows and tells is as its outline has it, and so is what it finds in a file."""

from collections.abc import Mapping, Sequence

import pytest

from tests.rules import outline, promises
from waylog.rules.changes import Value
from waylog.rules.dice import Dice
from waylog.rules.game import Game
from waylog.rules.moves import Move
from waylog.rules.panels import Panel
from waylog.rules.sheets import Fault
from waylog.rules.state import Played, State
from waylog.rules.words import Act


@pytest.fixture(autouse=True)
def as_outlined(monkeypatch: pytest.MonkeyPatch) -> None:
    """Look at all faults, moves, panels and facts of the games that have an outline."""
    read, moves, panels, play = Game.read, Game.moves, Game.panels, Game.play

    def checked_read(self: Game, tree: Mapping[str, Value]) -> tuple[State, Sequence[Fault]]:
        state, faults = read(self, tree)
        if self.system.id in outline.games():
            promises.faults_hold(self, faults)
            promises.what_can_be_read_can_be_played(self, tree, faults)
        return state, faults

    def checked_moves(self: Game, state: State) -> tuple[Move, ...]:
        found = moves(self, state)
        if self.system.id in outline.games():
            outline.check_moves(self.system.id, found)
        return found

    def checked_panels(self: Game, state: State) -> tuple[Panel, ...]:
        found = panels(self, state)
        if self.system.id in outline.games():
            outline.check_panels(self.system.id, found)
        return found

    def checked_play(self: Game, state: State, act: Act, chance: Dice, moment: str = "") -> Played:
        played = play(self, state, act, chance, moment)
        if self.system.id in outline.games():
            outline.check_facts(self.system.id, act.move.verb, played.facts)
        return played

    monkeypatch.setattr(Game, "read", checked_read)
    monkeypatch.setattr(Game, "moves", checked_moves)
    monkeypatch.setattr(Game, "panels", checked_panels)
    monkeypatch.setattr(Game, "play", checked_play)
