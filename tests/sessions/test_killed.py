"""The program is killed between the log and the campaign file: nothing that was logged is lost, what was asked is asked still."""

import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.sessions.playing import Shell, Step, files, opened

PROGRAM = """
import os, pkgutil, sys
from datetime import UTC, datetime
from waylog.cli.main import main

place, *words = sys.argv[1:]
module, _, name = place.rpartition(".")
setattr(pkgutil.resolve_name(module), name, lambda *_: os._exit(9))
main(words, now=lambda: datetime(2026, 1, 5, 20, tzinfo=UTC))
"""
"""A command that ends, as if by the power, as soon as it comes to a place in the code."""
PLACES = pytest.mark.parametrize(
    "place",
    [
        "waylog.table.Table.settle",
        "waylog.store.file.history.put_in_place",
        "waylog.store.file.history.FileHistory.keep",
    ],
)
"""Once the log is written: before anything else; with the new file beside the old one; with the new in the old one's place."""
BEFORE = Step("set crew.jörg.focus 2")
KILLED = Step("heal lars by-jörg", dice=(5, 2, 1), asks="Raising 5 to 6 makes it a Success")
AFTER = Step("focus 5", told=("= Success", "Lars: vitality +1, now 3 (VK-44)"))
"""A token is spent, and then there is a question: the file has something to catch up with, and so has the person."""


def eight() -> datetime:
    """All of it happens at eight o'clock."""
    return datetime(2026, 1, 5, 20, tzinfo=UTC)


@pytest.fixture
def spared(tmp_path: Path) -> Shell:
    """The same acts where nobody was killed."""
    shell = Shell(tmp_path / "spared", now=eight)
    shell.play(BEFORE)
    shell.play(KILLED)
    return shell


@pytest.fixture
def killed(tmp_path: Path) -> Callable[[str], Shell]:
    """The act, killed at a place."""

    def _killed(place: str) -> Shell:
        shell = Shell(tmp_path / "killed", now=eight)
        shell.play(BEFORE)
        command = [sys.executable, "-m", "tests.kit", PROGRAM, place, *KILLED.said(), "--dir", str(shell.folder.parent)]
        ran = subprocess.run(command, capture_output=True, check=False)
        assert (ran.returncode, ran.stdout, ran.stderr) == (9, b"", b"")
        return shell

    return _killed


@PLACES
def test_what_was_asked_is_asked_still(spared: Shell, killed: Callable[[str], Shell], place: str) -> None:
    """After a kill the same question is open with the same moves and the same sheet, and play goes on to the same files."""
    shell = killed(place)
    assert shell.looked("moves") == spared.looked("moves")
    assert shell.looked("moves")["question"]
    assert shell.looked("show") == spared.looked("show")
    in_place = place == "waylog.store.file.history.FileHistory.keep"
    shell.play(AFTER, warned="" if in_place else f"The log is complete up to entry 2, “{KILLED.do}”")
    spared.play(AFTER)
    assert files(shell.folder) == files(spared.folder)


@PLACES
async def test_opening_brings_the_file_up(spared: Shell, killed: Callable[[str], Shell], place: str) -> None:
    """Opened in the app and left again, the file says what the log says, nothing lies beside it, and the question is open."""
    shell = killed(place)
    async with opened(shell.folder, now=eight) as keys:
        await keys.look()
        assert KILLED.asks in keys.seen()
    assert files(shell.folder) == files(spared.folder)
    assert sorted(path.name for path in shell.folder.iterdir()) == [".lock", "campaign.toml", "history", "log"]
    assert shell.looked("moves") == spared.looked("moves")
