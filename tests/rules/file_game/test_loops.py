"""Rolls that bring each other again: panic, a save, and panic again."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest

from tests.rules.file_game.game_on_trial import Trial
from waylog.rules.chains_of_acts import chain_odds, read_chain
from waylog.rules.file_game.check import check_game
from waylog.rules.file_game.effects_and_offers import MOST_FOLLOW
from waylog.rules.game import Game
from waylog.rules.language.command_parser import parse_act
from waylog.rules.model.dice import Dice, DiceOfOdds, Die, EqualDice, Face, TypedDice
from waylog.rules.model.facts import RollFact
from waylog.rules.model.moves import Act, ActRefused
from waylog.rules.model.odds import Ratio
from waylog.rules.model.state import PlayResult, State
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.store.log.grouped_acts_and_texts import describe_entries
from waylog.words.sentences import cut_sentence

LOOP = """
[sheet.crew.each]
stress = { range = [0, 99] }
[sheet.crew.start.mara]
[sheet.crew.start.okon]
[dice.panic]
label = "Panic"
who = "crew"
reading = "highest"
bands = [{ outcome = "shaken", grade = "fiasco" }, { outcome = "calm", from = 4 }]
[dice.save]
label = "Save"
who = "crew"
reading = "highest"
bands = [{ outcome = "failed", grade = "fiasco" }, { outcome = "done", from = 3 }]
[after.panic]
shaken = ["gain stress", { roll = "save", who = "others" }]
[after.save]
failed = ["gain stress", { roll = "panic" }]
"""


def _said(said: Sequence[str]) -> list[str]:
    return [line for line in said if "Stress" not in line]


def test_a_loop_goes_on_until_the_dice_end_it() -> None:
    """Each panic brings a save of the other, and a save that fails brings panic."""
    trial = Trial(LOOP)
    said = _said(trial.play("roll panic mara", 1, 1, 1, 1, 6))
    assert said == ["mara: Shaken", "okon: Failed", "okon: Shaken", "mara: Failed", "mara: Calm"]


def test_a_roll_brings_itself_again_five_times_in_a_row_and_is_offered_then() -> None:
    """So an act ends, and nothing is forgotten. The next act counts anew."""
    trial = Trial(LOOP)
    said = _said(trial.play("roll panic mara", *[1] * 12))
    assert said == [
        "mara: Shaken",
        *["okon: Failed", "okon: Shaken", "mara: Failed", "mara: Shaken"] * 2,
        "okon: Failed",
        "okon: Shaken",
        "mara: Failed",
    ]
    offered = [move.words for move in trial.game.moves(trial.state) if move.verb == "effect" and not move.blocked]
    assert offered == [("mara",)]
    assert _said(trial.play("effect mara", 6)) == ["mara: Calm"]


def test_a_roll_that_brings_itself_may_show_the_same_faces_again() -> None:
    """What lies on the table is then the same as before, and is still a roll of its own."""
    trial = Trial(LOOP.replace("[after.panic]\nshaken = [", '[after.panic]\nshaken = [{ roll = "panic" }]\ncalm = ['))
    assert _said(trial.play("roll panic mara", 2, 2, 2, 6, 5)) == [*["mara: Shaken"] * 3, "mara: Calm", "okon: Done"]


def test_after_many_rolls_in_one_act_the_others_are_offered() -> None:
    """Where four people bring each other's rolls, thousands would follow if all of them failed."""
    trial = Trial(LOOP + "[sheet.crew.start.ilse]\n[sheet.crew.start.bram]\n")
    act = parse_act(trial.game.moves(trial.state), "roll panic mara")
    played = trial.game.play(trial.state, act, EqualDice(1))
    assert sum(isinstance(fact, RollFact) for fact in played.facts) == 1 + MOST_FOLLOW
    offered = [move.id for move in trial.game.moves(played.state) if move.verb == "effect" and not move.blocked]
    assert len(offered) > 1
    again = trial.game.play(played.state, parse_act(trial.game.moves(played.state), "roll panic bram"), TypedDice((6,)))
    assert sum(isinstance(fact, RollFact) for fact in again.facts) == 1


def test_the_log_says_the_outcome_of_each_roll_with_its_own_dice() -> None:
    """Also of a roll that the same person makes again: the first has the first outcome, not the last."""
    trial = Trial(LOOP.replace('roll = "save", who = "others"', 'roll = "panic"'))
    act = parse_act(trial.game.moves(trial.state), "roll panic mara")
    played = trial.game.play(trial.state, act, TypedDice((2, 3, 5)))
    said = describe_entries((LogEntry(1, datetime(2026, 1, 5, tzinfo=UTC), "roll panic mara", facts=played.facts),))
    rolls = [(said.dice, said.outcome), *((one.dice, one.outcome) for one in said.consequences if one.dice)]
    told = [(dice[0].face, outcome.label) for dice, outcome in rolls if dice and outcome]
    assert told == [(2, "Shaken"), (3, "Shaken"), (5, "Calm")]


def test_odds_of_a_chain_go_through_the_loop() -> None:
    """Exactly, until a roll would bring itself again a second time: how likely that is, they say."""
    trial = Trial(LOOP)
    found = chain_odds(trial.game, trial.state, read_chain("roll panic mara"))
    stress = {change.path[1]: change for path, changes in found.values for change, _ in changes}
    assert {*stress} == {"mara", "okon"}
    assert found.cut == Ratio(1, 36)
    assert cut_sentence(found.cut).startswith("In 2.8 % of cases, a roll leads back to itself more than once")
    (okon,) = [changes for path, changes in found.values if path[1] == "okon"]
    # Okon fails the save that the first panic brings with 1/2 * 1/3, and more only then.
    assert sum((chance for change, chance in okon if change.after), Ratio()) == Ratio(1, 6)


def test_odds_of_a_loop_of_many_people_are_refused_before_much_is_played(monkeypatch: pytest.MonkeyPatch) -> None:
    """The more rolls an action brings, the longer each way of it takes, so fewer of them are tried."""
    trial = Trial(LOOP + "".join(f"[sheet.crew.start.p{number}]\n" for number in range(7)))
    play, plays, throw, throws = Game.play, list[str](), DiceOfOdds.roll, list[object]()

    def counted(game: Game, state: State, act: Act, dice: Dice, when: str = "") -> PlayResult:
        plays.append(act.move.id)
        return play(game, state, act, dice, when)

    def thrown(odds: DiceOfOdds, dice: Sequence[Die]) -> tuple[Face, ...]:
        throws.append(dice)
        return throw(odds, dice)

    monkeypatch.setattr(Game, "play", counted)
    monkeypatch.setattr(DiceOfOdds, "roll", thrown)
    with pytest.raises(ActRefused, match="too many combinations of dice with “roll panic mara”"):
        chain_odds(trial.game, trial.state, read_chain("roll panic mara"))
    # One way more may be over the limit.
    assert len(plays) + len(throws) < 3_000 + 2 * MOST_FOLLOW


@pytest.mark.parametrize(
    ("after", "wrong"),
    [
        ('[after.panic]\nany = [{ roll = "panic" }]', "every outcome of panic leads to panic again"),
        (
            '[after.panic]\nany = [{ roll = "save" }]\n[after.save]\nfailed = [{ roll = "panic" }]\ndone = [{ roll = "panic" }]',
            "every outcome of panic leads to another roll (save), which leads back to panic",
        ),
        ('[after.panic]\nany = [{ roll = "save" }]\n[after.save]\nfailed = [{ roll = "panic" }]', ""),
        ('[after.panic]\nany = [{ roll = "panic", when = "stress > 3" }]', ""),
    ],
)
def test_a_loop_that_never_ends_is_named_once(after: str, wrong: str) -> None:
    """At one of its rolls; one that some outcome ends is no mistake."""
    text = LOOP[: LOOP.index("[after.panic]")] + after
    flaws = check_game(tomllib.loads(f'id = "trial"\nname = "Trial"\n{text}'))[1]
    assert [flaw.message.partition(", so the rolls")[0] for flaw in flaws] == ([wrong] if wrong else [])


def test_what_others_of_a_group_rolled_counts_for_nobody() -> None:
    """Each of eight may roll again."""
    people = "".join(f'[sheet.crew.start.p{number}]\nname = "P{number}"\n' for number in range(8))
    trial = Trial(
        f"[sheet.crew.each]\nstress = {{ range = [0, 9] }}\n{people}"
        '[dice.act]\nwho = "crew"\ngroup = { counts = "each" }\n'
        'bands = [{ outcome = "bad", grade = "fiasco" }, { outcome = "done", from = 4 }]\n'
        '[after.act]\nbad = [{ roll = "act" }]\n'
    )
    everybody = " ".join(f"p{number}" for number in range(8))
    said = trial.play(f"group act {everybody}", *[1] * 8, *[6] * 8)
    assert said[8:] == [f"P{number}: Done" for number in range(8)]


def test_a_roll_that_follows_is_made_with_answers_that_are_possible() -> None:
    """Those that it would have by default if somebody made it."""
    calls = '[dice.save.calls.brave]\nlabel = "Brave"\nwhen = "stress > 5"\n[dice.save.calls.plain]\nlabel = "Plain"\ntwice = "worse"\n'
    trial = Trial(LOOP.replace("[after.panic]", f"{calls}[after.panic]"))
    assert _said(trial.play("roll panic mara", 1, 6, 5)) == [
        "mara: Shaken",
        "Rolled twice: “Done” both times",
        "okon: Done",
    ]


def test_a_roll_that_follows_has_the_modifier_that_it_has_by_default() -> None:
    """The nearest to 0 that it can have."""
    for modifier, face, outcome in (("[2, 4]", 2, "Done"), ("[-1, 4]", 2, "Failed"), ("[-4, -2]", 4, "Failed")):
        trial = Trial(LOOP.replace('label = "Save"', f'label = "Save"\nmodifier = {modifier}\nplus = "modifier"'))
        ends = [6] if outcome == "Failed" else []
        assert f"okon: {outcome}" in trial.play("roll panic mara", 1, face, *ends), modifier
