"""The scene tab, which exists only while a game shows panels for what is going on, such as a conflict."""

from __future__ import annotations

from textual.geometry import Size

from waylog.rules.moves import Move
from waylog.snapshot import Snapshot
from waylog.ui.layout import has_bridge
from waylog.ui.tabs import TABS
from waylog.ui.views.sheet import BRIDGE, SCENE

NO_SCENE = "no conflict is in progress"
KEY = len(TABS) + 1


def is_open(snapshot: Snapshot) -> bool:
    """Whether there is a scene tab."""
    return any(panel.place == SCENE for panel in snapshot.panels)


def tabs(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the tabs that exist now, in the order of their keys."""
    return (BRIDGE, *TABS, *((SCENE,) if is_open(snapshot) else ()))


def first(snapshot: Snapshot, size: Size, wanted: str = "auto") -> str:
    """Return the tab to open first: the scene if there is one, else the one that is set, or the bridge if there is room."""
    if is_open(snapshot):
        return SCENE
    if wanted in (BRIDGE, *TABS):
        return wanted
    return BRIDGE if has_bridge(*size) else TABS[0]


def pickable_dice(snapshot: Snapshot, looking: str) -> Move | None:
    """Return the dice that digits pick in the scene tab while dice are asked for."""
    if looking != SCENE:
        return None
    from waylog.ui.line.dice_picking import dice_ask

    return next((move for move in snapshot.moves if move.follows and not move.blocked and dice_ask(move)), None)
