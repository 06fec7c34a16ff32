"""The first edition's own names for what it shares with the reference edition."""

from __future__ import annotations

from types import MappingProxyType

from waylog.rules.systems.veil_classic.sheet import Station
from waylog.rules.systems.veil_reference.editions import Edition
from waylog.rules.systems.veil_reference.sheet import Token
from waylog.rules.turns import Mood

CLASSIC = Edition(
    systems=MappingProxyType(
        {
            Station.TELEMETRY.value: "sense, signal, find the way",
            Station.ENGINES.value: "fly, flee, push",
            Station.SHIELDS.value: "withstand, ward off, hold",
        }
    ),
    dice=5,
    outcomes=MappingProxyType(
        {
            Mood.FIASCO: ("failure", "Failure"),
            Mood.DRAWBACK: ("partial", "Partial success"),
            Mood.SUCCESS: ("success", "Success"),
        }
    ),
    without=MappingProxyType(
        {
            Token.INTEGRITY: "the next damage may crash a module",
            Token.ENGINEERING: "systems rolls are Desperate",
            Token.SUPPLIES: "each day costs everyone a personal die",
            Token.RESERVES: "nobody docks, trades or helps for free",
        }
    ),
    in_short=MappingProxyType(
        {
            Token.INTEGRITY: "modules at risk",
            Token.ENGINEERING: "Desperate rolls",
            Token.SUPPLIES: "−1 die a day",
            Token.RESERVES: "nothing to pay",
        }
    ),
    reserved=frozenset(
        (
            *("roll", "telemetry", "engines", "shields", "dice", "on"),
            *("normal", "risky", "reckless", "impossible", "impossible5", "impossible6", "standard", "desperate"),
            *("background", "skill", "help", "grit"),
        )
    ),
    dice_clause="VC-01",
    token_clause="VC-02",
    desperate_clause="VC-09",
    integrity_clause="VC-17",
    engineering_clause="VC-18",
    crash_clause="VC-19",
)
