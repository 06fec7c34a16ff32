"""Timers on the screen: they count down by themselves, ring at their end, and cost nothing while none runs (NM-47)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from tests.kit.app import SIZES, looked, playing, seen
from tests.kit.table import Falling, written
from tests.store.test_countdowns import CAMPAIGN, Watch
from waylog.app.players_apps_and_phones import PlayersApp
from waylog.app.wayfinder_app import WayfinderApp
from waylog.store.shown.countdowns import Countdown, Ticker, countdown_forms
from waylog.table import Table


class Later:
    """What is to be called later, and when."""

    def __init__(self) -> None:
        self.calls: list[tuple[float, Callable[[], object]]] = []

    def __call__(self, seconds: float, call: Callable[[], object]) -> None:
        self.calls.append((seconds, call))


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    """One clock for the table and the screens."""
    watch = Watch()
    monkeypatch.setattr(Ticker.__init__, "__defaults__", (lambda: watch().timestamp(),))
    return watch


@pytest.fixture
def table(tmp_path: Path, watch: Watch) -> Table:
    """A campaign without a timer."""
    return Table(written(tmp_path / "trial", CAMPAIGN), now=watch, chance=Falling(*[3] * 20))


async def test_stop_is_a_word_for_the_timer_too(tmp_path: Path) -> None:
    """While one runs, `stop` finds the act that stops it before the pause of the game, and Enter runs neither unseen."""
    async with playing(tmp_path) as (pilot, table):
        await pilot.press("colon", *"stop")
        assert "Enter: Pause the game" in seen(pilot)
        await pilot.press("escape", "escape")
        table.play(table.understand("timer 5 Fuse"))
        looked(pilot)
        await pilot.press("colon", *"stop")
        lines = [line for line in seen(pilot).splitlines() if "Stop" in line or "Pause the game" in line]
        assert ["Stop" in line for line in lines[:2]] == [True, False]
        await pilot.press("enter")
        assert table.snapshot.entries == 1
        await pilot.press("enter", "enter")
        assert not table.snapshot.timers


@pytest.mark.clause("NM-47")
def test_nothing_wakes_while_no_timer_runs(watch: Watch) -> None:
    """One call a second while one does, right after the second; its end is told once."""
    later, told = Later(), list[list[str]]()
    ticker = Ticker(later, lambda ended: told.append([one.name for one in ended]))
    ticker.follow(())
    assert later.calls == []
    ends = int(watch().timestamp()) + 2
    watch.wait(0.25)
    ticker.follow((Countdown("Fuse", ends),))
    ticker.follow((Countdown("Fuse", ends), Countdown("Gone", ends - 100)))
    ((seconds, wake),) = later.calls
    assert 0.75 < seconds < 0.8
    for _ in range(2):
        watch.wait(1)
        wake()
    assert told == [[], ["Fuse"]]
    assert len(later.calls) == 2


def test_shorter_forms_say_how_many_more_there_are() -> None:
    """What ends first is always there."""
    timers = (Countdown("Fuse", 100), Countdown("Boarding", 200))
    assert countdown_forms(timers, 95) == (
        "Fuse 0:05 left · Boarding 1:45 left",
        "Fuse 0:05 left +1",
        "Fuse 0:05 +1",
        "0:05 +1",
    )
    assert countdown_forms(timers[:1], 100) == ("Fuse ended", "ended")
    assert countdown_forms((), 0) == ()


@pytest.mark.clause("NM-47")
@pytest.mark.parametrize("size", [*SIZES, (200, 50)])
async def test_the_line_on_top_counts_down_and_the_bell_rings(
    table: Table, watch: Watch, size: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A hidden timer is not named where others may see it."""
    rung = list[tuple[str, bool]]()
    app = WayfinderApp(table)
    monkeypatch.setattr(app, "_call_attention", lambda text, rings=False: rung.append((text, rings)) if text else None)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        await pilot.press(":", *"timer 90s fuse", "enter")
        await pilot.pause()
        assert "1:30" in seen(pilot).splitlines()[0]
        watch.wait(31)
        app._ticker._wake()
        await pilot.pause()
        assert "0:59" in seen(pilot).splitlines()[0]
        assert not rung
        watch.wait(59)
        app._ticker._wake()
        await pilot.pause()
        assert "ended" in seen(pilot).splitlines()[0]
        assert rung == [("A hidden timer has run out", True)]
        assert "Time's up: fuse" in seen(pilot)
        watch.wait(1)
        await pilot.press("n", *"on", "enter")
        await pilot.pause()
        assert "ended" not in seen(pilot).splitlines()[0]


@pytest.mark.parametrize("size", [*SIZES, (30, 8)])
async def test_players_see_what_is_shown_to_them(table: Table, watch: Watch, size: tuple[int, int]) -> None:
    """In a line of its own, counted down without anything being written."""
    table.add_reader()
    for words in ("timer 90s boarding", "timer open 2m fuse"):
        table.play(table.understand(words))
    assert table.settle()
    app = PlayersApp(table.folder)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        assert "fuse 2:00" in seen(pilot)
        assert "boarding" not in seen(pilot)
        watch.wait(60)
        app._window._view._ticker._wake()
        await pilot.pause()
        assert "fuse 1:00" in seen(pilot)
