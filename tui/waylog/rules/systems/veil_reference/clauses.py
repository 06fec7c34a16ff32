"""The clauses of Veil Runners, reference edition, in words for the people at the table."""

from waylog.rules.model.clause_texts import Clause, by_chapter, topics

_SHEETS = {
    "RF-01": Clause(
        "System dice, modules and tokens",
        "The ship shares six dice among SigInt, Shields and Engines, any number in each. Slots 1 to 4 hold modules. Integrity, "
        "engineering, supplies and reserves are tokens, held or lost.",
        ("RF-04", "RF-09", "RF-15"),
    ),
    "RF-02": Clause(
        "Crew sheet",
        "A character has skills, up to 3 vitality dice, and named EVA equipment of one or two dice. They start with all vitality "
        "dice. Each piece of equipment is ready or spent.",
        ("RF-04", "RF-12", "RF-18"),
    ),
}

_ROLLS = {
    "RF-03": Clause("Difficulty", "The wayfinder sets the difficulty: 1, 2 or 3.", ("RF-06",)),
    "RF-04": Clause(
        "Dice in a roll",
        "A roll starts with vitality dice. A ship roll takes the dice of one system off the ship and adds them. An EVA roll adds "
        "the dice of the ready equipment that is chosen.",
        ("RF-08", "RF-12", "RF-20"),
    ),
    "RF-05": Clause(
        "Hit target",
        "A die hits on a 6. Each skill, module or other help that is used lowers that by 1, to 3 at best. The log keeps what was "
        "used.",
        ("RF-06", "RF-16"),
    ),
    "RF-06": Clause(
        "Reading the dice",
        "A die at or above the hit target is a hit. More hits than the difficulty are a Success, exactly as many a Complication, "
        "fewer a Fiasco.",
        ("RF-03", "RF-05"),
    ),
    "RF-07": Clause("Every die shows", "Each die shows its own face, on the screen and in the log.", ("RF-06",)),
    "RF-19": Clause("Odds", "Before a roll, Waylog shows the exact odds of each outcome.", ("RF-06",)),
    "RF-20": Clause(
        "No dice, no roll",
        "A roll with no dice can't be made. A system, equipment or vitality must add some.",
        ("RF-04",),
    ),
}

_AFTER = {
    "RF-08": Clause("Vitality returns", "After a ship roll, all vitality dice return.", ("RF-13", "RF-18")),
    "RF-09": Clause(
        "Ship roll: Success",
        "The system's dice return, and all dice of the ship may be redistributed.",
        ("RF-10", "RF-11"),
    ),
    "RF-10": Clause(
        "Ship roll: Complication",
        "The crew places the dice they rolled in any systems. The other dice don't move.",
        ("RF-09", "RF-11"),
    ),
    "RF-11": Clause(
        "Ship roll: Fiasco",
        "The dice return to where they came from. If the roll was Desperate, the ship takes damage.",
        ("RF-09", "RF-10", "RF-15"),
    ),
    "RF-12": Clause("Equipment is spent", "Equipment that added dice to an EVA roll is spent.", ("RF-18", "RF-04")),
    "RF-13": Clause(
        "EVA roll: Desperate Fiasco",
        "A Fiasco on a Desperate EVA roll costs one vitality die. No other roll costs any.",
        ("RF-14", "RF-18"),
    ),
    "RF-14": Clause(
        "Desperate rolls",
        "The wayfinder says when a roll is Desperate. While engineering is lost, every ship roll is Desperate.",
        ("RF-11", "RF-13"),
    ),
    "RF-15": Clause(
        "Damage to the ship",
        "Integrity is lost first. Without it, the crew may spend engineering to stop the damage. Otherwise roll a die: 1 to 4 "
        "destroys that module or, if it was destroyed already, the ship.",
        ("RF-11", "RF-01"),
    ),
}

_STORY = {
    "RF-16": Clause(
        "Skills",
        "Investigate, with SigInt: gut feelings, deep knowledge, sharp mind. Fix, with Shields: flex muscles, read the manual. A "
        "campaign can add its own, for Engines too.",
        ("RF-05",),
    ),
    "RF-17": Clause("What it means", "After each roll, a question asks what it means for the story.", ("RF-06",)),
    "RF-18": Clause(
        "Rest and resupply",
        "Rest restores vitality dice and resupply makes equipment ready, for one or for all, when the wayfinder says so.",
        ("RF-02", "RF-12", "RF-13"),
    ),
}

CLAUSES = by_chapter({"Ship and crew": _SHEETS, "Rolls": _ROLLS, "After a roll": _AFTER, "Story": _STORY})

TOPICS = topics(
    {
        "ship": "RF-01",
        "ship.systems.*": "RF-01 RF-04 RF-09",
        "ship.modules": "RF-01 RF-15",
        "ship.tokens": "RF-01",
        "ship.tokens.integrity": "RF-15",
        "ship.tokens.engineering": "RF-15 RF-14",
        "crew.*": "RF-02",
        "crew.*.vitality": "RF-02 RF-08 RF-13 RF-18",
        "crew.*.equipment": "RF-02 RF-12 RF-18",
        "crew.*.skills": "RF-16 RF-05",
        "skills": "RF-16",
        "roll": "RF-06 RF-05 RF-04 RF-03",
        "keep": "RF-09",
        "remap": "RF-09",
        "place": "RF-10",
        "spend": "RF-15",
        "crash": "RF-15",
        "damage": "RF-15",
        "destroy": "RF-15",
        "join": "RF-02",
        "learn": "RF-16",
        "lose": "RF-01",
        "restore": "RF-18",
        "rest": "RF-18",
        "resupply": "RF-18",
        "house_rules.vitality": "RF-02",
        "house_rules.equipment_dice": "RF-02",
        "house_rules.engineering_lost": "RF-14",
        "house_rules.empty_slot_hit": "RF-15",
        "house_rules.prompts": "RF-17",
        "house_rules.rest": "RF-18",
    }
)
"""The clauses of a row of the sheet or a house rule, by its path, and of a move, by its verb; the one that says most first."""
