"""The replies to typed lines in line mode: sentences, numbered choices, and the meaning of the next line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from waylog.values import dataclass

DONE, FILES, USAGE, REFUSED = 0, 1, 2, 3
"""The result of a line, as the exit codes of the commands: done; a problem in the files; not understood; refused."""

PAUSED = "Somebody asks for a pause."
GOES_ON = "The game goes on."
END = "end"
"""The word behind `pause` that ends it."""
DICE_OR_REST = "Type rest to let Waylog roll."
"""The hint while numbers are dice."""
DICE_BETWEEN = " ,.;"
"""The characters that may separate typed dice."""


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
    """They are listed after the lines, numbered from 1."""
    takes: Takes | None = None
    """Handles the next line, if it answers a question in this reply."""
    code: int = DONE
    listed: bool = True
    """Whether the choices are listed. If not, they were listed before and are still the same."""
    keeps: bool = False
    """Whether the choices and the question from before stay open."""


Takes: TypeAlias = Callable[[str], Reply | None]
"""Returns the reply to a line that answers a question; None for a line that doesn't."""


def tell(*lines: str) -> Reply:
    """Return a reply with these lines that leaves choices and questions open."""
    return Reply(lines, keeps=True)


def fail(*lines: str, code: int = USAGE) -> Reply:
    """Return a reply to a line that failed. It leaves choices and questions open."""
    return Reply(lines, code=code, keeps=True)
