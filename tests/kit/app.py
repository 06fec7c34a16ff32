"""The app on a campaign of its own, played by keys, with dice that fall as told and a clock that ticks evenly."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from textual._context import visible_screen_stack
from textual.pilot import Pilot

from tests.kit.table import table_at, written
from waylog.app.wayfinder_app import WayfinderApp
from waylog.table import Table
from waylog.ui.main_screen import MainScreen
from waylog.ui.views.help_on_keys import KeysScreen
from waylog.values import replace

CAMPAIGN = """\
# The Tenacity, on her way
format = 1
name = "Tenacity"
system = "veil-core"
log = "0001:0"

[ship]
name = "Tenacity"
focus = 1

[ship.core]
CPU = 2
HUL = 2
NAV = 2

[ship.modules.1]
name = "AFTERBURNERS"
kind = "specialised"
system = "NAV"

[crew.lars]
name = "Lars"

[crew.mara]
name = "Mara"
"""
SIZES = ((120, 36), (80, 24), (40, 20))
"""Tests that run in each take turns with them at a desk, `cases(SIZES, turn, 3)`."""


@asynccontextmanager
async def playing(
    folder: Path, *faces: int, size: tuple[int, int] = (120, 36), text: str = CAMPAIGN, bridge: bool = False
) -> AsyncIterator[tuple[Pilot[None], Table]]:
    """The app on a new campaign, and its table; it opens with the ship, unless `bridge` is wanted, or with a scene if there is one."""
    table = table_at(written(folder, text), *faces)
    app = WayfinderApp(table)
    if not bridge:
        app.settings = replace(app.settings, first_view="ship")
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        press = pilot.press

        async def pressed(*keys: str) -> None:
            """Keys that come fast wait for each other; so does the test for the last of them."""
            await press(*keys)
            if app.is_running:
                await drained(pilot)

        pilot.press = pressed  # type: ignore[method-assign]  # the app takes keys in its own time
        yield pilot, table


def seen(pilot: Pilot[None]) -> str:
    """What is on the screen, line by line."""
    visible_screen_stack.set(pilot.app._background_screens)
    lines = pilot.app.screen._compositor.render_strips()
    return "\n".join("".join(segment.text for segment in strip).rstrip() for strip in lines)


def listed(pilot: Pilot[None]) -> str:
    """What the keys in help do, one after the other."""
    screen = pilot.app.screen
    assert isinstance(screen, KeysScreen)
    return "\n".join(f"{hint.key}  {hint.does}" for hint in screen.keys)


def looked(pilot: Pilot[None]) -> None:
    """The app looks for what others have written, now."""
    assert isinstance(pilot.app, WayfinderApp)
    pilot.app._look()


def free_answer(pilot: Pilot[None]) -> str:
    """The key of an answer that asks nothing more."""
    screen = pilot.app.screen
    assert isinstance(screen, MainScreen)
    return next(key for key, move in screen.window.tray.choices if not move.blocked and not move.asks)


async def drained(pilot: Pilot[None]) -> None:
    """Wait until every key has been taken, and all that it led to has happened."""
    app = pilot.app
    assert isinstance(app, WayfinderApp)
    while app.is_running and not app._exit and (app.unhandled_input or not app._keys.is_done):
        await pilot.pause(0)
    await pilot.pause()


async def closed(pilot: Pilot[None], key: str) -> None:
    """Press a key that closes a screen. Pressed otherwise, the pilot may wait half a minute for the screen that has gone."""
    app, before = pilot.app, pilot.app.screen
    app.simulate_key(key)
    for _ in range(1000):
        if app._exit or app.screen is not before:
            break
        await asyncio.sleep(0)
    for _ in range(50):  # What comes next may end the app, and then nothing becomes idle.
        await asyncio.sleep(0)
    if not app._exit:
        await pilot.pause()


async def typed(pilot: Pilot[None], text: str) -> None:
    """Type a text."""
    keys = {" ": "space", '"': "quotation_mark", "+": "plus", "-": "minus", ".": "full_stop", ":": "colon"}
    await pilot.press(*(keys.get(char, char) for char in text))
