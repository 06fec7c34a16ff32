"""The sheet of the first edition as the campaign file keeps it: ship, crew and house rules.

The stages that a roll or damage may open. Each is saved in the log under its `TAG`; at most one is open.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, ClassVar, Literal

from waylog.rules.codec.base_and_limits import Between
from waylog.rules.rulebook import CommonHouseRules
from waylog.rules.systems._veil_older_editions.damage import Breach, DicePlacement, InHand
from waylog.rules.systems._veil_older_editions.editions_ship_and_typed_names import (
    CARRIED,
    Bay,
    Crewmate,
    Edition,
    EditionClauses,
    EmptySlotHit,
    Module,
    Moment,
    PersonalDice,
    Ship,
    SystemDice,
    TokenLoss,
    Tokens,
    outcome_names,
    token_losses,
)
from waylog.values import dataclass, field


@dataclass(frozen=True, slots=True)
class ClassicTokens(Tokens):
    """The tokens of ship and crew: true while held (VC-02)."""

    integrity: Annotated[bool, "A ship token that takes the next damage and is then lost"] = True
    engineering: Annotated[bool, "A ship token: while lost, every system roll is Desperate"] = True
    supplies: Annotated[bool, "A crew token: while lost, each day costs everyone a personal die"] = True
    reserves: Annotated[bool, "A crew token: money, favours, a good name"] = True


_LOSSES = token_losses(
    engineering="system rolls are Desperate",
    supplies=TokenLoss("each day costs everyone a personal die", "−1 die a day"),
    reserves=TokenLoss("nobody offers docking, trade or help for free", "no way to pay"),
)


# The uses of the ship's systems.
_SENSE, _FLY, _WARD = "sense, signal, find the way", "fly, flee, push", "withstand, ward off, hold"
_USES = {"Telemetry": _SENSE, "Engines": _FLY, "Shields": _WARD}


@dataclass(frozen=True, slots=True)
class FiveDice(SystemDice):
    """The dice of each system of the ship: five in all (VC-01).

    A file may have up to `CARRIED` in one of them, if the wayfinder overrules the rule.
    """

    Telemetry: Annotated[int, Between(0, 5, "VC-01", (0, CARRIED)), "Dice to sense, signal or find the way"] = 1
    Engines: Annotated[int, Between(0, 5, "VC-01", (0, CARRIED)), "Dice to fly, flee or push"] = 2
    Shields: Annotated[int, Between(0, 5, "VC-01", (0, CARRIED)), "Dice to withstand, ward off or hold"] = 2


@dataclass(frozen=True, slots=True)
class FiveDiceShip(Ship):
    """The ship."""

    systems: Annotated[FiveDice, "Five dice, shared among the three systems"] = FiveDice()
    tokens: Annotated[ClassicTokens, "Tokens: yes until lost"] = ClassicTokens()
    modules: Annotated[Mapping[Bay, Module], "Modules, slots 1 to 4"] = field(default_factory=dict)
    state: Annotated[
        Literal["action", "downtime"], "Mode: action or downtime (in downtime, dice can be redistributed freely)"
    ] = "action"
    dice_lost: Annotated[
        int, Between(0, 5, "VC-14"), "System dice lost to faults, until the wayfinder restores them"
    ] = 0


MOST_PERSONAL = 4
"""The most personal dice that any house rule gives (VC-03)."""


@dataclass(frozen=True, slots=True)
class Member(Crewmate):
    """A crew member (VC-03)."""

    ASKED_FIRST: ClassVar = ("name", "background", "skill", "flaw")
    IN_PLAY: ClassVar = ("grit",)

    background: Annotated[str, "Background: where they come from, and what that taught them"] = ""
    skill: Annotated[str, "Skill: what they do well"] = ""
    flaw: Annotated[str, "Flaw: what gets them into trouble"] = ""
    personal: Annotated[int, Between(0, MOST_PERSONAL, "VC-03", (0, CARRIED)), "Personal dice (3 when rested)"] = 3
    grit: Annotated[int, Between(0, None, "VC-03"), "Grit tokens"] = 0
    backgrounds: Annotated[tuple[str, ...], "More backgrounds, each of which counts separately"] = ()
    skills: Annotated[tuple[str, ...], "More skills, each of which counts separately"] = ()


_PERSONAL = PersonalDice("personal", "personal dice", rule="personal_dice", clause="VC-03", rest_clause="VC-03")


def member_of(moment: Moment, who: str) -> Member:
    """Return a crew member's sheet."""
    member: Member = moment.sheet.crew[who]
    return member


@dataclass(frozen=True, slots=True)
class Sheet:
    """A campaign of the first edition."""

    ship: Annotated[FiveDiceShip, "The ship"] = FiveDiceShip()
    crew: Annotated[Mapping[str, Member], "The crew, each member under a short key"] = field(default_factory=dict)


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


# -- house rules --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class HouseRules(CommonHouseRules):
    """The house rules of the first edition."""

    personal_dice: Annotated[Literal[2, 3, 4], "Personal dice at the start, which is also the most"] = 3
    grit: Annotated[Literal[0, 1, 2, 3], "Grit tokens at the start"] = 0
    engineering_lost: Annotated[
        Literal["desperate", "no-effect"], "Effect of lost engineering on system rolls: all are Desperate, or none"
    ] = "desperate"
    helpers_risk: Annotated[
        Literal["asked", "roller"],
        "Who suffers a consequence when others helped: asked, or always the roller",
    ] = "asked"
    lost_dice: Annotated[
        Literal["restorable", "for-good"],
        "A die lost to a system fault: the wayfinder can restore it, or it is lost for good",
    ] = "restorable"
    fault_without_dice: Annotated[
        Literal["damage", "nothing"],
        "A system fault when the system has no dice: the ship takes damage, or nothing happens",
    ] = "damage"
    empty_slot_hit: EmptySlotHit = "nothing"


# -- what this game shares with others under its own names --------------------------------------------------------------

_RESERVED = (
    *("roll", "telemetry", "engines", "shields", "dice", "on"),
    *("normal", "risky", "reckless", "impossible", "impossible5", "impossible6", "standard", "desperate"),
    *("background", "skill", "help", "grit"),
)
_OUTCOMES = outcome_names(fiasco=("failure", "Failure"), drawback=("partial", "Partial success"))
_CLAUSES = EditionClauses(
    "VC-01", tokens="VC-02", desperate="VC-09", integrity="VC-17", engineering="VC-18", crash="VC-19"
)
CLASSIC = Edition(_USES, 5, _PERSONAL, _OUTCOMES, _LOSSES, frozenset(_RESERVED), _CLAUSES)


@dataclass(frozen=True, slots=True)
class Consequence(InHand):
    """A reactive shunt: the wayfinder says the consequence before the crew places the dice in hand (VC-11)."""

    TAG = "consequence"


@dataclass(frozen=True, slots=True)
class Sharing:
    """A roll with helpers. Once nothing else is open, the wayfinder is asked who suffers its consequence (VC-06)."""

    TAG = "sharing"

    who: tuple[str, ...] = ()
    """Keys of the roller and the helpers."""
    inner: Breach | Consequence | DicePlacement | None = None
    """The stage that comes first; after a consequence has been said, the stage that comes next."""
    told: bool = False
    """A consequence has been said."""

    @property
    def due(self) -> bool:
        """Whether the question is asked now."""
        return self.told or self.inner is None


Stage = Breach | Consequence | DicePlacement | Sharing
