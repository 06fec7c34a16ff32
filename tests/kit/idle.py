"""When a screen under test has nothing left to do, asked of the event loop itself; and what all screens under test share."""

from __future__ import annotations

import asyncio
from typing import Any

from rich.console import RenderableType
from textual._compositor import Compositor
from textual._context import active_app, visible_screen_stack
from textual.app import ScreenStackError
from textual.css.model import RuleSet
from textual.css.stylesheet import Stylesheet
from textual.message_pump import MessagePump
from textual.pilot import Pilot
from textual.screen import Screen

from waylog.ui.draw.clickable_line_view import LineView

_SOON = 0.04
"""Seconds within which a timer is waited for. A frame of the screen is due sooner, also where Textual draws 60 in a second: after a
delay it passes one over, so that the next may be two periods away.
"""
_TURNS = 100
"""Turns of the event loop in which it may become idle before each widget is asked."""


async def until_idle(_least: float = 0, most: float = 30) -> None:
    """Wait until nothing is ready to run and no timer is due soon, at most `most` seconds.

    It stands in for Textual's own `wait_for_idle`, which sleeps for 20 ms at a time until the process uses little CPU time. A key
    pressed by a test waits three times in that way, so most of a test would be sleep.
    """
    loop: Any = asyncio.get_running_loop()
    end = loop.time() + most
    while loop.time() < end:
        await asyncio.sleep(0)
        if loop._ready:
            continue
        app = active_app.get(None)
        if app is not None and app._exit:  # Its timer goes on and draws nothing any more.
            return
        due = min((timer.when() for timer in loop._scheduled if not timer.cancelled()), default=end) - loop.time()
        if due > _SOON:
            return
        await asyncio.sleep(max(0, due))


_parse_anew = Stylesheet._parse_rules
_PARSED: dict[tuple[object, ...], list[RuleSet]] = {}
"""The rules of each style sheet, by the colours that it was parsed with, its text and its place."""


def parse_once(sheet: Stylesheet, *source: Any, **more: Any) -> list[RuleSet]:
    """Return the rules of a style sheet. Each test starts an app, and parsing the same sheets takes a tenth of that."""
    key = (frozenset(sheet._variables.items()), source, *sorted(more.items()))
    if key not in _PARSED:
        _PARSED[key] = _parse_anew(sheet, *source, **more)
    return _PARSED[key]


draw_frame = Compositor.render_update


def paint_what_is_seen(
    compositor: Compositor, full: bool = False, screen_stack: list[Screen[Any]] | None = None, simplify: bool = False
) -> RenderableType | None:
    """Have each view paint its page, and put no frame together: without a terminal nobody gets it, and that takes a tenth of a test of
    the screen. `seen` puts one together when it is asked, as does a picture, which wants all of the screen.

    It stands in for `Compositor.render_update`.
    """
    if full or not active_app.get().is_headless:
        return draw_frame(compositor, full, screen_stack, simplify)
    visible_screen_stack.set(screen_stack or [])
    compositor._dirty_regions.clear()
    for widget in compositor.visible_widgets:
        if isinstance(widget, LineView) and not widget.is_painted:
            widget._paint_all()
    return None


_ask_each_widget = Pilot._wait_for_screen


async def until_screen_is_idle(pilot: Pilot[Any]) -> bool:
    """Wait until every widget of the screen has handled all messages. Return False if an exception kept it from that.

    It stands in for Textual's own `_wait_for_screen`, which sends a message to each widget for that, three times for a key that a test
    presses. Nobody has to be asked when nothing is ready to run and each widget waits for its next message.
    """
    loop: Any = asyncio.get_running_loop()
    for _ in range(_TURNS):
        await asyncio.sleep(0)
        if not loop._ready:
            try:
                widgets = [pilot.app, *pilot.app.screen.walk_children(with_self=True)]
            except ScreenStackError:
                return False
            if all(map(_waits_for_a_message, widgets)):
                return True
            break
    return await _ask_each_widget(pilot)


def _waits_for_a_message(widget: MessagePump) -> bool:
    queue: Any = widget._message_queue
    return widget._closing or widget._closed or (queue.empty() and bool(queue.ready_event._waiters))
