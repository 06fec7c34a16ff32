"""`waylog watch --lines` and `--json`: each act that players see, as a sentence or as a value, and nothing else."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.kit.table import play_and_settle, ticking
from tests.store.test_projection_hides import Marks, campaign, found, written
from waylog.line_mode.loop import GOES_ON, PAUSED, LineLoop
from waylog.line_mode.players import TAKEN_BACK, PlayersSpeaker, compare_logs
from waylog.rules.codec.changes import Change
from waylog.rules.model.dice import ChanceDice, Face
from waylog.rules.model.facts import NoteFact, RollFact
from waylog.rules.what_players_know import Visibility
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.store.players.pause_and_presence import ask_for_pause, end_pause
from waylog.store.players.players_file import LINES, VisibleAct
from waylog.table import Table
from waylog.values import replace
from waylog.words.sentences import act_sentences, change_sentence, fact_sentences


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """A campaign with a mark in everything that is hidden."""
    place = written(tmp_path / "trial", campaign("veil-core", Marks()))
    return Table(place, now=ticking(), chance=ChanceDice(lambda _: 0))


def test_each_visible_act_is_a_sentence_once(table: Table) -> None:
    """In their order, nothing of what is secret, and nothing when nothing is new."""
    play_and_settle(table, "note before")
    loop = LineLoop(PlayersSpeaker(table.folder))
    assert loop.begin()[-1].endswith(": Before.")
    play_and_settle(table, "note hello", "secret zq9000q", 'scene "The second"')
    lines = loop.look()
    assert [line.partition(": ")[2] for line in lines] == ["Hello.", "Scene: The second."]
    assert loop.look() == []
    assert not found(
        " ".join(
            (
                *lines,
                *loop.take("ship"),
                *loop.take("crew"),
                *loop.take("clocks"),
                *loop.take("cards"),
                *loop.take("log 60"),
            )
        )
    )


def test_dice_of_other_sizes_can_be_told_apart_by_ear() -> None:
    """They say their size; dice with six sides need none."""
    large = RollFact("Ilka", (Face("Ilka", 1, 8), Face("Ilka", 6, 8)), typed=False)
    small = replace(large, dice=(Face("Ilka", 1), Face("Ilka", 4)))
    assert [*fact_sentences((large, small))] == ["Ilka: 1 6 on d8.", "Ilka: 1 4."]


def test_line_mode_says_the_size_of_dice_to_the_wayfinder_too() -> None:
    """A die that isn't six-sided is `17 on d20`, as players hear it."""
    free = RollFact("dice", (Face("d20", 17, 20), Face("d20", 4, 20, dropped=True)), typed=False)
    entry = LogEntry(1, datetime(2026, 10, 30, tzinfo=UTC), "dice 2d20 high", (free,), title="2d20, highest")
    assert [*act_sentences((entry,), Visibility({}, {}, {}, {}), {})] == ["Dice: 17 on d20, 4 dropped."]


def test_a_dash_within_a_text_is_not_read_as_nothing() -> None:
    """Only a value that is missing is called nothing."""
    change = Change(("clocks", "fog", "outcome"), None, "Decks 2–4 flood")
    assert change_sentence(change, {}) == "Clocks fog outcome nothing to Decks 2–4 flood."


def test_what_is_taken_back_is_not_repeated(table: Table) -> None:
    """Players hear that something went, not what."""
    play_and_settle(table, "note one", "note two")
    loop = LineLoop(PlayersSpeaker(table.folder))
    loop.begin()
    table.undo()
    table.settle()
    assert loop.look() == [TAKEN_BACK]


def test_a_pause_is_said_and_its_end(table: Table) -> None:
    """Once each."""
    play_and_settle(table, "note one")
    loop = LineLoop(PlayersSpeaker(table.folder))
    loop.begin()
    ask_for_pause(table.folder)
    assert (loop.look(), loop.look()) == ([PAUSED], [])
    end_pause(table.folder)
    assert (loop.look(), loop.look()) == ([GOES_ON], [])


def acts(*numbers: int) -> Sequence[VisibleAct]:
    """Acts that differ by a number."""
    return [VisibleAct("20:00", (NoteFact(f"{number}"),)) for number in numbers]


@pytest.mark.parametrize(
    ("before", "after", "new", "taken_back"),
    [
        (acts(), acts(1, 2), acts(1, 2), False),
        (acts(1), acts(1, 2), acts(2), False),
        (acts(1, 2), acts(1), [], True),
        (acts(1, 2), acts(1, 3), acts(3), True),
        (acts(1, 1), acts(1, 1, 1), acts(1), False),
        (acts(*range(LINES)), acts(*range(2, LINES + 2)), acts(LINES, LINES + 1), False),
        (acts(*range(1, LINES + 1)), acts(*range(LINES)), [], True),
    ],
)
def test_two_logs_are_compared(
    before: Sequence[VisibleAct], after: Sequence[VisibleAct], new: Sequence[VisibleAct], taken_back: bool
) -> None:
    """A log that is full loses its first acts to new ones; one that has lost its last has room for an older one."""
    assert compare_logs(before, after) == (tuple(new), taken_back)


@contextmanager
def started(table: Table, home: Path, option: str) -> Iterator[subprocess.Popen[bytes]]:
    """The command on pipes, with an input that has ended. It goes on until it is ended, also when the test fails."""
    environment = {**os.environ, "HOME": str(home), "WAYLOG_CAMPAIGNS": str(table.folder.parent)}
    environment["PYTHONPATH"] = os.pathsep.join(path for path in sys.path if path)
    with subprocess.Popen(
        [sys.executable, "-m", "waylog", "watch", "trial", option],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
    ) as run:
        try:
            yield run
        finally:
            run.kill()


def test_lines_go_on_when_the_input_has_ended(table: Table, home: Path) -> None:
    """`waylog watch trial --lines </dev/null | say` speaks all evening, and ends with its reader."""
    play_and_settle(table, "note before")
    with started(table, home, "--lines") as run:
        assert run.stdout
        assert run.stderr
        assert [run.stdout.readline() for _ in range(3)][-1].endswith(b"Before.\n")
        play_and_settle(table, "note after")
        assert any(line.endswith(b": After.\n") for line in iter(run.stdout.readline, b""))
        run.stdout.close()
        play_and_settle(table, "note nobody hears this")
        assert run.stderr.read() == b""
        assert run.wait(60) == 0


def test_json_is_an_object_a_line(table: Table, home: Path) -> None:
    """First how things stand, then what is new with every change."""
    play_and_settle(table, "note before")
    with started(table, home, "--json") as run:
        assert run.stdout
        first = json.loads(run.stdout.readline())
        assert first["new"][-1]["facts"][0]["text"] == "before"
        assert {"name", "session", "panels", "clocks", "decks"} <= first.keys()
        assert [timer["name"] for timer in first["timers"]] == ["Boarding"]
        play_and_settle(table, "note after", "secret zq9000q")
        line = run.stdout.readline()
        second = json.loads(line)
        assert [act["facts"][0]["text"] for act in second["new"]] == ["after"]
        assert second["undone"] is False
        assert not found(line.decode())
        run.stdout.close()
        assert run.wait(60) == 0, "it ends when its reader goes, without waiting for another act"


def test_json_begins_with_how_things_stand_although_nobody_plays(table: Table, home: Path) -> None:
    """At once, in what players would see; where the campaign can't be read, that there is nothing yet."""
    play_and_settle(table, "note before", "secret zq9000q")
    (table.folder / "players.toml").unlink(missing_ok=True)
    with started(table, home, "--json") as run:
        assert run.stdout
        line = run.stdout.readline()
        assert json.loads(line)["new"][-1]["facts"][0]["text"] == "before"
        assert not found(line.decode())
    (table.folder / "campaign.toml").write_text("name =")
    with started(table, home, "--json") as run:
        assert run.stdout
        assert json.loads(run.stdout.readline()) == {
            "ok": False,
            "error": "Nothing to see yet. Waiting for the wayfinder to start",
            "clause": None,
        }
