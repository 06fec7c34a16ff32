"""The parts of a sheet that the games of this family share: the ship with its tokens and modules, and a crew member's
name.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Annotated

from waylog.values import dataclass, field

CARRIED = 12
"""The most dice of a system or a person that the rules can work with, whatever the wayfinder overrules."""


class Bay(StrEnum):
    """The numbered slots for modules."""

    ONE = "1"
    TWO = "2"
    THREE = "3"
    FOUR = "4"


class HeldToken(StrEnum):
    """A token, held or lost (RF-01)."""

    INTEGRITY = "integrity"
    ENGINEERING = "engineering"
    SUPPLIES = "supplies"
    RESERVES = "reserves"


@dataclass(frozen=True, slots=True)
class SystemDice:
    """How many dice each system of a ship has: one field for each system."""


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens: true while held, false when lost (RF-01)."""

    integrity: Annotated[bool, "Held: takes the next damage"] = True
    engineering: Annotated[bool, "Lost: every system roll is Desperate"] = True
    supplies: Annotated[bool, "Air, food, medicine"] = True
    reserves: Annotated[bool, "Money, favours, a good name"] = True


@dataclass(frozen=True, slots=True)
class Module:
    """The module in a slot. Without a name the slot is empty."""

    name: Annotated[str, "Name; a slot whose module has none is empty"] = ""
    about: Annotated[str, "Description"] = ""
    destroyed: Annotated[bool, "Destroyed by a system crash"] = False


@dataclass(frozen=True, slots=True)
class Ship:
    """A ship. Its systems depend on the game."""

    name: Annotated[str, "The ship's name"] = ""
    about: Annotated[str, "Anything worth noting about the ship"] = ""
    destroyed: Annotated[bool, "Destroyed, and the adventure is over, unless the wayfinder restores it"] = False
    systems: Annotated[SystemDice, "Dice in each system"] = SystemDice()
    tokens: Annotated[Tokens, "Tokens: yes until they are lost"] = Tokens()
    modules: Annotated[Mapping[Bay, Module], "Modules, by slot 1 to 4"] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Crewmate:
    """A crew member. The rest of the sheet depends on the game."""

    name: Annotated[str, "Name"] = ""
