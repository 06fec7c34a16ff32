"""`waylog log` with filters: which entries it shows, and what it says of a wrong word."""

import shutil
from pathlib import Path

import pytest

from tests.kit import EXAMPLES
from tests.kit.cli import CommandLine


@pytest.fixture
def waylog(tmp_path: Path) -> CommandLine:
    """The command line, with the example that has a played session."""
    shutil.copytree(EXAMPLES / "tenacity", tmp_path / "tenacity")
    return CommandLine(tmp_path)


def numbers(waylog: CommandLine, *options: str) -> list[int]:
    """The entries that are shown."""
    return [entry["entry"] for entry in waylog.json("log", "tenacity", *options)["entries"]]


@pytest.mark.parametrize(
    ("options", "shown"),
    [
        (["--grep", "knocks"], [42]),
        (["--grep", "KNÖCK eleven", "-n", "0"], [42]),
        (["--who", "odile", "--kind", "roll"], [5, 6]),
        (["--outcome", "critical", "-n", "1"], [44, 45]),
        (["--kind", "scene", "-n", "1"], [39]),
        (["--who", "Wick", "--scene", "keeper"], [43]),
        (["--session", "7", "--kind", "session", "-n", "1"], [48]),
        (["--grep", "xyzzy"], []),
    ],
)
def test_filters_are_combined(waylog: CommandLine, options: list[str], shown: list[int]) -> None:
    """An action is shown with its follow-ups; -n counts actions."""
    assert numbers(waylog, *options) == shown


def test_nothing_that_matches_is_said(waylog: CommandLine) -> None:
    """An empty answer is not an error."""
    assert waylog.done("log", "tenacity", "--grep", "xyzzy").out == "Nothing in the log matches\n"


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--who", "brom"], "nobody is called “brom”; did you mean Bram?"),
        (["--who", "t"], "“t” may be Tenacity or Tove: type more of the name"),
        (["--who", "zzzz"], "nobody is called “zzzz”; the names are Tenacity, Odile, Bram, Tove, Wick"),
        (["--kind", "rol"], "there is no kind “rol”; did you mean roll?"),
        (["--outcome", "fiasko"], "there is no outcome “fiasko”; did you mean fiasco?"),
        (["--scene", "keepr"], "there is no scene “keepr”; did you mean What the keeper left?"),
        (["--session", "70"], "there is no session “70”; the latest are 7, 6"),
        (["--session", "x"], "there is no session “x”; the latest are 7, 6"),
        (["--who"], "--who needs a value: --who NAME"),
        (["--scene"], "--scene needs a value: --scene TEXT"),
    ],
)
def test_a_wrong_word_is_named(waylog: CommandLine, options: list[str], said: str) -> None:
    """With the nearest right one, or with all that there are."""
    ran = waylog("log", "tenacity", *options)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err
