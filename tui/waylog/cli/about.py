"""Commands about Waylog itself: `systems`, `schema` and `info`."""

from __future__ import annotations

import sys

from waylog import __version__
from waylog.cli import text_output
from waylog.cli.arguments import DEFAULT_SYSTEM, Arguments
from waylog.cli.results import USAGE, CommandFailed, CommandResult, Environment
from waylog.rules.common import random_tables
from waylog.rules.game import Game
from waylog.rules.systems import names, system

_TABLE = "table"
"""The argument of `schema` that stands for the files in `tables/`, instead of a game."""


def systems(args: Arguments, desk: Environment) -> CommandResult:  # noqa: ARG001 - as every command
    """List the games."""
    known = [system(name) for name in names()]
    listed = [{"id": one.id, "name": one.name, "about": one.about} for one in known]
    rows = [(one.id, one.name, one.about) for one in known]
    return CommandResult(lambda: text_output.columns(rows), lambda: {"ok": True, "systems": listed})


def schema(args: Arguments, desk: Environment) -> CommandResult:  # noqa: ARG001 - as every command
    """Print the JSON Schema of a game's campaign files, or of random tables, for editors. It is JSON with and without
    --json.
    """
    import json

    name = args.words[0] if args.words else DEFAULT_SYSTEM
    tree = random_tables.schema() if name == _TABLE else Game(system(known_system(name))).schema()
    return CommandResult(lambda: json.dumps(tree, indent=2).splitlines(), lambda: tree)


def known_system(name: str) -> str:
    """Return the id of a game. Raises `UsageError` if there is none."""
    if name not in names():
        raise CommandFailed(f"there is no game “{name}”; the games are {', '.join(names())}", USAGE)
    return name


def info(args: Arguments, desk: Environment) -> CommandResult:  # noqa: ARG001 - as every command
    """Show every path that Waylog uses."""
    from waylog import themes
    from waylog.settings import settings_path

    places = desk.places
    *user_themes, shipped = themes.folders()
    paths = {
        "campaigns": places.campaigns,
        "examples": places.examples,
        "state": places.state,
        "last campaign": places.last(),
        "settings": settings_path(),
        "own themes": user_themes[0] if user_themes else None,
        "themes": shipped,
        "program": places.program,
        "python": sys.executable,
    }
    rows = [(name, str(path or "none")) for name, path in paths.items()]
    keyed = {name.replace(" ", "_"): str(path) if path else None for name, path in paths.items()}
    return CommandResult(
        lambda: [f"Waylog {__version__}", *text_output.columns(rows)],
        lambda: {"ok": True, "version": __version__, **keyed},
    )
