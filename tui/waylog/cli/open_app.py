"""The commands that open the app. They load only what the first screen needs."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from waylog.cli import streams
from waylog.cli.arguments import Arguments
from waylog.cli.open_table import table_in
from waylog.cli.results import USAGE, CommandFailed, CommandResult, Environment
from waylog.settings import SettingsFile, read_settings, settings_path
from waylog.store.lock_and_replace import FILE
from waylog.table import Table

if TYPE_CHECKING:
    from waylog.app.tutorial import Tutorial


def open_(args: Arguments, desk: Environment) -> CommandResult:
    """Open the app on a campaign; where it can't draw, play line by line."""
    if not streams.in_terminal():
        from waylog.cli.line_mode import play

        return play(args, desk)
    if "--read-only" in args.options:
        return _run_app(table_in(desk.places.find(args.name, to_play=False), desk, read_only=True), args, desk)
    return _play(desk.places.find(args.name, to_play=True), args, desk)


def start(args: Arguments, desk: Environment) -> CommandResult:
    """Open the app on the last campaign; without one, list what there is, and a new one."""
    if not streams.in_terminal():
        from waylog.cli.line_mode import play_last

        return play_last(args, desk)
    folder = desk.places.last()
    return _play(folder, args, desk) if folder else _choose(args, desk)


def new(args: Arguments, desk: Environment) -> CommandResult:
    """Make a new campaign step by step, and open it. This needs a terminal."""
    return _choose(args, desk, new=True, game=args.options.get("--system", ""))


def _choose(args: Arguments, desk: Environment, *, new: bool = False, game: str = "") -> CommandResult:
    from waylog.app.start_app import choose_campaign

    theme, chosen = args.options.get("--theme"), settings_of_user()
    table = choose_campaign(desk.places, lambda folder: table_in(folder, desk), theme, chosen, new=new, game=game)
    return _empty_result() if table is None else _play_table(table, args, desk)


def learn(args: Arguments, desk: Environment) -> CommandResult:
    """Open the tutorial where it was left. One that is over starts again."""
    if not streams.in_terminal():
        raise CommandFailed("the tutorial needs a terminal; `waylog play` plays line by line without one", USAGE)
    from waylog.app.tutorial import Tutorial

    folder = desk.places.state / "learn"
    table = _tutorial_table(folder, desk, again="--again" in args.options)
    tutorial = Tutorial(table)
    if tutorial.is_over:
        table = _tutorial_table(folder, desk, again=True)
        tutorial = Tutorial(table)
    return _run_app(table, args, desk, tutorial)


def _tutorial_table(folder: Path, desk: Environment, *, again: bool) -> Table:
    """Open the campaign of the tutorial, which is made if it is not there or if it has to start `again`."""
    from waylog.app.tutorial import CAMPAIGN

    if again or not (folder / FILE).is_file():
        import shutil

        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        (folder / FILE).write_text(CAMPAIGN.format(began=f"{desk.now():%Y-%m-%d %H:%M}"), encoding="utf-8")
    return table_in(folder, desk)


def _play(folder: Path, args: Arguments, desk: Environment) -> CommandResult:
    return _play_table(table_in(folder, desk), args, desk)


def _play_table(table: Table, args: Arguments, desk: Environment) -> CommandResult:
    with suppress(OSError):  # Only the next bare `waylog` would have used it.
        desk.places.remember(table.folder)
    return _run_app(table, args, desk)


def _run_app(table: Table, args: Arguments, desk: Environment, tutorial: Tutorial | None = None) -> CommandResult:
    from waylog.app.wayfinder_app import run

    theme, chosen = args.options.get("--theme"), settings_of_user()
    return _empty_result(run(table, theme=theme, places=desk.places, chosen=chosen, tutorial=tutorial))


def settings_of_user() -> SettingsFile | None:
    """Return the person's settings; None for an account without a home."""
    path = settings_path()
    return read_settings(path) if path else None


def _empty_result(code: int = 0) -> CommandResult:
    """Return a result without output."""
    return CommandResult(tuple, lambda: {"ok": code == 0}, code=code)
