"""Games in files that were found sound are not checked again, and a wrong memory of that costs time and nothing else."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.file_games import FOLDER
from waylog.rules.file_game import check
from waylog.store.games import game_files
from waylog.store.games.game_files import GAME_FILE, GameUnusable, find

_NAME = "night-heist"


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A game file beside a campaign."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    path = tmp_path / GAME_FILE
    path.write_bytes((FOLDER / _NAME / GAME_FILE).read_bytes())
    return path


@pytest.fixture
def checked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The ids of the games that have been checked."""
    found: list[str] = []
    check_game = check.check_game

    def note(tree: dict[str, str]) -> object:
        found.append(tree["id"])
        return check_game(tree)

    monkeypatch.setattr(check, "check_game", note)
    return found


def _start(file: Path) -> None:
    """Find the game as a new process does."""
    game_files._read.cache_clear()
    assert find(_NAME, file.parent).system.id == _NAME


def _copy(file: Path) -> Path:
    return file.parent / "cache/waylog/games" / f"{_NAME}.toml"


def test_a_sound_game_is_checked_once(file: Path, checked: list[str]) -> None:
    """The second start takes it as it is."""
    _start(file)
    _start(file)
    assert checked == [_NAME]


def test_another_text_is_checked(file: Path, checked: list[str]) -> None:
    """Even if nothing but a letter differs, and the file is as long and as old as before."""
    _start(file)
    before, text = file.stat(), file.read_text()
    file.write_text(text.replace('"mark stress"', '"mark strexs"', 1))
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    with pytest.raises(GameUnusable, match="strexs"):
        _start(file)
    file.write_text(text)
    _start(file)
    assert checked == [_NAME] * 2


@pytest.mark.parametrize("damage", ["missing", "cut", "of another Waylog", "a folder"])
def test_a_memory_that_is_of_no_use_costs_a_check(file: Path, checked: list[str], damage: str) -> None:
    """The game can be played all the same."""
    _start(file)
    copy = _copy(file)
    data = copy.read_bytes()
    copy.unlink()
    if damage == "cut":
        copy.write_bytes(data[:-1])
    elif damage == "of another Waylog":
        copy.write_bytes(data.replace(b"Waylog ", b"Waylog 9", 1))
    elif damage == "a folder":
        copy.mkdir()
    _start(file)
    assert checked == [_NAME] * 2


def test_a_game_with_mistakes_is_never_remembered(file: Path, checked: list[str]) -> None:
    """Each start checks it, and says what is wrong."""
    file.write_text(file.read_text().replace('"mark stress"', '"mark strexs"', 1))
    for _ in range(2):
        game_files._read.cache_clear()
        with pytest.raises(GameUnusable):
            find(_NAME, file.parent)
    assert checked == [_NAME] * 2
    assert not _copy(file).exists()


def test_a_text_that_is_read_alone_is_always_checked_and_leaves_nothing(file: Path, checked: list[str]) -> None:
    """Only a game that is played is remembered."""
    for _ in range(2):
        game_files._read.cache_clear()
        game_files.read_game(file.read_bytes(), GAME_FILE)
    assert checked == [_NAME] * 2
    assert not _copy(file).exists()


def test_without_a_cache_folder_each_start_checks(
    file: Path, checked: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where nothing can be written, nothing fails."""
    (file.parent / "no-folder").write_text("")
    monkeypatch.setenv("XDG_CACHE_HOME", str(file.parent / "no-folder"))
    _start(file)
    _start(file)
    assert checked == [_NAME] * 2


@pytest.mark.parametrize("name", ["", "../night-heist", "a/b", ".hidden", "é"])
def test_an_id_that_is_no_name_of_a_file_is_never_remembered(name: str, file: Path) -> None:
    """Nothing is written outside the cache folder."""
    game_files.remember(name, b"")
    assert not game_files.is_known(name, b"")
    assert not (file.parent / "cache").exists()
