"""A row of a panel: in a few cells, in one line that is cut, or with all of its texts in full."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest
from typing import assert_never

from waylog.rules.model.clocks_situations_and_timers import Clock
from waylog.rules.model.panels import ClockRow, DiceRow, FacesRow, MarkRow, PipsRow, Row, TextRow, Tone
from waylog.ui.draw import clock_face
from waylog.ui.draw.cell_lines import CellLine, cells_of, wrap_text
from waylog.ui.draw.clock_face import FaceSize
from waylog.ui.draw.colours import Palette
from waylog.ui.draw.dice import HIDDEN, chips, figures
from waylog.values import NamedTuple, replace

EMPTY, LOST = "empty", "lost"
"""The states of a place for something that isn't there, and of something that is."""
TONE_SIGNS = {Tone.PLAIN: "", Tone.GOOD: "✓ ", Tone.WARN: "! ", Tone.BAD: "✗ ", Tone.DIM: ""}
_MOST_PIPS = 12
_LEAST_TEXT = 24
"""Cells that a text needs in the column of values."""
_SHORT_VALUE = 16
"""Cells of a text that is a value, such as `the wayfinder`, and stands behind its name also in a title."""
_LEAST_BESIDE = 12
"""Cells that a text needs beside its own name. With fewer it stands under it, as it does where that takes fewer lines."""


class DrawnRow(NamedTuple):
    """The lines of a row."""

    lines: list[CellLine]
    head: int = 0
    """The line with its label."""


def draw_row(row: Row, ink: Palette, width: int, label: int, *, full: bool, large: bool) -> DrawnRow:
    """Draw a row at that width, with `label` cells for its label. With `full`, nothing is cut. `large` is for dice."""
    if isinstance(row, ClockRow):
        # Its name stands behind a bar, and not in the column of labels.
        return DrawnRow(draw_clock(row, ink, width, None, full=full))
    named = wrap_text(row.label, label) if full and cells_of(row.label) > label else [row.label]
    if isinstance(row, TextRow):
        return DrawnRow(_text(row, named, ink, width, label, full=full))
    if isinstance(row, FacesRow) and len(named) > 1 and not large:
        # Dice in the middle of a long name would part its words.
        above = [CellLine(width).to(2).add(part, ink.strong) for part in wrap_text(row.label, width - 4)]
        return DrawnRow([*above, *_faces(replace(row, label=""), ink, width, 0, full=full, large=large)])
    made = _draw_marks(replace(row, label=named[0]), ink, width, label, full=full, large=large)
    under = [CellLine(width).to(2).add(part, ink.strong) for part in named[1:]]
    # The rest of a long name; below the dice if they are large.
    at = 2 * made.head + 1
    return DrawnRow([*made.lines[:at], *under, *made.lines[at:]], made.head)


def _draw_marks(
    row: DiceRow | PipsRow | MarkRow | FacesRow,
    ink: Palette,
    width: int,
    label: int,
    *,
    full: bool,
    large: bool,
) -> DrawnRow:
    match row:
        case DiceRow():
            return _dice(row, ink, width, label, full=full, large=large)
        case PipsRow():
            return DrawnRow(_with_note(_pips(row, ink, _head(row.label, ink, width, label)), row, ink, full=full))
        case MarkRow():
            return DrawnRow(_with_note(_mark(row, ink, width, label), row, ink, full=full))
        case FacesRow():
            return DrawnRow(_faces(row, ink, width, label, full=full, large=large))
        case _:
            assert_never(row)


def _text(row: TextRow, named: Sequence[str], ink: Palette, width: int, label: int, *, full: bool) -> list[CellLine]:
    """Draw a label and a text, each in its column."""
    text = _sign_and_text(row)
    room = width - label - 4
    if len(named) == 1 and room < min(_LEAST_TEXT, cells_of(text)):
        # Long names of other rows leave a text too little room: it begins behind its own name.
        label = cells_of(row.label)
    parts = wrap_text(text, width - label - 4)
    below = wrap_text(text, width - 4) if full and width - label - 4 < min(_LEAST_TEXT, cells_of(text)) else []
    if below and (width - label - 4 < min(_LEAST_BESIDE, cells_of(text)) or len(named) + len(below) < len(parts)):
        under = [CellLine(width).to(4).add(part, ink.tones[row.tone]) for part in below]
        return [*(_head(name, ink, width, width - 4) for name in named), *under]
    if not full:
        parts = [" ".join(parts)]
    beside = zip_longest(named, parts, fillvalue="")
    return [_head(name, ink, width, label).add(part, ink.tones[row.tone]) for name, part in beside]


def _sign_and_text(row: TextRow) -> str:
    """Return the text of a row with its sign: whether it is secret, or how well it stands."""
    return (f"{HIDDEN} " if row.secret else TONE_SIGNS[row.tone]) + row.text


def _mark(row: MarkRow, ink: Palette, width: int, label: int) -> CellLine:
    """Draw `✓ there`, `✗ gone`, or `·` for an empty place."""
    if row.state == EMPTY:
        return (
            CellLine(width).add("· ", ink.dim).add(row.label, ink.dim, most=label).to(label + 4).add(row.state, ink.dim)
        )
    line = CellLine(width).add("✓ " if row.held else "✗ ", ink.held if row.held else ink.lost)
    line.add(row.label, ink.strong if row.held else ink.plain, most=label).to(label + 4)
    # A sign is enough to say that all is well.
    return line if row.held else line.add(row.state, ink.lost)


def _head(name: str, ink: Palette, width: int, label: int) -> CellLine:
    # Rows without any names begin where names would.
    return CellLine(width).to(2).add(name, ink.strong, most=label).to(label + 4 if label else 2)


def _with_note(line: CellLine, row: Row, ink: Palette, *, full: bool, gap: int = 2) -> list[CellLine]:
    """Draw the row with its note and its description: behind it, `gap` cells away, if that fits or must be; otherwise
    on lines of their own.

    In a row that is not in full, the description is there only if all of it fits.
    """
    notes = " · ".join(filter(None, (row.note, row.about)))
    gap = 0 if isinstance(row, MarkRow) and row.held and row.label else gap
    fits = gap + cells_of(notes) <= line.cells_left
    if notes and full and not fits:
        beside = bool(row.note and row.about and gap + cells_of(row.note) <= line.cells_left)
        line.to(line.used + gap).add(row.note if beside else "", ink.dim)
        return [line, *_under(row.about if beside else notes, ink, line.width)]
    text = notes if fits or full else row.note
    return [line.to(line.used + gap).add(text, ink.dim) if text else line]


def _under(note: str, ink: Palette, width: int) -> list[CellLine]:
    return [CellLine(width).to(4).add(part, ink.dim) for part in wrap_text(note, width - 4)]


def _pips(row: PipsRow, ink: Palette, line: CellLine) -> CellLine:
    if max(row.value, row.top) <= _MOST_PIPS and line.cells_left >= 2 * max(row.value, row.top) + 6:
        line.add("● " * min(row.value, row.top), ink.held).add("✦ " * max(0, row.value - row.top), ink.key)
        line.add("○ " * max(0, row.top - max(0, row.value)), ink.dim).add(" ", ink.plain)
    return line.add(f"{row.value}", ink.strong).add(f"/{row.top}", ink.dim)


def _dice(row: DiceRow, ink: Palette, width: int, label: int, *, full: bool, large: bool) -> DrawnRow:
    words = f"{row.count} {'die' if row.count == 1 else 'dice'}"
    # Without dice there is nothing to draw large.
    fits = row.count > 0 and row.count * 6 + cells_of(words) + 2 <= width - label - 4
    line = _head(row.label, ink, width, label)
    if large and fits:
        top = CellLine(width).to(label + 4).add("╭───╮ " * row.count, ink.held)
        middle = line.add("│ ◆ │ " * row.count, ink.held).add(f" {words}", ink.dim)
        under = CellLine(width).to(label + 4).add("╰───╯ " * row.count, ink.held)
        notes = " · ".join(filter(None, (row.note, row.about)))
        return DrawnRow([top, middle, under, *_under(notes, ink, width)], head=1)
    if 0 < row.count <= _MOST_PIPS and line.cells_left >= 2 * row.count + cells_of(words) + 2:
        line.add("◆ " * row.count, ink.held).add(" ", ink.plain)
    return DrawnRow(_with_note(line.add(words, ink.dim), row, ink, full=full))


def _faces(row: FacesRow, ink: Palette, width: int, label: int, *, full: bool, large: bool) -> list[CellLine]:
    """Draw dice that lie open, all of them whatever the room, with their notes above or behind them."""
    if not large or not row.dice:
        lines = figures(row.dice, ink, _head(row.label, ink, width, label), label + 4)
        if not row.dice:
            lines[-1].add("no dice ", ink.dim)
        return [*lines[:-1], *_with_note(lines[-1], row, ink, full=full, gap=1)]
    head = _head(row.label, ink, width, min(cells_of(row.label), width - 8))
    return [*_with_note(head, row, ink, full=full, gap=0), *chips(row.dice, ink, width, 4)]


# -- short ways ----------------------------------------------------------------------------------------------------------

_FEW_PIPS = 6
"""The number of pips that can be counted at a glance, so that they need no figures."""


def draw_short(row: Row, ink: Palette, width: int) -> CellLine:
    """Draw a row in as few cells as it needs, at most `width`. Its note is there, its description is not."""
    line = CellLine(width)
    match row:
        case DiceRow(_, label, count):
            line.to(2).add(f"{label} ", ink.strong)
            if 0 < count <= _FEW_PIPS:
                line.add("◆ " * count, ink.held)
            line.add(f"{count}", ink.dim)
        case PipsRow(_, label, value, top):
            line.to(2).add(f"{label} ", ink.strong)
            if max(value, top) <= _FEW_PIPS:
                line.add(" ".join("●" * min(value, top)), ink.held).add(" ✦" * max(0, value - top), ink.key)
                line.add((" " if 0 < value < top else "") + " ".join("○" * (top - max(0, value))), ink.dim)
            else:
                line.add(f"{value}", ink.strong).add(f"/{top}", ink.dim)
        case MarkRow(_, label, is_held, state):
            sign, style = ("· ", ink.dim) if state == EMPTY else ("✓ ", ink.held) if is_held else ("✗ ", ink.lost)
            line.add(sign, style).add(label, ink.dim if state == EMPTY else ink.strong if is_held else ink.plain)
            # The sign says that it is lost. Any other state takes a word.
            line.add("" if is_held or state == LOST else f" {state}", style)
        case TextRow(_, label, _, tone):
            line.to(2).add(f"{label} " if label else "", ink.strong).add(_sign_and_text(row), ink.tones[tone])
        case FacesRow(_, label, dice):
            return figures(dice, ink, line.to(2).add(f"{label} ", ink.strong), 4)[0]
        case ClockRow():
            return draw_clock(row, ink, width, None, full=False)[0]
        case _:
            assert_never(row)
    return line.add(f" {row.note}" if row.note else "", ink.dim)


def draw_under(row: Row, ink: Palette, width: int, *, named: bool = False) -> list[CellLine]:
    """Draw what `draw_short` leaves out of a row, to stand under it; with its name, if that doesn't stand right above."""
    return _under(f"{row.label}: {row.about}" if named else row.about, ink, width) if row.about else []


def name_value(row: Row) -> str:
    """Return the name of a row with a value of a few cells: `Stores 3/6`."""
    match row:
        case DiceRow(label=label, count=count):
            return f"{label} {count}"
        case PipsRow(label=label, value=value, top=top):
            return f"{label} {value}/{top}"
        case TextRow(label=label, text=text) if not row.secret and cells_of(text) <= _SHORT_VALUE:
            return f"{label} {text}"
        case _:
            return row.label


def row_text(row: Row) -> str:
    """Return what a row says, as a sentence to copy: `Focus: 1/3`."""
    match row:
        case DiceRow(count=count):
            value_text = f"{count} {'die' if count == 1 else 'dice'}"
        case PipsRow(value=value, top=top):
            value_text = f"{value}/{top}"
        case MarkRow(state=state):
            value_text = state
        case TextRow(text=text):
            value_text = text
        case FacesRow(dice=dice):
            value_text = " ".join(str(die.face) for die in dice) or "no dice"
        case ClockRow(clock=clock):
            return clock_text(clock)
        case _:
            assert_never(row)
    head = ": ".join(filter(None, (row.label, value_text)))
    return " · ".join(filter(None, (head, row.note, row.about)))


def clock_text(clock: Clock) -> str:
    """Return what a clock says, to copy: `Ion storm: 3/6, catastrophe`, and its ending below."""
    state = "closed" if clock.closed else "full" if clock.full else clock.kind.value
    return "\n".join(filter(None, (f"{clock.name}: {clock.filled}/{clock.segments}, {state}", clock.outcome)))


# -- clocks --------------------------------------------------------------------------------------------------------------

_BESIDE = 2
"""Cells between a face and the words beside it."""


def draw_clock(row: ClockRow, ink: Palette, width: int, size: FaceSize | None, *, full: bool) -> list[CellLine]:
    """Draw a clock as a face with words beside it; or, without a size, as a bar in one line; if `full`, with its kind, the
    rest of its name and its ending below.
    """
    clock = row.clock
    name = f"{row.label} {HIDDEN}" if not clock.seen else row.label
    count = f"{clock.filled}/{clock.segments}"
    style = ink.accent if row.moved else ink.strong
    if size is None:
        line = clock_face.draw_bar(clock, ink, CellLine(width).to(2)).add(f" {count} ", style)
        if not full:
            return [line.add(name, style)]
        first, *rest = wrap_text(name, max(1, line.cells_left)) or [""]
        below = [(part, style) for part in wrap_text(" ".join(rest), width - 4)]
        below += [(part, ink.plain) for part in wrap_text(clock.outcome, width - 4)]
        return [
            add_state(line.add(first, style), clock, ink) if not rest else line.add(first, style),
            *(CellLine(width).to(4).add(part, how) for part, how in below),
        ]
    room = width - size.width - 2 - _BESIDE
    state = _clock_state(clock)
    words = [CellLine(room).add(part, style) for part in wrap_text(name, room, 2)]
    is_beside = cells_of(f"{count}  {state}") <= room
    words.append(CellLine(room).add(count, style).add(f"  {state}" if is_beside else "", ink.dim))
    words += [] if is_beside else [CellLine(room).add(state, ink.dim)]
    words += [CellLine(room).add(part, ink.plain) for part in wrap_text(clock.outcome, room)]
    if not full:
        words = cut_lines(words, size.height, ink)
    face = clock_face.draw_face(clock.segments, clock.filled, ink, size)
    beside = zip_longest(face, words)
    return [
        CellLine(width).to(2).join(left or CellLine(0)).to(2 + size.width + _BESIDE).join(right or CellLine(0))
        for left, right in beside
    ]


def add_state(line: CellLine, clock: Clock, ink: Palette) -> CellLine:
    """Return the line of a clock with its kind added, or that it is full, if all of that fits."""
    state = f"  {_clock_state(clock)}"
    return line.add(state if cells_of(state) <= line.cells_left else "", ink.dim)


def _clock_state(clock: Clock) -> str:
    return f"{clock_face.full_sign(clock)} full" if clock.full else clock.kind.value


def cut_lines(lines: list[CellLine], most: int, ink: Palette) -> list[CellLine]:
    """Return at most so many lines. The last one has a mark if any are left out."""
    if len(lines) <= most:
        return lines
    last = lines[most - 1]
    # A line that is full gets the mark by being cut.
    marked = last.add(" …"[-last.cells_left :], ink.dim) if last.cells_left else last.with_end("", ink.dim)
    return [*lines[: most - 1], marked]
