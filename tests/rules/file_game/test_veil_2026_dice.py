"""The dice of Veil Runners 2026 as a game in a file would have them: the same as in the Python game, for every pool, call and spend."""

from collections.abc import Mapping, Sequence
from itertools import combinations_with_replacement, product

import pytest

from tests.kit.rules import best_spend, outcomes
from tests.kit.thorough import IS_AT_A_DESK
from tests.rules.veil_table import Y2026, after, campaign, move, odds, play
from waylog.rules.file_game.dice_readings import Band, Reading, ReadingKind, RollPlan
from waylog.rules.file_game.dice_throws_and_cards import DiceGroup, TableDie
from waylog.rules.file_game.odds.odds_with_spends import best_odds
from waylog.rules.file_game.odds.odds_without_spends import exact_odds
from waylog.rules.file_game.sheet_types import FileRoll
from waylog.rules.file_game.spends import RaiseDie, Reroll, Spend, outcome_now, places_for, spend_on
from waylog.rules.model.dice import Die, Face
from waylog.rules.model.facts import OutcomeGrade
from waylog.rules.model.odds import Ratio, Spread
from waylog.rules.model.state import State
from waylog.rules.systems.veil_core import probabilities

FIASCO, DRAWBACK, SUCCESS, CRITICAL = OutcomeGrade
BANDS = (
    Band("fiasco", "Fiasco", FIASCO),
    Band("drawback", "Success with drawback", DRAWBACK, 4),
    Band("success", "Success", SUCCESS, 6),
    Band("critical", "Critical success", CRITICAL, 6, matches=2),
)
RAISE, FORCE = Spend("raise", RaiseDie(), "focus"), Spend("force", Reroll(), "focus")
CALLS = ("standard", "risky", "desperate")
DICE, TOKENS = range(7), range(4)


def rolled(dice: int) -> RollPlan:
    """A roll of so many dice: of none, two are rolled and the lower counts, which is never critical (VN-02)."""
    if dice:
        return RollPlan((DiceGroup(dice, "d6"),), Reading(ReadingKind.HIGHEST), BANDS)
    return RollPlan((DiceGroup(2, "d6"),), Reading(ReadingKind.LOWEST), BANDS[:3])


def ship(dice: int, focus: int) -> State:
    """A ship whose NAV rolls so many dice, with specialised modules where the system has too few."""
    core = {"NAV": min(dice, 4), "CPU": 4 - min(dice, 4), "HUL": 0}
    modules = {str(slot): {"name": f"M{slot}", "system": "NAV"} for slot in range(1, 1 + max(0, dice - 4))}
    return campaign(Y2026, ship={"core": core, "focus": focus, "modules": modules})


def chances(spread: Spread) -> dict[str, Ratio]:
    """The chances of what can happen, by outcome."""
    return {chance.outcome: chance.chance for chance in spread.chances if chance.chance}


def possible(odds: Mapping[str, Ratio]) -> dict[str, Ratio]:
    """The chances of what can happen, by outcome."""
    return {outcome: chance for outcome, chance in odds.items() if chance}


@pytest.mark.parametrize("dice", DICE)
@pytest.mark.parametrize("call", CALLS)
def test_the_ships_odds_are_the_same(dice: int, call: str) -> None:
    """For each number of dice, each call, and each number of Focus, which raises dice."""
    words = " ".join(["roll nav", *(f"m{slot}" for slot in range(1, dice - 3)), call])
    for focus in TOKENS:
        theirs = odds(ship(dice, focus), words, Y2026)
        roll = rolled(dice)
        assert possible(exact_odds(roll)) == chances(theirs.spread)
        found = best_odds(roll, (RAISE,), [(("focus", count),) for count in range(1, focus + 1)])
        assert [possible(one) for one in found] == [chances(spread) for spread in theirs.spends]


TOOLS = {1: (1, ""), 2: (2, ""), 3: (3, ""), 4: (2, "primary"), 5: (3, "primary"), 6: (3, "primary hacking")}
"""The vitality and the help with which somebody rolls so many dice."""


@pytest.mark.parametrize("dice", TOOLS)
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("quality", ["forceful", "reckless"])
def test_a_crew_members_odds_are_the_same(dice: int, call: str, quality: str) -> None:
    """Focus rerolls the dice of the Forceful, each once, and raises those of others."""
    vitality, help_words = TOOLS[dice]
    spend = FORCE if quality == "forceful" else RAISE
    for focus in TOKENS:
        member = {"vitality": vitality, "focus": focus, "advancements": [quality, "expert"], "expertise": "hacking"}
        theirs = odds(campaign(Y2026, crew={"mara": member}), f"roll mara {help_words} {call}", Y2026)
        assert theirs.dice.startswith(f"{dice}d6")
        assert possible(exact_odds(rolled(dice))) == chances(theirs.spread)
        found = best_odds(rolled(dice), (spend,), [(("focus", count),) for count in range(1, focus + 1)])
        assert [possible(one) for one in found] == [chances(spread) for spread in theirs.spends]


def on_table(faces: Sequence[int], final: Sequence[int] = ()) -> FileRoll:
    """Dice on the table, the last of them rerolled already."""
    return FileRoll(
        dice=(*(TableDie("d6", face) for face in faces), *(TableDie("d6", face, final=True) for face in final))
    )


@pytest.mark.parametrize("dice", DICE[:-1] if IS_AT_A_DESK else DICE)
def test_every_throw_has_the_same_outcome_before_and_after_every_raise(dice: int) -> None:
    """Each throw has the same outcome in both games, before and after every raise, and the best raises lead as far."""
    roll, lowest = rolled(dice), dice == 0
    names = [band.outcome for band in BANDS]
    for faces in combinations_with_replacement(range(1, 7), dice or 2):
        table = on_table(faces)
        assert names.index(outcome_now(roll, table).outcome) == probabilities.read(faces, lowest)
        for place in places_for(table, RaiseDie()):
            raised = spend_on(roll, table, RAISE, place, no_dice)
            now = [die.face for die in raised.dice]
            assert sum(now) == sum(faces) + 1
            assert names.index(outcome_now(roll, raised).outcome) == probabilities.read(now, lowest)
        for focus in TOKENS:
            ways = probabilities.best_raises(faces, focus, lowest)
            advice = best_spend(roll, (RAISE,), table, {"focus": focus})
            assert bool(advice) is bool(ways)
            if advice:
                assert advice.odds[names[ways[-1].outcome]] == 1


def no_dice(dice: Sequence[Die]) -> Sequence[Face]:
    """Nothing is rolled."""
    raise AssertionError(dice)


@pytest.mark.parametrize("dice", range(1, 4 if IS_AT_A_DESK else 6))
def test_the_best_reroll_is_the_same(dice: int) -> None:
    """For every throw of which any part has been rerolled before: the same die, and the same chances."""
    for again in range(dice + 1):
        several = product(
            combinations_with_replacement(range(1, 7), dice - again), combinations_with_replacement((1, 4, 6), again)
        )
        for (faces, final), focus in product(several, TOKENS):
            theirs = probabilities.best_rerolls(faces, focus, final=final)
            advice = best_spend(rolled(dice), (FORCE,), on_table(faces, final), {"focus": focus})
            assert (theirs is None) is (advice is None), (faces, final, focus)
            if theirs and advice:
                assert tuple(advice.odds.values()) == theirs.tally
                assert faces[advice.places[0]] == theirs.face


def test_dice_typed_at_the_table_come_to_the_same() -> None:
    """The game itself reads them, raised or not."""
    for faces in combinations_with_replacement(range(1, 7), 3):
        typed = " ".join(map(str, faces))
        played = play(ship(3, 0), f"roll nav {typed}", Y2026)
        assert outcomes(played) == [outcome_now(rolled(3), on_table(faces)).outcome]
    state = after(ship(2, 1), "roll nav 5 6", game=Y2026)
    assert move(state, "focus", Y2026).asks
    advice = best_spend(rolled(2), (RAISE,), on_table((5, 6)), {"focus": 1})
    assert advice is not None
    assert advice.places[0] == 0
    assert outcomes(play(state, "focus 5", Y2026)) == ["critical"]
