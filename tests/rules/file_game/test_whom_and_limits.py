"""To whom effects are done, what follows at the limits of a value, rolls that are offered, and rolls that are made twice."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import product
from typing import Any

import pytest

from tests.rules.file_game.game_on_trial import Trial
from waylog.rules.file_game.check import check_game
from waylog.rules.file_game.check_advice import advise
from waylog.rules.file_game.rulebook import rulebook_of
from waylog.rules.game import Game
from waylog.rules.language.command_parser import parse_act
from waylog.rules.model.answers import complete_answers
from waylog.rules.model.dice import TypedDice
from waylog.rules.model.facts import NoteFact, OutcomeFact, RollFact
from waylog.rules.model.moves import ActRefused, PickOne
from waylog.rules.model.odds import Ratio, percent
from waylog.rules.model.panels import PipsRow
from waylog.rules.model.state import PlayResult, State
from waylog.values import replace

FILE = """
id = "ward"
name = "Ward"
[formulas]
edge = "max(wits, 2 if hurt else 1)"
[sheet.team.values]
alarm = { range = [0, 4], when_full = ["clear alarm", { do = "mark stress", who = "crew" }] }
[sheet.crew.each]
wits = { range = [0, 4], start = 2 }
stress = { range = [0, 5], when_full = ["gain scars", "clear stress", { roll = "panic", who = "others", when = "not hurt" }] }
scars = { range = [0, 3] }
hurt = { flag = false }
shaken = { flag = false }
momentum = { range = [-6, 10], start = 2, most = "10 - 3 * count(hurt, shaken)", show = "text" }
health = { range = [0, 5], start = 5, most = "5 - scars", when_empty = ["mark hurt"] }
[sheet.crew.start]
ana = { name = "Ana" }
bo = { name = "Bo", momentum = 9 }
cy = { name = "Cy", hurt = true }
[sheet.foes.each]
rattled = { flag = false }
tough = { range = [0, 3], start = 1 }
[sheet.foes.start]
jackal = { name = "Jackal" }
wolf = { name = "Wolf" }
[dice.act]
who = "crew"
pool = "edge"
bands = [{ outcome = "bad", grade = "fiasco" }, { outcome = "good", from = 4 }]
[dice.act.options.help]
who = "crew"
dice = 1
most = 1
cost = [{ do = "mark stress 2", partly = true }]
[dice.act.options.foe]
who = "foes"
plus = "0 - tough"
when = "count(options.foe) < 1"
refusal = "one foe at a time"
[dice.act.options.push]
dice = 1
when = "not options.push and not options.help"
[dice.lift]
who = "crew"
pool = "edge"
bands = [{ outcome = "bad", grade = "fiasco" }, { outcome = "good", from = 5 }]
[spend.strain]
rolls = ["lift"]
cost = [{ do = "mark stress 2", partly = true }]
plus = 1
[dice.panic]
who = "crew"
die = "d20"
bands = [{ outcome = "calm" }]
[dice.resist]
who = "crew"
pick = { with = { wits = { pool = "wits" }, heart = { pool = 3 } } }
bands = [{ outcome = "none", grade = "fiasco" }, { outcome = "held", from = 6 }]
[after.act]
bad = [
  { do = "mark shaken", who = "others" },
  { do = "mark team.alarm", who = "options.help", when = "hurt" },
  { offer = "roll resist" },
  { offer = "mark stress", who = "options.help" },
]
good = [{ do = "mark rattled", who = "options.foe" }, { do = "gain momentum 9", who = "options.help" }]
[after.resist]
held = ["clear stress"]
[moves.aid]
who = "crew"
whom = "crew"
does = ["lose momentum", { do = "gain momentum 2", who = "whom" }, { offer = "act-up", who = "whom" }]
[moves.act-up]
who = "crew"
does = ["gain momentum"]
[moves.storm]
does = [{ do = "mark stress 2", who = "crew" }]
"""


@pytest.fixture(name="game")
def _game() -> Game:
    tree = tomllib.loads(FILE)
    assert check_game(tree)[1] == ()
    return Game(rulebook_of(tree))


def _do(game: Game, state: State, line: str, *faces: int) -> State:
    return _play(game, state, line, *faces).state


def _play(game: Game, state: State, line: str, *faces: int) -> PlayResult:
    return game.play(state, replace(parse_act(game.moves(state), line), faces=faces), TypedDice(()))


def _change(game: Game, before: State, line: str, *faces: int) -> dict[str, Any]:
    after = _do(game, before, line, *faces)
    return {
        ".".join(change.path): change.after for change in game.difference(before, after) if "open" not in change.path
    }


def test_an_effect_is_done_to_everybody_to_the_others_and_to_who_was_chosen(game: Game) -> None:
    """Its condition is read for each of them."""
    fresh = game.fresh("Trial")
    assert _change(game, fresh, "storm") == {f"crew.{key}.stress": 2 for key in ("ana", "bo", "cy")}
    bad = _change(game, fresh, "roll act ana cy", 1, 1, 1)
    assert bad == {
        "crew.cy.stress": 2,
        "crew.bo.shaken": True,
        "crew.cy.shaken": True,
        "team.alarm": 1,
        "crew.bo.momentum": 7,
    }
    assert _change(game, fresh, "roll act ana wolf", 6, 1) == {"foes.wolf.rattled": True}
    assert _change(game, fresh, "aid ana cy") == {"crew.ana.momentum": 1, "crew.cy.momentum": 4}


def test_the_highest_of_a_track_may_depend_on_other_values(game: Game) -> None:
    """Marks, offers and effects stop there, the sheet shows it, and what is above it is lowered."""
    state = game.fresh("Trial")
    state = _do(game, state, "mark cy momentum 9")
    assert state.sheet.crew["cy"].momentum == 7
    move = next(move for move in game.moves(state) if move.id == "mark cy momentum")
    assert move.blocked
    assert move.blocked.reason == "Momentum can't go above 7"
    assert _change(game, state, "mark bo hurt") == {"crew.bo.hurt": True, "crew.bo.momentum": 7}
    state = _do(game, state, "mark ana scars 2")
    rows = {row.key: row for panel in game.panels(state) for row in panel.rows}
    health = rows["crew.ana.health"]
    assert isinstance(health, PipsRow)
    assert (health.value, health.top) == (3, 3)


def test_what_follows_at_a_limit_is_done_once_and_by_hand_too(game: Game) -> None:
    """Also by a mark for everybody that another limit brings, and with rolls that follow."""
    state = game.fresh("Trial")
    assert _change(game, state, "clear ana health 5") == {"crew.ana.health": 0, "crew.ana.hurt": True}
    state = _do(game, state, "mark ana stress 4")
    played = _play(game, state, "mark ana stress 1", 7)
    ana = played.state.sheet.crew["ana"]
    assert (ana.stress, ana.scars, ana.health) == (0, 1, 4)
    assert [fact.what for fact in played.facts if isinstance(fact, RollFact)] == ["Bo"]
    state = _do(game, state, "mark alarm 4", 1)
    assert (state.sheet.team.alarm, [one.stress for one in state.sheet.crew.values()]) == (0, [0, 1, 1])


FALLING = """
[sheet.crew.each]
top = { range = [1, 3], start = 3 }
weak = { flag = false }
wounds = { range = [0, 3], start = 1, most = "top - count(weak) - count(scars)", when_full = ["mark dead"] }
scars = { each = { name = { text = "" } } }
dead = { flag = false }
[sheet.crew.start.ada]
[sheet.crew.start.bo]
[moves.tire]
who = "crew"
amount = [1, 2]
does = [{ do = "lose top amount", who = "crew" }]
[moves.scar]
who = "crew"
does = ["add scars 'A long one'"]
"""


@pytest.mark.parametrize(
    ("lines", "dead"),
    [
        (["tire ada 1"], []),
        (["tire ada 2"], ["ada", "bo"]),
        (["mark ada wounds", "tire bo 2"], ["ada", "bo"]),
        (["clear ada top 2"], ["ada"]),
        (["clear ada top 1", "mark ada weak"], ["ada"]),
        (["clear ada top 1", "scar ada"], ["ada"]),
        (["clear ada top 2", "clear ada dead", "mark ada weak"], []),
    ],
)
def test_a_highest_number_that_falls_to_a_value_fills_it(lines: Sequence[str], dead: Sequence[str]) -> None:
    """Also if it falls further, by an effect, by hand and by a thing in a list; not while it is still above, and not again later."""
    trial = Trial(FALLING)
    for line in lines:
        trial.play(line)
    assert [key for key, one in trial.state.sheet.crew.items() if one.dead] == dead


def test_a_move_asks_for_an_answer_and_for_whom() -> None:
    """An answer is blocked by what it costs who acts, and not by what depends on whom it is done to."""
    trial = Trial("""
[sheet.crew.each]
xp = { range = [0, 5], start = 1 }
rank = { range = [0, 5] }
[sheet.crew.start.ada]
[sheet.crew.start.bo]
[moves.train]
who = "crew"
whom = "crew"
choose = { plain = { does = ["spend xp 1"] }, dear = { does = ["spend xp 3"] }, odd = { does = ["spend xp whom.rank + 1"] } }
does = [{ do = "gain rank", who = "whom", when = "choose != 'odd'" }]
""")
    (train,) = (move for move in trial.game.moves(trial.state) if move.id == "train ada")
    ask = train.asks[0]
    assert isinstance(ask, PickOne)
    assert {option.word: bool(option.blocked) for option in ask.options} == {
        "plain": False,
        "dear": True,
        "odd": False,
    }
    trial.play("train ada plain bo")
    assert [(one.xp, one.rank) for one in trial.state.sheet.crew.values()] == [(0, 0), (1, 1)]


def test_a_cost_that_need_not_be_there_in_full_stops_at_the_limit(game: Game) -> None:
    """Of a roll's option and of a spend; with nothing left it is refused, and the odds count the last of it."""
    state = _do(
        game,
        game.fresh("Trial"),
        "mark ana stress 4",
    )
    state = _do(game, state, "mark cy stress 4")
    after = _do(game, state, "roll act ana cy", 1, 1, 1, 9, 9)
    assert (after.sheet.crew["cy"].stress, after.sheet.crew["cy"].scars) == (0, 1)
    act = parse_act(game.moves(state), "roll lift ana")
    odds = game.odds(state, act.move, complete_answers(act.move, act.answers))
    assert odds
    assert [spread.label for spread in odds.spends] == ["with 1 Stress"]
    assert odds.spends[0].chances[-1].chance == 1 - Ratio(3, 6) ** 2


def test_only_so_many_of_a_list_may_be_chosen(game: Game) -> None:
    """By `most`, or by a condition that counts what else was chosen; an option's own choice doesn't stand in its way."""
    fresh = game.fresh("Trial")
    for line, why in (
        ("roll act ana bo cy", "Help: choose at most one: bo or cy"),
        ("roll act ana jackal wolf", "one foe at a time"),
    ):
        with pytest.raises(ActRefused, match=why):
            _do(game, fresh, line, 1, 1, 1, 1)
    _do(game, fresh, "roll act ana push", 6, 6, 6)
    with pytest.raises(ActRefused, match="can't be done now"):
        _do(game, fresh, "roll act ana push bo", 6, 6, 6, 6)


def test_an_offered_roll_has_its_own_choices_and_odds(game: Game) -> None:
    """Whoever takes the offer answers what the roll asks; it is by who acted, and undone with what brought it."""
    state = _do(game, game.fresh("Trial"), "mark ana stress 3")
    state = _do(game, state, "roll act ana", 1, 1)
    offer = next(move for move in game.moves(state) if move.verb == "effect" and move.rolls)
    assert (offer.label, [ask.name for ask in offer.asks], offer.follows) == (
        "Roll Resist for Ana",
        ["with"],
        True,
    )
    act = parse_act(game.moves(state), f"{offer.id} heart")
    odds = game.odds(state, act.move, complete_answers(act.move, act.answers))
    assert odds
    assert odds.spread.chances[-1].chance == 1 - Ratio(5, 6) ** 3
    after = _do(game, state, f"{offer.id} heart", 2, 3, 6)
    assert after.sheet.crew["ana"].stress == 0
    assert not [move for move in game.moves(after) if move.verb == "effect" and move.rolls]


def test_an_offered_roll_that_is_made_by_hand_is_offered_no_more(game: Game) -> None:
    """Whatever is chosen for it; that of somebody else is another."""
    state = _do(game, game.fresh("Trial"), "mark ana stress 3")
    state = _do(game, state, "roll act ana", 1, 1)

    def offers(state: State) -> list[str]:
        return [move.label for move in game.moves(state) if move.verb == "effect" and move.rolls]

    assert offers(_do(game, state, "roll resist cy heart", 2, 3, 6)) == ["Roll Resist for Ana (offered earlier)"]
    assert offers(_do(game, state, "roll resist ana heart", 2, 3, 6)) == []


def test_an_offer_may_be_for_somebody_else_by_name() -> None:
    """The roll or the move of one who is named is theirs, whoever brings it."""
    tree = tomllib.loads(
        WISHES.format(roll="", after='{ offer = "rest joss" }, { offer = "roll fear joss" }', more=_REST)
    )
    game = Game(rulebook_of(tree))
    state = _do(game, game.fresh("Trial"), "roll fear mara", 1, 1)
    assert state.open
    assert {offer.act for offer in state.open.offers} == {"rest joss", "roll fear joss"}


_REST = """
[sheet.crew.start.joss]
name = "Joss"
[moves.rest]
who = "crew"
does = ["gain nerve"]
"""


def test_an_offer_may_be_a_move_by_who_was_chosen(game: Game) -> None:
    """Without a name in its words."""
    state = _do(game, game.fresh("Trial"), "aid ana cy")
    (offer,) = [move for move in game.moves(state) if move.verb == "effect"]
    assert _change(game, state, offer.id) == {"crew.cy.momentum": 5}


DEBT = """
id = "debt"
name = "Debt"
[sheet.team.values]
alarm = { range = [0, 5] }
[sheet.crew.each]
class = { choices = ["hand", "captain"] }
debt = { range = [0, 4] }
nerve = { range = [0, 6], start = 3, least = "debt", when_empty = ["mark team.alarm"] }
[sheet.crew.start]
ana = { name = "Ana", class = "captain", nerve = 5 }
bo = { name = "Bo", nerve = 2 }
cy = { name = "Cy" }
[moves.brave]
who = "crew"
does = ["spend nerve 2"]
[moves.fall]
who = "crew"
does = ["clear nerve"]
[moves.rally]
who = "crew"
does = [
  { do = "gain nerve actor.nerve - nerve", who = "others", when = "actor.class == 'captain'" },
  { offer = "mark nerve actor.debt + 1", who = "others" },
]
[dice.fear]
who = "crew"
pool = 2
reading = "sum"
bands = [{ outcome = "bad", grade = "fiasco" }, { outcome = "good", from = 7 }]
[after.fear]
bad = [{ do = "lose nerve 7 - score", who = "others", when = "actor.debt < debt" }]
"""


def test_the_lowest_of_a_track_may_depend_on_other_values() -> None:
    """Effects, prices and marks by hand stop there, and what is below it is raised."""
    game = Game(rulebook_of(tomllib.loads(DEBT)))
    state = _do(game, game.fresh("Trial"), "mark bo debt 2")
    with pytest.raises(ActRefused, match="can't go below 2"):
        _do(game, state, "clear bo nerve")
    with pytest.raises(ActRefused, match=r"Nerve is already at its minimum \(2\)"):
        _do(game, state, "brave bo")
    with pytest.raises(ActRefused, match=r"not enough Nerve: this needs 2 \(1 left\)"):
        _do(game, _do(game, state, "mark bo nerve"), "brave bo")
    assert _change(game, state, "mark bo debt 2") == {"crew.bo.debt": 4, "crew.bo.nerve": 4}
    ana = _do(game, state, "mark ana debt 3")
    assert _change(game, ana, "fall ana") == {"crew.ana.nerve": 3, "team.alarm": 1}


def test_limits_that_contradict_each_other_come_to_an_end() -> None:
    """However often they change each other."""
    limits = (
        '\na = { range = [0, 5], least = "b", most = "b" }\nb = { range = [0, 5], least = "5 - a", most = "5 - a" }'
    )
    game = Game(
        rulebook_of(tomllib.loads(DEBT.replace("alarm = { range = [0, 5] }", f"alarm = {{ range = [0, 5] }}{limits}")))
    )
    assert _do(game, game.fresh("Trial"), "mark alarm").sheet.team.alarm == 1


def test_an_effect_on_others_reads_who_acts() -> None:
    """Their values beside those of whom it is done to, in what is done, in its condition and in an offer; after a roll too."""
    game = Game(rulebook_of(tomllib.loads(DEBT)))
    fresh = game.fresh("Trial")
    assert _change(game, fresh, "rally ana") == {"crew.bo.nerve": 5, "crew.cy.nerve": 5}
    state = _do(game, _do(game, fresh, "mark bo debt 2"), "rally bo")
    assert state.open
    assert [offer.act for offer in state.open.offers] == ["mark ana nerve 3", "mark cy nerve 3"]
    assert state.sheet.crew["cy"].nerve == 3
    assert _change(game, _do(game, fresh, "mark bo debt"), "roll fear cy", 1, 4) == {
        "crew.bo.nerve": 1,
        "team.alarm": 1,
    }


TWICE = """
id = "coldberth"
name = "Coldberth"
[sheet.crew.each]
skill = { range = [0, 95], start = 45 }
scared = { flag = false }
[sheet.crew.start.ilse]
name = "Ilse"
[dice.try]
who = "crew"
die = "d100"
reading = "under"
target = "skill"
bands = [
  { outcome = "wreck", label = "Wreck", grade = "fiasco" },
  { outcome = "fail", label = "Fail", grade = "fiasco", to = -1 },
  { outcome = "wreck", label = "Wreck", grade = "fiasco", to = -1, doubles = true },
  { outcome = "done", label = "Done", from = 0 },
  { outcome = "great", label = "Great", grade = "critical", from = 0, doubles = true },
]
pick = { odds = { plain = {}, better = { twice = "better" }, worse = { twice = "worse" } } }
[when.scared]
who = "crew"
if = "scared"
twice = "worse"
tag = "Scared"
"""


@pytest.mark.parametrize(
    ("line", "faces", "counts"),
    [
        ("better", (60, 77), "Fail"),
        ("better", (44, 2), "Great"),
        ("better", (3, 12), "Done"),
        ("worse", (3, 55), "Wreck"),
        ("worse", (99, 50), "Wreck"),
    ],
)
def test_of_a_roll_that_is_made_twice_the_better_or_the_worse_outcome_counts(
    line: str, faces: tuple[int, int], counts: str
) -> None:
    """Not the lower or the higher die, and with what else is written on that die."""
    game = Game(rulebook_of(tomllib.loads(TWICE)))
    state = game.fresh("Trial")
    played = _play(game, state, f"roll try ilse {line}", *faces)
    outcomes = [fact for fact in played.facts if isinstance(fact, OutcomeFact)]
    assert outcomes[-1].label == counts
    assert sum(isinstance(fact, RollFact) for fact in played.facts) == 2
    assert any(isinstance(fact, NoteFact) and "counts" in fact.text for fact in played.facts) is (counts != "Done")


def test_a_roll_with_one_outcome_is_not_made_twice() -> None:
    """Neither of the two would be the better."""
    tree = tomllib.loads(TWICE)
    tree["sheet"]["crew"]["start"]["ilse"]["scared"] = True
    tree["dice"]["rest"] = {"who": "crew", "bands": [{"outcome": "rested"}]}
    game = Game(rulebook_of(tree))
    played = _play(game, game.fresh("Trial"), "roll rest ilse", 4)
    assert [fact.dice[0].face for fact in played.facts if isinstance(fact, RollFact)] == [4]
    assert [fact.text for fact in played.facts if isinstance(fact, NoteFact)] == []
    assert (
        len(
            [
                fact
                for fact in _play(game, game.fresh("Trial"), "roll try ilse", 4, 5).facts
                if isinstance(fact, RollFact)
            ]
        )
        == 2
    )


DIGITS = """
id = "digits"
name = "Digits"
[sheet.crew.each]
rank = { choices = ["d6", "d10", "d12"] }
[sheet.crew.start.ilse]
name = "Ilse"
[dice.try]
who = "crew"
die = "rank"
more = [{ dice = 2, die = "d6", label = "Harm" }]
reading = "sum"
bands = [{ outcome = "done" }]
[dice.under]
die = "d100"
reading = "under"
target = 50
bands = [{ outcome = "done" }]
"""


@pytest.mark.parametrize(
    ("rank", "line", "faces"),
    [
        ("d6", "roll try ilse 234", (2, 3, 4)),
        ("d10", "roll try ilse 034", (10, 3, 4)),
        ("d12", "roll try ilse 12 3 4", (12, 3, 4)),
        ("d6", "roll under 00", (100,)),
        ("d6", "roll under 0", (100,)),
        ("d6", "roll under 7", (7,)),
    ],
)
def test_real_dice_are_typed_as_they_lie_there(rank: str, line: str, faces: tuple[int, ...]) -> None:
    """One digit each, if no die that may be rolled now has more than ten sides; 0 and 00 are what ten-sided dice show."""
    game = Game(rulebook_of(tomllib.loads(DIGITS)))
    fresh = game.fresh("Trial")
    ilse = replace(fresh.sheet.crew["ilse"], rank=rank)
    state = replace(fresh, sheet=replace(fresh.sheet, crew={"ilse": ilse}))
    played = game.play(state, parse_act(game.moves(state), line), TypedDice(()))
    rolled = [face.face for fact in played.facts if isinstance(fact, RollFact) for face in fact.dice]
    assert tuple(rolled) == faces


def test_whoever_types_dice_is_told_what_brings_more_of_them() -> None:
    """A die that explodes, by the face that it shows."""
    game = Game(rulebook_of(tomllib.loads(DIGITS.replace("[dice.under]", "explode = { at = 6 }\n[dice.under]"))))
    state = _do(game, game.fresh("Trial"), "roll try ilse", 6, 2, 6)
    assert game.missing_dice(state) == ("Try, after rolling 6", "Harm, after rolling 6")


def test_better_and_worse_cancel_each_other() -> None:
    """A condition that makes it worse, and an answer that makes it better: one roll. Alone, the odds are squares."""
    game = Game(rulebook_of(tomllib.loads(TWICE)))
    fresh = game.fresh("Trial")
    scared = _do(game, fresh, "mark ilse scared")

    def failing(state: State, line: str) -> tuple[str, Ratio]:
        act = parse_act(game.moves(state), line)
        odds = game.odds(state, act.move, complete_answers(act.move, act.answers))
        assert odds
        return odds.dice, sum((one.chance for one in odds.spread.chances if one.outcome in ("wreck", "fail")), Ratio())

    assert failing(fresh, "roll try ilse") == ("1d100: Try", Ratio(55, 100))
    assert failing(scared, "roll try ilse better") == ("1d100: Try", Ratio(55, 100))
    assert failing(fresh, "roll try ilse better") == ("1d100, the better of two rolls: Try", Ratio(55, 100) ** 2)
    assert failing(scared, "roll try ilse") == ("1d100, the worse of two rolls: Try", 1 - Ratio(45, 100) ** 2)


WISHES = """
id = "wish"
name = "Wish"
[sheet.team.values]
doom = {{ range = [0, 6] }}
[sheet.crew.each]
nerve = {{ range = [0, 4], start = 2 }}
xp = {{ number = 0 }}
[sheet.crew.start.mara]
name = "Mara"
[clocks.job]
[dice.fear]
who = "crew"
pool = "nerve"
bands = [{{ outcome = "bad", grade = "fiasco" }}, {{ outcome = "good", from = 4 }}]
{roll}
[after.fear]
bad = ["lose nerve", "tick job", "mark doom", {after}]
{more}
"""


@pytest.mark.parametrize(
    ("roll", "after", "more", "at", "said"),
    [
        ("", '{ roll = "fear better" }', "", "after.fear.bad.3.roll", "there is no roll `fear better`. The rolls are fear"),
        ("", '{ offer = "roll resist" }', "", "after.fear.bad.3.offer", "there is no roll `resist`. The rolls are fear"),
        ("", '"mark crew.*.xp"', "", "after.fear.bad.3", 'write who = "crew" beside the effect'),
        ("", '{ do = "mark xp", who = "foes" }', "", "after.fear.bad.3.who", "The possible words are crew, others"),
        ("", "", '[moves.a]\ndoes = [{ do = "mark doom", who = "others" }]', "moves.a.does.0.who", "nobody acts here"),
        ("", "", '[when.x]\nif = "options.help"', "when.x.if", "and in a spend or a condition of [when] whose `rolls` all have it"),
        ("", '{ do = "mark doom", when = "ones.gear > 1" }', "", "after.fear.bad.3.when", "no dice here are called gear: give some dice this `label`"),
        ("", '{ do = "mark doom", when = "outcome.gear" }', "", "after.fear.bad.3.when", "`outcome` is a single value, so nothing can follow it"),
        ("options.gear = { dice = 1, dice_label = 'Gear' }", '{ do = "mark doom", when = "ones.gaer > 1" }', "", "after.fear.bad.3.when", "there is no `ones.gaer` here. You can use ones.gear"),
        ("calls.a = { bands = [{ outcome = 'bad', grade = 'fiasco' }, { outcome = 'good', of = 'gear', ones = 1 }] }", "", "", "dice.fear.calls.a.bands.1.of", "there are no dice called `gear`"),
        ("dice_label = 'Base'\ncalls.a = { bands = [{ outcome = 'bad', grade = 'fiasco' }, { outcome = 'good', of = 'base' }] }", "", "", "dice.fear.calls.a.bands.1.of", "`of` only says which dice to look at"),
        ("worth = { 6 = 2 }", "", "", "dice.fear.worth", "only where dice are counted"),
        ("worth = { six = 2 }\nreading = 'count'\ntarget = 4", "", "", "dice.fear.worth.six", "`worth` is for faces of 1 or more"),
        ("group = { counts = \"best\", most = 2 }", "", "", "dice.fear.group.most", "The keys are counts, rolls, outcomes, leader"),
        ("pick.odds = { plain = {}, good = { twice = \"best\" } }", "", "", "dice.fear.pick.odds.good.twice", "“better” or “worse”"),
        ("", "", '[moves.a]\nwho = "crew"\ndoes = ["mark rank"]', "moves.a.does.0", "The values are name, nerve, xp, team.doom"),
        ('clause = "ACT"', "", "", "dice.fear.clause", "use letters, a hyphen and a number, such as NH-01"),
        ("", "", '[sheet.crew.each.mom]\nrange = [-6, "10 - xp"]\nstart = 2', "sheet.crew.each.mom.range.1", 'most = "10 - xp"'),
        ("", "", '[sheet.crew.each.fit]\nflag = true\nleast = "nerve"', "sheet.crew.each.fit.least", "is for a range"),
        ("", '{ do = "lose nerve actor.rank", who = "others" }', "", "after.fear.bad.3", "there is no `actor.rank` here. You can use actor.name, actor.nerve, actor.xp"),
        ("", "", '[when.x]\nif = "actor.nerve > 1"', "when.x.if", "`actor` stands for whoever acts"),
        ("", "", '[sheet.crew.each.fit]\nflag = true\nmost = "nerve"', "sheet.crew.each.fit.most", "is for a range"),
        ("options.aid = { most = 1, dice = 1 }", "", "", "dice.fear.options.aid.most", "is for an option with a list"),
        ("", "", '[formulas]\none = "two + 1"\ntwo = "one"', "formulas.one", "one refers to itself"),
        ("", "", '[formulas]\nnerve = "2"', "formulas.nerve", "is already in [sheet.crew.each]: choose another name for one of the two"),
        ("plus = \"edge\"", "", '[formulas]\nedge = "hunt"', "formulas.edge", "there is no value `hunt`"),
        ("plus = \"edge\"", '{ do = "mark doom edge" }', '[formulas]\nedge = "rank // 2"\n[sheet.crew.each.rank]\nchoices = ["d4", "d6"]',
            "formulas.edge", "`//` needs numbers, but `rank` is a text: for the number of its sides, write size(rank)"),
        ("plus = \"edge\"", "", '[formulas]\nedge = "1 +"', "formulas.edge", "something is missing"),
        ("", "", '[formulas]\noutcome = "2"', "formulas.outcome", "has a meaning in formulas"),
        ('instead = { outcome = "good", cost = [{ do = "lose xp", who = "crew" }] }', "", "", "dice.fear.instead.cost.0.who", "a cost is paid by whoever acts"),
    ],
)  # fmt: skip
def test_each_mistake_is_named_with_its_cure(roll: str, after: str, more: str, at: str, said: str) -> None:
    """Once, where it is."""
    flaws = check_game(tomllib.loads(WISHES.format(roll=roll, after=after, more=more)))[1]
    assert {".".join(flaw.path) for flaw in flaws} == ({at, "formulas.two"} if at == "formulas.one" else {at})
    assert said in flaws[0].message


@pytest.mark.parametrize(
    ("roll", "after"),
    [
        ("", '{ offer = "gain nerve" }'),
        ("", '{ offer = "lose nerve 2" }'),
        ("", '{ offer = "tick job (1 if nerve > 2 else 2)" }'),
        ("", '{ offer = "roll fear" }'),
        ("options = { help = { dice = 1, when = 'not options.help' } }", ""),
        ("options = { help = { dice = 1, who = 'crew', when = 'count(options.help) < 1' } }", ""),
        ("options = { grit = {} }\ncalls = { a = {}, b = { when = 'options.grit', plus = 1 } }", ""),
    ],
)
def test_what_means_something_is_no_mistake(roll: str, after: str) -> None:
    """Nor does it look like one: an offer by formula, an option that unlocks an answer, one that counts itself."""
    tree = tomllib.loads(WISHES.format(roll=roll, after=after, more=""))
    assert check_game(tree)[1] == ()
    assert [*advise(rulebook_of(tree))] == []


def test_an_offered_number_is_worked_out_when_it_is_offered() -> None:
    """Of a tick as of a mark; `lose` without a number takes 1."""
    after = '{ offer = "tick job (1 if nerve > 2 else 2)" }, { offer = "lose nerve" }'
    game = Game(rulebook_of(tomllib.loads(WISHES.format(roll="", after=after, more=""))))
    state = _do(game, game.fresh("Trial"), "roll fear mara", 1, 2)
    offers = [move.label for move in game.moves(state) if move.verb == "effect"]
    assert offers == ["Mara: tick “Job” by 2", "Lower Mara's Nerve"]


_PERCENT = """
id = "percent"
name = "Percent"
[sheet.crew.each]
class = { choices = ["marine", "android"] }
out = { flag = false }
[sheet.crew.start]
ada = {}
bo = { class = "android", out = true }
[dice.check]
who = "crew"
die = "d100"
bands = [{ outcome = "miss" }, { outcome = "hit", face = [100, 100] }]
[when.watched]
who = "crew"
if = "'android' in crew.each.class and count(crew.each.out) == 1"
tag = "Watched"
"""


def test_a_formula_reads_all_of_a_list_of_which_one_acts() -> None:
    """`crew.class` is the class of who acts."""
    game = Game(rulebook_of(tomllib.loads(_PERCENT)))
    assert [[tag.text for tag in panel.tags] for panel in game.panels(game.fresh(""))] == [["Watched"], ["Watched"]]
    alone = _PERCENT.replace("'android' in crew.each.class", "count(crew.class == 'android') > 0")
    (flaw,) = check_game(tomllib.loads(alone))[1]
    assert "crew.class` is only the value of whoever acts" in flaw.message
    assert "crew.each.class" in flaw.message


def test_an_outcome_needs_a_face_that_a_die_can_show() -> None:
    """Percentile dice that show 00 mean 100."""
    (flaw,) = check_game(tomllib.loads(_PERCENT.replace("[100, 100]", "[0, 0]")))[1]
    assert flaw.message == "no die here can show 0: the faces are 1 to 100. On percentile dice, 00 is 100"
    assert flaw.path == ("dice", "check", "bands", "1", "face")
    assert not check_game(tomllib.loads(_PERCENT.replace("[100, 100]", "[0, 1]")))[1]


WOUNDS = """
id = "wounds"
name = "Wounds"
[sheet.crew.each]
health = { range = [0, 20], start = 15, most = "20 - 5 * wounds if rules.weaker else 20", when_empty = ["mark wounds", { do = "set health to 4", when = "wounds == 3" }, { roll = "wound" }], wraps = true }
wounds = { range = [0, 4] }
xp = { range = [0, 10], when_full = ["gain level"], wraps = true }
level = { number = 0 }
[sheet.crew.start.ana]
name = "Ana"
[house_rules.weaker]
flag = false
[dice.wound]
who = "crew"
bands = [{ outcome = "bad" }]
[moves.hurt]
who = "crew"
amount = [1, 2000]
does = ["lose health amount"]
[moves.bleed]
who = "crew"
does = ["spend health 15", "gain health"]
[moves.learn]
who = "crew"
amount = [1, 99]
does = ["gain xp amount"]
"""


@pytest.mark.parametrize(
    ("line", "rolls", "health", "wounds"),
    [
        ("hurt ana 14", 0, 1, 0),
        ("hurt ana 15", 1, 20, 1),
        ("hurt ana 18", 1, 17, 1),
        ("hurt ana 36", 2, 19, 2),
        ("clear ana health 16", 1, 19, 1),
        ("mark ana health 20", 0, 20, 0),
        # The third wound leaves 4, and those of 65 - 15 - 20 - 20 go on from there.
        ("hurt ana 65", 4, 14, 4),
        ("hurt ana 2000", 50, 20, 4),
    ],
)
def test_a_range_that_begins_again_counts_on_with_what_is_left_over(
    line: str, rolls: int, health: int, wounds: int
) -> None:
    """Its effects follow each time, and go on from where they leave the value; after 50 times it ends at its beginning."""
    game = Game(rulebook_of(tomllib.loads(WOUNDS)))
    played = _play(game, game.fresh("Trial"), line, *[6] * rolls)
    ana = played.state.sheet.crew["ana"]
    assert (ana.health, ana.wounds) == (health, wounds)
    assert len([fact for fact in played.facts if isinstance(fact, OutcomeFact)]) == rolls


def test_a_range_that_begins_again_says_so_and_keeps_to_its_limits_of_then() -> None:
    """Upwards too; what has to be paid has to be there; and a smaller range begins again sooner."""
    game = Game(rulebook_of(tomllib.loads(WOUNDS)))
    fresh = game.fresh("Trial")
    played = _play(game, fresh, "hurt ana 18", 6)
    notes = [fact.text for fact in played.facts if isinstance(fact, NoteFact)]
    assert [text for text in notes if "→" in text] == [
        "Ana: Health 15 → 0",
        "Ana: Wounds 0 → 1",
        "Ana: Health 0 → 17",
    ]
    assert _change(game, fresh, "learn ana 9") == {"crew.ana.xp": 9}
    assert _change(game, fresh, "learn ana 10") == {"crew.ana.level": 1}
    assert _change(game, fresh, "learn ana 27") == {"crew.ana.xp": 7, "crew.ana.level": 2}
    assert _change(game, fresh, "bleed ana", 6) == {"crew.ana.health": 20, "crew.ana.wounds": 1}
    with pytest.raises(ActRefused, match=r"not enough Health: this needs 15 \(14 left\)"):
        _do(game, _do(game, fresh, "hurt ana 1"), "bleed ana")
    weaker = replace(fresh, rules=replace(fresh.rules, weaker=True))
    assert _change(game, weaker, "hurt ana 31", 6, 6) == {"crew.ana.health": 9, "crew.ana.wounds": 2}
    # Four wounds leave no room to begin again in.
    assert _change(game, weaker, "hurt ana 99", 6, 6, 6, 6) == {"crew.ana.health": 0, "crew.ana.wounds": 4}


def test_a_range_that_begins_again_says_at_which_limit() -> None:
    """By the effects of one of the two."""
    for text in (
        WOUNDS.replace('when_full = ["gain level"], ', ""),
        WOUNDS.replace('when_full = ["gain level"]', 'when_full = ["gain level"], when_empty = ["lose level"]'),
        WOUNDS.replace("level = { number = 0 }", "level = { number = 0, wraps = true }"),
    ):
        (flaw,) = check_game(tomllib.loads(text))[1]
        assert flaw.path[-1] == "wraps"


DAMAGE = """
[sheet.crew.each]
health = { range = [0, 20], start = 20 }
[sheet.crew.start.ada]
[dice.hurt]
who = "crew"
pool = 2
die = "d5"
reading = "sum"
twice = "better"
twice_by = "result"
bands = [{ outcome = "light", grade = "drawback" }, { outcome = "heavy", from = 7 }]
[after.hurt]
any = ["lose health result"]
"""


@pytest.mark.parametrize(("which", "best"), [("better", max), ("worse", min)])
def test_the_higher_of_two_totals_counts(which: str, best: Callable[[int, int], int]) -> None:
    """Also where both have the same outcome. The odds, and how likely each number is, are those of every throw."""
    trial = Trial(DAMAGE.replace('"better"', f'"{which}"'))
    totals = Counter(best(a + b, c + d) for a, b, c, d in product(range(1, 6), repeat=4))
    heavy = Ratio(sum(ways for total, ways in totals.items() if total >= 7), 625)
    assert trial.chances("roll hurt ada") == {"light": 1 - heavy, "heavy": heavy}
    texts = "".join(note.text for note in trial.odds("roll hurt ada").forecast)
    for total, ways in totals.items():
        assert f"Health 20 → {20 - total} ({percent(Ratio(ways, 625))})" in texts
    said = trial.play("roll hurt ada", 5, 5, 5, 4)
    assert said[:2] == [f"Rolled twice: 10, then 9. The {which} one counts", "ada: Heavy"]
    assert said[2:] == [f"ada: Health 20 → {20 - best(10, 9)}"]


def test_odds_say_that_they_leave_out_what_is_spent_where_results_decide() -> None:
    """It can be spent all the same, on the dice that count."""
    trial = Trial(DAMAGE + '[spend.grit]\nlabel = "Grit"\ncost = ["spend health 5"]\nreroll = "lowest"\nlimit = 1\n')
    odds = trial.odds("roll hurt ada")
    assert odds.spends == ()
    left_out = "The odds leave out Grit, which they can't include where the results of two rolls are compared"
    assert [note.text for note in odds.reasons] == [left_out]
    trial.play("roll hurt ada", 1, 1, 1, 2)
    assert trial.play("grit", 5)[-1] == "ada: Health 15 → 8"


def test_outcomes_look_only_at_the_result_where_it_decides() -> None:
    """An outcome for a face could be worse with a higher result."""
    tree = tomllib.loads(f'id = "trial"\nname = "Trial"\n{DAMAGE.replace("from = 7", "matches = 2")}')
    assert ["give heavy only `from` and `to`" in flaw.message for flaw in check_game(tree)[1]] == [True]


def test_a_value_may_be_its_own_limit() -> None:
    """So it can't rise while a condition holds, whatever would raise it, and still falls."""
    trial = Trial("""
[sheet.crew.each]
health = { range = [0, 5], start = 3, most = "health if wounded else 5" }
wounded = { flag = false }
[sheet.crew.start.ada]
[dice.rest]
who = "crew"
bands = [{ outcome = "bad", grade = "fiasco" }, { outcome = "done", from = 4 }]
[after.rest]
done = ["mark health 2"]
bad = ["lose health"]
""")
    trial.play("mark ada wounded")
    assert [note.text for note in trial.odds("roll rest ada").forecast] == ["Bad (50 %): ada: Health 3 → 2"]
    assert trial.play("roll rest ada", 5) == ["ada: Done"]
    assert trial.play("roll rest ada", 1)[-1] == "ada: Health 3 → 2"
    with pytest.raises(ActRefused, match="can't go above 2"):
        trial.play("mark ada health")
    trial.play("clear ada wounded")
    assert trial.play("roll rest ada", 5)[-1] == "ada: Health 2 → 4"
