"""The views of the tabs. Each is imported and made when it is first opened, so that a start doesn't pay for it.

The scene tab, which exists only while a game shows panels for what is going on, such as a conflict.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from waylog.rules.model.moves import Move
from waylog.snapshot import Snapshot
from waylog.store.log.entries import Entries
from waylog.ui.draw.layout import BRIDGE, SCENE, TABS
from waylog.ui.views.sheet import SheetView

if TYPE_CHECKING:
    from waylog.store.log.search_and_filters import LogSearch
    from waylog.ui.views.clocks import ClocksView
    from waylog.ui.views.log import LogView
    from waylog.ui.views.tables_and_decks import TablesView

    View = SheetView | LogView | ClocksView | TablesView

OpenLog = Callable[[], "LogSearch"]
"""Opens the acts of the log, to list and search them."""


def load_view(tab: str, snapshot: Snapshot, entries: Entries, log: OpenLog) -> View:
    """Import and make the view of a tab."""
    match tab:
        case "log":
            from waylog.ui.views.log import LogView

            return LogView(snapshot, log)
        case "clocks":
            from waylog.ui.views.clocks import ClocksView

            return ClocksView(snapshot)
        case "tables":
            from waylog.ui.views.tables_and_decks import TablesView

            return TablesView(snapshot)
        case _:
            return SheetView(tab, snapshot, entries)


NO_SCENE = "no conflict is in progress"
KEY = len(TABS) + 1


def is_open(snapshot: Snapshot) -> bool:
    """Whether there is a scene tab."""
    return any(panel.place == SCENE for panel in snapshot.panels)


def tabs(snapshot: Snapshot) -> tuple[str, ...]:
    """Return the tabs that exist now, in the order of their keys."""
    return (BRIDGE, *TABS, *((SCENE,) if is_open(snapshot) else ()))


def first(snapshot: Snapshot, wanted: str = "auto") -> str:
    """Return the tab to open first: the scene if there is one, else the one that is set, or the bridge."""
    if is_open(snapshot):
        return SCENE
    return wanted if wanted in (BRIDGE, *TABS) else BRIDGE


def pickable_dice(snapshot: Snapshot, looking: str) -> Move | None:
    """Return the dice that digits pick in the scene tab while dice are asked for."""
    if looking != SCENE:
        return None
    from waylog.ui.line.typed_dice import dice_ask

    return next((move for move in snapshot.moves if move.follows and not move.blocked and dice_ask(move)), None)
