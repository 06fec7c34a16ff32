"""What is in sight of something longer than the window."""

from hypothesis import given
from hypothesis import strategies as st

from tests.widgets.test_drawing import INK
from waylog.widgets.ink import Line
from waylog.widgets.list_view import in_sight, turned, window

sizes = st.integers(1, 40)


@given(st.integers(0, 90), st.integers(0, 60), sizes, sizes, st.integers(0, 60))
def test_the_block_under_the_cursor_is_in_sight(top: int, first: int, size: int, height: int, within: int) -> None:
    """Whole where it fits, with no more moved than must be; of a taller one, nothing but it."""
    shown = in_sight(top, first, size, height, within)
    if size > height:
        assert first <= shown <= first + size - height
    else:
        assert shown <= first
        assert first + size <= shown + height
        assert shown == top or top > first or top + height < first + size
    assert in_sight(shown, first, size, height, within) == shown


@given(st.integers(0, 60), sizes, sizes)
def test_a_block_taller_than_the_window_is_walked_through(first: int, size: int, height: int) -> None:
    """From its start every line of it comes into sight, and back again; then the cursor goes on."""
    within, read, steps = 0, set[int](), 0
    while True:
        top = in_sight(0, first, size, height, within)
        read |= set(range(top, top + height))
        further = turned(within, 1, size, height)
        if further is None:
            break
        assert further > within
        within, steps = further, steps + 1
    assert set(range(first, first + size)) <= read
    while (back := turned(within, -1, size, height)) is not None:
        within, steps = back, steps - 1
    assert (within, steps) == (0, 0)


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 30))
def test_a_mark_says_that_more_lies_below(count: int, top: int, height: int) -> None:
    """On the last line in sight, and only where there is more."""
    shown = [line.text for line in window([Line(20).add("word", INK.plain)] * count, top, height, INK)]
    assert len(shown) == max(0, min(height, count - top))
    assert ["more" in text for text in shown] == [
        top + height < count and number == len(shown) for number in range(1, len(shown) + 1)
    ]
