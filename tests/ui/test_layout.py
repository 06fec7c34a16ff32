"""Where the parts of the window stand, at every size and without a screen."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from waylog.ui.draw.window_layout_and_key_names import HEIGHT, WIDTH, Contents, Frame, Rect, arrange, overlay_height

TABS = ("bridge", "ship", "crew", "log", "clocks", "tables", "scene")
sizes = st.tuples(st.integers(WIDTH, 240), st.integers(HEIGHT, 80))
contents = st.builds(
    Contents,
    st.sampled_from(TABS),
    tray=st.integers(1, 60),
    banner=st.integers(0, 2),
    clocks=st.booleans(),
    hints=st.integers(0, 1),
    log_beside=st.just(0) | st.integers(80, 500),
    strip=st.integers(0, 60),
)


def parts(frame: Frame) -> list[Rect]:
    """The rectangles that are shown, the body without what the tray covers."""
    body = frame.body._replace(height=frame.body.height - frame.covered)
    every = (frame.bar, body, frame.banner, frame.strip, frame.tray, frame.hints, frame.log)
    return [rect for rect in every if rect.width and rect.height]


def overlap(one: Rect, other: Rect) -> bool:
    """Two rectangles have a cell in common."""
    return (
        one.x < other.x + other.width and other.x < one.x + one.width and one.y < other.bottom and other.y < one.bottom
    )


@given(sizes, contents)
def test_nothing_overlaps_or_leaves_the_window(size: tuple[int, int], wanted: Contents) -> None:
    """At any size, with anything to show: each cell belongs to one part, and the bar, the view and the tray are always there."""
    width, height = size
    frame = arrange(width, height, wanted)
    shown = parts(frame)
    assert [pair for pair in combinations(shown, 2) if overlap(*pair)] == []
    assert all(rect.x >= 0 and rect.x + rect.width <= width and rect.y >= 0 and rect.bottom <= height for rect in shown)
    assert frame.body.height - frame.covered >= (2 if height > HEIGHT + 2 else 1)
    assert frame.tray.height >= 1
    assert frame.hints.bottom == height


@given(sizes, contents, st.integers(1, 60))
def test_a_growing_tray_moves_only_what_lies_on_it(size: tuple[int, int], wanted: Contents, tray: int) -> None:
    """The body keeps its rectangle, and so do bar, log and hint line: none of them has to be laid out again."""
    one, other = arrange(*size, wanted), arrange(*size, wanted._replace(tray=tray))
    assert (one.bar, one.body, one.log, one.hints) == (other.bar, other.body, other.log, other.hints)


@pytest.mark.parametrize(
    ("size", "tab", "gap", "strip", "body"),
    [
        ((40, 20), "ship", 0, 1, 15),
        ((80, 24), "ship", 0, 1, 19),
        ((100, 30), "ship", 1, 1, 24),
        ((120, 36), "bridge", 1, 1, 30),
        ((160, 45), "bridge", 1, 1, 39),
        ((200, 60), "clocks", 1, 0, 55),
    ],
)
def test_rooms_at_rest(size: tuple[int, int], tab: str, gap: int, strip: int, body: int) -> None:
    """The lines of each part in the windows that the layout was designed for."""
    frame = arrange(*size, Contents(tab, clocks=True, hints=1))
    assert (frame.body.y - 1, frame.strip.height, frame.body.height) == (gap, strip, body)
    assert (frame.bar.height, frame.tray.height, frame.hints.height, frame.covered) == (1, 2, 1, 0)


@pytest.mark.parametrize(("width", "main", "log"), [(120, 120, 0), (159, 159, 0), (160, 106, 52), (200, 134, 64)])
def test_the_log_beside(width: int, main: int, log: int) -> None:
    """From 160 columns on the log stays open beside every view but itself, from the bar to the hint line."""
    frame = arrange(width, 50, Contents("crew", hints=1))
    assert (frame.body.width, frame.log.width) == (main, log)
    assert (frame.tray.width, frame.strip.width) == (main, main)
    assert not log or (frame.log.y, frame.log.bottom) == (2, 49)
    assert arrange(width, 50, Contents("log")).body.width == width


@pytest.mark.parametrize(
    ("size", "tab", "strip"),
    [
        ((80, 24), "clocks", 0),
        ((80, 17), "ship", 0),
        ((60, 18), "ship", 1),
        ((40, 17), "ship", 0),
        ((60, 24), "bridge", 1),
        ((80, 20), "bridge", 1),
        ((120, 36), "bridge", 1),
        ((160, 36), "crew", 1),
        ((200, 50), "crew", 8),
        ((120, 44), "ship", 8),
        ((200, 50), "tables", 1),
        ((120, 43), "ship", 1),
    ],
)
def test_where_the_strip_is(size: tuple[int, int], tab: str, strip: int) -> None:
    """On every view that has room for it, but for the one of clocks; nowhere without clocks."""
    assert arrange(*size, Contents(tab, clocks=True)).strip.height == strip
    assert arrange(*size, Contents(tab)).strip.height == 0


@given(st.integers(HEIGHT, 80), st.integers(1, 100))
def test_what_lies_over_a_window_leaves_lines_worth_seeing_or_none(height: int, wanted: int) -> None:
    """The bar on top stays; what wants little gets just that."""
    least = 4
    rows = overlay_height(height, wanted)
    assert rows == height - 1 or height - 1 - rows >= least
    assert rows == wanted or (rows == height - 1 and wanted > height - 1 - least)
