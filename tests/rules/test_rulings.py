"""Rulings: what the wayfinder decides about a rule, in words. Waylog keeps them and shows them, and plays on as before."""

import pytest

from tests.kit.rules import Acts
from waylog.rules.game import Game
from waylog.rules.language.command_parser import parse_act
from waylog.rules.language.completion_and_what_is_wrong import completions
from waylog.rules.model.answers import format_act
from waylog.rules.model.facts import NoteFact
from waylog.rules.model.moves import ActRefused
from waylog.rules.systems import system
from waylog.store.file.template_and_conversion import plan_conversion

CORE = Game(system("veil-core"))
TEXT = "suit hits don't count in hard vacuum"
play = Acts(CORE).play


@pytest.mark.parametrize("words", [f'ruling VK-16 "{TEXT}"', f"ruling vk-16 {TEXT}"])
def test_a_ruling_is_kept_under_its_rule(words: str) -> None:
    """It can be typed with quotes or without, goes to the file under the rule's code, and nothing else changes."""
    before = CORE.fresh("Trial")
    result = play(before, words)
    assert result.state.rulings == {"VK-16": TEXT}
    assert result.words == f'ruling vk-16 "{TEXT}"'
    assert [change.path for change in CORE.difference(before, result.state)] == [("rulings", "VK-16")]
    assert CORE.write(result.state)["rulings"] == {"VK-16": TEXT}
    assert CORE.reference(result.state).rulings["VK-16"] == TEXT


def test_the_act_in_the_log_reads_back_to_itself() -> None:
    """Its words, with the text in quotes, mean the same ruling."""
    moves = CORE.moves(CORE.fresh("Trial"))
    act = parse_act(moves, f"ruling VK-16 {TEXT}")
    assert parse_act(moves, format_act(act.move, act.answers)) == act


def test_its_fact_is_secret_and_names_the_rule_by_its_title() -> None:
    """Players don't see it, as they don't see house rules: it may name what they don't know yet. The code is data."""
    (fact,) = play(CORE.fresh("Trial"), f"ruling VK-16 {TEXT}").facts
    assert fact == NoteFact(f"Ruling on Desperate Fiasco: {TEXT}", "VK-16", secret=True)


def test_a_ruling_is_written_anew_or_ended() -> None:
    """A second ruling takes the place of the first, and there is nothing to end where there is none."""
    state = play(CORE.fresh("Trial"), f"ruling VK-16 {TEXT}").state
    state = play(state, "ruling VK-16 never aboard").state
    assert state.rulings == {"VK-16": "never aboard"}
    ended = play(state, "ruling end VK-16")
    assert ended.state.rulings == {}
    assert [fact.text for fact in ended.facts if isinstance(fact, NoteFact)] == ["Ruling ended: Desperate Fiasco"]
    with pytest.raises(ActRefused):
        parse_act(CORE.moves(ended.state), "ruling end VK-16")
    with pytest.raises(ActRefused, match="can't be left empty"):
        play(state, "ruling VK-16")
    with pytest.raises(ActRefused, match=r"^Rule: type one of 97, such as vk-01, vk-02 or vk-03$"):
        play(state, "ruling")


def test_a_ruling_can_be_made_while_a_roll_waits_for_a_choice() -> None:
    """It is made in the middle of play, and what is asked is still asked."""
    state = CORE.read({"name": "Trial", "ship": {"focus": 3}})[0]
    asked = play(state, "roll nav").state
    question = CORE.question(asked)
    assert question
    assert CORE.question(play(asked, f"ruling VK-13 {TEXT}").state) == question


def test_rules_are_completed_by_code_and_by_title() -> None:
    """Each rule can be found by the beginning of its code or a word of its title."""
    moves = CORE.moves(CORE.fresh("Trial"))
    assert [found.word for found in completions(moves, "ruling vk-16")] == ["vk-16"]
    found = {completion.word: completion.label for completion in completions(moves, "ruling fiasc")}
    assert found["vk-15"] == "Focus on a Fiasco"


def test_a_ruling_on_a_rule_that_is_not_there_is_a_fault_of_the_file() -> None:
    """It is named with the code that was probably meant, and play goes on."""
    _, faults = CORE.read({"name": "Trial", "rulings": {"VK-61": "x", "vk-16": "x", "EG-01": "x"}})
    assert [(fault.path, fault.grave, fault.message) for fault in faults] == [
        (("rulings", "vk-16"), False, "there is no rule “vk-16” in this game. Did you mean VK-16?"),
        (("rulings", "EG-01"), False, "there is no rule “EG-01” in this game"),
    ]


def test_rulings_on_rules_that_both_games_have_are_converted() -> None:
    """Those on a rule that the other game doesn't have are named as left behind."""
    state = CORE.read({"name": "Trial", "rulings": {"VK-16": TEXT, "NM-26": "never reopened"}})[0]
    plan = plan_conversion(CORE, state, Game(system("emissaries")))
    assert plan.state.rulings == {"NM-26": "never reopened"}
    assert (("rulings", "VK-16"), TEXT) in plan.dropped
