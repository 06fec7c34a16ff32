"""Where the parts of the window stand, as one pure function from the window's size and contents to rectangles.

The main screen calls `arrange` whenever its size or its contents change. The function knows no widget, so it is tested
without a screen. Sizes are in cells. Thresholds divide the room, not proportions: within one range of sizes nothing
moves.

From top to bottom: bar, gap, body, banner, clock strip, tray, hint line. From 160 columns on, the log is a column on
the right, from the bar to the hint line. The body keeps its size while the tray grows: the tray then covers its last
lines (`Frame.covered`), so that nothing in the body has to be laid out and sent again. A window that is too small for all this shows
one line (`TooSmall`).

The names of keys, and the keys that a person has set, for texts that name a key and for questions that a key confirms.

A person's own keys hold for the whole program, as the character set of the terminal does, so they are kept once: texts with keys in
them are written in many places, few of which know the window.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache

from textual.geometry import NULL_OFFSET, NULL_SPACING, Region, Size
from textual.layout import ArrangeResult, Layout, WidgetPlacement
from textual.widget import Widget

from waylog.ui.draw.cell_lines import CellLine
from waylog.ui.draw.clickable_line_view import LineView, Page
from waylog.ui.draw.colours import Palette
from waylog.values import NamedTuple

_NAMES = {
    "question_mark": "?", "colon": ":", "plus": "+", "minus": "-", "equals_sign": "=", "enter": "Enter", "tab": "Tab",
    "shift+tab": "Shift+Tab", "shift+left": "Shift+←", "shift+right": "Shift+→", "up": "↑", "down": "↓", "left": "←", "right": "→", "pageup": "PgUp", "pagedown": "PgDn",
    "escape": "Esc", "full_stop": ".", "slash": "/", "greater_than_sign": ">", "home": "Home", "end": "End", "space": "Space", "f1": "F1", "tilde": "~",
    "left_square_bracket": "[", "right_square_bracket": "]", "left_curly_bracket": "{", "right_curly_bracket": "}",
}  # fmt: skip


_own: dict[str, str] = {}
"""The keys that a person has set, by the ids of the bindings."""


def use_keys(keymap: Mapping[str, str]) -> None:
    """From now on these bindings, by their ids, have these keys, as Textual writes them: `n,ctrl+n`. All others have their
    usual ones.
    """
    _own.clear()
    _own.update(keymap)


def keys_of(id_: str, usual: str) -> tuple[str, ...]:
    """Return the keys of a binding as Textual calls them. `usual` are those that it has if a person has set none."""
    return tuple(_own.get(id_, usual).split(","))


def key_name(id_: str, usual: str) -> str:
    """Return the first key of a binding as people call it."""
    return format_keys(keys_of(id_, usual)[0])


@lru_cache(512)
def format_keys(keys: str) -> str:
    """Return the keys of a binding as people call them. For a view this is its digit, and for quitting its letter,
    without other ways.
    """
    every = keys.split(",")
    plain = [key for key in every if not key.startswith("ctrl+")] or every
    return " ".join(_NAMES.get(key) or _with_control(key) for key in (plain[:1] if plain[0].isdigit() else plain))


def _with_control(key: str) -> str:
    before, control, letter = key.rpartition("ctrl+")
    return f"{before}Ctrl+{letter.upper() if len(letter) == 1 else letter}" if control else key


def digit(key: str) -> str:
    """Return the digit of a key; empty for any other key."""
    return key if len(key) == 1 and key.isascii() and key.isdigit() else ""


TABS = ("ship", "crew", "log", "clocks", "tables")
"""The views, in the order of their keys from 1 on."""
SCENE = "scene"
"""The place of panels that exist only while something is going on, such as a conflict."""
BRIDGE = "bridge"
"""The place of ship, crew and clocks together, with the end of the log."""

WIDTH, HEIGHT = 30, 8
"""The smallest window that shows more than a plain line."""
AT_REST = 2
"""Lines of a tray that asks nothing: its rule, and the latest act."""
GAP = 2
"""Cells between columns."""
_ROOMY = 28
"""The height from which on a line is left blank under the bar."""
_STRIP = 18
"""The height from which on the strip is shown."""
_TALL_STRIP, _TALL_STRIP_FROM = 8, (100, 44)
"""The height of a strip that shows discs, and the width and the height from which on ship and crew have room for it."""
LOG_BESIDE = 160
"""The width from which on the log stays open beside every view, if no other is set."""
_LOG_WIDTHS = range(48, 65)
_LEAST_BESIDE = WIDTH + GAP + _LOG_WIDTHS.start
"""The least width at which a view and the log fit beside each other, whatever is set."""
_LEAST_BODY = 2
"""Lines of the body that the tray never covers."""

_LEAST_SEEN = 4
"""Lines of a view that are worth seeing above something that lies over it."""


class Rect(NamedTuple):
    """A rectangle of cells. It is hidden if it has no width or no height."""

    x: int = 0
    y: int = 0
    width: int = 0
    height: int = 0

    @property
    def bottom(self) -> int:
        """The line under the last one."""
        return self.y + self.height


class Contents(NamedTuple):
    """The parts that the window has to find room for, and the heights they need."""

    tab: str
    tray: int = AT_REST
    """The height that the tray needs now, in lines."""
    tray_at_rest: int = AT_REST
    banner: int = 0
    """The height of the banner, in lines; 0 if there is nothing to report."""
    clocks: bool = False
    """Whether there is a clock for the strip."""
    hints: int = 0
    """The height of the hint line, in lines."""
    log_beside: int = LOG_BESIDE
    """The width of a window from which on the log stands beside the view; 0 if it never does."""
    strip: int = 0
    """The height that the strip needs, in lines, if that is more than its usual one."""


class Frame(NamedTuple):
    """The rectangle of each part."""

    bar: Rect
    body: Rect
    banner: Rect
    strip: Rect
    tray: Rect
    hints: Rect
    log: Rect
    """The log beside the view. It is hidden in narrower windows, and where the log is the view."""
    covered: int
    """Lines at the foot of the body that the tray covers."""

    @property
    def most_tray(self) -> int:
        """The greatest height that the tray can have, however much it says."""
        above = self.body.y + _LEAST_BODY + self.banner.height + self.strip.height
        return max(1, self.tray.bottom - above)


def arrange(width: int, height: int, contents: Contents) -> Frame:
    """Return the rectangles for a window of that size, which is at least `WIDTH` by `HEIGHT`.

    No two of them overlap, except that the tray, the banner and the strip cover the last `covered` lines of the body.
    """
    top = 2 if height >= _ROOMY else 1
    foot = height - contents.hints
    main = main_width(width, contents.tab, contents.log_beside)
    log_width = max(0, width - main - GAP)
    strip = _strip_height(main, height, contents.tab) if contents.clocks else 0
    room = foot - top - contents.banner - _LEAST_BODY
    strip = max(strip, min(contents.strip, room - max(1, contents.tray_at_rest))) if strip else 0
    most = room - strip
    tray = max(1, min(most, max(contents.tray, contents.tray_at_rest)))
    at_rest = max(1, min(most, contents.tray_at_rest))
    body = Rect(0, top, main, foot - contents.banner - strip - at_rest - top)
    return Frame(
        Rect(0, 0, width, 1),
        body,
        Rect(0, foot - tray - strip - contents.banner, main, contents.banner),
        Rect(0, foot - tray - strip, main, strip),
        Rect(0, foot - tray, main, tray),
        Rect(0, foot, width, contents.hints),
        Rect(main + GAP, top, log_width, foot - top) if log_width else Rect(),
        tray - at_rest,
    )


def _strip_height(main: int, height: int, tab: str) -> int:
    """Return the lines of the strip in a window of that height with a view of that width: one, or as many as discs take."""
    if tab in ("ship", "crew") and main >= _TALL_STRIP_FROM[0] and height >= _TALL_STRIP_FROM[1]:
        return _TALL_STRIP
    return int(tab != "clocks" and height >= _STRIP)


def main_width(width: int, tab: str, log_beside: int = LOG_BESIDE) -> int:
    """Return the width of everything to the left of the log."""
    if not log_beside or width < max(log_beside, _LEAST_BESIDE) or tab == "log":
        return width
    return width - GAP - max(_LOG_WIDTHS.start, min(_LOG_WIDTHS.stop - 1, round(0.325 * width)))


def overlay_height(height: int, wanted: int) -> int:
    """Return the height of what lies over the foot of a window of that height, such as a form that wants so many lines.

    The bar on top stays in sight. Under it are at least `_LEAST_SEEN` lines of the view, or none.
    """
    under_bar = max(1, height - 1)
    return under_bar if wanted > under_bar - _LEAST_SEEN else wanted


def clock_columns(width: int) -> int:
    """Return how many columns of clocks a view of that width has."""
    return max(1, (width + GAP) // 40)


class PlacedLayout(Layout):
    """The layout as Textual wants it. It places widgets where `places` says for the size of the window, the later ones
    on top. They are counted from the top, because Textual draws a widget again when its number changes: a widget that
    comes in below the others doesn't change theirs.
    """

    name = "placed"

    def __init__(self, places: Callable[[Size], Mapping[Widget, Rect]]) -> None:
        self._places = places

    def arrange(self, parent: Widget, children: list[Widget], size: Size, greedy: bool = True) -> ArrangeResult:  # noqa: ARG002 - as Textual calls it
        places = self._places(size)
        return [
            WidgetPlacement(Region(*rect), NULL_OFFSET, NULL_SPACING, widget, order, fixed=True)
            for order, (widget, rect) in enumerate(places.items(), -len(places))
            if widget in children
        ]


class TooSmall(LineView[None]):
    """Says how much room is needed."""

    def __init__(self) -> None:
        super().__init__(id="small")

    def render_page(self, ink: Palette, width: int, height: int) -> Page[None]:  # noqa: ARG002 - one line is all it has
        text = f"Waylog needs {WIDTH}×{HEIGHT}. q quits" if width > 24 else f"needs {WIDTH}×{HEIGHT}"
        return Page([CellLine(width).add(text, ink.plain)])
