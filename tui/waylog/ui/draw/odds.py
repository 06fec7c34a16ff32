"""The odds of a roll as a bar and in figures. Texture and sign tell the outcomes apart, as well as colour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from waylog.rules.model.facts import NoteFact, OutcomeGrade
from waylog.rules.model.odds import Chance, Odds, Spread, coarser_and_coarser, percent
from waylog.ui.draw.cell_lines import CellLine, cells_of, wrap_text
from waylog.ui.draw.colours import SIGNS, Palette
from waylog.ui.draw.rows import cut_lines
from waylog.values import NamedTuple

_TEXTURES: Mapping[OutcomeGrade | None, str] = {
    OutcomeGrade.FIASCO: "░",
    OutcomeGrade.DRAWBACK: "▒",
    OutcomeGrade.SUCCESS: "▓",
    OutcomeGrade.CRITICAL: "█",
    None: "▒",
}


_HEIGHTS = "▁▂▃▄▅▆▇█"
_WIDEST = 4
"""Cells of a column in a profile."""


class _Figure(NamedTuple):
    """A probability as it is printed: sign, label and value."""

    mood: OutcomeGrade | None
    label: str
    percent: str

    @property
    def cells(self) -> int:
        """Its width with the sign before it and two blanks behind it."""
        return cells_of(self.label) + cells_of(self.percent) + 5


def figures(spread: Spread, ink: Palette, width: int) -> list[CellLine]:
    """Return `✗ Fiasco 12.5 % ◐ …`: each probability with its label, in one line if they fit, otherwise in as many as
    they need.

    Where there are many outcomes that are only numbers, neighbours share a figure: `2–8 12.5 %`.
    """
    room = width - 4
    if all(one.mood is None for one in spread.chances):
        labels = words = _in_ranges(spread.chances, room)
    else:
        labels = [_Figure(one.mood, one.label, percent(one.chance)) for one in spread.chances]
        shorter = ((one.outcome or one.label).replace("-", " ").capitalize() for one in spread.chances)
        # A short name is part of the label; an outcome that results call by another name keeps its own.
        words = [
            one._replace(label=word) if word.lower() in one.label.lower() else one
            for one, word in zip(labels, shorter, strict=True)
        ]
    shown = labels if sum(one.cells for one in labels) <= room else words
    lines = [CellLine(width).to(2)]
    for one in shown:
        if lines[-1].used > 2 and one.cells - 2 > lines[-1].cells_left - 2:
            lines.append(CellLine(width).to(2))
        lines[-1].add(f"{SIGNS[one.mood]} ", ink.moods[one.mood]).add(f"{one.label} ", ink.plain)
        lines[-1].add(one.percent, ink.strong).add("  ", ink.plain)
    return lines


def _in_ranges(chances: Sequence[Chance], room: int) -> list[_Figure]:
    """Merge neighbours, the least likely first, until all of them fit into `room` cells."""
    shown: list[_Figure] = []
    for ranges in coarser_and_coarser(chances):
        shown = [_Figure(None, one.label, percent(one.chance)) for one in ranges]
        if sum(one.cells for one in shown) <= room:
            break
    return shown


def bar(spread: Spread, ink: Palette, line: CellLine, width: int) -> CellLine:
    """Draw the probabilities as lengths, the worst outcome first; those of numbers as heights, the lowest number first."""
    if all(one.label.removeprefix("-").isdigit() for one in spread.chances):
        return line.add(_profile(spread.chances, min(width, line.cells_left)), ink.moods[None])
    for chance, size in zip(spread.chances, _sizes(spread.chances, min(width, line.cells_left)), strict=True):
        line.add(_TEXTURES[chance.mood] * size, ink.moods[chance.mood])
    return line


def _profile(chances: Sequence[Chance], width: int) -> str:
    """Return a column for each probability, or for as many together as have to share one. The highest is a full cell."""
    each = -(-len(chances) // width)
    wide = max(1, min(_WIDEST, width // len(chances)))
    sums = [sum(float(one.chance) for one in chances[at : at + each]) for at in range(0, len(chances), each)]
    most = max(sums)
    return "".join(_HEIGHTS[round(height / most * (len(_HEIGHTS) - 1))] * wide for height in sums)


def _sizes(chances: Sequence[Chance], width: int) -> list[int]:
    """Return the cells of each probability, `width` in all. Anything possible has at least one."""
    exact = [chance.chance * width for chance in chances]
    sizes = [max(1, int(size)) if size else 0 for size in exact]
    order = sorted(range(len(chances)), key=lambda index: exact[index] - sizes[index], reverse=True)
    spare = width - sum(sizes)
    for index in order:
        if spare <= 0:
            break
        sizes[index] += 1
        spare -= 1
    while sum(sizes) > width and max(sizes) > 1:
        sizes[sizes.index(max(sizes))] -= 1
    return sizes


def draw_odds(odds: Odds, ink: Palette, width: int, height: int, *, pool: bool = True) -> list[CellLine]:
    """Draw the odds in at most `height` lines, always in one order: the pool, the bar, the figures, then what follows.

    If there is no room, what follows is cut at its end, with a mark; then the bar is left out, then the pool. Without
    `pool`, the dice are shown elsewhere.
    """
    head = [CellLine(width).to(2).add(odds.dice, ink.strong)] if pool else []
    lengths = [bar(odds.spread, ink, CellLine(width).to(2), width - 4)]
    shown = figures(odds.spread, ink, width)
    if len(odds.spread.chances) == 1:
        # Something certain needs no figures.
        (sure,) = odds.spread.chances
        lengths, shown = [], [CellLine(width).to(2).add(f"{SIGNS[sure.mood]} {sure.label}", ink.moods[sure.mood])]
    spends = [spread for spread in odds.spends if spread.chances != odds.spread.chances]
    notes = [
        *_notes(odds.reasons, ink, width, "!"),
        *_notes(odds.forecast, ink, width, "→"),
        *_spends(spends, odds.spread, ink, width),
    ]
    if len(head) + len(lengths) + len(shown) + min(1, len(notes)) > height:
        lengths = []
    if len(head) + len(shown) > height:
        head = []
    lines = [*head, *lengths, *shown]
    room = max(0, height - len(lines))
    if len(notes) > room and width >= 100:
        notes = _side_by_side(notes, width)
    if room > 0:
        notes = cut_lines(notes, room, ink)
    return [*lines, *notes][: max(0, height)]


def _spends(spreads: Sequence[Spread], usual: Spread, ink: Palette, width: int) -> list[CellLine]:
    """Draw the probabilities after spending something, each below the same outcome of the roll itself if those stand in
    one line.
    """
    lines, columns = [], _ends_of_figures(usual, ink, width)
    for spread in spreads:
        lead = CellLine(width).to(2).add(f"{spread.label}: ", ink.dim)
        if any(chance.mood is None for chance in spread.chances):
            first, *more = figures(spread, ink, width - lead.used)
            lines += [lead.join(first), *more]
            continue
        under = CellLine(width).to(2).add(spread.label, ink.dim)
        shown = [percent(chance.chance) for chance in spread.chances]
        moods = [chance.mood for chance in spread.chances]
        if moods == [chance.mood for chance in usual.chances] and len(columns) == len(shown):
            for chance, text, end in zip(spread.chances, shown, columns, strict=True):
                fits = under.used < end - cells_of(text)
                under.to(end - cells_of(text)).add(text, ink.moods[chance.mood]) if fits else under.fill(" ", ink.plain)
            if under.used == columns[-1]:
                lines.append(under)
                continue
        # The figures of the roll itself name the signs; where two outcomes have one, they are named here.
        for chance in spread.chances:
            name = f"{chance.label} " if moods.count(chance.mood) > 1 else ""
            lead.add(f"{SIGNS[chance.mood]} {name}", ink.moods[chance.mood]).add(
                f"{percent(chance.chance)}  ", ink.plain
            )
        lines.append(lead)
    return lines


def _ends_of_figures(spread: Spread, ink: Palette, width: int) -> list[int]:
    """Return the columns in which the figures of a line end; none if they take more than one line."""
    (first, *more), ends, at = figures(spread, ink, width), list[int](), 0
    for text, _ in first.spans:
        at += cells_of(text)
        if text.endswith("%"):
            ends.append(at)
    return [] if more else ends


def _notes(notes: Sequence[NoteFact], ink: Palette, width: int, sign: str) -> list[CellLine]:
    lines = []
    for note in notes:
        for index, part in enumerate(wrap_text(note.text, width - 6)):
            lead = f"{sign} " if not index else "  "
            lines.append(CellLine(width).to(2).add(lead, ink.key).add(part, ink.warn if sign == "!" else ink.dim))
    return lines


def _side_by_side(lines: Sequence[CellLine], width: int) -> list[CellLine]:
    """Put lines into two columns, if each half is wide enough."""
    half = width // 2
    if any(line.used > half - 1 for line in lines):
        return list(lines)
    depth = -(-len(lines) // 2)
    joined = []
    for index in range(depth):
        line = CellLine(width).join(lines[index])
        if depth + index < len(lines):
            line.to(half).join(lines[depth + index])
        joined.append(line)
    return joined
