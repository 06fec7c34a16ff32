"""What else may lie in the place of a campaign's files: pipes, devices, links and files without end keep nobody waiting."""

from __future__ import annotations

import os
import shutil
import signal
import socket
from collections.abc import Callable, Iterator
from itertools import product
from pathlib import Path

import pytest

from tests.kit.cli import CommandLine
from tests.kit.table import small_game, written
from tests.kit.thorough import cases

PLACES = (
    "campaign.toml",
    ".lock",
    ".lock.claim",
    "log",
    "log/0001.toml",
    "log/0002.toml",
    "history",
    "history/written",
    "history/0001-000000.toml",
    "tables",
    "tables/door.toml",
    "players.toml",
    "recap-0001.md",
)
_PATIENCE = 120


def _socket(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as listening:
        # Such a name may only be short, so it is made where one stands.
        here = Path.cwd()
        os.chdir(path.parent)
        try:
            listening.bind(path.name)
        finally:
            os.chdir(here)


def _without_end(path: Path) -> None:
    path.touch()
    os.truncate(path, 3 * 1024**3)


THINGS: dict[str, Callable[[Path, Path], object]] = {
    "a pipe": lambda path, _: os.mkfifo(path),
    "a folder": lambda path, _: path.mkdir(),
    "a link to a file": lambda path, victim: path.symlink_to(victim),
    "a device": lambda path, _: path.symlink_to("/dev/zero"),
    "a socket": lambda path, _: _socket(path),
    "a file without end": lambda path, _: _without_end(path),
    "a link to itself": lambda path, _: path.symlink_to(path.name),
}


@pytest.fixture
def limited() -> Iterator[None]:
    """What waits for ever fails."""

    def waited(*_: object) -> None:
        raise TimeoutError("it waits")

    before = signal.signal(signal.SIGALRM, waited)
    signal.alarm(_PATIENCE)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with a campaign that has been played."""
    folder = tmp_path_factory.mktemp("played")
    with small_game():
        waylog = CommandLine(folder)
        written(folder / "swallow")
        (folder / "swallow" / "tables").mkdir()
        (folder / "swallow" / "tables" / "door.toml").write_text('entries = ["a", "b"]\n')
        for words in ("session begin", "note one", "note two"):
            waylog.done("do", "swallow", words)
        yield folder


@pytest.mark.usefixtures("limited")
@pytest.mark.parametrize(("place", "thing"), cases([*product(PLACES, THINGS)], 0, 2))
def test_nobody_waits_and_nothing_outside_is_changed(played: Path, tmp_path: Path, place: str, thing: str) -> None:
    """Every command ends soon, with words where it could not be done; what a link leads to stays as it is."""
    campaigns, victim = tmp_path / "campaigns", tmp_path / "victim"
    shutil.copytree(played, campaigns)
    victim.write_text("mine")
    path = campaigns / "swallow" / place
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)
    THINGS[thing](path, victim)
    waylog = CommandLine(campaigns)
    for command in (("check",), ("show",), ("do", "note x"), ("recap",), ("restore",)):
        ran = waylog(command[0], "swallow", *command[1:])
        assert ran.code in (0, 1, 2, 3)
        assert ran.code == 0 or ran.err
    assert victim.read_text() == "mine"
