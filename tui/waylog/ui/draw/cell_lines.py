"""Lines of styled cells, and texts in the cells of a terminal: their width, cutting and wrapping them.

Every text in a `CellLine` passes `escape_controls` and is cut to its cells, so no caller can forget it. `head` and `foot` are the first and
the last line of what lies over the tray: a title with a note at the right end, and the keys.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import pairwise

from rich.cells import cell_len, chop_cells
from rich.segment import Segment
from rich.style import Style
from textual.color import TRANSPARENT, Color
from textual.filter import LineFilter
from textual.strip import Strip

from waylog.signs import escape_controls
from waylog.ui.draw.colours import Palette
from waylog.values import NamedTuple


def cells_of(text: str) -> int:
    """Return how many cells `text` takes."""
    return len(text) if text.isascii() else cell_len(text)


def cut(text: str, room: int, mark: str = "…") -> str:
    """Return `text` in at most `room` cells, with a mark if something is cut."""
    if room <= 0:
        return ""
    if len(text) <= room and cells_of(text) <= room:
        return text
    # A cell holds few characters, so a very long text needn't be measured to its end.
    head = text[: room * 4 + 8]
    if cells_of(head) <= room and len(head) == len(text):
        return text
    keep = room - cells_of(mark)
    if keep <= 0:
        return mark[:room]
    return chop_cells(head, keep)[0] + mark


_NO_STYLE = Style.null()
CURSOR = "▸"
"""The mark of what is under a cursor."""
_RULES = "─═"
"""What the rule of a heading is made of, which says nothing."""


class DrawnStyles(dict[Style, Style]):
    """The style in which a widget draws a text, by the text's own style. Equal ones are the same object."""

    def __init__(self, base: Style, filters: Sequence[LineFilter] = (), background: Color = TRANSPARENT) -> None:
        """`base` has the widget's own colours, which lie below everything in it. `filters` say what is made of all colours."""
        super().__init__()
        self._base, self._filters, self._background = base, filters, background
        self._alike = dict[Style, Style]()

    def __missing__(self, style: Style) -> Style:
        segments = [Segment("", self._base + style)]
        for each in self._filters:
            segments = each.apply(segments, self._background)
        full = segments[0].style or _NO_STYLE
        self[style] = full = self._alike.setdefault(full, full)
        return full


@lru_cache(64)
def drawn_styles(base: Style, filters: tuple[LineFilter, ...], background: Color) -> DrawnStyles:
    """Return the styles of every widget with these colours."""
    return DrawnStyles(base, filters, background)


class StyledText(NamedTuple):
    """A text in one style."""

    text: str
    style: Style


class CellLine:
    """A line of a widget, filled from the left and never wider than `width` cells."""

    def __init__(self, width: int) -> None:
        self.width = max(0, width)
        self.used = 0
        self._spans: list[StyledText] = []

    @property
    def cells_left(self) -> int:
        """The number of free cells."""
        return self.width - self.used

    def add(self, text: str, style: Style, most: int | None = None) -> CellLine:
        """Add a text. It is cut with `…` if it doesn't fit into the line, or into `most` cells."""
        room = self.width - self.used
        if most is not None and most < room:
            room = most
        # Nearly every text is such a one, and needs neither cutting nor measuring.
        if len(text) <= room and text.isascii() and text.isprintable():
            self._spans.append(StyledText(text, style))
            self.used += len(text)
            return self
        fitting = cut(escape_controls(text), room)
        self._spans.append(StyledText(fitting, style))
        self.used += cells_of(fitting)
        return self

    def to(self, column: int, style: Style | None = None) -> CellLine:
        """Continue at `column`, with blanks up to there. A line that is already longer stays as it is."""
        gap = min(column, self.width) - self.used
        if gap > 0:
            self._spans.append(StyledText(" " * gap, style or _NO_STYLE))
            self.used += gap
        return self

    def right(self, text: str, style: Style, margin: int = 0) -> CellLine:
        """Add a text at the right end, if all of it fits."""
        text = escape_controls(text)
        size = cells_of(text) + margin
        return self.to(self.width - size).add(text, style) if self.cells_left > size else self

    def with_end(self, text: str, style: Style, *others: str) -> CellLine:
        """Return the line with a text at its right end: the first of the texts beside which nothing is cut, or else the last of them.
        Room for it is made in the rule of a heading, then at the end of the line.
        """
        shorter = [*others]
        while True:
            room = max(0, self.width - cells_of(escape_controls(text)) - 1)
            spans = self._with_short_rule(self.used - room)
            if not shorter or sum(cells_of(span.text) for span in spans) - _blanks_at_end(spans) <= room:
                break
            text = shorter.pop(0)
        line, kept = CellLine(self.width), CellLine(room)
        for piece, piece_style in spans:
            if piece.isspace():  # of which nothing is missed
                kept.to(kept.used + len(piece), piece_style)
            else:
                kept.add(piece, piece_style)
        line._spans, line.used = list(kept.spans), kept.used
        return line.to(self.width - cells_of(escape_controls(text))).add(text, style)

    def part(self, start: int, stop: int) -> CellLine:
        """Return the cells from `start` up to `stop` as a line of their own."""
        line = CellLine(stop - start)
        for text, style, _ in Strip([Segment(*span) for span in self._spans], self.used).crop(start, stop):
            line.add(text, style or _NO_STYLE)
        return line

    def _with_short_rule(self, by: int) -> Sequence[StyledText]:
        """Return the spans with a rule that is so many cells shorter, as far as it can be: the one of the last column, if it has any."""
        spans, by = self._spans, by - _blanks_at_end(self._spans)
        while spans and spans[-1].text.isspace():
            spans = spans[:-1]
        for index in range(len(spans) - 1, -1, -1):
            text = spans[index].text
            if text.isspace():  # what is left of it is in another column
                break
            if by > 0 and text and not text.strip(_RULES):
                return [*spans[:index], spans[index]._replace(text=text[: max(0, len(text) - by)]), *spans[index + 1 :]]
        return self._spans

    def fill(self, glyph: str, style: Style, until: int | None = None) -> CellLine:
        """Repeat a narrow glyph up to a column, or to the end."""
        gap = (self.width if until is None else min(until, self.width)) - self.used
        if gap > 0:
            self._spans.append(StyledText(glyph * gap, style))
            self.used += gap
        return self

    def join(self, other: CellLine) -> CellLine:
        """Add another line's spans, as far as they fit."""
        if other.used <= self.cells_left:
            self._spans += other.spans
            self.used += other.used
            return self
        for text, style in other.spans:
            self.add(text, style)
        return self

    @property
    def spans(self) -> Sequence[StyledText]:
        return self._spans

    @property
    def text(self) -> str:
        """The text of the line without styles."""
        return "".join(span.text for span in self._spans)

    def strip(self, drawn: Mapping[Style, Style]) -> Strip:
        """Return the line over the whole width, in the styles in which each of its own is `drawn`.

        Each change of style is some forty bytes on the wire, so blanks keep the style before them where it makes no
        visible difference.
        """
        segments: list[Segment] = []
        text, style = "", drawn[_NO_STYLE]
        for piece, piece_style in (*self._spans, StyledText(" " * self.cells_left, _NO_STYLE)):
            full = drawn[piece_style]
            if not piece or full is style or _blank_alike(piece, full, style):
                text += piece
                continue
            if text:
                segments.append(Segment(text, style))
            text, style = piece, full
        return Strip([*segments, Segment(text, style)] if text else segments, self.width)

    def mark_words(self, words: Sequence[str], style: Style) -> CellLine:
        """Return the same line with some folded words in another style, wherever they stand in it."""
        from waylog.rules.language.similar_names import find_words

        places = find_words(self.text, words)
        if not places:
            return self
        line, at = CellLine(self.width), 0
        line.used = self.used
        for text, piece_style in self._spans:
            end = at + len(text)
            cuts = {at, end, *(edge for place in places for edge in (place.start, place.stop) if at < edge < end)}
            for start, stop in pairwise(sorted(cuts)):
                is_found = any(start in place for place in places)
                line._spans.append(
                    StyledText(text[start - at : stop - at], piece_style + style if is_found else piece_style)
                )
            at = end
        return line

    def without_bar(self, bar: Style, faint: Style) -> CellLine:
        """Return the line without the bar of a cursor, and with its mark in a faint style; the same line if it has neither."""
        back = bar.bgcolor
        has_mark = any(text.strip() == CURSOR for text, _ in self._spans)
        if not (has_mark or (back and any(style.bgcolor == back for _, style in self._spans))):
            return self
        line = CellLine(self.width)
        for text, style in self._spans:
            flat = _without_background(style) if style.bgcolor == back else style
            line.add(text, faint if text.strip() == CURSOR else flat)
        return line

    def over(self, style: Style) -> CellLine:
        """Return the line with all of it in one style, as under a cursor."""
        line = CellLine(self.width)
        line._spans = [StyledText(text, piece_style + style) for text, piece_style in self._spans]
        line.used = self.used
        return line.fill(" ", style)


def _blanks_at_end(spans: Sequence[StyledText]) -> int:
    """Return how many cells of blanks stand at the end of a line."""
    text = "".join(span.text for span in spans)
    return len(text) - len(text.rstrip(" "))


@lru_cache(256)
def _without_background(style: Style) -> Style:
    return Style(color=style.color, bold=style.bold, dim=style.dim, underline=style.underline, strike=style.strike)


def _blank_alike(text: str, style: Style, other: Style) -> bool:
    """Whether the text looks the same in either style."""
    return (
        text.isspace()
        and not (other.strike or other.underline)
        and style.bgcolor == other.bgcolor
        and bool(style.reverse) == bool(other.reverse)
    )


_LONGEST = 4000


def wrap_text(text: str, width: int, most: int | None = None) -> list[str]:
    """Wrap a text, at blanks if possible. With more than `most` lines, the last ends with `…`."""
    lines, line, room = list[str](), "", max(1, width)
    for word in escape_controls(text[:_LONGEST]).split():
        while cells_of(word) > room:
            if line:
                lines.append(line)
                line = ""
            head = cut(word, room, mark="") or word[0]
            lines.append(head)
            word = word[len(head) :]
        if not word:
            continue
        joined = f"{line} {word}" if line else word
        if cells_of(joined) > room:
            lines.append(line)
            joined = word
        line = joined
    lines = [*lines, line] if line else lines
    if most is None or len(lines) <= most:
        return lines
    return [*lines[: most - 1], cut(" ".join(lines[most - 1 : most + 1]), room)]


def fold(line: CellLine, width: int) -> list[CellLine]:
    """Return a line in as many lines of that width as it takes, broken at blanks if possible. No character of it is left out."""
    rest = [(char, span.style) for span in line.spans for char in span.text]
    lines = [CellLine(width)]
    while rest:
        end = used = 0
        while end < len(rest) and used + cells_of(rest[end][0]) <= max(1, width):
            used += cells_of(rest[end][0])
            end += 1
        if end < len(rest):
            end = next((at for at in range(end, 0, -1) if rest[at - 1][0] == " "), end) or 1
        for char, style in rest[:end]:
            lines[-1].add(char, style)
        rest = rest[end:]
        lines += [CellLine(width)] if rest else []
    return lines


def head(title: str, ink: Palette, width: int, note: str = "") -> CellLine:
    """Return the title in full, with the note at the right end if all of it fits."""
    line = CellLine(width).add("─ ", ink.rule).add(title, ink.accent).add(" ", ink.rule)
    if note and line.cells_left > cells_of(note) + 3:
        line.fill("─", ink.rule, until=width - cells_of(note) - 3).add(f" {note} ", ink.strong)
    return line.fill("─", ink.rule)


def heads(title: str, ink: Palette, width: int, note: str = "", *, most: int | None = None) -> list[CellLine]:
    """Return the title in as many lines as it needs, at most so many. The note is there if the title takes one line."""
    first, *rest = wrap_text(title, width - 4, most) or [""]
    if not rest:
        return [head(title, ink, width, note)]
    lines = [CellLine(width).add("─ ", ink.rule).add(first, ink.accent)]
    lines += [CellLine(width).to(2).add(part, ink.accent) for part in rest]
    lines[-1].add(" ", ink.rule).fill("─", ink.rule)
    return lines


def has_room(title: str, width: int, note: str) -> bool:
    """Whether the whole note fits behind the title."""
    return width - cells_of(title) - 3 > cells_of(note) + 3


def foot(keys: Sequence[tuple[str, str]], ink: Palette, width: int) -> CellLine:
    """Return the keys and what each of them does. The last one, which leaves, is always there; of the others, those that fit. The first,
    the chief one, has only its first word where that makes it fit.
    """
    last = cells_of(" ".join(keys[-1])) if keys else 0
    line = CellLine(width).to(1)
    for number, (key, does) in enumerate(keys):
        gap = 2 if line.used > 1 else 0
        after = gap + 2 + last if number < len(keys) - 1 else gap
        for words in (does, does.partition(" ")[0].rstrip(":"))[: 1 if number else 2]:
            if line.used + cells_of(f"{key} {words}") + after <= width:
                line.to(line.used + gap).add(key, ink.key).add(f" {words}", ink.dim)
                break
    return line
