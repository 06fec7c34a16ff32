"""The clauses that every campaign plays by, whatever its game: clocks, and notes in the log."""

from collections.abc import Mapping
from types import MappingProxyType

CLAUSES: Mapping[str, str] = MappingProxyType(
    {
        "NM-20": (
            "A push, catastrophe, death or augury clock has 4 (short), 6 (normal), 8 (long), 10 or 12 (extended) segments, an "
            "outcome and notes. Players may be shown the clock and, apart from that, its outcome."
        ),
        "NM-21": "A push clock moves with the crew's luck: a Success fills one segment, a Critical two.",
        "NM-22": "A catastrophe clock moves when things go wrong: a drawback fills one segment, a Fiasco two.",
        "NM-23": "Death and augury clocks move with time: tick one by itself, or let time pass and tick them all together.",
        "NM-24": (
            "A roll may be made on clocks, named before it or after. What it will fill shows first, and one undo takes "
            "back roll and segments alike."
        ),
        "NM-25": (
            "What a clock does while it runs happens by itself, and each roll it touches says so. What it does once full is "
            "offered, and one key does it."
        ),
        "NM-26": (
            "Segments may be filled or emptied by hand, never past either end. A full clock stays until closed; a closed one "
            "is kept aside and may be opened again."
        ),
        "NM-27": "A clock shows its filled and empty segments, told apart without colour, and its count in figures.",
        "NM-28": "Until the wayfinder says otherwise, players see what a death clock leads to and not what an augury clock does.",
        "NM-29": "One line starts a clock: its name, segments and type. The rest can be told later.",
        "NM-42": "One key opens a note for the log, whatever else is going on.",
    }
)
