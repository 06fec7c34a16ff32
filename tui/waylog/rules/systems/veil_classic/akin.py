"""What the first edition calls otherwise than other editions, and means alike."""

from collections.abc import Mapping
from types import MappingProxyType

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
