"""What may be spent on dice on the table, with the chances from these dice on: in the answers, and as odds of each."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from math import prod

from hypothesis import given, settings
from hypothesis import strategies as st

from tests.kit.thorough import IS_AT_A_DESK
from tests.rules.file_game.game_on_trial import Chances, Trial
from waylog.rules.language.command_parser import parse_act
from waylog.rules.model.answers import complete_answers
from waylog.rules.model.dice import TypedDice
from waylog.rules.model.facts import OutcomeFact
from waylog.rules.model.moves import PickOne
from waylog.rules.model.odds import Ratio, percent

TRY = """
[sheet.crew.each]
stress = { range = [0, 9], start = 5 }
luck = { range = [0, 9], start = LUCK }
[sheet.crew.start.vesna]
name = "Vesna"
[dice.try]
label = "Try"
who = "crew"
pool = 2
more = [{ dice = 1, label = "Stress" }]
reading = "READING"
target = 5
bands = [
  { outcome = "no", label = "No", grade = "fiasco" },
  { outcome = "yes", label = "Yes", grade = "success", from = FROM },
  { outcome = "both", label = "Both", grade = "critical", from = MORE },
  { outcome = "panic", label = "Yes, and panic", grade = "drawback", from = FROM, ones = 1, of = "stress" },
]
"""
SPENDS = {
    "push": 'reroll = "all"\nfaces = [1, 4]',
    "harder": 'reroll = "all"\ndice = 1\ndice_label = "Stress"',
    "again": 'reroll = "one"',
    "lowest": 'reroll = "lowest"\nkeep_better = true',
    "plus": "plus = 1",
    "step": "step = 1",
    "raise": "raise = 1",
    "more": "dice = 1",
}
READINGS = {"count": (1, 2), "highest": (4, 6), "sum": (9, 14), "lowest": (2, 4)}


def game_with(reading: str, spends: Mapping[str, str], *, small: bool = False) -> Trial:
    """A game with these spends, each for a token; with few and `small` dice, there are few throws."""
    low, high = (2, 3) if small and reading != "count" else READINGS[reading]
    text = TRY.replace("READING", reading).replace("FROM", str(low)).replace("MORE", str(high)).replace("LUCK", "9")
    text = text.replace("pool = 2", 'die = "d3"\npool = 1').replace("target = 5", "target = 3") if small else text
    return Trial(
        text + "".join(f'[spend.{name}]\n{does}\ncost = ["spend luck"]\nlimit = 1\n' for name, does in spends.items())
    )


def answers(trial: Trial) -> Iterator[str]:
    """What can be spent on the dice on the table, once for each die that may be meant."""
    for move in trial.game.moves(trial.state):
        if move.follows and move.verb in SPENDS:
            dice = [ask for ask in move.asks if isinstance(ask, PickOne)]
            yield from (f"{move.id} {one.word}" for one in dice[0].options) if dice else (move.id,)


def played_and_kept(trial: Trial, line: str) -> Chances:
    """The chances of outcomes if that is spent and the roll kept: each throw is played."""
    act, found = parse_act(trial.game.moves(trial.state), line), dict[str, Ratio]()
    dice = trial.game.dice_to_type(trial.state, act)
    for faces in product(*(range(1, die.sides + 1) for die in dice)):
        played = trial.game.play(trial.state, act, TypedDice(faces))
        if trial.game.question(played.state):
            keep = parse_act(trial.game.moves(played.state), "keep")
            played = trial.game.play(played.state, keep, TypedDice(()))
        (outcome,) = [fact.outcome for fact in played.facts if isinstance(fact, OutcomeFact)]
        found[outcome] = found.get(outcome, Ratio()) + Ratio(1, prod(die.sides for die in dice))
    return found


@settings(max_examples=25 if IS_AT_A_DESK else 150)
@given(
    st.sampled_from(sorted(READINGS)),
    st.sets(st.sampled_from(sorted(SPENDS)), min_size=1, max_size=3),
    st.tuples(*[st.integers(1, 3)] * 2),
)
def test_the_odds_of_a_spend_are_those_of_every_throw_after_it(
    reading: str, names: set[str], dice: tuple[int, int]
) -> None:
    """Of each spend, and of each die that it may be for."""
    trial = game_with(reading, {name: SPENDS[name].replace("4]", "2]") for name in sorted(names)}, small=True)
    trial.play("roll try vesna", *dice)
    for line in answers(trial) if trial.question else ():
        assert trial.chances(line) == played_and_kept(trial, line)


def test_an_answer_names_the_chances_from_these_dice_on() -> None:
    """Each outcome, worst first; a certain one without a figure."""
    trial = game_with("count", {name: SPENDS[name] for name in ("push", "step")})
    trial.play("roll try vesna", 1, 5, 2)
    labels = {move.verb: (move.label, move.title) for move in trial.game.moves(trial.state) if move.follows}
    assert labels["push"] == (
        "Push (costs 1 Luck): Yes, and panic 16.7 %, Yes 33.3 %, Both 50 %",
        "Push (costs 1 Luck)",
    )
    assert labels["step"] == ("Step (costs 1 Luck): Both", "Step (costs 1 Luck)")


def test_a_spend_that_changes_nothing_by_itself_says_what_all_together_would() -> None:
    """Two dice to raise by one each: the first alone doesn't help."""
    trial = game_with("highest", {"raise": "raise = 1", "plus": "plus = 1"})
    trial.play("roll try vesna", 1, 2, 2)
    assert trial.question
    (label,) = [move.label for move in trial.game.moves(trial.state) if move.verb == "raise"]
    assert label == "Raise (costs 1 Luck) to raise the 2: still “No”. If you also spend all that is left: Yes"
    odds = trial.odds("raise d6-2")
    assert [(one.label, one.outcome) for one in odds.spread.chances] == [("No", "no")]
    assert [(spread.label, spread.chances[0].outcome) for spread in odds.spends] == [
        ("if you also spend all that is left", "yes")
    ]


def test_a_spend_that_is_marked_names_itself_in_odds() -> None:
    """There is no number of such a price."""
    text = TRY.replace("READING", "highest").replace("FROM", "4").replace("MORE", "6").replace("LUCK", "3")
    text = text.replace("[sheet.crew.each]", "[sheet.crew.each]\nused = { flag = false }")
    trial = Trial(f'{text}[spend.grit]\nlabel = "Grit"\nreroll = "all"\ncost = ["mark used"]\n')
    assert [spread.label for spread in trial.odds("roll try vesna").spends] == ["with Grit"]


def test_what_follows_a_spend_is_foreseen_with_its_price_paid() -> None:
    """As it is for a roll."""
    text = TRY.replace("READING", "count").replace("FROM", "1").replace("MORE", "2").replace("LUCK", "3")
    trial = Trial(
        f'{text}[spend.push]\nreroll = "all"\nfaces = [1, 4]\ncost = ["mark stress"]\nlimit = 1\n'
        '[after.try]\nno = ["mark stress"]\n'
    )
    trial.play("roll try vesna", 1, 2, 2)
    odds = trial.odds("push")
    assert odds.dice == "2d6 + 1d6 again"
    no = next(one.chance for one in odds.spread.chances if one.outcome == "no")
    assert no == Ratio(8, 27)
    assert [note.text for note in odds.forecast] == [f"No ({percent(no)}): Vesna: Stress 6 → 7"]


def test_keeping_a_roll_has_no_odds() -> None:
    """It throws nothing."""
    trial = game_with("count", {"push": SPENDS["push"]})
    trial.play("roll try vesna", 1, 5, 2)
    keep = parse_act(trial.game.moves(trial.state), "keep")
    assert trial.game.odds(trial.state, keep.move, complete_answers(keep.move, {})) is None
    assert trial.game.why_no_odds(trial.state, keep.move, {}) == "is not a roll, so it has no odds"


def test_a_move_that_may_bring_a_roll_says_when_it_brings_none() -> None:
    """With another amount, or once its condition holds; one that never brings any is not a roll."""
    trial = Trial("""
[sheet.crew.each]
health = { range = [0, 9], start = 9, when_empty = [{ roll = "wound" }] }
rested = { flag = false }
[sheet.crew.start.ada]
[moves.hurt]
who = "crew"
amount = [1, 9]
does = ["lose health amount"]
[moves.shiver]
who = "crew"
does = ["lose health", { roll = "wound", when = "health < 5" }]
[moves.rest]
who = "crew"
does = ["mark rested"]
[dice.wound]
who = "crew"
bands = [{ outcome = "bad", grade = "fiasco" }, { outcome = "light", from = 4 }]
""")
    moves = trial.game.moves(trial.state)

    def why(line: str) -> str:
        act = parse_act(moves, line)
        return trial.game.why_no_odds(trial.state, act.move, act.answers)

    assert why("hurt ada 3") == "brings no roll with this amount, so it has no odds"
    assert why("shiver ada") == "brings no roll now, so it has no odds"
    assert why("rest ada") == "is not a roll, so it has no odds"


def test_the_odds_say_what_is_paid_for_them() -> None:
    """Of an option before the roll, and of a spend on the table; what costs nothing, or is no number, says nothing."""
    trial = game_with("count", {"again": SPENDS["again"]})
    text = TRY.replace("READING", "count").replace("FROM", "1").replace("MORE", "2").replace("LUCK", "9")
    options = """options.haste = { label = "Haste", dice = 1, cost = ["mark stress 2"] }
options.calm = { label = "Calm", plus = 1 }
bands = ["""
    before = Trial(text.replace("bands = [", options, 1))
    told = {
        line: [one.text for one in before.odds(line).reasons]
        for line in ("roll try vesna haste calm", "roll try vesna")
    }
    assert told == {"roll try vesna haste calm": ["Haste costs 2 Stress"], "roll try vesna": []}
    trial.play("roll try vesna", 1, 2, 6)
    act = parse_act(trial.game.moves(trial.state), "again 1")
    odds = trial.game.odds(trial.state, act.move, complete_answers(act.move, act.answers))
    assert odds
    assert [one.text for one in odds.reasons][:1] == ["Again costs 1 Luck"]
