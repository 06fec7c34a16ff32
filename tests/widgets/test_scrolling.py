"""What is in sight of something longer than the window."""

from hypothesis import given
from hypothesis import strategies as st

from waylog.widgets.scrolling import in_sight, turned

sizes = st.integers(1, 40)


@given(st.integers(0, 90), st.integers(0, 60), sizes, sizes)
def test_the_block_under_the_cursor_is_in_sight(top: int, first: int, size: int, height: int) -> None:
    """Whole where it fits; of a taller one, nothing but it. What is in sight already stays where it is."""
    shown = in_sight(top, first, size, height)
    window = range(shown, shown + height)
    if size <= height:
        assert first in window or size == 0
        assert first + size - 1 in window
    else:
        assert first <= shown
        assert shown + height <= first + size
    assert in_sight(shown, first, size, height) == shown


@given(st.integers(0, 60), sizes, sizes)
def test_a_block_taller_than_the_window_is_walked_through(first: int, size: int, height: int) -> None:
    """From its start every line of it comes into sight, and back again; then the cursor goes on."""
    top = in_sight(0, first, size, height)
    read, steps = set(range(top, top + height)), 0
    while (further := turned(top, 1, first, size, height)) is not None:
        assert further > top
        top, steps = further, steps + 1
        read |= set(range(top, top + height))
    assert set(range(first, first + size)) <= read
    while (back := turned(top, -1, first, size, height)) is not None:
        top, steps = back, steps - 1
    assert steps == 0
    assert in_sight(0, first, size, height) == top
