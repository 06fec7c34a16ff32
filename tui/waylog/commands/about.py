"""Commands about Waylog itself: `systems`, `schema` and `info`."""

from __future__ import annotations

import sys
from argparse import Namespace

from waylog import __version__
from waylog.commands import plain
from waylog.commands.answer import USAGE, Answer, Desk, Failed
from waylog.rules.game import Game
from waylog.rules.systems import names, system


def systems(args: Namespace, desk: Desk) -> Answer:  # noqa: ARG001 - as every command
    """The rule systems."""
    known = [system(name) for name in names()]
    listed = [{"id": one.id, "name": one.name, "about": one.about} for one in known]
    lines = plain.columns([(one.id, one.name, one.about) for one in known])
    return Answer([*lines], {"ok": True, "systems": listed})


def schema(args: Namespace, desk: Desk) -> Answer:  # noqa: ARG001 - as every command
    """JSON Schema of a system's campaign files, for editors. It is JSON with and without --json."""
    import json

    tree = Game(system(known_system(args.system))).schema()
    return Answer(json.dumps(tree, indent=2).splitlines(), tree)


def known_system(name: str) -> str:
    """The id of a system that there is."""
    if name not in names():
        raise Failed(f"there is no system “{name}”; there are {', '.join(names())}", USAGE)
    return name


def info(args: Namespace, desk: Desk) -> Answer:  # noqa: ARG001 - as every command
    """Every path Waylog uses."""
    places = desk.places
    paths = {
        "campaigns": places.campaigns,
        "examples": places.examples,
        "state": places.state,
        "last campaign": places.last() or "none",
        "program": places.program,
        "python": sys.executable,
    }
    lines = [f"Waylog {__version__}", *plain.columns([(name, str(path)) for name, path in paths.items()])]
    keyed = {name.replace(" ", "_"): str(path) for name, path in paths.items()}
    return Answer(lines, {"ok": True, "version": __version__, **keyed})
