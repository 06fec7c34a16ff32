"""The command `config`: writes the settings file, says what is wrong in it, opens it, and lists what can have other keys."""

from __future__ import annotations

import os
from pathlib import Path

from waylog.cli.arguments import Arguments
from waylog.cli.results import FILES, USAGE, CommandFailed, CommandResult, Environment
from waylog.cli.text_or_json import text_output
from waylog.settings import create_settings, read_settings, settings_path
from waylog.toml.document import Problem


def config(args: Arguments, desk: Environment) -> CommandResult:  # noqa: ARG001 - as every command
    """Check the settings file, and write it first if there is none; with an option, list the keys, print the path, or edit the file."""
    path = settings_path()
    if path is None:
        raise CommandFailed("there is no home folder for settings; set XDG_CONFIG_HOME", USAGE)
    if "--keys" in args.options:
        return _list_keys()
    if "--path" in args.options:
        return CommandResult(lambda: [str(path)], lambda: {"ok": True, "path": str(path)})
    is_new = create_settings(path)
    if "--edit" in args.options:
        _edit(path)
    if problems := all_problems(path):
        raise CommandFailed("the settings have problems", FILES, problems=problems)
    news = "written; every line in it may be changed" if is_new else "no problems"
    return CommandResult(lambda: [f"{path}: {news}"], lambda: {"ok": True, "path": str(path), "new": is_new})


def _edit(path: Path) -> None:
    from waylog.app.external_editor import EditorMissing, editor_command, find_line, run_editor

    problems = all_problems(path)
    line = problems[0].line if problems else find_line(path, ())
    try:
        run_editor(editor_command(os.environ, path, line))
    except EditorMissing as missing:
        raise CommandFailed(str(missing), USAGE) from None


def all_problems(path: Path) -> tuple[Problem, ...]:
    """Return everything that is wrong in the settings: values, keys and their conflicts, and a theme that isn't there."""
    from waylog import themes

    found = read_settings(path)
    name, settings = str(path), found.settings
    problems = list(found.problems)
    if settings.theme not in themes.names():
        there = ", ".join(themes.names())
        problems.append(
            Problem(name, found.line_of("theme"), 1, f"there is no theme “{settings.theme}”; there are: {there}")
        )
    if settings.keys:
        from waylog.app.wayfinder_app import WayfinderApp
        from waylog.ui.key_settings import build_keymap

        _, faults = build_keymap(settings.keys, WayfinderApp.BINDINGS)
        problems += [Problem(name, found.line_of(fault.id), 1, fault.reason) for fault in faults]
    return tuple(sorted(problems, key=lambda problem: problem.line))


def _list_keys() -> CommandResult:
    from waylog.app.wayfinder_app import WayfinderApp
    from waylog.ui.key_names import format_keys
    from waylog.ui.key_settings import all_bindings

    bindings = all_bindings(WayfinderApp.BINDINGS)
    rows = [(id_, format_keys(one.key), one.tooltip) for id_, one in bindings.items()]
    keyed = {id_: one.key.split(",") for id_, one in bindings.items()}
    return CommandResult(lambda: text_output.columns(rows), lambda: {"ok": True, "keys": keyed})
