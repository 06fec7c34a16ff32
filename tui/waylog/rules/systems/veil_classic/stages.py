"""What can be open at the table after a roll or a hit. Each is a value that can be saved; at most one is open."""

from __future__ import annotations

from waylog.rules.systems.veil_reference.stages import Breach, InHand, Place
from waylog.values import dataclass


@dataclass(frozen=True, slots=True)
class Consequence(InHand):
    """A reactive shunt: the wayfinder says what follows before the crew places the dice in hand (VC-11)."""


Stage = Breach | Consequence | Place
