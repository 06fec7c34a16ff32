"""Effects: what a full clock, a card or an entry of a table does. An effect is an act in words, out of a closed set of moves."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping

from waylog.rules.decks import Decks
from waylog.rules.tables import Tables, all_entries

Node = tuple[str, str]
"""A table or a deck: `("table", "door")`."""
Reads = Callable[[str], Node | None]
"""The table or deck that an effect rolls on or draws from, or None."""


def leads_to(tables: Tables, decks: Decks, reads: Reads) -> Mapping[Node, Collection[Node]]:
    """What each table and deck may send one on to: by naming another table, or by an effect."""
    found: dict[Node, set[Node]] = {}
    for key, table in tables.items():
        entries = [*all_entries(table)]
        named = {("table", entry.table) for entry in entries if entry.table}
        found["table", key] = named | {node for entry in entries if entry.effect and (node := reads(entry.effect))}
    for key, deck in decks.items():
        effects = [card.effect for card in deck.cards.values() if card.effect]
        found["draw", key] = {node for effect in effects if (node := reads(effect))}
    return found


def circles(ways: Mapping[Node, Collection[Node]]) -> Iterator[tuple[Node, ...]]:
    """The tables and decks that lead back to themselves, each with the way that it takes (NM-03)."""
    for start in ways:
        way = _way_back(ways, start)
        if way:
            yield way


def _way_back(ways: Mapping[Node, Collection[Node]], start: Node) -> tuple[Node, ...]:
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
