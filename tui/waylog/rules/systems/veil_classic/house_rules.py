"""House rules: where the first edition leaves something open, what the table plays."""

from __future__ import annotations

from typing import Annotated, Literal

from waylog.values import dataclass


@dataclass(frozen=True, slots=True)
class HouseRules:
    """What the first edition leaves open."""

    personal_dice: Annotated[
        Literal[2, 3, 4], "Personal dice that someone starts with, and the most that they can have (VC-03)"
    ] = 3
    grit: Annotated[Literal[0, 1, 2, 3], "Grit tokens that someone starts with (VC-03)"] = 0
    helpers_risk: Annotated[
        Literal["asked", "roller"],
        "Whom a consequence falls on is asked when others helped, or it is always the roller (VC-06)",
    ] = "asked"
    lost_dice: Annotated[
        Literal["restorable", "for-good"],
        "A die lost to a system fault comes back by the wayfinder's word, or never (VC-14)",
    ] = "restorable"
    fault_without_dice: Annotated[
        Literal["damage", "nothing"], "A system fault with no system die in hand damages the ship, or does not (VC-14)"
    ] = "damage"
    empty_slot_hit: Annotated[
        Literal["nothing", "destroyed"], "A crash in an empty slot does nothing, or the ship is destroyed (VC-19)"
    ] = "nothing"
