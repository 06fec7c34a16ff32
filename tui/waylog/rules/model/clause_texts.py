"""Clauses: the rules to look up, each with an id, a title in players' words, and a text.

Refusals, facts and faults have the id of their clause as data. The screens and `waylog rule` show its text (`rules_reference.py`), which
few commands do: so this is a file of its own, and a start doesn't load the other.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from waylog.values import dataclass


@dataclass(frozen=True, slots=True)
class Clause:
    """One rule, in a few words and a few sentences for the people at the table."""

    title: str
    text: str
    see: tuple[str, ...] = ()
    """The ids of related clauses."""
    replaces: tuple[str, ...] = ()
    """The ids of another edition's clauses that this one replaces."""
    chapter: str = ""
    """The heading that it is listed under."""


def by_chapter(chapters: Mapping[str, Mapping[str, Clause]]) -> Mapping[str, Clause]:
    """Return the clauses of these chapters by id, in order. Each has its chapter."""
    return MappingProxyType(
        {
            id_: Clause(clause.title, clause.text, clause.see, clause.replaces, chapter)
            for chapter, clauses in chapters.items()
            for id_, clause in clauses.items()
        }
    )


def topics(clauses: Mapping[str, str]) -> Mapping[str, tuple[str, ...]]:
    """Return the ids of each topic's clauses, which are written as one text with spaces."""
    return MappingProxyType({topic: tuple(ids.split()) for topic, ids in clauses.items()})
