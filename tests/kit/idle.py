"""When a screen under test has nothing left to do, asked of the event loop itself."""

from __future__ import annotations

import asyncio
from typing import Any

from textual._context import active_app

_SOON = 0.04
"""Seconds within which a timer is waited for. A frame of the screen is due sooner: Textual draws 60 in a second, and after a
delay it passes one over, so that the next may be two periods away.
"""


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
