"""The scene: a screen that is there only while something is under way that has panels of its own."""

from __future__ import annotations

from textual.geometry import Size

from waylog.rules.moves import Move
from waylog.snapshot import Snapshot
from waylog.ui.layout import has_bridge
from waylog.ui.line.dice_picking import dice_ask
from waylog.ui.menus import TABS
from waylog.ui.views.sheet import BRIDGE, SCENE

NO_SCENE = "no conflict is in progress"
KEY = len(TABS) + 1


def is_open(snapshot: Snapshot) -> bool:
    """There is a scene to look at."""
    return any(panel.place == SCENE for panel in snapshot.panels)


def tabs(snapshot: Snapshot) -> tuple[str, ...]:
    """The screens that there are now, in the order of their keys."""
    return (BRIDGE, *TABS, *((SCENE,) if is_open(snapshot) else ()))


def first(snapshot: Snapshot, size: Size) -> str:
    """Where one looks to begin with: at what is under way, else at the bridge if the window has room for it."""
    if is_open(snapshot):
        return SCENE
    return BRIDGE if has_bridge(*size) else TABS[0]


def pickable_dice(snapshot: Snapshot, looking: str) -> Move | None:
    """What digits pick dice for, on the scene while dice are asked for."""
    if looking != SCENE:
        return None
    return next((move for move in snapshot.moves if move.follows and not move.blocked and dice_ask(move)), None)
