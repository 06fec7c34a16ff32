"""Clocks, for every game: countdowns with segments (NM-20…NM-29).

Situations, for every game: conditions that make rolls Desperate or the crew Exposed until they end (NM-19).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import Annotated, ClassVar, Literal, get_args

from waylog.rules.codec.base import Between
from waylog.rules.codec.changes import format_path, slug
from waylog.rules.model.facts import NoteFact, OutcomeGrade, SeenBy
from waylog.values import dataclass, replace


class ClockKind(StrEnum):
    """The kinds of clock. The kind decides what advances it (NM-20)."""

    PUSH = "push"
    CATASTROPHE = "catastrophe"
    DEATH = "death"
    AUGURY = "augury"


class WhileRunning(StrEnum):
    """The effect of a clock while it runs (NM-25)."""

    NOTHING = "nothing"
    DESPERATE = "desperate"
    EXPOSED = "exposed"


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
        "outcome": "Ending",
        "seen": "Visible",
        "seen_by": "Only for",
        "count_seen": "Progress visible",
        "outcome_seen": "Ending visible",
        "running": "While running",
        "when_full": "When full",
    }

    name: Annotated[str, "The clock's name"] = ""
    kind: Annotated[
        ClockKind,
        "push (fills on successes), catastrophe (fills when rolls go wrong), death or augury (advance with time)",
    ] = ClockKind.PUSH
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
        Literal["by-kind", "yes", "no"], "Players see the ending (by-kind means yes, except for auguries)"
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
