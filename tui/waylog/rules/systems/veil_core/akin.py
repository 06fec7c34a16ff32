"""What the editions of Veil Runners call differently and mean alike, for campaigns that are taken over from one into another."""

from collections.abc import Mapping
from types import MappingProxyType

AKIN: Mapping[str, str] = MappingProxyType(
    {
        "ship.core.CPU": "dice to sense and signal",
        "ship.core.HUL": "dice to withstand and mend",
        "ship.core.NAV": "dice to fly",
        "ship.wrecked": "the ship is lost",
        "crew.*.role": "what someone does aboard",
        "crew.*.vitality": "how someone holds up",
        "crew.*.primary.name": "the first piece of gear",
        "crew.*.primary.about": "what the first piece of gear is for",
        "crew.*.primary.works": "the first piece of gear is of use",
        "crew.*.secondary.name": "the second piece of gear",
        "crew.*.secondary.about": "what the second piece of gear is for",
        "crew.*.secondary.works": "the second piece of gear is of use",
    }
)
