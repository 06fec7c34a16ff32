"""A window that is too small for anything: nothing is seen in it but that."""

from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.kit.app import looked, playing, seen
from tests.kit.table import saved


def words(pilot: Pilot[None]) -> str:
    """All that is on the screen, in one line."""
    return " ".join(seen(pilot).split())


@pytest.mark.parametrize("key", ["1", "2", "3", "4", "5"])
async def test_a_view_turned_to_leaves_with_the_room(tmp_path: Path, key: str) -> None:
    """Whichever view was gone to, and wherever from, one plain line is all; the view is back with the room."""
    async with playing(tmp_path, size=(80, 24)) as (pilot, _):
        await pilot.press("4", "1", key)
        await pilot.pause()
        before = words(pilot)
        await pilot.resize_terminal(28, 8)
        await pilot.pause()
        assert words(pilot) == "Waylog needs 30×8. q quits"
        await pilot.press("1", "2", key)
        await pilot.pause()
        assert words(pilot) == "Waylog needs 30×8. q quits"
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert words(pilot) == before


async def test_trouble_waits_for_room_too(tmp_path: Path) -> None:
    """What is wrong in the file is said when there is room for it, and no longer than it is wrong."""
    async with playing(tmp_path, size=(28, 8)) as (pilot, _):
        saved(tmp_path, "focus = 1", "focus = = 1")
        looked(pilot)
        await pilot.pause()
        assert words(pilot) == "Waylog needs 30×8. q quits"
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert "campaign.toml:9" in seen(pilot)
        await pilot.resize_terminal(28, 8)
        await pilot.pause()
        assert words(pilot) == "Waylog needs 30×8. q quits"
        saved(tmp_path, "focus = = 1", "focus = 1")
        looked(pilot)
        await pilot.resize_terminal(80, 24)
        await pilot.pause()
        assert "campaign.toml:9" not in seen(pilot)
