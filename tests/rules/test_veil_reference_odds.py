"""The reference edition before a roll: exact chances against every throw, why, and what each outcome would do."""

from collections import Counter
from itertools import product
from typing import Any

import pytest

from tests.rules.veil_table import campaign, odds, play
from waylog.rules.game import Game
from waylog.rules.model.facts import OutcomeGrade
from waylog.rules.model.moves import ActRefused
from waylog.rules.model.odds import Odds, Ratio, percent
from waylog.rules.systems import system
from waylog.rules.systems._veil_older_editions.hits_and_roll_types import chances, hits_among, outcome_of, target

GAME = Game(system("veil-reference"))
D6 = range(1, 7)
MARA: dict[str, Any] = {"name": "Mara", "skills": ["sharp mind", "gut feelings"]}


def tally(found: Odds) -> tuple[Ratio, ...]:
    """The chances, worst first."""
    return tuple(chance.chance for chance in found.spread.chances)


def counted(dice: int, least: int, difficulty: int) -> tuple[Ratio, ...]:
    """The chances as every throw of so many dice has them, by the words of the rule."""
    counts: Counter[int] = Counter()
    for throw in product(D6, repeat=dice):
        hits = sum(face >= least for face in throw)
        counts[(hits > difficulty) - (hits < difficulty)] += 1
    return tuple(Ratio(counts[sign], 6**dice) for sign in (-1, 0, 1))


@pytest.mark.clause("RF-06", "RF-19")
@pytest.mark.parametrize("least", [3, 4, 5, 6])
@pytest.mark.parametrize("dice", range(1, 6))
def test_chances_are_those_of_every_throw(dice: int, least: int) -> None:
    """For each hit target and difficulty, and they add up to one."""
    for difficulty in (1, 2, 3):
        exact = chances((least,) * dice, difficulty)
        assert exact == counted(dice, least, difficulty)
        assert sum(exact) == 1


@pytest.mark.clause("RF-06", "RF-19")
def test_dice_may_have_targets_of_their_own() -> None:
    """Each die is counted against its own."""
    targets = (4, 4, 6, 3)
    throws = list(product(D6, repeat=4))
    found = Counter(outcome_of(len(hits_among(throw, targets)), 2) for throw in throws)
    wanted = tuple(
        Ratio(found[mood], len(throws)) for mood in (OutcomeGrade.FIASCO, OutcomeGrade.DRAWBACK, OutcomeGrade.SUCCESS)
    )
    assert chances(targets, 2) == wanted


@pytest.mark.clause("RF-05")
def test_help_lowers_the_target_to_three_at_the_lowest() -> None:
    """By one for each thing."""
    assert [target(helps) for helps in range(6)] == [6, 5, 4, 3, 3, 3]


@pytest.mark.clause("RF-19", "RF-04", "RF-05", "RF-09", "RF-10")
def test_a_ship_rolls_chances_show_before_it() -> None:
    """With the dice, what makes them hits, and what would become of them."""
    found = odds(campaign(GAME, crew={"mara": MARA}), "roll mara engines sharp-mind two", GAME)
    assert found.dice == "5d6: vitality 3 + Engines 2; hits on 5+, difficulty 2"
    assert tally(found) == counted(5, 5, 2) == (Ratio(112, 243), Ratio(80, 243), Ratio(17, 81))
    labels = [(chance.outcome, chance.label, chance.mood) for chance in found.spread.chances]
    assert labels == [
        ("fiasco", "Fiasco", OutcomeGrade.FIASCO),
        ("complication", "Complication", OutcomeGrade.DRAWBACK),
        ("success", "Success", OutcomeGrade.SUCCESS),
    ]
    assert found.reasons == ()
    assert [note.text for note in found.forecast] == [
        "Success (21 %): all 6 dice may be remapped",
        "Complication (32.9 %): place the 2 dice from Engines in any systems",
    ]


@pytest.mark.clause("RF-11", "RF-14", "RF-15", "RF-19")
@pytest.mark.parametrize(
    ("ship", "damage"),
    [
        ({}, "integrity is lost"),
        (
            {"tokens": {"integrity": False}},
            "engineering is spent, or a system crashes: there is no module to hit",
        ),
        (
            {
                "tokens": {"integrity": False, "engineering": False},
                "modules": {"1": {"name": "BIG EAR"}, "4": {"name": "RAM", "destroyed": True}},
            },
            "a system crashes: 1 in 6, BIG EAR #1 is destroyed; 1 in 6, the ship is destroyed; 4 in 6, no further damage",
        ),
    ],
)
def test_what_a_desperate_fiasco_would_do_to_the_ship_is_said(ship: dict[str, Any], damage: str) -> None:
    """As she stands now."""
    found = odds(campaign(GAME, ship=ship, crew={"mara": MARA}), "roll mara shields desperate", GAME)
    fiasco = found.spread.chances[0].chance
    assert found.forecast[0].text == f"Fiasco ({percent(fiasco)}): the ship takes damage, {damage}"


@pytest.mark.clause("RF-05", "RF-19")
def test_help_that_brings_nothing_more_is_said() -> None:
    """Before the roll, as the target is never below 3."""
    found = odds(campaign(GAME, crew={"mara": MARA}), "roll mara sharp-mind gut-feelings help help", GAME)
    assert [(note.text, note.clause) for note in found.reasons] == [
        ("A die hits on 3+ (with “sharp mind”, “gut feelings” and other help ×2; 3 of these would be enough)", "RF-05")
    ]
    assert tally(found) == counted(3, 3, 1)


@pytest.mark.clause("RF-12", "RF-13", "RF-19")
def test_an_eva_rolls_chances_say_what_it_costs() -> None:
    """Equipment whatever comes, vitality only when Desperate."""
    crew = {"mara": {"name": "Mara", "vitality": 2, "equipment": {"torch": {"name": "Laser torch", "dice": 2}}}}
    state = campaign(GAME, crew=crew)
    found = odds(state, "roll mara laser-torch", GAME)
    assert found.dice == "4d6: vitality 2 + Laser torch 2; hits on 6, difficulty 1"
    assert tally(found) == counted(4, 6, 1)
    assert [note.text for note in found.forecast] == ["Any outcome: Laser torch spent"]
    found = odds(state, "roll mara desperate", GAME)
    assert [note.text for note in found.forecast] == ["Fiasco (69.4 %): a vitality die is lost (1 left)"]
    assert found.reasons == ()


@pytest.mark.clause("RF-14", "RF-19")
def test_why_a_roll_is_desperate_is_said_before_it() -> None:
    """With the clause that makes it so; an EVA roll is not touched by lost engineering."""
    state = campaign(GAME, ship={"tokens": {"engineering": False}}, crew={"mara": MARA})
    found = odds(state, "roll mara engines", GAME)
    assert [(note.text, note.clause) for note in found.reasons] == [("Desperate while engineering is lost", "RF-14")]
    assert odds(state, "roll mara", GAME).reasons == ()


@pytest.mark.clause("RF-20")
def test_no_dice_no_chances() -> None:
    """It says what would add some, in the odds and in the roll."""
    ship = {"systems": {"SigInt": 0, "Shields": 3, "Engines": 3}}
    state = campaign(GAME, ship=ship, crew={"mara": {"vitality": 0}})
    with pytest.raises(ActRefused, match="a remap to SigInt or a rest would add some"):
        odds(state, "roll mara sigint", GAME)
    with pytest.raises(ActRefused, match="ready equipment or a rest would add some"):
        play(state, "roll mara 6", GAME)
