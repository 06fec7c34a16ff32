"""Course and Flow by keys: both elections stand side by side, whole, and one key takes one."""

from pathlib import Path

import pytest

from tests.ui.playing import playing, seen, typed

CAMPAIGN = """\
format = 1
name = "Moth"
system = "course-flow"
log = "0001:0"

[course]
die = "sneaky"
face = 2
set_by = "iko"

[flows.patrol]
name = "The harbour patrol is tired"
value = 3

[crew.iko]
name = "Iko"

[crew.mara]
name = "Mara"
skills = { Piloting = 1 }
"""


@pytest.mark.clause("CF-13")
@pytest.mark.parametrize("size", [(120, 36), (80, 24)])
async def test_both_elections_are_read_to_their_end(tmp_path: Path, size: tuple[int, int]) -> None:
    """In the smallest window too nothing of what follows is cut off; the die's letter elects it."""
    async with playing(tmp_path, size=size, text=CAMPAIGN) as (pilot, table):
        await pilot.press("r")
        await typed(pilot, "m 16 pil patrol dangerous watched thr daring 2 6")
        await pilot.press("enter")
        whole = " ".join(seen(pilot).split())
        assert (
            "t Thriving 2: a tie: Setback · Flow 3→0 · Piloting 1→2 · harm · noticed · Course Daring 6 "
            "d Daring 6: 12, a win · high Daring: no harm · Flow 3→0 · +Initiative · noticed · Course Thriving 2"
        ) in whole
        await pilot.press("d")
        assert table.entry(2).words == "elect daring"
        assert "Take the win" in seen(pilot)


@pytest.mark.clause("CF-12")
@pytest.mark.parametrize("tab", ["1", "2"])
async def test_who_may_not_roll_is_in_sight_beside_ship_and_crew(tmp_path: Path, tab: str) -> None:
    """And the line for a roll says so as well."""
    async with playing(tmp_path, size=(80, 24), text=CAMPAIGN) as (pilot, table):
        await pilot.press(tab)
        await pilot.pause()
        assert "Iko can't roll" in seen(pilot)
        await pilot.press("r", "i")
        await pilot.press("enter")
        assert "Iko set the Course" in seen(pilot)
        assert table.snapshot.entries == 0
