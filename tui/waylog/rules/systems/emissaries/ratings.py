"""Ratings: dice written as `3d6` or `1d4 4d8`. In memory, a rating is the sizes of its dice, smallest first."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

SIZES = (4, 6, 8, 10)
"""The die sizes of this game."""
MOST = 40
"""The most dice of one size in a rating, in all its parts."""

Rating = tuple[int, ...]

_PART = re.compile(r"([1-9]\d?)d(4|6|8|10)")
_DIE = r"[1-9]\d?[dD](4|6|8|10)"
_DICE = rf"{_DIE}(\s+{_DIE})*"
RATED = rf"^\s*{_DICE}\s*$"
"""The pattern of a rating, for editors: `3d6`, `1d4 4d8`."""
RATED_OR_EMPTY = rf"^\s*({_DICE}\s*)?$"
"""The pattern of a rating that may be empty."""
DRAWN = rf"^(all|none|\s*{_DICE}\s*)$"
"""The pattern of a rating that may be `all` or `none`."""
NAMED_AND_RATED = rf"^.*\S\s+{_DICE}\s*$"
"""The pattern of a name with a rating: `Engines 3d6`."""
_LIKE_DICE = re.compile(r"\d*d\d+")
"""Text that is meant as dice, whether or not there are such dice."""


def rating(text: str) -> Rating:
    """Return the dice that `text` names; none if it is empty. Raises `ValueError` with the right form."""
    counts = dict.fromkeys(SIZES, 0)
    for part in text.lower().split():
        found = _PART.fullmatch(part)
        if found is None:
            raise ValueError(f"“{part}” is not a rating; write it like 3d6, with dice of 4, 6, 8 or 10 sides")
        counts[int(found[2])] += int(found[1])
        if counts[int(found[2])] > MOST:
            raise ValueError(f"with “{part}” it has more than {MOST}d{found[2]}; write a rating like 3d6")
    return tuple(sides for sides in SIZES for _ in range(counts[sides]))


def dice_of(text: str) -> Rating:
    """Return the dice that `text` names, and none for a wrong text, which the check reports."""
    try:
        return rating(text)
    except ValueError:
        return ()


def split_name_and_rating(name: str, dice: str = "") -> tuple[str, str]:
    """Split a name from its rating. Without `dice`, dice at the end of the name are the rating. Raises `ValueError` for
    dice that this game doesn't have.
    """
    name, dice = name_and_dice(name, dice)
    return name, format_rating(rating(dice))


def name_and_dice(name: str, dice: str) -> tuple[str, str]:
    """Split a name from the dice at its end, or else before it, as typed; they needn't be legal."""
    words = name.split()
    if dice.strip():
        return " ".join(words), dice.strip()
    at = len(words)
    while at and _LIKE_DICE.fullmatch(words[at - 1].lower()):
        at -= 1
    if at == len(words):
        first = next((place for place, word in enumerate(words) if not _LIKE_DICE.fullmatch(word.lower())), 0)
        return " ".join(words[first:]), " ".join(words[:first])
    return " ".join(words[:at]), " ".join(words[at:])


def format_rating(dice: Iterable[int]) -> str:
    """Return dice as a rating, smallest first: `1d4 4d8`."""
    counts = Counter(dice)
    return " ".join(f"{counts[sides]}d{sides}" for sides in sorted(counts))


def larger(dice: Rating) -> Rating | None:
    """Return each die one size larger; None if one is a d10, the largest."""
    if not dice or max(dice) == SIZES[-1]:
        return None
    return tuple(SIZES[SIZES.index(sides) + 1] for sides in dice)


def without(dice: Rating, taken: Rating) -> Rating | None:
    """Return the dice without those taken; None if they don't include them."""
    left = Counter(dice)
    left.subtract(taken)
    if min(left.values(), default=0) < 0:
        return None
    return tuple(sorted(left.elements()))


def overdrawn(dice: Rating, taken: Rating) -> Rating:
    """Return the taken dice that are not among the dice."""
    return tuple(sorted((Counter(taken) - Counter(dice)).elements()))


def dice_left(dice: Rating, taken: Rating) -> Rating:
    """Return the dice that are not taken; others in `taken` are ignored."""
    return tuple(sorted((Counter(dice) - Counter(taken)).elements()))
