"""A roll under a cup: the wayfinder alone knows what it shows and what comes of it."""

from __future__ import annotations

import tomllib
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.rules.file_game.game_on_trial import Trial
from waylog.rules.file_game.check import check_game
from waylog.rules.language.command_parser import parse_act
from waylog.rules.model.dice import EqualDice, TypedDice
from waylog.rules.model.facts import NoteFact, OutcomeFact, RollFact
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


UNSEEN = """
[sheet.crew.each]
hp = { range = [0, 9], start = 9 }
[sheet.crew.start.mara]
name = "Mara"
[sheet.foes]
secret = true
[sheet.foes.each]
claws = { range = [0, 5], start = 2 }
[sheet.foes.start.grue]
name = "The grue"
[sheet.foes.start.kin]
name = "The grue's kin"
[dice.maul]
who = "foes"
pool = 2
bands = [{ outcome = "miss", label = "Claws miss", grade = "fiasco" }, { outcome = "hit", label = "Claws hit", from = 4 }]
group = { counts = "best", outcomes = ["miss"], leader = ["lose claws"] }
[dice.maul.pick.how]
once = {}
twice = { twice = "better" }
[after.maul]
hit = ["lose crew.mara.hp 1d2"]
[dice.strike]
who = "crew"
options = { foe = { who = "foes", most = 1 } }
bands = [{ outcome = "miss", grade = "fiasco" }, { outcome = "hit", from = 4 }]
[after.strike]
any = [{ roll = "maul", who = "options.foe" }]
hit = [{ do = "lose claws", who = "options.foe" }]
[moves.creep]
who = "foes"
does = ["lose crew.mara.hp"]
[moves.shoo]
who = "crew"
whom = "foes"
does = [{ do = "lose claws", who = "whom" }, "lose hp"]
[when.asleep]
who = "foes"
if = "claws == 0"
refuses = "they sleep"
"""
"""A list of things that players never see: these roll, act, and are acted on."""


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (("roll maul grue",), "Mara: Hp 9 → 7"),
        (("roll maul grue twice",), "Mara: Hp 9 → 7"),
        (("group maul grue kin",), "Mara: Hp 9 → 7"),
        (("roll strike mara grue",), "Mara: Hp 9 → 7"),
        (("creep grue",), "Mara: Hp 9 → 8"),
        (("shoo mara grue",), "Mara: Shoo"),
        (("clear grue claws 2", "roll strike mara grue"), "Mara: hit"),
        (("mark grue claws",), ""),
    ],
)
def test_players_see_nothing_of_what_things_of_a_secret_list_do(lines: tuple[str, ...], told: str) -> None:
    """Neither their names nor their dice and outcomes, in no log, and no move of players is about them. They see what becomes of others."""
    trial, entries = Trial(UNSEEN), list[LogEntry]()
    for number, line in enumerate(lines, 1):
        act = parse_act(trial.game.moves(trial.state), line)
        played = trial.game.play(trial.state, act, EqualDice(6))
        trial.state = played.state
        entries.append(LogEntry(number, datetime(2026, 1, 5, tzinfo=UTC), line, facts=played.facts))
    known, entry = PlayersGame(trial.game), entries[-1]
    players, seen = Visibility.of_players(trial.state, {}), project_table(known, trial.state, entries[::-1], ())
    assert "grue" not in repr((seen, known.moves(trial.state)))
    assert "Claws" not in repr(seen)
    texts = [fact.text for fact in players.facts(entry) if isinstance(fact, NoteFact)]
    outcomes = [f"{fact.who}: {fact.outcome}" for fact in players.facts(entry) if isinstance(fact, OutcomeFact)]
    assert not told or told in (*texts, *outcomes)
    assert "The grue" in repr(Visibility.of_wayfinder(trial.state, {}).facts(entry))


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
