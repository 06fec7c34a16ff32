"""The command that opens the app. It loads nothing that the first look at a screen does not need."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from pathlib import Path

from waylog import glyphs
from waylog.cli.arguments import Arguments
from waylog.cli.open_table import table_in
from waylog.cli.results import USAGE, Answer, Desk, Failed
from waylog.safe_text import shown
from waylog.table import Table


def open_(args: Arguments, desk: Desk) -> Answer:
    """The app on a campaign."""
    _needs_a_terminal()
    if "--read-only" in args.options:
        return _shown(table_in(desk.places.find(args.name, to_play=False), desk, read_only=True), args)
    return _played(desk.places.find(args.name, to_play=True), args, desk)


def start(args: Arguments, desk: Desk) -> Answer:
    """The app on the campaign that was open last; without one, a choice."""
    _needs_a_terminal()
    folder = desk.places.last() or _chosen(desk)
    return _nothing() if folder is None else _played(folder, args, desk)


def _played(folder: Path, args: Arguments, desk: Desk) -> Answer:
    table = table_in(folder, desk)
    with suppress(OSError):  # only the next bare `waylog` would have used it
        desk.places.remember(folder)
    return _shown(table, args)


def _shown(table: Table, args: Arguments) -> Answer:
    from waylog.app.wayfinder_app import run

    return _nothing(run(table, theme=args.options.get("--theme")))


def _nothing(code: int = 0) -> Answer:
    """There is nothing to say."""
    return Answer(tuple, lambda: {"ok": code == 0}, code=code)


def _needs_a_terminal() -> None:
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM", "dumb") == "dumb":
        raise Failed("the app needs a terminal; `waylog --help` lists what works without one", USAGE)


def _chosen(desk: Desk) -> Path | None:
    """The campaign a person picks from a list; None if they pick none."""
    own, examples = desk.places.own(), desk.places.examples_left()
    rows = [(str(n), name, "" if name in own else "example") for n, name in enumerate([*own, *examples], 1)]
    if not rows:
        raise Failed("there are no campaigns yet; `waylog new NAME` creates one", USAGE)
    from waylog.cli import text_output

    lines = ["Campaigns", *text_output.indented(text_output.columns(rows)), ""]
    sys.stdout.write(glyphs.written("\n".join(map(shown, lines)), sys.stdout.encoding))
    try:
        answer = input("Which one? (a number or a name, Enter for none) ").strip()
    except EOFError:
        return None
    if not answer:
        return None
    by_number = {number: name for number, name, _ in rows}
    return desk.places.find(by_number.get(answer, answer), to_play=True)
