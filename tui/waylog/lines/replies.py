"""What line mode answers to a typed line: sentences, choices by number, and what the next line may mean."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from waylog.values import dataclass

DONE, FILES, USAGE, REFUSED = 0, 1, 2, 3
"""What becomes of a line, in the exit codes of the commands: done; a problem in the files; not understood; refused."""

PAUSED = "Somebody asks for a pause."
GOES_ON = "The game goes on."
DICE_OR_REST = "Type rest, and Waylog rolls."
"""What is said while numbers are dice."""
DICE_BETWEEN = " ,.;"
"""What may stand between dice that are typed."""


@dataclass(frozen=True, slots=True)
class NumberedChoice:
    """A choice that is made by its number."""

    label: str
    choose: Callable[[], Reply]


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to a typed line."""

    lines: Sequence[str] = ()
    choices: Sequence[NumberedChoice] = ()
    """They are listed behind the lines, numbered from 1."""
    takes: Takes | None = None
    """What the next line means, if it answers a question that this reply asks."""
    code: int = DONE
    listed: bool = True
    """Whether the choices are listed. If not, they were, and are still the same."""
    keeps: bool = False
    """It only tells something: the choices and the question from before stay open."""


Takes: TypeAlias = Callable[[str], Reply | None]
"""Returns the reply to a line that answers a question; None for a line that doesn't."""


def tell(*lines: str) -> Reply:
    """Return a reply that only tells something."""
    return Reply(lines, keeps=True)


def fail(*lines: str, code: int = USAGE) -> Reply:
    """Return a reply to a line that wasn't done."""
    return Reply(lines, code=code, keeps=True)
