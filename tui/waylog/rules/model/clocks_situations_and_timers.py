"""Clocks, for every game: countdowns with segments (NM-20…NM-29).

Situations, for every game: conditions that make rolls Desperate or the crew Exposed until they end (NM-19).

Timers: a countdown of real time with a name (NM-47). The rules know its beginning and its length. The time that is left needs a clock:
see `waylog.store.shown.countdowns`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, ClassVar, Literal, get_args

from waylog.rules.codec.base_and_limits import Between, Fault
from waylog.rules.codec.changes import format_path, slug, words_in_order
from waylog.rules.model.facts import Fact, NoteFact, NotePart, OutcomeGrade, SeenBy
from waylog.rules.model.moves import ActRefused, Answers, Move, Refusal, Text
from waylog.values import dataclass, replace


class ClockKind(StrEnum):
    """The kinds of clock. The kind decides what advances it (NM-20)."""

    PUSH = "push"
    CATASTROPHE = "catastrophe"
    DEATH = "death"
    AUGURY = "augury"


KIND_MEANINGS: Mapping[ClockKind, str] = MappingProxyType(
    {
        ClockKind.PUSH: "fills on successes",
        ClockKind.CATASTROPHE: "fills when rolls go wrong",
        ClockKind.DEATH: "advances with time, ends badly",
        ClockKind.AUGURY: "advances with time, brings a change",
    }
)
KINDS_IN_WORDS = ", ".join(f"{kind.value} ({meaning})" for kind, meaning in KIND_MEANINGS.items())
"""Each kind with its meaning, for the comments of files and for forms."""


class WhileRunning(StrEnum):
    """The effect of a clock while it runs (NM-25)."""

    NOTHING = "nothing"
    DESPERATE = "desperate"
    EXPOSED = "exposed"


ENDING_SHOWN = {"by-kind": "by kind", "yes": "yes", "no": "no"}
"""Whether players see a clock's ending, by the words of the file: what the choices are called on screen."""
Segments = Literal[2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24]
ALL_SIZES: tuple[Segments, ...] = get_args(Segments)
SIZES: tuple[Segments, ...] = (4, 6, 8, 10, 12)
"""The sizes of clocks where no house rule allows others (NM-20)."""
OTHER_SIZES = f"The house rule “Clock sizes” allows any size from {ALL_SIZES[0]} to {ALL_SIZES[-1]}"
"""The end of a refusal of another size."""


@dataclass(frozen=True, slots=True)
class Clock:
    """A named countdown. It is full when `filled` reaches `segments`, and stays until it is closed (NM-26)."""

    ALWAYS_WRITTEN: ClassVar = ("name", "kind", "segments", "filled")
    ASKED_FIRST: ClassVar = ("name", "kind", "segments", "outcome")
    IN_PLAY: ClassVar = ("filled", "closed")
    MUST_CHOOSE: ClassVar = ("kind",)
    LABELS: ClassVar = {
        "filled": "Progress",
        "outcome": "Ending",
        "seen": "Visible",
        "seen_by": "Only for",
        "count_seen": "Progress visible",
        "outcome_seen": "Ending visible",
        "running": "While running",
        "when_full": "When full",
    }

    name: Annotated[str, "The clock's name"] = ""
    kind: Annotated[ClockKind, KINDS_IN_WORDS] = ClockKind.PUSH
    segments: Annotated[
        Segments, "4 is short, 6 normal, 8 long, and 10 or 12 extended (a house rule allows 2 to 24)"
    ] = 6
    filled: Annotated[int, Between(0, ALL_SIZES[-1], "NM-26"), "Filled segments"] = 0
    outcome: Annotated[
        str,
        "Ending: what happens in the story when the clock is full. Players see this text at once, unless the clock is an augury",
    ] = ""
    notes: Annotated[str, "For the wayfinder"] = ""
    seen: Annotated[bool, "Visible to players"] = True
    seen_by: SeenBy = ()
    count_seen: Annotated[bool, "Players see the progress (if not, they see “?”)"] = True
    outcome_seen: Annotated[
        Literal["by-kind", "yes", "no"], "Players see the ending (by kind: yes, except for auguries)"
    ] = "by-kind"
    running: Annotated[
        WhileRunning, "Effect while the clock runs: nothing, desperate (all rolls) or exposed (the crew)"
    ] = WhileRunning.NOTHING
    when_full: Annotated[str, "Action to offer when the clock is full"] = ""
    closed: Annotated[bool, "Closed, and kept"] = False

    @property
    def full(self) -> bool:
        return self.filled >= self.segments

    @property
    def runs(self) -> bool:
        """Whether its effect while running applies: it is neither closed nor full (NM-25)."""
        return not self.closed and not self.full

    @property
    def shows_count(self) -> bool:
        """Whether players see its progress (NM-20)."""
        return self.seen and self.count_seen

    @property
    def shows_outcome(self) -> bool:
        """Whether players see its ending (NM-28)."""
        return self.seen and self.allows_outcome

    @property
    def allows_outcome(self) -> bool:
        """Whether players who see the clock also see its ending. The file decides; by default, they see that of every
        kind but an augury clock (NM-28).
        """
        return self.outcome_seen == "yes" or (self.outcome_seen == "by-kind" and self.kind is not ClockKind.AUGURY)


def advance(clock: Clock, mood: OutcomeGrade | None) -> int:
    """Return how many segments a roll with that outcome fills (NM-21, NM-22), at most the empty ones."""
    step = _STEPS.get((clock.kind, mood), 0) if mood else 0
    return 0 if clock.closed else min(step, clock.segments - clock.filled)


_STEPS: Mapping[tuple[ClockKind, OutcomeGrade], int] = {
    (ClockKind.PUSH, OutcomeGrade.SUCCESS): 1,
    (ClockKind.PUSH, OutcomeGrade.CRITICAL): 2,
    (ClockKind.CATASTROPHE, OutcomeGrade.DRAWBACK): 1,
    (ClockKind.CATASTROPHE, OutcomeGrade.FIASCO): 2,
}


def fill_clock(clock: Clock, by: int) -> Clock:
    """Return the clock with `by` more segments filled, or fewer; from none to all (NM-26)."""
    return replace(clock, filled=max(0, min(clock.segments, clock.filled + by)))


def running_reason(clocks: Mapping[str, Clock], effect: WhileRunning) -> NoteFact | None:
    """Return a note that names the running clock that has `effect` (NM-25); None if no clock has it.

    If several have it, one that players see is named first.
    """
    found = [(key, clock) for key, clock in clocks.items() if clock.running is effect and clock.runs]
    for key, clock in sorted(found, key=lambda item: not item[1].seen):
        about = (clock_path(key),)
        # Why somebody is Exposed stands in brackets: “Desperate while Exposed (the clock “Fire” is running)”.
        exposed = effect is WhileRunning.EXPOSED
        text = f"the clock “{clock.name}” is running" if exposed else f"while the clock “{clock.name}” runs"
        return NoteFact(text, "NM-25", secret=not clock.seen, about=about)
    return None


def clock_path(key: str, *part: str) -> str:
    """Return the path of a clock, or of one of its fields (`filled`, `outcome`), for the `about` of a fact."""
    return format_path(("clocks", key, *part))


def find_clock_names(text: str, clocks: Mapping[str, Clock]) -> tuple[str, ...]:
    """Return the keys of the clocks whose whole name occurs in a text, in upper or lower case."""
    return tuple(
        key
        for key, clock in clocks.items()
        if clock.name.strip() and re.search(rf"(?<!\w){re.escape(clock.name.strip())}(?!\w)", text, re.IGNORECASE)
    )


def new_key(name: str, taken: Mapping[str, object]) -> str:
    """Return a key for the campaign file, made from a name: `Hull breach` → `hull-breach`. A number is added if it is
    taken.
    """
    base = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:40].rstrip("-") or "thing"
    key, count = base, 2
    while key in taken:
        key, count = f"{base}-{count}", count + 1
    return key


@dataclass(frozen=True, slots=True)
class Situation:
    """A named condition. It lasts until it is ended, or until its clock is full or closed."""

    ALWAYS_WRITTEN: ClassVar = ("name", "makes")

    name: Annotated[str, "The condition, such as “No power”"] = ""
    makes: Annotated[WhileRunning, "Its effect: desperate (rolls) or exposed (the crew)"] = WhileRunning.DESPERATE
    rolls: Annotated[str, "The rolls that it affects, such as exploring or NAV (default: all)"] = ""
    clock: Annotated[
        str,
        "The key of a clock. The condition ends when that clock is full or closed (default: it lasts until you or a card ends it)",
    ] = ""
    seen: Annotated[bool, "Visible to players"] = True
    seen_by: SeenBy = ()
    notes: Annotated[str, "For the wayfinder"] = ""
    over: Annotated[bool, "The condition has ended, but can be resumed"] = False


Situations = Mapping[str, Situation]


def in_force(situations: Situations, clocks: Mapping[str, Clock], known: Collection[str]) -> Situations:
    """Return the situations in force whose effect the game has a rule for."""
    return {
        key: one
        for key, one in situations.items()
        if not one.over and one.makes in known and (one.clock not in clocks or clocks[one.clock].runs)
    }


def for_all(holding: Situations) -> Situations:
    """Return those that affect every roll."""
    return {key: one for key, one in holding.items() if not one.rolls.strip()}


def names_roll(situation: Situation, words: Collection[str]) -> bool:
    """Whether a situation affects all rolls, or names a roll of these words: `NAV` affects `roll nav`."""
    named = slug(situation.rolls)
    return not named or not set(named.split("-")).isdisjoint(words)


def reasons_for(holding: Situations, effect: WhileRunning) -> tuple[NoteFact, ...]:
    """Return the situations that have `effect`, as notes with their names; those that players see come first."""
    found = [(key, one) for key, one in holding.items() if one.makes is effect]
    # Which people are Exposed is for the wayfinder to say: the reason stands in brackets, and needs none of its own.
    named = title if effect is WhileRunning.DESPERATE else lambda one: f"“{one.name}”"
    return tuple(
        note(key, one, f"during {named(one)}") for key, one in sorted(found, key=lambda item: not item[1].seen)
    )


def note(key: str, situation: Situation, text: str) -> NoteFact:
    """Make a note about a situation. Players see it while they see the situation."""
    return NoteFact(text, "NM-19", secret=not situation.seen, about=(format_path(("situations", key)),))


def title(situation: Situation) -> str:
    """Return its name and rolls: `“No power” (exploring)`."""
    rolls = situation.rolls.strip()
    return f"“{situation.name}”" + (f" ({rolls})" if rolls else "")


def does(situation: Situation) -> str:
    """Return its effect in words: `all rolls are Desperate`, `rolls are Desperate (exploring)`."""
    rolls = situation.rolls.strip()
    match situation.makes:
        case WhileRunning.DESPERATE:
            return f"rolls are Desperate ({rolls})" if rolls else "all rolls are Desperate"
        case WhileRunning.EXPOSED:
            return "the crew is Exposed" + (f" ({rolls})" if rolls else "")
        case _:
            return "no effect"


TIMER_VERB = "timer"
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


def timer_moves(timers: Timers) -> tuple[Move, ...]:
    """Return the moves that start, stop, show and hide timers."""
    text = Text(
        "timer",
        "Length and name",
        required=True,
        reserved=(_STOP, _OPEN),
        verbatim=True,
        example="a length, such as 20 (minutes) or 90s, and a name if you like",
    )
    found = [
        Move(TIMER_VERB, (), "Start a timer", (text,), heading="Timer started"),
        Move(TIMER_VERB, (_OPEN,), "Start a timer that players can see", (text,), heading="Timer for players started"),
    ]
    for word, key in timer_words(timers).items():
        one, about = timers[key], (format_path(("timers", key)),)
        stop = Move(TIMER_VERB, (_STOP, word), f"Stop the timer “{one.name}”", about=about, name=one.name)
        found.append(replace(stop, heading=f"Timer “{one.name}” stopped"))
        already = Refusal(f"players {_sees(one)} this timer anyway", "NM-47")
        show, hide = f"Show the timer “{one.name}” to players", f"Hide the timer “{one.name}” from players"
        asked = "" if one.seen and not one.seen_by else f"{show}?"
        found += (
            Move(
                "show",
                (TIMER_VERB, word),
                show,
                (),
                already if one.seen and not one.seen_by else None,
                about=about,
                name=one.name,
                reveals=asked,
                heading=f"Timer “{one.name}” shown to players",
            ),
            Move(
                "hide",
                (TIMER_VERB, word),
                hide,
                (),
                None if one.seen else already,
                about=about,
                name=one.name,
                heading=f"Timer “{one.name}” hidden from players",
            ),
        )
    return tuple(found)


def plays_timer(move: Move) -> bool:
    """Whether the move is one of `moves`."""
    return move.verb == TIMER_VERB or (move.verb in ("show", "hide") and move.words[0] == TIMER_VERB)


def play_timer(timers: Timers, move: Move, answers: Answers, when: str) -> tuple[Timers, tuple[Fact, ...]]:
    """Play one of `moves`: return the timers and the facts. `when` is the time to the second. Raises `ActRefused`."""
    if move.verb == TIMER_VERB and _STOP not in move.words:
        seconds, name = read_length(str(answers["timer"]))
        name, seen = name or _NAMELESS, bool(move.words)
        # One of the same name starts again.
        known = next((key for key, one in timers.items() if one.name.casefold() == name.casefold()), None)
        after = {**timers, known or new_key(name, timers): Timer(name, when, seconds, seen)}
        return after, (_note(f"The timer “{name}” has started: {describe_length(seconds)}", seen=seen),)
    key = timer_words(timers)[move.words[1]]
    one = timers[key]
    if move.verb == TIMER_VERB:
        left = {other: timer for other, timer in timers.items() if other != key}
        stopped = _note(f"The timer “{one.name}” has been stopped", seen=one.seen)
        return left, (replace(stopped, seen_by=one.seen_by),)
    shown = replace(one, seen=move.verb == "show", seen_by=())
    text = f"Players {'can now see' if shown.seen else 'can no longer see'} the timer “{one.name}”"
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


def timer_faults(timers: Timers) -> Iterator[Fault]:
    """Yield a fault for each timer whose beginning is not a time, so that its end is unknown. Without a beginning, it hasn't begun."""
    for key, one in timers.items():
        if one.began and not re.fullmatch(_BEGAN, one.began):
            message = f"began can't be “{one.began[:40]}”: it should be a time, such as 2026-11-21 19:30:05"
            yield Fault(("timers", key, "began"), message, "NM-47", grave=False)


def timer_words(timers: Timers) -> Mapping[str, str]:
    """Return the keys of timers by the word to type for each."""
    # The word of the verb would leave open whether the timer was named.
    return words_in_order(
        timers, [key for key, one in timers.items() if one.seen], TIMER_VERB, (TIMER_VERB, _STOP, _OPEN)
    )


def _sees(timer: Timer) -> str:
    return "see" if timer.seen else "can't see"


def _note(text: str, *, seen: bool) -> NoteFact:
    return NoteFact(text, "NM-47", secret=not seen, part=NotePart.DETAIL)
