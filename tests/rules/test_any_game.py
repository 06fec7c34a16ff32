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

_PARTS = 5
ACROSS = (CONDITIONS, COSTS)
"""What a roll costs, and how many dice it has, follows from all that is chosen for it."""


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
        tried, dice = Trial(game, st.just(state), across=ACROSS, every_roll_has_odds=False), chance(data)
        for _ in range(5):
            promises.position_holds(game, state)
            promises.refusals_hold(game, state, dice)
            played = done(data, tried, state, next_move(data, tried, state), dice)
            state = played.state if played else state

    walk()
