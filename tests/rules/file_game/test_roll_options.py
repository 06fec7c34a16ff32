"""Options that are for the things of a list: gear that adds dice, and people who help."""

from __future__ import annotations

import tomllib
from itertools import product
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
from waylog.rules.model.moves import ActRefused, PickMany
from waylog.rules.model.odds import Ratio
from waylog.rules.model.state import State

Tree = dict[str, Any]
TARGET = 6


def _tree(**gear: Any) -> Tree:
    uses = {"range": [0, 2], "start": 1}
    return {
        "id": "job",
        "name": "Job",
        "sheet": {
            "team": {
                "values": {
                    "stress": {"range": [0, 3]},
                    "kit": {"each": {"gone": {"flag": False}}, "start": {"torch": {"name": "Torch"}}},
                }
            },
            "crew": {
                "each": {
                    "edge": {"range": [0, 4], "start": 2},
                    "gear": {"each": {"uses": uses, "bonus": {"range": [1, 2]}}},
                },
                "start": {
                    "vesna": {"name": "Vesna", "gear": {"rope": {"name": "Silk rope", "bonus": 2}, "push": {}}},
                    "oskar": {"name": "Oskar", "gear": {"saw": {"uses": 0}}},
                },
            },
        },
        "dice": {
            "job": {
                "who": "crew",
                "pool": "edge",
                "die": "d8",
                "reading": "count",
                "target": TARGET,
                "bands": [{"outcome": "bad", "grade": "fiasco"}, {"outcome": "good", "from": 1}],
                "options": {
                    "push": {"dice": 1, "cost": ["mark stress 2"]},
                    "gear": {
                        "who": "crew.gear",
                        "dice": "bonus",
                        "when": "uses > 0",
                        "refusal": "used up",
                        "cost": ["spend uses", "mark stress"],
                        **gear,
                    },
                    "kit": {"who": "team.kit", "dice": 1, "cost": ["mark gone"]},
                    "help": {"who": "crew", "dice": "edge // 2", "cost": ["lose edge"]},
                },
            }
        },
        "after": {"job": {"bad": [{"do": "mark stress", "when": "options.gear"}]}},
    }


def _game(tree: Tree) -> tuple[Game, State]:
    assert check_game(tree)[1] == ()
    game = Game(rulebook_of(tree))
    return game, game.fresh("Trial")


def _options(game: Game, state: State, who: str) -> dict[str, str]:
    """Return what may be chosen for somebody's roll, by word, with what it brings or why it can't be chosen."""
    roll = next(move for move in game.moves(state) if move.words == ("job", who))
    asked = [
        one for ask in roll.asks if isinstance(ask, PickMany) and ask.name.startswith("options") for one in ask.options
    ]
    return {one.word: f"✗ {one.blocked.reason}" if one.blocked else f"{one.label} {one.note}" for one in asked}


def _play(game: Game, state: State, words: str, *faces: int) -> tuple[State, list[str]]:
    act = parse_act(game.moves(state), words)
    played = game.play(state, act, TypedDice(faces), "2026-01-05 20:00")
    return played.state, [fact.text for fact in played.facts if isinstance(fact, NoteFact)]


def test_each_thing_is_an_option_of_its_own() -> None:
    """What people have is for themselves, what a table has for all, and people for one another; each by a word that is free."""
    game, state = _game(_tree())
    assert _options(game, state, "vesna") == {
        "push": "Push +1 die, costs 2 Stress",
        "rope": "Silk rope +2 dice, costs 1 Uses, 1 Stress",
        "gear-push": "push +1 die, costs 1 Uses, 1 Stress",
        "torch": "Torch +1 die",
        "oskar": "Oskar +1 die, costs 1 Edge",
    }
    assert _options(game, state, "oskar") == {
        "push": "Push +1 die, costs 2 Stress",
        "saw": "✗ used up",
        "torch": "Torch +1 die",
        "vesna": "Vesna +1 die, costs 1 Edge",
    }
    with pytest.raises(ActRefused, match="used up"):
        _play(game, state, "roll job oskar saw")


@pytest.mark.parametrize(
    ("words", "dice"), [("vesna", 2), ("vesna rope", 4), ("vesna rope gear-push", 5), ("oskar torch vesna", 4)]
)
def test_the_odds_are_those_of_all_dice(words: str, dice: int) -> None:
    """As every throw of them gives."""
    game, state = _game(_tree())
    act = parse_act(game.moves(state), f"roll job {words}")
    odds = game.odds(state, act.move, act.answers)
    throws = [*product(range(1, 9), repeat=dice)]
    bad = sum(max(throw) < TARGET for throw in throws)
    assert odds is not None
    assert odds.dice.startswith(f"{dice}d8")
    assert {chance.outcome: chance.chance for chance in odds.spread.chances} == {
        "bad": Ratio(bad, len(throws)),
        "good": Ratio(len(throws) - bad, len(throws)),
    }


def test_what_is_chosen_is_paid_by_the_thing() -> None:
    """A formula behind the roll knows that there was one, and what is gone is offered no more."""
    game, state = _game(_tree())
    state, told = _play(game, state, "roll job vesna rope torch", 1, 2, 3, 4, 5)
    assert told == ["Vesna, Silk rope: Uses 1 → 0", "Stress 0 → 1", "Torch: now Gone", "Stress 1 → 2"]
    assert state.sheet.crew["vesna"].gear["rope"].uses == 0
    offered = _options(game, state, "vesna")
    assert offered["rope"] == "✗ used up"
    assert "torch" not in offered
    state, told = _play(game, state, "roll job vesna oskar", 1, 2, 3)
    assert told == ["Oskar: Edge 2 → 1"]


def test_several_are_paid_together_or_not_at_all() -> None:
    """Two things may need more than there is, each of which alone could be paid."""
    game, state = _game(_tree())
    state, _ = _play(game, state, "mark stress")
    for words, dice in (("rope", 4), ("push", 3), ("gear-push", 3)):
        _play(game, state, f"roll job vesna {words}", *([8] * dice))
    with pytest.raises(ActRefused, match="can't go up by 1"):
        _play(game, state, "roll job vesna push rope", 8, 8, 8, 8, 8)


@pytest.mark.parametrize(
    ("cost", "start", "said"),
    [
        ("mark stress 2", 3, "Stress is already at 3 of 3, so it can't go up by 2"),
        ("mark stress 2", 2, "Stress is at 2 of 3, so it can't go up by 2"),
        ("lose stress 0 - 1", 3, "Stress is already at 3 of 3, so it can't go up by 1"),
        ("mark stress 0 - 2", 0, "not enough Stress: this needs 2 (0 left)"),
        ("mark stress 0 - 2", 1, "not enough Stress: this needs 2 (1 left)"),
        ("mark stress 1 - 1", 3, "Stress would stay at 3"),
        ("mark stress 0 - 2", 3, ""),
    ],
)
def test_a_refused_price_says_where_the_value_would_have_gone(cost: str, start: int, said: str) -> None:
    """By what it comes to, not by its verb: above the highest, below the lowest, or nowhere. At its highest, it can still go down."""
    tree = _tree()
    tree["sheet"]["team"]["values"]["stress"]["start"] = start
    tree["dice"]["job"]["options"]["push"]["cost"] = [cost]
    game, state = _game(tree)
    assert _options(game, state, "vesna")["push"].partition("✗ ")[2] == said


@pytest.mark.parametrize(
    ("gear", "said"),
    [
        ({"who": "gear"}, "`gear` is not a list of the sheet. Did you mean `crew.gear`?"),
        ({"dice": "bonsu"}, "`bonsu` is not a value here. Did you mean `bonus`?"),
        ({"cost": ["spend use"]}, "Did you mean `uses`?"),
        (
            {"die": "uses"},
            "or a value from crew whose choices are dice. To use a value from the item chosen in crew.gear, add `dice_label` as well",
        ),
        ({"die": "edge"}, "none of the choices of `edge` is a die"),
    ],
)
def test_what_is_wrong_with_it_is_told(gear: Tree, said: str) -> None:
    """Its formulas and costs read the thing."""
    assert [flaw.message for flaw in check_game(_tree(**gear))[1] if said in flaw.message]


def test_what_people_have_is_for_a_roll_of_people() -> None:
    """Nobody else has it."""
    tree = _tree(when="")
    tree["dice"]["job"] |= {"who": "", "pool": 2, "options": {"gear": {"who": "crew.gear", "dice": 1}}}
    (flaw,) = check_game(tree)[1]
    assert flaw.path == ("dice", "job", "options", "gear", "who")
    assert 'everything in crew.gear belongs to somebody in crew, so the roll needs who = "crew"' in flaw.message


CHOSEN = """
[formulas]
helpers = "1 if options.help else 0"
[sheet.crew.each]
harm = { range = [0, 3] }
arm = { range = [0, 9], start = 3 }
[sheet.crew.start.vesna]
name = "Vesna"
[dice.act]
who = "crew"
pool = "arm"
calls = { climb = {}, talk = {} }
options = { help = { plus = 1 } }
bands = [{ outcome = "bad", grade = "fiasco" }, { outcome = "good", from = 4 }]
[dice.run]
who = "crew"
calls = { climb = {}, swim = {} }
bands = [{ outcome = "bad", grade = "fiasco" }, { outcome = "good", from = 4 }]
[when.sore]
who = "crew"
rolls = ["act", "run"]
if = "harm > 0 and call == 'climb'"
dice = -1
plus = "0 - (call == 'climb')"
about = "A sore arm"
[when.broken]
who = "crew"
rolls = ["act"]
if = "harm > 1 and helpers == 0"
refuses = "only with help"
"""


def test_a_condition_reads_what_is_chosen_for_its_rolls() -> None:
    """It changes the dice of that choice alone, and refuses it alone: the others are possible."""
    tree = tomllib.loads(f'id = "trial"\nname = "Trial"\n{CHOSEN}')
    assert check_game(tree)[1] == ()
    system = rulebook_of(tree)
    assert not [flaw for flaw in advise(system) if flaw.path[0] == "when"]
    game = Game(system)
    state = game.fresh("Trial")
    dice = {}
    for harm in (0, 1, 2):
        now = game.decode({**game.write(state), "crew": {"vesna": {"name": "Vesna", "harm": harm}}})[0]
        for words in ("climb", "talk", "climb help"):
            act = parse_act(game.moves(now), f"roll act vesna {words}")
            try:
                odds = game.odds(now, act.move, complete_answers(act.move, act.answers))
                assert odds
                dice[harm, words] = odds.dice.partition(":")[0]
            except ActRefused as refused:
                dice[harm, words] = refused.refusal.reason
    assert dice == {
        (0, "climb"): "3d6",
        (0, "talk"): "3d6",
        (0, "climb help"): "3d6 +1",
        (1, "climb"): "2d6 -1",
        (1, "talk"): "3d6",
        (1, "climb help"): "2d6",
        (2, "climb"): "only with help",
        (2, "talk"): "only with help",
        (2, "climb help"): "2d6",
    }


def test_a_condition_reads_only_what_all_of_its_rolls_have() -> None:
    """An option of one of two rolls is none of the other's; without `rolls`, nothing is chosen in common."""

    def flaws(old: str, new: str) -> list[str]:
        text = CHOSEN.replace(old, new)
        assert text != CHOSEN
        return [flaw.message for flaw in check_game(tomllib.loads(f'id = "trial"\nname = "Trial"\n{text}'))[1]]

    (wrong,) = flaws("harm > 0 and call == 'climb'", "options.help")
    assert wrong.startswith(
        "`options` can be used only in the options, answers, dice and outcomes of the roll that has it"
    )
    (other,) = flaws("harm > 0 and call == 'climb'", "call == 'dance'")
    assert "swim" in other
    assert len(flaws('rolls = ["act", "run"]\n', "")) == 2


def test_what_a_choice_gains_is_no_price() -> None:
    """A point that changes sides is spent by one and gained by the other."""
    tree = {
        "id": "trial",
        "name": "Trial",
        "sheet": {
            "crew": {"each": {"nerve": {"number": 1}}, "start": {"vesna": {"name": "Vesna"}}},
            "team": {"values": {"points": {"number": 2, "one": "point"}, "doom": {"number": 0}}},
        },
        "dice": {
            "job": {
                "who": "crew",
                "pool": 1,
                "bands": [{"outcome": "bad", "grade": "fiasco"}, {"outcome": "good", "from": 4}],
                "options": {
                    "luck": {"plus": 1, "cost": ["spend team.points", "gain team.doom"]},
                    "fate": {"plus": 1, "cost": ["gain team.doom 2"]},
                },
            }
        },
    }
    game, state = _game(tree)
    assert _options(game, state, "vesna") == {
        "luck": "Luck +1, costs 1 point, +1 Doom",
        "fate": "Fate +1, +2 Doom",
    }
