"""Help in the first edition: from any of several backgrounds and skills, and with a share of the risk (VC-03, VC-05, VC-06)."""

from dataclasses import replace
from typing import Any

import pytest

from tests.kit.rules import outcomes, told
from tests.rules.veil_table import after, campaign, odds, play
from waylog.rules.codec.changes import Change
from waylog.rules.game import Game
from waylog.rules.model.moves import ActRefused, PickMany
from waylog.rules.model.panels import DiceRow
from waylog.rules.model.state import State
from waylog.rules.systems import system

GAME = Game(system("veil-classic"))
JOSS = {"name": "Joss", "background": "A smuggler", "skill": "Reads water", "skills": ["Lies well", "Picks locks"]}
CREW: dict[str, Any] = {
    "mara": {"name": "Mara", "background": "A pilot", "backgrounds": ["A donut shop employee"], "skill": "Steers"},
    "joss": JOSS,
    "imre": {"name": "Imre"},
}


def options(state: State, roll: str, ask: str) -> dict[str, str]:
    """The words of a roll's options, each with what it brings."""
    move = next(found for found in GAME.moves(state) if found.id == roll)
    asked = next(found for found in move.asks if found.name == ask)
    assert isinstance(asked, PickMany)
    return {option.word: option.note for option in asked.options}


def offered(state: State, roll: str, ask: str) -> list[str]:
    """The words of a roll's options."""
    return list(options(state, roll, ask))


@pytest.mark.clause("VC-03", "VC-05", "VC-06")
def test_several_backgrounds_and_skills_each_count_for_themselves() -> None:
    """A roller and a helper get beyond Skilled by three of them; where there is one of a kind its kind is its name."""
    state = campaign(GAME, crew=CREW)
    own = ["a-pilot", "a-donut-shop-employee", "skill"]
    assert offered(state, "roll mara", "proficiency") == own
    assert offered(state, "roll imre", "proficiency") == ["background", "skill"]
    lends = ["joss", "joss-background", "joss-reads-water", "joss-lies-well", "joss-picks-locks"]
    assert [word for word in offered(state, "roll mara", "helpers") if word.startswith("joss")] == lends
    brings = options(state, "roll mara", "helpers")
    assert [brings[word] for word in lends] == ["+1d6", *["target −1"] * 4]
    said = f"roll mara risky {' '.join(own)} {' '.join(lends[2:])}"
    assert odds(state, said, GAME).dice == "4d6: personal 3, hits on 3+; Joss 1, hits on 3+; difficulty 2 (risky)"
    done = play(state, said + " 3 2 2 3", GAME)
    assert outcomes(done) == ["partial"]
    assert "Difficulty 2 (Risky), hits on 3+ (Expert, with A pilot, A donut shop employee and skill)" in told(done)
    assert "Joss helps and hits on 3+ (Expert, with Reads water, Lies well and Picks locks)" in told(done)


@pytest.mark.clause("VC-03")
def test_a_file_with_one_of_each_is_as_it_was() -> None:
    """A file with one helper of each kind reads as before, and a list alone says as much as the one and a list."""
    one = {"background": "A smuggler", "skill": "Reads water"}
    alone = {"backgrounds": ["A smuggler"], "skills": ["Reads water"]}
    for values in (one, alone, {**one, **alone}):
        state = campaign(GAME, crew={"joss": values})
        assert offered(state, "roll joss", "proficiency") == ["background", "skill"]
        assert GAME.write(state)["crew"]["joss"] == values
        rows = {row.key: row for panel in GAME.panels(state) for row in panel.rows}
        assert "A smuggler" in str(rows["crew.joss.background"])


@pytest.mark.clause("VC-03")
def test_skills_that_are_called_alike_are_told_apart() -> None:
    """Like crew, modules and words of the roll itself."""
    skills = ["Engines", "engines", "grit", "imre", "DECK GUN", "…", ""]
    modules = {"1": {"name": "DECK GUN"}}
    state = campaign(GAME, crew={"joss": {"skills": skills}, "imre": {}}, ship={"modules": modules})
    words = offered(state, "roll joss engines", "proficiency")
    assert len(words) == len(set(words)) == 1 + 6 + 1
    for word in words:
        assert odds(state, f"roll joss engines {word}", GAME).dice.startswith("5d6: Engines 2 + personal 3, hits on 5+")


@pytest.mark.clause("VC-06")
@pytest.mark.parametrize(
    ("roll", "acts", "asked"),
    [
        ("roll mara joss 6 6 1 1", [], ""),
        ("roll mara joss 6 1 1 1", [], "Mara or Joss"),
        ("roll mara joss imre 1 1 1 1 1", [], "Mara, Joss or Imre"),
        ("roll mara 1 1 1", [], ""),
        ("roll mara engines joss 6 6 1 1 1 1", ["consequence Heard"], "Mara or Joss"),
        ("roll mara engines joss 6 6 1 1 1 1", ["consequence", "keep"], ""),
        ("roll mara engines joss 6 1 1 1 1 1", ["place 1 1 0"], "Mara or Joss"),
        ("roll mara engines joss 1 1 1 1 1 1", [], "Mara or Joss"),
        ("roll mara engines joss desperate 6 6 1 1 1 1", ["keep"], "Mara or Joss"),
        ("roll mara telemetry joss desperate 1 1 1 1 1", [], "Mara or Joss"),
        ("roll mara engines engineering joss", [], ""),
    ],
)
def test_whom_a_consequence_falls_on_is_asked_where_others_helped(roll: str, acts: list[str], asked: str) -> None:
    """Once the dice are dealt with, or as soon as a consequence is told; where there can be none nothing is asked."""
    state = after(campaign(GAME, crew=CREW), roll, *acts, game=GAME)
    assert GAME.question(state) == (f"Whom does the consequence fall on: {asked}?" if asked else None)
    by_roller = campaign(GAME, house_rules={"helpers_risk": "roller"}, crew=CREW)
    assert "Whom" not in str(GAME.question(after(by_roller, roll, *acts, game=GAME)))


@pytest.mark.clause("VC-06")
def test_it_falls_on_the_roller_a_helper_or_all_and_changes_nothing() -> None:
    """Nobody else is offered; the log says whom. One that was told falls on someone."""
    state = after(campaign(GAME, crew=CREW), "roll mara joss 1 1 1 1", game=GAME)
    words = [move.id for move in GAME.moves(state) if move.follows]
    assert words == ["falls mara", "falls joss", "falls all", "spare"]
    for said, note in (
        ("falls mara", "The consequence falls on Mara"),
        ("falls joss", "The consequence falls on Joss"),
        ("falls all", "The consequence falls on Mara and Joss"),
        ("spare", "No consequence"),
    ):
        done = play(state, said, GAME)
        assert (told(done), GAME.difference(state, done.state)) == ([note], ())
        assert (GAME.question(done.state), done.follows) == (None, True)
    with pytest.raises(ActRefused):
        play(state, "falls imre", GAME)
    heard = after(campaign(GAME, crew=CREW), "roll mara engines joss 6 6 1 1 1 1", "consequence Heard", game=GAME)
    assert [move.id for move in GAME.moves(heard) if move.follows] == ["falls mara", "falls joss", "falls all"]
    assert str(GAME.question(after(heard, "falls joss", game=GAME))).startswith("Place the 2 dice from Engines")


@pytest.mark.clause("VC-11", "VC-12")
@pytest.mark.parametrize(
    "acts",
    [
        ["roll mara engines 6 6 1 1 1"],
        ["roll mara engines joss 6 6 1 1 1 1"],
        ["roll mara engines joss 6 6 1 1 1 1", "consequence Heard"],
        ["roll mara engines joss 6 1 1 1 1 1"],
    ],
    ids=["a consequence", "with a helper", "told", "a standard shunt"],
)
def test_dice_in_hand_are_drawn_as_in_hand(acts: list[str]) -> None:
    """Whatever else is asked first, the panel counts them where they are."""
    state = after(campaign(GAME, crew=CREW), *acts, game=GAME)
    rows = {row.key: row for panel in GAME.panels(state) for row in panel.rows}
    engines = rows["ship.systems.Engines"]
    assert isinstance(engines, DiceRow)
    assert (engines.count, engines.note) == (0, "2 dice to place")


@pytest.mark.clause("VC-06", "VC-16")
def test_a_shared_risk_outlives_the_program_a_shunt_and_an_edit() -> None:
    """What comes before it and after it too; whoever is gone from the file is asked for no more."""
    for acts in (
        ["roll mara engines joss 6 6 1 1 1 1"],
        ["roll mara engines joss 6 1 1 1 1 1"],
        ["roll mara joss 1 1 1 1"],
    ):
        state = after(campaign(GAME, crew=CREW), *acts, game=GAME)
        assert replace(state, open=GAME.read_open(GAME.write_open(state))) == state
        shunted = after(state, "shunt 0 0 3" if "engines" in acts[0] else "shunt 0 0 5", game=GAME)
        assert (GAME.question(shunted) or "").split(":")[0] == (GAME.question(state) or "").split(":")[0]
        assert shunted.open == state.open
    failed = after(campaign(GAME, crew=CREW), "roll mara joss 1 1 1 1", game=GAME)
    alone = GAME.apply_changes(failed, [Change(("crew", "mara"), {}, None)])
    assert GAME.question(alone) == "Whom does the consequence fall on: Joss?"
    gone = GAME.apply_changes(alone, [Change(("crew", "joss"), {}, None)])
    assert GAME.question(gone) is None
