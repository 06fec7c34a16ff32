"""The first edition's sheets as files hold them, what the check finds in them, and how the screens are told."""

from typing import Any

import pytest

from tests.kit.rules import Acts, told
from tests.rules.promises import broken_clauses, clauses_are_told
from tests.rules.veil_table import after, campaign, move, play
from waylog.rules.game import Game
from waylog.rules.language.command_parser import parse_act
from waylog.rules.model.dice import TypedDice
from waylog.rules.model.facts import OutcomeGrade, RollFact
from waylog.rules.model.moves import Allocate, PickMany, PickOne
from waylog.rules.model.panels import DiceRow, MarkRow, PipsRow, Rank, Tag, TextRow, Tone
from waylog.rules.systems import names, system
from waylog.rules.systems.veil_classic.clauses import CLAUSES
from waylog.rules.systems.veil_classic.shunts import AFTER, Shunt

GAME = Game(system("veil-classic"))
CREW: dict[str, Any] = {
    "mara": {"name": "Mara", "background": "A harbour pilot", "skill": "I read water", "flaw": "I answer back", "grit": 2},
    "joss": {"name": "Joss", "personal": 2},
}  # fmt: skip
panel = Acts(GAME).panel


def test_it_is_a_game_by_its_folder_alone() -> None:
    """Its folder makes it a game. It tells every clause of its rules, in order, each in a sentence that fits two lines of a wide screen."""
    assert "veil-classic" in names()
    assert dict(GAME.system.clauses) == dict(CLAUSES)
    clauses_are_told(CLAUSES, "VC", range(1, 27))


@pytest.mark.clause("VC-01", "VC-02", "VC-03")
def test_a_new_campaign_is_as_the_rules_have_it() -> None:
    """Five dice, four tokens held, no module; crew come with three personal dice and no grit, or as the house has it."""
    state = GAME.fresh("Trial")
    ship = state.sheet.ship
    assert ship.systems.Telemetry + ship.systems.Engines + ship.systems.Shields == 5
    tokens = ship.tokens
    assert (tokens.integrity, tokens.engineering, tokens.supplies, tokens.reserves) == (True, True, True, True)
    assert (ship.modules, ship.dice_lost, ship.state) == ({}, 0, "action")
    assert GAME.write(state) == {"name": "Trial"}
    joined = after(state, 'join "Odd Lund"', game=GAME).sheet.crew["odd-lund"]
    assert (joined.personal, joined.grit) == (3, 0)
    house = campaign(GAME, house_rules={"personal_dice": 4, "grit": 1})
    joined = after(house, 'join "Odd Lund"', game=GAME).sheet.crew["odd-lund"]
    assert (joined.personal, joined.grit) == (4, 1)


@pytest.mark.clause("VC-01", "VC-03", "VC-14")
@pytest.mark.parametrize(
    ("tree", "faults"),
    [
        ({"ship": {"systems": {"Telemetry": 0, "Engines": 5, "Shields": 0}}}, []),
        ({"ship": {"systems": {"Telemetry": 2}}}, [("ship.systems", "VC-01")]),
        ({"ship": {"systems": {"Telemetry": 0}, "dice_lost": 1}}, []),
        ({"ship": {"dice_lost": 1}}, [("ship.systems", "VC-01")]),
        ({"ship": {"modules": {"5": {"name": "X"}}}}, [("ship.modules.5", None)]),
        ({"crew": {"mara": {"personal": 0, "grit": 40}}}, []),
        ({"crew": {"mara": {"personal": 4}}}, [("crew.mara.personal", "VC-03")]),
        ({"house_rules": {"personal_dice": 4}, "crew": {"mara": {"personal": 4}}}, []),
        ({"crew": {"mara": {"grit": -1}}}, [("crew.mara.grit", "VC-03")]),
    ],
)
def test_what_breaks_a_clause_is_found(tree: dict[str, Any], faults: list[tuple[str, str | None]]) -> None:
    """With its place, and play can go on."""
    assert broken_clauses(GAME, tree) == faults
    assert not any(fault.grave for fault in GAME.read(tree)[1])


@pytest.mark.clause("VC-10")
def test_every_outcome_has_its_way_of_giving_dice_back() -> None:
    """A Desperate roll's is one worse."""
    assert dict(AFTER) == {
        (False, OutcomeGrade.SUCCESS): Shunt.REACTIVE,
        (False, OutcomeGrade.DRAWBACK): Shunt.STANDARD,
        (False, OutcomeGrade.FIASCO): Shunt.STABILISE,
        (True, OutcomeGrade.SUCCESS): Shunt.STANDARD,
        (True, OutcomeGrade.DRAWBACK): Shunt.STABILISE,
        (True, OutcomeGrade.FIASCO): Shunt.FAULT,
    }


@pytest.mark.clause("VC-24")
@pytest.mark.parametrize(
    ("token", "means"),
    [
        ("integrity", "modules at risk"),
        ("engineering", "Desperate rolls"),
        ("supplies", "−1 die a day"),
        ("reserves", "no way to pay"),
    ],
)
def test_beside_a_lost_token_stands_what_its_loss_means(token: str, means: str) -> None:
    """On the ship's screen, while it is lost, and so short that a window of 80 columns shows it whole."""
    assert len(means) <= 16
    state = campaign(GAME)
    key, label = f"ship.tokens.{token}", token.capitalize()
    assert MarkRow(key, label, True, "held", rank=Rank.VITAL) in panel(state, "ship.tokens").rows
    lost = after(state, f"lose {token}", game=GAME)
    assert MarkRow(key, label, False, "lost", means, rank=Rank.VITAL) in panel(lost, "ship.tokens").rows


@pytest.mark.clause("VC-01", "VC-03", "VC-09")
def test_the_screens_are_told_everything() -> None:
    """Dice with those that are lost, the state of the table; backgrounds, skills, flaws, personal dice and grit."""
    ship = {"name": "Corrigan", "tokens": {"engineering": False}, "systems": {"Engines": 1}, "dice_lost": 1}
    state = campaign(GAME, ship=ship, crew=CREW)
    assert panel(state, "ship").tags == (Tag("action", Tone.DIM),)
    systems = panel(state, "ship.systems")
    assert systems.tags == (Tag("Desperate", Tone.BAD),)
    assert [(row.label, row.count) for row in systems.rows if isinstance(row, DiceRow)] == [
        ("Telemetry", 1),
        ("Engines", 1),
        ("Shields", 2),
    ]
    assert systems.rows[-1] == TextRow("ship.dice_lost", "Dice lost", "1", Tone.WARN)
    assert panel(state, "crew.mara").rows == (
        TextRow("crew.mara.background", "Background", "A harbour pilot"),
        TextRow("crew.mara.skill", "Skill", "I read water"),
        TextRow("crew.mara.flaw", "Flaw", "I answer back"),
        PipsRow("crew.mara.personal", "Personal", 3, 3, rank=Rank.VITAL),
        TextRow("crew.mara.grit", "Grit", "2 tokens", rank=Rank.VITAL),
    )
    down = campaign(GAME, ship={"destroyed": True}, crew={"mara": {"personal": 0}})
    assert [tag.text for tag in panel(down, "ship").tags] == ["destroyed", "adventure ended", "action"]
    assert panel(down, "crew.mara").tags == (Tag("no personal dice", Tone.BAD),)


@pytest.mark.clause("VC-07", "VC-11")
def test_dice_in_hand_do_not_lie_on_the_ship() -> None:
    """All of the system's, from the roll until they are placed."""
    state = after(campaign(GAME, crew=CREW), "roll mara engines 6 6 1 1 1", "consequence", game=GAME)
    rows = {row.label: row for row in panel(state, "ship.systems").rows if isinstance(row, DiceRow)}
    assert (rows["Engines"].count, rows["Engines"].note) == (0, "2 dice to place")
    ask = move(state, "place", GAME).asks[0]
    assert isinstance(ask, Allocate)
    assert [(slot.least, slot.most, slot.now) for slot in ask.slots] == [(0, 2, 0), (0, 2, 2), (0, 2, 0)]


@pytest.mark.clause("VC-06", "VC-07")
def test_a_systems_roll_throws_the_systems_dice_then_personal_ones_then_helpers() -> None:
    """In that order real dice are typed, and each shows its own face."""
    played = play(campaign(GAME, crew=CREW), "roll joss shields mara 1 2 3 4 5", GAME)
    (rolled,) = (fact for fact in played.facts if isinstance(fact, RollFact))
    assert [(die.source, die.face) for die in rolled.dice] == [
        ("Shields", 1),
        ("Shields", 2),
        ("Joss", 3),
        ("Joss", 4),
        ("Mara", 5),
    ]


@pytest.mark.clause("VC-05")
def test_grit_is_taken_at_once() -> None:
    """Whatever comes of the roll; with real dice still to be typed nothing has happened yet."""
    state = campaign(GAME, crew=CREW)
    assert play(state, "roll mara grit 1 1 1", GAME).state.sheet.crew["mara"].grit == 1
    waiting = GAME.play(state, parse_act(GAME.moves(state), "roll mara grit 1"), TypedDice(())).state
    assert GAME.question(waiting) == "Mara: what do the 2 dice show?"
    assert waiting.sheet == state.sheet
    done = GAME.play(waiting, parse_act(GAME.moves(waiting), "dice 5 1"), TypedDice(()))
    assert done.state.sheet.crew["mara"].grit == 1
    assert "1 hit (5) against difficulty 1" in told(done)


@pytest.mark.clause("VC-06")
def test_helpers_are_everyone_else_and_their_grit_shows_as_refused() -> None:
    """Each may help as they are, from their background, from their skill, or both."""
    state = campaign(GAME, crew=CREW)
    ask = next(ask for ask in move(state, "roll joss", GAME).asks if ask.name == "helpers")
    assert isinstance(ask, PickMany)
    assert [(option.word, option.blocked.clause if option.blocked else None) for option in ask.options] == [
        ("mara", None),
        ("mara-background", None),
        ("mara-skill", None),
        ("mara-grit", "VC-06"),
    ]
    ask = next(ask for ask in move(state, "roll mara", GAME).asks if ask.name == "helpers")
    assert isinstance(ask, PickMany)
    assert [option.word for option in ask.options] == ["joss", "joss-background", "joss-skill"]


@pytest.mark.clause("VC-05", "VC-06")
def test_names_that_mean_something_else_are_told_apart() -> None:
    """Crew, helpers and modules that share a name, or are called as the moves are, all have words of their own."""
    crew = {"joss": {}, "joss-skill": {"grit": 1}, "risky": {}, "mara": {}}
    modules = {"1": {"name": "Joss skill"}, "2": {"name": "grit"}, "3": {"name": "Engineering"}}
    state = campaign(GAME, ship={"modules": modules}, crew=crew)
    for who in ("roll mara", "roll joss", "roll crew-risky engines"):
        asks = [ask for ask in move(state, who, GAME).asks if isinstance(ask, PickMany | PickOne)]
        words = [option.word for ask in asks for option in ask.options]
        assert len(set(words)) == len(words)
