"""The scene: a screen that is there only while something is under way that has panels of its own."""

from __future__ import annotations

from waylog.rules.moves import Move
from waylog.snapshot import Snapshot
from waylog.ui.line.dice_picking import dice_ask
from waylog.ui.menus import TABS
from waylog.ui.views.sheet import SCENE

NO_SCENE = "no conflict is in progress"
KEY = len(TABS) + 1


def is_open(snapshot: Snapshot) -> bool:
    """There is a scene to look at."""
    return any(panel.place == SCENE for panel in snapshot.panels)


def tabs(snapshot: Snapshot) -> tuple[str, ...]:
    """The screens that there are now, in the order of their keys."""
    return (*TABS, SCENE) if is_open(snapshot) else TABS


def first(snapshot: Snapshot) -> str:
    """Where one looks to begin with: at what is under way."""
    return SCENE if is_open(snapshot) else TABS[0]


def pickable_dice(snapshot: Snapshot, looking: str) -> Move | None:
    """What digits pick dice for, on the scene while dice are asked for."""
    if looking != SCENE:
        return None
    return next((move for move in snapshot.moves if move.follows and not move.blocked and dice_ask(move)), None)
