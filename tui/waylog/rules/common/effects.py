"""Where effects lead: from a table or a deck to the next, and which of them lead back to where they began (NM-03).

An effect is an act in words, out of a closed set of moves: what a full clock, a card or an entry of a table does.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from waylog.rules.changes import Path
from waylog.rules.common.decks import Decks
from waylog.rules.common.random_tables import Tables, entries_with_paths
from waylog.rules.sheets import Fault

Node = tuple[str, str]
"""A table or a deck by its key: `("table", "door")`, `("deck", "hold")`."""
Reads = Callable[[str], Node | None]
"""The table or deck that an effect rolls on or draws from, or None."""
Circles = Mapping[Node, Fault]
"""What leads back to itself, and by which way."""
_Ways = Mapping[Node, Mapping[Node, Path]]
"""Where each table and deck may send one, and at which place of its file it says so."""


def circles(tables: Tables, decks: Decks, reads: Reads) -> Circles:
    """The tables and decks that lead back to themselves, each with the way that it takes (NM-03)."""
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
    """The shortest way from `start` to itself; empty when there is none."""
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
