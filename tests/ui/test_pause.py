"""A pause that anybody may ask for: on players' screens, and on the wayfinder's."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.ui.playing import playing, seen
from waylog.app.players_app import PlayersApp
from waylog.store.attendance import Attendance
from waylog.store.pause import ask_for_pause, end_pause, is_paused

PAUSED = "The game is paused"


async def _looks(pilot: Pilot[None]) -> None:
    """The app looks at the folder now."""
    pilot.app._look()  # type: ignore[attr-defined]  # what its timer calls
    await pilot.pause()


def test_two_requests_are_the_same(tmp_path: Path) -> None:
    """The same bytes and time, whoever asks and when; a second request changes nothing, and nothing is left of it."""
    folders = tmp_path / "one", tmp_path / "other"
    for folder in folders:
        folder.mkdir()
        ask_for_pause(folder)
    one, other = (folder / "inbox" / "pause" for folder in folders)
    assert one.read_bytes() == other.read_bytes()
    assert one.stat().st_mtime_ns == other.stat().st_mtime_ns == 0
    before = one.stat()
    ask_for_pause(folders[0])
    assert one.stat() == before
    end_pause(folders[0])
    end_pause(folders[0])
    assert not is_paused(folders[0])
    (left,) = (folders[0] / "inbox").iterdir()
    assert (left.name, left.stat().st_size, left.stat().st_mtime_ns) == ("pause", 0, 0)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can be two accounts")
def test_who_asks_is_not_the_owner_of_the_file(tmp_path: Path) -> None:
    """The wayfinder's program has made it before. After the pause it is a new one, with nothing of the last."""
    folder = tmp_path / "trial"
    (folder / "inbox").mkdir(parents=True)
    Attendance(folder).hold()
    assert not is_paused(folder)
    file = folder / "inbox" / "pause"
    for path in (tmp_path, *tmp_path.parents):
        if not path.stat().st_mode & 0o001:
            path.chmod(0o711)
    before = file.stat()
    if not (child := os.fork()):
        os.setuid(65534)
        ask_for_pause(folder)
        os._exit(0)
    assert os.waitpid(child, 0)[1] == 0
    assert is_paused(folder)
    assert file.stat().st_uid == before.st_uid
    end_pause(folder)
    after = file.stat()
    assert (after.st_uid, after.st_size, after.st_mtime_ns) == (before.st_uid, 0, 0)


def test_a_link_in_its_place_is_not_followed(tmp_path: Path) -> None:
    """It counts as a pause, and ends with it."""
    (tmp_path / "inbox").mkdir()
    (tmp_path / "inbox" / "pause").symlink_to(tmp_path / "precious")
    ask_for_pause(tmp_path)
    assert not (tmp_path / "precious").exists()
    end_pause(tmp_path)
    assert not is_paused(tmp_path)


@pytest.mark.parametrize("size", [(40, 20), (120, 36)])
async def test_a_player_presses_x_twice(tmp_path: Path, size: tuple[int, int]) -> None:
    """The first press says what the second one does. The window is calm until the game goes on."""
    app = PlayersApp(tmp_path)
    async with app.run_test(size=size) as pilot:
        await pilot.press("x")
        assert "Press x again" in seen(pilot)
        assert not is_paused(tmp_path)
        await pilot.press("x")
        assert is_paused(tmp_path)
        assert PAUSED in " ".join(seen(pilot).split())
        assert "rewind" not in seen(pilot)
        end_pause(tmp_path)
        await _looks(pilot)
        assert PAUSED not in seen(pilot)


async def test_an_account_that_may_not_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the reason."""

    def refuse(*_: object, **__: object) -> int:
        raise PermissionError(13, "Permission denied")

    app = PlayersApp(tmp_path)
    async with app.run_test(size=(120, 36)) as pilot:
        monkeypatch.setattr(os, "open", refuse)
        await pilot.press("x", "x")
        monkeypatch.undo()
        assert "A pause can't be asked for: permission denied" in seen(pilot)


async def test_the_wayfinder_says_how_play_goes_on(tmp_path: Path) -> None:
    """A line that is being typed is still there. Nothing of the pause is logged."""
    async with playing(tmp_path, size=(80, 24)) as (pilot, table):
        await pilot.press(*":note hallo")
        ask_for_pause(table.folder)
        await _looks(pilot)
        assert PAUSED in seen(pilot)
        await pilot.press("j", "enter", "g")
        await _looks(pilot)
        assert PAUSED not in seen(pilot)
        assert "note hallo" in seen(pilot)
        assert not is_paused(table.folder)
        assert table.snapshot.entries == 0


async def test_a_fade_begins_a_new_scene_and_a_rewind_asks(tmp_path: Path) -> None:
    """Both end the pause."""
    async with playing(tmp_path, size=(120, 36)) as (pilot, table):
        table.play(table.understand("note before"))
        ask_for_pause(table.folder)
        await _looks(pilot)
        await pilot.press("f")
        await _looks(pilot)
        assert table.entry(2).words == "scene"
        table.play(table.understand("note after"))
        ask_for_pause(table.folder)
        await _looks(pilot)
        await pilot.press("r")
        await _looks(pilot)
        assert not is_paused(table.folder)
        assert "Rewind" in seen(pilot)
        await pilot.press("enter")
        assert table.snapshot.act[-1].undoes


async def test_another_window_may_end_it(tmp_path: Path) -> None:
    """Then this one goes on, too."""
    async with playing(tmp_path, size=(80, 24)) as (pilot, table):
        ask_for_pause(table.folder)
        await _looks(pilot)
        end_pause(table.folder)
        await _looks(pilot)
        assert PAUSED not in seen(pilot)
