"""Decks of cards, for every system: what a search turns up, how a hunt goes (NM-10…NM-16)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from enum import StrEnum
from fractions import Fraction
from itertools import combinations
from typing import Annotated, ClassVar, Literal

from waylog.rules.facts import OutcomeGrade
from waylog.rules.moves import Refusal
from waylog.rules.naming import join_names
from waylog.rules.odds import Chance, Odds, Spread
from waylog.rules.sheets import Between
from waylog.values import dataclass

_FIRST_BAD = 4
"""A deck that is built together begins with that many bad cards (NM-15)."""


class CardKind(StrEnum):
    """What kind of news a card is (NM-10)."""

    GOOD = "good"
    NEUTRAL = "neutral"
    BAD = "bad"


class DeckVisibility(StrEnum):
    """What the players know of the pile (NM-14)."""

    SECRET = "secret"
    PARTLY = "partly"
    KNOWN = "known"


@dataclass(frozen=True, slots=True)
class Card:
    """A card of a deck. Where it lies is the deck's to say."""

    ALWAYS_WRITTEN: ClassVar = ("text", "luck")
    ON_A_LINE: ClassVar = True

    text: Annotated[str, "What is read out when it is drawn"] = ""
    luck: Annotated[CardKind, "good, neutral or bad"] = CardKind.NEUTRAL
    returns: Annotated[bool, "It goes back into the pile when it was drawn"] = False
    effect: Annotated[str, "An act in words, offered when it is drawn: damage ship, expose all, clock …, table …"] = ""
    sets_draw: Annotated[int, Between(0, 2, "NM-13"), "Once drawn: 2 draws two and keeps one from then on"] = 0
    by: Annotated[Literal["wayfinder", "players"], "Who put it into a deck that is built together"] = "wayfinder"
    uses: Annotated[int, Between(0, 99, "NM-18"), "Kept for later when it is drawn: how often it can be used"] = 0
    used: Annotated[int, Between(0, 99, "NM-18"), "How often it was used since it is kept"] = 0
    condition: Annotated[str, "What has to be so for a kept card to be used: the power is back"] = ""


@dataclass(frozen=True, slots=True)
class Deck:
    """A named set of cards. The pile is every card that is neither drawn nor kept nor put aside (NM-10, NM-18)."""

    ALWAYS_WRITTEN: ClassVar = ("name", "cards")

    name: Annotated[str, "What is searched, or who hunts"] = ""
    known: Annotated[DeckVisibility, "What players know of the pile: secret, partly (the cards in shown) or known"] = (
        DeckVisibility.SECRET
    )
    shown: Annotated[tuple[str, ...], "Cards that the players know, by key"] = ()
    draw: Annotated[Literal[1, 2], "2: draw two, keep one, and the other goes back"] = 1
    together: Annotated[bool, "Built with the players: each of their cards is owed a bad or neutral one"] = False
    drawn: Annotated[tuple[str, ...], "Cards that are out, by key"] = ()
    aside: Annotated[tuple[str, ...], "Cards that are out of the game until they are put back, by key"] = ()
    kept: Annotated[tuple[str, ...], "Cards that are kept for later, with the ship, by key"] = ()
    notes: Annotated[str, "For the wayfinder"] = ""
    cards: Annotated[Mapping[str, Card], "By a key of your own"] = field(default_factory=dict)

    @property
    def pile(self) -> tuple[str, ...]:
        """What may be drawn, in the order of the file."""
        gone = {*self.drawn, *self.kept, *self.aside}
        return tuple(key for key in self.cards if key not in gone)

    @property
    def out(self) -> tuple[str, ...]:
        """What was drawn, kept or put aside, and is still a card of the deck."""
        return tuple(key for key in (*self.drawn, *self.kept, *self.aside) if key in self.cards)

    def where(self, key: str) -> Where:
        """Where one of its cards is. A file may name a card in two lists; then the first of aside, kept, drawn counts."""
        if key in self.aside:
            return Where.ASIDE
        if key in self.kept:
            return Where.KEPT
        return Where.DRAWN if key in self.drawn else Where.PILE

    def shows(self, key: str) -> bool:
        """The players know that card (NM-14)."""
        return self.known is DeckVisibility.KNOWN or (self.known is DeckVisibility.PARTLY and key in self.shown)


Decks = Mapping[str, Deck]


class Where(StrEnum):
    """Where a card is."""

    PILE = "pile"
    DRAWN = "drawn"
    KEPT = "kept"
    ASIDE = "aside"


def owed_count(deck: Deck) -> int:
    """How many cards the wayfinder has yet to add to a deck that is built together (NM-15)."""
    return sum(_owed_by_kind(deck))


def owed_words(deck: Deck) -> str:
    """Which cards those are: `2 bad cards and 1 bad or neutral card`. Empty when nothing is owed."""
    first, answers = _owed_by_kind(deck)
    parts = ((first, "bad"), (answers, "bad or neutral"))
    return join_names(f"{count} {what} {'card' if count == 1 else 'cards'}" for count, what in parts if count)


def _owed_by_kind(deck: Deck) -> tuple[int, int]:
    """The bad cards missing of the first four, and the bad or neutral ones that answer the players' cards.

    What the wayfinder has beside the first four bad ones counts as answers, whether it came before them or after.
    """
    if not deck.together:
        return 0, 0
    kinds = [card.luck for card in deck.cards.values() if card.by == "wayfinder"]
    first = max(0, _FIRST_BAD - kinds.count(CardKind.BAD))
    answers = len(kinds) - kinds.count(CardKind.GOOD) - (_FIRST_BAD - first)
    theirs = sum(card.by == "players" for card in deck.cards.values())
    return first, max(0, theirs - answers)


def balance(deck: Deck) -> Mapping[CardKind, int]:
    """How many cards of each kind are in the pile."""
    count = Counter(deck.cards[key].luck for key in deck.pile)
    return {luck: count[luck] for luck in CardKind}


def cannot_draw(deck: Deck) -> Refusal | None:
    """Why no card can be drawn now: the pile is empty (NM-11), or a card is owed (NM-15)."""
    if missing := owed_words(deck):
        return Refusal(f"add {missing} to “{deck.name}” first", "NM-15")
    if not deck.pile:
        return Refusal(f"“{deck.name}” is empty" + ("; shuffle it" if deck.drawn else ""), "NM-11")
    return None


def chances(deck: Deck) -> Odds | None:
    """What the next draw may bring, exactly; of two cards the better one, as it may be kept (NM-13)."""
    pile = [deck.cards[key].luck for key in deck.pile]
    if not pile:
        return None
    order = list(CardKind)
    drawn: Sequence[CardKind] = pile
    if deck.draw > 1 and len(pile) > 1:
        drawn = [min(pair, key=order.index) for pair in combinations(pile, 2)]
    count = Counter(drawn)
    spread = tuple(
        Chance(luck.value, _LABELS[luck], _MOODS[luck], Fraction(count[luck], len(drawn))) for luck in reversed(order)
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
    """The deck after a card was drawn, and how one draws from then on.

    A card with uses is kept (NM-18). Another stays out, unless it says that it returns (NM-12).
    """
    card = deck.cards[key]
    if card.uses:
        deck = keep(deck, key, card)
    elif not card.returns:
        deck = replace(deck, drawn=(*deck.drawn, key))
    return replace(deck, draw=2) if card.sets_draw > 1 else replace(deck, draw=1) if card.sets_draw else deck


def keep(deck: Deck, key: str, card: Card) -> Deck:
    """The deck with that card kept, as `card` says, and none of its uses used (NM-18)."""
    return replace(
        deck,
        drawn=tuple(other for other in deck.drawn if other != key),
        aside=tuple(other for other in deck.aside if other != key),
        kept=(*(other for other in deck.kept if other != key), key),
        cards={**deck.cards, key: replace(card, used=0)},
    )


def use(deck: Deck, key: str) -> Deck:
    """The deck after a use of a kept card: after its last one it is out, as if it had just been drawn (NM-18)."""
    card = replace(deck.cards[key], used=deck.cards[key].used + 1)
    deck = replace(deck, cards={**deck.cards, key: card})
    if remaining_uses(card):
        return deck
    return replace(deck, kept=tuple(other for other in deck.kept if other != key), drawn=(*deck.drawn, key))


def remaining_uses(card: Card) -> int:
    """How often a kept card can still be used."""
    return max(0, card.uses - card.used)


def kept_cards(decks: Decks) -> Iterator[tuple[str, str, Card]]:
    """Every kept card that its deck still has: the deck, its key, and the card."""
    for name, deck in decks.items():
        yield from ((name, key, deck.cards[key]) for key in deck.kept if key in deck.cards)
