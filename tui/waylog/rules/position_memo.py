"""Remember the last result for a position. `Game` asks for the moves and panels of a position several times in each act."""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from waylog.rules.position import Position

T = TypeVar("T")


class PositionMemo(Generic[T]):
    """A function of a position that remembers its last result."""

    def __init__(self, function: Callable[[Position], T]) -> None:
        self._function = function
        self._last: tuple[Position, T] | None = None

    def __call__(self, position: Position) -> T:
        last = self._last
        if last is None or not _is_same(last[0], position):
            self._last = last = position, self._function(position)
        return last[1]


def _is_same(one: Position, other: Position) -> bool:
    """Whether two positions are alike in everything. Sheet, house rules and clocks stay the same objects until one of their
    values changes. The rest is small, and is new for each act.
    """
    return (
        one.sheet is other.sheet
        and one.rules is other.rules
        and one.clocks is other.clocks
        and one.scene == other.scene
        and one.away == other.away
        and one.overruled is other.overruled
        and tuple(one.situations.items()) == tuple(other.situations.items())
    )
