"""What can be open at the table after a roll or a hit. Each is a value that can be saved; at most one is open."""

from __future__ import annotations

from waylog.rules.systems._veil_hits.stages import Breach, DicePlacement, InHand
from waylog.values import dataclass


@dataclass(frozen=True, slots=True)
class Consequence(InHand):
    """A reactive shunt: the wayfinder says what follows before the crew places the dice in hand (VC-11)."""

    TAG = "consequence"


Inner = Breach | Consequence | DicePlacement | None


@dataclass(frozen=True, slots=True)
class Sharing:
    """A roll had helpers: whom its consequence falls on is asked as soon as nothing else of it is (VC-06)."""

    TAG = "sharing"

    who: tuple[str, ...] = ()
    """The keys of the roller and the helpers."""
    inner: Breach | Consequence | DicePlacement | None = None
    """What comes first; or, where a consequence has been told, next."""
    told: bool = False
    """A consequence has been told."""

    @property
    def due(self) -> bool:
        """It is asked now."""
        return self.told or self.inner is None


Stage = Breach | Consequence | DicePlacement | Sharing
