"""All mistakes of a game file are told at once: none hides behind another, and none is told where another one is."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Sequence
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.kit.thorough import IS_AT_A_DESK
from waylog.rules.file_game.check import check_game
from waylog.rules.file_game.check_names_and_formulas import FormulaCheck
from waylog.rules.file_game.game_file_format import Flaw, Path
from waylog.rules.language import similar_names

CARGO = """
id = "cargo"
name = "Cargo"
[sheet.ship.values]
coin = { range = [0, 12], start = 2, label = "Coin" }
heat = { range = [0, 9], when_full = ["clear heat", "mark coin"] }
mood = { choices = ["calm", "wild"] }
[sheet.crew.each]
slip = { range = [0, 4], start = 1 }
stress = { range = [0, 9], most = "9 - slip" }
out = { flag = false }
[sheet.crew.start.nadi]
name = "Nadi"
slip = 3
[sheet.gangs.each]
size = { range = [0, 4], start = 1 }
[formulas]
calm = "2 if ship.mood == 'calm' else 1"
risk = "calm + stress"
[dice.act]
who = "crew"
pool = "slip"
bands = [{ outcome = "bad", grade = "fiasco" }, { outcome = "good", from = 4 }, { outcome = "best", from = 6, matches = 2 }]
calls = { slip = { pool = "slip" }, luck = { pool = "calm" } }
options = { push = { dice = 1, cost = ["mark stress 2"] }, help = { who = "crew", dice = 1, cost = ["mark stress"] } }
group = { counts = "best", rolls = ["send"], outcomes = ["bad"], leader = ["mark stress"] }
when = "not out"
clause = "CA-01"
[after.act]
bad = ["mark stress", { offer = "rest", one_of = "end" }, { do = "mark ship.heat risk" }]
good = [{ withdraw = "end" }, { do = "lose stress", when = "call == 'luck'" }]
best = [{ offer = "roll act" }]
[dice.send]
base = "act"
without = ["group", "calls", "options", "clause"]
who = "gangs"
pool = "size"
when = ""
[after.send]
bad = ["lose size"]
good = []
best = []
[spend.again]
rolls = ["act"]
reroll = "all"
cost = ["spend coin"]
[when.tired]
who = "crew"
if = "stress > 5"
rolls = ["act"]
dice = -1
[moves.rest]
who = "crew"
does = ["clear stress"]
when = "stress > 0"
[moves.wage]
whom = "crew"
amount = [1, "ship.coin"]
does = ["lose ship.coin amount", { do = "clear stress", who = "whom" }]
[clauses.CA-01]
title = "Acting"
text = "Roll."
[panels.crew]
rows = ["stress", "risk"]
"""
PLANTED: Sequence[tuple[str, Any]] = (
    ("sheet.ship.values.coin.lable", "Coin"),
    ("sheet.ship.values.heat.when_full.1", "mark coins"),
    ("sheet.ship.values.mood", {"choises": ["calm", "wild"]}),
    ("sheet.crew.each.stress.most", "9 - slipp"),
    ("sheet.crew.each.out.good", "no"),
    ("sheet.crew.start.nadi.slip", 9),
    ("formulas.calm", "2 if ship.mood == 'clam' else 1"),
    ("dice.act.who", "crw"),
    ("dice.act.bands.0.grade", "fiasko"),
    ("dice.act.calls.slip.pool", "slp"),
    ("dice.act.options.push.cost.0", "mark strss 2"),
    ("dice.act.options.help.who", "crews"),
    ("dice.act.group.rolls.0", "sned"),
    ("dice.act.when", "not outt"),
    ("dice.act.clause", "CA-99"),
    ("after.act.bad.1", {"offer": "ret", "one_of": "end"}),
    ("after.act.good.1.when", "call == 'lukc'"),
    ("after.act.good.0", {"withdraw": "edn"}),
    ("after.act.bset", []),
    ("dice.send.base", "atc"),
    ("dice.send.without.0", "grup"),
    ("after.send.bad.0", "lose siez"),
    ("spend.again.rolls.0", "atc"),
    ("spend.again.cost.0", "spend coinn"),
    ("when.tired.who", "crewe"),
    ("when.tired.if", "strss > 5"),
    ("when.tired.rolls.0", "atc"),
    ("moves.rest.does.0", "clear strss"),
    ("moves.wage.whom", "crwe"),
    ("moves.wage.amount.1", "ship.coinz"),
    ("moves.wage.does.0", "lose ship.coin amuont"),
    ("panels.crew.rows.1", "rsik"),
)
"""Each with its place, and what stands there in place of what should."""


def _told(planted: Sequence[tuple[str, Any]]) -> list[str]:
    """Return the places at which something is told of a file with these mistakes."""
    tree: Any = deepcopy(tomllib.loads(CARGO))
    for place, value in planted:
        *above, key = place.split(".")
        there = tree
        for each in above:
            there = there[int(each)] if isinstance(there, list) else there[each]
        if isinstance(there, list):
            there[int(key)] = value
        else:
            there[key] = value
    return [".".join(flaw.path) for flaw in check_game(tree)[1]]


def _is_at(told: str, place: str) -> bool:
    return f"{told}.".startswith(f"{place}.")


def test_nothing_is_told_of_the_file_as_it_is() -> None:
    """Without a mistake in it."""
    assert _told(()) == []


@pytest.mark.parametrize("planted", PLANTED, ids=lambda planted: planted[0])
def test_a_mistake_is_told_at_its_place_alone(planted: tuple[str, Any]) -> None:
    """What reads a value with a mistake is no second one."""
    told = _told((planted,))
    assert told
    assert [place for place in told if not _is_at(place, planted[0])] == []


@settings(max_examples=10 if IS_AT_A_DESK else 60, deadline=None)
@example([*PLANTED])
@given(st.lists(st.sampled_from(PLANTED), unique_by=lambda planted: planted[0], max_size=12))
def test_every_mistake_is_told_at_once(planted: list[tuple[str, Any]]) -> None:
    """However many there are, each at its place, and nothing elsewhere."""
    told = _told(planted)
    assert [place for place, _ in planted if not any(_is_at(each, place) for each in told)] == []
    assert [each for each in told if not any(_is_at(each, place) for place, _ in planted)] == []


def test_formulas_are_looked_at_once_however_many_effects_may_read_them(monkeypatch: pytest.MonkeyPatch) -> None:
    """A game with ten times as many moves takes no more looks at its formulas, nor at which name was meant by one that isn't there."""
    looks = {"formula": 0, "name": 0}
    look_at_formula, look_for_name = FormulaCheck.formula, similar_names.nearest

    def formula(self: FormulaCheck, path: Path, *more: Any) -> Iterator[Flaw]:
        looks["formula"] += path == ()  # Within another one.
        return look_at_formula(self, path, *more)

    def nearest(word: str, names: Sequence[str]) -> str | None:
        looks["name"] += 1
        return look_for_name(word, names)

    monkeypatch.setattr(FormulaCheck, "formula", formula)
    monkeypatch.setattr(similar_names, "nearest", nearest)
    found = list[dict[str, int]]()
    for count in (4, 40):
        tree: Any = tomllib.loads(CARGO)
        tree["formulas"] |= {
            "lone": "size + 1",
            "step0": "slip",
            **{f"step{n}": f"step{n - 1} + stress" for n in range(1, 9)},
        }
        effects = [{"do": "mark stress step8", "who": "others"}]
        tree["moves"] |= {f"shift-{n}": {"who": "crew", "does": effects} for n in range(count)}
        looks |= {"formula": 0, "name": 0}
        assert not check_game(tree)[1]
        found.append({**looks})
    assert found[0] == found[1]
    assert all(found[0].values())


SHARED = """
id = "shared"
name = "Shared"
[sheet.crew.each]
nerve = { range = [0, 4], start = 2 }
[sheet.crew.start.ada]
name = "Ada"
[formulas]
bonus = "2 * count(call == 'talk') + count(call == 'climb', pick.ground == 'steep')"
[dice.act]
who = "crew"
pool = "nerve + bonus"
bands = [{ outcome = "bad", grade = "fiasco" }, { outcome = "good", from = 4 }]
calls = { talk = {}, wait = {} }
pick = { ground = { open = {}, steep = {} } }
[dice.move]
base = "act"
calls = { climb = {}, wait = {} }
pick = { ground = { flat = {} } }
"""


def test_a_formula_that_reads_a_call_may_serve_rolls_with_other_calls() -> None:
    """What no roll is called is a mistake, and so is a roll without any."""
    assert check_game(tomllib.loads(SHARED))[1] == ()
    (flaw,) = check_game(tomllib.loads(SHARED.replace("call == 'climb'", "call == 'klimb'")))[1][:1]
    assert "Did you mean 'climb'?" in flaw.message
    alone = SHARED.replace("== 'climb'", "== 'wait'").replace("calls = { climb = {}, wait = {} }", "")
    (flaw,) = check_game(tomllib.loads(alone.replace('base = "act"', 'base = "act"\nwithout = ["calls"]')))[1][:1]
    assert "`call` can be used only" in flaw.message


def test_a_mistake_in_what_a_roll_has_from_its_base_is_told_where_that_is_written() -> None:
    """With the name of the roll for which it is one."""
    bands = '{ outcome = "bad", grade = "fiasco" }'
    text = f"""
id = "trial"
name = "Trial"
[sheet.crew.each]
stress = {{ range = [0, 9] }}
[sheet.crew.start.ilse]
name = "Ilse"
[dice.panic]
who = "crew"
bands = [{bands}, {{ outcome = "calm", from = 4 }}]
[dice.horror]
base = "panic"
bands = [{bands}]
[after.panic]
any = [{{ do = "mark stress", when = "outcome != 'calm'" }}]
"""
    (flaw,) = check_game(tomllib.loads(text))[1]
    assert flaw.path[:2] == ("after", "panic")
    assert flaw.message.startswith("in horror, which has this from panic: this value is never 'calm'")
    assert flaw.message.endswith("To leave it out, write any = [] in [after.horror]")


BASED = """
id = "trial"
name = "Trial"
[sheet.crew.each]
stress = { range = [0, 9] }
[sheet.crew.start.ilse]
name = "Ilse"
[sheet.foes.each]
anger = { range = [0, 9] }
[sheet.foes.start.moth]
name = "Moth"
[moves.shock]
who = "crew"
does = ["mark stress"]
[dice.check]
who = "crew"
modifier = [0, 2]
plus = "modifier"
options = { help = { who = "crew", dice = 1, most = 1 } }
bands = [{ outcome = "botch", grade = "fiasco" }, { outcome = "fail", grade = "fiasco", from = 2 }, { outcome = "done", from = 4 }]
[after.check]
botch = [{ move = "shock" }]
fail = [{ move = "shock" }, "mark stress"]
[dice.strike]
base = "check"
who = "foes"
without = ["options.help"]
bands = [{ outcome = "miss", grade = "fiasco" }, { outcome = "hit", from = 4 }]
"""


def test_a_roll_with_other_outcomes_than_its_base_has_nothing_of_what_those_do() -> None:
    """What an outcome of both does comes along, and so do options; what is wrong about these says how to leave it out."""
    assert check_game(tomllib.loads(BASED))[1] == ()
    shared = check_game(tomllib.loads(BASED.replace('"miss"', '"fail"')))[1]
    assert [flaw.path for flaw in shared] == [("after", "check", "fail", "0", "move"), ("after", "check", "fail", "1")]
    assert {flaw.message.rpartition(". ")[2] for flaw in shared} == {
        "To leave it out, write fail = [] in [after.strike]"
    }
    help_of_crew = 'options = { help = { plus = "stress" } }'
    whole = re.sub("options = .*", help_of_crew, BASED).replace('without = ["options.help"]\n', "")
    (flaw,) = check_game(tomllib.loads(whole))[1]
    assert flaw.path == ("dice", "check", "options", "help", "plus")
    assert flaw.message.endswith('To leave it out, write without = ["options.help"] in [dice.strike]')


@pytest.mark.parametrize(
    ("formula", "says", "column"),
    [
        ("stress + (pick.trad == 'bold')", "there is no question `pick.trad`. Did you mean `pick.trade`?", 11),
        ("stress + options.pusch", "there is no option `options.pusch`. Did you mean `options.push`?", 10),
        ("stress + (pick.trade == 'bolt')", "this value is never 'bolt'. Did you mean 'bold'?", 25),
        ("stres + (pick.trade == 'bold')", "there is no value `stres`. Did you mean `stress`?", 1),
    ],
)
def test_a_mistake_within_a_formula_about_a_roll_is_told_where_the_formula_is(
    formula: str, says: str, column: int
) -> None:
    """Once, and not at each place that reads the formula."""
    text = CARGO.replace('risk = "calm + stress"', f'risk = "calm + stress"\nedge = "{formula}"')
    text = text.replace("[spend.again]", "[dice.act.pick.trade]\neven = {}\nbold = {}\n[spend.again]")
    text = text.replace("mark ship.heat risk", "mark ship.heat edge")
    assert check_game(tomllib.loads(text))[1] == (Flaw(("formulas", "edge"), says, within=column),)


@pytest.mark.parametrize(
    ("limits", "lacks"),
    [("", "this value has neither"), (', when_full = ["mark coin"], when_empty = ["mark coin"]', "not both")],
)
def test_a_value_that_begins_again_has_effects_at_one_limit(limits: str, lacks: str) -> None:
    """It is told whether it has too many of them, or none."""
    heat = 'heat = { range = [0, 9], when_full = ["clear heat", "mark coin"] }'
    ((path, message, *_),) = check_game(
        tomllib.loads(CARGO.replace(heat, f"heat = {{ range = [0, 9], wraps = true{limits} }}"))
    )[1]
    assert (path[-1], lacks in message) == ("wraps", True)
