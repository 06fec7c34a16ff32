"""The views of the tabs. Each is imported and made when it is first opened, so that a start doesn't pay for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from waylog.snapshot import Snapshot
from waylog.store.entries import Entries
from waylog.ui.views.sheet import SheetView

if TYPE_CHECKING:
    from waylog.store.log_search import LogSearch
    from waylog.ui.views.clocks import ClocksView
    from waylog.ui.views.log import LogView
    from waylog.ui.views.tables_and_decks import TablesView

    View = SheetView | LogView | ClocksView | TablesView

TABS = ("ship", "crew", "log", "clocks", "tables")
"""The views, in the order of their keys from 1 on."""
OpenLog = Callable[[], "LogSearch"]
"""Opens the acts of the log, to list and search them."""


def load_view(tab: str, snapshot: Snapshot, entries: Entries, log: OpenLog) -> View:
    """Import and make the view of a tab."""
    match tab:
        case "log":
            from waylog.ui.views.log import LogView

            return LogView(snapshot, log())
        case "clocks":
            from waylog.ui.views.clocks import ClocksView

            return ClocksView(snapshot)
        case "tables":
            from waylog.ui.views.tables_and_decks import TablesView

            return TablesView(snapshot)
        case _:
            return SheetView(tab, snapshot, entries)
