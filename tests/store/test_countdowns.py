"""When timers end, and who is told (NM-47)."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import pytest

from tests.kit.table import Falling, play_and_settle, written
from waylog.rules.model.clocks_situations_and_timers import Timer
from waylog.store.players.players_file import decode_projection, read_players_file
from waylog.store.shown.countdowns import Countdown, countdowns, describe_left, find_ended
from waylog.table import Table

START = datetime(2026, 1, 5, 20, tzinfo=timezone(timedelta(hours=2)))
CAMPAIGN = '# Night watch\nformat = 1\nname = "Trial"\nsystem = "veil-core"\nlog = "0001:0"\n'


class Watch:
    """A clock that stands until somebody moves it."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now

    def wait(self, seconds: float) -> None:
        """So much later."""
        self.now += timedelta(seconds=seconds)


@pytest.fixture
def watch() -> Watch:
    """The clock of the table."""
    return Watch()


@pytest.fixture
def table(tmp_path: Path, watch: Watch) -> Table:
    """A campaign without a timer that somebody watches."""
    table = Table(written(tmp_path / "trial", CAMPAIGN), now=watch, chance=Falling(*[3] * 20))
    table.add_reader()
    return table


def for_players(table: Table) -> tuple[Countdown, ...]:
    """What the players' file says of timers."""
    data = read_players_file(table.folder)
    assert data
    return decode_projection(data).timers


@pytest.mark.clause("NM-47")
def test_a_timer_ends_so_many_seconds_after_it_began(table: Table, watch: Watch) -> None:
    """Whatever zone the clock is in. The one that ends first comes first."""
    play_and_settle(table, "timer 5m boarding", "timer 90s fuse")
    ends = int(START.timestamp()) + 90
    assert table.snapshot.countdowns == (Countdown("fuse", ends, False), Countdown("boarding", ends + 210, False))
    assert 'began = "2026-01-05 20:00:00+0200"' in (table.folder / "campaign.toml").read_text()
    assert Table(table.folder, now=watch, chance=Falling()).snapshot.countdowns == table.snapshot.countdowns


@pytest.mark.clause("NM-47")
def test_players_know_only_of_timers_that_are_shown(table: Table) -> None:
    """Until it is hidden again. Acts about a hidden one are not told either."""
    play_and_settle(table, "timer 5m boarding", "timer open 90s fuse")
    assert [one.name for one in for_players(table)] == ["fuse"]
    assert b"boarding" not in (read_players_file(table.folder) or b"")
    play_and_settle(table, "show timer boarding", "hide timer fuse")
    assert [one.name for one in for_players(table)] == ["boarding"]
    assert b"fuse" not in (read_players_file(table.folder) or b"")


@pytest.mark.clause("NM-47")
def test_one_that_has_ended_is_there_until_somebody_plays(table: Table, watch: Watch) -> None:
    """For players, too. Then it leaves the file, by the same entry; an undo puts it back, and the next act takes it away again."""
    play_and_settle(table, "timer open 90s fuse")
    watch.wait(3600)
    assert [one.name for one in Table(table.folder, now=watch, chance=Falling()).snapshot.countdowns] == ["fuse"]
    play_and_settle(table, "note gone")
    assert table.snapshot.countdowns == for_players(table) == ()
    assert [*table.snapshot.timers] == []
    assert "fuse" not in (table.folder / "campaign.toml").read_text()
    table.undo()
    assert (table.snapshot.countdowns, [*table.snapshot.timers]) == ((), ["fuse"])
    play_and_settle(table, "note gone again")
    assert [*table.snapshot.timers] == []


@pytest.mark.clause("NM-47")
def test_only_a_timer_that_has_ended_goes(table: Table, watch: Watch) -> None:
    """Not one that ends this second, that starts again with the act, or whose beginning is not a time."""
    file = table.folder / "campaign.toml"
    file.write_text(file.read_text() + '\n[timers.never]\nname = "Never"\nbegan = ""\nseconds = 5\n')
    table.refresh()
    play_and_settle(table, "timer 90s fuse", "timer 90s boarding")
    watch.wait(90)
    play_and_settle(table, "note now")
    assert [*table.snapshot.timers] == ["never", "fuse", "boarding"]
    watch.wait(1)
    play_and_settle(table, "timer 90s fuse")
    assert [*table.snapshot.timers] == ["never", "fuse"]


@pytest.mark.clause("NM-47")
def test_undo_brings_a_stopped_timer_back_as_if_it_had_run_on(table: Table, watch: Watch) -> None:
    """Undo brings a stopped timer back as if it had run on, and takes away one that was started, byte for byte."""
    before = (table.folder / "campaign.toml").read_text()
    play_and_settle(table, "timer 5m boarding")
    running = table.snapshot.countdowns
    watch.wait(60)
    play_and_settle(table, "timer stop boarding")
    assert table.snapshot.countdowns == ()
    table.undo()
    assert table.snapshot.countdowns == running
    assert table.shown_by_undo([table.entry(1)]) == ()
    table.undo(1, with_later=True)
    assert table.settle()
    assert [line for line in (table.folder / "campaign.toml").read_text().splitlines() if "log" not in line] == [
        line for line in before.splitlines() if "log" not in line
    ]


@pytest.mark.clause("NM-47")
def test_a_time_without_a_zone_is_of_this_machine_and_a_wrong_one_never_ends() -> None:
    """Nothing else is shown of it."""
    naive = Timer("Fuse", "2026-01-05 20:00:05", 10)
    assert [one.ends for one in countdowns({"fuse": naive}, None)] == [
        int(datetime(2026, 1, 5, 20, 0, 15).astimezone().timestamp())
    ]
    assert countdowns({"fuse": Timer("Fuse", "2026-13-45 20:00:05", 10)}, None) == ()
    assert countdowns({"fuse": Timer("Fuse", "", 10)}, datetime.now(UTC)) == ()


@pytest.mark.parametrize(
    ("left", "said"), [(0, "ended"), (-5, "ended"), (0.2, "0:01"), (59, "0:59"), (300, "5:00"), (3723.5, "1:02:04")]
)
def test_what_is_left_is_said_in_minutes_and_seconds(left: float, said: str) -> None:
    """Rounded up, so that nothing is left only at the end."""
    assert describe_left(Countdown("Fuse", 5000), 5000 - left) == said


def test_each_end_is_noticed_once() -> None:
    """Between two looks, whenever they are."""
    timers = (Countdown("Fuse", 100), Countdown("Boarding", 200))
    found = [find_ended(timers, before, now) for before, now in ((0, 99.5), (99.5, 100), (100, 150), (150, 250.0))]
    assert [[one.name for one in each] for each in found] == [[], ["Fuse"], [], ["Boarding"]]
