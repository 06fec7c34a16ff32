"""The screens of the window, each made, and its module loaded, when it is first looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waylog.snapshot import Snapshot
from waylog.store.entries import Entries
from waylog.ui.views.sheet import SheetScreen

if TYPE_CHECKING:
    from waylog.ui.views.clocks import ClocksScreen
    from waylog.ui.views.log import LogScreen
    from waylog.ui.views.tables_and_decks import TablesScreen

    View = SheetScreen | LogScreen | ClocksScreen | TablesScreen


def made(tab: str, snapshot: Snapshot, entries: Entries) -> View:
    """The screen of a tab. What is not looked at costs a start nothing."""
    match tab:
        case "log":
            from waylog.ui.views.log import LogScreen

            return LogScreen(snapshot, entries)
        case "clocks":
            from waylog.ui.views.clocks import ClocksScreen

            return ClocksScreen(snapshot)
        case "tables":
            from waylog.ui.views.tables_and_decks import TablesScreen

            return TablesScreen(snapshot)
        case _:
            return SheetScreen(tab, snapshot)
