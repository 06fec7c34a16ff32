"""Veil Runners, CORE edition."""
