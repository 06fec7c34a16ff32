"""Shell completion and the man page: what Tab offers, in Python and in the shells themselves; the page is complete and sound."""

from __future__ import annotations

import os
import pty
import shutil
import subprocess
import sys
from pathlib import Path
from select import select

import pytest

from tests.kit import ROOT
from tests.kit.cli import CommandLine
from waylog.cli.commands_and_options import COMMANDS, OPTIONS
from waylog.cli.manual import man_page
from waylog.cli.shell_completion import SCRIPTS, word_places

_PATIENCE = 120.0
SHELLS = ROOT / "tui" / "waylog" / "cli" / "shells"


@pytest.fixture
def waylog(tmp_path: Path) -> CommandLine:
    """The command line, with a campaign of people's own beside the examples."""
    command_line = CommandLine(tmp_path)
    command_line.done("new", "Night post")
    command_line.done("do", "tenacity", "session", "title", "Fog")
    return command_line


def words(waylog: CommandLine, *typed: str) -> dict[str, str]:
    """What Tab offers after these words, with its meaning."""
    found = waylog.alone("completion", "words", "--json", "--", "--dir", str(waylog.campaigns), *typed).data["words"]
    assert isinstance(found, dict)
    return found


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        (["op"], {"open": "open a campaign in the app"}),
        (["open", "n"], {"Night post": "campaign"}),
        (["open", "sl"], {"slack-water": "example"}),
        (["do", "tenacity", "roll", "n"], {"nav": "Roll NAV (2d6)"}),
        (["do", "tenacity", "roll", "nav", "k"], {"keelwing": "KEELWING"}),
        (["odds", "tenacity", "roll", "od"], {"odile": "Roll for Odile"}),
        (["rule", "VK-15"], {"VK-15": "Focus on a Fiasco"}),
        (["rule", "tenacity", "VK-15"], {"VK-15": "Focus on a Fiasco"}),
        (["undo", "tenacity", "49"], {"49": "Session title: Fog"}),
        (["recap", "tenacity", "7"], {"7": "Fog"}),
        (["why", "tenacity", "ship.f"], {"ship.focus": ""}),
        (["conflicts", "tenacity", ""], {"keep": "", "take": "", "join": ""}),
        (["log", "tenacity", "--who", "od"], {"Odile": ""}),
        (["log", "tenacity", "--kind", "sc"], {"scene": ""}),
        (["log", "tenacity", "--outcome", "fi"], {"fiasco": ""}),
        (["log", "tenacity", "--scene", "nine"], {"Nine hundred steps": ""}),
        (["log", "tenacity", "--session", "7"], {"7": "Fog"}),
        (["new", "x", "--system", "em"], {"emissaries": "The Emissaries of Guenašk"}),
        (["new", "x", "--system=em"], {"--system=emissaries": "The Emissaries of Guenašk"}),
        (["open", "tenacity", "--r"], {"--read-only": "open read-only: look, but don't play"}),
        (["open", "tenacity", "--read-only", "--r"], {}),
        (["open", "tenacity", ""], {}),
        (["show", "nowhere", ""], {}),
        (["show", "--color", "a"], {"auto": "", "always": ""}),
        (["do", "nowhere", ""], {}),
        (["frobnicate", ""], {}),
    ],
)
def test_words_that_may_come_next(waylog: CommandLine, typed: list[str], offered: dict[str, str]) -> None:
    """Commands, campaigns, actions, rules, entries, values and options are offered where they fit, each with its meaning."""
    assert words(waylog, *typed) == offered


def test_a_campaign_that_cannot_be_read_offers_nothing(waylog: CommandLine) -> None:
    """Tab neither complains nor guesses."""
    waylog.file("Night post").write_text("name = ", encoding="utf-8")
    assert words(waylog, "do", "Night post", "") == {}


def test_a_name_with_a_line_break_is_offered_to_programs_alone(waylog: CommandLine) -> None:
    """A shell would take it for two words, or complete to a campaign that isn't there."""
    (waylog.campaigns / "Night post").rename(waylog.campaigns / "Night\npost")
    assert words(waylog, "show", "ni") == {"Night\npost": "campaign"}
    assert waylog("completion", "words", "--", "show", "ni").out == ""


def test_completing_writes_nothing(waylog: CommandLine) -> None:
    """Completion writes no file, not even a copy of an example."""
    before = sorted(waylog.campaigns.rglob("*"))
    assert words(waylog, "do", "slack-water", "")
    assert sorted(waylog.campaigns.rglob("*")) == before


def test_each_usage_line_is_understood() -> None:
    """Every command that takes words has as many places for them as it takes at least."""
    for command in COMMANDS:
        assert len(word_places(command)) >= command.least, command.usage


@pytest.mark.parametrize("shell", SCRIPTS)
def test_each_script_is_printed_as_it_lies_in_the_wheel(waylog: CommandLine, shell: str) -> None:
    """`waylog completion` prints the file, which the shell itself can parse."""
    script = SHELLS / SCRIPTS[shell]
    assert waylog.alone("completion", shell).out == script.read_text(encoding="utf-8")
    assert str(script.relative_to(ROOT)) in (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    if program := shutil.which(shell):
        subprocess.run([program, "-n", script], check=True, timeout=60)


def test_another_shell_is_refused(waylog: CommandLine) -> None:
    """Completion for an unknown shell is refused, with the shells that there are."""
    assert (
        waylog.alone("completion", "tcsh").err
        == "waylog: no script for “tcsh”: Waylog has scripts for bash, zsh and fish\n"
    )


def test_tab_completes_in_a_real_bash(waylog: CommandLine, tmp_path: Path) -> None:
    """A command, a campaign with spaces in its name, also in open quotes, an action, and the folder of `--dir`."""
    waylog.done("new", "Two   blanks")
    (tmp_path / "bin").mkdir()
    program = tmp_path / "bin" / "waylog"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m waylog "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    control, terminal = pty.openpty()
    environment = {
        **os.environ,
        "PATH": f"{program.parent}:{os.environ['PATH']}",
        "WAYLOG_CAMPAIGNS": str(waylog.campaigns),
        "INPUTRC": os.devnull,
        "TERM": "dumb",
        "PS1": "",
    }
    with subprocess.Popen(
        ["bash", "--norc", "--noprofile", "-i"],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env=environment,
        cwd=tmp_path,
        start_new_session=True,
    ) as bash:
        os.close(terminal)
        try:
            _press_tab(control)
        finally:
            bash.kill()
    os.close(control)


def _press_tab(control: int) -> None:
    """Type begun lines, and wait until each has been completed."""
    os.write(control, b"source <(waylog completion bash); bind 'set enable-bracketed-paste off'; echo ready$((1+1))\n")
    _read_until(control, b"ready2")
    for typed, completed in (
        (b"waylog sho\t", b"waylog show "),
        (b"waylog show Ni\t", b"waylog show Night\\ post "),
        (b'waylog show "Ni\t', b'waylog show "Night post" '),
        (b"waylog show Tw\t", b"waylog show Two\\ \\ \\ blanks "),
        (b"waylog do tenacity roll na\t", b"waylog do tenacity roll nav "),
        (b"waylog new x --system=em\t", b"waylog new x --system=emissaries "),
        (b"waylog show --dir bi\t", b"waylog show --dir bin/"),
    ):
        os.write(control, typed)
        _read_until(control, completed)
        os.write(control, b"\x15")


def _read_until(control: int, wanted: bytes) -> None:
    """Read what the terminal shows until that is in it."""
    shown = b""
    while wanted not in shown:
        assert select([control], [], [], _PATIENCE)[0], shown
        shown += os.read(control, 4096)


def test_the_man_page_has_every_command_and_option() -> None:
    """In ASCII, so that any manual viewer shows it, and without a warning from those that check."""
    page = "".join(f"{line}\n" for line in man_page())
    assert page.isascii()
    plain = page.replace("\\-", "-").replace("...", "…")
    assert [command.name for command in COMMANDS if f"\\fB{command.usage}\\fR" not in plain] == []
    assert [option for option in OPTIONS if f"\\fB{option}\\fR" not in plain] == []
    for checker in (["man", "--warnings", "-E", "UTF-8", "-l", "-"], ["mandoc", "-T", "lint", "-W", "error"]):
        if shutil.which(checker[0]):
            ran = subprocess.run(checker, input=page, capture_output=True, text=True, check=True, timeout=60)
            assert ran.stderr == ""
