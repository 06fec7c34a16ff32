"""Open a campaign's table, for every command that needs one."""

from __future__ import annotations

from pathlib import Path

from waylog.cli.results import Environment
from waylog.store.files import FILE
from waylog.table import Table
from waylog.toml.document import UnreadableFile


def open_table(name: str, desk: Environment, *, to_play: bool) -> Table:
    """Open the table of a campaign."""
    return table_in(desk.places.find(name, to_play=to_play), desk)


def table_in(folder: Path, desk: Environment, *, read_only: bool = False) -> Table:
    """Open the table of the campaign in a folder."""
    try:
        return Table(folder, now=desk.now, chance=desk.chance, read_only=read_only)
    except UnreadableFile as unreadable:
        seen = as_seen_from_here(folder / FILE)
        raise UnreadableFile(*(problem._replace(file=seen) for problem in unreadable.problems)) from None


def as_seen_from_here(path: Path) -> str:
    """Return the shortest form of a path, as seen from the current folder."""
    if not path.is_absolute():
        return str(path)
    try:
        return str(path.relative_to(Path.cwd()))
    except (ValueError, OSError):
        return str(path)
