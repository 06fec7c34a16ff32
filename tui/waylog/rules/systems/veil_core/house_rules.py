"""House rules: where the rules leave something open, what the table plays."""

from __future__ import annotations

from typing import Annotated, Literal

from waylog.values import dataclass


@dataclass(frozen=True, slots=True)
class HouseRules:
    """What every edition leaves open."""

    empty_slots: Annotated[
        Literal["allowed", "not-allowed"], "May a module slot be empty? If not, the file's check says so (VK-02)"
    ] = "allowed"
    tools_per_roll: Annotated[Literal[1, 2], "Tools that help one crew roll at most (VK-12)"] = 1
    focus_spent: Annotated[
        Literal["own", "own-then-ship"],
        "Whose Focus a crew roll spends: the roller's, or after those the ship's too (VK-13)",
    ] = "own"
    exposed: Annotated[
        Literal["suit-lost", "always"],
        "When Exposed makes crew rolls Desperate: with suit life support lost, or always (VK-18)",
    ] = "suit-lost"
    empty_slot_hit: Annotated[
        Literal["nothing", "wrecked"], "A hit on an empty slot does nothing, or leaves the ship Wrecked (VK-31)"
    ] = "nothing"
    shunt_after_critical: Annotated[
        Literal["any-roll", "ship-roll"], "Whose Critical allows a shunt: any roll's, or a ship roll's alone (VK-33)"
    ] = "any-roll"
    shunt_focus: Annotated[
        Literal["ship", "roller"], "Whose Focus token pays for a shunt after a roll: the ship's or the roller's (VK-33)"
    ] = "ship"
    life_support_reaches: Annotated[
        Literal["aboard", "everyone"], "Whom spent life support helps: all not marked away, or everyone (VK-38)"
    ] = "aboard"
    life_support_spent: Annotated[
        Literal["exposes", "safe"], "Does spending life support expose the crew, as losing it does (VK-38)"
    ] = "exposes"
    heal_fiasco_focus: Annotated[
        Literal["earned", "not-earned"], "Does a Fiasco on a roll to heal earn Focus, before the choice (VK-44)"
    ] = "earned"
    defender_drawback: Annotated[
        Literal["success", "fiasco"], "What a drawback counts as when a Defender rolls (VK-64)"
    ] = "success"
    ablative_focus: Annotated[
        Literal["earned", "not-earned"], "Does damage that ablative armour takes still earn Focus (VK-68)"
    ] = "earned"
    ablative_down: Annotated[
        Literal["saves", "dies"], "Ablative armour saves someone Relentless who is Down, or they die (VK-68)"
    ] = "saves"
    defenders: Annotated[
        Literal["each", "one"],
        "May every Defender step in once a hit, also for whoever takes it by then, or only one of them (VK-64)",
    ] = "each"
    defence_dice: Annotated[
        Literal["vitality", "crew-roll"],
        "A Defender rolls vitality dice alone, or a crew roll with all its advancements (VK-64)",
    ] = "vitality"
    resourceful_down: Annotated[
        Literal["three", "one"], "Dice of someone Resourceful and Relentless who is Down and Out (VK-60)"
    ] = "three"
    shunt_while_asked: Annotated[
        Literal["allowed", "not-allowed"], "May engineering buy a shunt while something is asked (VK-33)"
    ] = "allowed"


@dataclass(frozen=True, slots=True)
class CoreHouseRules(HouseRules):
    """What the CORE edition leaves open beside that."""

    group_of_drawbacks: Annotated[
        Literal["drawback", "fiasco"], "A group roll whose best is a drawback is a drawback, or a Fiasco (VK-20)"
    ] = "drawback"
