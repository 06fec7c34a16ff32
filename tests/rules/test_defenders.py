"""Defenders: every one of them may step in, once a hit, also for whoever takes the damage by then (VK-64)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from tests.kit.rules import ONES, outcomes, told
from tests.rules.veil_table import CORE, after, campaign, odds, play
from waylog.rules.codec.changes import Change
from waylog.rules.model.facts import Fact, RollFact
from waylog.rules.model.moves import Act, ActRefused
from waylog.rules.model.state import State


def guard(*who: str, **values: Any) -> State:
    """A crew with Mara in it; those named are Defenders with a Focus token."""
    names = ("mara", "lars", "pia", "jo")
    defends = {"focus": 1, "advancements": ["defender"]}
    crew = {name: {"name": name.capitalize(), **(defends if name in who else {})} for name in names}
    for name, more in values.items():
        crew[name] = {**crew[name], **more}
    return campaign(crew=crew)


def asked(state: State) -> list[str]:
    """Who may step in now."""
    return [move.words[0] for move in CORE.moves(state) if move.verb == "defend"]


def hurt(state: State) -> list[str]:
    """Who has lost suit life support: the damage dice of these tests show 1."""
    return [key for key, member in state.sheet.crew.items() if not member.life_support]


@pytest.mark.clause("VK-64")
def test_each_defender_is_asked_in_turn_also_for_the_one_who_stepped_in() -> None:
    """Whoever has defended against this hit is asked no more; the one who was hit first may defend too."""
    state = after(guard("mara", "lars", "pia"), "damage mara")
    assert asked(state) == ["lars", "pia"]
    follows = {move.id: (move.key, move.about) for move in CORE.moves(state) if move.follows}
    assert follows["defend lars"] == ("l", ("crew.lars",))
    assert follows["keep"] == ("k", ())
    state = after(state, "defend lars 6 1 1")
    assert CORE.question(state) == "Lars takes damage. Does a Defender step in?"
    assert asked(state) == ["mara", "pia"]
    state = after(state, "defend pia 4 1 1")
    assert CORE.question(state) == "Pia takes damage. Does a Defender step in?"
    assert asked(state) == ["mara"]
    done = play(state, "defend mara 6 1 1 1")
    assert CORE.question(done.state) is None
    assert hurt(done.state) == ["mara"]
    assert [member.focus for member in done.state.sheet.crew.values()] == [1, 0, 0, 0]


@pytest.mark.clause("VK-64")
def test_a_critical_ends_a_hit_that_has_been_moved() -> None:
    """Nobody is hurt."""
    done = after(guard("lars", "pia"), "damage mara", "defend lars 6 1 1", "defend pia 6 6 1")
    assert (hurt(done), CORE.question(done)) == ([], None)


@pytest.mark.clause("VK-64")
@pytest.mark.parametrize(
    ("acts", "broken"),
    [
        (["keep 1", "keep 1"], ["mara", "lars"]),
        (["defend pia 6 6 1 1"], ["lars"]),
        (["defend pia 6 1 1 1 1"], ["lars", "pia"]),
        (["defend pia 1 1 1 1 1 1"], ["mara", "lars", "pia"]),
        (["keep 1", "defend pia 6 6 1"], ["mara"]),
        (["keep 1", "defend pia 6 1 1 1"], ["mara", "pia"]),
        (["keep 1", "defend pia 1 1 1 1 1"], ["mara", "lars", "pia"]),
    ],
)
def test_after_a_fiasco_another_defends_either_of_the_two_and_once(acts: list[str], broken: list[str]) -> None:
    """It is one hit for both: who has stepped in for the one has no second try for the other."""
    state = after(guard("lars", "pia"), "damage mara", "defend lars 1 1 1")
    assert CORE.question(state) == "Mara takes damage. Does a Defender step in?"
    assert asked(state) == ["pia"]
    state = after(state, *acts)
    assert (CORE.question(state), hurt(state)) == (None, broken)


@pytest.mark.clause("VK-64", "VK-69", "VK-60", "VK-62")
@pytest.mark.parametrize("item", ["limiter-override", "resourceful", "expert", "auxiliary-arm", "oversized-systems"])
def test_a_defence_is_vitality_dice_alone(item: str) -> None:
    """No advancement adds a die or makes it Desperate, in the odds and on the table."""
    state = after(guard("lars", lars={"vitality": 2, "advancements": ["defender", item]}), "damage mara")
    assert odds(state, "defend lars").dice == "2d6: vitality 2"
    assert odds(state, "defend lars").reasons == ()
    done = play(state, "defend lars 1 1 1 1")
    assert (outcomes(done), hurt(done.state)) == (["fiasco"], ["mara", "lars"])
    assert not [line for line in told(done) if "Desperate" in line]


@pytest.mark.clause("VK-64", "VK-41", "VK-61")
def test_who_has_no_vitality_defends_nobody() -> None:
    """The die that the Relentless roll is none of vitality."""
    crew = {"mara": {}, "lars": {"vitality": 0, "focus": 3, "advancements": ["defender", "relentless"]}}
    assert CORE.question(after(campaign(crew=crew), "damage mara 1")) is None


@pytest.mark.clause("VK-64", "VK-61")
def test_damage_for_two_finds_the_second_when_the_first_is_gone() -> None:
    """Dead of it, or taken out of the file while it is asked: the other is hurt all the same."""
    relentless = {"vitality": 0, "advancements": ["relentless"]}
    state = after(guard("lars", "pia", mara=relentless), "damage mara", "defend lars 1 1 1")
    died = after(state, "keep", "keep 1")
    assert died.sheet.crew["mara"].burned
    assert hurt(died) == ["lars"]
    edited = CORE.apply_changes(state, [Change(("crew", "mara"), {}, None)])
    assert CORE.question(edited) == "Lars takes damage. Does a Defender step in?"
    assert hurt(after(edited, "keep 1")) == ["lars"]
    other = CORE.apply_changes(state, [Change(("crew", "lars"), {}, None)])
    assert after(other, "keep").sheet.crew["mara"].burned


@pytest.mark.clause("VK-64")
def test_a_hit_for_two_outlives_the_program() -> None:
    """What is open is read as it was written, dice of a defence included; an older log knows less of it."""
    for acts in (["damage mara", "defend lars 1 1 1"], ["damage mara", "defend lars 6 1 1", "defend pia 3 1 1"]):
        state = after(guard("lars", "pia", pia={"focus": 2}), *acts)
        assert CORE.question(state)
        assert replace(state, open=CORE.read_open(CORE.write_open(state))) == state
    old = {"stage": {"is": "scene", "stages": [{"is": "hit", "who": "mara", "defended": True}]}, "open": True}
    state = replace(guard("lars"), open=CORE.read_open(old))
    assert hurt(after(state, "keep 1")) == ["mara"]


def test_a_die_that_is_typed_before_the_question_is_used_when_it_is_asked_for() -> None:
    """The damage die falls only when nobody steps in, or when the defence fails; it is no die of the defence."""
    state = after(guard("lars"), "damage mara 5")
    assert "Dice already typed: 5 (damage)" in (CORE.question(state) or "")
    assert replace(state, open=CORE.read_open(CORE.write_open(state))) == state
    assert {face for _, face in dice_of(play(state, "keep").facts)} == {5}
    failed = after(state, "defend lars 1 1 1")
    assert [face for source, face in dice_of(play(failed, "dice 2").facts) if source == "damage"] == [5, 2]
    other = play(state, "keep 4")
    assert dice_of(other.facts) == [("damage", 4)], "a die that is typed now counts instead"
    assert other.state.open is None or not other.state.open.early


def test_dice_that_nothing_takes_after_the_question_are_refused_with_the_act() -> None:
    """As many as the answer that changes nothing would take, and no face that its dice don't have."""
    for words, why in (("damage mara 5 5", "this takes 1, but you typed 2"), ("damage mara 9", "a d6 has no 9")):
        with pytest.raises(ActRefused, match=why):
            play(guard("lars"), words)


def dice_of(facts: Sequence[Fact]) -> list[tuple[str, int]]:
    """Return the dice of some facts, by label."""
    return [(face.source, face.face) for fact in facts if isinstance(fact, RollFact) for face in fact.dice]


def test_focus_has_its_letter_in_a_group_roll_too() -> None:
    """There `f` finished the group before: a choice of the same name has one key everywhere."""
    state = after(campaign(crew={"mara": {"focus": 1}, "lars": {}}), "group mara lars", "roll mara 5 1 1")
    (focus,) = (move for move in CORE.moves(state) if move.verb == "focus")
    assert focus.key == "f"
    assert play(state, "focus 5").title.endswith("raises dice: 5 to 6")


@pytest.mark.clause("VK-13", "VK-40")
def test_others_may_be_damaged_while_a_roll_waits_for_its_focus() -> None:
    """The question stays open. Whoever rolls is not among them, because damage earns Focus; nor is the ship, where rolls may spend its."""
    state = after(guard(mara={"focus": 1}), "roll mara 5 1 1")
    asked_of_mara = CORE.question(state)
    assert asked_of_mara is not None
    damaged = [move for move in CORE.moves(state) if move.verb == "damage"]
    assert [move.words for move in damaged] == [("ship",), ("lars",), ("pia",), ("jo",)]
    assert not any(move.follows for move in damaged)
    state = after(state, "damage lars 1")
    assert (hurt(state), CORE.question(state)) == (["lars"], asked_of_mara)
    pia = next(move for move in CORE.moves(state) if move.id == "damage pia")
    state = CORE.play(state, Act(pia, faces=()), ONES).state
    assert CORE.missing_dice(state) == ("damage",)
    state = after(state, "dice 1")
    assert (hurt(state), CORE.question(state)) == (["lars", "pia"], asked_of_mara)
    done = play(state, "keep")
    assert (outcomes(done), CORE.question(done.state)) == (["drawback"], None)
    both = after(
        campaign(crew={"mara": {"name": "Mara"}}, ship={"focus": 1}, house_rules={"focus_spent": "own-then-ship"}),
        "roll mara 5 1 1",
    )
    assert CORE.question(both) is not None
    assert not [move for move in CORE.moves(both) if move.id == "damage ship"]
