"""The sheets of the reference edition as they stand in the campaign file: the ship, the crew, skills of the campaign's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from typing import Annotated, Literal

from waylog.rules.sheets import Between
from waylog.rules.systems.veil_core.sheet import Bay
from waylog.values import dataclass

MOST_VITALITY = 4
"""As many vitality dice as any house rule gives (RF-02)."""
MOST_ITEM_DICE = 3
"""As many dice as any house rule lets one piece of equipment have (RF-02)."""


class Token(StrEnum):
    """What is held or lost (RF-01)."""

    INTEGRITY = "integrity"
    ENGINEERING = "engineering"
    SUPPLIES = "supplies"
    RESERVES = "reserves"


class Station(StrEnum):
    """The ship's systems (RF-01)."""

    SIGINT = "SigInt"
    SHIELDS = "Shields"
    ENGINES = "Engines"


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
class SixDice(SystemDice):
    """Where the ship's six dice lie (RF-01)."""

    SigInt: Annotated[int, Between(0, 6, "RF-01"), "Dice to see, listen, work things out"] = 2
    Shields: Annotated[int, Between(0, 6, "RF-01"), "Dice to withstand, mend, hold"] = 2
    Engines: Annotated[int, Between(0, 6, "RF-01"), "Dice to fly, flee, push"] = 2


@dataclass(frozen=True, slots=True)
class SixDiceShip(Ship):
    """The ship."""

    systems: Annotated[SixDice, "Six dice, shared among the three systems"] = SixDice()


@dataclass(frozen=True, slots=True)
class Crewmate:
    """Someone in a crew, whatever their sheet has on it."""

    name: Annotated[str, "What they are called"] = ""


@dataclass(frozen=True, slots=True)
class Item:
    """A piece of EVA equipment, ready or spent as a whole (RF-02)."""

    name: Annotated[str, "Its name"] = ""
    about: Annotated[str, "What it is for"] = ""
    dice: Annotated[int, Between(1, MOST_ITEM_DICE, "RF-02"), "Dice that it adds to an EVA roll"] = 1
    ready: Annotated[bool, "False once it is spent (RF-12)"] = True


@dataclass(frozen=True, slots=True)
class Member(Crewmate):
    """Someone in the crew (RF-02)."""

    about: Annotated[str, "What they do aboard, and anything worth knowing"] = ""
    vitality: Annotated[int, Between(0, MOST_VITALITY, "RF-02"), "Vitality dice; 3 when unhurt"] = 3
    skills: Annotated[tuple[str, ...], "Skills by name, of those listed or of the campaign's own (RF-16)"] = ()
    equipment: Annotated[Mapping[str, Item], "EVA equipment, each under a short key"] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Skill:
    """A way of doing something, and the system that it goes with (RF-16)."""

    name: Annotated[str, "What it is called"] = ""
    kind: Annotated[str, "What it is a way of: Investigate, Fix, …"] = ""
    system: Annotated[Literal["", "SigInt", "Shields", "Engines"], "The system that it goes with"] = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A campaign of the reference edition."""

    ship: Annotated[SixDiceShip, "The ship"] = SixDiceShip()
    crew: Annotated[Mapping[str, Member], "The crew, each under a short key"] = field(default_factory=dict)
    skills: Annotated[Mapping[str, Skill], "Skills of this campaign's own, beside those of the rules (RF-16)"] = field(
        default_factory=dict
    )
