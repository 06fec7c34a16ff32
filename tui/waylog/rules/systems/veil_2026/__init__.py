"""Veil Runners as it is played in 2026."""
