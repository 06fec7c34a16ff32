"""A game in a file, with everything that a file may declare."""

from dataclasses import replace

from hypothesis import strategies as st

from tests.file_games import game_of
from tests.rules import legal
from tests.rules.trial import Trial
from waylog.rules.game import Game

GAME = Game(game_of("night-heist"))
FRESH = GAME.fresh("Trial")


def _sheets() -> st.SearchStrategy[object]:
    sheet = FRESH.sheet
    team = st.builds(
        lambda stress, cover, coin: replace(sheet.team, stress=stress, cover=cover, coin=coin),
        st.integers(0, 9),
        st.booleans(),
        st.integers(0, 6),
    )
    harm = st.lists(st.sampled_from(("bruised", "bleeding", "shaken")), unique=True).map(tuple)
    person = st.builds(
        lambda who, nerve, hurt: replace(sheet.crew[who], nerve=nerve, harm=hurt),
        st.sampled_from(("mara", "joss")),
        st.integers(0, 4),
        harm,
    )
    crew = st.dictionaries(st.sampled_from(("mara", "joss", "Nora Quist", "7", "stress", "gear")), person, max_size=3)
    return st.builds(lambda team, crew: replace(sheet, team=team, crew=crew), team, crew)


STATES = st.builds(
    lambda sheet, rules, clocks: replace(FRESH, sheet=sheet, rules=rules, clocks=clocks),
    _sheets(),
    st.booleans().map(lambda hard: replace(FRESH.rules, hard=hard)),
    legal.clocks(),
)
TRIAL = Trial(GAME, STATES)
