"""The clauses of Veil Runners, CORE edition, as told to the person at the table."""

from collections.abc import Mapping
from types import MappingProxyType

_SHEETS = {
    "VK-01": "Six dice lie in the ship's three CORE systems, CPU, HUL and NAV, and none is left without one.",
    "VK-02": (
        "Four slots, #1 to #4, hold modules. Each has its name, what it does, and a kind: specialised, additional or "
        "passive. A slot may be empty, and a module may be destroyed."
    ),
    "VK-03": "The ship has three tokens: life support, integrity and engineering. A new ship holds all three.",
    "VK-04": "Ship and crew start without Focus tokens and hold at most 3 each. Only doubled mission prep goes past that.",
    "VK-05": (
        "Crew start at 3 vitality, with suit life support, a primary and a secondary tool, which work until lost. There is room "
        "for two advancements, whichever list they come from."
    ),
    "VK-06": "A specialised module belongs to one CORE system, and adds a die to ship rolls of that system where it fits.",
    "VK-07": (
        "An additional module does something of its own, as a rule 1, 2, 3 or 6 times. Each use is counted, and with none left "
        "it must be refilled first."
    ),
    "VK-08": "A passive module goes on working when destroyed. Any other kind is no help until repaired.",
}

_ROLLS = {
    "VK-10": "Every roll belongs to the ship or to someone in the crew, and is either Standard or Desperate.",
    "VK-11": "The ship rolls its dice in one CORE system, and one more for each fitting specialised module that still stands.",
    "VK-12": (
        "A crew member rolls their vitality in dice. One working tool may help: the primary adds two dice, the secondary one. "
        "A house rule allows both."
    ),
    "VK-13": (
        "Before the dice are read, Focus tokens may raise them: one token, one step on one die, up to 6. The ship pays for its "
        "own rolls, a crew member for theirs."
    ),
    "VK-14": "The best die decides. Up to 3 is a Fiasco; 4 or 5, a Success with drawback; a 6, a Success; more than one 6, a Critical success.",
    "VK-15": "A Fiasco gives whoever rolled it a Focus token, if they have fewer than 3.",
    "VK-16": "A Desperate Fiasco also deals damage to whoever rolled it, after the Focus token.",
    "VK-17": (
        "Without engineering, the ship rolls Desperate every time. The wayfinder may make any roll Desperate, and "
        "lift it again unless a rule demands it."
    ),
    "VK-18": "Exposed with suit life support lost, a crew member rolls Desperate. A house rule makes Exposed enough.",
    "VK-19": "No dice, no roll: something has to add a die first.",
    "VK-20": (
        "A group roll has one outcome: Critical if all are, Success if any is Critical or all succeed, else a "
        "drawback if anyone did better than a Fiasco. Focus and damage are each roller's own. Whoever has not "
        "rolled is not in it."
    ),
    "VK-21": "The exact odds stand beside a roll before it is made, and the best use of Focus stands beside the dice after.",
}

_SHIP = {
    "VK-30": "A damaged ship gains Focus, one token if it holds fewer than 3. Integrity, while held, is lost in place of anything worse.",
    "VK-31": (
        "Hit without integrity, roll a die: on 1–4 the module in that slot is destroyed, on 5–6 the ship is spared. "
        "A module hit again leaves the ship Wrecked; an empty slot has nothing to lose."
    ),
    "VK-32": "A Wrecked ship has ended its mission. To roll all the same, the wayfinder says to carry on.",
    "VK-33": (
        "A shunt redistributes all CORE dice. It needs a Critical just rolled, a ship's Focus token after a roll, downtime, "
        "when it is free, or the engineering token: at any time, even in the middle of a roll, whose dice then stay as rolled."
    ),
    "VK-34": "The table is in action or in downtime. The wayfinder switches, and the campaign file remembers.",
    "VK-35": "Integrity may be spent to make a ship roll a Critical success with no dice thrown.",
    "VK-36": (
        "Engineering may be spent to repair a destroyed module, to rebuild a module as something else, to make a ship roll "
        "a Success with no dice thrown, or to shunt."
    ),
    "VK-37": "With the ship's life support gone, all the crew are Exposed until the ship has it back.",
    "VK-38": (
        "Life support may be spent to help all aboard: the Down and Out wake with 3 vitality, the others choose 3 vitality "
        "or a repaired suit system. Whoever is marked away gets nothing, and the ship is then without it."
    ),
    "VK-39": "A ship's token that is spent or lost returns only when the wayfinder says so, for a reason the log keeps.",
}

_CREW = {
    "VK-40": (
        "A hurt crew member gains one Focus token, if below 3, and rolls a die for what breaks: 1–2 suit life support, 3–4 the "
        "primary tool, 5–6 the secondary. If it is broken already, 1 vitality goes instead."
    ),
    "VK-41": "With no vitality left, a crew member is Down and Out: able to talk, unable to roll, unless Relentless.",
    "VK-42": "With nobody in the crew left standing the mission has ended, unless the wayfinder says to carry on.",
    "VK-43": "The wayfinder marks who is Exposed. Lost life support or a clock can do it to all, and the sheet says why.",
    "VK-44": (
        "Out of danger, a Focus token buys a crew roll to heal a mate: Critical gives 2 vitality, Success or a drawback 1, to "
        "at most 3. After a drawback or a Fiasco the healer pays another Focus token or is hurt; a Fiasco's own token comes first."
    ),
    "VK-45": "A healer who has no Focus token left to pay with is hurt, with no choice to make.",
}

_ADVANCEMENT = {
    "VK-50": "A mission ends with its result, won or lost, and what was lent for that mission alone goes with it.",
    "VK-51": "A mission won lets the ship be upgraded: one module added or changed, with a line in the log.",
    "VK-52": "Won or lost, each crew member then picks one: an Upgrade, or Mission prep.",
    "VK-53": (
        "For an Upgrade, name a list: qualities or suit upgrades. The first from a list is free to choose; later ones are "
        "rolled, and a roll of one already held is free to choose as well."
    ),
    "VK-54": "Mission prep is one pick of six, or two rolls that both count. It holds for the mission that follows.",
    "VK-60": (
        "Resourceful: three dice on every crew roll in place of vitality, and the tool on top. That holds for the Relentless who "
        "are Down and Out too."
    ),
    "VK-61": (
        "Relentless: Down and Out is no bar to rolling one die and a tool. To be hurt in that state is death: the sheet is "
        "burned, and only the log remembers it. Undo brings it back."
    ),
    "VK-62": "Expert: one more die when the named expertise is of use.",
    "VK-63": "Forceful: Focus tokens reroll dice, one each, where others raise them. What comes up then stays.",
    "VK-64": (
        "Defender: when a mate close by is hurt, 1 Focus buys a roll of vitality dice alone. Critical spares "
        "both, Success or a drawback moves the damage to the defender, a Fiasco hurts both. Each Defender may "
        "do so once a hit."
    ),
    "VK-65": "Reckless: be hurt, and the roll is a Success with no dice thrown.",
    "VK-66": "Nobody keeps a third advancement. One of them goes before play does.",
    "VK-67": (
        "Auxiliary arm: suit life support carries a named tool worth one die, lost when it is lost. Oversized systems: the "
        "secondary tool adds two dice."
    ),
    "VK-68": (
        "Adaptive plating: Focus tokens push the damage die up, a step each, to break something else. Ablative armour: a "
        "token of one's own that takes the first hit, and the hit still earns Focus. It saves the Relentless who are Down once."
    ),
    "VK-69": (
        "Limiter override: one more die on each crew roll, and every one is Desperate. Recirculation kit: a Fiasco on a crew "
        "roll earns one Focus token more."
    ),
    "VK-70": "Mission prep 1, Focus: start the next mission with three Focus tokens.",
    "VK-73": (
        "Mission prep 1, rolled both times: start with six. While above 3 no more can be earned, and with the mission what is "
        "above 3 goes."
    ),
    "VK-74": "Mission prep 2, Ingenuity: a token to spend before a Standard roll, which is then a Success.",
    "VK-75": "Mission prep 3, Foresight: a token that makes one Desperate roll Standard.",
    "VK-76": "Mission prep 4, Care: a token that makes one roll to heal a Success.",
    "VK-77": "Mission prep 5, Willpower: a token that moves a clock one segment, either way.",
    "VK-78": "Mission prep 6, Sheer dread: every Fiasco on a crew roll earns one Focus token more.",
}

CLAUSES: Mapping[str, str] = MappingProxyType(_SHEETS | _ROLLS | _SHIP | _CREW | _ADVANCEMENT)
