"""A screen that can be drawn at once. `MainScreen` is one, so that a key is on screen as soon as it is handled.

Textual draws a window once its parts have told each other by messages what has changed, nothing more is to be handled, and a
timer has woken up. Waylog's views know the cells that have changed, and telling takes longer than drawing them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from textual.geometry import Region
from textual.screen import Screen
from textual.widget import Widget

from waylog.ui.draw.line_compositor import LineCompositor


class DrawnScreen(Screen[None], inherit_bindings=False):
    """A screen that is drawn at the end of `draw_at_once`, or as Textual does it, by itself after any other change."""

    AUTO_FOCUS = ""

    def __init__(self) -> None:
        super().__init__()
        self._compositor = LineCompositor()
        self._is_held = False
        """Drawing waits for the end of `draw_at_once`."""
        self._is_asked = False
        """Textual has been asked meanwhile to draw."""

    def check_idle(self) -> None:
        if self._is_held:
            self._is_asked = True
        else:
            super().check_idle()

    def refresh(
        self, *regions: Region, repaint: bool = True, layout: bool = False, recompose: bool = False
    ) -> DrawnScreen:
        """Draw the window again, or lay it out. A layout draws what it has placed or moved, and nothing else: Textual would draw
        all of the window once more after a part was mounted.
        """
        return super().refresh(*regions, repaint=repaint and not layout, layout=layout, recompose=recompose)

    def has_placed(self, widget: Widget) -> bool:
        """Whether the last layout has given the widget a place in the window."""
        return widget in self._compositor.visible_widgets

    def draw_changes(self, widget: Widget) -> None:
        """Draw with the next frame the cells of a widget that it keeps as changed."""
        self._dirty_widgets.add(widget)
        self.check_idle()

    def place_parts(self) -> None:
        """Have the layout place the parts again before the next frame."""
        self._clear_arrangement_cache()
        self.refresh(repaint=False, layout=True)

    @property
    def has_messages(self) -> bool:
        """Whether messages of the app, of the screen or of its parts wait to be handled."""
        return any(each.message_queue_size for each in (self.app, self, *self.children))

    @contextmanager
    def draw_at_once(self) -> Iterator[None]:
        """Draw at the end what changes in the `with` block. If messages wait, which may change more, Textual draws all of it
        after them.
        """
        if self._is_held:
            yield
            return
        self._is_held, self._is_asked = True, False
        try:
            yield
        finally:
            self._is_held = False
        if not self._is_asked or not self.is_running:
            return
        if self.has_messages:
            self.check_idle()
        else:
            self._on_timer_update()
