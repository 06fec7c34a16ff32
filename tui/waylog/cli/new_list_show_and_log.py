"""The commands that list, make and show campaigns: `new`, `list`, `show`, `log`; and `kit`, which adds to one."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from itertools import islice

from waylog.cli import main
from waylog.cli.commands_and_options import DEFAULT_SYSTEM, Arguments
from waylog.cli.help_and_rules import find_system
from waylog.cli.pager_and_colours import Line
from waylog.cli.results_and_crashes import (
    FOUND_NOTHING,
    USAGE,
    CommandFailed,
    CommandResult,
    Environment,
    json_output,
    open_table,
    text_output,
)
from waylog.rules.game import Game
from waylog.store.files_and_lock import FILE
from waylog.store.folders_and_recent import summarise_campaign
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.store.log.search_and_filters import NOTHING_MATCHES
from waylog.store.log.undo_and_scenes import mark_undone
from waylog.table import Table
from waylog.words.saving_after_commands import damage, recovery, save, why_not_saved
from waylog.words.sentences import names_of

_LOG_ENTRIES = "20"
_LONGEST_NUMBER = 16


def new(args: Arguments, desk: Environment) -> CommandResult:
    """Create a campaign folder with a commented file; without a name, step by step in the app."""
    if not args.words:
        if "--system" in args.options:
            find_system(args.options["--system"])
        from waylog.cli import open_play_watch_and_serve

        if args.json or not main.in_terminal():
            raise CommandFailed("NAME is missing. In a terminal, `waylog new` asks you for everything it needs", USAGE)
        return open_play_watch_and_serve.new(args, desk)
    import shlex

    from waylog.store.file.template_and_conversion import make
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
    lines: list[Line] = aligned[: len(ordered)] or ["No campaigns yet. To create one, type: waylog new NAME"]
    if examples:
        lines += ["", "Examples (each is copied when you first play it)", *aligned[len(ordered) :]]
    return CommandResult(lambda: lines, lambda: {"ok": True, "campaigns": listed})


def show(args: Arguments, desk: Environment) -> CommandResult:
    """Show the state: ship, crew, clocks, decks, tables and sessions; now, or as it was after an entry of the log."""
    table = open_table(args.name, desk, to_play=False)
    snapshot = table.snapshot
    if "--at" in args.options:
        from waylog.cli.recap_luck_diff_and_why import snapshot_at  # Most look at the state as it is now.

        snapshot = snapshot_at(table, args.options["--at"])

    def lines() -> Iterator[Line]:
        from waylog.store.shown.recap_in_markdown import saved_recaps  # They are only links.

        return text_output.state(snapshot, saved_recaps(table.folder))

    return CommandResult(lines, lambda: json_output.state(snapshot), damage(table))


def log(args: Arguments, desk: Environment) -> CommandResult:
    """Show the latest log entries, oldest first; with filters, those of the latest actions that match."""
    wanted = args.options.get("--number", _LOG_ENTRIES)
    if not (wanted.isascii() and wanted.isdigit() and len(wanted) < _LONGEST_NUMBER):
        raise CommandFailed("-n needs a number of entries, such as 20, or 0 to show all", USAGE)
    table = open_table(args.name, desk, to_play=False)
    from waylog.store.log.search_and_filters import FILTERS

    if any(each.option in args.options for each in FILTERS):
        return _filtered_log(args, table, int(wanted) or None, desk.now())
    entries = [*reversed([*islice(_newest_first(table), int(wanted) or None)])]
    return CommandResult(
        lambda: text_output.entries(entries, names_of(table.snapshot)),
        lambda: json_output.entries(entries),
        damage(table),
    )


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
            tuple, lambda: json_output.entries(()), [*damage(table), NOTHING_MATCHES], code=FOUND_NOTHING
        )
    return CommandResult(
        lambda: text_output.entries(entries, names_of(table.snapshot)),
        lambda: json_output.entries(entries),
        damage(table),
    )


def _newest_first(table: Table) -> Iterator[tuple[LogEntry, bool]]:
    """Return every entry with whether it holds no longer, but none of a scene that was rewound (NM-43). Reads no further back
    than the caller does.
    """
    acts = table.log_search().acts
    return (each for each in mark_undone(table.entries()) if not acts.rewind_of(each[0].number))


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
