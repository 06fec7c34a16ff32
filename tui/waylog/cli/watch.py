"""The command for players: a read-only window. The only campaign file it opens is `players.toml`."""

from __future__ import annotations

from pathlib import Path

from waylog.cli import streams
from waylog.cli.arguments import Arguments
from waylog.cli.results import USAGE, CommandFailed, CommandResult, Environment
from waylog.settings import read_settings, settings_path

_LOOK = 0.5
"""Seconds between two looks at the file."""


def watch(args: Arguments, desk: Environment) -> CommandResult:
    """Show what players see of a campaign, as it is played: on a screen, as sentences, or as values for a program."""
    if args.json:
        return _print_changes(players_folder(args.name, desk))
    if "--lines" in args.options:
        return _say_changes(players_folder(args.name, desk))
    if not streams.in_terminal():
        raise CommandFailed("the players' view needs a terminal (over SSH: `ssh -t`); without one, add --lines", USAGE)
    folder = players_folder(args.name, desk)
    from waylog.app.players_app import watch as look_on

    path = settings_path()
    chosen = read_settings(path) if path else None
    code = look_on(folder, theme=args.options.get("--theme"), chosen=chosen)
    return CommandResult(tuple, lambda: {"ok": code == 0}, code=code)


def players_folder(name: str, desk: Environment) -> Path:
    """Return the campaign's folder. An example is copied when it is first played."""
    found = desk.places.find(name, to_play=False)
    return desk.places.campaigns / found.name if found.parent == desk.places.examples else found


def _say_changes(folder: Path) -> CommandResult:
    """Print a sentence for each act that players see, until the person or the reader leaves."""
    from waylog.cli.line_mode import follow
    from waylog.lines.loop import LineLoop
    from waylog.lines.players import PlayersSpeaker

    follow(LineLoop(PlayersSpeaker(folder)), announce=True, goes_on=True)
    return CommandResult(tuple, lambda: {"ok": True})


def _print_changes(folder: Path) -> CommandResult:
    """Print everything that players see, and again with every change, until the reader leaves."""
    import json
    from time import sleep

    from waylog.cli.json_output import players_change
    from waylog.lines.players import PlayersFile

    file = PlayersFile(folder)
    while True:
        if change := file.look():
            streams.print_lines([json.dumps(players_change(change))])
        sleep(_LOOK)
