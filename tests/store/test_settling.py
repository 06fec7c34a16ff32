"""The campaign file is brought up beside the play, and never says more or less than its mark."""

import errno
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from tests.kit.table import Falling, saved, table_at, text_of, ticking, written
from waylog.rules.model.state import EntryKind
from waylog.store.file import hand_edits
from waylog.store.files_and_lock import CampaignBusy, write_beside
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.store.players import players_file
from waylog.table import LogWriteFailed, Table

pytestmark = pytest.mark.usefixtures("only_small_game")


def test_a_file_that_is_brought_up_in_the_middle_of_an_act_says_what_its_mark_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An act is in the log a moment before the table knows its outcome. A file written in that moment claims neither."""
    folder = written(tmp_path / "swallow")
    table = table_at(folder)
    table.play(table.understand("row boat wild"))
    looked = threading.Event()
    appended, beside = table._log.append, write_beside

    def noticed(path: Path, data: bytes) -> Path:
        looked.set()
        return beside(path, data)

    def interrupted(entry: LogEntry) -> None:
        appended(entry)
        settling.start()
        assert looked.wait(10)

    settling = threading.Thread(target=table.settle)
    monkeypatch.setattr(hand_edits, "write_beside", noticed)
    monkeypatch.setattr(table._log, "append", interrupted)
    table.play(table.understand("row boat wild"))
    settling.join()
    assert 'log = "0001:1"' in text_of(folder)
    other = table_at(folder)
    saved(folder, "# What presses on", "# What presses on us")
    other.refresh()
    assert [entry.words for entry in other.latest() if entry.kind is EntryKind.BY_HAND] == []


def test_players_see_an_act_before_the_campaign_file_is_written(tmp_path: Path) -> None:
    """Nobody waits for the campaign file, so their programs hear of the act before it is touched."""
    table = table_at(written(tmp_path / "swallow"))
    table.add_reader()
    table.play(table.understand("note hello"))
    before, heard = text_of(table.folder), list[tuple[bool, bool]]()

    def hear() -> None:
        heard.append(("hello" in (table.folder / "players.toml").read_text(), text_of(table.folder) == before))

    assert table.settle(hear)
    assert (heard, text_of(table.folder) == before) == ([(True, True)], False)


@pytest.mark.parametrize(
    "error", [OSError(errno.ENOSPC, "No space left on device"), CampaignBusy("held by another program")]
)
def test_players_who_still_see_what_was_hidden_are_named_until_they_do_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    """The players' file could not be written: the wayfinder hears it, and the next try writes it."""
    table = table_at(written(tmp_path / "swallow"))
    table.add_reader()
    table.play(table.understand("note hello"))
    assert table.settle()

    def fail(folder: Path, data: bytes) -> None:
        raise error

    with monkeypatch.context() as broken:
        broken.setattr(players_file, "write_players_file", fail)
        table.play(table.understand("hide clock storm"))
        assert not table.settle()
        assert table.file_is_behind()
        assert "Players still see the earlier state" in (table.snapshot.unsaved or "")
    assert "The storm" in (table.folder / "players.toml").read_text()
    assert table.settle()
    assert (table.file_is_behind(), table.snapshot.unsaved) == (False, None)
    assert "The storm" not in (table.folder / "players.toml").read_text()


def test_what_a_crash_left_is_gone_after_the_next_start(tmp_path: Path) -> None:
    """What was never finished goes, and so does a whole version that is nothing new; and nobody has to act for that."""
    folder = written(tmp_path / "swallow")
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    (folder / f".campaign.toml.{gone.pid}-1.part").write_text("format = 1\nna")
    (folder / f".campaign.toml.{gone.pid}-1.tmp").write_text(text_of(folder))
    table_at(folder).refresh()
    assert sorted(path.name for path in folder.iterdir()) == [".lock", "campaign.toml", "history"]
    assert sorted(path.name for path in (folder / "history").iterdir()) == [
        "0001-000000.toml",
        "known",
        "written",
    ]


def test_a_window_that_only_looks_on_clears_nothing_away(tmp_path: Path) -> None:
    """What others have left is not its business."""
    folder = written(tmp_path / "swallow")
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    left = folder / f".campaign.toml.{gone.pid}-1.part"
    left.write_text("")
    assert not Table(folder, now=ticking(), chance=Falling(), read_only=True).refresh()
    assert left.exists()


def test_an_act_that_is_on_the_disk_is_done_however_its_file_closes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A system may report an error when a file is closed. What was made durable before is not said to be undone."""
    table = table_at(written(tmp_path / "swallow"))
    closed = os.close

    def badly(descriptor: int) -> None:
        closed(descriptor)
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", lambda _: None)
        patch.setattr(os, "close", badly)
        patch.setattr("waylog.store.log.log_and_torn_entries.sync", lambda _: None)
        patch.setattr("waylog.store.file.hand_edits.read_bytes", lambda path: path.read_bytes())
        entry = table.play(table.understand("row boat wild"))
    assert table.snapshot.entries == entry.number == 1
    assert table.snapshot.held is None


def test_an_act_is_held_until_it_is_written_or_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Trying again while the disk still won't is no way to lose it, whichever part of writing fails."""
    table = table_at(written(tmp_path / "swallow"))

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    with monkeypatch.context() as patch:
        patch.setattr(os, "write", full)
        with pytest.raises(LogWriteFailed):
            table.play(table.understand("row boat wild"))
        with pytest.raises(LogWriteFailed):
            table.retry_save()
    with monkeypatch.context() as patch:
        patch.setattr("waylog.store.store_and_new_log_entries.lock_campaign", full)
        with pytest.raises(LogWriteFailed):
            table.retry_save()
    assert table.snapshot.held is not None
    assert table.retry_save().words == "row boat wild"
    assert table.snapshot.held is None


def test_an_act_is_shown_as_done_though_the_disk_tells_nothing_of_earlier_ones(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is known stands; the next look asks again."""
    table = table_at(written(tmp_path / "swallow"))
    table.play(table.understand("row boat wild"))

    def fails(*_: object) -> None:
        raise OSError(errno.EIO, os.strerror(errno.EIO))

    entry = table.play(table.understand("note later"))
    with monkeypatch.context() as patch:
        patch.setattr("waylog.snapshot_and_act_preview.undo_status", fails)
        assert table.snapshot.entries == entry.number
        assert [each.number for each in table.snapshot.act] == [entry.number]
        assert not table.snapshot.undo
    assert [each.number for each in table.snapshot.undo] == [entry.number]
