"""What is chosen for a roll, alone or together, and what a paid step or the result makes of it."""

from __future__ import annotations

import tomllib
from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from waylog.rules.file_game.check import check_game
from waylog.rules.file_game.check_advice import advise
from waylog.rules.file_game.rulebook import rulebook_of
from waylog.rules.game import Game
from waylog.rules.language.command_parser import CommandUnclear, parse_act
from waylog.rules.model.answers import complete_answers, selected_words
from waylog.rules.model.dice import TypedDice
from waylog.rules.model.facts import NoteFact
from waylog.rules.model.moves import Act, ActRefused, PickMany
from waylog.rules.model.state import PlayResult, State

Tree = dict[str, Any]
JOB = """
id = "job"
name = "Job"
[sheet.ship.values]
coin = { range = [0, 4], start = 2 }
free = { range = [0, 2] }
[sheet.crew.each]
edge = { range = [0, 4], start = 2 }
stress = { range = [0, 9] }
marks = { tags = ["cold", "lost"] }
[sheet.crew.start]
ada = { name = "Ada" }
hob = { name = "Hob", edge = 4 }
una = { name = "Una", edge = 0 }
[sheet.foes.each]
guard = { range = [0, 6], start = 4 }
crew = { range = [0, 6], start = 6 }
[sheet.foes.start]
ox = { name = "The ox", guard = 5 }
[formulas]
ticks = "edge + 1"
[dice.act]
who = "crew"
pool = "edge"
reading = "count"
target = 5
bands = [{ outcome = "bad", grade = "fiasco" }, { outcome = "good", grade = "success", from = 1 }]
group = { counts = "best", outcomes = ["bad"], leader = ["mark stress"] }
[dice.act.options]
foe = { who = "foes", most = 1, target = "guard", when = "guard > 0", refusal = "it has no guard" }
help = { who = "crew", label = "Helping hand", most = 1, dice = 1, about = "A hand" }
heal = { who = "crew", pool = "edge" }
[dice.act.pick.paid]
free = { cost = ["spend ship.free"] }
coin = { cost = ["spend ship.coin"] }
[after.act]
good = [{ do = "lose guard result", who = "options.foe" }]
[spend.push]
rolls = ["act"]
cost = ["mark stress"]
dice = 1
[dice.rest]
who = "crew"
pool = "edge"
none = { dice = 2, reading = "lowest", best = "well" }
bands = [{ outcome = "ill", grade = "fiasco" }, { outcome = "well", grade = "success", from = 4 }, { outcome = "best", grade = "critical", from = 6, matches = 2 }]
[spend.bribe]
rolls = ["rest"]
cost = ["spend ship.coin"]
step = 1
limit = 1
[dice.volley]
who = "foes"
pool = "crew"
bands = [{ outcome = "hit" }]
[moves.wash]
who = "crew"
does = ["clear marks"]
when = "count(marks) > 0"
"""


def _tree(change: str = "", **parts: Any) -> Tree:
    return tomllib.loads(JOB + change) | parts


def _game(tree: Tree) -> tuple[Game, State]:
    assert [flaw.message for flaw in check_game(tree)[1]] == []
    game = Game(rulebook_of(tree))
    return game, game.fresh("Trial")


def _play(game: Game, state: State, line: str, *faces: int) -> PlayResult:
    return game.play(state, parse_act(game.moves(state), line), TypedDice(faces), "2026-01-05 20:00")


def _odds(game: Game, state: State, line: str) -> dict[str, dict[str, Fraction]]:
    act = parse_act(game.moves(state), line)
    odds = game.odds(state, act.move, complete_answers(act.move, act.answers))
    assert odds
    return {
        spread.label: {one.outcome: Fraction(str(one.chance)) for one in spread.chances if one.chance}
        for spread in (odds.spread, *odds.spends)
    }


def _with_free(state: State, free: int = 2) -> State:
    return replace(state, sheet=replace(state.sheet, ship=replace(state.sheet.ship, free=free)))


def test_the_pool_and_the_target_of_a_chosen_thing_are_its_own() -> None:
    """Those of the foe or the healer, and not those of who rolls."""
    game, state = _game(_tree())
    state = _with_free(state)
    assert _odds(game, state, "roll act ada")["with nothing spent"]["bad"] == Fraction(4, 9)
    assert _odds(game, state, "roll act ada ox")["with nothing spent"]["bad"] == Fraction(4, 9)
    guard = replace(state.sheet.foes["ox"], guard=6)
    harder = replace(state, sheet=replace(state.sheet, foes={"ox": guard}))
    assert _odds(game, harder, "roll act ada ox")["with nothing spent"]["bad"] == Fraction(25, 36)
    assert _odds(game, state, "roll act ada heal hob")["with nothing spent"]["bad"] == Fraction(16, 81)


def test_a_value_of_whoever_acts_comes_before_a_table_of_that_name() -> None:
    """The crew of a ship is its own number, and not how many people there are."""
    game, state = _game(_tree())
    assert len(game.dice_to_type(state, parse_act(game.moves(state), "roll volley ox"))) == 6


def test_nobody_pays_for_an_answer_that_nobody_has_chosen() -> None:
    """The default is the first; if it is impossible now, one without a price; and if there is none, it is asked."""
    game, state = _game(_tree())
    assert _play(game, _with_free(state), "roll act ada", 1, 1).state.sheet.ship.free == 1
    with pytest.raises((ActRefused, CommandUnclear)):
        _play(game, state, "roll act ada", 1, 1)
    paid = _play(game, state, "roll act ada coin", 1, 1).state
    assert (paid.sheet.ship.free, paid.sheet.ship.coin) == (0, 1)


def test_too_many_helpers_are_told_how_many_can_help() -> None:
    """What they do is said once."""
    game, state = _game(_tree())
    state = _with_free(state)
    with pytest.raises(ActRefused, match="Helping hand: choose at most one"):
        _play(game, state, "roll act ada help hob help una", 1)
    act = parse_act(game.moves(state), "roll act ada help hob")
    odds = game.odds(state, act.move, complete_answers(act.move, act.answers))
    assert odds
    assert [note.text for note in odds.reasons] == ["Free costs 1 Free", "A hand"]


def _chosen(act: Act) -> tuple[str, ...]:
    """Return what was chosen for a roll, in the order in which it is asked."""
    return tuple(
        word for ask in act.move.asks if isinstance(ask, PickMany) for word in selected_words(act.answers, ask.name)
    )


def test_a_word_of_two_lists_needs_the_name_of_the_option() -> None:
    """In any state and for whoever rolls, so that no other choice is made than was meant."""
    tree = _tree()
    tree["sheet"]["foes"]["start"]["hob"] = {"name": "Hob", "guard": 3}
    game, state = _game(tree)
    state = _with_free(state)
    with pytest.raises(CommandUnclear, match="“hob” could be Foe: Hob, Helping hand: Hob or Heal: Hob"):
        parse_act(game.moves(state), "roll act ada hob")
    for words, chosen in (
        ("foe hob", ("foe-hob",)),
        ("help hob foe ox", ("ox", "help-hob")),
        ("foe-hob", ("foe-hob",)),
    ):
        assert _chosen(parse_act(game.moves(state), f"roll act ada {words}")) == chosen
    act = parse_act(game.moves(state), "roll act hob foe hob")
    assert (act.move.words, _chosen(act)) == (("act", "hob"), ("foe-hob",))
    move = next(move for move in game.moves(state) if move.id == "roll act ada")
    labels = {option.word: option.label for ask in move.asks if isinstance(ask, PickMany) for option in ask.options}
    assert (labels["foe-hob"], labels["help-hob"], labels["ox"]) == ("Foe: Hob", "Helping hand: Hob", "The ox")
    with pytest.raises(ActRefused, match="is already chosen"):
        parse_act(game.moves(state), "roll act ada ox ox")


def test_a_group_can_choose_a_foe() -> None:
    """A helper of those who may roll helps one of them alone."""
    game, state = _game(_tree())
    state = _with_free(state)
    done = _play(game, state, "group act ada hob ox", 1, 1, 5, 5, 1, 1)
    assert done.state.sheet.foes["ox"].guard == 3
    with pytest.raises((ActRefused, CommandUnclear)):
        _play(game, state, "group act ada hob heal-una", 1)


@pytest.mark.parametrize(("own", "stress"), [(False, 1), (True, 2)])
def test_the_leader_may_pay_for_their_own_outcome_too(own: bool, stress: int) -> None:
    """If the file says so."""
    tree = _tree()
    tree["dice"]["act"]["group"]["own"] = own
    game, state = _game(tree)
    done = _play(game, _with_free(state), "group act ada hob", 1, 1, 1, 1, 1, 1)
    assert done.state.sheet.crew["ada"].stress == stress


def test_a_paid_step_goes_beyond_what_no_dice_can_reach() -> None:
    """Two dice in place of none are never the best, but a price for one step more is paid for that."""
    game, state = _game(_tree())
    found = _odds(game, state, "roll rest una")
    assert found["with nothing spent"] == {"ill": Fraction(27, 36), "well": Fraction(9, 36)}
    assert found["with 1 Coin"] == {"well": Fraction(27, 36), "best": Fraction(9, 36)}
    asked = _play(game, state, "roll rest una", 6, 6).state
    assert game.question(asked) == "Rest: Well. Bribe?"


def test_dice_are_asked_about_where_each_success_counts() -> None:
    """The outcome is the best already, but the damage is the result."""
    game, state = _game(_tree())
    asked = _play(game, _with_free(state), "roll act ada ox", 5, 5).state
    assert game.question(asked) == "Act: Good. Push?"
    pushed = _play(game, asked, "push", 6).state
    assert _play(game, pushed, "keep").state.sheet.foes["ox"].guard == 2


def test_a_list_of_words_is_emptied() -> None:
    """All of them are told."""
    game, state = _game(_tree())
    done = _play(game, state, "wash ada")
    assert done.state.sheet.crew["ada"].marks == ()
    assert "Ada: “cold” and “lost” removed from Marks" in [
        fact.text for fact in done.facts if isinstance(fact, NoteFact)
    ]


def test_effects_on_others_read_formulas_of_who_acts() -> None:
    """But not those that whoever acts can't read."""
    sound = _tree()
    sound["after"]["act"]["good"] = [{"do": "lose guard actor.ticks", "who": "options.foe"}]
    game, state = _game(sound)
    assert _play(game, _with_free(state), "roll act ada ox", 5, 1).state.sheet.foes["ox"].guard == 2
    sound["formulas"]["guarding"] = "guard + 1"
    sound["after"]["act"]["good"] = [{"do": "lose guard actor.guarding", "who": "options.foe"}]
    assert "there is no `actor.guarding`" in check_game(sound)[1][0].message


def test_what_follows_from_a_mistake_is_not_told_beside_it() -> None:
    """An offer of a move that has a mistake is no second one."""
    tree = _tree(moves={"wash": {"who": "crew", "does": ["clear mraks"]}})
    tree["after"]["act"]["bad"] = [{"offer": "wash"}]
    assert [flaw.path[0] for flaw in check_game(tree)[1]] == ["moves"]


def test_conditions_on_free_texts_words_and_large_numbers_can_hold() -> None:
    """The check tries a text, each word that a formula asks for, and numbers beyond a hundred."""
    tree = tomllib.loads("""
        id = "t"
        name = "T"
        [sheet.crew.each]
        wounds = { tags = [] }
        harm = { text = "" }
        purse = { number = 0 }
        edge = { range = [1, 3] }
        [sheet.crew.start.ada]
        name = "Ada"
        [dice.act]
        who = "crew"
        pool = "edge"
        bands = [{ outcome = "bad", grade = "fiasco" }, { outcome = "good", from = 5 }]
        [after.act]
        bad = ["add wounds 'Broken arm'"]
        good = ["gain purse 20"]
        [when.arm]
        who = "crew"
        if = "'Broken arm' in wounds"
        plus = -1
        [when.hurt]
        who = "crew"
        if = "harm != ''"
        plus = -1
        [moves.buy]
        who = "crew"
        does = ["spend purse 500", "gain edge"]
        when = "edge < 3"
    """)
    assert [*advise(rulebook_of(tree))] == []
