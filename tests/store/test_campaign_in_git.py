"""A campaign's folder in git: committed at a session's end without hooks or questions, and the logs of two clones joined."""

import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.kit.app import seen
from tests.kit.cli import CommandLine
from tests.kit.table import play, play_and_settle, table_at, written
from waylog.app.wayfinder_app import WayfinderApp
from waylog.rules.model.moves import ActRefused
from waylog.settings import read_settings
from waylog.store.campaign_in_git import OTHER, commit_folder, join_logs
from waylog.store.files_and_lock import SEAL
from waylog.store.log.verification import problems
from waylog.toml.document import UnreadableFile

pytestmark = [
    pytest.mark.usefixtures("only_small_game"),
    pytest.mark.skipif(not shutil.which("git"), reason="needs git"),
]


def git(folder: Path, *words: str, fails: bool = False) -> str:
    """Run git as a person."""
    done = subprocess.run(("git", *words), cwd=folder, capture_output=True, text=True, check=False)
    assert fails or not done.returncode, done.stderr
    return done.stdout


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A campaign in a repository of its own, of somebody with a name."""
    for name in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{name}_NAME", "Mo")
        monkeypatch.setenv(f"GIT_{name}_EMAIL", "mo@localhost")
    found = written(tmp_path / "swallow")
    git(found, "init", "--quiet", "--initial-branch=main")
    return found


def test_a_folder_is_committed_without_what_is_only_of_this_machine(folder: Path) -> None:
    """Once; then there is nothing to commit. Without a repository, or a name, the reason is said in one line."""
    play_and_settle(table_at(folder), "session begin", "note Wind")
    (folder / SEAL).write_text("a seed that nobody may read before the session ends")
    assert commit_folder(folder, "Session 1: Wind") == "Committed: Session 1: Wind"
    assert git(folder, "ls-files").split() == ["campaign.toml", "log/0001.toml"]
    assert git(folder, "log", "--format=%s").strip() == "Session 1: Wind"
    assert commit_folder(folder, "again") == "Nothing to commit: git already has everything"
    outside = written(folder.parent / "plain")
    assert commit_folder(outside, "x").startswith("Not committed: the folder is not a git repository")


def test_nothing_of_git_can_hang_or_run(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither hooks nor an editor nor a signature; a lock of another git is a reason, and so is git that isn't there."""
    for hook in ("pre-commit", "commit-msg", "post-commit"):
        path = folder / ".git" / "hooks" / hook
        path.write_text(f"#!/bin/sh\ntouch {folder.parent}/ran\nsleep 100\n")
        path.chmod(0o755)
    git(folder, "config", "commit.gpgSign", "true")
    git(folder, "config", "core.editor", "sleep 100")
    play_and_settle(table_at(folder), "note Wind")
    assert commit_folder(folder, "Wind") == "Committed: Wind"
    assert not (folder.parent / "ran").exists()
    play_and_settle(table_at(folder), "note Rain")
    (folder / ".git" / "index.lock").touch()
    assert commit_folder(folder, "Rain").startswith("Not committed: git says “fatal: Unable to create")
    monkeypatch.setenv("PATH", os.devnull)
    assert commit_folder(folder, "Rain") == "Not committed: git is not installed on this machine"


def test_the_end_of_a_session_commits_if_a_person_wants_it(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is off without the setting, and never fails the session."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    waylog = CommandLine(tmp_path)
    waylog.done("do", "swallow", "session", "begin")
    assert "ommitted" not in waylog.done("do", "swallow", "session", "end").out
    (tmp_path / "config" / "waylog").mkdir(parents=True)
    (tmp_path / "config" / "waylog" / "config.toml").write_text('git = "session"\n')
    waylog.done("do", "swallow", "session", "begin", "Wind")
    assert "Committed: Session 2: Wind" in waylog.done("do", "swallow", "session", "end").out
    assert "campaign.toml" in git(folder, "show", "--stat")


def test_two_clones_come_to_the_same_log(folder: Path) -> None:
    """Whoever merges. Every entry is there, the values are those of the later one, and what isn't joined is named."""
    play_and_settle(table_at(folder), "note Begin")
    commit_folder(folder, "begin")
    other = folder.parent / "other"
    git(folder.parent, "clone", "--quiet", "swallow", "other")
    first = table_at(folder)
    play(first, "note Ours", "set boat.hull 1", "note Ours too")
    first.settle()
    second = table_at(other)
    for _ in range(20):
        second.now()  # They play later.
    play(second, "note Theirs", "set boat.hull 2")
    second.settle()
    logs = []
    for copy in (folder, other):
        commit_folder(copy, "played")
        git(copy, "branch", "played")
    for copy, source in ((folder, other), (other, folder)):
        git(copy, "fetch", "--quiet", str(source), "played:theirs")
        git(copy, "merge", "--quiet", "--no-edit", "theirs", fails=True)
        assert any("waylog conflicts CAMPAIGN join" in str(each) for each in problems(copy / "log", "log"))
        assert "entries that were only in the other log now follow as entries 5 to 6" in join_logs(copy)
        assert not [*problems(copy / "log", "log")]
        table = table_at(copy)
        table.refresh()
        logs.append([entry.words for entry in table.entries()])
        assert (copy / OTHER).exists()
        assert table.snapshot.panels[0].rows[0].value == 2  # type: ignore[union-attr]
        with pytest.raises(ActRefused, match="nothing to join"):
            join_logs(copy)
        git(copy, "add", "--all")
        git(copy, "commit", "--quiet", "-m", "joined")
    assert logs[0] == logs[1]
    assert [*reversed(logs[0])][:6] == [
        'note "Begin"',
        'note "Ours"',
        'set "boat.hull 1"',
        'note "Ours too"',
        'note "Theirs"',
        'set "boat.hull 2"',
    ]


@pytest.mark.parametrize("ours_goes_on", [True, False])
def test_a_log_that_goes_on_where_the_other_ends_is_taken_whole(folder: Path, *, ours_goes_on: bool) -> None:
    """Both clones have committed the same entries, as after copying the files; git leaves its markers where one of them has more."""
    play_and_settle(table_at(folder), "note Begin")
    commit_folder(folder, "begin")
    other = folder.parent / "other"
    git(folder.parent, "clone", "--quiet", "swallow", "other")
    play_and_settle(table_at(folder), "set boat.hull 1")
    shutil.copytree(folder, other, dirs_exist_ok=True, ignore=shutil.ignore_patterns(".git"))
    longer = folder if ours_goes_on else other
    play_and_settle(table_at(longer), "note More", "set boat.hull 2")
    for copy in (folder, other):
        commit_folder(copy, "played")
    git(folder, "fetch", "--quiet", str(other), "main:theirs")
    wanted = (longer / "log" / "0001.toml").read_bytes()
    git(folder, "merge", "--quiet", "--no-edit", "theirs", fails=True)
    assert [*problems(folder / "log", "log")]
    assert f"{'yours' if ours_goes_on else 'theirs'} has every entry of the other" in join_logs(folder)
    assert not [*problems(folder / "log", "log")]
    assert (folder / "log" / "0001.toml").read_bytes() == wanted
    assert table_at(folder).entry(4).words == 'set "boat.hull 2"'
    with pytest.raises(ActRefused, match="single history"):
        join_logs(folder)


def test_a_join_that_is_interrupted_is_finished_by_the_next(folder: Path) -> None:
    """Killed before any of its changes of files, it leaves what nobody can play on: git's own conflict, or a file that says what to do."""
    play_and_settle(table_at(folder), "note Begin")
    commit_folder(folder, "begin")
    other = folder.parent / "other"
    git(folder.parent, "clone", "--quiet", "swallow", "other")
    for copy in (folder, other):
        play_and_settle(table_at(copy), f"note {copy.name}")
        commit_folder(copy, "played")
    git(folder, "fetch", "--quiet", str(other), "main:theirs")
    git(folder, "merge", "--quiet", "--no-edit", "theirs", fails=True)
    for name in (
        "campaign.toml",
        "log/0001.toml",
    ):  # Somebody has taken one side of each, and so git's markers are gone.
        git(folder, "checkout", "--theirs", name)
    joined = Path(shutil.copytree(folder, folder.parent / "joined"))
    join_logs(joined)
    wanted, kills = _contents(joined), 0
    while _killed_while_joining(trial := Path(shutil.copytree(folder, folder.parent / f"kill-{kills}")), kills):
        if _contents(trial) not in (_contents(folder), wanted):
            with pytest.raises(UnreadableFile):
                table_at(trial)
        if _contents(trial) != wanted:
            join_logs(trial)
        assert _contents(trial) == wanted
        kills += 1
    assert kills > 8


def _contents(folder: Path) -> dict[str, bytes]:
    """The files that count."""
    return {path.name: path.read_bytes() for path in (*folder.glob("*.toml"), *folder.glob("log/*.toml"))}


def _killed_while_joining(folder: Path, number: int) -> bool:
    """Join, and kill that before a change of a file. Return False if it makes no more than so many changes."""
    child = os.fork()
    if not child:
        left = [number]

        def kill(event: str, arguments: tuple[object, ...]) -> None:
            writes = event == "open" and isinstance(arguments[1], str) and "w" in arguments[1]
            if (writes or event in ("os.rename", "os.remove")) and f"{arguments[0]}".startswith(f"{folder}/"):
                left[0] -= 1
                if left[0] < 0:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.addaudithook(kill)
        try:
            join_logs(folder)
        finally:
            os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def test_dice_with_a_new_number_are_not_taken_for_sealed(folder: Path, tmp_path: Path) -> None:
    """A sealed die depends on the number of its entry: those of the side that follows can't be computed again, and none is called false."""
    waylog = CommandLine(tmp_path)
    waylog.done("do", "swallow", "session", "begin")
    commit_folder(folder, "begin")
    git(tmp_path, "clone", "--quiet", "swallow", "other")
    shutil.copy(folder / SEAL, tmp_path / "other")
    for copy, note in (("swallow", "Ours"), ("other", "Theirs")):
        waylog.done("do", copy, "note", note)
        waylog.done("do", copy, "dice", "2d6")
        commit_folder(tmp_path / copy, "played")
    git(tmp_path / "other", "branch", "played")
    git(folder, "fetch", "--quiet", str(tmp_path / "other"), "played:theirs")
    git(folder, "merge", "--quiet", "--no-edit", "theirs", fails=True)
    join_logs(folder)
    waylog("do", "swallow", "session", "end")
    verified = waylog.json("luck", "swallow", "--verify")
    assert (verified["stray"], [seal["wrong"] for seal in verified["seals"]]) == ([], [[]])


async def test_the_app_commits_and_says_so(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The recap is offered at once, and once more with what git did."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    settings = tmp_path / "config" / "waylog" / "config.toml"
    settings.parent.mkdir(parents=True)
    settings.write_text('git = "session"\n')
    table = table_at(folder)
    play_and_settle(table, "session begin Wind")
    app = WayfinderApp(table, chosen=read_settings(settings))
    async with app.run_test() as pilot:
        await pilot.press("s", "enter")
        for _ in range(200):
            if "Committed" in seen(pilot):
                break
            await pilot.pause(0.05)
        assert "Committed: Session 1: Wind. Enter writes its recap" in seen(pilot)
    assert git(folder, "log", "--format=%s").strip() == "Session 1: Wind"
