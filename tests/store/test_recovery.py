"""The next start after a crash finishes or takes back what was left, and says so in one line."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.cli import CommandLine
from tests.kit.table import CAMPAIGN, saved, table_at, text_of, written
from waylog.table import Table

SAVED = CAMPAIGN.replace("luck = +0", "luck = +1")
TORN = b'[[entry]]\nnumber = 2\nat = 2026-01-05T20:01:00Z\nact = "row bo'
BEHIND = 'The log is complete up to entry 1, “set "boat.hull 2"”. The campaign file has been updated from the log'
CUT_SHORT = "An interrupted action was not carried out. Its partial log entry is in log/0001.torn-{}"
BESIDE = "campaign.toml was saved while Waylog was replacing it. That version was read. It is kept as saved-0001-000000"

pytestmark = pytest.mark.usefixtures("only_small_game")


@pytest.fixture
def waylog(tmp_path: Path) -> CommandLine:
    """The Swallow, where an act came as far as the log."""
    found = CommandLine(tmp_path)
    folder = written(tmp_path / "swallow")
    table = table_at(folder)
    table.play(table.understand("set boat.hull 2"))
    return found


def torn(folder: Path) -> str:
    """Cut an entry short at the end of the log; gives what is said of it."""
    log = folder / "log" / "0001.toml"
    with log.open("ab") as file:
        file.write(b"\n" + TORN)
    return CUT_SHORT.format(log.stat().st_size - len(TORN))


def left_whole(folder: Path) -> str:
    """A person's save that a process which is gone has left beside the file; gives what is said of it."""
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    (folder / f".campaign.toml.{gone.pid}-1.tmp").write_text(SAVED)
    return BESIDE


@pytest.mark.parametrize(
    "command",
    [
        ("do", "swallow", "note hello"),
        ("undo", "swallow"),
        ("undo", "swallow", "--dry-run"),
        ("why", "swallow", "boat.hull"),
        ("conflicts", "swallow"),
        ("restore", "swallow", "0001-000000"),
    ],
    ids=" ".join,
)
def test_a_file_that_stayed_behind_is_brought_up_and_that_is_said(
    waylog: CommandLine, command: tuple[str, ...]
) -> None:
    """By each command that may write, in one line, and not again by the next."""
    ran = waylog(*command)
    assert (ran.code, ran.err) == (0, f"{BEHIND}\n")
    assert 'log = "0001:0"' not in waylog.file("swallow").read_text()
    waylog.done("do", "swallow", "note again")


def test_all_that_a_crash_left_is_said_in_one_line(waylog: CommandLine) -> None:
    """A file behind its log, half an entry, and a version on its way; a program that reads along is told apart from it."""
    folder = waylog.campaigns / "swallow"
    cut, kept = torn(folder), left_whole(folder)
    ran = waylog("do", "swallow", "note hello", "--json")
    assert (ran.code, ran.err) == (0, f"{BEHIND}. {cut}. {kept}\n")
    assert ran.data["entry"] == 3  # after the edit
    assert (folder / "log" / cut.rpartition("/")[2]).read_bytes() == TORN
    assert (folder / "history" / "saved-0001-000000.toml").read_text() == SAVED
    assert ("hull = 2 " in text_of(folder), "luck = +1" in text_of(folder)) == (True, True)
    waylog.done("do", "swallow", "note again")


def test_a_version_that_was_never_finished_is_not_worth_a_word(waylog: CommandLine) -> None:
    """The log has what it was to say."""
    waylog.done("check", "swallow")
    waylog("do", "swallow", "note hello")
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    part = waylog.campaigns / "swallow" / f".campaign.toml.{gone.pid}-1.part"
    part.write_text("format = 1\nna")
    waylog.done("do", "swallow", "note again")
    assert not part.exists()


def test_a_file_that_a_person_put_back_is_no_crash(waylog: CommandLine) -> None:
    """An older copy in the place of the file is a save by hand: what was changed in it is taken in, what was played stays."""
    waylog("do", "swallow", "note hello")
    waylog.file("swallow").write_text(SAVED)
    waylog.done("do", "swallow", "note again")
    assert [entry["words"] for entry in waylog.json("log", "swallow")["entries"]][2:] == ["by hand", 'note "again"']
    text = text_of(waylog.campaigns / "swallow")
    assert ("hull = 2 " in text, "luck = +1" in text) == (True, True)


def test_an_edit_after_the_crash_is_an_edit(waylog: CommandLine) -> None:
    """What was played stands, and what was edited too."""
    folder = waylog.campaigns / "swallow"
    saved(folder, "luck = +0", "luck = 2")
    waylog.done("do", "swallow", "note hello")
    assert "hull = 2 " in text_of(folder)
    assert "luck = 2" in text_of(folder)


def test_who_only_looks_on_puts_nothing_right(waylog: CommandLine) -> None:
    """A table that only looks on repairs nothing, and so has nothing to say."""
    folder = waylog.campaigns / "swallow"
    torn(folder)
    left_whole(folder)
    table = table_at(folder)
    looking = Table(folder, now=table._now, chance=table._chance, read_only=True)
    looking.refresh()
    assert looking.take_recovery_text() is None
    table.refresh()
    assert table.take_recovery_text() is not None
    assert table.take_recovery_text() is None
