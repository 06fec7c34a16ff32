"""How a session was shared: scenes with their lengths and who acted, for the wayfinder alone, and from the third scene on."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from tests.kit.table import play, ticking
from waylog.rules.model.dice import EqualDice
from waylog.rules.model.panels import Panel
from waylog.store.folders_and_recent import locations
from waylog.store.shown.recap import Pace, pace_of
from waylog.store.shown.recap_in_markdown import recap_text
from waylog.table import Table
from waylog.values import replace


@pytest.fixture
def table(tmp_path: Path) -> Table:
    """Tenacity, with a clock that goes on by a minute with every act."""
    places = locations(f"{tmp_path}", {"HOME": "/"})
    return Table(places.find("tenacity", to_play=True), now=ticking(), chance=EqualDice(4))


EVENING = (
    "session begin",
    "scene One",
    "roll bram",
    "note x",
    "scene Two",
    "roll wick",
    "roll bram",
    "scene Three",
    "roll nav",
)


def pace(table: Table) -> Pace:
    """The pace, which there is."""
    found = table.pace()
    assert found
    return found


def test_who_acted_stands_in_the_order_of_the_crew_in_words(table: Table) -> None:
    """Nobody is first because of a number, and who has not acted is there too."""
    play(table, *EVENING)
    assert pace(table).who_acted == "Odile not yet, Bram twice, Tove not yet, Wick once"


def test_scenes_last_until_the_next_begins(table: Table) -> None:
    """The last one until the latest act, in minutes."""
    play(table, *EVENING)
    assert [(scene.title, scene.minutes) for scene in pace(table).scenes] == [("One", 3), ("Two", 3), ("Three", 1)]


def test_what_was_undone_does_not_count(table: Table) -> None:
    """An act that was taken back was nobody's."""
    play(table, *EVENING, "roll wick")
    table.undo()
    assert pace(table).acted["Wick"] == 1


def test_nothing_is_told_below_three_scenes(table: Table) -> None:
    """Too few scenes tell nothing about an evening; the session before is not looked at."""
    play(table, *EVENING[:7])
    assert table.pace() is None
    assert "## Pace" not in recap_text(table.recap(secrets=True))


def test_an_evening_without_a_scene_has_no_pace(table: Table) -> None:
    """A session that begins and ends is told all the same."""
    play(table, "session begin", "session end")
    assert table.pace() is None


def test_only_the_wayfinder_reads_it(table: Table) -> None:
    """Who acted how much is in the wayfinder's recap, and not in that of the players."""
    play(table, *EVENING)
    assert "- Two: 3 minutes, from 20:04\n" in recap_text(table.recap(secrets=True))
    assert table.recap().pace is None
    assert "Pace" not in recap_text(table.recap())


def test_a_clock_that_runs_backwards_makes_no_negative_minutes(table: Table) -> None:
    """Summer time ends, or somebody sets the clock."""
    play(table, *EVENING)
    entries = [table.entry(number) for number in range(49, table.snapshot.entries + 1)]
    start = datetime(2026, 1, 5, tzinfo=UTC)
    backwards = [replace(entry, at=start - timedelta(minutes=number)) for number, entry in enumerate(entries)]
    found = pace_of(backwards, [Panel("crew.bram", "crew", "Bram", ())])
    assert found
    assert [scene.minutes for scene in found.scenes] == [0, 0, 0]
    assert found.acted == {"Bram": 2}
