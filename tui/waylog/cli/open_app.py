"""The commands that open the app. They load only what the first screen needs."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

from waylog import glyphs
from waylog.cli.arguments import Arguments
from waylog.cli.open_table import table_in
from waylog.cli.results import USAGE, CommandFailed, CommandResult, Environment
from waylog.safe_text import escape_controls
from waylog.table import Table


def open_(args: Arguments, desk: Environment) -> CommandResult:
    """Open the app on a campaign."""
    _needs_a_terminal()
    if "--read-only" in args.options:
        return _run_app(table_in(desk.places.find(args.name, to_play=False), desk, read_only=True), args, desk)
    return _play(desk.places.find(args.name, to_play=True), args, desk)


def start(args: Arguments, desk: Environment) -> CommandResult:
    """Open the app on the last campaign; without one, offer a choice."""
    _needs_a_terminal()
    folder = desk.places.last() or _choose_campaign(desk)
    return _empty_result() if folder is None else _play(folder, args, desk)


def _play(folder: Path, args: Arguments, desk: Environment) -> CommandResult:
    table = table_in(folder, desk)
    with suppress(OSError):  # Only the next bare `waylog` would have used it.
        desk.places.remember(folder)
    return _run_app(table, args, desk)


def _run_app(table: Table, args: Arguments, desk: Environment) -> CommandResult:
    from waylog.app.wayfinder_app import run

    return _empty_result(run(table, theme=args.options.get("--theme"), state=desk.places.state))


def _empty_result(code: int = 0) -> CommandResult:
    """Return a result without output."""
    return CommandResult(tuple, lambda: {"ok": code == 0}, code=code)


def _needs_a_terminal() -> None:
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM", "dumb") == "dumb":
        raise CommandFailed("the app needs a terminal; `waylog --help` lists what works without one", USAGE)


def _choose_campaign(desk: Environment) -> Path | None:
    """Let the person choose a campaign from a list; None if they choose none."""
    names, examples = desk.places.campaign_names(), desk.places.uncopied_examples()
    rows = [(str(n), name, "" if name in names else "example") for n, name in enumerate([*names, *examples], 1)]
    if not rows:
        raise CommandFailed("there are no campaigns yet; `waylog new NAME` creates one", USAGE)
    from waylog.cli import text_output

    lines = ["Campaigns", *text_output.indent(text_output.columns(rows)), ""]
    sys.stdout.write(glyphs.to_charset("\n".join(map(escape_controls, lines)), sys.stdout.encoding))
    try:
        answer = input("Which one? (a number or a name, Enter for none) ").strip()
    except EOFError:
        return None
    if not answer:
        return None
    by_number = {number: name for number, name, _ in rows}
    return desk.places.find(by_number.get(answer, answer), to_play=True)
