"""The list of keys, over whatever is on screen."""

from pathlib import Path

from textual import events

from tests.screens.playing import playing
from waylog.screens.frame import Frame
from waylog.screens.keys import KeysScreen


async def test_keys_in_a_burst_leave_the_list_once(tmp_path: Path) -> None:
    """A second key, or a click, that comes before the first has had its effect takes nothing else away."""
    async with playing(tmp_path / "tenacity") as (pilot, _):
        await pilot.press("question_mark")
        screen = pilot.app.screen
        assert isinstance(screen, KeysScreen)
        for _ in range(3):
            screen.post_message(events.Key("escape", None))
        await pilot.pause()
        assert isinstance(pilot.app.screen, Frame)
