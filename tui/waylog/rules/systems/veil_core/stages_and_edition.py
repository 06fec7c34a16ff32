"""The stages of Veil Runners: what may be open between two acts. Each is saved in the log under its `TAG`.

Stages form a stack (`OpenStages`). The last one asks first.

The differences between editions of Veil Runners: numbers and functions in one value.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import Any

from waylog.rules.model.facts import OutcomeGrade
from waylog.rules.rulebook import StageStack
from waylog.values import dataclass


class Call(StrEnum):
    """The roll types: how bad a roll may turn out (VK-10, VN-03)."""

    STANDARD = "standard"
    RISKY = "risky"
    DESPERATE = "desperate"


class Purpose(StrEnum):
    """The purpose of a roll."""

    PLAIN = "plain"
    HEAL = "heal"
    DEFEND = "defend"


@dataclass(frozen=True, slots=True)
class Hit:
    """A crew member is about to take damage (VK-40)."""

    TAG = "hit"

    who: str = ""
    defended: bool = False
    """No Defender can step in any more (VK-64)."""
    also: tuple[str, ...] = ()
    """Keys of those who take the same damage afterwards, because a defence was a Fiasco."""
    tried: tuple[str, ...] = ()
    """Keys of those who have already tried to defend: each may try once for each hit."""


@dataclass(frozen=True, slots=True)
class RollRequest:
    """A roll before its dice: roller, roll type and purpose."""

    who: str = ""
    """The roller: a crew member's key; empty for the ship."""
    system: str = ""
    """The ship's CORE system."""
    call: Call = Call.STANDARD
    purpose: Purpose = Purpose.PLAIN
    mate: str = ""
    """Key of the crewmate who is healed or defended."""
    hit: Hit = Hit()
    """The hit that a Defender rolls against."""


@dataclass(frozen=True, slots=True)
class FocusChoice:
    """Rolled dice that Focus may still change (VK-13, VK-63)."""

    TAG = "thrown"

    roll: RollRequest = RollRequest()
    sources: tuple[str, ...] = ()
    """The label of each die."""
    faces: tuple[int, ...] = ()
    lowest: bool = False
    """The lowest die decides, not the highest (VN-02)."""
    final: tuple[int, ...] = ()
    """Positions of the dice that were rerolled and stay as they are (VK-63)."""


@dataclass(frozen=True, slots=True)
class ShipHit:
    """The ship is about to take damage (VK-30)."""

    TAG = "shiphit"


@dataclass(frozen=True, slots=True)
class Struck:
    """A damage die that adaptive plating may raise (VK-68)."""

    TAG = "struck"

    who: str = ""
    face: int = 1


@dataclass(frozen=True, slots=True)
class Debt:
    """A healer who spends 1 more Focus or takes damage (VK-44)."""

    TAG = "debt"

    who: str = ""


@dataclass(frozen=True, slots=True)
class LifeSupportChoice:
    """Those who still choose how spent life support helps them (VK-38)."""

    TAG = "recovery"

    waiting: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """A group roll in progress (VK-20)."""

    TAG = "group"

    waiting: tuple[str, ...] = ()
    """Those who have still to roll, by the words of their moves."""
    rollers: tuple[str, ...] = ()
    """Those who have rolled, by key; empty for the ship."""
    outcomes: tuple[OutcomeGrade, ...] = ()
    call: Call = Call.STANDARD
    all_roll: bool = False
    """The rest roll one after the other, each as they stand."""


@dataclass(frozen=True, slots=True)
class FreePick:
    """A free choice of an advancement from a list (VK-53)."""

    TAG = "freepick"

    who: str = ""
    table: str = ""


@dataclass(frozen=True, slots=True)
class Surplus:
    """One advancement too many: one has to go (VK-66)."""

    TAG = "surplus"

    who: str = ""
    gained: str = ""


@dataclass(frozen=True, slots=True)
class Naming:
    """An advancement that needs a name: an expertise, or an arm's tool (VK-62, VK-67)."""

    TAG = "naming"

    who: str = ""
    gained: str = ""


@dataclass(frozen=True, slots=True)
class Settled:
    """A finished roll. It asks nothing, but allows a shunt (VK-33)."""

    TAG = "settled"

    rollers: tuple[str, ...] = ()
    """Those who rolled, by key; empty for the ship."""
    criticals: tuple[str, ...] = ()
    """Those whose rolls were Critical, by key."""


@dataclass(frozen=True, slots=True)
class Advancing:
    """A mission has just ended. It asks nothing, but offers everyone their Upgrade or mission prep (VK-52)."""

    TAG = "advancing"


Stage = (
    FocusChoice
    | ShipHit
    | Hit
    | Struck
    | Debt
    | LifeSupportChoice
    | Group
    | FreePick
    | Surplus
    | Naming
    | Settled
    | Advancing
)


@dataclass(frozen=True, slots=True)
class OpenStages(StageStack):
    """The open stages. The last one asks first."""

    TAG = "scene"

    stages: tuple[Stage, ...] = ()


Harm = frozenset[tuple[Call, OutcomeGrade]]
"""The outcomes that hurt the roller, for each roll type."""


@dataclass(frozen=True, slots=True)
class Edition:
    """The rules of one edition. All editions share the others."""

    core_dice: int
    """Number of dice in the ship's three CORE systems."""
    core_least: int
    """Lowest number of dice in one of them."""
    core_most: int
    core_clause: str
    calls: tuple[Call, ...]
    """Roll types, mildest first."""
    call_clause: str
    harm: Harm
    harm_clause: str
    no_dice: Callable[[str], int]
    """Returns how many dice to roll, lowest read, if a roll has no dice. Raises `ActRefused` if it can't be made."""
    most_dice: Callable[[Any], int | None]
    """Returns the most dice that may be rolled at once under these house rules, or None."""
    group: Callable[[Sequence[OutcomeGrade], Any], OutcomeGrade]
    """Returns the shared outcome of a group roll under these house rules."""
    group_clause: str

    def harms(self, call: Call, outcome: OutcomeGrade) -> bool:
        """Whether a roll of that type with that outcome hurts its roller."""
        return (call, outcome) in self.harm
