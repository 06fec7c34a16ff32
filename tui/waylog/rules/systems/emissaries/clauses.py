"""The clauses of the Emissaries of Guenašk, in words for the people at the table."""

from waylog.rules.model.clause_texts import Clause, by_chapter, topics

_CHARACTERS = {
    "EG-01": Clause(
        "Stats",
        "Body, Mind, Soft and Hard are rated in d6s, at least 2d6 each. Together they use up the stat dice of the background.",
        ("EG-02", "EG-11", "EG-32"),
    ),
    "EG-02": Clause(
        "Backgrounds",
        "There are five: Well-Rounded, Strong and Complicated History, Strong and Complicated Community. Each gives dice for "
        "stats, traits and relationships.",
        ("EG-01", "EG-03", "EG-04"),
    ),
    "EG-03": Clause(
        "Traits",
        "A trait is a phrase with one die or more, all of one size. All trait dice must be used. The sheet shows how many are left.",
        ("EG-02", "EG-12"),
    ),
    "EG-04": Clause(
        "Relationships",
        "A relationship is with a person or a group. Its dice can be kept and assigned during play. A family member has 1d6 that "
        "costs nothing.",
        ("EG-02", "EG-12"),
    ),
    "EG-05": Clause(
        "Objects",
        "An object has 1d6, excellent 2d6, big 1d8, both 2d8, bad 1d4, or mixed dice, and may be dangerous, said in any order. "
        "Everyone starts with a data-pad and a Lun at 2d6. Waylog points out when someone has more than five.",
        ("EG-12", "EG-20"),
    ),
    "EG-06": Clause(
        "Accomplishment",
        "Each emissary hopes for an accomplishment at the Academy. Later, the sheet says whether it came true.",
        ("EG-07",),
    ),
    "EG-07": Clause(
        "Making an emissary",
        "An emissary is made step by step. You can stop and go on later. A choice that would use more dice than there are is "
        "refused.",
        ("EG-01", "EG-02", "EG-03", "EG-04"),
    ),
}

_CONFLICTS = {
    "EG-10": Clause(
        "Conflicts",
        "A conflict has stakes and two sides. Each side has one or more emissaries, other people, or obstacles with a rating. "
        "Every step is saved.",
        ("EG-11", "EG-13", "EG-14"),
    ),
    "EG-11": Clause(
        "Approaches",
        "Neutral uses Mind, physical uses Body. Each adds Soft if nobody opposes it, and Hard if somebody does.",
        ("EG-12", "EG-19"),
    ),
    "EG-12": Clause(
        "Dice in play",
        "Roll the two stats and everything that fits: traits, objects, and a relationship with an opponent or someone at stake, "
        "never an ally. The dice stay as rolled.",
        ("EG-11", "EG-03", "EG-04", "EG-05"),
    ),
    "EG-13": Clause(
        "Who goes first",
        "Whoever started the conflict goes first. Otherwise, the higher sum of the two best dice decides. If the sums are equal, "
        "the wayfinder chooses.",
        ("EG-10", "EG-14"),
    ),
    "EG-14": Clause(
        "Raise", "Put forward exactly two dice, and describe your words or deeds.", ("EG-15", "EG-16", "EG-18", "EG-23")
    ),
    "EG-15": Clause(
        "See",
        "Put forward dice that reach the raise's sum. One die reverses the blow, two block or dodge, three or more take the blow. "
        "Only the number of dice you put forward counts.",
        ("EG-14", "EG-16", "EG-17", "EG-20"),
    ),
    "EG-16": Clause(
        "Reversed die",
        "The die that reversed a blow is kept and is one of the two dice of your next raise. Other dice put forward are spent.",
        ("EG-15", "EG-14"),
    ),
    "EG-17": Clause(
        "Who must see",
        "Everyone whom a raise affects must see it. Anyone who can't, or won't, gives.",
        ("EG-15", "EG-18"),
    ),
    "EG-18": Clause(
        "Give",
        "To give is to lose the stakes and take no fallout. Anyone without two dice to raise with gives or escalates.",
        ("EG-17", "EG-19"),
    ),
    "EG-19": Clause(
        "Escalate",
        "On your turn, take another approach and roll the stats you have not rolled yet, or bring in more traits, objects and "
        "relationships, each once.",
        ("EG-11", "EG-12", "EG-18"),
    ),
    "EG-20": Clause(
        "Fallout of a blow",
        "A blow does 1 fallout, plus 1 if Body is in play, 1 if Hard is, and 1 for each dangerous object in play.",
        ("EG-21", "EG-22", "EG-31"),
    ),
    "EG-21": Clause(
        "Choosing a track",
        "All fallout of a blow goes into one track. The one who takes it chooses the track and says how it came about.",
        ("EG-20", "EG-30", "EG-33"),
    ),
    "EG-22": Clause("Resisting fallout", "One die that shows more than the fallout resists all of it.", ("EG-20",)),
    "EG-23": Clause(
        "Advice",
        "All dice are open, so Waylog lists the best ways to see, with the dice that each leaves, and the raises that the other "
        "side can't reverse, block or see.",
        ("EG-14", "EG-15"),
    ),
    "EG-24": Clause(
        "The exchange",
        "You see both sides' dice and the whole exchange at once. Undo goes back step by step.",
        ("EG-10",),
    ),
    "EG-51": Clause(
        "Calling off a conflict",
        "The wayfinder may call off a conflict that has begun. Nobody wins the stakes. Fallout taken so far remains, and is resolved "
        "as after any conflict.",
        ("EG-10", "EG-36", "EG-34"),
    ),
    "EG-52": Clause(
        "Joining a conflict",
        "Somebody may join on their own side's turn, before it raises, with everything that they bring into play. Nobody can "
        "join while a raise is unanswered.",
        ("EG-11", "EG-12", "EG-13"),
    ),
    "EG-53": Clause(
        "Stakes on both sides",
        "Stakes can be two texts: what your side gets by winning, and what happens if it loses. The end shows the one that happened.",
        ("EG-10", "EG-18"),
    ),
}

_FALLOUT = {
    "EG-30": Clause(
        "Fallout tracks",
        "An emissary has four tracks: Physical, Mental, Social and Societal. Each has three rows of four boxes and a condition.",
        ("EG-31", "EG-32"),
    ),
    "EG-31": Clause(
        "Boxes and conditions",
        "Fallout fills boxes. The point after the fourth box is a condition in the wayfinder's words, and the rest of that fallout "
        "is lost. The next fallout starts on the next row.",
        ("EG-32", "EG-36", "EG-37"),
    ),
    "EG-32": Clause(
        "Full rows",
        "A row with a condition is full. The first and second full rows each remove one die from the track's stat. The third "
        "removes all of them: the stat can be used but rolls nothing.",
        ("EG-31", "EG-33", "EG-34"),
    ),
    "EG-33": Clause(
        "Full tracks", "A track with three full rows takes no more fallout. Choose another.", ("EG-21", "EG-34")
    ),
    "EG-34": Clause(
        "Death",
        "An emissary with two full tracks dies. This is announced at once and happens at the end of the conflict.",
        ("EG-33", "EG-32"),
    ),
    "EG-35": Clause(
        "Fallout of NPCs",
        "Other people and organisations have one track of one to five rows. When it is full, they give at once.",
        ("EG-18", "EG-31"),
    ),
    "EG-36": Clause(
        "Recovery",
        "After a conflict, every emissary may once clear up to three boxes of one track, in its newest row in use, with a scene. "
        "A row with a condition is locked.",
        ("EG-37", "EG-38", "EG-44"),
    ),
    "EG-37": Clause(
        "Removing a condition",
        "Removing a condition is a conflict against 4d6 4d8. Winning it clears that row and no other.",
        ("EG-36", "EG-38"),
    ),
    "EG-38": Clause(
        "A condition becomes a trait",
        "Once after a conflict, a condition may become a trait at 1d4 instead, reworded if you like. Its row is cleared.",
        ("EG-36", "EG-37"),
    ),
}

_ASSETS = {
    "EG-40": Clause(
        "Assets",
        "An asset has three stats and a track of three rows. Starship: Engines, Hull, Systems. Cyberdeck: Network, Storage, "
        "Software. Organisation: People, Assets, Clout.",
        ("EG-41", "EG-43", "EG-45"),
    ),
    "EG-41": Clause(
        "Using an asset",
        "Bringing an asset's stat into play rolls its dice. The asset can then take fallout.",
        ("EG-42", "EG-40"),
    ),
    "EG-42": Clause(
        "A blow to an asset",
        "A blow can be taken on an asset in play. Its fallout is the number of the asset's stats in play.",
        ("EG-20", "EG-43"),
    ),
    "EG-43": Clause(
        "Damaged assets",
        "Each full row of an asset removes one die from each of its stats. With three full rows it can't be used.",
        ("EG-42", "EG-44"),
    ),
    "EG-44": Clause(
        "Repairing assets",
        "After a conflict, each asset may also clear up to three boxes. Its conditions are removed by a conflict and never become "
        "traits.",
        ("EG-36", "EG-37"),
    ),
    "EG-45": Clause(
        "Ships",
        "A Frigate is shared, a Fighter is one person's own. Each has at least 2d6 in every stat, and traits. The wayfinder says "
        "how many dice each class has.",
        ("EG-40", "EG-03"),
    ),
    "EG-50": Clause(
        "Advancing",
        "When the wayfinder says so, dice grow by a size, a die is added, or a trait is reworded. The log keeps it.",
        ("EG-03", "EG-38"),
    ),
}

CLAUSES = by_chapter(
    {"Emissaries": _CHARACTERS, "Conflicts": _CONFLICTS, "Fallout": _FALLOUT, "Assets and advancing": _ASSETS}
)

TOPICS = topics(
    {
        "crew.*": "EG-07",
        "crew.*.background": "EG-02",
        "crew.*.body": "EG-01 EG-11 EG-32",
        "crew.*.mind": "EG-01 EG-11 EG-32",
        "crew.*.soft": "EG-01 EG-11 EG-32",
        "crew.*.hard": "EG-01 EG-11 EG-32",
        "crew.*.fallout": "EG-30 EG-31 EG-32 EG-36",
        "crew.*.hope": "EG-06",
        "crew.*.left.stats": "EG-01 EG-02",
        "crew.*.left.traits": "EG-03",
        "crew.*.left.relationships": "EG-04",
        "crew.*.lun": "EG-05",
        "crew.*.objects": "EG-05 EG-12 EG-20",
        "crew.*.relationships": "EG-04 EG-12",
        "crew.*.traits": "EG-03 EG-12",
        "npcs": "EG-10",
        "npcs.*.fallout": "EG-35 EG-31",
        "npcs.*.traits": "EG-03 EG-12",
        "npcs.*.objects": "EG-05 EG-20",
        "npcs.*.relationships": "EG-04 EG-12",
        "assets": "EG-40",
        "assets.*.fallout": "EG-43 EG-42 EG-44",
        "assets.*.stats": "EG-40 EG-41 EG-43",
        "assets.*.traits": "EG-45",
        "assets.*.left.traits": "EG-45",
        "conflict": "EG-10 EG-53 EG-14 EG-15",
        "conflict.loss": "EG-53",
        "conflict.advice": "EG-23",
        "conflict.exchange": "EG-24",
        "conflict.raised": "EG-14 EG-15",
        "conflict.fallout": "EG-20 EG-21 EG-22",
        "start": "EG-07",
        "begin": "EG-10",
        "enter": "EG-11 EG-12 EG-52",
        "first": "EG-13",
        "escalate": "EG-19",
        "obstacle": "EG-10",
        "enough": "EG-10",
        "call-off": "EG-51 EG-10",
        "later": "EG-12",
        "see": "EG-15 EG-16 EG-20",
        "give": "EG-18",
        "raise": "EG-14 EG-16",
        "resist": "EG-22",
        "fallout": "EG-21 EG-20 EG-31",
        "condition": "EG-31",
        "recover": "EG-36 EG-44",
        "cure": "EG-37",
        "accept": "EG-38",
        "join": "EG-07",
        "make": "EG-07",
        "background": "EG-02",
        "stats": "EG-01",
        "trait": "EG-03",
        "relate": "EG-04",
        "object": "EG-05",
        "keep": "EG-04 EG-07",
        "lun": "EG-05",
        "hope": "EG-06",
        "hoped": "EG-06",
        "gain": "EG-50",
        "advance": "EG-50",
        "rephrase": "EG-50",
        "npc": "EG-35",
        "rate": "EG-01",
        "asset": "EG-40 EG-45",
        "house_rules.well_rounded_traits": "EG-02",
        "house_rules.first_when_equal": "EG-13",
        "house_rules.stats_count_for": "EG-20",
        "house_rules.dangers_count_for": "EG-20",
        "house_rules.social_takes": "EG-32",
        "house_rules.npc_stage": "EG-35",
        "house_rules.lowest_row": "EG-36",
        "house_rules.call_off": "EG-51",
        "house_rules.late_entry": "EG-52",
        "house_rules.frigate_dice": "EG-45",
        "house_rules.fighter_dice": "EG-45",
        "house_rules.frigate_traits": "EG-45",
        "house_rules.fighter_traits": "EG-45",
    }
)
"""The clauses of a row of the sheet or a house rule, by its path, and of a move, by its verb; the one that says most first."""
