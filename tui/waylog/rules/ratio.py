"""Exact fractions, for the modules that work out odds."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from fractions import Fraction


def ratio(part: int, whole: int = 1) -> Fraction:
    """Return `part` / `whole` as an exact fraction."""
    # Imported late: a command that plays an act asks for no odds, and starts faster without this module.
    from fractions import Fraction

    return Fraction(part, whole)
