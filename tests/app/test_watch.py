"""`waylog watch`, as a player has it: on a terminal, from one file, without a way to do anything."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.kit.table import ticking
from tests.kit.terminal import Terminal
from tests.kit.thorough import cases
from tests.store.test_projection_hides import Marks, campaign, found, written
from waylog.rules.model.dice import ChanceDice
from waylog.store.players.pause_and_presence import end_pause
from waylog.table import Table

CLEAN = """\
import json, os, sys
opened = []
sys.addaudithook(lambda event, arguments: opened.append(str(arguments[0])) if event == "open" else None)
sys.argv[1:] = os.environ["WORDS"].split()
from waylog.cli.main import main
code = main()
with open(os.environ["OPENED"], "w") as file:
    json.dump([code, opened], file)
"""
PLAYED = (
    "note hello",
    "secret zq9000q",
    "time passes",
    "table weather",
    "roll mara",
    'scene "The second"',
    'clock "Fog bank" 6 push',
    "tick uncounted 1",
    "set clocks.bell.notes zq9001q",
)
WATCHING = ("watch trial", "watch trial --lines", "join trial --as ana --lines", "join trial --as ana")
"""The commands with which a player looks on."""


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A campaign with a mark in everything that is hidden."""
    place = written(tmp_path / "trial", campaign("veil-core", Marks()))
    return Table(place, now=ticking(), chance=ChanceDice(lambda _: 0))


def played(table: Table, *acts: str) -> None:
    """Do these, and finish whatever a roll leaves open."""
    for words in acts:
        table.play(table.understand(words))
    table.settle()


def environment(folder: Path, home: Path) -> dict[str, str]:
    """What the process is told."""
    path = os.pathsep.join(path for path in sys.path if path)
    return {
        **os.environ, "HOME": str(home), "TERM": "xterm-256color", "WAYLOG_CAMPAIGNS": str(folder), "PYTHONPATH": path
    }  # fmt: skip


@pytest.fixture
def watching(tmp_path: Path, home: Path) -> Iterator[Terminal]:
    """A player's window on the campaign of that folder."""
    (tmp_path / "trial").mkdir(exist_ok=True)
    (tmp_path / "trial" / "campaign.toml").touch()
    command = [sys.executable, "-m", "waylog", "watch", "trial"]
    opened = Terminal(command, environment(tmp_path, home), 120, 60)
    yield opened
    opened.close()


def test_a_player_follows_and_reads_of_nothing_hidden(table: Table, watching: Terminal) -> None:
    """From before the campaign is opened to the last act; in all that is sent to the terminal there is no mark."""
    watching.until(lambda text: "Nothing to see yet" in text)
    table.settle()
    watching.until(lambda text: "Trial" in text and "Mara" in text and "?/4" in text and "Patience" in text)
    for act in PLAYED:
        played(table, act)
    watching.until(lambda text: "Scene: The second" in text and "Fog bank" in text and "Weather" in text)
    table.undo(table.snapshot.entries - 3)
    table.settle()
    watching.until(lambda text: "The second" not in text)
    watching.press("\t\x1b[A \x1b[6~gGq")
    assert watching.end() == 0
    assert found([watching.raw.decode(errors="replace")]) == set()
    assert found([(table.folder / "campaign.toml").read_text()])


@pytest.mark.parametrize("words", cases(WATCHING, 3, 4))
def test_it_opens_nothing_of_the_campaign_but_the_players_file(
    table: Table, tmp_path: Path, home: Path, words: str
) -> None:
    """Neither the campaign file nor the log, nor tables: what is hidden is never in that process. Everybody passes through the inbox, for
    a pause; who acts opens their own part of it, too.
    """
    played(table, "note hello")
    told = tmp_path / "opened.json"
    more = {"OPENED": str(told), "WORDS": words}
    terminal = Terminal([sys.executable, "-c", CLEAN], {**environment(tmp_path, home), **more})
    terminal.until(lambda text: "hello" in text.lower())
    played(table, "note again")
    terminal.until(lambda text: "again" in text.lower())
    acts = words.startswith("join")
    if acts:
        terminal.press("spotlight\r" if "--lines" in words else "s")
        terminal.until(lambda text: "waiting for the wayfinder" in text)
    terminal.press("quit\r" if "--lines" in words else "q")
    assert terminal.end() == 0
    names = [Path(name) for name in json.loads(told.read_text())[1]]
    inside = {path.relative_to(table.folder) for path in names if table.folder in path.parents}
    assert inside == {Path("players.toml"), Path("inbox")}
    assert (Path("ana") in names) is acts


TYPED: Mapping[str, tuple[str, ...]] = {
    "join trial --as ana": ("r", "m 2 4 6\r", ":", "tick\x1b\x1b", ":tick nothing\r", "\x1b\x1b", "s", "n", "Hello\r"),
    "join trial --as ana --lines": (
        *("ship\r", "crew\r", "clocks\r", "timers\r", "cards\r", "log 60\r", "moves\r", "moves roll\r", "moves tick\r"),
        *("odds roll mara\r", "odds roll nav\r", "tick nothing\r", "roll mara 2 4 6\r", "waiting\r", "question\r"),
    ),
    "watch trial --lines": ("ship\r", "crew\r", "clocks\r", "timers\r", "cards\r", "log 60\r", "help\r"),
    "watch trial --json": (),
}


@pytest.mark.parametrize("words", cases([*TYPED], 0, 2))
def test_all_that_a_player_can_make_a_window_say_has_nothing_hidden(
    table: Table, tmp_path: Path, home: Path, words: str
) -> None:
    """Moves, odds, completions, refusals, timers, a pause and the answers of the wayfinder, who declines in words of the rules."""
    played(table, *PLAYED[:-1])
    command = [sys.executable, "-m", "waylog", *words.split()]
    terminal = Terminal(command, environment(tmp_path, home), 120, 60)
    terminal.until(lambda text: "Fog bank" in text)
    for number, keys in enumerate(TYPED[words]):
        terminal.press(keys)
        table.refresh()
        played(table, f"note number{number}.")
        terminal.until(lambda text, number=number: f"number{number}." in text.lower())  # type: ignore[misc]
    if words.startswith("join"):
        terminal.press("pause\r" if "--lines" in words else "xx")
        terminal.until(lambda text: "paused" in text or "has asked for a pause" in text)
        end_pause(table.folder)
    # Both are possible whatever a roll of the player has left open.
    played(table, "secret zq9002q", "note The rope.")
    terminal.until(lambda text: "The rope." in text)
    terminal.close()
    said = terminal.raw.decode(errors="replace")
    assert found([said]) == set()
    assert "Mara" in said


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_leaves_the_terminal_as_it_was(watching: Terminal, number: signal.Signals) -> None:
    """Being told to end is leaving in good order, with a code that says why."""
    watching.until(lambda text: "Nothing to see yet" in text)
    os.kill(watching.pid, number)
    assert watching.end() == 128 + number
    assert b"\x1b[?1049l" in watching.raw
    assert b"\x1b[?25h" in watching.raw


def test_a_line_that_goes_dead_ends_it(watching: Terminal) -> None:
    """A player whose connection breaks leaves no process behind."""
    watching.until(lambda text: "Nothing to see yet" in text)
    watching.hang_up()
    _, status = os.waitpid(watching.pid, 0)
    watching.pid = 0
    assert os.waitstatus_to_exitcode(status) != 1


def test_no_key_does_anything_but_look_and_leave(table: Table, watching: Terminal) -> None:
    """Keys of the wayfinder's window, and those that would stop a program, change nothing and leave no way out to a shell."""
    played(table, "note hello")
    watching.until(lambda text: "hello" in text)
    before = {path: path.read_bytes() for path in table.folder.rglob("*") if path.is_file()}
    watching.press("rnau1234:uUFPWDcnTp\x10\x1a\x1c\x1b\r")
    watching.press("?")
    watching.until(lambda text: "Help ─" in text)
    watching.press("\x1b")
    watching.until(lambda text: "Help ─" not in text)
    assert {path: path.read_bytes() for path in table.folder.rglob("*") if path.is_file()} == before
    watching.press("\x03")
    assert watching.end() == 0


def test_what_can_not_be_shown_is_said(table: Table, watching: Terminal) -> None:
    """A file that is no such file, or is gone, leaves what was seen last, with a word; it goes on when there is one again."""
    played(table, "note hello")
    watching.until(lambda text: "hello" in text)
    path = table.folder / "players.toml"
    data = path.read_bytes()
    path.write_bytes(b"format = 9")
    watching.until(lambda text: "another version of Waylog" in text and "hello" in text)
    path.write_bytes(b"format = " + b"[" * 3000 + b"]" * 3000)
    watching.until(lambda text: "can't be read" in text and "hello" in text)
    path.unlink()
    watching.until(lambda text: "no longer there" in text)
    path.write_bytes(data.replace(b"hello", b"hullo"))
    watching.until(lambda text: "hullo" in text and "any more" not in text)


@pytest.mark.parametrize(("columns", "lines"), [(80, 24), (40, 20), (30, 8), (20, 5), (200, 60)])
def test_it_fits_any_window(table: Table, tmp_path: Path, home: Path, columns: int, lines: int) -> None:
    """Down to what is too small for anything, which says so."""
    played(table, *PLAYED)
    command = [sys.executable, "-m", "waylog", "watch", "trial"]
    terminal = Terminal(command, environment(tmp_path, home), columns, lines)
    terminal.until(lambda text: ("Log" in text) if columns >= 30 else ("needs 30" in text))
    terminal.press("q")
    assert terminal.end() == 0


def test_without_a_terminal_it_says_so(tmp_path: Path, home: Path) -> None:
    """In one line, with exit code 2; so it does for a campaign that is not there."""
    (tmp_path / "trial").mkdir()
    (tmp_path / "trial" / "campaign.toml").touch()
    ran = subprocess.run(
        [sys.executable, "-m", "waylog", "watch", "trial"],
        env=environment(tmp_path, home), stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (ran.returncode, ran.stdout, len(ran.stderr.splitlines())) == (2, "", 1)
    assert "needs a terminal" in ran.stderr
