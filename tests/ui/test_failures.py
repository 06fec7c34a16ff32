"""What nobody foresaw: it must reach the caller, and never the person's screen."""

from dataclasses import replace
from datetime import UTC, datetime
from functools import partialmethod
from pathlib import Path

import pytest

from tests.kit.app import CAMPAIGN
from tests.kit.table import table_at, written
from waylog.app.campaign_loop import run
from waylog.app.terminal_driver import Handover
from waylog.app.wayfinder_app import WayfinderApp
from waylog.rules.codec.changes import Change
from waylog.store.file.open_campaign import EditConflict
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.words.sentences import conflicting_entry


class Unforeseen(Exception):
    """Nobody thought of this."""


def _unforeseen(*_: object, **__: object) -> None:
    raise Unforeseen


def test_run_raises_what_went_wrong_inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception in the app ends it, and is `run`'s to raise; what was played is in the file all the same."""
    table = table_at(written(tmp_path, CAMPAIGN), 1, 2)
    table.play(table.understand("note hello"))

    headless = partialmethod(WayfinderApp.run, headless=True)
    monkeypatch.setattr(WayfinderApp, "run", headless)
    monkeypatch.setattr(WayfinderApp, "on_mount", _unforeseen)
    with pytest.raises(Unforeseen):
        run(table, Handover())
    assert 'log = "0001:1"' in (tmp_path / "campaign.toml").read_text()


def test_run_raises_why_the_app_could_not_be_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception before there is an app is `run`'s to raise as well; the file is up to date, and the campaign is left."""
    table = table_at(written(tmp_path, CAMPAIGN), 1, 2)
    table.play(table.understand("note hello"))
    left: list[Path] = []

    monkeypatch.setattr(WayfinderApp, "__init__", _unforeseen)
    monkeypatch.setattr(table, "leave", lambda: left.append(table.folder))
    with pytest.raises(Unforeseen):
        run(table, Handover())
    assert 'log = "0001:1"' in (tmp_path / "campaign.toml").read_text()
    assert left == [table.folder]


def test_an_unreadable_entry_does_not_hide_the_act_that_a_conflict_is_about() -> None:
    """It is passed over, and the app opens."""
    path = ("boat", "hull")
    played = LogEntry(1, datetime(2026, 1, 1, tzinfo=UTC), "damage boat", changes=(Change(path, 3, 2),))
    by_hand = replace(played, number=3, changes=(Change(path, 2, 1),))

    def entry(number: int) -> LogEntry:
        return {1: played}[number]

    assert conflicting_entry(entry, EditConflict(path, 1, 2, by_hand)) is played
