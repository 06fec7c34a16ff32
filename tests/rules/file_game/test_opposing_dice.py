"""A score against each of the other side's dice: its odds, a track in its place, dice read and rolled again, steps by grade."""

from __future__ import annotations

import tomllib

from tests.rules.file_game.game_on_trial import SWORN, Trial, counted
from waylog.rules.file_game.check import check_game
from waylog.rules.file_game.check_advice import advise
from waylog.rules.file_game.rulebook import rulebook_of

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
    assert trial.question == "Strike: Miss (4 against 5 and 8). Burn momentum?"
    assert trial.play("burn") == ["Vesna: Momentum 7 → 2", "Burn momentum", "7 against 5 and 8", "Vesna: Weak hit"]


def test_a_score_that_leaves_the_outcome_as_it_is_is_not_offered() -> None:
    """Beside a reroll that may help; unless an effect reads the score."""
    again = '[spend.hound]\nlabel = "The hound"\nreroll = "all"\nlimit = 1\n'
    trial = Trial(SWORN + again)
    trial.play("set crew.vesna.momentum 6")
    trial.play("roll strike vesna", 2, 4, 7)
    assert trial.question == "Strike: Weak hit (5 against 4 and 7). The hound?"
    reading = Trial(f'{SWORN}{again}[after.strike]\nweak = ["gain momentum score"]\n')
    reading.play("set crew.vesna.momentum 6")
    reading.play("roll strike vesna", 2, 4, 7)
    assert "“Burn momentum”" in reading.question


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


def test_odds_leave_nothing_out_that_is_impossible_whatever_the_dice_show() -> None:
    """Without momentum, burning it isn't left out: it can't be done."""
    text = SWORN.replace('when = "momentum > score"', 'when = "momentum > 0 and momentum > score"')
    trial = Trial(text)
    trial.play("set crew.vesna.momentum 8")
    assert [spread.label for spread in trial.odds("roll strike vesna").spends] == ["with Burn momentum"]
    trial.play("set crew.vesna.momentum -4")
    odds = trial.odds("roll strike vesna")
    assert ([note.text for note in odds.reasons], odds.spends) == ([], ())


def test_the_other_sides_dice_are_rerolled() -> None:
    """One of them, and one's own stay; it is asked while a better outcome is possible, and the odds say that they leave it out."""
    text = SWORN + '[spend.shift]\nlabel = "Shift fate"\nreroll = "one"\nagainst = true\nlimit = 1\n'
    trial = Trial(text)
    odds = trial.odds("roll strike vesna")
    assert [fact.text for fact in odds.reasons][-1:] == [
        "The odds leave out Shift fate, whose effect depends on the dice"
    ]
    assert odds.spread == Trial(SWORN).odds("roll strike vesna").spread
    trial.play("roll strike vesna", 1, 9, 2)
    assert trial.question.startswith("Strike: Weak hit (4 against 2 and 9). ")
    state = trial.state
    assert trial.play("shift 9", 3)[-2:] == ["4 against 2 and 3", "Vesna: Strong hit"]  # No other die shows a 9.
    trial.state = state
    assert trial.play("shift d10-9", 3)[-2:] == ["4 against 2 and 3", "Vesna: Strong hit"]


def test_a_spend_on_the_other_sides_dice_is_not_said_never_to_help() -> None:
    """Where a number without dice is compared with them."""
    text = CHALLENGE + '[spend.shift]\nrolls = ["fulfil"]\nreroll = "lowest"\nagainst = true\nlimit = 1\n'
    tree = tomllib.loads(f'id = "trial"\nname = "Trial"\n{text}')
    assert check_game(tree)[1] == ()
    assert not [flaw for flaw in advise(rulebook_of(tree)) if flaw.path[0] == "spend"]


def test_dice_of_both_sides_are_rerolled_at_once() -> None:
    """All of them, or one of either side; the odds say that they leave it out."""
    text = SWORN + '[spend.again]\nlabel = "All again"\nreroll = "all"\nboth = true\ncost = ["spend iron"]\nlimit = 1\n'
    trial = Trial(text)
    odds = trial.odds("roll strike vesna")
    assert [fact.text for fact in odds.reasons] == ["The odds leave out All again, whose effect depends on the dice"]
    trial.play("roll strike vesna", 2, 9, 8)
    said = trial.play("again", 6, 3, 3)
    assert said[-2:] == ["9 against 3 and 3", "Vesna: Strong hit with a match"]
    trial = Trial(text.replace('"all"', '"one"'))
    trial.play("roll strike vesna", 2, 9, 8)
    assert trial.play("again d10-9", 4)[-2:] == ["5 against 4 and 8", "Vesna: Weak hit"]


def test_both_sides_are_only_for_a_reroll() -> None:
    """As every key that says which dice."""
    tree = tomllib.loads(f'id = "trial"\nname = "Trial"\n{SWORN}[spend.more]\nplus = 1\nlimit = 1\nboth = true\n')
    assert ["without `reroll`" in flaw.message for flaw in advise(rulebook_of(tree)) if flaw.path[0] == "spend"] == [
        True
    ]
