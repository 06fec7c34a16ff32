"""The reference edition's sheets as files hold them, what the check finds in them, and how the screens are told."""

from typing import Any

import pytest

from tests.kit.rules import Acts, told
from tests.rules.promises import broken_clauses, clauses_are_told
from tests.rules.veil_table import after, campaign, move, play
from waylog.rules.game import Game
from waylog.rules.language.command_parser import parse_act
from waylog.rules.model.dice import TypedDice
from waylog.rules.model.facts import NoteFact, OutcomeFact, OutcomeGrade, RollFact
from waylog.rules.model.moves import Allocate, PickMany, PickOne
from waylog.rules.model.panels import DiceRow, MarkRow, Panel, PipsRow, Rank, Tag, TextRow, Tone
from waylog.rules.systems import names, system
from waylog.rules.systems.veil_reference.clauses import CLAUSES
from waylog.rules.systems.veil_reference.crew_and_panels import LISTED
from waylog.rules.systems.veil_reference.rolls import PROMPTS

GAME = Game(system("veil-reference"))
CREW: dict[str, Any] = {
    "mara": {"name": "Mara", "skills": ["sharp mind"], "equipment": {"torch": {"name": "Laser torch", "dice": 2}}},
    "joss": {"name": "Joss", "vitality": 2},
}
panel = Acts(GAME).panel


def test_it_is_a_game_by_its_folder_alone() -> None:
    """Its folder makes it a game. It tells every clause of its rules, in order, each in a sentence that fits two lines of a wide screen."""
    assert "veil-reference" in names()
    assert dict(GAME.system.clauses) == dict(CLAUSES)
    clauses_are_told(CLAUSES, "RF", range(1, 21))


@pytest.mark.clause("RF-01", "RF-02")
def test_a_new_campaign_is_as_the_rules_have_it() -> None:
    """Six dice, four tokens held, no module, and crew who come with three vitality dice."""
    state = GAME.fresh("Trial")
    ship = state.sheet.ship
    assert (ship.systems.SigInt, ship.systems.Shields, ship.systems.Engines) == (2, 2, 2)
    tokens = ship.tokens
    assert (tokens.integrity, tokens.engineering, tokens.supplies, tokens.reserves) == (True, True, True, True)
    assert ship.modules == {}
    assert GAME.write(state) == {"name": "Trial"}
    joined = after(state, 'join "Odd Lund"', game=GAME).sheet.crew["odd-lund"]
    assert (joined.vitality, joined.skills, joined.equipment) == (3, (), {})


@pytest.mark.clause("RF-01", "RF-02", "RF-16")
@pytest.mark.parametrize(
    ("tree", "faults"),
    [
        ({"ship": {"systems": {"SigInt": 0, "Shields": 0, "Engines": 6}}}, []),
        ({"ship": {"systems": {"SigInt": 3}}}, [("ship.systems", "RF-01")]),
        ({"ship": {"systems": {"SigInt": 7, "Shields": 0, "Engines": 0}}}, [("ship.systems.SigInt", "RF-01"), ("ship.systems", "RF-01")]),
        ({"ship": {"modules": {"5": {"name": "X"}}}}, [("ship.modules.5", None)]),
        ({"crew": {"mara": {"vitality": 0}}}, []),
        ({"crew": {"mara": {"vitality": 4}}}, [("crew.mara.vitality", "RF-02")]),
        ({"house_rules": {"vitality": 4}, "crew": {"mara": {"vitality": 4}}}, []),
        ({"crew": {"mara": {"vitality": 5}}}, [("crew.mara.vitality", "RF-02"), ("crew.mara.vitality", "RF-02")]),
        ({"crew": {"mara": {"equipment": {"ram": {"dice": 3}}}}}, [("crew.mara.equipment.ram.dice", "RF-02")]),
        ({"house_rules": {"equipment_dice": 3}, "crew": {"mara": {"equipment": {"ram": {"dice": 3}}}}}, []),
        ({"crew": {"mara": {"skills": ["Sharp mind", "Read the manual"]}}}, []),
        ({"crew": {"mara": {"skills": ["juggling"]}}}, [("crew.mara.skills", "RF-16")]),
        ({"skills": {"juggling": {"system": "Engines"}}, "crew": {"mara": {"skills": ["juggling"]}}}, []),
    ],
)  # fmt: skip
def test_what_breaks_a_clause_is_found(tree: dict[str, Any], faults: list[tuple[str, str | None]]) -> None:
    """With its place, and play can go on."""
    assert broken_clauses(GAME, tree) == faults
    assert not any(fault.grave for fault in GAME.read(tree)[1])


@pytest.mark.clause("RF-01", "RF-02", "RF-14")
def test_the_screens_are_told_everything() -> None:
    """Dice, tokens with what their loss means, modules; vitality, skills with their system, equipment with its dice."""
    ship = {
        "name": "Corrigan",
        "about": "Old",
        "tokens": {"engineering": False},
        "modules": {"1": {"name": "BIG EAR", "about": "hears"}, "3": {"name": "RAM", "destroyed": True}},
    }
    state = campaign(GAME, ship=ship, crew=CREW)
    assert panel(state, "ship") == Panel(
        "ship", "ship", "Corrigan", (TextRow("ship.about", "About", "Old", rank=Rank.ABOUT),)
    )
    systems = panel(state, "ship.systems")
    assert systems.tags == (Tag("Desperate", Tone.BAD),)
    assert [(row.label, row.count) for row in systems.rows if isinstance(row, DiceRow)] == [
        ("SigInt", 2),
        ("Shields", 2),
        ("Engines", 2),
    ]
    lost = panel(state, "ship.tokens").rows[1]
    assert lost == MarkRow("ship.tokens.engineering", "Engineering", False, "lost", "Desperate rolls", rank=Rank.VITAL)
    assert [(row.label, row.state) for row in panel(state, "ship.modules").rows if isinstance(row, MarkRow)] == [
        ("#1 BIG EAR", "intact"),
        ("#2", "empty"),
        ("#3 RAM", "destroyed"),
        ("#4", "empty"),
    ]
    assert panel(state, "crew.mara").rows == (
        PipsRow("crew.mara.vitality", "Vitality", 3, 3, rank=Rank.VITAL),
        TextRow("crew.mara.skills.sharp-mind", "Sharp mind", "Investigate, SigInt"),
        MarkRow(
            "crew.mara.equipment.torch", "Laser torch", True, "ready", "+2d6", switch="crew.mara.equipment.torch.ready"
        ),
    )
    down = campaign(GAME, ship={"destroyed": True}, crew={"mara": {"vitality": 0}})
    assert [tag.text for tag in panel(down, "ship").tags] == ["destroyed", "adventure ended"]
    assert panel(down, "crew.mara").tags == (Tag("no vitality", Tone.BAD),)


@pytest.mark.clause("RF-04", "RF-10")
def test_dice_in_hand_do_not_lie_on_the_ship() -> None:
    """From the roll until they are placed; the file keeps them where they were."""
    state = after(campaign(GAME, crew=CREW), "roll mara engines 6 1 1 1 1", game=GAME)
    rows = {row.label: row for row in panel(state, "ship.systems").rows if isinstance(row, DiceRow)}
    assert (rows["Engines"].count, rows["Engines"].note) == (0, "2 dice to place")
    assert rows["SigInt"].count == 2
    assert state.sheet.ship.systems.Engines == 2
    ask = move(state, "place", GAME).asks[0]
    assert isinstance(ask, Allocate)
    assert [(slot.least, slot.most, slot.now) for slot in ask.slots] == [(0, 2, 0), (0, 2, 0), (0, 2, 2)]
    by_hand = GAME.apply_changes(
        state, GAME.difference(state, campaign(GAME, crew=CREW, ship={"systems": {"Engines": 1, "SigInt": 3}}))
    )
    assert GAME.question(by_hand) == "Place the 1 die from Engines. Now on the ship: SigInt 3 · Shields 2 · Engines 0"


@pytest.mark.clause("RF-07")
def test_every_die_shows_its_own_face() -> None:
    """In the fact that the log keeps: what it was for and what came up, vitality first."""
    played = play(campaign(GAME, crew=CREW), "roll joss shields 5 2 6 1", GAME)
    (rolled,) = (fact for fact in played.facts if isinstance(fact, RollFact))
    assert [(die.source, die.face) for die in rolled.dice] == [("Joss", 5), ("Joss", 2), ("Shields", 6), ("Shields", 1)]
    assert rolled.what == "Joss, Shields"


@pytest.mark.clause("RF-08")
@pytest.mark.parametrize("faces", ["6 6 1 1 1", "6 1 1 1 1", "1 1 1 1 1"])
@pytest.mark.parametrize("call", ["", "desperate"])
def test_a_ship_roll_never_costs_vitality(faces: str, call: str) -> None:
    """Whatever came of it, and however it was called."""
    played = play(campaign(GAME, crew=CREW), f"roll mara engines {call} {faces}", GAME)
    assert played.state.sheet.crew["mara"].vitality == 3


@pytest.mark.clause("RF-16")
def test_the_listed_skills_are_there_for_everyone_and_a_campaign_adds_its_own() -> None:
    """Each said with what it is a way of and the system it goes with; one already held is not offered again."""
    assert [(skill.name, skill.kind, skill.system) for skill in LISTED] == [
        ("gut feelings", "Investigate", "SigInt"),
        ("deep knowledge", "Investigate", "SigInt"),
        ("sharp mind", "Investigate", "SigInt"),
        ("flex muscles", "Fix", "Shields"),
        ("read the manual", "Fix", "Shields"),
    ]
    state = campaign(GAME, crew=CREW, skills={"coax": {"name": "coax the drive", "kind": "Tend", "system": "Engines"}})
    ask = move(state, "learn mara", GAME).asks[0]
    assert isinstance(ask, PickOne)
    assert ("coax-the-drive", "Tend, Engines") in [(option.word, option.note) for option in ask.options]
    assert "sharp-mind" not in [option.word for option in ask.options]
    learnt = after(state, *(f"learn mara {option.word}" for option in ask.options), game=GAME)
    blocked = move(learnt, "learn mara", GAME).blocked
    assert blocked
    assert blocked.clause == "RF-16"
    invoke = next(ask for ask in move(learnt, "roll mara engines", GAME).asks if ask.name == "invoke")
    assert isinstance(invoke, PickMany)
    assert ("coax-the-drive", "target −1 · Tend, Engines") in [(option.word, option.note) for option in invoke.options]


@pytest.mark.clause("RF-17")
def test_a_prompt_follows_each_outcome_unless_it_is_turned_off() -> None:
    """Right behind the result, one of several that go by the dice, and short enough for one line."""
    for faces, mood in (
        ("661", OutcomeGrade.SUCCESS),
        ("611", OutcomeGrade.DRAWBACK),
        ("111", OutcomeGrade.FIASCO),
    ):
        facts = play(campaign(GAME, crew=CREW), f"roll mara {faces}", GAME).facts
        place = next(index for index, fact in enumerate(facts) if isinstance(fact, OutcomeFact))
        prompt = facts[place + 1]
        assert isinstance(prompt, NoteFact)
        assert prompt.clause == "RF-17"
        assert prompt.text in PROMPTS[mood]
        silent = play(campaign(GAME, crew=CREW, house_rules={"prompts": "off"}), f"roll mara {faces}", GAME).facts
        assert not any(isinstance(fact, NoteFact) and fact.clause == "RF-17" for fact in silent)
    heard = {
        line for sixes in range(1, 4) for line in told(play(campaign(GAME, crew=CREW), f"roll mara 11{sixes}", GAME))
    }
    assert set(PROMPTS[OutcomeGrade.FIASCO]) <= heard
    assert all(len(line) <= 70 for lines in PROMPTS.values() for line in lines)


@pytest.mark.clause("RF-04", "RF-05")
def test_names_that_mean_something_else_are_told_apart() -> None:
    """Crew, modules, skills and equipment that share a name, or are called as the moves are, all have words of their own."""
    crew = {
        "two": {
            "name": "Two",
            "skills": ["help"],
            "equipment": {"a": {"name": "Engines"}, "b": {"name": "Two"}, "c": {}},
        }
    }
    modules = {"1": {"name": "Engines"}, "2": {"name": "crew-two"}}
    state = campaign(GAME, ship={"modules": modules}, crew=crew, skills={"help": {}})
    asks = [ask for ask in move(state, "roll crew-two", GAME).asks if isinstance(ask, PickMany | PickOne)]
    words = [option.word for ask in asks for option in ask.options]
    assert len(set(words)) == len(words)
    assert "module-engines" in words
    act = parse_act(GAME.moves(state), "roll crew-two gear-engines c 1 1 1 1 1")
    assert act.answers["equipment"] == ("gear-engines", "c")


@pytest.mark.clause("RF-11", "RF-15")
def test_real_dice_may_come_one_act_later() -> None:
    """A crash that comes of a typed roll asks for its own die, and nothing has happened until it is typed."""
    ship = {"tokens": {"integrity": False, "engineering": False}}
    state = campaign(GAME, ship=ship, crew=CREW)
    act = parse_act(GAME.moves(state), "roll joss shields 1111")
    waiting = GAME.play(state, act, TypedDice(())).state
    assert GAME.question(waiting) == "Crash: what does the die show?"
    assert waiting.sheet == state.sheet
    done = GAME.play(waiting, parse_act(GAME.moves(waiting), "dice 6"), TypedDice(()))
    assert "No further damage" in told(done)


@pytest.mark.clause("RF-02")
def test_equipment_lends_no_more_dice_than_the_house_rule_allows() -> None:
    """Whatever the file says of it: three dice are two by default, and three where the table plays with three."""
    crew = {"mara": {"name": "Mara", "equipment": {"ram": {"name": "Ram", "dice": 3}}}}
    for rules, dice in (({}, 5), ({"equipment_dice": 3}, 6), ({"equipment_dice": 1}, 4)):
        state, _ = GAME.read({"name": "Trial", "crew": crew, "house_rules": rules})
        facts = play(state, f"roll mara ram {'1' * dice}", GAME).facts
        thrown = next(fact for fact in facts if isinstance(fact, RollFact))
        assert len(thrown.dice) == dice
