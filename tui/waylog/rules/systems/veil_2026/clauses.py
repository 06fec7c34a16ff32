"""The clauses in which Veil Runners 2026 differs from the CORE edition. All others are the CORE edition's."""

from waylog.rules.model.clause_texts import Clause, by_chapter, topics

_DIFFERENCES = {
    "VN-01": Clause(
        "Four CORE dice",
        "The ship shares four dice among its three CORE systems. A system may have none of them, or all four.",
        ("VK-11", "VK-33"),
        ("VK-01",),
    ),
    "VN-02": Clause(
        "Rolling with no dice",
        "A roll with no dice uses two dice, and the lower one counts. It can't be a Critical success.",
        ("VK-14",),
        ("VK-19",),
    ),
    "VN-03": Clause(
        "Risky and Desperate rolls",
        "A roll is Standard, Risky or Desperate. A Standard roll never does damage. A Risky roll does on a Fiasco, a Desperate "
        "roll on a drawback too.",
        ("VN-06", "VK-17", "VK-30", "VK-40"),
        ("VK-16",),
    ),
    "VN-04": Clause(
        "Group rolls",
        "Each Fiasco first cancels one Critical, and the pair count as a Success. With any Success the group succeeds, with a "
        "drawback if a Fiasco is left. Without one, the best roll counts for all.",
        ("VK-14", "VN-03"),
        ("VK-20",),
    ),
    "VN-05": Clause(
        "Six dice at most",
        "A roll uses at most six dice. If there would be more, the roll says so.",
        ("VK-11", "VK-12"),
    ),
    "VN-06": Clause(
        "Desperate beats Risky",
        "A roll that a rule makes Desperate stays Desperate, even if the wayfinder calls it Risky.",
        ("VN-03", "VK-17"),
    ),
}

CLAUSES = by_chapter({"The 2026 edition": _DIFFERENCES})

TOPICS = topics(
    {
        "ship.core.*": "VN-01 VK-11 VK-33",
        "roll": "VK-14 VN-03 VN-05 VN-02 VK-11 VK-12",
        "group": "VN-04",
        "finish": "VN-04",
        "house_rules.most_dice": "VN-05",
    }
)
"""The clauses of a row of the sheet or a house rule, by its path, and of a move, by its verb; the one that says most first."""
