"""Rolls that are paid for in place of being rolled."""

from __future__ import annotations

from typing import Any

import pytest

from waylog.rules.file_game.check import check_game
from waylog.rules.file_game.rulebook import rulebook_of
from waylog.rules.game import Game
from waylog.rules.language.command_parser import parse_act
from waylog.rules.model.dice import TypedDice
from waylog.rules.model.facts import OutcomeFact, OutcomeGrade
from waylog.rules.model.moves import ActRefused

Tree = dict[str, Any]


def _tree(**instead: Any) -> Tree:
    return {
        "id": "paid",
        "name": "Paid",
        "sheet": {
            "team": {
                "values": {"coin": {"range": [0, 9], "start": 3}, "dark": {"flag": False}, "doors": {"number": 0}}
            },
            "crew": {
                "each": {"luck": {"range": [0, 3], "start": 2}, "hurt": {"flag": False}},
                "start": {"mara": {"name": "Mara"}, "joss": {"name": "Joss", "hurt": True}},
            },
        },
        "dice": {
            "pick": {
                "who": "crew",
                "when": "not team.dark",
                "refusal": "it is dark",
                "bands": [{"outcome": "shut", "grade": "fiasco"}, {"outcome": "open", "label": "Open", "from": 5}],
                "instead": {"cost": ["spend luck 2", "spend team.coin"], "outcome": "open", **instead},
            }
        },
        "after": {
            "pick": {"open": ["gain doors", {"do": "gain doors", "when": "outcome == 'open'"}], "shut": ["lose doors"]}
        },
        "when": {"hurt": {"who": "crew", "if": "hurt", "refuses": "they are hurt"}},
    }


def _game(tree: Tree) -> Game:
    assert check_game(tree)[1] == ()
    return Game(rulebook_of(tree))


def test_it_costs_its_price_and_has_its_outcome() -> None:
    """With all that follows from the outcome, and without a die."""
    game = _game(_tree(label="Bribe the guard"))
    first = game.fresh("Trial")
    (move,) = [move for move in game.moves(first) if move.id == "pay pick mara"]
    assert (move.label, move.rolls, move.blocked) == ("Bribe the guard: Mara (2 Luck, 1 Coin)", False, None)
    played = game.play(first, parse_act(game.moves(first), "pay pick mara"), TypedDice([]))
    assert {".".join(change.path): change.after for change in game.difference(first, played.state)} == {
        "team.coin": 2,
        "team.doors": 2,
        "crew.mara.luck": 0,
    }
    (outcome,) = [fact for fact in played.facts if isinstance(fact, OutcomeFact)]
    assert (outcome.outcome, outcome.mood, outcome.who) == ("open", OutcomeGrade.SUCCESS, "Mara")
    assert game.question(played.state) is None


@pytest.mark.parametrize(
    ("settings", "words", "said"),
    [
        ("crew.mara.luck 1", "pay pick mara", r"not enough Luck: this needs 2 \(1 left\)"),
        ("team.coin 0", "pay pick mara", "no Coin left"),
        ("team.dark true", "pay pick mara", "it is dark"),
        ("team.doors 1", "pay pick joss", "they are hurt"),
        ("team.doors 3", "pay pick mara", "there are no more doors"),
    ],
)
def test_it_is_refused_with_the_reason(settings: str, words: str, said: str) -> None:
    """Where the price isn't there in full, and where it could not be rolled either."""
    game = _game(_tree(when="doors < 3", refusal="there are no more doors"))
    state = game.fresh("Trial")
    state = game.play(state, parse_act(game.moves(state), f"set {settings}"), TypedDice([])).state
    with pytest.raises(ActRefused, match=said):
        game.play(state, parse_act(game.moves(state), words), TypedDice([]))


@pytest.mark.parametrize(
    ("instead", "said"),
    [
        ({"outcome": "opne"}, "there is no outcome “opne”. Did you mean `open`?"),
        ({"outcome": ""}, "there is no outcome “”. The outcomes are shut, open"),
        ({"cost": []}, 'what is paid is missing: write, for example, cost = ["spend luck 2"]'),
        ({"cost": ["fill luck"]}, "a cost must start with mark"),
        ({"cost": ["spend lukc"]}, "`lukc` is not a value here. Did you mean `luck`?"),
        ({"when": "coin +"}, "near “coin”, something is missing"),
    ],
)
def test_what_is_wrong_with_it_is_told(instead: Tree, said: str) -> None:
    """Once, at its place."""
    (flaw,) = check_game(_tree(**instead))[1]
    assert flaw.path[:3] == ("dice", "pick", "instead")
    assert said in flaw.message


def test_its_verb_is_taken() -> None:
    """A move of the file can't have it."""
    tree = {**_tree(), "moves": {"pay": {"does": ["gain doors"]}}}
    (flaw,) = check_game(tree)[1]
    assert "“pay” is one of Waylog's own commands" in flaw.message
