"""What is asked before a saved file is taken in: an old copy of it, or one in which many things are missing."""

from __future__ import annotations

from waylog.rules.changes import Path, format_path
from waylog.values import dataclass

MANY = 3
"""Things (people, clocks, decks, modules, sessions) that may not go with one save before that is asked about."""
_NAMED = 3


@dataclass(frozen=True, slots=True)
class FileQuestion:
    """Something about the campaign file that only a person can answer. Until then nothing is changed, in the file or in play."""

    about: str
    keep: str
    """What happens when the file is right, in the imperative."""
    update: str
    """What happens when it isn't."""


def about_copy(entry: int, last: int) -> FileQuestion:
    """The file is an earlier version of itself."""
    return FileQuestion(
        f"campaign.toml is an old copy: the state of entry {entry}, of {last}",
        f"play on from entry {entry}",
        "bring it up to date",
    )


def about_removal(removed: list[Path]) -> FileQuestion:
    """Many things are missing in the file."""
    named = ", ".join(format_path(path) for path in removed[:_NAMED])
    more = f" and {len(removed) - _NAMED} more" if len(removed) > _NAMED else ""
    return FileQuestion(
        f"campaign.toml has lost {len(removed)} things: {named}{more}",
        "remove them",
        "put them back",
    )
