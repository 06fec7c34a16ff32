"""Rules of Veil Runners one by one, each played so that the smallest change of it shows."""

from math import comb
from typing import Any

import pytest

from tests.kit.rules import outcomes
from tests.rules.veil_table import CORE, GAMES, after, campaign, move, odds, play
from waylog.rules.game import Game
from waylog.rules.language.command_parser import parse_act
from waylog.rules.model.dice import EqualDice
from waylog.rules.model.moves import ActRefused, PickOne
from waylog.rules.model.odds import Ratio
from waylog.rules.systems import system
from waylog.rules.systems._veil_older_editions.hits_and_roll_types import chances

REFERENCE = Game(system("veil-reference"))
MODULES = {
    "1": {"name": "WING", "system": "NAV"},
    "2": {"name": "KEEL", "system": "NAV"},
    "3": {"name": "RUDDER", "system": "NAV", "destroyed": True},
    "4": {"name": "DISH", "system": "CPU"},
}


@pytest.mark.clause("VK-11")
@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("helping", [(), ("wing",), ("keel",), ("wing", "keel")])
def test_every_module_that_helps_brings_a_die(name: str, helping: tuple[str, ...]) -> None:
    """As many as are named, one each, in the odds and on the table; one of another system and a destroyed one never."""
    game = GAMES[name]
    state = campaign(game, ship={"modules": MODULES})
    said = " ".join(("roll nav", *helping))
    count = 2 + len(helping)
    assert odds(state, said, game).dice.startswith(f"{count}d6: ")
    done = play(state, said + " 1" * (count - 1) + " 6", game)
    assert outcomes(done) == ["success"]
    for other in ("rudder", "dish"):
        with pytest.raises(ActRefused):
            play(state, f"{said} {other} {'1' * (count + 1)}", game)


@pytest.mark.clause("VK-13")
@pytest.mark.parametrize(
    ("rolled", "spent", "left", "outcome"),
    [
        ("5 5", "5 5", 1, "critical"),
        ("5 5", "5", 2, "success"),
        ("4 4", "4 4 5", 0, "success"),
        ("4 5", "4 5 5", 0, "critical"),
        ("3 3", "3 3", 1, "drawback"),
    ],
)
def test_each_raise_costs_a_token_of_its_own(rolled: str, spent: str, left: int, outcome: str) -> None:
    """Each raise costs a token, also where two dice show the same face and where one die is raised twice."""
    done = play(after(campaign(ship={"focus": 3}), f"roll nav {rolled}"), f"focus {spent}")
    assert (done.state.sheet.ship.focus, outcomes(done)) == (left, [outcome])


@pytest.mark.clause("VK-13")
def test_two_dice_of_one_face_are_not_raised_for_one_token() -> None:
    """With one token there is one raise."""
    state = after(campaign(ship={"focus": 1}), "roll nav 5 5")
    with pytest.raises(ActRefused) as refused:
        play(state, "focus 5 5")
    assert refused.value.refusal.clause == "VK-13"


def healers(**values: Any) -> dict[str, Any]:
    """Mara, who may heal, and Lars, who is hurt."""
    return {"mara": {"name": "Mara", "focus": 2, **values}, "lars": {"name": "Lars", "vitality": 1}, "pia": {}}


@pytest.mark.clause("VK-32", "VK-44")
def test_no_roll_at_all_on_a_wrecked_ship_before_someone_says_to_carry_on() -> None:
    """Ship, crew, group and healing alike are refused with that; then each can be rolled."""
    state = campaign(ship={"wrecked": True}, crew=healers())
    rolls = ("roll nav 6 1", "roll mara 6 1 1", "group mara lars", "heal lars by-mara 6 1 1")
    for words in rolls:
        with pytest.raises(ActRefused, match="unless you carry on") as refused:
            play(state, words)
        assert refused.value.refusal.clause == "VK-32"
    for words in rolls:
        assert play(after(state, "carry-on"), words).words
    healed = after(state, "carry-on", "heal lars by-mara 6 1 1")
    assert healed.sheet.crew["lars"].vitality == 2


@pytest.mark.clause("VK-41", "VK-44")
def test_who_is_down_and_out_rolls_for_nothing() -> None:
    """Not for themselves, not to heal, not in a group; the Relentless do all of it (VK-61)."""
    down = campaign(crew=healers(vitality=0))
    for words in ("roll mara 6", "heal lars by-mara 6", "group mara lars"):
        with pytest.raises(ActRefused, match="Mara is Down and Out: they can talk, but not roll") as refused:
            play(down, words)
        assert refused.value.refusal.clause == "VK-41"
    able = campaign(crew=healers(vitality=0, advancements=["relentless"]))
    for words in ("roll mara 6", "heal lars by-mara 6", "group mara lars"):
        assert play(able, words).words


@pytest.mark.clause("VK-52")
@pytest.mark.parametrize("result", ["success", "failure"])
def test_after_any_mission_each_of_the_crew_chooses(result: str) -> None:
    """The Down and Out and those away too; the dead don't."""
    crew = {"mara": {}, "lars": {"vitality": 0}, "pia": {"aboard": False}, "jo": {"burned": True, "vitality": 0}}
    done = after(campaign(mission={"name": "Fall"}, crew=crew), f"mission over {result}")
    assert {key: member.may_advance for key, member in done.sheet.crew.items()} == {
        "mara": True,
        "lars": True,
        "pia": True,
        "jo": False,
    }
    for who in ("mara", "lars", "pia"):
        assert not move(done, f"advance {who}").blocked
        assert not move(done, f"prep {who}").blocked


@pytest.mark.clause("VK-51")
@pytest.mark.parametrize(("result", "is_offered"), [("success", True), ("failure", False)])
def test_the_upgrade_of_the_ship_is_offered_at_the_end_of_a_mission(result: str, is_offered: bool) -> None:
    """With what the crew chooses, and as long as it is due, also when everyone has chosen."""
    done = after(campaign(mission={"name": "Fall"}, crew={"mara": {}}), f"mission over {result}")
    assert any(each.verb == "upgrade" and each.offer == "L" for each in CORE.moves(done)) is is_offered
    chosen = after(done, "prep mara willpower")
    assert any(each.verb == "upgrade" and each.offer == "L" for each in CORE.moves(chosen)) is is_offered


@pytest.mark.clause("VK-77")
def test_willpower_fills_what_is_not_full_and_empties_what_is_not_empty() -> None:
    """One segment, and where there is none to move it is refused and no token goes."""
    clocks = {
        "none": {"name": "None", "kind": "push", "segments": 4},
        "some": {"name": "Some", "kind": "push", "segments": 4, "filled": 2},
        "all": {"name": "All", "kind": "push", "segments": 4, "filled": 4},
        "shut": {"name": "Shut", "kind": "push", "segments": 4, "filled": 2, "closed": True},
    }
    state = campaign(crew={"mara": {"name": "Mara", "prep": {"willpower": 2}}}, clocks=clocks)
    for way, able in (("fill", {"none": 1, "some": 3}), ("empty", {"some": 1, "all": 3})):
        for key in clocks:
            if key not in able:
                with pytest.raises(ActRefused):
                    play(state, f"willpower mara {way} {key}")
                continue
            done = after(state, f"willpower mara {way} {key}")
            assert done.clocks[key].filled == able[key]
            assert done.sheet.crew["mara"].prep.willpower == 1
        (ask,) = move(state, f"willpower mara {way}").asks
        assert isinstance(ask, PickOne)
        assert {option.word: option.blocked is None for option in ask.options} == {
            key: key in able for key in ("none", "some", "all")
        }
    empty = campaign(crew={"mara": {"prep": {"willpower": 1}}}, clocks={"none": clocks["none"]})
    with pytest.raises(ActRefused, match="there is no clock to empty") as refused:
        play(empty, "willpower mara empty none")
    assert refused.value.refusal.clause == "VK-77"


@pytest.mark.clause("VK-77")
@pytest.mark.parametrize(
    ("way", "said"), [("fill", "to fill a segment of “Some”"), ("empty", "to empty a segment of “Some”")]
)
def test_what_willpower_does_is_told(way: str, said: str) -> None:
    """In the log, in words that are English."""
    clocks = {"some": {"name": "Some", "kind": "push", "segments": 4, "filled": 2}}
    state = campaign(crew={"mara": {"name": "Mara", "prep": {"willpower": 1}}}, clocks=clocks)
    facts = play(state, f"willpower mara {way} some").facts
    assert said in str(facts[0])


@pytest.mark.clause("VK-78", "VK-15")
@pytest.mark.parametrize(("dread", "focus"), [(0, 1), (1, 2), (2, 3)])
def test_dread_twice_earns_two_more(dread: int, focus: int) -> None:
    """A token more for each time it was prepared, on every Fiasco of a crew roll; and never more than 3 in hand."""
    state = campaign(crew={"mara": {"prep": {"dread": dread}}})
    assert after(state, "roll mara 1 1 1").sheet.crew["mara"].focus == focus
    assert f"+{focus} Focus" in str(odds(state, "roll mara").forecast)
    held = campaign(crew={"mara": {"prep": {"dread": dread}, "focus": 2}})
    assert after(held, "roll mara 1 1 1").sheet.crew["mara"].focus == 3
    assert after(state, "roll nav 1 1").sheet.ship.focus == 1


@pytest.mark.clause("VK-50", "VK-73")
@pytest.mark.parametrize(("held", "left"), [(6, 3), (4, 3), (3, 3), (1, 1)])
@pytest.mark.parametrize("result", ["success", "failure"])
def test_focus_above_three_ends_with_the_mission(held: int, left: int, result: str) -> None:
    """It was lent for that mission alone: what is left of it above 3 is gone, and the check finds nothing wrong."""
    state = campaign(mission={"name": "Fall"}, crew={"mara": {"name": "Mara", "focus": held, "prep": {"focus": 2}}})
    done = after(state, f"mission over {result}")
    assert (done.sheet.crew["mara"].focus, done.sheet.crew["mara"].prep.focus) == (left, 0)
    assert not CORE.read(CORE.write(done))[1]


@pytest.mark.clause("VK-20")
def test_all_of_a_group_roll_with_one_answer() -> None:
    """Each as they stand, one after the other, with what each roll brings; a question of one of them is asked, and then the rest roll.
    Whoever has rolled before may have had real dice.
    """
    crew: dict[str, Any] = {who: {"name": who.title(), "vitality": 1} for who in ("mara", "lars", "nora")}
    state = after(campaign(crew=crew), "group all")
    done = CORE.play(state, parse_act(CORE.moves(state), "everyone"), EqualDice(5), "")
    assert outcomes(done) == ["drawback"] * 4
    assert CORE.question(done.state) is None
    crew["mara"]["focus"] = 1
    begun = after(campaign(crew=crew), "group all")
    asked = CORE.play(begun, parse_act(CORE.moves(begun), "everyone"), EqualDice(5), "").state
    assert "Focus" in str(CORE.question(asked))
    kept = CORE.play(asked, parse_act(CORE.moves(asked), "keep"), EqualDice(6), "")
    assert CORE.question(kept.state) is None
    assert not [move for move in CORE.moves(after(campaign(crew=crew), "group mara")) if move.verb == "everyone"]
    typed = play(begun, "roll lars 1").state
    rolled = CORE.play(typed, parse_act(CORE.moves(typed), "everyone"), EqualDice(5), "").state
    assert "Focus" in str(CORE.question(rolled))
    ended = CORE.play(rolled, parse_act(CORE.moves(rolled), "keep"), EqualDice(6), "")
    assert CORE.question(ended.state) is None
    assert not CORE.dice_to_type(typed, parse_act(CORE.moves(typed), "everyone"))


@pytest.mark.clause("VK-20")
@pytest.mark.parametrize(
    ("acts", "shared"),
    [
        (["roll mara 6 6 1", "finish"], ["critical"]),
        (["roll mara 6 6 1", "roll lars 6 1 1", "finish"], ["success"]),
        (["roll mara 6 6 1", "roll lars 6 6 1", "finish"], ["critical"]),
        (["roll mara 1 1 1", "finish"], ["fiasco"]),
        (["finish"], []),
    ],
)
def test_a_group_that_ends_early_has_the_outcome_of_those_who_rolled(acts: list[str], shared: list[str]) -> None:
    """Whoever has not rolled is none of the group; with nobody there is no outcome."""
    crew = {who: {"name": who.capitalize()} for who in ("mara", "lars", "pia")}
    done = play(after(campaign(crew=crew), "group all", *acts[:-1]), acts[-1])
    assert outcomes(done) == shared
    assert CORE.question(done.state) is None


# -- the reference edition --------------------------------------------------------------------------------------------


@pytest.mark.clause("RF-18")
def test_rest_and_resupply_reach_one_or_all() -> None:
    """Everyone who lacks something, wherever they stand in the file; and one of them alone."""
    torch = {"torch": {"name": "TORCH", "ready": False}, "lance": {"name": "LANCE", "dice": 2, "ready": False}}
    names = ("mara", "joss", "imre")
    crew = {who: {"name": who.capitalize(), "vitality": 1, "equipment": torch} for who in names}
    state = campaign(REFERENCE, crew=crew)
    for able in ((), ("mara",), ("joss",), ("imre",), names):
        words = "all" if len(able) > 1 else "".join(able)
        done = after(state, f"rest {words}", f"resupply {words}", game=REFERENCE) if able else state
        members = done.sheet.crew
        assert [who for who in names if members[who].vitality == 3] == list(able)
        assert [who for who in names if all(item.ready for item in members[who].equipment.values())] == list(able)


def by_binomial(dice: int, least: int, difficulty: int) -> tuple[Ratio, Ratio, Ratio]:
    """The chances of fewer, as many and more hits, by the binomial formula."""
    hit = Ratio(7 - least, 6)
    exactly = [comb(dice, hits) * hit**hits * (1 - hit) ** (dice - hits) for hits in range(dice + 1)]
    return (
        sum(exactly[:difficulty], Ratio(0)),
        exactly[difficulty] if difficulty <= dice else Ratio(0),
        sum(exactly[difficulty + 1 :], Ratio(0)),
    )


@pytest.mark.clause("RF-19")
@pytest.mark.parametrize("dice", range(1, 19))
def test_the_odds_count_every_die(dice: int) -> None:
    """However many there are, at every hit target and against every difficulty."""
    for least in (3, 4, 5, 6):
        for difficulty in (1, 2, 3):
            assert chances((least,) * dice, difficulty) == by_binomial(dice, least, difficulty)


@pytest.mark.clause("RF-19")
@pytest.mark.parametrize("gear", [(), ("a",), ("a", "b"), ("a", "b", "c"), ("a", "b", "c", "d")])
def test_the_odds_shown_are_those_of_all_the_dice_in_hand(gear: tuple[str, ...]) -> None:
    """Three of vitality and two for each piece of equipment: up to eleven."""
    equipment = {key: {"name": f"GEAR {key.upper()}", "dice": 2} for key in "abcd"}
    state = campaign(REFERENCE, crew={"mara": {"equipment": equipment}})
    shown = odds(state, " ".join(("roll mara two", *(f"gear-{key}" for key in gear))), REFERENCE)
    assert tuple(chance.chance for chance in shown.spread.chances) == by_binomial(3 + 2 * len(gear), 6, 2)
    assert shown.dice.startswith(f"{3 + 2 * len(gear)}d6: ")
