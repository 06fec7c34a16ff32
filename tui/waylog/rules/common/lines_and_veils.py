"""What the people at the table don't want in the game: *lines* never happen, *veils* happen out of sight.

The file `lines.toml` lists them, for the wayfinder alone. Texts of tables, decks and clocks that mention one are marked, so
that nobody reads them out by accident. Nothing is forbidden, and no rule depends on it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Annotated

from waylog.rules.common.clocks import Clock
from waylog.rules.common.decks import Deck
from waylog.rules.common.random_tables import RandomTable
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
        return tuple(
            f"{kind}: {each}" for kind, each in listed if (found := _pattern(each)) and any(map(found.search, texts))
        )


@lru_cache(256)
def _pattern(listed: str) -> re.Pattern[str] | None:
    """Return the pattern that finds a line or a veil in a text; None if it has no letters."""
    words = [
        word[:-1] if len(word) > _PLURAL and word.casefold().endswith("s") else word
        for word in re.findall(r"\w+", listed)
    ]
    return re.compile(r"\b" + r"\w*\W+".join(map(re.escape, words)), re.IGNORECASE) if words else None


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
