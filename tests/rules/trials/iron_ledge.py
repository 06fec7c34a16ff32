"""A game in a file in which several roll together, others help, and a roll brings another."""

from hypothesis import strategies as st

from tests.file_games import game_of
from tests.rules.trial import Trial
from waylog.rules.game import Game
from waylog.values import replace

GAME = Game(game_of("iron-ledge"))
FRESH = GAME.fresh("Trial")
VESNAS = st.builds(
    lambda iron, momentum, stress, rank: replace(
        FRESH.sheet.crew["vesna"], iron=iron, momentum=momentum, stress=stress, rank=rank
    ),
    st.integers(0, 3),
    st.integers(-3, 5),
    st.integers(0, 4),
    st.sampled_from(("d4", "d6")),
)
STATES = st.builds(
    lambda vesna: replace(FRESH, sheet=replace(FRESH.sheet, crew={**FRESH.sheet.crew, "vesna": vesna})), VESNAS
)
TRIAL = Trial(GAME, STATES, across=("GF-01", "GF-02", "GF-03"), rolls_follow=True)
