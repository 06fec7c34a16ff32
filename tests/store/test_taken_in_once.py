"""An edit by hand is taken in once, however many windows see it and whatever happens in between."""

import errno
import os
import shutil
from pathlib import Path
from typing import NoReturn
from unittest.mock import Mock

import pytest

from tests.kit.table import saved, table_at, text_of, written
from waylog.rules.model.panels import PipsRow
from waylog.store.file import hand_edits
from waylog.store.log import log_and_torn_entries
from waylog.table import LogWriteFailed, Table

pytestmark = pytest.mark.usefixtures("only_small_game")


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
    """An edit that was undone is taken in again neither by another window nor by the next start."""
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


# -- without the history


def without_history(folder: Path, *played: str, mark: str | None, edits: dict[str, str]) -> Table:
    """A table that has just looked at a copy of file and log alone.

    The file has that mark, or none. `edits` are parts of it that a person has replaced since `played`.
    """
    table = table_at(folder)
    for words in played:
        table.play(table.understand(words))
        assert table.settle()
    text = text_of(folder)
    newest = f'log = "0001:{table.snapshot.entries}"\n'
    assert newest in text
    text = text.replace(newest, f'log = "0001:{mark}"\n' if mark else "")
    for old, new in edits.items():
        assert old in text
        text = text.replace(old, new)
    (folder / "campaign.toml").write_text(text)
    shutil.rmtree(folder / "history")
    return found(folder)


def found(folder: Path) -> Table:
    """A table that has just opened and looked."""
    table = table_at(folder)
    table.refresh()
    return table


def settled(table: Table) -> Table:
    """The same after the file was brought up, and after a new start, which finds nothing more."""
    before = logged(table), table.game.write(table._state)
    assert table.settle()
    again = found(table.folder)
    assert (logged(again), again.game.write(again._state)) == before
    shutil.rmtree(table.folder / "history")
    again = found(table.folder)
    assert (logged(again), again.game.write(again._state)) == before
    return again


@pytest.mark.parametrize(("mark", "kinds"), [("1", ["by hand against play"]), (None, ["by hand"])])
def test_without_history_a_value_that_is_not_of_play_was_edited(
    folder: Path, mark: str | None, kinds: list[str]
) -> None:
    """The file's value holds, whatever its mark says, and undo gives the played one."""
    table = without_history(folder, "set boat.hull 2", "tick storm", mark=mark, edits={"hull = 2": "hull = 0"})
    assert logged(table)[3:] == kinds
    assert hull(table) == 0
    table = settled(table)
    assert "hull = 0" in text_of(folder)
    table.undo()
    assert hull(table) == 2


def test_without_history_the_value_of_the_beginning_is_an_edit_if_play_is_in_the_file(folder: Path) -> None:
    """A file that has lost its mark is not an old one, if it has some of what was played."""
    table = without_history(folder, "set boat.hull 2", "tick storm", mark=None, edits={"hull = 2": "hull = 3"})
    assert logged(table)[3:] == ["by hand"]
    assert hull(settled(table)) == 3


def test_without_history_an_older_file_is_brought_up_to_the_log(folder: Path) -> None:
    """Values that are as before the entries get what was played, and those that have it keep it: nobody edited either."""
    table = without_history(
        folder, "set boat.hull 2", "set boat.luck 1", "tick storm", mark="1", edits={"hull = 2": "hull = 3"}
    )
    assert "The log is complete up to entry 4" in (table.take_recovery_text() or "")
    assert len(logged(table)) == 4
    assert hull(settled(table)) == 2
    assert table.snapshot.clocks["storm"].filled == 1
    assert "luck = 1" in text_of(folder)


def test_without_history_a_thing_that_play_added_or_removed_keeps_its_edits(folder: Path) -> None:
    """One with another name is as edited, one that play has undone is there again if the file has it, and one that is gone stays gone."""
    table = table_at(folder)
    for words in ("clock Fog 4 death", "tick storm", "clock Gale 4 death"):
        table.play(table.understand(words))
        assert table.settle()
    whole = text_of(folder)
    gale = whole[whole.index("[clocks.gale]") :].replace('"Gale"', '"Gale by hand"')
    table.undo()
    assert table.settle()
    text = text_of(folder)
    storm = text[text.index("# What presses on") : text.index("[clocks.fog]")]
    edits = {storm: f"{gale}\n", 'name = "Fog"': 'name = "Thick fog"'}
    table = without_history(folder, mark="1", edits=edits)
    assert {key: clock.name for key, clock in table.snapshot.clocks.items()} == {
        "fog": "Thick fog",
        "gale": "Gale by hand",
    }
    assert {conflict.path for conflict in table.snapshot.conflicts} == {("clocks", "fog", "name"), ("clocks", "storm")}
    assert "by hand" in logged(table)
    settled(table)
    assert "Thick fog" in text_of(folder)
    assert "Gale by hand" in text_of(folder)
    assert "storm" not in text_of(folder)


def test_without_history_an_edit_that_cannot_be_logged_is_found_again(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The disk is full at the first look: the file stays as it is, and the next start finds the edit."""
    with monkeypatch.context() as patch:
        patch.setattr(hand_edits, "state_at", _unreadable)
        with pytest.raises(OSError, match="for a moment"):
            without_history(folder, "set boat.hull 2", mark="1", edits={"hull = 2": "hull = 0"})
    full = OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
    with monkeypatch.context() as patch:
        patch.setattr(log_and_torn_entries, "write_block", Mock(side_effect=full))
        with pytest.raises(LogWriteFailed):
            found(folder)
    assert "hull = 0" in text_of(folder)
    table = found(folder)
    assert logged(table)[2:] == ["by hand against play"]
    assert hull(settled(table)) == 0
