"""The input and output of a command."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from waylog.rules.model.dice import Dice
from waylog.store.locations import Locations
from waylog.toml.document import Problem
from waylog.values import NamedTuple

DONE, FILES, USAGE, REFUSED = 0, 1, 2, 3
"""Exit codes: done; a problem in the files; wrong usage; refused by the rules."""


class Environment(NamedTuple):
    """The environment of a command: folders, clock, dice."""

    places: Locations
    now: Callable[[], datetime]
    chance: Dice


class CommandResult(NamedTuple):
    """The result of a command. Only one of its two forms is computed."""

    lines: Callable[[], Iterable[str]]
    """The lines for a person."""
    data: Callable[[], Mapping[str, Any]]
    """The data for a program."""
    warnings: Sequence[str] = ()
    """Problems that didn't stop the command."""
    code: int = DONE


class CommandFailed(Exception):
    """The command was not done. Has the reason, as a message for the person."""

    def __init__(
        self, reason: str, code: int, clause: str | None = None, problems: Sequence[Problem] | None = None
    ) -> None:
        super().__init__(reason)
        self.reason, self.code, self.clause, self.problems = reason, code, clause, problems


class FileVersion(NamedTuple):
    """An earlier version of a campaign file."""

    name: str
    at: datetime
    """The time it was written."""
    values: int | None
    """The number of values that differ now; None if one of the two can't be read."""
