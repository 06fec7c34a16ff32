"""What the wayfinder's app does with forms: open the one of a row, set what was changed in it, and go on to the next."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from textual.screen import Screen

from waylog.app.table_sync import refusal_of_error
from waylog.rules.changes import Path as ValuePath
from waylog.rules.fields import FormSource
from waylog.rules.moves import ActRefused, Refusal
from waylog.rules.settings import Setting
from waylog.store.lock_and_replace import CampaignBusy
from waylog.table import LogWriteFailed, Table
from waylog.ui.main_screen import MainScreen
from waylog.ui.views.form import FormEnd, FormScreen


class FormCommands:
    """The commands about forms. What can't be done is said in the window, or in the form."""

    def __init__(
        self,
        table: Table,
        frame: MainScreen,
        push_screen: Callable[[Screen[FormEnd], Callable[[FormEnd | None], None]], object],
        show: Callable[[], None],
    ) -> None:
        """`show` shows what was set, once a form is closed."""
        self._table, self._frame, self._push_screen, self._show = table, frame, push_screen, show

    def open(self, path: ValuePath) -> None:
        """Open the form of what is at that path of the file."""
        table = self._table
        try:
            source = table.form(path)
        except ActRefused as refused:
            self._frame.refuse(refused.refusal)
        else:
            overrule = partial(self._set_values, overrules=True)
            screen = FormScreen(source, table.try_settings, self._set_values, table.shown_by_settings, overrule)
            self._push_screen(screen, partial(self._after, source))

    def _set_values(self, settings: Sequence[Setting], *, overrules: bool = False) -> Refusal | None:
        """Set what was changed in a form. Return why that isn't possible, if the form has to stay."""
        try:
            self._table.set_values(settings, overrules=overrules)
        except (ActRefused, CampaignBusy, LogWriteFailed, OSError) as refused:
            return refusal_of_error(refused)
        return None

    def _after(self, source: FormSource, end: FormEnd | None) -> None:
        self._show()
        if end is FormEnd.ANOTHER:
            self.open(source.sibling)
