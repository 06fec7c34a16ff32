"""Hits against a difficulty, with their exact odds, and roll types.

Dice of one roll may have different targets, as helpers have their own. Outcomes use three of the four grades: `FIASCO`
for fewer hits than the difficulty, `DRAWBACK` for as many, `SUCCESS` for more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache

from waylog.rules.codec.changes import join_names
from waylog.rules.common.rulings import anyway_option, forced_refusal, note_lifted, ruled_call
from waylog.rules.model.clocks_situations_and_timers import WhileRunning, reasons_for, running_reason
from waylog.rules.model.facts import NoteFact, OutcomeGrade
from waylog.rules.model.moves import Answers, Option, PickOne
from waylog.rules.model.odds import Chance, Ratio, Spread
from waylog.rules.systems._veil_older_editions.editions_ship_and_typed_names import (
    Edition,
    HeldToken,
    Moment,
    times,
)
from waylog.values import dataclass, replace

Tally = tuple[Ratio, Ratio, Ratio]
"""The odds of fewer, as many and more hits than the difficulty; they add up to 1."""
OUTCOMES = (OutcomeGrade.FIASCO, OutcomeGrade.DRAWBACK, OutcomeGrade.SUCCESS)
TOP_TARGET, LOW_TARGET = 6, 3
"""The target without help, and the lowest target with help (RF-05)."""
MOST_HELP = TOP_TARGET - LOW_TARGET
"""The number of things that can help at most (RF-05)."""


@dataclass(frozen=True, slots=True)
class HitRoll:
    """A roll before its dice are thrown."""

    who: str
    system: str
    """The ship's system; empty for any other roll."""
    sources: tuple[str, ...]
    """The label of each die."""
    targets: tuple[int, ...]
    """The lowest face of each die that is a hit (RF-05)."""
    difficulty: int
    desperate: bool
    reasons: tuple[NoteFact, ...]
    """Why the roll has this type."""
    given: tuple[NoteFact, ...] = ()
    """The dice that the wayfinder gave or took, if any."""


def target(helps: int) -> int:
    """Return the lowest face that is a hit, with so many things to help (RF-05)."""
    return max(LOW_TARGET, TOP_TARGET - helps)


def help_text(names: Sequence[str]) -> str:
    """Return what helps, in words: `with skill and grit ×2`; of more than can count, that fewer are enough. Empty without help."""
    if not names:
        return ""
    counted = (name if count == 1 else f"{name} ×{count}" for name, count in Counter(names).items())
    return f"with {join_names(counted)}" + (f"; {MOST_HELP} of these would be enough" if len(names) > MOST_HELP else "")


def on(least: int) -> str:
    """Return the hitting faces in words: `5+`, or `6` if only a 6 hits."""
    return f"{least}+" if least < TOP_TARGET else f"{least}"


def hits_among(faces: Sequence[int], targets: Sequence[int]) -> tuple[int, ...]:
    """Return the faces that are at least their target (RF-06)."""
    return tuple(face for face, least in zip(faces, targets, strict=True) if face >= least)


def outcome_of(hits: int, difficulty: int) -> OutcomeGrade:
    """Return the outcome: more hits than the difficulty, as many, or fewer (RF-06)."""
    return (
        OutcomeGrade.SUCCESS
        if hits > difficulty
        else OutcomeGrade.DRAWBACK
        if hits == difficulty
        else OutcomeGrade.FIASCO
    )


@cache
def chances(targets: tuple[int, ...], difficulty: int) -> Tally:
    """Return the exact odds of d6 with these targets against a difficulty."""
    ways = [1]
    for least in targets:
        missed = [count * (least - 1) for count in (*ways, 0)]
        hit = [count * (7 - least) for count in (0, *ways)]
        ways = [miss + more for miss, more in zip(missed, hit, strict=True)]
    throws = 6 ** len(targets)
    counts = dict.fromkeys(OUTCOMES, 0)
    for hits, count in enumerate(ways):
        counts[outcome_of(hits, difficulty)] += count
    return (
        Ratio(counts[OutcomeGrade.FIASCO], throws),
        Ratio(counts[OutcomeGrade.DRAWBACK], throws),
        Ratio(counts[OutcomeGrade.SUCCESS], throws),
    )


def hits_text(hits: tuple[int, ...], difficulty: int) -> str:
    """Describe hits: `3 hits, 5 6 5, against difficulty 2`."""
    faces = f" ({' '.join(map(str, hits))})" if hits else ""
    return f"{times(len(hits), 'hit')}{faces} against difficulty {difficulty}"


def spread(edition: Edition, tally: Tally) -> Spread:
    """Turn a tally into a spread, with the game's own names for outcomes."""
    named = zip(OUTCOMES, tally, strict=True)
    return Spread("", tuple(Chance(*edition.outcomes[mood], mood, chance) for mood, chance in named))


# -- how a roll is called (RF-14) ---------------------------------------------------------------------------------------

HEEDED = (WhileRunning.DESPERATE,)
"""The effects of situations on a roll (NM-19)."""


def desperate_reasons(moment: Moment, *, system: bool) -> tuple[NoteFact, ...]:
    """Return a note for each rule that makes the roll Desperate now: a clock (NM-25), a situation (NM-19), or for a roll of a system
    lost engineering (RF-14, VC-09), if the house rules say so.
    """
    clock = running_reason(moment.clocks, WhileRunning.DESPERATE)
    made = reasons_for(moment.situations, WhileRunning.DESPERATE)
    reasons = (
        *((replace(clock, text=f"Desperate {clock.text}"),) if clock else ()),
        *(replace(note, text=f"Desperate {note.text}") for note in made),
    )
    if system and moment.rules.engineering_lost == "desperate" and not moment.holds(HeldToken.ENGINEERING):
        return (*reasons, NoteFact("Desperate while engineering is lost", moment.edition.clauses.desperate))
    return reasons


def call_ask(moment: Moment, *, system: bool) -> PickOne:
    """Ask for the roll type. If a rule makes the roll Desperate, only the wayfinder can overrule that."""
    reasons = desperate_reasons(moment, system=system)
    options = (
        Option("standard", "Standard", blocked=forced_refusal("standard", reasons)),
        Option("desperate", "Desperate"),
        *anyway_option("standard", reasons),
    )
    return PickOne("call", "Risk", options, "desperate" if reasons else "standard", moment.edition.clauses.desperate)


def call_of(moment: Moment, answers: Answers, *, system: bool) -> tuple[bool, tuple[NoteFact, ...]]:
    """Return whether the roll is Desperate, by a rule or by the wayfinder's choice, and why it has this type."""
    reasons = desperate_reasons(moment, system=system)
    if ruled := ruled_call(answers.get("call")):
        return False, note_lifted(ruled, reasons)
    return bool(reasons) or answers.get("call") == "desperate", reasons


def call_notes(moment: Moment, reasons: tuple[NoteFact, ...], *, desperate: bool) -> tuple[NoteFact, ...]:
    """Return notes on the roll type: the rules that make it Desperate or were overruled, or the wayfinder's choice."""
    if reasons or not desperate:
        return reasons
    return (NoteFact("Desperate (set by the wayfinder)", moment.edition.clauses.desperate),)
