"""What is sent to the terminal: the lines that have changed, in few bytes."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pyte
import pytest
from rich.color import ColorSystem
from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip

from tests.ui.playing import playing, seen
from waylog.app.output import without_repeated_styles
from waylog.ui.draw.line_view import LineView

_COLOURS = (None, "#101820", "#d6dde6", "red", "color(120)")


def _screen(text: str) -> list[object]:
    """Every cell that a terminal shows, with its style."""
    screen = pyte.Screen(40, 6)
    pyte.Stream(screen).feed(text)
    return [screen.buffer[y][x] for y in range(6) for x in range(40)]


def _style(chance: random.Random) -> Style:
    colour, behind = chance.choice(_COLOURS), chance.choice(_COLOURS)
    bold, italic, underline, reverse, strike = (chance.choice((None, True)) for _ in range(5))
    return Style(
        color=colour, bgcolor=behind, bold=bold, italic=italic, underline=underline, reverse=reverse, strike=strike
    )


@pytest.mark.parametrize("seed", range(20))
def test_a_terminal_shows_the_same_cells(seed: int) -> None:
    """Whichever styles follow each other, on one line and over several."""
    chance = random.Random(seed)
    text = ""
    for number in range(40):
        text += _style(chance).render(f"{number} ", color_system=ColorSystem.TRUECOLOR)
        text += chance.choice(("", "", "", f"\r\n\x1b[{chance.randrange(1, 7)};1H"))
    assert _screen(without_repeated_styles(text)) == _screen(text)


def test_only_the_difference_of_two_styles_is_sent() -> None:
    """A background is sent once for all words on it, also where an attribute ends. Bold and dim end together."""
    sent = without_repeated_styles("\x1b[38;2;1;2;3;48;2;9;9;9mone\x1b[0m\x1b[38;2;4;5;6;48;2;9;9;9mtwo\x1b[0m")
    assert sent == "\x1b[38;2;1;2;3;48;2;9;9;9mone\x1b[38;2;4;5;6mtwo\x1b[0m"
    assert without_repeated_styles("\x1b[1;31mone\x1b[0m\x1b[31mtwo\x1b[0m") == "\x1b[1;31mone\x1b[22mtwo\x1b[0m"
    assert without_repeated_styles("\x1b[1;2mone\x1b[0m\x1b[2mtwo\x1b[0m") == "\x1b[1;2mone\x1b[22;2mtwo\x1b[0m"
    assert without_repeated_styles("\x1b[31mone\x1b[0m\x1b[32mtwo\x1b[0m") == "\x1b[31mone\x1b[0;32mtwo\x1b[0m"
    assert without_repeated_styles("\x1b[3;31mone\x1b[0m\x1b[3;31mtwo\x1b[0m") == "\x1b[3;31monetwo\x1b[0m"


def test_a_style_goes_on_where_the_cursor_moves() -> None:
    """From one changed line to the next. After plain text in between it is sent in full."""
    sent = without_repeated_styles(
        "\x1b[5;1H\x1b[1;31mone\x1b[0m\x1b[6;9H\x1b[31mtwo\x1b[0m\x1b[7;1H\x1b[31mx\x1b[0m\x1b[1;1H"
    )
    assert sent == "\x1b[5;1H\x1b[1;31mone\x1b[6;9H\x1b[22mtwo\x1b[7;1Hx\x1b[0m\x1b[1;1H"
    assert (
        without_repeated_styles("\x1b[31mone\x1b[0m \x1b[6;9H\x1b[31mtwo") == "\x1b[31mone\x1b[0m \x1b[6;9H\x1b[31mtwo"
    )


async def test_a_key_asks_for_the_cells_that_it_changes_and_no_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Widgets elsewhere in the window, the lines above and below and the cells beside are not put together again."""
    asked: list[tuple[str, Region]] = []
    render_lines = LineView.render_lines

    def record(self: LineView[Any], crop: Region) -> list[Strip]:
        asked.append((type(self).__name__, crop))
        return render_lines(self, crop)

    async with playing(tmp_path) as (pilot, _):
        await pilot.press("down")
        before = seen(pilot)
        monkeypatch.setattr(LineView, "render_lines", record)
        await pilot.press("up", "down")
        assert {name for name, _ in asked} - {"HintLine"} == {"SheetView"}
        assert {crop.height for _, crop in asked} == {1}
        assert all(crop.width < pilot.app.size.width - 1 for _, crop in asked)
        monkeypatch.undo()
        assert seen(pilot) == before
