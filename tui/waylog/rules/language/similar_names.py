"""Compare a typed word with names: by their beginning, by a part of them, by letters in order, or with typing errors."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from enum import IntEnum
from functools import lru_cache

_PARTS = r"[^\W_]+"
_BETWEEN_NAMES = r" *[,()] *"
_LONGEST = 60
"""The most letters of a word that are compared."""
_PLAIN = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d", "ı": "i"})
"""Letters that Unicode doesn't split into a base letter and an accent."""


class Reach(IntEnum):
    """A limit on how much a word may differ from the name that it stands for."""

    WORDS = 0
    """It begins a word that is typed and logged: an id."""
    NAMES = 1
    """It is part of a name on screen."""
    GUESS = 2
    """Its letters occur in a name in the same order. Only if a person sees the meaning before the act is done."""


@lru_cache(maxsize=4096)
def fold(text: str) -> str:
    """Return the text in lower case, without accents."""
    if text.isascii():
        return text.casefold()
    from unicodedata import combining, normalize  # Few starts need this module.

    plain = normalize("NFKD", text.casefold()).translate(_PLAIN)
    return "".join(char for char in plain if not combining(char))


@lru_cache(maxsize=4096)
def parts_of(text: str) -> tuple[str, ...]:
    """Return the words of a name, folded: `I flew at Altera` has four."""
    return tuple(re.findall(_PARTS, fold(text)))


def find_words(text: str, words: Iterable[str]) -> list[range]:
    """Return where the text has one of these folded words, in order; what overlaps is one range. Case and accents don't
    matter.
    """
    places: Sequence[int] = range(len(text) + 1)
    folded = text.lower()
    if not text.isascii():
        parts = [fold(char) for char in text]
        folded = "".join(parts)
        places = [place for place, part in enumerate(parts) for _ in part] + [len(text)]
    found = list[range]()
    for start, end in sorted(
        (match.start(), match.end()) for word in words if word for match in re.finditer(re.escape(word), folded)
    ):
        first, last = places[start], places[end - 1] + 1
        if found and first <= found[-1].stop:
            found[-1] = range(found[-1].start, max(last, found[-1].stop))
        else:
            found.append(range(first, last))
    return found


def closeness(word: str, names: Iterable[str], reach: Reach) -> int:
    """Return how well a typed word fits one of the names: 4 if it is one, or all that stands between two commas or brackets of one; 3 if
    it begins a word of one, 2 if it is part of one, 1 for a guess, 0 if it doesn't fit.
    """
    wanted = fold(word)[:_LONGEST]
    if not wanted or reach is Reach.WORDS:
        return 0
    texts = [fold(name) for name in names]
    if begun := [text for text in texts if any(part.startswith(wanted) for part in parts_of(text))]:
        return 4 if any(wanted in re.split(_BETWEEN_NAMES, text) for text in begun) else 3
    if len(wanted) > 2 and any(wanted in text for text in texts):
        return 2
    guessed = reach is Reach.GUESS and len(wanted) > 1 and any(_in_order(wanted, text) for text in texts)
    return int(guessed)


def _in_order(letters: str, text: str) -> bool:
    """Whether the letters occur in the text in this order. In each word, the first of them has to be its first letter."""
    starts = {match.start() for match in re.finditer(_PARTS, text)}
    ends = {place for place in starts if text[place] == letters[0]}
    for letter in letters[1:]:
        reached = set[int]()
        for place in ends:
            same = True
            for later in range(place + 1, len(text)):
                same = same and later not in starts
                if text[later] == letter and (same or later in starts):
                    reached.add(later)
        ends = reached
    return bool(ends)


def nearest(word: str, names: Iterable[str]) -> str | None:
    """Return the name that a misspelt word most likely means, comparing it with whole names and with their words. None
    if none is near.
    """
    wanted = fold(word)[:_LONGEST]
    allowed = 1 if len(wanted) < 5 else 2 if len(wanted) < 9 else 3
    found = [
        (min(_errors(wanted, part, allowed) for part in (fold(name), *parts_of(name))), place, name)
        for place, name in enumerate(names)
        if name
    ]
    errors, _, name = min(found, default=(allowed + 1, 0, ""))
    return name if errors <= allowed and len(wanted) > errors + 1 else None


def _errors(one: str, other: str, most: int) -> int:
    """Return how many letters to change, add, drop or swap to turn one word into the other. More than `most` if it
    needs more.
    """
    if abs(len(one) - len(other)) > most:
        return most + 1
    before, row = list[int](), list(range(len(other) + 1))
    for i, letter in enumerate(one, 1):
        above, before, row = before, row, [i]
        for j, against in enumerate(other, 1):
            cost = min(before[j] + 1, row[-1] + 1, before[j - 1] + (letter != against))
            if i > 1 and j > 1 and letter == other[j - 2] and one[i - 2] == against:
                cost = min(cost, above[j - 2] + 1)
            row.append(cost)
    return row[-1]
