"""Cards and table entries that came up, in frames, and the signs that tell good news from bad without colour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.style import Style

from waylog.rules.changes import parse_path
from waylog.rules.common.decks import CardKind, Decks
from waylog.rules.facts import NoteFact, OutcomeGrade
from waylog.store.entries import LogEntry
from waylog.ui.draw.palette import CellLine, Palette, wrap_text
from waylog.values import NamedTuple

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
            return RevealedItem(note, note.text.removesuffix(quote).removesuffix(": "), quote)
        case _:
            return None


def items_that_fit(ups: Sequence[RevealedItem], width: int) -> Sequence[RevealedItem]:
    """Return as many of the latest as fit side by side in frames."""
    return ups[-max(1, (width + _GAP) // (_NARROWEST + _GAP)) :]


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
