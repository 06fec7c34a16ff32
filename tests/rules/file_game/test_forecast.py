"""What each outcome would do is told with the odds of a roll."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from tests.file_games import game_of
from tests.rules.file_game.game_on_trial import SWORN, Trial
from waylog.rules.file_game.rulebook import rulebook_of
from waylog.rules.game import Game
from waylog.rules.language.command_parser import parse_act
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
            [
                "It goes wrong (12.5 %): Hull 5 → 4",
                "At a price (45.4 %): Haul 0 → 1, Oda Fell: Stress 0 → 1",
                "It works (34.7 %): Haul 0 → 2",
                "A clean cut (7.4 %): Haul 0 → 3",
            ],
        ),
        (
            "breakers-yard",
            ["set tug.hull 0", "roll cut ruske"],
            [
                "At a price (44.4 %): Haul 0 → 1, Ruske: Stress 0 → 1",
                "It works (27.8 %): Haul 0 → 2",
                "A clean cut (2.8 %): Haul 0 → 3",
            ],
        ),
        (
            "under-the-ice",
            ["roll craft irsa"],
            ["A disaster (6 %): Power 5 → 4", "Better than hoped (4 %): Irsa Venn: Luck 20 → 25"],
        ),
        (
            "under-the-ice",
            ["roll craft irsa hard"],
            ["A disaster (8 %): Power 5 → 4, Breach starts", "Better than hoped (2 %): Irsa Venn: Luck 20 → 25"],
        ),
        (
            "under-the-ice",
            ["roll sanity holm horror"],
            ["It is too much (50 %): Dr Holm: Sanity 50 → 38", "They hold (50 %): Dr Holm: Sanity 50 → 47"],
        ),
        ("breakers-yard", ["roll read pim"], ["It goes wrong (12.5 %): Pim: Stress 0 → 1"]),
    ],
)
def test_it_says_what_would_change_as_things_are(name: str, lines: list[str], told: list[str]) -> None:
    """Of outcomes that have a chance, worst first, by what is chosen for the roll; what changes nothing is left out."""
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
                "bad": ["lose coin", {"do": "gain doom 9", "when": "result < 3"}, "gain doom 1d4", "gain doom 2"],
                "good": ["gain coin"],
            }
        },
    }
    game = Game(rulebook_of(tree))
    doom = "Doom 0 → 9, Doom 9 → 11 (33.3 %); Doom 0 → 2 (33.3 %), and the rest depends on the dice"
    assert _forecast(game, "roll cast") == [f"Bad (66.7 %): Coin 3 → 2, {doom}", "Good (33.3 %): Coin 3 → 4"]
    assert _forecast(game, "roll cast help") == [f"Bad (66.7 %): Coin 1 → 0, {doom}", "Good (33.3 %): Coin 1 → 2"]
    state = game.fresh("Trial")
    act = parse_act(game.moves(state), "roll cast")
    odds = game.odds(state, act.move, complete_answers(act.move, act.answers))
    assert odds
    assert [note.secret for note in odds.forecast] == [True, False]


def test_it_says_which_rolls_follow() -> None:
    """If they follow as things are. Where an effect depends on the dice, it says how likely what is."""
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
    weak = "Weak (33.3 %): Hurt 0 → 3 (16.7 %) or Hurt 0 → 4 (16.7 %)"
    assert _forecast(game, "roll cast") == ["Bad (33.3 %): Hurt 0 → 1", weak]
    assert _forecast(game, "set team.dark true", "roll cast") == [
        "Bad (33.3 %): Hurt 0 → 1, then the roll “Cold fear”",
        weak,
    ]


def test_what_depends_on_the_dice_is_told_with_its_chances_unless_there_is_too_much_of_it() -> None:
    """What comes anyway is told once. Each case is counted with every throw."""
    tree: dict[str, Any] = {
        "id": "supply",
        "name": "Supply",
        "sheet": {"team": {"values": {"air": {"range": [0, 9], "start": 9}, "hope": {"range": [0, 9], "start": 5}}}},
        "dice": {
            "breathe": {"pool": 3, "bands": [{"outcome": "lasts"}, {"outcome": "less", "grade": "drawback", "ones": 1}]}
        },
        "after": {"breathe": {"less": ["lose hope", "lose air ones"]}},
    }
    (less,) = _forecast(Game(rulebook_of(tree)), "roll breathe")
    shares = {
        ones: sum(throw.count(1) == ones for throw in product(range(1, 7), repeat=3)) / 2.16 for ones in (1, 2, 3)
    }
    assert less == (
        f"Less ({sum(shares.values()):.1f} %): Hope 5 → 4, Air 9 → 8 ({shares[1]:.1f} %), Air 9 → 7 ({shares[2]:.1f} %) "
        f"or Air 9 → 6 ({shares[3]:.1f} %)"
    )
    tree["dice"] = {"breathe": {"reading": "sum", "pool": 3, "bands": [{"outcome": "less"}]}}
    tree["after"] = {"breathe": {"less": ["lose hope", "lose air result // 2"]}}
    assert _forecast(Game(rulebook_of(tree)), "roll breathe") == [
        "Less (100 %): Hope 5 → 4, and the rest depends on the dice"
    ]


def test_a_formula_by_name_that_reads_the_dice_is_left_to_the_dice() -> None:
    """As if it stood in the effect itself, also by way of another formula."""
    tree: dict[str, Any] = {
        "id": "aim",
        "name": "Aim",
        "sheet": {"team": {"values": {"net": {"number": 3}, "hits": {"number": 3}}}},
        "formulas": {"over": "result - 5", "far": "over // 2"},
        "dice": {
            "aim": {
                "pool": 3,
                "die": "d20",
                "reading": "sum",
                "bands": [{"outcome": "miss", "grade": "fiasco"}, {"outcome": "hit", "from": 10}],
            }
        },
    }
    tree["after"] = {"aim": {"any": ["set net to over"]}}
    unsure = ["Miss (1.1 %): the dice decide", "Hit (99 %): the dice decide"]
    assert _forecast(Game(rulebook_of(tree)), "roll aim") == unsure
    tree["after"] = {"aim": {"hit": ["gain hits far"]}}
    assert _forecast(Game(rulebook_of(tree)), "roll aim") == unsure[1:]
    # With few throws, each is tried.
    tree["dice"]["aim"] |= {"pool": 1, "die": "d4", "bands": [{"outcome": "hit"}]}
    tree["after"] = {"aim": {"any": [{"do": "gain net", "when": "far > -2"}]}}
    assert _forecast(Game(rulebook_of(tree)), "roll aim") == ["Hit (100 %): nothing (50 %) or Net 3 → 4 (50 %)"]


def test_what_a_score_against_two_dice_leads_to_is_told_where_it_reads_the_result() -> None:
    """The outcome decides it, though the effect asks for the result."""
    trial = Trial(SWORN + '[after.strike]\nany = [{ do = "gain momentum", when = "result > 0" }]\n')
    told = [note.text.partition(": ") for note in trial.odds("roll strike vesna").forecast]
    assert [label.partition(" (")[0] for label, _, _ in told] == [
        "Weak hit",
        "Strong hit",
        "Strong hit with a match",
    ]
    assert {text for _, _, text in told} == {"Vesna: Momentum 2 → 3"}
