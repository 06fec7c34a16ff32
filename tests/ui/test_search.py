"""`/` searches the view that is looked at: while it is typed, once it is kept, and when it ends."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path

import pytest
from textual.pilot import Pilot

from tests.kit.app import drained, playing, seen, typed
from waylog.store.log.entries_and_version_0_1 import LogEntry
from waylog.store.log.grouped_acts_and_texts import LoggedAct, LoggedActs
from waylog.store.log.search_and_filters import LogQuery
from waylog.ui.main_screen import MainScreen
from waylog.ui.views.log import ENOUGH, LogMatches

NOTES = ("The first KNOCK", "Nothing at all", "Somebody knöcks again", "A long silence")


async def with_notes(pilot: Pilot[None]) -> None:
    """Some notes in the log, which is then looked at."""
    for note in NOTES:
        await pilot.press("n")
        await typed(pilot, note)
        await pilot.press("enter")
    await pilot.press("3")


def cursor(pilot: Pilot[None]) -> int:
    """The item under the cursor."""
    screen = pilot.app.screen
    assert isinstance(screen, MainScreen)
    at: int = screen.window.view.cursor
    return at


def last_line(pilot: Pilot[None]) -> str:
    """The hints."""
    return seen(pilot).splitlines()[-1]


async def test_typing_lists_what_matches(tmp_path: Path) -> None:
    """The newest match is under the cursor; case and accents don't matter; what matches is counted and marked."""
    async with playing(tmp_path) as (pilot, _):
        await with_notes(pilot)
        await pilot.press("slash", *"knock")
        assert cursor(pilot) == 3
        shown = seen(pilot)
        assert "The first KNOCK" in shown
        assert "A long silence" not in shown.split("Search the log")[0]
        assert "1 of 2" in shown
        assert "go there" in last_line(pilot)
        view = pilot.app.screen.window.view  # type: ignore[attr-defined]
        marked = [span.text for line in view.page.lines for span in line.spans if span.style.underline]
        assert marked == ["KNOCK", "knöck"]


async def test_enter_stays_and_escape_ends_there(tmp_path: Path) -> None:
    """The whole log is listed again. The arrow keys go from match to match until Esc ends the search, and letters are keys as ever."""
    async with playing(tmp_path) as (pilot, table):
        await with_notes(pilot)
        await pilot.press("slash", *"knock", "enter")
        await drained(pilot)
        assert "A long silence" in seen(pilot)
        assert "↑↓ match (1 of 2)" in last_line(pilot)
        await pilot.press("up")
        assert cursor(pilot) == 1
        assert "(2 of 2)" in last_line(pilot)
        await pilot.press("up")
        assert cursor(pilot) == 1
        assert "No older match" in seen(pilot)
        await pilot.press("down", "down")
        assert cursor(pilot) == 3
        assert "No newer match" in seen(pilot)
        assert "n note" in last_line(pilot)
        await pilot.press("n", *"st", "enter")
        assert table.entry(5).heading == "Note: st"
        await pilot.press("escape", "up")
        assert cursor(pilot) == 2


async def test_escape_while_typing_returns(tmp_path: Path) -> None:
    """To where one was; so do a search without words, and the clearing of its text."""
    async with playing(tmp_path) as (pilot, _):
        await with_notes(pilot)
        await pilot.press("up", "up")
        assert cursor(pilot) == 2
        await pilot.press("slash", *"kn", "escape")
        assert cursor(pilot) == 2
        assert "A long silence" in seen(pilot)
        for leave in ("escape", "enter"):
            await pilot.press("slash", *"kn")
            assert cursor(pilot) == 3
            await pilot.press("backspace", "backspace")
            assert cursor(pilot) == 2
            await pilot.press(leave)
            assert cursor(pilot) == 2
            assert "Search" not in seen(pilot).splitlines()[-2]


async def test_nothing_found_is_said(tmp_path: Path) -> None:
    """While typing; the words can be mended."""
    async with playing(tmp_path) as (pilot, _):
        await with_notes(pilot)
        await pilot.press("slash", *"knockx")
        await drained(pilot)
        assert "no match" in seen(pilot)
        assert ": menu" not in last_line(pilot), "both keys are letters of the search"
        await pilot.press("backspace")
        await drained(pilot)
        assert "1 of 2" in seen(pilot)
        await pilot.press("down", "up")
        await drained(pilot)
        assert "2 of 2" in seen(pilot)


@pytest.mark.parametrize(
    ("keys", "words", "place"),
    [("1", "after", "AFTERBURNERS"), ("2", "lars", "Lars"), ("0", "mara", "Mara"), ("4", "fog", "Fog")],
)
async def test_every_view_is_searched(tmp_path: Path, keys: str, words: str, place: str) -> None:
    """The cursor goes to what has the words, and the arrow keys go round."""
    async with playing(tmp_path) as (pilot, _):
        await pilot.press("c")
        await typed(pilot, "Fog 6 death")
        await pilot.press("enter", keys, "slash", *words)
        await drained(pilot)
        shown = seen(pilot)
        assert "1 of 1" in shown
        assert place in shown
        await pilot.press("enter", "down", "up")
        await drained(pilot)
        assert "↑↓ match (1 of 1)" in last_line(pilot)
        await pilot.press("escape")
        await drained(pilot)
        assert "match" not in last_line(pilot)


async def test_a_search_ends_with_its_view(tmp_path: Path) -> None:
    """In another view, the arrow keys go from row to row."""
    async with playing(tmp_path) as (pilot, _):
        await with_notes(pilot)
        await pilot.press("slash", *"knock", "enter", "2")
        await drained(pilot)
        assert "match" not in last_line(pilot)


async def test_what_is_logged_meanwhile_is_found_too(tmp_path: Path) -> None:
    """A kept search counts anew."""
    async with playing(tmp_path) as (pilot, _):
        await with_notes(pilot)
        await pilot.press("slash", *"knock", "enter", "colon")
        await typed(pilot, "note knocks")
        await pilot.press("enter")
        await drained(pilot)
        assert "of 3)" in last_line(pilot)


async def test_pasted_text_is_searched(tmp_path: Path) -> None:
    """A pasted text is searched for as if it were typed."""
    async with playing(tmp_path) as (pilot, _):
        await with_notes(pilot)
        await pilot.press("slash")
        screen = pilot.app.screen
        assert isinstance(screen, MainScreen)
        screen.paste("first knock")
        await pilot.pause()
        assert cursor(pilot) == 1


async def test_the_log_is_filtered_by_what_its_entries_are(tmp_path: Path) -> None:
    """`F` lists what there is; filters are combined, and Esc clears them."""
    async with playing(tmp_path, 1, 1, 1, 1, 1, 1) as (pilot, _):
        await with_notes(pilot)
        for who in "lm":
            await pilot.press("r", who, "enter")
            await pilot.pause()
        await pilot.press("escape", "3", "F")
        await drained(pilot)
        shown = seen(pilot)
        assert all(word in shown for word in ("Filter the log: ", "Who", "Lars", "Mara", "Tenacity", "Kind", "Notes"))
        await typed(pilot, "lars")
        await pilot.press("enter")
        await drained(pilot)
        shown = seen(pilot)
        assert "Filter: Lars (1 of 1)" in shown
        assert "Esc all" in last_line(pilot)
        assert "Esc clears" in shown
        assert "silence" not in shown
        await pilot.press("F")
        await typed(pilot, "notes")
        await pilot.press("enter")
        await drained(pilot)
        assert "Filter: Lars · Notes (no match)" in seen(pilot)
        await pilot.press("F")
        await typed(pilot, "lars")
        await pilot.press("enter")
        await drained(pilot)
        assert "Filter: Notes (1 of 4)" in seen(pilot)
        await pilot.press("slash", *"rolls", "enter")
        await drained(pilot)
        assert "no match in the entries shown; the filter hides others" in seen(pilot)
        await pilot.press("slash", *"knock", "enter", "up")
        assert cursor(pilot) == 1
        assert "(2 of 2)" in last_line(pilot)
        await pilot.press("escape")
        await drained(pilot)
        assert "Filter: Notes (4 of 4)" in seen(pilot)
        await pilot.press("n")
        await typed(pilot, "One more")
        await pilot.press("enter")
        await drained(pilot)
        assert "Filter: Notes (5 of 5)" in seen(pilot)
        await pilot.press("G")
        await drained(pilot)
        assert "Filter: Notes (1 of 5)" in seen(pilot)
        await pilot.press("escape")
        await drained(pilot)
        assert "Filter" not in seen(pilot).splitlines()[2]
        assert all(hint in last_line(pilot) for hint in ("/ search", "F filter"))
        assert "Esc all" not in last_line(pilot)
        assert cursor(pilot) == 7


async def test_down_in_the_filter_passes_no_line(tmp_path: Path) -> None:
    """In a narrow window, what there is of one kind has several lines."""
    async with playing(tmp_path, size=(40, 20)) as (pilot, _):
        await with_notes(pilot)
        await pilot.press("escape", "3", "F", "down", "down")
        await drained(pilot)
        assert "▸ Clocks" in seen(pilot)


async def test_a_search_that_finds_nothing_goes_on_in_the_log(tmp_path: Path) -> None:
    """Whoever searches the Bridge for a line of its log gets there with Enter; if the log has no such line, the search ends."""
    async with playing(tmp_path) as (pilot, _):
        await with_notes(pilot)
        await pilot.press("0", "slash", *"knock")
        await drained(pilot)
        assert "in the log" in seen(pilot).splitlines()[-3], "a line that is on screen is found"
        assert "⏎ search the log" in last_line(pilot)
        await pilot.press("x")
        await drained(pilot)
        assert "no match here" in seen(pilot).splitlines()[-3]
        await pilot.press("backspace")
        await pilot.press("enter")
        await drained(pilot)
        assert "Search the log" in seen(pilot)
        assert "1 of 2" in seen(pilot)
        await pilot.press("escape", "0", "slash", *"knockx", "enter", "enter")
        await drained(pilot)
        assert "“knockx”: no match" in seen(pilot)
        await pilot.press("n")
        await drained(pilot)
        assert "no match" not in last_line(pilot)
        assert "Note" in seen(pilot)


@pytest.mark.clause("NM-43")
@pytest.mark.parametrize("size", [(120, 36), (80, 24)])
async def test_what_was_rewound_is_in_the_log_only_when_the_filter_asks_for_it(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    """Neither the log nor a search shows it, `F` `rewound` does; the cursor comes back to what is listed. The question before a
    redo counts it and doesn't tell it, and lines that were typed there aren't recalled.
    """
    async with playing(tmp_path, size=size) as (pilot, table):
        for words in ("note kept", "scene Fog", "note blood", "note more"):
            table.play(table.understand(words))
        table.undo()
        table.rewind()
        pilot.app._look()  # type: ignore[attr-defined]
        await pilot.press("3")
        await drained(pilot)
        assert "Scene rewound" in seen(pilot)
        assert not any(word in seen(pilot) for word in ("blood", "more"))
        await pilot.press("slash", *"blood", "enter")
        await drained(pilot)
        assert "“blood”: no match" in seen(pilot)
        await pilot.press("F")
        await typed(pilot, "rewound")
        await pilot.press("enter")
        await drained(pilot)
        assert "Filter: Rewound (1 of 2)" in seen(pilot)
        await pilot.press("g")
        await drained(pilot)
        assert "blood" in seen(pilot)
        assert f"rewound at {table.entry(6).at:%H:%M}" in seen(pilot)
        await pilot.press("escape")
        await drained(pilot)
        assert not any(word in seen(pilot) for word in ("blood", "more"))
        assert cursor(pilot) == 2
        await pilot.press("U")
        await drained(pilot)
        assert "Redo what was rewound (1 action)?" in seen(pilot)
        await pilot.press("escape", "colon", "up", "up", "up")
        await drained(pilot)
        assert "note" in seen(pilot).splitlines()[-2]
        assert "blood" not in seen(pilot)


class ManyActs(LoggedActs):
    """More acts than are counted."""

    def __init__(self) -> None:
        super().__init__(dict[int, LogEntry]().__getitem__, 5 * ENOUGH)

    def act(self, _: int, *, rewound: bool = False) -> LoggedAct | None:  # noqa: ARG002 - as in what it stands for
        """Every number is an act."""
        return LoggedAct(())


def steps() -> Iterator[int]:
    """Every second act matches."""
    for number in count(5 * ENOUGH, -1):
        yield number if number % 2 else 0


def test_matches_are_counted_as_far_as_is_of_use() -> None:
    """More are looked for when somebody goes there."""
    matches = LogMatches(ManyActs(), LogQuery(), steps())
    assert (matches.newest, matches.describe(7), matches.looks_on) == (0, "0… matches", True)
    matches.look_on(60, 1)
    newest = matches.newest
    assert newest == 5 * ENOUGH - 1
    assert matches.describe(newest) == "1 of 1…"
    matches.look_on(60, ENOUGH)
    assert matches.describe(newest) == "1 of 1,000+"
    assert matches.describe(newest - 1) == "1,000+ matches"
    oldest = newest - 2 * (ENOUGH - 1)
    assert (matches.position(oldest), matches.before(oldest), matches.after(oldest)) == (ENOUGH, 0, oldest + 2)
    assert not matches.looks_on
    matches.want_beyond(oldest)
    matches.look_on(60, ENOUGH + 1)
    assert matches.before(oldest) == oldest - 2
    assert (matches.before(newest + 1), matches.after(newest), matches.before(newest)) == (newest, 0, newest - 2)


async def test_enter_on_an_unfolded_entry_is_called_fold(tmp_path: Path) -> None:
    """The line of keys says what Enter does now."""
    async with playing(tmp_path, 5, 2) as (pilot, _):
        await pilot.press(*"rn", "enter", "k", "3")
        await drained(pilot)
        assert "⏎ unfold" in seen(pilot)
        await pilot.press("enter")
        await drained(pilot)
        assert "⏎ fold" in seen(pilot)
        await pilot.press("enter")
        await drained(pilot)
        assert "⏎ unfold" in seen(pilot)
