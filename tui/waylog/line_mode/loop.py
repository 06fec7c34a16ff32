"""`LineLoop`: typed lines in, lines of text out. It knows no terminal, no campaign and no rule.

A `Speaker` has the commands and makes the replies. The loop keeps the state between two lines: the numbered choices, an open
question, the last output, and the exit code of the first line that failed.

Lines come from standard input, one at a time: from a person, a speech program, a pipe or a script. The terminal's own line editing is
used, so nothing here writes control codes that a screen reader or a log would have to skip.
"""

from __future__ import annotations

import os
import select
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Protocol
from unicodedata import category

from waylog.line_mode.numbered_choices_and_dictation import (
    PUNCTUATION,
    NumberedChoice,
    Reply,
    Takes,
    choose,
    fail,
    list_choices,
    read_number,
)
from waylog.values import dataclass

PROMPT = "> "
PAUSED = "Somebody has asked for a pause."
GOES_ON = "The game goes on."
END = "end"
"""The word behind `pause` that ends it."""
DICE_OR_REST = "To let Waylog roll, type “rest”."
"""The hint while numbers are dice."""
DICE_BETWEEN = " ,.;"
"""The characters that may separate typed dice."""
_LEAVE = ("quit", "exit", "bye", "leave")
_AGAIN = ("again", "repeat", "say again")
NOTHING_DONE = "Nothing was done."
_CANCEL = ("cancel", "never mind")
NOTHING_CHOSEN = "Something changed in the meantime, so nothing was chosen."


class Speaker(Protocol):
    """The commands of a conversation, and the replies to them."""

    @property
    def prompt(self) -> str:
        """The text before the next line that a person types."""

    @property
    def commands(self) -> Mapping[str, Callable[[str], Reply]]:
        """The functions of the words that begin a line and are no acts. Each gets the rest of the line."""

    def greet(self) -> Reply:
        """Return the first reply, before anything is typed."""

    def news(self) -> Reply | None:
        """Return what others have changed since the last line; None if they have changed nothing."""

    def cancel(self) -> Reply:
        """Drop what was asked for a command. What the game itself asks stays open, and is told again."""

    def say(self, line: str) -> Reply:
        """Handle any other line."""


class LineLoop:
    """One conversation in line mode, from the first line to the last."""

    def __init__(self, speaker: Speaker) -> None:
        self._speaker = speaker
        self._last: Sequence[str] = ()
        self._choices: Sequence[NumberedChoice] = ()
        self._takes: Takes | None = None
        self.ended = False
        """The person has left."""
        self.code = 0
        """The exit code of the first line that was not done; 0 if all were."""

    @property
    def prompt(self) -> str:
        """The text before the next line that a person types."""
        return self._speaker.prompt

    def begin(self) -> list[str]:
        """Return the first lines of output."""
        return self._tell(self._speaker.greet())

    def look(self) -> list[str]:
        """Return what others have changed since the last line; nothing if they have changed nothing."""
        news = self._speaker.news()
        return [] if news is None else self._tell(news)

    def take(self, line: str) -> list[str]:
        """Handle a typed line, and return the output. Changes by others come first."""
        news = self.look()
        text = line.strip()
        plain = text.casefold().strip(PUNCTUATION + " ")
        if plain in _LEAVE:
            self.ended = True
            return news
        if plain in _AGAIN:
            return [*news, *self._last]
        return [*news, *self._tell(self._answer(text, plain, changed=bool(news)))]

    def refuse(self, reason: str) -> list[str]:
        """Return the output for a line that could not be read, and do nothing else."""
        return self._tell(fail(reason))

    def _answer(self, text: str, plain: str, *, changed: bool) -> Reply:
        number = read_number(plain)
        if plain in _CANCEL and (self._takes or self._choices):
            return self._speaker.cancel()
        if self._takes and (answered := self._takes(text)):
            return answered
        if not text:
            return Reply(keeps=True)
        if number is not None and self._choices:
            if changed:
                return fail(NOTHING_CHOSEN, *list_choices(self._choices))
            return choose(self._choices, number)
        first, _, rest = text.partition(" ")
        word = self._speaker.commands.get(first.casefold().strip(PUNCTUATION))
        if word:
            return word(rest.strip())
        return self._speaker.say(text)

    def _tell(self, reply: Reply) -> list[str]:
        """Return the lines of a reply, and keep its choices and its question."""
        self.code = self.code or reply.code
        if not reply.keeps:
            self._choices, self._takes = reply.choices, reply.takes
        lines = [*reply.lines, *(() if reply.keeps or not reply.listed else list_choices(self._choices))]
        if lines:
            self._last = lines
        return lines


LONGEST = 16 * 1024
"""The most bytes of a line."""
_AT_ONCE = 64 * 1024
_LOOK = 1.0
"""Seconds between two looks at what others have written, while a person types nothing."""
TOO_LONG = f"The line is too long, so nothing was done. The limit is {LONGEST} bytes."
NOT_TEXT = "The line is not UTF-8 text, so nothing was done."
CONTROLS = "The line contains control characters, such as those sent by the arrow keys, so nothing was done. Type the line again."
UNFINISHED = "The input ended in the middle of a line, so that line was ignored."


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
    attend: Callable[[], object] | None = None,
) -> None:
    """Run the loop until the person leaves or the input ends. `write` gets lines, and a text to write after them without a line
    end: a prompt with `prompts`, otherwise nothing.

    With `looks`, changes by others are reported at once. With `goes_on`, the loop also reports them after the end of the input.
    Without `looks`, `attend` is called every second instead, and says nothing. Raises `OSError` if the input can't be read.
    """

    def prompt() -> str:
        return loop.prompt if prompts and not loop.ended else ""

    first = loop.begin()
    write(first, prompt())
    lines = read_lines(descriptor, looks=looks or attend is not None)
    for typed in chain(lines, _wait_forever() if goes_on else ()):
        if typed is None:
            if attend and not looks:
                attend()
            elif news := loop.look():
                write(["", *news], prompt())
            continue
        replies = _take(loop, typed)
        write(replies, prompt())
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
