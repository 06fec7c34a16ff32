"""What a command is given, and what it says."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from waylog.rules.dice import Dice
from waylog.store.locations import Locations
from waylog.toml.document import Problem

DONE, FILES, USAGE, REFUSED = 0, 1, 2, 3
"""Exit codes: done; a problem in the files; wrong usage; refused by the rules."""


class Environment(NamedTuple):
    """The world outside: places, clock, dice."""

    places: Locations
    now: Callable[[], datetime]
    chance: Dice


class CommandResult(NamedTuple):
    """What a command came to. Only one of the two ways of saying it is worked out."""

    lines: Callable[[], Iterable[str]]
    """For a person."""
    data: Callable[[], Mapping[str, Any]]
    """For a program."""
    warnings: Sequence[str] = ()
    """What went wrong without stopping it."""
    code: int = DONE


class CommandFailed(Exception):
    """The command was not done; holds why, in words for the person."""

    def __init__(
        self, reason: str, code: int, clause: str | None = None, problems: Sequence[Problem] | None = None
    ) -> None:
        super().__init__(reason)
        self.reason, self.code, self.clause, self.problems = reason, code, clause, problems


class FileVersion(NamedTuple):
    """An earlier version of a campaign file."""

    name: str
    at: datetime
    """When it was written."""
    values: int | None
    """How many values are different now; None when one of the two can't be read."""
