"""A table of Veil Runners for tests: campaigns as they stand in files, acts in words, dice typed."""

from collections.abc import Mapping

from tests.kit.rules import Acts
from waylog.rules.game import Game
from waylog.rules.systems import system

GAMES: Mapping[str, Game] = {name: Game(system(name)) for name in ("veil-core", "veil-2026")}
CORE, Y2026 = GAMES["veil-core"], GAMES["veil-2026"]
ACTS = Acts(CORE)
campaign, play, after, odds, move, panel = ACTS.campaign, ACTS.play, ACTS.after, ACTS.odds, ACTS.move, ACTS.panel
