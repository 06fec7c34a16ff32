"""Players can tell whether a wayfinder's program has the campaign open."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from waylog.store.players.pause_and_presence import Attendance, is_attended


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A campaign with an inbox."""
    (tmp_path / "inbox").mkdir()
    return tmp_path


def test_it_is_attended_as_long_as_a_program_holds_it(folder: Path) -> None:
    """Several may do so, and it lasts until the last of them ends."""
    first, second = Attendance(folder), Attendance(folder)
    assert not is_attended(folder)
    first.hold(())
    second.hold(())
    first.end()
    assert is_attended(folder)
    second.end()
    assert not is_attended(folder)


def test_a_program_that_is_killed_no_longer_holds_it(folder: Path) -> None:
    """The system gives the lock back."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        Attendance(folder).hold(())
        os.write(writer, b"held")
        os.kill(os.getpid(), 9)
    assert os.read(reader, 4) == b"held"
    os.waitpid(child, 0)
    os.close(reader)
    os.close(writer)
    assert not is_attended(folder)


def test_only_a_table_with_players_gets_an_inbox(tmp_path: Path) -> None:
    """A table without players has no such folder, and one with players has it from the first look on."""
    attendance = Attendance(tmp_path)
    attendance.hold(())
    assert not [*tmp_path.iterdir()]
    attendance.hold(["ana"])
    assert is_attended(tmp_path)
    attendance.end()


@pytest.mark.parametrize("mask", [0, 0o077])
def test_other_accounts_pass_whatever_the_umask(tmp_path: Path, mask: int) -> None:
    """They may pass through the inbox and write to the pipe. They may neither list the inbox nor read from the pipe."""
    before = os.umask(mask)
    try:
        attendance = Attendance(tmp_path)
        attendance.hold(["ana"])
        attendance.end()
    finally:
        os.umask(before)
    assert stat.S_IMODE((tmp_path / "inbox").stat().st_mode) == 0o711
    assert stat.S_IMODE((tmp_path / "inbox" / "attended").stat().st_mode) == 0o622


def test_a_look_restores_what_was_removed_or_closed(folder: Path) -> None:
    """The inbox, the pipe and their rights, as long as the program runs."""
    attendance, pipe = Attendance(folder), folder / "inbox" / "attended"
    attendance.hold(["ana"])
    pipe.unlink()
    assert not is_attended(folder)
    attendance.hold(["ana"])
    assert is_attended(folder)
    pipe.unlink()
    pipe.parent.rmdir()
    attendance.hold(["ana"])
    assert is_attended(folder)
    pipe.chmod(0o600)
    pipe.parent.chmod(0o700)
    attendance.hold(["ana"])
    assert stat.S_IMODE(pipe.stat().st_mode) == 0o622
    assert stat.S_IMODE(pipe.parent.stat().st_mode) == 0o711
    attendance.end()


def test_a_program_that_cannot_be_reached_says_so(tmp_path: Path) -> None:
    """For example if a file is in the inbox's place. Once it can be reached again, it says nothing."""
    (tmp_path / "inbox").touch()
    attendance = Attendance(tmp_path)
    attendance.hold(["ana"])
    assert "Players can't reach you" in attendance.trouble
    (tmp_path / "inbox").unlink()
    attendance.hold(["ana"])
    assert attendance.trouble == ""
    attendance.end()


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
    attendance.hold(())
    assert is_attended(folder)
    attendance.end()
    assert target.read_bytes() == b"mine"
