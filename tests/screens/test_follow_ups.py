"""What may follow an act, in the tray: how it is seen, and the one key of each."""

from pathlib import Path

from tests.screens.playing import seen
from tests.screens.test_tables import _to_deck, searching


async def test_what_enter_would_take_has_a_sign(tmp_path: Path) -> None:
    """While something is asked, `▸` stands before the marked answer, with colours or without, and goes with the arrows."""
    async with searching(tmp_path, 1) as (pilot, _):
        await _to_deck(pilot, 2)
        await pilot.press("enter", "enter")
        assert "▸e  It hears you" in seen(pilot)
        await pilot.press("right")
        assert "▸w  A way round" in seen(pilot)
        assert "▸e" not in seen(pilot)
