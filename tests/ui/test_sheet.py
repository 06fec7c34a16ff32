"""A sheet under the cursor: what is cut around it is in full where it stands, and only what changed is drawn."""

from functools import partial
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.kit.app import SIZES, drained, playing, seen
from tests.kit.table import written
from tests.kit.terminal import opened
from waylog.ui.draw.colours import ink_of
from waylog.ui.views.bridge_ship_and_crew import SheetView

pytestmark = pytest.mark.usefixtures("every_frame")

LONG = "goes on for longer than a line of the sheet has room for, and ends in"
CREW = """\
format = 1
name = "Tenacity"
system = "veil-core"
log = "0001:0"
ship.name = "Tenacity"
""" + "".join(
    f"""
[crew.{name}]
name = "{name.title()}"
role = "A role that {LONG} {name}-role."
primary = {{ name = "chalk", about = "It {LONG} {name}-chalk." }}
"""
    for name in ("anna", "bo", "cy")
)


def sheet(pilot: Pilot[None]) -> SheetView:
    """The sheet that is looked at."""
    return pilot.app.screen.query_one("#crew", SheetView)


def same(wanted: str, text: str) -> bool:
    """A terminal shows that, blanks at the ends of lines aside."""
    return "\n".join(line.rstrip() for line in text.splitlines()).rstrip() == wanted


@pytest.mark.parametrize("size", [*SIZES, (30, 12), (110, 24)])
async def test_every_text_can_be_read(tmp_path: Path, size: tuple[int, int]) -> None:
    """Walking the rows down, each text is there to its last word with the cursor on its row, also one longer than the window."""
    wanted = {f"{name}-{what}." for name in ("anna", "bo", "cy") for what in ("role", "chalk")}
    async with playing(tmp_path, size=size, text=CREW) as (pilot, _):
        await pilot.press("2")
        await pilot.pause()
        found, before = set[str](), ""
        while seen(pilot) != before:
            before = seen(pilot)
            found |= {word for word in wanted if word in "".join(before.split())}
            await pilot.press("j")
            await pilot.pause()
        assert found == wanted


@pytest.mark.parametrize("size", [(120, 30), (80, 30), (80, 24), (40, 20)])
async def test_lines_that_are_kept_are_those_that_would_be_drawn(tmp_path: Path, size: tuple[int, int]) -> None:
    """After each move the screen is as if all of it had been drawn for that moment."""
    async with playing(tmp_path, size=size, text=CREW) as (pilot, _):
        await pilot.press("2")
        await pilot.pause()
        for key in "jjjjljjkkhjjjjGkkg":
            await pilot.press(key)
            await pilot.pause()
            before = seen(pilot)
            sheet(pilot)._strips.clear()
            sheet(pilot).refresh()
            await pilot.pause()
            assert seen(pilot) == before, key


async def test_a_terminal_shows_the_same(tmp_path: Path, home: Path) -> None:
    """What is sent where rows fold and unfold is all that has changed."""
    keys, shown = "jjjjljjkkhjG", []
    async with playing(tmp_path / "here", size=(120, 26), text=CREW) as (pilot, _):
        await pilot.press("2")
        for key in keys:
            await pilot.press(key)
            await pilot.pause()
            shown.append(seen(pilot).rstrip())
    written(tmp_path / "there" / "tenacity", CREW)
    terminal = opened("tenacity", tmp_path / "there", home, 120, 26)
    try:
        terminal.until(lambda text: "CORE" in text)
        terminal.press("2")
        terminal.until(lambda text: "Add to crew" in text)
        for key, wanted in zip(keys, shown, strict=True):
            terminal.press(key)
            terminal.until(partial(same, wanted))
    finally:
        terminal.close()


async def test_there_is_more_below_is_always_said(tmp_path: Path) -> None:
    """A sheet with more below always says so, also where the last line in sight has no room to spare."""
    async with playing(tmp_path, size=(80, 24), text=CREW) as (pilot, _):
        await pilot.press("2")
        for lines in range(14, 30):
            await pilot.resize_terminal(40, lines)
            await pilot.pause()
            view = sheet(pilot)
            longer = len(view._layout.lines) > view.size.height
            assert ("↓" in seen(pilot)) == longer, lines


async def test_a_second_click_opens_the_row_of_the_first(tmp_path: Path) -> None:
    """Though the row has moved up from under the mouse, as the one above it folds."""
    async with playing(tmp_path, size=(80, 27), text=CREW) as (pilot, _):
        await pilot.press("2")
        await pilot.pause()
        view = sheet(pilot)
        await pilot.press(*"jjjj")
        await pilot.pause()
        place = view._layout.places[5]
        await pilot.click("#crew", offset=(place.x + 3, place.head - view.scroll), times=2)
        await pilot.pause()
        assert view.row is place.row
        assert "Esc close" in seen(pilot).splitlines()[-1]


async def test_all_lines_of_the_row_under_the_cursor_are_lit(tmp_path: Path) -> None:
    """Only the first has the mark, and no other row has any of it."""
    async with playing(tmp_path, size=(40, 40), text=CREW) as (pilot, _):
        await pilot.press("2")
        await drained(pilot)
        view = sheet(pilot)
        ink = ink_of(view)
        while view.row is None or getattr(view.row, "label", "") != "Role":
            await pilot.press("down")
        lit = [
            line.text
            for line in view.page.lines
            if any(style.bgcolor == ink.under_cursor.bgcolor for _, style in line.spans)
        ]
        assert len(lit) > 1
        assert "anna-role" in " ".join(" ".join(lit).split())
        assert [("▸" in line) for line in lit] == [True, *(False for _ in lit[1:])]
