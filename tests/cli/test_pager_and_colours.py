"""Colours, links and the pager: on a terminal, and nowhere else."""

import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
from pathlib import Path
from typing import Any

import pytest

from tests.kit.cli import CommandLine
from waylog.cli import pager_and_colours
from waylog.cli.pager_and_colours import Style, TerminalText, draw, problem_line
from waylog.toml.document import Problem


@pytest.fixture
def waylog(tmp_path: Path) -> CommandLine:
    """The command line, with an example of which nothing has been copied yet."""
    return CommandLine(tmp_path)


# Whoever starts the tests in the background has Ctrl+C ignored by them, and by what they start.
_PROGRAM = "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from waylog.cli.main import program; program()"


def on_terminal(*arguments: str, height: int = 400, **environment: str) -> str:
    """What a command writes to a terminal of 100 columns."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", height, 100, 0, 0))
    run = subprocess.Popen(
        [sys.executable, "-m", "tests.kit", _PROGRAM, *arguments],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "TERM": "xterm", "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), **environment},
    )
    os.close(theirs)
    written = b""
    while True:
        try:
            data = os.read(ours, 65536)
        except OSError:  # Linux says so when nobody has the other end any more.
            break
        if not data:
            break
        written += data
    os.close(ours)
    run.wait(60)
    return written.decode()


@pytest.mark.parametrize(
    "command", [["show"], ["log"], ["odds", "roll", "nav", "keelwing"]], ids=lambda words: words[0]
)
def test_a_terminal_gets_colours_and_a_pipe_none(waylog: CommandLine, command: list[str]) -> None:
    """With colours, the text is the same as without, to the last sign; `--color` overrules both."""
    name, *words = command
    typed = [name, "tenacity", *words]
    text = waylog.done(*typed).out
    assert "\x1b" not in text
    drawn = waylog.done(*typed, "--color", "always").out
    assert "\x1b[1m" in drawn
    assert re.sub(r"\x1b\[[0-9;]*m", "", drawn) == text
    assert waylog("show", "tenacity", "--color", "sometimes").err.startswith(
        "waylog: --color must be auto, always or never, not “sometimes”"
    )


def test_colours_are_for_terminals_that_have_them(tmp_path: Path) -> None:
    """NO_COLOR, a dumb terminal and `--color never` turn them off."""
    odds = ["odds", "tenacity", "roll", "nav", "--dir", str(tmp_path)]
    assert "\x1b[31mFiasco\x1b[0m" in on_terminal(*odds)
    assert "\x1b" not in on_terminal(*odds, NO_COLOR="1") + on_terminal(*odds, TERM="dumb")
    assert "\x1b" not in on_terminal(*odds, "--color=never")


def test_what_does_not_fit_goes_through_the_pager(tmp_path: Path) -> None:
    """With its colours and without links, which older pagers show as signs. What fits is printed, and so is all without a pager."""
    pager = tmp_path / "pager"
    # Ctrl+C belongs to the pager, which may go on.
    pager.write_text('#!/bin/sh\nkill -INT $PPID; sleep 0.1; echo "paged with $LESS"; exec sed "s/^/| /"\n')
    pager.chmod(0o755)
    log = ["log", "tenacity", "-n", "4", "--dir", str(tmp_path)]
    assert "paged" not in on_terminal(*log, PAGER=str(pager))
    paged = on_terminal(*log, height=6, PAGER=str(pager), LESS="")
    assert paged.startswith("paged with \r\n| \x1b[2m  45")
    assert "| paged" not in paged
    assert paged.endswith("\x1b[0m\r\n"), "the answer is all there is, after Ctrl+C too"
    assert "paged with FRX" in on_terminal(*log, height=6, PAGER=f"{pager} -x")
    for nothing in ("", "cat", "no-such-pager"):
        printed = on_terminal(*log, height=6, PAGER=nothing)
        assert printed.startswith("\x1b[2m  45")


def test_ctrl_c_just_as_the_pager_opens_is_the_pagers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    """Waylog goes on: the text is shown, and Ctrl+C means afterwards what it meant before."""

    class Interrupted(subprocess.Popen[bytes]):
        def __init__(self, command: list[str], **how: Any) -> None:
            super().__init__(command, **how)
            signal.raise_signal(signal.SIGINT)

    pager = tmp_path / "pager"
    pager.write_text("#!/bin/sh\nexec sed 's/^/| /'\n")
    pager.chmod(0o755)
    monkeypatch.setattr(subprocess, "Popen", Interrupted)
    monkeypatch.setattr(pager_and_colours, "_is_too_long", lambda *_: True)
    outside = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        shown = pager_and_colours.show(
            [("hello",)], sys.stdout, coloured=False, environment={**os.environ, "PAGER": str(pager)}
        )
        after = signal.getsignal(signal.SIGINT)
    except KeyboardInterrupt:
        pytest.fail("Ctrl+C ended the command")
    finally:
        signal.signal(signal.SIGINT, outside)
    assert shown
    assert capfd.readouterr().out == "| hello\n"
    assert after is signal.default_int_handler


def test_places_in_files_are_links(tmp_path: Path) -> None:
    """To the line, on a terminal; nothing in a name or a text becomes one."""
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "campaign.toml").write_text("name =")
    refused = on_terminal("check", "x", "--dir", str(tmp_path))
    assert f"{tmp_path}/x/campaign.toml#1\x1b\\\x1b[1m" in refused
    assert CommandLine(tmp_path)("check", "x").err.startswith(f"{tmp_path}/x/campaign.toml:1:")
    evil = problem_line(Problem("a\x1b]8;;http://evil\x1b\\", 1, 1, "\x1b[31m"))
    assert draw(evil, links=True).count("\x1b]8;;") == 2
    assert draw(("\x1b[1mx", TerminalText("y\x07", Style.BAD)), links=True) == "␛[1mx\x1b[31my␇\x1b[0m"


def test_recaps_and_the_campaigns_own_rules_are_links(waylog: CommandLine) -> None:
    """A session links to its recap, a house rule to its line."""
    waylog.done("do", "tenacity", "note x")
    folder = waylog.campaigns / "tenacity"
    (folder / "recap-0007.md").write_text("# Session 7\n")
    assert f"{folder}/recap-0007.md\x1b\\7\x1b]8;;\x1b\\" in waylog.done("show", "tenacity", "--color=always").out
    rule = waylog.done("rule", "tenacity", "tools", "--color=always").out
    assert re.search(r"campaign\.toml#14\x1b\\House rule\x1b\]8;;\x1b\\ +tools_per_roll = 1", rule)
