"""The clauses of Veil Runners, reference edition, as told to the person at the table."""

from collections.abc import Mapping
from types import MappingProxyType

CLAUSES: Mapping[str, str] = MappingProxyType(
    {
        "RF-01": (
            "Six dice lie in SigInt, Shields and Engines, any number in each. Slots 1 to 4 hold modules. Integrity, engineering, "
            "supplies and reserves are tokens, each held or lost."
        ),
        "RF-02": (
            "A character has skills, up to 3 vitality dice and starts with all of them, and named EVA equipment of one or two "
            "dice, each piece ready or spent. House rules set both figures."
        ),
        "RF-03": "The wayfinder sets what has to be beaten: a difficulty of one, two or three.",
        "RF-04": (
            "Vitality dice come first. A ship roll takes one system's dice off the ship to roll with them; an EVA roll adds "
            "those of ready equipment, as chosen."
        ),
        "RF-05": (
            "A die hits on a 6. Every skill, module or other help that is invoked makes it one easier, to a 3 and no further. "
            "The log keeps what was invoked."
        ),
        "RF-06": (
            "Each die at or over the hit target is a hit. More hits than the difficulty are a Success, just as many a "
            "Complication, fewer a Fiasco."
        ),
        "RF-07": "Every die is shown with the face that it came up with, on screen and in the log.",
        "RF-08": "After a ship roll all vitality dice are back, whatever came of it.",
        "RF-09": "A Success on a ship roll brings the system's dice back, and every die of the ship may then be dealt anew.",
        "RF-10": "A Complication on a ship roll lets the crew put the dice they rolled into any systems. The others don't move.",
        "RF-11": "A Fiasco on a ship roll sends the dice back where they were. If the roll was Desperate, the ship is hit.",
        "RF-12": "Equipment that lent its dice to an EVA roll is spent.",
        "RF-13": "An EVA roll that was Desperate and a Fiasco costs one vitality die. No other takes any.",
        "RF-14": (
            "The wayfinder says when a roll is Desperate. Without engineering every roll of a ship system is; a house rule may "
            "lift that."
        ),
        "RF-15": (
            "A hit ship loses integrity first. Next the crew may spend engineering to stop it. Failing both a die finds a module "
            "to destroy on 1–4; one that is destroyed already takes the ship with it."
        ),
        "RF-16": (
            "Skills to investigate, with SigInt: gut feelings, deep knowledge, sharp mind. To fix, with Shields: flex muscles, "
            "read the manual. A campaign names more in its file, for Engines too."
        ),
        "RF-17": "A line after each roll asks what it does to the story. A house rule turns it off.",
        "RF-18": "Rest brings vitality back and resupply makes equipment ready, for one or for all, when the wayfinder says so.",
        "RF-19": "The exact odds of each outcome stand beside a roll before it is made.",
        "RF-20": "No dice, no roll: a system, equipment or vitality has to bring some.",
    }
)
