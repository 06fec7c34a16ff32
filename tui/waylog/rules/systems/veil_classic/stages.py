"""The stages that a roll or damage may open. Each is saved in the log under its `TAG`; at most one is open."""

from __future__ import annotations

from waylog.rules.systems._veil_hits.stages import Breach, DicePlacement, InHand
from waylog.values import dataclass


@dataclass(frozen=True, slots=True)
class Consequence(InHand):
    """A reactive shunt: the wayfinder says the consequence before the crew places the dice in hand (VC-11)."""

    TAG = "consequence"


Inner = Breach | Consequence | DicePlacement | None


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
