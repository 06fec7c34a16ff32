"""The rules, one key away: of a row, a refusal, a line that is typed, a log entry; searched; and ruled on."""

from pathlib import Path

import pytest

from tests.kit.app import CAMPAIGN, SIZES, playing, seen, typed
from tests.kit.thorough import cases
from waylog.ui.main_screen import MainScreen
from waylog.ui.views.rule import RuleScreen


@pytest.mark.parametrize("size", cases(SIZES, 1, 3))
async def test_i_shows_the_rule_of_a_row_above_the_tray(tmp_path: Path, size: tuple[int, int]) -> None:
    """Its title, text, related rules and code are there; the dice and the question in the tray stay in sight. Esc closes once."""
    async with playing(tmp_path, 3, 5, size=size) as (pilot, table):
        await pilot.press("r", "n", "enter")
        assert table.snapshot.question
        await pilot.press("i")
        await pilot.pause()
        shown = seen(pilot)
        assert "Spending Focus" in shown
        assert "VK-13" in shown
        assert "After a roll, but before its" in shown
        assert "? NAV 3 5" in shown
        await pilot.press("escape", "escape")
        await pilot.pause()
        assert isinstance(pilot.app.screen, MainScreen)


async def test_i_after_an_act_shows_its_rule_as_long_as_its_result_is_shown(tmp_path: Path) -> None:
    """After the next key, that of the row under the cursor comes first again."""
    async with playing(tmp_path, 1, 1, text=CAMPAIGN.replace("focus = 1", "focus = 0")) as (pilot, _):
        await pilot.press("r", "n", "enter", "i")
        assert "Focus on a Fiasco ─" in seen(pilot)
        await pilot.press("escape", "down", "up", "i")
        assert "Focus on a Fiasco ─" not in seen(pilot)


async def test_related_rules_are_opened_and_left_again(tmp_path: Path) -> None:
    """Enter opens the one under the cursor, the left arrow goes back to where it was opened."""
    async with playing(tmp_path) as (pilot, _):
        await pilot.press("i")
        assert "Focus ─" in seen(pilot)
        await pilot.press("down", "down", "enter")
        assert "Focus on a Fiasco ─" in seen(pilot)
        await pilot.press("left")
        assert "Focus ─" in seen(pilot)
        await pilot.click("_RuleText", offset=(5, 10))
        assert "Spending Focus ─" in seen(pilot)


async def test_i_after_a_refusal_shows_the_rule_that_refused(tmp_path: Path) -> None:
    """Nothing in the refusal itself names it by a code."""
    async with playing(tmp_path) as (pilot, table):
        await pilot.press("4", "full_stop")
        assert "death or augury clock is running" in seen(pilot)
        assert "i rule" in seen(pilot)
        assert "NM-23" not in seen(pilot)
        await pilot.press("i")
        assert "NM-23" in seen(pilot)
        assert "Death and augury clocks" in seen(pilot)
        assert table.snapshot.entries == 0


async def test_f1_shows_the_rule_of_a_line_and_the_line_goes_on(tmp_path: Path) -> None:
    """`i` is a letter there. What has been typed stays, and no ruling can be begun over it."""
    async with playing(tmp_path) as (pilot, table):
        await pilot.press("r")
        await typed(pilot, "n 3 5")
        await pilot.press("f1")
        await pilot.pause()
        assert isinstance(pilot.app.screen, RuleScreen)
        assert "VK-14" in seen(pilot)
        await pilot.press("e", "escape")
        assert isinstance(pilot.app.screen, MainScreen)
        await pilot.press("enter")
        assert table.entry(1).words == "roll nav"


async def test_i_in_the_log_shows_the_rules_of_an_entry(tmp_path: Path) -> None:
    """Those of what followed come first."""
    async with playing(tmp_path, 1, 1, text=CAMPAIGN.replace("focus = 1", "focus = 0")) as (pilot, table):
        await pilot.press("r", "n", "enter", "3", "i")
        assert table.snapshot.entries == 1
        assert "Focus on a Fiasco" in seen(pilot)


async def test_rules_are_searched_in_the_line_the_palette_and_from_a_rule(tmp_path: Path) -> None:
    """`:rule` lists rules by title and text, Ctrl+P by title, and `/` from a rule does what `:rule` does."""
    async with playing(tmp_path) as (pilot, _):
        await pilot.press("colon")
        await typed(pilot, "rule vk-15")
        await pilot.press("enter")
        assert "Focus on a Fiasco ─" in seen(pilot)
        await pilot.press("slash")
        await typed(pilot, "bulkhead")
        assert "Nothing contains" in seen(pilot)
        await pilot.press("escape", "escape", "ctrl+p")
        await typed(pilot, "desperate fiasco")
        await pilot.press("enter")
        assert "Desperate Fiasco ─" in seen(pilot)


async def test_e_writes_a_ruling_that_is_shown_with_its_rule(tmp_path: Path) -> None:
    """The line has the code already. The ruling is one act: in the file, under the rule, and gone with one undo."""
    async with playing(tmp_path) as (pilot, table):
        await pilot.press("i", "e")
        await typed(pilot, "two at most aboard")
        await pilot.press("enter")
        assert table.snapshot.reference.rulings == {"VK-04": "two at most aboard"}
        await pilot.press("i")
        assert "Your ruling  two at most aboard" in seen(pilot)
        await pilot.press("escape", "u", "enter")
        assert table.snapshot.reference.rulings == {}


async def test_a_rule_covers_no_part_of_the_clock_strip(tmp_path: Path) -> None:
    """A rule covers no part of the clock strip, of which pieces would be left beside it."""
    clock = '\n[clocks.dark]\nname = "The dark comes back"\nsegments = 4\nfilled = 1\n'
    async with playing(tmp_path, text=CAMPAIGN + clock, size=(130, 36)) as (pilot, _):
        await pilot.press("1", "i")
        await pilot.pause()
        assert "Esc close" in seen(pilot)
        assert "The dark comes back 1/4" in seen(pilot)


async def test_a_rule_fits_the_window_when_its_size_changes(tmp_path: Path) -> None:
    """It lies as if it had been opened in the window as it is now."""
    async with playing(tmp_path, size=(200, 50)) as (pilot, _):
        await pilot.press("1", "i")
        for size in ((120, 36), (80, 24), (200, 50)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            resized = seen(pilot)
            await pilot.press("escape", "i")
            await pilot.pause()
            assert resized == seen(pilot)
            assert "Esc close" in resized
