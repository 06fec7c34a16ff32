"""Where locks don't reach, as on some network folders: what was said to be done is done, and shown, whoever wrote at the same moment.

There the claim keeps other programs out. Where no claim can be made either, or one was taken from a program that stood still, the log
itself shows who was first.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.kit.table import CAMPAIGN, play, small_game, table_at, written
from waylog.store.file.open_campaign import ActOvertaken
from waylog.store.files_and_lock import open_inside
from waylog.store.log.log_and_torn_entries import Log, write_block
from waylog.store.log.verification import index_blocks, problems

_PATIENCE = 300
_WRITERS, _ACTS = 5, 8
WRITER = """
import fcntl, sys
from pathlib import Path
from random import Random
from tests.kit.table import small_game, table_at
from waylog.rules.model.moves import ActRefused

fcntl.flock = lambda *_: None
folder, me, acts = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
chance = Random(me)
with small_game():
    table = table_at(folder)
    for number in range(acts):
        name = f"{me}-{number}"
        words = chance.choice((f"note {name}", f'set clocks.storm.notes "{name}"', "tick storm", "tick storm -1", "undo"))
        try:
            entry = table.undo() if words == "undo" else table.play(table.understand(words))
            print(entry.number, entry.words, flush=True)
        except ActRefused:
            pass
        if number % 3 == 0:
            table.settle()
            table.refresh()
"""


@pytest.fixture(autouse=True)
def _no_locks(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A file system on which locking a file does nothing."""
    monkeypatch.setattr(fcntl, "flock", lambda *_: None)
    with small_game():
        yield


@pytest.fixture
def no_claims(monkeypatch: pytest.MonkeyPatch) -> None:
    """A file system without links, or a program that took this one for dead."""

    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "symlink", refuse)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The Swallow, with one entry in its log."""
    folder = written(tmp_path / "swallow", CAMPAIGN.replace("segments = 4", "segments = 8"))
    play(table_at(folder), "note first")
    return folder


def meanwhile(monkeypatch: pytest.MonkeyPatch, does: Callable[[], object], times: int = 1) -> None:
    """Have something happen in the moment before the next entry is written."""
    left = [times]

    def write_late(*arguments: Any) -> None:
        if left[0]:
            left[0] -= 1
            does()
        write_block(*arguments)

    monkeypatch.setattr("waylog.store.log.log_and_torn_entries.write_block", write_late)


def entries(folder: Path) -> dict[int, str]:
    """What a new program finds in the log."""
    found = Log(folder / "log")
    found.follow()
    return {entry.number: entry.words for entry in found.backwards()}


def told(folder: Path) -> list[str]:
    """What `waylog check` says of the log."""
    return [problem.message for problem in problems(folder / "log", "log")]


@pytest.mark.usefixtures("no_claims")
def test_an_act_that_came_second_follows_on_from_the_first(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both move the clock, each has a number of its own, and the check tells of the entry that was written in vain."""
    one, other = table_at(folder), table_at(folder)
    meanwhile(monkeypatch, lambda: play(one, "tick storm"))
    assert play(other, "tick storm 2") == 3
    assert entries(folder) == {1: 'note "first"', 2: "tick storm", 3: "tick storm 2"}
    one.refresh()
    assert [table.snapshot.clocks["storm"].filled for table in (one, other, table_at(folder))] == [3, 3, 3]
    assert told(folder) == [
        "entry 2 is here twice. Only the first one counts, so Waylog ignores this one: “The storm” ticked by 2"
    ]
    assert (folder / "log" / "0001.toml").read_bytes().count(b"\nnumber = 2\n") == 2


@pytest.mark.usefixtures("no_claims")
def test_what_was_undone_is_what_was_the_latest(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An undo that came second finds the log as it is then, and redo gives back the same."""
    one, other = table_at(folder), table_at(folder)
    play(one, "tick storm")
    meanwhile(monkeypatch, lambda: play(one, "tick storm 3"))
    other.undo()
    assert other.snapshot.clocks["storm"].filled == 1
    other.redo()
    assert table_at(folder).snapshot.clocks["storm"].filled == 4


@pytest.mark.usefixtures("no_claims")
def test_a_session_that_another_program_begins_hides_nothing(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An entry that was written to the end of the old file, as the new one was begun, is written to that again."""
    one, other = table_at(folder), table_at(folder)
    meanwhile(monkeypatch, lambda: play(one, "session begin"))
    play(other, "note second")
    assert entries(folder) == {1: 'note "first"', 2: "session begin", 3: 'note "second"'}


@pytest.mark.usefixtures("no_claims")
def test_a_session_begins_after_what_was_written_to_the_old_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The new file is there before the look at the old one, so one of the two programs finds the other."""
    one, other = table_at(folder), table_at(folder)
    late = [lambda: play(other, "note second")]

    def open_late(path: Path, *arguments: Any) -> int:
        if path.name == "0002.toml" and late:
            late.pop()()
        return open_inside(path, *arguments)

    monkeypatch.setattr("waylog.store.log.log_and_torn_entries.open_inside", open_late)
    assert play(one, "session begin") == 3
    assert entries(folder) == {1: 'note "first"', 2: 'note "second"', 3: "session begin"}
    assert told(folder) == []


@pytest.mark.usefixtures("no_claims")
def test_an_act_that_always_comes_second_is_refused(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """An act that another window always overtakes is refused in words, and nothing is done."""
    one, other = table_at(folder), table_at(folder)
    monkeypatch.setattr("waylog.store.file.open_campaign.sleep", lambda _: None)

    def write_before(path: Path, block: bytes, *_: object) -> None:
        with path.open("ab") as file:
            file.write(block.replace(b"mine", b"theirs") + block)

    monkeypatch.setattr("waylog.store.log.log_and_torn_entries.write_block", write_before)
    with pytest.raises(ActOvertaken, match=r"lock doesn't stop them\. Nothing was done"):
        play(other, "note mine")
    assert 'note "mine"' not in entries(folder).values()
    monkeypatch.undo()
    one.refresh()
    assert play(one, "note first again") == max(entries(folder))


def test_a_block_under_way_is_not_set_aside(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What looks like the rest of a crash is given a moment, and counts once it is whole."""
    path = folder / "log" / "0001.toml"
    table = table_at(folder)
    play(table_at(folder), "note second")
    whole = path.read_bytes()
    path.write_bytes(whole[:-40])
    monkeypatch.setattr("waylog.store.log.log_and_torn_entries.sleep", lambda _: path.write_bytes(whole))
    play(table, "note third")
    assert entries(folder) == {1: 'note "first"', 2: 'note "second"', 3: 'note "third"'}
    assert [*(folder / "log").glob("*torn*")] == []


def test_a_file_that_another_program_has_cut_is_read_as_it_is(folder: Path) -> None:
    """Its size was looked at before; an empty one has no entries."""
    path = folder / "log" / "0001.toml"
    size = path.stat().st_size
    os.truncate(path, size - 10)
    assert index_blocks(path, size, in_order=False).numbers == [1]
    os.truncate(path, 0)
    assert [*index_blocks(path, size, in_order=False).numbers] == []


def test_a_block_that_failed_is_not_cut_off_with_that_of_another_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It stays, then, and so it counts."""
    path = tmp_path / "0001.toml"

    def sync_late(_: int) -> None:
        with path.open("ab") as file:
            file.write(b"theirs")
        raise OSError

    monkeypatch.setattr(os, "fsync", sync_late)
    write_block(path, b"mine", 0, 0o644, set())
    assert path.read_bytes() == b"minetheirs"


def test_five_programs_at_once_lose_and_hide_nothing(folder: Path) -> None:
    """Notes, values and undos: each that was done is in the log once, under its number, and nothing else is."""
    command = [sys.executable, "-m", "tests.kit", WRITER, str(folder)]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(path for path in sys.path if path)}
    running = [
        subprocess.Popen(
            [*command, str(me), str(_ACTS)], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment
        )
        for me in range(_WRITERS)
    ]
    done = [(1, 'note "first"')]
    for writer in running:
        out, err = writer.communicate(timeout=_PATIENCE)
        assert (writer.returncode, err) == (0, "")
        for line in out.splitlines():
            number, _, words = line.partition(" ")
            done.append((int(number), words))
    assert sorted(done) == sorted(entries(folder).items())
    assert [number for number, _ in sorted(done)] == [*range(1, len(done) + 1)]
    assert told(folder) == []
    assert [*(folder / "log").glob("*torn*")] == []
