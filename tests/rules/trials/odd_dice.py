"""A game in a file with a roll of each kind, house rules that change the game, and panels."""

from hypothesis import strategies as st

from tests.file_games import game_of
from tests.rules.trial import Trial
from waylog.rules.game import Game
from waylog.values import replace

GAME = Game(game_of("odd-dice"))
FRESH = GAME.fresh("Trial")
SHIPS = st.builds(
    lambda hull, edge, skill, mode: replace(FRESH.sheet.ship, hull=hull, edge=edge, skill=skill, mode=mode),
    st.integers(0, 6),
    st.integers(0, 3),
    st.integers(0, 99),
    st.sampled_from(("calm", "storm")),
)
STATES = st.builds(
    lambda ship, rough, ending: replace(
        FRESH, sheet=replace(FRESH.sheet, ship=ship), rules=replace(FRESH.rules, rough=rough, ending=ending)
    ),
    SHIPS,
    st.booleans(),
    st.sampled_from(("kind", "cruel")),
)
TRIAL = Trial(GAME, STATES)
