"""How a roll is called: Desperate where a rule says so, and else as the wayfinder does (RF-14)."""

from __future__ import annotations

from dataclasses import replace

from waylog.rules.clocks import Running, running
from waylog.rules.moves import Answers, Option, PickOne, Refusal
from waylog.rules.situations import made_by
from waylog.rules.systems.veil_reference.moment import Moment
from waylog.rules.systems.veil_reference.sheet import Token
from waylog.rules.turns import Note

HEEDED = (Running.DESPERATE,)
"""What a situation may make of a roll (NM-19)."""


def forced(moment: Moment, *, by_engineering: bool) -> tuple[Note, ...]:
    """Every rule that makes a roll Desperate now: a clock (NM-25), a situation (NM-19), or lost engineering where the roll goes by that."""
    clock = running(moment.clocks, Running.DESPERATE)
    made = made_by(moment.situations, Running.DESPERATE)
    reasons = (
        *((replace(clock, text=f"Desperate {clock.text}"),) if clock else ()),
        *(replace(note, text=f"Desperate: {note.text}") for note in made),
    )
    if by_engineering and not moment.holds(Token.ENGINEERING):
        return (*reasons, Note("Desperate: engineering is lost", moment.edition.desperate_clause))
    return reasons


def call_ask(reasons: tuple[Note, ...]) -> PickOne:
    """The wayfinder calls a roll; where a rule makes it Desperate, no other call is open."""
    no = Refusal(f"this roll is {reasons[0].text}", reasons[0].clause) if reasons else None
    options = (Option("standard", "Standard", blocked=no), Option("desperate", "Desperate"))
    return PickOne("call", "Call", options, "desperate" if reasons else "standard")


def is_desperate(reasons: tuple[Note, ...], answers: Answers) -> bool:
    """It is, by a rule or by the wayfinder's word."""
    return bool(reasons) or answers.get("call") == "desperate"


def call_notes(moment: Moment, reasons: tuple[Note, ...], *, desperate: bool) -> tuple[Note, ...]:
    """What is told of a roll's call when it is made: the rules that make it Desperate, or that the wayfinder called it so."""
    if reasons or not desperate:
        return reasons
    return (Note("Desperate: the wayfinder's call", moment.edition.desperate_clause),)
