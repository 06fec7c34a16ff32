"""The moves that roll, and how hits are read, as far as the games of this family share them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from waylog.rules.facts import NotePart, OutcomeFact, OutcomeGrade
from waylog.rules.moves import Ask, Move, Option, PickMany, Refusal
from waylog.rules.systems._veil_hits.damage import destroyed_reason
from waylog.rules.systems._veil_hits.hits import HEEDED, MOST_HELP, hits_among, hits_text, outcome_of
from waylog.rules.systems._veil_hits.moment import Moment, crew_words, module_words, who_is

LOWERS = "−1"
"""What each thing that helps does to the target."""


class RollAsks(Protocol):
    """What a roll of someone asks, with a system of the ship or without."""

    def __call__(self, moment: Moment, who: str, *, system: bool) -> tuple[Ask, ...]: ...


def system_words(moment: Moment) -> Mapping[str, str]:
    """Return the ship's systems by the word to type for each."""
    return {system.lower(): system for system in moment.edition.systems}


def roll_offers(moment: Moment, dice: Mapping[str, int], asks: RollAsks, without: str = "") -> tuple[Move, ...]:
    """Offer `roll mara engines`, a roll of each system for each crew member, and `roll mara`, any other roll.

    `dice` are those that each crew member brings. `without` is what a roll without a system is called.
    """
    return tuple(
        move
        for word, key in crew_words(moment).items()
        for move in _offers_of(moment, word, key, dice[key], asks, without)
    )


def _offers_of(moment: Moment, word: str, who: str, count: int, asks: RollAsks, without: str) -> tuple[Move, ...]:
    name, about, end = moment.name(who), (f"crew.{who}",), destroyed_reason(moment)
    plain = f"Roll for {name} ({f'{without}, ' if without else ''}{count}d6)"
    with_system = asks(moment, who, system=True)
    return (
        Move("roll", (word,), plain, asks(moment, who, system=False), end, rolls=True, heeds=HEEDED, about=about),
        *(
            Move(
                "roll",
                (word, text),
                f"Roll {system} for {name} ({count + moment.dice(system)}d6)",
                with_system,
                end,
                rolls=True,
                heeds=HEEDED,
                about=(*about, f"ship.systems.{system}"),
            )
            for text, system in system_words(moment).items()
        ),
    )


def module_options(moment: Moment, clause: str) -> tuple[Option, ...]:
    """Return the ship's modules as things that help. A destroyed one doesn't, by that clause."""
    built = dict(moment.modules())
    return tuple(
        Option(
            word,
            built[bay].name,
            LOWERS,
            (f"#{bay}",),
            Refusal(f"{built[bay].name} is destroyed, and doesn't help", clause) if built[bay].destroyed else None,
        )
        for word, bay in module_words(moment).items()
    )


def other_help(clause: str) -> PickMany:
    """Return the option for any other help: one step each."""
    option = Option("help", "something else", LOWERS)
    return PickMany("other", "Other help", (option,), most=MOST_HELP, repeats=True, clause=clause)


def roller_and_system(moment: Moment, move: Move) -> tuple[str, str]:
    """Return the key of who rolls, and the ship's system; that is empty for any other roll."""
    return who_is(moment, move.words[0]), system_words(moment)[move.words[1]] if len(move.words) > 1 else ""


def roll_title(moment: Moment, who: str, system: str) -> str:
    """Return the roller in words: `Mara, Engines`."""
    return ", ".join(part for part in (moment.name(who), system) if part)


def read_hits(
    moment: Moment, faces: Sequence[int], targets: Sequence[int], difficulty: int, title: str, clause: str
) -> tuple[Moment, OutcomeGrade]:
    """Read dice against their targets. Return the moment with the hits and the outcome, and that outcome."""
    hits = hits_among(faces, targets)
    outcome = outcome_of(len(hits), difficulty)
    word, label = moment.edition.outcomes[outcome]
    read = moment.says(hits_text(hits, difficulty), clause, NotePart.DETAIL)
    return read.tells(OutcomeFact(word, label, outcome, title)), outcome
