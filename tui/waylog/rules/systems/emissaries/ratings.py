"""Ratings: dice written as `3d6` or `1d4 4d8`. A rating is the sizes of its dice, smallest first."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable

SIZES = (4, 6, 8, 10)
"""The dice of this game."""
MOST = 40
"""As many dice of one size as a rating may name, in one part or in several."""

Rating = tuple[int, ...]

_PART = re.compile(r"([1-9]\d?)d(4|6|8|10)")
_DIE = r"[1-9]\d?[dD](4|6|8|10)"
_DICE = rf"{_DIE}(\s+{_DIE})*"
RATED = rf"^\s*{_DICE}\s*$"
"""What a rating looks like, for editors: `3d6`, `1d4 4d8`."""
RATED_OR_EMPTY = rf"^\s*({_DICE}\s*)?$"
"""The same where there may be none."""
DRAWN = rf"^(all|none|\s*{_DICE}\s*)$"
"""The same where it may be all dice, or none."""
NAMED_AND_RATED = rf"^.*\S\s+{_DICE}\s*$"
"""What a name with a rating looks like: `Engines 3d6`."""
_LIKE_DICE = re.compile(r"\d*d\d+")
"""What is meant as dice, whether or not there are such dice."""


def rating(text: str) -> Rating:
    """The dice that `text` names; none for an empty one. Raises `ValueError` with what would be right."""
    counts = dict.fromkeys(SIZES, 0)
    for part in text.lower().split():
        found = _PART.fullmatch(part)
        if found is None:
            raise ValueError(f"“{part}” is no rating; one is written like 3d6, with dice of 4, 6, 8 or 10 sides")
        counts[int(found[2])] += int(found[1])
        if counts[int(found[2])] > MOST:
            raise ValueError(f"with “{part}” it has more than {MOST}d{found[2]}; a rating is written like 3d6")
    return tuple(sides for sides in SIZES for _ in range(counts[sides]))


def dice_of(text: str) -> Rating:
    """The same, and no dice where a file says what is none: its check has named that already."""
    try:
        return rating(text)
    except ValueError:
        return ()


def split_name_and_rating(name: str, dice: str = "") -> tuple[str, str]:
    """A name, and a rating as it is written. Where none is given, dice at the end of the name are the rating.

    Raises `ValueError` for dice that are none of this game's.
    """
    name, dice = name_and_dice(name, dice)
    return name, format_rating(rating(dice))


def name_and_dice(name: str, dice: str) -> tuple[str, str]:
    """A name without the dice at its end, and the dice as they were typed, of which none may be any."""
    words = name.split()
    at = len(words)
    while not dice.strip() and at and _LIKE_DICE.fullmatch(words[at - 1].lower()):
        at -= 1
    return " ".join(words[:at]), dice.strip() or " ".join(words[at:])


def format_rating(dice: Iterable[int]) -> str:
    """`1d4 4d8`: the dice as a rating, smallest first."""
    counts = Counter(dice)
    return " ".join(f"{counts[sides]}d{sides}" for sides in sorted(counts))


def larger(dice: Rating) -> Rating | None:
    """Each die one size up; None where there is a d10, which has no size above it."""
    if not dice or max(dice) == SIZES[-1]:
        return None
    return tuple(SIZES[SIZES.index(sides) + 1] for sides in dice)


def without(dice: Rating, taken: Rating) -> Rating | None:
    """What is left of dice when some are taken; None where those are not there."""
    left = Counter(dice)
    left.subtract(taken)
    if min(left.values(), default=0) < 0:
        return None
    return tuple(sorted(left.elements()))


def overdrawn(dice: Rating, taken: Rating) -> Rating:
    """What of `taken` is not among the dice."""
    return tuple(sorted((Counter(taken) - Counter(dice)).elements()))


def dice_left(dice: Rating, taken: Rating) -> Rating:
    """What of the dice is not taken, whatever else is."""
    return tuple(sorted((Counter(dice) - Counter(taken)).elements()))
