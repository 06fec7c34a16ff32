"""Games in files, for the tests."""

from pathlib import Path

from waylog.rules.rulebook import Rulebook
from waylog.store.games.game_files import GAME_FILE, read_game, system_named

FOLDER = Path(__file__).parent
SHIPPED = (
    *("blind-jump", "boarding-party", "breakers-yard", "last-beacon", "long-post", "night-cargo", "nine-banners"),
    *("pole-star", "red-lamp", "slow-freight", "under-the-ice"),
)
"""Those that come with Waylog. Tests that take long take turns with them, `cases(SHIPPED, turn)`: at a desk each tries some of them, and
together they try all.
"""


def game_of(name: str) -> Rulebook:
    """Return one of them, or one that comes with Waylog."""
    if name in SHIPPED:
        return system_named(name)
    return read_game((FOLDER / name / GAME_FILE).read_bytes(), GAME_FILE)
