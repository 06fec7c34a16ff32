"""`LineLoop`: typed lines in, lines of text out. It knows no terminal, no campaign and no rule.

A `Speaker` has the commands and makes the replies. The loop keeps the state between two lines: the numbered choices, an open
question, the last output, and the exit code of the first line that failed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Protocol

from waylog.lines.replies import USAGE, NumberedChoice, Reply, Takes, fail
from waylog.words.sentences import sentence

_LEAVE = ("quit", "exit", "bye", "leave")
_AGAIN = ("again", "repeat", "say again")
_CANCEL = ("cancel", "never mind")
_NUMBER_WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_BEFORE_NUMBER = ("number", "choice", "option", "answer")
_LONGEST_NUMBER = 6
_PUNCTUATION = ".,;:!?…"
NOTHING_CHOSEN = "Something has changed, so nothing was chosen."


class Speaker(Protocol):
    """The commands of a conversation, and the replies to them."""

    @property
    def commands(self) -> Mapping[str, Callable[[str], Reply]]:
        """The functions of the words that begin a line and are no acts. Each gets the rest of the line."""

    def greet(self) -> Reply:
        """Return the first reply, before anything is typed."""

    def news(self) -> Reply | None:
        """Return what others have changed since the last line; None if they have changed nothing."""

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
        plain = text.casefold().strip(_PUNCTUATION + " ")
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
            return Reply(("Nothing was done.",))
        if self._takes and (answered := self._takes(text)):
            return answered
        if not text:
            return Reply(keeps=True)
        if number is not None and self._choices:
            return self._choose(number, changed=changed)
        word, rest = self._find_word(text)
        if word:
            return word(rest)
        return self._speaker.say(text)

    def _choose(self, number: int, *, changed: bool) -> Reply:
        if changed:
            return fail(NOTHING_CHOSEN, *self._list_choices(), code=USAGE)
        if not 0 < number <= len(self._choices):
            there = "only choice 1" if len(self._choices) == 1 else f"choices 1 to {len(self._choices)}"
            return fail(f"There is no choice {number}, {there}.")
        return self._choices[number - 1].choose()

    def _find_word(self, text: str) -> tuple[Callable[[str], Reply] | None, str]:
        first, _, rest = text.partition(" ")
        return self._speaker.commands.get(first.casefold().strip(_PUNCTUATION)), rest.strip()

    def _tell(self, reply: Reply) -> list[str]:
        """Return the lines of a reply, and keep its choices and its question."""
        self.code = self.code or reply.code
        if not reply.keeps:
            self._choices, self._takes = reply.choices, reply.takes
        lines = [*reply.lines, *(() if reply.keeps or not reply.listed else self._list_choices())]
        if lines:
            self._last = lines
        return lines

    def _list_choices(self) -> Iterator[str]:
        return (f"{number}. {sentence(choice.label)}" for number, choice in enumerate(self._choices, 1))


def read_number(text: str) -> int | None:
    """Return the number in a line, in digits or as a word; None if the line is anything else."""
    first, _, rest = text.partition(" ")
    text = (rest if first in _BEFORE_NUMBER else text).strip("#" + _PUNCTUATION + " ")
    if text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER:
        return int(text)
    return _NUMBER_WORDS.index(text) + 1 if text in _NUMBER_WORDS else None


def split_list(text: str) -> list[str]:
    """Return the parts of a list that somebody typed or dictated: `3, 5 and 5` has three."""
    plain = "".join(" " if character in _PUNCTUATION else character for character in text.casefold())
    return [part for part in plain.split() if part != "and"]
