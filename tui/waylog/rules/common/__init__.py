"""What every game has: clocks, decks, random tables, situations and sessions, and the moves of each."""
