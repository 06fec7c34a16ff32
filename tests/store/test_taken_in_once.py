"""An edit by hand is taken in once, however many windows see it and whatever happens in between."""

from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import pytest

from tests.small_table import saved, small_game, table_at, text_of, written
from waylog.rules.panels import PipsRow
from waylog.store import hand_edits
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


# -- what a window finds when it opens


def edited_while_closed(folder: Path, *played: str) -> Table:
    """A table that has just opened on a file that a person saved while no window was open, and has not looked yet.

    `played` is in the log by then, and not in the file.
    """
    table = table_at(folder)
    for words in played:
        table.play(table.understand(words))
    saved(folder, "hull = 0x3", "hull = 2")
    return table_at(folder)


def test_a_file_is_not_written_before_an_edit_in_it_is_compared(folder: Path) -> None:
    """The thread that writes the file may be quicker than the first look at it; then the edit is logged all the same."""
    table = edited_while_closed(folder, "note later")
    text = text_of(folder)
    assert not table.settle()
    assert text_of(folder) == text
    table.refresh()
    assert logged(table)[1:] == ['note "later"', "by hand"]
    assert table.settle()
    assert "hull = 2" in text_of(folder)
    table.undo()
    assert hull(table) == 3


def test_an_edit_that_play_contradicts_is_a_conflict_though_the_file_was_to_be_written_first(folder: Path) -> None:
    """Neither value is lost when the file is to be written before the first look at it."""
    table = edited_while_closed(folder, "set boat.hull 1")
    table.settle()
    table.refresh()
    (conflict,) = table.snapshot.conflicts
    assert (conflict.file, conflict.played) == (2, 1)
    assert table.settle()
    assert "hull = 2" in text_of(folder)


def test_an_edit_is_compared_though_the_first_try_failed(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A disk that can't be read for a moment doesn't make an edit that was saved before part of what was played."""
    table = edited_while_closed(folder, "note later")
    with monkeypatch.context() as patch:
        patch.setattr(hand_edits, "state_from_history", _unreadable)
        with pytest.raises(OSError, match="for a moment"):
            table.refresh()
    assert not table.settle()
    table.refresh()
    assert logged(table)[1:] == ['note "later"', "by hand"]


def _unreadable(*_: object) -> NoReturn:
    raise OSError("not to be read for a moment")
