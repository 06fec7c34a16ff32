"""An edit by hand is taken in once, however many windows see it and whatever happens in between."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.small_table import saved, small_game, table_at, text_of, written
from waylog.rules.panels import PipsRow
from waylog.table import Table


@pytest.fixture(autouse=True)
def _small_game() -> Iterator[None]:
    with small_game():
        yield


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The Swallow's folder, after an evening."""
    folder = written(tmp_path / "swallow")
    table = table_at(folder)
    table.play(table.understand("note begin"))
    table.settle()
    return folder


def edited(folder: Path) -> Table:
    """A table that has just taken in that a person made the hull 2, and has not written the file since."""
    table = table_at(folder)
    saved(folder, "hull = 0x3", "hull = 2")
    assert table.refresh()
    return table


def logged(table: Table) -> list[str]:
    """The words of all entries, oldest first."""
    return [table.entry(number).words for number in range(1, table.snapshot.entries + 1)]


def hull(table: Table) -> int:
    """How whole the boat is."""
    row = table.snapshot.panels[0].rows[0]
    assert isinstance(row, PipsRow)
    return row.value


def test_what_was_played_on_an_edit_stands_in_another_window(folder: Path) -> None:
    """A window that sees the file later than the log finds the edit told there, and no conflict."""
    other = table_at(folder)
    table = edited(folder)
    table.play(table.understand("set boat.hull 1"))
    other.play(other.understand("note later"))
    assert logged(other)[1:] == ["by hand", 'set "boat.hull 1"', 'note "later"']
    assert hull(other) == 1
    assert other.snapshot.conflicts == ()


def test_what_was_played_on_an_edit_stands_after_a_crash(folder: Path) -> None:
    """The file still has the person's value and an older mark; the log says what became of it."""
    table = edited(folder)
    table.play(table.understand("set boat.hull 1"))
    again = table_at(folder)
    again.refresh()
    assert hull(again) == 1
    assert again.snapshot.conflicts == ()
    assert again.settle()
    assert "hull = 1" in text_of(folder)


def test_an_edit_that_was_taken_back_stays_so(folder: Path) -> None:
    """Neither another window nor the next start does it again."""
    other = table_at(folder)
    table = edited(folder)
    table.undo()
    other.refresh()
    again = table_at(folder)
    again.refresh()
    assert logged(again)[1:] == ["by hand", "undo"]
    assert hull(other) == hull(again) == 3
    assert again.settle()
    assert "hull = 0x3" in text_of(folder)


def test_an_edit_made_on_top_of_another_is_one_more(folder: Path) -> None:
    """Before the file was written again a person saves once more, and changes what they changed before."""
    table = edited(folder)
    saved(folder, "hull = 2", "hull = 0")
    table.refresh()
    again = table_at(folder)
    again.refresh()
    assert logged(again)[1:] == ["by hand", "by hand"]
    assert hull(again) == 0
