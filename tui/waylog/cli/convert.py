"""`convert`: preview or make a copy of a campaign for another game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from waylog.cli.commands_and_options import Arguments
from waylog.cli.help_and_rules import find_system
from waylog.cli.results_and_crashes import USAGE, CommandFailed, CommandResult, Environment, open_table
from waylog.rules.codec.changes import format_path
from waylog.rules.game import Game
from waylog.store.conversion import ConversionPlan
from waylog.store.file.hand_files import CARDS, TABLES
from waylog.store.file.template import make
from waylog.store.files import FILE
from waylog.toml.document import format_value


def convert(args: Arguments, desk: Environment) -> CommandResult:
    """Show what becomes of a campaign in another game. With --into, write it as a new campaign; the old one stays."""
    if "--system" not in args.options:
        raise CommandFailed("--system ID is missing: the game to convert to; `waylog systems` lists them", USAGE)
    target = Game(find_system(args.options["--system"]))
    table = open_table(args.name, desk, to_play=False)
    if table.game.system.id == target.system.id:
        raise CommandFailed(f"{args.name} is already a campaign of {target.system.name}", USAGE)
    plan = table.plan_conversion(target)
    name = args.options.get("--into")
    folder = desk.places.new(name) if name is not None else None
    if folder is not None and name is not None:
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
