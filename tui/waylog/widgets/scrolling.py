"""Which lines of something long are in sight: the block under the cursor first, and all of one that is taller than the window."""

from __future__ import annotations

from collections.abc import Sequence

from waylog.widgets.ink import Ink, Line


def in_sight(top: int, first: int, size: int, height: int, within: int = 0) -> int:
    """The first line in a window of `height` lines that shows a block of `size` lines; as near to `top` as may be.

    A block that is taller shows from its start, or from `within` on.
    """
    if size > height:
        return first + min(within, size - height)
    return max(0, first + size - height, min(top, first))


def turned(within: int, by: int, size: int, height: int) -> int | None:
    """Where a taller block shows from a page further on, or back; None where there is no more of it that way."""
    page = max(1, height - 1)
    wanted = max(0, min(size - height, within + (page if by > 0 else -page)))
    return wanted if wanted != max(0, min(size - height, within)) else None


def window(lines: Sequence[Line], top: int, height: int, ink: Ink) -> list[Line]:
    """The lines in sight from `top` on, with a mark on the last where more lie below."""
    shown = list(lines[top : top + height])
    if shown and top + height < len(lines):
        shown[-1] = shown[-1].ended("↓ more ", ink.key)
    return shown
