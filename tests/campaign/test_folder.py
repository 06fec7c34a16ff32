"""Whole-file writes: what a crash leaves behind is found at the next start, and nothing of a person's is thrown away."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from waylog.campaign.folder import left_over, put_in_place, sweep, written_beside


@pytest.fixture
def gone() -> int:
    """The number of a process that is no more."""
    done = subprocess.Popen([sys.executable, "-c", ""])
    done.wait()
    return done.pid


def test_a_file_beside_has_its_name_only_when_it_is_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Until it is on the disk, it is called something else."""
    names: list[list[str]] = []
    monkeypatch.setattr(os, "fsync", lambda _: names.append([path.name for path in tmp_path.iterdir()]))
    beside = written_beside(tmp_path / "campaign.toml", b"a = 1\n")
    assert names == [[beside.with_suffix(".part").name]]
    assert [*tmp_path.iterdir()] == [beside]
    assert beside.read_bytes() == b"a = 1\n"


def test_two_files_beside_are_two(tmp_path: Path) -> None:
    """Two threads may each be writing a version of the same file."""
    first, second = (written_beside(tmp_path / "campaign.toml", text) for text in (b"a = 1\n", b"a = 2\n"))
    assert (first.read_bytes(), second.read_bytes()) == (b"a = 1\n", b"a = 2\n")


def test_what_a_crash_left_is_cleared_away_and_whole_versions_are_kept(tmp_path: Path, gone: int) -> None:
    """An unfinished file goes; a whole one goes to the history under its mark, beside others of that mark."""
    history = tmp_path / "history"
    history.mkdir()
    (history / "0001-000007.toml").write_text("kept")
    (tmp_path / f".campaign.toml.{gone}-1.part").write_text('log = "0001')
    (tmp_path / f".campaign.toml.{gone}-1.tmp").write_text('log = "0001:7"\n')
    (tmp_path / f".campaign.toml.{gone}-1.old").write_text("no mark")
    (tmp_path / "campaign.toml").write_text("a = 1")
    sweep(tmp_path, history)
    assert {path.name for path in tmp_path.iterdir()} == {"campaign.toml", "history"}
    assert (history / "0001-000007.toml").read_text() == "kept"
    assert (history / "0001-000007-2.toml").read_text() == 'log = "0001:7"\n'
    assert (history / "0000-000000.toml").read_text() == "no mark"


def test_what_a_living_process_is_writing_is_left_alone(tmp_path: Path) -> None:
    """One's own files, another's, and those of people that look alike."""
    for name in (f".campaign.toml.{os.getpid()}-1.tmp", f".campaign.toml.{os.getppid()}-1.tmp", ".campaign.toml.swp"):
        (tmp_path / name).write_text("")
    assert left_over(tmp_path) == []


def test_a_number_that_was_given_to_another_process_protects_nothing_for_long(tmp_path: Path) -> None:
    """After a minute such a file is nobody's."""
    path = tmp_path / f".campaign.toml.{os.getppid()}-1.tmp"
    path.write_text("")
    os.utime(path, (1, 1))
    assert left_over(tmp_path) == [path]


def test_where_files_cannot_change_places_the_old_version_is_whole_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """On file systems without an exchange the old version is copied first, and named only when it is whole."""
    monkeypatch.setattr("waylog.campaign.folder._exchange", lambda *_: False)
    path = tmp_path / "campaign.toml"
    path.write_text("old")
    old = put_in_place(written_beside(path, b"new"), path)
    assert path.read_text() == "new"
    assert old is not None
    assert old.read_text() == "old"
    assert old.suffix == ".old"
