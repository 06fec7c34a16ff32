"""House rules: where the rules leave something open, what the table plays."""

from __future__ import annotations

from typing import Annotated, Literal

from waylog.rules.sheets import Between, Pattern
from waylog.rules.systems.emissaries.ratings import RATED_OR_EMPTY
from waylog.values import dataclass


@dataclass(frozen=True, slots=True)
class HouseRules:
    """What the rules leave open."""

    well_rounded_traits: Annotated[
        Literal["six-d8", "four-d6"], "Well-Rounded's traits: 1d4 and six d8, or 1d4, four d6 and two d8 (EG-02)"
    ] = "six-d8"
    first_when_equal: Annotated[
        Literal["wayfinder", "ours"], "Who goes first on equal dice: as the wayfinder says, or our side (EG-13)"
    ] = "wayfinder"
    stats_count_for: Annotated[
        Literal["taker", "anyone"], "Whose Body and Hard in play make a blow worse: the taker's, or anyone's (EG-20)"
    ] = "taker"
    dangers_count_for: Annotated[
        Literal["all", "taker"], "Which dangerous objects in play make a blow worse: all, or the taker's own (EG-20)"
    ] = "all"
    social_takes: Annotated[
        Literal["soft", "hard"], "The stat that Social fallout takes dice off; Societal takes the other (EG-32)"
    ] = "soft"
    npc_stage: Annotated[
        Literal["row", "condition"], "A stage of an NPC's track is a whole row, or a condition and no boxes (EG-35)"
    ] = "row"
    lowest_row: Annotated[
        Literal["newest", "first"], "The row that boxes come off: the newest in use, or the first one (EG-36)"
    ] = "newest"
    frigate_dice: Annotated[int, Between(0, 60, "EG-45"), "Dice that a Frigate's stats come to; 0 for no total"] = 0
    fighter_dice: Annotated[int, Between(0, 60, "EG-45"), "Dice that a Fighter's stats come to; 0 for no total"] = 0
    frigate_traits: Annotated[
        str, Pattern(RATED_OR_EMPTY), "A Frigate's trait dice, as 2d6 1d8; empty where nobody counts (EG-45)"
    ] = ""
    fighter_traits: Annotated[
        str, Pattern(RATED_OR_EMPTY), "A Fighter's trait dice, as 2d6 1d8; empty where nobody counts (EG-45)"
    ] = ""
