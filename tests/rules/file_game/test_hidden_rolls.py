"""A roll under a cup: the wayfinder alone knows what it shows and what comes of it."""

from __future__ import annotations

import tomllib
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, cast

from tests.rules.file_game.game_on_trial import Trial
from waylog.rules.file_game.check import check_game
from waylog.rules.language.command_parser import parse_act
from waylog.rules.model.dice import TypedDice
from waylog.rules.model.facts import OutcomeFact, RollFact
from waylog.rules.model.odds import Ratio
from waylog.rules.what_players_know import Visibility
from waylog.rules.what_players_may_do import PlayersGame
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.store.players.players_file import project_table
from waylog.ui.line.lists_and_lines_that_keys_open import tell_rolled

CUP = """
[sheet.crew.each]
fate = { choices = ["unknown", "lives", "dies"], secret = true }
dread = { range = [0, 9] }
[sheet.crew.start.mara]
name = "Mara"
[dice.death]
label = "Death save"
who = "crew"
die = "d10"
hidden = true
options = { medic = { label = "A medic", dice = 1, about = "A medic is there", cost = ["mark dread"] } }
bands = [{ outcome = "dies", label = "Dead", grade = "fiasco" }, { outcome = "lives", label = "Alive", from = 5 }]
[after.death]
dies = ["set fate to 'dies'", "mark dread 2"]
lives = ["set fate to 'lives'"]
[dice.fear]
who = "crew"
bands = [{ outcome = "bad", grade = "fiasco" }, { outcome = "good", from = 4 }]
[spend.grit]
label = "Grit"
plus = 1
cost = ["mark dread"]
"""


def test_players_see_nothing_of_a_hidden_roll() -> None:
    """Neither dice nor outcome, nor what led to them or came of them; the wayfinder sees all, and the odds are exact."""
    trial = Trial(CUP)
    assert trial.chances("roll death mara") == {"dies": Ratio(4, 10), "lives": Ratio(6, 10)}
    act = parse_act(trial.game.moves(trial.state), "roll death mara medic")
    played = trial.game.play(trial.state, act, TypedDice((3, 2)))
    players, wayfinder = Visibility.of_players(played.state, {}), Visibility.of_wayfinder(played.state, {})
    assert [fact for fact in played.facts if players.fact(fact)] == []
    assert [fact for fact in played.facts if not wayfinder.fact(fact)] == []
    assert [fact.label for fact in played.facts if isinstance(fact, OutcomeFact)] == ["Dead"]
    assert (played.state.sheet.crew["mara"].fate, played.state.sheet.crew["mara"].dread) == ("dies", 3)


def test_nothing_is_spent_on_a_hidden_roll_and_others_stay_as_they_are() -> None:
    """A question would tell players what it is about."""
    trial = Trial(CUP)
    trial.play("roll death mara", 2)
    assert trial.question == ""
    assert trial.odds("roll death mara").spends == ()
    trial.play("roll fear mara", 3)
    assert trial.question == "Fear: Bad. Grit?"
    act = parse_act(trial.game.moves(trial.state), "keep")
    played = trial.game.play(trial.state, act, TypedDice(()))
    players = Visibility.of_players(played.state, {})
    assert all(map(players.fact, played.facts))


def test_players_get_no_odds_of_a_hidden_roll_with_the_dice_of_one_that_it_brings() -> None:
    """What follows a hidden roll may be seen; the odds of the entry are those of the hidden one."""
    for hidden, shown in (("hidden = true", ()), ("hidden = false", ("1d10: Death save",))):
        text = CUP.replace("hidden = true", hidden).replace('"mark dread 2"]', '{ roll = "fear" }]')
        trial = Trial(text.replace("plus = 1", 'plus = 1\nrolls = ["fear"]'))
        odds, act = trial.odds("roll death mara"), parse_act(trial.game.moves(trial.state), "roll death mara")
        played = trial.game.play(trial.state, act, TypedDice((2, 5)), "2026-01-05 20:00")
        entry = LogEntry(1, datetime(2026, 1, 5, tzinfo=UTC), "roll death mara", facts=played.facts)
        (seen,) = project_table(PlayersGame(trial.game), played.state, [entry], (), {1: odds}).log
        assert "Mara rolls Fear" in [fact.deed for fact in seen.facts if isinstance(fact, RollFact)]
        assert tuple(one.dice for one in seen.odds) == shown


def test_an_outcome_that_is_paid_for_is_hidden_too() -> None:
    """The price, the outcome and what it does."""
    trial = Trial(CUP.replace("hidden = true", "hidden = true\ninstead = { cost = ['mark dread'], outcome = 'lives' }"))
    act = parse_act(trial.game.moves(trial.state), "pay death mara")
    played = trial.game.play(trial.state, act, TypedDice(()))
    assert [fact.label for fact in played.facts if isinstance(fact, OutcomeFact)] == ["Alive"]
    assert not any(map(Visibility.of_players(played.state, {}).fact, played.facts))


def test_a_group_can_not_roll_under_a_cup() -> None:
    """What counts for all would be told."""
    tree = tomllib.loads(f'id = "trial"\nname = "Trial"\n{CUP}')
    tree["dice"]["death"]["group"] = {}
    assert ["players would see a group roll" in flaw.message for flaw in check_game(tree)[1]] == [True]


def test_v_tells_players_the_outcome_right_after_a_hidden_roll() -> None:
    """By its label; after another roll, or another act, there is nothing to tell."""
    trial = Trial(CUP)
    for line, told in (("roll death mara", "Mara: Alive"), ("roll fear mara", None)):
        act = parse_act(trial.game.moves(trial.state), line)
        played = trial.game.play(trial.state, act, TypedDice((6,)))
        entries = (SimpleNamespace(facts=played.facts),)
        found = tell_rolled(cast("Any", SimpleNamespace(act=entries, moves=trial.game.moves(played.state))))
        assert (found.answers["text"] if found else None) == told
