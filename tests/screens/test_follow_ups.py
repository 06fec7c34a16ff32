"""What may follow an act, in the tray: how it is seen, and the one key of each."""

from pathlib import Path

from tests.screens.playing import seen
from tests.screens.test_tables import _key_of, _to_deck, searching


async def test_what_enter_would_take_has_a_sign(tmp_path: Path) -> None:
    """While something is asked, `▸` stands before the marked answer, with colours or without, and goes with the arrows."""
    async with searching(tmp_path, 1) as (pilot, _):
        await _to_deck(pilot, 2)
        await pilot.press("enter", "enter")
        assert "▸e  It hears you" in seen(pilot)
        await pilot.press("right")
        assert "▸w  A way round" in seen(pilot)
        assert "▸e" not in seen(pilot)


async def test_a_key_pressed_twice_does_not_do_another_thing(tmp_path: Path) -> None:
    """What was done by its key leaves it to nothing else of the act; what is still on offer has the key that it had."""
    async with searching(tmp_path, 4, 1) as (pilot, table):
        await pilot.press("t", "d", "enter")
        await _to_deck(pilot)
        await pilot.press("enter", "enter")
        done, *others = (_key_of(pilot, move) for move in ("effect airlock", "effect door", "return"))
        await pilot.press(done, done)
        assert [table.entry(number).words for number in (1, 2, 3)] == ["table door", "draw station", "effect airlock"]
        assert table.snapshot.entries == 3
        assert [_key_of(pilot, move) for move in ("effect door", "return")] == others
