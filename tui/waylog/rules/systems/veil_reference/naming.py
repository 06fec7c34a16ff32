"""Words for what has a name: crew and modules as they are typed in moves, and the one letter that stands for each of the crew."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from functools import lru_cache

from waylog.rules.naming import words_for
from waylog.rules.systems.veil_core.sheet import Bay
from waylog.rules.systems.veil_reference.moment import Moment
from waylog.rules.systems.veil_reference.sheet import Token

ALL = "all"
_ANYWHERE = frozenset((ALL, "ship", "die", "passes", *(token.value for token in Token)))
"""Words that mean something in moves of every game."""


def taken(moment: Moment) -> Collection[str]:
    """Words that nothing with a name of its own is called by."""
    return _ANYWHERE | moment.edition.reserved


@lru_cache(64)
def _words(names: tuple[tuple[str, str], ...], kind: str, taken: frozenset[str]) -> Mapping[str, str]:
    return words_for(names, kind, taken)


def crew_words(moment: Moment) -> Mapping[str, str]:
    """Crew keys by the word that is typed for them."""
    return _words(tuple((key, key) for key in moment.crew()), "crew", frozenset(taken(moment)))


def crew_letters(moment: Moment) -> Mapping[str, str]:
    """The letter of each crew member by key: of their name where one is free, and none where none is left."""
    letters: dict[str, str] = {}
    for word, key in crew_words(moment).items():
        every = word + "abcdefghijklmnopqrstuvwxyz"
        letters[key] = next(
            (letter for letter in every if letter.isalpha() and letter not in letters.values()),
            "",
        )
    return letters


def who_is(moment: Moment, word: str) -> str:
    """The key of the crew member whose word it is."""
    return crew_words(moment)[word]


def module_words(moment: Moment) -> Mapping[str, Bay]:
    """Slots by the word for the module in them."""
    names = tuple((bay.value, module.name) for bay, module in moment.modules())
    found = _words(names, "module", frozenset((*taken(moment), *crew_words(moment))))
    return {word: Bay(bay) for word, bay in found.items()}


def own_words(
    moment: Moment, names: tuple[tuple[str, str], ...], kind: str, more: Collection[str] = ()
) -> Mapping[str, str]:
    """Words for what someone has, none of which is a crew member's, a module's or one `more`."""
    return _words(names, kind, frozenset((*taken(moment), *crew_words(moment), *module_words(moment), *more)))


def times(count: int, what: str) -> str:
    """`1 die`, `2 dice`, `3 hits`."""
    many = {"die": "dice"}.get(what, f"{what}s")
    return f"{count} {what if count == 1 else many}"
