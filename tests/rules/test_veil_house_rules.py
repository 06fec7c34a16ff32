"""Every ruling is a house rule: each of its values is played, and what no value is, is found when the file is read."""

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, get_args, get_type_hints

import pytest

from tests.kit.rules import outcomes, told
from tests.rules.veil_table import CORE, GAMES, Y2026, after, campaign, odds, play
from waylog.rules.game import Game
from waylog.rules.model.moves import ActRefused
from waylog.rules.model.state import State

PAIR: Mapping[str, Any] = {"mara": {"name": "Mara"}, "lars": {"name": "Lars"}}


def by(rule: str, value: object, game: Game = CORE, /, **tables: Any) -> State:
    """A campaign that plays by that house rule."""
    return campaign(game, house_rules={rule: value}, **tables)


@pytest.mark.parametrize("name", GAMES)
def test_each_has_legal_values_and_says_which_clause_it_is_of(name: str) -> None:
    """The first value is the ruling; others are found with what would be right; editors are told all of them."""
    game = GAMES[name]
    kind = game.system.rules
    described = game.schema()["properties"]["house_rules"]["properties"]
    for field in fields(kind):
        values = get_args(get_type_hints(kind)[field.name])
        assert getattr(kind(), field.name) == values[0]
        assert described[field.name]["enum"] == list(values)
        assert described[field.name]["description"]
        assert {*game.reference(game.read({})[0]).topics[f"house_rules.{field.name}"]} <= {*game.clauses}
        faults = game.read({"house_rules": {field.name: "nonsense"}})[1]
        assert [fault.path for fault in faults] == [("house_rules", field.name)]
        assert str(values[0]) in faults[0].message


@pytest.mark.clause("VK-02")
def test_empty_slots() -> None:
    """A slot may be empty, or the check of the file says that it may not."""
    assert list(CORE.read({})[1]) == []
    faults = CORE.read(
        {
            "house_rules": {"empty_slots": "not-allowed"},
            "ship": {"modules": {"2": {"name": "CLOAK", "kind": "passive"}}},
        }
    )[1]
    assert [(fault.message, fault.clause) for fault in faults] == [
        (f"slot #{slot} is empty, but a house rule requires a module there", "VK-02") for slot in (1, 3, 4)
    ]


@pytest.mark.clause("VK-12")
def test_tools_per_roll() -> None:
    """One tool helps a roll, or two."""
    with pytest.raises(ActRefused, match="choose at most one"):
        play(by("tools_per_roll", 1, crew=PAIR), "roll mara primary secondary")
    assert outcomes(play(by("tools_per_roll", 2, crew=PAIR), "roll mara primary secondary 1 1 1 1 1 6")) == ["success"]


@pytest.mark.clause("VK-13")
def test_focus_spent() -> None:
    """A crew roll spends the roller's Focus alone, or the ship's when that is used up."""
    crew = {"mara": {"focus": 1}}
    own = after(by("focus_spent", "own", crew=crew, ship={"focus": 2}), "roll mara 4 1 1")
    assert CORE.question(own) is None
    shared = after(by("focus_spent", "own-then-ship", crew=crew, ship={"focus": 2}), "roll mara 4 1 1")
    assert "(3 left)" in str(CORE.question(shared))
    spent = after(shared, "focus 4 5")
    assert (spent.sheet.crew["mara"].focus, spent.sheet.ship.focus) == (0, 1)
    ship = after(by("focus_spent", "own-then-ship", crew={"mara": {"focus": 3}}), "roll nav 5 1")
    assert CORE.question(ship) is None


@pytest.mark.clause("VK-18")
def test_exposed() -> None:
    """Exposed makes rolls Desperate with suit life support lost, or always, or never."""
    crew = {"mara": {"exposed": True}}
    assert outcomes(play(by("exposed", "suit-lost", crew=crew), "roll mara standard 6 1 1")) == ["success"]
    with pytest.raises(ActRefused, match="Exposed") as refused:
        play(by("exposed", "always", crew=crew), "roll mara standard 6 1 1")
    assert refused.value.refusal.clause == "VK-18"
    broken = {"mara": {"exposed": True, "life_support": False}}
    with pytest.raises(ActRefused, match="Exposed"):
        play(by("exposed", "suit-lost", crew=broken), "roll mara standard 6 1 1")
    never = play(by("exposed", "never", crew=broken), "roll mara 1 1 1")
    assert not [text for text in told(never) if "takes damage" in text]


@pytest.mark.clause("VK-17", "VN-06")
@pytest.mark.parametrize("game", [CORE, Y2026])
def test_engineering_lost(game: Game) -> None:
    """Without engineering every ship roll is Desperate, or none is by that."""
    ship = {"tokens": {"engineering": False}}
    with pytest.raises(ActRefused, match="engineering is lost") as refused:
        play(by("engineering_lost", "desperate", game, ship=ship), "roll nav standard", game)
    assert refused.value.refusal.clause == "VK-17"
    spared = play(by("engineering_lost", "no-effect", game, ship=ship), "roll nav 1 1", game)
    assert not [text for text in told(spared) if "takes damage" in text]
    for value, means in (("desperate", ["Every ship roll is Desperate"]), ("no-effect", [])):
        lost = play(by("engineering_lost", value, game), "lose engineering", game)
        assert told(lost) == ["Engineering is lost", *means]
        rows = [row for panel in game.panels(lost.state) for row in panel.rows if row.key == "ship.tokens.engineering"]
        assert [getattr(row, "note", "") for row in rows] == ["ship rolls are Desperate" if means else ""]


@pytest.mark.clause("VK-05", "VK-44")
@pytest.mark.parametrize("most", [2, 3, 4, 5])
def test_vitality(most: int) -> None:
    """That much is full: who joins has it, healing and restoring end there, and one more is out of range."""
    state = after(by("vitality", most, crew={"mara": {"vitality": 1, "focus": 1}}), 'join "Iko"')
    assert state.sheet.crew["iko"].vitality == most
    assert after(state, "restore vitality mara").sheet.crew["mara"].vitality == most
    healed = after(state, f"restore vitality mara {most - 1}")
    assert next(move for move in CORE.moves(healed) if move.verb == "heal").blocked
    faults = CORE.read({"house_rules": {"vitality": most}, "crew": {"mara": {"vitality": most + 1}}})[1]
    assert {fault.clause for fault in faults} == {"VK-05"}


@pytest.mark.clause("VK-04", "VK-15")
@pytest.mark.parametrize("most", [2, 3, 4, 5, 6])
def test_focus(most: int) -> None:
    """Nobody earns more than that, neither the ship nor a crew member, and one more is out of range."""
    state = by("focus", most, crew={"mara": {"focus": most - 1}}, ship={"focus": most - 1})
    ended = after(state, "award focus mara", "award focus ship")
    assert (ended.sheet.crew["mara"].focus, ended.sheet.ship.focus) == (most, most)
    assert next(move for move in CORE.moves(ended) if move.id == "award focus ship").blocked
    faults = CORE.read({"house_rules": {"focus": most}, "ship": {"focus": most + 1}})[1]
    assert {fault.clause for fault in faults} == {"VK-04"}


@pytest.mark.clause("VK-04", "VK-70", "VK-73")
@pytest.mark.parametrize(
    ("most", "prepared", "held"), [(2, 1, 2), (3, 1, 3), (6, 1, 3), (2, 2, 6), (3, 2, 6), (6, 2, 6)]
)
def test_focus_of_mission_prep(most: int, prepared: int, held: int) -> None:
    """A mission starts the mission with 3 Focus, or as many as may be held; with six if it was prepared twice. The check agrees."""
    crew = {"mara": {"name": "Mara", "prep": {"focus": prepared}}}
    begun = after(by("focus", most, crew=crew, mission={"over": "success"}), "mission begin Fall")
    assert begun.sheet.crew["mara"].focus == held
    assert not CORE.read(CORE.write(begun))[1]


@pytest.mark.clause("VK-20")
@pytest.mark.parametrize(("value", "shared"), [("drawback", "drawback"), ("fiasco", "fiasco")])
def test_group_of_drawbacks(value: str, shared: str) -> None:
    """A group whose best is a drawback has that, or a Fiasco."""
    state = after(by("group_of_drawbacks", value, crew=PAIR), "group all", "roll mara 4 1 1")
    assert outcomes(play(state, "roll lars 1 1 1")) == ["fiasco", shared]
    state = after(by("group_of_drawbacks", value, crew=PAIR), "group all", "roll mara 6 1 1")
    assert outcomes(play(state, "roll lars 1 1 1")) == ["fiasco", "drawback"]


@pytest.mark.clause("VK-20")
@pytest.mark.parametrize(("value", "shared"), [("no-part", "critical"), ("fiasco", "success")])
def test_group_unrolled(value: str, shared: str) -> None:
    """Who hasn't rolled when the roll is ended took no part, or counts as a Fiasco that earns and costs nothing."""
    state = after(by("group_unrolled", value, crew=PAIR), "group all", "roll mara 6 6 1")
    done = play(state, "finish")
    assert outcomes(done) == [shared]
    assert done.state.sheet.crew == state.sheet.crew
    assert outcomes(play(after(by("group_unrolled", value, crew=PAIR), "group all"), "finish")) == []


@pytest.mark.clause("VK-31")
@pytest.mark.parametrize(("value", "wrecked"), [("nothing", False), ("wrecked", True)])
def test_empty_slot_hit(value: str, wrecked: bool) -> None:
    """A hit on an empty slot does nothing, or wrecks the ship."""
    state = by("empty_slot_hit", value, ship={"tokens": {"integrity": False}})
    assert after(state, "damage ship 3").sheet.ship.wrecked is wrecked


@pytest.mark.clause("VK-33")
@pytest.mark.parametrize(("value", "open_now"), [("any-roll", True), ("ship-roll", False)])
def test_shunt_after_critical(value: str, open_now: bool) -> None:
    """Any Critical allows a shunt, or a ship roll's alone."""
    state = by("shunt_after_critical", value, crew=PAIR, ship={"tokens": {"engineering": False}})
    for roll, allowed in (("roll mara 6 6 1", open_now), ("roll nav 6 6", True)):
        shunt = next(move for move in CORE.moves(after(state, roll)) if move.verb == "shunt")
        assert (shunt.blocked is None) is allowed


@pytest.mark.clause("VK-33")
@pytest.mark.parametrize(("value", "paid"), [("ship", (0, 1)), ("roller", (1, 0))])
def test_shunt_focus(value: str, paid: tuple[int, int]) -> None:
    """The ship pays for a shunt after a roll, or whoever rolled."""
    state = by("shunt_focus", value, crew={"mara": {"focus": 1}}, ship={"focus": 1, "tokens": {"engineering": False}})
    done = after(state, "roll mara 6 1 1", "shunt 1 1 4")
    assert (done.sheet.ship.focus, done.sheet.crew["mara"].focus) == paid


@pytest.mark.clause("VK-38")
@pytest.mark.parametrize(("value", "vitality"), [("aboard", 0), ("everyone", 3)])
def test_life_support_reaches(value: str, vitality: int) -> None:
    """Spent life support helps whoever is not marked away, or everyone."""
    state = by("life_support_reaches", value, crew={"mara": {"vitality": 0, "aboard": False}})
    assert after(state, "spend life-support").sheet.crew["mara"].vitality == vitality


@pytest.mark.clause("VK-37", "VK-38")
@pytest.mark.parametrize(("value", "exposed"), [("exposes", True), ("safe", False)])
def test_life_support_spent(value: str, exposed: bool) -> None:
    """Spending life support exposes the crew as losing it does, or does not; losing it always does."""
    state = by("life_support_spent", value, crew=PAIR)
    for act, so in (("spend life-support", exposed), ("lose life-support", True)):
        done = play(state, act)
        tags = [tag.why for panel in CORE.panels(done.state) if panel.key == "crew.mara" for tag in panel.tags]
        assert ("the ship's life support is lost" in tags) is so
        assert ("The whole crew is Exposed" in told(done)) is so
    back = after(state, "spend life-support", "restore life-support mended", "lose life-support")
    assert any("Exposed" in tag.text for panel in CORE.panels(back) for tag in panel.tags)
    by_hand = after(state, "spend life-support", "set ship.tokens.life_support true")
    lost = play(by_hand, "lose life-support")
    assert "The whole crew is Exposed" in told(lost)
    assert not lost.state.sheet.ship.tokens.life_support_spent
    assert any("Exposed" in tag.text for panel in CORE.panels(lost.state) for tag in panel.tags)


@pytest.mark.clause("VK-44")
@pytest.mark.parametrize(("value", "asked"), [("earned", True), ("not-earned", False)])
def test_heal_fiasco_focus(value: str, asked: bool) -> None:
    """A Fiasco on a roll to heal earns the token that could pay for it, or does not."""
    state = by("heal_fiasco_focus", value, crew={"mara": {"focus": 1}, "lars": {"vitality": 1}})
    done = after(state, "heal lars by-mara 1 1 1" + ("" if asked else " 1"))
    assert (CORE.question(done) is not None) is asked
    assert done.sheet.crew["mara"].life_support is asked


@pytest.mark.clause("VK-64")
@pytest.mark.parametrize(("value", "hurt"), [("success", ["lars"]), ("fiasco", ["mara", "lars"])])
def test_defender_drawback(value: str, hurt: list[str]) -> None:
    """A Defender's drawback moves the damage, or hurts both."""
    crew = {"mara": {}, "lars": {"focus": 1, "advancements": ["defender"]}}
    state = after(by("defender_drawback", value, crew=crew), "damage mara")
    done = after(state, "defend lars 4 1 1" + " 1" * len(hurt))
    assert [key for key in crew if not done.sheet.crew[key].life_support] == hurt


@pytest.mark.clause("VK-68")
@pytest.mark.parametrize(("value", "focus"), [("earned", 1), ("not-earned", 0)])
def test_ablative_focus(value: str, focus: int) -> None:
    """Damage that ablative armour takes earns Focus, or does not."""
    state = by("ablative_focus", value, crew={"mara": {"advancements": ["ablative-armour"]}})
    done = after(state, "damage mara")
    assert done.sheet.crew["mara"].focus == focus
    assert after(done, "damage mara 1").sheet.crew["mara"].focus == focus + 1


@pytest.mark.clause("VN-05")
@pytest.mark.parametrize(("value", "dice"), [("six", 6), ("any", 8)])
def test_most_dice(value: str, dice: int) -> None:
    """Six dice are thrown at most, or as many as come together."""
    crew = {"mara": {"advancements": ["limiter-override", "oversized-systems"]}}
    state = campaign(Y2026, house_rules={"most_dice": value, "tools_per_roll": 2}, crew=crew)
    done = play(state, "roll mara primary secondary" + " 1" * (dice - 1) + " 6", Y2026)
    assert outcomes(done) == ["success"]
    assert any("8 dice in the pool, but only 6 are rolled" in note for note in told(done)) is (dice == 6)


@pytest.mark.clause("VK-64")
@pytest.mark.parametrize(("value", "asked"), [("each", True), ("one", False)])
def test_defenders(value: str, asked: bool) -> None:
    """Every Defender may step in for whoever takes the damage by then, or only one of them a hit."""
    guard = {"focus": 1, "advancements": ["defender"]}
    state = after(by("defenders", value, crew={"mara": {}, "lars": guard, "pia": guard}), "damage mara")
    done = after(state, "defend lars 6 1 1" + ("" if asked else " 1"))
    assert (CORE.question(done) is not None) is asked
    assert done.sheet.crew["lars"].life_support is asked


@pytest.mark.clause("VK-64", "VK-69")
@pytest.mark.parametrize(
    ("value", "dice"), [("vitality", "2d6: vitality 2"), ("crew-roll", "3d6: vitality 2 + limiter")]
)
def test_defence_dice(value: str, dice: str) -> None:
    """Vitality dice alone, or a crew roll: then limiter override adds its die, and a Fiasco hurts as a Desperate one."""
    lars = {"vitality": 2, "focus": 1, "advancements": ["defender", "limiter-override"]}
    state = after(by("defence_dice", value, crew={"mara": {}, "lars": lars}), "damage mara")
    assert odds(state, "defend lars").dice.startswith(dice)
    done = play(state, "defend lars 1 1 1 1" + (" 1 1" if value == "crew-roll" else ""))
    assert ("Desperate Fiasco: Lars takes damage" in " ".join(told(done)).replace("lars", "Lars")) is (
        value == "crew-roll"
    )


@pytest.mark.clause("VK-60", "VK-61")
@pytest.mark.parametrize(("value", "dice"), [("three", "3d6: resourceful 3"), ("one", "1d6: relentless 1")])
def test_resourceful_down(value: str, dice: str) -> None:
    """Resourceful and Relentless, Down and Out: three dice or one. Damage is death either way."""
    crew = {"mara": {"vitality": 0, "advancements": ["resourceful", "relentless"]}, "lars": {}}
    state = by("resourceful_down", value, crew=crew)
    assert odds(state, "roll mara").dice == dice
    faces = " 1" * int(dice[0])
    assert not after(state, f"roll mara{faces}").sheet.crew["mara"].burned
    done = after(state, f"roll mara desperate{faces}")
    assert done.sheet.crew["mara"].burned


@pytest.mark.clause("VK-60", "VK-41")
def test_resourceful_alone_is_no_leave_to_roll_when_down() -> None:
    """Only the Relentless roll then."""
    state = campaign(crew={"mara": {"vitality": 0, "advancements": ["resourceful"]}, "lars": {}})
    with pytest.raises(ActRefused) as refused:
        play(state, "roll mara 1 1 1")
    assert refused.value.refusal.clause == "VK-41"


@pytest.mark.clause("VK-61", "VK-68")
@pytest.mark.parametrize(("value", "saved"), [("saves", True), ("dies", False)])
def test_ablative_down(value: str, saved: bool) -> None:
    """Ablative armour goes before a Relentless life, once, and the hit earns Focus; or it does not."""
    crew = {"mara": {"vitality": 0, "advancements": ["relentless", "ablative-armour"]}, "lars": {}}
    state = by("ablative_down", value, crew=crew)
    forecast = " ".join(note.text for note in odds(state, "roll mara desperate").forecast)
    assert ("ablative armour takes the hit" in forecast) is saved
    assert ("dies" in forecast) is not saved
    done = after(state, "damage mara")
    mara = done.sheet.crew["mara"]
    assert (mara.burned, mara.ablative, mara.focus) == ((False, False, 1) if saved else (True, True, 0))
    if saved:
        assert after(done, "damage mara").sheet.crew["mara"].burned


@pytest.mark.clause("VK-33")
@pytest.mark.parametrize(("value", "allowed"), [("allowed", True), ("not-allowed", False)])
def test_shunt_while_asked(value: str, allowed: bool) -> None:
    """Engineering buys a shunt while something is asked, or only when nothing is."""
    state = after(by("shunt_while_asked", value, ship={"focus": 1}), "roll nav 5 1")
    if allowed:
        assert after(state, "shunt 1 1 4 engineering").sheet.ship.core.NAV == 4
        return
    with pytest.raises(ActRefused) as refused:
        play(state, "shunt 1 1 4 engineering")
    assert refused.value.refusal.clause == "VK-33"
    assert after(state, "focus 5", "shunt 1 1 4 engineering").sheet.ship.core.NAV == 4


@pytest.mark.clause("VK-21", "VK-31")
@pytest.mark.parametrize(("value", "wrecks"), [("nothing", 1), ("wrecked", 3)])
def test_the_forecast_counts_what_wrecks_the_ship(value: str, wrecks: int) -> None:
    """A destroyed module, and by a house rule each empty slot too."""
    modules = {"1": {"name": "CLOAK", "kind": "passive", "destroyed": True}, "2": {"name": "BELL", "kind": "passive"}}
    state = by("empty_slot_hit", value, ship={"modules": modules, "tokens": {"integrity": False}})
    forecast = " ".join(note.text for note in odds(state, "roll nav desperate").forecast)
    assert (
        f"1 in 6, BELL #2 is destroyed; {wrecks} in 6, the ship is Wrecked; {5 - wrecks} in 6, no further damage"
        in forecast
    )
