"""The sheets of Veil Runners as files hold them, what the check finds in them, and how the screens are told."""

from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest

from tests.kit.rules import outcomes, told
from tests.rules.promises import broken_clauses
from tests.rules.veil_table import CORE, GAMES, Y2026, after, campaign, move, odds, panel, play
from waylog.rules.codec.changes import Change
from waylog.rules.game import Game
from waylog.rules.model.facts import NoteFact
from waylog.rules.model.moves import ActRefused
from waylog.rules.model.panels import DiceRow, MarkRow, PipsRow, Rank, Tag, TextRow, Tone
from waylog.rules.model.state import OpenState, State
from waylog.rules.systems.veil_core.missions_and_advancement import LISTS
from waylog.rules.systems.veil_core.sheet import Member
from waylog.rules.systems.veil_core.state_stages_and_typed_names import (
    FocusChoice,
    FreePick,
    Group,
    Hit,
    OpenStages,
    RollRequest,
    Settled,
    Struck,
)


def clauses(tree: dict[str, Any], game: Game = CORE) -> list[tuple[str, str | None]]:
    """Where a file of the core rules, or of that game, breaks which clause."""
    return broken_clauses(game, tree)


@pytest.mark.clause("VK-01", "VK-03", "VK-04", "VN-01")
def test_a_new_campaign_is_as_the_rules_have_it() -> None:
    """Six dice or four, three tokens, no Focus, and nothing wrong with it; the file has nothing that goes without saying."""
    for game, dice in ((CORE, (2, 2, 2)), (Y2026, (1, 1, 2))):
        state = game.fresh("Trial")
        ship = state.sheet.ship
        assert dice == (ship.core.CPU, ship.core.HUL, ship.core.NAV)
        assert (ship.tokens.life_support, ship.tokens.integrity, ship.tokens.engineering) == (True, True, True)
        assert ship.focus == 0
        assert game.write(state) == {"name": "Trial"}
        assert game.read({"name": "Trial"}) == (state, [])


@pytest.mark.clause("VK-05")
def test_a_new_crew_member_is_unhurt_and_equipped() -> None:
    """Three vitality, no Focus, three suit systems that work, no advancements."""
    member = Member()
    assert (member.vitality, member.focus, member.advancements) == (3, 0, ())
    assert (member.life_support, member.primary.works, member.secondary.works) == (True, True, True)


@pytest.mark.clause("VK-01", "VK-02", "VK-04", "VK-05", "VK-06", "VK-07", "VK-66")
@pytest.mark.parametrize(
    ("tree", "found"),
    [
        ({"ship": {"core": {"CPU": 3}}}, [("ship.core", "VK-01")]),
        ({"ship": {"core": {"CPU": 0, "NAV": 4}}}, [("ship.core.CPU", "VK-01")]),
        ({"ship": {"core": {"CPU": 5, "HUL": 1, "NAV": 0}}}, [("ship.core.CPU", "VK-01"), ("ship.core.NAV", "VK-01")]),
        ({"ship": {"focus": 4}}, [("ship.focus", "VK-04")]),
        ({"ship": {"modules": {"5": {"name": "X"}}}}, [("ship.modules.5", None)]),
        ({"ship": {"modules": {"1": {"name": "X"}}}}, [("ship.modules.1.system", "VK-06")]),
        (
            {"ship": {"modules": {"1": {"name": "X", "kind": "additional", "uses": 2, "uses_left": 3}}}},
            [("ship.modules.1.uses_left", "VK-07")],
        ),
        ({"crew": {"mara": {"vitality": 4}}}, [("crew.mara.vitality", "VK-05")]),
        ({"crew": {"mara": {"focus": 4}}}, [("crew.mara.focus", "VK-04")]),
        ({"crew": {"mara": {"focus": 6, "prep": {"focus": 2}}}}, []),
        (
            {"mission": {"over": "success"}, "crew": {"mara": {"focus": 6, "prep": {"focus": 2}}}},
            [("crew.mara.focus", "VK-04")],
        ),
        (
            {"crew": {"mara": {"advancements": ["expert", "reckless", "forceful"]}}},
            [("crew.mara.advancements", "VK-66")],
        ),
        ({"crew": {"mara": {"advancements": ["expert", "expert"]}}}, [("crew.mara.advancements", "VK-53")]),
    ],
)
def test_what_breaks_a_clause_is_found(tree: dict[str, Any], found: list[tuple[str, str | None]]) -> None:
    """With its place, and play can go on."""
    assert clauses(tree) == found
    assert not any(fault.grave for fault in CORE.read(tree)[1])


@pytest.mark.clause("VN-01")
def test_a_ship_of_2026_may_have_none_in_a_system() -> None:
    """Four in all is what counts."""
    assert clauses({"ship": {"core": {"CPU": 0, "HUL": 0, "NAV": 4}}}, Y2026) == []
    assert clauses({"ship": {"core": {"NAV": 3}}}, Y2026) == [("ship.core", "VN-01")]
    assert clauses({"ship": {"core": {"CPU": 5, "HUL": 0, "NAV": 0}}}, Y2026) == [
        ("ship.core.CPU", "VN-01"),
        ("ship.core", "VN-01"),
    ]


@pytest.mark.clause("VK-04", "VK-05")
@pytest.mark.parametrize(("name", "dice"), [("veil-core", "6d6: CPU 6"), ("veil-2026", "4d6: CPU 4")])
def test_absurd_values_do_no_harm(name: str, dice: str) -> None:
    """What a person may type by mistake is found, and counts no more than the rules allow while it stands there."""
    huge = 10**9
    tree = {
        "ship": {"focus": huge, "core": {"CPU": huge, "HUL": -huge}},
        "crew": {"mara": {"vitality": huge, "focus": -5, "prep": {"dread": huge}}, "lars": {"vitality": -huge}},
    }
    game = GAMES[name]
    state, faults = game.read(tree)
    assert faults
    assert not any(fault.grave for fault in faults)
    assert odds(state, "roll cpu", game).dice == dice
    assert odds(state, "roll mara", game).dice == "3d6: vitality 3"
    assert play(state, "roll mara", game).state.sheet.crew["mara"].focus == 3
    assert game.panels(state)


@pytest.mark.clause("VK-08")
def test_a_passive_module_works_even_destroyed() -> None:
    """It says so; any other is no help."""
    modules = {
        "1": {"name": "MEDBAYS", "kind": "passive", "destroyed": True},
        "2": {"name": "AFTERBURNERS", "system": "NAV", "destroyed": True},
        "3": {"name": "CLOAK", "kind": "additional", "uses": 2, "uses_left": 2, "destroyed": True},
    }
    state = campaign(ship={"modules": modules})
    notes = {row.key: row.note for row in panel(state, "ship.modules").rows if isinstance(row, MarkRow)}
    assert notes["ship.modules.1"] == "passive, still works"
    for words in ("use cloak", "roll nav afterburners"):
        with pytest.raises(ActRefused) as refused:
            play(state, words)
        assert refused.value.refusal.clause == "VK-08"


@pytest.mark.clause("VK-07")
def test_a_module_whose_file_says_nothing_of_uses_left_has_them_all() -> None:
    """What a person leaves out is as on a fresh sheet; a file that says how many are left is taken at its word."""
    state = campaign(ship={"modules": {"1": {"name": "CLOAK", "kind": "additional", "uses": 3}}})
    assert "3 of 3 uses left" in [row.note for row in panel(state, "ship.modules").rows if isinstance(row, MarkRow)]
    assert move(state, "use cloak").label == "Use CLOAK (3 of 3 left)"
    assert "refill cloak" not in {move.id for move in CORE.moves(state)}
    used = play(state, "use cloak").state
    assert CORE.write(used)["ship"]["modules"]["1"]["uses_left"] == 2
    used_up = after(used, "use cloak", "use cloak")
    for spent in (used_up, CORE.read(CORE.write(used_up))[0]):
        with pytest.raises(ActRefused, match="has no uses left"):
            play(spent, "use cloak")
    back = CORE.apply_changes(used, [change.reverse() for change in CORE.difference(state, used)])
    assert CORE.write(back) == CORE.write(state)


@pytest.mark.clause("VK-36", "VK-51")
def test_a_module_without_counted_uses_says_nothing_of_them() -> None:
    """Built into an empty slot or out of another such module, its table has no count of uses that are left."""
    state = campaign(
        mission={"over": "success", "upgrade": True}, ship={"modules": {"1": {"name": "X", "system": "NAV"}}}
    )
    for words in ('upgrade 2 cpu "SCANNER"', 'jury-rig x passive "MEDBAYS"'):
        modules = CORE.write(play(state, words).state)["ship"]["modules"]
        assert [key for module in modules.values() for key in module if "uses" in key] == []


@pytest.mark.clause("VK-02", "VK-03", "VK-32", "VK-34")
def test_the_ship_is_told_to_the_screens() -> None:
    """Dice, tokens, modules, Focus, the state of the table, and in the alarms that she is Wrecked."""
    ship = {
        "name": "Tenacity",
        "focus": 2,
        "state": "downtime",
        "wrecked": True,
        "tokens": {"engineering": False},
        "modules": {
            "2": {"name": "CLOAK", "kind": "additional", "uses": 3, "uses_left": 1, "about": "unseen while still"},
            "4": {"name": "AFTERBURNERS", "system": "NAV", "destroyed": True},
        },
    }
    state = campaign(ship=ship)
    assert panel(state, "ship").title == "Tenacity"
    assert panel(state, "ship").tags == (
        Tag("Wrecked", Tone.BAD),
        Tag("mission ended", Tone.BAD),
        Tag("downtime", Tone.DIM),
    )
    assert panel(state, "ship").rows == (PipsRow("ship.focus", "Focus", 2, 3, rank=Rank.VITAL),)
    assert panel(state, "ship.core").rows[2] == DiceRow(
        "ship.core.NAV", "NAV", 2, about="navigate, avoid, manoeuvre", rank=Rank.VITAL
    )
    assert panel(state, "ship.core").tags == (Tag("Desperate", Tone.BAD),)
    assert panel(state, "ship.tokens").rows[2] == MarkRow(
        "ship.tokens.engineering", "Engineering", False, "lost", "ship rolls are Desperate", rank=Rank.VITAL
    )
    assert panel(state, "ship.modules").rows == (
        MarkRow("ship.modules.1", "#1", False, "empty"),
        MarkRow("ship.modules.2", "#2 CLOAK", True, "intact", "1 of 3 uses left", "unseen while still"),
        MarkRow("ship.modules.3", "#3", False, "empty"),
        MarkRow("ship.modules.4", "#4 AFTERBURNERS", False, "destroyed", "NAV +1d6"),
    )
    assert Tag("carrying on", Tone.WARN) in panel(after(state, "carry-on"), "ship").tags


@pytest.mark.clause("VK-32", "VK-42")
@pytest.mark.parametrize(("vitality", "carries_on"), [(1, False), (0, True)])
def test_leave_to_carry_on_goes_with_the_wreck(vitality: int, carries_on: bool) -> None:
    """A ship that flies again needs none, unless the crew is Down and Out as well."""
    state = campaign(ship={"wrecked": True}, crew={"mara": {"vitality": vitality}})
    done = after(state, "carry-on", 'restore ship "towed home"')
    assert done.sheet.mission.carry_on is carries_on
    wrecked = after(done, "set ship.wrecked true")
    assert (move(wrecked, "roll nav").blocked is None) is carries_on


@pytest.mark.clause("VK-41", "VK-42", "VK-43")
def test_someone_in_the_crew_is_told_to_the_screens() -> None:
    """Suit, tools, advancements, prep; Exposed with its reason, Down and Out, away."""
    mara = {
        "name": "Mara",
        "role": "pilot",
        "vitality": 0,
        "focus": 1,
        "exposed": True,
        "aboard": False,
        "may_advance": True,
        "life_support": False,
        "primary": {"name": "DRILL", "about": "loud"},
        "advancements": ["expert", "ablative-armour"],
        "expertise": "rocks",
        "ablative": False,
        "prep": {"care": 1},
    }
    state = campaign(crew={"mara": mara})
    shown = panel(state, "crew.mara")
    assert (shown.place, shown.title, shown.role) == ("crew", "Mara", "pilot")
    assert shown.tags == (
        Tag("Down and Out", Tone.BAD),
        Tag("Exposed", Tone.WARN, "set by the wayfinder"),
        Tag("rolls Desperate", Tone.BAD),
        Tag("away", Tone.DIM),
        Tag("advancement to choose", Tone.GOOD),
    )
    assert shown.rows == (
        TextRow("crew.mara.role", "Role", "pilot", rank=Rank.ABOUT),
        PipsRow("crew.mara.vitality", "Vitality", 0, 3, rank=Rank.VITAL),
        PipsRow("crew.mara.focus", "Focus", 1, 3, rank=Rank.VITAL),
        MarkRow("crew.mara.life_support", "Life support", False, "lost", switch="crew.mara.life_support"),
        MarkRow(
            "crew.mara.primary", "DRILL", True, "works", "+2d6", "primary tool · loud", switch="crew.mara.primary.works"
        ),
        MarkRow("crew.mara.secondary", "Secondary tool", True, "works", "+1d6", switch="crew.mara.secondary.works"),
        TextRow("crew.mara.expert", "Expert", "rocks"),
        MarkRow("crew.mara.ablative", "Ablative armour", False, "lost", switch="crew.mara.ablative"),
        PipsRow("crew.mara.prep.care", "Care", 1, 1, about="a healing roll is a Success"),
    )
    assert Tag("crew Down and Out", Tone.BAD) in panel(state, "ship").tags


@pytest.mark.clause("VK-61")
def test_a_burned_sheet_stays_in_the_file_and_is_gone_from_the_crew() -> None:
    """Kept, and not counted; the last of the crew ends the mission."""
    crew = {"mara": {"vitality": 0, "advancements": ["relentless"]}}
    done = play(campaign(crew=crew), "damage mara")
    assert done.state.sheet.crew["mara"].burned
    assert CORE.write(done.state)["crew"]["mara"]["burned"] is True
    assert [shown.key for shown in CORE.panels(done.state) if shown.place == "crew"] == []
    assert "The crew is lost: the mission has ended" in told(done)
    assert move(done.state, "roll nav").blocked


@pytest.mark.clause("VK-65")
def test_reckless_and_relentless_is_deadly() -> None:
    """The Success stands."""
    crew = {"mara": {"vitality": 0, "advancements": ["relentless", "reckless"]}, "lars": {}}
    done = play(campaign(crew=crew), "roll mara reckless")
    assert outcomes(done) == ["success"]
    assert done.state.sheet.crew["mara"].burned


@pytest.mark.parametrize(
    "stage",
    [
        FocusChoice(RollRequest("gone"), ("gone",), (4,)),
        FocusChoice(RollRequest("mara", mate="gone"), ("Mara",), (4,)),
        Hit("gone"),
        Struck("gone", 3),
    ],
)
def test_a_stage_whose_people_are_gone_asks_nothing(stage: Any) -> None:
    """An edit by hand may take someone out of the file while a choice of theirs is open."""
    state = campaign(crew={"mara": {"focus": 1}})
    opened = State(
        state.name, state.rules, state.sheet, state.clocks, open=OpenState(OpenStages((Settled(("gone",)), stage)))
    )
    assert CORE.question(opened) is None
    assert play(opened, "roll nav 6 1").facts
    assert CORE.panels(opened)


@pytest.mark.clause("VK-53")
def test_a_list_held_whole_has_nothing_to_advance_to() -> None:
    """It is refused before anything is thrown or used up; what the other list has can be gained."""
    own = [item.value for item in LISTS["qualities"]]
    crew = {"mara": {"name": "Mara", "may_advance": True, "advancements": own}}
    state, faults = CORE.read({"name": "Trial", "mission": {"over": "failure"}, "crew": crew})
    assert {fault.clause for fault in faults} == {"VK-66"}
    with pytest.raises(ActRefused, match="already has all the qualities") as refused:
        play(state, "advance mara qualities 1")
    assert refused.value.refusal.clause == "VK-53"
    assert CORE.question(after(state, "advance mara suit-upgrades")) == "Mara chooses from the suit upgrades"
    picking = replace(state, open=OpenState(OpenStages((FreePick("mara", "qualities"),))))
    closed = after(picking, "finish")
    assert closed.open is None
    assert closed.sheet.crew["mara"].may_advance


def test_a_choice_that_an_edit_has_taken_away_can_still_be_closed() -> None:
    """Whatever the file says by now, a question has an answer."""
    state = campaign(crew={"mara": {"name": "Mara"}, "lars": {}, "pia": {}})
    qualities = [item.value for item in LISTS["qualities"]]
    state = CORE.apply_changes(state, [Change(("crew", "pia", "advancements"), [], qualities)])
    for stage, words in (
        (FocusChoice(RollRequest("mara"), ("Mara",), (4,)), "keep"),
        (Hit("mara"), "keep 1"),
        (Struck("mara", 3), "keep"),
        (Group(("gone",)), "finish"),
        (FreePick("pia", "qualities"), "finish"),
    ):
        opened = State(state.name, state.rules, state.sheet, state.clocks, open=OpenState(OpenStages((stage,))))
        assert CORE.question(opened)
        done = play(opened, words)
        assert CORE.question(done.state) is None


@pytest.mark.clause("VK-20", "VK-41", "VK-64")
def test_who_goes_down_before_their_turn_is_left_out_of_a_group() -> None:
    """The group goes on without them."""
    crew = {
        "mara": {"name": "Mara"},
        "lars": {"name": "Lars", "vitality": 1, "focus": 1, "primary": {"works": False}, "advancements": ["defender"]},
    }
    state = after(campaign(crew=crew), "group all", "roll mara desperate 1 1 1")
    done = play(state, "defend lars 4 3")
    assert outcomes(done) == ["drawback", "fiasco"]
    assert "Lars took no part" in told(done)
    assert CORE.question(done.state) is None


@pytest.mark.clause("VK-20", "VK-41")
def test_a_group_waits_for_those_alone_who_can_roll() -> None:
    """Whoever can't roll any more is not named among those still to roll."""
    state = after(campaign(crew={who: {"name": who.capitalize()} for who in ("mara", "lars", "pia")}), "group all")
    state = after(state, "set crew.lars.vitality 0")
    assert CORE.question(state) == "Mara and Pia still have to roll for the group"
    state = after(state, "set crew.mara.vitality 0", "set crew.pia.vitality 0")
    assert CORE.question(state) == "nobody is left to roll for the group"


@pytest.mark.clause("VK-30", "VK-40")
def test_crew_whose_keys_mean_something_else_can_be_named() -> None:
    """A system, a token, a number, blanks and capitals."""
    state = campaign(crew={"nav": {}, "Nora Quist": {}, "7": {}, "primary": {}, "ship": {}})
    rolls = {move.words[0]: move.key for move in CORE.moves(state) if move.verb == "roll"}
    assert list(rolls) == ["cpu", "hul", "nav", "crew-nav", "nora-quist", "crew-7", "primary", "crew-ship"]
    assert len(set(rolls.values())) == len(rolls)
    assert after(state, "damage nora 1").sheet.crew["Nora Quist"].life_support is False
    assert after(state, "damage ship").sheet.ship.focus == 1


@pytest.mark.clause("NM-25", "VK-43")
def test_a_clock_may_expose_a_crew_that_is_not_there_yet() -> None:
    """The file is right before anyone has joined, and after everyone has gone."""
    clocks = {"fire": {"name": "Fire", "when_full": "expose crew"}}
    assert clauses({"clocks": clocks}) == []
    assert clauses({"clocks": clocks, "crew": {"mara": {"burned": True}}}) == []


@pytest.mark.clause("VK-02", "VK-06", "VK-07")
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize(
    "values",
    [
        {"name": "SEARCHLIGHT", "system": "NAV", "about": "It sees far"},
        {"name": "SEARCHLIGHT", "kind": "additional", "uses": "3"},
        {"name": "SEARCHLIGHT", "kind": "passive"},
    ],
)
def test_a_module_is_built_into_an_empty_slot_by_hand_in_any_order(name: str, values: dict[str, str]) -> None:
    """What is still to be said is told, and refuses nothing; a wrong value is refused at any point."""
    game, built = GAMES[name], list[State]()
    for order in permutations(values):
        state = campaign(game)
        for key in order:
            state = play(state, f"set ship.modules.1.{key} {values[key]}", game).state
        assert not game.read(game.write(state))[1]
        built.append(state)
    assert all(state == built[0] for state in built)
    named = play(campaign(game), "set ship.modules.1.name SEARCHLIGHT", game)
    assert told(named)[1].startswith(
        "Not complete yet: SEARCHLIGHT is specialised, so its system should be CPU, HUL or NAV"
    )
    assert [fault.clause for fault in game.read(game.write(named.state))[1]] == ["VK-06"]
    with pytest.raises(ActRefused, match="should be"):
        play(named.state, "set ship.modules.1.system ENG", game)


@pytest.mark.clause("VK-50", "VK-51")
@pytest.mark.parametrize(("over", "tone"), [("success", Tone.GOOD), ("failure", Tone.BAD)])
def test_the_mission_shows_how_it_ended(over: str, tone: Tone) -> None:
    """Nothing of it while it lasts; then the result, good or bad, and the upgrade that is still to come."""
    name = TextRow("mission.name", "No. 3", "Fall", rank=Rank.VITAL)
    assert panel(campaign(mission={"name": "Fall", "number": 3}), "mission").rows == (name,)
    ended = campaign(mission={"name": "Fall", "number": 3, "over": over, "upgrade": over == "success"})
    upgrade = TextRow("mission.upgrade", "Upgrade", "upgrade available", Tone.GOOD)
    rows = (name, TextRow("mission.over", "Over", over, tone), *([upgrade] if over == "success" else []))
    assert panel(ended, "mission").rows == rows


@pytest.mark.clause("VK-50", "VK-51")
def test_what_a_mission_won_brings_is_said_with_its_clause() -> None:
    """A mission that is won says with its clause what it brings, an upgrade of the ship too; a lost one brings none."""
    for over, upgraded in (("success", True), ("failure", False)):
        done = play(campaign(crew={"mara": {}}), f"mission over {over}")
        notes = {(fact.text, fact.clause) for fact in done.facts if isinstance(fact, NoteFact)}
        assert (("The ship can now be upgraded", "VK-51") in notes) is upgraded
        assert {clause for _, clause in notes} <= {"VK-50", "VK-51", "VK-52"}
