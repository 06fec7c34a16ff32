"""House rules: where the reference edition leaves something open, what the table plays."""

from __future__ import annotations

from typing import Annotated, Literal

from waylog.values import dataclass


@dataclass(frozen=True, slots=True)
class HouseRules:
    """What the reference edition leaves open."""

    vitality: Annotated[
        Literal[2, 3, 4], "Vitality dice that someone starts with, and the most that they can have (RF-02)"
    ] = 3
    equipment_dice: Annotated[Literal[1, 2, 3], "The most dice of one piece of EVA equipment (RF-02)"] = 2
    engineering_lost: Annotated[
        Literal["desperate", "no-effect"], "Lost engineering makes every system roll Desperate, or does not (RF-14)"
    ] = "desperate"
    empty_slot_hit: Annotated[
        Literal["nothing", "destroyed"], "A crash in an empty slot does nothing, or the ship is destroyed (RF-15)"
    ] = "nothing"
    prompts: Annotated[Literal["on", "off"], "A line after each roll on what it means for the story (RF-17)"] = "on"
    rest: Annotated[
        Literal["all", "one"], "What a rest brings back of lost vitality: all of it, or one die (RF-18)"
    ] = "all"
