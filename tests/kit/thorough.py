"""How far tests go that walk at random or try every case: all the way in CI, a fifth of it in `make test` at a desk."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
_PART = 1 if os.environ.get("CI") == "true" else 5
IS_AT_A_DESK = _PART > 1
"""What is tried in full only in CI may be cut short."""


def examples(number: int) -> int:
    """How many of so many examples are tried."""
    return -(-number // _PART)


def few_at_a_desk(number: int) -> int:
    """How many of so many cases are tried that take long: all in CI, a twentieth at a desk."""
    return number if _PART == 1 else -(-number // 20)


def cases(every: Sequence[T], turn: int, turns: int = 5) -> Sequence[T]:
    """The cases that are tried in that turn: all in CI; at a desk, so many turns in a row try every case."""
    return every[turn % turns :: turns] if IS_AT_A_DESK else every
