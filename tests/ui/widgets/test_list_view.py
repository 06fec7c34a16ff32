"""A list with a cursor: what a view has to write, and what is in sight of something longer than the window."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from hypothesis import given
from hypothesis import strategies as st
from rich.style import Style
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message

from tests.ui.test_palette import INK
from waylog.themes import theme
from waylog.ui.draw.cell_lines import CellLine, StyledText
from waylog.ui.draw.clickable_line_view import changed_cells
from waylog.ui.draw.colours import Palette
from waylog.ui.views.list_view import ListView, in_sight, margin_line, next_page_start, window

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
        further = next_page_start(within, 1, size, height)
        if further is None:
            break
        assert further > within
        within, steps = further, steps + 1
    assert set(range(first, first + size)) <= read
    while (back := next_page_start(within, -1, size, height)) is not None:
        within, steps = back, steps - 1
    assert (within, steps) == (0, 0)


@given(st.integers(0, 30), st.integers(0, 30), st.integers(0, 30))
def test_a_mark_says_that_more_lies_below(count: int, top: int, height: int) -> None:
    """On the last line in sight, and only where there is more."""
    shown = [line.text for line in window([CellLine(20).add("word", INK.plain)] * count, top, height, INK)]
    assert len(shown) == max(0, min(height, count - top))
    assert ["more" in text for text in shown] == [
        top + height < count and number == len(shown) for number in range(1, len(shown) + 1)
    ]


class Names(ListView[int]):
    """The smallest view that there is: names, some of them of two lines, and one that is taller than the window."""

    @dataclass
    class Opened(Message):
        """A name was opened."""

        name: str

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "step(1)"),
        Binding("up", "step(-1)"),
        Binding("enter", "open"),
    ]

    def __init__(self, names: Sequence[str]) -> None:
        super().__init__(id="names")
        self.names = names

    def count(self) -> int:
        return len(self.names)

    def render_item(self, index: int, ink: Palette, width: int) -> Sequence[CellLine]:
        here = index == self.cursor
        return [margin_line(width, ink, here=here).add(part, ink.plain) for part in self.names[index].split()]

    def action_open(self) -> None:
        self.post_message(self.Opened(self.names[self.cursor]))


class NamesApp(App[None]):
    """Nothing but the names."""

    def __init__(self, *names: str) -> None:
        super().__init__()
        self.view = Names(names)
        self.opened: list[str] = []

    def get_theme_variable_defaults(self) -> dict[str, str]:
        return theme("dark").variables

    def compose(self) -> ComposeResult:
        yield self.view

    def on_names_opened(self, message: Names.Opened) -> None:
        self.opened.append(message.name)

    @property
    def lines(self) -> list[str]:
        """What the view shows."""
        return [line.text.rstrip() for line in self.view.page.lines]


async def test_a_view_of_few_lines_has_all_that_lists_have() -> None:
    """It says how many items there are and renders one; the cursor, scrolling, clicks and the wheel come with the base."""
    tall = " ".join(f"part-{n}" for n in range(9))
    app = NamesApp("Ana", "Bo", "Cy", "Di", "Eli", tall, "Fox")
    async with app.run_test(size=(24, 5)) as pilot:
        app.view.focus()
        await pilot.pause()
        assert app.lines[0] == "▸ Ana"
        assert app.lines[-1].endswith("↓ more")
        await pilot.press("down", "down", "down", "down")
        assert app.lines[3] == "▸ Eli"
        await pilot.press("down")
        assert app.lines[0] == "▸ part-0"
        await pilot.press("down", "down")
        assert "▸ part-8" in app.lines
        await pilot.press("down")
        assert app.view.cursor == 6
        assert "more" not in app.lines[-1]
        app.view.on_mouse_scroll_up()
        assert app.view.cursor == 5
        app.view.move_to(0)
        await pilot.click("#names", offset=(3, 1), times=2)
        assert app.view.cursor == 1
        assert app.opened == ["Bo"]
        await pilot.press("up", "enter")
        assert app.opened == ["Bo", "Ana"]


lines = st.lists(st.tuples(st.text("ab é", max_size=3), st.sampled_from([INK.plain, INK.dim])), max_size=5)


@given(lines, lines)
def test_cells_that_are_not_sent_are_alike(before: list[tuple[str, Style]], after: list[tuple[str, Style]]) -> None:
    """Before the first and behind the last of the cells that are said to differ, both lines look the same."""
    one, other = (cells(line) for line in (before, after))
    changed = changed_cells([StyledText(*each) for each in before], [StyledText(*each) for each in after])
    assert one[: changed.start] == other[: changed.start]
    assert one[changed.stop :] == other[changed.stop :]
    assert changed or one == other


def cells(line: list[tuple[str, Style]]) -> list[tuple[str, Style]]:
    """Each cell with its style; nothing behind the last."""
    return [(char, style) for text, style in line for char in text]
