"""Whole-file writes: a file is whole before it has a name, and what stood in its place is held."""

import os
from pathlib import Path

import pytest

from waylog.campaign.folder import put_in_place, written_beside


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
