"""Spends that are possible only after some rolls, and whether the odds can count them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import product

import pytest

from tests.rules.file_game.game_on_trial import SWORN, Chances, Trial
from waylog.rules.model.odds import Ratio

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
    assert [note.text for note in odds.reasons] == ["The odds leave out Push, whose effect depends on the dice"]
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


@pytest.mark.parametrize(("again", "outcome", "says"), [((2, 3), "Yes", True), ((6, 6), "Both", False)])
def test_a_reroll_that_is_worse_says_that_the_earlier_dice_count(
    again: tuple[int, int], outcome: str, says: bool
) -> None:
    """If the better roll is kept: otherwise the outcome wouldn't fit the dice that were told last."""
    trial = Trial(PUSHED.replace("CONDITION", "keep_better = true").replace("faces = [1, 5]", "faces = [1, 6]"))
    trial.play("roll try vesna", 6, 1)
    told = trial.play("push", *again)
    assert ("The earlier roll counts" in told) is says
    assert told[-1] == f"Vesna: {outcome}"


ACED = """
[sheet.crew.each]
bennies = { range = [0, 9], start = 3 }
[sheet.crew.start.vesna]
name = "Vesna"
[dice.try]
who = "crew"
die = "d8"
pool = 1
reading = "highest"
more = [{ die = "d6", label = "Wild die" }]
explode = { times = 2, adds = true }
bands = [
  { outcome = "wreck", grade = "fiasco", ones = 2 },
  { outcome = "fails", grade = "fiasco" },
  { outcome = "works", grade = "success", from = 4 },
  { outcome = "raise", grade = "critical", from = 8 },
  { outcome = "wreck", grade = "fiasco", ones = 2 },
]
[spend.benny]
reroll = "all"
again = true
keep_better = true
outcomes = ["fails", "works"]
cost = ["spend bennies"]
ACCEPT
"""


def one_roll() -> Chances:
    """The chances of a d8 and a d6 that explode up to twice, the better of which counts."""

    def die(sides: int, times: int = 2) -> dict[int, Ratio]:
        found = {face: Ratio(1, sides) for face in range(1, sides)}
        later = die(sides, times - 1) if times else {0: Ratio(1)}
        return found | {sides + more: chance / sides for more, chance in later.items()}

    chances = dict.fromkeys(("wreck", "fails", "works", "raise"), Ratio())
    for (trait, one), (wild, other) in product(die(8).items(), die(6).items()):
        most = max(trait, wild)
        outcome = "raise" if most >= 8 else "works" if most >= 4 else "fails"
        chances["wreck" if trait == wild == 1 else outcome] += one * other
    return chances


@pytest.mark.parametrize("accept", ["", 'accept = ["wreck"]'])
def test_some_outcomes_of_a_reroll_count_although_the_better_one_is_kept(accept: str) -> None:
    """In the odds, with as many rerolls as there are tokens, and in play."""
    trial = Trial(ACED.replace("ACCEPT", accept))
    once = one_roll()
    assert trial.chances("roll try vesna") == once
    wrecked = once["wreck"] if accept else Ratio()
    failed, worked = once["fails"], once["works"]
    # A failure is rolled again, and so is a success: a raise is ten times as likely as a wreck.
    expected = {
        "wreck": once["wreck"] + (failed + worked) * wrecked,
        "fails": failed * (failed + once["wreck"] - wrecked),
        "works": failed * worked + worked * (1 - once["raise"] - wrecked),
        "raise": once["raise"] + (failed + worked) * once["raise"],
    }
    assert trial.chances("roll try vesna", 0) == expected
    trial.play("roll try vesna", 2, 3)
    told = trial.play("benny", 1, 1)
    assert ("The earlier roll counts" in told) is (not accept)
    assert (told[-1] == "Vesna: Wreck") is bool(accept)


RISKY = """
[sheet.crew.each]
luck = { range = [0, 9], start = 3 }
[sheet.crew.start.vesna]
name = "Vesna"
[dice.try]
who = "crew"
reading = "sum"
die = "d10"
bands = [
  { outcome = "wreck", grade = "fiasco" },
  { outcome = "fails", grade = "drawback", from = 2 },
  { outcome = "works", grade = "success", from = GOOD },
]
[spend.again]
label = "Luck"
reroll = "all"
outcomes = ["fails"]
cost = ["spend luck"]
limit = 1
"""


@pytest.mark.parametrize(("good", "says"), [(8, []), (9, []), (10, ["Luck: not worth it"])])
def test_the_best_choice_is_the_best_grade_on_average(good: int, says: list[str]) -> None:
    """A small chance of a fiasco is taken for a larger one of success. Where it isn't worth it, the odds say so."""
    trial = Trial(RISKY.replace("GOOD", str(good)))
    odds = trial.odds("roll try vesna")
    assert [note.text.partition(" on this roll")[0] for note in odds.reasons] == says
    assert [spread.label for spread in odds.spends] == ([] if says else ["with 1 Luck"])
    if not says:
        failed, worked = Ratio(good - 2, 10), Ratio(11 - good, 10)
        assert trial.chances("roll try vesna", 0)["works"] == worked + failed * worked


@pytest.mark.parametrize(
    ("roll", "faces", "says"),
    [
        ("plus = 2", (3, 4), "Total 9"),
        ("plus = -1\nreading = 'highest'", (3, 4), "Total 3"),
        ("more = [{ die = 'd6', label = 'Foe', against = true }]\nplus = 1", (3, 4, 5), "8 against 5"),
        ("", (3, 4), ""),
        ("plus = 1\nreading = 'count'\ntarget = 4", (3, 4), ""),
    ],
)
def test_a_roll_says_its_total_where_the_dice_do_not_show_it(roll: str, faces: tuple[int, ...], says: str) -> None:
    """With what is added to the dice, and with what the other side's dice come to."""
    bands = "pool = 2\nreading = 'sum'\nbands = [{ outcome = 'no' }, { outcome = 'yes', from = 6 }]"
    bands = bands.replace("reading = 'sum'\n", "") if "reading" in roll else bands
    who = '[sheet.crew.each]\nstress = { range = [0, 9] }\n[sheet.crew.start.vesna]\nname = "Vesna"\n'
    trial = Trial(f'{who}[dice.try]\nwho = "crew"\n{bands}\n{roll}\n')
    told = trial.play("roll try vesna", *faces)
    assert [one for one in told if "Vesna" not in one] == ([says] if says else [])


@pytest.mark.parametrize("better", ["step = 1", "grade = 1"])
def test_the_best_outcome_is_not_made_better_for_a_price(better: str) -> None:
    """Where the dice are kept for something else, only what changes the outcome can be paid for."""
    text = PUSHED.replace("CONDITION", f'[spend.lift]\n{better}\ncost = ["lose stress"]')
    trial = Trial(text + "[after.try]\nany = ['gain stress result']\n")
    trial.play("roll try vesna", 6, 1)
    assert [move.verb for move in trial.game.moves(trial.state) if move.verb in ("push", "lift")] == ["push", "lift"]
    trial.play("lift")
    assert [move.verb for move in trial.game.moves(trial.state) if move.verb in ("push", "lift")] == ["push"]
