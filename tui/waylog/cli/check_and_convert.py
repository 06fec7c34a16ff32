"""The commands `check`, `config` and `convert`: what is wrong in the files, the settings, and a copy for another game."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from waylog.cli.commands_and_options import Arguments
from waylog.cli.help_and_rules import find_system
from waylog.cli.pager_and_colours import problem_line
from waylog.cli.results_and_crashes import (
    FILES,
    USAGE,
    CommandFailed,
    CommandResult,
    Environment,
    as_seen_from_here,
    json_output,
    open_table,
    table_in,
    text_output,
)
from waylog.rules.codec.changes import format_path
from waylog.rules.game import Game
from waylog.rules.model.moves import ActRefused
from waylog.settings import create_settings, read_settings, settings_path
from waylog.store.file.campaign_file_tables_and_scene_cards import CARDS, TABLES, overrulings
from waylog.store.file.campaign_file_tables_and_scene_cards import check as problems_of
from waylog.store.files_and_lock import FILE, LINES
from waylog.store.log.verification import place_of_entry
from waylog.store.log.verification import problems as log_problems
from waylog.toml.document import Document, Problem, UnreadableFile, format_value, read_bytes

if TYPE_CHECKING:
    from waylog.store.file.template_and_conversion import ConversionPlan


def check(args: Arguments, desk: Environment) -> CommandResult:
    """Report every problem of campaign files, with its place."""
    names = args.words or desk.places.campaign_names()
    files = [_campaign_file(name, desk) for name in names]
    problems = [problem for file in files for problem in _problems(file)]
    if "--replay" in args.options and not problems:
        problems = [problem for file in files for problem in _find_differences(file, desk)]
    if not args.words:
        problems += _problems_of_user()
    if not problems:
        summary = "no campaigns to check" if not files else f"{', '.join(names)}: no problems"
        ruled = [each for file in files for each in overrulings(file, as_seen_from_here(file))]
        mentions = [*ruled, *(mention for file in files for mention in _mentions(file))]
        return CommandResult(
            lambda: [summary, *map(problem_line, mentions)],
            lambda: {"ok": True, "problems": [], "mentions": [json_output.problem(each) for each in mentions]},
        )
    count = "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
    raise CommandFailed(count, FILES, problems=problems)


def _problems(file: Path) -> Iterator[Problem]:
    """Return the problems of a campaign file, of its log, and of what players need."""
    from waylog.store.file.history import earlier_versions  # No other command of this module needs it.

    versions = earlier_versions(file.parent) if file.name == FILE else []
    yield from problems_of(file, as_seen_from_here(file), _document(versions[-1]) if versions else None)
    if file.name == FILE:
        folder, document = file.parent / "log", _document(file)
        yield from log_problems(folder, as_seen_from_here(folder), document)
        players = document.tree.get("players") if document else None
        if isinstance(players, Mapping):
            from waylog.store.players.inbox_access_and_phone_keys import (
                find_faults,  # Many tables have no players of their own.
            )

            for fault in find_faults(file.parent, players):
                yield Problem(as_seen_from_here(fault.path), 1, 1, fault.message)
        if (file.parent / LINES).exists():
            from waylog.store.file import lines_and_veils_file  # Few campaigns have this file.

            shown = as_seen_from_here(file.parent / LINES)
            yield from (each._replace(file=shown) for each in lines_and_veils_file.read(file.parent).problems)


def _find_differences(file: Path, desk: Environment) -> Iterator[Problem]:
    """Yield a problem for each entry of the log that comes out differently when it is played again, and for a different end."""
    table = table_in(file.parent, desk, read_only=True)
    folder = Path(as_seen_from_here(table.folder / "log"))
    try:
        played = table.replay({})
    except ActRefused as refused:
        yield Problem(str(folder), 1, 1, f"the log can't be replayed: {refused.refusal.reason}")
        return
    for each in played.differences:
        path, line = place_of_entry(table.folder / "log", each.entry.number)
        why = f": {each.refused}" if each.refused else ""
        yield Problem(
            str(folder / path), line, 1, f"“{each.entry.heading}” gives a different result when replayed{why}"
        )
    if played.values and not played.differences:
        yield Problem(as_seen_from_here(file), 1, 1, "replaying the log gives different values from those in the file")


def _mentions(file: Path) -> Sequence[Problem]:
    """Return the texts beside a campaign file that mention a line or a veil of the table."""
    if file.name != FILE or not (file.parent / LINES).exists():
        return ()
    from waylog.store.file import lines_and_veils_file  # Few campaigns have this file.

    folder = Path(as_seen_from_here(file)).parent
    return [each._replace(file=str(folder / each.file)) for each in lines_and_veils_file.find_in_files(file.parent)]


def _document(file: Path) -> Document | None:
    """Return the campaign file, if it can be read."""
    try:
        return Document.parse(read_bytes(file), as_seen_from_here(file))
    except UnreadableFile:
        return None


def _problems_of_user() -> Sequence[Problem]:
    """Return the problems of the user's own colour themes and settings."""
    from waylog import themes

    problems = themes.problems() if any(folder.is_dir() for folder in themes.folders()[:-1]) else ()
    path = settings_path()
    if path is None or not path.exists():
        return problems

    return tuple(dict.fromkeys((*problems, *all_problems(path))))


def _campaign_file(name: str, desk: Environment) -> Path:
    """Return the campaign file for a name, a folder or a file."""
    path = Path(name)
    if path.suffix == ".toml" and (os.sep in name or path.is_file()):
        return path
    return desk.places.find(name, to_play=False) / FILE


def config(args: Arguments, desk: Environment) -> CommandResult:  # noqa: ARG001 - as every command
    """Check the settings file, and write it first if there is none; with an option, list the keys, print the path, or edit the file."""
    path = settings_path()
    if path is None:
        raise CommandFailed(
            "your account has no home folder, so there is nowhere to keep settings. Set XDG_CONFIG_HOME", USAGE
        )
    if "--keys" in args.options:
        from waylog.app.wayfinder_app import WayfinderApp
        from waylog.ui.draw.window_layout_and_key_names import format_keys
        from waylog.ui.key_bindings import all_bindings

        bindings = all_bindings(WayfinderApp.BINDINGS)
        rows = [(id_, format_keys(one.key), one.tooltip) for id_, one in bindings.items()]
        keyed = {id_: one.key.split(",") for id_, one in bindings.items()}
        return CommandResult(lambda: text_output.columns(rows), lambda: {"ok": True, "keys": keyed})
    if "--path" in args.options:
        return CommandResult(lambda: [str(path)], lambda: {"ok": True, "path": str(path)})
    is_new = create_settings(path)
    if "--edit" in args.options:
        _edit(path)
    if problems := all_problems(path):
        raise CommandFailed("there are problems in the settings", FILES, problems=problems)
    news = "created. You can change any line" if is_new else "no problems"
    return CommandResult(lambda: [f"{path}: {news}"], lambda: {"ok": True, "path": str(path), "new": is_new})


def _edit(path: Path) -> None:
    from waylog.app.window_commands_and_external_editor import EditorMissing, editor_command, find_line, run_editor

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
    if of_theme := themes.problems(settings.theme):
        problems += of_theme
    elif settings.theme not in themes.names():
        problems.append(Problem(name, found.line_of("theme"), 1, themes.no_theme_text(settings.theme, themes.names())))
    if settings.keys:
        from waylog.app.wayfinder_app import WayfinderApp
        from waylog.ui.key_bindings import build_keymap

        _, faults = build_keymap(settings.keys, WayfinderApp.BINDINGS)
        problems += [Problem(name, found.line_of(fault.id), 1, fault.reason) for fault in faults]
    return tuple(sorted(problems, key=lambda problem: problem.line))


def convert(args: Arguments, desk: Environment) -> CommandResult:
    """Show what becomes of a campaign in another game. With --into, write it as a new campaign; the old one stays."""
    if "--system" not in args.options:
        raise CommandFailed("add --system ID to say which game to convert to. `waylog systems` lists the games", USAGE)
    target = Game(find_system(args.options["--system"]))
    table = open_table(args.name, desk, to_play=False)
    if table.game.system.id == target.system.id:
        raise CommandFailed(f"{args.name} is already a {target.system.name} campaign", USAGE)
    plan = table.plan_conversion(target)
    name = args.options.get("--into")
    folder = desk.places.new(name) if name is not None else None
    if folder is not None and name is not None:
        from waylog.store.file.template_and_conversion import make

        make(folder, name, target, plan.state, beside=[table.folder / TABLES, table.folder / CARDS])
    if folder is None:
        then = "This is only a preview. To create the converted campaign, add --into NAME. The original stays as it is"
    else:
        then = f"Created {folder / FILE}. `waylog check` lists what you still have to choose. {args.name} and its log stay as they are"
    return CommandResult(
        lambda: [*_plan_lines(plan, table.game, target), then],
        lambda: {
            "ok": True,
            "moved": [{"path": format_path(m.path), "to": format_path(m.to), "value": m.value} for m in plan.moved],
            "dropped": [{"path": format_path(path), "value": value} for path, value in plan.dropped],
            "choose": [{"path": format_path(f.path), "message": f.message, "clause": f.clause} for f in plan.to_choose],
            "path": str(folder / FILE) if folder else None,
        },
    )


def _plan_lines(plan: ConversionPlan, source: Game, target: Game) -> Iterator[str]:
    yield f"{source.system.name} → {target.system.name}"
    renamed = [moved for moved in plan.moved if moved.path != moved.to]
    count = len(plan.moved) - len(renamed)
    unchanged = "1 value" if count == 1 else f"{count} values"
    yield f"Unchanged: {unchanged}, and all clocks, decks, situations, sessions, rulings and saved dice"
    yield from _section(
        "Renamed", [f"{_value(moved.path, moved.value)} → {format_path(moved.to)}" for moved in renamed]
    )
    yield from _section("Dropped (no equivalent)", [_value(*left) for left in plan.dropped])
    rows = [f"{format_path(fault.path)}: {fault.message}" for fault in plan.to_choose]
    yield from _section("Still to choose", rows)


def _section(title: str, rows: Sequence[str]) -> Iterator[str]:
    if rows:
        yield f"{title}:"
        yield from (f"  {row}" for row in rows)


def _value(path: tuple[str, ...], value: Any) -> str:
    return f"{format_path(path)} = {format_value(value)}"
