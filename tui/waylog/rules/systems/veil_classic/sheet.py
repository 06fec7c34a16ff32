"""The sheets of the first edition as they stand in the campaign file: the ship and the crew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from typing import Annotated, Literal

from waylog.rules.sheets import Between
from waylog.rules.systems.veil_core.sheet import Bay
from waylog.rules.systems.veil_reference.sheet import Crewmate, Module, Ship, SystemDice, Tokens
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
