"""The command for players: a read-only window. The only campaign file it opens is `players.toml`."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from waylog.cli.arguments import Arguments
from waylog.cli.results import USAGE, CommandFailed, CommandResult, Environment
from waylog.settings import read_settings, settings_path


def watch(args: Arguments, desk: Environment) -> CommandResult:
    """Show what players see of a campaign, as it is played."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM", "dumb") == "dumb":
        raise CommandFailed("the players' view needs a terminal; over SSH, use `ssh -t`", USAGE)
    folder = _folder(args.name, desk)
    from waylog.app.players_app import watch as look_on

    path = settings_path()
    chosen = read_settings(path) if path else None
    code = look_on(folder, theme=args.options.get("--theme"), chosen=chosen)
    return CommandResult(tuple, lambda: {"ok": code == 0}, code=code)


def _folder(name: str, desk: Environment) -> Path:
    """Return the campaign's folder. An example is copied when it is first played."""
    found = desk.places.find(name, to_play=False)
    return desk.places.campaigns / found.name if found.parent == desk.places.examples else found
