"""A recap to read, on top of the current view. A key copies all of it. Its Markdown is drawn as far as recaps need it: headings, lists,
quotations, tables, and strong or emphasised words.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import groupby, zip_longest
from typing import ClassVar

from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType

from waylog.signs import escape_controls
from waylog.ui.draw.cell_lines import CellLine, StyledText, cells_of, wrap_text
from waylog.ui.draw.clickable_line_view import HitArea, LineView, Page
from waylog.ui.draw.colours import Palette, ink_of
from waylog.ui.views.overlays_and_choosers import Overlay

_WHOLE = 100
"""In windows narrower than this, the recap takes the whole window."""
_WIDEST, _NARROWEST, _FRAME = 94, 64, 4
"""The cells of its frame in a wider one, as many as its lines need, and those beside them."""
_WHEEL = 3
"""Lines that a notch of the wheel scrolls."""
_FAR = 99_999
"""More lines than any recap has."""
_HINTS = (("Esc", "close", "close"), ("y", "copy", "copy"))
_SCROLL_HINTS = (("Space", "next page", "page(1)"), ("b", "back", "page(-1)"), ("↑↓", "line", ""))
"""Keys, what they do, and the action of a click there."""


class _RecapText(LineView[str], can_focus=False):
    """The text of a recap below its title, above a line of keys. A click on a key is an action."""

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        self._title, self._text = title, text
        self._news = ""
        self._lines: Sequence[CellLine] = ()
        self._drawn_for: tuple[Palette, int] | None = None

    def say(self, news: str) -> None:
        """Show a message above the keys until the text is scrolled."""
        self._news = news
        self.repaint()

    def scroll_lines(self, by: int) -> None:
        """Scroll down by so many lines, or up with a negative number."""
        self._news = ""
        self.scroll = max(0, self.scroll + by)
        self.repaint()

    def scroll_pages(self, by: int) -> None:
        """Scroll by so many pages. The last line of one page is the first of the next."""
        self.scroll_lines(by * max(1, self.page.block[1] - 1))

    def on_mouse_scroll_down(self) -> None:
        """Scroll down."""
        self.scroll_lines(_WHEEL)

    def on_mouse_scroll_up(self) -> None:
        """Scroll up."""
        self.scroll_lines(-_WHEEL)

    # -- rendering ----------------------------------------------------------------------------------------------

    def widest_line(self, most: int) -> int:
        """Return the cells of the longest line of the text, in lines of at most so many."""
        self.prepare(ink_of(self), most, 0)
        return max((line.used for line in self._lines), default=0)

    def prepare(self, ink: Palette, width: int, height: int) -> None:  # noqa: ARG002 - as `LineView` calls it
        if self._drawn_for != (ink, width):
            self._lines, self._drawn_for = draw_markdown(self._text, ink, width), (ink, width)

    def render_page(self, ink: Palette, width: int, height: int) -> Page[str]:
        news = [CellLine(width).add(part, ink.accent) for part in wrap_text(self._news, width, most=6)]
        total, room = len(self._lines), max(1, height - 2 - len(news))
        top = max(0, min(self.scroll, total - room))
        shown = [*self._lines[top : top + room], *(CellLine(width) for _ in range(room - total))]
        share = f" {(top + room) * 100 // total}%" if total > room else ""
        head = CellLine(width).add(f"{self._title} ", ink.accent, most=max(8, width - len(share)))
        head.fill("─", ink.rule, until=width - len(share)).add(share, ink.dim)
        foot, areas = _foot(ink, width, (*_HINTS, *(_SCROLL_HINTS if share else ())))
        areas = [area.shift_down(height - 1) for area in areas]
        return Page([head, *shown, *news, foot], areas, top, (total, room))


def _foot(ink: Palette, width: int, hints: Sequence[tuple[str, str, str]]) -> tuple[CellLine, Sequence[HitArea[str]]]:
    """Return the line of keys, as many as fit, and the cells where each can be clicked."""
    line, areas = CellLine(width), list[HitArea[str]]()
    for key, does, action in hints:
        start, size = line.used, len(key) + len(does) + 1
        if line.cells_left > size:
            line.add(key, ink.key).add(f" {does}  ", ink.dim)
            areas += [HitArea(start, 0, size, 1, action)] if action else []
    return line, areas


class RecapScreen(Overlay[None], inherit_bindings=False):
    """A screen with a recap. A key or a click beside the text closes it."""

    CSS_PATH = "recap.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "line(1)", "Down", id="recap.down", tooltip="Line down"),
        Binding("up,k", "line(-1)", "Up", id="recap.up", tooltip="Line up"),
        Binding("pagedown,space", "page(1)", "Page down", id="recap.pagedown", tooltip="Page down"),
        Binding("pageup,b", "page(-1)", "Page up", id="recap.pageup", tooltip="Page up"),
        Binding("home,g", f"line({-_FAR})", "Top", id="recap.home", tooltip="Top"),
        Binding("end,G", f"line({_FAR})", "Bottom", id="recap.end", tooltip="Bottom"),
        Binding("y", "copy", "Copy", id="recap.copy", tooltip="Copy the whole recap"),
        Binding("escape,q,ctrl+c", "close", "Close", id="recap.close", tooltip="Back"),
    ]

    def __init__(self, title: str, text: str, copy: Callable[[str], str]) -> None:
        """Show a recap in Markdown. `copy` copies a text and returns what to tell the person."""
        self._view = _RecapText(title, text)
        super().__init__(self._view)
        self._text, self._copy = text, copy

    def fit(self) -> None:
        is_narrow = self.app.size.width < _WHOLE
        self.set_class(is_narrow, "-narrow")
        needed = self._view.widest_line(_WIDEST - _FRAME) + _FRAME
        self._view.styles.width = "100%" if is_narrow else max(_NARROWEST, needed)

    def action_line(self, by: int) -> None:
        """Scroll by so many lines."""
        self._view.scroll_lines(by)

    def action_page(self, by: int) -> None:
        """Scroll by so many pages."""
        self._view.scroll_pages(by)

    def action_copy(self) -> None:
        """Copy the whole recap as it stands in its file."""
        self._view.say(self._copy(self._text))

    def action_close(self) -> None:
        """Close."""
        self.leave(None)

    async def on_click(self, event: events.Click) -> None:
        """A click on a key's hint does what the key does; a click beside the recap closes it."""
        if event.widget is not self._view:
            self.action_close()
        elif action := self._view.target_at(event):
            await self.run_action(action)

    def on_line_view_text_selected(self, message: LineView.TextSelected) -> None:
        """Copy what was selected with the mouse, and say so here."""
        message.stop()
        self._view.say(self._copy(message.cells_text))


_INLINE = re.compile(r"\\([!-/:-@\[-`{-~])|\*\*((?:\\.|[^\\])+?)\*\*|\*((?:\\.|[^\\*\s])(?:\\.|[^\\*])*)\*")
"""An escaped sign, strong words, or emphasised words."""
_HEADING = re.compile(r"#{1,6}\s+(.*)")
_ITEM = re.compile(r"(\s*)([-*+]|\d+[.)])\s+(.*)")
_QUOTATION = re.compile(r"\s*>\s?(.*)")
_CELL_END = re.compile(r"(?<!\\)\|")
_DIVIDER = re.compile(r"[\s|:-]+")
_NOTHING = StyledText("", Style.null())
_GAP = 2
"""Blanks between the columns of a table."""
_PIECE = 2000
"""Characters of a very long line that are wrapped at a time."""


def draw_markdown(text: str, ink: Palette, width: int) -> list[CellLine]:
    """Return a text as lines of at most `width` cells. Whatever is no Markdown is drawn as it is; nothing is left out."""
    lines = list[CellLine]()
    for in_table, group in groupby(text.splitlines(), key=lambda line: line.lstrip().startswith("|")):
        if in_table:
            lines += _draw_table([*group], ink, width)
        else:
            lines += (line for written in group for line in _draw_line(written, ink, width))
    return lines


def _draw_line(written: str, ink: Palette, width: int) -> Iterator[CellLine]:
    if found := _HEADING.fullmatch(written):
        return _wrap(_spans(found[1], ink.accent, ink.accent, ink.accent), width)
    if found := _ITEM.fullmatch(written):
        sign = "•" if found[2] in "-*+" else found[2]
        lead = StyledText(f"{_indent(found[1], width)}{sign} ", ink.dim)
        return _wrap(_spans(found[3], ink.plain, ink.strong, ink.dim), width, lead)
    if found := _QUOTATION.fullmatch(written):
        return _wrap(_spans(found[1], ink.dim, ink.strong, ink.dim), width, StyledText("│ ", ink.rule), repeat=True)
    margin = _indent(written[: len(written) - len(written.lstrip())], width)
    return _wrap(_spans(written, ink.plain, ink.strong, ink.dim), width, StyledText(margin, ink.plain))


def _indent(blanks: str, width: int) -> str:
    """Return the same indentation, so that there is always room for the text."""
    return " " * min(len(blanks.expandtabs(4)), width // 4)


def _spans(text: str, plain: Style, strong: Style, emphasis: Style) -> Iterator[StyledText]:
    """Yield the text without its markup, each part in its style."""
    end = 0
    for found in _INLINE.finditer(text):
        yield StyledText(text[end : found.start()], plain)
        sign, strong_words, words = found.groups()
        if sign:
            yield StyledText(sign, plain)
        elif strong_words:
            yield from _spans(strong_words, strong, strong, strong)
        else:
            yield from _spans(words, emphasis, strong, emphasis)
        end = found.end()
    yield StyledText(text[end:], plain)


def _wrap(
    spans: Iterable[StyledText], width: int, lead: StyledText = _NOTHING, *, repeat: bool = False
) -> Iterator[CellLine]:
    """Yield styled text in lines. The first begins with `lead`, the others with as many blanks, or with `repeat` with `lead` too."""
    safe = [StyledText(escape_controls(text), style) for text, style in spans]
    text = "".join(span.text for span in safe)
    styles = iter([style for part, style in safe for char in part if not char.isspace()])
    margin = cells_of(lead.text)
    pieces = (text[start : start + _PIECE] for start in range(0, len(text), _PIECE))
    parts = [part for piece in pieces for part in wrap_text(piece, width - margin)]
    for number, part in enumerate(parts or [""]):
        line = CellLine(width)
        if repeat or not number:
            line.add(lead.text, lead.style)
        line.to(margin)
        for span in _runs(part, styles):
            line.add(span.text, span.style)
        yield line


def _runs(part: str, styles: Iterator[Style]) -> Iterator[StyledText]:
    """Yield a wrapped line in runs of one style. `styles` has a style for each character that is not a blank."""
    run, style = "", Style.null()
    for char in part:
        before, style = style, style if char == " " else next(styles)
        if run and style != before:
            yield StyledText(run, before)
            run = ""
        run += char
    yield StyledText(run, style)


def _draw_table(written: Sequence[str], ink: Palette, width: int) -> Iterator[CellLine]:
    """Yield a table in columns, those to the right whose divider ends with a colon, `---:`; where it is too wide, a line for each row
    that names the columns: `Mara: Success 2, Fiasco 1`.
    """
    head, *rows = [_cells(line) for line in written if not _DIVIDER.fullmatch(line)] or [[]]
    to_right = [cell.endswith(":") for line in written if _DIVIDER.fullmatch(line) for cell in _cells(line)]
    columns = [max(map(cells_of, column)) + _GAP for column in zip_longest(head, *rows, fillvalue="")]
    if sum(columns) - _GAP <= width:
        for number, row in enumerate((head, *rows)):
            line, start = CellLine(width), 0
            for at, (cell, size) in enumerate(zip(row, columns, strict=False)):
                blanks = size - _GAP - cells_of(cell) if at < len(to_right) and to_right[at] else 0
                line.to(start + blanks).add(cell, ink.plain if number else ink.dim)
                start += size
            yield line
        return
    for name, *cells in rows:
        counts = ", ".join(
            f"{label} {cell}".strip() for label, cell in zip_longest(head[1:], cells, fillvalue="") if cell
        )
        yield from _wrap([StyledText(f"{name}: ", ink.strong), StyledText(counts, ink.plain)], width)


def _cells(line: str) -> list[str]:
    inner = line.strip().removeprefix("|").removesuffix("|")
    style = Style.null()
    return ["".join(span.text for span in _spans(cell.strip(), style, style, style)) for cell in _CELL_END.split(inner)]
