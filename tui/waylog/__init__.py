"""Waylog: ship, crew, rolls and clocks of a starship role-playing game, in the terminal."""

__version__ = "0.3.0"
