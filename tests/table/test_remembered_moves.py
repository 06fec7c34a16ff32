"""What a game remembers of one state is never shown for another."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from tests.kit.table import seeded, table_at
from waylog.rules.game import Game
from waylog.rules.model.moves import Act, ActRefused
from waylog.rules.systems import names, system
from waylog.store.file.template import make


@pytest.mark.parametrize("name", names())
def test_moves_and_panels_are_those_of_a_game_that_remembers_nothing(tmp_path: Path, name: str) -> None:
    """After each of many acts picked by chance, undo among them."""
    chance = random.Random(7)
    make(tmp_path / "played", "Played", Game(system(name)))
    table = table_at(tmp_path / "played", chance=seeded(chance.randrange))
    table.play(table.understand("clock Fog 6 death"))
    done = 0
    for _ in range(150):
        snapshot = table.snapshot
        fresh = Game(table.game.system, table.game.tables)
        assert snapshot.moves == fresh.moves(table._state)
        assert snapshot.panels == fresh.panels(table._state)
        able = [move for move in snapshot.moves if not move.blocked]
        following = [move for move in able if move.follows]
        try:
            if chance.random() < 0.1:
                table.undo()
            else:
                table.play(Act(chance.choice(following or able), {}))
            done += 1
        except ActRefused:
            continue
    assert done > 30


def test_a_save_of_the_file_forgets_no_moves(tmp_path: Path) -> None:
    """The state in the file is another one, and is looked at with each save. The moves of the one that is played on are kept."""
    make(tmp_path / "played", "Played", Game(system("veil-core")))
    table = table_at(tmp_path / "played", chance=seeded(lambda _: 0))
    table.play(table.understand("clock Fog 6 death"))
    table.play(table.understand("note The fog comes in"))
    before = {move.id: move for move in table.snapshot.moves}
    assert table.settle()
    table.play(table.understand("note It goes on"))
    after = {move.id: move for move in table.snapshot.moves}
    assert after["roll nav"] is before["roll nav"]
    assert after["tick fog"] is before["tick fog"]
