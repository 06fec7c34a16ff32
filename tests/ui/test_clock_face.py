"""Clocks as slices: what is lit in a disc, at every size and however full it is."""

from collections import deque
from itertools import pairwise, product

import pytest

from tests.kit.thorough import cases
from tests.ui.test_palette import INK
from waylog.rules.model.clocks_situations_and_timers import ALL_SIZES, SIZES, Clock, ClockKind
from waylog.rules.model.panels import ClockRow
from waylog.signs import to_charset
from waylog.ui.draw.clock_face import GIANT, HUGE, LARGE, MEDIUM, SMALL, FaceSize, draw_face, slice_lines
from waylog.ui.draw.rows import draw_clock

FACES = (GIANT, HUGE, LARGE, MEDIUM, SMALL)
COUNTABLE = [(GIANT, 12), (HUGE, 12), (LARGE, 12), (MEDIUM, 8), (SMALL, 4)]
"""Sizes, and up to how many segments the full slices of each can be counted."""
Dots = frozenset[tuple[int, int]]
every_clock = pytest.mark.parametrize("segments", SIZES)
every_size = pytest.mark.parametrize("segments", ALL_SIZES)


def dots(segments: int, filled: int, size: FaceSize, *, full: bool | None = None) -> Dots:
    """The dots of a disc by column and row; with `full` those of the cells of that kind."""
    bits = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
    found = set()
    for y, runs in enumerate(slice_lines(segments, filled, size)):
        x = 0
        for run in runs:
            for char in run.text:
                lit = ord(char) - 0x2800 if char != " " else 0
                if full is None or run.full == full:
                    found |= {(2 * x + c, 4 * y + r) for c in range(2) for r in range(4) if lit & bits[c][r]}
                x += 1
    return frozenset(found)


def areas(lit: Dots, least: int) -> int:
    """How many connected areas of at least so many dots there are."""
    rest, found = set(lit), 0
    while rest:
        queue, size = deque([rest.pop()]), 0
        while queue:
            x, y = queue.popleft()
            size += 1
            near = {(x + dx, y + dy) for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1))} & rest
            rest -= near
            queue.extend(near)
        found += size >= least
    return found


@pytest.mark.parametrize(("size", "most"), COUNTABLE)
@every_clock
def test_full_slices_can_be_counted(segments: int, size: FaceSize, most: int) -> None:
    """Each full slice is an area of its own, with a gap to the next one."""
    if segments <= most:
        solid = len(dots(segments, segments, size)) // segments // 2
        for filled in range(segments + 1):
            assert areas(dots(segments, filled, size), solid) == filled


@pytest.mark.parametrize(("segments", "size"), cases([*product(ALL_SIZES, FACES)], 0, 3))
def test_more_is_lit_with_every_segment(segments: int, size: FaceSize) -> None:
    """A dot that is lit stays lit while a clock fills, and each segment adds some, all of them about as many."""
    lit = [dots(segments, filled, size) for filled in range(segments + 1)]
    assert all(one < other for one, other in pairwise(lit))


@pytest.mark.parametrize("size", FACES)
@every_clock
def test_a_disc_is_symmetrical(segments: int, size: FaceSize) -> None:
    """An empty disc, a full one and a half one look the same from the other side: left and right, or turned over."""
    across, down = 2 * size.width - 1, 4 * size.height - 1
    for filled in (0, segments):
        lit = dots(segments, filled, size)
        assert lit == {(across - x, y) for x, y in lit}
        assert lit == {(across - x, down - y) for x, y in lit}
    half = dots(segments, segments // 2, size)
    assert half == {(x, down - y) for x, y in half}
    assert all(x > across / 2 for x, _ in half - dots(segments, 0, size))


@pytest.mark.parametrize("size", FACES)
def test_full_and_empty_have_a_colour_each(size: FaceSize) -> None:
    """An empty clock has no full cell and a full one no empty cell, but for blanks."""
    for segments in ALL_SIZES:
        assert not dots(segments, 0, size, full=True)
        assert not dots(segments, segments, size, full=False)


@pytest.mark.parametrize("size", FACES)
def test_a_face_has_its_size(size: FaceSize) -> None:
    """So many lines of so many cells, also in a terminal that has no braille: then by how much of a cell is lit."""
    for segments in ALL_SIZES:
        lines = draw_face(segments, segments // 2, INK, size)
        assert [line.used for line in lines] == [size.width] * size.height
        plain = [to_charset(line.text, "ascii") for line in lines]
        assert all(line.isascii() for line in plain)
        left, right = ("".join(line[part] for line in plain) for part in _halves(size))
        assert _ink(right) > _ink(left)


def _halves(size: FaceSize) -> tuple[slice, slice]:
    return slice(size.width // 2), slice(size.width // 2, size.width)


def _ink(text: str) -> int:
    """How dark a text is."""
    return sum(" .:#".index(char) for char in text)


def test_a_clock_whose_count_is_hidden_is_an_outline() -> None:
    """The same as an empty one: the words beside it say that the count is hidden."""
    hidden, empty = draw_face(6, None, INK, MEDIUM), draw_face(6, 0, INK, MEDIUM)
    assert [line.spans for line in hidden] == [line.spans for line in empty]


@pytest.mark.parametrize("room", range(12, 20))
@pytest.mark.parametrize("kind", ClockKind)
def test_beside_a_disc_no_word_is_cut(room: int, kind: ClockKind) -> None:
    """What kind of clock it is goes on under the count where both don't fit into a line."""
    clock = Clock("Moorings", kind, 12, 10, outcome="The docking ring tears, with us on it")
    row = ClockRow("clocks.moorings", clock.name, clock)
    lines = draw_clock(row, INK, MEDIUM.width + 4 + room, MEDIUM, full=True)
    words = " ".join(" ".join(line.text for line in lines).split())
    assert "…" not in words
    for word in ("10/12", kind.value, "Moorings"):
        assert word in words
