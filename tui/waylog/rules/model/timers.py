"""Timers: a countdown of real time with a name (NM-47). The rules know its beginning and its length.

The time that is left needs a clock: see `waylog.store.shown.countdowns`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Annotated, ClassVar

from waylog.rules.codec.base import Between, Fault
from waylog.rules.codec.changes import format_path, words_in_order
from waylog.rules.model.clocks import new_key
from waylog.rules.model.facts import Fact, NoteFact, NotePart, SeenBy
from waylog.rules.model.moves import ActRefused, Answers, Move, Refusal, Text
from waylog.values import dataclass, replace

VERB = "timer"
LONGEST = 24 * 60 * 60
"""The most seconds of a timer."""
_STOP, _OPEN = "stop", "open"
_UNITS = {"h": 60 * 60, "m": 60, "s": 1}
_PART = r"\s*([0-9]{1,6})\s*(hours?|hrs?|h|minutes?|mins?|m|seconds?|secs?|s)(?![a-z])[,.]?"
_MINUTES = r"\s*([0-9]{1,6})(?!\S)"
"""A number by itself."""
_BEGAN = r"[0-9]{4}-[0-9]{2}-[0-9]{2}[ T][0-9]{2}:[0-9]{2}(:[0-9]{2}([+-][0-9]{2}:?[0-9]{2})?)?"
_NAMELESS = "Timer"


@dataclass(frozen=True, slots=True)
class Timer:
    """A countdown of real time. After its end, it stays until it is stopped, its session ends, or the next act is played."""

    ALWAYS_WRITTEN: ClassVar = ("name", "began", "seconds")

    name: Annotated[str, "The timer's name"] = ""
    began: Annotated[str, "When it started, such as 2026-11-21 19:30:05"] = ""
    seconds: Annotated[int, Between(1, LONGEST, "NM-47"), "Its length in seconds"] = 300
    seen: Annotated[bool, "Visible to players"] = False
    seen_by: SeenBy = ()


Timers = Mapping[str, Timer]
"""Timers by key."""


def moves(timers: Timers) -> tuple[Move, ...]:
    """Return the moves that start, stop, show and hide timers."""
    text = Text(
        "timer",
        "Length and name",
        required=True,
        reserved=(_STOP, _OPEN),
        verbatim=True,
        example="20 boarding, or 90s",
    )
    found = [
        Move(VERB, (), "Start a timer", (text,)),
        Move(VERB, (_OPEN,), "Start a timer that players can see", (text,)),
    ]
    for word, key in timer_words(timers).items():
        one, about = timers[key], (format_path(("timers", key)),)
        found.append(Move(VERB, (_STOP, word), f"Stop the timer “{one.name}”", about=about, name=one.name))
        already = Refusal(f"players {_sees(one)} this timer anyway", "NM-47")
        show, hide = f"Show the timer “{one.name}” to players", f"Hide the timer “{one.name}” from players"
        asked = "" if one.seen and not one.seen_by else f"{show}?"
        found += (
            Move(
                "show",
                (VERB, word),
                show,
                (),
                already if one.seen and not one.seen_by else None,
                about=about,
                name=one.name,
                reveals=asked,
            ),
            Move("hide", (VERB, word), hide, (), None if one.seen else already, about=about, name=one.name),
        )
    return tuple(found)


def plays(move: Move) -> bool:
    """Whether the move is one of `moves`."""
    return move.verb == VERB or (move.verb in ("show", "hide") and move.words[0] == VERB)


def play(timers: Timers, move: Move, answers: Answers, when: str) -> tuple[Timers, tuple[Fact, ...]]:
    """Play one of `moves`: return the timers and the facts. `when` is the time to the second. Raises `ActRefused`."""
    if move.verb == VERB and _STOP not in move.words:
        seconds, name = read_length(str(answers["timer"]))
        name, seen = name or _NAMELESS, bool(move.words)
        # One of the same name starts again.
        known = next((key for key, one in timers.items() if one.name.casefold() == name.casefold()), None)
        after = {**timers, known or new_key(name, timers): Timer(name, when, seconds, seen)}
        return after, (_note(f"The timer “{name}” has started: {describe_length(seconds)}", seen=seen),)
    key = timer_words(timers)[move.words[1]]
    one = timers[key]
    if move.verb == VERB:
        left = {other: timer for other, timer in timers.items() if other != key}
        stopped = _note(f"The timer “{one.name}” has been stopped", seen=one.seen)
        return left, (replace(stopped, seen_by=one.seen_by),)
    shown = replace(one, seen=move.verb == "show", seen_by=())
    text = f"From now on, players {_sees(shown)} the timer “{one.name}”"
    return {**timers, key: shown}, (_note(text, seen=False),)


def read_length(text: str) -> tuple[int, str]:
    """Return the seconds that a text begins with (`90s`, `5m`, `1h 30m`, `5 minutes`, or `5` for minutes), and the rest of it.

    Raises `ActRefused` for a text without a length, or a length that is out of bounds.
    """
    seconds, at, pattern = 0, 0, re.compile(_PART, re.IGNORECASE)
    while part := pattern.match(text, at):
        seconds, at = seconds + int(part[1]) * _UNITS[part[2][0].lower()], part.end()
    if not at and (bare := re.match(_MINUTES, text)):
        seconds, at = int(bare[1]) * _UNITS["m"], bare.end()
    if not at:
        raise ActRefused("type the length first, such as 5 (minutes), 90s or 1h, and then a name", "NM-47")
    if not 0 < seconds <= LONGEST:
        raise ActRefused(f"a timer must be between 1 second and {describe_length(LONGEST)} long", "NM-47")
    return seconds, text[at:].strip().strip('"').strip()


def describe_length(seconds: int) -> str:
    """Return a length in words: `5 minutes`, `1 hour 30 minutes`."""
    parts = (seconds // 3600, "hour"), (seconds // 60 % 60, "minute"), (seconds % 60, "second")
    return " ".join(f"{count} {unit}{'s' if count > 1 else ''}" for count, unit in parts if count)


def faults(timers: Timers) -> Iterator[Fault]:
    """Yield a fault for each timer whose beginning is not a time, so that its end is unknown. Without a beginning, it hasn't begun."""
    for key, one in timers.items():
        if one.began and not re.fullmatch(_BEGAN, one.began):
            message = f"began can't be “{one.began[:40]}”: it should be a time, such as 2026-11-21 19:30:05"
            yield Fault(("timers", key, "began"), message, "NM-47", grave=False)


def timer_words(timers: Timers) -> Mapping[str, str]:
    """Return the keys of timers by the word to type for each."""
    # The word of the verb would leave open whether the timer was named.
    return words_in_order(timers, [key for key, one in timers.items() if one.seen], VERB, (VERB, _STOP, _OPEN))


def _sees(timer: Timer) -> str:
    return "see" if timer.seen else "can't see"


def _note(text: str, *, seen: bool) -> NoteFact:
    return NoteFact(text, "NM-47", secret=not seen, part=NotePart.DETAIL)
