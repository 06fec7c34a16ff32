"""Rolled dice: faces of three lines if there is room, otherwise figures in brackets.

Cards and table entries that came up, in frames, and the signs that tell good news from bad without colour.

Dice that lie open, as chips with their figures if there is room, otherwise as figures in brackets.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby

from rich.style import Style

from waylog.rules.codec.changes import parse_path
from waylog.rules.model.decks import CardKind, Decks
from waylog.rules.model.dice import Face
from waylog.rules.model.facts import NoteFact, OutcomeGrade
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.ui.draw.cell_lines import CellLine, cells_of, wrap_text
from waylog.ui.draw.colours import Palette
from waylog.values import NamedTuple, replace
from waylog.words.sentences import BOXED_DICE, die_text, whole_cards

HIDDEN = "⊘"
"""The sign of what is hidden from players."""
SEEN = "◉"
"""The sign of what players see."""
SIGNS: Mapping[CardKind, str] = {CardKind.GOOD: "✓", CardKind.NEUTRAL: "•", CardKind.BAD: "✗"}
LEAST = 3
"""The least height of a frame."""
_NARROWEST, _WIDEST, _GAP = 18, 56, 2


def style_of(luck: CardKind, ink: Palette) -> Style:
    """Return the style of good or bad news: that of a good or bad outcome."""
    return {
        CardKind.GOOD: ink.moods[OutcomeGrade.SUCCESS],
        CardKind.NEUTRAL: ink.strong,
        CardKind.BAD: ink.moods[OutcomeGrade.FIASCO],
    }[luck]


def mention_words(mentions: Sequence[str]) -> str:
    """Return the mark of a text that mentions lines or veils of the table; empty if it mentions none."""
    return f"! {', '.join(mentions)}" if mentions else ""


class RevealedItem(NamedTuple):
    """A card that was drawn, or an entry that was rolled or picked."""

    note: NoteFact
    """The fact that says so."""
    source: str
    """The deck, or the table with the number that was rolled."""
    text: str
    luck: CardKind | None = None


def came_up(act: Sequence[LogEntry], decks: Decks) -> tuple[RevealedItem, ...]:
    """Return the cards and entries of the latest entry of an act that drew or rolled any."""
    for entry in reversed(act):
        ups = [
            _up(fact, fact.quote, decks)
            for fact in entry.facts
            if isinstance(fact, NoteFact) and fact.quote is not None
        ]
        if found := tuple(up for up in ups if up):
            return found
    return ()


def _up(note: NoteFact, quote: str, decks: Decks) -> RevealedItem | None:
    """Return the card or entry that a note quotes. A card has its current text, and is gone once its deck has lost it."""
    match parse_path(note.about[-1]) if note.about else ():
        case ("decks", key, "cards", card):
            deck = decks.get(key)
            found = deck.cards.get(card) if deck else None
            return RevealedItem(note, deck.name, found.text, found.luck) if deck and found else None
        case ("tables", *_):
            # A heading needs no quotes around the table's name.
            name, _, number = note.text.removesuffix(quote).removesuffix(": ").removeprefix("“").rpartition("”, ")
            return RevealedItem(note, f"{name} {number}".lstrip(), quote)
        case _:
            return None


def items_that_fit(ups: Sequence[RevealedItem], width: int) -> Sequence[RevealedItem]:
    """Return as many of the latest as fit side by side in frames."""
    return ups[-max(1, (width + _GAP) // (_NARROWEST + _GAP)) :]


def frames_width(count: int) -> int:
    """Return the width of so many frames that have all the room they can use."""
    return count * (_WIDEST + _GAP)


def draw_frames(ups: Sequence[RevealedItem], ink: Palette, width: int, height: int) -> list[CellLine]:
    """Draw frames side by side, as high as their longest text and at most `height`."""
    each = min(_WIDEST, (width - _GAP * (len(ups) - 1)) // len(ups))
    drawn = [_frame(up, ink, each, max(1, height - 2)) for up in ups]
    tallest = max(map(len, drawn))
    lines = []
    for y in range(tallest):
        line = CellLine(width)
        for number, frame in enumerate(drawn):
            line.to(number * (each + _GAP))
            if y < len(frame):
                line.join(frame[y])
        lines.append(line)
    return lines


def _frame(up: RevealedItem, ink: Palette, width: int, most: int) -> list[CellLine]:
    style = style_of(up.luck, ink) if up.luck else ink.accent
    top = CellLine(width).add("╭─ ", ink.rule)
    if up.luck:
        top.add(f"{SIGNS[up.luck]} {up.luck.value}", style).add(" · ", ink.rule)
    top.add(up.source, ink.dim if up.luck else style, most=max(0, top.cells_left - 3)).add(" ", ink.rule)
    parts = wrap_text(up.text, width - 4) or [""]
    if len(parts) > most:
        parts = [*parts[: most - 1], " ".join(parts[most - 1 :])]
    text = [
        CellLine(width).add("│ ", ink.rule).add(part, ink.strong, most=width - 4).to(width - 2).add(" │", ink.rule)
        for part in parts
    ]
    under = CellLine(width).add("╰", ink.rule).fill("─", ink.rule, until=width - 1).add("╯", ink.rule)
    return [top.fill("─", ink.rule, until=width - 1).add("╮", ink.rule), *text, under]


WIDTH = 7
"""The width of a drawn face."""
GAP = 2
_BOX = 6
"""The width of a die as a small box, with the blank behind it."""
_LONGEST_SOURCE = 14
"""The width for the source of a die in a small box."""
_PIPS = {
    1: ("       ", "   ●   ", "       "),
    2: (" ●     ", "       ", "     ● "),
    3: (" ●     ", "   ●   ", "     ● "),
    4: (" ●   ● ", "       ", " ●   ● "),
    5: (" ●   ● ", "   ●   ", " ●   ● "),
    6: (" ●   ● ", " ●   ● ", " ●   ● "),
}
_BLANK = " " * WIDTH


def width_of(dice: Sequence[Face]) -> int:
    """Return the least width of drawn faces side by side."""
    return len(dice) * (WIDTH + GAP)


def named_dice_width(dice: Sequence[Face]) -> int:
    """Return their width with the full source of each die, which neighbours share."""
    return sum(map(_named_width, _named_once(dice)))


def _named_once(dice: Sequence[Face]) -> Sequence[Face]:
    """Return the dice without the long sources that the die before each has as well."""
    names = [die.source for die in dice]
    again = [
        name == before and cells_of(name) + 3 > WIDTH + GAP for before, name in zip(["", *names], names, strict=False)
    ]
    return [replace(die, source="") if is_again else die for die, is_again in zip(dice, again, strict=True)]


def _named_width(die: Face) -> int:
    return max(WIDTH + GAP, cells_of(die.card or str(die.face)) + cells_of(die.source) + GAP + 1)


def _widths(dice: Sequence[Face], width: int) -> Sequence[int]:
    """Return the width of each face: what its source needs, as far as there is room, and an equal part of what is left."""
    left, found = width - width_of(dice), list[int]()
    for die in dice:
        more = max(0, min(_named_width(die) - WIDTH - GAP, left))
        found.append(WIDTH + GAP + more)
        left -= more
    return [each + max(0, left) // len(dice) for each in found]


def faces(dice: Sequence[Face], ink: Palette, width: int) -> list[CellLine]:
    """Return four lines: the faces, and under each its figure and its source, as far apart as `width` allows."""
    dice = _named_once(dice)
    widths, lines = _widths(dice, width), list[CellLine]()
    for row in range(3):
        line = CellLine(width)
        for die, each in zip(dice, widths, strict=True):
            line.add(_face(die, row), ink.dim if die.dropped else ink.die).add(" " * (each - WIDTH), ink.plain)
        lines.append(line)
    under = CellLine(width)
    for die, each in zip(dice, widths, strict=True):
        start = under.used
        shown = die.card or f"{die.face}"
        under.add(f"{shown} ", ink.dim if die.dropped else ink.strong, most=each - 1)
        under.add(die.source, ink.dim, most=max(0, each - cells_of(shown) - 2)).to(start + each)
    return [*lines, under]


def box_width(dice: Sequence[Face]) -> int:
    """Return the width of the dice as small boxes, with their sources under them."""
    return sum(_group_width(same) for same in _by_source(dice))


def boxes(dice: Sequence[Face], ink: Palette, width: int) -> list[CellLine]:
    """Return four lines: dice as boxes with their figures, and under dice with the same source its name once."""
    lines = [CellLine(width) for _ in range(4)]
    for same in _by_source(dice):
        start, wide = lines[0].used, _group_width(same)
        for die in same:
            face = _figure(die) if die.sides == 6 else _figure(die).rjust(2)
            for line, part in zip(lines, ("╭───╮", f"│{face.center(3)}│", "╰───╯"), strict=False):
                line.add(part, ink.dim if die.dropped else ink.strong).add(" ", ink.plain)
        size = "" if same[0].card else _size(same[0])
        lines[3].add(f"{_name_group(same)} {size}".rstrip(), ink.dim, most=wide - 1)
        for line in lines:
            line.to(start + wide)
    return lines


def _by_source(dice: Sequence[Face]) -> Sequence[Sequence[Face]]:
    """Group neighbours with the same source."""
    return [[*same] for _, same in groupby(dice, key=lambda die: (die.source, die.sides, bool(die.card)))]


def _name_group(same: Sequence[Face]) -> str:
    """Return the words under small boxes: their source, or the cards that they are."""
    return ", ".join(die.card for die in same) if same[0].card else same[0].source


def _group_width(same: Sequence[Face]) -> int:
    name, longest = cells_of(_name_group(same)), len(same) * _LONGEST_SOURCE if same[0].card else _LONGEST_SOURCE
    return max(len(same) * _BOX, min(name, longest)) + 1


def _figure(die: Face) -> str:
    """Return the number that a die shows, or a card has."""
    return die.card.rpartition(" ")[2] or f"{die.face}"


def _face(die: Face, row: int) -> str:
    if die.sides == 6 and die.face in _PIPS and not die.card:
        return _PIPS[die.face][row]
    kind = die.card.rpartition(" ")[0][:WIDTH] or _size(die)
    return (kind.center(WIDTH), _figure(die).center(WIDTH), _BLANK)[row]


def inline(dice: Sequence[Face], ink: Palette, first: CellLine, margin: int) -> list[CellLine]:
    """Continue the line `first` with the faces as figures: `[3] [5] [5]`. Dice that aren't six-sided show their size, and those with
    symbols what is on them. Those that don't count are in round brackets. What doesn't fit goes on below, from the margin on.
    """
    lines = [first]
    for die in whole_cards(dice):
        text = die_text(die, BOXED_DICE)
        if cells_of(text) > lines[-1].cells_left and lines[-1].used > margin:
            lines.append(CellLine(first.width).to(margin))
        lines[-1].add(text, ink.dim if die.dropped else ink.strong).add(" ", ink.plain)
    return lines


_LEAST = 3
"""The width inside a chip."""


def chips(dice: Sequence[Face], ink: Palette, width: int, margin: int) -> list[CellLine]:
    """Return three lines for as many dice as fit. A six-sided die is a plain box; any other has its size below, and a
    word above.
    """
    lines = []
    for row in _rows(dice, [max(_LEAST, cells_of(die.source)) + 3 for die in dice], width - margin):
        top, middle, under = (CellLine(width).to(margin) for _ in range(3))
        for die in row:
            inside = max(_LEAST, cells_of(die.source))
            top.add(f"╭{die.source.center(inside, '─')}╮ ", ink.held)
            middle.add("│", ink.held).add(f"{die.face}".center(inside), ink.strong).add("│ ", ink.held)
            under.add(f"╰{_size(die).center(inside, '─')}╯ ", ink.held)
        lines += [top, middle, under]
    return lines


def figures(dice: Sequence[Face], ink: Palette, first: CellLine, margin: int) -> list[CellLine]:
    """Continue the line `first` with `[6] [5] [8 on d8] [4 kept]`."""
    texts = [_figure_text(die) for die in dice]
    rows = _rows(dice, [cells_of(text) + 1 for text in texts], first.width - margin)
    lines = [first]
    for number, row in enumerate(rows):
        line = lines[-1] if not number else CellLine(first.width).to(margin)
        for die in row:
            line.add(_figure_text(die), ink.strong).add(" ", ink.plain)
        lines[number:] = [line]
    return lines


def _figure_text(die: Face) -> str:
    size = f" on {_size(die)}" if die.sides != 6 else ""
    return f"[{die.card or f'{die.face}{size}'} {die.source}".rstrip() + "]"


def _size(die: Face) -> str:
    """Return what kind of die it is, unless it is the usual one; a card stays one whatever its number."""
    return "card" if die.card else "" if die.sides == 6 else f"d{die.sides}"


def _rows(dice: Sequence[Face], sizes: Sequence[int], room: int) -> Iterator[list[Face]]:
    """Put the dice into lines of that width, in their order."""
    row, used = list[Face](), 0
    for die, size in zip(dice, sizes, strict=True):
        if row and used + size > room:
            yield row
            row, used = [], 0
        row.append(die)
        used += size
    if row:
        yield row
