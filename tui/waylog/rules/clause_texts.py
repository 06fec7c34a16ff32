"""Clauses: the rules as they are looked up, each with an id, a title in players' words, and a text.

Refusals, facts and faults name their clause by its id, as data. The screens and `waylog rule` show the text of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple


class Clause(NamedTuple):
    """One rule: a few words and a few sentences for the people at the table."""

    title: str
    text: str
    see: tuple[str, ...] = ()
    """The ids of related clauses."""
    replaces: tuple[str, ...] = ()
    """The ids of the clauses of another edition that do not hold beside this one."""
    chapter: str = ""
    """The heading that it is listed under."""


def by_chapter(chapters: Mapping[str, Mapping[str, Clause]]) -> Mapping[str, Clause]:
    """The clauses of these chapters by id, in their order. Each then knows its chapter."""
    return MappingProxyType(
        {
            id_: clause._replace(chapter=chapter)
            for chapter, clauses in chapters.items()
            for id_, clause in clauses.items()
        }
    )


def topics(clauses: Mapping[str, str]) -> Mapping[str, tuple[str, ...]]:
    """The ids of the clauses of each topic, which are written one after another."""
    return MappingProxyType({topic: tuple(ids.split()) for topic, ids in clauses.items()})
