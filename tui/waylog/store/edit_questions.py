"""Questions about a saved file that a person has to answer first: it is an old copy, or many things are missing in it."""

from __future__ import annotations

from collections.abc import Sequence

from waylog.rules.changes import Path, format_path
from waylog.rules.codec.base import Fault
from waylog.values import dataclass

MANY = 3
"""If so many things (people, clocks, decks, modules, sessions) are missing in one save, Waylog asks first."""
_NAMED = 3


@dataclass(frozen=True, slots=True)
class FileQuestion:
    """A question about the campaign file that only a person can answer. Until then neither the file nor play changes."""

    about: str
    keep: str
    """The effect of keeping the file, in the imperative."""
    update: str
    """The effect of not keeping it."""


def about_copy(entry: int, last: int) -> FileQuestion:
    """Ask about a file that is an earlier version of itself."""
    return FileQuestion(
        f"campaign.toml is an old copy, from entry {entry} of {last}",
        f"play on from entry {entry}",
        "update the file",
    )


def about_lost_entries(last: int, seen: int) -> FileQuestion:
    """Ask about a log that ends with entry `last`, and lacks entries up to `seen` that this window has read or played."""
    about = f"The log was replaced: it ends at entry {last}, this window at {seen}"
    return FileQuestion(
        about if last else f"The log is gone; this window is at entry {seen}",
        "go on from the files",
        f"go on from entry {seen}",
    )


def about_removal(removed: list[Path]) -> FileQuestion:
    """Ask about a file in which many things are missing."""
    named = ", ".join(format_path(path) for path in removed[:_NAMED])
    more = f" and {len(removed) - _NAMED} more" if len(removed) > _NAMED else ""
    return FileQuestion(
        f"{len(removed)} things are missing from campaign.toml: {named}{more}",
        "remove them",
        "restore them",
    )


def about_excesses(excesses: Sequence[Fault]) -> FileQuestion:
    """Ask about numbers that are out of their rules' range."""
    first = f"{format_path(excesses[0].path)}: {excesses[0].message}"
    more = f" (and {len(excesses) - 1} more like it)" if len(excesses) > 1 else ""
    return FileQuestion(f"campaign.toml, {first}{more}", "overrule that", "put the old number back")
