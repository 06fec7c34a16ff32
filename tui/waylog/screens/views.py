"""The screens of the window, each made, and its module loaded, when it is first looked at."""

from __future__ import annotations

from typing import TYPE_CHECKING

from waylog.campaign.entries import Entries
from waylog.screens.sheet import SheetScreen
from waylog.snapshot import Snapshot

if TYPE_CHECKING:
    from waylog.screens.clocks import ClocksScreen
    from waylog.screens.log import LogScreen
    from waylog.screens.tables import TablesScreen

    View = SheetScreen | LogScreen | ClocksScreen | TablesScreen


def made(tab: str, snapshot: Snapshot, entries: Entries) -> View:
    """The screen of a tab. What is not looked at costs a start nothing."""
    match tab:
        case "log":
            from waylog.screens.log import LogScreen

            return LogScreen(snapshot, entries)
        case "clocks":
            from waylog.screens.clocks import ClocksScreen

            return ClocksScreen(snapshot)
        case "tables":
            from waylog.screens.tables import TablesScreen

            return TablesScreen(snapshot)
        case _:
            return SheetScreen(tab, snapshot)
