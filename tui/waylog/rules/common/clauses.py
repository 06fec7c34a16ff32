"""The clauses of every campaign, whatever its game: tables, dice, decks, situations, clocks, timers, sessions, and notes in the log."""

from waylog.rules.model.clause_texts import Clause, by_chapter, topics

_TABLES = {
    "NM-01": Clause(
        "Random tables",
        "A table lists equally likely entries: six on a d6, six sections of six on a d66, or up to 100 on a single die. The table shows which die to roll. An entry with a weight of 3, for example, covers three numbers.",
        ("NM-02", "NM-03", "NM-05"),
    ),
    "NM-02": Clause(
        "Rolling a d66",
        "A d66 is two dice: the first picks the section, and the second the entry. Waylog shows both. You can type real dice.",
        ("NM-01",),
    ),
    "NM-03": Clause(
        "Dice and links in entries",
        "When an entry contains dice, Waylog rolls them and shows the result. An entry can lead to another table. Checking the campaign reveals any tables that lead back to themselves.",
        ("NM-01", "NM-16"),
    ),
    "NM-04": Clause(
        "Hidden tables",
        "Players see a table and its results only if you make the table visible to them.",
        ("NM-05", "NM-14"),
    ),
    "NM-05": Clause(
        "Table results in the log",
        "The log keeps each result with its table, dice and entry. You can also pick an entry without rolling. If you do, the log says so.",
        ("NM-01", "NM-04"),
    ),
}

_DECKS = {
    "NM-10": Clause(
        "Decks",
        "A deck has a name and cards. Each card has its own text and is good, neutral or bad. The file says which cards are in the pile, drawn, or set aside.",
        ("NM-11", "NM-12", "NM-14"),
    ),
    "NM-11": Clause(
        "Drawing",
        "You draw a random card from the pile. When the pile is empty, the deck can be shuffled.",
        ("NM-12", "NM-13"),
    ),
    "NM-12": Clause(
        "Returning a card",
        "A drawn card stays out of the pile, unless the card says that it returns. The wayfinder can decide otherwise for any card.",
        ("NM-11",),
    ),
    "NM-13": Clause(
        "Draw two, keep one",
        "From some decks you draw two cards, keep one, and return the other to the pile. The effect of a card can make this the rule for its deck.",
        ("NM-11", "NM-12"),
    ),
    "NM-14": Clause(
        "What players know", "Players know all cards in a deck, some of them, or none.", ("NM-04", "NM-10")
    ),
    "NM-15": Clause(
        "Building a deck together",
        "The deck starts with four bad cards. For each card that a player adds, the wayfinder adds a bad or neutral one. Nobody can draw until all these cards have been added. The deck shows which cards are missing.",
        ("NM-10",),
    ),
    "NM-16": Clause(
        "Effects of cards",
        "A drawn card can start a clock, make people Exposed, damage them or the ship, cost the ship a token, or lead to a table. Waylog offers the effect, and one key applies it.",
        ("NM-17", "NM-25", "NM-18"),
    ),
    "NM-17": Clause(
        "Effects",
        "Effects can also give or take Focus, heal, restore or lose a token, damage or repair a module, end the mission, or start a clock with its ending. Each game has the effects that fit its rules.",
        ("NM-16", "NM-25"),
    ),
    "NM-18": Clause(
        "Cards kept for later",
        "A kept card is listed with the ship. It has a number of uses, and perhaps a condition. When you use it, you say whether the condition is met. If so, the card takes effect and loses one use.",
        ("NM-16", "NM-12"),
    ),
}

_SITUATIONS = {
    "NM-19": Clause(
        "Situations",
        "A situation makes the crew Exposed or makes rolls Desperate. It affects all rolls, or only those that it names. Each of these rolls shows the situation, and you can leave it out of any. It lasts until you, a card or its clock ends it.",
        ("NM-25", "NM-16"),
    ),
}

_CLOCKS = {
    "NM-20": Clause(
        "Clocks",
        "A clock has 4 (short), 6 (normal), 8 (long), 10 or 12 (extended) segments, or 2 to 24 by house rule. It can have an ending and notes. You can type its size anywhere in the command. You can show players the clock, and its ending too.",
        ("NM-21", "NM-22", "NM-23", "NM-28"),
    ),
    "NM-21": Clause("Push clocks", "A Success fills one segment, a Critical success two.", ("NM-24", "NM-22", "NM-20")),
    "NM-22": Clause("Catastrophe clocks", "A drawback fills one segment, a Fiasco two.", ("NM-24", "NM-21", "NM-20")),
    "NM-23": Clause(
        "Death and augury clocks",
        "These clocks advance with time. You can advance one alone, or let time pass, which advances them all.",
        ("NM-28", "NM-20"),
    ),
    "NM-24": Clause(
        "Rolls that fill clocks",
        "A roll can fill clocks that you name before or after it. Waylog shows beforehand how much it would fill. One undo reverses the roll and empties the segments again.",
        ("NM-21", "NM-22"),
    ),
    "NM-25": Clause(
        "Effects of clocks",
        "While a clock runs, its effect applies automatically, and each roll that it affects says so. A clock can have another effect for when it is full. Waylog then offers that effect, and one key applies it.",
        ("NM-17", "NM-26", "NM-19"),
    ),
    "NM-26": Clause(
        "Filling a clock by hand",
        "You can fill and empty segments by hand, until the clock is full or empty. A full clock stays until you close it. You can reopen a closed clock.",
        ("NM-20", "NM-25"),
    ),
    "NM-27": Clause(
        "How clocks look",
        "Filled and empty segments look different even without colour, and the count is shown too.",
        ("NM-20",),
    ),
    "NM-28": Clause(
        "Hidden endings",
        "Players see the ending of a death clock but not that of an augury clock, unless the wayfinder changes that.",
        ("NM-20", "NM-23"),
    ),
    "NM-29": Clause(
        "A new clock",
        "To start a clock, type one line: its name, its size (a number of segments, or a word such as “short”), and its kind. You can add the rest later.",
        ("NM-20",),
    ),
}

_SESSIONS = {
    "NM-40": Clause(
        "Sessions",
        "A session has a start, an end, people, a title and notes. One key opens the form that starts or ends it, with everybody who was there last time already ticked. Each log entry says which session it belongs to.",
        ("NM-41", "NM-43"),
    ),
    "NM-41": Clause(
        "Recap",
        "A recap retells a session for the players: rolls and outcomes, losses and gains, clocks and notes, and what you played without a session in the 12 hours before. It leaves out hidden things, unless the wayfinder asks for them.",
        ("NM-40", "NM-42"),
    ),
    "NM-42": Clause("Notes", "One key lets you write a note in the log at any time.", ("NM-41",)),
    "NM-43": Clause(
        "Rewinding a scene",
        "If anyone is uncomfortable, one key rewinds the scene: it undoes everything since the scene marker. The Log tab, commands and recaps leave out what was rewound, unless you ask for it. The log file keeps it.",
        ("NM-40",),
    ),
}

_PEOPLE = {
    "NM-44": Clause(
        "Players",
        "The campaign lists its players: name, character, and the commands that they can use without asking.",
        ("NM-45", "NM-46"),
    ),
    "NM-45": Clause(
        "Proposals",
        "Players can propose actions for their own character, and general ones such as notes. The wayfinder plays or declines each. Commands that the campaign allows happen at once, at most one a second. Some are allowed only until the session ends.",
        ("NM-44",),
    ),
    "NM-46": Clause(
        "Players who are away",
        "If a session lists who is present, the other players are away. Their characters are marked, and a group roll leaves them out "
        "unless you name them.",
        ("NM-40", "NM-44"),
    ),
}

_TIMERS = {
    "NM-47": Clause(
        "Timers",
        "A timer counts down real time, from 1 second to 24 hours, and then rings. Players see it if you show it. It stays until you stop it, the session ends, or you take an action after it has rung. Starting a timer with the same name restarts it.",
        ("NM-20", "NM-40"),
    ),
}

_TOGETHER = {
    "NM-48": Clause(
        "Called rolls",
        "You can call for a roll from one character, several, or all, with the same settings for all. Each player rolls when they are ready, and the roll counts at once. You can roll for somebody, or finish without them. It is all one action.",
        ("NM-45", "NM-24"),
    ),
    "NM-49": Clause(
        "Shown to some players only",
        "A clock, card, situation, timer, table entry or note can be for some players only. The others don't learn of it, whether from the log, the odds or the actions offered.",
        ("NM-20", "NM-14", "NM-45"),
    ),
    "NM-50": Clause(
        "Scene cards",
        "You prepare a scene on a card. Opening it is one action: it starts the scene and its clocks, and does whatever else it lists. "
        "Players see nothing of the card until you open it, and no secret until you tell it.",
        ("NM-43", "NM-49"),
    ),
}

_DICE = {
    "FD-01": Clause(
        "Free dice",
        "For anything that the game has no rule for, roll any dice: 2d6+3, d20, d%, or 4d6kh3, which keeps the highest three. If you save dice in the file under a name, you can roll them by that name. You can type real dice.",
        ("FD-02", "FD-03"),
    ),
    "FD-02": Clause(
        "Odds of free dice", "Before the roll, you see the odds of every total, the range and the average.", ("FD-01",)
    ),
    "FD-03": Clause(
        "Who can see free dice", "Players see the roll and its total, unless you hide it.", ("FD-01", "NM-04")
    ),
}

CLAUSES = by_chapter(
    {
        "Random tables": _TABLES,
        "Decks and effects": _DECKS,
        "Situations": _SITUATIONS,
        "Clocks": _CLOCKS,
        "Sessions and scenes": _SESSIONS,
        "Players": _PEOPLE,
        "Timers": _TIMERS,
        "Playing together": _TOGETHER,
        "Free dice": _DICE,
    }
)

TOPICS = topics(
    {
        "clocks": "NM-20 NM-26 NM-27",
        "decks": "NM-10 NM-11 NM-12 NM-14",
        "tables": "NM-01 NM-02 NM-05 NM-04",
        "situations": "NM-19",
        "timers": "NM-47",
        "timer": "NM-47",
        "sessions": "NM-40 NM-41",
        "clock": "NM-29 NM-20",
        "house_rules.clock_sizes": "NM-20",
        "clock push": "NM-21 NM-24",
        "clock catastrophe": "NM-22 NM-24",
        "clock death": "NM-23 NM-28",
        "clock augury": "NM-23 NM-28",
        "tick": "NM-26 NM-23",
        "time": "NM-23",
        "close": "NM-26",
        "reopen": "NM-26",
        "show": "NM-20 NM-28 NM-14",
        "hide": "NM-20 NM-28 NM-14",
        "on": "NM-24 NM-21 NM-22",
        "effect": "NM-16 NM-17 NM-25",
        "skip": "NM-16",
        "deck": "NM-10 NM-15",
        "card": "NM-10 NM-15",
        "draw": "NM-11 NM-12 NM-13",
        "keep": "NM-13",
        "return": "NM-12",
        "stay": "NM-12",
        "back": "NM-12",
        "aside": "NM-10",
        "shuffle": "NM-11",
        "stash": "NM-18",
        "play": "NM-18",
        "table": "NM-01 NM-02 NM-03",
        "pick": "NM-05",
        "dice": "FD-01 FD-02 FD-03",
        "situation": "NM-19",
        "session": "NM-40",
        "players": "NM-44 NM-45 NM-46",
        "only": "NM-49 NM-20 NM-14",
        "tell": "NM-49 NM-42",
        "spotlight": "NM-45",
        "allow": "NM-45",
        "disallow": "NM-45",
        "call": "NM-48",
        "finish": "NM-48",
        "scene": "NM-43",
        "open": "NM-50 NM-43",
        "reveal": "NM-50",
        "prep": "NM-50",
        "note": "NM-42",
        "reword": "NM-42",
        "misread": "NM-42",
        "secret": "NM-42",
    }
)
"""The clauses of a row of the sheet or a house rule, by its path, and of a move, by its verb; the one that says most first."""
