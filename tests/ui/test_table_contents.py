"""What tables, decks and what came up look like, without a screen."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from tests.ui.test_palette import INK
from waylog.rules.common.random_tables import RandomTable, TableEntry
from waylog.rules.model.decks import Card, CardKind, Deck, DeckVisibility, chances
from waylog.rules.model.facts import NoteFact, OutcomeGrade
from waylog.rules.what_players_know import Visibility
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.ui.draw.dice import SIGNS, came_up, draw_frames, items_that_fit
from waylog.ui.draw.table_and_deck_contents import cards_by_place, of_deck, of_table


def no_mentions(_: str) -> tuple[str, ...]:
    """No text mentions a line or a veil."""
    return ()


_NOW = datetime(2026, 1, 5, 20, 0, tzinfo=UTC)
DECK = Deck(
    "The hold",
    DeckVisibility.PARTLY,
    shown=("b",),
    drawn=("a", "gone"),
    aside=("c", "a"),
    cards={
        "a": Card("Rats", CardKind.BAD, effect="damage ship"),
        "b": Card("Bread", CardKind.GOOD, returns=True),
        "c": Card("A mirror", sets_draw=2),
        "d": Card("A door" * 40),
    },
)


def _text(pieces: object) -> str:
    return "\n".join(line.text for piece in pieces for line in piece.lines)  # type: ignore[attr-defined]  # pieces


def _entry(*notes: NoteFact) -> LogEntry:
    return LogEntry(1, _NOW, "draw hold", notes)


def _drawn(key: str) -> NoteFact:
    card = DECK.cards[key]
    text = f"“The hold”: {card.text} ({card.luck.value})"
    return NoteFact(text, "NM-13", about=(f"decks.hold.cards.{key}",), quote=card.text)


@pytest.mark.parametrize("width", [30, 38, 77])
def test_every_card_lies_in_one_place_and_says_what_it_is_in_words(width: int) -> None:
    """A card that a file names twice, or that is gone, is drawn once or not at all; no line is too wide."""
    assert cards_by_place(DECK) == {"In the pile": ("b", "d"), "Out": (), "Kept for later": (), "Set aside": ("a", "c")}
    pieces = list(of_deck(DECK, no_mentions, {}, INK, width))
    assert [piece.key for piece in pieces if piece.key] == ["b", "d", "a", "c"]
    assert all(line.used <= width for piece in pieces for line in piece.lines)
    said = " ".join(_text(pieces).split())
    for words in ("✓ good", "✗ bad", "• neutral", "◉ known", "↺ returns to the deck"):
        assert words in said


def test_good_and_bad_have_the_signs_of_the_odds() -> None:
    """A card's sign is the one that its chance is drawn with, and no two kinds share one."""
    deck = Deck("All", cards={luck.value: Card("x", luck) for luck in CardKind})
    spread = chances(deck)
    assert spread
    moods = {chance.outcome: chance.mood for chance in spread.spread.chances}
    assert moods == {"good": OutcomeGrade.SUCCESS, "neutral": None, "bad": OutcomeGrade.FIASCO}
    assert len(set(SIGNS.values())) == len(CardKind)


def test_a_table_with_too_many_in_a_section_is_drawn_nonetheless() -> None:
    """What a file says wrongly shows as it stands: every entry, under the section it is in."""
    table = RandomTable("Names", sections={"One": (TableEntry("x", "none", "damage ship"),) * 12, "Two": ()})
    said = _text(of_table(table, {}, ["two sections"], no_mentions, {}, INK, 60))
    assert said.count("→ table none (missing)") == 12
    assert said.index("1  One") < said.index("2  Two")
    assert "✗ Two sections" in said


def test_what_came_up_is_the_latest_entrys() -> None:
    """Of two drawn cards both; once one is kept, that one. A note without a quote has brought nothing to light."""
    rats, bread = _drawn("a"), _drawn("b")
    decks = {"hold": DECK}
    both = _entry(rats, bread)
    assert [up.text for up in came_up((both,), decks)] == ["Rats", "Bread"]
    assert [up.text for up in came_up((both, _entry(bread)), decks)] == ["Bread"]
    assert came_up((_entry(replace(rats, quote=None)),), decks) == ()
    assert came_up((_entry(NoteFact("Scene: Rats", "NM-43", quote="Rats")),), decks) == ()


def test_a_card_that_was_mended_keeps_its_frame() -> None:
    """It reads as it does now, under the deck's name of now. A card that is not in the file any more has none."""
    mended = replace(DECK, name="The cellar", cards={**DECK.cards, "a": Card("A rat", CardKind.NEUTRAL)})
    (up,) = came_up((_entry(_drawn("a")),), {"hold": mended})
    assert (up.source, up.text, up.luck) == ("The cellar", "A rat", CardKind.NEUTRAL)
    assert came_up((_entry(_drawn("a")),), {"hold": replace(DECK, cards={})}) == ()
    assert came_up((_entry(_drawn("a")),), {}) == ()


def test_a_table_is_named_before_what_came_up() -> None:
    """With the number that was rolled. Colons in either are no border."""
    about = ("tables.door",)
    notes = (
        NoteFact("Door: 2 3: Ash: grey", about=about, quote="Ash: grey"),
        NoteFact("“Door”, 4: x", about=about, quote="x"),
    )
    ups = came_up((_entry(*notes),), {})
    assert [(up.source, up.text) for up in ups] == [("Door: 2 3", "Ash: grey"), ("Door 4", "x")]


@pytest.mark.parametrize("width", [18, 36, 80, 116])
@pytest.mark.parametrize("height", [3, 4, 7])
def test_frames_keep_to_their_place(width: int, height: int) -> None:
    """However many came up and however long they are: as many frames as fit, each closed, none beyond the edge."""
    ups = items_that_fit(came_up((_entry(*map(_drawn, DECK.cards)),), {"hold": DECK}), width)
    lines = draw_frames(ups, INK, width, height)
    assert len(lines) <= height
    assert all(line.used <= width for line in lines)
    assert lines[0].text.count("╭") == lines[0].text.count("╮") == len(ups) >= 1
    assert sum(line.text.count("╰") for line in lines) == len(ups)


def test_an_act_is_hidden_only_if_nothing_of_it_shows() -> None:
    """One open fact makes it one that players know of."""
    players = Visibility({}, {}, {}, {})
    assert players.hides_entry(_entry(NoteFact("a", secret=True)))
    assert not players.hides_entry(_entry(NoteFact("a", secret=True), NoteFact("b")))
    assert not players.hides_entry(_entry())


LONG = " ".join(f"word{n}" for n in range(60))


@pytest.mark.parametrize("width", [38, 77])
def test_a_long_entry_or_card_says_that_it_goes_on_until_the_cursor_is_on_it(width: int) -> None:
    """Four lines and a mark; under the cursor every word. The same goes for what is said of the table or deck itself."""
    table = RandomTable("Door", entries=(TableEntry(LONG, effect=LONG), TableEntry("Dust")), notes=LONG)
    deck = Deck("Hold", cards={"1": Card(LONG, effect=LONG), "2": Card("Dust")}, notes=LONG)
    for here in ("", "1", "2"):
        for pieces in (
            list(of_table(table, {}, (), no_mentions, {}, INK, width, here)),
            list(of_deck(deck, no_mentions, {}, INK, width, here)),
        ):
            card = next(piece for piece in pieces if piece.key == "1")
            notes = next(piece for piece in pieces if "word0" in piece.lines[0].text)
            assert _text([card]).count("word59") == (2 if here == "1" else 0)
            assert _text([card]).count("…") == (0 if here == "1" else 2)
            assert len(card.lines) == 8 or here == "1"
            assert ("word59" in _text([notes])) == (not here)
            assert notes.lines[-1].text.endswith("…") == bool(here)
