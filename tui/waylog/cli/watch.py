"""The command for players: a window that looks on. It opens no file of the campaign but the one made for them."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from waylog.cli.arguments import Arguments
from waylog.cli.results import USAGE, CommandFailed, CommandResult, Environment


def watch(args: Arguments, desk: Environment) -> CommandResult:
    """What players see of a campaign, as it is played."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()) or os.environ.get("TERM", "dumb") == "dumb":
        raise CommandFailed("the players' view needs a terminal; over SSH, use `ssh -t`", USAGE)
    folder = _folder(args.name, desk)
    from waylog.app.players_app import watch as look_on

    code = look_on(folder, theme=args.options.get("--theme"))
    return CommandResult(tuple, lambda: {"ok": code == 0}, code=code)


def _folder(name: str, desk: Environment) -> Path:
    """Where the campaign lies, or will once it is played: an example is copied then."""
    found = desk.places.find(name, to_play=False)
    return desk.places.campaigns / found.name if found.parent == desk.places.examples else found
