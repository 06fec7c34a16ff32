"""Timers in line mode: what is left, and that one has run out (NM-47)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.kit.table import Falling, written
from tests.store.test_countdowns import CAMPAIGN, Watch
from waylog.line_mode.descriptions_and_news import TimerNews
from waylog.line_mode.loop import LineLoop
from waylog.line_mode.players import PlayersSpeaker
from waylog.line_mode.wayfinder import Wayfinder
from waylog.table import Table


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    """One clock for the table and for whoever counts down."""
    watch = Watch()
    monkeypatch.setattr(TimerNews.__init__, "__defaults__", (lambda: watch().timestamp(),))
    return watch


@pytest.fixture
def table(tmp_path: Path, watch: Watch) -> Table:
    """A campaign without a timer."""
    return Table(written(tmp_path / "trial", CAMPAIGN), now=watch, chance=Falling(*[3] * 20))


@pytest.mark.clause("NM-47")
def test_the_wayfinder_hears_of_the_end_once_before_the_next_prompt(table: Table, watch: Watch) -> None:
    """Even if the line that is typed then is an act."""
    loop = LineLoop(Wayfinder(table))
    loop.begin()
    loop.take("timer 5m boarding")
    watch.wait(1)
    assert loop.take("timers") == ["Boarding: 4:59."]
    assert loop.take("status")[-1] == "The timer “boarding”: 4:59."
    assert loop.look() == []
    watch.wait(300)
    assert loop.take("note too late")[0] == "The timer “boarding” has run out."
    assert loop.look() == []
    assert loop.take("timers") == ["There are no timers."]


def test_one_that_was_stopped_never_runs_out(table: Table, watch: Watch) -> None:
    """A timer that was stopped, or whose start was undone, never runs out."""
    loop = LineLoop(Wayfinder(table))
    for lines in (("timer 5m boarding", "timer stop boarding"), ("timer 5m boarding", "undo")):
        for line in lines:
            loop.take(line)
        watch.wait(600)
        assert loop.look() == []


def test_one_that_ended_while_nobody_looked_is_said_at_the_start(table: Table, watch: Watch) -> None:
    """Until somebody plays."""
    table.play(table.understand("timer 5m boarding"))
    watch.wait(4000)
    said = LineLoop(Wayfinder(table)).begin()
    assert "The timer “boarding” has run out." in said
    table.play(table.understand("note on"))
    assert "The timer “boarding” has run out." not in LineLoop(Wayfinder(table)).begin()


def test_players_hear_of_those_that_they_see(table: Table, watch: Watch) -> None:
    """They count down by themselves: nothing is written at the end."""
    table.add_reader()
    for words in ("timer 1m boarding", "timer open 2m fuse"):
        table.play(table.understand(words))
    assert table.settle()
    loop = LineLoop(PlayersSpeaker(table.folder))
    assert not any("boarding" in line for line in loop.begin())
    watch.wait(60)
    assert (loop.look(), loop.take("timers")) == ([], ["Fuse: 1:00."])
    assert "The timer “fuse”: 1:00." in LineLoop(PlayersSpeaker(table.folder)).begin()
    watch.wait(60)
    assert (loop.look(), loop.look()) == (["The timer “fuse” has run out."], [])
    assert LineLoop(PlayersSpeaker(table.folder)).begin()[-1] == "The timer “fuse” has run out."
