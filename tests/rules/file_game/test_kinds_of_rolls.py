"""Rolls of well-known kinds, each as a file says it: how it plays, what it costs, and its exact odds."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import product

from waylog.rules.file_game.check import check_game
from waylog.rules.file_game.rulebook import rulebook_of
from waylog.rules.game import Game
from waylog.rules.language.commands import parse_act
from waylog.rules.model.answers import complete_answers
from waylog.rules.model.dice import TypedDice
from waylog.rules.model.facts import NoteFact, OutcomeFact
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
