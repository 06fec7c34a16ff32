"""Rulings: what the wayfinder has decided about a clause. It is kept in the campaign and shown under that rule.

A ruling changes no rule that Waylog plays by. Its facts are secret, as those of house rules are: it may name what players do not
know yet, and the wayfinder says at the table what holds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import get_close_matches

from waylog.rules.clause_texts import Clause
from waylog.rules.facts import Fact, NoteFact
from waylog.rules.moves import Answers, Move, Option, PickOne, Text
from waylog.rules.sheets import Fault

VERBS = ("ruling",)
Rulings = Mapping[str, str]
"""The rulings by the id of the clause that each is about."""


def moves(rulings: Rulings, clauses: Mapping[str, Clause]) -> tuple[Move, ...]:
    """Write a ruling on any clause, or end one that there is."""
    every = tuple(Option(id_.lower(), clause.title) for id_, clause in clauses.items())
    text = Text("text", "Your ruling", required=True, reserved=("end",))
    write = Move("ruling", (), "Write a ruling", (PickOne("rule", "Rule", every), text))
    there = tuple(option for option in every if option.word.upper() in rulings)
    end = Move("ruling", ("end",), "End a ruling", (PickOne("rule", "Rule", there),))
    return (write, end) if there else (write,)


def play(
    rulings: Rulings, clauses: Mapping[str, Clause], move: Move, answers: Answers
) -> tuple[Rulings, tuple[Fact, ...]]:
    """The rulings after one of `moves`, and what is said of it."""
    id_ = str(answers["rule"]).upper()
    title = clauses[id_].title
    if move.words:
        left = {other: text for other, text in rulings.items() if other != id_}
        return left, (NoteFact(f"Ruling ended: {title}", id_, secret=True),)
    text = str(answers["text"]).strip()
    return {**rulings, id_: text}, (NoteFact(f"Ruling on {title}: {text}", id_, secret=True),)


def faults(rulings: Rulings, clauses: Mapping[str, Clause]) -> Iterator[Fault]:
    """Rulings on clauses that this game doesn't have."""
    for id_ in rulings:
        if id_ not in clauses:
            near = get_close_matches(id_.upper(), clauses, 1, 0.8)
            instead = f"; did you mean {near[0]}?" if near else ""
            yield Fault(
                ("rulings", id_), f"there is no rule {id_[:40]} in this game{instead}", grave=False, at_key=True
            )
