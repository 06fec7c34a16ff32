"""Ctrl+E: the person's own editor at the row under the cursor, and what it saved taken in on the way back."""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kit.app import CAMPAIGN
from tests.kit.table import written
from tests.kit.terminal import Terminal, opened
from waylog.app.window_commands_and_external_editor import EditorMissing, editor_command, find_line

EDITOR = """\
#!/bin/sh
echo "$*" > "$(dirname "$0")/asked"
echo "editing $*"
read answer
sed -i 's/focus = 1/focus = 2/' "${2:-$1}"
exit "${answer:-0}"
"""


@pytest.fixture
def editor(tmp_path: Path) -> Path:
    """A program that is called as `vi` is, waits for a line, changes Focus and ends with the code that was typed."""
    program = tmp_path / "bin" / "vi"
    program.parent.mkdir()
    program.write_text(EDITOR)
    program.chmod(0o755)
    return program


@pytest.fixture
def terminal(tmp_path: Path, home: Path, editor: Path) -> Iterator[Terminal]:
    """The app on a campaign, with that editor."""
    written(tmp_path / "tenacity", CAMPAIGN)
    running = opened("tenacity", tmp_path, home, variables={"VISUAL": str(editor)})
    running.until(lambda text: "CORE" in text)
    yield running
    running.close()


@pytest.mark.parametrize(
    ("editor", "wanted"),
    [
        ("vi", ["vi", "+7", "f.toml"]),
        ("nvim -u NONE", ["nvim", "-u", "NONE", "+7", "f.toml"]),
        ("nano", ["nano", "+7", "f.toml"]),
        ("emacs -nw", ["emacs", "-nw", "+7", "f.toml"]),
        ("micro", ["micro", "+7", "f.toml"]),
        ("hx", ["hx", "f.toml:7"]),
        ("code --wait", ["code", "--wait", "--goto", "f.toml:7"]),
        ("other", ["other", "f.toml"]),
    ],
)
def test_each_editor_is_told_the_line_in_its_own_way(editor: str, wanted: list[str], tmp_path: Path) -> None:
    """One that isn't known gets the file alone."""
    program = tmp_path / editor.split(maxsplit=1)[0]
    program.touch(mode=0o755)
    assert editor_command({"EDITOR": editor, "PATH": str(tmp_path)}, Path("f.toml"), 7) == wanted


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({"PATH": "/none"}, "Neither nano nor vi is installed here"),
        ({"EDITOR": " ", "PATH": "/none"}, "Neither nano nor vi is installed here"),
        ({"VISUAL": "gone"}, "VISUAL names “gone” as your editor"),
        ({"EDITOR": "vi 'x"}, "quotation mark"),
    ],
)
def test_without_an_editor_it_is_said_how_to_name_one(environment: dict[str, str], said: str) -> None:
    """Without an editor a sentence says how to name one, and no program is started."""
    with pytest.raises(EditorMissing, match=said):
        editor_command(environment, Path("f.toml"), 1)


def test_whoever_has_set_no_editor_gets_nano_or_vi(tmp_path: Path) -> None:
    """The first of them that is there; an editor that was set comes before both."""
    for name in ("vi", "nano"):
        (tmp_path / name).touch(mode=0o755)
        assert editor_command({"EDITOR": "", "PATH": str(tmp_path)}, Path("f.toml"), 7) == [name, "+7", "f.toml"]
    assert editor_command({"EDITOR": "vi", "PATH": str(tmp_path)}, Path("f.toml"), 7)[0] == "vi"


def test_the_line_is_that_of_the_value_or_the_nearest_above(tmp_path: Path) -> None:
    """A value that the file leaves out is looked for where it would be; a broken file opens where it is broken."""
    file = tmp_path / "campaign.toml"
    file.write_text(CAMPAIGN)
    lines = CAMPAIGN.splitlines()
    assert find_line(file, ("ship", "core", "HUL")) == lines.index("HUL = 2") + 1
    assert find_line(file, ("crew", "mara", "vitality")) == lines.index("[crew.mara]") + 1
    assert find_line(file, ()) == 1
    file.write_text(CAMPAIGN.replace("HUL = 2", "HUL = = 2"))
    assert find_line(file, ("crew", "mara")) == lines.index("HUL = 2") + 1


def test_the_editor_opens_at_the_row_and_its_edit_is_taken_in(terminal: Terminal, tmp_path: Path) -> None:
    """The terminal is the editor's meanwhile. Afterwards the app is there again, shows the edit, logs it, and keys work."""
    terminal.press("\x05")
    terminal.until(lambda text: "editing" in text)
    line = CAMPAIGN.splitlines().index("focus = 1") + 1
    assert (tmp_path / "bin" / "asked").read_text().split()[0] == f"+{line}"
    assert terminal.raw.count(b"\x1b[?1049l") == 1, "the editor has the terminal as it was"
    terminal.press("0\n")
    terminal.until(lambda text: "● ● ○" in text)
    # The editor leaves an empty screen, so all of the window is drawn again.
    terminal.until(lambda _: b"Bridge" in terminal.raw.rpartition(b"\x1b[?1049h")[2])
    terminal.press("2")
    terminal.until(lambda text: "Add to crew" in text)
    assert "kind = " in (tmp_path / "tenacity" / "log" / "0001.toml").read_text()
    terminal.press("q")
    assert terminal.end() == 0
    assert terminal.raw.count(b"\x1b[?1049l") == 2


def test_what_was_played_last_is_in_the_file_that_is_edited(terminal: Terminal, tmp_path: Path) -> None:
    """The file is brought up to the log first."""
    terminal.press("nFog\r\x05")
    terminal.until(lambda text: "editing" in text)
    assert 'log = "0001:1"' in (tmp_path / "tenacity" / "campaign.toml").read_text()
    terminal.press("0\n")
    terminal.until(lambda text: "● ● ○" in text)


def test_an_interrupt_is_for_the_editor(terminal: Terminal) -> None:
    """Ctrl+C ends the editor and not the app."""
    terminal.press("\x05")
    terminal.until(lambda text: "editing" in text)
    terminal.press("\x03")
    terminal.until(lambda text: "ended with an error" in text or "CORE" in text)
    terminal.press("q")
    assert terminal.end() == 0


def test_an_editor_that_fails_is_told(terminal: Terminal) -> None:
    """With its code, once the app is back; what it saved counts all the same."""
    terminal.press("\x05")
    terminal.until(lambda text: "editing" in text)
    terminal.press("3\n")
    terminal.until(lambda text: "ended with an error (code 3)" in " ".join(text.split()))


def test_an_editor_that_is_stopped_and_goes_on_keeps_the_terminal(terminal: Terminal) -> None:
    """Ctrl+Z in an editor stops both. On going on the editor still has the terminal, and the app draws nothing over it."""
    terminal.press("\x05")
    terminal.until(lambda text: "editing" in text)
    os.kill(terminal.pid, signal.SIGTSTP)
    os.waitpid(terminal.pid, os.WUNTRACED)
    before = len(terminal.raw)
    os.kill(terminal.pid, signal.SIGCONT)
    terminal.press("0\n")
    terminal.until(lambda text: "● ● ○" in text)
    assert terminal.raw[before:].count(b"\x1b[?1049h") == 1
    assert terminal.raw[before:].count(b"\x1b[?1049l") == 0
    terminal.press("q")
    assert terminal.end() == 0
