"""What can be open at the table. Each stage is a value that can be saved, and the last one of a scene is what is asked."""

from __future__ import annotations

from enum import StrEnum

from waylog.rules.facts import OutcomeGrade
from waylog.rules.kit import StageStack
from waylog.values import dataclass


class Call(StrEnum):
    """How bad a roll may turn out (VK-10, VN-03)."""

    STANDARD = "standard"
    RISKY = "risky"
    DESPERATE = "desperate"


class Purpose(StrEnum):
    """What a roll is made for."""

    PLAIN = "plain"
    HEAL = "heal"
    DEFEND = "defend"


@dataclass(frozen=True, slots=True)
class Hit:
    """A crew member is about to take damage (VK-40)."""

    TAG = "hit"

    who: str = ""
    defended: bool = False
    """No Defender steps in for them any more (VK-64)."""
    also: tuple[str, ...] = ()
    """Who takes the same damage after them: a defence was a Fiasco."""
    tried: tuple[str, ...] = ()
    """Who has defended against it already: each does so once a hit."""


@dataclass(frozen=True, slots=True)
class RollRequest:
    """Whose roll it is, how it was called, and what for."""

    who: str = ""
    """A crew member's key; empty for the ship."""
    system: str = ""
    """The ship's CORE system."""
    call: Call = Call.STANDARD
    purpose: Purpose = Purpose.PLAIN
    mate: str = ""
    """Who is healed or defended."""
    hit: Hit = Hit()
    """What a Defender rolls against."""


@dataclass(frozen=True, slots=True)
class FocusChoice:
    """Dice lie on the table and are not read yet: Focus may be spent on them (VK-13, VK-63)."""

    TAG = "thrown"

    roll: RollRequest = RollRequest()
    sources: tuple[str, ...] = ()
    """What each die is for."""
    faces: tuple[int, ...] = ()
    lowest: bool = False
    """The lowest die is read, not the highest (VN-02)."""
    final: tuple[int, ...] = ()
    """Places of the dice that were rolled again and stay as they are (VK-63)."""


@dataclass(frozen=True, slots=True)
class ShipHit:
    """The ship is about to take damage (VK-30)."""

    TAG = "shiphit"


@dataclass(frozen=True, slots=True)
class Struck:
    """A damage die fell on someone with adaptive plating, who may raise it (VK-68)."""

    TAG = "struck"

    who: str = ""
    face: int = 1


@dataclass(frozen=True, slots=True)
class Debt:
    """A healer spends another Focus token or takes damage (VK-44)."""

    TAG = "debt"

    who: str = ""


@dataclass(frozen=True, slots=True)
class LifeSupportChoice:
    """Life support was spent, and these still choose what it does for them (VK-38)."""

    TAG = "recovery"

    waiting: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Group:
    """A group roll under way (VK-20)."""

    TAG = "group"

    waiting: tuple[str, ...] = ()
    """Who still rolls, in the words of the moves."""
    rollers: tuple[str, ...] = ()
    """Who has rolled, by key; empty for the ship."""
    outcomes: tuple[OutcomeGrade, ...] = ()
    call: Call = Call.STANDARD


@dataclass(frozen=True, slots=True)
class FreePick:
    """Someone chooses an advancement from a list (VK-53)."""

    TAG = "freepick"

    who: str = ""
    table: str = ""


@dataclass(frozen=True, slots=True)
class Surplus:
    """Someone has one advancement too many and chooses which goes (VK-66)."""

    TAG = "surplus"

    who: str = ""
    gained: str = ""


@dataclass(frozen=True, slots=True)
class Naming:
    """An advancement has to be named: what someone is expert in, which tool an arm holds (VK-62, VK-67)."""

    TAG = "naming"

    who: str = ""
    gained: str = ""


@dataclass(frozen=True, slots=True)
class Settled:
    """A roll was read. It asks nothing, and allows a shunt (VK-33)."""

    TAG = "settled"

    rollers: tuple[str, ...] = ()
    """Who rolled, by key; empty for the ship."""
    criticals: tuple[str, ...] = ()
    """Whose rolls were Critical."""


Stage = FocusChoice | ShipHit | Hit | Struck | Debt | LifeSupportChoice | Group | FreePick | Surplus | Naming | Settled


@dataclass(frozen=True, slots=True)
class OpenStages(StageStack):
    """The stages that are open. The last one comes first."""

    TAG = "scene"

    stages: tuple[Stage, ...] = ()
