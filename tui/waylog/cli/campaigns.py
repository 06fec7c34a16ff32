"""Commands for campaigns as files: `new`, `show`, `log` and `check`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path

from waylog.cli import streams
from waylog.cli.about import find_system
from waylog.cli.arguments import DEFAULT_SYSTEM, Arguments
from waylog.cli.open_table import as_seen_from_here, open_table
from waylog.cli.results import FILES, USAGE, CommandFailed, CommandResult, Environment
from waylog.cli.text_or_json import json_output, text_output
from waylog.rules.game import Game
from waylog.settings import settings_path
from waylog.store.campaign_file import check as problems_of
from waylog.store.campaign_file import overrulings
from waylog.store.entries import LogEntry
from waylog.store.lock_and_replace import FILE, LINES
from waylog.store.log_verification import problems as log_problems
from waylog.table import Table
from waylog.toml.document import Document, Problem, UnreadableFile, read_bytes
from waylog.words.saving import damage, recovery, save, why_not_saved

_LOG_ENTRIES = "20"
_FILTERS = ("--grep", "--who", "--kind", "--outcome", "--scene", "--session")
_LONGEST_NUMBER = 16


def new(args: Arguments, desk: Environment) -> CommandResult:
    """Create a campaign folder with a commented file; without a name, step by step in the app."""
    if not args.words:
        return _make_in_the_app(args, desk)
    from waylog.store.game_files import tables_of
    from waylog.store.template import make

    folder = desk.places.new(args.name)
    rules = find_system(args.options.get("--system", DEFAULT_SYSTEM))
    make(folder, args.name, Game(rules), tables=tables_of(rules.id))
    message = f"Created {folder / FILE}. Open it with: waylog open {_shell(args.name)}"
    data = {"ok": True, "name": args.name, "system": rules.id, "path": str(folder / FILE)}
    return CommandResult(lambda: [message], lambda: data)


def _make_in_the_app(args: Arguments, desk: Environment) -> CommandResult:
    if "--system" in args.options:
        find_system(args.options["--system"])
    from waylog.cli import open_app

    if args.json or not streams.in_terminal():
        raise CommandFailed("NAME is missing; in a terminal, `waylog new` asks for everything", USAGE)
    return open_app.new(args, desk)


def _shell(name: str) -> str:
    import shlex

    return shlex.quote(name)


def show(args: Arguments, desk: Environment) -> CommandResult:
    """Show the state: ship, crew, clocks, decks, tables and sessions."""
    table = open_table(args.name, desk, to_play=False)
    snapshot = table.snapshot
    return CommandResult(lambda: text_output.state(snapshot), lambda: json_output.state(snapshot), damage(table))


def log(args: Arguments, desk: Environment) -> CommandResult:
    """Show the latest log entries, oldest first; with filters, those of the latest actions that match."""
    wanted = args.options.get("--number", _LOG_ENTRIES)
    if not (wanted.isascii() and wanted.isdigit() and len(wanted) < _LONGEST_NUMBER):
        raise CommandFailed("-n takes a number of entries, such as 20; 0 shows all", USAGE)
    table = open_table(args.name, desk, to_play=False)
    if any(option in args.options for option in _FILTERS):
        return _filtered_log(args, table, int(wanted) or None)
    entries = [*reversed([*islice(_newest_first(table), int(wanted) or None)])]
    return CommandResult(lambda: text_output.entries(entries), lambda: json_output.entries(entries), damage(table))


def _filtered_log(args: Arguments, table: Table, most: int | None) -> CommandResult:
    """Show the entries of the latest actions that match."""
    from waylog.cli.log_filters import parse_filters

    search = table.log_search()
    found = [*islice(search.find(parse_filters(args.options, table, search)), most)]
    acts = [act for number in reversed(found) if (act := search.acts.act(number, rewound=True))]
    entries = [(entry, act.undone is not None) for act in acts for entry in act.entries]
    lines = text_output.entries(entries) if entries else ("Nothing in the log matches",)
    return CommandResult(lambda: lines, lambda: json_output.entries(entries), damage(table))


def _newest_first(table: Table) -> Iterator[tuple[LogEntry, bool]]:
    """Yield every entry with whether a later one undid it, but none of a scene that was rewound (NM-43). Reads no further back
    than the caller does.
    """
    gone, acts = set[int](), table.log_search().acts
    for entry in table.entries():
        if entry.number not in gone:
            gone.update(entry.undoes)
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
    lines += [f"New table: {item.name}, in {item.where}" for item in items if item.kind is KitKind.TABLE]
    data = {**json_output.kit(items), "entries": [entry.number for entry in entries]}
    return CommandResult(lambda: lines, lambda: data, [*recovery(table), *damage(table), *why_not_saved(table)])


def check(args: Arguments, desk: Environment) -> CommandResult:
    """Report every problem of campaign files, with its place."""
    names = args.words or desk.places.campaign_names()
    files = [_campaign_file(name, desk) for name in names]
    problems = [problem for file in files for problem in _problems(file)]
    if not args.words:
        problems += _problems_of_user()
    if not problems:
        summary = "no campaigns to check" if not files else f"{', '.join(names)}: no problems"
        ruled = [each for file in files for each in overrulings(file, as_seen_from_here(file))]
        mentions = [*ruled, *(mention for file in files for mention in _mentions(file))]
        return CommandResult(
            lambda: [summary, *map(str, mentions)],
            lambda: {"ok": True, "problems": [], "mentions": [json_output.problem(each) for each in mentions]},
        )
    raise CommandFailed(_count_problems(problems), FILES, problems=problems)


def _problems(file: Path) -> Iterator[Problem]:
    """Return the problems of a campaign file, of its log, and of what players need."""
    yield from problems_of(file, as_seen_from_here(file))
    if file.name == FILE:
        folder, document = file.parent / "log", _document(file)
        yield from log_problems(folder, as_seen_from_here(folder), document)
        players = document.tree.get("players") if document else None
        if isinstance(players, Mapping):
            from waylog.store.inbox_access import find_faults  # Many tables have no players of their own.

            for fault in find_faults(file.parent, players):
                yield Problem(as_seen_from_here(fault.path), 1, 1, fault.message)
        if (file.parent / LINES).exists():
            from waylog.store import lines_file  # Few campaigns have this file.

            shown = as_seen_from_here(file.parent / LINES)
            yield from (each._replace(file=shown) for each in lines_file.read(file.parent).problems)


def _mentions(file: Path) -> Sequence[Problem]:
    """Return the texts beside a campaign file that mention a line or a veil of the table."""
    if file.name != FILE or not (file.parent / LINES).exists():
        return ()
    from waylog.store import lines_file  # Few campaigns have this file.

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
    from waylog.cli.config import all_problems

    return (*problems, *all_problems(path))


def _campaign_file(name: str, desk: Environment) -> Path:
    """Return the campaign file for a name, a folder or a file."""
    path = Path(name)
    if path.suffix == ".toml" and (os.sep in name or path.is_file()):
        return path
    return desk.places.find(name, to_play=False) / FILE


def _count_problems(problems: list[Problem]) -> str:
    return "1 problem" if len(problems) == 1 else f"{len(problems)} problems"
