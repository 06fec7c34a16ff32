"""Decks of cards, for every game: what a search finds, how a hunt goes (NM-10…NM-16)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from itertools import combinations
from typing import Annotated, ClassVar, Literal

from waylog.rules.codec.base_and_limits import Between
from waylog.rules.codec.changes import join_names
from waylog.rules.model.facts import OutcomeGrade, SeenBy
from waylog.rules.model.moves import Refusal
from waylog.rules.model.odds import Chance, Odds, Ratio, Spread
from waylog.values import dataclass, field, replace

_FIRST_BAD = 4
"""The number of bad cards that a deck built with the players starts with (NM-15)."""


class CardKind(StrEnum):
    """Whether a card is good, neutral or bad for the crew (NM-10)."""

    GOOD = "good"
    NEUTRAL = "neutral"
    BAD = "bad"


class DeckVisibility(StrEnum):
    """The cards of a deck that players see: none, some or all (NM-14)."""

    SECRET = "secret"
    PARTLY = "partly"
    KNOWN = "known"


@dataclass(frozen=True, slots=True)
class Card:
    """A card of a deck. The deck knows whether it is in the pile, drawn, kept or set aside."""

    ALWAYS_WRITTEN: ClassVar = ("text", "luck")
    ON_A_LINE: ClassVar = True

    text: Annotated[str, "The text to read out when the card is drawn"] = ""
    luck: Annotated[CardKind, "good, neutral or bad"] = CardKind.NEUTRAL
    returns: Annotated[bool, "Whether the card returns to the deck after it is drawn"] = False
    effect: Annotated[
        str, "A command to offer when the card is drawn, such as clock … or table …, or one of the game's own"
    ] = ""
    sets_draw: Annotated[
        int,
        Between(0, 2, "NM-13"),
        "2 means that once this card has been drawn, two cards are drawn at a time and one is kept",
    ] = 0
    by: Annotated[Literal["wayfinder", "players"], "Who added the card, in a deck built with the players"] = "wayfinder"
    uses: Annotated[int, Between(0, 99, "NM-18"), "When drawn, the card is kept for later with this many uses"] = 0
    used: Annotated[int, Between(0, 99, "NM-18"), "Uses spent since the card was kept"] = 0
    condition: Annotated[str, "The condition for using the card once it is kept, such as “the power is back”"] = ""
    seen_by: SeenBy = ()


@dataclass(frozen=True, slots=True)
class Deck:
    """A named set of cards. The pile is every card that is not drawn, kept or set aside (NM-10, NM-18)."""

    ALWAYS_WRITTEN: ClassVar = ("name", "cards")
    LABELS: ClassVar = {"known": "Cards players see", "shown": "Cards shown"}

    name: Annotated[str, "The deck's name: what the crew is searching, or who is hunting them"] = ""
    known: Annotated[
        DeckVisibility, "Which cards players see: none (secret), those listed in `shown` (partly) or all (known)"
    ] = DeckVisibility.SECRET
    shown: Annotated[tuple[str, ...], "Keys of the cards that players see"] = ()
    draw: Annotated[Literal[1, 2], "Cards to draw at a time: of two, keep one and return the other"] = 1
    together: Annotated[bool, "Built with the players: for each card they add, you add a bad or neutral one"] = False
    drawn: Annotated[tuple[str, ...], "Keys of the cards that have been drawn"] = ()
    aside: Annotated[tuple[str, ...], "Keys of the cards that are set aside until you return them"] = ()
    kept: Annotated[tuple[str, ...], "Keys of the cards that are kept for later and listed with the ship"] = ()
    notes: Annotated[str, "For the wayfinder"] = ""
    cards: Annotated[Mapping[str, Card], "The cards, each under a key of your choice"] = field(default_factory=dict)

    @property
    def pile(self) -> tuple[str, ...]:
        """The keys of the cards that can be drawn, in the order of the file."""
        gone = {*self.drawn, *self.kept, *self.aside}
        return tuple(key for key in self.cards if key not in gone)

    @property
    def out(self) -> tuple[str, ...]:
        """The keys of cards that were drawn, kept or set aside and are still in the deck."""
        return tuple(key for key in (*self.drawn, *self.kept, *self.aside) if key in self.cards)

    def where(self, key: str) -> Where:
        """Return where a card is. If the file lists a card twice, set aside counts first, then kept, then drawn."""
        if key in self.aside:
            return Where.ASIDE
        if key in self.kept:
            return Where.KEPT
        return Where.DRAWN if key in self.drawn else Where.PILE

    def shows(self, key: str) -> bool:
        """Whether players see that card, if only some of them (NM-14)."""
        return self.shows_all(key) or bool(key in self.cards and self.cards[key].seen_by)

    def shows_all(self, key: str) -> bool:
        """Whether every player sees that card."""
        if key in self.cards and self.cards[key].seen_by:
            return False
        return self.known is DeckVisibility.KNOWN or (self.known is DeckVisibility.PARTLY and key in self.shown)


Decks = Mapping[str, Deck]


class Where(StrEnum):
    """The place of a card: in the pile, or out of it in one of three ways."""

    PILE = "pile"
    DRAWN = "drawn"
    KEPT = "kept"
    ASIDE = "aside"


def owed_count(deck: Deck) -> int:
    """Return how many cards the wayfinder still has to add to a deck built with the players (NM-15)."""
    return sum(_owed_by_kind(deck))


def owed_words(deck: Deck) -> str:
    """Return those cards in words: `2 bad cards and 1 bad or neutral card`. Empty if none."""
    first, answers = _owed_by_kind(deck)
    parts = ((first, "bad"), (answers, "bad or neutral"))
    return join_names(f"{count} {what} {'card' if count == 1 else 'cards'}" for count, what in parts if count)


def _owed_by_kind(deck: Deck) -> tuple[int, int]:
    """Return the bad cards missing from the first four, and the bad or neutral ones due for the players' cards.

    Every bad card of the wayfinder's beyond the first four counts for a player's card, in whichever order they were
    added.
    """
    if not deck.together:
        return 0, 0
    kinds = [card.luck for card in deck.cards.values() if card.by == "wayfinder"]
    first = max(0, _FIRST_BAD - kinds.count(CardKind.BAD))
    answers = len(kinds) - kinds.count(CardKind.GOOD) - (_FIRST_BAD - first)
    theirs = sum(card.by == "players" for card in deck.cards.values())
    return first, max(0, theirs - answers)


def balance(deck: Deck) -> Mapping[CardKind, int]:
    """Return how many cards of each kind are in the pile."""
    count = Counter(deck.cards[key].luck for key in deck.pile)
    return {luck: count[luck] for luck in CardKind}


def cannot_draw(deck: Deck) -> Refusal | None:
    """Return why no card can be drawn: the pile is empty (NM-11), or cards are owed (NM-15). None if one can."""
    if missing := owed_words(deck):
        return Refusal(f"“{deck.name}” needs {missing} before anyone can draw", "NM-15")
    if not deck.pile:
        return Refusal(f"“{deck.name}” is empty" + (": shuffle it" if deck.drawn else ""), "NM-11")
    return None


def chances(deck: Deck) -> Odds | None:
    """Return the exact odds of the next draw. If two are drawn, the better one counts, as it may be kept (NM-13)."""
    pile = [deck.cards[key].luck for key in deck.pile]
    if not pile:
        return None
    order = list(CardKind)
    drawn: Sequence[CardKind] = pile
    if deck.draw > 1 and len(pile) > 1:
        drawn = [min(pair, key=order.index) for pair in combinations(pile, 2)]
    count = Counter(drawn)
    spread = tuple(
        Chance(luck.value, _LABELS[luck], _MOODS[luck], Ratio(count[luck], len(drawn))) for luck in reversed(order)
    )
    dice = f"{len(pile)} cards" if len(pile) != 1 else "the last card"
    return Odds(dice, Spread("the better of two" if drawn is not pile else "the next card", spread))


_LABELS = {CardKind.GOOD: "Good", CardKind.NEUTRAL: "Neutral", CardKind.BAD: "Bad"}
_MOODS: Mapping[CardKind, OutcomeGrade | None] = {
    CardKind.GOOD: OutcomeGrade.SUCCESS,
    CardKind.NEUTRAL: None,
    CardKind.BAD: OutcomeGrade.FIASCO,
}


def with_drawn(deck: Deck, key: str) -> Deck:
    """Return the deck after a draw.

    The card may change how many are drawn from now on. A card with uses is kept (NM-18). Any other stays out, unless it
    says that it goes back (NM-12).
    """
    card = deck.cards[key]
    if card.uses:
        deck = keep(deck, key, card)
    elif not card.returns:
        deck = replace(deck, drawn=(*deck.drawn, key))
    return replace(deck, draw=2) if card.sets_draw > 1 else replace(deck, draw=1) if card.sets_draw else deck


def keep(deck: Deck, key: str, card: Card) -> Deck:
    """Return the deck with that card kept, with all its uses (NM-18)."""
    return replace(
        deck,
        drawn=tuple(other for other in deck.drawn if other != key),
        aside=tuple(other for other in deck.aside if other != key),
        kept=(*(other for other in deck.kept if other != key), key),
        cards={**deck.cards, key: replace(card, used=0)},
    )


def use(deck: Deck, key: str) -> Deck:
    """Return the deck after one use of a kept card. After the last use the card counts as drawn (NM-18)."""
    card = replace(deck.cards[key], used=deck.cards[key].used + 1)
    deck = replace(deck, cards={**deck.cards, key: card})
    if remaining_uses(card):
        return deck
    return replace(deck, kept=tuple(other for other in deck.kept if other != key), drawn=(*deck.drawn, key))


def remaining_uses(card: Card) -> int:
    """Return how many uses a kept card has left."""
    return max(0, card.uses - card.used)


def kept_cards(decks: Decks) -> Iterator[tuple[str, str, Card]]:
    """Yield every kept card: the deck's key, the card's key, and the card."""
    for name, deck in decks.items():
        yield from ((name, key, deck.cards[key]) for key in deck.kept if key in deck.cards)
