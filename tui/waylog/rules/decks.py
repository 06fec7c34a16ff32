"""Decks of cards, for every system: what a search turns up, how a hunt goes (NM-10…NM-16)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import field, replace
from enum import StrEnum
from fractions import Fraction
from itertools import combinations
from typing import Annotated, ClassVar, Literal

from waylog.rules.moves import Refusal
from waylog.rules.odds import Chance, Odds, Spread
from waylog.rules.sheets import Between
from waylog.rules.turns import Mood
from waylog.values import dataclass

_FIRST_BAD = 4
"""A deck that is built together begins with that many bad cards (NM-15)."""


class Luck(StrEnum):
    """What kind of news a card is (NM-10)."""

    GOOD = "good"
    NEUTRAL = "neutral"
    BAD = "bad"


class Known(StrEnum):
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
    luck: Annotated[Luck, "good, neutral or bad"] = Luck.NEUTRAL
    returns: Annotated[bool, "It goes back into the pile when it was drawn"] = False
    effect: Annotated[str, "An act in words, offered when it is drawn: damage ship, expose all, clock …, table …"] = ""
    sets_draw: Annotated[int, Between(0, 2, "NM-13"), "Once drawn: 2 draws two and keeps one from then on"] = 0
    by: Annotated[Literal["wayfinder", "players"], "Who put it into a deck that is built together"] = "wayfinder"


@dataclass(frozen=True, slots=True)
class Deck:
    """A named set of cards. The pile is every card that is neither drawn nor put aside (NM-10)."""

    ALWAYS_WRITTEN: ClassVar = ("name", "cards")

    name: Annotated[str, "What is searched, or who hunts"] = ""
    known: Annotated[Known, "What players know of the pile: secret, partly (the cards in shown) or known"] = (
        Known.SECRET
    )
    shown: Annotated[tuple[str, ...], "Cards that the players know, by key"] = ()
    draw: Annotated[Literal[1, 2], "2: draw two, keep one, and the other goes back"] = 1
    together: Annotated[bool, "Built with the players: each of their cards is owed a bad or neutral one"] = False
    drawn: Annotated[tuple[str, ...], "Cards that are out, by key"] = ()
    aside: Annotated[tuple[str, ...], "Cards that are out of the game until they are put back, by key"] = ()
    notes: Annotated[str, "For the wayfinder"] = ""
    cards: Annotated[Mapping[str, Card], "By a key of your own"] = field(default_factory=dict)

    @property
    def pile(self) -> tuple[str, ...]:
        """What may be drawn, in the order of the file."""
        return tuple(key for key in self.cards if key not in self.drawn and key not in self.aside)

    @property
    def out(self) -> tuple[str, ...]:
        """What was drawn or put aside, and is still a card of the deck."""
        return tuple(key for key in (*self.drawn, *self.aside) if key in self.cards)

    def shows(self, key: str) -> bool:
        """The players know that card (NM-14)."""
        return self.known is Known.KNOWN or (self.known is Known.PARTLY and key in self.shown)


Decks = Mapping[str, Deck]


def owed(deck: Deck) -> int:
    """How many bad or neutral cards the wayfinder has yet to add to a deck that is built together (NM-15)."""
    if not deck.together:
        return 0
    own = [card.luck for card in deck.cards.values() if card.by == "wayfinder"]
    first = max(0, _FIRST_BAD - own.count(Luck.BAD))
    answers = len(own) - own.count(Luck.GOOD) - (_FIRST_BAD - first)
    theirs = sum(card.by == "players" for card in deck.cards.values())
    return first + max(0, theirs - answers)


def balance(deck: Deck) -> Mapping[Luck, int]:
    """How many cards of each kind are in the pile."""
    count = Counter(deck.cards[key].luck for key in deck.pile)
    return {luck: count[luck] for luck in Luck}


def cannot_draw(deck: Deck) -> Refusal | None:
    """Why no card can be drawn now: the pile is empty (NM-11), or a card is owed (NM-15)."""
    if missing := owed(deck):
        cards = "card" if missing == 1 else "cards"
        return Refusal(f"the wayfinder owes “{deck.name}” {missing} bad or neutral {cards}", "NM-15")
    if not deck.pile:
        return Refusal(f"“{deck.name}” is empty" + ("; shuffle it" if deck.drawn else ""), "NM-11")
    return None


def chances(deck: Deck) -> Odds | None:
    """What the next draw may bring, exactly; of two cards the better one, as it may be kept (NM-13)."""
    pile = [deck.cards[key].luck for key in deck.pile]
    if not pile:
        return None
    order = list(Luck)
    drawn: Sequence[Luck] = pile
    if deck.draw > 1 and len(pile) > 1:
        drawn = [min(pair, key=order.index) for pair in combinations(pile, 2)]
    count = Counter(drawn)
    spread = tuple(
        Chance(luck.value, _LABELS[luck], _MOODS[luck], Fraction(count[luck], len(drawn))) for luck in reversed(order)
    )
    dice = f"{len(pile)} cards" if len(pile) != 1 else "the last card"
    return Odds(dice, Spread("the better of two" if drawn is not pile else "the next card", spread))


_LABELS = {Luck.GOOD: "Good", Luck.NEUTRAL: "Neutral", Luck.BAD: "Bad"}
_MOODS: Mapping[Luck, Mood | None] = {Luck.GOOD: Mood.SUCCESS, Luck.NEUTRAL: None, Luck.BAD: Mood.FIASCO}


def kept(deck: Deck, key: str) -> Deck:
    """The deck after a card was drawn: it stays out unless it says that it returns, and may change how one draws."""
    card = deck.cards[key]
    deck = replace(deck, drawn=deck.drawn if card.returns else (*deck.drawn, key))
    return replace(deck, draw=2) if card.sets_draw > 1 else replace(deck, draw=1) if card.sets_draw else deck
