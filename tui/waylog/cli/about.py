"""Commands about Waylog itself: `systems`, `schema` and `info`."""

from __future__ import annotations

import sys
from collections.abc import Iterator

from waylog import __version__
from waylog.cli.arguments import DEFAULT_SYSTEM, Arguments
from waylog.cli.results import FILES, USAGE, CommandFailed, CommandResult, Environment
from waylog.cli.text_or_json import text_output
from waylog.rules.common import random_tables
from waylog.rules.game import Game
from waylog.rules.systems import System, names, system

_TABLE = "table"
"""The argument of `schema` that stands for the files in `tables/`, instead of a game."""


def systems(args: Arguments, desk: Environment) -> CommandResult:  # noqa: ARG001 - as every command
    """List the games, and those in files with their places."""
    from waylog.store.game_files import GameUnusable, find, list_games  # Only this command lists files.

    rows, listed = [], []
    for one in (system(name) for name in names()):
        rows.append((one.id, one.name, one.about))
        listed.append({"id": one.id, "name": one.name, "about": one.about})
    for path in list_games():
        name = path.parent.name
        try:
            found = find(name, path.parent).system
        except GameUnusable as unusable:
            problem = unusable.problems[0]._replace(file=str(path))
            rows.append((name, "can't be used", str(problem)))
            listed.append({"id": name, "path": str(path), "problem": str(problem)})
            continue
        rows.append((found.id, found.name, f"{found.about} ({path})".lstrip()))
        listed.append({"id": found.id, "name": found.name, "about": found.about, "path": str(path)})
    for row, shape in _games_of_packages():
        rows.append(row)
        listed.append(shape)
    return CommandResult(lambda: text_output.columns(rows), lambda: {"ok": True, "systems": listed})


def _games_of_packages() -> Iterator[tuple[tuple[str, str, str], dict[str, str]]]:
    """Yield the games in packages as rows and as data. One that can't be loaded says why."""
    from waylog.store.game_packages import (
        PackageUnusable,
        packaged_ids,
        packaged_system,
    )  # Slow: it reads all packages.

    for name, package in packaged_ids():
        try:
            found = packaged_system(name)
        except PackageUnusable as unusable:
            yield (name, "can't be used", str(unusable)), {"id": name, "package": package, "problem": str(unusable)}
        else:
            if found is not None:
                shape = {"id": name, "name": found.name, "about": found.about, "package": package}
                yield (name, found.name, f"{found.about} (package {package})"), shape


def schema(args: Arguments, desk: Environment) -> CommandResult:  # noqa: ARG001 - as every command
    """Print the JSON Schema of a game's campaign files, or of random tables, for editors. It is JSON with and without
    --json.
    """
    import json

    name = args.words[0] if args.words else DEFAULT_SYSTEM
    tree = random_tables.schema() if name == _TABLE else Game(find_system(name)).schema()
    return CommandResult(lambda: json.dumps(tree, indent=2).splitlines(), lambda: tree)


def find_system(name: str) -> System:
    """Return a game by its id; it may be in a file. Raises `CommandFailed` if there is none, or `UnreadableFile`."""
    if name in names():
        return system(name)
    from waylog.store.game_files import list_games, system_named  # Few games are in files.

    try:
        return system_named(name)
    except KeyError:
        from waylog.store.game_packages import PackageUnusable, packaged_system

        try:
            if found := packaged_system(name):
                return found
        except PackageUnusable as unusable:
            raise CommandFailed(str(unusable), FILES) from None
        known = [*names(), *(path.parent.name for path in list_games())]
        raise CommandFailed(f"there is no game “{name}”; the games are {', '.join(known)}", USAGE) from None


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
