"""The clauses of Veil Runners, CORE edition, in words for the people at the table."""

from waylog.rules.model.clause_texts import Clause, by_chapter, topics

_SHEETS = {
    "VK-01": Clause(
        "CORE dice",
        "The ship shares six dice among three CORE systems: CPU to sense and compute, HUL to withstand, NAV to fly. Each system "
        "has at least one die. The wayfinder may add or remove dice for one roll.",
        ("VK-11", "VK-33"),
    ),
    "VK-02": Clause(
        "Module slots",
        "The ship has four module slots, #1 to #4. A module has a name, a description and a kind: specialised, additional or "
        "passive. A slot may be empty, and a module may be destroyed.",
        ("VK-06", "VK-07", "VK-08", "VK-31"),
    ),
    "VK-03": Clause(
        "Ship tokens",
        "The ship has three tokens: life support, integrity and engineering. Each is held or lost. A new ship holds all three.",
        ("VK-35", "VK-36", "VK-38", "VK-39"),
    ),
    "VK-04": Clause(
        "Focus",
        "The ship and each crew member start with no Focus and hold at most 3. Only mission prep that was rolled twice gives "
        "more.",
        ("VK-13", "VK-15", "VK-73"),
    ),
    "VK-05": Clause(
        "Crew sheet",
        "A crew member starts with 3 vitality and three working suit systems: life support, a primary tool and a secondary tool. "
        "There is room for two advancements.",
        ("VK-12", "VK-40", "VK-66"),
    ),
    "VK-06": Clause(
        "Specialised modules",
        "A specialised module belongs to one CORE system. It adds a die to the ship rolls of that system that it applies to.",
        ("VK-02", "VK-08", "VK-11"),
    ),
    "VK-07": Clause(
        "Additional modules",
        "An additional module has an ability of its own, usually with 1, 2, 3 or 6 uses. Each use is counted. With none left, it "
        "must be refilled first.",
        ("VK-02", "VK-08"),
    ),
    "VK-08": Clause(
        "Passive modules",
        "A passive module still works when it is destroyed. Any other module does nothing until it is repaired.",
        ("VK-02", "VK-31", "VK-36"),
    ),
}

_ROLLS = {
    "VK-10": Clause(
        "Rolls",
        "Every roll is a ship roll or a crew roll, and is either Standard or Desperate.",
        ("VK-11", "VK-12", "VK-14", "VK-17"),
    ),
    "VK-11": Clause(
        "Ship rolls",
        "A ship roll uses the dice of one CORE system. Each working specialised module that applies adds one die.",
        ("VK-01", "VK-06", "VK-14", "VK-17"),
    ),
    "VK-12": Clause(
        "Crew rolls and tools",
        "A crew roll uses as many dice as the crew member has vitality. One working tool may help: the primary tool adds two "
        "dice, the secondary tool one. The wayfinder may add or remove dice for one roll.",
        ("VK-05", "VK-14", "VK-18"),
    ),
    "VK-13": Clause(
        "Spending Focus",
        "After a roll, but before its outcome counts, each Focus spent raises one die by 1, up to 6. A ship roll spends the "
        "ship's Focus, a crew roll the roller's own.",
        ("VK-04", "VK-15", "VK-63"),
    ),
    "VK-14": Clause(
        "Reading the dice",
        "The highest die counts. 1 to 3 is a Fiasco, 4 or 5 a Success with drawback, 6 a Success. Two or more 6s are a Critical "
        "success.",
        ("VK-13", "VK-15", "VK-16"),
    ),
    "VK-15": Clause(
        "Focus on a Fiasco",
        "A Fiasco gives the ship or crew member that rolled it one Focus, if they have fewer than 3.",
        ("VK-16", "VK-13", "VK-04"),
    ),
    "VK-16": Clause(
        "Desperate Fiasco",
        "After a Fiasco on a Desperate roll, the ship or crew member that rolled it takes damage. They get their Focus first.",
        ("VK-15", "VK-17", "VK-30", "VK-40"),
    ),
    "VK-17": Clause(
        "Desperate rolls",
        "Every ship roll is Desperate while the engineering token is lost. The wayfinder may make any roll Desperate. Where a rule "
        "requires Desperate, they may overrule it for one roll.",
        ("VK-16", "VK-18", "VK-75"),
    ),
    "VK-18": Clause(
        "Exposed in a broken suit",
        "A crew member who is Exposed and whose suit life support is lost makes Desperate rolls.",
        ("VK-43", "VK-17", "VK-40"),
    ),
    "VK-19": Clause(
        "No dice, no roll",
        "A roll with no dice can't be made. Something must add a die first.",
        ("VK-11", "VK-12"),
    ),
    "VK-20": Clause(
        "Group rolls",
        "The group gets one outcome. All Critical: Critical. Any Critical, or all Success: Success. Otherwise a drawback, unless "
        "all are Fiascos. Each roller gets their own Focus and damage. Anyone who hasn't rolled by the end took no part.",
        ("VK-14", "VK-15", "VK-16"),
    ),
    "VK-21": Clause(
        "Odds",
        "Before a roll, Waylog shows the exact odds of each outcome. After it, the best way to spend Focus is beside the dice.",
        ("VK-13", "VK-14"),
    ),
}

_SHIP = {
    "VK-30": Clause(
        "Damage to the ship",
        "A ship that takes damage gets one Focus, if it has fewer than 3. If it holds integrity, integrity is lost and nothing "
        "else happens.",
        ("VK-31", "VK-35", "VK-39"),
    ),
    "VK-31": Clause(
        "Damage without integrity",
        "Roll a die: 1 to 4 destroys the module in that slot, 5 or 6 does nothing. If the module was destroyed already, the ship "
        "is Wrecked. An empty slot has nothing to destroy.",
        ("VK-30", "VK-32", "VK-36"),
    ),
    "VK-32": Clause(
        "Wrecked",
        "A Wrecked ship ends the mission. Nobody rolls until the wayfinder says to carry on.",
        ("VK-31", "VK-42", "VK-50"),
    ),
    "VK-33": Clause(
        "System shunt",
        "A shunt redistributes the CORE dice: after a Critical success, for the ship's Focus after any roll, freely in downtime, "
        "or at any time for engineering. It must wait until all dice are typed, and a Wrecked ship can't shunt.",
        ("VK-01", "VK-34", "VK-36"),
    ),
    "VK-34": Clause(
        "Action and downtime",
        "The crew is in action or in downtime. The wayfinder switches the mode, and it is saved in the campaign file.",
        ("VK-33", "VK-44"),
    ),
    "VK-35": Clause(
        "Spending integrity",
        "Integrity can be spent to make a ship roll a Critical success without rolling.",
        ("VK-30", "VK-36", "VK-39"),
    ),
    "VK-36": Clause(
        "Spending engineering",
        "Engineering can be spent to repair a module, to rebuild a module as something else, to make a ship roll a Success "
        "without rolling, or for a shunt.",
        ("VK-33", "VK-35", "VK-39", "VK-17"),
    ),
    "VK-37": Clause(
        "Without life support",
        "While the ship's life support is lost, the whole crew is Exposed.",
        ("VK-43", "VK-38", "VK-39"),
    ),
    "VK-38": Clause(
        "Spending life support",
        "Everyone aboard who is Down and Out gets up with 3 vitality. Everyone else aboard chooses 3 vitality or one repaired "
        "suit system. The ship's life support is then lost.",
        ("VK-37", "VK-41", "VK-39"),
    ),
    "VK-39": Clause(
        "Getting a token back",
        "A ship token that was spent or lost comes back only when the wayfinder says so. The log keeps the reason.",
        ("VK-03", "VK-30", "VK-36", "VK-38"),
    ),
}

_CREW = {
    "VK-40": Clause(
        "Damage to a crew member",
        "They get one Focus, if they have fewer than 3, and roll a die: 1–2 breaks suit life support, 3–4 the primary tool, 5–6 "
        "the secondary tool. If that is broken already, they lose 1 vitality.",
        ("VK-41", "VK-64", "VK-68", "VK-44"),
    ),
    "VK-41": Clause(
        "Down and Out",
        "A crew member without vitality is Down and Out. They can talk but not roll, unless they are Relentless.",
        ("VK-40", "VK-42", "VK-44", "VK-61"),
    ),
    "VK-42": Clause(
        "Whole crew down",
        "When everyone in the crew is Down and Out, the mission ends, unless the wayfinder says to carry on.",
        ("VK-41", "VK-32", "VK-50"),
    ),
    "VK-43": Clause(
        "Exposed",
        "The wayfinder marks who is Exposed. Lost life support or a clock can make the whole crew Exposed. The sheet shows why.",
        ("VK-18", "VK-37"),
    ),
    "VK-44": Clause(
        "Healing a crewmate",
        "When out of danger, spend a Focus and make a crew roll. A Critical restores 2 vitality, a Success or drawback 1, up to "
        "3. After a drawback or Fiasco the healer spends another Focus or takes damage.",
        ("VK-45", "VK-34", "VK-38", "VK-76"),
    ),
    "VK-45": Clause(
        "Healer without Focus",
        "A healer who must spend another Focus and has none takes damage. There is nothing to choose.",
        ("VK-44", "VK-40"),
    ),
}

_ADVANCEMENT = {
    "VK-50": Clause(
        "End of the mission",
        "A mission ends as a success or a failure. Everything that lasts for one mission ends with it.",
        ("VK-51", "VK-52", "VK-54"),
    ),
    "VK-51": Clause(
        "Ship upgrade",
        "After a successful mission the ship can be upgraded: one module is added or changed. The log records it.",
        ("VK-50", "VK-02"),
    ),
    "VK-52": Clause(
        "Upgrade or mission prep",
        "After every mission, each crew member chooses one: an Upgrade, or Mission prep for the next mission.",
        ("VK-53", "VK-54", "VK-50"),
    ),
    "VK-53": Clause(
        "Upgrade",
        "Choose a list: qualities or suit upgrades. The first advancement from a list is chosen freely, later ones are rolled. If "
        "they roll one that they already have, they choose freely.",
        ("VK-52", "VK-66"),
    ),
    "VK-54": Clause(
        "Mission prep",
        "Choose one of six, or roll twice and use both. It lasts for the next mission.",
        ("VK-52", "VK-70", "VK-74", "VK-75"),
    ),
}

_QUALITIES = {
    "VK-60": Clause(
        "Resourceful",
        "Crew rolls use three dice instead of vitality, plus a tool, even for a Relentless crew member who is Down and Out.",
        ("VK-12", "VK-61"),
    ),
    "VK-61": Clause(
        "Relentless",
        "When Down and Out, they can still roll one die and a tool. Any damage then kills them. Their sheet is burned, and only "
        "the log remembers them. Undo brings them back.",
        ("VK-41", "VK-60", "VK-68"),
    ),
    "VK-62": Clause("Expert", "Adds one die when the expertise they named applies.", ("VK-12",)),
    "VK-63": Clause(
        "Forceful",
        "Focus rerolls dice instead of raising them, one die for each Focus. The new results stay.",
        ("VK-13",),
    ),
    "VK-64": Clause(
        "Defender",
        "When a nearby crewmate takes damage, spend a Focus and roll only vitality dice. Critical: nobody is hurt. Success or "
        "drawback: the Defender is. Fiasco: both are. Each Defender can do this once per hit.",
        ("VK-40", "VK-13"),
    ),
    "VK-65": Clause("Reckless", "Take damage instead of rolling: the roll is then a Success.", ("VK-40",)),
    "VK-66": Clause(
        "Two advancements at most",
        "Nobody keeps a third advancement. They choose one to lose before play goes on.",
        ("VK-53", "VK-05"),
    ),
}

_SUIT_UPGRADES = {
    "VK-67": Clause(
        "Auxiliary arm, oversized systems",
        "Auxiliary arm: suit life support carries a named tool that adds one die, and is lost with it. Oversized systems: the "
        "secondary tool adds two dice.",
        ("VK-12", "VK-40"),
    ),
    "VK-68": Clause(
        "Adaptive plating, ablative armour",
        "Adaptive plating: each Focus raises the damage die by 1, so that something else breaks. Ablative armour: its token "
        "takes the first damage, which still gives Focus. It saves a Relentless crew member once.",
        ("VK-40", "VK-61"),
    ),
    "VK-69": Clause(
        "Limiter override, recirculation kit",
        "Limiter override: one more die on every crew roll, and all of them are Desperate. Recirculation kit: a Fiasco on a crew "
        "roll gives one more Focus.",
        ("VK-17", "VK-15"),
    ),
}

_PREP = {
    "VK-70": Clause("Prep 1: Focus", "Start the next mission with three Focus.", ("VK-54", "VK-73")),
    "VK-73": Clause(
        "Prep 1 rolled twice: six Focus",
        "Rolled both times, this prep gives six Focus. Nobody can gain more while above 3, and any Focus above 3 is lost when "
        "the mission ends.",
        ("VK-70", "VK-04"),
    ),
    "VK-74": Clause(
        "Prep 2: Ingenuity", "A token to spend before a Standard roll. The roll is then a Success.", ("VK-54",)
    ),
    "VK-75": Clause("Prep 3: Foresight", "A token that makes one Desperate roll Standard.", ("VK-54", "VK-17")),
    "VK-76": Clause("Prep 4: Care", "A token that makes one healing roll a Success.", ("VK-54", "VK-44")),
    "VK-77": Clause("Prep 5: Willpower", "A token that fills or empties one segment of a clock.", ("VK-54", "NM-26")),
    "VK-78": Clause("Prep 6: Sheer dread", "Every Fiasco on a crew roll gives one more Focus.", ("VK-54", "VK-15")),
}

CLAUSES = by_chapter(
    {
        "Ship and crew": _SHEETS,
        "Rolls": _ROLLS,
        "The ship": _SHIP,
        "The crew": _CREW,
        "Missions": _ADVANCEMENT,
        "Qualities": _QUALITIES,
        "Suit upgrades": _SUIT_UPGRADES,
        "Mission prep": _PREP,
    }
)

TOPICS = topics(
    {
        "ship.focus": "VK-04 VK-13 VK-15",
        "ship.about": "VK-03 VK-02",
        "ship.core.*": "VK-01 VK-11 VK-33",
        "ship.tokens.life_support": "VK-37 VK-38 VK-39",
        "ship.tokens.integrity": "VK-30 VK-35 VK-39",
        "ship.tokens.engineering": "VK-17 VK-36 VK-39",
        "ship.modules": "VK-02 VK-06 VK-07 VK-08",
        "ship.modules.*": "VK-02 VK-06 VK-07 VK-08 VK-31",
        "ship.state": "VK-34",
        "ship.wrecked": "VK-32",
        "ship": "VK-03 VK-02",
        "mission": "VK-50 VK-51 VK-52",
        "mission.carry_on": "VK-32 VK-42",
        "mission.upgrade": "VK-51",
        "crew.*": "VK-05",
        "crew.*.vitality": "VK-05 VK-12 VK-41",
        "crew.*.focus": "VK-04 VK-13 VK-15",
        "crew.*.life_support": "VK-18 VK-40",
        "crew.*.primary": "VK-12 VK-40",
        "crew.*.secondary": "VK-12 VK-40",
        "crew.*.exposed": "VK-43 VK-18",
        "crew.*.aboard": "VK-38",
        "crew.*.advancements": "VK-66 VK-53",
        "crew.*.may_advance": "VK-52",
        "crew.*.burned": "VK-61",
        "crew.*.resourceful": "VK-60",
        "crew.*.relentless": "VK-61",
        "crew.*.expert": "VK-62",
        "crew.*.expertise": "VK-62",
        "crew.*.forceful": "VK-63",
        "crew.*.defender": "VK-64",
        "crew.*.reckless": "VK-65",
        "crew.*.auxiliary-arm": "VK-67",
        "crew.*.arm": "VK-67",
        "crew.*.oversized-systems": "VK-67",
        "crew.*.adaptive-plating": "VK-68",
        "crew.*.ablative": "VK-68",
        "crew.*.ablative-armour": "VK-68",
        "crew.*.limiter-override": "VK-69",
        "crew.*.recirculation-kit": "VK-69",
        "crew.*.prep": "VK-54",
        "crew.*.prep.focus": "VK-70 VK-73",
        "crew.*.prep.ingenuity": "VK-74",
        "crew.*.prep.foresight": "VK-75",
        "crew.*.prep.care": "VK-76",
        "crew.*.prep.willpower": "VK-77",
        "crew.*.prep.dread": "VK-78",
        "roll": "VK-14 VK-11 VK-12 VK-17",
        "focus": "VK-13",
        "reroll": "VK-63",
        "raise": "VK-68",
        "keep": "VK-13",
        "group": "VK-20",
        "finish": "VK-20",
        "heal": "VK-44",
        "pay": "VK-44 VK-45",
        "suffer": "VK-44 VK-45",
        "defend": "VK-64",
        "damage": "VK-30 VK-31 VK-40",
        "shunt": "VK-33",
        "spend": "VK-38",
        "recover": "VK-38",
        "lose": "VK-39 VK-03",
        "restore": "VK-39",
        "state": "VK-34",
        "carry-on": "VK-32 VK-42",
        "willpower": "VK-77",
        "use": "VK-07",
        "refill": "VK-07",
        "repair": "VK-36 VK-08",
        "jury-rig": "VK-36",
        "upgrade": "VK-51",
        "award": "VK-04",
        "take": "VK-04",
        "join": "VK-05",
        "expose": "VK-43 VK-18",
        "cover": "VK-43 VK-18",
        "away": "VK-38",
        "aboard": "VK-38",
        "advance": "VK-52 VK-53",
        "prep": "VK-54",
        "drop": "VK-66",
        "gain": "VK-53",
        "name": "VK-62 VK-67",
        "house_rules.empty_slots": "VK-02",
        "house_rules.tools_per_roll": "VK-12",
        "house_rules.focus_spent": "VK-13",
        "house_rules.exposed": "VK-18",
        "house_rules.engineering_lost": "VK-17",
        "house_rules.vitality": "VK-05",
        "house_rules.focus": "VK-04",
        "house_rules.empty_slot_hit": "VK-31",
        "house_rules.shunt_after_critical": "VK-33",
        "house_rules.shunt_focus": "VK-33",
        "house_rules.life_support_reaches": "VK-38",
        "house_rules.life_support_spent": "VK-38",
        "house_rules.heal_fiasco_focus": "VK-44",
        "house_rules.defender_drawback": "VK-64",
        "house_rules.ablative_focus": "VK-68",
        "house_rules.ablative_down": "VK-68",
        "house_rules.defenders": "VK-64",
        "house_rules.defence_dice": "VK-64",
        "house_rules.resourceful_down": "VK-60",
        "house_rules.shunt_while_asked": "VK-33",
        "house_rules.group_of_drawbacks": "VK-20",
        "house_rules.group_unrolled": "VK-20",
    }
)
"""The clauses of a row of the sheet or a house rule, by its path, and of a move, by its verb; the one that says most first."""
