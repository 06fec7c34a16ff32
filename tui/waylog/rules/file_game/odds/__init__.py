"""The exact odds of a roll of a game in a file: as rolled, and with what may be spent on it."""
