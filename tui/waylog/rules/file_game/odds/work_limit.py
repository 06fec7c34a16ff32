"""How much work odds may be: it is counted while it is done, so that it ends in time on any machine, and always at the same point."""

from __future__ import annotations

MOST_STEPS = 20_000
"""The most steps for the odds of one roll: about 50 milliseconds."""


class TooMany(Exception):
    """The odds would take too long."""


class Work:
    """The work for one roll."""

    def __init__(self) -> None:
        self._steps = 0

    def count(self, steps: int) -> None:
        """Count work: 1 for each way that dice may fall. Raises `TooMany`."""
        self._steps += steps
        if self._steps > MOST_STEPS:
            raise TooMany
