"""What a game remembers of one state is never shown for another."""

from __future__ import annotations

import random
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

import pytest

from tests.file_games import SHIPPED
from tests.kit.table import seeded, table_at
from tests.kit.thorough import IS_AT_A_DESK, cases
from waylog.rules.game import Game
from waylog.rules.model.moves import Act, ActRefused, Move, PickOne
from waylog.rules.model.odds import Odds
from waylog.rules.model.state import State
from waylog.rules.systems import names, system
from waylog.rules.what_players_may_do import PlayersGame
from waylog.store.file.template_and_conversion import make
from waylog.store.games.game_files import system_named
from waylog.store.players.moves_and_odds_for_players import open_moves, visible_odds

_ACTS = 50 if IS_AT_A_DESK else 150
_ACTS_WITH_ODDS = 12 if IS_AT_A_DESK else 24


@pytest.mark.parametrize("name", cases(names(), 0, 2))
def test_moves_and_panels_are_those_of_a_game_that_remembers_nothing(tmp_path: Path, name: str) -> None:
    """After each of many acts picked by chance, undo among them."""
    chance = random.Random(7)
    make(tmp_path / "played", "Played", Game(system(name)))
    table = table_at(tmp_path / "played", chance=seeded(chance.randrange))
    table.play(table.understand("clock Fog 6 death"))
    done = 0
    for _ in range(_ACTS):
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
                move = chance.choice(following or able)
                table.play(Act(move, _required(move, chance)))
            done += 1
        except ActRefused:
            continue
    assert done > _ACTS // 5


def _required(move: Move, chance: random.Random) -> dict[str, str]:
    """Answers to the questions of a move that have no default."""
    required = [ask for ask in move.asks if isinstance(ask, PickOne) and ask.default is None]
    able = {ask.name: [option.word for option in ask.options if not option.blocked] for ask in required}
    return {name: chance.choice(words) for name, words in able.items() if words}


_WHAT_THEY_SEE = """
[players.ana]
character = "ANA"
[players.ben]
character = "BEN"
[clocks.dark]
name = "The dark"
running = "desperate"
segments = 4
filled = 2
seen_by = ["ana"]
[clocks.storm]
name = "The storm"
kind = "push"
segments = 4
running = "exposed"
seen = false
[situations.fire]
name = "Fire"
seen_by = ["ben"]
rolls = "nothing"
"""


@pytest.mark.clause("NM-45")
@pytest.mark.parametrize("name", cases([*names(), *SHIPPED], 0, 3))
def test_odds_for_players_are_those_of_a_game_that_remembers_nothing(tmp_path: Path, name: str) -> None:
    """For all of them, and for each who knows more: after acts picked by chance, most of them rolls and what follows, and after undo."""
    chance, folder = random.Random(11), tmp_path / "played"
    make(folder, "Played", Game(system_named(name)))
    ana, *others = table_at(folder).game.characters(table_at(folder)._state)
    path, seen = folder / "campaign.toml", _WHAT_THEY_SEE.replace("ANA", ana).replace("BEN", [*others, ana][0])
    path.write_text(path.read_text(encoding="utf-8") + seen, encoding="utf-8")
    table = table_at(folder, chance=seeded(chance.randrange))
    assert not table.snapshot.question
    remembers, found = PlayersGame(table.game), 0
    for number in range(_ACTS_WITH_ODDS):
        with suppress(ActRefused):
            if chance.random() < 0.2:
                table.undo()
            else:
                table.play(_picked(table.snapshot.moves, chance))
        if number % 2:
            player = chance.choice(("", "ana", "ben"))
            known = _odds(remembers, table._state, player)
            assert known == _odds(PlayersGame(table.game), table._state, player)
            found += len(known)
    # The first two roll in a flow and in a conflict only, and chance begins none of these.
    assert found or name in ("course-flow", "emissaries")


def _picked(moves: Sequence[Move], chance: random.Random) -> Act:
    """What changes a sheet or a clock more often than the rest. What an act asks is answered by chance."""
    able = [move for move in moves if not move.blocked]
    likely = [move for move in able if move.follows or move.rolls or move.effect or move.verb == "tick"]
    move = chance.choice(likely if likely and chance.random() < 0.9 else able)
    asked = [ask for ask in move.asks if isinstance(ask, PickOne) and ask.default is None]
    options = {ask.name: [option.word for option in ask.options if not option.blocked] for ask in asked}
    return Act(move, {name: chance.choice(words) for name, words in options.items() if words})


def _odds(game: PlayersGame, state: State, player: str) -> Sequence[Odds]:
    return visible_odds(game, state, open_moves(game, state, (), player), player)


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
