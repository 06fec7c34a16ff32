"""The roll that a table's screen shows: its dice as they are now, the odds that it had, and what came of it."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

from waylog.rules.model.dice import Face
from waylog.rules.model.facts import NoteFact, NotePart, OutcomeFact, RollFact
from waylog.rules.model.odds import Odds
from waylog.store.shown.players_file import VisibleAct
from waylog.values import NamedTuple


class ShownRoll(NamedTuple):
    """A roll as far as it has got."""

    who: str
    """Who or what rolls, or what for."""
    dice: tuple[Face, ...]
    typed: bool
    """They are real dice."""
    odds: Odds | None
    outcome: OutcomeFact | None
    followed: tuple[str, ...]
    """What came of it, in sentences."""


def latest_roll(acts: Sequence[VisibleAct]) -> ShownRoll | None:
    """Return the roll that these acts, oldest first, end with: its dice as they are now, the outcome and what came of it. None if the
    last of them is neither a roll nor the choice that ends one.
    """
    is_part = [any(isinstance(fact, RollFact) for fact in act.facts) for act in acts]
    if not any(is_part):
        return None
    first = len(acts) - 1 - is_part[::-1].index(True)
    facts = [fact for act in acts[first:] for fact in act.facts]
    rolls = [at for at, fact in enumerate(facts) if isinstance(fact, RollFact)]
    # Dice of damage that follow a roll are told with what came of it.
    with_outcome = [
        at
        for at, after in pairwise((*rolls, len(facts)))
        if any(isinstance(fact, OutcomeFact) for fact in facts[at + 1 : after])
    ]
    at = (with_outcome or rolls)[-1]
    roll, after = facts[at], facts[at + 1 :]
    assert isinstance(roll, RollFact)
    outcomes = [fact for fact in after if isinstance(fact, OutcomeFact)]
    if first < len(acts) - 1 and not outcomes:
        return None
    notes = [fact for fact in after if isinstance(fact, NoteFact)]
    changed = [note.dice for note in notes if note.dice]
    return ShownRoll(
        roll.deed or roll.what,
        changed[-1] if changed else roll.dice,
        roll.typed,
        acts[first].odds[0] if acts[first].odds else None,
        outcomes[-1] if outcomes else None,
        tuple(note.text for note in notes if note.part is NotePart.RESULT),
    )
