"""The rules and moves that every game shares: clocks, decks, random tables, situations and sessions."""
