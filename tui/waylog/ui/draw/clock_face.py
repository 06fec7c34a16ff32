"""A clock's face: its segments around a ring, the full ones and the empty ones told apart by shape and by count."""

from __future__ import annotations

from collections.abc import Mapping

from waylog.rules.common.clocks import Clock, ClockKind, WhileRunning
from waylog.ui.draw.palette import CellLine, Palette

WIDTH, HEIGHT = 13, 5
WHILE_IT_RUNS: Mapping[WhileRunning, str] = {
    WhileRunning.NOTHING: "",
    WhileRunning.DESPERATE: "while running: all rolls are Desperate",
    WhileRunning.EXPOSED: "while running: the crew is Exposed",
}
"""What a clock does to play, in words."""
_FULL, _EMPTY = "◆", "◇"
# Where segments stand, clockwise from the top: columns and rows of a face of five lines.
_SEATS: dict[int, tuple[tuple[int, int], ...]] = {
    4: ((9, 1), (9, 3), (3, 3), (3, 1)),
    6: ((9, 0), (11, 2), (9, 4), (3, 4), (1, 2), (3, 0)),
    8: ((8, 0), (11, 1), (11, 3), (8, 4), (4, 4), (1, 3), (1, 1), (4, 0)),
    10: ((8, 0), (10, 1), (12, 2), (10, 3), (8, 4), (4, 4), (2, 3), (0, 2), (2, 1), (4, 0)),
    12: ((6, 0), (9, 0), (11, 1), (12, 2), (11, 3), (9, 4), (6, 4), (3, 4), (1, 3), (0, 2), (1, 1), (3, 0)),
}


def face(clock: Clock, ink: Palette) -> list[CellLine]:
    """Five lines: the ring, and in its middle the count."""
    cells: dict[tuple[int, int], tuple[str, bool]] = {}
    for number, (x, y) in enumerate(_SEATS[clock.segments]):
        full = number < clock.filled
        cells[x, y] = (_FULL if full else _EMPTY, full)
    count = f"{clock.filled}/{clock.segments}"
    lines = []
    for y in range(HEIGHT):
        line = CellLine(WIDTH)
        for x in range(WIDTH):
            if (x, y) in cells:
                glyph, full = cells[x, y]
                line.to(x).add(glyph, ink.filled if full else ink.empty)
            elif y == HEIGHT // 2 and x == (WIDTH - len(count)) // 2:
                line.to(x).add(count, ink.strong)
        lines.append(line.to(WIDTH))
    return lines


def inline(clock: Clock, ink: Palette, line: CellLine) -> CellLine:
    """`◆◆◆◇◇◇ 3/6`"""
    line.add(_FULL * min(clock.filled, clock.segments), ink.filled)
    line.add(_EMPTY * max(0, clock.segments - clock.filled), ink.empty)
    return line.add(f" {clock.filled}/{clock.segments}", ink.strong)


_LONGEST_BAR = 8
"""Segments that a bar has at most."""
_BAR_FULL, _BAR_EMPTY = "▰", "▱"


def bar_lengths(clock: Clock) -> tuple[int, int]:
    """The full and the empty segments of a bar: those of the clock, or eight in proportion for a clock that has more.

    Such a bar is empty only if the clock is, and full only if the clock is.
    """
    segments, filled = int(clock.segments), max(0, min(clock.filled, clock.segments))
    length = min(segments, _LONGEST_BAR)
    share = round(filled * length / segments)
    full = filled if filled in (0, segments) else max(1, min(length - 1, share))
    full = min(full, length)
    return full, length - full


def draw_bar(clock: Clock, ink: Palette, line: CellLine) -> CellLine:
    """`▰▰▰▱▱▱`"""
    filled, empty = bar_lengths(clock)
    return line.add(_BAR_FULL * filled, ink.filled).add(_BAR_EMPTY * empty, ink.empty)


def full_sign(clock: Clock) -> str:
    """What is said of a full clock: a push clock counts up to what the crew wants."""
    return "✓" if clock.kind is ClockKind.PUSH else "✗"
