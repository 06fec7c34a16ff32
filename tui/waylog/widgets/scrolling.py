"""Which lines of something long are in sight: the block under the cursor first, and all of one that is taller than the window."""

from __future__ import annotations


def in_sight(top: int, first: int, size: int, height: int) -> int:
    """The first line in a window of `height` lines that shows a block of `size` lines; as near to `top` as may be."""
    low, high = sorted((first, first + size - height))
    return max(0, low, min(top, high))


def turned(top: int, by: int, first: int, size: int, height: int) -> int | None:
    """Where a window goes on within a block that is taller; None where there is no more of it that way."""
    page, last = max(1, height - 1), first + size - height
    if by > 0:
        return min(top + page, last) if top < last and size > height else None
    return max(top - page, first) if top > first and size > height else None
