"""What nobody foresaw: it must reach the caller, and never the person's screen."""

from functools import partialmethod
from pathlib import Path

import pytest

from tests.screens.playing import CAMPAIGN
from tests.small_table import table_at, written
from waylog.app import Waylog, run


class Unforeseen(Exception):
    """Nobody thought of this."""


def _unforeseen(app: Waylog) -> None:
    raise Unforeseen


def test_run_raises_what_went_wrong_inside(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An exception in the app ends it, and is `run`'s to raise; what was played is in the file all the same."""
    table = table_at(written(tmp_path, CAMPAIGN), 1, 2)
    table.play(table.understand("note hello"))

    headless = partialmethod(Waylog.run, headless=True)
    monkeypatch.setattr(Waylog, "run", headless)
    monkeypatch.setattr(Waylog, "on_mount", _unforeseen)
    with pytest.raises(Unforeseen):
        run(table)
    assert 'log = "0001:1"' in (tmp_path / "campaign.toml").read_text()
