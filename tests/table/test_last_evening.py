"""What somebody is told who opens a campaign again: on the screen and in line mode alike."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.kit.app import CAMPAIGN, drained, seen
from tests.kit.table import play_and_settle, seeded, written
from waylog.app.wayfinder_app import WayfinderApp
from waylog.line_mode.loop import LineLoop
from waylog.line_mode.wayfinder import Wayfinder
from waylog.table import Table
from waylog.words.last_evening import evening_in, how_long_ago, last_evening, welcome_back

PLAYED = datetime(2026, 10, 30, 23, 10, tzinfo=UTC)
EVENING = (
    "session begin",
    'session title "First light"',
    "scene The quay",
    "note The crane is out",
    "secret The harbour master did it",
    "clock Fog 4 catastrophe",
    "tick fog 4",
    "clock Tide 4 push",
    "tick tide 4",
    "close tide",
)


def table_on(folder: Path, at: datetime) -> Table:
    """A table at which it is always the same time."""
    return Table(folder, now=lambda: at, chance=seeded(lambda _: 0))


@pytest.fixture
def left(tmp_path: Path) -> Path:
    """A campaign that was left in the middle of a session."""
    folder = written(tmp_path / "tenacity", CAMPAIGN)
    play_and_settle(table_on(folder, PLAYED), *EVENING)
    return folder


@pytest.mark.parametrize(
    ("later", "told"),
    [
        (timedelta(seconds=30), "just now"),
        (timedelta(minutes=1), "1 minute ago"),
        (timedelta(minutes=59), "59 minutes ago"),
        (timedelta(hours=5), "5 hours ago"),
        (timedelta(hours=20), "yesterday"),
        (timedelta(days=13), "13 days ago"),
        (timedelta(days=21), "3 weeks ago"),
        (timedelta(days=100), "3 months ago"),
        (timedelta(days=800), "2 years ago"),
        (timedelta(hours=-3), "just now"),
    ],
)
def test_how_long_ago_something_was_is_told_as_people_do(later: timedelta, told: str) -> None:
    """A clock that was set back makes nothing of the future."""
    assert how_long_ago(PLAYED, PLAYED + later) == told


def test_four_lines_tell_how_a_campaign_was_left(left: Path) -> None:
    """The session and how long ago, the scene, what is open, the last note that is no secret; an undone note is none, nor is a closed clock
    open.
    """
    table = table_on(left, PLAYED + timedelta(days=21))
    assert welcome_back(table) == (
        "Session 1 “First light”, last played 3 weeks ago",
        "Scene: The quay",
        "Still open: “Fog” is full",
        "Last note: The crane is out",
    )
    play_and_settle(table_on(left, PLAYED + timedelta(minutes=1)), "note The lamp is lit", "session end")
    table = table_on(left, PLAYED + timedelta(days=1))
    back = welcome_back(table)
    assert back
    assert back.left == "Session 1 “First light” ended yesterday"
    assert evening_in(left).note == "The lamp is lit"
    table.undo(table.snapshot.entries - 1)
    assert evening_in(left).note == "The crane is out"


def test_nobody_is_welcomed_who_was_not_away(left: Path, tmp_path: Path) -> None:
    """Nobody is welcomed back who was not away, or to a campaign in which nothing has been played."""
    table = table_on(left, PLAYED + timedelta(minutes=9))
    assert not welcome_back(table)
    fresh = table_on(written(tmp_path / "fresh", CAMPAIGN), PLAYED)
    assert not welcome_back(fresh)


def test_a_log_is_read_only_as_far_as_something_is_found(tmp_path: Path) -> None:
    """Without scenes as far as its last note; with neither, only its last act is read."""
    folder = written(tmp_path / "tenacity", CAMPAIGN)
    table = table_on(folder, PLAYED)
    play_and_settle(table, "clock Fog 4 push", *["tick fog", "tick fog -1"] * 30)
    assert (last_evening(read := table.latest(), table.may_hold).note, next(read).number) == ("", 60)
    play_and_settle(table, "note The crane is out", "tick fog")
    assert (last_evening(read := table.latest(), table.may_hold).note, next(read).number) == ("The crane is out", 61)
    play_and_settle(table, "scene The quay", *["tick fog -1", "tick fog"] * 5)
    assert last_evening(table.latest(), table.may_hold).scene == "The quay"


@pytest.mark.parametrize("size", [(40, 20), (80, 24), (120, 36)])
async def test_the_lines_stand_at_the_foot_until_something_is_done(left: Path, size: tuple[int, int]) -> None:
    """They stay while somebody looks around in the view and types, and are gone with the first act. In a low window they are two."""
    app = WayfinderApp(table_on(left, PLAYED + timedelta(days=21)))
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        for keys in ((), ("down",), ("n", "escape")):
            await pilot.press(*keys)
            await drained(pilot)
            assert "Still open: “Fog” is full" in seen(pilot)
            assert ("Scene: The quay" in seen(pilot)) == (size[1] > 24)
            assert ("Last note: The crane is out" in seen(pilot)) == (size[1] > 24)
        await pilot.press("n", "a", "enter")
        await drained(pilot)
        assert "Still open: " not in seen(pilot)


def test_line_mode_says_the_same(left: Path) -> None:
    """As sentences, before anything is typed."""
    begun = LineLoop(Wayfinder(table_on(left, PLAYED + timedelta(days=21)))).begin()
    assert begun[1:5] == [
        "Session 1 “First light”, last played 3 weeks ago.",
        "Scene: The quay.",
        "Still open: “Fog” is full.",
        "Last note: The crane is out.",
    ]
