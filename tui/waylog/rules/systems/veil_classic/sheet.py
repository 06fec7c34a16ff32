"""The sheets of the first edition as they stand in the campaign file: the ship, the crew, and the house rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, Literal

from waylog.rules.facts import OutcomeGrade
from waylog.rules.sheets import Between
from waylog.rules.systems._veil_hits.moment import Edition
from waylog.rules.systems._veil_hits.sheet import Bay, Crewmate, HeldToken, Module, Ship, SystemDice, Tokens
from waylog.values import dataclass

MOST_PERSONAL = 4
"""As many personal dice as any house rule gives (VC-03)."""


class Station(StrEnum):
    """The ship's systems (VC-01)."""

    TELEMETRY = "Telemetry"
    ENGINES = "Engines"
    SHIELDS = "Shields"


@dataclass(frozen=True, slots=True)
class FiveDice(SystemDice):
    """Where the ship's five dice lie (VC-01)."""

    Telemetry: Annotated[int, Between(0, 5, "VC-01"), "Dice to sense, signal, find the way"] = 1
    Engines: Annotated[int, Between(0, 5, "VC-01"), "Dice to fly, flee, push"] = 2
    Shields: Annotated[int, Between(0, 5, "VC-01"), "Dice to withstand, ward off, hold"] = 2


@dataclass(frozen=True, slots=True)
class ClassicTokens(Tokens):
    """The ship's integrity and engineering, the crew's supplies and reserves: true while held (VC-02)."""

    integrity: Annotated[bool, "The ship's: takes the next damage"] = True
    engineering: Annotated[bool, "The ship's. Lost: every systems roll is Desperate"] = True
    supplies: Annotated[bool, "The crew's. Lost: each day costs everyone a personal die"] = True
    reserves: Annotated[bool, "The crew's: money, favours, a good name"] = True


@dataclass(frozen=True, slots=True)
class FiveDiceShip(Ship):
    """The ship."""

    systems: Annotated[FiveDice, "Five dice, shared among the three systems"] = FiveDice()
    tokens: Annotated[ClassicTokens, "Tokens: true while held"] = ClassicTokens()
    modules: Annotated[Mapping[Bay, Module], "What is built into the slots 1 to 4"] = field(default_factory=dict)
    state: Annotated[Literal["action", "downtime"], "What the table is in; dice are remapped freely in downtime"] = (
        "action"
    )
    dice_lost: Annotated[
        int, Between(0, 5, "VC-14"), "System dice lost to faults, until the wayfinder restores them"
    ] = 0


@dataclass(frozen=True, slots=True)
class Member(Crewmate):
    """Someone in the crew (VC-03)."""

    background: Annotated[str, "Where they come from, and what that taught them"] = ""
    skill: Annotated[str, "What they do well"] = ""
    flaw: Annotated[str, "What trips them up"] = ""
    personal: Annotated[int, Between(0, MOST_PERSONAL, "VC-03"), "Personal dice; 3 when rested"] = 3
    grit: Annotated[int, Between(0, None, "VC-03"), "Grit tokens in hand"] = 0
    backgrounds: Annotated[tuple[str, ...], "More backgrounds, each of which counts for itself"] = ()
    skills: Annotated[tuple[str, ...], "More skills, each of which counts for itself"] = ()


@dataclass(frozen=True, slots=True)
class Sheet:
    """A campaign of the first edition."""

    ship: Annotated[FiveDiceShip, "The ship"] = FiveDiceShip()
    crew: Annotated[Mapping[str, Member], "The crew, each under a short key"] = field(default_factory=dict)


# -- house rules --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HouseRules:
    """What the first edition leaves open."""

    personal_dice: Annotated[
        Literal[2, 3, 4], "Personal dice that someone starts with, and the most that they can have"
    ] = 3
    grit: Annotated[Literal[0, 1, 2, 3], "Grit tokens that someone starts with"] = 0
    helpers_risk: Annotated[
        Literal["asked", "roller"],
        "Whom a consequence falls on is asked when others helped, or it is always the roller",
    ] = "asked"
    lost_dice: Annotated[
        Literal["restorable", "for-good"],
        "A die lost to a system fault comes back by the wayfinder's word, or never",
    ] = "restorable"
    fault_without_dice: Annotated[
        Literal["damage", "nothing"], "A system fault with no system die in hand damages the ship, or does not"
    ] = "damage"
    empty_slot_hit: Annotated[
        Literal["nothing", "destroyed"], "A crash in an empty slot does nothing, or the ship is destroyed"
    ] = "nothing"


# -- what this game shares with others under its own names --------------------------------------------------------------

CLASSIC = Edition(
    systems=MappingProxyType(
        {
            Station.TELEMETRY.value: "sense, signal, find the way",
            Station.ENGINES.value: "fly, flee, push",
            Station.SHIELDS.value: "withstand, ward off, hold",
        }
    ),
    dice=5,
    outcomes=MappingProxyType(
        {
            OutcomeGrade.FIASCO: ("failure", "Failure"),
            OutcomeGrade.DRAWBACK: ("partial", "Partial success"),
            OutcomeGrade.SUCCESS: ("success", "Success"),
        }
    ),
    without=MappingProxyType(
        {
            HeldToken.INTEGRITY: "the next damage may crash a module",
            HeldToken.ENGINEERING: "systems rolls are Desperate",
            HeldToken.SUPPLIES: "each day costs everyone a personal die",
            HeldToken.RESERVES: "nobody docks, trades or helps for free",
        }
    ),
    in_short=MappingProxyType(
        {
            HeldToken.INTEGRITY: "modules at risk",
            HeldToken.ENGINEERING: "Desperate rolls",
            HeldToken.SUPPLIES: "−1 die a day",
            HeldToken.RESERVES: "nothing to pay",
        }
    ),
    reserved=frozenset(
        (
            *("roll", "telemetry", "engines", "shields", "dice", "on"),
            *("normal", "risky", "reckless", "impossible", "impossible5", "impossible6", "standard", "desperate"),
            *("background", "skill", "help", "grit"),
        )
    ),
    dice_clause="VC-01",
    token_clause="VC-02",
    desperate_clause="VC-09",
    integrity_clause="VC-17",
    engineering_clause="VC-18",
    crash_clause="VC-19",
)


AKIN: Mapping[str, str] = MappingProxyType(
    {
        "ship.systems.Telemetry": "dice to sense and signal",
        "ship.systems.Shields": "dice to withstand and mend",
        "ship.systems.Engines": "dice to fly",
        "ship.destroyed": "the ship is lost",
        "crew.*.background": "what someone does aboard",
        "crew.*.personal": "how someone holds up",
    }
)
