"""What the reference edition calls otherwise than other editions, and means alike."""

from collections.abc import Mapping
from types import MappingProxyType

AKIN: Mapping[str, str] = MappingProxyType(
    {
        "ship.systems.SigInt": "dice to sense and signal",
        "ship.systems.Shields": "dice to withstand and mend",
        "ship.systems.Engines": "dice to fly",
        "ship.destroyed": "the ship is lost",
        "crew.*.about": "what someone does aboard",
        "crew.*.vitality": "how someone holds up",
        "crew.*.equipment.first.name": "the first piece of gear",
        "crew.*.equipment.first.about": "what the first piece of gear is for",
        "crew.*.equipment.first.ready": "the first piece of gear is of use",
        "crew.*.equipment.second.name": "the second piece of gear",
        "crew.*.equipment.second.about": "what the second piece of gear is for",
        "crew.*.equipment.second.ready": "the second piece of gear is of use",
    }
)
