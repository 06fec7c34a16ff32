"""Words for what has a name: crew and modules as they are typed in moves, and the one letter that stands for each."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache

from waylog.rules.systems.veil_core.moment import Moment
from waylog.rules.systems.veil_core.sheet import Bay, Core

_TAKEN = frozenset(
    [
        "advance",
        "all",
        "arm",
        "begin",
        "by",
        "cpu",
        "crew",
        "dice",
        "downtime",
        "action",
        "desperate",
        "drawback",
        "empty",
        "engineering",
        "expertise",
        "fill",
        "focus",
        "foresight",
        "hul",
        "ingenuity",
        "integrity",
        "care",
        "keep",
        "life-support",
        "nav",
        "none",
        "over",
        "primary",
        "reckless",
        "risky",
        "secondary",
        "ship",
        "standard",
        "success",
        "failure",
    ]
)
"""Words that mean something else in moves."""
LETTERS: Mapping[Core, str] = {Core.CPU: "c", Core.HUL: "h", Core.NAV: "n"}
SHIP_LETTER = "s"


def slug(text: str) -> str:
    """A name as one word: `Mara Voss` → `mara-voss`. Empty when nothing of it can be typed."""
    return re.sub(r"[\W_]+", "-", text.lower()).strip("-")


def _words(names: Iterable[tuple[str, str]], kind: str) -> Mapping[str, str]:
    """A word for each (identity, name), no two the same and none that means something else."""
    words: dict[str, str] = {}
    for identity, name in names:
        base = slug(name)
        if not base or not base[0].isalpha() or base in _TAKEN:
            base = f"{kind}-{base}" if base else kind
        word, count = base, 2
        while word in words:
            word, count = f"{base}-{count}", count + 1
        words[word] = identity
    return words


@lru_cache(64)
def _crew_words(keys: tuple[str, ...]) -> Mapping[str, str]:
    return _words(((key, key) for key in keys), "crew")


def crew_words(moment: Moment) -> Mapping[str, str]:
    """Crew keys by the word that is typed for them."""
    return _crew_words(tuple(key for key, _ in moment.crew()))


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
    words = _words(((bay.value, module.name) for bay, module in moment.modules()), "module")
    return {word: Bay(bay) for word, bay in words.items()}


def listed(parts: Iterable[str], last: str = "and") -> str:
    """`a, b and c`."""
    every = list(parts)
    return f"{', '.join(every[:-1])} {last} {every[-1]}" if len(every) > 1 else "".join(every)
