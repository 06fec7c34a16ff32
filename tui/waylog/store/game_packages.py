"""Games that other Python packages contain: each is an entry point of the group `waylog.systems`, named by the game's id.

A package declares it in its `pyproject.toml`:

    [project.entry-points."waylog.systems"]
    iron-moon = "iron_moon:SYSTEM"

To find entry points, Python reads a file of every installed package. So this module is imported only for an id that no other
game has, and to list all games.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from typing import Any, cast

from waylog.rules.systems import System, names

GROUP = "waylog.systems"
_LONGEST = 200


class PackageUnusable(Exception):
    """The game of a package can't be loaded. The text is one line that says why."""


def packaged_ids() -> Iterator[tuple[str, str]]:
    """Yield the ids of the games in packages, each with the name of its package, in order of ids."""
    for entry in sorted(_entries(), key=lambda entry: entry.name):
        yield entry.name, entry.dist.name if entry.dist else "an unknown package"


def package_of(name: str) -> str:
    """Return the name of the package with the game of that id; empty if there is none."""
    return next((entry.dist.name for entry in _entries() if entry.name == name and entry.dist), "")


def packaged_system(name: str) -> System | None:
    """Return the game with that id from a package; None if no package has one. Raises `PackageUnusable`."""
    entry = next((entry for entry in _entries() if entry.name == name), None)
    return _load(entry) if entry else None


def _entries() -> tuple[EntryPoint, ...]:
    return tuple(entry_points(group=GROUP))


@cache
def _load(entry: EntryPoint) -> System:
    package = entry.dist.name if entry.dist else entry.value
    start = f"the game {entry.name[:40]} of the package {package}"
    if entry.name in names():
        raise PackageUnusable(f"{start} can't be used: Waylog has a game with this id")
    try:
        found: Any = entry.load()
    except Exception as error:  # noqa: BLE001 - other people's code may fail in any way, and the other games must still work
        reason = " ".join(f"{type(error).__name__}: {error}".split())[:_LONGEST]
        raise PackageUnusable(f"{start} can't be loaded: {reason}") from None
    found = getattr(found, "SYSTEM", found)
    if lacking := [part for part in ("id", "name", "about", "clauses", "sheet", "play") if not hasattr(found, part)]:
        raise PackageUnusable(f"{start} can't be used: it is not a game, because it has no {' and no '.join(lacking)}")
    if found.id != entry.name:
        raise PackageUnusable(f"{start} can't be used: it says that its id is “{str(found.id)[:40]}”")
    return cast("System", found)
