"""Situations, for every game: conditions that make rolls Desperate or the crew Exposed until they end (NM-19)."""

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
    """A named condition. It lasts until it is ended, or until its clock is full or closed."""

    ALWAYS_WRITTEN: ClassVar = ("name", "makes")

    name: Annotated[str, "The condition, such as: No power"] = ""
    makes: Annotated[WhileRunning, "Its effect: desperate (rolls) or exposed (the crew)"] = WhileRunning.DESPERATE
    rolls: Annotated[str, "The rolls that it affects, such as: exploring, or NAV (default: all)"] = ""
    clock: Annotated[str, "Key of the clock that it ends with (default: ended by hand or by a card)"] = ""
    seen: Annotated[bool, "Visible to players"] = True
    notes: Annotated[str, "For the wayfinder"] = ""
    over: Annotated[bool, "It has ended, and can be renewed"] = False


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
    return tuple(note(key, one, title(one)) for key, one in sorted(found, key=lambda item: not item[1].seen))


def note(key: str, situation: Situation, text: str) -> NoteFact:
    """Make a note about a situation. Players see it while they see the situation."""
    return NoteFact(text, "NM-19", secret=not situation.seen, about=(format_path(("situations", key)),))


def title(situation: Situation) -> str:
    """Return its name and rolls: `“No power” (exploring)`."""
    rolls = situation.rolls.strip()
    return f"“{situation.name}”" + (f" ({rolls})" if rolls else "")


def does(situation: Situation) -> str:
    """Return its effect in words: `all rolls are Desperate`, `rolls are Desperate: exploring`."""
    rolls = situation.rolls.strip()
    match situation.makes:
        case WhileRunning.DESPERATE:
            return f"rolls are Desperate: {rolls}" if rolls else "all rolls are Desperate"
        case WhileRunning.EXPOSED:
            return "the crew is Exposed" + (f": {rolls}" if rolls else "")
        case _:
            return "nothing"
