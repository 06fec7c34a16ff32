"""The sheet of the reference edition as the campaign file keeps it: ship, crew, skills and house rules."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, ClassVar, Literal

from waylog.rules.codec.base_and_limits import Between
from waylog.rules.rulebook import CommonHouseRules
from waylog.rules.systems._veil_older_editions.editions_ship_and_typed_names import (
    CARRIED,
    Crewmate,
    Edition,
    EditionClauses,
    EmptySlotHit,
    PersonalDice,
    Ship,
    SystemDice,
    TokenLoss,
    outcome_names,
    token_losses,
)
from waylog.values import dataclass, field

# The uses of the ship's systems.
_SEE, _MEND, _FLY = "see, listen, work things out", "withstand, mend, hold", "fly, flee, push"
_USES = {"SigInt": _SEE, "Shields": _MEND, "Engines": _FLY}


@dataclass(frozen=True, slots=True)
class SixDice(SystemDice):
    """The dice of each system of the ship: six in all (RF-01)."""

    SigInt: Annotated[int, Between(0, 6, "RF-01", (0, CARRIED)), "Dice to see, listen or work things out"] = 2
    Shields: Annotated[int, Between(0, 6, "RF-01", (0, CARRIED)), "Dice to withstand, mend or hold"] = 2
    Engines: Annotated[int, Between(0, 6, "RF-01", (0, CARRIED)), "Dice to fly, flee or push"] = 2


_LOSSES = token_losses(
    engineering="system rolls are Desperate",
    supplies=TokenLoss("the crew runs short of air, food and medicine", "running short"),
    reserves=TokenLoss("there is nothing left to pay or bargain with", "no way to pay"),
)


@dataclass(frozen=True, slots=True)
class SixDiceShip(Ship):
    """The ship."""

    systems: Annotated[SixDice, "Six dice, shared among the three systems"] = SixDice()


MOST_ITEM_DICE = 3
"""The most dice that any house rule gives one piece of equipment (RF-02)."""


@dataclass(frozen=True, slots=True)
class Item:
    """A piece of EVA equipment, ready or spent as a whole (RF-02)."""

    ASKED_FIRST: ClassVar = ("name", "dice")
    IN_PLAY: ClassVar = ("ready",)

    name: Annotated[str, "Name"] = ""
    about: Annotated[str, "Description"] = ""
    dice: Annotated[int, Between(1, MOST_ITEM_DICE, "RF-02"), "Dice that it adds to an EVA roll"] = 1
    ready: Annotated[bool, "No: it is spent"] = True


MOST_VITALITY = 4
"""The most vitality dice that any house rule gives (RF-02)."""


@dataclass(frozen=True, slots=True)
class Member(Crewmate):
    """A crew member (RF-02)."""

    ASKED_FIRST: ClassVar = ("name", "about", "skills", "equipment")

    about: Annotated[str, "Role, and anything worth noting"] = ""
    vitality: Annotated[int, Between(0, MOST_VITALITY, "RF-02", (0, CARRIED)), "Vitality dice (3 when unhurt)"] = 3
    skills: Annotated[tuple[str, ...], "Skills by name: those of the rules, or the campaign's own"] = ()
    equipment: Annotated[Mapping[str, Item], "EVA equipment, each under a short key"] = field(default_factory=dict)


_PERSONAL = PersonalDice("vitality", "vitality", rule="vitality", clause="RF-02", rest_clause="RF-18")


@dataclass(frozen=True, slots=True)
class Skill:
    """A skill: its use, and the system that it goes with (RF-16)."""

    name: Annotated[str, "Name"] = ""
    kind: Annotated[str, "Use: Investigate, Fix, …"] = ""
    system: Annotated[Literal["", "SigInt", "Shields", "Engines"], "The system that it goes with"] = ""


@dataclass(frozen=True, slots=True)
class Sheet:
    """A campaign of the reference edition."""

    ship: Annotated[SixDiceShip, "The ship"] = SixDiceShip()
    crew: Annotated[Mapping[str, Member], "The crew, each member under a short key"] = field(default_factory=dict)
    skills: Annotated[Mapping[str, Skill], "This campaign's own skills, beside those of the rules"] = field(
        default_factory=dict
    )


AKIN: Mapping[str, str] = MappingProxyType(
    {
        "ship.systems.SigInt": "dice to sense and signal",
        "ship.systems.Shields": "dice to withstand and mend",
        "ship.systems.Engines": "dice to fly",
        "ship.destroyed": "the ship is lost",
        "crew.*.about": "what someone does aboard",
        "crew.*.vitality": "how someone holds up",
        "crew.*.equipment.first.name": "the first piece of gear",
        "crew.*.equipment.first.about": "what the first piece of gear is for",
        "crew.*.equipment.first.ready": "the first piece of gear is of use",
        "crew.*.equipment.second.name": "the second piece of gear",
        "crew.*.equipment.second.about": "what the second piece of gear is for",
        "crew.*.equipment.second.ready": "the second piece of gear is of use",
    }
)


# -- house rules --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HouseRules(CommonHouseRules):
    """The house rules of the reference edition."""

    vitality: Annotated[Literal[2, 3, 4], "Vitality dice at the start, which is also the most"] = 3
    equipment_dice: Annotated[Literal[1, 2, 3], "The most dice that one piece of EVA equipment can have"] = 2
    engineering_lost: Annotated[
        Literal["desperate", "no-effect"], "Effect of lost engineering on system rolls: all are Desperate, or none"
    ] = "desperate"
    empty_slot_hit: EmptySlotHit = "nothing"
    prompts: Annotated[Literal["on", "off"], "After each roll, ask what it means for the story"] = "on"
    rest: Annotated[Literal["all", "one"], "Vitality that a rest restores: all of it, or one die"] = "all"


# -- what this game shares with others under its own names --------------------------------------------------------------

_RESERVED = ("roll", "sigint", "shields", "engines", "one", "two", "three", "standard", "desperate", "help", "on")
_OUTCOMES = outcome_names(fiasco=("fiasco", "Fiasco"), drawback=("complication", "Complication"))
_CLAUSES = EditionClauses(
    "RF-01", tokens="RF-01", desperate="RF-14", integrity="RF-15", engineering="RF-15", crash="RF-15"
)
REFERENCE = Edition(_USES, 6, _PERSONAL, _OUTCOMES, _LOSSES, frozenset(_RESERVED), _CLAUSES)
