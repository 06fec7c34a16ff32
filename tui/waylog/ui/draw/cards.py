"""What came up: cards and entries of tables in frames, and the signs that tell good news from bad without colour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from rich.style import Style

from waylog.rules.changes import undotted
from waylog.rules.common.decks import Decks, Luck
from waylog.rules.facts import Mood, Note
from waylog.snapshot import Snapshot
from waylog.store.entries import Entry
from waylog.store.visibility import Sight
from waylog.ui.draw.palette import Ink, Line, wrapped

HIDDEN = "⊘"
"""The sign of what the players don't see."""
SEEN = "◉"
"""The sign of what they do."""
SIGNS: Mapping[Luck, str] = {Luck.GOOD: "✓", Luck.NEUTRAL: "•", Luck.BAD: "✗"}
LEAST = 3
"""Lines that a frame has at least."""
_NARROWEST, _WIDEST, _GAP = 18, 56, 2


def style_of(luck: Luck, ink: Ink) -> Style:
    """Good and bad news in the colours of good and bad rolls."""
    return {Luck.GOOD: ink.moods[Mood.SUCCESS], Luck.NEUTRAL: ink.strong, Luck.BAD: ink.moods[Mood.FIASCO]}[luck]


def sight_of(snapshot: Snapshot) -> Sight:
    """What the players see at a moment."""
    return Sight(snapshot.clocks, snapshot.decks, snapshot.situations, snapshot.tables)


class Up(NamedTuple):
    """A card that was drawn, or an entry that was rolled or picked."""

    note: Note
    """The fact that tells it."""
    source: str
    """The deck, or the table with the number that was rolled."""
    text: str
    luck: Luck | None = None


def came_up(act: Sequence[Entry], decks: Decks) -> tuple[Up, ...]:
    """What the latest entry of an act that drew or rolled anything has brought to light, in its order."""
    for entry in reversed(act):
        ups = [
            _up(fact, fact.quote, decks) for fact in entry.facts if isinstance(fact, Note) and fact.quote is not None
        ]
        if found := tuple(up for up in ups if up):
            return found
    return ()


def _up(note: Note, quote: str, decks: Decks) -> Up | None:
    """What a note with a quote has brought to light. A card reads as it does now, and is gone once its deck has lost it."""
    match undotted(note.about[-1]) if note.about else ():
        case ("decks", key, "cards", card):
            deck = decks.get(key)
            found = deck.cards.get(card) if deck else None
            return Up(note, deck.name, found.text, found.luck) if deck and found else None
        case ("tables", *_):
            return Up(note, note.text.removesuffix(quote).removesuffix(": "), quote)
        case _:
            return None


def fitting(ups: Sequence[Up], width: int) -> Sequence[Up]:
    """As many of them, the latest, as have room beside each other in frames."""
    return ups[-max(1, (width + _GAP) // (_NARROWEST + _GAP)) :]


def framed(ups: Sequence[Up], ink: Ink, width: int, height: int) -> list[Line]:
    """Frames side by side, as high as their longest text and at most `height`."""
    each = min(_WIDEST, (width - _GAP * (len(ups) - 1)) // len(ups))
    drawn = [_frame(up, ink, each, max(1, height - 2)) for up in ups]
    tallest = max(map(len, drawn))
    lines = []
    for y in range(tallest):
        line = Line(width)
        for number, frame in enumerate(drawn):
            line.to(number * (each + _GAP))
            if y < len(frame):
                line.join(frame[y])
        lines.append(line)
    return lines


def _frame(up: Up, ink: Ink, width: int, most: int) -> list[Line]:
    style = style_of(up.luck, ink) if up.luck else ink.accent
    top = Line(width).add("╭─ ", ink.rule)
    if up.luck:
        top.add(f"{SIGNS[up.luck]} {up.luck.value}", style).add(" · ", ink.rule)
    top.add(up.source, ink.dim if up.luck else style, most=max(0, top.left - 3)).add(" ", ink.rule)
    parts = wrapped(up.text, width - 4) or [""]
    if len(parts) > most:
        parts = [*parts[: most - 1], " ".join(parts[most - 1 :])]
    text = [
        Line(width).add("│ ", ink.rule).add(part, ink.strong, most=width - 4).to(width - 2).add(" │", ink.rule)
        for part in parts
    ]
    under = Line(width).add("╰", ink.rule).fill("─", ink.rule, until=width - 1).add("╯", ink.rule)
    return [top.fill("─", ink.rule, until=width - 1).add("╮", ink.rule), *text, under]
