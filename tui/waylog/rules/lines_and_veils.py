"""Lines and veils: an entry of a table or a deck that mentions one is hidden from players until the wayfinder shows it.

What the people at the table don't want in the game: *lines* never happen, *veils* happen out of sight.

The file `lines.toml` lists them, for the wayfinder alone. Texts of tables, decks and clocks that mention one are marked, so
that nobody reads them out by accident. Nothing is forbidden, and no rule depends on it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache
from typing import Annotated

from waylog.rules.codec.changes import parse_path, quote_text
from waylog.rules.common.effects_and_circles import offer_words, with_offers
from waylog.rules.common.random_tables import RandomTable
from waylog.rules.common.scene_cards import SceneCard, texts
from waylog.rules.language.similar_names import fold
from waylog.rules.model.answers import format_act
from waylog.rules.model.clocks_situations_and_timers import Clock
from waylog.rules.model.decks import Deck
from waylog.rules.model.facts import NoteFact, RollFact
from waylog.rules.model.moves import Act
from waylog.rules.model.state import ACT, EffectOffer, OpenState, PlayResult, State
from waylog.values import dataclass, replace

_SOURCES = ("tables.", "decks.")
_AGAIN = ("table", "draw")
"""Verbs that bring up something else when they are played again."""


def hold_back(
    before: State, played: PlayResult, act: Act, find_mentions: Callable[[str], tuple[str, ...]]
) -> PlayResult:
    """Return the result with each text that mentions a line or a veil hidden, and its dice. Two offers are added: to show the text
    to players, and to bring up something else.

    `act` was played in the state `before`. `find_mentions` returns the lines and veils in a text.
    """
    # The facts in which players would read a text that a table or a deck has brought up.
    marked = [
        (fact, fact.quote, found)
        for fact in played.facts
        if isinstance(fact, NoteFact) and fact.quote is not None and not fact.secret and _is_outside(fact)
        if (found := find_mentions(fact.quote))
    ]
    if not marked:
        return played
    hidden = [fact for fact, _, _ in marked]
    facts = tuple(
        replace(fact, secret=True) if fact in hidden or (isinstance(fact, RollFact) and _is_outside(fact)) else fact
        for fact in played.facts
    )
    offers = [
        EffectOffer(_source_of(fact), f"Mentions {', '.join(found)}", f"note {quote_text(text)}")
        for fact, text, found in marked
        if not fact.seen_by  # All players would read it.
    ]
    # The command that brings something else up, unless the same would come up again.
    again = format_act(act.move, act.answers) if act.move.verb in _AGAIN else ""
    if act.move.verb == "effect" and before.open:
        again = offer_words(before.open)[act.move.words[0]].act
    if again:
        offers.append(EffectOffer(_source_of(hidden[0]), "Something else", again, instead=True))
    opened = with_offers(played.state.open or OpenState(), tuple(dict.fromkeys(offers)))
    return replace(played, facts=facts, state=replace(played.state, open=opened))


def _source_of(fact: NoteFact) -> str:
    """Return the source of the offers for a fact. It is no path of the file: offers of the file show nothing to players."""
    return f"{ACT}{parse_path(fact.about[-1])[1]}"


def _is_outside(fact: NoteFact | RollFact) -> bool:
    """Whether it comes from a table or a deck."""
    return any(path.startswith(_SOURCES) for path in fact.about)


_PLURAL = 4
"""Of a word with more letters than this, an “s” at its end is taken for a plural."""


@dataclass(frozen=True, slots=True)
class LinesAndVeils:
    """The contents of `lines.toml`."""

    lines: Annotated[tuple[str, ...], "What never happens in this game"] = ()
    veils: Annotated[tuple[str, ...], "What may happen, but is not described"] = ()

    def find_mentions(self, *texts: str) -> tuple[str, ...]:
        """Return a phrase for each line and veil that the texts mention: `line: spiders`.

        Upper and lower case are the same. A word also matches where it begins a longer one: “spiders” matches “spider” and
        “spiderweb”.
        """
        listed = [*(("line", each) for each in self.lines), *(("veil", each) for each in self.veils)]
        # Two hundred patterns take a second for each hundred thousand letters, so only those are tried whose first word is there.
        every = {word for text in texts for word in re.findall(r"\w+", text)} if listed else ()
        there = sorted(set(map(fold, every)))
        found = list[str]()
        for kind, each in listed:
            if not (words := _words(each)):
                continue
            begun = fold(words[0])
            place = bisect_left(there, begun)
            begins_one = place < len(there) and there[place].startswith(begun)
            if begins_one and any(map(_pattern(words).search, texts)):
                found.append(f"{kind}: {each}")
        return tuple(found)


@lru_cache(512)
def _words(listed: str) -> tuple[str, ...]:
    """Return the words of a line or a veil, in the singular."""
    return tuple(
        word[:-1] if len(word) > _PLURAL and word.casefold().endswith("s") else word
        for word in re.findall(r"\w+", listed)
    )


@lru_cache(512)
def _pattern(words: tuple[str, ...]) -> re.Pattern[str]:
    """Return the pattern that finds these words in a text."""
    return re.compile(r"\b" + r"\w*\W+".join(map(re.escape, words)), re.IGNORECASE)


def mentions_in_table(table: RandomTable, limits: LinesAndVeils) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the path in a table's file of each entry that mentions a line or a veil, with the phrase."""
    for at, entry in enumerate(table.entries):
        yield from ((("entries", str(at)), phrase) for phrase in limits.find_mentions(entry.text))
    for section, entries in table.sections.items():
        for at, entry in enumerate(entries):
            yield from ((("sections", section, str(at)), phrase) for phrase in limits.find_mentions(entry.text))


def mentions_in_card(card: SceneCard, limits: LinesAndVeils) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the path in a scene card's file of each text that mentions a line or a veil, with the phrase."""
    for path, text in texts(card):
        yield from ((path, phrase) for phrase in limits.find_mentions(text))


def mentions_in_campaign(
    clocks: Mapping[str, Clock], decks: Mapping[str, Deck], limits: LinesAndVeils
) -> Iterator[tuple[tuple[str, ...], str]]:
    """Yield the path in the campaign file of each clock and card that mentions a line or a veil, with the phrase."""
    for key, clock in clocks.items():
        yield from (
            (("clocks", key), phrase) for phrase in limits.find_mentions(clock.name, clock.outcome, clock.notes)
        )
    for key, deck in decks.items():
        for card, each in deck.cards.items():
            yield from ((("decks", key, "cards", card), phrase) for phrase in limits.find_mentions(each.text))
