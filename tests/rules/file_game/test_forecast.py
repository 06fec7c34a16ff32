"""What a bad outcome would do is told with the odds of a roll."""

from __future__ import annotations

import pytest

from tests.file_games import game_of
from waylog.rules.file_game.rulebook import rulebook_of
from waylog.rules.game import Game
from waylog.rules.language.commands_and_grammar import parse_act
from waylog.rules.model.answers import complete_answers
from waylog.rules.model.dice import TypedDice


def _forecast(game: Game, *lines: str) -> list[str]:
    *before, asked = lines
    state = game.fresh("Trial")
    for line in before:
        state = game.play(state, parse_act(game.moves(state), line), TypedDice([])).state
    act = parse_act(game.moves(state), asked)
    odds = game.odds(state, act.move, complete_answers(act.move, act.answers))
    assert odds
    return [note.text for note in odds.forecast]


@pytest.mark.parametrize(
    ("name", "lines", "told"),
    [
        (
            "breakers-yard",
            ["roll cut oda"],
            ["It goes wrong (12.5 %): Hull 5 → 4", "At a price (45.4 %): Haul 0 → 1, Oda Fell: Stress 0 → 1"],
        ),
        (
            "breakers-yard",
            ["set tug.hull 0", "roll cut ruske"],
            ["At a price (44.4 %): Haul 0 → 1, Ruske: Stress 0 → 1"],
        ),
        ("under-the-ice", ["roll craft irsa"], ["A disaster (6 %): Power 5 → 4"]),
        ("under-the-ice", ["roll craft irsa hard"], ["A disaster (8 %): Power 5 → 4, Breach starts"]),
        ("under-the-ice", ["roll sanity holm horror"], ["It is too much (50 %): Dr Holm: Sanity 50 → 38"]),
        ("breakers-yard", ["roll read pim"], ["It goes wrong (12.5 %): Pim: Stress 0 → 1"]),
    ],
)
def test_it_says_what_would_change_as_things_are(name: str, lines: list[str], told: list[str]) -> None:
    """Of bad outcomes that have a chance, by what is chosen for the roll; what changes nothing is left out."""
    assert _forecast(Game(game_of(name)), *lines) == told


def test_it_says_that_the_dice_decide_more_and_what_is_paid_first() -> None:
    """What an option costs is gone by then. What is hidden stays so."""
    tree = {
        "id": "cast",
        "name": "Cast",
        "sheet": {"team": {"values": {"coin": {"range": [0, 9], "start": 3}, "doom": {"number": 0, "secret": True}}}},
        "dice": {
            "cast": {
                "bands": [{"outcome": "bad", "grade": "fiasco"}, {"outcome": "good", "from": 5}],
                "options": {"help": {"cost": ["spend coin 2"]}},
            }
        },
        "after": {
            "cast": {
                "bad": ["lose coin", "gain doom result", {"do": "gain doom 9", "when": "doubles"}, "gain doom 2"],
                "good": ["gain coin"],
            }
        },
    }
    game = Game(rulebook_of(tree))
    assert _forecast(game, "roll cast") == ["Bad (66.7 %): Coin 3 → 2, Doom 0 → 2, the rest depends on the dice"]
    assert _forecast(game, "roll cast help") == ["Bad (66.7 %): Coin 1 → 0, Doom 0 → 2, the rest depends on the dice"]
    state = game.fresh("Trial")
    act = parse_act(game.moves(state), "roll cast")
    odds = game.odds(state, act.move, complete_answers(act.move, act.answers))
    assert odds
    assert [note.secret for note in odds.forecast] == [True]


def test_it_says_which_rolls_follow() -> None:
    """If they follow as things are; an outcome whose effects all depend on the dice says so, too."""
    tree = {
        "id": "cast",
        "name": "Cast",
        "sheet": {"team": {"values": {"hurt": {"range": [0, 9]}, "dark": {"flag": False}}}},
        "dice": {
            "cast": {
                "bands": [
                    {"outcome": "bad", "grade": "fiasco"},
                    {"outcome": "weak", "grade": "drawback", "from": 3},
                    {"outcome": "good", "from": 5},
                ]
            },
            "fear": {
                "label": "Cold fear",
                "bands": [{"outcome": "shaken", "grade": "fiasco"}, {"outcome": "calm", "from": 3}],
            },
        },
        "after": {"cast": {"bad": ["mark hurt", {"roll": "fear", "when": "dark"}], "weak": ["mark hurt result"]}},
    }
    game = Game(rulebook_of(tree))
    weak = "Weak (33.3 %): the dice decide"
    assert _forecast(game, "roll cast") == ["Bad (33.3 %): Hurt 0 → 1", weak]
    assert _forecast(game, "set team.dark true", "roll cast") == [
        "Bad (33.3 %): Hurt 0 → 1, then the roll “Cold fear”",
        weak,
    ]
