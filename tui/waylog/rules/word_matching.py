"""How a typed word is compared with names: from their beginning, by any part of them, by letters in their order, by typing errors."""

from __future__ import annotations

import re
from collections.abc import Iterable
from enum import IntEnum
from functools import lru_cache

_PARTS = re.compile(r"[^\W_]+")
_LONGEST = 60
"""Letters of a word that are compared. Nobody types more of one that they hope will be found."""
_PLAIN = str.maketrans({"ø": "o", "ł": "l", "đ": "d", "æ": "ae", "œ": "oe", "þ": "th", "ð": "d", "ı": "i"})
"""Letters that Unicode does not take apart into a letter and an accent."""


class Reach(IntEnum):
    """How far a word may be from what it stands for."""

    WORDS = 0
    """It begins a word that is typed and logged: an id."""
    NAMES = 1
    """It is part of a name as the screens show it."""
    GUESS = 2
    """Its letters stand in a name in their order. Only for a person who sees what it was taken for before it is done."""


@lru_cache(maxsize=4096)
def fold(text: str) -> str:
    """The text without case and accents."""
    if text.isascii():
        return text.casefold()
    from unicodedata import combining, normalize  # a library of its own, which few starts need

    plain = normalize("NFKD", text.casefold()).translate(_PLAIN)
    return "".join(char for char in plain if not combining(char))


@lru_cache(maxsize=4096)
def parts_of(text: str) -> tuple[str, ...]:
    """The words of a name, folded: `I flew at Altera` has four."""
    return tuple(_PARTS.findall(fold(text)))


def closeness(word: str, names: Iterable[str], reach: Reach) -> int:
    """How well a typed word fits one of the names, 0 for not at all: 3 begins a word of it, 2 is in it, 1 is a guess."""
    wanted = fold(word)[:_LONGEST]
    if not wanted or reach is Reach.WORDS:
        return 0
    texts = [fold(name) for name in names]
    if any(part.startswith(wanted) for text in texts for part in parts_of(text)):
        return 3
    if len(wanted) > 2 and any(wanted in text for text in texts):
        return 2
    guessed = reach is Reach.GUESS and len(wanted) > 1 and any(_in_order(wanted, text) for text in texts)
    return int(guessed)


def _in_order(letters: str, text: str) -> bool:
    """The letters stand in the text in this order, the first of them at the beginning of a word."""
    for start in re.finditer(rf"\b{re.escape(letters[0])}", text):
        rest = iter(text[start.start() :])
        if all(letter in rest for letter in letters):
            return True
    return False


def nearest(word: str, names: Iterable[str]) -> str | None:
    """The name that a mistyped word most likely meant: with few letters wrong, in it or in one of its words. None if none is near."""
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
    """Letters to change, add, drop or swap with their neighbour, so that one becomes the other; more than `most` if that many."""
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
