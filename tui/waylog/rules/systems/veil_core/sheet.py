"""The sheet of Veil Runners as the campaign file keeps it: ship, crew, mission and house rules.

The texts in `Annotated` become comments in a new campaign file and descriptions in its JSON Schema. The annotations are types here,
and not texts: every start needs them all, and compiling texts takes longer.
"""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import ClassVar, Literal

from waylog.rules.codec.base_and_limits import Between
from waylog.rules.rulebook import CommonHouseRules
from waylog.values import Annotated, dataclass, field

MOST_FOCUS = 6
"""The most Focus that any house rule allows, or doubled mission prep (VK-04, VK-73)."""
MOST_VITALITY = 5
"""The most that any house rule makes of full vitality (VK-05)."""
CARRIED = 12
"""The most dice of a system, vitality or Focus that the rules can work with, whatever the wayfinder overrules."""
TOP_USES = 6
"""The most uses of an additional module (VK-07)."""
TOP_ADVANCEMENTS = 2
"""The most advancements a crew member keeps (VK-66)."""


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
    """The kinds of module (VK-06, VK-07, VK-08)."""

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
    """The systems of a suit (VK-05)."""

    LIFE_SUPPORT = "life_support"
    PRIMARY = "primary"
    SECONDARY = "secondary"


class Advancement(StrEnum):
    """The advancements of crew members: six qualities, six suit upgrades (VK-60…VK-69)."""

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
    """The dice of each CORE system: 1 to 4, unless the wayfinder overrules that (VK-01)."""

    CPU: Annotated[int, Between(1, 4, "VK-01", (0, CARRIED)), "Dice to communicate, detect or compute"] = 2
    HUL: Annotated[int, Between(1, 4, "VK-01", (0, CARRIED)), "Dice to resist, sustain or survive"] = 2
    NAV: Annotated[int, Between(1, 4, "VK-01", (0, CARRIED)), "Dice to navigate, avoid or manoeuvre"] = 2


@dataclass(frozen=True, slots=True)
class Tokens:
    """The ship's tokens: true while held, false when lost (VK-03)."""

    life_support: Annotated[bool, "While lost, the whole crew is Exposed"] = True
    integrity: Annotated[bool, "Takes the next damage, and is then lost"] = True
    engineering: Annotated[bool, "While lost, every ship roll is Desperate"] = True
    life_support_spent: Annotated[bool, "Everyone aboard has recovered with it"] = False


SystemName = Literal["", "CPU", "HUL", "NAV"]


@dataclass(frozen=True, slots=True)
class Module:
    """The module in a slot. Without a name the slot is empty (VK-02)."""

    ASKED_FIRST: ClassVar = ("name", "kind", "system", "uses")
    IN_PLAY: ClassVar = ("uses_left", "destroyed")

    name: Annotated[str, "Name. Without one, the slot is empty"] = ""
    about: Annotated[str, "Description"] = ""
    kind: Annotated[ModuleKind, "specialised (+1d6), additional (limited uses) or passive (never stops working)"] = (
        ModuleKind.SPECIALISED
    )
    system: Annotated[SystemName, "The system that a specialised module helps"] = ""
    uses: Annotated[
        int, Between(0, TOP_USES, "VK-07"), "Uses of an additional module, usually 1, 2, 3 or 6 (0: unlimited)"
    ] = 0
    uses_left: Annotated[int, Between(0, TOP_USES, "VK-07"), "Uses left (6: all)"] = TOP_USES
    """The uses left: all of them, if the file leaves this out. `remaining_uses` never exceeds `uses`."""
    destroyed: Annotated[bool, "Destroyed, until it is repaired"] = False

    @property
    def remaining_uses(self) -> int:
        """The uses left, never more than `uses` (VK-07)."""
        return min(self.uses, self.uses_left)


@dataclass(frozen=True, slots=True)
class Ship:
    """The ship."""

    ASKED_FIRST: ClassVar = ("name", "about", "core", "modules")
    IN_PLAY: ClassVar = ("state", "wrecked", "tokens")

    name: Annotated[str, "The ship's name"] = ""
    about: Annotated[str, "Anything worth noting about the ship"] = ""
    focus: Annotated[int, Between(0, MOST_FOCUS, "VK-04", (0, CARRIED)), "Focus tokens: 3 at most"] = 0
    state: Annotated[Literal["action", "downtime"], "Mode: action or downtime (in downtime, shunts are free)"] = (
        "action"
    )
    wrecked: Annotated[bool, "The mission is over unless you carry on"] = False
    core: Annotated[CoreDice, "Dice in each CORE system"] = CoreDice()
    tokens: Annotated[Tokens, "Tokens: yes until lost"] = Tokens()
    modules: Annotated[Mapping[Bay, Module], "Modules, slots 1 to 4"] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Tool:
    """A suit system that is a tool (VK-05)."""

    ASKED_FIRST: ClassVar = ("name",)
    IN_PLAY: ClassVar = ("works",)

    name: Annotated[str, "Name"] = ""
    about: Annotated[str, "Description"] = ""
    works: Annotated[bool, "The tool isn't lost"] = True


@dataclass(frozen=True, slots=True)
class Prep:
    """The mission prep of a crew member: how often each kind was chosen or rolled (VK-54)."""

    focus: Annotated[int, Between(0, 2, "VK-70"), "Starts the mission with three Focus (1) or six (2)"] = 0
    ingenuity: Annotated[int, Between(0, 2, "VK-74"), "Tokens: a Standard roll is a Success"] = 0
    foresight: Annotated[int, Between(0, 2, "VK-75"), "Tokens: a Desperate roll is Standard"] = 0
    care: Annotated[int, Between(0, 2, "VK-76"), "Tokens: a healing roll is a Success"] = 0
    willpower: Annotated[int, Between(0, 2, "VK-77"), "Tokens: fill or empty one segment of a clock"] = 0
    dread: Annotated[int, Between(0, 2, "VK-78"), "Extra Focus on each Fiasco of a crew roll"] = 0


@dataclass(frozen=True, slots=True)
class Member:
    """A crew member (VK-05)."""

    ASKED_FIRST: ClassVar = ("name", "role", "primary", "secondary")
    IN_PLAY: ClassVar = ("life_support", "exposed", "aboard", "ablative", "may_advance", "burned")
    LABELS: ClassVar = {
        "primary": "Primary tool",
        "secondary": "Secondary tool",
        "ablative": "Ablative armour",
        "arm": "Auxiliary arm",
    }
    ONLY_WITH: ClassVar = {
        "expertise": ("advancements", Advancement.EXPERT),
        "arm": ("advancements", Advancement.AUXILIARY_ARM),
        "ablative": ("advancements", Advancement.ABLATIVE_ARMOUR),
    }

    name: Annotated[str, "Name"] = ""
    role: Annotated[str, "Role, and anything worth noting"] = ""
    vitality: Annotated[int, Between(0, MOST_VITALITY, "VK-05", (0, CARRIED)), "At 0 they are Down and Out"] = 3
    focus: Annotated[
        int, Between(0, MOST_FOCUS, "VK-04", (0, CARRIED)), "Focus tokens: 3 at most, 6 after doubled mission prep"
    ] = 0
    life_support: Annotated[bool, "The suit's life support works"] = True
    exposed: Annotated[bool, "Exposed, set by the wayfinder: no air, fire, open space"] = False
    aboard: Annotated[bool, "Aboard, where spent life support helps them"] = True
    advancements: Annotated[tuple[Advancement, ...], "Two at most, qualities and suit upgrades together"] = ()
    expertise: Annotated[str, "The field of an expert"] = ""
    arm: Annotated[str, "The tool of an auxiliary arm"] = ""
    ablative: Annotated[bool, "Ablative armour still has its token"] = True
    may_advance: Annotated[bool, "Has an Upgrade or mission prep to choose"] = False
    burned: Annotated[bool, "Dead and out of the crew. The sheet stays in the file"] = False
    primary: Annotated[Tool, "The primary tool: +2d6"] = Tool()
    secondary: Annotated[Tool, "The secondary tool: +1d6"] = Tool()
    prep: Annotated[Prep, "Mission prep: for one mission"] = Prep()

    @property
    def down(self) -> bool:
        """Whether they are Down and Out (VK-41)."""
        return self.vitality <= 0


@dataclass(frozen=True, slots=True)
class Mission:
    """The current or last mission (VK-50)."""

    name: Annotated[str, "Name"] = ""
    number: Annotated[int, Between(0, None), "Number of the mission in this campaign"] = 1
    over: Annotated[Literal["", "success", "failure"], "Result, once it is over"] = ""
    carry_on: Annotated[bool, "The mission carries on although the ship is Wrecked or the crew is down"] = False
    upgrade: Annotated[bool, "The ship can be upgraded"] = False


@dataclass(frozen=True, slots=True)
class Sheet:
    """A campaign of Veil Runners."""

    mission: Annotated[Mission, "The mission"] = Mission()
    ship: Annotated[Ship, "The ship"] = Ship()
    crew: Annotated[Mapping[str, Member], "The crew, each member under a short key"] = field(default_factory=dict)


# -- house rules --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HouseRules(CommonHouseRules):
    """The house rules that every edition has."""

    empty_slots: Annotated[
        Literal["allowed", "not-allowed"], "Empty module slots (if not allowed, the check reports them)"
    ] = "allowed"
    tools_per_roll: Annotated[Literal[1, 2], "The most tools that may help one crew roll"] = 1
    focus_spent: Annotated[
        Literal["own", "own-then-ship"],
        "Whose Focus a crew roll may spend: the roller's, or also the ship's",
    ] = "own"
    exposed: Annotated[
        Literal["suit-lost", "always", "never"],
        "Exposed makes crew rolls Desperate: with suit life support lost, always, or never",
    ] = "suit-lost"
    empty_slot_hit: Annotated[
        Literal["nothing", "wrecked"], "Effect of a hit on an empty slot: none, or the ship is Wrecked"
    ] = "nothing"
    shunt_after_critical: Annotated[
        Literal["any-roll", "ship-roll"], "Which Criticals allow a shunt: any roll, or ship rolls only"
    ] = "any-roll"
    shunt_focus: Annotated[
        Literal["ship", "roller"], "Whose Focus pays for a shunt after a roll: the ship's or the roller's"
    ] = "ship"
    life_support_reaches: Annotated[
        Literal["aboard", "everyone"], "Who is helped by spending life support: those aboard, or everyone"
    ] = "aboard"
    life_support_spent: Annotated[
        Literal["exposes", "safe"], "Spent life support: the crew is Exposed, as when it is lost, or safe"
    ] = "exposes"
    heal_fiasco_focus: Annotated[
        Literal["earned", "not-earned"], "Focus for a Fiasco on a healing roll: earned before the choice, or not at all"
    ] = "earned"
    defender_drawback: Annotated[Literal["success", "fiasco"], "Outcome that a Defender's drawback counts as"] = (
        "success"
    )
    ablative_focus: Annotated[
        Literal["earned", "not-earned"], "Focus for damage that ablative armour takes: earned or not"
    ] = "earned"
    ablative_down: Annotated[
        Literal["saves", "dies"], "Ablative armour of a Relentless member who is Down and Out: saves them, or they die"
    ] = "saves"
    defenders: Annotated[
        Literal["each", "one"],
        "Who may defend against one hit: each Defender once, even for another, or only one Defender",
    ] = "each"
    defence_dice: Annotated[
        Literal["vitality", "crew-roll"],
        "Dice of a Defender: vitality alone, or a crew roll with all advancements",
    ] = "vitality"
    resourceful_down: Annotated[
        Literal["three", "one"], "Dice of someone Resourceful and Relentless who is Down and Out"
    ] = "three"
    shunt_while_asked: Annotated[
        Literal["allowed", "not-allowed"], "A shunt for engineering while a question is open"
    ] = "allowed"
    group_unrolled: Annotated[
        Literal["no-part", "fiasco"],
        "Anyone who hasn't rolled when a group roll ends: took no part, or counts as a Fiasco",
    ] = "no-part"
    engineering_lost: Annotated[
        Literal["desperate", "no-effect"], "Effect of lost engineering on ship rolls: all are Desperate, or none"
    ] = "desperate"
    vitality: Annotated[Literal[3, 2, 4, 5], "Full vitality: the starting value and the maximum"] = 3
    focus: Annotated[Literal[3, 2, 4, 5, 6], "The most Focus that anyone may hold (doubled prep gives 6)"] = 3


@dataclass(frozen=True, slots=True)
class CoreHouseRules(HouseRules):
    """The house rules of the CORE edition alone."""

    group_of_drawbacks: Annotated[
        Literal["drawback", "fiasco"], "If a group's best result is a drawback, the outcome is: drawback, or fiasco"
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
