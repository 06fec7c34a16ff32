"""What is kept when things go wrong, or go on by themselves: half-done doings, a file left behind, conflicts, held acts."""

from dataclasses import replace
from pathlib import Path

from tests.screens.playing import CAMPAIGN, looked, playing, seen, typed
from tests.small_table import saved, table_at, text_of, written
from waylog.screens.frame import Frame


def _settled(frame: Frame) -> None:
    """What the frame gets when a settle behind it could not write the file: the same, but for that."""
    frame.show(replace(frame.snapshot, unsaved="campaign.toml could not be brought up to date"))


def _frame(screen: object) -> Frame:
    assert isinstance(screen, Frame)
    return screen


async def test_a_settle_leaves_the_question_before_undo(tmp_path: Path) -> None:
    """A campaign file written behind the scenes takes no confirmation away: the second `u` still counts."""
    async with playing(tmp_path, 3, 2) as (pilot, table):
        await pilot.press("r", "c", "enter", "u")
        _settled(_frame(pilot.app.screen))
        await pilot.pause()
        assert "Take back “roll cpu”" in seen(pilot)
        await pilot.press("u")
        assert table.entry(2).undoes == (1,)


async def test_a_settle_leaves_half_typed_dice(tmp_path: Path) -> None:
    """Of three real dice one is typed when the file is written behind: it stays, on screen and in the act."""
    async with playing(tmp_path) as (pilot, table):
        await pilot.press("r", "n")
        await typed(pilot, " a 3")
        await pilot.press("enter", "6")
        _settled(_frame(pilot.app.screen))
        await pilot.pause()
        assert "[6]" in seen(pilot)
        await pilot.press("5")
        assert table.entry(2).faces == (6, 5)


async def test_a_settle_leaves_what_is_marked_in_a_list(tmp_path: Path) -> None:
    """A choice under the mark stays there."""
    async with playing(tmp_path) as (pilot, _):
        await pilot.press("r", "n", "down")
        _settled(_frame(pilot.app.screen))
        await pilot.press("tab")
        assert "roll › nav afterburners" in seen(pilot)


async def test_a_new_act_of_another_window_takes_the_question_away(tmp_path: Path) -> None:
    """What would be taken back is no longer what was named."""
    async with playing(tmp_path, 3, 2) as (pilot, table):
        await pilot.press("r", "c", "enter", "u")
        other = table_at(tmp_path)
        other.play(other.understand("note first"))
        looked(pilot)
        await pilot.press("u")
        assert "Take back “note" in seen(pilot)
        assert table.snapshot.entries == 2


async def test_a_file_left_behind_is_brought_up_at_once(tmp_path: Path) -> None:
    """After a crash between log and file nobody has to act first: the app says so, and the file follows."""
    left = table_at(written(tmp_path, CAMPAIGN))
    left.play(left.understand("set ship.focus 2"))
    assert "focus = 1" in text_of(tmp_path)
    async with playing(tmp_path, text=text_of(tmp_path)) as (pilot, table):
        await pilot.pause()
        assert "the campaign file is brought up to it" in seen(pilot)
        while table.unsettled():
            await pilot.pause()
        assert "focus = 2" in text_of(tmp_path)
