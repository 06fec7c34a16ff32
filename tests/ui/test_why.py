"""Why a value is what it is, asked where it stands."""

from pathlib import Path

import pytest

from tests.small_table import saved
from tests.ui.playing import CAMPAIGN, SIZES, looked, playing, seen, typed
from waylog.app.wayfinder_app import WayfinderApp
from waylog.rules.panels import TextRow
from waylog.ui.main_screen import MainScreen
from waylog.ui.views.sheet import SheetView
from waylog.ui.views.why import NEVER


@pytest.mark.parametrize("size", SIZES)
async def test_w_shows_the_acts_behind_a_row_and_enter_goes_to_one(tmp_path: Path, size: tuple[int, int]) -> None:
    """Newest first with what each changed, and what was taken back left out; Enter is in the log, unfolded."""
    async with playing(tmp_path, size=size) as (pilot, table):
        for words in ("set ship.focus 2", "note between", "set ship.focus 0", "set ship.focus 3"):
            table.play(table.understand(words))
        table.undo()
        looked(pilot)
        await pilot.press("w")
        await pilot.pause()
        said = seen(pilot)
        assert "Why · Tenacity: Focus" in said
        assert said.index("2 → 0") < said.index("1 → 2")
        assert "0 → 3" not in said
        await pilot.press("down", "enter")
        await pilot.pause()
        assert isinstance(pilot.app.screen, MainScreen)
        assert any("▸" in line and "Set" in line for line in seen(pilot).splitlines())
        assert "1 → 2" in seen(pilot)


async def test_w_on_a_row_that_nothing_changed_says_so(tmp_path: Path) -> None:
    """The value is the file's own; Escape closes, once, however often it is pressed."""
    async with playing(tmp_path) as (pilot, table):
        await pilot.press("2", "w")
        await pilot.pause()
        assert NEVER[:30] in seen(pilot)
        await pilot.press("escape", "escape")
        await pilot.pause()
        assert isinstance(pilot.app.screen, MainScreen)
        assert table.snapshot.entries == 0


ODILE = """
[crew.odile]
name = "Odile"
role = "Mechanic"
vitality = 2
"""


async def test_w_tells_nothing_of_the_values_beside_a_row(tmp_path: Path) -> None:
    """What became of another value of the same person is no reason; that the person came aboard is, with what was said then."""
    async with playing(tmp_path, text=CAMPAIGN + ODILE) as (pilot, table):
        assert isinstance(pilot.app, WayfinderApp)
        table.play(table.understand("set crew.odile.vitality 3"))
        pilot.app.on_sheet_view_why_requested(SheetView.WhyRequested(TextRow("crew.odile.role", "Role", "Mechanic")))
        await pilot.pause()
        assert NEVER[:30] in seen(pilot)
        assert "vitality" not in "\n".join(seen(pilot).splitlines()[:-7])
        await pilot.press("escape")
        saved(tmp_path, "[crew.odile]", "[crew.tove]")
        table.refresh()
        pilot.app.on_sheet_view_why_requested(SheetView.WhyRequested(TextRow("crew.tove.role", "Role", "Mechanic")))
        await pilot.pause()
        assert "– → Mechanic" in seen(pilot)
        assert "vitality" not in "\n".join(seen(pilot).splitlines()[:-7])


async def test_its_keys_are_said_whole_or_not_at_all(tmp_path: Path) -> None:
    """Where the title leaves room for them, both keys stand there to the last letter."""
    async with playing(tmp_path, size=(80, 24)) as (pilot, _):
        await pilot.press("w")
        await pilot.pause()
        for width in range(66, 121, 3):
            await pilot.resize_terminal(width, 24)
            await pilot.pause()
            title = next(line for line in seen(pilot).splitlines() if "Why ·" in line)
            assert "Enter to the log  Esc closes" in title, width
        await pilot.resize_terminal(50, 24)
        await pilot.pause()
        assert "Enter" not in seen(pilot)


async def test_why_is_in_the_palette_and_among_the_keys(tmp_path: Path) -> None:
    """Who does not know the key finds it; on the log it says where it works."""
    async with playing(tmp_path) as (pilot, _):
        await pilot.press("question_mark")
        await pilot.pause()
        assert "History of this value" in seen(pilot)
        await pilot.press("escape")
        await pilot.pause()
        await pilot.press("ctrl+p")
        await typed(pilot, "why is")
        await pilot.press("enter")
        await pilot.pause()
        await pilot.pause()
        assert "Why · Tenacity: Focus" in seen(pilot)
        await pilot.press("escape")
        await pilot.pause()
        await pilot.press("3", "ctrl+p")
        await typed(pilot, "why is")
        await pilot.press("enter")
        await pilot.pause()
        assert "a row of the ship or the crew" in seen(pilot)


async def test_a_mark_says_that_there_are_more_reasons(tmp_path: Path) -> None:
    """However full the last line in sight is."""
    async with playing(tmp_path, size=(40, 20)) as (pilot, table):
        for focus in range(14):
            table.play(table.understand(f'set ship.name "A name that goes on to the end of the line {focus}"'))
        assert isinstance(pilot.app, WayfinderApp)
        pilot.app.on_sheet_view_why_requested(SheetView.WhyRequested(TextRow("ship.name", "Name", "")))
        await pilot.pause()
        assert "↓ more" in seen(pilot)
        await pilot.press("down", "pagedown", "pagedown")
        assert "↓ more" not in seen(pilot)
