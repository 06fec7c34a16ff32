"""The reply to a typed line in line mode: its lines, its choices by number, and what handles the next line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeAlias

from waylog.rules.codec.changes import NUMBER_WORDS
from waylog.values import dataclass
from waylog.words.sentences import sentence

DONE, FILES, USAGE, REFUSED = 0, 1, 2, 3
"""The result of a line, as the exit codes of the commands: done; a problem in the files; not understood; refused."""
_BEFORE_NUMBER = ("number", "choice", "option", "answer")
_LONGEST_NUMBER = 6
PUNCTUATION = ".,;:!?…"


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


def read_number(text: str) -> int | None:
    """Return the number in a line, in digits or as a word; None if the line is anything else."""
    first, _, rest = text.partition(" ")
    text = (rest if first in _BEFORE_NUMBER else text).strip("#" + PUNCTUATION + " ")
    if text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER:
        return int(text)
    return NUMBER_WORDS.index(text) + 1 if text in NUMBER_WORDS else None


def split_list(text: str) -> list[str]:
    """Return the parts of a list that somebody typed or dictated: `3, 5 and 5` has three."""
    plain = "".join(" " if character in PUNCTUATION else character for character in text.casefold())
    return [part for part in plain.split() if part != "and"]


def list_choices(choices: Sequence[NumberedChoice]) -> Iterator[str]:
    """Yield the lines that list choices, numbered from 1."""
    return (f"{number}. {sentence(choice.label)}" for number, choice in enumerate(choices, 1))


def choose(choices: Sequence[NumberedChoice], number: int) -> Reply:
    """Return the reply of the choice with that number, or which numbers there are."""
    if not 0 < number <= len(choices):
        there = "There is only choice 1" if len(choices) == 1 else f"The choices are 1 to {len(choices)}"
        return fail(f"There is no choice {number}. {there}.")
    return choices[number - 1].choose()
