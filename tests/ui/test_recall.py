"""An empty command line goes back through what was done before, and forward again."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from textual.pilot import Pilot

from tests.kit.app import CAMPAIGN, playing, seen, typed
from waylog.rules.model.state import EntryKind
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.ui.line.line_editor_and_recall import recent_lines
from waylog.ui.main_screen import MainScreen

AT = datetime(2026, 1, 1, tzinfo=UTC)


def line_of(pilot: Pilot[None]) -> str:
    """What is typed."""
    screen = pilot.app.screen
    assert isinstance(screen, MainScreen)
    return screen.window.prompt.line.text


def test_each_line_comes_once_and_the_newest_first() -> None:
    """Follow-ups, undos and entries that can't be read are left out."""
    words = {1: "note one", 2: "roll nav", 3: "keep", 4: "undo", 6: "note one"}
    kinds = {4: EntryKind.UNDO}

    def entry(number: int) -> LogEntry:
        root = 2 if number == 3 else number
        return LogEntry(number, AT, words[number], root=root, kind=kinds.get(number, EntryKind.PLAY))

    assert recent_lines(entry, 6) == ("note one", "roll nav")


async def test_up_recalls_and_down_comes_back(tmp_path: Path) -> None:
    """Up goes to older lines and stops at the oldest; down comes back to the empty line; what was recalled can be played."""
    async with playing(tmp_path) as (pilot, table):
        for text in ("note one", "note two"):
            table.play(table.understand(text))
        pilot.app._look()  # type: ignore[attr-defined]
        await pilot.press("colon", "up")
        assert line_of(pilot) == 'note "two"'
        await pilot.press("up", "up")
        assert line_of(pilot) == 'note "one"'
        await pilot.press("down")
        assert line_of(pilot) == 'note "two"'
        await pilot.press("down")
        assert line_of(pilot) == ""
        await pilot.press("up", "enter")
        assert table.snapshot.entries == 3


async def test_the_bar_says_what_up_brings(tmp_path: Path) -> None:
    """The last command, until something in the menu is marked; without a log, Up chooses like the other arrows."""
    async with playing(tmp_path) as (pilot, table):
        await pilot.press("colon")
        assert "←↑↓→ choose" in seen(pilot).splitlines()[-1]
        await pilot.press("escape")
        table.play(table.understand("note one"))
        pilot.app._look()  # type: ignore[attr-defined]
        await pilot.press("colon")
        assert "↑ last command  ←↓→ choose" in seen(pilot).splitlines()[-1]
        await pilot.press("down")
        assert "←↑↓→ choose" in seen(pilot).splitlines()[-1]


async def test_a_recalled_line_that_shows_players_something_asks_first(tmp_path: Path) -> None:
    """Nobody has typed it, and it may show more than it did. What is typed is played at once."""
    deck = '\n[decks.d]\nname = "Fates"\n\n[decks.d.cards]\na = { text = "Fog" }\nb = { text = "Rain" }\n'
    async with playing(tmp_path, text=CAMPAIGN + deck) as (pilot, table):
        for line in ("show d", "hide d"):
            table.play(table.understand(line))
        pilot.app._look()  # type: ignore[attr-defined]
        await pilot.press("colon", "up", "up")
        assert line_of(pilot) == "show deck d"
        await pilot.press("enter")
        assert table.snapshot.entries == 2
        assert "Enter shows it" in seen(pilot)
        await pilot.press("enter")
        assert table.snapshot.entries == 3
        table.play(table.understand("hide d"))
        pilot.app._look()  # type: ignore[attr-defined]
        await pilot.press("colon")
        await typed(pilot, "show d")
        await pilot.press("enter")
        assert table.snapshot.entries == 5


async def test_arrows_choose_as_soon_as_something_is_typed(tmp_path: Path) -> None:
    """A recalled line that is changed is a line like any other; without a log, up marks the last choice."""
    async with playing(tmp_path) as (pilot, table):
        await pilot.press("colon", "up")
        assert line_of(pilot) == ""
        await pilot.press("escape", "escape")
        table.play(table.understand("note one"))
        pilot.app._look()  # type: ignore[attr-defined]
        await pilot.press("colon")
        await typed(pilot, "roll ")
        await pilot.press("up")
        assert line_of(pilot) == "roll "
