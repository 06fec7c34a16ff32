"""The sheet of the Emissaries as the campaign file keeps it: emissaries, NPCs, assets and house rules."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated, ClassVar, Literal

from waylog.rules.codec.base import Between, Pattern
from waylog.rules.systems.emissaries.ratings import DRAWN, NAMED_AND_RATED, RATED, RATED_OR_EMPTY
from waylog.values import dataclass, field, replace

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
    condition: Annotated[str, "The condition; a row with one is full and locked"] = ""

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

    physical: Annotated[Mapping[RowNumber, Row], "Full rows take dice off Body"] = field(default_factory=dict)
    mental: Annotated[Mapping[RowNumber, Row], "Full rows take dice off Mind"] = field(default_factory=dict)
    social: Annotated[Mapping[RowNumber, Row], "Full rows take dice off Soft"] = field(default_factory=dict)
    societal: Annotated[Mapping[RowNumber, Row], "Full rows take dice off Hard"] = field(default_factory=dict)


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
        str, Pattern(RATED), "Average 1d6, excellent 2d6, big 1d8, both 2d8, bad 1d4; or of several sizes: 1d4 1d8"
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

    name: Annotated[str, "Name"] = ""
    about: Annotated[str, "Anything worth noting"] = ""
    background: Annotated[
        BackgroundName,
        '"", well-rounded, strong-history, complicated-history, strong-community or complicated-community',
    ] = ""
    body: Annotated[int, Between(2, MOST_DICE, "EG-01"), "Body, in d6"] = 2
    mind: Annotated[int, Between(2, MOST_DICE, "EG-01"), "Mind, in d6"] = 2
    soft: Annotated[int, Between(2, MOST_DICE, "EG-01"), "Soft, in d6"] = 2
    hard: Annotated[int, Between(2, MOST_DICE, "EG-01"), "Hard, in d6"] = 2
    added: Annotated[int, Between(0, MOST_ADDED), "Dice added to the stats later"] = 0
    hope: Annotated[str, "The accomplishment hoped for at the Academy"] = ""
    came_true: Annotated[Literal["", "yes", "no"], "Whether it came true, once that is known"] = ""
    made: Annotated[bool, "Making the emissary is finished"] = False
    dead: Annotated[bool, "Dead; the sheet is kept here"] = False
    may_recover: Annotated[bool, "After a conflict: may still clear boxes of one track"] = False
    may_accept: Annotated[bool, "After a conflict: may still accept a condition as a trait"] = False
    lun: Annotated[Lun, "Their Lun"] = Lun()
    traits: Annotated[Mapping[str, Trait], "Traits, each under a short key"] = field(default_factory=dict)
    relationships: Annotated[Mapping[str, Relationship], "Relationships, each under a short key"] = field(
        default_factory=dict
    )
    objects: Annotated[Mapping[str, Thing], "Objects, each under a short key"] = field(default_factory=dict)
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
    body: Annotated[int, Between(0, MOST_DICE), "Body, in d6"] = 0
    mind: Annotated[int, Between(0, MOST_DICE), "Mind, in d6"] = 0
    soft: Annotated[int, Between(0, MOST_DICE), "Soft, in d6"] = 0
    hard: Annotated[int, Between(0, MOST_DICE), "Hard, in d6"] = 0
    rows: Annotated[int, Between(1, len(Stage), "EG-35"), "Number of rows of the track"] = 1
    traits: Annotated[Mapping[str, Trait], "Traits, each under a short key"] = field(default_factory=dict)
    relationships: Annotated[Mapping[str, Relationship], "Relationships, each under a short key"] = field(
        default_factory=dict
    )
    objects: Annotated[Mapping[str, Thing], "Objects, each under a short key"] = field(default_factory=dict)
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

    name: Annotated[str, "Name"] = ""
    about: Annotated[str, "Anything worth noting"] = ""
    kind: Annotated[AssetKind, "frigate (shared), fighter (has an owner), cyberdeck, organisation or custom"] = (
        AssetKind.FRIGATE
    )
    stats: Annotated[
        tuple[Annotated[str, Pattern(NAMED_AND_RATED)], ...], "Its three stats, each with its rating: Engines 3d6"
    ] = ()
    owner: Annotated[str, "Key of its owner; empty if it is shared"] = ""
    traits: Annotated[Mapping[str, Trait], "A ship's traits, each under a short key"] = field(default_factory=dict)
    may_recover: Annotated[bool, "After a conflict: boxes may still be cleared"] = False
    fallout: Annotated[Mapping[RowNumber, Row], "Its only track"] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Sheet:
    """A campaign of the Emissaries."""

    crew: Annotated[Mapping[str, Emissary], "The emissaries, each under a short key"] = field(default_factory=dict)
    npcs: Annotated[Mapping[str, Npc], "NPCs and organisations, each under a short key"] = field(default_factory=dict)
    assets: Annotated[Mapping[str, Asset], "Assets, each under a short key"] = field(default_factory=dict)


# -- house rules --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HouseRules:
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
        Literal["soft", "hard"], "The stat that Social fallout takes dice off; Societal takes the other"
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
