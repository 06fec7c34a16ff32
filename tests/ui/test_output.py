"""What is sent to the terminal: the lines that have changed, in few bytes."""

from __future__ import annotations

import os
import random
import threading
from collections import Counter
from contextlib import suppress
from pathlib import Path
from typing import Any

import pyte
import pytest
from rich.color import ColorSystem
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size
from textual.screen import Screen
from textual.strip import Strip

from tests.kit.app import CAMPAIGN, playing, seen
from waylog.app import terminal_driver as output_module
from waylog.app.terminal_driver import Output, without_repeated_styles
from waylog.app.wayfinder_app import WayfinderApp
from waylog.ui.draw.clickable_line_view import LineView
from waylog.ui.draw.drawn_screen import LineCompositor
from waylog.ui.main_screen import MainScreen
from waylog.ui.parts.tray import TrayMessage

pytestmark = pytest.mark.usefixtures("every_frame")

_COLOURS = (None, "#101820", "#d6dde6", "red", "color(120)")


def _screen(text: str) -> list[object]:
    """Every cell that a terminal shows, with as much of its style as can be seen."""
    screen = pyte.Screen(40, 6)
    pyte.Stream(screen).feed(text)
    return [_as_seen(screen.buffer[y][x]) for y in range(6) for x in range(40)]


def _as_seen(cell: pyte.screens.Char) -> pyte.screens.Char:
    is_unseen = cell.data == " " and not (cell.reverse or cell.underscore or cell.strikethrough)
    return cell._replace(fg="default", bold=False, italics=False) if is_unseen else cell


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
        words = chance.choice((f"{number} ", f"{number}", " " * (1 + number % 3)))
        text += _style(chance).render(words, color_system=ColorSystem.TRUECOLOR)
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


def test_blanks_keep_the_colour_of_the_text_before_them() -> None:
    """Nobody sees it on them. Their background is sent; where colours are reversed or a line is drawn, all of the style is."""
    text = "\x1b[1;38;2;1;2;3mone\x1b[0m\x1b[38;2;9;9;9m{}  \x1b[0m\x1b[1;38;2;1;2;3mtwo\x1b[0m"
    assert without_repeated_styles(text.format("")) == "\x1b[1;38;2;1;2;3mone  two\x1b[0m"
    sent = without_repeated_styles(text.replace("9m", "9;48;5;7m").format(""))
    assert sent == "\x1b[1;38;2;1;2;3mone\x1b[48;5;7m  \x1b[49mtwo\x1b[0m"
    assert "38;2;9;9;9" in without_repeated_styles(text.replace("9m", "9;4m").format(""))
    assert "38;2;9;9;9" in without_repeated_styles(text.replace("9m", "9;7m").format(""))


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


async def test_a_key_is_drawn_when_it_is_handled_and_only_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing has to go round by messages and timers first, and nothing is left to draw afterwards."""
    frames = list[object]()
    display = WayfinderApp._display

    def record(app: WayfinderApp, screen: Screen[object], update: Any) -> None:
        frames.append(update)
        display(app, screen, update)

    async with playing(tmp_path, 6, 1) as (pilot, table):
        app = pilot.app
        await pilot.press("2", "1")  # A view that is opened for the first time takes messages.
        monkeypatch.setattr(WayfinderApp, "_display", record)
        for key in ("down", "2", "1", "r", "n"):
            frames.clear()
            await app.on_event(events.Key(key, key if len(key) == 1 else None))
            assert len(frames) == 1, key
            await pilot.pause()
            assert len(frames) == 1, key
        frames.clear()
        await pilot.press("enter")
        await pilot.pause()
        assert table.snapshot.entries == 1
        assert len(frames) == 1


def test_blanks_that_a_line_ends_with_are_sent_once() -> None:
    """Whatever is drawn over a line and beside it, the terminal shows it all, and is sent less."""
    chance = random.Random(7)
    compositor, console = LineCompositor(), Console(color_system="truecolor", force_terminal=True)
    compositor.size = Size(40, 6)
    styles = [Style(bgcolor="#101820")] * 9
    styles += [Style(bgcolor=back, underline=line) for back in _COLOURS[:3] for line in (None, True)]
    one, other = pyte.Screen(40, 6), pyte.Screen(40, 6)
    whole, sent = pyte.Stream(one), pyte.Stream(other)
    sizes = [0, 0]
    for _ in range(3000):
        x, y = chance.choice((0, 0, chance.randrange(40))), chance.randrange(6)
        end = chance.choice((40, 40, 40, chance.randint(x + 1, 40)))
        text = "".join(chance.choices("a– ", k=chance.randrange(9)))
        parts = [Segment(part, chance.choice(styles)) for part in (text, " " * chance.randrange(3), " " * 40) if part]
        strip = Strip(parts).crop(0, end - x)
        cells = compositor.unsent_cells(x, y, strip)
        for number, (stream, drawn) in enumerate(((whole, strip), (sent, cells))):
            stream.feed(f"\x1b[{y + 1};{x + 1}H{drawn.render(console)}")
            sizes[number] += drawn.cell_length
        assert [_as_seen(one.buffer[y][x]) for x in range(40)] == [_as_seen(other.buffer[y][x]) for x in range(40)]
    assert sizes[1] < 0.8 * sizes[0]


async def test_a_roll_renders_each_part_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """However often a part is told of what has changed. One that has no cell in the window is not rendered at all."""
    rendered = Counter[str]()
    take_page = LineView._take_page

    def record(self: LineView[Any], size: Size) -> None:
        rendered[type(self).__name__] += 1
        take_page(self, size)

    async with playing(tmp_path, 6, 1) as (pilot, table):
        await pilot.press("r", "n")
        monkeypatch.setattr(LineView, "_take_page", record)
        await pilot.press("enter")
        await pilot.pause()
        assert table.snapshot.entries == 1
        assert rendered == {"TopBar": 1, "Tray": 1, "SheetView": 1, "HintLine": 1}


async def test_what_changes_with_a_layout_is_drawn_with_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also in a part that has the same size afterwards."""
    frames = list[Any]()
    async with playing(tmp_path) as (pilot, _):
        screen = pilot.app.screen
        assert isinstance(screen, MainScreen)
        monkeypatch.setattr(WayfinderApp, "_display", lambda _, __, update: frames.append(update))
        with screen.draw_at_once():
            screen.window.bar._title = "Elsewhere"
            screen.window.bar.repaint_with_layout()
            screen.place_parts()
        (frame,) = frames
        assert "Elsewhere" in frame.render_segments(pilot.app.console)


async def test_what_waits_to_be_handled_is_drawn_with_the_key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A frame that the next message makes obsolete is not sent."""
    frames = list[object]()
    async with playing(tmp_path) as (pilot, _):
        screen = pilot.app.screen
        assert isinstance(screen, MainScreen)
        monkeypatch.setattr(WayfinderApp, "_display", lambda _, __, update: frames.append(update))
        with screen.draw_at_once():
            screen.window.tray.say(TrayMessage("One"))
            screen.call_later(screen.window.tray.say, TrayMessage("Two"))
        assert not frames
        await pilot.pause()
        assert len(frames) == 1
        assert "Two" in seen(pilot)


def test_a_terminal_that_takes_no_more_gets_the_rest_from_the_writing_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """In order, and all of it; until then nothing else is written beside that thread."""
    monkeypatch.setattr(output_module, "_reopen", lambda descriptor: descriptor)
    reader, writer = os.pipe()
    os.set_blocking(writer, False)
    os.set_blocking(reader, False)
    output = Output(writer, "utf-8")
    assert output.is_free(0)
    long = "".join(f"line {number}\n" for number in range(20_000))
    assert not output.write_at_once(long)
    assert not output.is_free(1)

    def write_rest() -> None:
        output.write("end\n")
        output.flush()

    thread = threading.Thread(target=write_rest, daemon=True)
    thread.start()
    came = bytearray()
    while thread.is_alive() or len(came) < len(long):
        with suppress(BlockingIOError):
            came += os.read(reader, 65536)
    assert came.decode() == f"{long}end\n"
    assert output.is_free(1)
    assert output.write_at_once("short")
    assert os.read(reader, 100) == b"short"
    output.leave()
    assert not output.is_free(1), "from now on nothing may wait for the terminal but the thread"
    os.close(reader)
    os.close(writer)


def test_a_descriptor_that_blocks_is_left_to_the_writing_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """A terminal that takes nothing would stop the app for ever otherwise."""
    monkeypatch.setattr(output_module, "_reopen", lambda descriptor: descriptor)
    reader, writer = os.pipe()
    assert not Output(writer, "utf-8").is_free(0)
    os.close(reader)
    os.close(writer)


async def test_a_view_that_is_turned_to_is_drawn_whole(tmp_path: Path) -> None:
    """A view is drawn whole when somebody turns to it, even if Textual has made its map of places anew because a hidden part was drawn."""
    async with playing(tmp_path, text=CAMPAIGN + '[clocks.a]\nname = "A"\nkind = "push"\nsegments = 4\n') as (pilot, _):
        await pilot.press("4", "3")
        screen = pilot.app.screen
        assert isinstance(screen, MainScreen)
        compositor, window = screen._compositor, screen.window
        compositor.update_widgets({window.views["clocks"]})
        window._turn_to("clocks")
        assert window.view in compositor.full_map
        compositor._dirty_regions.clear()
        compositor.reflow(screen, screen.size)
        place, _clip = compositor.visible_widgets[window.view]
        assert any(region.contains_region(place) for region in compositor._dirty_regions)
        await pilot.pause()
