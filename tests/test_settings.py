"""The settings file: what it may say, what is said of everything else, and how a choice is kept in it."""

from __future__ import annotations

import stat
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from tests.kit.cli import CommandLine
from waylog.settings import TEMPLATE, Settings, create_settings, read_settings, remember
from waylog.toml.document import UnreadableFile


@pytest.fixture
def file(home: Path) -> Path:
    """Where the settings are."""
    path = home / ".config" / "waylog" / "config.toml"
    path.parent.mkdir(parents=True)
    return path


def test_the_template_says_what_holds_without_it(file: Path) -> None:
    """Every line of it is a default, every setting has one, and nothing in it is wrong."""
    create_settings(file)
    found = read_settings(file)
    assert found.settings == Settings() == read_settings(file.with_name("none.toml")).settings
    assert found.problems == ()
    assert set(tomllib.loads(TEMPLATE)) == set(Settings.__dataclass_fields__)


def test_reading_loads_nothing_that_a_start_could_do_without(file: Path) -> None:
    """Neither what finds lines nor what edits: both are for what is wrong, or chosen."""
    create_settings(file)
    ask = (
        "import sys, pathlib, waylog.settings as s; s.read_settings(pathlib.Path(sys.argv[1]));"
        "print([name for name in ('waylog.toml.scanner', 'waylog.toml.editor', 'tomlkit', 'textual', 'difflib') if name in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", ask, str(file)], capture_output=True, text=True, check=True, timeout=60)
    assert run.stdout.strip() == "[]"


def test_what_is_set_is_read(file: Path) -> None:
    """Keys are one or several, in a table or with a dot."""
    file.write_text(
        'theme = "light"\nhints = false\nglyphs = "ascii"\ndice = "real"\nfirst_view = "log"\nlog_beside = 0\nbell = true\n'
        'notification = "osc9"\nannounce = false\n[keys]\nnote = "z"\nundo = ["u", "f5"]\nrow.more = "*"\n'
    )
    keys = {"note": ("z",), "undo": ("u", "f5"), "row.more": ("*",)}
    wanted = Settings("light", False, "ascii", "real", "log", 0, True, "osc9", False, keys)
    assert read_settings(file).settings == wanted
    assert read_settings(file).line_of("row.more") == 13


def test_what_is_wrong_is_told_with_its_line_and_all_else_holds(file: Path) -> None:
    """Each with the nearest right word, and only what is wrong counts as left out."""
    file.write_text(
        'thme = "x"\nbell = 3\ndice = "reel"\nlog_beside = 7\nhints = false\n[keys]\nnote = 3\nundo = []\n',
        encoding="utf-8",
    )
    found = read_settings(file)
    assert found.settings == Settings(hints=False)
    assert [str(problem).partition("config.toml:")[2] for problem in found.problems] == [
        "1:1: there is no setting `thme`. Did you mean `theme`?",
        "2:1: `bell` must be true or false, not 3",
        "3:1: `dice` must be rolled or real, not “reel”. Did you mean “real”?",
        "4:1: `log_beside` must be 0, or a number of columns from 80 to 500, not 7",
        '7:1: `note` must be a key, such as "n", or a list of keys',
        '8:1: `undo` must be a key, such as "n", or a list of keys',
    ]


@pytest.mark.parametrize("text", ["theme = ", "\x00", "keys = 3", '"\\u001b[2J" = 1'])
def test_a_broken_file_sets_nothing_and_is_told(file: Path, text: str) -> None:
    """Nothing in it reaches the terminal as it is."""
    file.write_text(text)
    found = read_settings(file)
    assert found.settings == Settings()
    assert found.problems
    assert "\x1b" not in "".join(map(str, found.problems))


def test_a_choice_changes_its_line_alone(file: Path) -> None:
    """Comments, order and spacing stay, a link stays a link, and the file's rights stay."""
    real = file.with_name("dotfile.toml")
    real.write_text('# mine\n\ntheme   = "dark"   # at night\nbell = true\n')
    real.chmod(0o600)
    file.symlink_to(real)
    remember(file, "theme", "light")
    assert file.is_symlink()
    assert real.read_text() == '# mine\n\ntheme   = "light"   # at night\nbell = true\n'
    assert stat.S_IMODE(real.stat().st_mode) == 0o600


def test_a_choice_writes_the_file_where_there_is_none(home: Path) -> None:
    """With all its comments, and the folders above it."""
    path = home / ".config" / "waylog" / "config.toml"
    remember(path, "hints", value=False)
    assert path.read_text() == TEMPLATE.replace("hints = true", "hints = false")


def test_a_broken_file_is_left_alone(file: Path) -> None:
    """A choice can't be kept in it."""
    file.write_text("theme = ")
    with pytest.raises(UnreadableFile):
        remember(file, "theme", "light")
    assert file.read_text() == "theme = "


def test_the_command_writes_it_once_and_checks_it(tmp_path: Path, file: Path) -> None:
    """A second time it says that nothing is wrong, or what is: keys, conflicts and themes included."""
    waylog = CommandLine(tmp_path)
    assert waylog.done("config", "--path").out == f"{file}\n"
    assert not file.exists()
    assert "created" in waylog.done("config").out
    assert "no problems" in waylog.done("config").out
    file.write_text('theme = "drk"\n[keys]\nnote = "j"\nundo = "m"\nscene = "f5"\nunod = "z"\nroll = "esc"\n')
    refused = waylog("config")
    assert refused.code == 1
    for said in (
        ":1:1: there is no theme “drk”",
        ":3:1: j is already the key for `sheet.down` (Next row)",
        ":6:1: there is no key setting called `unod`. Did you mean `undo`?",
        ":7:1: escape is reserved for closing and quitting",
    ):
        assert said in refused.err
    assert ":4:" not in refused.err, "m is free, as the scene has another key now"
    assert ":3:1: j is already the key" in waylog("check").err


def test_a_theme_with_a_mistake_is_named_with_its_line(tmp_path: Path, file: Path) -> None:
    """It is there, so nobody is told that it isn't."""
    mine = file.parent / "themes" / "mine.toml"
    mine.parent.mkdir()
    mine.write_text('name = "Mine"\ndark = true\naccent = "blue"\n', encoding="utf-8")
    file.write_text('theme = "mine"\n', encoding="utf-8")
    refused = CommandLine(tmp_path)("config")
    assert (refused.code, refused.out) == (1, "")
    assert f"{mine}:3:1: `accent` must be a colour" in refused.err
    assert "there is no theme" not in refused.err


def test_the_command_opens_the_editor(tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The command opens the settings file in the editor, and checks what was saved."""
    editor = tmp_path / "ed.sh"
    editor.write_text('#!/bin/sh\necho "bell = 1" > "$1"\n')
    editor.chmod(0o755)
    monkeypatch.setenv("EDITOR", str(editor))
    refused = CommandLine(tmp_path)("config", "--edit")
    assert "`bell` must be true or false, not 1" in refused.err


def test_the_keys_that_can_be_set_are_listed(tmp_path: Path) -> None:
    """With what each does, and for a program as lists."""
    waylog = CommandLine(tmp_path)
    listed = waylog.done("config", "--keys").out
    assert "note " in listed
    assert "Write a note in the log" in listed
    assert waylog.json("config", "--keys")["keys"]["note"] == ["n"]
