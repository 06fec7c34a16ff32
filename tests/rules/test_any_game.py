"""Any game that a file may declare keeps the contract of games; one that is wrong is told with a line, and breaks nothing."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, seed, settings
from hypothesis import strategies as st

from tests.kit.thorough import cases, examples
from tests.rules import promises
from tests.rules.any_game import Tree, game_trees
from tests.rules.test_contract import PHASES, chance, done, next_move
from tests.rules.trial import Trial
from waylog.rules.file_game.check import check_game
from waylog.rules.file_game.clauses import CONDITIONS, COSTS
from waylog.rules.file_game.rulebook import rulebook_of
from waylog.rules.game import Game
from waylog.rules.model.facts import OutcomeFact, RollFact
from waylog.rules.model.state import PlayResult

_PARTS = 5
ACROSS = (CONDITIONS, COSTS)
"""What a roll costs, and how many dice it has, follows from all that is chosen for it."""


def _rolls_after(tree: Tree, name: str) -> set[str]:
    """The rolls that a roll may bring at once."""
    effects = [one for each in tree["after"].get(name, {}).values() for one in each]
    return {one["roll"] for one in effects if isinstance(one, dict) and "roll" in one}


def _outcomes_hold(tree: Tree, played: PlayResult) -> None:
    """Each outcome is one of the roll that was made, or of one that it may bring, at once or by others."""
    verb, *words = played.words.split()
    if verb not in ("roll", "group", "pay"):
        return
    joining = tree["dice"][words[0]].get("group", {}).get("rolls", ()) if verb == "group" else ()
    rolls, new = set[str](), {words[0], *joining}
    while new:
        rolls |= new
        new = {other for name in new for other in _rolls_after(tree, name)} - rolls
    known = {band["outcome"] for name in rolls for band in tree["dice"][name]["bands"]}
    assert {fact.outcome for fact in played.facts if isinstance(fact, OutcomeFact)} <= known


def _hidden_rolls_hold(tree: Tree, played: PlayResult) -> None:
    """Players see neither the dice nor the outcome of a hidden roll, whatever brought it."""
    is_hidden = False
    for fact in played.facts:
        if isinstance(fact, RollFact) and fact.deed:
            is_hidden = tree["dice"].get(fact.deed.split()[-1].lower(), {}).get("hidden", False)
        if isinstance(fact, RollFact | OutcomeFact) and is_hidden:
            assert fact.secret, fact


@pytest.mark.parametrize("part", cases(range(_PARTS), 0, 3))
def test_any_game_in_a_file_keeps_the_contract(part: int) -> None:
    """What is offered can be played, what is refused changes nothing, odds add up and foresee what comes, typed dice and rolled ones
    agree, and all of it is read again as it was written.
    """

    @seed(part)  # Without it, each part would try the same.
    @settings(max_examples=examples(60), phases=PHASES, deadline=None, suppress_health_check=[*HealthCheck])
    @given(tree=game_trees(), data=st.data())
    def walk(tree: Tree, data: st.DataObject) -> None:
        assert check_game(tree)[1] == ()
        game = Game(rulebook_of(tree))
        fresh = game.fresh("Trial")
        soft = data.draw(st.booleans())
        state = replace(fresh, rules=replace(fresh.rules, soft=soft))
        tried = Trial(
            game,
            st.just(state),
            across=ACROSS,
            every_roll_has_odds=False,
            rolls_follow=any(_rolls_after(tree, name) for name in tree["dice"]),
        )
        dice = chance(data)
        for _ in range(5):
            promises.position_holds(game, state)
            promises.refusals_hold(game, state, dice)
            played = done(data, tried, state, next_move(data, tried, state), dice)
            if played:
                _outcomes_hold(tree, played)
                _hidden_rolls_hold(tree, played)
                state = played.state

    walk()
