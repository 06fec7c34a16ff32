"""The players' view in lines: ship and crew, the clocks and cards that they know, and what was done.

Markdown, drawn as far as recaps need it: headings, lists, quotations, tables, and strong or emphasised words.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, zip_longest

from rich.style import Style

from waylog.rules.model.clocks import Clock, ClockKind
from waylog.rules.what_players_know import VisibleClock, VisibleDeck
from waylog.signs import escape_controls
from waylog.store.shown.players_file import Projection
from waylog.ui.draw import clock_face
from waylog.ui.draw.acts import act_lines
from waylog.ui.draw.cell_lines import CellLine, StyledText, cells_of, wrap_text
from waylog.ui.draw.clock_face import FaceSize
from waylog.ui.draw.layout import GAP, clock_columns
from waylog.ui.draw.palette import Palette
from waylog.ui.draw.panels import layout_panels, without_repeats

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
    """Yield a table in columns; where it is too wide, a line for each row that names the columns: `Mara: Success 2, Fiasco 1`."""
    head, *rows = [_cells(line) for line in written if not _DIVIDER.fullmatch(line)] or [[]]
    columns = [max(map(cells_of, column)) + _GAP for column in zip_longest(head, *rows, fillvalue="")]
    if sum(columns) - _GAP <= width:
        for number, row in enumerate((head, *rows)):
            line, start = CellLine(width), 0
            for cell, size in zip(row, columns, strict=False):
                line.to(start).add(cell, ink.plain if number else ink.dim)
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


_UNSEEN = "?"
_LEAST_WORDS = 20
"""The width that the words beside a disc need."""


def title(seen: Projection, ink: Palette, width: int, *, help_key: bool = True) -> CellLine:
    """Draw the campaign's name, its game, and the current session; with `help_key`, the key that shows the others."""
    line = CellLine(width).add(f" {seen.name or '(no name)'}", ink.strong).add(f" · {seen.system}", ink.dim)
    if seen.session:
        line.add(f" · session {seen.session}", ink.dim).add(f" “{seen.title}”" if seen.title else "", ink.dim)
    return line.right(" ? help ", ink.dim) if help_key else line


def sheet(seen: Projection, ink: Palette, width: int, height: int) -> list[CellLine]:
    """Return the lines of the players' sheet: ship and crew, and the cards below them.

    Ship and crew get the most generous layout that leaves room for the cards in `height` lines. If none does, all of it
    takes more lines, and nothing is cut.
    """
    cards = [line for deck in seen.decks for line in (CellLine(width), *_deck(deck, ink, width))]
    layout = layout_panels([*without_repeats(seen.panels)], ink, width, max(1, height - len(cards)), scrolls=True)
    return [*(layout.line(y, None, ink) for y in range(len(layout.lines))), *cards]


def clocks(seen: Projection, ink: Palette, width: int, height: int = 0) -> list[CellLine]:
    """Draw every clock that players know of, as discs if they fit into `height` lines; nothing if there is none."""
    if not seen.clocks:
        return []
    head = CellLine(width).to(2).add("Clocks ", ink.accent).fill("─", ink.rule, until=width - 2)
    columns = clock_columns(width)
    each = (width - GAP * columns) // columns
    rows = -(-len(seen.clocks) // columns)
    for size in (clock_face.MEDIUM, clock_face.SMALL):
        room = each - size.width - GAP
        words = [_words(clock, ink, room) for clock in seen.clocks]
        # Nothing is cut in a window without a cursor.
        if room >= _LEAST_WORDS and max(map(len, words)) <= size.height and 1 + rows * (size.height + 1) <= height:
            discs = [_disc(clock, about, ink, each, size) for clock, about in zip(seen.clocks, words, strict=True)]
            return [head, *_in_columns(discs, columns, width)]
    return [head, *(line for clock in seen.clocks for line in _clock(clock, ink, width))]


def _in_columns(blocks: Sequence[Sequence[CellLine]], columns: int, width: int) -> Iterator[CellLine]:
    """Put blocks of equal height side by side, with a blank line between rows of them."""
    each = (width - GAP * columns) // columns + GAP
    for start in range(0, len(blocks), columns):
        if start:
            yield CellLine(width)
        for parts in zip(*blocks[start : start + columns], strict=True):
            line = CellLine(width)
            for number, part in enumerate(parts):
                line.to(GAP + number * each).join(part)
            yield line


def _disc(clock: VisibleClock, words: Sequence[CellLine], ink: Palette, width: int, size: FaceSize) -> list[CellLine]:
    """Draw a clock as a disc with words beside it. If players may not see its count, the disc is an empty outline."""
    face = clock_face.draw_face(clock.segments, clock.filled, ink, size)
    lines = [CellLine(width).join(part).to(size.width + GAP) for part in face]
    return [line.join(words[y]) if y < len(words) else line for y, line in enumerate(lines)]


def _words(clock: VisibleClock, ink: Palette, width: int) -> list[CellLine]:
    """Return the words beside the disc of a clock."""
    count = f"{_UNSEEN if clock.filled is None else clock.filled}/{clock.segments}"
    state = CellLine(width).add(count, ink.strong)
    if clock.full:
        wanted = clock.kind is ClockKind.PUSH
        state.add("  ✓ full" if wanted else "  ✗ full", ink.held if wanted else ink.bad)
    words = [CellLine(width).add(part, ink.strong) for part in wrap_text(clock.name or "(no name)", width)]
    words.append(state.add(f"  {clock.kind.value}", ink.dim))
    effect = "" if clock.full else clock_face.WHILE_IT_RUNS[clock.running]
    for text, style in ((clock.outcome, ink.plain), (effect, ink.warn)):
        words += [CellLine(width).add(part, style) for part in wrap_text(text, width)]
    return words


def _clock(clock: VisibleClock, ink: Palette, width: int) -> Iterator[CellLine]:
    line = CellLine(width).to(2)
    if clock.filled is None:
        line.add(_UNSEEN * sum(clock_face.bar_lengths(Clock(segments=clock.segments))), ink.empty).add(
            f" {_UNSEEN}/{clock.segments}", ink.strong
        )
    else:
        clock_face.inline(Clock(segments=clock.segments, filled=clock.filled), ink, line)
    # A push clock counts towards what the crew wants.
    wanted = clock.kind is ClockKind.PUSH
    full = ("  ✓ full" if wanted else "  ✗ full") if clock.full else ""
    begins = line.add("  ", ink.plain).used
    parts = wrap_text(clock.name, width - begins) or ["(no name)"]
    for part in parts[:-1]:
        yield line.add(part, ink.strong)
        line = CellLine(width).to(begins)
    line.add(parts[-1], ink.strong)
    for words, style in ((full, ink.held if wanted else ink.bad), (f"  {clock.kind.value}", ink.dim)):
        if cells_of(words) > line.cells_left:
            yield line
            line = CellLine(width).to(begins - 2)
        line.add(words, style)
    yield line
    for text, style in (
        (clock.outcome and f"→ {clock.outcome}", ink.plain),
        ("" if clock.full else clock_face.WHILE_IT_RUNS[clock.running], ink.warn),
    ):
        for part in wrap_text(text, width - 6):
            yield CellLine(width).to(4).add(part, style)


def _deck(deck: VisibleDeck, ink: Palette, width: int) -> Iterator[CellLine]:
    yield CellLine(width).to(2).add(f"{deck.name} ", ink.accent).fill("─", ink.rule, until=width - 2)
    for card in deck.cards:
        line = CellLine(width).to(2).add("✗ " if card.out else "· ", ink.dim)
        line.add(card.text, ink.dim if card.out else ink.plain, most=max(8, width - 20))
        yield line.add(f"  {card.luck.value}" + (", out" if card.out else ""), ink.dim)


def acts(seen: Projection, ink: Palette, width: int) -> list[CellLine]:
    """Draw what was done, the newest last."""
    lines = [line for act in seen.log for line in act_lines(act.at, act.facts, ink, width)]
    return lines or [CellLine(width).to(2).add("Nothing has been played yet.", ink.dim)]
