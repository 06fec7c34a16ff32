"""What can be open at the table after a roll or a hit, in every game of this family."""

from __future__ import annotations

from waylog.values import dataclass


@dataclass(frozen=True, slots=True)
class Breach:
    """The ship takes damage without integrity, and engineering could be spent on it (RF-15)."""

    TAG = "breach"


@dataclass(frozen=True, slots=True)
class InHand:
    """Rolled system dice are in hand. The sheet still counts them where they came from."""

    system: str = ""
    """Where they came from."""
    dice: int = 0


@dataclass(frozen=True, slots=True)
class DicePlacement(InHand):
    """Dice in hand go where the crew likes."""

    TAG = "place"

    clause: str = ""
    """What lets the crew do so."""
