"""The sheet of the Emissaries as the campaign file keeps it: emissaries, NPCs, assets and house rules.

Ratings: dice written as `3d6` or `1d4 4d8`. In memory, a rating is the sizes of its dice, smallest first.

Backgrounds: the dice that they give, and the dice that are left of them (EG-01…EG-04).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Annotated, ClassVar, Literal

from waylog.rules.codec.base_and_limits import Between, Pattern
from waylog.rules.rulebook import CommonHouseRules
from waylog.values import dataclass, field, replace

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
            raise ValueError(f"“{part}” is not a rating: write it like 3d6, with dice of 4, 6, 8 or 10 sides")
        counts[int(found[2])] += int(found[1])
        if counts[int(found[2])] > MOST:
            raise ValueError(f"“{part}” makes more than {MOST}d{found[2]}: write a rating like 3d6")
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


BOXES = 4
"""The boxes of a row, before its condition (EG-30)."""
ROWS = 3
"""The rows of a track of an emissary or an asset (EG-30, EG-40)."""
MOST_DICE = 60
"""The most d6 that a stat can have or roll, whatever the file says."""
MOST_ADDED = 99
"""The most dice that can be added to an emissary's stats."""
ALL = "all"
"""Stands for all dice of a rating, where the background gave all of them."""


class Stat(StrEnum):
    """An emissary's stats (EG-01)."""

    BODY = "body"
    MIND = "mind"
    SOFT = "soft"
    HARD = "hard"


class FalloutTrack(StrEnum):
    """An emissary's fallout tracks (EG-30)."""

    PHYSICAL = "physical"
    MENTAL = "mental"
    SOCIAL = "social"
    SOCIETAL = "societal"


class RowNumber(StrEnum):
    """The rows of a track with three rows."""

    ONE = "1"
    TWO = "2"
    THREE = "3"


class Stage(StrEnum):
    """The rows of an NPC's only track (EG-35)."""

    ONE = "1"
    TWO = "2"
    THREE = "3"
    FOUR = "4"
    FIVE = "5"


class AssetKind(StrEnum):
    """The kinds of assets (EG-40, EG-45)."""

    FRIGATE = "frigate"
    FIGHTER = "fighter"
    CYBERDECK = "cyberdeck"
    ORGANISATION = "organisation"
    CUSTOM = "custom"


BackgroundName = Literal[
    "", "well-rounded", "strong-history", "complicated-history", "strong-community", "complicated-community"
]


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a track: four boxes, then a condition, which makes the row full (EG-30)."""

    boxes: Annotated[int, Between(0, BOXES, "EG-30"), "Filled boxes"] = 0
    condition: Annotated[str, "The condition. A row with one is full and locked"] = ""

    @property
    def full(self) -> bool:
        """Whether it has a condition (EG-32)."""
        return bool(self.condition)

    @property
    def filled_boxes(self) -> int:
        """The number of filled boxes, at most as many as there are."""
        return max(0, min(self.boxes, BOXES))


@dataclass(frozen=True, slots=True)
class Fallout:
    """The four tracks of an emissary (EG-30)."""

    physical: Annotated[Mapping[RowNumber, Row], "Full rows remove dice from Body"] = field(default_factory=dict)
    mental: Annotated[Mapping[RowNumber, Row], "Full rows remove dice from Mind"] = field(default_factory=dict)
    social: Annotated[Mapping[RowNumber, Row], "Full rows remove dice from Soft"] = field(default_factory=dict)
    societal: Annotated[Mapping[RowNumber, Row], "Full rows remove dice from Hard"] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Trait:
    """A trait (EG-03)."""

    ALWAYS_WRITTEN: ClassVar = ("text", "dice")

    text: Annotated[str, "The phrase"] = ""
    dice: Annotated[str, Pattern(RATED), "Rating, with dice of one size: 2d6"] = "1d6"
    drawn: Annotated[str, Pattern(DRAWN), "Dice that came from the background: all, none, or a rating"] = ALL


@dataclass(frozen=True, slots=True)
class Relationship:
    """A relationship (EG-04)."""

    ALWAYS_WRITTEN: ClassVar = ("who", "dice")

    who: Annotated[str, "The person or group"] = ""
    dice: Annotated[str, Pattern(RATED), "Rating: 1d8"] = "1d6"
    family: Annotated[bool, "A family member: 1d6 costs nothing"] = False
    drawn: Annotated[str, Pattern(DRAWN), "Dice that came from the background: all, none, or a rating"] = ALL


@dataclass(frozen=True, slots=True)
class Thing:
    """An object (EG-05)."""

    ALWAYS_WRITTEN: ClassVar = ("name", "dice")

    name: Annotated[str, "Name"] = ""
    dice: Annotated[
        str, Pattern(RATED), "Average 1d6, excellent 2d6, big 1d8, both 2d8, bad 1d4, or mixed: 1d4 1d8"
    ] = "1d6"
    dangerous: Annotated[bool, "Dangerous: makes every blow worse while it is in play"] = False


@dataclass(frozen=True, slots=True)
class Lun:
    """The look of an emissary's Lun (EG-05)."""

    colour: Annotated[str, "The colour of its plasma"] = ""
    material: Annotated[str, "Its material"] = ""
    handle: Annotated[str, "The shape of its handle"] = ""


STARTING = {"data-pad": Thing("Data-pad", "2d6"), "lun": Thing("Lun", "2d6", dangerous=True)}
"""The objects that every emissary starts with (EG-05)."""


@dataclass(frozen=True, slots=True)
class Emissary:
    """An emissary, finished or not."""

    ASKED_FIRST: ClassVar = ("name", "about")
    LABELS: ClassVar = {"made": "Complete", "lun": "Look of the Lun"}
    IN_PLAY: ClassVar = ("added", "came_true", "made", "dead", "may_recover", "may_accept", "fallout")

    name: Annotated[str, "Name"] = ""
    about: Annotated[str, "Anything worth noting"] = ""
    background: Annotated[
        BackgroundName,
        "Dice for the stats",
    ] = ""
    body: Annotated[int, Between(2, MOST_DICE, "EG-01"), "Dice for the body (d6)"] = 2
    mind: Annotated[int, Between(2, MOST_DICE, "EG-01"), "Dice for the mind (d6)"] = 2
    soft: Annotated[int, Between(2, MOST_DICE, "EG-01"), "Dice for soft approaches (d6)"] = 2
    hard: Annotated[int, Between(2, MOST_DICE, "EG-01"), "Dice for hard approaches (d6)"] = 2
    added: Annotated[int, Between(0, MOST_ADDED), "Dice added to the stats later"] = 0
    hope: Annotated[str, "The accomplishment hoped for at the Academy"] = ""
    came_true: Annotated[Literal["", "yes", "no"], "Whether it came true, once that is known"] = ""
    made: Annotated[bool, "The emissary is complete"] = False
    dead: Annotated[bool, "Dead. The sheet stays in the file"] = False
    may_recover: Annotated[bool, "After a conflict: may still clear boxes of one track"] = False
    may_accept: Annotated[bool, "After a conflict: may still accept a condition as a trait"] = False
    lun: Annotated[Lun, "Their Lun"] = Lun()
    traits: Annotated[Mapping[str, Trait], "Traits, each under a short name"] = field(default_factory=dict)
    relationships: Annotated[Mapping[str, Relationship], "Relationships, each under a short name"] = field(
        default_factory=dict
    )
    objects: Annotated[Mapping[str, Thing], "Objects, each under a short name"] = field(default_factory=dict)
    fallout: Annotated[Fallout, "Four tracks of three rows"] = Fallout()

    @property
    def is_blank(self) -> bool:
        """Whether nothing has been chosen for them yet."""
        named = Emissary(self.name, self.about, fallout=self.fallout)
        return replace(self, may_recover=False, may_accept=False, dead=False) == named

    @property
    def dice_added(self) -> int:
        """The number of dice added later, within the limit (EG-50)."""
        return max(0, min(self.added, MOST_ADDED))


@dataclass(frozen=True, slots=True)
class Npc:
    """An NPC or an organisation, with one track (EG-35)."""

    name: Annotated[str, "Name"] = ""
    about: Annotated[str, "Anything worth noting"] = ""
    dice: Annotated[str, Pattern(RATED_OR_EMPTY), "Dice for every approach, for those without stats: 4d6 4d8"] = ""
    body: Annotated[int, Between(0, MOST_DICE), "Dice for the body (d6)"] = 0
    mind: Annotated[int, Between(0, MOST_DICE), "Dice for the mind (d6)"] = 0
    soft: Annotated[int, Between(0, MOST_DICE), "Dice for soft approaches (d6)"] = 0
    hard: Annotated[int, Between(0, MOST_DICE), "Dice for hard approaches (d6)"] = 0
    rows: Annotated[int, Between(1, len(Stage), "EG-35"), "Number of rows of the track"] = 1
    traits: Annotated[Mapping[str, Trait], "Traits, each under a short name"] = field(default_factory=dict)
    relationships: Annotated[Mapping[str, Relationship], "Relationships, each under a short name"] = field(
        default_factory=dict
    )
    objects: Annotated[Mapping[str, Thing], "Objects, each under a short name"] = field(default_factory=dict)
    fallout: Annotated[Mapping[Stage, Row], "Their only track"] = field(default_factory=dict)

    @property
    def stages(self) -> int:
        """The number of rows of the track, one to five (EG-35)."""
        return max(1, min(self.rows, len(Stage)))


def dice_in(being: Emissary | Npc, stat: Stat) -> int:
    """Return the d6 of a stat before fallout takes any, within the limit (EG-01)."""
    dice: int = getattr(being, stat.value)
    return max(0, min(dice, MOST_DICE))


@dataclass(frozen=True, slots=True)
class Asset:
    """A starship, a cyberdeck, an organisation, or a custom asset (EG-40)."""

    ASKED_FIRST: ClassVar = ("name", "about", "kind", "stats")
    IN_PLAY: ClassVar = ("may_recover", "fallout")
    CHARACTERS: ClassVar = {"owner": "Who owns it"}

    name: Annotated[str, "Name"] = ""
    about: Annotated[str, "Anything worth noting"] = ""
    kind: Annotated[AssetKind, "frigate (shared), fighter (has an owner), cyberdeck, organisation or custom"] = (
        AssetKind.FRIGATE
    )
    stats: Annotated[
        tuple[Annotated[str, Pattern(NAMED_AND_RATED)], ...], "Its three stats, each with its rating: Engines 3d6"
    ] = ()
    owner: Annotated[str, "Key of its owner (empty if it is shared)"] = ""
    traits: Annotated[Mapping[str, Trait], "A ship's traits, each under a short name"] = field(default_factory=dict)
    may_recover: Annotated[bool, "After a conflict: boxes may still be cleared"] = False
    fallout: Annotated[Mapping[RowNumber, Row], "Its only track"] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A campaign of the Emissaries."""

    crew: Annotated[Mapping[str, Emissary], "The emissaries, each under a short name"] = field(default_factory=dict)
    npcs: Annotated[Mapping[str, Npc], "NPCs and organisations, each under a short name"] = field(default_factory=dict)
    assets: Annotated[Mapping[str, Asset], "Assets, each under a short name"] = field(default_factory=dict)


# -- house rules --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HouseRules(CommonHouseRules):
    """The house rules of the Emissaries."""

    well_rounded_traits: Annotated[
        Literal["six-d8", "four-d6"], "Well-Rounded's traits: 1d4 and six d8, or 1d4, four d6 and two d8"
    ] = "six-d8"
    first_when_equal: Annotated[
        Literal["wayfinder", "ours"], "Who goes first if the dice are equal: the wayfinder chooses, or our side"
    ] = "wayfinder"
    stats_count_for: Annotated[
        Literal["taker", "anyone"], "Whose Body and Hard in play make a blow worse: the taker's, or anyone's"
    ] = "taker"
    dangers_count_for: Annotated[
        Literal["all", "taker"], "Which dangerous objects in play make a blow worse: all, or the taker's own"
    ] = "all"
    social_takes: Annotated[
        Literal["soft", "hard"], "The stat that Social fallout removes dice from (Societal: the other)"
    ] = "soft"
    npc_stage: Annotated[
        Literal["row", "condition"], "A row of an NPC's track: boxes and a condition, or a condition alone"
    ] = "row"
    lowest_row: Annotated[
        Literal["newest", "first"], "The row whose boxes are cleared: the newest in use, or the first"
    ] = "newest"
    call_off: Annotated[
        Literal["allowed", "not-allowed"], "Calling off a conflict that has begun: allowed, or not-allowed"
    ] = "allowed"
    late_entry: Annotated[
        Literal["allowed", "not-allowed"], "Joining a conflict that has begun: allowed, or not-allowed"
    ] = "allowed"
    frigate_dice: Annotated[int, Between(0, 60, "EG-45"), "Dice that a Frigate's stats have in all (0: any number)"] = 0
    fighter_dice: Annotated[int, Between(0, 60, "EG-45"), "Dice that a Fighter's stats have in all (0: any number)"] = 0
    frigate_traits: Annotated[
        str, Pattern(RATED_OR_EMPTY), "A Frigate's trait dice, such as 2d6 1d8 (empty: not counted)"
    ] = ""
    fighter_traits: Annotated[
        str, Pattern(RATED_OR_EMPTY), "A Fighter's trait dice, such as 2d6 1d8 (empty: not counted)"
    ] = ""


LEAST = 2
"""The fewest dice in a stat (EG-01)."""
FAMILY: Rating = (6,)
"""The free dice of a relationship with a family member (EG-04)."""


@dataclass(frozen=True, slots=True)
class Background:
    """The source of an emissary's dice (EG-02)."""

    name: str
    stats: int
    """The number of d6 for stats."""
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
class RemainingDice:
    """The dice of a background that are left, and the dice that were used although it doesn't give them."""

    stats: int
    """Number of d6 left for stats; below 0 if too many are used."""
    traits: Rating
    relationships: Rating
    traits_over: Rating
    relationships_over: Rating


def dice_remaining(rules: HouseRules, emissary: Emissary) -> RemainingDice:
    """Return the dice that are left for an emissary; none before a background is chosen."""
    background = BACKGROUNDS.get(emissary.background)
    if background is None:
        return RemainingDice(0, (), (), (), ())
    traits, given = _dice_used_by(emissary.traits.values()), trait_dice(rules, emissary.background)
    known = _dice_used_by(emissary.relationships.values())
    used = sum(dice_in(emissary, stat) for stat in Stat)
    return RemainingDice(
        background.stats + emissary.dice_added - used,
        dice_left(given, traits),
        dice_left(background.relationships, known),
        overdrawn(given, traits),
        overdrawn(background.relationships, known),
    )
