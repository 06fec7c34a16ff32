"""How far tests go that walk at random or try every case: all the way in CI, a fifth or a tenth of it in `make test` at a desk."""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
IS_AT_A_DESK = os.environ.get("CI") != "true"
"""What is tried in full only in CI may be cut short."""


def examples(number: int) -> int:
    """How many of so many examples are tried: all in CI; at a desk a fifth of a few, and a tenth of many."""
    return max(-(-number // 10), min(-(-number // 5), 5)) if IS_AT_A_DESK else number


def few_at_a_desk(number: int) -> int:
    """How many of so many cases are tried that take long: all in CI, a fortieth at a desk."""
    return -(-number // 40) if IS_AT_A_DESK else number


def cases(every: Sequence[T], turn: int, turns: int = 5) -> Sequence[T]:
    """The cases that are tried in that turn: all in CI; at a desk, so many turns in a row try every case."""
    return every[turn % turns :: turns] if IS_AT_A_DESK else every
