"""What if, and earlier moments, in the wayfinder's app: the window goes to a copy of the campaign, to the campaign as it was, and back.

The app imports this when it is first asked for one of them. `waylog.what_if` makes the copies.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from waylog.app.table_sync import refusal_of_error
from waylog.rules.model.moves import ActRefused, Refusal
from waylog.store.files_and_lock import CampaignBusy
from waylog.table import LogWriteFailed, Table
from waylog.toml.document import UnreadableFile
from waylog.ui.draw.window_layout_and_key_names import key_name
from waylog.ui.main_screen import MainScreen
from waylog.what_if import BACK_TO_NOW, IT_HAS_HAPPENED, WhatIf, back_from, look_into, step_moment

_FAR = 1000
"""A jump over more entries than this takes so long that the person is told of it."""


class MomentHost(Protocol):
    """The part of the app that goes from one moment to another."""

    @property
    def table(self) -> Table:
        """The campaign that is played, or a copy of it."""
        ...

    @property
    def frame(self) -> MainScreen:
        """The window, where a person is told something."""
        ...

    def do(self, act: Callable[[], object], /) -> None:
        """Call a function that acts on the table, and show the result or the refusal."""
        ...

    def go_to(self, table: Table, news: str = "", /) -> None:
        """Go on at another table of the same campaign, in the same window."""
        ...

    def settle_soon(self) -> None:
        """Bring the file up to the log a little later."""
        ...

    def call_after_refresh(self, callback: Callable[[], object], /) -> object:
        """Call a function once what has been said is on screen."""
        ...


def start_or_end(app: MomentHost) -> None:
    """Try things in a copy of the campaign; in the copy, go back to the campaign itself."""
    table = app.table
    if isinstance(table, WhatIf):
        app.go_to(table.real, back_from(table))
    else:
        _show(app, None)


def make_real(app: MomentHost) -> None:
    """Play for real what was tried, as one act."""
    table = app.table
    if not isinstance(table, WhatIf):
        app.frame.refuse(
            Refusal(f"there is nothing to carry out. Start “What if” first ({key_name('what_if', 'tilde')})")
        )
        return
    made: list[object] = []
    app.do(lambda: made.append(table.make_real()))
    if made:
        app.go_to(table.real, f"{IT_HAS_HAPPENED}. To undo all of it, press {key_name('undo', 'u')}")
        app.settle_soon()


def step(app: MomentHost, by: int, *, scene: bool) -> None:
    """See the campaign as it was one action earlier or later, or when a scene began."""
    try:
        number = step_moment(app.table, by, scene=scene)
    except ActRefused as refused:
        app.frame.refuse(refused.refusal)
        return
    shown = app.table.snapshot
    far = abs((shown.entries if shown.as_of is None else shown.as_of) - number)
    if far > _FAR:
        app.frame.say(f"Reading {far:,} entries …", done=False)
        app.call_after_refresh(lambda: _show(app, number))
    else:
        _show(app, number)


def _show(app: MomentHost, as_of: int | None) -> None:
    """Go to a copy of the campaign as it is, or to the campaign as it was after an entry."""
    try:
        if as_of is None:
            app.table.settle()  # Nobody settles it while a copy is shown.
            there: Table = WhatIf(app.table)
        else:
            there = look_into(app.table, as_of)
    except (ActRefused, CampaignBusy, LogWriteFailed, UnreadableFile, OSError) as refused:
        app.frame.refuse(refusal_of_error(refused))
    else:
        app.go_to(there, "" if isinstance(there, WhatIf) else BACK_TO_NOW)
