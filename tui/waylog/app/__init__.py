"""The two programs with a window: the wayfinder's and the players', and the terminal that both run in."""
