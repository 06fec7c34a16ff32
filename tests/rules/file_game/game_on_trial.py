"""A game in a file that is tried by lines, and the chances of outcomes over every throw."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from itertools import product

from waylog.rules.file_game.check import check_game
from waylog.rules.file_game.rulebook import rulebook_of
from waylog.rules.game import Game
from waylog.rules.language.command_parser import parse_act
from waylog.rules.model.answers import complete_answers
from waylog.rules.model.dice import TypedDice
from waylog.rules.model.facts import Fact, NoteFact, OutcomeFact
from waylog.rules.model.odds import Odds, Ratio

Chances = Mapping[str, Ratio]
# Games that tests in more than one file try.
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


class Trial:
    """A game that is being tried: lines played one after another, each with its dice."""

    def __init__(self, text: str) -> None:
        tree = tomllib.loads(f'id = "trial"\nname = "Trial"\n{text}')
        assert check_game(tree)[1] == ()
        self.game = Game(rulebook_of(tree))
        self.state = self.game.fresh("Trial")
        self.facts: Sequence[Fact] = ()
        """What the latest line led to."""

    def play(self, line: str, *faces: int) -> list[str]:
        """Play a line. Return what is said: the notes and outcomes."""
        played = self.game.play(self.state, parse_act(self.game.moves(self.state), line), TypedDice(faces))
        self.state, self.facts = played.state, played.facts
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


def action_outcome(*faces: int) -> str:
    """The outcome of an action in `SCORE` whose dice show these faces."""
    if faces.count(6) > 1:
        return "best"
    return "done" if max(faces) == 6 else "partly" if max(faces) > 3 else "bad"
