"""Clocks as pictures: a disc of slices in braille dots, or a bar in one line, with the words for both."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby

from waylog.rules.model.clocks_situations_and_timers import Clock, ClockKind, WhileRunning
from waylog.ui.draw.cell_lines import CellLine
from waylog.ui.draw.colours import Palette
from waylog.values import NamedTuple

WHILE_IT_RUNS: Mapping[WhileRunning, str] = {
    WhileRunning.NOTHING: "",
    WhileRunning.DESPERATE: "while running: all rolls are Desperate",
    WhileRunning.EXPOSED: "while running: the crew is Exposed",
}
"""The effect of a running clock, in words; empty if it has none."""


class FaceSize(NamedTuple):
    """The size of a disc, in cells."""

    width: int
    height: int


GIANT, HUGE, LARGE, MEDIUM, SMALL, TINY = (
    FaceSize(28, 14),
    FaceSize(20, 10),
    FaceSize(14, 7),
    FaceSize(12, 6),
    FaceSize(10, 5),
    FaceSize(6, 3),
)
"""In a `TINY` face slices can hardly be told apart: it is for what comes only beside a count."""


# -- slices --------------------------------------------------------------------------------------------------------------

_DOT_COLUMNS, _DOT_ROWS = 2, 4
_BITS = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
"""The bit of each dot of a braille cell, by column, then by row."""
_BRAILLE = 0x2800
_SLIT = 0.8
"""The distance from the border between two slices within which dots stay blank."""
_RIM = 1.0
"""The width of the outline of an empty slice, in dots."""


class SliceRun(NamedTuple):
    """Cells in a row of a disc that all belong to full slices, or all to empty ones."""

    text: str
    full: bool


@cache
def slice_lines(segments: int, filled: int, size: FaceSize) -> Sequence[Sequence[SliceRun]]:
    """Return the lines of a disc with so many slices, clockwise from the top: `filled` solid ones, the others in
    outline.

    Each line has `size.width` cells. A cell with dots of both kinds is full if most of them are.
    """
    disc = _disc(segments, size)
    return tuple(
        tuple(
            SliceRun("".join(cell for cell, _ in run), full)
            for full, run in groupby((_cell(disc, filled, x, y) for x in range(size.width)), key=lambda cell: cell[1])
        )
        for y in range(size.height)
    )


class _Dot(NamedTuple):
    """A dot of a slice."""

    slice: int
    on_rim: bool


_Disc = Mapping[tuple[int, int], _Dot]
"""The dots that may be drawn, by column and row. Dots on the border of two slices are left out."""


@cache
def _disc(segments: int, size: FaceSize) -> _Disc:
    disc = dict(_dots(segments, size, _SLIT))
    # In a small disc, borders would leave nothing of narrow slices.
    filling = {dot.slice for dot in disc.values() if not dot.on_rim}
    return disc if len(filling) == segments else dict(_dots(segments, size, 0))


def _dots(segments: int, size: FaceSize, slit: float) -> Iterator[tuple[tuple[int, int], _Dot]]:
    columns, rows = size.width * _DOT_COLUMNS, size.height * _DOT_ROWS
    radius, angle = min(columns, rows) / 2, math.tau / segments
    for y in range(rows):
        for x in range(columns):
            right, up = x + 0.5 - columns / 2, rows / 2 - y - 0.5
            away, turned = math.hypot(right, up), math.atan2(right, up) % math.tau
            to_border = min(turned % angle, angle - turned % angle)
            if away <= radius and away * math.sin(min(to_border, math.pi / 2)) >= slit:
                yield (x, y), _Dot(int(turned / angle) % segments, away > radius - _RIM)


def _cell(disc: _Disc, filled: int, x: int, y: int) -> tuple[str, bool]:
    """Return the character of a cell, and whether most of its dots belong to full slices."""
    bits, full, empty = 0, 0, 0
    for column in range(_DOT_COLUMNS):
        for row in range(_DOT_ROWS):
            dot = disc.get((x * _DOT_COLUMNS + column, y * _DOT_ROWS + row))
            if dot and (dot.slice < filled or dot.on_rim):
                bits |= _BITS[column][row]
                full, empty = full + (dot.slice < filled), empty + (dot.slice >= filled)
    return chr(_BRAILLE + bits) if bits else " ", full > empty


def draw_face(segments: int, filled: int | None, ink: Palette, size: FaceSize) -> list[CellLine]:
    """Draw a disc of slices; without a count, only its outline."""
    lines = []
    for runs in slice_lines(segments, min(filled or 0, segments), size):
        line = CellLine(size.width)
        for text, full in runs:
            line.add(text, ink.filled if full else ink.empty)
        lines.append(line)
    return lines


# -- bars ----------------------------------------------------------------------------------------------------------------

_LONGEST_BAR = 12
"""The most segments of a bar. A longer clock has only its count: a bar in proportion would show another clock."""
_BAR_FULL, _BAR_EMPTY = "▰", "▱"


def bar_lengths(clock: Clock) -> tuple[int, int]:
    """Return the full and the empty segments of a bar; none for a clock that has no bar."""
    if clock.segments > _LONGEST_BAR:
        return 0, 0
    filled = max(0, min(clock.filled, clock.segments))
    return filled, clock.segments - filled


def draw_bar(clock: Clock, ink: Palette, line: CellLine) -> CellLine:
    """Return the line with the clock's segments added: `▰▰▰▱▱▱`."""
    filled, empty = bar_lengths(clock)
    return line.add(_BAR_FULL * filled, ink.filled).add(_BAR_EMPTY * empty, ink.empty)


def inline(clock: Clock, ink: Palette, line: CellLine) -> CellLine:
    """Return the line with the clock's segments and progress added: `▰▰▰▱▱▱ 3/6`."""
    return draw_bar(clock, ink, line).add(f" {clock.filled}/{clock.segments}", ink.strong)


def full_sign(clock: Clock) -> str:
    """Return the words for a full clock. A push clock counts towards what the crew wants."""
    return "✓" if clock.kind is ClockKind.PUSH else "✗"
