"""What is kept when things go wrong, or go on by themselves: half-done doings, a file left behind, conflicts, held acts."""

import errno
import shutil
import time
from dataclasses import replace
from itertools import count
from pathlib import Path
from types import SimpleNamespace

import pytest
from textual.pilot import Pilot

from tests.kit.app import CAMPAIGN, SIZES, drained, looked, playing, seen, typed
from tests.kit.table import Falling, saved, table_at, text_of, ticking, written
from tests.kit.thorough import cases
from waylog.app.wayfinder_app import WayfinderApp
from waylog.store.files_and_lock import lock_campaign
from waylog.store.log.log_and_torn_entries import Log
from waylog.table import Table
from waylog.ui.key_bindings import EVERYWHERE
from waylog.ui.line.lists_and_lines_that_keys_open import NO_CONFLICT, NOT_HELD
from waylog.ui.main_screen import MainScreen
from waylog.ui.views.help_on_keys import KeyHint, hints


def _settled(frame: MainScreen) -> None:
    """What the frame gets when a settle behind it could not write the file: the same, but for that."""
    frame.show(replace(frame.snapshot, unsaved="campaign.toml could not be brought up to date"))


def _frame(screen: object) -> MainScreen:
    assert isinstance(screen, MainScreen)
    return screen


async def test_a_settle_leaves_the_question_before_undo(tmp_path: Path) -> None:
    """A campaign file written behind the scenes takes no confirmation away: the second `u` still counts."""
    async with playing(tmp_path, 3, 2) as (pilot, table):
        await pilot.press("r", "c", "enter", "u")
        _settled(_frame(pilot.app.screen))
        await pilot.pause()
        assert "Undo “Roll CPU" in seen(pilot)
        await pilot.press("u")
        assert table.entry(2).undoes == (1,)


async def test_a_settle_leaves_half_typed_dice(tmp_path: Path) -> None:
    """Of three real dice one is typed when the file is written behind: it stays, on screen and in the act."""
    async with playing(tmp_path) as (pilot, table):
        await pilot.press("r", "n")
        await typed(pilot, " a 3")
        await pilot.press("enter", "6")
        _settled(_frame(pilot.app.screen))
        await pilot.pause()
        assert "[6]" in seen(pilot)
        await pilot.press("5", "enter")
        assert table.entry(2).faces == (6, 5)


async def test_a_settle_leaves_what_is_marked_in_a_list(tmp_path: Path) -> None:
    """A choice under the mark stays there."""
    async with playing(tmp_path) as (pilot, _):
        await pilot.press("r", "n", "down")
        _settled(_frame(pilot.app.screen))
        await pilot.press("tab")
        assert "roll › nav afterburners" in seen(pilot)


async def test_a_new_act_of_another_window_takes_the_question_away(tmp_path: Path) -> None:
    """What would be taken back is no longer what was named."""
    async with playing(tmp_path, 3, 2) as (pilot, table):
        await pilot.press("r", "c", "enter", "u")
        other = table_at(tmp_path)
        other.play(other.understand("note first"))
        looked(pilot)
        await pilot.press("u")
        assert "Undo “Note" in seen(pilot)
        assert table.snapshot.entries == 2


async def test_a_file_left_behind_is_brought_up_at_once(tmp_path: Path) -> None:
    """After a crash between log and file nobody has to act first: the app says so, and the file follows."""
    left = table_at(written(tmp_path, CAMPAIGN))
    left.play(left.understand("set ship.focus 2"))
    assert "focus = 1" in text_of(tmp_path)
    async with playing(tmp_path, text=text_of(tmp_path)) as (pilot, table):
        await pilot.pause()
        assert "The campaign file has been updated from the log" in seen(pilot)
        while table.file_is_behind():
            await pilot.pause()
        assert "focus = 2" in text_of(tmp_path)


async def test_a_file_that_is_written_while_one_leaves_has_nobody_to_tell(tmp_path: Path) -> None:
    """The app is gone when the disk is done; that is no failure."""
    async with playing(tmp_path) as (pilot, table):
        app = pilot.app
    assert isinstance(app, WayfinderApp)
    table.play(table.understand("set ship.focus 2"))
    app._sync._due = True
    await app._sync.settle()
    assert "focus = 2" in text_of(tmp_path)


@pytest.mark.parametrize("size", cases(SIZES, 2, 3))
async def test_what_a_crash_left_is_said_at_once_and_in_one_go(tmp_path: Path, size: tuple[int, int]) -> None:
    """A file behind its log and half an entry: what was finished, what was not, and where it lies; then nothing more."""
    left = table_at(written(tmp_path, CAMPAIGN))
    left.play(left.understand("set ship.focus 2"))
    with (tmp_path / "log" / "0001.toml").open("ab") as log:
        log.write(b"\n[[entry]]\nnumber = 2\nact = ")
    async with playing(tmp_path, text=text_of(tmp_path), size=size) as (pilot, table):
        await pilot.pause()
        said = " ".join(seen(pilot).split())
        assert "The campaign file has been updated from the log" in said
        assert "interrupted action was not carried out. Its partial log entry is in log/0001.torn-" in said
        assert table.take_recovery_text() is None
        await pilot.press("3", "1")
        assert "cut short" not in seen(pilot)


async def _changed_twice(pilot: Pilot[None], table: Table) -> None:
    """A person saves focus 3 over a file that had not yet heard of what was played."""
    table.play(table.understand("set ship.focus 2"))
    saved(table.folder, "focus = 1", "focus = 3")
    looked(pilot)
    await pilot.pause()


@pytest.mark.parametrize("size", cases(SIZES, 0, 3))
@pytest.mark.parametrize(("key", "focus"), [("F", 3), ("P", 2)])
async def test_a_conflict_shows_both_values_and_is_settled_by_one_key(
    tmp_path: Path, size: tuple[int, int], key: str, focus: int
) -> None:
    """The banner says what the file has and what was played, where each came from, and the keys; then it goes."""
    async with playing(tmp_path, size=size) as (pilot, table):
        await _changed_twice(pilot, table)
        said = " ".join(seen(pilot).split())
        assert "Tenacity: Focus was changed twice: to 3 in the file (" in said
        assert f"to 2 in play (“{table.entry(1).heading}”, " in said
        assert "F keeps 3 · P uses 2" in said
        await pilot.press(key)
        await pilot.pause()
        assert not table.snapshot.conflicts
        assert "changed twice" not in seen(pilot)
        focuses = [row.value for panel in table.snapshot.panels for row in panel.rows if row.key == "ship.focus"]  # type: ignore[union-attr]  # a row of pips
        assert focuses == [focus]


async def test_a_conflict_comes_before_the_filter_of_the_log(tmp_path: Path) -> None:
    """`F` keeps the file's value there too, while that is asked; then it filters."""
    async with playing(tmp_path) as (pilot, table):
        await pilot.press("3")
        await _changed_twice(pilot, table)
        await pilot.press("F")
        await pilot.pause()
        assert not table.snapshot.conflicts
        assert "Filter the log" not in seen(pilot)
        await pilot.press("F")
        assert "Filter the log" in seen(pilot)


def _hints(pilot: Pilot[None]) -> list[KeyHint]:
    """The rows of the help."""
    screen = pilot.app.screen
    assert isinstance(screen, MainScreen)
    return [*hints(screen.snapshot, (), (), "ship", EVERYWHERE)]


async def test_keys_that_settle_say_when_there_is_nothing_to_settle(tmp_path: Path) -> None:
    """Without a conflict or a held act nothing happens but words."""
    async with playing(tmp_path) as (pilot, table):
        for key, why in (("F", NO_CONFLICT), ("P", NO_CONFLICT), ("W", NOT_HELD), ("D", NOT_HELD)):
            await pilot.press(key)
            assert why[1:] in seen(pilot)
        assert table.snapshot.entries == 0
        assert not {"F", "P", "W", "D"} & {hint.key for hint in _hints(pilot)}


@pytest.mark.parametrize(("key", "entries"), [("W", 1), ("D", 0)])
async def test_a_held_act_is_written_again_or_let_go_by_one_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, key: str, entries: int
) -> None:
    """While the log can't be written the act is held and said to be; afterwards it is written as it fell, or gone."""
    async with playing(tmp_path, 3, 2) as (pilot, table):

        def full(*_: object) -> None:
            raise OSError(errno.ENOSPC, "No space left on device")

        with monkeypatch.context() as patch:
            patch.setattr(Log, "append", full)
            await pilot.press("r", "c", "enter")
            await pilot.pause()
            assert "“roll cpu” could not be saved, so it has not happened" in seen(pilot)
            await pilot.press("escape", "W")
            await pilot.pause()
            assert "could not be saved" in seen(pilot), "it still can't"
        await pilot.press(key)
        await pilot.pause()
        assert table.snapshot.held is None
        assert table.snapshot.entries == entries
        assert "could not be written" not in seen(pilot)


async def test_a_window_that_looks_on_says_why_nothing_can_be_done(tmp_path: Path) -> None:
    """Every act is dimmed with the reason, in the lists and in `?`; undo says so instead of asking."""
    first = table_at(written(tmp_path, CAMPAIGN))
    first.play(first.understand("note hello"))
    first.settle()
    table = Table(tmp_path, now=ticking(), chance=Falling(), read_only=True)
    app = WayfinderApp(table)
    async with app.run_test(size=(120, 36)) as pilot:
        await pilot.pause()
        assert "Read-only" in seen(pilot)
        await pilot.press("ctrl+p")
        assert "read-only" in seen(pilot)
        await pilot.press("escape", "r", "c", "enter")
        await drained(pilot)
        assert "read-only" in seen(pilot)
        await pilot.press("escape", "u")
        await drained(pilot)
        assert "read-only" in seen(pilot)
        assert "u" not in {hint.key for hint in _hints(pilot)}
        assert table.snapshot.entries == 1


async def test_the_screen_does_not_wait_for_who_holds_the_campaign(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An act is refused in plain words, a look at the files is put off, and both go on once the campaign is let go."""
    asleep = list[float]()
    monkeypatch.setattr("waylog.app.table_sync._HELD", 0.0)
    async with playing(tmp_path, 3, 2) as (pilot, table):
        await pilot.press("n", "o", "n", "e", "enter")
        assert table.settle()
        seconds = count(0.0, 0.01)
        clock = SimpleNamespace(sleep=asleep.append, monotonic=lambda: next(seconds), time_ns=time.time_ns)
        monkeypatch.setattr("waylog.store.files_and_lock.time", clock)
        with lock_campaign(tmp_path):
            await pilot.press("n", "t", "w", "o", "enter")
            assert "Another program is using this campaign. Nothing was done" in seen(pilot)
            assert len(asleep) <= 30
            asleep.clear()
            saved(tmp_path, 'name = "Lars"', 'name = "Lasse"')
            looked(pilot)
            looked(pilot)
            assert not asleep
            assert "Changes will appear when that program has finished" in seen(pilot)
        await pilot.press("enter")
        assert [table.entry(number).words for number in (1, 2, 3)] == ['note "one"', "by hand", 'note "two"']


@pytest.mark.parametrize("size", cases(SIZES, 1, 3))
@pytest.mark.parametrize(("key", "focus"), [("F", 1), ("P", 2)])
async def test_an_old_copy_is_asked_about_and_answered_by_one_key(
    tmp_path: Path, size: tuple[int, int], key: str, focus: int
) -> None:
    """The banner says what was put back and what each key does; no act is done before that."""
    async with playing(tmp_path, size=size) as (pilot, table):
        old = text_of(tmp_path)
        table.play(table.understand("set ship.focus 2"))
        table.settle()
        saved(tmp_path, text_of(tmp_path), old)
        looked(pilot)
        await pilot.pause()
        said = " ".join(seen(pilot).split())
        assert "Your campaign.toml is an old copy, without the last action" in said
        assert "F: go back to the state before it · P: add it to the file" in said
        rows = {hint.key: hint.does for hint in _hints(pilot)}
        assert rows["F"].endswith("go back to the state before it")
        assert rows["P"].endswith("add it to the file")
        await pilot.press("n")
        await typed(pilot, "hello")
        await pilot.press("enter")
        assert table.snapshot.entries == 1
        await pilot.press("escape", "escape", key)
        await pilot.pause()
        assert table.snapshot.asked is None
        focuses = [row.value for panel in table.snapshot.panels for row in panel.rows if row.key == "ship.focus"]  # type: ignore[union-attr]  # a row of pips
        assert focuses == [focus]


@pytest.mark.parametrize(("key", "focus", "entries"), [("F", 1, 1), ("P", 2, 2)])
async def test_a_backup_put_back_under_the_window_is_asked_about_and_answered_by_one_key(
    tmp_path: Path, key: str, focus: int, entries: int
) -> None:
    """The banner says where the log ends and where the window is; then play goes on from what was chosen."""
    folder, backup = tmp_path / "tenacity", tmp_path / "backup"
    async with playing(folder) as (pilot, table):
        table.play(table.understand("note one"))
        table.settle()
        shutil.copytree(folder, backup)
        table.play(table.understand("set ship.focus 2"))
        table.settle()
        shutil.copytree(backup, folder, dirs_exist_ok=True)
        looked(pilot)
        await pilot.pause()
        said = " ".join(seen(pilot).split())
        assert "The log was replaced: it ends at entry 1, but this window has seen entry 2." in said
        assert "F: continue from the files · P: continue from entry 2" in said
        await pilot.press(key)
        await pilot.pause()
        assert table.snapshot.asked is None
        focuses = [row.value for panel in table.snapshot.panels for row in panel.rows if row.key == "ship.focus"]  # type: ignore[union-attr]  # a row of pips
        assert (focuses, table.snapshot.entries) == ([focus], entries)
        await pilot.press("n")
        await typed(pilot, "hello")
        await pilot.press("enter")
        assert table.entry(entries + 1).words == 'note "hello"'
        table.settle()
        assert f"focus = {focus}\n" in text_of(folder)
