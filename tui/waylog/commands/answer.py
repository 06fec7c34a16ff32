"""What a command is given, and what it says."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from waylog.campaign.document import Problem
from waylog.campaign.places import Places
from waylog.rules.dice import Dice

DONE, FILES, USAGE, REFUSED = 0, 1, 2, 3
"""Exit codes: done; a problem in the files; wrong usage; refused by the rules."""


@dataclass(frozen=True, slots=True)
class Desk:
    """The world outside: places, clock, dice."""

    places: Places
    now: Callable[[], datetime]
    chance: Dice


@dataclass(frozen=True, slots=True)
class Answer:
    """What a command came to: for a person, and the same for a program."""

    lines: Sequence[str]
    data: Mapping[str, Any]
    warnings: Sequence[str] = ()
    """What went wrong without stopping it."""
    code: int = DONE


class Failed(Exception):
    """The command was not done; holds why, in words for the person."""

    def __init__(
        self, reason: str, code: int, clause: str | None = None, problems: Sequence[Problem] | None = None
    ) -> None:
        super().__init__(reason)
        self.reason, self.code, self.clause, self.problems = reason, code, clause, problems
