"""Rolls that several make together, help that comes late, and a roll that follows another by itself."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable
from itertools import product

import pytest

from tests.rules.file_game.game_on_trial import DREAD, SCORE, Chances, Trial, action_outcome, counted
from waylog.rules.file_game.check import check_game
from waylog.rules.model.moves import ActRefused
from waylog.rules.model.odds import Ratio, percent

TOGETHER = (
    SCORE.replace(
        "[dice.action.pick.position]",
        """group = { outcomes = ["bad"], leader = ["mark stress"] }
[dice.action.pick.position]""",
    )
    + """
[sheet.crew.start.iko]
name = "Iko"
"""
)


def _several(read: Callable[[list[str]], str], *dice: int) -> Chances:
    """The chances of an outcome that counts, of people with one die or two each."""
    outcomes = [[*product(range(1, 7), repeat=count)] for count in dice]
    found = Counter(read([action_outcome(*faces) for faces in throw]) for throw in product(*outcomes))
    return {outcome: Ratio(ways, found.total()) for outcome, ways in found.items()}


ORDER = ("bad", "partly", "done", "best")


@pytest.mark.parametrize(("counts", "place"), [("best", -1), ("worst", 0), ("half", 1)])
def test_the_odds_of_several_are_those_of_every_throw(counts: str, place: int) -> None:
    """The best counts, or the worst, or what half of three reach."""
    trial = Trial(TOGETHER.replace("group = {", f'group = {{ counts = "{counts}",'))
    expected = _several(lambda found: sorted(found, key=ORDER.index)[place], 2, 1, 1)
    trial.play("set crew.tove.wreck 2 crew.pell.wreck 1 crew.iko.wreck 1")
    assert trial.chances("group action tove pell iko wreck") == expected
    assert trial.odds("group action tove pell iko wreck").dice == "Tove 2d6, Pell 1d6, Iko 1d6"


def test_theaction_outcome_counts_and_the_leader_pays() -> None:
    """1 Stress for each other one whose roll is bad; what follows is the leader's. Who leads is told first."""
    trial = Trial(TOGETHER)
    said = trial.play("group action tove pell iko risky", 2, 3, 1)
    assert said == [
        "Tove leads",
        "Tove: Bad",
        "Pell: Bad",
        "Iko: Bad",
        "Tove: Stress 0 → 1",
        "Tove: Stress 1 → 2",
        "Action: Bad",
        "Tove: Stress 2 → 3",
    ]
    assert trial.play("group action tove pell push", 2, 2, 6, 6)[-1] == "Action: Best"


def test_a_leader_who_is_out_pays_no_more() -> None:
    """What they would have to pay for the others isn't marked on the track that has been emptied."""
    text = TOGETHER.replace(
        "stress = { range = [0, 9] }",
        'stress = { range = [0, 2], when_full = ["clear stress", "mark out"] }\nout = { flag = false }',
    )
    trial = Trial(text.replace('label = "Action"', 'label = "Action"\nwhen = "not out"'))
    trial.play("mark tove stress")
    trial.play("group action tove pell iko", 5, 1, 1)
    tove = trial.state.sheet.crew["tove"]
    assert (tove.out, tove.stress) == (True, 0)


def test_the_odds_of_several_tell_what_each_pays_and_who_has_no_dice() -> None:
    """And what the leader pays for the others."""
    trial = Trial(TOGETHER)
    trial.play("set crew.pell.prowl 0")
    reasons = [note.text for note in trial.odds("group action tove pell prowl push-tove").reasons]
    assert reasons == [
        "Tove: Push costs 2 Stress",
        "Pell: No dice, so 2 are rolled and the lower one counts",
        "Tove pays 1 Stress for each other roll with the outcome “Bad”: nothing (25 %) or 1 Stress (75 %)",
    ]


def test_the_odds_of_several_tell_how_likely_each_price_of_the_leader_is() -> None:
    """As every throw has it, with what follows when a value of the leader's reaches its limit, and what the outcome that counts brings.
    Dice that are rolled for none look like those of nobody else.
    """
    text = TOGETHER.replace(
        "stress = { range = [0, 9] }",
        'stress = { range = [0, 9], when_full = ["clear stress", "mark out"] }\nout = { flag = false }',
    )
    trial = Trial(text)
    trial.play("set crew.pell.prowl 0 crew.iko.prowl 2 crew.tove.stress 7")
    odds = trial.odds("group action tove pell iko risky prowl")
    assert odds.dice == "Tove 1d6, Pell 2d6 (no dice), Iko 2d6"
    throws = [
        (min(pell), max(iko)) for pell in product(range(1, 7), repeat=2) for iko in product(range(1, 7), repeat=2)
    ]
    times = Counter((pell < 4) + (iko < 4) for pell, iko in throws)
    shares = [percent(Ratio(times[count], len(throws))) for count in range(3)]
    assert [note.text for note in odds.reasons if "pays" in note.text] == [
        (
            "Tove pays 1 Stress for each other roll with the outcome “Bad”: "
            f"nothing ({shares[0]}), 1 Stress ({shares[1]}) or 2 Stress ({shares[2]})"
        ),
        f"What Tove pays leads to this: Tove: Stress 9 → 0, Tove: now Out ({shares[2]})",
    ]
    (bad,) = odds.forecast
    assert bad.text.startswith("Bad (")
    assert bad.text.endswith("): Tove: Stress 7 → 8")


def test_odds_tell_what_a_price_leads_to() -> None:
    """When a value that pays for a choice reaches its limit, alone as in a group; of any other price, nothing more."""
    trial = Trial(TOGETHER.replace("range = [0, 9] }", 'range = [0, 9], when_full = ["clear stress", "mark prowl"] }'))
    trial.play("set crew.pell.stress 7")
    told = "The price of Push leads to this: Pell: Stress 9 → 0, Pell: Prowl 1 → 2"
    assert [note.text for note in trial.odds("roll action pell push").reasons] == ["Push costs 2 Stress", told]
    assert told in [note.text for note in trial.odds("group action tove pell push-pell").reasons]
    assert [note.text for note in trial.odds("roll action tove push").reasons] == ["Push costs 2 Stress"]


def test_the_odds_of_several_tell_what_follows_for_each_of_them() -> None:
    """Each by name where everybody keeps their own outcome, and also what the outcome that counts for all brings."""
    trial = Trial(TOGETHER.replace("group = {", 'group = { counts = "each",'))
    odds = trial.odds("group action tove pell risky")
    assert [note.text for note in odds.forecast] == [
        "Tove: Bad (50 %): Tove: Stress 0 → 1",
        "Pell: Bad (50 %): Pell: Stress 0 → 1",
    ]
    trial = Trial(OWN)
    odds = trial.odds("group action tove pell risky")
    assert next(note.text.partition("): ")[2] for note in odds.forecast).startswith("Tove: Prowl 1 → 2")
    assert len(odds.forecast) == 3


def test_each_may_have_their_own_outcome() -> None:
    """With all that follows, for each."""
    trial = Trial(TOGETHER.replace("group = {", 'group = { counts = "each",'))
    said = trial.play("group action tove pell risky", 2, 6)
    assert said == ["Tove leads", "Tove: Bad", "Tove: Stress 0 → 1", "Pell: Done", "Tove: Bad"][:4]
    odds = trial.odds("group action tove pell")
    assert [spread.label for spread in (odds.spread, *odds.spends)] == ["Tove", "Pell"]


def test_one_alone_may_push_or_be_helped_and_pays_alone() -> None:
    """The others roll as they are; a helper who can't pay twice is refused, and so is what is for somebody who doesn't roll."""
    trial = Trial(TOGETHER)
    trial.play("set crew.tove.prowl 1 crew.pell.prowl 1 crew.iko.prowl 1 crew.iko.stress 8")
    line = "group action tove pell push-pell iko-tove"
    assert trial.odds(line).dice == "Tove 2d6, Pell 2d6"
    assert trial.chances(line) == _several(lambda found: max(found, key=ORDER.index), 2, 2)
    assert trial.odds("group action tove pell push push-pell").dice == "Tove 2d6, Pell 2d6"
    with pytest.raises(ActRefused, match="can't go up by 1"):
        trial.odds("group action tove pell iko-tove iko-pell")
    with pytest.raises(ActRefused, match="Iko isn't in the group"):
        trial.odds("group action tove pell tove-iko")
    said = trial.play(line, 2, 3, 4, 5)
    assert said[:3] == ["Tove leads", "Iko: Stress 8 → 9", "Tove: Bad"]
    assert "Pell: Stress 0 → 2" in said


OWN = TOGETHER.replace(
    "group = {",
    """group = { counts = "half", own_effects = true, together = { done = ["lose stress", { do = "mark prowl", who = "together" }] },""",
)


def test_an_outcome_for_all_and_what_each_has_of_their_own() -> None:
    """What half of them reach counts, and everybody has the effects of what they rolled."""
    trial = Trial(OWN)
    trial.play("set crew.tove.stress 2 crew.pell.prowl 1 crew.iko.prowl 1 crew.tove.prowl 1")
    assert trial.chances("group action tove pell iko") == _several(
        lambda found: sorted(found, key=ORDER.index)[1], 1, 1, 1
    )
    said = trial.play("group action tove pell iko risky", 6, 2, 6)
    assert said == [
        "Tove leads",
        "Tove: Stress 2 → 3",
        "Action: Done",
        "Tove: Stress 3 → 2",
        "Tove: Prowl 1 → 2",
        "Pell: Prowl 1 → 2",
        "Iko: Prowl 1 → 2",
        "Tove: Done",
        "Pell: Bad",
        "Pell: Stress 0 → 1",
        "Iko: Done",
    ]


def test_an_effect_may_be_for_all_who_rolled_together() -> None:
    """Alone, that is whoever rolls."""
    trial = Trial(
        TOGETHER.replace("bad = [", 'any = [{ do = "mark prowl", who = "together", when = "actor.prowl" }]\nbad = [')
    )
    trial.play("set crew.tove.prowl 1 crew.pell.prowl 2")
    assert trial.play("group action tove pell risky", 2, 6, 1)[-2:] == ["Tove: Prowl 1 → 2", "Pell: Prowl 2 → 3"]
    assert trial.play("roll action pell", 6, 6, 6)[-1] == "Pell: Prowl 3 → 4"


COHORTS = (
    TOGETHER.replace("group = {", 'group = { rolls = ["send"],')
    + """
[sheet.cohorts.each]
quality = { range = [0, 4], start = 1 }
harm = { range = [0, 4] }
[sheet.cohorts.start.rooks]
name = "The Rooks"
[sheet.cohorts.start.tove]
name = "Tove's dogs"
[dice.send]
label = "Send"
who = "cohorts"
pool = "quality"
none = { dice = 2, reading = "lowest" }
pick = { position = { risky = {}, desperate = {} } }
options = { drive = { dice = 1, cost = ["mark harm"] } }
bands = [
  { outcome = "bad", label = "Bad", grade = "fiasco" },
  { outcome = "partly", label = "Partly", grade = "drawback", from = 4 },
  { outcome = "done", label = "Done", from = 6 },
  { outcome = "best", label = "Best", grade = "critical", from = 6, matches = 2 },
]
[after.send]
bad = ["mark harm 1 + (pick.position == 'desperate')"]
"""
)


def test_things_of_another_list_can_join_with_a_roll_of_their_own() -> None:
    """What the leader chooses counts for them as far as their roll asks it; one alone pays; and the leader pays for them."""
    trial = Trial(COHORTS)
    trial.play("set cohorts.rooks.quality 2 crew.tove.wreck 1")
    line = "group action tove rooks wreck desperate"
    assert trial.odds(line).dice == "Tove 1d6, The Rooks 2d6"
    assert trial.chances(line) == _several(lambda found: max(found, key=ORDER.index), 1, 2)
    assert trial.odds("group action tove rooks drive-rooks").dice == "Tove 1d6, The Rooks 3d6"
    assert trial.odds("group action tove pell send-tove wreck").dice == "Tove 1d6, Pell 2d6, Tove's dogs 1d6"
    assert trial.play(line + " drive-rooks", 6, 1, 2, 3) == [
        "Tove leads",
        "A desperate action",
        "Tove: Done",
        "The Rooks: Harm 0 → 1",
        "The Rooks: Bad",
        "Tove: Stress 0 → 1",
        "Action: Done",
    ]
    assert trial.play("group action rooks tove", 6, 1, 1)[:2] == [
        "Tove leads",
        "Tove: Done",
    ]  # Whoever can't lead joins.


def test_each_in_a_mixed_group_may_have_what_follows_from_their_own_roll() -> None:
    """That is what [after] says of the roll of their list, with the choice of the leader."""
    trial = Trial(COHORTS.replace("group = {", "group = { own_effects = true,"))
    assert trial.play("group action tove rooks wreck desperate", 6, 1, 2)[-2:] == [
        "The Rooks: Bad",
        "The Rooks: Harm 0 → 2",
    ]


@pytest.mark.parametrize(
    ("was", "now", "wrong"),
    [
        ('rolls = ["send"]', 'rolls = ["sand"]', "there is no roll `sand`. Did you mean `send`?"),
        ('who = "cohorts"', 'who = "crew"', "`send` needs a different `who`"),
        ('label = "Send"', 'label = "Send"\nhidden = true', "`send` is hidden"),
        (
            'none = { dice = 2, reading = "lowest" }\npick = { p',
            'none = { dice = 2, reading = "lowest" }\nwhen = "quality > 0"\npick = { p',
            "",
        ),
        (
            'bands = [\n  { outcome = "bad", label = "Bad", grade = "fiasco" },\n  { outcome = "partly", label = "Partly", grade = "drawback", from = 4 },\n  { outcome = "done", label = "Done", from = 6 },\n  { outcome = "best", label = "Best", grade = "critical", from = 6, matches = 2 },\n]\n[after.send]',
            'bands = [{ outcome = "bad" }, { outcome = "fine" , from = 4 }]\n[after.send]',
            "`send` has the outcome `fine`",
        ),
    ],
)
def test_what_is_wrong_about_a_roll_that_joins_is_named(was: str, now: str, wrong: str) -> None:
    """A roll that isn't there, of the same list, hidden, or with other outcomes."""
    assert was in COHORTS
    found = check_game(tomllib.loads(f'id = "trial"\nname = "Trial"\n{COHORTS.replace(was, now)}'))[1]
    assert [flaw.message for flaw in found if wrong and wrong in flaw.message] or (not wrong and not found), found


@pytest.mark.parametrize(
    ("group", "wrong"),
    [
        ('counts = "each", own_effects = true', "no outcome counts for all"),
        ('together = { done = ["lose stress"] }', "`together` is for a group with own_effects = true"),
        ('own_effects = true, together = { dome = ["lose stress"] }', "there is no outcome `dome`"),
        ('own_effects = true, together = { done = ["lose sterss"] }', "`sterss` is not a value here"),
    ],
)
def test_what_is_wrong_about_outcomes_for_all_is_named(group: str, wrong: str) -> None:
    """With what to write."""
    text = TOGETHER.replace("group = {", f"group = {{ {group},")
    flaws = check_game(tomllib.loads(f'id = "trial"\nname = "Trial"\n{text}'))[1]
    assert [flaw for flaw in flaws if wrong in flaw.message], flaws


def test_somebody_may_help_once_the_dice_have_fallen() -> None:
    """For a price of their own; the odds know who can."""
    late = '[spend.aid]\nlabel = "Aid"\nwho = "crew"\ndice = 1\ncost = ["mark stress 3"]\nlimit = 1\n'
    trial = Trial(SCORE + late)
    helped = counted(lambda die, aid: action_outcome(die) if die == 6 and aid != 6 else action_outcome(die, aid), 6, 6)
    assert trial.chances("roll action tove", 0) == helped
    trial.play("roll action tove", 3)
    assert trial.question == "Action: Bad. Aid (Pell)?"
    assert trial.play("aid pell", 6)[-1] == "Tove: Done"
    assert trial.state.sheet.crew["pell"].stress == 3


# -- what follows by itself -------------------------------------------------------------------------------------------

PANIC = (
    DREAD.replace("[sheet.crew.start.odile]", "stress = { range = [0, 20], start = 3 }\n[sheet.crew.start.odile]")
    + """
[dice.panic]
label = "Panic"
who = "crew"
die = "d20"
reading = "under"
target = "stress"
bands = [{ outcome = "calm", label = "Calm", grade = "success", to = -1 }, { outcome = "panic", label = "Panics", grade = "fiasco", from = 0 }]
[after.save]
fumble = ["mark stress", { roll = "panic" }]
[after.panic]
panic = ["tick alarm 2", "lose stress"]
[clocks.alarm]
label = "Alarm"
segments = 4
[moves.shout]
who = "crew"
does = [{ say = "They shout" }, { roll = "panic" }]
"""
)


def test_a_roll_follows_by_itself_and_ticks_a_clock_of_the_game() -> None:
    """In the same act, with its own dice; a new campaign has the clock."""
    trial = Trial(PANIC)
    said = trial.play("roll save odile", 99, 4)
    assert said == [
        "Odile: Fumble",
        "Odile: Stress 3 → 4",
        "Odile: Panics",
        "“Alarm” +2, now 2/4",
        "Odile: Stress 4 → 3",
    ]
    assert trial.state.clocks["alarm"].filled == 2
    assert trial.play("roll save odile", 1) == ["Odile: Done"]
    assert trial.play("shout odile", 19) == ["They shout", "Odile: Calm"]


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (
            '{ roll = "panic" }]\n[after.panic]',
            '{ roll = "panik" }]\n[after.panic]',
            "there is no roll `panik`. Did you mean `panic`?",
        ),
        ("tick alarm 2", "tick alram 2", "there is no clock `alram` in [clocks]. Did you mean `alarm`?"),
        (
            '[moves.shout]\nwho = "crew"',
            "[moves.shout]",
            "only those in `crew` can make the roll panic, but this effect belongs to none of them",
        ),
    ],
)
def test_what_can_not_follow_is_told(before: str, after: str, said: str) -> None:
    """At its place."""
    assert before in PANIC
    tree = tomllib.loads(f'id = "trial"\nname = "Trial"\n{PANIC.replace(before, after)}')
    assert said in " ".join(flaw.message for flaw in check_game(tree)[1])


RACE = """
[sheet.crew.each]
fast = { range = [1, 3], start = 2 }
[sheet.crew.start.ada]
[sheet.crew.start.bo]
[sheet.crew.start.cleo]
fast = 1
[dice.run]
who = "crew"
pool = "fast"
die = "d4"
group = { counts = "each", rank_by = ["result", "matches"] }
bands = [{ outcome = "slow", grade = "drawback" }, { outcome = "quick", from = 3 }]
"""


def test_several_are_ranked_and_the_odds_tell_who_comes_first() -> None:
    """By their results, those who are equal by the next number; as every throw has it."""
    trial = Trial(RACE)
    assert trial.play("group run ada bo cleo", 4, 2, 3, 3, 3)[-1] == "In order: 1 ada, 2 bo, 3 cleo"
    assert trial.play("group run cleo ada bo", 3, 3, 1, 2, 3)[-1] == "In order: 1 cleo, ada and bo"
    assert trial.play("group run ada bo cleo", 4, 4, 4, 1, 1)[-1] == "In order: 1 ada, 2 bo, 3 cleo"
    firsts = Counter[str]()
    for faces in product(range(1, 5), repeat=5):
        dice = {"ada": faces[:2], "bo": faces[2:4], "cleo": faces[4:]}
        ranks = {name: (max(shown), shown.count(max(shown))) for name, shown in dice.items()}
        best = [name for name, rank in ranks.items() if rank == max(ranks.values())]
        firsts[best[0] if len(best) == 1 else "several at once"] += 1
    shares = {name: percent(Ratio(ways, 4**5)) for name, ways in firsts.items()}
    told = ", ".join(f"{name} ({shares[name]})" for name in ("ada", "bo", "cleo"))
    expected = f"First: {told} or several at once ({shares['several at once']})"
    assert [note.text for note in trial.odds("group run ada bo cleo").forecast] == [expected]


def test_who_joins_with_a_roll_of_their_own_is_ranked_by_it() -> None:
    """And a ranking may read dice with a label, and the outcome."""
    text = RACE.replace('die = "d4"', 'die = "d4"\nmore = [{ die = "d6", label = "Luck" }]', 1)
    text = text.replace(
        '"result", "matches"]', """"1 if outcome == 'quick' else 0", "highest.luck"], rolls = ["haul"]"""
    )
    text += """
[sheet.gangs.each]
size = { range = [1, 3] }
[sheet.gangs.start.rooks]
[dice.haul]
base = "run"
who = "gangs"
pool = 1
without = ["group"]
"""
    trial = Trial(text)
    assert trial.play("group run cleo rooks", 1, 6, 3, 1)[-1] == "In order: 1 cleo, 2 rooks"
    firsts = Counter[str]()
    for pace, luck, other, fate in product(range(1, 5), range(1, 7), range(1, 5), range(1, 7)):
        mine, theirs = (max(pace, luck) >= 3, luck), (max(other, fate) >= 3, fate)
        firsts["several at once" if mine == theirs else "cleo" if mine > theirs else "rooks"] += 1
    shares = {name: percent(Ratio(ways, 24**2)) for name, ways in firsts.items()}
    expected = (
        f"First: cleo ({shares['cleo']}), rooks ({shares['rooks']}) or several at once ({shares['several at once']})"
    )
    assert [note.text for note in trial.odds("group run cleo rooks").forecast] == [expected]


def test_a_ranking_reads_what_each_roll_has() -> None:
    """And is for those who each keep their own outcome."""
    for old, new, wrong in (
        ('"matches"]', '"mathces"]', "mathces"),
        ('counts = "each", ', "", '`rank_by` is for a group with counts = "each"'),
    ):
        tree = tomllib.loads(f'id = "trial"\nname = "Trial"\n{RACE.replace(old, new)}')
        assert [wrong in flaw.message for flaw in check_game(tree)[1]] == [True]
