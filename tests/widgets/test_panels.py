"""Panels laid out: what the cursor marks."""

from collections.abc import Sequence

import pytest

from tests.widgets.test_drawing import INK
from waylog.rules.panels import DiceRow, Panel
from waylog.widgets.panels import Layout, laid_out


def text(layout: Layout, cursor: int | None = None) -> str:
    """The whole sheet."""
    return "\n".join(layout.line(y, cursor, INK).text.rstrip() for y in range(len(layout.lines)))


@pytest.mark.parametrize("height", [3, 8, 40])
@pytest.mark.parametrize("counts", [(0, 2, 0), (3, 0, 1), (0, 0, 0)])
def test_the_cursor_marks_the_label(counts: Sequence[int], height: int) -> None:
    """Also where dice are drawn large, and where none are left to draw."""
    rows = tuple(DiceRow(f"{n}", f"SYS{n}", count, "to see") for n, count in enumerate(counts))
    layout = laid_out((Panel("core", "ship", "CORE", rows),), INK, 60, height)
    for index in range(len(rows)):
        marked = [line for line in text(layout, index).splitlines() if "▸" in line]
        assert len(marked) == 1
        assert marked[0].startswith(f"▸   SYS{index}")
        assert "dice" in marked[0] or "1 die" in marked[0]
