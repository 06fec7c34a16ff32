"""Line mode: `waylog play`, and `waylog open` where there is no terminal that the app can draw on."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from waylog.cli.commands_and_options import Arguments
from waylog.cli.main import is_typed, print_lines
from waylog.cli.results_and_crashes import USAGE, CommandFailed, CommandResult, Environment, table_in
from waylog.line_mode.loop import LineLoop, run
from waylog.line_mode.wayfinder import Wayfinder
from waylog.settings import Settings, read_settings, settings_path
from waylog.words.saving import save

_LEAST_WIDTH = 40
_INPUT = 0


def play(args: Arguments, desk: Environment) -> CommandResult:
    """Play a campaign line by line, from standard input."""
    _refuse_json(args)
    read_only = "--read-only" in args.options
    folder = desk.places.find(args.name, to_play=not read_only)
    return play_in(folder, desk, read_only=read_only)


def play_last(args: Arguments, desk: Environment) -> CommandResult:
    """Play the campaign that was opened last."""
    _refuse_json(args)
    folder = desk.places.last()
    if folder is None:
        there = ", ".join((*desk.places.campaign_names(), *desk.places.uncopied_examples()))
        raise CommandFailed(f"no campaign has been opened yet; name one, as in `waylog play NAME`: {there}", USAGE)
    return play_in(folder, desk)


def _refuse_json(args: Arguments) -> None:
    if args.json:
        raise CommandFailed("line mode has no --json; for programs there is `waylog do NAME WORDS --json`", USAGE)


def play_in(folder: Path, desk: Environment, *, read_only: bool = False) -> CommandResult:
    """Play the campaign in a folder until the input ends. If no person typed the lines, the exit code is that of the first line that
    failed.
    """
    path = settings_path()
    settings = read_settings(path).settings if path else Settings()
    table = table_in(folder, desk, read_only=read_only)
    if not read_only:
        with suppress(OSError):  # Only the next `waylog` without arguments needs it.
            desk.places.remember(table.folder)
    wayfinder = Wayfinder(table, real_dice=settings.dice == "real")
    loop = LineLoop(wayfinder)
    try:
        follow(loop, announce=settings.announce, attend=wayfinder.attend)
    finally:
        wayfinder.end()
    if not read_only:
        save(table)
    return CommandResult(tuple, lambda: {"ok": True}, code=0 if is_typed() else loop.code)


def follow(
    loop: LineLoop, *, announce: bool, goes_on: bool = False, attend: Callable[[], object] | None = None
) -> None:
    """Run a loop on standard input and output. With `goes_on`, the end of the input doesn't end it. `attend` is called every second
    while nothing is announced.
    """
    person = is_typed()

    def write(lines: Sequence[str], behind: str) -> None:
        print_lines([part for line in lines for part in _wrap(line)], behind)

    with suppress(OSError):  # An input that can't be read has ended.
        looks = (person and announce) or goes_on
        run(loop, _INPUT, write, prompts=person, looks=looks, goes_on=goes_on and not person, attend=attend)


def _wrap(line: str) -> Iterator[str]:
    """Wrap a line for a terminal. A narrow terminal, and anything else, gets the whole line."""
    try:
        width = os.get_terminal_size(sys.stdout.fileno()).columns if sys.stdout and sys.stdout.isatty() else 0
    except (OSError, ValueError):
        width = 0
    if not _LEAST_WIDTH < width < len(line):
        yield line
        return
    from textwrap import wrap

    yield from wrap(line, width - 1, break_long_words=False, break_on_hyphens=False)
