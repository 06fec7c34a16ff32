"""The parts of a sheet that the games of this family share: the ship with her tokens and modules, and a name for each of the crew."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from typing import Annotated

from waylog.values import dataclass


class Bay(StrEnum):
    """The numbered slots for modules."""

    ONE = "1"
    TWO = "2"
    THREE = "3"
    FOUR = "4"


class HeldToken(StrEnum):
    """What is held or lost (RF-01)."""

    INTEGRITY = "integrity"
    ENGINEERING = "engineering"
    SUPPLIES = "supplies"
    RESERVES = "reserves"


@dataclass(frozen=True, slots=True)
class SystemDice:
    """Where a ship's dice lie: a field for each of her systems."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """What is held: true until it is lost (RF-01)."""

    integrity: Annotated[bool, "Takes the next damage"] = True
    engineering: Annotated[bool, "Lost: every system roll is Desperate"] = True
    supplies: Annotated[bool, "Air, food, medicine"] = True
    reserves: Annotated[bool, "Money, favours, a good name"] = True


@dataclass(frozen=True, slots=True)
class Module:
    """What is built into a slot. Without a name the slot is empty."""

    name: Annotated[str, "Its name; a slot whose module has none is empty"] = ""
    about: Annotated[str, "What it does"] = ""
    destroyed: Annotated[bool, "Hit by a system crash"] = False


@dataclass(frozen=True, slots=True)
class Ship:
    """A ship, whatever her systems are called."""

    name: Annotated[str, "The ship's name"] = ""
    about: Annotated[str, "Anything worth knowing of her"] = ""
    destroyed: Annotated[bool, "Gone, and the adventure with her, unless the wayfinder says otherwise"] = False
    systems: Annotated[SystemDice, "Dice in the ship's systems"] = SystemDice()
    tokens: Annotated[Tokens, "Tokens: true while held"] = Tokens()
    modules: Annotated[Mapping[Bay, Module], "What is built into the slots 1 to 4"] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Crewmate:
    """Someone in a crew, whatever their sheet has on it."""

    name: Annotated[str, "What they are called"] = ""
