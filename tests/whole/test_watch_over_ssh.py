"""The wayfinder and two players at one campaign, all over SSH, with Debian's own OpenSSH and the lines of docs/ssh.md."""

from __future__ import annotations

import os
import re
import select
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from statistics import median

import pytest

from tests.kit import ROOT
from tests.kit.terminal import Terminal
from tests.store.test_projection_hides import Marks, campaign, found, written
from torture.ssh_server import Server, make_keys, missing_ssh, serve

_PAGE = (ROOT / "docs" / "ssh.md").read_text(encoding="utf-8")
_ACTS = 20
_PATIENCE = 120.0


def forced() -> str:
    """The page's line for a player's key, without the key."""
    (line,) = re.findall(r"^(restrict,pty,command=\"[^\"]+\") ssh-", _PAGE, re.MULTILINE)
    return str(line)


@pytest.fixture
def server(tmp_path: Path, home: Path) -> Iterator[Server]:
    """It lets in a wayfinder, who may do anything, and players, who may watch."""
    if reason := missing_ssh():
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    folder = tmp_path / "ssh"
    folder.mkdir()
    keys = make_keys(folder, ("host", "wayfinder", "player"))
    authorized = f"{keys['wayfinder']}{forced()} {keys['player']}"
    with serve(folder, authorized, {"HOME": home, "WAYLOG_CAMPAIGNS": tmp_path}) as running:
        yield running


def together(windows: list[Terminal], text: str, since: float) -> list[float]:
    """Follow several windows at once until each shows the text; gives the seconds that each took."""
    took: dict[int, float] = {}
    end = time.monotonic() + _PATIENCE
    while len(took) < len(windows):
        for number, window in enumerate(windows):
            if number not in took and text in window.text:
                took[number] = time.monotonic() - since
        waiting = [window for number, window in enumerate(windows) if number not in took]
        if waiting:
            assert time.monotonic() < end, waiting[0].text
            ready, _, _ = select.select([window._terminal for window in waiting], [], [], 1)
            for window in waiting:
                if window._terminal in ready:
                    window._read(end)
    return [took[number] for number in range(len(windows))]


def test_players_follow_the_wayfinder(server: Server, tmp_path: Path) -> None:
    """What the wayfinder plays by keys both players see soon, nothing hidden among it, and all that they can do is look."""
    written(tmp_path / "tenacity", campaign("veil-core", Marks()))
    environment = {**os.environ, "TERM": "xterm-256color"}
    opened = {
        "wayfinder": Terminal(server.ssh("wayfinder", "waylog open tenacity"), environment, 120, 36),
        "one": Terminal(server.ssh("player"), environment, 120, 36),
        # Whatever a player asks for, the forced command is what is run.
        "two": Terminal(server.ssh("player", "cat tenacity/campaign.toml"), environment, 80, 24),
    }
    wayfinder, *players = opened.values()
    try:
        wayfinder.until(lambda text: "CORE" in text)
        together(players, "The bell", time.monotonic())
        seconds: list[float] = []
        for number in range(_ACTS):
            wayfinder.press(f"nact-{number}.")
            wayfinder.until(lambda text, said=f"act-{number}.": said in text)  # type: ignore[misc] # bound now
            began = time.monotonic()
            wayfinder.press("\r")
            seconds += together(players, f"act-{number}.", began)
        print(f"\nfrom Enter to a player's screen: median {median(seconds):.2f} s, slowest {max(seconds):.2f} s")  # noqa: T201 - the figure is wanted
        wayfinder.press(":secret zq9000q\r")
        wayfinder.press(":tick told 1\r")
        together(players, "1/4  The fog", time.monotonic())
        players[0].press("\x03")
        assert players[0].end() == 0
        players[1].hang_up()
        players[1].pid, gone = 0, players[1].pid
        os.waitpid(gone, 0)
        wayfinder.press("q")
        assert wayfinder.end() == 0
        assert found(player.raw.decode(errors="replace") for player in players) == set()
        assert found([wayfinder.raw.decode(errors="replace")]), "the wayfinder saw all of it"
    finally:
        for terminal in opened.values():
            terminal.close()
    # Without a terminal, too, the forced command is all there is.
    asked = server.ssh("player", "cat tenacity/campaign.toml", terminal=False)
    ran = subprocess.run(asked, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False, timeout=60)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert "needs a terminal" in ran.stderr
