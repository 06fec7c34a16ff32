"""Values that end or fade by themselves: with the scene or the session, as time passes, or after a roll."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

import pytest

from tests.rules.file_game.game_on_trial import Trial
from waylog.rules.file_game.check import check_game
from waylog.rules.file_game.check_advice import advise
from waylog.rules.file_game.rulebook import rulebook_of
from waylog.rules.model.facts import NoteFact
from waylog.rules.model.moves import ActRefused
from waylog.rules.model.odds import Ratio
from waylog.rules.model.state import EntryKind
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.store.log.grouped_acts_and_texts import describe_entries

GAME = """
[sheet.team.values]
alarm = { flag = false, good = false, ends = ["scene"] }
[sheet.crew.each]
nerve = { range = [0, 5], start = 3, fades = ["session"] }
panicked = { flag = false, ends = ["scene", "session"] }
burning = { range = [0, 3], fades = ["time"], when_empty = ["mark scarred"] }
scarred = { flag = false }
ready = { flag = false, ends = ["roll act"] }
dazed = { range = [0, 3], fades = ["roll"] }
mood = { choices = ["calm", "shaking", "running"], secret = true, ends = ["scene"] }
guns = { each = { hot = { flag = false, ends = ["roll"] } }, start = { rifle = {} } }
[sheet.crew.start]
ana = { name = "Ana" }
bo = { name = "Bo" }
[dice.act]
who = "crew"
pool = 2
bands = [{ outcome = "bad", grade = "fiasco" }, { outcome = "good", from = 5 }]
group = { counts = "best" }
[dice.breathe]
who = "crew"
bands = [{ outcome = "bad", grade = "fiasco" }, { outcome = "good", from = 4 }]
[after.act]
bad = ["set dazed to 2"]
good = ["mark ready", { do = "mark hot", who = "crew.guns" }]
[when.ready]
who = "crew"
if = "ready"
rolls = ["act"]
dice = 1
[moves.doze]
does = [{ say = "A night passes" }, { offer = "time passes" }]
"""


def _messages(text: str) -> Sequence[str]:
    tree: Mapping[str, Any] = tomllib.loads(f'id = "trial"\nname = "Trial"\n{text}')
    flaws = check_game(tree)[1]
    return [flaw.message for flaw in flaws] or [flaw.message for flaw in advise(rulebook_of(tree))]


def test_a_condition_ends_with_the_scene() -> None:
    """In lists and single tables, by words and numbers; the log says why. A session that ends leaves the scene as it is."""
    trial = Trial(GAME)
    for line in ("mark alarm", "mark ana panicked", "set crew.bo.mood running"):
        trial.play(line)
    assert trial.play("scene The bridge") == [
        "Scene: The bridge",
        "Alarm ends, as the scene ends",
        "Ana: no longer Panicked, as the scene ends",
        "Bo: Mood is now calm (was running), as the scene ends",
    ]
    assert [fact.secret for fact in trial.facts if isinstance(fact, NoteFact)] == [False, False, False, True]
    assert trial.play("scene The hold") == ["Scene: The hold"]
    trial.play("session begin")
    for line in ("mark alarm", "mark bo panicked", "mark ana nerve 2"):
        trial.play(line)
    assert trial.play("session end") == [
        "Session 1 ends",
        "Ana: Nerve 5 → 4, as the session ends",
        "Bo: no longer Panicked, as the session ends",
    ]
    assert trial.state.sheet.team.alarm


def test_time_may_pass_without_a_clock_where_it_ends_something() -> None:
    """What fades moves 1 closer to its start, from either side, and what its limit leads to follows."""
    trial = Trial(GAME)
    trial.play("mark ana burning 2")
    assert trial.play("time passes") == ["Time passes", "Ana: Burning 2 → 1, as time passes"]
    assert trial.play("time passes")[1:] == ["Ana: Burning 1 → 0, as time passes", "Ana: now Scarred"]
    trial.play("doze")
    assert trial.play("effect doze") == ["Time passes"]
    with pytest.raises(ActRefused, match="no death or augury clock"):
        Trial(GAME.replace('fades = ["time"], ', "")).play("time passes")


def test_a_roll_ends_what_lasts_for_its_roller_before_its_outcome_does_anything() -> None:
    """It counts for that roll, and the outcome may set it again; for others it goes on."""
    trial = Trial(GAME)
    trial.play("mark ana ready")
    trial.play("mark bo ready")
    trial.play("roll breathe ana", 1)
    assert trial.play("roll act ana", 1, 1, 6)[-3:] == [
        "Ana: no longer Ready, after the roll",
        "Ana: now Ready",
        "Ana, rifle: now Hot",
    ]
    assert trial.play("roll act ana", 1, 1, 2)[-3:] == [
        "Ana: no longer Ready, after the roll",
        "Ana, rifle: no longer Hot, after the roll",
        "Ana: Dazed 0 → 2",
    ]
    assert trial.play("roll breathe ana", 6)[-1:] == ["Ana: Dazed 2 → 1, after the roll"]
    assert trial.state.sheet.crew["bo"].ready
    assert trial.play("group act ana bo", 1, 1, 6, 6, 6)[-4:] == [
        "Ana: Dazed 1 → 0, after the roll",
        "Bo: no longer Ready, after the roll",
        "Ana: now Ready",
        "Ana, rifle: now Hot",
    ]


def test_odds_say_what_a_roll_ends_and_count_it_as_long_as_it_holds() -> None:
    """The forecast is that of the moment after it: the same condition may come again."""
    trial = Trial(GAME)
    trial.play("mark ana ready")
    odds = trial.odds("roll act ana")
    assert odds.spread.chances[-1].chance == 1 - Ratio(4, 6) ** 3
    assert [note.text for note in odds.reasons][-1] == "Ana: no longer Ready, after the roll"
    assert [note.text.partition(": ")[2] for note in odds.forecast] == [
        "Ana: Dazed 0 → 2",
        "Ana: now Ready, Ana, rifle: now Hot",
    ]
    together = [note.text for note in trial.odds("group act bo ana").reasons]
    assert together[-1] == "Ana: no longer Ready, after the roll"


def test_the_check_names_what_never_ends() -> None:
    """A word that nobody knows, a roll that isn't there or is made by others, and values that can't fade."""
    for key, wrong, message in (
        ("ends", "dawn", "`dawn` isn't one of scene, session, time, roll and roll NAME"),
        ("ends", "time act", "`time act` isn't one of"),
        ("ends", "roll acts", "There is no roll `acts`"),
        ("ends", "roll rant", "nobody in crew makes the roll rant, so this never ends"),
        ("fades", "scene", "`fades` is for a range or a number"),
    ):
        text = f'[sheet.crew.each]\ncold = {{ flag = false, {key} = ["{wrong}"] }}\n'
        text += (
            "[sheet.foes.each]\nwits = { range = [0, 3] }\n[dice.rant]\nwho = 'foes'\nbands = [{ outcome = 'so' }]\n"
        )
        text += "[dice.act]\nwho = 'crew'\nbands = [{ outcome = 'so' }]\n"
        assert any(message.lower() in one.lower() for one in _messages(text)), (message, _messages(text))


def test_the_check_warns_of_a_condition_that_ends_too_soon_or_never() -> None:
    """One that any roll ends and that changes only some, and one that effects mark and nothing takes away."""
    soon = GAME.replace('ends = ["roll act"]', 'ends = ["roll"]')
    assert [one for one in _messages(soon) if "Ready" in one] == [
        'Ready changes only act, but may end before that, with breathe: write ends = ["roll act"]'
    ]
    never = GAME.replace(
        'ready = { flag = false, ends = ["roll act"] }', "ready = { flag = false, good = false, moves = false }"
    )
    assert [one for one in _messages(never) if "Ready" in one] == [
        'nothing ever ends Ready: give it `ends`, or write an effect such as "clear ready"'
    ]
    assert not [one for one in _messages(GAME) if "Ready" in one or "Dazed" in one]


def test_a_scene_or_session_that_ends_with_a_roll_is_no_roll() -> None:
    """The log says what was done, with what follows below; a question that follows is asked."""
    text = GAME.replace(
        'nerve = { range = [0, 5], start = 3, fades = ["session"] }', "nerve = { range = [0, 5], start = 3 }"
    )
    text = text.replace(
        'fades = ["time"], when_empty = ["mark scarred"]',
        'fades = ["scene", "session"], when_empty = [{ roll = "breathe" }]',
    )
    trial = Trial(f'{text}\n[spend.try]\nrolls = ["breathe"]\nreroll = "one"\ncost = ["spend nerve"]\n')
    trial.play("session begin")
    for line, deed, kind in (
        ("scene Ashes", "Scene: Ashes", EntryKind.SCENE),
        ("session end", "Session 1 ends", EntryKind.SESSION_ENDS),
    ):
        trial.play("mark ana burning")
        trial.play(line, 2)
        entry = LogEntry(1, datetime(2026, 1, 5, tzinfo=UTC), line, facts=tuple(trial.facts), kind=kind)
        assert describe_entries((entry,)).sentence == deed
        assert trial.question.startswith("Breathe: Bad")
        trial.play("keep")
