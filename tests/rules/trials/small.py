"""The small game of the tests."""

from collections.abc import Mapping
from dataclasses import replace

from hypothesis import strategies as st

from tests.kit.small_game import SYSTEM as SMALL_GAME
from tests.kit.small_game import Boat, Harbour, HouseRules
from tests.rules import legal
from tests.rules.trial import Trial
from waylog.rules.game import Game
from waylog.rules.model.clocks_situations_and_timers import Clock, ClockKind

GAME = Game(SMALL_GAME)
CLOCKS: tuple[Mapping[str, Clock], ...] = (
    {},
    {
        "storm": Clock("Storm", ClockKind.CATASTROPHE, 4, 3, when_full="damage boat"),
        "leak": Clock("Leak", ClockKind.DEATH, 4),
    },
)
STATES = st.builds(
    lambda hull, luck, rules, clocks: replace(
        GAME.fresh("Trial"), sheet=Harbour(Boat(hull, luck)), rules=rules, clocks=clocks
    ),
    st.integers(0, 3),
    st.integers(0, 3),
    legal.rules(HouseRules),
    st.sampled_from(CLOCKS),
)
TRIAL = Trial(GAME, STATES)
