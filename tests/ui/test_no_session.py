"""While no session is in progress, the app says so, and how to start one."""

import re
from pathlib import Path

import pytest

from tests.kit.app import CAMPAIGN, playing, seen, typed
from tests.ui.test_palette import INK
from waylog.ui.parts.top_bar_banner_and_log_tail import TopBar

pytestmark = pytest.mark.usefixtures("every_frame")

BEFORE = CAMPAIGN + '\n[sessions.1]\nbegan = "2026-01-01 20:00"\nended = "2026-01-01 23:00"\n'


@pytest.mark.parametrize(("size", "says"), [((120, 36), "no session: s starts one"), ((80, 24), "no session")])
async def test_the_bar_says_that_there_is_none(tmp_path: Path, size: tuple[int, int], says: str) -> None:
    """Until one is started, and again once it has ended."""
    async with playing(tmp_path, size=size) as (pilot, _):
        assert says in seen(pilot).splitlines()[0]
        await pilot.press("s", "enter")
        assert "no session" not in seen(pilot).splitlines()[0]
        assert "Session 1" in seen(pilot).splitlines()[0]
        await pilot.press("s", "enter")
        assert says in seen(pilot).splitlines()[0]


async def test_the_first_roll_outside_a_session_says_what_that_means(tmp_path: Path) -> None:
    """Once, when nothing is asked any more, beside what the roll offers; not in a session."""
    clock = '\n[clocks.fog]\nname = "Fog"\nkind = "push"\nsegments = 4\n'
    async with playing(tmp_path, 6, 6, 6, 6, text=CAMPAIGN + clock) as (pilot, _):
        await pilot.press("n", "a", "enter")
        assert "includes this roll" not in seen(pilot)
        await pilot.press("r", "n", "enter")
        assert "No session is in progress. s starts one, and its recap includes this roll" in seen(pilot)
        assert "o  Fill 2 segments of “Fog”" in seen(pilot)
        await pilot.press("r", "n", "enter")
        assert "includes this roll" not in seen(pilot)
    async with playing(tmp_path / "in", 6, 6, text=CAMPAIGN) as (pilot, _):
        await pilot.press("s", "enter", "r", "n", "enter")
        assert "includes this roll" not in seen(pilot)


async def test_it_is_said_in_a_conflict_too(tmp_path: Path) -> None:
    """There, a question stays open from its first roll to its end."""
    text = 'format = 1\nname = "Egg"\nsystem = "emissaries"\nlog = "0001:0"\ncrew.mara = { name = "Mara", made = true, body = 4, mind = 3, soft = 3, hard = 3 }\n'
    async with playing(tmp_path, text=text, size=(120, 36)) as (pilot, _):
        await typed(pilot, ":conflict Egg")
        await pilot.press("enter")
        assert "includes this roll" not in seen(pilot)
        await typed(pilot, ":enter mara argue 1 2 2 3 4 4")
        await pilot.press("enter")
        assert "No session is in progress. s starts one, and its recap includes this roll" in seen(pilot)


async def test_no_key_is_named_that_means_something_else_now(tmp_path: Path) -> None:
    """While something is asked, `s` may be an answer."""
    async with playing(tmp_path, size=(120, 36)) as (pilot, table):
        await pilot.press(*":roll nav 5 2", "enter")
        assert table.snapshot.question
        assert "no session" in seen(pilot).splitlines()[0]
        assert "starts one" not in seen(pilot).splitlines()[0]


async def test_a_recap_of_nothing_says_that_no_session_is_in_progress(tmp_path: Path) -> None:
    """What was played after the last session belongs to none, so its recap would tell nothing."""
    async with playing(tmp_path, text=BEFORE) as (pilot, _):
        await pilot.press("n", "a", "enter", "ctrl+p")
        await typed(pilot, "recap")
        await pilot.press("enter")
        await pilot.pause()
        assert "No session is in progress, and nothing happened in session 1. s starts one" in " ".join(
            seen(pilot).split()
        )
        assert "recap-" not in seen(pilot)


@pytest.mark.clause("NM-43")
async def test_no_scene_goes_on_after_its_session(tmp_path: Path) -> None:
    """Rewinding undoes nothing of the session that has ended, and says what is missing."""
    async with playing(tmp_path) as (pilot, table):
        await pilot.press("s", "enter", "n", "a", "enter", "s", "enter", "escape", "n", "b", "enter")
        assert table.snapshot.entries == 4
        assert table.scene_so_far() == ()
        await pilot.press("R")
        assert "No session is in progress: s starts one" in " ".join(seen(pilot).split())
        await pilot.press("R")
        assert table.snapshot.entries == 4


def test_no_name_of_a_tab_is_cut_for_it() -> None:
    """Where a mark takes the room, the campaign's name and the words for the session give way before any name of a view."""
    bar = TopBar(("bridge", "ship", "crew", "log", "clocks", "tables"), "The Sunday ferry", "Veil Runners")
    bar.show(("bridge", "ship", "crew", "log", "clocks", "tables"), "ship", "The Sunday ferry", ("Desperate",), 0)
    lines = {width: bar.render_page(INK, width, 1).lines[0].text for width in (60, 80, 120)}
    assert " 0 Br 1 Sh  2 Cr 3 Lo 4 Cl 5 Ta" in lines[60]
    assert " 0 Bridge  1 Ship  2 Crew " in lines[80]
    assert "Sunday" not in lines[80]
    assert "no session" not in lines[80]
    assert " 0 Bridge  1 Ship  2 Crew " in lines[120]
    assert "no session" in lines[120]
    assert "Sunday" in lines[120]


@pytest.mark.parametrize("session", [0, 12])
def test_the_name_of_the_campaign_stays_while_a_timer_runs(session: int) -> None:
    """At 100 columns the words for the session give way to it."""
    tabs = ("bridge", "ship", "crew", "log", "clocks", "tables")
    bar = TopBar(tabs, "Tenacity", "Veil Runners")
    bar.show(tabs, "bridge", "Tenacity", (), session)
    bar.show_timers(("Boarding 4:32 left", "4:32"))
    (line,) = bar.render_page(INK, 100, 1).lines
    assert "Boarding 4:32 left" in line.text
    assert "Tenacity" in line.text
    assert ": menu" in line.text


@pytest.mark.parametrize(
    ("width", "name", "marks", "session", "says"),
    [
        (100, "Half Measures", ("Desperate",), 0, "! Desperate  no session +Half Measures  :$"),
        (100, "Half Measure", ("Desperate",), 0, "! Desperate  no session  Half Measure : menu$"),
        (101, "Half Measure", ("Desperate",), 0, "! Desperate  no session  Half Measure  : menu$"),
        (100, "Lot Nine", ("AS OF ENTRY 37",), 1, "! AS OF ENTRY 37  Session 1  Lot Nine : menu$"),
        (99, "Lot Nine", ("AS OF ENTRY 37",), 1, "! AS OF ENTRY 37  Session 1 +Lot Nine  :$"),
        (40, "Tenacity", ("AS OF ENTRY 37",), 0, "! ENTRY 37  "),
        (80, "Learning", (), 1, "Session 1 +Learning  :$"),
        (80, "Return to Sender", (), 0, "no session +: menu$"),
        (60, "Tenacity", ("Desperate",), 0, "! Desperate +: menu$"),
        (80, "Tenacity", ("Wrecked", "mission ended"), 0, "5 Tables   ! 2  no session +: menu$"),
        (60, "Tenacity", ("Wrecked", "mission ended"), 7, "5 Ta  ! 2  Session 7 +: menu$"),
        (40, "Tenacity", ("Wrecked", "mission ended"), 0, "5 Ta  ! 2  :$"),
        (
            120,
            "Tenacity",
            ("Wrecked", "mission ended"),
            0,
            "! Wrecked   ! mission ended  no session +Tenacity  : menu$",
        ),
    ],
)
def test_the_name_of_the_campaign_is_not_cut_for_a_word_of_the_menu(
    width: int, name: str, marks: tuple[str, ...], session: int, says: str
) -> None:
    """The last line has that word too. Whether there is a session is worth more than both, but where no name has room anyway. Wherever
    there is room for the word, it is there. Several states of the ship are a number before names of tabs are cut.
    """
    tabs = ("bridge", "ship", "crew", "log", "clocks", "tables")
    bar = TopBar(tabs, name, "Veil Runners")
    bar.show(tabs, "bridge", name, marks, session)
    (line,) = bar.render_page(INK, width, 1).lines
    assert re.search(says, line.text.rstrip())


def test_offers_leave_the_menu_its_word_where_it_fits() -> None:
    """No more blanks than one on each side stand for it."""
    tabs = ("bridge", "ship", "crew", "log", "clocks", "tables")
    bar = TopBar(tabs, "Slack Water", "Course and Flow")
    bar.show(tabs, "bridge", "Slack Water", (), 0, ("1 offer left", "1 offer", "1 offer"))
    (line,) = bar.render_page(INK, 82, 1).lines
    assert line.text.endswith("no session  1 offer  : menu ")


async def test_an_empty_log_offers_no_roll_that_is_refused(tmp_path: Path) -> None:
    """Without a Course nobody can roll, so nothing says that `r` rolls; in the Veil, it does."""
    text = 'format = 1\nname = "Slack"\nsystem = "course-flow"\nlog = "0001:0"\ncrew.iko = { name = "Iko" }\n'
    async with playing(tmp_path / "slack", text=text) as (pilot, _):
        assert "The log is empty" in seen(pilot)
        assert "r rolls" not in seen(pilot)
    async with playing(tmp_path / "ship") as (pilot, _):
        assert "r rolls" in seen(pilot)
