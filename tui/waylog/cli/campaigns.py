"""Commands for campaigns as files: `new`, `show`, `log` and `check`; `convert` makes a copy for another game.

The command `config`: writes the settings file, says what is wrong in it, opens it, and lists what can have other keys.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from waylog.cli import main
from waylog.cli.commands_and_options import DEFAULT_SYSTEM, Arguments
from waylog.cli.help_and_rules import find_system
from waylog.cli.pager_and_colours import Line, problem_line
from waylog.cli.results_and_crashes import (
    FILES,
    FOUND_NOTHING,
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
from waylog.store.file.campaign_file import check as problems_of
from waylog.store.file.campaign_file import overrulings
from waylog.store.file.hand_files import CARDS, TABLES
from waylog.store.files import FILE, LINES
from waylog.store.folders_and_recent import summarise_campaign
from waylog.store.log.damage import place_of_entry
from waylog.store.log.damage import problems as log_problems
from waylog.store.log.entries import LogEntry
from waylog.table import Table
from waylog.toml.document import Document, Problem, UnreadableFile, format_value, read_bytes
from waylog.words.saving import damage, recovery, save, why_not_saved

if TYPE_CHECKING:
    from waylog.store.file.template import ConversionPlan

_LOG_ENTRIES = "20"
_LONGEST_NUMBER = 16


def new(args: Arguments, desk: Environment) -> CommandResult:
    """Create a campaign folder with a commented file; without a name, step by step in the app."""
    if not args.words:
        if "--system" in args.options:
            find_system(args.options["--system"])
        from waylog.cli import windows

        if args.json or not main.in_terminal():
            raise CommandFailed("NAME is missing; in a terminal, `waylog new` asks for everything", USAGE)
        return windows.new(args, desk)
    import shlex

    from waylog.store.file.template import make
    from waylog.store.games.game_files import tables_of

    folder = desk.places.new(args.name)
    rules = find_system(args.options.get("--system", DEFAULT_SYSTEM))
    make(folder, args.name, Game(rules), beside=tables_of(rules.id))
    message = f"Created {folder / FILE}. Open it with: waylog open {shlex.quote(args.name)}"
    data = {"ok": True, "name": args.name, "system": rules.id, "path": str(folder / FILE)}
    return CommandResult(lambda: [message], lambda: data)


def list_(args: Arguments, desk: Environment) -> CommandResult:  # noqa: ARG001 - as every command
    """List the campaigns, those that were opened last first, and the examples that have no copy yet."""
    places = desk.places
    ordered = places.campaign_folders()
    examples = [places.examples / name for name in places.uncopied_examples()]
    rows, listed = list[tuple[str, ...]](), []
    for folder in (*ordered, *examples):
        found = summarise_campaign(folder)
        # A campaign that is somewhere else is known by its path.
        name = folder.name if folder.parent == places.campaigns or folder in examples else str(folder)
        session = f"session {found.session}" if found.session else ""
        rows.append((name, found.title, found.game, session, found.played))
        listed.append(
            {
                "name": name,
                "title": found.title,
                "game": found.game or None,
                "session": found.session or None,
                "played": found.played or None,
                "path": str(folder),
                "example": folder in examples,
            }
        )
    aligned = [*text_output.columns(rows)] if rows else []
    lines: list[Line] = aligned[: len(ordered)] or ["No campaigns yet. To create one: waylog new NAME"]
    if examples:
        lines += ["", "Examples, which are copied when you first play them", *aligned[len(ordered) :]]
    return CommandResult(lambda: lines, lambda: {"ok": True, "campaigns": listed})


def show(args: Arguments, desk: Environment) -> CommandResult:
    """Show the state: ship, crew, clocks, decks, tables and sessions; now, or as it was after an entry of the log."""
    table = open_table(args.name, desk, to_play=False)
    snapshot = table.snapshot
    if "--at" in args.options:
        from waylog.cli.recap_and_restore import snapshot_at  # Most look at the state as it is now.

        snapshot = snapshot_at(table, args.options["--at"])

    def lines() -> Iterator[Line]:
        from waylog.store.shown.recap import saved_recaps  # They are only links.

        return text_output.state(snapshot, saved_recaps(table.folder))

    return CommandResult(lines, lambda: json_output.state(snapshot), damage(table))


def log(args: Arguments, desk: Environment) -> CommandResult:
    """Show the latest log entries, oldest first; with filters, those of the latest actions that match."""
    wanted = args.options.get("--number", _LOG_ENTRIES)
    if not (wanted.isascii() and wanted.isdigit() and len(wanted) < _LONGEST_NUMBER):
        raise CommandFailed("-n takes a number of entries, such as 20; 0 shows all", USAGE)
    table = open_table(args.name, desk, to_play=False)
    from waylog.store.log.search_and_filters import FILTERS

    if any(each.option in args.options for each in FILTERS):
        return _filtered_log(args, table, int(wanted) or None, desk.now())
    entries = [*reversed([*islice(_newest_first(table), int(wanted) or None)])]
    return CommandResult(lambda: text_output.entries(entries), lambda: json_output.entries(entries), damage(table))


def _filtered_log(args: Arguments, table: Table, most: int | None, now: datetime) -> CommandResult:
    """Show the entries of the latest actions that match. If none does, the exit code is that of `grep`."""
    from waylog.store.log.search_and_filters import Filterable, FilterUnclear, read_query

    search, snapshot = table.log_search(), table.snapshot
    try:
        there = Filterable(search, snapshot.panels, snapshot.players, snapshot.sessions, now=now)
        query = read_query(args.options, there)
    except FilterUnclear as unclear:
        raise CommandFailed(str(unclear), USAGE) from None
    found = [*islice(search.find(query), most)]
    acts = [act for number in reversed(found) if (act := search.acts.act(number, rewound=True))]
    entries = [(entry, act.undone is not None) for act in acts for entry in act.entries]
    if not entries:
        return CommandResult(
            tuple, lambda: json_output.entries(()), [*damage(table), "Nothing in the log matches"], code=FOUND_NOTHING
        )
    return CommandResult(lambda: text_output.entries(entries), lambda: json_output.entries(entries), damage(table))


def _newest_first(table: Table) -> Iterator[tuple[LogEntry, bool]]:
    """Yield every entry with whether a later one undid it, but none of a scene that was rewound (NM-43). Reads no further back
    than the caller does.
    """
    gone, acts = set[int](), table.log_search().acts
    for entry in table.entries():
        if entry.number not in gone:
            gone.update(entry.ends)
        if not acts.rewind_of(entry.number):
            yield entry, entry.number in gone


def kit(args: Arguments, desk: Environment) -> CommandResult:
    """List the starter kit, or what of it a campaign's game has a place for; or add things of it to a campaign."""
    from waylog.store.kit import KitKind, kit, kit_for

    name, *things = args.words or ("",)
    if not things:
        there = kit_for(open_table(name, desk, to_play=False).game) if name else kit()
        return CommandResult(lambda: text_output.kit(there), lambda: json_output.kit(there))
    table = open_table(name, desk, to_play=True)
    entries, items = table.add_from_kit(things, args.options.get("--for", ""))
    save(table)
    lines = [f"{entry.number}  {entry.title}" for entry in entries]
    lines += [item.news for item in items if item.kind is KitKind.TABLE]
    data = {**json_output.kit(items), "entries": [entry.number for entry in entries]}
    return CommandResult(lambda: lines, lambda: data, [*recovery(table), *damage(table), *why_not_saved(table)])


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
            from waylog.store.players.access import find_faults  # Many tables have no players of their own.

            for fault in find_faults(file.parent, players):
                yield Problem(as_seen_from_here(fault.path), 1, 1, fault.message)
        if (file.parent / LINES).exists():
            from waylog.store.file import lines_file  # Few campaigns have this file.

            shown = as_seen_from_here(file.parent / LINES)
            yield from (each._replace(file=shown) for each in lines_file.read(file.parent).problems)


def _find_differences(file: Path, desk: Environment) -> Iterator[Problem]:
    """Yield a problem for each entry of the log that comes out differently when it is played again, and for a different end."""
    table = table_in(file.parent, desk, read_only=True)
    folder = Path(as_seen_from_here(table.folder / "log"))
    try:
        played = table.replay({})
    except ActRefused as refused:
        yield Problem(str(folder), 1, 1, f"it can't be replayed: {refused.refusal.reason}")
        return
    for each in played.differences:
        path, line = place_of_entry(table.folder / "log", each.entry.number)
        why = f": {each.refused}" if each.refused else ""
        yield Problem(str(folder / path), line, 1, f"“{each.entry.heading}” comes out differently when replayed{why}")
    if played.values and not played.differences:
        yield Problem(as_seen_from_here(file), 1, 1, "replaying the log gives different values from those in the file")


def _mentions(file: Path) -> Sequence[Problem]:
    """Return the texts beside a campaign file that mention a line or a veil of the table."""
    if file.name != FILE or not (file.parent / LINES).exists():
        return ()
    from waylog.store.file import lines_file  # Few campaigns have this file.

    folder = Path(as_seen_from_here(file)).parent
    return [each._replace(file=str(folder / each.file)) for each in lines_file.find_in_files(file.parent)]


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
        raise CommandFailed("there is no home folder for settings; set XDG_CONFIG_HOME", USAGE)
    if "--keys" in args.options:
        from waylog.app.wayfinder_app import WayfinderApp
        from waylog.ui.draw.layout import format_keys
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
        raise CommandFailed("the settings have problems", FILES, problems=problems)
    news = "written. You can change any line" if is_new else "no problems"
    return CommandResult(lambda: [f"{path}: {news}"], lambda: {"ok": True, "path": str(path), "new": is_new})


def _edit(path: Path) -> None:
    from waylog.app.window_commands import EditorMissing, editor_command, find_line, run_editor

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
        there = ", ".join(themes.names())
        problems.append(
            Problem(name, found.line_of("theme"), 1, f"there is no theme “{settings.theme}”; the themes are {there}")
        )
    if settings.keys:
        from waylog.app.wayfinder_app import WayfinderApp
        from waylog.ui.key_bindings import build_keymap

        _, faults = build_keymap(settings.keys, WayfinderApp.BINDINGS)
        problems += [Problem(name, found.line_of(fault.id), 1, fault.reason) for fault in faults]
    return tuple(sorted(problems, key=lambda problem: problem.line))


def convert(args: Arguments, desk: Environment) -> CommandResult:
    """Show what becomes of a campaign in another game. With --into, write it as a new campaign; the old one stays."""
    if "--system" not in args.options:
        raise CommandFailed("add --system ID, with the game to convert to; `waylog systems` lists the games", USAGE)
    target = Game(find_system(args.options["--system"]))
    table = open_table(args.name, desk, to_play=False)
    if table.game.system.id == target.system.id:
        raise CommandFailed(f"{args.name} is already a campaign of {target.system.name}", USAGE)
    plan = table.plan_conversion(target)
    name = args.options.get("--into")
    folder = desk.places.new(name) if name is not None else None
    if folder is not None and name is not None:
        from waylog.store.file.template import make

        make(folder, name, target, plan.state, beside=[table.folder / TABLES, table.folder / CARDS])
    if folder is None:
        then = "Preview only. Add --into NAME to create the converted campaign; the original stays as it is"
    else:
        then = f"Created {folder / FILE}; `waylog check` lists what is left to choose. {args.name} and its log stay as they are"
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
    yield f"Unchanged: {unchanged}, clocks, decks, situations, sessions, rulings and saved dice"
    yield from _section(
        "Renamed", [f"{_value(moved.path, moved.value)} → {format_path(moved.to)}" for moved in renamed]
    )
    yield from _section("Dropped (no equivalent)", [_value(*left) for left in plan.dropped])
    rows = [f"{format_path(fault.path)}: {fault.message}" for fault in plan.to_choose]
    yield from _section("You still have to choose", rows)


def _section(title: str, rows: Sequence[str]) -> Iterator[str]:
    if rows:
        yield f"{title}:"
        yield from (f"  {row}" for row in rows)


def _value(path: tuple[str, ...], value: Any) -> str:
    return f"{format_path(path)} = {format_value(value)}"
