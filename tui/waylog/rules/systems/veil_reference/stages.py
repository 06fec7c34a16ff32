"""What can be open at the table after a roll or a hit. Each is a value that can be saved; at most one is open."""

from __future__ import annotations

from waylog.values import dataclass


@dataclass(frozen=True, slots=True)
class Breach:
    """The ship takes damage without integrity, and engineering could be spent on it (RF-15)."""


@dataclass(frozen=True, slots=True)
class Place:
    """Rolled system dice are in hand and go where the crew likes."""

    system: str = ""
    """Where they came from."""
    dice: int = 0
    clause: str = ""
    """What lets the crew do so."""


@dataclass(frozen=True, slots=True)
class Remap:
    """All of the ship's dice may be dealt anew (RF-09)."""


Stage = Breach | Place | Remap
