"""A table of the Emissaries for tests: campaigns as they stand in files, acts in words, dice typed."""

from collections.abc import Mapping
from typing import Any

from tests.kit.rules import Acts
from waylog.rules.game import Game
from waylog.rules.model.state import State
from waylog.rules.rulebook import Rulebook
from waylog.rules.systems import system
from waylog.rules.systems.emissaries.panels import ConflictView
from waylog.rules.systems.emissaries.state_stages_and_typed_names import ConflictStage

SYSTEM = system("emissaries")
GAME = Game(SYSTEM)

MARA: Mapping[str, Any] = {"name": "Mara", "body": 4, "mind": 3, "soft": 3, "hard": 3}
THOSS: Mapping[str, Any] = {"name": "Thoss", "body": 3, "mind": 4, "soft": 3, "hard": 3, "rows": 2}
ACTS = Acts(GAME)
play, after, refused, odds, move = ACTS.play, ACTS.after, ACTS.refused, ACTS.odds, ACTS.move


def campaign(**tables: Any) -> State:
    """A campaign with these tables in its file, in which nothing is wrong but that some have no Lun and no data-pad."""
    state, faults = GAME.read({"name": "Trial", **tables})
    assert [fault for fault in faults if not fault.lacking] == []
    return state


def two(**tables: Any) -> State:
    """Mara on one side, Thoss on the other, and what else the tables say."""
    return campaign(**{"crew": {"mara": MARA}, "npcs": {"thoss": THOSS}, **tables})


def conflict(state: State) -> ConflictStage:
    """The conflict under way."""
    assert state.open is not None
    assert isinstance(state.open.stage, ConflictStage)
    return state.open.stage


def board(state: State) -> ConflictView:
    """The conflict as a screen shows it."""
    assert isinstance(SYSTEM, Rulebook)
    found = SYSTEM.board(GAME.position(state))
    assert isinstance(found, ConflictView)
    return found


def pools(state: State) -> Mapping[str, tuple[int, ...]]:
    """What lies before everybody, lowest first."""
    return {one.word: tuple(sorted(die.face for die in one.pool)) for one in conflict(state).people}
