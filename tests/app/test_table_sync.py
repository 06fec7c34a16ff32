"""When the files are brought up to the log: at once after a quiet time, of acts in a row a few together, and the long part in a pause."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import pytest

from tests.kit.table import table_at, text_of, written
from waylog.app import table_sync
from waylog.app.table_sync import TableSync

pytestmark = pytest.mark.usefixtures("only_small_game")


class _Host:
    """The app's side: a clock that stands still, and what it was asked to call later."""

    def __init__(self) -> None:
        self.now, self.is_typing = 1000.0, False
        self.timers: list[tuple[float, Callable[[], Any]]] = []
        self.woken = 0

    def set_timer(self, delay: float, callback: Callable[[], object], /) -> None:
        """Note a timer."""
        self.timers.append((round(delay, 3), callback))

    def run_timer(self) -> float:
        """Let the time of the one timer come. Return how long it was."""
        ((delay, callback),) = self.timers
        self.timers.clear()
        self.now += delay
        asyncio.run(callback())
        return delay

    def show_table(self) -> None:
        """Nothing is shown."""

    def wake_phones(self) -> None:
        """Count."""
        self.woken += 1


def test_the_first_act_after_a_quiet_time_is_written_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As soon as it is painted. Further acts are gathered for a tenth of a second, and phones are woken each time."""
    table, host = table_at(written(tmp_path / "swallow")), _Host()
    monkeypatch.setattr(table_sync, "monotonic", lambda: host.now)
    sync = TableSync(table, cast("Any", host))
    table.play(table.understand("note one"))
    sync.settle_soon()
    assert host.run_timer() <= 0.02
    assert 'log = "0001:1"' in text_of(table.folder)
    for _ in range(3):
        table.play(table.understand("note more"))
        sync.settle_soon()
    assert host.run_timer() == 0.1
    assert 'log = "0001:4"' in text_of(table.folder)
    host.now += 60
    table.play(table.understand("note later"))
    sync.settle_soon()
    assert (host.run_timer() <= 0.02, host.woken) == (True, 3)


def test_the_campaign_file_waits_for_a_pause(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys would wait for it, while what players see is written at once. Whoever types without a pause has it after a few seconds."""
    table, host = table_at(written(tmp_path / "swallow")), _Host()
    monkeypatch.setattr(table_sync, "monotonic", lambda: host.now)
    sync, at_first = TableSync(table, cast("Any", host)), text_of(table.folder)
    table.add_reader()
    host.is_typing = True
    table.play(table.understand("note one"))
    sync.settle_soon()
    assert host.run_timer() <= 0.02
    assert "one" in (table.folder / "players.toml").read_text()
    waited = 0.0
    while text_of(table.folder) == at_first:
        waited += host.run_timer()
    assert (2 < waited < 5, host.woken, host.timers) == (True, 2, [])
    table.play(table.understand("note two"))
    sync.settle_soon()
    host.run_timer()
    host.run_timer()
    assert 'log = "0001:1"' in text_of(table.folder)
    host.is_typing = False
    host.run_timer()
    assert ('log = "0001:2"' in text_of(table.folder), host.timers) == (True, [])
