"""*Phones* in the app: the codes, one at a time, and the process that lets phones in."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from textual.app import App

from tests.kit.app import SIZES, seen
from waylog.app.base_app_and_attention import BaseApp
from waylog.store.players.inbox_access_and_phone_keys import PageAddress, ServeStatus
from waylog.ui.views.phones import PhonesScreen

_KEY = "ABCDEFGHIJKLMNOPQRSTUV"
_STATUS = ServeStatus(
    "http://192.0.2.7:7717",
    (
        PageAddress("ana", "Ana", f"http://192.0.2.7:7717/#{_KEY}", 1),
        PageAddress("ben", "Ben", f"http://192.0.2.7:7717/#{_KEY[::-1]}", 0),
        PageAddress("", "The table", f"http://192.0.2.7:7717/table#{_KEY}", 0),
    ),
)


class Host:
    """What lets phones in, without a process."""

    def __init__(self) -> None:
        self.status: ServeStatus | None = None
        self.trouble = ""
        self.asked: list[str] = []

    @property
    def runs(self) -> bool:
        return self.status is not None

    def look(self) -> None:
        pass

    def start(self, *, lan: bool) -> None:
        self.asked.append("lan" if lan else "machine")
        self.status = _STATUS

    def stop(self) -> None:
        self.asked.append("stop")
        self.status = None

    def renew(self, player: str) -> None:
        self.asked.append(f"renew {player}")


def drawn(host: Host) -> tuple[App[None], PhonesScreen]:
    """An app with that screen."""
    return BaseApp(), PhonesScreen(host)


@pytest.mark.parametrize("size", [*SIZES, (60, 18)])
async def test_one_code_at_a_time(size: tuple[int, int]) -> None:
    """Nothing is let in before a key says whom. Then each code is whole, in any window, and goes with a name; `n` asks first."""
    host = Host()
    app, screen = drawn(host)
    async with app.run_test(size=size) as pilot:
        await app.push_screen(screen)
        await pilot.pause()
        assert "The local network" in seen(pilot)
        assert host.asked == []
        await pilot.press("l")
        await pilot.pause()
        first = _code(seen(pilot).splitlines())
        assert "Ana" in seen(pilot)
        await pilot.press("right")
        await pilot.pause()
        assert "Ben" in seen(pilot)
        assert _code(seen(pilot).splitlines()) != first
        assert [len(line) for line in first] == [33] * 17
        await pilot.press("n", "right", "left", "n", "n")
        await pilot.press("x")
        await pilot.pause()
        assert "The local network" in seen(pilot)
    assert host.asked == ["lan", "renew ben", "stop"]


@pytest.mark.parametrize("size", [*SIZES, (60, 18)])
async def test_a_new_code_is_asked_for_in_sight(size: tuple[int, int]) -> None:
    """In a narrow window the question has the place of the code, which comes back with the answer or with another key."""
    app, screen = drawn(Host())
    async with app.run_test(size=size) as pilot:
        await app.push_screen(screen)
        for key in ("l", "n"):
            await pilot.press(key)
        await pilot.pause()
        assert "Press n again" in seen(pilot)
        await pilot.press("n")
        await pilot.pause()
        assert "Press n again" not in seen(pilot)
        assert _code(seen(pilot).splitlines())


def _code(lines: Sequence[str]) -> list[str]:
    """The code in a window: it begins and ends with whole blocks."""
    found = [line.strip()[:33] for line in lines]
    return [line for line in found if line.startswith("██") and line.endswith("██")]
