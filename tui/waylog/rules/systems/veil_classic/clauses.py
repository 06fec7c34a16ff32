"""The clauses of Veil Runners, first edition, in words for the people at the table."""

from waylog.rules.model.clause_texts import Clause, by_chapter, topics

_SHEETS = {
    "VC-01": Clause(
        "System dice and modules",
        "The ship shares five dice among Telemetry, Engines and Shields, any number in each. System faults can take dice away. "
        "Slots 1 to 4 hold modules.",
        ("VC-07", "VC-14", "VC-15"),
    ),
    "VC-02": Clause(
        "Tokens",
        "The ship has integrity and engineering, the crew has supplies and reserves. Each token is held or lost.",
        ("VC-17", "VC-20", "VC-22", "VC-23"),
    ),
    "VC-03": Clause(
        "Crew sheet",
        "A character has backgrounds, skills, a flaw, up to 3 personal dice and grit. They start with all personal dice and no "
        "grit. The wayfinder awards grit.",
        ("VC-05", "VC-07"),
    ),
}

_ROLLS = {
    "VC-04": Clause(
        "Difficulty",
        "A Normal roll has a difficulty of 1, a Risky one 2, a Reckless one 3. An Impossible one has 4, 5 or 6.",
        ("VC-08",),
    ),
    "VC-05": Clause(
        "Proficiency and grit",
        "A die hits on a 6. Background, skill, module, other help and a grit token each lower that by 1: Amateur 5, Skilled 4, "
        "Expert 3 at best. The grit is spent at once.",
        ("VC-06", "VC-08"),
    ),
    "VC-06": Clause(
        "Helping",
        "Each helper adds one die. It has the helper's own target, from their background and skills, never from grit. Helpers "
        "share the risk: the wayfinder says who suffers a consequence.",
        ("VC-05", "VC-08"),
    ),
    "VC-07": Clause(
        "System rolls and other rolls",
        "A system roll takes all dice of one system and adds personal dice. Other rolls use personal dice alone.",
        ("VC-01", "VC-10"),
    ),
    "VC-08": Clause(
        "Reading the dice",
        "A die at or above its roller's target is a hit. More hits than the difficulty are a Success, exactly as many a Partial "
        "success, fewer a Failure.",
        ("VC-04", "VC-05", "VC-10"),
    ),
    "VC-09": Clause(
        "Desperate rolls",
        "Every system roll is Desperate while engineering is lost. The wayfinder may make any roll Desperate.",
        ("VC-10", "VC-14"),
    ),
}

_SHUNTS = {
    "VC-10": Clause(
        "Returning the dice",
        "System dice return by outcome. Success: reactive shunt; Partial: standard shunt; Failure: stabilise. On a Desperate roll "
        "it is standard shunt, stabilise, system fault.",
        ("VC-11", "VC-12", "VC-13", "VC-14"),
    ),
    "VC-11": Clause(
        "Reactive shunt",
        "The wayfinder names the consequence. Then the crew places the rolled dice where they like.",
        ("VC-10", "VC-12"),
    ),
    "VC-12": Clause(
        "Standard shunt",
        "The crew immediately places the rolled dice where it likes, before it hears the consequence.",
        ("VC-10", "VC-11"),
    ),
    "VC-13": Clause("Stabilise", "The rolled dice return to the system they came from.", ("VC-10",)),
    "VC-14": Clause(
        "System fault",
        "One rolled die is lost until the wayfinder restores it. The others return. If it was the only system die, or there was "
        "none, the ship takes damage.",
        ("VC-10", "VC-17"),
    ),
    "VC-15": Clause(
        "Remap in downtime",
        "In downtime the dice can be redistributed freely and as often as the crew likes.",
        ("VC-16", "VC-01"),
    ),
    "VC-16": Clause(
        "Emergency shunt",
        "Spend engineering at any time, even during a roll, to redistribute all dice that are not being rolled. It must wait "
        "until all dice are typed, and a destroyed ship can't shunt.",
        ("VC-15", "VC-20"),
    ),
}

_TOKENS = {
    "VC-17": Clause(
        "Damage and integrity",
        "When the ship takes damage and holds integrity, integrity is lost and nothing else happens.",
        ("VC-18", "VC-19"),
    ),
    "VC-18": Clause(
        "Engineering against damage",
        "Without integrity, the crew may spend engineering to stop the damage.",
        ("VC-17", "VC-19"),
    ),
    "VC-19": Clause(
        "System crash",
        "Otherwise roll a die: 1 to 4 destroys that module. If it was destroyed already, the ship is destroyed and the adventure "
        "ends. A 5, a 6 or an empty slot does nothing.",
        ("VC-17", "VC-18"),
    ),
    "VC-20": Clause(
        "Engineering for a Success",
        "Engineering can be spent to make a system or module roll a Success. No dice are rolled or moved.",
        ("VC-16", "VC-18", "VC-21"),
    ),
    "VC-21": Clause(
        "Engineering in the story",
        "Engineering can be spent on something dramatic in the story. The log keeps the reason.",
        ("VC-20",),
    ),
    "VC-22": Clause(
        "A day without supplies",
        "Each day that passes while supplies are lost, everyone in the crew who has a personal die loses one.",
        ("VC-02", "VC-03"),
    ),
    "VC-23": Clause(
        "Reserves",
        "Reserves are spent and restored when the wayfinder says so, with a reason. A token is held or lost, never counted.",
        ("VC-02",),
    ),
    "VC-24": Clause("Lost tokens", "Each lost token shows what its loss means.", ("VC-02",)),
    "VC-25": Clause("Odds", "Before a roll, Waylog shows the exact odds, helpers included.", ("VC-08",)),
    "VC-26": Clause(
        "No dice, no roll",
        "A roll with no dice can't be made. Personal dice, a system or a helper must add one.",
        ("VC-06", "VC-07"),
    ),
}

CLAUSES = by_chapter(
    {"Ship and crew": _SHEETS, "Rolls": _ROLLS, "Returning dice": _SHUNTS, "Damage and tokens": _TOKENS}
)

TOPICS = topics(
    {
        "ship": "VC-01",
        "ship.systems.*": "VC-01 VC-07 VC-10",
        "ship.dice_lost": "VC-14",
        "ship.modules": "VC-01 VC-19",
        "ship.tokens": "VC-02 VC-24",
        "ship.tokens.integrity": "VC-17 VC-24",
        "ship.tokens.engineering": "VC-18 VC-20 VC-16 VC-09",
        "ship.tokens.supplies": "VC-22",
        "ship.tokens.reserves": "VC-23",
        "crew.*": "VC-03",
        "crew.*.background": "VC-05 VC-03",
        "crew.*.skill": "VC-05 VC-06",
        "crew.*.flaw": "VC-03",
        "crew.*.personal": "VC-03 VC-07 VC-22",
        "crew.*.grit": "VC-05 VC-03",
        "roll": "VC-08 VC-05 VC-04 VC-07 VC-06",
        "consequence": "VC-11",
        "place": "VC-11 VC-12",
        "keep": "VC-10",
        "falls": "VC-06",
        "spare": "VC-18",
        "crash": "VC-19",
        "damage": "VC-17 VC-18 VC-19",
        "destroy": "VC-19",
        "day": "VC-22",
        "grit": "VC-03 VC-05",
        "rest": "VC-03",
        "join": "VC-03",
        "lose": "VC-02 VC-23",
        "restore": "VC-02 VC-14 VC-23",
        "remap": "VC-15",
        "shunt": "VC-16",
        "spend": "VC-20 VC-21",
        "state": "VC-15",
        "house_rules.personal_dice": "VC-03",
        "house_rules.grit": "VC-03",
        "house_rules.engineering_lost": "VC-09",
        "house_rules.helpers_risk": "VC-06",
        "house_rules.lost_dice": "VC-14",
        "house_rules.fault_without_dice": "VC-14",
        "house_rules.empty_slot_hit": "VC-19",
    }
)
"""The clauses of a row of the sheet or a house rule, by its path, and of a move, by its verb; the one that says most first."""
