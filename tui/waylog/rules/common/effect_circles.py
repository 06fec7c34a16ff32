"""The paths that effects take from one table or deck to another, and the circles among them (NM-03).

An effect is a command that a full clock, a card or a table's entry stores. Only moves that say `effect=True` can be
one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from waylog.rules.changes import Path
from waylog.rules.codec.base import Fault
from waylog.rules.common.decks import Decks
from waylog.rules.common.random_tables import Tables, entries_with_paths

Node = tuple[str, str]
"""A table or a deck: its kind and key, `("table", "door")` or `("deck", "hold")`."""
Reads = Callable[[str], Node | None]
"""Returns the table or deck that an effect rolls on or draws from, or None."""
Circles = Mapping[Node, Fault]
"""The tables and decks that lead back to themselves, each with a fault that names the path."""
_Ways = Mapping[Node, Mapping[Node, Path]]
"""For each table and deck, where it may lead, and the path of the entry or card that says so."""


def circles(tables: Tables, decks: Decks, reads: Reads) -> Circles:
    """Return the tables and decks that lead back to themselves, each with its path (NM-03)."""
    ways, found = _ways(tables, decks, reads), {}
    for start in ways:
        if way := _way_back(ways, start):
            path_text = " → ".join(f"{kind} {key}" for kind, key in way)
            found[start] = Fault(ways[start][way[1]], f"it leads back to itself: {path_text}", "NM-03", grave=False)
    return found


def _ways(tables: Tables, decks: Decks, reads: Reads) -> _Ways:
    found: dict[Node, dict[Node, Path]] = {}
    for key, table in tables.items():
        ways = found["table", key] = {}
        for path, entry in entries_with_paths(table):
            if entry.table:
                ways.setdefault(("table", entry.table), path)
            if entry.effect and (node := reads(entry.effect)):
                ways.setdefault(node, path)
    for key, deck in decks.items():
        ways = found["deck", key] = {}
        for name, card in deck.cards.items():
            if card.effect and (node := reads(card.effect)):
                ways.setdefault(node, ("decks", key, "cards", name, "effect"))
    return found


def _way_back(ways: _Ways, start: Node) -> tuple[Node, ...]:
    """Return the shortest path from `start` back to itself; empty if there is none."""
    reached: dict[Node, tuple[Node, ...]] = {start: (start,)}
    waiting = [start]
    for node in waiting:
        for following in sorted(ways.get(node, ())):
            if following == start:
                return (*reached[node], start)
            if following not in reached:
                reached[following] = (*reached[node], following)
                waiting.append(following)
    return ()
