"""`waylog do --dry-run`: what an act would come to, while nothing is played or written."""

import shutil
from pathlib import Path

import pytest

from tests.kit import EXAMPLES
from tests.kit.cli import CommandLine


@pytest.fixture
def waylog(tmp_path: Path) -> CommandLine:
    """The command line, with an example that was edited by hand after the last act."""
    shutil.copytree(EXAMPLES / "tenacity", tmp_path / "tenacity")
    waylog = CommandLine(tmp_path)
    waylog.done("do", "tenacity", "note x")
    file = waylog.file("tenacity")
    file.write_text(file.read_text().replace("vitality = 1", "vitality = 2", 1))
    return waylog


def state_of(folder: Path) -> dict[Path, tuple[int, bytes]]:
    """Everything in a folder: the time of its last change and its bytes."""
    return {path: (path.stat().st_mtime_ns, path.read_bytes() if path.is_file() else b"") for path in folder.rglob("*")}


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["roll", "nav", "keelwing"], 0, "Success                 34.7 %  25/72"),
        (
            ["roll", "nav", "keelwing", "--dice", "3,5,5"],
            0,
            "? NAV 3 5 5: Success with drawback. Spend Focus (1 left)?",
        ),
        (["roll", "nav", "keelwing", "--dice", "3"], 0, "? "),
        (["damage", "ship"], 0, "The result depends on the dice: d"),
        (["damage", "ship", "--dice", "1"], 0, "Tenacity: Focus +1, now 2"),
        (["draw", "keeper"], 0, "%"),
        (["note", "The tug answers"], 0, 'note "The tug answers"'),
        (["tick", "lantern"], 3, "is already full"),
        (["focus", "9"], 3, "you can't use “focus” now: nothing asks for it or offers it"),
        (["fokus", "9"], 2, "No such command: “fokus”"),
        (["roll", "cpu", "nobody"], 2, "nobody"),
        (["undo"], 2, "`waylog undo --dry-run` shows what an undo would do"),
        (["redo"], 2, "--dry-run works only with actions, and “redo” isn't an action"),
        (["pause"], 2, "--dry-run works only with actions, and “pause” isn't an action"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_nothing_is_played_or_written(waylog: CommandLine, words: list[str], code: int, said: str) -> None:
    """No byte and no time of the folder differs, whether the act is possible or refused."""
    folder = waylog.campaigns
    before = state_of(folder)
    ran = waylog("do", "tenacity", *words, "--dry-run")
    assert (ran.code, said in ran.out + ran.err) == (code, True), ran
    again = waylog("do", "tenacity", *words, "--dry-run", "--json")
    assert (again.code, again.data["ok"]) == (code, code == 0)
    assert state_of(folder) == before


def test_what_it_says_is_what_happens(waylog: CommandLine) -> None:
    """With dice that are given, the act has the same facts and changes, and then asks the same."""
    words = ["do", "tenacity", "roll", "nav", "keelwing", "--dice", "3,5,5"]
    dry, done = waylog.json(*words, "--dry-run"), waylog.json(*words)
    assert [dry[key] for key in ("facts", "changes")] == [done[key] for key in ("facts", "changes")]
    assert dry["pending"]["question"] == done["pending"]["question"]
    assert (dry["dry_run"], dry["dice"], dry["odds"]) == (True, [], None)


def test_dice_that_decide_are_listed(waylog: CommandLine) -> None:
    """For a program, with the odds if there are exact ones."""
    dry = waylog.json("do", "tenacity", "roll", "nav", "keelwing", "--dry-run")
    assert [die["label"] for die in dry["dice"]] == ["NAV", "NAV", "KEELWING"]
    assert (dry["facts"], len(dry["odds"]["outcomes"])) == (None, 4)


def test_an_example_is_not_copied_for_it(tmp_path: Path) -> None:
    """It is tried as it comes with Waylog."""
    waylog = CommandLine(tmp_path / "campaigns")
    waylog.done("do", "tenacity", "roll", "nav", "--dry-run")
    assert not (tmp_path / "campaigns").exists()
