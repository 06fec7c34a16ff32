"""`waylog log` with filters: which entries it shows, and what it says of a wrong word."""

import shutil
from datetime import UTC, datetime
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
        (["--since", "2026-10-30 21:26", "--until", "2026-10-30 21:28"], [44, 45, 46]),
        (["--until", "2026-10-30 19:43"], [1, 2]),
        (["--since", "2026-10-30", "--kind", "scene", "-n", "1"], [39]),
    ],
)
def test_filters_are_combined(waylog: CommandLine, options: list[str], shown: list[int]) -> None:
    """An action is shown with its follow-ups; -n counts actions."""
    assert numbers(waylog, *options) == shown


def test_an_outcome_is_found_by_its_label_and_by_its_word(tmp_path: Path) -> None:
    """The label stands on the screen, the word in the game's file."""
    shutil.copytree(EXAMPLES / "station-ten", tmp_path / "station-ten")
    waylog = CommandLine(tmp_path)
    by_label, by_word = (
        waylog.json("log", "station-ten", "--outcome", outcome, "-n", "0")["entries"]
        for outcome in ("a disaster", "fumble")
    )
    assert by_label
    assert by_word == by_label


@pytest.mark.parametrize("options", [["--grep", "xyzzy"], ["--since", "2026-10-31"], ["--until", "2026-10-29"]])
def test_a_search_that_finds_nothing_ends_as_grep_does(waylog: CommandLine, options: list[str]) -> None:
    """With 1, a sentence for the person, and nothing for the next program in the pipe."""
    ran = waylog("log", "tenacity", *options)
    assert (ran.code, ran.out, ran.err) == (1, "", "Nothing in the log matches\n")
    assert waylog("log", "tenacity", *options, "--json").data == {"ok": True, "entries": []}


def test_days_may_be_told_as_people_do(waylog: CommandLine) -> None:
    """`yesterday` is the day before the clock's, from its first minute to its last."""
    later = CommandLine(waylog.campaigns, now=lambda: datetime(2026, 10, 31, 0, 5, tzinfo=UTC))
    assert numbers(later, "--since", "yesterday", "-n", "0") == numbers(later, "--until", "today", "-n", "0")
    assert numbers(later, "--since", "Yesterday", "--until", "yesterday", "-n", "0")[:2] == [1, 2]
    assert later("log", "tenacity", "--since", "today").code == 1


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--who", "brom"], "nobody is called “brom”. Did you mean “Bram”?"),
        (["--who", "t"], "“t” could be Tenacity or Tove: type more of the name"),
        (["--who", "zzzz"], "nobody is called “zzzz”. The names are Tenacity, Odile, Bram, Tove, Wick"),
        (["--kind", "rol"], "there is no kind “rol”. Did you mean “roll”?"),
        (["--outcome", "fiasko"], "there is no outcome “fiasko”. Did you mean “fiasco”?"),
        (["--scene", "keepr"], "there is no scene “keepr”. Did you mean “What the keeper left”?"),
        (["--session", "70"], "there is no session “70”. The latest are 7, 6"),
        (["--session", "x"], "there is no session “x”. The latest are 7, 6"),
        (
            ["--since", "30.10.2026"],
            "“30.10.2026” is not a date: type one such as 2026-10-30, “2026-10-30 21:15”, today or yesterday",
        ),
        (["--until", "2026-13-01"], "“2026-13-01” is not a date"),
        (["--who"], "--who needs a value: --who NAME"),
        (["--scene"], "--scene needs a value: --scene TEXT"),
    ],
)
def test_a_wrong_word_is_named(waylog: CommandLine, options: list[str], said: str) -> None:
    """With the nearest right one, or with all that there are."""
    ran = waylog("log", "tenacity", *options)
    assert (ran.code, ran.out) == (2, "")
    assert said in ran.err


def test_a_deck_of_the_kit_is_a_few_short_lines(tmp_path: Path) -> None:
    """What was added is named. `--json` has every word of it."""
    own = CommandLine(tmp_path)
    own.done("new", "Tug", "--system", "breakers-yard")
    own.done("kit", "Tug", "wreck")
    said = own.done("log", "Tug").out
    assert "Added to the decks: Searching the wreck, with 11 cards" in said
    assert max(map(len, said.splitlines())) < 450
    assert len(own.json("log", "Tug")["entries"][-1]["words"]) > 1_000


def test_only_the_latest_text_of_a_note_holds(waylog: CommandLine) -> None:
    """The others are listed as undone, as in the recap they are not there."""
    number = waylog.json("do", "tenacity", "note", "first")["entry"]
    waylog.done("do", "tenacity", "reword", str(number), "second")
    waylog.done("do", "tenacity", "reword", str(number), "third")
    latest = waylog.json("log", "tenacity", "-n", "3")["entries"]
    assert [(entry["entry"] - number, entry["undone"]) for entry in latest] == [(0, True), (1, True), (2, False)]
