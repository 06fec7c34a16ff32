"""The values that every game shares: moves, facts, dice, clocks, decks, people, timers, and the state of a campaign."""
