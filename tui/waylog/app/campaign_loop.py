"""Playing in the wayfinder's app: one campaign after the other, until the person leaves."""

from __future__ import annotations

import gc
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, cast

from waylog.app.base_app_and_attention import collect_garbage_seldom, defer_signals
from waylog.app.terminal_driver import Handover
from waylog.app.wayfinder_app import WayfinderApp
from waylog.settings import SettingsFile, read_settings
from waylog.table import Table

if TYPE_CHECKING:
    from waylog.app.players_apps_and_phones import PhonesProcess
    from waylog.store.folders_and_recent import Locations

_TURN = 0.0005
"""Seconds after which the thread that writes files lets the window go on. A key waits for that several times: Python's 5 ms are felt."""


def run(
    table: Table,
    handover: Handover,
    *,
    theme: str | None = None,
    places: Locations | None = None,
    chosen: SettingsFile | None = None,
) -> int:
    """Play a campaign, and those that the person switches to, until they leave. Return the exit code.

    What was typed after the app before has ended is in `handover`, and goes to the first app here.

    The tutorial guides through its campaign. The file is brought up to the log on the way out. Raises what went wrong, once the
    terminal is restored.
    """
    phones = cast("PhonesProcess | None", None)
    sys.setswitchinterval(_TURN)
    while True:
        # What is loaded lives as long as the app; looking through it for garbage only delays the first paint.
        gc.disable()
        app: WayfinderApp | None = None
        try:
            with defer_signals():
                tutorial = None
                if places and table.folder == places.tutorial:
                    from waylog.app.tutorial import Tutorial  # Most campaigns are none.

                    tutorial = Tutorial(table)
                app = WayfinderApp(table, theme, places, chosen, tutorial, handover, chosen_in_app=handover.is_due)
                app.phones = phones
                app.run()
        finally:
            collect_garbage_seldom()
            table.settle()
            # The app may not even have been made.
            (table if app is None else app.table).leave()
            next_table = None if app is None else app.next_table
            phones = phones if app is None else app.phones
            is_same = next_table is not None and next_table.players_folder == table.players_folder
            if phones and not is_same:
                phones.stop()
                phones = None
        code = app.result()
        if next_table is None:
            return code
        table, theme = next_table, app.theme
        # A choice that was made in the last campaign holds in the next.
        chosen = read_settings(chosen.path) if chosen else None
        if places and not is_same:
            with suppress(OSError):  # Only the next start would have used it.
                places.remember(table.folder)
