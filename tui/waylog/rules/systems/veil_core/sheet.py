"""The sheets of Veil Runners as they stand in the campaign file: the ship, the crew, the mission, and the house rules."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, Literal

from waylog.rules.sheets import Between
from waylog.values import dataclass

TOP_FOCUS = 3
"""As much Focus as can be held (VK-04)."""
TOP_VITALITY = 3
"""The vitality of someone unhurt (VK-05)."""
TOP_USES = 6
"""As many uses as an additional module ever has (VK-07)."""
TOP_ADVANCEMENTS = 2
"""As many advancements as anyone keeps (VK-66)."""


class Core(StrEnum):
    """The ship's systems (VK-01)."""

    CPU = "CPU"
    HUL = "HUL"
    NAV = "NAV"


class ShipToken(StrEnum):
    """The ship's tokens (VK-03)."""

    LIFE_SUPPORT = "life_support"
    INTEGRITY = "integrity"
    ENGINEERING = "engineering"


class ModuleKind(StrEnum):
    """What a module is good for (VK-06, VK-07, VK-08)."""

    SPECIALISED = "specialised"
    ADDITIONAL = "additional"
    PASSIVE = "passive"


class Bay(StrEnum):
    """The numbered slots for modules (VK-02)."""

    ONE = "1"
    TWO = "2"
    THREE = "3"
    FOUR = "4"


class SuitPart(StrEnum):
    """A suit's systems (VK-05)."""

    LIFE_SUPPORT = "life_support"
    PRIMARY = "primary"
    SECONDARY = "secondary"


class Advancement(StrEnum):
    """What someone has grown into: six qualities, six suit upgrades (VK-60…VK-69)."""

    RESOURCEFUL = "resourceful"
    RELENTLESS = "relentless"
    EXPERT = "expert"
    FORCEFUL = "forceful"
    DEFENDER = "defender"
    RECKLESS = "reckless"
    AUXILIARY_ARM = "auxiliary-arm"
    OVERSIZED_SYSTEMS = "oversized-systems"
    ADAPTIVE_PLATING = "adaptive-plating"
    ABLATIVE_ARMOUR = "ablative-armour"
    LIMITER_OVERRIDE = "limiter-override"
    RECIRCULATION_KIT = "recirculation-kit"


@dataclass(frozen=True, slots=True)
class CoreDice:
    """Where the ship's dice lie (VK-01)."""

    CPU: Annotated[int, Between(1, 4, "VK-01"), "Dice to communicate, detect, compute"] = 2
    HUL: Annotated[int, Between(1, 4, "VK-01"), "Dice to resist, sustain, survive"] = 2
    NAV: Annotated[int, Between(1, 4, "VK-01"), "Dice to navigate, avoid, manoeuvre"] = 2


@dataclass(frozen=True, slots=True)
class Tokens:
    """The ship's tokens: true while held (VK-03)."""

    life_support: Annotated[bool, "Lost: the whole crew is Exposed"] = True
    integrity: Annotated[bool, "Takes the next damage"] = True
    engineering: Annotated[bool, "Lost: every ship roll is Desperate"] = True
    life_support_spent: Annotated[bool, "Life support is gone because it was spent for the crew"] = False


SystemName = Literal["", "CPU", "HUL", "NAV"]


@dataclass(frozen=True, slots=True)
class Module:
    """What is built into a slot. Without a name the slot is empty (VK-02)."""

    name: Annotated[str, "Its name; a slot whose module has none is empty"] = ""
    about: Annotated[str, "What it does"] = ""
    kind: Annotated[
        ModuleKind, "specialised: +1d6; additional: something of its own; passive: works even destroyed"
    ] = ModuleKind.SPECIALISED
    system: Annotated[SystemName, "The system that a specialised module helps"] = ""
    uses: Annotated[
        int, Between(0, TOP_USES, "VK-07"), "Uses of an additional module, usually 1, 2, 3 or 6; 0: unlimited"
    ] = 0
    uses_left: Annotated[int, Between(0, TOP_USES, "VK-07"), "Uses that are left"] = TOP_USES
    """Left out of the file, it means all of them: as many as there can be."""
    destroyed: Annotated[bool, "Hit, and not repaired yet"] = False

    @property
    def remaining_uses(self) -> int:
        """Uses that are left, never more than there are (VK-07)."""
        return min(self.uses, self.uses_left)


@dataclass(frozen=True, slots=True)
class Ship:
    """The ship."""

    name: Annotated[str, "The ship's name"] = ""
    about: Annotated[str, "Anything worth knowing of her"] = ""
    focus: Annotated[int, Between(0, TOP_FOCUS, "VK-04"), "Focus tokens in hand"] = 0
    state: Annotated[Literal["action", "downtime"], "What the table is in; shunts are free in downtime"] = "action"
    wrecked: Annotated[bool, "The mission has ended, unless the wayfinder says to carry on"] = False
    core: Annotated[CoreDice, "Dice in the CORE systems"] = CoreDice()
    tokens: Annotated[Tokens, "Tokens: true while held"] = Tokens()
    modules: Annotated[Mapping[Bay, Module], "What is built into the slots 1 to 4"] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Tool:
    """A suit system that is a tool (VK-05)."""

    name: Annotated[str, "Its name"] = ""
    about: Annotated[str, "What it is for"] = ""
    works: Annotated[bool, "False once it is lost"] = True


@dataclass(frozen=True, slots=True)
class Prep:
    """What someone prepared for one mission: how often each was picked or rolled (VK-54)."""

    focus: Annotated[int, Between(0, 2, "VK-70"), "1: starts the mission with three Focus; 2: with six"] = 0
    ingenuity: Annotated[int, Between(0, 2, "VK-74"), "Tokens: a Standard roll is a Success"] = 0
    foresight: Annotated[int, Between(0, 2, "VK-75"), "Tokens: a Desperate roll is Standard"] = 0
    care: Annotated[int, Between(0, 2, "VK-76"), "Tokens: a roll to heal is a Success"] = 0
    willpower: Annotated[int, Between(0, 2, "VK-77"), "Tokens: a clock moves one segment"] = 0
    dread: Annotated[int, Between(0, 2, "VK-78"), "So many more Focus on each Fiasco of a crew roll"] = 0


@dataclass(frozen=True, slots=True)
class Member:
    """Someone in the crew (VK-05)."""

    name: Annotated[str, "What they are called"] = ""
    role: Annotated[str, "What they do aboard, and anything worth knowing"] = ""
    vitality: Annotated[int, Between(0, TOP_VITALITY, "VK-05"), "At 0 they are Down and Out"] = TOP_VITALITY
    focus: Annotated[int, Between(0, 6, "VK-04"), "Focus tokens: 3 at most, 6 after doubled mission prep"] = 0
    life_support: Annotated[bool, "The suit's life support works"] = True
    exposed: Annotated[bool, "Marked by the wayfinder: no air, fire, open space"] = False
    aboard: Annotated[bool, "On the ship, where spent life support reaches them"] = True
    advancements: Annotated[tuple[Advancement, ...], "Two at most, qualities and suit upgrades together"] = ()
    expertise: Annotated[str, "What an expert knows best"] = ""
    arm: Annotated[str, "The tool of an auxiliary arm"] = ""
    ablative: Annotated[bool, "Ablative armour still has its token"] = True
    may_advance: Annotated[bool, "Has an Upgrade or Mission prep to choose"] = False
    burned: Annotated[bool, "Dead, and gone from the crew; the sheet stays here"] = False
    primary: Annotated[Tool, "The primary tool: +2d6"] = Tool()
    secondary: Annotated[Tool, "The secondary tool: +1d6"] = Tool()
    prep: Annotated[Prep, "Mission prep: for one mission"] = Prep()

    @property
    def down(self) -> bool:
        """Down and Out (VK-41)."""
        return self.vitality <= 0


@dataclass(frozen=True, slots=True)
class Mission:
    """The mission under way, or the last one (VK-50)."""

    name: Annotated[str, "What it is called"] = ""
    number: Annotated[int, Between(0, None), "Counts the campaign's missions"] = 1
    over: Annotated[Literal["", "success", "failure"], "Its result once it is over"] = ""
    carry_on: Annotated[bool, "Ship wrecked or crew down, and the wayfinder said to carry on"] = False
    upgrade: Annotated[bool, "The ship has an upgrade to come"] = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """A campaign of Veil Runners."""

    mission: Annotated[Mission, "The mission"] = Mission()
    ship: Annotated[Ship, "The ship"] = Ship()
    crew: Annotated[Mapping[str, Member], "The crew, each under a short key"] = field(default_factory=dict)


# -- house rules --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HouseRules:
    """What every edition leaves open."""

    empty_slots: Annotated[
        Literal["allowed", "not-allowed"], "May a module slot be empty? If not, the file's check says so"
    ] = "allowed"
    tools_per_roll: Annotated[Literal[1, 2], "Tools that help one crew roll at most"] = 1
    focus_spent: Annotated[
        Literal["own", "own-then-ship"],
        "Whose Focus a crew roll spends: the roller's, or after those the ship's too",
    ] = "own"
    exposed: Annotated[
        Literal["suit-lost", "always"],
        "When Exposed makes crew rolls Desperate: with suit life support lost, or always",
    ] = "suit-lost"
    empty_slot_hit: Annotated[
        Literal["nothing", "wrecked"], "A hit on an empty slot does nothing, or leaves the ship Wrecked"
    ] = "nothing"
    shunt_after_critical: Annotated[
        Literal["any-roll", "ship-roll"], "Whose Critical allows a shunt: any roll's, or a ship roll's alone"
    ] = "any-roll"
    shunt_focus: Annotated[
        Literal["ship", "roller"], "Whose Focus token pays for a shunt after a roll: the ship's or the roller's"
    ] = "ship"
    life_support_reaches: Annotated[
        Literal["aboard", "everyone"], "Whom spent life support helps: all not marked away, or everyone"
    ] = "aboard"
    life_support_spent: Annotated[
        Literal["exposes", "safe"], "Does spending life support expose the crew, as losing it does"
    ] = "exposes"
    heal_fiasco_focus: Annotated[
        Literal["earned", "not-earned"], "Does a Fiasco on a roll to heal earn Focus, before the choice"
    ] = "earned"
    defender_drawback: Annotated[Literal["success", "fiasco"], "What a drawback counts as when a Defender rolls"] = (
        "success"
    )
    ablative_focus: Annotated[
        Literal["earned", "not-earned"], "Does damage that ablative armour takes still earn Focus"
    ] = "earned"
    ablative_down: Annotated[
        Literal["saves", "dies"], "Ablative armour saves someone Relentless who is Down, or they die"
    ] = "saves"
    defenders: Annotated[
        Literal["each", "one"],
        "May every Defender step in once a hit, also for whoever takes it by then, or only one of them",
    ] = "each"
    defence_dice: Annotated[
        Literal["vitality", "crew-roll"],
        "A Defender rolls vitality dice alone, or a crew roll with all its advancements",
    ] = "vitality"
    resourceful_down: Annotated[
        Literal["three", "one"], "Dice of someone Resourceful and Relentless who is Down and Out"
    ] = "three"
    shunt_while_asked: Annotated[
        Literal["allowed", "not-allowed"], "May engineering buy a shunt while something is asked"
    ] = "allowed"


@dataclass(frozen=True, slots=True)
class CoreHouseRules(HouseRules):
    """What the CORE edition leaves open beside that."""

    group_of_drawbacks: Annotated[
        Literal["drawback", "fiasco"], "A group roll whose best is a drawback is a drawback, or a Fiasco"
    ] = "drawback"


# -- what other editions have under another name ------------------------------------------------------------------------

AKIN: Mapping[str, str] = MappingProxyType(
    {
        "ship.core.CPU": "dice to sense and signal",
        "ship.core.HUL": "dice to withstand and mend",
        "ship.core.NAV": "dice to fly",
        "ship.wrecked": "the ship is lost",
        "crew.*.role": "what someone does aboard",
        "crew.*.vitality": "how someone holds up",
        "crew.*.primary.name": "the first piece of gear",
        "crew.*.primary.about": "what the first piece of gear is for",
        "crew.*.primary.works": "the first piece of gear is of use",
        "crew.*.secondary.name": "the second piece of gear",
        "crew.*.secondary.about": "what the second piece of gear is for",
        "crew.*.secondary.works": "the second piece of gear is of use",
    }
)
