"""Games in a file as somebody writes who means all of it: the check has nothing against them, and no advice either.

Each is drawn from a seed. Its rolls are of the kinds that people know; each outcome can happen, and each option, price, effect and move is
of use to somebody.
"""

from __future__ import annotations

from random import Random
from typing import Any

Tree = dict[str, Any]
GRADES = ("fiasco", "drawback", "success", "critical")


def sound_game(seed: int) -> Tree:
    """The values of a game file. The same seed gives the same game."""
    random = Random(seed)
    kinds = random.sample([*_KINDS], random.randint(1, 4))
    rolls = {f"r{place}": _KINDS[kind](random) | {"who": "crew"} for place, kind in enumerate(kinds)}
    tree: Tree = {
        "id": "sound-game",
        "name": "Sound game",
        "sheet": {
            "crew": {
                "each": {
                    "nerve": {"range": [0, random.randint(4, 8)], "start": random.randint(1, 3)},
                    "skill": {"range": [0, random.randint(3, 5)], "start": 2},
                    "aim": {"range": [random.randint(5, 30), random.randint(60, 95)], "start": 45},
                    "harm": {"range": [0, random.randint(3, 6)]},
                    "rank": {"choices": random.choice((["d4", "d6", "d8"], ["d6", "d8", "d10", "d12"]))},
                    "marks": {"tags": [], "choices": ["hurt", "lost"]},
                },
                "start": {"runa": {"name": "Runa"}, "tove": {"name": "Tove", "nerve": 4}},
            },
            "boat": {"values": {"water": {"range": [0, random.randint(4, 8)]}, "lamp": {"flag": True}}},
        },
        "dice": rolls,
        "after": {name: _after(random, roll) for name, roll in rolls.items()},
        "moves": _moves(random),
    }
    for name, roll in rolls.items():
        _widen(random, roll)
        if roll["reading"] in ("highest", "sum", "count") and roll.get("die") != "deck" and random.random() < 0.6:
            tree.setdefault("spend", {})[f"s{name}"] = _spend(random, name)
    if "card" in kinds:
        tree["sheet"]["crew"]["each"]["deck"] = {"deck": {"cups": [1, 10], "coins": [1, random.randint(8, 10)]}}
        tree["moves"]["gather"] = {"who": "crew", "does": ["clear deck"]}
    _add_conditions(random, tree)
    _add_things(random, tree)
    _add_what_follows(random, tree)
    _add_what_answers_decide(random, tree)
    return tree


def _add_conditions(random: Random, tree: Tree) -> None:
    rolls = tree["dice"]
    if random.random() < 0.6:
        name = random.choice([*rolls])
        tree["when"] = {"dark": {"if": "not boat.lamp", "refuses": "it is too dark", "rolls": [name]}}
        tree["moves"]["light"] = {"label": "Light it", "does": ["mark boat.lamp"], "when": "not boat.lamp"}
        tree["after"][name].setdefault("o0", []).append("clear boat.lamp")
    if random.random() < 0.5:
        change = random.choice(({"plus": -1}, {"dice": -1} if rolls["r0"].get("pool") == "nerve" else {"plus": -2}))
        rule: Tree = {
            "who": "crew",
            "if": random.choice(("harm >= 2", "'hurt' in marks", "nerve < 2")),
            "rolls": ["r0"],
        }
        if rolls["r0"]["reading"] in ("highest", "sum"):
            tree.setdefault("when", {})["hurt"] = rule | change
            if "nerve" in rule["if"]:
                tree["after"]["r0"]["o0"].append("lose nerve")


def _add_things(random: Random, tree: Tree) -> None:
    rolls = tree["dice"]
    if random.random() < 0.4:
        tree["sheet"]["crew"]["each"]["gear"] = {"each": {"uses": {"range": [0, 3], "start": 1}}}
        tree["sheet"]["crew"]["start"]["runa"]["gear"] = {
            "rope": {"name": "Rope"},
            "drill": {"name": "Drill", "uses": 2},
        }
        if rolls["r0"]["reading"] != "under":
            tool = {"who": "crew.gear", "when": "uses > 0", "cost": ["spend uses"], "plus": 1}
            rolls["r0"].setdefault("options", {})["tool"] = tool
        tree["moves"]["fix"] = {"who": "crew.gear", "does": ["gain uses"], "when": "uses < 3"}
    if random.random() < 0.4:
        tree["sheet"]["loot"] = {"each": {"gone": {"flag": False}}, "start": {"ring": {"name": "Ring"}}}
        tree["moves"]["find"] = {"text": "What is found", "does": ["add loot text"]}
        tree["moves"]["sell"] = {"who": "loot", "does": ["mark gone", "clear boat.water 1"]}


def _add_what_follows(random: Random, tree: Tree) -> None:
    rolls = tree["dice"]
    if random.random() < 0.3 and len(rolls) > 1:
        tree["after"]["r1"].setdefault("o0", []).append({"roll": "r0"})
    if random.random() < 0.3:
        tree["after"]["r0"].setdefault("o1", []).append({"offer": "mark boat.water"})
    if random.random() < 0.3 and rolls["r0"]["reading"] not in ("under", "match") and "dF" not in repr(rolls["r0"]):
        tree["after"]["r0"]["o0"].append({"do": "mark harm", "when": random.choice(_seen(rolls["r0"]))})
    if random.random() < 0.4:
        tree["house_rules"] = {
            "soft": {"flag": False, "when": {"true": {"after": {"r0": {"o0": ["mark boat.water"]}}}}}
        }
    if random.random() < 0.5:
        tree["clocks"] = {"storm": {"label": "Storm", "segments": random.choice((4, 6, 8))}}
        tree["after"]["r0"].setdefault("o0", []).append(f"tick storm {random.randint(1, 2)}")


def _add_what_answers_decide(random: Random, tree: Tree) -> None:
    """Effects that follow only from a call and an answer together, of which neither is the default."""
    roll = tree["dice"]["r0"]
    if random.random() < 0.5:
        roll.setdefault("pick", {})["stance"] = {"steady": {}, "bold": {}, "mad": {}}
        roll.setdefault("calls", {"calm": {}, "fast": {}})
        # One more, added to the size of a set, is more than the worst outcome has.
        has_song, has_modifier = (
            ("song" in roll.get("options", {}), "modifier" in roll) if roll["reading"] != "match" else (False, False)
        )
        reads = [
            f"call == '{[*roll['calls']][-1]}'",
            f"pick.stance == '{random.choice(('bold', 'mad'))}'",
            *(random.sample(("options.song", "not options.song"), 1) if has_song else ()),
            *(("modifier > 0",) if has_modifier else ()),
            random.choice(("harm > 0", "boat.water > 0", "nerve > 0")),
        ]
        when = " and ".join(random.sample(reads, random.randint(2, len(reads))))
        tree["after"]["r0"]["o0"] += [
            {"do": "mark harm", "when": when},
            {"say": "So", "when": "pick.stance == 'mad' and stance"},
        ]
        tree["formulas"] = {"stance": f"pick.stance == 'mad' or ({reads[0]} and pick.stance == 'bold')"}


def _seen(roll: Tree) -> list[str]:
    """Conditions on what the dice show when the worst outcome comes."""
    two = roll["reading"] == "sum" and roll.get("pool") == 2
    return ["ones > 0", *(["doubles", "matches >= 2", "face <= 3"] if two else [])]


def _bands(starts: list[int]) -> list[Tree]:
    """One outcome more than there are starts; the first is for all below."""
    most = len(starts)
    grades = {1: (0, 2), 2: (0, 1, 2), 3: (0, 1, 2, 3)}[most]
    bands = [{"outcome": f"o{place}", "grade": GRADES[grade]} for place, grade in enumerate(grades)]
    return [bands[0], *(band | {"from": start} for band, start in zip(bands[1:], starts, strict=True))]


def _best_die(random: Random) -> Tree:
    bands = _bands(random.choice(([4], [4, 6], [5, 6])))
    if random.random() < 0.5:
        bands.append({"outcome": "best", "grade": "critical", "from": 6, "matches": 2})
    return {"reading": "highest", "pool": "nerve", "none": {"dice": 2, "reading": "lowest"}, "bands": bands}


def _two_dice(random: Random) -> Tree:
    low = random.randint(6, 8)
    return {
        "reading": "sum",
        "pool": 2,
        "plus": random.choice(("skill", "skill - 1")),
        "bands": _bands([low, low + random.randint(2, 3)]),
    }


def _d20(random: Random) -> Tree:
    roll: Tree = {"reading": "highest", "die": "d20", "plus": "skill", "bands": _bands([random.randint(8, 15)])}
    if random.random() < 0.5:
        roll["pick"] = {"luck": {"plain": {}, "good": {"pool": 2}, "bad": {"pool": 2, "keep_lowest": 1}}}
    return roll


def _percent(random: Random) -> Tree:
    roll: Tree = {"reading": "under", "die": "d100", "target": "aim", "bands": _bands([0])}
    if random.random() < 0.5:
        roll["calls"] = {"plain": {}, "hard": {"target": f"aim - {random.randint(1, 4) * 5}"}}
    return roll


def _sixes(random: Random) -> Tree:
    return {
        "reading": "count",
        "pool": "nerve + 1",
        "target": random.randint(4, 6),
        "bands": _bands(random.choice(([1], [1, 2], [1, 2, 3]))),
    }


def _step_die(random: Random) -> Tree:
    roll: Tree = {"reading": "highest", "die": "rank", "bands": _bands(random.choice(([3], [3, 4], [2, 4])))}
    if random.random() < 0.4:  # An outcome that no die of a small kind comes to by itself.
        roll |= {"explode": {"times": random.randint(1, 2), "adds": True}, "bands": _bands([3, random.randint(7, 9)])}
    return roll


def _roll_and_keep(random: Random) -> Tree:
    return {
        "reading": "sum",
        "die": random.choice(("d6", "d10")),
        "pool": "skill + 2",
        "keep_highest": 2,
        "bands": _bands([7, 11]),
    }


def _card(random: Random) -> Tree:
    return {
        "reading": "highest",
        "die": "deck",
        "plus": "skill",
        "bands": _bands([random.randint(4, 6), random.randint(7, 9)]),
    }


def _fate(random: Random) -> Tree:
    return {"reading": "sum", "die": "dF", "pool": 4, "plus": "skill", "bands": _bands(random.choice(([2], [1, 3])))}


def _matches(random: Random) -> Tree:
    return {"reading": "match", "die": random.choice(("d6", "d8", "d10")), "pool": "skill + 2", "bands": _bands([2, 3])}


def _one_against_two(random: Random) -> Tree:
    against = [{"dice": 2, "die": "d10", "against": True}]
    roll: Tree = {"reading": "beats", "die": "d6", "plus": "skill", "more": against, "bands": _bands([1, 2])}
    if random.random() < 0.5:
        roll["bands"].append({"outcome": "best", "grade": "critical", "from": 2, "matches": 2})
    return roll


def _opposed(random: Random) -> Tree:
    against = [{"dice": random.choice((1, 2, "harm + 1")), "against": True}]
    counts: Tree = {"reading": "count", "target": 4} if random.random() < 0.5 else {"reading": "highest"}
    return {**counts, "pool": "nerve", "more": against, "bands": _bands([0, 1])}


_KINDS = {
    "matches": _matches,
    "one against two": _one_against_two,
    "opposed": _opposed,
    "best die": _best_die,
    "two dice": _two_dice,
    "d20": _d20,
    "percent": _percent,
    "sixes": _sixes,
    "step die": _step_die,
    "roll and keep": _roll_and_keep,
    "fate": _fate,
    "card": _card,
}


def _after(random: Random, roll: Tree) -> Tree:
    """What follows from some outcomes, some of it under a condition."""
    outcomes = [*dict.fromkeys(band["outcome"] for band in roll["bands"])]
    worse: list[Any] = [
        "mark harm",
        "mark boat.water",
        {"do": "mark harm 2", "when": "'hurt' in marks"},
        "add marks hurt",
    ]
    better: list[Any] = [
        "gain nerve",
        "clear harm 1",
        {"do": "clear boat.water 1", "when": "boat.water > 1"},
        {"say": "It holds"},
    ]
    found: Tree = {outcomes[0]: [*worse[:2], *random.sample(worse[2:], random.randint(0, 2))]}
    return found | ({outcomes[-1]: random.sample(better, random.randint(1, 2))} if random.random() < 0.6 else {})


def _widen(random: Random, roll: Tree) -> None:
    """Give a roll options, a number that is asked, a way to pay, or a group."""
    if roll["reading"] != "under":
        takes_dice = roll["reading"] == "count" or roll.get("pool") == "nerve"
        more = {"dice": 1} if takes_dice else {"plus": 1}
        if random.random() < 0.6:
            cost = random.choice(("spend nerve", "mark boat.water", "mark harm"))
            roll["options"] = {"song": {**more, "cost": [cost]}}
        if "options" in roll and random.random() < 0.4:
            roll["options"]["gear"] = {**more, "when": random.choice(("boat.lamp", "harm == 0", "nerve > 1"))}
        if not takes_dice and random.random() < 0.4:
            roll |= {"modifier": [-2, 2], "plus": f"{roll.get('plus', 0)} + modifier"}
        if roll.get("pool") == "nerve" and random.random() < 0.4:
            roll["calls"] = {"safe": {}, "daring": {"dice": 1, "when": "harm < 2", "refusal": "too hurt for that"}}
    if random.random() < 0.3:
        roll["instead"] = {"cost": ["spend nerve 2"], "outcome": roll["bands"][1]["outcome"]}
    if random.random() < 0.3:
        roll["group"] = random.choice(
            ({"counts": "each"}, {"counts": "best", "outcomes": ["o0"], "leader": ["mark harm"]}, {"counts": "half"})
        )


def _spend(random: Random, name: str) -> Tree:
    does = random.choice(({"reroll": "one"}, {"reroll": "all"}, {"reroll": "lowest"}, {"raise": 1}))
    cost = random.choice(("spend nerve", "mark harm", "spend nerve 2", "mark boat.water"))
    return {"label": f"Push {name}", "rolls": [name], "cost": [cost], "limit": random.randint(1, 2), **does}


def _moves(random: Random) -> Tree:
    every: Tree = {
        "rest": {"who": "crew", "does": ["clear harm", "gain nerve"]},
        "bail": {"does": ["clear boat.water 2"], "when": "boat.water > 0", "refusal": "it is dry"},
        "train": {"who": "crew", "does": ["mark rank", "gain skill"]},
        "mend": {
            "who": "crew",
            "amount": [1, "harm"],
            "does": ["clear harm amount", "mark boat.water"],
            "when": "harm > 0",
        },
        "turn": {
            "choose": {
                "left": {"does": ["mark boat.water"]},
                "right": {"does": ["clear boat.water 1"], "when": "boat.lamp"},
            }
        },
        "dress": {"who": "crew", "does": ["remove marks hurt"], "when": "'hurt' in marks"},
        "drop": {"who": "crew", "does": ["clear rank", {"say": "It slips"}]},
    }
    names = random.sample([*every], random.randint(2, 5))
    return {name: every[name] for name in dict.fromkeys(("rest", *names))}
