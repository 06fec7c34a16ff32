"""`Overlay`, the base of the screens that lie over the main one: it shows one view, gives it its place, and closes once."""

from __future__ import annotations

from typing import Any, TypeVar

from textual.app import ComposeResult
from textual.screen import ModalScreen

from waylog.ui.draw.line_view import LineView
from waylog.ui.layout import overlay_height

T = TypeVar("T")


class Overlay(ModalScreen[T], inherit_bindings=False):
    """A screen over the main one. A subclass passes its view on, handles keys and clicks, and calls `leave`.

    `fit` is called when the screen opens and whenever the window has another size.
    """

    def __init__(self, view: LineView[Any]) -> None:
        super().__init__()
        self._overlaid = view

    def compose(self) -> ComposeResult:
        yield self._overlaid

    def on_mount(self) -> None:
        self.fit()

    def on_resize(self) -> None:
        self.fit()

    def fit(self) -> None:
        """Give the view its place. A subclass without one of its own leaves that to its stylesheet."""

    def fit_at_foot(self, wanted: int) -> None:
        """Give the view the whole width at the foot of the window, and so many lines if there is room for them."""
        columns, lines = self.app.size
        self._overlaid.styles.width = columns
        self._overlaid.styles.height = overlay_height(lines, wanted)
        self._overlaid.repaint()

    def leave(self, result: T) -> None:
        """Close with a result, once: the next key of a burst may come before the screen is gone."""
        if self.is_current:
            self.dismiss(result)
