"""What effects can say beyond a change: dice in a number, offers that are taken several times, and several of a choice."""

from __future__ import annotations

import tomllib
from collections import Counter
from itertools import product
from typing import Any

import pytest

from tests.rules.file_game.game_on_trial import Trial
from waylog.rules.chains_of_acts import chain_odds, read_chain
from waylog.rules.file_game.check import check_game
from waylog.rules.file_game.rulebook import rulebook_of
from waylog.rules.game import Game
from waylog.rules.language.command_parser import parse_act
from waylog.rules.model.dice import TypedDice
from waylog.rules.model.facts import NoteFact, OutcomeFact, RollFact
from waylog.rules.model.moves import ActRefused
from waylog.rules.model.odds import Ratio
from waylog.rules.model.state import PlayResult, State
from waylog.values import replace

FILE = """
id = "hulk"
name = "Hulk"
[clocks.leak]
label = "The leak"
secret = true
[sheet.crew.each]
stress = { range = [0, 20], start = 9, when_full = ["lose armour 1d4"] }
armour = { range = [0, 9], start = 5 }
hurt = { range = [0, 40] }
lies = { number = 0, secret = true }
[sheet.crew.start]
ana = { name = "Ana" }
bo = { name = "Bo" }
[dice.act]
who = "crew"
bands = [{ outcome = "bad", grade = "fiasco" }, { outcome = "good", from = 4 }]
[after.act]
bad = ["gain hurt max(0, 2d10 - armour)", "tick leak 1d4", { do = "gain stress 1d3", who = "others" }]
good = ["lose stress 1d5"]
[moves.rest]
who = "crew"
does = ["lose stress 1d5 + 1"]
[dice.recover]
who = "crew"
clocks = false
bands = [{ outcome = "bad", grade = "fiasco" }, { outcome = "good", from = 4 }]
[moves.wait]
who = "crew"
does = [{ offer = "roll recover" }]
[moves.lie]
who = "crew"
does = ["set lies to 1d100"]
[moves.hit]
who = "crew"
does = ["lose armour", { offer = "wound" }, { offer = "wound" }]
[moves.wound]
who = "crew"
does = ["gain hurt"]
[dice.strike]
who = "crew"
pool = 4
reading = "count"
target = 6
bands = [{ outcome = "miss", grade = "fiasco" }, { outcome = "hit", from = 1 }]
[after.strike]
hit = [
  { offer = "gain armour", one_of = "stunt", take = "result - 1" },
  { offer = "lose stress", one_of = "stunt", take = "result - 1" },
  { offer = "lose stress", one_of = "stunt", take = "result - 1" },
]
[moves.dread]
who = "crew"
does = ["gain stress 2d6"]
"""


@pytest.fixture(name="game")
def _game() -> Game:
    return _read(FILE)


def _read(text: str) -> Game:
    tree = tomllib.loads(text)
    assert check_game(tree)[1] == ()
    return Game(rulebook_of(tree))


def _flaws(**changes: Any) -> list[str]:
    return [flaw.message for flaw in check_game({**tomllib.loads(FILE), **changes})[1]]


def _play(game: Game, state: State, line: str, *faces: int) -> PlayResult:
    return game.play(state, replace(parse_act(game.moves(state), line), faces=faces), TypedDice(()))


def _values(game: Game, before: State, after: State) -> dict[str, Any]:
    changes = game.difference(before, after)
    return {".".join(change.path): change.after for change in changes if "open" not in change.path}


# -- dice in the number of an effect ----------------------------------------------------------------------------------


def test_dice_in_an_effect_are_rolled_in_the_order_of_the_effects(game: Game) -> None:
    """Each is logged where it is rolled, before what it changes; everybody to whom an effect is done has dice of their own."""
    fresh = game.fresh("Trial")
    played = _play(game, fresh, "roll act ana", 2, 9, 10, 4, 3)
    assert _values(game, fresh, played.state) == {"crew.ana.hurt": 14, "clocks.leak.filled": 4, "crew.bo.stress": 12}
    rolls = [fact for fact in played.facts if isinstance(fact, RollFact)]
    shown = [(fact.what, [(face.source, face.sides, face.face) for face in fact.dice]) for fact in rolls]
    assert shown == [
        ("Ana", [("Act", 6, 2)]),
        ("Ana", [("Hurt", 10, 9), ("Hurt", 10, 10)]),
        ("Ana", [("The leak", 4, 4)]),
        ("Bo", [("Stress", 3, 3)]),
    ]
    assert all(fact.typed for fact in rolls)


def test_real_dice_of_an_effect_are_asked_for_after_the_roll(game: Game) -> None:
    """Nothing has happened until they are typed."""
    fresh = game.fresh("Trial")
    asked = _play(game, fresh, "roll act ana", 5)
    assert game.missing_dice(asked.state) == ("Stress (d5)",)
    done = _play(game, asked.state, "dice", 4)
    assert _values(game, fresh, done.state) == {"crew.ana.stress": 5}
    assert [len(ways) for ways in map(game.missing_dice, (fresh, done.state))] == [0, 0]


def test_dice_that_are_asked_for_say_how_many_and_what_for(game: Game) -> None:
    """As the effect has them: `2d10`."""
    asked = _play(game, game.fresh("Trial"), "roll act ana", 2).state
    assert game.question(asked) == "Hurt (2d10, 0 counts as 10): what do the 2 dice show?"
    assert "Type 2 more: Hurt (2d10, 0 counts as 10)" in [move.label for move in game.moves(asked)]


def test_what_stands_in_quotes_is_no_dice() -> None:
    """A text may say what was rolled."""
    changed = FILE.replace(
        "[moves.lie]", '[moves.jot]\nwho = "crew"\ndoes = ["set note to \'rolled 2d6\'"]\n[moves.lie]'
    )
    game = _read(changed.replace("hurt = {", 'note = { text = "" }\nhurt = {'))
    fresh = game.fresh("Trial")
    assert _values(game, fresh, _play(game, fresh, "jot ana").state) == {"crew.ana.note": "rolled 2d6"}


def test_setting_a_value_says_it_by_its_label() -> None:
    """As the sheet shows it, and not by its key."""
    game = _read(FILE.replace("stress = { range", 'stress = { label = "Dread", range'))
    played = _play(game, game.fresh("Trial"), "set crew.ana.stress 2")
    assert [fact.text for fact in played.facts if isinstance(fact, NoteFact)] == ["Ana: dread 9 → 2"]


def test_dice_at_the_limit_of_a_value_are_those_of_the_act(game: Game) -> None:
    """However deep the effect is that has brought them."""
    fresh = game.fresh("Trial")
    played = _play(game, fresh, "dread ana", 6, 5, 3)
    assert _values(game, fresh, played.state) == {"crew.ana.stress": 20, "crew.ana.armour": 2}


def test_dice_of_a_secret_value_and_of_a_hidden_clock_are_secret_too(game: Game) -> None:
    """With the note on what is done."""
    fresh = game.fresh("Trial")
    lie = _play(game, fresh, "lie bo", 77).facts
    assert [isinstance(fact, NoteFact | RollFact) and fact.secret for fact in lie] == [True] * 3
    leak = [fact for fact in _play(game, fresh, "roll act ana", 2, 1, 1, 3, 1).facts if isinstance(fact, RollFact)]
    assert [(fact.secret, fact.about) for fact in leak][2:] == [(True, ("clocks.leak.filled",)), (False, ())]


def test_a_chain_counts_every_face_of_the_dice_of_effects(game: Game) -> None:
    """The odds of an outcome stay what they are; those of the values are the shares of all faces."""
    fresh = game.fresh("Trial")
    acts = parse_act(game.moves(fresh), "roll act ana")
    odds = game.odds(fresh, acts.move, acts.answers)
    assert odds
    assert [chance.chance for chance in odds.spread.chances] == [Ratio(1, 2), Ratio(1, 2)]
    assert [note.text for note in odds.forecast] == [
        "Bad (50 %): the dice decide",
        "Good (50 %): the dice decide",
    ]
    (stress, *_) = chain_odds(game, fresh, read_chain("dread ana")).values
    wanted = Counter(min(20, 9 + one + two) for one, two in product(range(1, 7), repeat=2))
    assert {change.after: chance for change, chance in stress[1]} == {
        value: Ratio(ways, 36) for value, ways in wanted.items()
    }


def test_dice_stand_only_where_a_number_may_be_unknown() -> None:
    """A price, an offer and what has to be there are known before anything is rolled."""
    does = {"rest": {"who": "crew", "does": ["spend stress 1d5", "lose stress 1d21"]}}
    assert _flaws(moves=does) == [
        "`spend` needs a number that is known beforehand. For dice, write `lose`",
        "“d21” is not a die: write d2 to d20, d66, d100 or dF",
    ]
    offered = {"rest": {"who": "crew", "does": [{"offer": "lose stress 1d5"}]}}
    (flaw,) = _flaws(moves=offered)
    assert "an offer can't contain dice" in flaw
    pushed = {"push": {"raise": 1, "cost": ["mark stress 1d5"]}}
    assert "a cost must be known before it is paid, so it can't contain dice" in _flaws(spend=pushed)
    assert _flaws(moves={"rest": {"who": "crew", "does": ["gain stress 1d6 +"]}}) != []


# -- the same offer several times, and several of a choice ------------------------------------------------------------


def _offered(game: Game, state: State) -> list[str]:
    return [f"{move.verb}: {move.label}" for move in game.moves(state) if move.follows]


@pytest.mark.parametrize(
    ("log", "told"),
    [("", "Ana: Rest"), ('log = "Rested"', "Ana: Rested"), ('log = "{who} rested"', "Ana rested")],
)
def test_the_log_says_who_did_what(log: str, told: str) -> None:
    """What can be done is named by an imperative, what was done by whoever did it and another name, or by a sentence."""
    game = _read(FILE.replace("[moves.rest]", f"[moves.rest]\n{log}"))
    fresh = game.fresh("Trial")
    assert next(move.label for move in game.moves(fresh) if move.id == "rest ana") == "Rest (Ana)"
    deeds = [fact.text for fact in _play(game, fresh, "rest ana", 3).facts if isinstance(fact, NoteFact)]
    assert deeds[0] == told


def test_the_log_names_what_was_answered() -> None:
    """Where its sentence has the answer, or else behind it. What the move doesn't ask is a mistake."""
    does = {"who": "crew", "amount": [1, 3], "whom": "crew", "does": ["mark hurt amount"]}
    tree = tomllib.loads(FILE)
    for log, told in {
        "{who} hurt {whom} {amount} times": "Ana hurt Bo 2 times",
        "{who} fought": "Ana fought, 2, Bo",
    }.items():
        tree["moves"]["fight"] = {"log": log, **does}
        assert check_game(tree)[1] == ()
        game = Game(rulebook_of(tree))
        deeds = [
            fact.text for fact in _play(game, game.fresh("Trial"), "fight ana 2 bo").facts if isinstance(fact, NoteFact)
        ]
        assert deeds[0] == told
    (flaw,) = _flaws(moves={**tree["moves"], "fight": {**does, "log": "{who} fought {choose}"}})
    assert flaw == "`{choose}` stands for nothing here: it can be {who}, {whom} or {amount}"


def test_what_an_act_offers_twice_can_be_taken_twice(game: Game) -> None:
    """By an offer or by hand, each time one of them goes. The same act again doesn't add to what is left of it."""
    state = _play(game, game.fresh("Trial"), "hit ana").state
    assert _offered(game, state) == ["effect: Wound (Ana)"] * 2
    once = _play(game, state, "effect ana").state
    assert len(_offered(game, once)) == 1
    by_hand = _play(game, state, "wound ana").state
    assert len(_offered(game, by_hand)) == 1
    assert len(_offered(game, _play(game, once, "hit ana").state)) == 2
    twice = _play(game, once, "effect ana").state
    assert not _offered(game, twice)
    assert _values(game, state, twice) == {"crew.ana.hurt": 2}


def test_as_many_of_a_choice_as_its_number_says(game: Game) -> None:
    """The number is a formula, and is told while more than one is left. An offer that stands there twice can be taken twice."""
    fresh = game.fresh("Trial")
    assert not _offered(game, _play(game, fresh, "roll strike ana", 6, 1, 1, 1).state)
    one = _play(game, fresh, "roll strike ana", 6, 6, 1, 1).state
    assert _offered(game, one)[0] == "effect: Raise Ana's Armour"
    assert not _offered(game, _play(game, one, "effect ana").state)
    two = _play(game, fresh, "roll strike ana", 6, 6, 6, 1).state
    assert _offered(game, two) == [
        "effect: Raise Ana's Armour (choose up to 2)",
        *["effect: Lower Ana's Stress (choose up to 2)"] * 2,
        "skip: Ana: no stunt",
    ]
    taken = _play(game, two, "effect ana-2").state
    assert _offered(game, taken) == [
        "effect: Raise Ana's Armour",
        "effect: Lower Ana's Stress",
        "skip: Ana: no more stunt",
    ]
    with pytest.raises(ActRefused, match="ana-2"):
        parse_act(game.moves(taken), "effect ana-2")
    again = _play(game, taken, "effect ana-3").state
    assert not _offered(game, again)
    assert _values(game, two, again) == {"crew.ana.stress": 7}
    skipped = _play(game, taken, "skip ana")
    assert not _offered(game, skipped.state)
    assert [fact.text for fact in skipped.facts if isinstance(fact, NoteFact)] == ["Ana: no more stunt"]


def test_a_number_to_take_is_for_a_choice() -> None:
    """Without `one_of` each offer is for itself, and the number has to be one."""
    alone = {"rest": {"who": "crew", "does": [{"offer": "wound", "take": 2}]}}
    assert "`take` is for a choice between offers: add `one_of` as well" in _flaws(moves=alone)
    wrong = {"rest": {"who": "crew", "does": [{"offer": "mark hurt", "one_of": "gain", "take": "strss"}]}}
    (flaw,) = _flaws(moves=wrong)
    assert "`strss` is not a value here" in flaw


# -- a thing and its owner --------------------------------------------------------------------------------------------

OWNERS = """
id = "owners"
name = "Owners"
[sheet.crew.each]
stress = { range = [0, 9] }
vows = { each = { ticks = { range = [0, 10] } } }
[sheet.crew.start]
ana = { name = "Ana", vows = { moon = { name = "The moon" }, sea = { name = "The sea" } } }
bo = { name = "Bo", vows = { tower = { name = "The tower" } } }
[dice.swear]
who = "crew.vows"
bands = [{ outcome = "bad", grade = "fiasco" }, { outcome = "good", from = 4 }]
[dice.price]
who = "crew"
bands = [{ outcome = "small", grade = "drawback" }]
[after.swear]
bad = [{ offer = "roll price", one_of = "price" }, { offer = "weep", one_of = "price" }]
good = [{ roll = "price" }]
[after.price]
small = ["mark stress"]
[moves.weep]
who = "crew"
does = ["mark stress 2"]
[moves.doubt]
who = "crew"
whom = "crew.vows"
does = [{ do = "lose ticks", who = "whom" }, "mark stress"]
"""


def test_the_owner_of_a_thing_is_offered_what_it_brings() -> None:
    """A roll or a move of people that a roll of what they have offers, or that follows by itself, is theirs."""
    game = _read(OWNERS)
    state = _play(game, game.fresh("Trial"), "roll swear tower", 1).state
    assert [label.split(": ")[0] for label in _offered(game, state)] == ["effect", "effect", "skip"]
    wept = _play(game, state, "effect tower-2").state
    assert _values(game, state, wept) == {"crew.bo.stress": 2}
    rolled = _play(game, state, "effect tower", 3)
    assert _values(game, state, rolled.state) == {"crew.bo.stress": 1}
    followed = _play(game, state, "roll swear sea", 5, 2)
    assert _values(game, state, followed.state) == {"crew.ana.stress": 1}
    assert [fact.who for fact in followed.facts if isinstance(fact, OutcomeFact)] == ["Ana, The sea", "Ana"]


def test_whom_of_a_list_that_people_have_are_things_of_who_acts() -> None:
    """Nobody is asked for what belongs to others."""
    game = _read(OWNERS)
    (doubt,) = (move for move in game.moves(game.fresh("Trial")) if move.id == "doubt ana")
    assert [option.word for ask in doubt.asks for option in getattr(ask, "options", ())] == ["moon", "sea"]


def test_what_somebody_has_is_named_without_its_owner_who_acts() -> None:
    """In the question of a move, and in the log, where the owner stands before it."""
    game = _read(OWNERS)
    state = _play(game, game.fresh("Trial"), "roll swear tower", 5, 1).state
    played = _play(game, state, "doubt bo tower")
    assert next(fact.text for fact in played.facts if isinstance(fact, NoteFact)) == "Bo: Doubt, The tower"


def test_an_offer_of_a_move_that_others_make_is_theirs() -> None:
    """Whoever of the same list makes it: they are named in what is typed. A foe's is still of who has acted."""
    moves = """
[moves.scare]
does = [{ move = "fret", who = "others" }, { move = "growl", who = "foes" }]
who = "crew"
[moves.fret]
who = "crew"
does = [{ offer = "weep" }]
[moves.growl]
who = "foes"
does = [{ offer = "mark anger" }]
"""
    foes = '[sheet.foes.each]\nanger = { range = [0, 3] }\n[sheet.foes.start.wolf]\nname = "Wolf"\n[dice.swear]'
    game = _read(OWNERS.replace("[dice.swear]", foes, 1) + moves)
    state = _play(game, game.fresh("Trial"), "scare ana").state
    offered = {move.id: move.label for move in game.moves(state) if move.verb == "effect"}
    assert offered.keys() == {"effect bo", "effect ana"}
    assert ["Bo" in offered["effect bo"], "Wolf" in offered["effect ana"]] == [True, True]


# -- clocks -----------------------------------------------------------------------------------------------------------


def test_a_roll_can_leave_clocks_alone(game: Game) -> None:
    """Nothing is asked of clocks before it, and none is offered after it, also where the roll itself was offered."""
    fresh = game.fresh("Trial")
    assert "on leak" in [move.id for move in game.moves(_play(game, fresh, "roll act ana", 1, 1, 1, 1, 1).state)]
    asked = {move.id: [ask.name for ask in move.asks] for move in game.moves(fresh)}
    assert (asked["roll act ana"], asked["roll recover ana"]) == (["on"], [])
    for line in ("roll recover ana", "wait ana"):
        state = _play(game, fresh, line, *((1,) if line.startswith("roll") else ())).state
        after = _play(game, state, "effect ana", 1).state if line == "wait ana" else state
        assert "on leak" not in [move.id for move in game.moves(after)]


def test_a_value_that_is_shown_nowhere_says_nothing() -> None:
    """Others beside it do."""
    trial = Trial(
        '[sheet.ship.values]\nscratch = { number = 0, show = "nowhere" }\nhull = { range = [0, 6] }\n'
        '[moves.hit]\ndoes = ["set scratch to 2", "gain hull scratch"]\n'
    )
    assert trial.play("hit") == ["Hit", "Hull 0 → 2"]
    assert trial.state.sheet.ship.scratch == 2
