"""The clauses of Veil Runners, first edition, as told to the person at the table."""

from collections.abc import Mapping
from types import MappingProxyType

_SHEETS = {
    "VC-01": (
        "Five dice lie in Telemetry, Engines and Shields, any number in each; faults can make them fewer. Slots 1 to 4 hold "
        "modules."
    ),
    "VC-02": "The ship has integrity and engineering, the crew supplies and reserves: tokens, each held or lost.",
    "VC-03": (
        "A character has backgrounds, skills, a flaw, up to 3 personal dice and starts with all of them, and grit, none at "
        "first and any number later, as the wayfinder awards it. House rules set the figures."
    ),
}

_ROLLS = {
    "VC-04": "A Normal roll has a difficulty of 1, a Risky one 2, a Reckless one 3. What is Impossible has 4, 5 or 6.",
    "VC-05": (
        "A die hits on a 6 and, for each of background, skill, module, grit token or other help, on one face more: Amateur 5, "
        "Skilled 4, Expert 3, the best there is. Grit is gone once said."
    ),
    "VC-06": (
        "Others may help with one die each. It counts against a target of the helper's own, from the helper's background and "
        "skill, never from grit. Helpers share the risk: the wayfinder says whom a consequence falls on."
    ),
    "VC-07": "A systems roll takes every die of one system in hand and adds personal dice. Other rolls are personal dice alone.",
    "VC-08": (
        "Dice at or over the target of whoever threw them are hits. More hits than the difficulty are a Success, just as many a "
        "Partial success, fewer a Failure."
    ),
    "VC-09": "Without engineering every systems roll is Desperate. The wayfinder may call any roll so.",
}

_SHUNTS = {
    "VC-10": (
        "System dice go back by outcome. Success: reactive shunt; Partial: standard shunt; Failure: stabilise. A Desperate roll is "
        "one worse: standard shunt, stabilise, system fault."
    ),
    "VC-11": "Reactive shunt: the wayfinder tells the consequence, and knowing it the crew puts the rolled dice where it likes.",
    "VC-12": "Standard shunt: the crew puts the rolled dice where it likes at once, not knowing what follows.",
    "VC-13": "Stabilise: the rolled dice go back to the system they came from, with nothing to choose.",
    "VC-14": (
        "System fault: one rolled die is lost until the wayfinder restores it, the others go back. The ship is hit if that was "
        "the only one, or if there was none. House rules may change both."
    ),
    "VC-15": "In downtime the dice are dealt anew as often as one likes, and for nothing.",
    "VC-16": (
        "Emergency shunt: give up engineering at any time, even in the middle of a roll, and redistribute all dice that are not "
        "in hand."
    ),
}

_TOKENS = {
    "VC-17": "A hit takes integrity if the ship holds it, and nothing else.",
    "VC-18": "A hit without integrity can be bought off with engineering, if the crew so chooses.",
    "VC-19": (
        "Otherwise a system crashes. On 1–4 the module of that number is destroyed; if it was destroyed before, so is the ship, "
        "and the adventure is over. On 5–6, or where a slot is empty, nothing happens."
    ),
    "VC-20": "Engineering may be given up to make a systems or module roll a Success. No dice are thrown, and none move.",
    "VC-21": "Engineering may be given up for something dramatic in the story. The log keeps what it was for.",
    "VC-22": "When a day passes while supplies are lost, everyone in the crew who still has a personal die loses one.",
    "VC-23": "Reserves go and return as the wayfinder says and for a reason. A token is there or not: nobody counts them.",
    "VC-24": "Beside a lost token stands what its loss means.",
    "VC-25": "The exact odds, with the helpers in them, stand beside a roll before it is made.",
    "VC-26": "No dice, no roll: personal dice, a system or a helper has to bring one.",
}

CLAUSES: Mapping[str, str] = MappingProxyType(_SHEETS | _ROLLS | _SHUNTS | _TOKENS)
