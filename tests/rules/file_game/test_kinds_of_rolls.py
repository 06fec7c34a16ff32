"""Rolls of well-known kinds, each as a file says it: how it plays, what it costs, and its exact odds."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import product

import pytest

from waylog.rules.file_game.check import check_game
from waylog.rules.file_game.check_advice import advise
from waylog.rules.file_game.rulebook import rulebook_of
from waylog.rules.game import Game
from waylog.rules.language.commands import parse_act
from waylog.rules.model.answers import complete_answers
from waylog.rules.model.dice import TypedDice
from waylog.rules.model.facts import NoteFact, OutcomeFact
from waylog.rules.model.moves import ActRefused
from waylog.rules.model.odds import Odds, Ratio

Chances = Mapping[str, Ratio]


class Trial:
    """A game that is being tried: lines played one after another, each with its dice."""

    def __init__(self, text: str) -> None:
        tree = tomllib.loads(f'id = "trial"\nname = "Trial"\n{text}')
        assert check_game(tree)[1] == ()
        self.game = Game(rulebook_of(tree))
        self.state = self.game.fresh("Trial")

    def play(self, line: str, *faces: int) -> list[str]:
        """Play a line. Return what is said: the notes and outcomes."""
        played = self.game.play(self.state, parse_act(self.game.moves(self.state), line), TypedDice(faces))
        self.state = played.state
        return [
            fact.text if isinstance(fact, NoteFact) else f"{fact.who}: {fact.label}"
            for fact in played.facts
            if isinstance(fact, NoteFact | OutcomeFact)
        ]

    @property
    def question(self) -> str:
        """What is asked now."""
        return self.game.question(self.state) or ""

    def odds(self, line: str) -> Odds:
        """The odds of a roll."""
        act = parse_act(self.game.moves(self.state), line)
        found = self.game.odds(self.state, act.move, complete_answers(act.move, act.answers))
        assert found
        return found

    def chances(self, line: str, spread: int = -1) -> Chances:
        """The chances of a roll as rolled, or with what may be spent."""
        odds = self.odds(line)
        return {one.outcome: one.chance for one in (odds.spread if spread < 0 else odds.spends[spread]).chances}


def counted(outcome_of: Callable[..., str], *dice: int) -> Chances:
    """The chances of outcomes over every throw of dice with so many sides."""
    throws = Counter(outcome_of(*faces) for faces in product(*(range(1, sides + 1) for sides in dice)))
    return {outcome: Ratio(ways, throws.total()) for outcome, ways in throws.items()}


# -- a score against each of two dice ---------------------------------------------------------------------------------

SWORN = """
[sheet.crew.each]
iron = { range = [0, 4], start = 3 }
momentum = { range = [-6, 10], start = 2 }
[sheet.crew.start.vesna]
name = "Vesna"
[dice.strike]
label = "Strike"
who = "crew"
reading = "beats"
plus = "iron"
cap = 10
blank = "-momentum"
more = [{ dice = 2, die = "d10", against = true, label = "challenge" }]
bands = [
  { outcome = "miss", label = "Miss", grade = "fiasco" },
  { outcome = "twist", label = "Miss with a match", grade = "fiasco", matches = 2 },
  { outcome = "weak", label = "Weak hit", grade = "drawback", from = 1 },
  { outcome = "strong", label = "Strong hit", from = 2 },
  { outcome = "chance", label = "Strong hit with a match", grade = "critical", from = 2, matches = 2 },
]
[spend.burn]
label = "Burn momentum"
score = "momentum"
cost = ["set momentum to 2"]
when = "momentum > score"
limit = 1
"""
BOND = """
[spend.bond]
label = "Bond"
grade = 1
cost = ["lose iron 1"]
outcomes = ["miss", "twist"]
limit = 1
"""


def _sworn(score: int, one: int, other: int) -> str:
    beaten = (score > one) + (score > other)
    if one == other:
        return "chance" if beaten == 2 else "twist"
    return ("miss", "weak", "strong")[beaten]


def test_a_score_beats_each_of_two_dice() -> None:
    """A die and a stat, at most 10, against two dice; equal ones of these are special. The score is shown."""
    trial = Trial(SWORN)
    assert trial.odds("roll strike vesna").dice == "1d6 +3 against 2d10: Strike"
    assert trial.chances("roll strike vesna") == counted(lambda die, *two: _sworn(min(10, die + 3), *two), 6, 10, 10)
    assert trial.play("roll strike vesna", 6, 8, 8) == ["9 against 8 and 8", "Vesna: Strong hit with a match"]
    assert trial.play("roll strike vesna", 6, 9, 4) == ["9 against 4 and 9", "Vesna: Weak hit"]


def test_a_track_stands_in_place_of_the_score() -> None:
    """It is reset once it has, and the odds burn it where that is best."""
    trial = Trial(SWORN)
    trial.play("set crew.vesna.momentum 7")
    order = ("miss", "twist", "weak", "strong", "chance")

    def best(die: int, one: int, other: int) -> str:
        return max(_sworn(die + 3, one, other), _sworn(max(7, die + 3), one, other), key=order.index)

    assert [spread.label for spread in trial.odds("roll strike vesna").spends] == ["with Burn momentum"]
    assert trial.chances("roll strike vesna", 0) == counted(best, 6, 10, 10)
    assert trial.play("roll strike vesna", 1, 8, 5) == []
    assert trial.question == "Strike: 4 against 5 and 8, Miss. Burn momentum?"
    assert trial.play("burn") == ["Vesna: Momentum 7 → 2", "Burn momentum", "7 against 5 and 8", "Vesna: Weak hit"]


def test_a_negative_track_cancels_the_die_that_shows_it() -> None:
    """The face counts 0, in the odds too."""
    trial = Trial(SWORN)
    trial.play("set crew.vesna.momentum -4")
    rolled = counted(lambda die, *two: _sworn((0 if die == 4 else die) + 3, *two), 6, 10, 10)
    assert trial.chances("roll strike vesna") == rolled
    assert trial.play("roll strike vesna", 4, 3, 1) == ["3 against 1 and 3", "Vesna: Weak hit"]


def test_a_step_by_grade_passes_over_outcomes_of_one_grade() -> None:
    """A miss becomes the first outcome of the next grade, whatever stands between them in the list."""
    trial = Trial(SWORN + BOND)
    assert trial.play("roll strike vesna", 1, 9, 5) == []
    said = trial.play("bond")
    assert said[-2:] == ["4 against 5 and 9", "Vesna: Weak hit"]


# -- an action and a position, options that exclude each other, and dice that are chosen --------------------------------

SCORE = """
[sheet.crew.each]
stress = { range = [0, 9] }
prowl = { range = [0, 4], start = 1 }
wreck = { range = [0, 4], start = 2 }
[sheet.crew.start.tove]
name = "Tove"
[sheet.crew.start.pell]
name = "Pell"
[dice.action]
label = "Action"
who = "crew"
calls = { prowl = { label = "Prowl", pool = "prowl" }, wreck = { label = "Wreck", pool = "wreck" } }
none = { dice = 2, reading = "lowest" }
bands = [
  { outcome = "bad", label = "Bad", grade = "fiasco" },
  { outcome = "partly", label = "Partly", grade = "drawback", from = 4 },
  { outcome = "done", label = "Done", from = 6 },
  { outcome = "best", label = "Best", grade = "critical", from = 6, matches = 2 },
]
[dice.action.pick.position]
controlled = { label = "Controlled" }
risky = { label = "Risky" }
desperate = { label = "Desperate", about = "A desperate action", when = "call == 'wreck'", refusal = "only a wreck is desperate" }
[dice.action.pick.extra]
alone = { label = "Alone" }
push = { label = "Push", dice = 1, cost = ["mark stress 2"] }
bargain = { label = "Bargain", dice = 1, when = "pick.position != 'controlled'", refusal = "nothing is at stake" }
[dice.action.options]
help = { who = "crew", dice = 1, cost = ["mark stress"] }
[after.action]
bad = [{ do = "mark stress 3", when = "pick.position == 'desperate'" }, { do = "mark stress", when = "pick.position == 'risky'" }]
"""


def _best(*faces: int) -> str:
    if faces.count(6) > 1:
        return "best"
    return "done" if max(faces) == 6 else "partly" if max(faces) > 3 else "bad"


def test_a_roll_has_several_choices_of_each_of_which_one_is_made() -> None:
    """The action chooses the pool; position and what else is tried stand beside it, each with a default; people help at a price."""
    trial = Trial(SCORE)
    assert trial.chances("roll action tove") == counted(_best, 6)
    assert trial.chances("roll action tove wreck push pell") == counted(_best, 6, 6, 6, 6)
    said = trial.play("roll action tove wreck desperate push pell", 1, 2, 3, 1)
    assert said[-2:] == ["Tove: Bad", "Tove: Stress 2 → 5"]
    assert {"A desperate action", "Tove: Stress 0 → 2", "Pell: Stress 0 → 1"} <= {*said}
    assert trial.play("roll action tove risky", 2)[-1] == "Tove: Stress 5 → 6"


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("roll action tove bargain", "nothing is at stake"),
        ("roll action tove prowl desperate", "only a wreck is desperate"),
        ("roll action tove push bargain", "push is already chosen"),
    ],
)
def test_a_choice_that_does_not_go_with_another_is_refused(line: str, reason: str) -> None:
    """With the reason that the file gives; of one choice, two answers can't be given."""
    trial = Trial(SCORE)
    with pytest.raises(ActRefused, match=reason):
        trial.play(line, 1, 1)


DREAD = """
[sheet.crew.each]
combat = { range = [0, 95], start = 35 }
rank = { choices = ["d4", "d6", "d8"], start = "d6" }
[sheet.crew.start.odile]
name = "Odile"
[dice.save]
who = "crew"
die = "d100"
reading = "under"
target = "combat"
bands = [
  { outcome = "fumble", grade = "fiasco" },
  { outcome = "fail", grade = "drawback", to = -1 },
  { outcome = "fumble", grade = "fiasco", to = -1, doubles = true },
  { outcome = "done", from = 0 },
  { outcome = "best", grade = "critical", from = 0, doubles = true },
]
[dice.save.calls]
plain = {}
advantage = { dice = 1, keep_lowest = 1 }
disadvantage = { dice = 1, keep_highest = 1 }
[dice.try]
who = "crew"
die = "rank"
bands = [{ outcome = "fail", grade = "fiasco" }, { outcome = "done", from = 4 }]
[dice.crowd]
who = "crew"
pool = 3
reading = "count-under"
target = 2
bands = [{ outcome = "none", grade = "fiasco" }, { outcome = "one", grade = "drawback", from = 1 }, { outcome = "more", from = 2 }]
[moves.train]
who = "crew"
does = ["mark rank"]
[moves.tire]
who = "crew"
does = ["clear rank"]
"""


def _save(pick: Callable[[int, int], int]) -> Callable[[int, int], str]:
    def read(one: int, other: int) -> str:
        face = pick(one, other)
        doubles = face % 11 == 0 or face == 100
        return ("best" if doubles else "done") if face <= 35 else ("fumble" if doubles else "fail")

    return read


def test_a_call_chooses_which_die_is_read_under_a_target() -> None:
    """The lowest of two with advantage, the highest with disadvantage, and its doubles alone count."""
    trial = Trial(DREAD)
    assert trial.chances("roll save odile advantage") == counted(_save(min), 100, 100)
    assert trial.chances("roll save odile disadvantage") == counted(_save(max), 100, 100)
    assert trial.play("roll save odile advantage", 44, 33) == ["Odile: Best"]


def test_dice_may_count_at_or_under() -> None:
    """A die may count where it shows the target or less."""
    trial = Trial(DREAD)
    expected = counted(lambda *faces: ("none", "one", "more", "more")[sum(face <= 2 for face in faces)], 6, 6, 6)
    assert trial.chances("roll crowd odile") == expected


def test_a_value_names_the_die_and_steps_up_and_down() -> None:
    """Through the list of its choices, and no further."""
    trial = Trial(DREAD)
    assert trial.chances("roll try odile") == {"fail": Ratio(1, 2), "done": Ratio(1, 2)}
    trial.play("train odile")
    assert trial.odds("roll try odile").dice == "1d8: Try"
    with pytest.raises(ActRefused, match="nothing would change"):
        trial.play("train odile")
    trial.play("tire odile")
    trial.play("tire odile")
    assert trial.chances("roll try odile") == {"fail": Ratio(3, 4), "done": Ratio(1, 4)}


# -- several roll together, and help that comes late ---------------------------------------------------------------------

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
    found = Counter(read([_best(*faces) for faces in throw]) for throw in product(*outcomes))
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


def test_the_best_counts_and_the_leader_pays() -> None:
    """1 Stress for each other one whose roll is bad; what follows is the leader's."""
    trial = Trial(TOGETHER)
    said = trial.play("group action tove pell iko risky", 2, 3, 1)
    assert said == [
        "Tove: Bad",
        "Pell: Bad",
        "Iko: Bad",
        "Tove: Stress 0 → 1",
        "Tove: Stress 1 → 2",
        "Action: Bad",
        "Tove: Stress 2 → 3",
    ]
    assert trial.play("group action tove pell push", 2, 2, 6, 6)[-1] == "Action: Best"


def test_each_may_have_their_own_outcome() -> None:
    """With all that follows, for each."""
    trial = Trial(TOGETHER.replace("group = {", 'group = { counts = "each",'))
    said = trial.play("group action tove pell risky", 2, 6)
    assert said == ["Tove: Bad", "Tove: Stress 0 → 1", "Pell: Done", "Tove: Bad"][:3]
    odds = trial.odds("group action tove pell")
    assert [spread.label for spread in (odds.spread, *odds.spends)] == ["Tove", "Pell"]


def test_somebody_may_help_once_the_dice_have_fallen() -> None:
    """For a price of their own; the odds know who can."""
    late = '[spend.aid]\nlabel = "Aid"\nwho = "crew"\ndice = 1\ncost = ["mark stress 3"]\nlimit = 1\n'
    trial = Trial(SCORE + late)
    helped = counted(lambda die, aid: _best(die) if die == 6 and aid != 6 else _best(die, aid), 6, 6)
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
        ('"lose stress"]', '{ roll = "save" }]', "save triggers panic again"),
        ("tick alarm 2", "tick alram 2", "there is no clock `alram` in [clocks]. Did you mean `alarm`?"),
        (
            '[moves.shout]\nwho = "crew"',
            "[moves.shout]",
            "each thing in `crew` makes the roll panic, but this effect belongs to none of them",
        ),
    ],
)
def test_what_can_not_follow_is_told(before: str, after: str, said: str) -> None:
    """At its place."""
    assert before in PANIC
    tree = tomllib.loads(f'id = "trial"\nname = "Trial"\n{PANIC.replace(before, after)}')
    assert said in " ".join(flaw.message for flaw in check_game(tree)[1])


YEARS = """
[sheet.crew.each]
body = { range = [0, 5], start = 2 }
melee = { range = [0, 5], start = 1 }
harm = { range = [0, 5] }
relic = { choices = ["d6", "d8", "d10", "d12"], start = "d10" }
[sheet.crew.each.gear]
each = { bonus = { range = [0, 3], start = 1 }, gone = { flag = false } }
[sheet.crew.start.hild]
name = "Hild"
gear = { axe = { name = "Axe", bonus = 2 }, rope = { name = "Rope" } }
[dice.act]
who = "crew"
pool = "body"
dice_label = "Base dice"
more = [{ dice = "melee", label = "Skill" }, { die = "relic", label = "Relic", when = "options.relic" }]
reading = "count"
target = 6
worth = { 8 = 2, 9 = 2, 10 = 3, 11 = 3, 12 = 4 }
bands = [{ outcome = "fails", grade = "fiasco" }, { outcome = "works", from = 1 }, { outcome = "great", from = 3 }]
[dice.act.options.relic]
[dice.act.options.gear]
who = "crew.gear"
dice = "bonus"
dice_label = "Gear"
[spend.push]
rolls = ["act"]
reroll = "all"
faces = [2, 5]
limit = 1
[after.act]
fails = [
  { do = "mark harm ones.base_dice" },
  { do = "lose bonus ones.gear", who = "options.gear" },
  { say = "The relic burns", when = "highest.relic > 0 and result.relic == 0" },
]
"""


def test_dice_with_a_label_are_looked_at_alone() -> None:
    """Ones of base dice hurt, those of gear wear it, those of skill do nothing; a face of a relic may count as two or three."""
    trial = Trial(YEARS)
    assert trial.odds("roll act hild axe rope").dice == "2d6 + 1d6 + 3d6: Base dice, Skill, Gear"
    worth = {6: 1, 7: 1, 8: 2, 9: 2, 10: 3}

    def read(*faces: int) -> str:
        successes = sum(worth.get(face, 0) for face in faces)
        return "great" if successes > 2 else "works" if successes else "fails"

    assert trial.chances("roll act hild axe relic") == counted(read, 6, 6, 6, 10, 6, 6)
    trial.play("roll act hild axe relic", 1, 2, 1, 7, 1, 3)
    assert trial.play("push", 1, 1)[-1] == "Hild: Works"
    trial.play("roll act hild axe relic", 1, 2, 1, 4, 1, 3)
    assert trial.play("push", 1, 1, 1) == [
        "Push",
        "Hild: Fails",
        "Hild: Harm 0 → 2",
        "Hild, Axe: Bonus 2 → 0",
        "The relic burns",
    ]


HUNGER = """
[sheet.crew.each]
nerve = { range = [0, 5], start = 2 }
hunger = { range = [0, 5], start = 2 }
[sheet.crew.start.vesna]
name = "Vesna"
[dice.act]
who = "crew"
pool = "nerve"
die = "d10"
dice_label = "Nerve"
more = [{ dice = "hunger", die = "d10", label = "Hunger" }]
reading = "count"
target = 6
modifier = [1, 5]
bands = [
  { outcome = "fails", grade = "fiasco" },
  { outcome = "bestial", grade = "fiasco", ones = 1, of = "hunger" },
  { outcome = "works", from = "modifier" },
  { outcome = "messy", from = "modifier", face = [10, 10], of = "hunger" },
]
[spend.will]
cost = ["spend nerve"]
reroll = "one"
limit = 1
"""


def _hunted(*faces: int) -> str:
    """Two dice of nerve, and hunger dice."""
    hunger = faces[2:]
    if sum(face >= 6 for face in faces) >= 2:
        return "messy" if 10 in hunger else "works"
    return "bestial" if 1 in hunger else "fails"


def test_outcomes_look_at_dice_with_a_label() -> None:
    """Exactly, and the die to reroll says of which kind it is."""
    trial = Trial(HUNGER)
    assert trial.chances("roll act vesna 2") == counted(_hunted, 10, 10, 10, 10)
    trial.play("roll act vesna 2", 3, 4, 9, 1)
    assert trial.question == "Act: Bestial. Will?"
    assert trial.play("will d10-hunger-1", 10)[-1] == "Vesna: Messy"


def test_a_die_with_a_label_is_rerolled_in_the_best_way() -> None:
    """Against every die of every throw: one that shows a 1 is another die if it is one of hunger."""
    trial = Trial(HUNGER)
    trial.play("set crew.vesna.hunger 1")
    order = ("fails", "bestial", "works", "messy")

    def best(*faces: int) -> Chances:
        ways = [{_hunted(*faces): Ratio(1)}]
        for place in range(3):
            found = Counter(_hunted(*faces[:place], face, *faces[place + 1 :]) for face in range(1, 11))
            ways.append({outcome: Ratio(count, 10) for outcome, count in found.items()})
        return min(ways, key=lambda way: [sum(way.get(one, Ratio()) for one in order[:end]) for end in (2, 1, 3)])

    expected: Counter[str] = Counter()
    for faces in product(range(1, 11), repeat=3):
        for outcome, chance in best(*faces).items():
            expected[outcome] += chance / 1000  # type: ignore[assignment]
    assert trial.chances("roll act vesna 2", 0) == dict(expected)


STRAIN = """
[sheet.crew.each]
stress = { range = [0, 9], start = 1 }
[sheet.crew.start.vesna]
name = "Vesna"
[dice.act]
who = "crew"
dice_label = "Base"
more = [{ dice = "stress", label = "Stress" }]
reading = "count"
target = 5
bands = [
  { outcome = "fails", grade = "fiasco" },
  { outcome = "works", grade = "success", from = 1 },
  { outcome = "both", grade = "critical", from = 3 },
  { outcome = "panics", grade = "drawback", ones = 1, of = "stress" },
]
[spend.push]
cost = ["mark stress"]
reroll = "all"
faces = [2, 4]
dice = 1
dice_label = "Stress"
limit = 1
[after.act]
panics = [{ say = "Two ones", when = "ones.stress >= 2" }]
"""
STRAIN_ORDER = ("fails", "panics", "works", "both")


def _strained(base: Sequence[int], stress: Sequence[int]) -> str:
    """One die of one's own, and dice of stress."""
    found = sum(face >= 5 for face in (*base, *stress))
    return "panics" if 1 in stress else "both" if found >= 3 else "works" if found else "fails"


def test_a_push_rerolls_dice_and_adds_one_with_a_label() -> None:
    """Both at once, against every throw: a die of stress that is added is looked at with those that lie there."""

    def best(base: int, stress: int) -> Chances:
        kept = {_strained([base], [stress]): Ratio(1)}
        faces = [range(1, 7) if 2 <= face <= 4 else [face] for face in (base, stress)]
        falls = Counter(_strained([one], [two, more]) for one, two, more in product(*faces, range(1, 7)))
        pushed = {outcome: Ratio(ways, falls.total()) for outcome, ways in falls.items()}
        ends = range(1, len(STRAIN_ORDER))
        return min(
            kept, pushed, key=lambda way: [sum(way.get(one, Ratio()) for one in STRAIN_ORDER[:end]) for end in ends]
        )

    trial = Trial(STRAIN)
    expected: Counter[str] = Counter()
    for faces in product(range(1, 7), repeat=2):
        for outcome, chance in best(*faces).items():
            expected[outcome] += chance / 36  # type: ignore[assignment]
    assert trial.chances("roll act vesna", 0) == dict(expected)
    trial.play("roll act vesna", 1, 3)
    assert trial.play("push", 1, 1)[-2:] == ["Vesna: Panics", "Two ones"]


def test_a_push_with_nothing_to_reroll_adds_its_die() -> None:
    """The rest of the dice stays where it is."""
    trial = Trial(STRAIN)
    trial.play("roll act vesna", 5, 6)
    assert trial.question == "Act: Works. Push?"
    assert trial.play("push", 6)[-1] == "Vesna: Both"


def test_a_label_that_only_a_spend_gives_can_be_read() -> None:
    """Its die is looked at alone, where no die of the roll has that label."""
    bane = STRAIN.replace('dice = 1\ndice_label = "Stress"', 'dice = 1\ndice_label = "Bane"')
    trial = Trial(bane.replace("panics = [", "any = [").replace("ones.stress >= 2", "ones.bane > 0"))
    trial.play("roll act vesna", 5, 6)
    assert trial.play("push", 1)[-2:] == ["Vesna: Works", "Two ones"]


CHALLENGE = """
[sheet.vow.values]
ticks = { range = [0, 40], start = 28 }
[dice.fulfil]
pool = 0
plus = "ticks // 4"
reading = "beats"
more = [{ dice = 2, die = "d10", label = "Challenge", against = true }]
bands = [{ outcome = "miss", grade = "fiasco" }, { outcome = "weak", from = 1 }, { outcome = "strong", from = 2 }]
[after.fulfil]
miss = ["lose ticks 4 * lowest.challenge", { say = "A twist", when = "doubles.challenge and highest.challenge == 10" }]
"""


def test_the_other_sides_dice_can_be_read_after_a_roll() -> None:
    """By their label, where a number without dice is compared with them."""
    trial = Trial(CHALLENGE)
    assert trial.play("roll fulfil", 9, 7) == ["7 against 7 and 9", "Fulfil: Miss", "Ticks 28 → 0"]
    trial.play("set vow.ticks 40")
    assert trial.play("roll fulfil", 10, 10)[-1] == "A twist"
    trial.play("set vow.ticks 28")
    assert trial.play("roll fulfil", 3, 10) == ["7 against 3 and 10", "Fulfil: Weak"]


# -- spends that are possible only after some rolls --------------------------------------------------------------------

PUSHED = """
[sheet.crew.each]
stress = { range = [0, 9], start = 3 }
[sheet.crew.start.vesna]
name = "Vesna"
[dice.try]
who = "crew"
pool = 2
reading = "count"
target = 6
bands = [
  { outcome = "no", grade = "fiasco" },
  { outcome = "yes", grade = "success", from = 1 },
  { outcome = "both", grade = "critical", from = 2 },
]
[spend.push]
label = "Push"
reroll = "all"
faces = [1, 5]
cost = ["lose stress"]
limit = 1
CONDITION
"""


def pushed(outcome_may: Callable[[int], bool]) -> Chances:
    """The chances of two dice that are thrown again, but for sixes, if that may be done with so many sixes."""
    found: Counter[str] = Counter()
    for dice in product(range(1, 7), repeat=4):
        first, second = dice[:2], dice[2:]
        again = outcome_may(first.count(6))
        sixes = sum(6 in (die, more if again else 0) for die, more in zip(first, second, strict=True))
        found[["no", "yes", "both"][sixes]] += 1
    return {outcome: Ratio(ways, 6**4) for outcome, ways in found.items()}


@pytest.mark.parametrize(
    "condition",
    ["outcomes = ['no']", "when = \"outcome == 'no'\"", "when = 'bad'\n[formulas]\nbad = \"outcome == 'no'\""],
)
def test_a_spend_for_some_outcomes_counts_in_the_odds_for_those_alone(condition: str) -> None:
    """However the file says for which: as a list, as a condition, or as a formula of its own."""
    trial = Trial(PUSHED.replace("CONDITION", condition))
    assert trial.chances("roll try vesna", 0) == pushed(lambda sixes: sixes == 0)
    assert trial.odds("roll try vesna").reasons == ()
    everywhere = Trial(PUSHED.replace("CONDITION", ""))
    assert everywhere.chances("roll try vesna", 0) == pushed(lambda _: True)


@pytest.mark.parametrize("condition", ["ones == 0", "matches > 1 and outcome == 'no'", "clean"])
def test_a_spend_whose_condition_reads_the_dice_is_left_out_of_the_odds_and_named(condition: str) -> None:
    """Those as rolled stay exact, and play keeps to the condition."""
    formula = "\n[formulas]\nclean = 'ones == 0'" if condition == "clean" else ""
    trial = Trial(PUSHED.replace("CONDITION", f'when = "{condition}"{formula}'))
    odds = trial.odds("roll try vesna")
    assert (odds.spends, trial.chances("roll try vesna")) == ((), pushed(lambda _: False))
    assert [note.text for note in odds.reasons] == ["The odds leave out Push: what that comes to depends on the dice"]
    trial.play("roll try vesna", 1, 2)
    assert "push" not in " ".join(
        move.id for move in trial.game.moves(trial.state) if move.follows and not move.blocked
    )


def test_a_condition_that_changes_a_formula_alone_says_why_beside_the_odds() -> None:
    """For the rolls that it names. Without any, its reason is that of its tag."""
    condition = '[when.dim]\nwho = "crew"\nif = "true"\nabout = "Dim: less effect"\ntag = "Dim"\n'
    for rolls, reasons in (('rolls = ["try"]\n', ["Dim: less effect"]), ("", [])):
        trial = Trial(PUSHED.replace("CONDITION", "") + "\n" + condition + rolls)
        assert [note.text for note in trial.odds("roll try vesna").reasons] == reasons


def test_a_score_that_replaces_lower_ones_counts_in_the_odds() -> None:
    """Nobody spends on one that isn't higher, so its condition changes nothing; any other condition on the score leaves it out."""
    for condition, counts in (("momentum > score", True), ("momentum > score and score > 4", False)):
        burn = SWORN.replace('when = "momentum > score"', f'when = "{condition}"')
        trial = Trial(burn)
        trial.play("set crew.vesna.momentum 8")
        assert bool(trial.odds("roll strike vesna").spends) is counts


# -- the die and the values of what was chosen -------------------------------------------------------------------------

HEDGE = """
[sheet.crew.each]
wit = { choices = ["d6", "d8", "d10"], start = "d10" }
hurt = { range = [0, 9] }
gear = { each = { edge = { choices = ["d4", "d6"] }, damage = { range = [0, 5], start = 2 }, sharp = { flag = true } } }
[sheet.crew.start.vesna]
name = "Vesna"
gear = { axe = { name = "Axe", edge = "d6", damage = 3 }, pin = { name = "Pin" } }
[sheet.foes.each]
power = { choices = ["d4", "d6", "d8", "d20"], start = "d8" }
life = { range = [0, 9], start = 9 }
kind = { choices = ["fey", "beast"] }
[sheet.foes.start]
hob = { name = "Hob" }
wyrm = { name = "Wyrm", power = "d20", kind = "beast" }
[dice.duel]
who = "crew"
die = "wit"
reading = "highest"
bands = [{ outcome = "lost", grade = "fiasco" }, { outcome = "even", grade = "drawback", from = 0 }, { outcome = "won", from = 1 }]
[dice.duel.options]
foe = { who = "foes", most = 1, dice = 1, die = "power", against = true }
gear = { who = "crew.gear", dice = 1, die = "edge", dice_label = "Gear" }
[after.duel]
won = [{ do = "lose life options.gear.damage + count(options.gear.sharp)", who = "options.foe" }]
any = [{ do = "mark hurt", when = "options.foe.kind == 'beast' or outcome == 'lost'" }, { say = "Dust settles" }]
[moves.throw]
who = "crew"
whom = "foes"
does = [{ do = "lose life", who = "whom" }, { do = "mark hurt whom.life" }]
"""


def test_the_die_of_what_was_chosen_is_rolled() -> None:
    """Against one's own dice, or beside them; the others stay what they are."""
    trial = Trial(HEDGE)
    for words, mine, theirs in (
        ("hob", (10,), 8),
        ("wyrm", (10,), 20),
        ("hob axe", (10, 6), 8),
        ("wyrm axe pin", (10, 6, 4), 20),
    ):
        grades = ("lost", "even", "won")
        falls = Counter(
            grades[(max(own) > other) + (max(own) >= other)]
            for *own, other in product(*(range(1, sides + 1) for sides in (*mine, theirs)))
        )
        expected = {outcome: Ratio(falls[outcome], falls.total()) for outcome in grades if falls[outcome]}
        assert trial.chances(f"roll duel vesna {words}") == expected
    assert trial.odds("roll duel vesna wyrm axe").dice == "1d10 + 1d6 against 1d20: Duel, Gear"


def test_effects_read_the_values_of_what_was_chosen() -> None:
    """Those of several are added up, and those of none are 0. What every outcome does comes after its own effects."""
    trial = Trial(HEDGE)
    assert trial.play("roll duel vesna hob axe pin", 9, 2, 6, 1) == ["Vesna: Won", "Hob: Life 9 → 2", "Dust settles"]
    assert trial.play("roll duel vesna wyrm", 9, 2) == ["Vesna: Won", "Vesna: Hurt 0 → 1", "Dust settles"]
    assert trial.play("roll duel vesna hob", 2, 7) == ["Vesna: Lost", "Vesna: Hurt 1 → 2", "Dust settles"]
    assert trial.play("roll duel vesna", 7) == ["Vesna: Won", "Dust settles"]
    assert trial.play("throw vesna hob")[1:] == ["Hob: Life 2 → 1", "Vesna: Hurt 2 → 3"]


def test_mistakes_about_what_was_chosen() -> None:
    """A die that the thing doesn't have, a value that it doesn't have, cards, and an outcome that is called as all are."""

    def flaws(old: str, new: str) -> list[str]:
        text = HEDGE.replace(old, new)
        assert text != HEDGE
        return [flaw.message for flaw in check_game(tomllib.loads(f'id = "trial"\nname = "Trial"\n{text}'))[1]]

    assert "“wit” is not a die" in flaws('die = "power"', 'die = "wit"')[0]
    known = "options.foe.name, options.foe.power, options.foe.life, options.foe.kind"
    assert flaws("options.foe.kind", "options.foe.sort") == [
        f"there is no `options.foe.sort`. The possible ones are {known}"
    ]
    pile = 'pile = { deck = { a = [1, 9] } }\nkind = { choices = ["fey"'
    cards = HEDGE.replace('kind = { choices = ["fey"', pile).replace('die = "power"', 'die = "pile"')
    (flaw,) = check_game(tomllib.loads(f'id = "trial"\nname = "Trial"\n{cards}'))[1]
    assert flaw.message == "a choice adds dice, not cards: draw cards in the roll itself"
    named = flaws('"lost", grade', '"any", grade')
    assert "`any` means every outcome in [after]: call this one something else" in named


# -- the other side's dice rolled again --------------------------------------------------------------------------------


def test_the_other_sides_dice_are_rerolled() -> None:
    """One of them, and one's own stay; it is asked while a better outcome is possible, and the odds say that they leave it out."""
    text = SWORN + '[spend.shift]\nlabel = "Shift fate"\nreroll = "one"\nagainst = true\nlimit = 1\n'
    trial = Trial(text)
    odds = trial.odds("roll strike vesna")
    assert [fact.text for fact in odds.reasons][-1:] == [
        "The odds leave out Shift fate: what that comes to depends on the dice"
    ]
    assert odds.spread == Trial(SWORN).odds("roll strike vesna").spread
    trial.play("roll strike vesna", 1, 9, 2)
    assert trial.question.startswith("Strike: 4 against 2 and 9, Weak hit. ")
    assert trial.play("shift d10-9", 3)[-2:] == ["4 against 2 and 3", "Vesna: Strong hit"]


def test_a_spend_on_the_other_sides_dice_is_not_said_never_to_help() -> None:
    """Where a number without dice is compared with them."""
    text = CHALLENGE + '[spend.shift]\nrolls = ["fulfil"]\nreroll = "lowest"\nagainst = true\nlimit = 1\n'
    tree = tomllib.loads(f'id = "trial"\nname = "Trial"\n{text}')
    assert check_game(tree)[1] == ()
    assert not [flaw for flaw in advise(rulebook_of(tree)) if flaw.path[0] == "spend"]
