"""Copying with `y` and with the mouse, and Ctrl+C, which copies a selection or asks before the app is left."""

from __future__ import annotations

import base64
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest
from textual import events
from textual.pilot import Pilot

from tests.kit.app import CAMPAIGN, closed, looked, playing, seen, typed
from tests.kit.table import written
from tests.kit.terminal import Terminal, opened

WITH_CLOCK = CAMPAIGN + '\n[clocks.storm]\nname = "Ion storm"\nkind = "catastrophe"\nsegments = 6\nfilled = 2\n'


@pytest.fixture
def terminal(tmp_path: Path, home: Path) -> Iterator[Terminal]:
    """The app on a campaign."""
    written(tmp_path / "tenacity", CAMPAIGN)
    running = opened("tenacity", tmp_path, home)
    running.until(lambda text: "CORE" in text)
    yield running
    running.close()


async def test_y_copies_the_row_the_clock_and_the_entry_in_words(tmp_path: Path) -> None:
    """A row with its value, a clock with its segments, an act of the log with its outcome; each says what it copied."""
    async with playing(tmp_path, 6, 6, text=WITH_CLOCK) as (pilot, _):
        await pilot.press("y")
        assert pilot.app.clipboard.startswith("Focus: 1/3")
        assert "Copied “Focus: 1/3" in seen(pilot)
        await pilot.press("4", "y")
        assert pilot.app.clipboard == "Ion storm: 2/6, catastrophe"
        await pilot.press("n")
        await typed(pilot, "Fog comes in")
        await pilot.press("enter", "3", "y")
        assert pilot.app.clipboard == "Fog comes in"


async def test_what_is_copied_has_no_control_characters(tmp_path: Path) -> None:
    """A name from a file can't reach the terminal that one pastes into."""
    async with playing(tmp_path, text=CAMPAIGN.replace('"Lars"', '"La\\u001b[31mrs"')) as (pilot, _):
        pilot.app.copy_text("a\x1bb\nc")  # type: ignore[attr-defined]
        assert "\x1b" not in pilot.app.clipboard
        assert pilot.app.clipboard.count("\n") == 1


async def test_an_empty_view_has_nothing_to_copy(tmp_path: Path) -> None:
    """It says so, and the clipboard stays."""
    async with playing(tmp_path) as (pilot, _):
        await pilot.press("4", "y")
        assert "nothing under the cursor to copy" in seen(pilot)
        assert pilot.app.clipboard == ""


async def test_a_recap_that_was_read_is_copied_by_the_next_key(tmp_path: Path) -> None:
    """Whole, as it stands in the file; any other key does what it always does."""
    async with playing(tmp_path) as (pilot, table):
        table.play(table.understand('note "Fog"'))
        pilot.app._look()  # type: ignore[attr-defined]  # otherwise it may come between the recap and its key
        pilot.app.action_command("write_recap")  # type: ignore[attr-defined]
        await pilot.pause()
        await pilot.press("escape")
        assert "recap-0000.md. y copies it" in " ".join(seen(pilot).split())
        await pilot.press("y")
        assert pilot.app.clipboard == (tmp_path / "recap-0000.md").read_text()
        assert f"Copied “# Tenacity” and {pilot.app.clipboard.count(chr(10)) - 1} more lines" in seen(pilot)


async def test_what_others_do_ends_a_question_but_no_offer_to_copy(tmp_path: Path) -> None:
    """The recap is copied all the same. A question goes with its words, and its key does what it always does."""
    async with playing(tmp_path) as (pilot, table):
        pilot.app.action_command("write_recap")  # type: ignore[attr-defined]
        await pilot.pause()
        await pilot.press("escape")
        table.play(table.understand('note "Fog"'))
        looked(pilot)
        assert "y copies it" in " ".join(seen(pilot).split())
        await pilot.press("y")
        assert pilot.app.clipboard == (tmp_path / "recap-0000.md").read_text()
        await pilot.press("u")
        assert "Enter confirms" in seen(pilot)
        table.play(table.understand('note "Ice"'))
        looked(pilot)
        assert "Enter confirms" not in seen(pilot)
        await pilot.press("enter")
        assert table.snapshot.entries == 2, "nothing was undone"


async def _drag(pilot: Pilot[None], start: tuple[int, int], end: tuple[int, int]) -> None:
    await pilot.mouse_down("#ship", offset=start)
    await pilot._post_mouse_events([events.MouseMove], "#ship", offset=end, button=1)
    await pilot.mouse_up("#ship", offset=end)
    await pilot.pause()


async def _place(pilot: Pilot[None], text: str) -> tuple[int, int]:
    """The column and the line of a text in the view, once that has its place."""
    await pilot.pause()
    lines = seen(pilot).splitlines()[pilot.app.query_one("#ship").region.y :]
    return next((line.index(text), y) for y, line in enumerate(lines) if text in line)


async def test_dragging_selects_and_copies(tmp_path: Path) -> None:
    """The cells from where the button went down to where it came up; the cursor stays, and the cells are marked till it moves."""
    async with playing(tmp_path) as (pilot, _):
        x, y = await _place(pilot, "Life support")
        await _drag(pilot, (x, y), (x + 11, y))
        assert pilot.app.clipboard == "Life support"
        await pilot.press("y")
        assert pilot.app.clipboard.startswith("Focus: 1/3"), "the cursor is where it was"


async def test_a_selection_goes_over_lines(tmp_path: Path) -> None:
    """As text is read: the rest of the first line, and the beginning of the last."""
    async with playing(tmp_path) as (pilot, _):
        x, y = await _place(pilot, "Life support")
        to_x, to_y = await _place(pilot, "Integrity")
        assert to_y > y
        await _drag(pilot, (x, y), (to_x + 8, to_y))
        assert pilot.app.clipboard.startswith("Life support")
        assert pilot.app.clipboard.endswith("Integrity")


async def test_ctrl_c_copies_a_selection_and_otherwise_asks(tmp_path: Path) -> None:
    """While there is a selection it copies. Then it asks, any other key stays, and a second Ctrl+C leaves."""
    async with playing(tmp_path) as (pilot, _):
        x, y = await _place(pilot, "Life support")
        await _drag(pilot, (x, y), (x + 3, y))
        pilot.app._clipboard = ""
        await pilot.press("ctrl+c")
        assert pilot.app.clipboard == "Life"
        await pilot.press("down", "ctrl+c")
        assert "Press Ctrl+C again to quit" in seen(pilot)
        await pilot.press("down", "ctrl+c")
        assert pilot.app.is_running
        await closed(pilot, "ctrl+c")
        assert pilot.app._exit


async def test_ctrl_c_closes_what_lies_over_the_window(tmp_path: Path) -> None:
    """The list of keys, the players' view, a line, a list of letters: none of them is left by leaving the app."""
    async with playing(tmp_path) as (pilot, _):
        for keys in (("question_mark",), ("p",), ("colon",), ("d",)):
            await pilot.press(*keys)
            await pilot.press("ctrl+c")
            await pilot.pause()
            assert pilot.app.screen is pilot.app.screen_stack[0]
            assert "Press Ctrl+C" not in seen(pilot)


def test_the_terminal_is_sent_what_is_copied(terminal: Terminal, home: Path) -> None:
    """As OSC 52, and into a file that only its owner can read."""
    terminal.press("y")
    terminal.until(lambda text: "copied.txt" in text)
    sent = base64.b64encode(b"Focus: 1/3")[:12]
    assert b"\x1b]52;c;" + sent in terminal.raw
    copied = home / ".local" / "state" / "waylog" / "copied.txt"
    assert copied.read_text().startswith("Focus: 1/3")
    assert stat.S_IMODE(copied.stat().st_mode) == 0o600
    terminal.press("\x03\x03")
    assert terminal.end() == 0


def test_the_window_has_a_title_while_the_app_runs(terminal: Terminal) -> None:
    """The campaign's name; the title before it is remembered first and shown again at the end."""
    assert "\x1b[22;0t\x1b]2;Tenacity · Waylog\x07".encode() in terminal.raw
    terminal.press("q")
    assert terminal.end() == 0
    assert b"\x1b[23;0t" in terminal.raw


def test_a_title_shows_what_steers_or_hides(tmp_path: Path, home: Path) -> None:
    """A name from a file can neither end the terminal's sequence nor hide a part of itself."""
    written(tmp_path / "tenacity", CAMPAIGN.replace('name = "Tenacity"', 'name = "Te\\u200bna\\u0007city"', 1))
    terminal = opened("tenacity", tmp_path, home)
    try:
        terminal.until(lambda text: "CORE" in text)
        assert "\x1b]2;Te‹U+200B›na␇city · Waylog\x07".encode() in terminal.raw
    finally:
        terminal.close()


def test_the_console_of_linux_is_sent_neither(tmp_path: Path, home: Path) -> None:
    """It may print them. The file with what was copied is there all the same."""
    written(tmp_path / "tenacity", CAMPAIGN)
    terminal = opened("tenacity", tmp_path, home, variables={"TERM": "linux"})
    try:
        terminal.until(lambda text: "CORE" in text)
        terminal.press("y")
        terminal.until(lambda text: "copied.txt" in text)
        terminal.press("q")
        assert terminal.end() == 0
        assert b"\x1b]2;" not in terminal.raw
        assert b"\x1b]52;" not in terminal.raw
    finally:
        terminal.close()
