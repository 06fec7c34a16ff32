"""What a person takes out of the file, or changes while play takes it away: the file and the log go on together."""

import os
from pathlib import Path

import pytest

from tests.kit.table import saved, table_at, text_of, written
from waylog.table import Table

STORM = """
# What presses on
[clocks.storm]
name = '''The storm'''
kind = "catastrophe"
segments = 4  # short
filled = 0
"""

pytestmark = pytest.mark.usefixtures("only_small_game")


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """The Swallow, on which something was played."""
    table = table_at(written(tmp_path / "swallow"))
    table.play(table.understand("set boat.hull 2"))
    assert table.settle()
    return table


def words(table: Table) -> list[str]:
    """What the log has, oldest first."""
    return [entry.words for entry in table.entries()][::-1]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (STORM, "", "The storm removed"),
        ("  hull = 2", "  # hull = 2", "Boat: hull 2 → 3"),
        ("[clocks.storm]", "[clocks.squall]", "clocks.storm renamed to clocks.squall"),
    ],
    ids=["a block", "a value", "a name"],
)
def test_what_is_taken_out_by_hand_stays_out(table: Table, old: str, new: str, said: str) -> None:
    """It is in the log as taken out, the file comes up to the log and goes on with it, and undo puts it back."""
    before = table._state
    saved(table.folder, old, new)
    table.refresh()
    table.refresh()  # a file that has only lost its end is looked at twice
    edit = table.entry(table.snapshot.entries)
    assert edit.words == "by hand"
    assert old not in text_of(table.folder)
    assert said in [getattr(fact, "text", "") for fact in edit.facts]
    assert table.settle()
    table.play(table.understand("note on we go"))
    assert table.settle()
    assert f'log = "0001:{table.snapshot.entries}"' in text_of(table.folder)
    assert old not in text_of(table.folder)
    again = table_at(table.folder)
    assert again._state == table._state
    table.undo()
    table.undo(edit.number)
    assert table._state == before
    assert table.settle()


def test_a_thing_that_play_took_away_comes_back_whole(table: Table) -> None:
    """A person had it before them and changed one value in it: the file stands, and that is a conflict to settle."""
    table.play(table.understand("clock Fog 4 death"))
    assert table.settle()
    held = text_of(table.folder)
    assert 'name = "Fog"' in held
    table.undo()
    assert table.settle()
    assert "Fog" not in text_of(table.folder)
    (table.folder / "campaign.toml").write_text(held.replace('name = "Fog"', 'name = "Thick fog"'))
    assert table.refresh()
    (conflict,) = table.snapshot.conflicts
    assert (conflict.path, conflict.played) == (("clocks", "fog"), None)
    clock = table.snapshot.clocks["fog"]
    assert (clock.name, clock.kind.value, clock.segments) == ("Thick fog", "death", 4)
    assert table.settle()
    assert table_at(table.folder)._state == table._state
    table.keep_game_value(conflict)
    assert "fog" not in table.snapshot.clocks


def test_a_pipe_in_the_place_of_the_players_file_keeps_nobody_waiting(table: Table) -> None:
    """It is not read; what players see is written in its place."""
    players = table.folder / "players.toml"
    os.mkfifo(players)
    table.play(table.understand("note on we go"))
    assert table.settle()
    assert players.is_file()
