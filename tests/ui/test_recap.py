"""The recap from the app: a file in the campaign's folder, to hand to the players."""

import os
from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot

from tests.kit.app import SIZES, looked, playing, seen, typed
from tests.kit.thorough import cases
from waylog.store.shown.recap_in_markdown import recap_text
from waylog.table import Table
from waylog.ui.main_screen import MainScreen
from waylog.ui.views.recap import RecapScreen


async def _told(pilot: Pilot[None], name: str = "recap") -> None:
    """Find it in the list of everything."""
    if not isinstance(pilot.app.screen, MainScreen):
        await pilot.press("escape")
    await pilot.press("ctrl+p")
    await typed(pilot, name)
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
        monkeypatch.setattr("waylog.store.shown.recap_in_markdown.open_inside", open_on_a_full_disk)
        await _told(pilot)
        monkeypatch.undo()
        assert "No space left on device" in seen(pilot)
        assert _files(tmp_path) == []


LONG = (
    "session begin",
    'scene "The long way down"',
    'note "*Three* bells, and nobody rings them"',
    *(
        f'note "Bell number {number} rings far below the deck where nobody has been since the storm"'
        for number in range(40)
    ),
    "clock Fog 6 death",
)


@pytest.mark.parametrize("size", cases(SIZES, 2, 3))
async def test_a_written_recap_opens_to_be_read(tmp_path: Path, size: tuple[int, int]) -> None:
    """Under its file's name, without markup; keys scroll to its end and back, `y` copies the whole file, Esc returns."""
    async with playing(tmp_path, size=size) as (pilot, table):
        _played(table, *LONG)
        looked(pilot)
        await _told(pilot)
        text = (tmp_path / "recap-0001.md").read_text()
        first = seen(pilot)
        assert "Recap saved: recap-0001.md" in first
        assert "The long way down" in first
        assert "│ *Three* bells, and nobody rings them" in " ".join(first.split("\n│"))
        assert not any(markup in first for markup in ("# ", "\\*", "**"))
        assert all(word in first for word in ("Esc close", "y copy", "Space next page"))
        assert "Bell number 39" not in first
        await pilot.press("end")
        assert "100%" in seen(pilot)
        assert "Fog started" in seen(pilot)
        assert "Bell number 39" in " ".join(seen(pilot).split())
        await pilot.press("up", "pageup")
        assert "Fog started" not in seen(pilot)
        await pilot.press("home", "down", "space", "home")
        assert seen(pilot) == first
        await pilot.press("y")
        assert pilot.app.clipboard == text
        assert "Copied “# Tenacity: session 1”" in seen(pilot)
        await pilot.press("down", "up")
        assert seen(pilot) == first
        await pilot.press("escape")
        assert isinstance(pilot.app.screen, MainScreen)
        # In a small window, the path goes over several lines.
        assert f"Recapsaved:{tmp_path}/recap-0001.md.ycopiesit" in "".join(seen(pilot).split())


@pytest.mark.parametrize(("words", "narrow"), [("Fog", True), ("Fog " * 60, False)])
async def test_its_frame_is_as_wide_as_its_lines(tmp_path: Path, words: str, *, narrow: bool) -> None:
    """A short text doesn't hide what is beside it; a long one has lines that are good to read."""
    async with playing(tmp_path) as (pilot, table):
        _played(table, "session begin", f'note "{words.strip()}"')
        looked(pilot)
        await _told(pilot)
        region = pilot.app.screen.query_one("_RecapText").region
        assert region.width == 64 if narrow else 84 < region.width <= 94
        assert "Space next page" in seen(pilot) or "y copy" in seen(pilot)


async def test_the_mouse_scrolls_copies_and_closes(tmp_path: Path) -> None:
    """The wheel scrolls, the hints can be clicked, and a click beside the recap closes it."""
    async with playing(tmp_path) as (pilot, table):
        _played(table, *LONG)
        looked(pilot)
        await _told(pilot)
        first = seen(pilot)
        await pilot._post_mouse_events([events.MouseScrollDown], "_RecapText", offset=(9, 9), button=0)
        await pilot.pause()
        assert "Tenacity: session 1" not in seen(pilot)
        await pilot._post_mouse_events([events.MouseScrollUp], "_RecapText", offset=(9, 9), button=0)
        await pilot.pause()
        assert seen(pilot) == first
        region = pilot.app.screen.query_one("_RecapText").region
        lines = first.splitlines()[region.y :]
        y = next(y for y, line in enumerate(lines) if "y copy" in line)
        await pilot.click("_RecapText", offset=(lines[y].index("y copy") - region.x, y))
        await pilot.pause()
        assert pilot.app.clipboard == (tmp_path / "recap-0001.md").read_text()
        await pilot.click(offset=(2, 2))
        await pilot.pause()
        assert isinstance(pilot.app.screen, MainScreen)


async def test_the_latest_recap_is_read_again(tmp_path: Path) -> None:
    """As its file is now; nothing is written. Before there is any, it says so."""
    async with playing(tmp_path) as (pilot, table):
        await _told(pilot, "latest recap")
        assert "No recap has been written yet" in seen(pilot)
        _played(table, "session begin")
        (tmp_path / "recap-0001-10.md").write_text("- Better\n- **Bravely** told\n")
        (tmp_path / "recap-0001-9.md").write_text("Older")
        (tmp_path / "recap-notes.md").write_text("No recap")
        await _told(pilot, "latest recap")
        assert "Recap: recap-0001-10.md" in seen(pilot)
        assert "• Bravely told" in seen(pilot)
        assert len(_files(tmp_path)) == 3


async def test_a_recap_that_can_not_be_read_says_why(tmp_path: Path) -> None:
    """A folder of that name is no recap."""
    async with playing(tmp_path) as (pilot, _):
        (tmp_path / "recap-0001.md").mkdir()
        await _told(pilot, "latest recap")
        assert "recap-0001.md" in seen(pilot)
        assert isinstance(pilot.app.screen, MainScreen)


async def test_a_narrow_window_says_in_full_where_the_copy_is(tmp_path: Path) -> None:
    """The message with the file's path takes the lines that it needs."""
    async with playing(tmp_path, size=(40, 20)) as (pilot, _):
        path = "~/.local/state/waylog/copied.txt"
        news = f"Copied “# The Tenacity: session 1, The long way down” and 78 more lines. In case pasting doesn't work, the text is also in {path}"
        await pilot.app.push_screen(RecapScreen("Recap", "- Text", lambda _: news))
        await pilot.press("y")
        assert path in seen(pilot)
