"""Rulings: the wayfinder's decisions about clauses. They are kept in the campaign and shown with the rule.

A ruling changes no rule that Waylog applies. Its facts are secret, because it may name things that players don't know
yet.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from waylog.rules.codec.base import Fault
from waylog.rules.model.clause_texts import Clause
from waylog.rules.model.facts import Fact, NoteFact
from waylog.rules.model.moves import Answers, Move, Option, PickOne, Text

VERBS = ("ruling",)
Rulings = Mapping[str, str]
"""The rulings by the id of the clause that each is about."""


def moves(rulings: Rulings, clauses: Mapping[str, Clause]) -> tuple[Move, ...]:
    """Return the moves that write a ruling on any clause, or end an existing one."""
    every = tuple(Option(id_.lower(), clause.title) for id_, clause in clauses.items())
    text = Text("text", "Your ruling", required=True, reserved=("end",))
    write = Move("ruling", (), "Write a ruling", (PickOne("rule", "Rule", every), text))
    there = tuple(option for option in every if option.word.upper() in rulings)
    end = Move("ruling", ("end",), "End a ruling", (PickOne("rule", "Rule", there),))
    return (write, end) if there else (write,)


def play(
    rulings: Rulings, clauses: Mapping[str, Clause], move: Move, answers: Answers
) -> tuple[Rulings, tuple[Fact, ...]]:
    """Play one of `moves`: return the rulings and the facts."""
    id_ = str(answers["rule"]).upper()
    title = clauses[id_].title
    if move.words:
        left = {other: text for other, text in rulings.items() if other != id_}
        return left, (NoteFact(f"Ruling ended: {title}", id_, secret=True),)
    text = str(answers["text"]).strip()
    return {**rulings, id_: text}, (NoteFact(f"Ruling on {title}: {text}", id_, secret=True),)


def faults(rulings: Rulings, clauses: Mapping[str, Clause]) -> Iterator[Fault]:
    """Yield a fault for each ruling on a clause that this game doesn't have."""
    for id_ in rulings:
        if id_ not in clauses:
            from difflib import get_close_matches  # a start does without it

            near = get_close_matches(id_.upper(), clauses, 1, 0.8)
            instead = f"; did you mean {near[0]}?" if near else ""
            yield Fault(
                ("rulings", id_), f"there is no rule {id_[:40]} in this game{instead}", grave=False, at_key=True
            )
