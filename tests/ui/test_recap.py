"""The recap from the app: a file in the campaign's folder, to hand to the players."""

import os
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.ui.playing import playing, seen, typed
from waylog.store.recap_markdown import recap_text
from waylog.table import Table


async def _told(pilot: Pilot[None]) -> None:
    """Find it in the list of everything."""
    await pilot.press("ctrl+p")
    await typed(pilot, "recap")
    await pilot.press("enter")
    await pilot.pause()


def _played(table: Table, *lines: str) -> None:
    for line in lines:
        table.play(table.understand(line))


def _files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.glob("recap*"))


@pytest.mark.clause("NM-41")
async def test_a_recap_is_written_from_the_list_of_everything(tmp_path: Path) -> None:
    """It says which file it is; the file is what the command line prints, and nothing secret is in it."""
    async with playing(tmp_path) as (pilot, table):
        _played(table, "session begin", 'note "Fog"', 'secret "Teeth"')
        await _told(pilot)
        assert "recap-0001.md" in seen(pilot)
        text = (tmp_path / "recap-0001.md").read_text()
        assert text == recap_text(table.recap())
        assert "> Fog" in text
        assert "Teeth" not in text


async def test_a_recap_that_a_person_has_worked_on_stays(tmp_path: Path) -> None:
    """The same recap again is the same file; another one gets a number behind its name."""
    async with playing(tmp_path) as (pilot, table):
        _played(table, "session begin")
        await _told(pilot)
        await _told(pilot)
        assert _files(tmp_path) == ["recap-0001.md"]
        (tmp_path / "recap-0001.md").write_text("Better told")
        await _told(pilot)
        assert (tmp_path / "recap-0001.md").read_text() == "Better told"
        assert (tmp_path / "recap-0001-2.md").read_text() == recap_text(table.recap())


async def test_a_recap_that_can_not_be_written_says_why(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A full disk leaves no half of it behind."""

    def open_on_a_full_disk(path: Path, *_: int) -> int:
        path.touch()
        return os.open("/dev/full", os.O_WRONLY)

    async with playing(tmp_path) as (pilot, table):
        _played(table, "session begin")
        monkeypatch.setattr("waylog.store.recap_markdown.open_inside", open_on_a_full_disk)
        await _told(pilot)
        monkeypatch.undo()
        assert "no space left on device" in seen(pilot)
        assert _files(tmp_path) == []
