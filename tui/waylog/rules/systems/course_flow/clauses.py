"""The clauses of Course and Flow, in words for the people at the table."""

from waylog.rules.model.clause_texts import Clause, by_chapter, topics

_THINGS = {
    "CF-01": Clause(
        "Die types",
        "Dice come in five types, all of them d6: Compelling, Daring, Expertise, Sneaky and Thriving.",
        ("CF-11", "CF-15", "CF-21"),
    ),
    "CF-02": Clause(
        "The Course",
        "The Course is one die on the table: its type, its face, and who set it. The wayfinder sets the first one.",
        ("CF-12", "CF-13", "CF-23"),
    ),
    "CF-03": Clause(
        "Flows",
        "A Flow is a named situation with a value of 0 or more. There can be any number of them. At most one applies to a roll.",
        ("CF-16", "CF-17", "CF-31"),
    ),
    "CF-04": Clause(
        "Characters and ships",
        "A character has skills (one they lack counts as +0), tokens, Destiny Tracks, Damage Matrices, equipment, and all five "
        "die types unless the sheet says fewer. Ships have tracks and matrices too.",
        ("CF-05", "CF-11", "CF-21"),
    ),
    "CF-05": Clause(
        "Tracks and matrices",
        "A Destiny Track is a row of slots, a Damage Matrix a grid of slots. The wayfinder sets their size. A slot is free or "
        "marked. Marking and recovering slots is logged.",
        ("CF-15", "CF-22"),
    ),
}

_ROLLS = {
    "CF-10": Clause(
        "Before a roll",
        "The wayfinder sets the threshold (7, 10, 13 or 16), the skill, the Flow if one applies, and whether the roll is dangerous "
        "or could be noticed. Any of it can change until the dice are rolled.",
        ("CF-11", "CF-16", "CF-22"),
    ),
    "CF-11": Clause(
        "Choosing two dice",
        "The player chooses two dice of types they have. The two types differ from each other and from the Course's type.",
        ("CF-01", "CF-13"),
    ),
    "CF-12": Clause(
        "Who may roll",
        "The player who set the Course can't roll until someone else sets a new one. The wayfinder may set a new Course at any "
        "time.",
        ("CF-02", "CF-23"),
    ),
    "CF-13": Clause(
        "Electing a die",
        "Both dice are rolled. The player elects one to go with the Course, and the other is set aside. Waylog first "
        "shows what would follow from each choice.",
        ("CF-14", "CF-15", "CF-23"),
    ),
    "CF-14": Clause(
        "Tie: Dramatic Setback",
        "If the elected die shows the same face as the Course, there is no sum and no high die, and no token helps. The Flow is "
        "lost. A skill lower than that face rises by 1.",
        ("CF-13", "CF-21", "CF-22"),
    ),
    "CF-15": Clause(
        "The high die",
        "Without a tie, the higher die gives: Compelling impresses a witness, Daring prevents harm until the Course changes, "
        "Expertise keeps the Flow, Sneaky hides you, Thriving recovers a slot.",
        ("CF-13", "CF-22", "CF-05"),
    ),
    "CF-16": Clause(
        "The sum",
        "Add up the elected die, the Course, the skill and the Flow.",
        ("CF-17", "CF-18", "CF-19"),
    ),
    "CF-17": Clause(
        "6 or less: not yet",
        "Not yet: the Flow rises by 1. If the roll had none, a new Flow begins at 1. The high die still counts.",
        ("CF-16", "CF-20", "CF-15"),
    ),
    "CF-18": Clause(
        "7 or more: a win",
        "Below the threshold, the wayfinder offers a win. Taking it uses up the Flow, unless Expertise is the high die.",
        ("CF-16", "CF-20", "CF-15"),
    ),
    "CF-19": Clause(
        "Threshold: the intent",
        "At or above the threshold you get what you wanted. That uses up the Flow, unless Expertise is the high die.",
        ("CF-16", "CF-20", "CF-15"),
    ),
    "CF-20": Clause(
        "Declining",
        "Instead of a win or the intent, the player may choose not yet.",
        ("CF-17", "CF-18", "CF-19"),
    ),
    "CF-21": Clause(
        "Tokens from a 6",
        "Each 6 on the Course or the elected die gives the roller a token: Compelling a Rumor, Daring Initiative, Expertise "
        "Foresight, Sneaky a Clue, Thriving Focus.",
        ("CF-30", "CF-13"),
    ),
    "CF-22": Clause(
        "Harm and being noticed",
        "A dangerous roll does harm unless Daring is high. A roll that could be noticed is noticed unless Sneaky is high. The "
        "wayfinder says what happens and to whom. A tie doesn't protect from either.",
        ("CF-15", "CF-10", "CF-05"),
    ),
    "CF-23": Clause(
        "The next Course",
        "At the end of the roll, after the wayfinder's last reaction, the die that was set aside becomes the Course. The roller "
        "counts as having set it.",
        ("CF-02", "CF-12", "CF-34"),
    ),
    "CF-24": Clause(
        "Helping",
        "You help by leaving a Course that helps and by raising Flows. There is no other way to help.",
        ("CF-23", "CF-31"),
    ),
    "CF-32": Clause(
        "The intent in words",
        "A roll may carry its intent: what the player wants, in words. The log and the recap show it with the result.",
        ("CF-10", "CF-19"),
    ),
    "CF-33": Clause(
        "A session's first Course",
        "The wayfinder begins a session by setting the first Course. It is offered, never forced: until then the last Course "
        "stays.",
        ("CF-02", "CF-12"),
    ),
    "CF-34": Clause(
        "The last reaction",
        "On any roll the wayfinder may declare one last reaction. The next Course waits for it. A roll that does harm or is "
        "noticed always asks for one.",
        ("CF-23", "CF-22"),
    ),
    "CF-35": Clause(
        "Witnesses",
        "With a high Compelling you are asked who witnesses it and is impressed; with a high Sneaky, where somebody could "
        "notice, who is allowed to. The log and the recap show your answer.",
        ("CF-15", "CF-22"),
    ),
}

_TOKENS = {
    "CF-30": Clause(
        "Vital questions",
        "A token buys the answer to one of its three vital questions. Anyone may ask one for free, but then nobody has to answer.",
        ("CF-21", "CF-31"),
    ),
    "CF-31": Clause(
        "Answers raise Flows",
        "With the answer, a related Flow rises by 1, or a new one begins at 1. The log keeps the question and the answer.",
        ("CF-03", "CF-30"),
    ),
}

_ODDS = {
    "CF-40": Clause(
        "Odds",
        "Before a roll, each pair of dice shows which types could be high, and the exact odds if the better die is elected.",
        ("CF-11", "CF-13"),
    ),
}

CLAUSES = by_chapter({"Things in play": _THINGS, "Rolls": _ROLLS, "Tokens and questions": _TOKENS, "Odds": _ODDS})

TOPICS = topics(
    {
        "course": "CF-02 CF-12 CF-33 CF-23",
        "course.safe": "CF-15",
        "course.set_by.waits": "CF-12",
        "flows": "CF-03 CF-17 CF-31",
        "crew.*": "CF-04",
        "crew.*.dice": "CF-01 CF-11",
        "crew.*.player": "CF-12",
        "crew.*.skills": "CF-16 CF-14 CF-04",
        "crew.*.tokens": "CF-30 CF-21",
        "crew.*.tracks": "CF-05 CF-15 CF-22",
        "crew.*.matrices": "CF-05 CF-15 CF-22",
        "ships": "CF-04 CF-05",
        "roll": "CF-10 CF-11 CF-16 CF-12 CF-32",
        "change": "CF-10",
        "throw": "CF-11 CF-13 CF-40",
        "elect": "CF-13 CF-14 CF-15 CF-16 CF-35",
        "offer": "CF-18",
        "take": "CF-18 CF-19",
        "decline": "CF-20",
        "wait": "CF-17",
        "leave": "CF-10",
        "forgo": "CF-15",
        "recover": "CF-15 CF-05",
        "mark": "CF-22 CF-05",
        "harm": "CF-22",
        "noticed": "CF-22",
        "spare": "CF-22",
        "react": "CF-34",
        "pass": "CF-34",
        "reaction": "CF-34",
        "name": "CF-17 CF-14",
        "flow": "CF-03",
        "raise": "CF-03 CF-31",
        "end": "CF-03",
        "resume": "CF-03",
        "ask": "CF-30 CF-31",
        "spend": "CF-30 CF-31",
        "answer": "CF-30 CF-31",
        "award": "CF-21",
        "join": "CF-04",
        "ship": "CF-04",
        "skill": "CF-04",
        "equip": "CF-04",
        "discard": "CF-04",
        "track": "CF-05",
        "matrix": "CF-05",
        "house_rules.thresholds": "CF-10",
        "house_rules.wayfinder_course": "CF-12",
        "house_rules.not_yet_without_flow": "CF-17",
        "house_rules.daring_lasts": "CF-15",
        "house_rules.harm_and_notice": "CF-22",
        "house_rules.free_answers": "CF-31",
        "house_rules.best_election": "CF-40",
    }
)
"""The clauses of a row of the sheet or a house rule, by its path, and of a move, by its verb; the one that says most first."""
