"""The contents of a random table and of a deck, in lines. Signs and words mark what matters, never colour alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from rich.style import Style

from waylog.rules.common.random_tables import RandomTable, TableEntry, Tables, numbers_text
from waylog.rules.model.decks import Deck, DeckVisibility, Where, balance, cannot_draw, chances, owed_words
from waylog.rules.model.moves import reason_of
from waylog.rules.model.players_and_permissions import Players, name_of
from waylog.store.log.grouped_acts_and_texts import only_for
from waylog.ui.draw import odds
from waylog.ui.draw.cell_lines import CellLine, wrap_text
from waylog.ui.draw.colours import Palette
from waylog.ui.draw.dice import HIDDEN, SEEN, SIGNS, mention_words, style_of
from waylog.values import NamedTuple
from waylog.words.sentences import with_capital

_MOST = 4
"""The height of an entry or a card, unless the cursor is on it."""
_BAR = 36
_LUCK = 11
"""The width of a card's sign and word."""
KNOWN = {
    DeckVisibility.SECRET: f"{HIDDEN} hidden from players",
    DeckVisibility.PARTLY: f"{SEEN} players see the cards marked {SEEN}",
    DeckVisibility.KNOWN: f"{SEEN} players see every card",
}
_LISTS = {
    Where.PILE: "In the pile",
    Where.DRAWN: "Out",
    Where.KEPT: "Kept for later",
    Where.ASIDE: "Set aside",
}
FindMentions = Callable[[str], Sequence[str]]
"""Returns the lines and veils of the table that a text mentions."""
NameEffect = Callable[[str], str]
"""Returns an effect with the names of what its words stand for."""


class ContentBlock(NamedTuple):
    """Some lines, and the entry or the card that they show."""

    lines: Sequence[CellLine]
    key: str = ""
    """The entry's number or the card's key; empty if it can't be chosen."""


def sight(table: RandomTable) -> str:
    """Return whether players see the results of a table (NM-04)."""
    return f"{SEEN} visible to players" if table.seen else f"{HIDDEN} hidden from players"


def of_table(
    table: RandomTable,
    tables: Tables,
    problems: Sequence[str],
    find_mentions: FindMentions,
    players: Players,
    ink: Palette,
    width: int,
    here: str = "",
    name_effect: NameEffect = str,
) -> Iterator[ContentBlock]:
    """Return a table's entries by number (NM-01), with the table that they lead to (NM-03), and why the table is
    refused, if it is.

    The entry under the cursor, `here`, is shown in full. If the cursor is on none, the table's notes are.
    """
    yield ContentBlock([_title(table.name, table.dice, ink, width), *_text_lines(sight(table), ink.dim, width)])
    for problem in problems:
        yield ContentBlock(_text_lines(f"✗ {with_capital(problem)}", ink.bad, width, whole=not here))
    if table.notes:
        yield ContentBlock(_text_lines(table.notes, ink.dim, width, whole=not here))
    size = max((len(numbers_text(*each)) for each in table.numbered_entries), default=1)
    for section, entries in _sections(table):
        head = CellLine(width)
        if section:
            head.to(2).add(f"{section}  ", ink.key).add(list(table.sections)[section - 1], ink.accent)
        yield ContentBlock([CellLine(width), head] if section else [head])
        for number, entry in entries:
            lead = CellLine(width).to(2).add(f"{numbers_text(number, entry):>{size}}", ink.key)
            marks = [*_mention_marks(find_mentions(entry.text)), *_reader_marks(entry.seen_by, players)]
            marks += [_effect_mark(name_effect(entry.effect))] if entry.effect else []
            block = _entry(lead, size + 4, entry, tables, marks, ink, whole=str(number) == here)
            yield ContentBlock(block, str(number))


def _sections(table: RandomTable) -> Iterator[tuple[int, Sequence[tuple[int, TableEntry]]]]:
    """Return a table's entries by section. A table without sections has one, with the number 0."""
    if not table.is_d66:
        yield 0, table.numbered_entries
    for section, entries in enumerate(table.sections.values(), 1):
        yield section, [(10 * section + number, entry) for number, entry in enumerate(entries, 1)]


def _entry(
    lead: CellLine,
    indent: int,
    entry: TableEntry,
    tables: Tables,
    before: Sequence[str],
    ink: Palette,
    *,
    whole: bool,
) -> list[CellLine]:
    marks = [*before]
    if entry.table:
        name = tables[entry.table].name if entry.table in tables else f"{entry.table} (missing)"
        marks.append(f"→ table {name}")
    return _row(lead, indent, entry.text or "—", marks, ink, whole=whole)


def of_deck(
    deck: Deck,
    find_mentions: FindMentions,
    players: Players,
    ink: Palette,
    width: int,
    here: str = "",
    name_effect: NameEffect = str,
) -> Iterator[ContentBlock]:
    """Return a deck's cards: the pile, drawn cards, cards put aside, what players know, and what the next draw may
    bring.

    The card under the cursor, `here`, is shown in full. If the cursor is on none, the deck's notes are.
    """
    pile = deck.pile
    yield ContentBlock([_title(deck.name, f"{len(pile)} of {len(deck.cards)} in the pile", ink, width)])
    yield ContentBlock(list(_state(deck, ink, width)))
    if deck.notes:
        yield ContentBlock(_text_lines(deck.notes, ink.dim, width, whole=not here))
    if not deck.cards:
        yield ContentBlock(
            [CellLine(width), *_text_lines("No cards yet. + adds one: good, neutral or bad.", ink.dim, width)]
        )
    for what, keys in cards_by_place(deck).items():
        if keys:
            yield ContentBlock(
                [CellLine(width), CellLine(width).to(2).add(what, ink.accent).add(f"  {len(keys)}", ink.dim)]
            )
            for key in keys:
                card = deck.cards[key]
                before = (*_mention_marks(find_mentions(card.text)), *_reader_marks(card.seen_by, players))
                marks = _marks(deck, key, before, name_effect)
                yield ContentBlock(_card(deck, key, marks, ink, width, there=key in pile, whole=key == here), key)


def cards_by_place(deck: Deck) -> Mapping[str, Sequence[str]]:
    """Return every card once, by its place. A file may name a card twice, or name one that doesn't exist."""
    return {what: tuple(key for key in deck.cards if deck.where(key) is where) for where, what in _LISTS.items()}


def _state(deck: Deck, ink: Palette, width: int) -> Iterator[CellLine]:
    yield from _text_lines(KNOWN[deck.known], ink.dim, width)
    if deck.draw > 1:
        yield from _text_lines("Draw two and keep one. The other returns to the deck", ink.warn, width)
    if deck.together:
        debt = owed_words(deck)
        text = f"add {debt}" if debt else "no cards to add now"
        yield from _text_lines(f"{'✗ ' if debt else ''}Built together: {text}", ink.bad if debt else ink.dim, width)
    line = CellLine(width).to(2)
    for luck, count in balance(deck).items():
        line.add(f"{SIGNS[luck]} {count} {luck.value}  ", style_of(luck, ink))
    yield line
    refused = cannot_draw(deck)
    if refused:
        # The missing cards have been mentioned already.
        yield from (
            ()
            if owed_words(deck) or not deck.cards
            else _text_lines(f"✗ {with_capital(reason_of(refused))}", ink.bad, width)
        )
    elif spread := chances(deck):
        label = f"{spread.spread.label[:1].upper()}{spread.spread.label[1:]}  "
        line = CellLine(width).to(2).add(label, ink.dim)
        yield (
            odds.bar(spread.spread, ink, line, min(_BAR, line.cells_left - 2)) if line.cells_left > _BAR // 2 else line
        )
        yield from odds.figures(spread.spread, ink, width)


def _card(
    deck: Deck, key: str, marks: Sequence[str], ink: Palette, width: int, *, there: bool, whole: bool
) -> list[CellLine]:
    card = deck.cards[key]
    style = style_of(card.luck, ink) if there else ink.dim
    lead = CellLine(width).to(2).add(f"{SIGNS[card.luck]} {card.luck.value}", style)
    return _row(lead, _LUCK + 2, card.text or key, marks, ink, there=there, whole=whole)


def _mention_marks(mentions: Sequence[str]) -> list[str]:
    return [mention_words(mentions)] if mentions else []


def _reader_marks(seen_by: Sequence[str], players: Players) -> list[str]:
    return [f"{HIDDEN} {only_for([name_of(players, key) for key in seen_by])}"] if seen_by else []


def _effect_mark(effect: str) -> str:
    return f"! effect: {effect}"


def _marks(deck: Deck, key: str, before: Sequence[str], name_effect: NameEffect) -> list[str]:
    card, marks = deck.cards[key], [*before]
    marks += [f"{SEEN} known"] if deck.known is DeckVisibility.PARTLY and key in deck.shown else []
    if card.returns:
        marks.append("↺ returns to the deck")
    if card.sets_draw:
        marks.append(
            "⚁ from then on, draw two and keep one" if card.sets_draw > 1 else "⚀ from then on, draw one each time"
        )
    if card.effect:
        marks.append(_effect_mark(name_effect(card.effect)))
    if deck.together:
        marks.append("a player's" if card.by == "players" else "the wayfinder's")
    return marks


def _row(
    lead: CellLine, indent: int, text: str, marks: Sequence[str], ink: Palette, *, there: bool = True, whole: bool
) -> list[CellLine]:
    """Return a text after its lead, with its marks behind it if there is room, otherwise under it."""
    width, most = lead.width, None if whole else _MOST
    parts = wrap_text(text, width - indent - 1, most) or [""]
    lines = [lead.to(indent), *(CellLine(width).to(indent) for _ in parts[1:])]
    for line, part in zip(lines, parts, strict=True):
        line.add(part, ink.plain if there else ink.dim)
    marks_text = "  ".join(marks)
    if marks_text and lines[-1].cells_left > len(marks_text) + 3:
        lines[-1].add("  ", ink.plain).add(marks_text, ink.key if there else ink.dim)
    elif marks_text:
        lines += [
            CellLine(width).to(indent).add(part, ink.key) for part in wrap_text(marks_text, width - indent - 1, most)
        ]
    return lines


def _title(name: str, marks_text: str, ink: Palette, width: int) -> CellLine:
    line = (
        CellLine(width)
        .add(name or "(no name)", ink.accent, most=max(8, width - len(marks_text) - 4))
        .add(" ", ink.rule)
    )
    return line.fill("─", ink.rule, until=width - len(marks_text) - 1).add(" ", ink.rule).add(marks_text, ink.strong)


def _text_lines(text: str, style: Style, width: int, *, whole: bool = False) -> list[CellLine]:
    return [CellLine(width).to(2).add(part, style) for part in wrap_text(text, width - 3, None if whole else _MOST)]
