"""Any game that a file may declare: its values, rolls, spends, moves and conditions are drawn, and go together."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

Tree = dict[str, Any]
DICE = ("d2", "d4", "d6", "d8", "d10", "d12", "d20", "d66", "d100", "dF")
NUMBERS = (
    "team.stress",
    "team.pool",
    "count(crew)",
    "team.stress // 2",
    "min(team.stress, 2)",
    "2 if team.cover else 0",
)
OF_CREW = ("nerve", "nerve + 1", "max(nerve, harm)", "count(gear)", "1 + ('hurt' in tags)", "crew.nerve", "harm // 2")
CONDITIONS = (
    "",
    "team.cover",
    "not team.cover",
    "team.stress < 4",
    "rules.soft",
    "team.mode == 'calm' or team.pool > 1",
)
CREW_CONDITIONS = ("nerve > 0", "'hurt' in tags", "count(gear) > 0", "harm == 0 and team.cover")
EFFECTS = (
    *(
        "mark stress",
        "mark stress 2",
        "clear stress",
        "lose pool 1",
        "gain pool team.stress",
        "mark cover",
        "clear cover",
    ),
    *("add loot 'Old key'", "add loot ring", "remove loot ring", "remove loot 'old key'"),
    *("gain pool 1d4", "lose stress 2d3 - 1", "set spare to max(0, 1d12 - team.stress)"),
    *("tick alarm", "tick alarm team.stress - 2", "tick alarm 1d3"),
    *("set mode to 'wild'", "set stress to team.pool", "swap stress spare", "fill stress", "set plan to 'Run'"),
)
CREW_EFFECTS = (
    *("mark nerve", "lose nerve 1", "add tags hurt", "remove tags hurt", "mark harm", "fill harm", "mark harm 1d2"),
    *("add gear rope", "add gear 'A lamp'", "remove gear drill", "remove gear rope"),
)
COSTS = ("mark stress", "spend pool 1", "lose pool 1", "mark stress 2")
OF_SETS = ("count", "match", "under")
"""Readings that come to no face or sum, so that a roll without dice is read in the same way."""
LIMITS: tuple[Tree, ...] = ({}, {}, {"least": "min(harm, 1)"}, {"most": "4 - harm"})
GRADES = ("fiasco", "drawback", "success", "critical")


def _range(most: int = 9) -> st.SearchStrategy[Tree]:
    return st.integers(2, most).flatmap(
        lambda top: st.integers(0, top).map(lambda start: {"range": [0, top], "start": start})
    )


def _sheet() -> st.SearchStrategy[Tree]:
    team = st.fixed_dictionaries(
        {
            "stress": _range(),
            "pool": st.one_of(_range(), st.integers(-3, 9).map(lambda number: {"number": number})),
            "spare": _range(),
            "cover": st.booleans().map(lambda flag: {"flag": flag}),
            "mode": st.just({"choices": ["calm", "wild"]}),
            "plan": st.just({"text": ""}),
        }
    )
    gear = {"each": {"uses": {"range": [0, 2], "start": 1}, "gone": {"flag": False}}}
    crew = st.fixed_dictionaries(
        {
            "nerve": st.builds(lambda nerve, limit: {**nerve, **limit}, _range(4), st.sampled_from(LIMITS)),
            "harm": _range(3),
            "tags": st.sampled_from(({"tags": []}, {"tags": ["hurt"]}, {"tags": [], "choices": ["hurt", "lost"]})),
            "gear": st.just(gear),
        }
    )
    people: Tree = {"mara": {"name": "Mara", "gear": {"drill": {"name": "Drill"}}}, "joss": {"name": "Joss"}}
    return st.builds(
        lambda team, crew, secret: {
            "team": {"values": team, "secret": secret},
            "crew": {"each": crew, "start": people},
            "loot": {"each": {"gone": {"flag": False}}, "start": {"ring": {"name": "Ring"}}, "place": "ship"},
        },
        team,
        crew,
        st.booleans(),
    )


def _number(who: str) -> st.SearchStrategy[Any]:
    formulas = (*NUMBERS, *(one for one in OF_CREW if who and one != "crew.nerve"))
    return st.one_of(st.integers(0, 4), st.sampled_from(formulas))


def _condition(who: str) -> st.SearchStrategy[str]:
    return st.sampled_from((*CONDITIONS, *CONDITIONS, *(CREW_CONDITIONS if who else ())))


def _effects(who: str) -> st.SearchStrategy[list[Any]]:
    text = st.sampled_from((*EFFECTS, *(CREW_EFFECTS if who else ())))
    table = st.builds(lambda do, when: {"do": do, "when": when}, text, _condition(who))
    more = st.sampled_from(
        (
            *({"say": "It rains"}, {"offer": "mark team.stress"}, {"offer": "rest", "say": "Night falls"}),
            *({"offer": "clear cover"}, {"offer": "mark stress count(loot)"}, {"offer": "tick alarm"}),
            *({"move": "rest"}, {"move": "strain", "amount": "team.stress - 1"}),
            {"move": "strain", "amount": "1d3 + toll - 1"},
            *({"offer": "seek", "one_of": "gain"}, {"offer": "clear cover", "one_of": "gain"}, {"offer": "seek 1"}),
            *(
                {"offer": "seek", "one_of": "gain", "take": 2},
                {"offer": "clear cover", "one_of": "gain", "take": "count(loot)"},
            ),
        )
    )
    others: Tree = {"do": "mark harm min(actor.nerve, 1)", "who": "others", "when": "actor.harm <= harm"}
    return st.lists(st.one_of(text, table, more, *([st.just(others)] if who else [])), min_size=1, max_size=3)


@st.composite
def _bands(draw: st.DrawFn) -> list[Tree]:
    """Outcomes from the worst on, each with a result that it begins at, or a mark."""
    bands: list[Tree] = [{"outcome": "o0", "grade": "fiasco"}]
    least = draw(st.integers(-2, 5))
    for number in range(1, draw(st.integers(1, 4))):
        mark: Tree = draw(
            st.sampled_from(
                (
                    *({}, {}, {"matches": 2}, {"ones": 1}, {"doubles": True}, {"all_equal": True}),
                    *({"ones": 1, "of": "base"}, {"face": [2, 6], "of": "base"}),
                )
            )
        )
        band: Tree = {"outcome": f"o{number}", "grade": GRADES[min(number, 3)], "from": least, **mark}
        bands.append(band | draw(st.sampled_from(({}, {}, {"face": [2, 6]}, {"from": "team.stress"}))))
        least += draw(st.integers(0, 3))
    return bands


@st.composite
def _roll(draw: st.DrawFn) -> Tree:
    who = draw(st.sampled_from(("", "crew", "crew", "crew.gear")))
    near = "crew" if who == "crew" else ""
    reading = draw(st.sampled_from(("highest", "lowest", "sum", "count", "match", "under")))
    roll: Tree = {
        "who": who,
        "pool": draw(_number(near)),
        "die": draw(st.sampled_from(DICE)),
        "reading": reading,
        "plus": draw(_number(near)),
        "bands": draw(_bands()),
        "dice_label": "Base",
        "clocks": draw(st.sampled_from((True, True, False))),
        "offered": draw(st.sampled_from((True, True, True, False))),
        "when": draw(_condition(near)),
    }
    if roll["die"] in ("d66", "dF"):  # They show no face that an outcome here asks for.
        roll["bands"] = [
            {key: value for key, value in band.items() if key not in ("face", "of") or "face" not in band}
            for band in roll["bands"]
        ]
    if reading == "count":
        roll["worth"] = draw(st.sampled_from(({}, {"6": 2, "1": -1})))
    if reading in ("count", "under"):
        roll["target"] = draw(st.integers(1, 60) if reading == "under" else st.integers(1, 6))
    extra: list[Tree] = [
        {"none": {"dice": draw(st.integers(1, 3)), "reading": reading if reading in OF_SETS else "lowest"}},
        {"keep_highest": draw(st.integers(1, 3))},
        {"drop_lowest": 1},
        {"reroll": [1]},
        {"explode": {"times": draw(st.integers(1, 2)), "adds": draw(st.booleans())}},
        {"more": [{"dice": 1, "die": "d6", "against": draw(st.booleans()), "when": draw(_condition(near))}]},
        {"modifier": [-2, 2], "plus": "modifier"},
        {"instead": {"cost": [draw(st.sampled_from(COSTS))], "outcome": "o0", "when": draw(_condition(near))}},
        {
            "options": {
                "help": {"dice": 1, "cost": [draw(st.sampled_from(COSTS))]},
                "aid": {"plus": draw(_number(near))},
            }
        },
        {"options": {"aid": {"plus": 1}, "tool": draw(_of_things(who))}},
        {
            "calls": {
                "safe": {"plus": 1},
                "daring": {
                    "dice": 1,
                    "when": draw(_condition(near)),
                    "refusal": "not now",
                    "default": draw(_condition(near)),
                },
            }
        },
    ]
    chosen = draw(st.lists(st.integers(0, len(extra) - 1), max_size=4, unique=True))
    for number in chosen:
        if not (number == 2 and 1 in chosen):  # A pool keeps dice or drops some.
            roll |= extra[number]
    return roll


def _of_things(who: str) -> st.SearchStrategy[Tree]:
    """An option for each thing of a list, which pays for it: of what people have, only for a roll of people."""
    own: tuple[Tree, ...] = ({"who": "crew.gear", "when": "uses > 0", "cost": ["spend uses"]},) if who else ()
    lists = ({"who": "loot", "cost": ["mark gone"]}, {"who": "crew", "cost": ["lose nerve"]}, *own)
    clocks: Tree = {"who": "clocks", "when": "filled < 3", "plus": "segments // 6", "cost": ["mark stress"]}
    changes = ({"dice": 1}, {"plus": 1}, {"dice": "count(loot)"}, {"dice": 1, "dice_label": "Base", "die": "d8"})
    return st.builds(lambda of, does: {**of, **does}, st.sampled_from((*lists, clocks)), st.sampled_from(changes))


def _spend() -> st.SearchStrategy[Tree]:
    does: tuple[Tree, ...] = (
        *({"raise": 1}, {"raise": 2}, {"plus": 1}, {"reroll": "one"}, {"reroll": "lowest"}, {"reroll": "all"}),
        *({"dice": 1}, {"step": 1}, {"reroll": "one", "faces": [1, 2]}, {"dice": 1, "die": "d4"}),
        *({"reroll": "all", "dice": 1, "dice_label": "Base"}, {"reroll": "one", "dice": 1, "keep_better": True}),
        {"reroll": "all", "keep_better": True, "accept": ["o0"]},
        *({"reroll": "one", "against": True}, {"reroll": "all", "against": True, "faces": [1, 3]}),
    )
    return st.builds(
        lambda does, cost, limit, outcomes: {**does, "cost": cost, "limit": limit, "outcomes": outcomes},
        st.sampled_from(does),
        st.lists(st.sampled_from(COSTS), max_size=2, unique=True),
        st.sampled_from((0, 1, 1, 2)),
        st.sampled_from(([], [], ["o0"], ["o0", "o1"])),
    )


OMENS: Tree = {
    "faces": {
        "omen": ["", "sun", "sun sun", "moon", "sun moon", "star"],
        "shade": ["", "cloud", "cloud cloud", "cloud moon", "eclipse"],
    },
    "symbols": {
        "moon": {"moon": 1},
        "cloud": {"sun": -1},
        "star": {"sun": 1, "star": 1},
        "eclipse": {"sun": -2, "star": -1},
    },
}
"""Dice with symbols."""


@st.composite
def _omens(draw: st.DrawFn) -> Tree:
    """The parts of a game that has a roll with symbols."""
    change: Tree = draw(
        st.sampled_from(({"reroll": "one"}, {"reroll": "all"}, {"dice": 1, "die": "omen"}, {"plus": 1}, {"step": 1}))
    )
    more = {"dice": draw(_number("crew")), "die": "shade", "against": draw(st.booleans()), "label": "Night"}
    roll = {
        "who": "crew",
        "reading": "symbols",
        "symbol": draw(st.sampled_from(("", "moon", "star"))),
        "pool": draw(_number("crew")),
        "die": "omen",
        "plus": draw(_number("crew")),
        "more": [more],
        "twice": draw(st.sampled_from(("", "", "better"))),
        "options": {"help": {"dice": 1}, "risk": {"dice": 1, "die": "shade", "dice_label": "Risk"}},
        "bands": [
            {"outcome": "o0", "grade": "fiasco"},
            {"outcome": "o1", "from": 1, "to": draw(_number("crew"))},
            {"outcome": "o2", "grade": "drawback", "when": "symbols.sun > symbols.moon and result < 3"},
        ],
    }
    effects = [
        {"do": "mark nerve symbols.sun", "when": "symbols.moon > 0"},
        {"say": "Stars", "when": "symbols.star < 0"},
    ]
    spend = {**change, "rolls": ["omens"], "cost": draw(st.sampled_from(([], ["mark stress"]))), "limit": 1}
    return {**OMENS, "dice": {"omens": roll}, "after": {"omens": {"any": effects}}, "spend": {"augur": spend}}


@st.composite
def _move(draw: st.DrawFn) -> Tree:
    who = draw(st.sampled_from(("", "crew", "crew.gear")))
    near = "crew" if who == "crew" else ""
    move: Tree = {"who": who, "does": draw(_effects(near)), "when": draw(_condition(near)), "refusal": "not now"}
    match draw(st.integers(0, 4)):
        case 4:
            move |= {"text": "What is found", "does": ["add loot text", *draw(_effects(near))]}
        case 0:
            move |= {"amount": [draw(st.integers(0, 1)), draw(_number(near))], "does": ["mark stress amount"]}
        case 1:
            choices = {
                word: {"does": draw(_effects(near)), "when": draw(_condition(near))} for word in ("left", "right")
            }
            move["choose"] = choices
            move["pick"] = draw(st.sampled_from(({}, {"pace": {"slow": {"does": ["mark stress"]}, "fast": {}}})))
        case _:
            pass
    return move


def _condition_rule() -> st.SearchStrategy[Tree]:
    changes = st.sampled_from(({"dice": -1}, {"dice": 1}, {"plus": -1}, {"refuses": "it is too dark"}, {"tag": "Dark"}))
    rule = st.builds(lambda held, changes: {"if": held, **changes}, st.sampled_from(CONDITIONS[1:]), changes)
    return st.one_of(rule, st.builds(lambda rule: {**rule, "who": "crew", "if": "harm > 0"}, rule))


SEEK: Tree = {
    "amount": [1, 2],
    "choose": {"left": {"does": ["mark stress amount"]}, "right": {"when": "team.cover"}},
    "does": ["mark spare amount"],
}


SHOWN = ("result > 2", "face >= 3 and not doubles", "matches + ones > team.stress")
CONTESTED = ("theirs.result < 2", "face > theirs.face", "theirs.ones < matches or theirs.doubles")


@st.composite
def _both_sides(draw: st.DrawFn, roll: Tree) -> Tree:
    """What makes a contest of a roll, or lets its outcomes ask what its dice show."""
    bands, last = roll["bands"][:-1], roll["bands"][-1]
    if draw(st.booleans()):
        return {"bands": [*bands, {**last, "when": draw(st.sampled_from(SHOWN))}]}
    theirs = {"target": draw(st.integers(1, 6)), "plus": draw(_number("crew" if roll["who"] == "crew" else ""))}
    more = [{"dice": draw(st.integers(0, 2)), "die": draw(st.sampled_from(DICE)), "label": "Foe", "against": True}]
    return {"bands": [*bands, {**last, "when": draw(st.sampled_from(CONTESTED))}], "more": more, "theirs": theirs}


def _for_several() -> st.SearchStrategy[Tree]:
    together = {"group": {"counts": "half", "own_effects": True, "together": {"o0": ["mark stress"]}}}
    return st.sampled_from(({}, {"hidden": True}, together, {"group": {"outcomes": ["o0"], "leader": ["lose nerve"]}}))


@st.composite
def game_trees(draw: st.DrawFn) -> Tree:
    """The values of a game file without a mistake."""
    rolls = {f"r{number}": draw(_roll()) for number in range(draw(st.integers(1, 3)))}
    short = {name: [band["outcome"] for band in roll["bands"]] for name, roll in rolls.items()}
    spends = {f"s{number}": draw(_spend()) for number in range(draw(st.integers(0, 3)))}
    known = {outcome for outcomes in short.values() for outcome in outcomes}
    for spend in spends.values():
        spend["outcomes"] = [outcome for outcome in spend["outcomes"] if outcome in known]
    after = {
        name: {draw(st.sampled_from([*short[name], "any"])): draw(_effects("crew" if roll["who"] == "crew" else ""))}
        for name, roll in rolls.items()
    }
    for name, roll in rolls.items():
        if name != "r0":  # A house rule replaces the outcomes of that.
            roll |= draw(_both_sides(roll))
        if roll["who"] == "crew":
            roll |= draw(_for_several())
        # What people have can join with a roll of its own, if it has no other outcomes.
        joining = [one for one, rule in rolls.items() if rule["who"] == "crew.gear" and {*short[one]} <= {*short[name]}]
        if joining and "group" in roll:
            roll["group"] = {**roll["group"], "rolls": [draw(st.sampled_from(joining))]}
        again = [other for other, rule in rolls.items() if rule["who"] in ("", roll["who"])]
        if bool(again) and draw(st.booleans()):
            after[name].setdefault("o0", []).append(
                {"roll": draw(st.sampled_from(again)), "when": "team.stress < 5 and not team.cover"}
            )
    for name in [
        name for name, roll in rolls.items() if roll.get("options", {}).get("tool", {}).get("who") == "clocks"
    ]:
        for effects in after[name].values():
            effects.append("tick options.tool 2 if outcome == 'o0' else options.tool.filled")
    moves = {f"m{number}": draw(_move()) for number in range(draw(st.integers(0, 3)))}
    conditions = {f"w{number}": draw(_condition_rule()) for number in range(draw(st.integers(0, 2)))}
    for name in [name for name, roll in rolls.items() if "calls" in roll]:
        changes: list[Tree] = [{"dice": -1}, {"plus": 1}, {"refuses": "it is too dark"}]
        change = draw(st.sampled_from(changes))
        conditions[f"c{name}"] = {"rolls": [name], "if": "team.stress > 2 and call == 'daring'", **change}
    omens = draw(_omens()) if draw(st.booleans()) else {}
    for spend in spends.values():
        spend |= {"rolls": [*rolls]}  # What changes numbers on dice is not for symbols.
    return {
        **{key: omens[key] for key in ("faces", "symbols") if omens},
        "id": "any-game",
        "name": "Any game",
        "sheet": draw(_sheet()),
        "dice": {**rolls, **omens.get("dice", {})},
        "spend": {**spends, **omens.get("spend", {})},
        "after": {**after, **omens.get("after", {})},
        "clocks": {"alarm": {"kind": draw(st.sampled_from(("push", "death")))}, "deep": {"secret": True}},
        "moves": {
            **moves,
            "rest": {"does": ["clear stress 1"]},
            "strain": {"amount": [1, "6 - team.stress"], "does": ["mark stress amount"], "when": "team.stress < 5"},
            "seek": SEEK,
            "wind": {"whom": "clocks", "does": ["tick whom 3 if whom.filled < 2 else -1"]},
        },
        "when": conditions,
        "formulas": {"toll": "team.stress // 2", "most": "max(crew.each.brave)", "brave": "nerve + 1"},
        "panels": {"sums": {"title": "Sums", "rows": ["toll", "most"]}},
        "house_rules": {
            "soft": {"flag": False, "when": {"true": {"dice": {"r0": {"bands": draw(_bands_for(short["r0"]))}}}}}
        },
    }


def _bands_for(outcomes: list[str]) -> st.SearchStrategy[list[Tree]]:
    """Other limits for the same outcomes."""
    return st.integers(0, 3).map(
        lambda least: [
            {"outcome": outcome, "grade": GRADES[min(number, 3)]} | ({"from": least + number} if number else {})
            for number, outcome in enumerate(outcomes)
        ]
    )
