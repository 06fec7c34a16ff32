"""Situations, for every system: conditions that make rolls Desperate or the crew Exposed until they are over (NM-19)."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Annotated, ClassVar

from waylog.rules.changes import format_path
from waylog.rules.common.clocks import Clock, WhileRunning
from waylog.rules.facts import NoteFact
from waylog.rules.naming import slug
from waylog.values import dataclass


@dataclass(frozen=True, slots=True)
class Situation:
    """A named condition. It lasts until it is over, or until its clock is full or closed."""

    ALWAYS_WRITTEN: ClassVar = ("name", "makes")

    name: Annotated[str, "What is so: No power"] = ""
    makes: Annotated[WhileRunning, "What it makes: desperate (rolls) or exposed (the crew)"] = WhileRunning.DESPERATE
    rolls: Annotated[str, "The rolls that it touches, in words: exploring, or NAV; empty: all of them"] = ""
    clock: Annotated[str, "The clock that it ends with, by key; empty: it is ended by hand or by a card"] = ""
    seen: Annotated[bool, "The players see it"] = True
    notes: Annotated[str, "For the wayfinder"] = ""
    over: Annotated[bool, "It has ended, and is kept here to begin again"] = False


Situations = Mapping[str, Situation]


def in_force(situations: Situations, clocks: Mapping[str, Clock], known: Collection[str]) -> Situations:
    """The situations that hold now, of those that make something which the game has a rule for."""
    return {
        key: one
        for key, one in situations.items()
        if not one.over and one.makes in known and (one.clock not in clocks or clocks[one.clock].runs)
    }


def for_all(holding: Situations) -> Situations:
    """Those that touch every roll."""
    return {key: one for key, one in holding.items() if not one.rolls.strip()}


def names_roll(situation: Situation, words: Collection[str]) -> bool:
    """The situation touches all rolls, or names a roll of these words: `NAV` touches `roll nav`."""
    named = slug(situation.rolls)
    return not named or not set(named.split("-")).isdisjoint(words)


def reasons_for(holding: Situations, effect: WhileRunning) -> tuple[NoteFact, ...]:
    """The situations that make `effect` so, each with its name; those that the players see first."""
    found = [(key, one) for key, one in holding.items() if one.makes is effect]
    return tuple(note(key, one, title(one)) for key, one in sorted(found, key=lambda item: not item[1].seen))


def note(key: str, situation: Situation, text: str) -> NoteFact:
    """What is told of a situation: players hear it while they see the situation."""
    return NoteFact(text, "NM-19", secret=not situation.seen, about=(format_path(("situations", key)),))


def title(situation: Situation) -> str:
    """`“No power” (exploring)`."""
    rolls = situation.rolls.strip()
    return f"“{situation.name}”" + (f" ({rolls})" if rolls else "")


def does(situation: Situation) -> str:
    """What it comes to: `all rolls are Desperate`, `rolls are Desperate: exploring`."""
    rolls = situation.rolls.strip()
    match situation.makes:
        case WhileRunning.DESPERATE:
            return f"rolls are Desperate: {rolls}" if rolls else "all rolls are Desperate"
        case WhileRunning.EXPOSED:
            return "the crew is Exposed" + (f": {rolls}" if rolls else "")
        case _:
            return "nothing"
