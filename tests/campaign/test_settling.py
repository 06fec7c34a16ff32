"""The campaign file is brought up beside the play, and never says more or less than its mark."""

import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.small_table import saved, small_game, table_at, text_of, written
from waylog import table as table_module
from waylog.campaign.folder import written_beside
from waylog.campaign.log import Entry
from waylog.table import BY_HAND


@pytest.fixture(autouse=True)
def _small_game() -> Iterator[None]:
    with small_game():
        yield


def test_a_file_that_is_brought_up_in_the_middle_of_an_act_says_what_its_mark_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An act is in the log a moment before the table knows its outcome. A file written in that moment claims neither."""
    folder = written(tmp_path / "swallow")
    table = table_at(folder)
    table.play(table.understand("row boat wild"))
    looked = threading.Event()
    appended, beside = table._log.append, written_beside

    def noticed(path: Path, data: bytes) -> Path:
        looked.set()
        return beside(path, data)

    def interrupted(entry: Entry) -> None:
        appended(entry)
        settling.start()
        assert looked.wait(10)

    settling = threading.Thread(target=table.settle)
    monkeypatch.setattr(table_module, "written_beside", noticed)
    monkeypatch.setattr(table._log, "append", interrupted)
    table.play(table.understand("row boat wild"))
    settling.join()
    assert 'log = "0001:1"' in text_of(folder)
    other = table_at(folder)
    saved(folder, "# What presses on", "# What presses on us")
    other.refresh()
    assert [entry.words for entry in other.latest() if entry.words == BY_HAND] == []
