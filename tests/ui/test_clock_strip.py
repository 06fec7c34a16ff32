"""The strip of small clocks: which are shown, in what order, and how they are shortened."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.kit.app import CAMPAIGN, playing, seen
from tests.ui.test_palette import INK
from waylog.rules.model.clocks_situations_and_timers import ALL_SIZES, Clock, ClockKind
from waylog.ui.draw.cell_lines import CellLine
from waylog.ui.draw.clock_face import bar_lengths
from waylog.ui.parts.clock_strip import clock_rows, fit_clocks, flow_clocks, render_discs, render_entry

TENACITY = {
    "lantern": Clock("Relight the lantern", ClockKind.PUSH, 8, 8),
    "convoy": Clock("The grain convoy", ClockKind.DEATH, 8, 4),
    "moorings": Clock("Moorings", ClockKind.CATASTROPHE, 6, 6, closed=True),
    "voice": Clock("What learned to count", ClockKind.AUGURY, 6, 4, seen=False),
    "veil": Clock("Open to the Veil", ClockKind.PUSH, 4, 2),
}


def strip(width: int, clocks: dict[str, Clock]) -> str:
    """The line."""
    found = fit_clocks(clocks, width)
    texts = []
    for entry in found.entries:
        line = CellLine(width)
        render_entry(entry, INK, line, moved=False)
        texts.append(line.text)
    return "  ".join([*texts, *([f"+{found.left_out}"] if found.left_out else [])])


@pytest.mark.parametrize(
    ("width", "line"),
    [
        (
            160,
            (
                "✓ Relight the lantern  ▰▰▰▰▱▱▱▱ The grain convoy 4/8 · death  "
                "▰▰▰▰▱▱ ⊘ What learned to count 4/6 · augury  ▰▰▱▱ Open to the Veil 2/4 · push"
            ),
        ),
        (
            130,
            (
                "✓ Relight the lantern  ▰▰▰▰▱▱▱▱ The grain convoy 4/8  ▰▰▰▰▱▱ ⊘ What learned to count 4/6  "
                "▰▰▱▱ Open to the Veil 2/4"
            ),
        ),
        (
            100,
            "✓ Relight the l…  ▰▰▰▰▱▱▱▱ grain convoy 4/8  ▰▰▰▰▱▱ ⊘ What learned… 4/6  ▰▰▱▱ Open to the V… 2/4",
        ),
        (80, "✓ Relight the l…  grain convoy 4/8  ⊘ What learned… 4/6  Open to the V… 2/4"),
        (60, "✓ Relight…  grain co… 4/8  ⊘ What lea… 4/6  Open to… 2/4"),
        (40, "✓ Relight the…  ⊘ What learne… 4/6  +2"),
    ],
)
def test_the_strip_of_tenacity(width: int, line: str) -> None:
    """The full clock comes first, and stays. Kinds go first, then parts of names, then bars and more of the names, then the clocks that
    are farthest from full. Closed ones are never there.
    """
    assert strip(width, TENACITY) == line


clocks_of_any_size = st.builds(
    lambda segments, filled, seen: Clock("The clock", segments=segments, filled=min(segments, filled), seen=seen),
    st.sampled_from(ALL_SIZES),
    st.integers(0, 24),
    st.booleans(),
)


@given(st.integers(30, 200), st.lists(clocks_of_any_size, max_size=12))
def test_it_fits_and_counts_what_is_missing(width: int, clocks: list[Clock]) -> None:
    """Whatever there is: in one line, and no clock is silently left out. The full ones stay, and then the nearest to full."""
    named = {f"{number}": clock for number, clock in enumerate(clocks)}
    found = fit_clocks(named, width)
    assert len(strip(width, named)) < width
    assert len(found.entries) + found.left_out == len(clocks)
    assert found.entries or not clocks
    running = [clock.filled / clock.segments for clock in clocks if not clock.full]
    shown = [entry.clock.filled / entry.clock.segments for entry in found.entries if not entry.clock.full]
    if running:
        assert max(running) in shown or all(entry.clock.full for entry in found.entries)


def test_a_tick_moves_no_clock() -> None:
    """The order is the file's, however near a clock is."""
    ticked = {**TENACITY, "veil": Clock("Open to the Veil", ClockKind.PUSH, 4, 3)}
    assert [entry.key for entry in fit_clocks(ticked, 100).entries] == ["lantern", "convoy", "voice", "veil"]


def test_a_bar_has_every_segment() -> None:
    """Of all sizes that need no house rule. A longer clock has only its count."""
    assert [bar_lengths(Clock(segments=12, filled=filled)) for filled in range(13)] == [(n, 12 - n) for n in range(13)]
    assert bar_lengths(Clock(segments=6, filled=4)) == (4, 2)
    assert bar_lengths(Clock(segments=24, filled=4)) == (0, 0)


@given(st.integers(100, 240), st.lists(clocks_of_any_size, max_size=40))
def test_discs_fit_and_count_what_is_missing(width: int, clocks: list[Clock]) -> None:
    """In a large window: each clock has a disc and a place to click on, or is counted in the heading."""
    named = {f"{number}": clock for number, clock in enumerate(clocks)}
    page = render_discs(clock_rows(named, frozenset()), INK, width, 8)
    assert len(page.lines) == 8
    assert max(line.used for line in page.lines) <= width
    missing = len(clocks) - len(page.areas)
    assert (f"+{missing}" in page.lines[1].text) == (missing > 0)
    assert not missing or len(page.areas) >= 6
    for area in page.areas:
        rows = page.lines[area.y : area.y + area.height]
        assert any("\u2800" < char <= "\u28ff" for row in rows for char in row.text[area.x : area.x + 14])


ENDING = " ".join(f"word{number}" for number in range(24))
LONG = "".join(
    f'\n[clocks.{name}]\nname = "The clock of {name}"\nsegments = 6\noutcome = "{ENDING}"\n'
    for name in ("fog", "ice", "tide")
)


@pytest.mark.parametrize(("size", "log"), [((200, 50), "beside"), ((120, 46), "below"), ((120, 44), "below")])
async def test_discs_cut_no_ending_under_empty_lines(tmp_path: Path, size: tuple[int, int], log: str) -> None:
    """The strip is as tall as its words if the sheet leaves it the lines; under the sheet, the log keeps its own."""
    async with playing(tmp_path, size=size, text=CAMPAIGN + LONG) as (pilot, _):
        await pilot.press("n", "a", "enter")
        for view in "12":
            await pilot.press(view)
            text = seen(pilot)
            assert text.count("word23") == 3
            assert "…" not in text
            assert any(line.strip().startswith("Log ─") for line in text.splitlines()) is (log == "below")


async def test_discs_leave_a_full_sheet_its_lines(tmp_path: Path) -> None:
    """Where the sheet takes the window, the strip has its usual height, and a mark at each ending that is cut."""
    crew = "".join(
        f'\n[crew.more{n}]\nname = "More {n}"\nprimary = {{ name = "tool {n}", about = "{ENDING}" }}\n'
        for n in range(8)
    )
    async with playing(tmp_path, size=(100, 44), text=CAMPAIGN + LONG + crew) as (pilot, _):
        await pilot.press("2")
        lines = seen(pilot).splitlines()
        strip = next(y for y, line in enumerate(lines) if line.strip().startswith("Clocks ─"))
        assert "More 7" in "".join(lines[:strip])
        assert "…" in "".join(lines[strip : strip + 8])


SHORT = "".join(f'\n[clocks.c{n}]\nname = "The clock of number {n}"\nsegments = 6\n' for n in range(4))


@pytest.mark.parametrize("size", [(40, 20), (60, 18), (80, 24)])
async def test_no_name_is_cut_under_empty_lines(tmp_path: Path, size: tuple[int, int]) -> None:
    """The strip has as many lines as its clocks need while the view leaves them free, and a click finds each clock. A line that is
    typed doesn't change that.
    """
    async with playing(tmp_path, size=size, text=CAMPAIGN + SHORT) as (pilot, _):
        await pilot.press("5")
        before = [line for line in seen(pilot).splitlines() if "▱" in line]
        assert sum(line.count("The clock of number") for line in before) == 4
        await pilot.press("n", "o")
        assert [line for line in seen(pilot).splitlines() if "▱" in line] == before
        await pilot.press("escape", "escape")
        row = next(y for y, line in enumerate(seen(pilot).splitlines()) if "number 3" in line)
        await pilot.click(offset=(seen(pilot).splitlines()[row].index("number 3"), row))
        await pilot.pause()
        assert any("▸" in line and "number 3" in line for line in seen(pilot).splitlines())


@pytest.mark.parametrize("size", [(60, 18), (80, 24)])
@pytest.mark.parametrize("entries", [2, 40])
async def test_a_short_table_and_an_empty_log_leave_lines_free(
    tmp_path: Path, size: tuple[int, int], entries: int
) -> None:
    """Their clocks have whole names; those below a table that takes the window are one line."""
    (tmp_path / "tables").mkdir()
    (tmp_path / "tables" / "sky.toml").write_text(f"entries = {[str(n) for n in range(entries)]}")
    async with playing(tmp_path, size=size, text=CAMPAIGN + SHORT) as (pilot, _):
        await pilot.press("3")
        assert seen(pilot).count("The clock of number") == 4
        await pilot.press("5")
        assert (seen(pilot).count("The clock of number") == 4) is (entries == 2)
        assert len([line for line in seen(pilot).splitlines() if "0/6" in line]) == 1 or entries == 2


async def test_a_view_that_is_full_has_one_line_of_clocks(tmp_path: Path) -> None:
    """What rows say is worth more than whole names of clocks."""
    about = f"""\nabout = "{ENDING}"\n"""
    text = CAMPAIGN.replace('name = "Tenacity"\nfocus', f'name = "Tenacity"{about}focus') + SHORT
    async with playing(tmp_path, size=(40, 20), text=text) as (pilot, _):
        await pilot.press("1")
        assert len([line for line in seen(pilot).splitlines() if "0/6" in line]) == 1
        assert "↓ more" in seen(pilot)


def test_a_clock_with_a_long_name_keeps_its_count() -> None:
    """In a line of its own, the end of the name gives way."""
    clocks = {"one": Clock("The other courier gets there first, and tells them", ClockKind.DEATH, 6, 5)}
    (line,) = flow_clocks(clocks, 40)
    (entry,) = line.entries
    assert entry.name.endswith("…")
    assert entry.cells <= 38
