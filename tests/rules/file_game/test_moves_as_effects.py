"""A move of the game that an effect does."""

from __future__ import annotations

import tomllib
from typing import Any

import pytest

from waylog.rules.file_game.check import check_game
from waylog.rules.file_game.check_advice import advise
from waylog.rules.file_game.rulebook import rulebook_of
from waylog.rules.game import Game
from waylog.rules.language.command_parser import parse_act
from waylog.rules.model.answers import complete_answers
from waylog.rules.model.dice import TypedDice
from waylog.rules.model.facts import NoteFact
from waylog.rules.model.moves import PickMany, PickOne
from waylog.rules.model.state import PlayResult, State

Tree = dict[str, Any]
GAME = """
id = "game"
name = "Game"
[sheet.team.values]
alarm = { range = [0, 6] }
[sheet.crew.each]
armour = { range = [0, 4], start = 1 }
hurt = { range = [0, 9], when_full = [{ move = "fall" }] }
down = { flag = false, moves = false }
nerve = { range = [0, 3], start = 1 }
gear = { each = { worn = { flag = false } }, start = { rope = { name = "Rope" } } }
[sheet.crew.start]
ada = { name = "Ada" }
hob = { name = "Hob", armour = 3 }
[dice.act]
who = "crew"
pool = 2
reading = "sum"
bands = [{ outcome = "bad", grade = "fiasco" }, { outcome = "good", from = 8 }, { outcome = "wild", grade = "critical", from = 12 }]
[after.act]
bad = [{ move = "harm", amount = "result" }]
good = [{ move = "harm", amount = "result - 6", who = "others" }, { move = "shout" }]
wild = [{ move = "calm" }]
[moves.harm]
who = "crew"
label = "Take a blow"
amount = [1, 20]
does = ["gain hurt max(0, amount - armour)", { do = "mark team.alarm", when = "amount > 4" }]
[moves.fall]
who = "crew"
does = ["mark down", { move = "shout" }]
when = "not down"
[moves.shout]
does = ["mark alarm"]
[moves.calm]
who = "crew"
label = "Breathe"
does = ["spend nerve", "lose hurt 1d4"]
when = "hurt > 0"
refusal = "nothing hurts"
[moves.drop]
who = "crew.gear"
does = ["mark worn", { move = "calm" }]
"""


def _game(tree: Tree) -> tuple[Game, State]:
    assert [flaw.message for flaw in check_game(tree)[1]] == []
    game = Game(rulebook_of(tree))
    return game, game.fresh("Trial")


def _play(game: Game, state: State, line: str, *faces: int) -> PlayResult:
    return game.play(state, parse_act(game.moves(state), line), TypedDice(faces), "2026-01-05 20:00")


def _hurt(state: State) -> dict[str, int]:
    return {key: one.hurt for key, one in state.sheet.crew.items()}


def _texts(played: PlayResult) -> list[str]:
    return [fact.text for fact in played.facts if isinstance(fact, NoteFact)]


def test_a_move_is_done_with_the_number_of_a_formula() -> None:
    """For who acts, or for each of the others; what is above its highest number counts as that, and below its lowest nothing happens."""
    game, state = _game(tomllib.loads(GAME))
    assert _hurt(_play(game, state, "roll act ada", 2, 3).state) == {"ada": 4, "hob": 0}
    others = _play(game, state, "roll act ada", 4, 6).state
    assert (_hurt(others), others.sheet.team.alarm) == ({"ada": 0, "hob": 1}, 1)
    tree = tomllib.loads(GAME)
    tree["moves"]["harm"]["amount"] = [4, 5]
    game, state = _game(tree)
    assert _hurt(_play(game, state, "roll act ada", 3, 4).state)["ada"] == 4
    assert _hurt(_play(game, state, "roll act ada", 1, 2).state)["ada"] == 0


def test_a_move_that_is_impossible_says_why() -> None:
    """By its condition, or because its price isn't there; the rest of the act is done."""
    game, state = _game(tomllib.loads(GAME))
    assert "Breathe: nothing hurts" in _texts(_play(game, state, "roll act ada", 6, 6))
    hurt = _play(game, state, "mark ada hurt 3").state
    calm = _play(game, hurt, "roll act ada", 6, 6, 2)
    assert (_hurt(calm.state)["ada"], calm.state.sheet.crew["ada"].nerve) == (1, 0)
    again = _play(game, calm.state, "roll act ada", 6, 6)
    assert (_hurt(again.state)["ada"], [text for text in _texts(again) if "Breathe" in text]) == (
        1,
        ["Breathe: no Nerve left"],
    )


def test_moves_bring_moves_also_at_a_limit_and_for_the_owner() -> None:
    """Each its own."""
    game, state = _game(tomllib.loads(GAME))
    down = _play(game, state, "harm ada 20").state
    assert (down.sheet.crew["ada"].down, down.sheet.team.alarm) == (True, 2)
    hurt = _play(game, state, "mark ada hurt 3").state
    dropped = _play(game, hurt, "drop rope" if "drop rope" in [m.id for m in game.moves(hurt)] else "drop ada-rope", 2)
    assert _hurt(dropped.state)["ada"] == 1


def test_what_a_move_does_is_foreseen_unless_dice_decide() -> None:
    """In the forecast of a roll. What its own dice decide is told with its chance."""
    tree = tomllib.loads(GAME)
    tree["after"]["act"]["bad"] = [{"move": "harm", "amount": 3}, {"move": "calm"}]
    game, state = _game(tree)
    act = parse_act(game.moves(state), "roll act ada")
    odds = game.odds(state, act.move, complete_answers(act.move, act.answers))
    assert odds
    assert [note.text.partition(": ")[2] for note in odds.forecast] == [
        "Ada: Hurt 0 → 2, and the rest depends on the dice",
        "Alarm 0 → 1 (25 %); Hob: Hurt 0 → 1, Alarm 0 → 1 (8.3 %); Hob: Hurt 0 → 2, Alarm 0 → 1, Alarm 1 → 2 (5.6 %)",
        "the dice decide",
    ]


@pytest.mark.parametrize(
    ("change", "wrong"),
    [
        ({"move": "hram"}, "there is no move `hram`. Did you mean `harm`?"),
        ({"move": "harm"}, "the move harm takes a number: write `amount`, such as amount = 2"),
        ({"move": "shout", "amount": 2}, "the move shout takes no number: remove `amount`"),
        ({"do": "mark hurt", "amount": 2}, "`amount` is the number for a move: add `move` or `offer` as well"),
        ({"move": "pick"}, 'the move pick asks a question (`choose`), so it can only be offered: write offer = "pick"'),
        ({"move": "drop"}, "only those in `crew.gear` can make the move drop, but this effect belongs to `crew`"),
        ({"move": "again"}, "again does itself again, which would never end"),
        ({"move": "harm", "amount": "resilt"}, "`resilt` is not a value here"),
    ],
)
def test_mistakes_about_moves_are_named(change: Tree, wrong: str) -> None:
    """With what to write."""
    tree = tomllib.loads(GAME)
    tree["moves"]["pick-one"] = {"choose": {"left": {"does": ["mark alarm"]}}}
    tree["moves"]["again"] = {"who": "crew", "does": [{"move": "again"}]}
    tree["after"]["act"]["bad"] = [change if change.get("move") != "pick" else {"move": "pick-one"}]
    wrong = wrong.replace("pick asks", "pick-one asks").replace('"pick"', '"pick-one"')
    assert any(wrong in flaw.message for flaw in check_game(tree)[1]), check_game(tree)[1]


def test_a_move_that_brings_itself_is_named() -> None:
    """Directly, or by another."""
    tree = tomllib.loads(GAME)
    tree["moves"]["shout"]["does"].append({"move": "echo"})
    tree["moves"]["echo"] = {"does": ["mark alarm", {"move": "shout"}]}
    flaws = check_game(tree)[1]
    assert {flaw.path for flaw in flaws} == {
        ("moves", "shout", "does", "1", "move"),
        ("moves", "echo", "does", "1", "move"),
    }


def test_a_move_of_which_no_answer_is_possible_says_why_of_each() -> None:
    """With what each of them says."""
    tree = tomllib.loads(GAME)
    dear = {"does": ["spend nerve 3"]}
    tree["moves"]["armour"] = {
        "who": "crew",
        "choose": {"light": {"when": "down", "refusal": "worn out"}, "heavy": dear},
    }
    game, state = _game(tree)
    move = next(move for move in game.moves(state) if move.id == "armour ada")
    assert move.blocked
    assert move.blocked.reason == (
        "nothing can be chosen now (Light: worn out, Heavy: not enough Nerve: this needs 3 (1 left))"
    )


def test_a_price_has_no_move() -> None:
    """It has to be known before it is paid."""
    tree = tomllib.loads(GAME)
    tree["spend"] = {"push": {"cost": [{"move": "shout"}], "plus": 1}}
    assert "a cost can't be a move" in check_game(tree)[1][0].message


def test_the_check_has_nothing_against_it() -> None:
    """What only moves do is done."""
    assert [*advise(rulebook_of(tomllib.loads(GAME)))] == []


# -- rolls that are based on others -----------------------------------------------------------------------------------

SAVES = """
[dice.save]
base = "act"
calls = { brave = { dice = 1 } }
[after.save]
good = ["gain team.alarm 2"]
"""


def test_a_roll_based_on_another_has_what_it_does_not_say_itself() -> None:
    """Its dice and outcomes, and what these do, but not its label."""
    tree = tomllib.loads(GAME + SAVES)
    tree["dice"]["act"]["label"] = "Act now"
    game, state = _game(tree)
    bad = _play(game, state, "roll save ada", 2, 3, 1)
    assert _hurt(bad.state) == {"ada": 5, "hob": 0}
    assert _play(game, state, "roll save ada", 4, 3, 3).state.sheet.team.alarm == 2
    labels = {move.id: move.label for move in game.moves(state) if move.verb == "roll"}
    assert labels["roll save ada"] == "Roll Save for Ada"
    assert [*advise(rulebook_of(tomllib.loads(GAME + SAVES)))] == []


def test_a_house_rule_that_changes_a_base_changes_what_is_based_on_it() -> None:
    """As if it stood there."""
    tree = tomllib.loads(GAME + SAVES)
    tree["house_rules"] = {"grim": {"flag": True, "when": {"true": {"dice": {"act": {"plus": -5}}}}}}
    game, state = _game(tree)
    assert _hurt(_play(game, state, "roll save ada", 4, 3, 3).state) == {"ada": 4, "hob": 0}


@pytest.mark.parametrize(
    ("base", "wrong"),
    [
        ("atc", "there is no roll `atc`. Did you mean `act`?"),
        ("save", "save is based on itself: remove this `base`"),
        ("other", "save is based on other, which is based on save: remove the `base` of one of them"),
    ],
)
def test_a_base_that_is_none_is_named(base: str, wrong: str) -> None:
    """With what to write."""
    tree = tomllib.loads(GAME + SAVES)
    tree["dice"]["save"]["base"] = base
    tree["dice"]["other"] = {"base": "save"}
    found = [flaw.message for flaw in check_game(tree)[1] if flaw.path[1] == "save"]
    assert len(found) == 1
    assert found[0].startswith(wrong)


def test_a_base_may_have_a_base() -> None:
    """What neither says is as in the first."""
    tree = tomllib.loads(GAME + SAVES)
    tree["dice"]["last"] = {"base": "save"}
    game, state = _game(tree)
    (roll,) = [move for move in game.moves(state) if move.id == "roll last ada"]
    assert [ask.name for ask in roll.asks][:1] == ["call"]
    assert _play(game, state, "roll last ada", 4, 3, 3).state.sheet.team.alarm == 2


def test_options_and_questions_of_a_roll_are_added_to_those_of_its_base() -> None:
    """One of the same name takes its place; with `without`, none of the base's is there."""
    tree = tomllib.loads(GAME + SAVES)
    tree["dice"]["act"] |= {
        "options": {"push": {"dice": 1}, "aim": {"plus": 1}},
        "pick": {"where": {"here": {}, "there": {}}},
    }
    tree["dice"]["save"] |= {
        "options": {"aim": {"plus": 2}, "foe": {"dice": 2}},
        "pick": {"when": {"now": {}, "later": {}}},
    }

    def asked() -> list[tuple[str, list[str]]]:
        game, state = _game(tree)
        (roll,) = [move for move in game.moves(state) if move.id == "roll save ada"]
        return [
            (ask.name, [option.word for option in ask.options])
            for ask in roll.asks
            if isinstance(ask, PickOne | PickMany)
        ]

    own = [("call", ["brave"]), ("where", ["here", "there"]), ("when", ["now", "later"])]
    assert asked() == [*own, ("options", ["push", "aim", "foe"])]
    tree["dice"]["save"]["without"] = ["options", "pick"]
    assert asked() == [own[0], own[2], ("options", ["aim", "foe"])]


def test_what_a_base_has_can_be_left_out() -> None:
    """Its keys by name, and what it does after every outcome by an empty list, of which the check reminds if its own
    outcomes are about the same.
    """
    tree = tomllib.loads(GAME + SAVES)
    tree["dice"]["act"]["group"] = {}
    tree["dice"]["save"]["without"] = ["group"]
    tree["after"]["act"]["any"] = ["gain team.alarm"]
    tree["after"]["save"] |= {"bad": [], "wild": []}
    game, state = _game(tree)
    assert {move.words[0] for move in game.moves(state) if move.verb == "group"} == {"act"}
    assert _play(game, state, "roll save ada", 4, 3, 3).state.sheet.team.alarm == 3
    (said,) = [flaw for flaw in advise(rulebook_of(tree)) if flaw.path == ("after", "save")]
    assert "write any = []" in said.message
    tree["after"]["act"]["any"] = [{"say": "Dust settles"}]
    assert not [flaw for flaw in advise(rulebook_of(tree)) if flaw.path == ("after", "save")]
    tree["after"]["save"]["any"] = []
    game, state = _game(tree)
    assert _play(game, state, "roll save ada", 4, 3, 3).state.sheet.team.alarm == 2
    assert not [flaw for flaw in advise(rulebook_of(tree)) if flaw.path == ("after", "save")]
    tree["dice"]["save"]["without"] = ["gruop"]
    assert [flaw.message for flaw in check_game(tree)[1]] == ["a roll has no key `gruop`. Did you mean `group`?"]


def test_formulas_by_name_read_what_was_chosen() -> None:
    """Of a move and of an option, added up; those that can't be read there are named."""
    tree = tomllib.loads(GAME)
    tree["formulas"] = {"worth": "armour * 2", "loud": "team.alarm + amount"}
    tree["moves"]["aid"] = {"who": "crew", "whom": "crew", "does": ["gain hurt whom.worth"]}
    tree["dice"]["act"]["options"] = {"help": {"who": "crew", "plus": 1}}
    tree["after"]["act"]["bad"] = ["gain hurt options.help.worth"]
    game, state = _game(tree)
    assert _hurt(_play(game, state, "aid ada hob").state)["ada"] == 6
    assert _hurt(_play(game, state, "roll act ada help hob", 1, 2).state)["ada"] == 6
    assert _hurt(_play(game, state, "roll act ada", 1, 2).state)["ada"] == 0
    tree["moves"]["aid"]["does"] = ["gain hurt whom.loud"]
    assert any("there is no `whom.loud`" in flaw.message for flaw in check_game(tree)[1])
