"""The campaign file is brought up to the log: what is known is what it says, however a person has written it."""

from pathlib import Path

import pytest

from tests.kit.table import Falling, saved, text_of, ticking
from waylog.rules.game import Game
from waylog.rules.systems import system
from waylog.store.file.template_and_conversion import make
from waylog.table import Table


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A campaign of Veil Runners, on which something was played."""
    folder = tmp_path / "trial"
    make(folder, "Trial", Game(system("veil-core")))
    table = Table(folder, now=ticking(), chance=Falling())
    table.play(table.understand("note we begin"))
    assert table.settle()
    return table


def edited(table: Table, old: str, new: str) -> int:
    """A person saves that, and it is taken in and the file brought up; gives the number of its entry."""
    saved(table.folder, old, new)
    assert table.refresh()
    assert table.settle()
    return table.snapshot.entries


def test_a_thing_stays_though_the_last_line_that_told_of_it_goes(table: Table) -> None:
    """It was there by two lines: a person takes out one of them, and undo the other."""
    edited(table, "[crew.mara]", '[crew]\nzed.role = "cook"\n\n[crew.mara]')
    added = edited(table, "zed.role", "zed.focus = 1\nzed.role")
    edited(table, 'zed.role = "cook"\n', "")
    table.undo(added)
    assert table.settle()
    assert "zed" in text_of(table.folder)
    again = Table(table.folder, now=ticking(), chance=Falling())
    assert again._state == table._state
