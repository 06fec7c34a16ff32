"""Backgrounds: the dice that they give, and the dice that are left of them (EG-01…EG-04)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from waylog.rules.systems.emissaries.ratings import Rating, dice_left, dice_of, overdrawn, rating
from waylog.rules.systems.emissaries.sheet import ALL, Emissary, HouseRules, Relationship, Stat, Trait, dice_in
from waylog.values import dataclass

LEAST = 2
"""The fewest dice in a stat (EG-01)."""
FAMILY: Rating = (6,)
"""The free dice of a relationship with a family member (EG-04)."""


@dataclass(frozen=True, slots=True)
class Background:
    """The source of an emissary's dice (EG-02)."""

    name: str
    stats: int
    """In d6."""
    traits: Rating
    relationships: Rating


BACKGROUNDS: Mapping[str, Background] = {
    "well-rounded": Background("Well-Rounded", 17, rating("1d4 6d8"), rating("4d6 2d8")),
    "strong-history": Background("Strong History", 13, rating("3d6 4d8 3d10"), rating("1d4 3d6 2d8")),
    "complicated-history": Background("Complicated History", 15, rating("4d4 2d6 2d10"), rating("5d6 2d8")),
    "strong-community": Background("Strong Community", 13, rating("1d4 3d6 2d8"), rating("4d6 4d8 3d10")),
    "complicated-community": Background("Complicated Community", 15, rating("6d6 2d8"), rating("4d4 2d6 2d8 2d10")),
}
_FOUR_D6 = rating("1d4 4d6 2d8")


def trait_dice(rules: HouseRules, background: str) -> Rating:
    """Return a background's trait dice. A house rule chooses between two readings of Well-Rounded (EG-02)."""
    if background == "well-rounded" and rules.well_rounded_traits == "four-d6":
        return _FOUR_D6
    return BACKGROUNDS[background].traits if background else ()


def relationship_dice(background: str) -> Rating:
    """Return a background's relationship dice (EG-02)."""
    return BACKGROUNDS[background].relationships if background else ()


def dice_from_background(item: Trait | Relationship) -> Rating:
    """Return the dice of an item that the background gave. A family member's 1d6 is free (EG-04)."""
    dice = dice_of(item.dice) if item.drawn == ALL else dice_of(item.drawn)
    return () if isinstance(item, Relationship) and item.family and dice == FAMILY else dice


def _dice_used_by(items: Iterable[Trait | Relationship]) -> Rating:
    return tuple(sides for item in items for sides in dice_from_background(item))


@dataclass(frozen=True, slots=True)
class Left:
    """The dice of a background that are left, and the dice that were used although it doesn't give them."""

    stats: int
    """Number of d6 left for stats; below 0 if too many are used."""
    traits: Rating
    relationships: Rating
    traits_over: Rating
    relationships_over: Rating


def dice_remaining(rules: HouseRules, emissary: Emissary) -> Left:
    """Return the dice that are left for an emissary; none before a background is chosen."""
    background = BACKGROUNDS.get(emissary.background)
    if background is None:
        return Left(0, (), (), (), ())
    traits, given = _dice_used_by(emissary.traits.values()), trait_dice(rules, emissary.background)
    known = _dice_used_by(emissary.relationships.values())
    used = sum(dice_in(emissary, stat) for stat in Stat)
    return Left(
        background.stats + emissary.dice_added - used,
        dice_left(given, traits),
        dice_left(background.relationships, known),
        overdrawn(given, traits),
        overdrawn(background.relationships, known),
    )
