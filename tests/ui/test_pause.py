"""A pause that anybody may ask for: on players' screens, and on the wayfinder's."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.kit.app import playing, seen
from waylog.app.players_apps_and_phones import PlayersApp
from waylog.store.players.pause_and_presence import (
    Attendance,
    PauseState,
    ask_for_pause,
    end_pause,
    is_paused,
    mark_shown,
    read_pause,
)

BIG = "██  ████   █      █    █"
"""A line of the large letters."""
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
    assert not [*(folders[0] / "inbox").iterdir()]


def test_a_link_in_its_place_is_not_followed(tmp_path: Path) -> None:
    """It counts as a pause, and ends with it."""
    (tmp_path / "inbox").mkdir()
    (tmp_path / "inbox" / "pause").symlink_to(tmp_path / "precious")
    ask_for_pause(tmp_path)
    assert not (tmp_path / "precious").exists()
    end_pause(tmp_path)
    assert not is_paused(tmp_path)


@pytest.fixture
def attendance(tmp_path: Path) -> Iterator[Attendance]:
    """A wayfinder's program that has the campaign open, and looks only when a test says so."""
    attendance = Attendance(tmp_path)
    attendance.hold(["ana"])
    yield attendance
    attendance.end()


@pytest.mark.parametrize("size", [(40, 20), (120, 36)])
@pytest.mark.usefixtures("attendance")
async def test_a_player_presses_x_twice(tmp_path: Path, size: tuple[int, int]) -> None:
    """The first press says what the second one does. The window is calm until the game goes on."""
    app = PlayersApp(tmp_path)
    async with app.run_test(size=size) as pilot:
        await pilot.press("x")
        assert "Press x again" in seen(pilot)
        assert not is_paused(tmp_path)
        await pilot.press("x")
        assert is_paused(tmp_path)
        mark_shown(tmp_path)
        await _looks(pilot)
        assert PAUSED in " ".join(seen(pilot).split())
        assert "rewind" not in seen(pilot)
        end_pause(tmp_path)
        await _looks(pilot)
        assert PAUSED not in seen(pilot)


@pytest.mark.usefixtures("attendance")
async def test_a_pause_that_the_wayfinder_does_not_see_is_shouted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In every player's window, for example while the wayfinder has stepped into an editor. It stops when the wayfinder sees it."""
    async with PlayersApp(tmp_path).run_test(size=(80, 24)) as pilot:
        await pilot.press("x", "x")
        assert BIG not in seen(pilot)
        monkeypatch.setattr("waylog.store.players.pause_and_presence.PATIENCE", 0.0)
        await _looks(pilot)
        assert BIG in seen(pilot)
        assert "the wayfinder doesn't know yet" in seen(pilot)
        mark_shown(tmp_path)
        await _looks(pilot)
        assert BIG not in seen(pilot)
        assert PAUSED in seen(pilot)


async def test_a_pause_at_a_closed_campaign_is_shouted_at_once(tmp_path: Path) -> None:
    """The other players' screens show it all the same."""
    async with PlayersApp(tmp_path).run_test(size=(80, 24)) as pilot:
        await pilot.press("x", "x")
        assert BIG in seen(pilot)
        assert "doesn't have the campaign open" in seen(pilot)
        assert is_paused(tmp_path)


async def test_an_account_that_may_not_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """In the largest letters that fit, with the reason and the cure. A key goes back to the game."""

    def refuse(*_: object, **__: object) -> int:
        raise PermissionError(13, "Permission denied")

    app = PlayersApp(tmp_path)
    async with app.run_test(size=(120, 36)) as pilot:
        monkeypatch.setattr(os, "open", refuse)
        await pilot.press("x", "x")
        monkeypatch.undo()
        assert BIG in seen(pilot)
        assert "permission denied. To fix this, the wayfinder can type: waylog players" in seen(pilot)
        await pilot.press("escape")
        assert BIG not in seen(pilot)
        await pilot.press("x", "x")
        assert is_paused(tmp_path)


@pytest.mark.parametrize(("size", "words"), [((40, 20), BIG), ((30, 10), "SAY IT ALOUD")])
async def test_a_small_window_shouts_as_large_as_it_can(tmp_path: Path, size: tuple[int, int], words: str) -> None:
    """With a longer reason, too. Blank lines give way before the letters do."""
    (tmp_path / "inbox").touch()
    async with PlayersApp(tmp_path).run_test(size=size) as pilot:
        await pilot.press("x", "x")
        assert words in seen(pilot)
        assert "ask again" in seen(pilot)


async def test_the_wayfinder_says_how_play_goes_on(tmp_path: Path) -> None:
    """A line that is being typed is still there. Nothing of the pause is logged."""
    async with playing(tmp_path, size=(80, 24)) as (pilot, table):
        await pilot.press(*":note hallo")
        ask_for_pause(table.folder)
        await _looks(pilot)
        assert PAUSED in seen(pilot)
        assert read_pause(table.folder) is PauseState.SHOWN
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
    """A pause that another window ends is over in this one too."""
    async with playing(tmp_path, size=(80, 24)) as (pilot, table):
        ask_for_pause(table.folder)
        await _looks(pilot)
        end_pause(table.folder)
        await _looks(pilot)
        assert PAUSED not in seen(pilot)


async def test_the_wayfinder_reads_why_players_are_cut_off(tmp_path: Path) -> None:
    """In the window, at the first look, so that nobody finds out in the middle of a scene."""
    async with playing(tmp_path, size=(120, 36)) as (pilot, table):
        table.play(table.understand("set players.ana.name Ana"))
        (table.folder / "inbox").touch()
        await _looks(pilot)
        assert "Players can't reach you" in seen(pilot)
