"""What the people at the table don't want in the game: *lines* never happen, *veils* happen out of sight.

The file `lines.toml` lists them, for the wayfinder alone. Texts of tables, decks and clocks that mention one are marked, so
that nobody reads them out by accident. Nothing is forbidden, and no rule depends on it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Annotated

from waylog.rules.common.clocks import Clock
from waylog.rules.common.decks import Deck
from waylog.rules.common.random_tables import RandomTable
from waylog.rules.word_matching import fold
from waylog.values import dataclass

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
        return tuple(
            f"{kind}: {each}"
            for kind, each in listed
            if (words := _words(each)) and _begins_one(words[0], there) and any(map(_pattern(words).search, texts))
        )


def _begins_one(word: str, words: Sequence[str]) -> bool:
    """Whether one of the sorted, folded words begins with that word."""
    begun = fold(word)
    place = bisect_left(words, begun)
    return place < len(words) and words[place].startswith(begun)


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
