"""Markdown, drawn as far as recaps need it: headings, lists, quotations, tables, and strong or emphasised words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, zip_longest

from rich.style import Style

from waylog.signs import escape_controls
from waylog.ui.draw.cell_lines import CellLine, StyledText, cells_of, wrap_text
from waylog.ui.draw.colours import Palette

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
