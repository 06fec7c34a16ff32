"""The stages that a roll or damage may open, in every game of this family."""

from __future__ import annotations

from waylog.values import dataclass


@dataclass(frozen=True, slots=True)
class Breach:
    """Damage to a ship without integrity, which engineering could stop (RF-15)."""

    TAG = "breach"


@dataclass(frozen=True, slots=True)
class InHand:
    """Rolled system dice that are in hand. The sheet still counts them in the system they came from."""

    system: str = ""
    """The system they came from."""
    dice: int = 0


@dataclass(frozen=True, slots=True)
class DicePlacement(InHand):
    """Dice in hand that the crew places where it likes."""

    TAG = "place"

    clause: str = ""
    """The clause that lets the crew place them."""
