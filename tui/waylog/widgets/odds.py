"""A roll's chances as a bar and in figures, told apart by texture and sign as well as by colour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction

from waylog.rules.odds import Chance, Odds, Spread
from waylog.rules.turns import Mood, Note
from waylog.widgets.cells import cells_of
from waylog.widgets.ink import Ink, Line, wrapped

SIGNS: Mapping[Mood | None, str] = {
    Mood.FIASCO: "✗",
    Mood.DRAWBACK: "◐",
    Mood.SUCCESS: "✓",
    Mood.CRITICAL: "★",
    None: "•",
}
_TEXTURES: Mapping[Mood | None, str] = {
    Mood.FIASCO: "░",
    Mood.DRAWBACK: "▒",
    Mood.SUCCESS: "▓",
    Mood.CRITICAL: "█",
    None: "▒",
}


def percent(chance: Fraction) -> str:
    """`12.5 %`; a chance that is there never shows as 0, nor one that is not certain as 100."""
    if 0 < chance < Fraction(1, 2000):
        return "<0.1 %"
    if Fraction(1999, 2000) < chance < 1:
        return ">99.9 %"
    return f"{float(chance * 100):.1f}".removesuffix(".0") + " %"


def figures(spread: Spread, ink: Ink, line: Line) -> Line:
    """`✗ Fiasco 12.5 %  ◐ …`: with labels where they fit, else in a word, else by signs alone."""
    numbers = sum(cells_of(percent(chance.chance)) + 5 for chance in spread.chances)
    labels = [chance.label for chance in spread.chances]
    words = [chance.outcome for chance in spread.chances]
    named = next((said for said in (labels, words) if numbers + sum(map(cells_of, said)) <= line.left), None)
    for index, chance in enumerate(spread.chances):
        line.add(f"{SIGNS[chance.mood]} ", ink.moods[chance.mood])
        if named:
            line.add(f"{named[index]} ", ink.plain)
        line.add(percent(chance.chance), ink.strong).add("  ", ink.plain)
    return line


def bar(spread: Spread, ink: Ink, line: Line, width: int) -> Line:
    """The chances as lengths, worst first."""
    for chance, size in zip(spread.chances, _sizes(spread.chances, min(width, line.left)), strict=True):
        line.add(_TEXTURES[chance.mood] * size, ink.moods[chance.mood])
    return line


def _sizes(chances: Sequence[Chance], width: int) -> list[int]:
    """Whole cells for each chance, `width` in all; what may happen has at least one."""
    sizes = [max(1, int(chance.chance * width)) if chance.chance else 0 for chance in chances]
    order = sorted(range(len(chances)), key=lambda index: chances[index].chance * width - sizes[index], reverse=True)
    spare = width - sum(sizes)
    for index in order:
        if spare <= 0:
            break
        sizes[index] += 1
        spare -= 1
    while sum(sizes) > width and max(sizes) > 1:
        sizes[sizes.index(max(sizes))] -= 1
    return sizes


def drawn(odds: Odds, ink: Ink, width: int, height: int) -> list[Line]:
    """The odds in at most `height` lines, what matters most first."""
    head = Line(width).to(2).add(odds.dice, ink.strong)
    shown = figures(odds.spread, ink, Line(width).to(2))
    lines = [head, bar(odds.spread, ink, Line(width).to(2), width - 4), shown]
    if len(odds.spread.chances) == 1:
        # What is certain needs no figures.
        (sure,) = odds.spread.chances
        shown = Line(width).to(2).add(f"{SIGNS[sure.mood]} {sure.label}  ", ink.moods[sure.mood])
        lines = [head, shown]
    if height < 3:
        lines = [shown, head]
    spends = [spread for spread in odds.spends if spread.chances != odds.spread.chances]
    notes = [
        *_notes(odds.reasons, ink, width, "!"),
        *_notes(odds.forecast, ink, width, "→"),
        *_spends(spends, ink, width),
    ]
    if len(lines) + len(notes) > height:
        lines = [shown, head]
    room = max(0, height - len(lines))
    if len(notes) > room and width >= 100:
        notes = _side_by_side(notes, width)
    return [*lines, *notes][: max(0, height)]


def _spends(spreads: Sequence[Spread], ink: Ink, width: int) -> list[Line]:
    lines = []
    for spread in spreads:
        line = Line(width).to(2).add(f"{spread.label}: ", ink.dim)
        for chance in spread.chances:
            line.add(f"{SIGNS[chance.mood]} ", ink.moods[chance.mood]).add(f"{percent(chance.chance)}  ", ink.plain)
        lines.append(line)
    return lines


def _notes(notes: Sequence[Note], ink: Ink, width: int, sign: str) -> list[Line]:
    lines = []
    for note in notes:
        text = f"{note.text} ({note.clause})" if note.clause else note.text
        for index, part in enumerate(wrapped(text, width - 6)):
            lead = f"{sign} " if not index else "  "
            lines.append(Line(width).to(2).add(lead, ink.key).add(part, ink.warn if sign == "!" else ink.dim))
    return lines


def _side_by_side(lines: Sequence[Line], width: int) -> list[Line]:
    """Lines in two columns, where each half is wide enough."""
    half = width // 2
    if any(line.used > half - 1 for line in lines):
        return list(lines)
    depth = -(-len(lines) // 2)
    joined = []
    for index in range(depth):
        line = Line(width).join(lines[index])
        if depth + index < len(lines):
            line.to(half).join(lines[depth + index])
        joined.append(line)
    return joined
