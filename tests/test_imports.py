"""The rules and the table come without a screen, seen from a fresh process rather than from the import lines."""

import json
import shutil
import subprocess
import sys
from contextlib import suppress
from importlib.util import find_spec
from pathlib import Path

import pytest

from waylog.store.folders_and_recent import locations

ASK = "import importlib, json, sys; importlib.import_module(sys.argv[1]); print(json.dumps(sorted(sys.modules)))"


def loaded_by(module: str) -> set[str]:
    """The top-level names of every module that a fresh process holds after importing `module`."""
    run = subprocess.run([sys.executable, "-c", ASK, module], capture_output=True, text=True, check=True, timeout=60)
    return {name.partition(".")[0] for name in json.loads(run.stdout)}


def full_name(name: str) -> str:
    """The module of Waylog of that name, or else of the standard library: one that exists, so that no test looks for an old name."""
    ours = f"waylog.{name}"
    with suppress(ModuleNotFoundError):
        if find_spec(ours):
            return ours
    assert find_spec(name), name
    return name


def test_the_rules_stand_alone() -> None:
    """Whoever imports the rules gets no screen, no file format and no randomness with them."""
    assert not loaded_by("waylog.rules") & {"textual", "rich", "tomlkit", "tomli", "tomllib", "random", "asyncio"}


def test_the_table_needs_no_screen() -> None:
    """Whoever imports the table gets play, undo and files without Textual or Rich."""
    assert not loaded_by("waylog.table") & {"textual", "rich"}


@pytest.mark.parametrize("module", ["waylog", "waylog.cli.main"])
def test_the_command_line_starts_light(module: str) -> None:
    """A command that opens no screen does not wait for Textual to load, nor for the editing library."""
    assert not loaded_by(module) & {"textual", "rich", "tomlkit"}


def test_the_table_does_without_costly_parts_of_the_standard_library() -> None:
    """`waylog.values` stands in for `dataclasses`, which would add 107 ms to a command of 143."""
    assert not loaded_by("waylog.table") & {"argparse", "dataclasses", "inspect", "random", "threading"}


def test_a_command_that_plays_imports_nothing_that_only_screens_and_edits_need() -> None:
    """Snapshots, proposals of players, and the merge of hand edits are imported when they are first needed."""
    ask = (
        "import sys, waylog.cli.do_undo_and_odds, waylog.cli.json_output, waylog.store.players.players_file, waylog.rules.systems.veil_core\n"
        "print(*sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True, timeout=60)
    late = {
        "fractions",
        "snapshot_and_act_preview",
        "rules.codec.form_fields_and_paths",
        "rules.set_command",
        "rules.model.rules_reference",
        "rules.language.completion_and_what_is_wrong",
        "cli.text_output",
    }
    late |= {"store.players.proposals", "store.players.inbox", "store.file.edit_base_merge_and_renames"}
    assert not {*run.stdout.split()} & {full_name(name) for name in late}


def test_a_command_that_plays_compiles_no_annotation() -> None:
    """The compiler takes two milliseconds to start. Named tuples of the standard library call it for annotations that are texts."""
    ask = (
        "import typing\n"
        "def refuse(_, text, **options): raise AssertionError(text)\n"
        "typing.ForwardRef.__init__ = refuse\n"
        "import waylog.cli.do_undo_and_odds, waylog.toml.editor, waylog.rules.systems.veil_core"
    )
    run = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=False, timeout=60)
    assert run.stderr == ""


def test_an_act_loads_nothing_that_answers_players_or_reports_a_crash(tmp_path: Path) -> None:
    """`waylog do` plays a note without line mode, proposals of players, or the library that describes errors."""
    shutil.copytree(locations(None, {"HOME": "/"}).examples / "tenacity", tmp_path / "tenacity")
    ask = (
        "import sys; from waylog.cli.main import main\n"
        "assert main(['do', 'tenacity', 'note', 'x', '--dir', sys.argv[1]]) == 0\n"
        "print(*sys.modules)"
    )
    run = subprocess.run([sys.executable, "-c", ask, tmp_path], capture_output=True, text=True, check=True, timeout=60)
    late = {"traceback", "tokenize", "line_mode.descriptions_and_news", "line_mode.loop", "store.players.proposals"}
    late |= {"rules.language.completion_and_what_is_wrong"}
    assert not {*run.stdout.split()} & {full_name(name) for name in late}


def test_the_first_frame_needs_nothing_of_the_line_that_is_typed() -> None:
    """The prompt and the parser of commands are a tenth of what the window needs, and are imported once it is on screen. A view that
    is not looked at is imported when somebody goes there, or has set a key, and what phones need once there are phones.
    """
    ask = "import sys, waylog.cli.open_play_watch_and_serve, waylog.app.wayfinder_app, waylog.rules.systems.veil_core; print(*sys.modules)"
    run = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True, timeout=60)
    late = {f"ui.line.{name}" for name in ("line_keys", "line_state_and_drawing", "parsed_line", "choice_list")}
    late |= {
        f"rules.language.{name}"
        for name in ("command_parser", "line_tokens_and_matching", "completion_and_what_is_wrong")
    }
    late |= {f"ui.views.{name}" for name in ("log", "clocks", "tables_and_decks")} | {
        "store.log.search_and_filters",
    }
    late |= {
        "rules.codec.form_fields_and_paths",
        "rules.what_players_may_do",
        "store.file.edit_base_merge_and_renames",
        "ui.line.app_commands_and_menu",
        "store.players.inbox_access_and_phone_keys",
        "json",
        "hashlib",
    }
    late |= {
        "store.players.proposals",
        "store.players.inbox",
        "store.players.pause_and_presence",
        "rules.language.similar_names",
    }
    assert not {*run.stdout.split()} & {full_name(name) for name in late}


def test_a_start_compiles_no_pattern_that_it_may_not_need() -> None:
    """Patterns are texts for `re`, which compiles each when it is first used."""
    ask = (
        "import re, sys\n"
        "compiled, compile_ = [], re.compile\n"
        "def noted(*given, **named):\n"
        "    compiled.append(sys._getframe(1).f_globals.get('__name__', ''))\n"
        "    return compile_(*given, **named)\n"
        "re.compile = noted\n"
        "import waylog.cli.do_undo_and_odds, waylog.rules.systems.veil_core, waylog.ui.main_screen\n"
        "print([name for name in compiled if name.startswith('waylog')])"
    )
    run = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True, timeout=60)
    assert run.stdout == "[]\n"


def test_the_program_loads_no_library_for_encrypted_connections() -> None:
    """That takes four megabytes and a thirtieth of the time in which the app starts. Asyncio works without it."""
    ask = "import sys; sys.argv[1:] = ['--version']; from waylog.cli.main import main; main(); import asyncio; print('_ssl' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, check=True, timeout=60)
    assert run.stdout.splitlines()[-1] == "False"


def test_every_module_is_imported() -> None:
    """A class that can't be made is found without opening the screen that needs it."""
    ask = (
        "import importlib, pkgutil, waylog\n"
        "for module in pkgutil.walk_packages(waylog.__path__, 'waylog.'):\n"
        "    if module.name != 'waylog.__main__': importlib.import_module(module.name)"
    )
    subprocess.run([sys.executable, "-c", ask], capture_output=True, check=True, timeout=60)
