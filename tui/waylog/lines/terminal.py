"""Lines from standard input, one at a time: from a person, a speech program, a pipe or a script.

The terminal's own line editing is used, so nothing here writes control codes that a screen reader or a log would have to skip.
"""

from __future__ import annotations

import os
import select
from collections.abc import Callable, Iterator, Sequence
from itertools import chain
from unicodedata import category

from waylog.lines.loop import LineLoop
from waylog.values import dataclass

LONGEST = 16 * 1024
"""The most bytes of a line."""
_AT_ONCE = 64 * 1024
_LOOK = 1.0
"""Seconds between two looks at what others have written, while a person types nothing."""
TOO_LONG = f"The line is too long, so nothing was done. The most is {LONGEST} bytes."
NOT_TEXT = "The line is not UTF-8 text, so nothing was done."
CONTROLS = "The line has control characters, which the arrow keys send, so nothing was done. Type it again."
UNFINISHED = "The input ended in the middle of a line, so that line was ignored."
PROMPT = "> "


@dataclass(frozen=True, slots=True)
class TypedLine:
    """A line of input, without its line end."""

    data: bytes
    whole: bool = True
    """Whether it had a line end."""


def read_lines(descriptor: int, *, looks: bool) -> Iterator[TypedLine | None]:
    """Yield each line. With `looks`, yield None every second while there is no input.

    A line that is too long is cut to one byte more than the limit. Raises `OSError`.
    """
    kept = bytearray()
    while True:
        while not select.select([descriptor], [], [], _LOOK if looks else None)[0]:
            yield None
        data = os.read(descriptor, _AT_ONCE)
        if not data:
            if kept:
                yield TypedLine(bytes(kept), whole=False)
            return
        *whole, rest = data.split(b"\n")
        for part in whole:
            yield TypedLine(bytes(kept + part[: LONGEST + 1]))
            kept.clear()
        kept += rest[: max(0, LONGEST + 1 - len(kept))]


def run(
    loop: LineLoop,
    descriptor: int,
    write: Callable[[Sequence[str], str], None],
    *,
    prompts: bool,
    looks: bool,
    goes_on: bool = False,
) -> None:
    """Run the loop until the person leaves or the input ends. `write` gets lines, and a text to write after them without a line
    end: a prompt with `prompts`, otherwise nothing.

    With `looks`, changes by others are reported at once. With `goes_on`, the loop also reports them after the end of the input.
    Raises `OSError` if the input can't be read.
    """
    prompt = PROMPT if prompts else ""
    write(loop.begin(), prompt)
    lines = read_lines(descriptor, looks=looks)
    for typed in chain(lines, _wait_forever() if goes_on else ()):
        if typed is None:
            if news := loop.look():
                write(["", *news], prompt)
            continue
        write(_take(loop, typed), "" if loop.ended else prompt)
        if loop.ended:
            return
    write(["quit"] if prompts else [], "")


def _wait_forever() -> Iterator[None]:
    """Yield None every second, for ever."""
    while True:
        yield None
        select.select([], [], [], _LOOK)


def _take(loop: LineLoop, typed: TypedLine) -> list[str]:
    """Handle a line, or return why it can't be read."""
    if not typed.whole:
        return loop.refuse(UNFINISHED)
    if len(typed.data) > LONGEST:
        return loop.refuse(TOO_LONG)
    try:
        text = typed.data.decode().removeprefix("\ufeff").removesuffix("\r").replace("\t", " ")
    except UnicodeDecodeError:
        return loop.refuse(NOT_TEXT)
    if any(category(character) == "Cc" for character in text):
        return loop.refuse(CONTROLS)
    return loop.take(text)
