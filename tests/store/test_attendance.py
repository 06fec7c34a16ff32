"""Players can tell whether a wayfinder's program has the campaign open."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from waylog.store.attendance import Attendance, is_attended


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A campaign with an inbox."""
    (tmp_path / "inbox").mkdir()
    return tmp_path


def test_it_is_attended_as_long_as_a_program_holds_it(folder: Path) -> None:
    """A second one takes over from the first."""
    first, second = Attendance(folder), Attendance(folder)
    assert not is_attended(folder)
    first.hold()
    second.hold()
    assert is_attended(folder)
    first.end()
    assert not is_attended(folder)
    second.hold()
    assert is_attended(folder)
    second.end()


def test_a_program_that_is_killed_no_longer_holds_it(folder: Path) -> None:
    """The system gives the lock back."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        Attendance(folder).hold()
        os.write(writer, b"held")
        os.kill(os.getpid(), 9)
    assert os.read(reader, 4) == b"held"
    os.waitpid(child, 0)
    os.close(reader)
    os.close(writer)
    assert not is_attended(folder)


def test_without_an_inbox_nothing_is_made(tmp_path: Path) -> None:
    """A table without players has no such folder."""
    Attendance(tmp_path).hold()
    assert not [*tmp_path.iterdir()]


@pytest.mark.parametrize("trap", ["link", "pipe", "folder"])
def test_what_a_player_puts_in_its_place_is_not_followed(folder: Path, trap: str) -> None:
    """Nothing waits for it, and nothing is written there."""
    path, target = folder / "inbox" / "attended", folder / "target"
    target.write_bytes(b"mine")
    match trap:
        case "link":
            path.symlink_to(target)
        case "pipe":
            os.mkfifo(path)
        case _:
            path.mkdir()
    attendance = Attendance(folder)
    attendance.hold()
    is_attended(folder)
    attendance.end()
    assert target.read_bytes() == b"mine"
