"""Why a value is what it is, asked where it stands."""

from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.kit.app import CAMPAIGN, SIZES, looked, playing, seen, typed
from tests.kit.table import saved
from tests.kit.thorough import cases
from waylog.app.wayfinder_app import WayfinderApp
from waylog.rules.model.panels import TextRow
from waylog.ui.main_screen import MainScreen
from waylog.ui.views.bridge_ship_and_crew import SheetView
from waylog.ui.views.why import NEVER


def _listed(pilot: Pilot[None]) -> str:
    """What stands between the title and the keys."""
    return seen(pilot).partition("Why ·")[2].partition("Esc close")[0]


@pytest.mark.parametrize("size", cases(SIZES, 2, 3))
async def test_w_shows_the_acts_behind_a_row_and_enter_goes_to_one(tmp_path: Path, size: tuple[int, int]) -> None:
    """Newest first with what each changed, and what was taken back left out; Enter is in the log, unfolded."""
    async with playing(tmp_path, size=size) as (pilot, table):
        for words in ("set ship.focus 2", "note between", "set ship.focus 0", "set ship.focus 3"):
            table.play(table.understand(words))
        table.undo()
        looked(pilot)
        await pilot.press("w")
        await pilot.pause()
        assert "Why · Tenacity: Focus" in seen(pilot)
        said = _listed(pilot)
        assert said.index("2 → 0") < said.index("1 → 2")
        assert "0 → 3" not in said
        await pilot.press("down", "enter")
        await pilot.pause()
        assert isinstance(pilot.app.screen, MainScreen)
        assert any("▸" in line and "Ship: focus" in line for line in seen(pilot).splitlines())
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


@pytest.mark.parametrize("size", cases(SIZES, 0, 3))
async def test_its_keys_stand_below_the_list(tmp_path: Path, size: tuple[int, int]) -> None:
    """Each with its word, in every window; where nothing is listed, only the one that closes."""
    async with playing(tmp_path, size=size) as (pilot, table):
        await pilot.press("w")
        await pilot.pause()
        assert "Esc close" in seen(pilot)
        assert "to the log" not in seen(pilot)
        await pilot.press("escape")
        table.play(table.understand("set ship.focus 2"))
        looked(pilot)
        await pilot.press("w")
        await pilot.pause()
        assert "⏎ to the log  ↑↓ choose  Esc close" in seen(pilot)


async def test_it_is_as_tall_as_what_it_says(tmp_path: Path) -> None:
    """One line more for each entry, until it has to scroll."""
    async with playing(tmp_path, size=(80, 24)) as (pilot, table):
        heights = []
        for focus in (1, 2, 3, 0, 1, 2, 3, 0, 1, 2):
            if table.snapshot.entries or focus > 1:
                table.play(table.understand(f"set ship.focus {focus}"))
                looked(pilot)
            await pilot.press("w")
            await pilot.pause()
            heights.append(len(_listed(pilot).splitlines()))
            await pilot.press("escape")
            await pilot.pause()
        assert heights == [4, 5, 7, 9, 11, 13, 15, 17, 17, 17]


async def test_it_takes_the_whole_of_a_low_window_in_which_it_would_be_cut(tmp_path: Path) -> None:
    """With few entries, what it explains stays in sight beside it."""
    async with playing(tmp_path, size=(80, 18)) as (pilot, table):
        for focus, is_framed in ((2, True), (3, True), (0, True), (1, True), (2, False)):
            table.play(table.understand(f"set ship.focus {focus}"))
            looked(pilot)
            await pilot.press("w")
            await pilot.pause()
            assert ("╭" in seen(pilot)) is is_framed
            assert "↓ more" not in _listed(pilot)
            await pilot.press("escape")
            await pilot.pause()


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
