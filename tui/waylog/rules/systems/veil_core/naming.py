"""Words for what has a name: crew and modules as they are typed in moves, and the one letter that stands for each."""

from __future__ import annotations

from collections.abc import Mapping

from waylog.rules.naming import words_for
from waylog.rules.systems.veil_core.moment import Moment
from waylog.rules.systems.veil_core.sheet import Bay, Core

_NOT_FOR_CREW = frozenset(("cpu", "hul", "nav", "ship", "crew", "all", "fill", "empty"))
_NOT_FOR_MODULES = frozenset(("standard", "risky", "desperate", "dice", "integrity", "engineering"))
"""Words that mean something else in the same moves."""
LETTERS: Mapping[Core, str] = {Core.CPU: "c", Core.HUL: "h", Core.NAV: "n"}
SHIP_LETTER = "s"


def crew_words(moment: Moment) -> Mapping[str, str]:
    """Crew keys by the word that is typed for them."""
    return words_for(((key, key) for key, _ in moment.crew()), "crew", _NOT_FOR_CREW)


def crew_letters(moment: Moment) -> Mapping[str, str]:
    """The letter of each crew member by key: of their name where one is free, and none where none is left."""
    taken = {*LETTERS.values(), SHIP_LETTER}
    letters: dict[str, str] = {}
    for word, key in crew_words(moment).items():
        free = (letter for letter in word + "abcdefghijklmnopqrstuvwxyz" if letter.isalpha() and letter not in taken)
        letters[key] = next(free, "")
        taken.add(letters[key])
    return letters


def who_is(moment: Moment, word: str) -> str:
    """The key of the crew member whose word it is."""
    return crew_words(moment)[word]


def module_words(moment: Moment) -> Mapping[str, Bay]:
    """Slots by the word for the module in them."""
    words = words_for(((bay.value, module.name) for bay, module in moment.modules()), "module", _NOT_FOR_MODULES)
    return {word: Bay(bay) for word, bay in words.items()}
