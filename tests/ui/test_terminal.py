"""The real command in a real terminal, as far as there can be one in a test."""

from __future__ import annotations

import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.app import CAMPAIGN
from tests.kit.table import written
from tests.kit.terminal import Terminal, opened


@pytest.fixture
def terminal(tmp_path: Path, home: Path) -> Iterator[Terminal]:
    """The app on a campaign."""
    written(tmp_path / "tenacity", CAMPAIGN)
    running = opened("tenacity", tmp_path, home)
    yield running
    running.close()


_RESTORED = (b"\x1b[?1049l", b"\x1b[?25h", b"\x1b[?1000l", b"\x1b[?2004l", b"\x1b[?1004l")


def _restored(terminal: Terminal) -> bool:
    """Every mode that was switched on was switched off again."""
    return all(mode in terminal.raw for mode in _RESTORED)


def test_start_roll_and_quit(terminal: Terminal, tmp_path: Path) -> None:
    """From the command to a logged roll and out again, with the terminal as it was and the file brought up to the log."""
    terminal.until(lambda text: "CORE" in text)
    terminal.press("rn")
    terminal.until(lambda text: "Fiasco" in text or "fiasco" in text)
    terminal.press(" 35\r")
    terminal.until(lambda text: "Roll NAV" in text and "real dice" in text)
    terminal.press("q")
    assert terminal.end() == 0
    assert _restored(terminal)
    assert 'act = "roll nav"' in (tmp_path / "tenacity" / "log" / "0001.toml").read_text()
    assert 'log = "0001:1"' in (tmp_path / "tenacity" / "campaign.toml").read_text()


def test_what_was_typed_before_it_started_is_done(terminal: Terminal) -> None:
    """While a program starts, the terminal reads whole lines and makes a newline of each Enter. It is Enter all the same."""
    terminal.press(":note typed early\r:note and once more\r")
    terminal.until(lambda text: "CORE" in text)
    terminal.until(
        lambda text: all(re.search(rf"\d\d:\d\d +{note}", text) for note in ("typed early", "and once more"))
    )
    terminal.press("q")
    assert terminal.end() == 0


ENDINGS = (signal.SIGTERM, signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2, signal.SIGALRM, signal.SIGXCPU)


@pytest.mark.parametrize("number", ENDINGS)
def test_a_signal_leaves_the_terminal_as_it_was(terminal: Terminal, number: signal.Signals) -> None:
    """Being told to end is leaving in good order, with a code that says why."""
    terminal.until(lambda text: "CORE" in text)
    os.kill(terminal.pid, number)
    assert terminal.end() == 128 + number
    assert _restored(terminal)


def test_a_line_that_goes_dead_ends_the_app(terminal: Terminal) -> None:
    """A terminal that is gone is noticed; nothing stays behind."""
    terminal.until(lambda text: "CORE" in text)
    terminal.hang_up()
    _, status = os.waitpid(terminal.pid, 0)
    terminal.pid = 0
    assert os.waitstatus_to_exitcode(status) != 1, "left in good order, not by a failure"


def test_suspended_and_back(terminal: Terminal) -> None:
    """Ctrl+Z gives the terminal back; on coming back everything is there again, and keys work."""
    terminal.until(lambda text: "CORE" in text)
    terminal.press("\x1a")
    terminal.stopped()
    assert _restored(terminal)
    os.kill(terminal.pid, signal.SIGCONT)
    terminal.until(lambda text: "CORE" in text)
    terminal.press("2")
    terminal.until(lambda text: "Vitality" in text)
    terminal.press("q")
    assert terminal.end() == 0


@pytest.mark.parametrize("key", ["\x03\x03", "\x04", "\x11"])
def test_every_key_that_people_quit_with_quits(terminal: Terminal, key: str) -> None:
    """Ctrl+C twice, Ctrl+D and Ctrl+Q."""
    terminal.until(lambda text: "CORE" in text)
    terminal.press(key)
    assert terminal.end() == 0


@pytest.mark.parametrize("command", ["open", "watch"])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_ends_it_on_a_terminal_that_takes_nothing(
    tmp_path: Path, home: Path, command: str, number: signal.Signals
) -> None:
    """A frozen window is not waited for, and is found as it was when it goes on."""
    written(tmp_path / "tenacity", CAMPAIGN)
    terminal = opened("tenacity", tmp_path, home, 200, 60, command=command)
    try:
        terminal.until(lambda text: "?" in text)
        terminal.stall()
        os.kill(terminal.pid, number)
        assert terminal.end_unread() == 128 + number
        assert _restored(terminal)
    finally:
        terminal.close()


COLOURS = re.compile(rb"\x1b\[[\d;]*\b(?:3[0-8]|4[0-8]|9[0-7]|10[0-7])[\d;]*m")


@pytest.mark.parametrize("command", ["open", "watch"])
@pytest.mark.parametrize(("value", "coloured"), [("1", False), ("", True)])
def test_without_colours_none_is_sent(tmp_path: Path, home: Path, command: str, value: str, coloured: bool) -> None:
    """Where NO_COLOR says so; the cursor is reversed then. An empty one says nothing."""
    written(tmp_path / "tenacity", CAMPAIGN)
    terminal = opened("tenacity", tmp_path, home, command=command, variables={"NO_COLOR": value})
    try:
        terminal.until(lambda text: "?" in text)
        terminal.press("?")
        terminal.until(lambda text: "type to search" in text)
        terminal.press("\x1b")
        terminal.until(lambda text: "type to search" not in text)
        terminal.press("q")
        assert terminal.end() == 0
        assert (COLOURS.search(terminal.raw) is not None) == coloured
        if command == "open":
            assert (re.search(rb"\x1b\[[\d;]*7m", terminal.raw) is not None) == (not coloured)
    finally:
        terminal.close()


def test_a_terminal_of_another_character_set(tmp_path: Path, home: Path) -> None:
    """Signs are ASCII there, in the same places, and letters are read and written in its own bytes."""
    written(tmp_path / "tenacity", CAMPAIGN)
    terminal = opened("tenacity", tmp_path, home, variables={"PYTHONIOENCODING": "latin-1"})
    try:
        terminal.until(lambda text: "+ Life support" in text)
        row = next(line for line in terminal.text.splitlines() if "Life support" in line)
        assert row.startswith("    CPU * * 2    HUL * * 2    NAV * * 2  + Life support")
        terminal.send(b"ncaf\xe9\r")
        terminal.until(lambda text: "- Note -" in text and "caf" in text)
        terminal.press("q")
        assert terminal.end() == 0
        assert b"caf\xe9" in terminal.raw
        assert b"\\u" not in terminal.raw
        assert "café" in (tmp_path / "tenacity" / "log" / "0001.toml").read_text()
    finally:
        terminal.close()
